// OGB's features: each column is a place in a list of what is common, and the place after the
// last one stands for all else.
#include <algorithm>
#include <array>

#include "tasks/graphs/molecules/rdkit_molecule.h"

namespace floydnet::graphs {
namespace {

using RDKit::Atom;
using RDKit::Bond;

template <typename T, size_t n>
int64_t place(const std::array<T, n>& list, T value) {
  return std::find(list.begin(), list.end(), value) - list.begin();
}

/// The place of a number in least..most.
int64_t place_in(int64_t least, int64_t most, int64_t number) {
  return number < least || number > most ? most - least + 1 : number - least;
}

constexpr std::array kChirality = {Atom::CHI_UNSPECIFIED, Atom::CHI_TETRAHEDRAL_CW,
                                   Atom::CHI_TETRAHEDRAL_CCW, Atom::CHI_OTHER};
constexpr std::array kHybridisation = {Atom::SP, Atom::SP2, Atom::SP3, Atom::SP3D, Atom::SP3D2};
constexpr std::array kBondType = {Bond::SINGLE, Bond::DOUBLE, Bond::TRIPLE, Bond::AROMATIC};
constexpr std::array kBondStereo = {Bond::STEREONONE, Bond::STEREOZ,     Bond::STEREOE,
                                    Bond::STEREOCIS,  Bond::STEREOTRANS, Bond::STEREOANY};

void append_atom(const RDKit::ROMol& molecule, const Atom& atom, std::vector<int64_t>& features) {
  features.insert(features.end(),
                  {
                      place_in(1, 118, atom.getAtomicNum()),
                      place(kChirality, atom.getChiralTag()),
                      place_in(0, 10, atom.getTotalDegree()),
                      place_in(-5, 5, atom.getFormalCharge()),
                      place_in(0, 8, atom.getTotalNumHs()),
                      place_in(0, 4, atom.getNumRadicalElectrons()),
                      place(kHybridisation, atom.getHybridization()),
                      atom.getIsAromatic() ? 1 : 0,
                      molecule.getRingInfo()->numAtomRings(atom.getIdx()) > 0 ? 1 : 0,
                  });
}

void append_bond(const Bond& bond, std::vector<int64_t>& features) {
  features.insert(features.end(),
                  {place(kBondType, bond.getBondType()), place(kBondStereo, bond.getStereo()),
                   bond.getIsConjugated() ? 1 : 0});
}

}  // namespace

MoleculeGraph ogb_graph(const RDKit::ROMol& molecule) {
  MoleculeGraph graph;
  graph.atoms = molecule.getNumAtoms();
  for (const Atom* atom : molecule.atoms()) append_atom(molecule, *atom, graph.atom_features);
  for (const Bond* bond : molecule.bonds()) {
    graph.bonds.emplace_back(bond->getBeginAtomIdx(), bond->getEndAtomIdx());
    append_bond(*bond, graph.bond_features);
  }
  return graph;
}

}  // namespace floydnet::graphs
