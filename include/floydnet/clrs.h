// Trained models of the CLRS algorithms, such as those that come with the program.
#pragma once

#include <torch/types.h>

#include <map>
#include <memory>
#include <string>

namespace floydnet::clrs {

/// Arrays of one problem by the benchmark's names, such as "adj"; `floydnet data clrs --list` shows
/// the shapes.
using Arrays = std::map<std::string, torch::Tensor>;

/// A model that has learned one of the 30 algorithms.
class Solver {
 public:
  /// Reads weights as `floydnet train clrs` writes them, such as models/clrs/bfs.safetensors.
  /// Throws InputError, also for models that are fed hints.
  explicit Solver(const std::string& path);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  const std::string& algorithm() const;
  /// The outputs: masks and one-hot classes as 0 and 1, pointers as int64 indices, scalars as they
  /// are. Throws std::invalid_argument if an input is missing or has another shape.
  Arrays solve(const Arrays& inputs);

 private:
  struct Loaded;
  std::unique_ptr<Loaded> loaded_;
};

}  // namespace floydnet::clrs
