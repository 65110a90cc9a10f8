// floydnet wl: what k-FWL can tell apart.
#include "floydnet/wl.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/stopwatch.h"
#include "cli/commands.h"
#include "console/progress.h"
#include "floydnet/error.h"
#include "floydnet/graph_io.h"
#include "tasks/brec/data/data.h"
#include "wl/report.h"

namespace floydnet {
namespace {

struct WlCommand {
  WlOptions options;
  std::string first, second;
  std::string pairs_file;
  std::string brec;
  std::string ids;
  std::string evaluation = "auto";
  double max_gibibytes = 4;
  bool json = false;
};

struct NamedPair {
  std::string name;
  int64_t brec_id;  // -1 for others
  Graph a, b;
};

std::vector<Graph> read_some_graphs(const std::string& path) {
  std::vector<Graph> graphs = read_graphs(path);
  if (graphs.empty()) throw InputError::in(path, "no graphs; wanted one a line, as graph6");
  return graphs;
}

std::vector<NamedPair> pairs_of_two_files(const std::string& first, const std::string& second) {
  std::vector<Graph> a = read_some_graphs(first);
  std::vector<Graph> b = read_some_graphs(second);
  if (a.size() != b.size()) {
    throw InputError::in(
        second, fmt::format("{} graphs, but {} has {}; wanted as many", b.size(), first, a.size()));
  }
  std::vector<NamedPair> pairs;
  for (size_t i = 0; i < a.size(); ++i) {
    pairs.push_back({fmt::format("{}", i), -1, std::move(a[i]), std::move(b[i])});
  }
  return pairs;
}

std::vector<NamedPair> consecutive_pairs(const std::string& path) {
  std::vector<Graph> graphs = read_some_graphs(path);
  if (graphs.size() % 2 != 0) {
    throw InputError::in(path, fmt::format("{} graphs: consecutive ones are a pair, and the last "
                                           "one has no partner",
                                           graphs.size()));
  }
  std::vector<NamedPair> pairs;
  for (size_t i = 0; i < graphs.size(); i += 2) {
    pairs.push_back({fmt::format("{}", i / 2), -1, std::move(graphs[i]), std::move(graphs[i + 1])});
  }
  return pairs;
}

std::vector<NamedPair> brec_pairs(const WlCommand& command) {
  std::vector<int64_t> ids;
  try {
    ids = brec::parse_ids(command.ids);
  } catch (const InputError& error) {
    throw CLI::ValidationError("--ids", error.what());
  }
  std::vector<brec::Pair> all = brec::read_pairs(command.brec);
  std::vector<NamedPair> pairs;
  for (const int64_t id : ids) {
    brec::Pair& pair = all[static_cast<size_t>(id)];
    pairs.push_back({fmt::format("{}", id), id, std::move(pair.a), std::move(pair.b)});
  }
  return pairs;
}

std::vector<NamedPair> read_input(const WlCommand& command) {
  if (!command.brec.empty()) return brec_pairs(command);
  if (!command.pairs_file.empty()) return consecutive_pairs(command.pairs_file);
  if (command.second.empty()) {
    throw CLI::ValidationError("wl", "wanted two files of graphs, --pairs FILE or --brec DIR");
  }
  return pairs_of_two_files(command.first, command.second);
}

struct Outcome {
  std::vector<WlVerdict> verdicts;
  double seconds = 0;

