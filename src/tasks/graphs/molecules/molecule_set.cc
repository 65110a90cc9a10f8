#include "tasks/graphs/molecules/molecule_set.h"

#include <fmt/format.h>

#include "base/text.h"
#include "tasks/graphs/molecules/scaffold_split.h"

namespace floydnet::graphs {

MoleculeSetBuilder::MoleculeSetBuilder(MoleculeFeatures features) {
  set_.columns = {{"x", Level::kNode, atom_width(features), false, {}, {}},
                  {"x", Level::kEdge, bond_width(features), false, {}, {}}};
}

void MoleculeSetBuilder::add(const MoleculeGraph& molecule, const std::string& name) {
  set_.sizes.push_back(molecule.atoms);
  set_.edges.insert(set_.edges.end(), molecule.bonds.begin(), molecule.bonds.end());
  set_.edge_offsets.push_back(static_cast<int64_t>(set_.edges.size()));
  const auto append = [](Column& column, const std::vector<int64_t>& values) {
    column.integers.insert(column.integers.end(), values.begin(), values.end());
  };
  append(set_.columns[0], molecule.atom_features);
  append(set_.columns[1], molecule.bond_features);
  set_.names.push_back(name);
}

std::string reason_of(const std::string& smiles, const std::string& refusal) {
  const std::string better = syntax_error(smiles);
  return better.empty() ? refusal : better;
}

void split_by_scaffold(GraphSet& set, const Conversion& how) {
  require_rdkit();
  if (set.names.empty()) throw InputError("scaffolds need SMILES as the names of the graphs");
  const auto outcomes = convert_all<std::string>(set.graphs(), how, [&](int64_t i) {
    return scaffold_key(set.names[static_cast<size_t>(i)]);
  });
  std::vector<std::string> keys;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (!outcomes[i].refusal.empty()) {
      throw InputError(fmt::format("graph {}: no scaffold of {}: {}", i, in_quotes(set.names[i]),
                                   reason_of(set.names[i], outcomes[i].refusal)));
    }
    keys.push_back(outcomes[i].value);
  }
  set.splits = scaffold_split(keys);
}

}  // namespace floydnet::graphs
