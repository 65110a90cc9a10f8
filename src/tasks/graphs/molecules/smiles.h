// Tables of molecules: SMILES in CSV.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tasks/graphs/data/graph_set.h"
#include "tasks/graphs/molecules/conversion.h"
#include "tasks/graphs/molecules/labels.h"
#include "tasks/graphs/molecules/molecule.h"

namespace floydnet::graphs {

struct SmilesOptions {
  std::string smiles_column = "smiles";
  std::vector<std::string> targets;  // columns; none: molecules without labels
  LabelKind labels = LabelKind::kAuto;
  MoleculeFeatures features = MoleculeFeatures::kOgb;
  /// Molecules that RDKit refuses are left out; otherwise the first of them is an error.
  bool skip_invalid = false;
  /// "scaffold", a pickled dict of rows (split_pickle.h), or none.
  std::string split;
};

struct SmilesImport {
  GraphSet set;
  /// Molecules that were left out, and why the first was: "line 3: ...".
  int64_t skipped = 0;
  std::string first_skipped;
};

/// A row of the table is a graph with the SMILES as its name and the labels as graph_y.
SmilesImport import_smiles(std::string_view csv, const std::string& source,
                           const SmilesOptions& options, const Conversion& how);

/// LRGB's contact task from CXSMILES with coordinates: the pairs of a graph are its contacts, in
/// both directions, and pair_y is 1. Molecules without a contact are left out, as in LRGB, and
/// counted in `skipped` along with those that RDKit refuses. Of the options, those of labels,
/// features and split do not matter.
SmilesImport import_contacts(std::string_view csv, const std::string& source,
                             const SmilesOptions& options, const Conversion& how);

}  // namespace floydnet::graphs
