// Tensors of features while they are filled.
#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace floydnet::graphs {

/// A table [rows, columns], zero at first; without columns there is none.
template <typename T>
struct InputTable {
  torch::Tensor tensor;
  T* values = nullptr;
  int64_t columns = 0;

  InputTable(int64_t rows, int64_t width) : columns(width) {
    if (width == 0) return;
    tensor = torch::zeros({rows, width}, c10::CppTypeToScalarType<T>::value);
    values = tensor.data_ptr<T>();
  }
  T* row(int64_t index, int64_t column) { return values + index * columns + column; }
};

}  // namespace floydnet::graphs
