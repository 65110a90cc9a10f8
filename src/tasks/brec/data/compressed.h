// A frozen k-FloydNet evaluated on one representative of each orbit of tuples, for many copies of a
// graph at a time.
//
// The states of tuples in one orbit of the automorphism group are equal, so a block computes one
// state for each orbit, with all N pivots looked up through the map from tuples to orbits. Means
// over tuples weigh each orbit by its size. Up to rounding the result is that of the dense form.
//
// A relabelled copy has the same orbits and the same sums in another order. Where sums have few
// different terms, as here, that hardly changes how they round: errors would be nearly the same in
// all copies of a graph, and look like a difference between two graphs. So rounding is made random,
// as in Monte Carlo arithmetic: wherever states are normalised, each copy's means and factors are
// changed by up to kDither, which also makes all rounding that follows differ from copy to copy.
// Pivots are summed in a random order, another one for each kLanes copies.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "floydnet/graph.h"
#include "tasks/brec/data/frozen.h"

namespace floydnet::brec {

/// 64 times the rounding unit: enough to hide it.
constexpr double kDither = 0x1p-47;

/// A graph, ready to be evaluated.
class OrbitNetwork {
 public:
  struct Options {
    bool always_compressed = false;  // else all tuples are evaluated where symmetry saves little
    int threads = 1;
    int64_t max_bytes = int64_t{4} << 30;
    double dither = kDither;
  };

  /// Finds the orbits. Throws InputError if more than max_bytes would be needed. `weights` must
  /// outlive this.
  OrbitNetwork(const FrozenWeights& weights, Graph graph, const Options& options);
  ~OrbitNetwork();
  OrbitNetwork(OrbitNetwork&&) noexcept;

  bool compressed() const;
  /// Representatives times pivots: what one block of one copy looks up.
  double lookups() const;

  /// For each copy the means over all tuples of the states before each Norm of the first `depth`
  /// blocks, [copies, (1 + depth) * dim], Init's first. They do not depend on the number of
  /// threads.
  std::vector<double> means(int64_t copies, uint64_t seed, int64_t depth);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace floydnet::brec
