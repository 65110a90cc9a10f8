# `cmake --install` gives the library, its headers and the program; find_package(floydnet) finds them.
include(CMakePackageConfigHelpers)
install(TARGETS floydnet floydnet_c EXPORT floydnetTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS floydnet_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/floydnet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_DATADIR}/floydnet OPTIONAL)
# Another libtorch than the system's is found where it was.
get_filename_component(torch_folder "${TORCH_LIBRARY}" DIRECTORY)
if(torch_folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
  set(torch_folder)
endif()
set_target_properties(floydnet PROPERTIES INSTALL_RPATH "${torch_folder}")
set_target_properties(floydnet_program PROPERTIES
  INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};${torch_folder}")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/floydnet)
install(EXPORT floydnetTargets NAMESPACE floydnet:: DESTINATION ${package_dir})
configure_package_config_file(cmake/floydnetConfig.cmake.in floydnetConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(floydnetConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/floydnetConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/floydnetConfigVersion.cmake
        DESTINATION ${package_dir})
