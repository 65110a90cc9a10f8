// Splits as LRGB keeps them: a pickled dict of NumPy arrays.
#pragma once

#include <string>
#include <string_view>

#include "tasks/graphs/data/splits.h"

namespace floydnet::graphs {

/// A pickle (protocol 3 or 4) of {"train": rows, "val": rows, "test": rows}, where rows are NumPy
/// arrays of 64-bit integers. It runs nothing: a global or an instruction that such dicts do not
/// need is refused. InputError names the byte.
SplitPlaces parse_split_pickle(std::string_view bytes, const std::string& source);

}  // namespace floydnet::graphs
