// Rows of tables, looked up by the thousand.
#pragma once

#include <torch/types.h>

#include <vector>

namespace floydnet {

/// table: [size, dim]; rows: [rows] int64, from 0 to size, where `size` stands for zeros.
struct Lookup {
  torch::Tensor table;
  torch::Tensor rows;
};

/// [rows, dim]: the sum over lookups, of which there is at least one, in one pass. So is the
/// gradient of each table, in the order of rows; libtorch's takes a tensor operation for each.
torch::Tensor gathered_sum(const std::vector<Lookup>& lookups);
torch::Tensor gathered(const torch::Tensor& table, const torch::Tensor& rows);

}  // namespace floydnet
