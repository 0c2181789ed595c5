# regdem_python_tool(<name>): the program <name> as one file that runs wherever
# Python does, such as a machine with a GPU and nothing else: the package in the
# folder `app` beside the caller, whose cli.main() it starts, with the package
# that all tools share. Without Python here it is left out.
function(regdem_python_tool Name)
  find_package(Python3 3.9 COMPONENTS Interpreter)
  if(NOT Python3_FOUND)
    message(STATUS "No Python 3.9: ${Name} is not built")
    return()
  endif()
  set(Program "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${Name}")
  set(Shared "${PROJECT_SOURCE_DIR}/tools/common/regdem_common")
  set(Packed "${CMAKE_CURRENT_BINARY_DIR}/${Name}-packed")
  file(GLOB_RECURSE Sources CONFIGURE_DEPENDS
    "${CMAKE_CURRENT_SOURCE_DIR}/app/*.py" "${Shared}/*.py")
  set(Version "${CMAKE_CURRENT_BINARY_DIR}/${Name}-version.py")
  file(CONFIGURE OUTPUT "${Version}"
    CONTENT "VERSION = \"${PROJECT_VERSION}\"\n")
  set(Main "${CMAKE_CURRENT_BINARY_DIR}/${Name}-main.py")
  string(REPLACE "-" "_" Package "${Name}")
  file(CONFIGURE OUTPUT "${Main}" CONTENT
"# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys

sys.dont_write_bytecode = True

from ${Package}.cli import main

sys.exit(main())
")
  add_custom_command(OUTPUT "${Program}"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${Packed}"
    COMMAND "${CMAKE_COMMAND}" -E copy_directory
      "${CMAKE_CURRENT_SOURCE_DIR}/app" "${Packed}"
    COMMAND "${CMAKE_COMMAND}" -E copy "${Main}" "${Packed}/__main__.py"
    COMMAND "${CMAKE_COMMAND}" -E copy_directory "${Shared}"
      "${Packed}/regdem_common"
    COMMAND "${CMAKE_COMMAND}" -E copy "${Version}"
      "${Packed}/regdem_common/_version.py"
    COMMAND "${CMAKE_COMMAND}" -E make_directory
      "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
    COMMAND "${Python3_EXECUTABLE}" -m zipapp "${Packed}"
      -o "${Program}" -p "/usr/bin/env python3"
    DEPENDS ${Sources} "${Main}" "${Version}" VERBATIM COMMENT "Packing ${Name}")
  add_custom_target(${Name} ALL DEPENDS "${Program}")
  install(PROGRAMS "${Program}" DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
