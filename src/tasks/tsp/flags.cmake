# Linear programs by COIN-OR CLP, minimum cuts by LEMON. Neither package comes with a CMake config.
find_path(CLP_INCLUDE_DIR coin/ClpSimplex.hpp REQUIRED)
find_library(CLP_LIBRARY Clp REQUIRED)
find_library(COIN_UTILS_LIBRARY CoinUtils REQUIRED)
find_path(LEMON_INCLUDE_DIR lemon/gomory_hu.h REQUIRED)
target_include_directories(${data_target} SYSTEM PRIVATE ${CLP_INCLUDE_DIR} ${LEMON_INCLUDE_DIR})
target_link_libraries(${data_target} PUBLIC ${CLP_LIBRARY} ${COIN_UTILS_LIBRARY})
# Contraction is off, so that the same points have the same rounded distances on every machine.
target_compile_options(${data_target} PRIVATE -ffp-contract=off $<$<CONFIG:Release>:-O3>)
list(APPEND task_libraries ${CLP_LIBRARY} ${COIN_UTILS_LIBRARY})
