# Settings of `cpack`, which makes Debian packages in a build folder, one for each component that is there.
#
#   basesweep        program, man pages, completions, documents     component program
#   libbasesweep1.0  the shared library, after its SOVERSION        component library
#   libbasesweep-dev headers, link, CMake package                   component development
#
# A package fits the release of Debian or Ubuntu that it was built on: its dependencies are those of the libraries it was
# linked with (dpkg-shlibdeps), and its version ends in that release's name. scripts/package.sh makes the packages that
# are given away. The archive for other systems is scripts/bundle.sh's: CPack's TGZ would hold no libraries.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME basesweep)
set(CPACK_PACKAGE_VENDOR "the basesweep authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/finish.cmake)

set(release 1)
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release codename REGEX "^VERSION_CODENAME=")
  if(codename MATCHES "=([a-z]+)")
    set(release 1~${CMAKE_MATCH_1})
  endif()
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
string(REPLACE - ~ CPACK_DEBIAN_PACKAGE_VERSION ${BASESWEEP_VERSION})  # dpkg sorts ~rc1 before the release itself
set(CPACK_DEBIAN_PACKAGE_RELEASE ${release})
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "the basesweep authors <basesweep@localhost>")  # scripts/package.sh names a person
if(NOT BASESWEEP_OWNER STREQUAL "OWNER")
  set(CPACK_DEBIAN_PACKAGE_HOMEPAGE https://github.com/${BASESWEEP_OWNER}/basesweep)
endif()
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# CPack wants one line of synopsis first, and brings the paragraphs behind it into Debian's form.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(synopsis "sweeps nucleotide sequence for motifs, primers and reads")
set(about
"basesweep finds every occurrence of motifs, exact or with IUPAC codes, every
place where primers, adapters or guides match with at most k edits, and for
each read all places on a reference with the fewest edits. It searches both
strands of FASTA and FASTQ, plain or compressed.")

set(CPACK_COMPONENTS_ALL program)
add_custom_target(packaged DEPENDS basesweep)  # what has to be built before
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME basesweep)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS samtools)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
"${synopsis}
${about}

Hits leave as BED, TSV, SAM, BAM or CRAM. All cores work on one chromosome;
the output does not depend on their number.")
if(BASESWEEP_WITH_CUDA)
  string(APPEND CPACK_COMPONENT_PROGRAM_DESCRIPTION
" NVIDIA GPUs from Turing on are
used where their driver is installed, for the same output.")
  string(APPEND CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS ", libcuda1")  # the driver's library, opened when the program runs
endif()

if(TARGET basesweep_shared)
  list(APPEND CPACK_COMPONENTS_ALL library development)
  add_dependencies(packaged basesweep_shared)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")

  get_target_property(so basesweep_shared SOVERSION)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libbasesweep${so})
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SOURCE basesweep)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
  set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "${synopsis} (library)\n${about}\n\nThis package holds the shared library.")

  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libbasesweep-dev)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SOURCE basesweep)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libbasesweep${so} (= ${CPACK_DEBIAN_PACKAGE_VERSION}-${release})")
  set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
      "${synopsis} (development)\n${about}\n\nThis package holds the headers and the CMake package.")
endif()

include(CPack)
