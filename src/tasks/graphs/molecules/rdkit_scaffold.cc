#include <GraphMol/ChemTransforms/ChemTransforms.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "tasks/graphs/molecules/rdkit_molecule.h"

namespace floydnet::graphs {

std::string scaffold_key(const std::string& smiles) {
  const RdkitMolecule molecule = parse_smiles(smiles);
  const std::unique_ptr<RDKit::ROMol> scaffold(RDKit::MurckoDecompose(*molecule));
  scaffold->clearComputedProps();
  scaffold->updatePropertyCache();
  RDKit::MolOps::symmetrizeSSSR(*scaffold);
  return RDKit::MolToSmiles(*scaffold);
}

}  // namespace floydnet::graphs
