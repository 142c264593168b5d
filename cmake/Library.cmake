# libbasesweep: the search for other programs (lib/include/basesweep/, docs/library.md), with all it needs inside but the
# shared libraries that basesweep itself uses; and what finds it, a CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)

add_library(basesweep_shared SHARED $<TARGET_OBJECTS:basesweep_api>)
add_library(basesweep::basesweep ALIAS basesweep_shared)
set(script ${PROJECT_SOURCE_DIR}/lib/api/exported.map)
# A minor version may add a field to a struct of options. Programs that were compiled with the old struct must not load the new
# library, so each minor version has a name of its own. Sources stay valid from 1.0 on, and before it may break in a minor version.
set(so ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(compatible SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatible SameMinorVersion)
endif()
set_target_properties(basesweep_shared PROPERTIES
  OUTPUT_NAME basesweep
  EXPORT_NAME basesweep
  VERSION ${PROJECT_VERSION}
  SOVERSION ${so}
  LINK_DEPENDS ${script})
target_compile_features(basesweep_shared INTERFACE cxx_std_20)
target_include_directories(basesweep_shared INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(basesweep_shared PRIVATE basesweep_kernels basesweep_lib)
target_link_options(basesweep_shared PRIVATE LINKER:--no-undefined LINKER:--version-script=${script})

install(TARGETS basesweep_shared EXPORT basesweep
  LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(DIRECTORY lib/include/basesweep DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/basesweep)
install(EXPORT basesweep FILE basesweep-targets.cmake NAMESPACE basesweep:: DESTINATION ${package_folder}
  COMPONENT development)
configure_package_config_file(cmake/basesweep-config.cmake.in basesweep-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(basesweep-config-version.cmake COMPATIBILITY ${compatible})
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/basesweep.pc.in basesweep.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/basesweep-config.cmake ${PROJECT_BINARY_DIR}/basesweep-config-version.cmake
        DESTINATION ${package_folder} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/basesweep.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
