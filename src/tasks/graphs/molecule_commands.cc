#include "tasks/graphs/molecule_commands.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "base/file.h"
#include "base/gzip.h"
#include "base/stderr.h"
#include "base/stopwatch.h"
#include "console/exit_code.h"
#include "console/interruptible.h"
#include "console/progress.h"
#include "tasks/graphs/data/graph_file.h"
#include "tasks/graphs/molecules/zinc.h"

namespace floydnet::graphs {
namespace {

/// Converts on all threads, shows how far it is, and ends the command after a signal.
template <typename T>
T with_progress(const std::function<T(const Conversion& how)>& convert) {
  std::atomic<int64_t> total{0}, done{0};
  std::optional<Progress> progress;
  std::optional<T> result;
  const auto work = [&](const std::atomic<bool>& stop) {
    try {
      result = convert({at::get_num_threads(), &total, &done, &stop});
    } catch (const Stopped&) {
    }
  };
  const auto show = [&] {
    if (total == 0) return;
    if (!progress) progress.emplace("molecules", total);
    progress->show(done, static_cast<double>(done) / static_cast<double>(total));
  };
  const int signal = run_interruptibly(work, show);
  if (signal != 0) throw ExitCode{128 + signal};
  return *std::move(result);
}

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

SmilesOptions settled(const MoleculeFlags& flags) {
  SmilesOptions options = flags.options;
  options.targets = split_names(flags.targets);
  options.features = flags.features == "zinc" ? MoleculeFeatures::kZinc : MoleculeFeatures::kOgb;
  if (flags.label_kind == "numbers") options.labels = LabelKind::kNumbers;
  if (flags.label_kind == "classes") options.labels = LabelKind::kClasses;
  return options;
}

struct ZincCommand {
  std::string smiles, index, output;
  bool subset = false;
};

void run_zinc(const ZincCommand& command) {
  require_writable(command.output);
  const std::string index = command.index.empty() ? command.smiles : command.index;
  const ZincLists lists(command.smiles, command.subset ? index : "");
  const auto start = std::chrono::steady_clock::now();
  const GraphSet set =
      with_progress<GraphSet>([&](const Conversion& how) { return lists.convert(how); });
  const double seconds = seconds_since(start);
  write_graph_file(command.output, set);
  fmt::print("{}: {} molecules, {} atoms, {} bonds; converted in {:.0f} s\n", command.output,
             set.graphs(), set.rows(Level::kNode), set.rows(Level::kEdge), seconds);
}

}  // namespace

void add_molecule_flags(CLI::App& app, MoleculeFlags& flags) {
  app.add_option("--smiles-column", flags.options.smiles_column,
                 "smiles, contacts: column of the SMILES (default: smiles)");
  app.add_option(
      "--target", flags.targets,
      "smiles: columns of the labels, separated by commas; a cell is a number, a list such as "
      "[0, 1], or empty where the label is missing");
  app.add_option("--features", flags.features,
                 "smiles: of atoms and bonds, ogb (default) or zinc; docs/molecules.md")
      ->check(CLI::IsMember({"ogb", "zinc"}));
  app.add_option("--label-kind", flags.label_kind,
                 "smiles: numbers or classes (default: classes if all are integers from 0 to 999)")
      ->check(CLI::IsMember({"auto", "numbers", "classes"}));
  app.add_flag("--skip-invalid", flags.options.skip_invalid,
               "smiles, contacts: leave out molecules that RDKit refuses, and count them");
}

bool is_molecule_format(const std::string& from) { return from == "smiles" || from == "contacts"; }

GraphSet import_molecules(const std::string& from, const std::string& path,
                          const MoleculeFlags& flags) {
  const SmilesOptions options = settled(flags);
  require_rdkit();
  const std::string csv = read_maybe_gzip(path);
  const auto importer = from == "contacts" ? import_contacts : import_smiles;
  SmilesImport result = with_progress<SmilesImport>(
      [&](const Conversion& how) { return importer(csv, path, options, how); });
  if (result.skipped > 0) {
    say(fmt::format("floydnet: {}: left out {} of {} molecules; the first: {}\n", path,
                    result.skipped, result.skipped + result.set.graphs(), result.first_skipped));
  }
  return std::move(result.set);
}

void add_zinc_command(CLI::App& data) {
  auto command = std::make_shared<ZincCommand>();
  CLI::App* app = data.add_subcommand("zinc", "Make the ZINC data set from its SMILES");
  app->add_option("--smiles", command->smiles,
                  "folder of JT-VAE's train.txt, valid.txt and test.txt, or .txt.gz")
      ->required();
  app->add_flag("--subset", command->subset,
                "the 12,000 molecules that train.index, val.index and test.index list");
  app->add_option("--index", command->index,
                  "folder of the index files (default: that of --smiles)");
  app->add_option("-o,--output", command->output, "file to write, .npz")->required();
  app->footer("Example: floydnet data zinc --smiles icml18-jtnn/data/zinc --subset -o zinc.npz");
  app->callback([command] { run_zinc(*command); });
}

}  // namespace floydnet::graphs
