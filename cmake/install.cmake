# What `cmake --install` puts in place: the command, the libraries with their public headers, and the package that
# find_package(lockstep) finds, with the targets lockstep::core, lockstep::machines, lockstep::algorithms and
# lockstep::cli.
include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/lockstep)

if(TARGET lockstep)
  install(TARGETS lockstep)
  install(TARGETS lockstep_cli EXPORT lockstep FILE_SET HEADERS)
endif()
install(TARGETS lockstep_core lockstep_machines lockstep_algorithms EXPORT lockstep FILE_SET HEADERS)
install(EXPORT lockstep NAMESPACE lockstep:: FILE lockstep-targets.cmake DESTINATION ${package_directory})

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/lockstep-config.cmake.in ${PROJECT_BINARY_DIR}/lockstep-config.cmake
  INSTALL_DESTINATION ${package_directory} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/lockstep-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lockstep-config.cmake ${PROJECT_BINARY_DIR}/lockstep-config-version.cmake
  DESTINATION ${package_directory})
