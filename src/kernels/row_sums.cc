#include "kernels/row_sums.h"

#include <algorithm>

namespace floydnet {

template <typename T>
void sum_rows(const std::vector<RowLookup<T>>& lookups, int64_t dim, int64_t begin, int64_t end,
              T* sums) {
  for (int64_t row = begin; row < end; ++row) {
    T* sum = sums + row * dim;
    bool first = true;
    for (const RowLookup<T>& lookup : lookups) {
      const int64_t place = lookup.rows[row];
      if (place == lookup.size) continue;
      const T* source = lookup.table + place * dim;
      if (first) {
        std::copy_n(source, dim, sum);
      } else {
        for (int64_t c = 0; c < dim; ++c) sum[c] += source[c];
      }
      first = false;
    }
    if (first) std::fill_n(sum, dim, T{0});
  }
}

template <typename T>
void add_to_rows(const T* grad, const int64_t* rows, int64_t count, int64_t size, int64_t dim,
                 int64_t begin, int64_t end, T* table_grad) {
  for (int64_t row = 0; row < count; ++row) {
    if (rows[row] == size) continue;
    const T* source = grad + row * dim;
    T* sum = table_grad + rows[row] * dim;
    for (int64_t c = begin; c < end; ++c) sum[c] += source[c];
  }
}

template void sum_rows(const std::vector<RowLookup<float>>&, int64_t, int64_t, int64_t, float*);
template void sum_rows(const std::vector<RowLookup<double>>&, int64_t, int64_t, int64_t, double*);
template void add_to_rows(const float*, const int64_t*, int64_t, int64_t, int64_t, int64_t, int64_t,
                          float*);
template void add_to_rows(const double*, const int64_t*, int64_t, int64_t, int64_t, int64_t,
                          int64_t, double*);

}  // namespace floydnet
