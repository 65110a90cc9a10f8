// The synthetic accessibility score of Ertl and Schuffenhauer (Journal of Cheminformatics 1:8,
// 2009), in the form that RDKit's contributed program computes.
#include <GraphMol/Chirality.h>
#include <GraphMol/Descriptors/MolDescriptors.h>
#include <GraphMol/Fingerprints/MorganFingerprints.h>
#include <GraphMol/MolOps.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "tasks/graphs/molecules/fragment_table.h"
#include "tasks/graphs/molecules/rdkit_molecule.h"

namespace floydnet::graphs {
namespace {

int stereo_centres(RDKit::ROMol& molecule) {
  RDKit::MolOps::assignStereochemistry(molecule, /*cleanIt=*/false, /*force=*/true,
                                       /*flagPossibleStereoCenters=*/true);
  int count = 0;
  for (const RDKit::Atom* atom : molecule.atoms()) {
    const bool centre = atom->hasProp(RDKit::common_properties::_CIPCode) ||
                        atom->hasProp(RDKit::common_properties::_ChiralityPossible);
    count += centre ? 1 : 0;
  }
  return count;
}

/// What makes a molecule complex: size, stereo centres, spiro and bridgehead atoms, rings of more
/// than eight.
double complexity(RDKit::ROMol& molecule) {
  const double atoms = molecule.getNumAtoms();
  const auto& rings = molecule.getRingInfo()->atomRings();
  const bool macrocycle =
      std::any_of(rings.begin(), rings.end(), [](const auto& ring) { return ring.size() > 8; });
  return std::pow(atoms, 1.005) - atoms + std::log10(stereo_centres(molecule) + 1) +
         std::log10(RDKit::Descriptors::calcNumSpiroAtoms(molecule) + 1) +
         std::log10(RDKit::Descriptors::calcNumBridgeheadAtoms(molecule) + 1) +
         (macrocycle ? std::log10(2) : 0);
}

/// To a scale from 1 to 10 whose upper end is smoothed.
double scaled(double raw) {
  constexpr double kLeast = -4, kMost = 2.5;
  double score = 11 - (raw - kLeast + 1) / (kMost - kLeast) * 9;
  if (score > 8) score = 8 + std::log(score + 1 - 9);
  return std::clamp(score, 1., 10.);
}

}  // namespace

double sa_score(RDKit::ROMol& molecule, const FragmentTable& fragments) {
  const std::unique_ptr<RDKit::SparseIntVect<uint32_t>> fingerprint(
      RDKit::MorganFingerprints::getFingerprint(molecule, /*radius=*/2));
  const auto& counts = fingerprint->getNonzeroElements();
  double sum = 0, total = 0;
  for (const auto& [fragment, count] : counts) {
    sum += fragments.score(fragment) * count;
    total += count;
  }
  const double atoms = molecule.getNumAtoms();
  const auto kinds = static_cast<double>(counts.size());
  // Few kinds of fragments for many atoms: the molecule is symmetric, hence easier to make.
  const double symmetry = atoms > kinds ? 0.5 * std::log(atoms / kinds) : 0;
  return scaled(sum / total - complexity(molecule) + symmetry);
}

}  // namespace floydnet::graphs
