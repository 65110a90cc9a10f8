// Splits as LRGB keeps them: a pickled dict of NumPy arrays.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tasks/graphs/data/graph_set.h"

namespace floydnet::graphs {

/// The split of each row of a table, from a pickle (protocol 3 to 5) of {"train": rows, "val":
/// rows, "test": rows}, where rows are NumPy arrays of 64-bit integers. It runs nothing: a global
/// or an instruction that such dicts do not need is refused. InputError names the byte, or the
/// row that is not there or comes twice.
std::vector<Split> parse_split_pickle(std::string_view bytes, const std::string& source,
                                      size_t rows);

}  // namespace floydnet::graphs
