// floydnet data clrs: the data of the CLRS benchmark.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/stopwatch.h"
#include "console/progress.h"
#include "floydnet/error.h"
#include "tasks/clrs/data/export.h"
#include "tasks/clrs/table_commands.h"
#include "tasks/clrs/task.h"
#include "tasks/entry.h"

namespace floydnet {
namespace {

using clrs::Algorithm;
using clrs::Probe;
using clrs::Recipe;
using Json = nlohmann::json;

struct ClrsOptions {
  std::string algorithm;
  std::string split;
  std::string graphs = "clrs";
  Recipe recipe;
  bool no_hints = false;
  bool list = false;
  std::string output;
  bool json = false;
};

/// "[samples, n, 4]", "[steps, samples, n]".
std::string shape_of(const Probe& probe) {
  std::string text = probe.stage == clrs::Stage::kHint ? "[steps, samples" : "[samples";
  if (probe.location != clrs::Location::kGraph) text += ", n";
  if (probe.location == clrs::Location::kEdge) text += ", n";
  if (probe.classes > 0) text += fmt::format(", {}", probe.classes);
  return text + "]";
}

void print_probes(const Algorithm& algorithm) {
  fmt::print("{} ({}; length at least {}; {} samples to test)\n", algorithm.name,
             clrs::text(algorithm.category), algorithm.sampler->least_length,
             clrs::official_split(algorithm, clrs::Split::kTest).samples);
  for (const Probe& probe : algorithm.spec.probes) {
    fmt::print("  {:<18} {:<6} {:<22} {:<8} {}\n", probe.key(), clrs::text(probe.location),
               clrs::text(probe.type), clrs::text(probe.dtype), shape_of(probe));
  }
}

Json describe(const Algorithm& algorithm) {
  Json probes = Json::array();
  for (const Probe& probe : algorithm.spec.probes) {
    probes.push_back({{"name", probe.name},
                      {"stage", clrs::text(probe.stage)},
                      {"location", clrs::text(probe.location)},
                      {"type", clrs::text(probe.type)},
                      {"classes", probe.classes},
                      {"dtype", clrs::text(probe.dtype)}});
  }
  return {{"algorithm", algorithm.name},
          {"category", clrs::text(algorithm.category)},
          {"least_length", algorithm.sampler->least_length},
          {"test_samples", clrs::official_split(algorithm, clrs::Split::kTest).samples},
          {"probes", probes}};
}

void list_algorithms(const ClrsOptions& options) {
  std::vector<const Algorithm*> chosen;
  if (!options.algorithm.empty()) {
    chosen.push_back(&clrs::find_algorithm(options.algorithm));
  } else {
    for (const Algorithm& algorithm : clrs::algorithms()) chosen.push_back(&algorithm);
  }
  Json all = Json::array();
  for (const Algorithm* algorithm : chosen) {
    if (options.json) {
      all.push_back(describe(*algorithm));
    } else {
      print_probes(*algorithm);
    }
  }
  if (options.json) fmt::print("{}\n", json_text(all, 2));
}

clrs::Split split_named(const std::string& name) {
  if (name == "train") return clrs::Split::kTrain;
  return name == "val" ? clrs::Split::kValidation : clrs::Split::kTest;
}

Recipe recipe_of(const ClrsOptions& options) {
  const Algorithm& algorithm = clrs::find_algorithm(options.algorithm);
  Recipe recipe = options.recipe;
  recipe.algorithm = &algorithm;
  recipe.hints = !options.no_hints;
  if (options.graphs == "salsa") recipe.sampler.graphs = clrs::GraphFamily::kSalsa;
  if (!options.split.empty()) {
    const Recipe split = clrs::official_split(algorithm, split_named(options.split));
    recipe.sampler.length = split.sampler.length;
    recipe.seed = split.seed;
    recipe.samples = split.samples;
  }
  return recipe;
}

void print_summary(const ClrsOptions& options, const Recipe& recipe,
                   const clrs::ArraySummary& summary, double seconds) {
  if (options.json) {
    fmt::print("{}\n", json_text(Json{{"output", options.output},
                                      {"algorithm", recipe.algorithm->name},
                                      {"length", recipe.sampler.length},
                                      {"seed", recipe.seed},
                                      {"samples", summary.samples},
                                      {"nodes", summary.nodes},
                                      {"steps", summary.steps},
                                      {"elements", summary.elements},
                                      {"seconds", seconds}},
                                 2));
  } else {
    fmt::print("{}: {} samples of {}, {} nodes, up to {} steps, {:.1f} MB in {:.2f} s\n",
               options.output, summary.samples, recipe.algorithm->name, summary.nodes,
               summary.steps, 8e-6 * static_cast<double>(summary.elements), seconds);
  }
}

void make_clrs(const ClrsOptions& options) {
  if (options.list) return list_algorithms(options);
  if (options.algorithm.empty()) throw CLI::RequiredError("--algorithm (or --list)");
  if (options.output.empty()) throw CLI::RequiredError("--output");
  const auto start = std::chrono::steady_clock::now();
  const Recipe recipe = recipe_of(options);
  try {
    Progress progress("samples", recipe.samples);
    const auto show = [&](double part) {
      progress.show(static_cast<int64_t>(part * static_cast<double>(recipe.samples)), part);
    };
    const clrs::ArraySummary summary =
        clrs::write_npz(recipe, options.output, clrs::kDefaultWindowBytes, show);
    print_summary(options, recipe, summary, seconds_since(start));
  } catch (const std::bad_alloc&) {
    throw InputError(fmt::format(
        "not enough memory for a sample of {} at length {}; try a smaller length{}",
        recipe.algorithm->name, recipe.sampler.length, recipe.hints ? " or --no-hints" : ""));
  }
}

void add_data_clrs_command(CLI::App& data) {
  auto options = std::make_shared<ClrsOptions>();
  Recipe& recipe = options->recipe;
  recipe.samples = 32;
  CLI::App* command = data.add_subcommand(
      "clrs", "The 30 algorithms of the CLRS benchmark, equal to the official data bit by bit");
  command->add_option("--algorithm", options->algorithm, "its name, such as bfs; see --list");
  CLI::Option* split =
      command->add_option("--split", options->split,
                          "train, val or test: an official one, instead of the next three options");
  split->check(CLI::IsMember({"train", "val", "test"}));
  command->add_option("--length", recipe.sampler.length, "problem size (default: 16)")
      ->excludes(split);
  command->add_option("--samples", recipe.samples, "number of samples (default: 32)")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40))
      ->excludes(split);
  command->add_option("--seed", recipe.seed, "seed of NumPy's RandomState (default: 1)")
      ->check(CLI::Range(uint32_t{0}, ~uint32_t{0}))
      ->excludes(split);
  command
      ->add_option("--edge-probability", recipe.sampler.edge_probabilities,
                   "edge probability of random graphs; of several, each graph draws one (default: "
                   "the sampler's)")
      ->delimiter(',');
  command->add_option("--needle-length", recipe.sampler.needle_length,
                      "needle length of string matching: m, or -m for random lengths up to m "
                      "(default: length / 5)");
  command
      ->add_option("--graphs", options->graphs,
                   "clrs, or salsa: connected, sparse, without loops (default: clrs)")
      ->check(CLI::IsMember({"clrs", "salsa"}));
  command->add_flag("--no-hints", options->no_hints, "leave out the steps of the algorithm");
  command->add_option("-o,--output", options->output, "the NPZ file to write");
  command->add_flag("--list", options->list, "show the algorithms and their arrays");
  command->add_flag("--json", options->json, "print JSON");
  command->footer(
      "Example: floydnet data clrs --algorithm bfs --length 16 --samples 100 --seed 1 -o bfs.npz\n"
      "         floydnet data clrs --algorithm quickselect --split test -o quickselect.npz");
  command->callback([options] { make_clrs(*options); });
}

}  // namespace

namespace clrs {

TaskEntry entry() {
  TaskEntry entry;
  entry.name = "clrs";
  entry.summary = "Learn one of the 30 algorithms of CLRS";
  entry.example = "floydnet train clrs --algorithm bfs --minutes 2 --out runs/bfs";
  entry.make_config = new_config<ClrsConfig>;
  entry.add_command = add_clrs_command;
  entry.add_data_command = add_data_clrs_command;
  return entry;
}

}  // namespace clrs
}  // namespace floydnet
