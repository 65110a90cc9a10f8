#include "tasks/tsp/dataset/attempt.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tasks/tsp/solver/lin_kernighan.h"

namespace floydnet::tsp {
namespace {

Tour from_least_city(Tour tour) {
  std::rotate(tour.begin(), std::min_element(tour.begin(), tour.end()), tour.end());
  if (tour.size() > 2 && tour[1] > tour.back()) std::reverse(tour.begin() + 1, tour.end());
  return tour;
}

/// Whether the optimum of the perturbed instance is the same tour.
bool survives_perturbation(const Instance& instance, const Tour& tour, std::uint64_t seed,
                           std::int64_t index, const ExactOptions& exact) {
  const ExactResult again =
      solve_exact(perturbed(instance, seed, static_cast<std::uint64_t>(index)), exact);
  return again.proven && same_cycle(again.tour, tour);
}

}  // namespace

const char* name_of(Filter filter) {
  if (filter == Filter::kNone) return "none";
  return filter == Filter::kPerturb ? "perturb" : "unique";
}

bool same_cycle(const Tour& a, const Tour& b) { return from_least_city(a) == from_least_city(b); }

Attempt make_attempt(const AttemptOptions& options, int cities, std::int64_t index,
                     const std::atomic<bool>& stop) {
  Attempt attempt;
  attempt.index = index;
  const Instance instance = make_instance(
      random_problem(options.kind, cities, options.seed, static_cast<std::uint64_t>(index)));
  ExactOptions exact;
  exact.seed = options.seed;
  exact.time_limit = options.time_limit;
  exact.stop = &stop;
  ExactResult result = solve_exact(instance, exact);
  attempt.solved = result.proven;
  if (!attempt.solved) return attempt;
  if (options.filter == Filter::kPerturb &&
      !survives_perturbation(instance, result.tour, options.seed, index, exact)) {
    return attempt;
  }
  attempt.unique = check_unique(instance, result.tour, exact).uniqueness;
  attempt.kept = options.filter != Filter::kUnique || attempt.unique == Uniqueness::kUnique;
  if (!attempt.kept) return attempt;
  LinKernighanOptions lk;
  lk.seed = options.seed;
  lk.kicks = options.kicks_per_city * cities;
  attempt.baseline = lin_kernighan(instance, lk).length;
  attempt.optimum = result.length;
  attempt.tour = from_least_city(std::move(result.tour));
  return attempt;
}

nlohmann::json Attempt::to_json() const {
  nlohmann::json json = {{"attempt", index}, {"solved", solved}, {"kept", kept}};
  if (kept) {
    json.update({{"optimum", optimum},
                 {"lk_length", baseline},
                 {"unique", static_cast<int>(unique)},
                 {"tour", tour}});
  }
  return json;
}

Attempt Attempt::from_json(const nlohmann::json& json, int cities) {
  Attempt attempt;
  attempt.index = json.at("attempt").get<std::int64_t>();
  attempt.solved = json.at("solved").get<bool>();
  attempt.kept = json.at("kept").get<bool>();
  if (!attempt.kept) return attempt;
  attempt.optimum = json.at("optimum").get<Length>();
  attempt.baseline = json.at("lk_length").get<Length>();
  attempt.unique = static_cast<Uniqueness>(std::clamp(json.at("unique").get<int>(), 0, 2));
  attempt.tour = json.at("tour").get<Tour>();
  check_tour(attempt.tour, cities);
  return attempt;
}

}  // namespace floydnet::tsp
