#include <GraphMol/Conformer.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include <algorithm>

#include "floydnet/error.h"
#include "tasks/graphs/molecules/rdkit_molecule.h"

namespace floydnet::graphs {
namespace {

constexpr double kMaxAngstrom = 3.5;
constexpr double kMinBonds = 5;

/// (smaller, larger) in the order of the larger.
std::vector<Graph::Edge> find_contacts(const RDKit::ROMol& molecule) {
  const RDKit::Conformer& conformer = molecule.getConformer();
  const int32_t atoms = static_cast<int32_t>(molecule.getNumAtoms());
  const double* const bonds = RDKit::MolOps::getDistanceMat(molecule);
  std::vector<Graph::Edge> contacts;
  for (int32_t i = 0; i < atoms; ++i) {
    for (int32_t j = 0; j < i; ++j) {
      const auto difference = conformer.getAtomPos(i) - conformer.getAtomPos(j);
      if (difference.length() < kMaxAngstrom && bonds[i * atoms + j] >= kMinBonds) {
        contacts.emplace_back(j, i);
      }
    }
  }
  return contacts;
}

/// LRGB writes the molecule, now aromatic, as canonical SMILES with all hydrogens and reads it
/// without perception; `places` are those that atoms have there.
std::string canonical_smiles(const RDKit::ROMol& molecule, std::vector<int32_t>& places) {
  RDKit::SmilesWriteParams params;
  params.allHsExplicit = true;
  const std::string smiles = RDKit::MolToSmiles(molecule, params);
  const auto order =
      molecule.getProp<std::vector<unsigned>>(RDKit::common_properties::_smilesAtomOutputOrder);
  places.resize(order.size());
  for (size_t place = 0; place < order.size(); ++place) {
    places[order[place]] = static_cast<int32_t>(place);
  }
  return smiles;
}

/// The molecule as LRGB reads it again. CXSMILES keeps radical electrons, which SMILES does not.
RdkitMolecule read_again(const std::string& smiles, const RDKit::ROMol& molecule,
                         const std::vector<int32_t>& places) {
  RdkitMolecule again = parse_all_atoms(smiles, /*sanitise=*/false);
  RDKit::MolOps::findSSSR(*again);
  for (RDKit::Atom* atom : again->atoms()) atom->setNoImplicit(true);
  for (const RDKit::Atom* atom : molecule.atoms()) {
    again->getAtomWithIdx(static_cast<unsigned>(places[atom->getIdx()]))
        ->setNumRadicalElectrons(atom->getNumRadicalElectrons());
  }
  return again;
}

}  // namespace

ContactMolecule contact_molecule(const std::string& cxsmiles) {
  const RdkitMolecule molecule = parse_all_atoms(cxsmiles, /*sanitise=*/true);
  // is3D() is of no use: RDKit takes a planar molecule for a drawing if z is 0 everywhere.
  if (molecule->getNumConformers() == 0) {
    throw InputError("there are no coordinates in space: wanted CXSMILES, such as 'C |(0,0,0)|'");
  }
  std::vector<int32_t> places;
  const std::string smiles = canonical_smiles(*molecule, places);
  ContactMolecule result{ogb_graph(*read_again(smiles, *molecule, places)), {}};
  for (const auto& [i, j] : find_contacts(*molecule)) {
    const int32_t a = places[static_cast<size_t>(i)], b = places[static_cast<size_t>(j)];
    result.contacts.emplace_back(std::min(a, b), std::max(a, b));
  }
  return result;
}

}  // namespace floydnet::graphs
