#include "tasks/tsp/solver/exact.h"

#include <algorithm>
#include <cmath>

#include "tasks/tsp/solver/branch_and_cut.h"
#include "tasks/tsp/solver/limit.h"
#include "tasks/tsp/solver/lin_kernighan.h"
#include "tasks/tsp/solver/prove.h"
#include "tasks/tsp/solver/small_search.h"

namespace floydnet::tsp {
namespace {

constexpr int kTrivialCities = 3;

bool is_small(const Instance& instance) { return instance.cities() <= kMaxSmallCities; }

Tour first_tour(const Instance& instance, const ExactOptions& options, const Limit& limit) {
  LinKernighanOptions lk;
  lk.seed = options.seed;
  lk.kicks = options.kicks >= 0 ? options.kicks : is_small(instance) ? 0 : instance.cities();
  lk.time_limit = std::isfinite(limit.left()) ? limit.left() / 4 : limit.left();
  lk.stop = options.stop;
  return lin_kernighan(instance, lk).tour;
}

/// Another tour of the same length, with a path reversed; empty if there is none.
Tour equal_by_two_opt(const Instance& instance, const Tour& tour) {
  const int n = instance.cities();
  for (int i = 0; i < n; ++i) {
    for (int j = i + 2; j < n - (i == 0 ? 1 : 0); ++j) {
      const int after_i = tour[i + 1];
      const int after_j = tour[(j + 1) % n];
      if (instance.weight(tour[i], after_i) + instance.weight(tour[j], after_j) !=
          instance.weight(tour[i], tour[j]) + instance.weight(after_i, after_j)) {
        continue;
      }
      Tour other = tour;
      std::reverse(other.begin() + i + 1, other.begin() + j + 1);
      return other;
    }
  }
  return {};
}

void branch_and_cut(const Instance& instance, const ExactOptions& options, const Limit& limit,
                    ExactResult& result) {
  BranchAndCut search(instance, options, limit, result.tour, /*forbid_start=*/false);
  search.run();
  result.tour = search.best();
  result.length = search.best_length();
  result.bound = search.lower_bound();
  result.proven = search.complete();
  result.nodes = static_cast<std::int64_t>(search.nodes().size());
  result.cuts = search.pool().size();
  if (options.certificate && result.proven) result.certificate = certificate_of(instance, search);
}

}  // namespace

ExactResult solve_exact(const Instance& instance, const ExactOptions& options) {
  const Limit limit(options.time_limit, options.stop);
  ExactResult result;
  result.tour = first_tour(instance, options, limit);
  if (instance.cities() <= kTrivialCities) {
    result.proven = true;
    if (options.certificate) result.certificate = trivial_certificate(instance, result.tour);
  } else if (is_small(instance) && !options.certificate) {
    SmallSearch search(instance, result.tour, /*forbid_start=*/false);
    result.proven = search.run();
    result.tour = search.best();
    result.nodes = search.nodes();
  }
  result.length = tour_length(instance, result.tour);
  result.bound = result.length;
  if (!result.proven) branch_and_cut(instance, options, limit, result);
  result.seconds = limit.elapsed();
  return result;
}

UniquenessResult check_unique(const Instance& instance, const Tour& tour,
                              const ExactOptions& options) {
  check_tour(tour, instance.cities());
  if (instance.cities() <= kTrivialCities) return {Uniqueness::kUnique, {}};
  Tour other = equal_by_two_opt(instance, tour);
  if (!other.empty()) return {Uniqueness::kNotUnique, std::move(other)};
  const Limit limit(options.time_limit, options.stop);
  if (is_small(instance)) {
    SmallSearch search(instance, tour, /*forbid_start=*/true);
    const bool complete = search.run();
    if (search.found_other()) return {Uniqueness::kNotUnique, search.best()};
    if (complete) return {Uniqueness::kUnique, {}};
  }
  BranchAndCut search(instance, options, limit, tour, /*forbid_start=*/true);
  search.run();
  if (search.found_other()) return {Uniqueness::kNotUnique, search.best()};
  return {search.complete() ? Uniqueness::kUnique : Uniqueness::kUnknown, {}};
}

}  // namespace floydnet::tsp
