/// \file
/// The CLRS algorithms: their data (floydnet/clrs_data.h) and trained models, such as those that
/// come with the program.
#pragma once

#include <torch/types.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "floydnet/clrs_data.h"
#include "floydnet/export.h"

namespace floydnet::clrs {

/// Arrays of one problem by the benchmark's names, such as "adj"; `floydnet data clrs --list` shows
/// the shapes.
using Arrays = std::map<std::string, torch::Tensor>;

/// A model that has learned one of the 30 algorithms.
class FLOYDNET_EXPORT Solver {
 public:
  /// Reads weights as `floydnet train clrs` writes them, such as models/clrs/bfs.safetensors.
  /// Throws InputError.
  explicit Solver(const std::string& path);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  const std::string& algorithm() const;
  /// Of the model: attention() takes their numbers.
  int64_t blocks() const;
  /// The outputs: masks and one-hot classes as 0 and 1, pointers as int64 indices, scalars as they
  /// are. Throws std::invalid_argument if an input is missing or has another shape. "pred", which
  /// the official inputs do not have, follows from "pos" unless it is given. A model with hints is
  /// told what the benchmark tells it, besides the inputs: the first hints, which describe the
  /// initial state, and the number of steps. For these the algorithm itself is run.
  Arrays solve(const Arrays& inputs);
  /// The attention weights of pairs (i, k) of nodes over pivots j in a block, the last if it is -1:
  /// [heads, pairs, pivots]. Where the model has a SuperNode it is the last pivot. A model of
  /// transitions tells the weights of the first step, all others those of the last.
  torch::Tensor attention(const Arrays& inputs,
                          const std::vector<std::pair<int64_t, int64_t>>& pairs,
                          int64_t block = -1);

 private:
  struct Loaded;
  std::unique_ptr<Loaded> loaded_;
};

}  // namespace floydnet::clrs
