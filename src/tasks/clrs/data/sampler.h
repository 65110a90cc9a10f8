// Random problems for the 30 algorithms, draw by draw as the official samplers make them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tasks/clrs/data/problem.h"
#include "tasks/clrs/data/random_state.h"

namespace floydnet::clrs {

enum class GraphFamily {
  kClrs,  // the official samplers' Erdős–Rényi graphs, self-loops included
  kSalsa  // SALSA-CLRS's: connected, sparse, no loops; undirected problems only
};

struct SamplerOptions {
  int64_t length = 16;
  /// One of them is drawn for each graph; empty stands for the sampler's own.
  std::vector<double> edge_probabilities;
  /// Of string matching: m > 0 is m, -m is random in 1..m, 0 is a fifth of the length.
  int64_t needle_length = 0;
  GraphFamily graphs = GraphFamily::kClrs;
};

/// Matrices of 16384 x 16384 doubles take 2 GB; nothing here is meant to go further.
constexpr int64_t kMaxLength = 16384;

/// Of the alphabet that strings are drawn from.
constexpr int64_t kCharacters = 4;

struct Sampler {
  Problem (*draw)(RandomState&, const SamplerOptions&) = nullptr;
  int64_t least_length = 2;
  bool undirected = false;  // its graphs may be of any family
  bool matches_strings = false;

  /// InputError, naming the algorithm, for options that it cannot be drawn with.
  void check(const SamplerOptions& options, const std::string& algorithm) const;
};

// Sequences and strings.
extern const Sampler kSortingSampler, kSearchSampler, kMaxSubarraySampler, kLcsSampler,
    kOptimalBstSampler, kActivitySampler, kTaskSampler, kMatcherSampler;
// Graphs.
extern const Sampler kDfsSampler, kBfsSampler, kTopologicalSampler, kArticulationSampler,
    kSpanningTreeSampler, kShortestPathSampler, kDagPathSampler, kAllPairsSampler,
    kComponentsSampler;
// Points in the plane.
extern const Sampler kSegmentsSampler, kHullSampler;

/// Whether the segments from point 0 to 1 and from 2 to 3 cross.
bool segments_cross(const Reals& x, const Reals& y);

/// NumPy's sum of a contiguous array, whose rounding depends on its order of additions.
double pairwise_sum(const double* values, int64_t count);

}  // namespace floydnet::clrs
