#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>

#include "tasks/graphs/molecules/rdkit_molecule.h"

namespace floydnet::graphs {

std::string draw_molecule(const std::string& smiles, int width, int height) {
  const RdkitMolecule molecule = parse_smiles(smiles);
  // Letters as text keep the page small and can be searched.
  RDKit::MolDraw2DSVG drawer(width, height, -1, -1, /*noFreetype=*/true);
  drawer.drawOptions().clearBackground = false;
  RDKit::MolDraw2DUtils::prepareAndDrawMolecule(drawer, *molecule);
  drawer.finishDrawing();
  return drawer.getDrawingText();
}

}  // namespace floydnet::graphs
