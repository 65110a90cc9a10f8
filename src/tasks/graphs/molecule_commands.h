// Molecules on the command line.
#pragma once

#include <string>

#include "tasks/graphs/data/graph_set.h"
#include "tasks/graphs/molecules/smiles.h"

namespace CLI {
class App;
}

namespace floydnet::graphs {

/// What `floydnet data graphs --from smiles` and `--from contacts` may be told.
struct MoleculeFlags {
  SmilesOptions options;
  std::string targets;  // separated by commas
  std::string features = "ogb";
  std::string label_kind = "auto";
};

void add_molecule_flags(CLI::App& app, MoleculeFlags& flags);
/// Whether it is one of these two.
bool is_molecule_format(const std::string& from);
/// Converts a table, .csv or .csv.gz, on all threads with a progress line; `from` is "smiles" or
/// "contacts". Says on standard error how many molecules were left out. ExitCode after a signal.
GraphSet import_molecules(const std::string& from, const std::string& path,
                          const MoleculeFlags& flags);

/// floydnet data zinc
void add_zinc_command(CLI::App& data);

}  // namespace floydnet::graphs
