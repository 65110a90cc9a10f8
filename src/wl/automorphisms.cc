#include "wl/automorphisms.h"

#include <nauty/nauty.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "wl/atoms.h"

namespace floydnet::wl {
namespace {

/// nauty hands each generator to a function without a context.
thread_local std::vector<Permutation>* generators_found = nullptr;

void keep_generator(int /*count*/, int* images, int* /*orbits*/, int /*orbit_count*/,
                    int /*fixed_node*/, int n) {
  generators_found->emplace_back(images, images + n);
}

bool has_loop(const Graph& source) {
  return std::any_of(source.edges().begin(), source.edges().end(),
                     [](const Graph::Edge& edge) { return edge.first == edge.second; });
}

}  // namespace

/// The adjacency matrix in nauty's bits, and the nodes' classes.
struct Automorphisms::Matrix {
  int n = 0;
  int words = 0;  // setwords of a row
  bool directed_or_loops = false;
  std::vector<setword> bits;
  std::vector<uint32_t> classes;

  /// Nodes by class, and zero where a class ends, as nauty wants a partition. Fixed nodes are
  /// classes of their own, in the order given.
  void partition(const std::vector<int32_t>& fixed, std::vector<int>& nodes,
                 std::vector<int>& ends) const {
    std::vector<uint64_t> of_node(classes.begin(), classes.end());
    for (size_t i = 0; i < fixed.size(); ++i) {
      uint64_t& its = of_node[static_cast<size_t>(fixed[i])];
      if (its >> 32 == 0) its |= (i + 1) << 32;
    }
    nodes.resize(static_cast<size_t>(n));
    std::iota(nodes.begin(), nodes.end(), 0);
    const auto class_of = [&](int node) { return of_node[static_cast<size_t>(node)]; };
    std::stable_sort(nodes.begin(), nodes.end(),
                     [&](int a, int b) { return class_of(a) < class_of(b); });
    ends.assign(static_cast<size_t>(n), 0);
    for (size_t i = 0; i + 1 < nodes.size(); ++i) {
      ends[i] = class_of(nodes[i]) == class_of(nodes[i + 1]) ? 1 : 0;
    }
  }

  /// Runs nauty; `canonical` is filled if it is not null.
  statsblk run(const std::vector<int32_t>& fixed, std::vector<setword>* canonical) const {
    std::vector<int> nodes;
    std::vector<int> ends;
    partition(fixed, nodes, ends);
    std::vector<int> orbits(static_cast<size_t>(n));
    DEFAULTOPTIONS_GRAPH(options);
    options.defaultptn = FALSE;
    options.digraph = directed_or_loops ? TRUE : FALSE;
    options.getcanon = canonical != nullptr ? TRUE : FALSE;
    options.userautomproc = keep_generator;
    statsblk statistics;
    std::vector<setword> graph_bits = bits;  // nauty does not promise to leave them alone
    densenauty(graph_bits.data(), nodes.data(), ends.data(), orbits.data(), &options, &statistics,
               words, n, canonical != nullptr ? canonical->data() : nullptr);
    if (statistics.errstatus != 0) {
      throw std::runtime_error("nauty failed with status " + std::to_string(statistics.errstatus));
    }
    return statistics;
  }
};

Automorphisms::Automorphisms(const Graph& source) : matrix_(std::make_unique<Matrix>()) {
  if (source.nodes() > kMaxPermutationNodes) {
    throw std::invalid_argument(std::to_string(source.nodes()) + " nodes, wanted at most " +
                                std::to_string(kMaxPermutationNodes));
  }
  if (source.edge_features.category_columns + source.edge_features.real_columns > 0) {
    throw std::invalid_argument("automorphisms of a graph with edge features are not known");
  }
  Matrix& m = *matrix_;
  m.n = static_cast<int>(source.nodes());
  m.words = SETWORDSNEEDED(m.n);
  m.directed_or_loops = source.directed() || has_loop(source);
  m.bits.assign(static_cast<size_t>(m.n) * static_cast<size_t>(m.words), 0);
  const auto row = [&](int64_t v) { return m.bits.data() + v * m.words; };
  for (const auto& [from, to] : source.edges()) {
    ADDELEMENT(row(from), to);
    if (!source.directed()) ADDELEMENT(row(to), from);
  }
  m.classes = node_classes(source);
}

Automorphisms::~Automorphisms() = default;

int64_t Automorphisms::nodes() const { return matrix_->n; }

AutomorphismGroup Automorphisms::stabiliser(const std::vector<int32_t>& fixed) const {
  AutomorphismGroup group;
  if (matrix_->n == 0) return group;
  generators_found = &group.generators;
  const statsblk statistics = matrix_->run(fixed, nullptr);
  generators_found = nullptr;
  group.order = statistics.grpsize1 * std::pow(10.0, statistics.grpsize2);
  return group;
}

std::vector<uint64_t> Automorphisms::canonical_form() const {
  std::vector<uint64_t> form = {static_cast<uint64_t>(matrix_->n)};
  if (matrix_->n == 0) return form;
  std::vector<Permutation> ignored;
  generators_found = &ignored;
  std::vector<setword> canonical(matrix_->bits.size());
  matrix_->run({}, &canonical);
  generators_found = nullptr;
  form.insert(form.end(), canonical.begin(), canonical.end());
  std::vector<uint32_t> classes = matrix_->classes;
  std::sort(classes.begin(), classes.end());
  form.insert(form.end(), classes.begin(), classes.end());
  return form;
}

}  // namespace floydnet::wl
