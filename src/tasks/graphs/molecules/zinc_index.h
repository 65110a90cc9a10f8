// Index files of benchmarking-gnns: rows of a list, "20952,3648,819".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace floydnet::graphs {

/// InputError names the place of what is no row in 0..rows-1, or comes twice.
std::vector<size_t> parse_zinc_index(std::string_view text, const std::string& source, size_t rows);

}  // namespace floydnet::graphs
