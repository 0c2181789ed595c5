# Finds LLVM 22 and nothing else: RegDem reads and emits NVPTX machine
# instructions, whose operands change between major versions.
set(REGDEM_LLVM_MAJOR 22)

find_package(LLVM CONFIG QUIET HINTS /usr/lib/llvm-${REGDEM_LLVM_MAJOR})
if(NOT LLVM_FOUND)
  message(FATAL_ERROR "RegDem needs LLVM ${REGDEM_LLVM_MAJOR}, and none was "
                      "found: run scripts/bootstrap.sh or set LLVM_DIR.")
endif()
if(NOT LLVM_VERSION_MAJOR EQUAL REGDEM_LLVM_MAJOR)
  message(FATAL_ERROR "RegDem needs LLVM ${REGDEM_LLVM_MAJOR}, found "
                      "${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}.")
endif()
if(NOT LLVM_LINK_LLVM_DYLIB)
  message(FATAL_ERROR "RegDem needs an LLVM built as one shared library: a "
                      "second, static copy of LLVM in the plugin would abort.")
endif()
find_package(Clang CONFIG QUIET HINTS "${LLVM_DIR}/../clang")
if(NOT Clang_FOUND)
  message(FATAL_ERROR "RegDem needs clang's headers of the same release: run "
                      "scripts/bootstrap.sh or set Clang_DIR.")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")
