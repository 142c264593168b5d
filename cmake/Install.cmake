# Rules of `cmake --install`. Components: program, library, development.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)

install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
# docs/index.md is the site's first page and links to pages that are made with the site.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN *.md PATTERN *.svg PATTERN *.json PATTERN *.as PATTERN *.ipynb REGEX "docs/index\\.md$" EXCLUDE)
