// Samplers of graphs: the official Erdős–Rényi and community graphs, and SALSA-CLRS's.
#include <algorithm>
#include <cmath>
#include <utility>

#include "tasks/clrs/data/sampler.h"

namespace floydnet::clrs {
namespace {

constexpr double kWeightFloor = 0.001;  // keeps a product of small weights away from 0

const std::vector<double> kDense = {0.5};
const std::vector<double> kSparse = {0.2};

/// One entry consumes no randomness.
double edge_probability(RandomState& random, const SamplerOptions& options,
                        const std::vector<double>& usual) {
  const std::vector<double>& all =
      options.edge_probabilities.empty() ? usual : options.edge_probabilities;
  return all[random.choice(static_cast<int64_t>(all.size()))];
}

/// Each of the size x size cells is 1 with probability p.
Matrix directed_graph(RandomState& random, int64_t size, double p) {
  const Binomial edge(1, p);
  Matrix graph(size);
  for (int64_t i = 0; i < size; ++i) {
    for (int64_t j = 0; j < size; ++j) graph(i, j) = static_cast<double>(random.binomial(edge));
  }
  return graph;
}

/// Both directions must be drawn, so edges have probability p^2 and loops p.
Matrix undirected_graph(RandomState& random, int64_t size, double p) {
  Matrix graph = directed_graph(random, size, p);
  for (int64_t i = 0; i < size; ++i) {
    for (int64_t j = i + 1; j < size; ++j) graph(i, j) = graph(j, i) = graph(i, j) * graph(j, i);
  }
  return graph;
}

Matrix relabeled(const Matrix& graph, const Nodes& names) {
  Matrix result(graph.size());
  for (int64_t i = 0; i < graph.size(); ++i) {
    for (int64_t j = 0; j < graph.size(); ++j) result(i, j) = graph(names[i], names[j]);
  }
  return result;
}

Matrix acyclic_graph(RandomState& random, int64_t size, double p) {
  Matrix graph = directed_graph(random, size, p);
  for (int64_t i = 0; i < size; ++i) {
    for (int64_t j = 0; j <= i; ++j) graph(i, j) = 0;
  }
  return relabeled(graph, random.permutation(size));
}

Matrix uniform_weights(RandomState& random, int64_t size) {
  Matrix weights(size);
  for (int64_t i = 0; i < size; ++i) {
    for (int64_t j = 0; j < size; ++j) weights(i, j) = random.uniform(0, 1);
  }
  return weights;
}

void multiply(Matrix& graph, const Matrix& weights) {
  for (int64_t i = 0; i < graph.size(); ++i) {
    for (int64_t j = 0; j < graph.size(); ++j) graph(i, j) *= weights(i, j);
  }
}

void weigh_symmetrically(RandomState& random, Matrix& graph) {
  Matrix weights = uniform_weights(random, graph.size());
  for (int64_t i = 0; i < graph.size(); ++i) {
    for (int64_t j = i; j < graph.size(); ++j) {
      weights(i, j) = weights(j, i) = std::sqrt(weights(i, j) * weights(j, i) + kWeightFloor);
    }
  }
  multiply(graph, weights);
}

bool is_connected(const Matrix& graph) {
  Nodes found = {0};
  std::vector<bool> seen(graph.size(), false);
  seen[0] = true;
  for (size_t next = 0; next < found.size(); ++next) {
    for (int64_t j = 0; j < graph.size(); ++j) {
      if (graph(found[next], j) == 0 || seen[j]) continue;
      seen[j] = true;
      found.push_back(j);
    }
  }
  return static_cast<int64_t>(found.size()) == graph.size();
}

/// p is drawn once, around the threshold ln(n) / n of connectedness, and the graph until it is
/// connected.
Matrix salsa_graph(RandomState& random, int64_t size) {
  const auto n = static_cast<double>(size);
  const double p = random.uniform(1, 3) * std::log(n) / n;
  Matrix graph(size);
  do {
    for (int64_t i = 0; i < size; ++i) {
      for (int64_t j = i + 1; j < size; ++j) graph(i, j) = graph(j, i) = random.real() < p ? 1 : 0;
    }
  } while (!is_connected(graph));
  return graph;
}

Problem undirected_problem(RandomState& random, const SamplerOptions& options,
                           const std::vector<double>& usual) {
  Problem problem;
  problem.nodes = options.length;
  if (options.graphs == GraphFamily::kSalsa) {
    problem.graph = salsa_graph(random, options.length);
  } else {
    const double p = edge_probability(random, options, usual);
    problem.graph = undirected_graph(random, options.length, p);
  }
  return problem;
}

Problem weighted_problem(RandomState& random, const SamplerOptions& options,
                         const std::vector<double>& usual) {
  Problem problem = undirected_problem(random, options, usual);
  weigh_symmetrically(random, problem.graph);
  return problem;
}

Problem with_source(RandomState& random, Problem problem) {
  problem.source = random.choice(problem.nodes);
  return problem;
}

/// `make` draws a graph of a size with an edge probability.
Problem directed_problem(RandomState& random, const SamplerOptions& options,
                         Matrix (*make)(RandomState&, int64_t, double)) {
  Problem problem;
  problem.nodes = options.length;
  const double p = edge_probability(random, options, kDense);
  problem.graph = make(random, options.length, p);
  return problem;
}

Problem draw_dfs(RandomState& random, const SamplerOptions& options) {
  if (options.graphs == GraphFamily::kSalsa) return undirected_problem(random, options, kDense);
  return directed_problem(random, options, directed_graph);
}

Problem draw_bfs(RandomState& random, const SamplerOptions& options) {
  return with_source(random, undirected_problem(random, options, kDense));
}

Problem draw_topological(RandomState& random, const SamplerOptions& options) {
  return directed_problem(random, options, acyclic_graph);
}

Problem draw_articulation(RandomState& random, const SamplerOptions& options) {
  return undirected_problem(random, options, kSparse);
}

Problem draw_spanning_tree(RandomState& random, const SamplerOptions& options) {
  return weighted_problem(random, options, kSparse);
}

Problem draw_shortest_path(RandomState& random, const SamplerOptions& options) {
  return with_source(random, weighted_problem(random, options, kDense));
}

Problem draw_dag_path(RandomState& random, const SamplerOptions& options) {
  Problem problem = draw_topological(random, options);
  multiply(problem.graph, uniform_weights(random, problem.nodes));
  return with_source(random, std::move(problem));
}

Problem draw_all_pairs(RandomState& random, const SamplerOptions& options) {
  return weighted_problem(random, options, kDense);
}

constexpr int64_t kCommunities = 4;

/// Communities of equal size, the last with the rest; a few cells are toggled, none of them from a
/// later community to an earlier one, so that components do not merge.
Matrix community_graph(RandomState& random, int64_t size, double p) {
  constexpr double kToggled = 0.01;
  const int64_t each = size / kCommunities;
  Matrix graph(size);
  for (int64_t block = 0; block < kCommunities; ++block) {
    const int64_t start = block * each;
    const int64_t end = block + 1 < kCommunities ? start + each : size;
    const Matrix inside = directed_graph(random, end - start, p);
    for (int64_t i = start; i < end; ++i) {
      for (int64_t j = start; j < end; ++j) graph(i, j) = inside(i - start, j - start);
    }
  }
  const Matrix toggled = directed_graph(random, size, kToggled);
  const auto block_of = [each](int64_t i) { return std::min(i / each, kCommunities - 1); };
  for (int64_t i = 0; i < size; ++i) {
    for (int64_t j = 0; j < size; ++j) {
      if (toggled(i, j) != 0 && block_of(j) >= block_of(i)) graph(i, j) = 1 - graph(i, j);
    }
  }
  return relabeled(graph, random.permutation(size));
}

Problem draw_components(RandomState& random, const SamplerOptions& options) {
  return directed_problem(random, options, community_graph);
}

}  // namespace

const Sampler kDfsSampler{draw_dfs, 2, true};
const Sampler kBfsSampler{draw_bfs, 2, true};
const Sampler kTopologicalSampler{draw_topological};
const Sampler kArticulationSampler{draw_articulation, 2, true};
const Sampler kSpanningTreeSampler{draw_spanning_tree, 2, true};
const Sampler kShortestPathSampler{draw_shortest_path, 2, true};
const Sampler kDagPathSampler{draw_dag_path};
const Sampler kAllPairsSampler{draw_all_pairs, 2, true};
const Sampler kComponentsSampler{draw_components, kCommunities};

}  // namespace floydnet::clrs
