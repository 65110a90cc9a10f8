// floydnet demo: what 2- and 3-FloydNet with random weights can and cannot tell apart.
#include <fmt/format.h>
#include <torch/types.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <stdexcept>

#include "cli/commands.h"
#include "floydnet/model.h"
#include "graph/families.h"

namespace floydnet {
namespace {

struct Pair {
  const char* name;
  Graph a, b;
  int64_t separating_order;  // the least k for which k-FWL tells a from b
};

std::vector<Pair> demo_pairs() {
  const Graph theta = complete_bipartite_graph(2, 3);
  const Graph k33 = complete_bipartite_graph(3, 3);
  const Graph k5 = complete_graph(5);
  return {
      {"two triangles, hexagon", disjoint_union(cycle_graph(3), cycle_graph(3)), cycle_graph(6), 2},
      {"CFI pair over K2,3", cfi_graph(theta, false), cfi_graph(theta, true), 2},
      {"4x4 rook, Shrikhande", rook_graph(4), shrikhande_graph(), 3},
      {"CFI pair over K3,3", cfi_graph(k33, false), cfi_graph(k33, true), 3},
      {"CFI pair over K5", cfi_graph(k5, false), cfi_graph(k5, true), 4},
  };
}

Graph shuffled(const Graph& graph, std::mt19937_64& random) {
  std::vector<int64_t> names(graph.nodes());
  std::iota(names.begin(), names.end(), 0);
  std::shuffle(names.begin(), names.end(), random);
  return graph.relabeled(names);
}

/// Random frozen weights in double precision; a sharp softmax lets small differences survive.
FloydNet random_model(int64_t order, uint64_t seed) {
  torch::manual_seed(seed);
  ModelConfig config;
  config.order = order;
  config.dim = 8;
  config.heads = 2;
  config.depth = 4;
  config.ffn = false;
  config.zero_residual = false;
  config.scale = 5;
  config.readout = Readout::kMean;
  config.graph_outputs = 16;
  FloydNet model(config);
  model->to(torch::kFloat64);
  model->eval();
  return model;
}

torch::Tensor embedding(FloydNet& model, const Graph& graph) {
  torch::NoGradGuard no_grad;
  return model->forward(make_batch({graph}, torch::kFloat64)).graph;
}

struct Distances {
  double between;  // a and b
  double within;   // a and relabelled copies of it: rounding alone
};

Distances compare(FloydNet& model, const Pair& pair, std::mt19937_64& random) {
  const torch::Tensor of_a = embedding(model, pair.a);
  const double size = of_a.norm().item<double>();
  const auto distance = [&](const Graph& graph) {
    return (embedding(model, graph) - of_a).norm().item<double>() / size;
  };
  Distances distances = {distance(pair.b), 0};
  for (int copy = 0; copy < 2; ++copy) {
    distances.within = std::max(distances.within, distance(shuffled(pair.a, random)));
  }
  return distances;
}

// Rounding gives relative distances near 1e-15, a real difference ones above 1e-8.
constexpr double kThreshold = 1e-10;

struct Verdict {
  const char* pair;
  int64_t nodes, order;
  Distances distances;
  bool separated, expected;

  bool agrees() const { return separated == expected && distances.within < kThreshold; }
};

Verdict judge(const Pair& pair, int64_t order, uint64_t seed, std::mt19937_64& random) {
  FloydNet model = random_model(order, seed);
  const Distances distances = compare(model, pair, random);
  return {pair.name,
          pair.a.nodes(),
          order,
          distances,
          distances.between > kThreshold,
          order >= pair.separating_order};
}

const char* word(bool different) { return different ? "different" : "same"; }

void print_heading() {
  fmt::print(
      "k-FloydNet with random weights tells apart exactly the graphs that k-FWL does.\n"
      "Distances are between graph embeddings, relative to their size; 'copies' are relabelled\n"
      "copies of the first graph.\n\n");
  fmt::print("{:<24}{:>6}{:>4}{:>12}{:>12}   {:<10} {}\n", "pair", "nodes", "k", "distance",
             "copies", "FloydNet", "k-FWL");
}

void print_row(const Verdict& v) {
  fmt::print("{:<24}{:>6}{:>4}{:>12.1e}{:>12.1e}   {:<10} {}{}\n", v.pair, v.nodes, v.order,
             v.distances.between, v.distances.within, word(v.separated), word(v.expected),
             v.agrees() ? "" : "   DISAGREE");
  std::fflush(stdout);
}

void print_json(const std::vector<Verdict>& verdicts, double seconds) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Verdict& v : verdicts) {
    rows.push_back({{"pair", v.pair},
                    {"nodes", v.nodes},
                    {"k", v.order},
                    {"distance", v.distances.between},
                    {"copies", v.distances.within},
                    {"floydnet", word(v.separated)},
                    {"fwl", word(v.expected)}});
  }
  fmt::print("{}\n", nlohmann::json{{"verdicts", rows}, {"seconds", seconds}}.dump(2));
}

void run_demo(uint64_t seed, bool as_json) {
  const auto start = std::chrono::steady_clock::now();
  std::mt19937_64 random(seed);
  std::vector<Verdict> verdicts;
  if (!as_json) print_heading();
  for (const Pair& pair : demo_pairs()) {
    for (const int64_t order : {2, 3}) {
      verdicts.push_back(judge(pair, order, seed, random));
      if (!as_json) print_row(verdicts.back());
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const auto agreed =
      std::count_if(verdicts.begin(), verdicts.end(), [](const Verdict& v) { return v.agrees(); });
  if (as_json) {
    print_json(verdicts, seconds.count());
  } else {
    fmt::print("\n{} of {} verdicts as theory says, in {:.1f} s.\n", agreed, verdicts.size(),
               seconds.count());
  }
  if (agreed != static_cast<int64_t>(verdicts.size())) {
    throw std::runtime_error("demo: not every verdict is k-FWL's");
  }
}

}  // namespace

void add_demo_command(CLI::App& app) {
  auto seed = std::make_shared<uint64_t>(1);
  auto as_json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand(
      "demo", "Tell hard pairs of graphs apart with 2- and 3-FloydNet, beside what theory says");
  command->add_option("--seed", *seed, "of the random weights and relabelings (default: 1)")
      ->check(CLI::Range(uint64_t{0}, uint64_t{1} << 62));
  command->add_flag("--json", *as_json, "print one JSON object");
  command->footer("Example: floydnet demo --seed 7");
  command->callback([seed, as_json] { run_demo(*seed, *as_json); });
}

}  // namespace floydnet
