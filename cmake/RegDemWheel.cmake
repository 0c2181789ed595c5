# What the wheel for pip holds (packaging/wheel), in wheel/ of the build folder:
# programs that need neither LLVM nor any other library, made of the objects
# that the others are made of. Statically linked with glibc, too, they run with
# every release of it.
find_package(Python3 3.9 COMPONENTS Interpreter)
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LINK_OPTIONS -static)
check_cxx_source_compiles("int main() {}" REGDEM_LINKS_STATICALLY)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
file(GLOB LLVMArchives "${LLVM_LIBRARY_DIR}/libLLVM*.a")
if(NOT LLVMArchives OR NOT REGDEM_LINKS_STATICALLY OR REGDEM_SANITIZE OR
   NOT TARGET regdem-report)
  message(STATUS "No files for a wheel: no static LLVM or C library, no Python, "
                 "or sanitizers")
  return()
endif()
# The linker warns that names of users (~name in a path, which nothing here
# takes) are looked up in shared libraries all the same.
include(CheckLinkerFlag)
check_linker_flag(CXX -Wl,--no-warnings REGDEM_LINKER_HAS_NO_WARNINGS)
set(REGDEM_WHEEL_DIR "${CMAKE_BINARY_DIR}/wheel")

# regdem_wheel_program(<name> [<library>...])
function(regdem_wheel_program Name)
  set(Program ${Name}-for-wheel)
  add_executable(${Program} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${Name}>)
  set_target_properties(${Program} PROPERTIES LINKER_LANGUAGE CXX
    OUTPUT_NAME ${Name} RUNTIME_OUTPUT_DIRECTORY "${REGDEM_WHEEL_DIR}/bin")
  target_link_libraries(${Program} PRIVATE ${ARGN} -static -s -Wl,--gc-sections
    $<$<BOOL:${REGDEM_LINKER_HAS_NO_WARNINGS}>:-Wl,--no-warnings>)
endfunction()

# RegDemCore by its file: the target brings the shared LLVM.
foreach(Tool regdem-ptxas regdem-finish)
  regdem_wheel_program(${Tool} $<TARGET_FILE:RegDemCore>
    $<LINK_GROUP:RESCAN,${LLVMArchives}>)
  add_dependencies(${Tool}-for-wheel RegDemCore)
  set_property(TARGET ${Tool}-for-wheel
    PROPERTY LINK_DEPENDS $<TARGET_FILE:RegDemCore>)
endforeach()
regdem_wheel_program(regdem-nvcc)

# pip replaces the name of the interpreter by that which it installs for. Wheels
# hold no links: what nvcc runs in ptxas's place is a copy.
set(Commands "")
foreach(Tool regdem-report regdem-analyse regdem-launches)
  list(APPEND Commands COMMAND "${Python3_EXECUTABLE}" -m zipapp
    "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${Tool}" -p python
    -o "${REGDEM_WHEEL_DIR}/bin/${Tool}")
endforeach()
add_custom_target(wheel-files ${Commands}
  COMMAND "${CMAKE_COMMAND}" -E make_directory
    "${REGDEM_WHEEL_DIR}/libexec/regdem" "${REGDEM_WHEEL_DIR}/lib/regdem"
  COMMAND "${CMAKE_STRIP}" "$<TARGET_FILE:regdem-preload>"
    -o "${REGDEM_WHEEL_DIR}/lib/regdem/launches.so"
  COMMAND "${CMAKE_COMMAND}" -E copy_if_different
    "$<TARGET_FILE:regdem-ptxas-for-wheel>"
    "${REGDEM_WHEEL_DIR}/libexec/regdem/ptxas"
  DEPENDS regdem-ptxas-for-wheel regdem-finish-for-wheel
    regdem-nvcc-for-wheel regdem-report regdem-analyse regdem-launches
  VERBATIM COMMENT "Gathering the files of the wheel")
