#include "tasks/tsp/edges/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "floydnet/error.h"

namespace floydnet::tsp {
namespace {

/// Over all pairs of different cities; 1 where that is 0.
double mean_weight(const Instance& instance) {
  const int n = instance.cities();
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (j != i) sum += static_cast<double>(instance.weight(i, j));
    }
  }
  return sum > 0 ? sum / (static_cast<double>(n) * (n - 1)) : 1;
}

double shortest_edge(const Instance& instance, int i) {
  Length shortest = -1;
  for (int j = 0; j < instance.cities(); ++j) {
    if (j != i && (shortest < 0 || instance.weight(i, j) < shortest)) {
      shortest = instance.weight(i, j);
    }
  }
  return static_cast<double>(std::max<Length>(shortest, 0));
}

/// 1 for the nearest, less for those farther away.
float nearness(float rank, float scale) { return rank < 0 ? 0 : std::exp(-rank / scale); }

}  // namespace

std::vector<float> edge_ranks(const Instance& instance) {
  const int n = instance.cities();
  std::vector<float> ranks(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), -1);
  std::vector<std::int32_t> sorted;
  for (int i = 0; i < n; ++i) {
    const std::int32_t* row = instance.row(i);
    sorted.assign(row, row + n);
    sorted.erase(sorted.begin() + i);
    std::sort(sorted.begin(), sorted.end());
    for (int j = 0; j < n; ++j) {
      if (j == i) continue;
      const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), row[j]);
      const auto nearer = static_cast<float>(first - sorted.begin());
      const auto others = static_cast<float>(last - first - 1);
      ranks[static_cast<std::size_t>(i) * n + j] = nearer + others / 2;
    }
  }
  return ranks;
}

std::vector<float> edge_features(const Instance& instance) {
  constexpr float kNear = 2, kFar = 8;
  const int n = instance.cities();
  const double mean = mean_weight(instance);
  const std::vector<float> ranks = edge_ranks(instance);
  std::vector<double> shortest;
  for (int i = 0; i < n; ++i) shortest.push_back(shortest_edge(instance, i));
  std::vector<float> features;
  features.reserve(ranks.size() * kEdgeFeatures);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (i == j) {
        features.push_back(1);
        features.insert(features.end(), kEdgeFeatures - 1, 0);
        continue;
      }
      const auto weight = static_cast<double>(instance.weight(i, j));
      const float rank = ranks[static_cast<std::size_t>(i) * n + j];
      const float back = ranks[static_cast<std::size_t>(j) * n + i];
      const double columns[kEdgeFeatures] = {0,
                                             weight / mean,
                                             std::log((weight + 0.01 * mean) / mean),
                                             nearness(rank, kNear),
                                             nearness(rank, kFar),
                                             nearness(back, kNear),
                                             nearness(back, kFar),
                                             (weight - shortest[i]) / mean,
                                             (weight - shortest[j]) / mean};
      for (const double column : columns) features.push_back(static_cast<float>(column));
    }
  }
  return features;
}

std::vector<std::int64_t> edge_categories(const Instance& instance) {
  const int n = instance.cities();
  std::vector<std::int64_t> categories;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const Length weight = i == j ? 0 : instance.weight(i, j);
      if (weight >= kPublishedCategories) {
        throw InputError::in(
            instance.name(),
            fmt::format("the edge {}-{} weighs {}; a published model knows weights below {}", i + 1,
                        j + 1, weight, kPublishedCategories));
      }
      categories.push_back(weight);
    }
  }
  return categories;
}

}  // namespace floydnet::tsp
