#include "model/gather.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <torch/autograd.h>

#include "kernels/row_sums.h"

namespace floydnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Rows, or columns, that are worth a thread.
constexpr int64_t kRowsForThread = 1024, kColumnsForThread = 16;

Tensor look_up(const variable_list& tables, const variable_list& rows) {
  const int64_t count = rows[0].size(0), dim = tables[0].size(1);
  const Tensor result = torch::empty({count, dim}, tables[0].options());
  AT_DISPATCH_FLOATING_TYPES(result.scalar_type(), "gathered_sum", [&] {
    std::vector<RowLookup<scalar_t>> lookups;
    for (size_t i = 0; i < tables.size(); ++i) {
      lookups.push_back(
          {tables[i].data_ptr<scalar_t>(), tables[i].size(0), rows[i].data_ptr<int64_t>()});
    }
    auto* sums = result.data_ptr<scalar_t>();
    at::parallel_for(0, count, kRowsForThread,
                     [&](int64_t begin, int64_t end) { sum_rows(lookups, dim, begin, end, sums); });
  });
  return result;
}

/// Cut by columns, so that the order of each sum does not depend on the number of threads.
Tensor table_gradient(const Tensor& grad, const Tensor& rows, int64_t size) {
  const int64_t dim = grad.size(1);
  const Tensor result = torch::zeros({size, dim}, grad.options());
  AT_DISPATCH_FLOATING_TYPES(grad.scalar_type(), "gathered_sum", [&] {
    const auto* from = grad.data_ptr<scalar_t>();
    const auto* index = rows.data_ptr<int64_t>();
    auto* to = result.data_ptr<scalar_t>();
    at::parallel_for(0, dim, kColumnsForThread, [&](int64_t begin, int64_t end) {
      add_to_rows(from, index, rows.size(0), size, dim, begin, end, to);
    });
  });
  return result;
}

class GatheredSum : public torch::autograd::Function<GatheredSum> {
 public:
  /// tensors: all tables, then all rows.
  static Tensor forward(AutogradContext* ctx, at::TensorList tensors) {
    const size_t count = tensors.size() / 2;
    variable_list tables, rows;
    std::vector<int64_t> sizes;
    for (size_t i = 0; i < count; ++i) {
      tables.push_back(tensors[i].contiguous());
      rows.push_back(tensors[count + i].contiguous());
      sizes.push_back(tensors[i].size(0));
    }
    ctx->save_for_backward(rows);
    ctx->saved_data["sizes"] = sizes;
    return look_up(tables, rows);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grad_out) {
    const variable_list rows = ctx->get_saved_variables();
    const std::vector<int64_t> sizes = ctx->saved_data["sizes"].toIntVector();
    const Tensor grad = grad_out[0].contiguous();
    variable_list grads(2 * rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      if (ctx->needs_input_grad(i)) grads[i] = table_gradient(grad, rows[i], sizes[i]);
    }
    return grads;
  }
};

}  // namespace

Tensor gathered_sum(const std::vector<Lookup>& lookups) {
  variable_list tensors;
  for (const Lookup& lookup : lookups) tensors.push_back(lookup.table);
  for (const Lookup& lookup : lookups) tensors.push_back(lookup.rows);
  return GatheredSum::apply(at::TensorList(tensors));
}

Tensor gathered(const Tensor& table, const Tensor& rows) { return gathered_sum({{table, rows}}); }

}  // namespace floydnet
