// Rows of a table, looked up by the thousand.
#pragma once

#include <torch/types.h>

namespace floydnet {

/// table: [size, dim]; rows: int64, from 0 to size, where `size` gives zeros. [rows, dim]. The
/// gradient is one pass over all rows, in their order; libtorch's takes a tensor operation for each
/// of them.
torch::Tensor gathered(const torch::Tensor& table, const torch::Tensor& rows);

}  // namespace floydnet
