#include "tasks/tsp/data/generator.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>
#include <vector>

#include "base/draws.h"
#include "base/require.h"

namespace floydnet::tsp {
namespace {

/// Keeps what is drawn for different purposes apart.
constexpr std::uint64_t kPerturbationKey = 2;
constexpr std::int32_t kLargestPerturbed = 20000;

std::vector<std::int32_t> random_weights(std::size_t n, Draws& draws) {
  std::vector<std::int32_t> weights(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      weights[i * n + j] = weights[j * n + i] =
          static_cast<std::int32_t>(1 + draws.below(kLargestNumber));
    }
  }
  return weights;
}

/// Taken from all places there are, so that none comes twice.
std::vector<Point> random_points(int count, Draws& draws) {
  std::vector<int> places(static_cast<std::size_t>(kLargestNumber * kLargestNumber));
  std::iota(places.begin(), places.end(), 0);
  std::vector<Point> points;
  for (int i = 0; i < count; ++i) {
    const int place = draws.take(places);
    const int x = 1 + place % kLargestNumber, y = 1 + place / kLargestNumber;
    points.push_back({static_cast<double>(x), static_cast<double>(y)});
  }
  return points;
}

}  // namespace

const char* name_of(Kind kind) { return kind == Kind::kExplicit ? "explicit" : "euclidean"; }

Problem random_problem(Kind kind, int cities, std::uint64_t seed, std::uint64_t index) {
  require(cities >= 1 && cities <= kLargestNumber * kLargestNumber, "{} cities", cities);
  Draws draws({seed, static_cast<std::uint64_t>(kind), static_cast<std::uint64_t>(cities), index});
  Problem problem;
  problem.name = fmt::format("{}-{}-{}-{}", name_of(kind), cities, seed, index);
  if (kind == Kind::kExplicit) {
    problem.weights = random_weights(static_cast<std::size_t>(cities), draws);
  } else {
    problem.metric = Metric::kEuc2d;
    problem.points = random_points(cities, draws);
  }
  return problem;
}

Instance perturbed(const Instance& instance, std::uint64_t seed, std::uint64_t index) {
  const auto n = static_cast<std::size_t>(instance.cities());
  Draws draws({seed, kPerturbationKey, n, index});
  std::vector<std::int32_t> weights(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t* row = instance.row(static_cast<int>(i));
    for (std::size_t j = 0; j < i; ++j) {
      require(row[j] <= kLargestPerturbed, "a weight of {} cannot be perturbed", row[j]);
      weights[i * n + j] = weights[j * n + i] =
          row[j] * kPerturbationScale + static_cast<std::int32_t>(draws.below(kPerturbation + 1));
    }
  }
  return {instance.name(), instance.cities(), std::move(weights)};
}

}  // namespace floydnet::tsp
