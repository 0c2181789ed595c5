# `cmake --install` gives a package: find_package(RegDem) brings the function
# regdem_enable(<target>), which turns RegDem on for a CUDA target.
include(CMakePackageConfigHelpers)

# All that is built to be installed, without tests and benchmarks.
add_custom_target(programs DEPENDS RegDem regdem-opt regdem-llc)
foreach(Tool regdem-tune regdem-report)
  if(TARGET ${Tool})
    add_dependencies(programs ${Tool})
  endif()
endforeach()

install(TARGETS RegDem LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS regdem-opt regdem-llc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
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
