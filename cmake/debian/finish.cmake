# CPack runs this on the folders it is about to pack: adds what Debian's policy wants in each of them.
#
# A folder a component, with the tree from / on in it. Dates come from SOURCE_DATE_EPOCH, where it is set.
set(packaging ${CMAKE_CURRENT_LIST_DIR})
find_program(gzip gzip REQUIRED)

function(compress)
  if(ARGN)
    execute_process(COMMAND ${gzip} -9nf ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endfunction()

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
  if(NOT IS_DIRECTORY ${root})
    message(FATAL_ERROR "component ${component}: nothing at ${root}")
  endif()
  set(doc ${root}/share/doc/${package})

  configure_file(${packaging}/copyright ${doc}/copyright COPYONLY)
  file(WRITE ${doc}/changelog.Debian
"basesweep (${CPACK_DEBIAN_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * basesweep ${CPACK_DEBIAN_PACKAGE_VERSION}, packaged by its own build; what is new is in
    /usr/share/doc/basesweep/changelog.gz.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}
")
  if(EXISTS ${doc}/CHANGELOG.md)
    file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
    compress(${doc}/changelog)
  endif()
  file(REMOVE ${doc}/LICENSE)  # the same words are in copyright
  compress(${doc}/changelog.Debian)
  file(CHMOD ${doc}/copyright ${doc}/changelog.Debian.gz PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)

  if(IS_DIRECTORY ${root}/share/zsh/site-functions)  # Debian's zsh looks for completions of packages elsewhere
    file(RENAME ${root}/share/zsh/site-functions ${root}/share/zsh/vendor-completions)
  endif()

  file(GLOB_RECURSE pages ${root}/share/man/*.[1-9])
  compress(${pages})
endforeach()
