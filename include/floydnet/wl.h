/// \file
/// Folklore k-WL colour refinement, k = 1..4: the yardstick of what k-FloydNet can tell apart.
///
/// A k-tuple v of nodes starts with the colour of its isomorphism type: graph features, node
/// features, which coordinates are equal, and edges and their features for all ordered pairs of
/// coordinates. A round gives it the colour
///
///     (c(v), {{ (c(v[0<-p]), ..., c(v[k-1<-p])) : p a node }})
///
/// where v[r<-p] is v with its r-th coordinate replaced by the pivot p. For k = 1, where that would
/// leave edges out, the vector is (c(p), isomorphism type of (v, p)): the classical 1-WL. Graphs
/// that are refined together share their colours; they are told apart as soon as the numbers of
/// tuples of each colour differ.
///
/// Evaluation is dense, over all N^k tuples, or compressed, over one representative of each orbit
/// of tuples under the automorphism group, which nauty finds. Both give the same colours.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "floydnet/export.h"
#include "floydnet/graph.h"

namespace floydnet {

enum class WlEvaluation {
  kAuto,        ///< the cheaper one by predicted cost, for each graph
  kDense,       ///< all tuples
  kCompressed,  ///< one tuple an orbit; refuses graphs with edge features
};

struct WlOptions {
  int order = 2;                  ///< k
  std::optional<int64_t> rounds;  ///< at most so many; until stable if not given
  int threads = 1;
  int64_t max_bytes = int64_t{4} << 30;
  WlEvaluation evaluation = WlEvaluation::kAuto;
  bool stop_when_distinguished = true;
};

/// Number of tuples by colour, colours ascending.
using WlHistogram = std::vector<std::pair<uint32_t, int64_t>>;

struct WlRefinement {
  std::vector<WlHistogram> histograms;  ///< one a graph
  int64_t colours = 0;                  ///< different ones, of all graphs together
  int64_t rounds = 0;                   ///< that split a colour
  bool stable = false;                  ///< one more would split none
  int64_t bytes = 0;                    ///< the bound on memory that was checked beforehand
  int64_t evaluated_tuples = 0;         ///< in each round, of all graphs
  bool compressed = false;              ///< at least one graph
};

/// Refines the graphs together. With stop_when_distinguished it ends as soon as no two histograms
/// are equal. Throws InputError if it would need more than max_bytes, std::invalid_argument for an
/// order outside 1..4.
FLOYDNET_EXPORT WlRefinement wl_refine(const std::vector<const Graph*>& graphs,
                                       const WlOptions& options = {});

/// What dense evaluation of graphs of these sizes needs at most, infinity included.
FLOYDNET_EXPORT double wl_dense_bytes(int order, const std::vector<int64_t>& nodes);

struct WlVerdict {
  bool distinguished = false;
  bool sizes_differ = false;  ///< numbers of nodes: distinguished without refinement
  int64_t rounds = 0;
  bool stable = false;
  int64_t colours = 0;
  int64_t bytes = 0;
  int64_t evaluated_tuples = 0;
  bool compressed = false;
  double seconds = 0;
  std::string refusal;  ///< not empty: why the pair was not run (wl_compare_pairs)
};

FLOYDNET_EXPORT WlVerdict wl_compare(const Graph& a, const Graph& b, const WlOptions& options = {});

struct WlPair {
  const Graph* a;
  const Graph* b;
};

/// All pairs: small ones side by side, one a thread, large ones with all threads each. A pair that
/// is too large gets a refusal. `progress`, if given, hears how many pairs are done.
FLOYDNET_EXPORT std::vector<WlVerdict> wl_compare_pairs(
    const std::vector<WlPair>& pairs, const WlOptions& options,
    const std::function<void(int64_t done)>& progress = {});

}  // namespace floydnet
