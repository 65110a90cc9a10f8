/// \file
/// Models of properties of graphs, nodes, edges and pairs, as `floydnet train graphs` writes them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "floydnet/export.h"
#include "floydnet/graph_io.h"

namespace floydnet::graphs {

class FLOYDNET_EXPORT PropertyModel {
 public:
  /// Reads the best weights of a run, by its folder, or a file of them. Throws InputError if they
  /// are of another task.
  explicit PropertyModel(const std::string& path);
  ~PropertyModel();
  PropertyModel(PropertyModel&&) noexcept;
  PropertyModel& operator=(PropertyModel&&) noexcept;

  /// The columns that are predicted, such as "graph_y".
  std::vector<std::string> targets() const;
  /// The arrays that `floydnet predict` writes to an NPZ archive: `sizes`, `edges` or `pairs` where
  /// they name rows, and for each target [rows, outputs]: numbers in the data's units,
  /// probabilities of yes, or of each class.
  ///
  /// Graphs are given by a file, NPZ or JSON lines, or as arrays by the same names
  /// (docs/graphs.md); labels are not needed. Throws InputError if they lack a feature that the run
  /// was trained with, or if it is of another type.
  NpzArchive predict(const std::string& file);
  NpzArchive predict(const NpzArchive& graphs);

 private:
  struct Loaded;
  std::unique_ptr<Loaded> loaded_;
};

}  // namespace floydnet::graphs
