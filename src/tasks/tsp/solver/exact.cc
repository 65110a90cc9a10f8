#include "tasks/tsp/solver/exact.h"

#include <algorithm>
#include <cmath>

#include "tasks/tsp/solver/branch_and_cut.h"
#include "tasks/tsp/solver/limit.h"
#include "tasks/tsp/solver/lin_kernighan.h"
#include "tasks/tsp/solver/prove.h"

namespace floydnet::tsp {
namespace {

constexpr int kTrivialCities = 3;

Tour first_tour(const Instance& instance, const ExactOptions& options, const Limit& limit) {
  LinKernighanOptions lk;
  lk.seed = options.seed;
  lk.kicks = options.kicks >= 0 ? options.kicks : instance.cities();
  lk.time_limit = std::isfinite(limit.left()) ? limit.left() / 4 : limit.left();
  lk.stop = options.stop;
  return lin_kernighan(instance, lk).tour;
}

}  // namespace

ExactResult solve_exact(const Instance& instance, const ExactOptions& options) {
  const Limit limit(options.time_limit, options.stop);
  ExactResult result;
  result.tour = first_tour(instance, options, limit);
  result.length = tour_length(instance, result.tour);
  if (instance.cities() <= kTrivialCities) {
    result.bound = result.length;
    result.proven = true;
    if (options.certificate) result.certificate = trivial_certificate(instance, result.tour);
  } else {
    BranchAndCut search(instance, options, limit, result.tour, /*forbid_start=*/false);
    search.run();
    result.tour = search.best();
    result.length = search.best_length();
    result.bound = search.lower_bound();
    result.proven = search.complete();
    result.nodes = static_cast<std::int64_t>(search.nodes().size());
    result.cuts = search.pool().size();
    if (options.certificate && result.proven) {
      result.certificate = certificate_of(instance, search);
    }
  }
  result.seconds = limit.elapsed();
  return result;
}

UniquenessResult check_unique(const Instance& instance, const Tour& tour,
                              const ExactOptions& options) {
  check_tour(tour, instance.cities());
  if (instance.cities() <= kTrivialCities) return {Uniqueness::kUnique, {}};
  const Limit limit(options.time_limit, options.stop);
  BranchAndCut search(instance, options, limit, tour, /*forbid_start=*/true);
  search.run();
  if (search.found_other()) return {Uniqueness::kNotUnique, search.best()};
  return {search.complete() ? Uniqueness::kUnique : Uniqueness::kUnknown, {}};
}

}  // namespace floydnet::tsp
