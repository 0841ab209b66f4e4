# Installs the library so that other projects find it with find_package(heapcheck CONFIG) or pkg-config.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/heapcheck)

# The installed static library needs these; heapcheck-config.cmake.in finds them.
target_link_libraries(heapcheck_static INTERFACE $<INSTALL_INTERFACE:$<LINK_ONLY:heapcheck::zstd>>
  $<INSTALL_INTERFACE:$<LINK_ONLY:ZLIB::ZLIB>> $<INSTALL_INTERFACE:$<LINK_ONLY:SQLite::SQLite3>>
  $<INSTALL_INTERFACE:$<LINK_ONLY:Threads::Threads>>)
if(NOT HEAPCHECK_FMT_HEADER_ONLY)
  target_link_libraries(heapcheck_static INTERFACE $<INSTALL_INTERFACE:$<LINK_ONLY:fmt::fmt>>)
endif()

# There are two files, because the shared library does not need the libraries that the static library needs.
foreach(kind IN ITEMS shared static)
  install(TARGETS heapcheck_${kind} EXPORT heapcheck_${kind} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT heapcheck_${kind} NAMESPACE heapcheck:: FILE heapcheck-${kind}.cmake DESTINATION ${package_folder})
endforeach()

configure_package_config_file(cmake/heapcheck-config.cmake.in ${PROJECT_BINARY_DIR}/generated/heapcheck-config.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/heapcheck-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/heapcheck-config.cmake
              ${PROJECT_BINARY_DIR}/generated/heapcheck-config-version.cmake DESTINATION ${package_folder})

# The prefix is relative to the .pc file, so that an installation can be moved.
set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${pc_folder}
  OUTPUT_VARIABLE pc_prefix)
configure_file(cmake/heapcheck.pc.in ${PROJECT_BINARY_DIR}/generated/heapcheck.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/generated/heapcheck.pc DESTINATION ${pc_folder})
