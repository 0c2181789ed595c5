# Run by CPack: what a package of Debian has besides what is installed.
set(Source "${CMAKE_CURRENT_LIST_DIR}/..")
set(Root "$ENV{DESTDIR}/usr/share")
if(NOT DEFINED ENV{DESTDIR})
  message(FATAL_ERROR "CPack has set no DESTDIR")
endif()
# CPack looks for these later, and says less.
find_program(File file)
find_program(Dependencies dpkg-shlibdeps)
if(NOT File OR NOT Dependencies)
  message(FATAL_ERROR "To make a package, install Debian's packages file and "
                      "dpkg-dev")
endif()
set(Doc "${Root}/doc/regdem")
file(COPY "${Source}/packaging/copyright" DESTINATION "${Doc}")
file(MAKE_DIRECTORY "${Root}/lintian/overrides")
configure_file("${Source}/packaging/lintian-overrides"
  "${Root}/lintian/overrides/regdem" COPYONLY)
execute_process(COMMAND gzip -9nc "${Source}/packaging/changelog"
  OUTPUT_FILE "${Doc}/changelog.gz" COMMAND_ERROR_IS_FATAL ANY)
