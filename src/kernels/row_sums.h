// Sums of rows that are looked up in tables, and the gradient of the tables.
#pragma once

#include <cstdint>
#include <vector>

namespace floydnet {

/// Row r takes row rows[r] of the table, or nothing where that is `size`.
template <typename T>
struct RowLookup {
  const T* table = nullptr;  // [size, dim]
  int64_t size = 0;
  const int64_t* rows = nullptr;
};

/// sums[r] = sum over lookups, for rows begin to end - 1; sums: [rows, dim].
template <typename T>
void sum_rows(const std::vector<RowLookup<T>>& lookups, int64_t dim, int64_t begin, int64_t end,
              T* sums);

/// Adds grad[r] to row rows[r] of `table_grad`, columns begin to end - 1, in the order of rows.
template <typename T>
void add_to_rows(const T* grad, const int64_t* rows, int64_t count, int64_t size, int64_t dim,
                 int64_t begin, int64_t end, T* table_grad);

}  // namespace floydnet
