// The ZINC data set, made from the SMILES of JT-VAE's lists.
#pragma once

#include <string>

#include "tasks/graphs/data/graph_set.h"
#include "tasks/graphs/molecules/conversion.h"

namespace floydnet::graphs {

/// SMILES of train.txt, valid.txt and test.txt in a folder, one a line; .txt.gz will do. With an
/// index folder only the rows that train.index, val.index and test.index there list, in their
/// order: the subset of 12,000.
class ZincLists {
 public:
  explicit ZincLists(const std::string& folder, const std::string& index_folder = "");

  int64_t molecules() const { return static_cast<int64_t>(smiles_.size()); }
  /// Graphs with ZINC's features, the split and graph_y, the constrained solubility.
  GraphSet convert(const Conversion& how) const;

 private:
  void add(const std::string& list, const std::string& index_path, Split split);

  std::vector<std::string> smiles_;
  std::vector<Split> splits_;
  std::vector<std::string> places_;  // "train.txt: line 3"
};

}  // namespace floydnet::graphs
