// Molecules of RDKit; included by rdkit_*.cc alone.
#pragma once

#include <GraphMol/GraphMol.h>

#include <memory>
#include <string>

#include "tasks/graphs/molecules/molecule.h"

namespace floydnet::graphs {

using RdkitMolecule = std::unique_ptr<RDKit::RWMol>;

/// Sanitised, without hydrogens where RDKit leaves them out. Throws InputError with the reason if
/// RDKit refuses it or it has no atoms.
RdkitMolecule parse_smiles(const std::string& smiles);
/// As it is written: nothing is perceived, all hydrogens stay. With `sanitise` aromaticity and so
/// on are perceived, too.
RdkitMolecule parse_all_atoms(const std::string& smiles, bool sanitise);

MoleculeGraph ogb_graph(const RDKit::ROMol& molecule);
/// The SMILES of the molecule is written and read again, kekulised, as ZINC's makers did.
MoleculeGraph zinc_graph(const RDKit::ROMol& molecule);
/// The synthetic accessibility score, 1 (easy) to 10.
double sa_score(RDKit::ROMol& molecule, const FragmentTable& fragments);

}  // namespace floydnet::graphs
