// floydnet data counting: counts patterns in graphs.
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/stopwatch.h"
#include "console/progress.h"
#include "floydnet/error.h"
#include "floydnet/graph_io.h"
#include "tasks/counting/data/counts.h"
#include "tasks/counting/data/generator.h"
#include "tasks/counting/task.h"
#include "tasks/entry.h"

namespace floydnet {
namespace {

using counting::CountTable;
using counting::Pattern;
using counting::Scale;
using Json = nlohmann::json;

struct CountingCommand {
  std::string graphs_file;
  int64_t generate = 0;
  uint64_t seed = 0;
  std::string patterns = "all";
  std::string levels = "edge";
  std::string output;
  bool deflate = false;
  bool list = false;
  bool json = false;
};

std::vector<Pattern> chosen_patterns(const CountingCommand& command) {
  try {
    return counting::parse_patterns(command.patterns);
  } catch (const InputError& error) {
    throw CLI::ValidationError("--patterns", error.what());
  }
}

Json describe(const Pattern& pattern) {
  return {{"name", pattern.name},
          {"counts", counting::text(pattern.kind)},
          {"graph6", format_graph(pattern.graph, GraphFormat::kGraph6)},
          {"nodes", pattern.graph.nodes()},
          {"edges", pattern.graph.edges()},
          {"node_divisor", pattern.node_divisor},
          {"edge_divisor", pattern.edge_divisor}};
}

std::string edges_text(const Graph& graph) {
  std::vector<std::string> texts;
  for (const auto& [u, v] : graph.edges()) texts.push_back(fmt::format("{}{}", u, v));
  return fmt::format("{}", fmt::join(texts, " "));
}

void list_patterns(const CountingCommand& command) {
  const std::vector<Pattern> patterns = chosen_patterns(command);
  if (command.json) {
    Json rows = Json::array();
    for (const Pattern& pattern : patterns) rows.push_back(describe(pattern));
    fmt::print("{}\n", json_text(rows, 2));
    return;
  }
  fmt::print("{:<12} {:<14} {:<8} edges\n", "pattern", "counts", "graph6");
  for (const Pattern& pattern : patterns) {
    fmt::print("{:<12} {:<14} {:<8} {}\n", pattern.name, counting::text(pattern.kind),
               format_graph(pattern.graph, GraphFormat::kGraph6), edges_text(pattern.graph));
  }
}

std::vector<Graph> chosen_graphs(const CountingCommand& command) {
  if (command.generate > 0) return counting::random_graphs(command.generate, command.seed);
  if (command.graphs_file.empty()) {
    throw CLI::ValidationError("counting", "wanted --graphs FILE, --generate N or --list");
  }
  std::vector<Graph> graphs = read_graphs(command.graphs_file);
  if (graphs.empty()) {
    throw InputError::in(command.graphs_file, "no graphs; wanted one a line, as graph6");
  }
  return graphs;
}

CountTable count(const CountingCommand& command, const std::vector<Graph>& graphs) {
  counting::CountOptions options;
  options.threads = at::get_num_threads();
  options.levels = {command.levels != "graph", command.levels == "edge"};
  Progress progress("graphs", static_cast<int64_t>(graphs.size()));
  options.progress = [&](int64_t done) { progress.show(done); };
  const std::string source = command.generate > 0 ? "--generate" : command.graphs_file;
  const std::vector<Pattern> patterns = chosen_patterns(command);
  try {
    return count_patterns(graphs, patterns, options);
  } catch (const InputError& error) {
    throw InputError::in(source, error.what());
  }
}

struct Summary {
  Scale scale;
  int64_t least, most;
};

Summary summary_of(const std::vector<int64_t>& counts) {
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  return {counting::scale_of(counts), *least, *most};
}

void print_json(const CountingCommand& command, const CountTable& table, double seconds) {
  Json rows = Json::array();
  for (size_t i = 0; i < table.patterns.size(); ++i) {
    const Summary summary = summary_of(table.columns[i].graphs);
    Json row = describe(table.patterns[i]);
    row["mean"] = summary.scale.mean;
    row["deviation"] = summary.scale.deviation;
    row["least"] = summary.least;
    row["most"] = summary.most;
    rows.push_back(std::move(row));
  }
  const Json output = command.output.empty() ? Json(nullptr) : Json(command.output);
  fmt::print("{}\n", json_text(Json{{"graphs", table.sizes.size()},
                                    {"seconds", seconds},
                                    {"output", output},
                                    {"patterns", rows}},
                               2));
}

void print_text(const CountingCommand& command, const CountTable& table, double seconds) {
  fmt::print("{:<12} {:<14} {:>12} {:>12} {:>10} {:>10}\n", "pattern", "counts", "mean",
             "deviation", "least", "most");
  for (size_t i = 0; i < table.patterns.size(); ++i) {
    const Summary summary = summary_of(table.columns[i].graphs);
    fmt::print("{:<12} {:<14} {:>12.3f} {:>12.3f} {:>10} {:>10}\n", table.patterns[i].name,
               counting::text(table.patterns[i].kind), summary.scale.mean, summary.scale.deviation,
               summary.least, summary.most);
  }
  fmt::print("{} graphs, {} patterns, counted in {:.2f} s{}\n", table.sizes.size(),
             table.patterns.size(), seconds,
             command.output.empty() ? "" : "; written to " + command.output);
}

void run_counting(const CountingCommand& command) {
  if (command.list) return list_patterns(command);
  const std::vector<Graph> graphs = chosen_graphs(command);
  const auto start = std::chrono::steady_clock::now();
  const CountTable table = count(command, graphs);
  const double seconds = seconds_since(start);
  if (!command.output.empty()) {
    write_npz(command.output, to_arrays(table, graphs), command.deflate);
  }
  command.json ? print_json(command, table, seconds) : print_text(command, table, seconds);
}

void add_options(CLI::App& app, CountingCommand& command) {
  CLI::Option* file =
      app.add_option("--graphs", command.graphs_file, "a file of graphs, one a line, as graph6");
  CLI::Option* generate =
      app.add_option("--generate", command.generate,
                     "generate this many random graphs of the benchmark's kind instead")
          ->check(CLI::Range(int64_t{1}, int64_t{1'000'000}));
  file->excludes(generate);
  app.add_option("--seed", command.seed, "random seed of generated graphs (default: 0)")
      ->needs(generate);
  app.add_option("--patterns", command.patterns,
                 "all (the benchmark's 13, the default), or names and graph6 texts with commas "
                 "between; graph6 counts copies, hom:graph6 homomorphisms");
  app.add_option("--levels", command.levels,
                 "counts for each graph (graph), each node too (node), or each pair too (edge, the "
                 "default)")
      ->check(CLI::IsMember({"graph", "node", "edge"}));
  app.add_option("-o,--output", command.output, "write counts and graphs to this NPZ file");
  app.add_flag("--compress", command.deflate, "deflate the file's arrays");
  app.add_flag("--list", command.list, "list the patterns and count nothing");
  app.add_flag("--json", command.json, "print one JSON value");
}

void add_data_counting_command(CLI::App& data) {
  auto command = std::make_shared<CountingCommand>();
  CLI::App* app = data.add_subcommand(
      "counting", "Count patterns in graphs: homomorphisms and copies, by graph, node and edge");
  add_options(*app, *command);
  app->footer(
      "Example: floydnet data counting --graphs graphs.g6 -o counts.npz\n"
      "         floydnet data counting --generate 50000 --seed 1 --patterns cycle5,'hom:C~'");
  app->callback([command] { run_counting(*command); });
}

}  // namespace

namespace counting {

TaskEntry entry() {
  TaskEntry entry;
  entry.name = "counting";
  entry.summary = "Count patterns at graph, node and edge level";
  entry.example = "floydnet train counting --task cycle5 --minutes 5 --out runs/cycle5";
  entry.make_config = new_config<CountingConfig>;
  entry.add_data_command = add_data_counting_command;
  return entry;
}

}  // namespace counting
}  // namespace floydnet
