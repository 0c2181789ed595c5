# Settings that every C++ target of the project shares.
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

option(REGDEM_WERROR "Treat compiler warnings as errors" ON)
set(REGDEM_SANITIZE "" CACHE STRING
    "Sanitizers to build with, as -fsanitize= takes them (empty: none)")

add_library(regdem_flags INTERFACE)
target_compile_options(regdem_flags INTERFACE
  -Wall -Wextra $<$<BOOL:${REGDEM_WERROR}>:-Werror>
  -fno-exceptions $<$<NOT:$<BOOL:${LLVM_ENABLE_RTTI}>>:-fno-rtti>)
target_include_directories(regdem_flags INTERFACE
  "${PROJECT_SOURCE_DIR}/include")
target_include_directories(regdem_flags SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS})
target_compile_definitions(regdem_flags INTERFACE
  REGDEM_VERSION="${PROJECT_VERSION}")
if(REGDEM_SANITIZE)
  # What the sanitizers add hides from g++ that a variable is set.
  target_compile_options(regdem_flags INTERFACE
    -fsanitize=${REGDEM_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all -Wno-maybe-uninitialized)
  target_link_options(regdem_flags INTERFACE -fsanitize=${REGDEM_SANITIZE})
endif()
