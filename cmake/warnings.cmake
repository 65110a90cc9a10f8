add_library(floydnet_warnings INTERFACE)
target_compile_options(floydnet_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual)
