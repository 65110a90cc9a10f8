// What a model is told of the edges of an instance: weights alone, never points.
#pragma once

#include <vector>

#include "tasks/tsp/data/instance.h"

namespace floydnet::tsp {

/// Numbers of an ordered pair (i, j), none of which grows with the number of cities or the unit of
/// weights: [i = j]; the weight over the mean weight, itself and its logarithm; how near j is to i
/// among all cities, and i to j, each at two scales; by how much the edge is longer than i's
/// shortest, and than j's.
inline constexpr int kEdgeFeatures = 9;

/// [cities, cities, kEdgeFeatures]
std::vector<float> edge_features(const Instance& instance);

/// [cities, cities]: for each i, how many cities are nearer than j; those as near count half. -1
/// where i = j.
std::vector<float> edge_ranks(const Instance& instance);

/// Weights as the published models take them, as categories below kPublishedCategories.
inline constexpr int kPublishedCategories = 220;
/// [cities, cities]. Throws InputError for weights that are none.
std::vector<std::int64_t> edge_categories(const Instance& instance);

}  // namespace floydnet::tsp