  int64_t count(const std::string& word) const {
    return std::count_if(verdicts.begin(), verdicts.end(),
                         [&](const WlVerdict& v) { return wl_verdict_word(v) == word; });
  }
};

Outcome run_pairs(const std::vector<NamedPair>& pairs, const WlOptions& options) {
  std::vector<WlPair> views;
  views.reserve(pairs.size());
  for (const NamedPair& pair : pairs) views.push_back({&pair.a, &pair.b});
  const auto start = std::chrono::steady_clock::now();
  Progress progress("pairs", static_cast<int64_t>(pairs.size()));
  Outcome outcome;
  outcome.verdicts = wl_compare_pairs(views, options, [&](int64_t done) { progress.show(done); });
  outcome.seconds = seconds_since(start);
  return outcome;
}

std::vector<int64_t> distinguished_ids(const std::vector<NamedPair>& pairs,
                                       const Outcome& outcome) {
  std::vector<int64_t> ids;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (outcome.verdicts[i].distinguished) ids.push_back(pairs[i].brec_id);
  }
  return ids;
}

std::vector<brec::CategoryCount> categories(const std::vector<NamedPair>& pairs,
                                            const Outcome& outcome) {
  std::vector<int64_t> run;
  for (const NamedPair& pair : pairs) run.push_back(pair.brec_id);
  return brec::count_by_category(run, distinguished_ids(pairs, outcome));
}

void print_brec_table(const std::vector<NamedPair>& pairs, const Outcome& outcome) {
  fmt::print("{:<12}{:>15}{:>8}\n", "category", "distinguished", "pairs");
  for (const auto& category : categories(pairs, outcome)) {
    fmt::print("{:<12}{:>15}{:>8}\n", category.name, category.distinguished, category.pairs);
  }
  fmt::print("ids distinguished: {}\n", brec::format_ids(distinguished_ids(pairs, outcome)));
}

void print_text(const WlCommand& command, const std::vector<NamedPair>& pairs,
                const Outcome& outcome) {
  const bool is_brec = !command.brec.empty();
  for (size_t i = 0; i < pairs.size(); ++i) {
    const WlVerdict& verdict = outcome.verdicts[i];
    if (pairs.size() == 1) {
      fmt::print("{}\n", wl_verdict_text(verdict));
    } else if (!is_brec || !verdict.refusal.empty()) {
      fmt::print("{:>6}  {}\n", pairs[i].name, wl_verdict_text(verdict));
    }
  }
  if (is_brec) print_brec_table(pairs, outcome);
  if (pairs.size() > 1) {
    fmt::print("{}-FWL tells {} of {} pairs apart, in {:.2f} s\n", command.options.order,
               outcome.count("different"), pairs.size(), outcome.seconds);
  }
}

void print_json(const WlCommand& command, const std::vector<NamedPair>& pairs,
                const Outcome& outcome) {
  const bool is_brec = !command.brec.empty();
  nlohmann::json rows = nlohmann::json::array();
  for (size_t i = 0; i < pairs.size(); ++i) {
    nlohmann::json row = wl_verdict_json(outcome.verdicts[i]);
    row[is_brec ? "id" : "pair"] = is_brec ? pairs[i].brec_id : static_cast<int64_t>(i);
    row["nodes"] = {pairs[i].a.nodes(), pairs[i].b.nodes()};
    rows.push_back(std::move(row));
  }
  nlohmann::json json = {{"k", command.options.order},
                         {"distinguished", outcome.count("different")},
                         {"refused", outcome.count("refused")},
                         {"seconds", outcome.seconds},
                         {"pairs", rows}};
  if (is_brec) {
    json["ids"] = distinguished_ids(pairs, outcome);
    for (const auto& category : categories(pairs, outcome)) {
      json["by_category"][category.name] = {{"distinguished", category.distinguished},
                                            {"pairs", category.pairs}};
    }
  }
  fmt::print("{}\n", json_text(json, 2));
}

WlEvaluation evaluation_named(const std::string& name) {
  if (name == "dense") return WlEvaluation::kDense;
  return name == "compressed" ? WlEvaluation::kCompressed : WlEvaluation::kAuto;
}

void run_wl(WlCommand& command) {
  command.options.threads = at::get_num_threads();
  command.options.evaluation = evaluation_named(command.evaluation);
  command.options.max_bytes =
      static_cast<int64_t>(command.max_gibibytes * static_cast<double>(int64_t{1} << 30));
  const std::vector<NamedPair> pairs = read_input(command);
  const Outcome outcome = run_pairs(pairs, command.options);
  const int64_t refused = outcome.count("refused");
  if (pairs.size() == 1 && refused == 1) throw InputError(outcome.verdicts[0].refusal);
  command.json ? print_json(command, pairs, outcome) : print_text(command, pairs, outcome);
  if (refused > 0) throw InputError(fmt::format("wl: {} pairs were refused", refused));
}

void add_input_options(CLI::App& app, WlCommand& command) {
  CLI::Option* first = app.add_option("A", command.first,
                                      "a file of graphs, one a line: graph6, digraph6 or sparse6");
  app.add_option("B", command.second, "another; line i of A is compared with line i of B");
  CLI::Option* pairs =
      app.add_option("--pairs", command.pairs_file, "a file whose consecutive lines are pairs");
  CLI::Option* brec =
      app.add_option("--brec", command.brec,
                     "the BREC benchmark: a folder with its seven .npy files, or brec_v3.npy");
  pairs->excludes(first);
  brec->excludes(first)->excludes(pairs);
  command.ids = "0-399";
  app.add_option("--ids", command.ids, "BREC pairs, such as 0-59,260 (default: all)")->needs(brec);
}

void add_refinement_options(CLI::App& app, WlCommand& command) {
  app.add_option("-k,--k", command.options.order, "order of the tuples (default: 2)")
      ->check(CLI::Range(1, kMaxOrder));
  app.add_option("--rounds", command.options.rounds, "rounds at most (default: until stable)")
      ->check(CLI::Range(int64_t{0}, int64_t{1} << 40));
  app.add_option("--max-memory", command.max_gibibytes,
                 "memory limit per pair, in GiB; pairs that need more are refused (default: 4)")
      ->check(CLI::Range(0.001, 1e6));
  app.add_option("--evaluation", command.evaluation,
                 "all tuples (dense), one an orbit of the automorphism group (compressed), or "
                 "what is cheaper (auto, the default)")
      ->check(CLI::IsMember({"auto", "dense", "compressed"}));
  app.add_flag("--json", command.json, "print one JSON object");
}

}  // namespace

void add_wl_command(CLI::App& app) {
  auto command = std::make_shared<WlCommand>();
  CLI::App* wl = app.add_subcommand(
      "wl", "Tell pairs of graphs apart by k-FWL colour refinement, the bound on k-FloydNet");
  add_input_options(*wl, *command);
  add_refinement_options(*wl, *command);
  wl->footer(
      "Example: floydnet wl --k 3 A.g6 B.g6\n"
      "         floydnet wl --k 3 --brec brec --ids 260-279 --json");
  wl->callback([command] { run_wl(*command); });
}

}  // namespace floydnet
