// Which graphs of a file are for training, validation and testing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace floydnet::counting {

/// Places in the file of graphs, from 0.
struct Splits {
  std::vector<int64_t> train;
  std::vector<int64_t> validation;
  std::vector<int64_t> test;
};

/// From {"train": [...], "val": [...], "test": [...]}. Throws InputError for another form, a place
/// that is not in 0..graphs-1, or one that appears twice.
Splits parse_splits(std::string_view json, int64_t graphs, const std::string& source = "splits");
Splits read_splits(const std::string& path, int64_t graphs);

}  // namespace floydnet::counting
