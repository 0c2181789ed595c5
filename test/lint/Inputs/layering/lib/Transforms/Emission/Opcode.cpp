static const char *Load = "LD_i32";
static const char *Add = "ADD64rr";
static const char *Class = TRI.getRegClassName(RC);
static const char *Word = "ADD";
