# Generates `basesweep cite` from CITATION.cff, and has the program print man pages and completions from the definitions of
# its options into reference/ of the build folder.

file(READ ${PROJECT_SOURCE_DIR}/CITATION.cff BASESWEEP_CITATION)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/CITATION.cff)
configure_file(citation.hpp.in ${PROJECT_BINARY_DIR}/generated/tools/citation.hpp @ONLY)
target_include_directories(basesweep PRIVATE ${PROJECT_BINARY_DIR}/generated)

# The date of man pages: of configuring, or SOURCE_DATE_EPOCH.
string(TIMESTAMP today "%Y-%m-%d" UTC)
set_source_files_properties(reference/man_page.cpp PROPERTIES COMPILE_DEFINITIONS "BASESWEEP_DATE=\"${today}\"")

# A program for another system cannot be asked, and one with sanitizers is not for installing.
if(CMAKE_CROSSCOMPILING OR BASESWEEP_SANITIZE)
  return()
endif()

set(reference ${PROJECT_BINARY_DIR}/reference)
find_program(GZIP gzip REQUIRED)
add_custom_command(
  TARGET basesweep POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${reference}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${reference}/man1
  COMMAND basesweep man --folder ${reference}/man1
  COMMAND ${GZIP} -9nr ${reference}/man1
  COMMAND basesweep completion bash > ${reference}/basesweep
  COMMAND basesweep completion zsh > ${reference}/_basesweep
  COMMAND basesweep completion fish > ${reference}/basesweep.fish
  COMMENT "Printing man pages and completions"
  VERBATIM)

install(DIRECTORY ${reference}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${reference}/basesweep DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${reference}/_basesweep DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${reference}/basesweep.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
