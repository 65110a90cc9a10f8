// How good sampled edges are, beside heuristics that know nothing of the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tasks/tsp/edges/decode.h"

namespace floydnet::tsp {

/// One sample.
struct JudgedSample {
  Decoded kind = Decoded::kIncomplete;
  Length strict = 0;  ///< of kTour
  double f1 = 0;
  Length merged = 0;    ///< edges merged by score
  Length repaired = 0;  ///< the same, after Lin-Kernighan without kicks
  Tour tour = {};       ///< of strict decoding, or else merged

  Length length() const { return kind == Decoded::kTour ? strict : merged; }  ///< of `tour`
};
JudgedSample judge_sample(const Instance& instance, const Tour& optimal, const float* scores);

/// Lengths of tours that no model had a part in.
struct Baselines {
  Length lk = 0, lk_1 = 0, lk_10 = 0;  ///< Lin-Kernighan with 0, 1 and 10 kicks a city
  Length lk_timed = 0;                 ///< with as much time as the samples took
  Length prior = 0;                    ///< edges merged by how near cities are to each other
  Length prior_repaired = 0;
};
/// A search that finds a tour of length `optimum` ends there.
Baselines make_baselines(const Instance& instance, Length optimum, std::uint64_t seed,
                         double seconds);

struct JudgedInstance {
  std::size_t problem = 0;  ///< which of those that were asked for
  int cities = 0;
  Tour optimal = {};
  Length optimum = 0;
  double seconds = 0;  ///< of one sample
  std::vector<JudgedSample> samples = {};
  Baselines baselines = {};
};

}  // namespace floydnet::tsp
