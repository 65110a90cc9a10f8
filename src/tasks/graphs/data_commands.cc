// floydnet data graphs: converts sets of graphs to our format, and says what is in them.
#include "tasks/graphs/data_commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/file.h"
#include "base/json_text.h"
#include "base/options.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "tasks/graphs/data/describe.h"
#include "tasks/graphs/data/graph_file.h"
#include "tasks/graphs/data/splits.h"
#include "tasks/graphs/import/importers.h"
#include "tasks/graphs/molecule_commands.h"

namespace floydnet::graphs {
namespace {

struct GraphsCommand {
  std::string from, output, described, fractions, split_folder;
  uint64_t seed = 0;
  ImportOptions import;
  MoleculeFlags molecules;
  bool json = false;
};

const Importer& chosen_importer(const std::string& name) {
  if (const Importer* importer = find_importer(name)) return *importer;
  std::vector<std::string> names = {"smiles", "contacts"};
  for (const Importer& importer : importers()) names.emplace_back(importer.name);
  throw CLI::ValidationError("--from", in_quotes(name) + " is unknown" + suggestion(name, names));
}

SplitFractions chosen_fractions(const std::string& text) {
  try {
    return parse_fractions(text);
  } catch (const InputError& error) {
    throw CLI::ValidationError("--fractions", error.what());
  }
}

GraphSet read_set(const GraphsCommand& command) {
  if (!is_molecule_format(command.from)) {
    return chosen_importer(command.from).read(command.import);
  }
  MoleculeFlags flags = command.molecules;
  flags.options.split = command.import.split;
  return import_molecules(command.from, command.import.path, flags);
}

GraphSet imported(const GraphsCommand& command) {
  GraphSet set = read_set(command);
  if (!command.fractions.empty()) {
    set.splits = random_splits(set.graphs(), chosen_fractions(command.fractions), command.seed);
  }
  if (!command.split_folder.empty()) {
    set.splits = read_split_folder(command.split_folder, set.graphs());
  }
  try {
    set.check();
  } catch (const std::invalid_argument& error) {
    throw InputError::in(command.import.path, error.what());
  }
  return set;
}

void show(const GraphSet& set, const std::string& title, bool json) {
  const nlohmann::json description = describe(set);
  fmt::print("{}", json ? json_text(description, 2) + "\n" : description_text(description, title));
}

void convert(const GraphsCommand& command) {
  if (!is_molecule_format(command.from)) chosen_importer(command.from);
  if (!command.fractions.empty()) chosen_fractions(command.fractions);
  if (command.import.path.empty()) throw CLI::RequiredError("PATH");
  if (command.output.empty()) throw CLI::RequiredError("--output");
  require_writable(command.output);
  const GraphSet set = imported(command);
  try {
    write_graph_file(command.output, set);
  } catch (const std::invalid_argument& error) {
    throw InputError::in(command.import.path, error.what());
  }
  show(set, command.output, command.json);
}

void run_graphs(const GraphsCommand& command) {
  if (!command.from.empty()) return convert(command);
  if (command.described.empty()) {
    throw CLI::ValidationError("graphs",
                               "wanted --from FORMAT PATH -o FILE.npz, or --describe FILE");
  }
  show(read_graph_file(command.described), command.described, command.json);
}

std::string formats_help() {
  std::string text = "format of PATH:";
  for (const Importer& importer : importers()) {
    text += fmt::format(" {} ({});", importer.name, importer.what);
  }
  return text + " smiles (molecules in CSV); contacts (molecules in space, CXSMILES in CSV).";
}

void add_graphs_options(CLI::App& app, GraphsCommand& command) {
  CLI::Option* from = app.add_option("--from", command.from, formats_help());
  CLI::Option* describe =
      app.add_option("--describe", command.described,
                     "say what is in a file of ours (.npz or .jsonl), and convert nothing");
  describe->excludes(from);
  app.add_option("path", command.import.path, "the folder or file to convert")->needs(from);
  app.add_option("-o,--output", command.output, "the NPZ file to write")->needs(from);
  app.add_option("--labels", command.import.labels,
                 "graph6: a file of numbers, a row for each graph, that becomes graph_y")
      ->needs(from);
  app.add_option("--split", command.import.split,
                 "ogb: which folder of split/ to take, if there are several; smiles: scaffold, for "
                 "80/10/10 by Bemis-Murcko scaffolds as in OGB, or LRGB's pickle of rows")
      ->needs(from);
  app.add_flag("--coco", command.import.coco, "lrgb: number COCO's node labels from 0 to 80")
      ->needs(from);
  CLI::Option* fractions =
      app.add_option(
             "--fractions", command.fractions,
             "draw a split: fractions of training, validation and test, such as 0.8,0.1,0.1")
          ->needs(from);
  app.add_option("--seed", command.seed, "random seed of the drawn split (default: 0)")
      ->needs(fractions);
  app.add_option("--split-folder", command.split_folder,
                 "take the split from train, val and test (.txt, .csv or .index) in this folder: "
                 "places of graphs from 0")
      ->needs(from)
      ->excludes(fractions);
  app.add_flag("--json", command.json, "print one JSON value");
  add_molecule_flags(app, command.molecules);
}

}  // namespace

void add_graphs_data_command(CLI::App& data) {
  auto command = std::make_shared<GraphsCommand>();
  CLI::App* app = data.add_subcommand(
      "graphs", "Convert sets of graphs to the format that training reads, or describe them");
  add_graphs_options(*app, *command);
  app->footer(
      "Example: floydnet data graphs --from ogb ogbg_molesol -o molesol.npz\n"
      "         floydnet data graphs --from graph6 graphs.g6 --labels y.csv --fractions "
      "0.8,0.1,0.1 -o mine.npz\n"
      "         floydnet data graphs --from smiles mols.csv --smiles-column s --target y -o "
      "mols.npz\n"
      "         floydnet data graphs --describe mine.npz");
  app->callback([command] { run_graphs(*command); });
  add_zinc_command(data);
}

}  // namespace floydnet::graphs
