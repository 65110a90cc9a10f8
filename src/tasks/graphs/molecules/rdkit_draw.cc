#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>

#include <exception>

#include "floydnet/error.h"
#include "tasks/graphs/molecules/rdkit_molecule.h"

namespace floydnet::graphs {
namespace {

/// RDKit draws black on white; a dark page turns brightness round and keeps hues.
constexpr const char* kDarkStyle =
    "<style>@media (prefers-color-scheme: dark) { svg { filter: invert(0.9) hue-rotate(180deg); } "
    "}</style>\n";

constexpr double kBondLength = 30;  // pixels, at most

std::vector<int> marked_bonds(const RDKit::ROMol& molecule, const std::vector<Graph::Edge>& ends) {
  std::vector<int> bonds;
  for (const auto& [u, v] : ends) {
    const RDKit::Bond* bond = molecule.getBondBetweenAtoms(u, v);
    if (bond != nullptr) bonds.push_back(static_cast<int>(bond->getIdx()));
  }
  return bonds;
}

}  // namespace

std::string draw_molecule(const std::string& smiles, int width, int height,
                          const MoleculeMarks& marks) {
  const RdkitMolecule molecule = parse_smiles(smiles);
  // Letters as text keep the page small and can be searched.
  RDKit::MolDraw2DSVG drawer(width, height, -1, -1, /*noFreetype=*/true);
  drawer.drawOptions().clearBackground = false;
  drawer.drawOptions().fixedBondLength = kBondLength;
  const std::vector<int> atoms(marks.atoms.begin(), marks.atoms.end());
  const std::vector<int> bonds = marked_bonds(*molecule, marks.bonds);
  try {
    RDKit::MolDraw2DUtils::prepareAndDrawMolecule(drawer, *molecule, "", &atoms, &bonds);
    drawer.finishDrawing();
  } catch (const std::exception& error) {
    throw InputError(error.what());
  }
  std::string svg = drawer.getDrawingText();
  const size_t end = svg.rfind("</svg>");
  if (end == std::string::npos) throw InputError("RDKit has drawn no SVG");
  return svg.insert(end, kDarkStyle);
}

}  // namespace floydnet::graphs
