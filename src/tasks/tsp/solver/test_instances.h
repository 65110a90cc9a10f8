// Random instances and slow, plain solvers, for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "tasks/tsp/data/instance.h"

namespace floydnet::tsp {

/// Weights uniform in [least, largest].
inline Instance random_matrix(int cities, std::uint64_t seed, std::int32_t least,
                              std::int32_t largest) {
  std::mt19937_64 random(seed);
  const auto range = static_cast<std::uint64_t>(largest) - static_cast<std::uint64_t>(least) + 1;
  const auto n = static_cast<std::size_t>(cities);
  std::vector<std::int32_t> weights(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      weights[i * n + j] = weights[j * n + i] = least + static_cast<std::int32_t>(random() % range);
    }
  }
  return {"matrix", cities, weights};
}

/// Integer points in [1, side]^2, perhaps the same ones twice; distances rounded.
inline Instance random_points(int cities, std::uint64_t seed, int side) {
  std::mt19937_64 random(seed);
  std::vector<Point> points;
  for (int i = 0; i < cities; ++i) {
    const double x = static_cast<double>(random() % static_cast<std::uint64_t>(side)) + 1;
    const double y = static_cast<double>(random() % static_cast<std::uint64_t>(side)) + 1;
    points.push_back({x, y});
  }
  std::vector<std::int32_t> weights;
  for (const Point& a : points) {
    for (const Point& b : points) {
      weights.push_back(static_cast<std::int32_t>(std::hypot(a.x - b.x, a.y - b.y) + 0.5));
    }
  }
  Instance instance("points", cities, weights);
  instance.points = points;
  return instance;
}

/// All kinds in turn: points and matrices, many ties, large weights.
inline Instance random_instance(int cities, std::uint64_t seed) {
  switch (seed % 6) {
    case 0:
      return random_points(cities, seed, 100);
    case 1:
      return random_points(cities, seed, 4);
    case 2:
      return random_matrix(cities, seed, 1, 100);
    case 3:
      return random_matrix(cities, seed, 0, 2);
    case 4:
      return random_matrix(cities, seed, 0, std::numeric_limits<std::int32_t>::max());
    default:
      return random_matrix(cities, seed, 2147483000, std::numeric_limits<std::int32_t>::max());
  }
}

/// Held and Karp's recursion, over paths from the last city: the optimal length, and how many tours
/// have it. For three cities or more.
inline std::pair<Length, std::int64_t> count_optima(const Instance& instance) {
  const int last = instance.cities() - 1;
  struct Paths {
    Length length = std::numeric_limits<Length>::max() / 2;
    std::int64_t count = 0;
    void add(Length its_length, std::int64_t its_count) {
      if (its_length < length) {
        length = its_length;
        count = 0;
      }
      if (its_length == length) count += its_count;
    }
  };
  const std::size_t sets = std::size_t{1} << last;
  std::vector<std::vector<Paths>> best(sets, std::vector<Paths>(static_cast<std::size_t>(last)));
  for (int i = 0; i < last; ++i) best[std::size_t{1} << i][i].add(instance.weight(last, i), 1);
  for (std::size_t set = 1; set < sets; ++set) {
    for (int i = 0; i < last; ++i) {
      if (best[set][i].count == 0) continue;
      for (int j = 0; j < last; ++j) {
        if ((set >> j & 1) != 0) continue;
        best[set | std::size_t{1} << j][j].add(best[set][i].length + instance.weight(i, j),
                                               best[set][i].count);
      }
    }
  }
  Paths tours;
  for (int i = 0; i < last; ++i) {
    tours.add(best[sets - 1][i].length + instance.weight(i, last), best[sets - 1][i].count);
  }
  return {tours.length, tours.count / 2};  // either direction
}

}  // namespace floydnet::tsp
