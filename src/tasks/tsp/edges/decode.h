// From what a model says of edges to tours.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/tsp/data/instance.h"

namespace floydnet::tsp {

/// What the edges above the threshold are.
enum class Decoded {
  kTour,
  kIncomplete,    ///< some city has not exactly two of them
  kSeveralCycles  ///< all have two, but they are not one cycle
};
const char* name_of(Decoded decoded);

struct StrictDecoding {
  Decoded kind = Decoded::kIncomplete;
  Tour tour = {};          ///< of kTour
  std::int64_t edges = 0;  ///< above the threshold
  std::int64_t right = 0;  ///< of which are in the reference
};

/// The paper's metric: an edge is one where either direction says more than a half. `scores` are
/// [cities, cities]; `reference` is a tour, for the count of edges that are right.
StrictDecoding decode_strictly(const float* scores, int cities, const Tour& reference);

/// Edges by score, both directions added, each that still fits into a tour.
Tour decode_greedily(const Instance& instance, const float* scores);

/// The edges' own order: scores for decode_greedily by how near cities are to each other, which any
/// model should beat.
std::vector<float> nearness_scores(const Instance& instance);

/// 2 right / (edges + cities)
double f1_score(const StrictDecoding& decoding, int cities);

}  // namespace floydnet::tsp
