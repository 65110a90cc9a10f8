// What RDKit says of a molecule. RDKit is optional: without it the program is built all the same,
// and what is declared here throws InputError that says how to install it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "floydnet/graph.h"

namespace floydnet::graphs {

class FragmentTable;

bool has_rdkit();
/// Throws InputError without RDKit, so that long work does not begin in vain.
void require_rdkit();

/// Columns of atoms and bonds: OGB's nine and three (smiles2graph), or ZINC's one and one, an atom
/// word of 28 and the order of a kekulised bond.
enum class MoleculeFeatures { kOgb, kZinc };

int64_t atom_width(MoleculeFeatures features);
int64_t bond_width(MoleculeFeatures features);

/// Atoms and bonds in RDKit's order; each bond once.
struct MoleculeGraph {
  int64_t atoms = 0;
  std::vector<Graph::Edge> bonds;
  std::vector<int64_t> atom_features;  // [atoms, atom_width]
  std::vector<int64_t> bond_features;  // [bonds, bond_width]
};

/// The graph without hydrogens. Throws InputError whose text is the reason why there is none.
MoleculeGraph molecule_graph(const std::string& smiles, MoleculeFeatures features);

/// RDKit's parser logs what it does not like instead of saying so; this reads the log. Empty if
/// the SMILES is sound. Not to be called while other threads use RDKit.
std::string syntax_error(const std::string& smiles);

/// ZINC's molecule: the graph with MoleculeFeatures::kZinc and the constrained solubility y.
struct ZincMolecule {
  MoleculeGraph graph;
  double y = 0;
};

ZincMolecule zinc_molecule(const std::string& smiles, const FragmentTable& fragments);

/// The SMILES, chirality included, of the Bemis-Murcko scaffold: rings and what links them. Empty
/// if there is no ring.
std::string scaffold_key(const std::string& smiles);

/// A molecule of LRGB's PCQM-Contact: all hydrogens are atoms of the graph, and features are OGB's
/// of the molecule as its SMILES is written, without perception. Contacts are pairs of atoms less
/// than 3.5 Angstrom apart in space and at least 5 bonds apart.
struct ContactMolecule {
  MoleculeGraph graph;
  std::vector<Graph::Edge> contacts;  // each pair once, as (smaller, larger)
};

/// From CXSMILES with coordinates.
ContactMolecule contact_molecule(const std::string& cxsmiles);

/// What stands out in a picture; bonds by the atoms that they join.
struct MoleculeMarks {
  std::vector<int32_t> atoms;
  std::vector<Graph::Edge> bonds;
};

/// An SVG document of so many pixels, for light and dark pages.
std::string draw_molecule(const std::string& smiles, int width, int height,
                          const MoleculeMarks& marks = {});

}  // namespace floydnet::graphs
