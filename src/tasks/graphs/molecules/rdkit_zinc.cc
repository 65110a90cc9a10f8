// ZINC's graphs and y, as JT-VAE and benchmarking-gnns made them.
#include <GraphMol/Descriptors/Crippen.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"
#include "floydnet/error.h"
#include "tasks/graphs/molecules/cycle_basis.h"
#include "tasks/graphs/molecules/rdkit_molecule.h"

namespace floydnet::graphs {
namespace {

/// Symbol, explicit hydrogens, sign of the charge; the place is the type.
constexpr std::array<std::string_view, 28> kAtomWords = {
    "C",      "O",      "N",    "F",      "C H1", "S",      "Cl",     "O -",    "N H1 +", "Br",
    "N H3 +", "N H2 +", "N +",  "N -",    "S -",  "I",      "P",      "O H1 +", "N H1 -", "O +",
    "S +",    "P H1",   "P H2", "C H2 -", "P +",  "S H1 +", "C H1 -", "P H1 +"};

std::string word_of(const RDKit::Atom& atom) {
  std::string word = atom.getSymbol();
  if (atom.getNumExplicitHs() > 0) word += fmt::format(" H{}", atom.getNumExplicitHs());
  if (atom.getFormalCharge() != 0) word += atom.getFormalCharge() > 0 ? " +" : " -";
  return word;
}

int64_t type_of(const RDKit::Atom& atom) {
  const std::string word = word_of(atom);
  const auto found = std::find(kAtomWords.begin(), kAtomWords.end(), word);
  if (found == kAtomWords.end()) {
    throw InputError("the atom " + in_quotes(word) + " is none of ZINC's 28 types");
  }
  return found - kAtomWords.begin();
}

int64_t order_of(const RDKit::Bond& bond) {
  switch (bond.getBondType()) {
    case RDKit::Bond::SINGLE:
      return 1;
    case RDKit::Bond::DOUBLE:
      return 2;
    case RDKit::Bond::TRIPLE:
      return 3;
    default:
      throw InputError("a bond is neither single, double nor triple, as ZINC's are");
  }
}

/// Each term standardised over the 220,011 molecules of ZINC's train.txt and added up: logP - SA -
/// cycle.
double constrained_solubility(double log_p, double sa, double cycle) {
  return 0.6976317998 * log_p - 1.1981676001 * sa - 3.4751391383 * cycle + 2.1118299757;
}

/// By how much the longest cycle exceeds a ring of six.
double cycle_term(const RDKit::ROMol& molecule) {
  std::vector<Graph::Edge> edges;
  for (const RDKit::Bond* bond : molecule.bonds()) {
    edges.emplace_back(bond->getBeginAtomIdx(), bond->getEndAtomIdx());
  }
  int64_t longest = 6;
  for (const int64_t length : cycle_basis_lengths(molecule.getNumAtoms(), edges)) {
    longest = std::max(longest, length);
  }
  return static_cast<double>(longest - 6);
}

double log_p(const RDKit::ROMol& molecule) {
  double value = 0, refractivity = 0;
  RDKit::Descriptors::calcCrippenDescriptors(molecule, value, refractivity);
  return value;
}

}  // namespace

MoleculeGraph zinc_graph(const RDKit::ROMol& molecule) {
  RDKit::RWMol kekulised(molecule);
  RDKit::MolOps::Kekulize(kekulised, /*markAtomsBonds=*/true);
  const std::string smiles = RDKit::MolToSmiles(kekulised, /*doIsomericSmiles=*/true,
                                                /*doKekule=*/true);
  const RdkitMolecule again = parse_smiles(smiles);
  RDKit::MolOps::Kekulize(*again, /*markAtomsBonds=*/true);
  MoleculeGraph graph;
  graph.atoms = again->getNumAtoms();
  for (const RDKit::Atom* atom : again->atoms()) graph.atom_features.push_back(type_of(*atom));
  for (const RDKit::Bond* bond : again->bonds()) {
    graph.bonds.emplace_back(bond->getBeginAtomIdx(), bond->getEndAtomIdx());
    graph.bond_features.push_back(order_of(*bond));
  }
  return graph;
}

ZincMolecule zinc_molecule(const std::string& smiles, const FragmentTable& fragments) {
  const RdkitMolecule molecule = parse_smiles(smiles);
  // The score was computed of the canonical SMILES, whose chirality may be another.
  const RdkitMolecule canonical = parse_smiles(RDKit::MolToSmiles(*molecule));
  return {zinc_graph(*molecule),
          constrained_solubility(log_p(*molecule), sa_score(*canonical, fragments),
                                 cycle_term(*molecule))};
}

MoleculeGraph molecule_graph(const std::string& smiles, MoleculeFeatures features) {
  const RdkitMolecule molecule = parse_smiles(smiles);
  return features == MoleculeFeatures::kOgb ? ogb_graph(*molecule) : zinc_graph(*molecule);
}

}  // namespace floydnet::graphs
