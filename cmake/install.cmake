# The files of `cmake --install`: the command with its manual page and its completions, the libraries with their public
# headers, and the package for find_package(lockstep), with the targets lockstep::core, lockstep::machines,
# lockstep::algorithms and lockstep::command.
include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/lockstep)

if(TARGET lockstep)
  install(TARGETS lockstep)
  install(TARGETS lockstep_cli EXPORT lockstep FILE_SET HEADERS)
  install(FILES ${PROJECT_BINARY_DIR}/lockstep.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_BINARY_DIR}/completion.bash RENAME lockstep
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${PROJECT_BINARY_DIR}/completion.zsh RENAME _lockstep
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${PROJECT_BINARY_DIR}/completion.fish RENAME lockstep.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
install(TARGETS lockstep_core lockstep_machines lockstep_algorithms EXPORT lockstep FILE_SET HEADERS)
# A build directory is a package too, for use without an installation: lockstep_DIR is then that directory.
export(EXPORT lockstep NAMESPACE lockstep:: FILE ${PROJECT_BINARY_DIR}/lockstep-targets.cmake)
install(EXPORT lockstep NAMESPACE lockstep:: FILE lockstep-targets.cmake DESTINATION ${package_directory})

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/lockstep-config.cmake.in ${PROJECT_BINARY_DIR}/lockstep-config.cmake
  INSTALL_DESTINATION ${package_directory} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/lockstep-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lockstep-config.cmake ${PROJECT_BINARY_DIR}/lockstep-config-version.cmake
  DESTINATION ${package_directory})
