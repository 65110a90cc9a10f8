add_library(floydnet_warnings INTERFACE)
target_compile_options(floydnet_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual)
# Where files are compiled together, g++ takes the private part of a class for one that several files define.
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(floydnet_warnings INTERFACE -Wno-subobject-linkage)
endif()
