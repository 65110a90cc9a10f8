# Everything but libtorch, which the targets that need it look for themselves.
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)
# nauty comes with pkg-config's description alone.
find_path(NAUTY_INCLUDE_DIR nauty/nauty.h REQUIRED)
find_library(NAUTY_LIBRARY nauty REQUIRED)
add_library(nauty::nauty UNKNOWN IMPORTED)
set_target_properties(nauty::nauty PROPERTIES IMPORTED_LOCATION ${NAUTY_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${NAUTY_INCLUDE_DIR})
find_package(hwy REQUIRED CONFIG)
if(NOT FLOYDNET_LIBFUZZER)
  find_package(CLI11 REQUIRED)
endif()
