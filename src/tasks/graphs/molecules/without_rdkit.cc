// Stands in for the rdkit_*.cc where CMake has not found RDKit.
#include "floydnet/error.h"
#include "tasks/graphs/molecules/molecule.h"

namespace floydnet::graphs {
namespace {

[[noreturn]] void refuse() {
  throw InputError(
      "this program was built without RDKit, which reads molecules; apt-get install librdkit-dev "
      "rdkit-data libboost-dev, then build again (files that are converted already need no RDKit)");
}

}  // namespace

bool has_rdkit() { return false; }
void require_rdkit() { refuse(); }
MoleculeGraph molecule_graph(const std::string&, MoleculeFeatures) { refuse(); }
std::string syntax_error(const std::string&) { refuse(); }
ZincMolecule zinc_molecule(const std::string&, const FragmentTable&) { refuse(); }
std::string scaffold_key(const std::string&) { refuse(); }
ContactMolecule contact_molecule(const std::string&) { refuse(); }
std::string draw_molecule(const std::string&, int, int, const MoleculeMarks&) { refuse(); }

}  // namespace floydnet::graphs
