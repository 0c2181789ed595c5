# `cmake --install` gives a package: find_package(RegDem) brings the function
# regdem_enable(<target>), which turns RegDem on for a CUDA target.
include(CMakePackageConfigHelpers)

# All that is built to be installed, without tests and benchmarks.
add_custom_target(programs DEPENDS RegDem regdem-finish regdem-opt regdem-llc
  regdem-nvcc regdem-ptxas regdem-preload)
foreach(Tool regdem-analyse regdem-launches regdem-tune regdem-report)
  if(TARGET ${Tool})
    add_dependencies(programs ${Tool})
  endif()
endforeach()

install(TARGETS RegDem LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS regdem-finish regdem-opt regdem-llc regdem-nvcc regdem-ptxas
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS regdem-preload
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/regdem)
# What regdem-nvcc has nvcc run: a link to ../../bin/regdem-ptxas.
install(FILES "${CMAKE_BINARY_DIR}/libexec/regdem/ptxas"
  DESTINATION libexec/regdem)
# For Triton: `pip install PREFIX/share/regdem/triton`, or PYTHONPATH.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/tools/regdem-triton/"
  DESTINATION ${CMAKE_INSTALL_DATADIR}/regdem/triton
  FILES_MATCHING PATTERN "*.py" PATTERN "pyproject.toml"
  PATTERN "__pycache__" EXCLUDE PATTERN "build" EXCLUDE
  PATTERN "*.egg-info" EXCLUDE)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md"
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_SOURCE_DIR}/examples"
        DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(REGDEM_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/RegDem")
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/RegDemConfig.cmake.in"
  "${CMAKE_BINARY_DIR}/RegDemConfig.cmake"
  INSTALL_DESTINATION ${REGDEM_PACKAGE_DIR}
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/RegDemConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/RegDemConfig.cmake"
              "${CMAKE_BINARY_DIR}/RegDemConfigVersion.cmake"
        DESTINATION ${REGDEM_PACKAGE_DIR})

# Man pages, from what --help prints.
set(REGDEM_SUMMARY_regdem-finish "move local memory of GPU programs to shared memory")
set(REGDEM_SUMMARY_regdem-opt "run RegDem on one module, or show what it sees")
set(REGDEM_SUMMARY_regdem-llc "llc with RegDem in it")
set(REGDEM_SUMMARY_regdem-analyse
  "say what limits CUDA kernels, and whether spilling matters")
set(REGDEM_SUMMARY_regdem-launches "note how a program launches CUDA kernels")
set(REGDEM_SUMMARY_regdem-tune "measure builds of CUDA kernels, write a profile")
set(REGDEM_SUMMARY_regdem-report "show what RegDem did with CUDA kernels")
find_package(Python3 3.9 COMPONENTS Interpreter)
if(Python3_FOUND)
  foreach(Tool regdem-finish regdem-opt regdem-llc regdem-analyse regdem-launches
    regdem-tune regdem-report)
    if(Tool MATCHES "-finish|-opt|-llc")
      set(Command "$<TARGET_FILE:${Tool}>")
    else()
      set(Command "${Python3_EXECUTABLE}" "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${Tool}")
    endif()
    set(Page "${CMAKE_BINARY_DIR}/man/${Tool}.1.gz")
    add_custom_command(OUTPUT "${Page}"
      COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/packaging/man.py"
        "${Page}" ${PROJECT_VERSION} "${REGDEM_SUMMARY_${Tool}}" ${Command}
      DEPENDS ${Tool} "${PROJECT_SOURCE_DIR}/packaging/man.py"
      VERBATIM COMMENT "Man page of ${Tool}")
    list(APPEND Pages "${Page}")
  endforeach()
  # What these print for --help is ptxas's and nvcc's.
  foreach(Tool regdem-ptxas regdem-nvcc)
    set(Page "${CMAKE_BINARY_DIR}/man/${Tool}.1.gz")
    add_custom_command(OUTPUT "${Page}"
      COMMAND gzip -9nc "${PROJECT_SOURCE_DIR}/packaging/${Tool}.1" > "${Page}"
      DEPENDS "${PROJECT_SOURCE_DIR}/packaging/${Tool}.1" VERBATIM)
    list(APPEND Pages "${Page}")
  endforeach()
  add_custom_target(man ALL DEPENDS ${Pages})
  add_dependencies(programs man)
  install(FILES ${Pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# zsh looks in the first folder, Debian's in the second.
set(REGDEM_PACKAGING "${PROJECT_SOURCE_DIR}/packaging")
foreach(Tool regdem-finish regdem-opt regdem-llc regdem-nvcc regdem-analyse
    regdem-launches regdem-tune regdem-report)
  install(FILES "${REGDEM_PACKAGING}/completion.bash" RENAME ${Tool}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endforeach()
foreach(Folder site-functions vendor-completions)
  install(FILES "${REGDEM_PACKAGING}/completion.zsh" RENAME _regdem
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${Folder})
endforeach()

# `cmake --build build --target uninstall` removes what `cmake --install` listed.
add_custom_target(uninstall COMMAND "${CMAKE_COMMAND}"
  "-DMANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt"
  -P "${CMAKE_CURRENT_LIST_DIR}/Uninstall.cmake" VERBATIM)

# `cmake --build build --target package` makes a package for Debian.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME regdem)
set(CPACK_PACKAGE_CONTACT
  "RegDem maintainers <maintainers@users.noreply.a-seed-57d8ea94.example>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-${REGDEM_LLVM_MAJOR}, python3")
# llc for regdem-llc, llvm-cxxfilt for names.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "llvm-${REGDEM_LLVM_MAJOR}")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "A CUDA kernel that needs more registers than its occupancy allows spills to
local memory. RegDem moves such values to shared memory where that is predicted
to be faster. clang loads /usr/lib/RegDem.so with -fpass-plugin.")
set(CPACK_INSTALL_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/DebianFiles.cmake")
include(CPack)
