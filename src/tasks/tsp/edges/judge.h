// How good sampled edges are, beside heuristics that know nothing of the model.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "record/table.h"
#include "tasks/tsp/edges/decode.h"

namespace floydnet::tsp {

/// One sample.
struct JudgedSample {
  Decoded kind = Decoded::kIncomplete;
  Length strict = 0;  ///< of kTour
  double f1 = 0;
  Length greedy = 0;    ///< edges merged by score
  Length repaired = 0;  ///< the same, after Lin-Kernighan without kicks
};
JudgedSample judge_sample(const Instance& instance, const Tour& optimal, const float* scores);

/// Lengths of tours that no model had a part in.
struct Baselines {
  Length lk = 0, lk_1 = 0, lk_10 = 0;  ///< Lin-Kernighan with 0, 1 and 10 kicks a city
  Length lk_timed = 0;                 ///< with as much time as the samples took
  Length prior = 0;                    ///< edges merged by how near cities are to each other
  Length prior_repaired = 0;
};
Baselines make_baselines(const Instance& instance, std::uint64_t seed, double seconds);

struct JudgedInstance {
  int cities = 0;
  Length optimum = 0;
  double seconds = 0;  ///< of one sample
  std::vector<JudgedSample> samples = {};
  Baselines baselines = {};
};

/// By number of cities. The paper's metrics, from strict decoding: tours, and optimal tours among
/// the first 1, 5 and 10 samples where there are so many; what went wrong with the others; then
/// tours merged and repaired; then the baselines.
record::Table judged_table(const std::vector<JudgedInstance>& instances);
record::Table baselines_table(const std::vector<JudgedInstance>& instances);

/// Optimal tours against the number of cities, beside Lin-Kernighan and the prior; and what strict
/// decoding gives. `trained` are the least and the largest number of cities in training, or 0.
std::string judged_svg(const std::vector<JudgedInstance>& instances, std::pair<int, int> trained);

}  // namespace floydnet::tsp
