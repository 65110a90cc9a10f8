#include "model/gather.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <torch/autograd.h>

#include <algorithm>

namespace floydnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Rows, or columns, that are worth a thread.
constexpr int64_t kRowsForThread = 1024, kColumnsForThread = 16;

Tensor look_up(const Tensor& table, const Tensor& rows) {
  const int64_t size = table.size(0), dim = table.size(1);
  const Tensor result = torch::empty({rows.size(0), dim}, table.options());
  const int64_t* index = rows.data_ptr<int64_t>();
  AT_DISPATCH_FLOATING_TYPES(table.scalar_type(), "gathered", [&] {
    const auto* from = table.data_ptr<scalar_t>();
    auto* to = result.data_ptr<scalar_t>();
    at::parallel_for(0, rows.size(0), kRowsForThread, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        if (index[row] == size) {
          std::fill_n(to + row * dim, dim, scalar_t{0});
        } else {
          std::copy_n(from + index[row] * dim, dim, to + row * dim);
        }
      }
    });
  });
  return result;
}

/// Cut by columns, so that the order of each sum does not depend on the number of threads.
Tensor add_up(const Tensor& grad, const Tensor& rows, int64_t size) {
  const int64_t dim = grad.size(1);
  const Tensor result = torch::zeros({size, dim}, grad.options());
  const int64_t* index = rows.data_ptr<int64_t>();
  AT_DISPATCH_FLOATING_TYPES(grad.scalar_type(), "gathered", [&] {
    const auto* from = grad.data_ptr<scalar_t>();
    auto* to = result.data_ptr<scalar_t>();
    at::parallel_for(0, dim, kColumnsForThread, [&](int64_t begin, int64_t end) {
      for (int64_t row = 0; row < rows.size(0); ++row) {
        if (index[row] == size) continue;
        const auto* source = from + row * dim;
        auto* sum = to + index[row] * dim;
        for (int64_t c = begin; c < end; ++c) sum[c] += source[c];
      }
    });
  });
  return result;
}

class Gathered : public torch::autograd::Function<Gathered> {
 public:
  static Tensor forward(AutogradContext* ctx, const Tensor& table, const Tensor& rows) {
    ctx->save_for_backward({rows});
    ctx->saved_data["size"] = table.size(0);
    return look_up(table.contiguous(), rows);
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& grad_out) {
    const Tensor rows = ctx->get_saved_variables()[0];
    return {add_up(grad_out[0].contiguous(), rows, ctx->saved_data["size"].toInt()), Tensor()};
  }
};

}  // namespace

Tensor gathered(const Tensor& table, const Tensor& rows) {
  return Gathered::apply(table, rows.contiguous());
}

}  // namespace floydnet
