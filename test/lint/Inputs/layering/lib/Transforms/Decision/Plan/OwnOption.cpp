static cl::opt<bool> Option("regdem-option");
