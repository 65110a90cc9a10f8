// Random instances of the paper's two kinds, the same on every machine.
#pragma once

#include <cstdint>
#include <string>

#include "tasks/tsp/data/problem.h"

namespace floydnet::tsp {

enum class Kind {
  kExplicit,  ///< symmetric weights, integers uniform in [1, 100]
  kEuclidean  ///< different points, integers uniform in [1, 100]^2; EUC_2D distances
};
const char* name_of(Kind kind);

/// Of coordinates and weights.
inline constexpr int kLargestNumber = 100;

/// Depends on nothing but the arguments. At most kLargestNumber^2 cities.
Problem random_problem(Kind kind, int cities, std::uint64_t seed, std::uint64_t index);

/// The same instance with ties between tours broken at random: weights times kPerturbationScale,
/// plus integers uniform in [0, kPerturbation]. With fewer than 500 cities these add up to less
/// than one unit of weight, so an optimal tour of it is an optimal tour of the instance. Weights
/// must be at most 20000.
Instance perturbed(const Instance& instance, std::uint64_t seed, std::uint64_t index);
inline constexpr int kPerturbationScale = 100000;
inline constexpr int kPerturbation = 200;

}  // namespace floydnet::tsp
