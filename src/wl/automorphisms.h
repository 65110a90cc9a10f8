// Automorphisms of a graph, from nauty.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "floydnet/graph.h"

namespace floydnet::wl {

/// Image of each node.
using Permutation = std::vector<uint16_t>;
/// The most nodes of a graph whose automorphisms can be asked for.
constexpr int64_t kMaxPermutationNodes = 65535;

struct AutomorphismGroup {
  std::vector<Permutation> generators;  // none for the trivial group
  double order = 1;                     // infinite if it does not fit
};

/// The automorphisms that keep node features, edges and loops. A graph with edge features is
/// refused by std::invalid_argument: nauty knows of none.
class Automorphisms {
 public:
  explicit Automorphisms(const Graph& graph);
  ~Automorphisms();
  Automorphisms(const Automorphisms&) = delete;
  Automorphisms& operator=(const Automorphisms&) = delete;

  int64_t nodes() const;
  /// Those that fix each of these nodes.
  AutomorphismGroup stabiliser(const std::vector<int32_t>& fixed) const;
  /// A text that two graphs share exactly if they are isomorphic, given that their node features
  /// take the same values.
  std::vector<uint64_t> canonical_form() const;

 private:
  struct Matrix;
  std::unique_ptr<Matrix> matrix_;
};

}  // namespace floydnet::wl
