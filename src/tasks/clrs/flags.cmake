# Data equal to the official to the last bit: contraction is off, so that every operation rounds as NumPy's does.
target_compile_options(${data_target} PRIVATE -ffp-contract=off $<$<CONFIG:Release>:-O3>)
