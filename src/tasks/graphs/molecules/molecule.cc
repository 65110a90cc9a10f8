#include "tasks/graphs/molecules/molecule.h"

namespace floydnet::graphs {

int64_t atom_width(MoleculeFeatures features) { return features == MoleculeFeatures::kOgb ? 9 : 1; }

int64_t bond_width(MoleculeFeatures features) { return features == MoleculeFeatures::kOgb ? 3 : 1; }

}  // namespace floydnet::graphs
