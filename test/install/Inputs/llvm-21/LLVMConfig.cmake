# What an installation of LLVM 21 says of itself.
set(LLVM_FOUND TRUE)
set(LLVM_PACKAGE_VERSION 21.1.0)
set(LLVM_VERSION_MAJOR 21)
