// Graphs of molecules, joined to a set.
#pragma once

#include <string>

#include "tasks/graphs/data/graph_set.h"
#include "tasks/graphs/molecules/conversion.h"
#include "tasks/graphs/molecules/molecule.h"

namespace floydnet::graphs {

/// A set with the columns node_x and edge_x, one molecule after the other.
class MoleculeSetBuilder {
 public:
  explicit MoleculeSetBuilder(MoleculeFeatures features);

  /// `name` is its SMILES.
  void add(const MoleculeGraph& molecule, const std::string& name);
  /// The set so far; further columns are the caller's.
  GraphSet& set() { return set_; }

 private:
  GraphSet set_;
};

/// The reason why RDKit refuses a molecule, for a message: `refusal` or, where the parser knows it
/// better, its own. Not while other threads use RDKit.
std::string reason_of(const std::string& smiles, const std::string& refusal);

/// Splits 80/10/10 by Bemis-Murcko scaffolds as OGB does, by the SMILES that the set has as names.
/// InputError if one of them is none.
void split_by_scaffold(GraphSet& set, const Conversion& how);

}  // namespace floydnet::graphs
