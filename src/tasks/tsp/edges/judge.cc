#include "tasks/tsp/edges/judge.h"

#include <limits>

#include "tasks/tsp/solver/lin_kernighan.h"

namespace floydnet::tsp {
namespace {

Length repaired_length(const Instance& instance, const Tour& start) {
  LinKernighanOptions options;
  options.start = start;
  return lin_kernighan(instance, options).length;
}

}  // namespace

JudgedSample judge_sample(const Instance& instance, const Tour& optimal, const float* scores) {
  const StrictDecoding decoding = decode_strictly(scores, instance.cities(), optimal);
  JudgedSample judged;
  judged.kind = decoding.kind;
  if (decoding.kind == Decoded::kTour) judged.strict = tour_length(instance, decoding.tour);
  judged.f1 = f1_score(decoding, instance.cities());
  const Tour merged = decode_greedily(instance, scores);
  judged.merged = tour_length(instance, merged);
  judged.repaired = repaired_length(instance, merged);
  judged.tour = decoding.kind == Decoded::kTour ? decoding.tour : merged;
  return judged;
}

Baselines make_baselines(const Instance& instance, Length optimum, std::uint64_t seed,
                         double seconds) {
  const auto lk = [&](std::int64_t kicks, double time_limit) {
    LinKernighanOptions options;
    options.seed = seed;
    options.target = optimum;
    options.kicks = kicks;
    options.time_limit = time_limit;
    return lin_kernighan(instance, options).length;
  };
  constexpr double kForEver = std::numeric_limits<double>::infinity();
  constexpr std::int64_t kMostKicks = 1'000'000'000;
  const Tour prior = decode_greedily(instance, nearness_scores(instance).data());
  return {lk(0, kForEver),
          lk(instance.cities(), kForEver),
          lk(10 * instance.cities(), kForEver),
          lk(kMostKicks, seconds),
          tour_length(instance, prior),
          repaired_length(instance, prior)};
}

}  // namespace floydnet::tsp
