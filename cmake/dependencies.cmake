# Everything but libtorch, which the targets that need it look for themselves.
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
if(NOT FLOYDNET_LIBFUZZER)
  find_package(CLI11 REQUIRED)
  find_package(hwy REQUIRED CONFIG)
endif()
