static const char *Names[] = {"LD_i32", "ADD64rr"};
