// What several runs have in common and what not, as a report shows it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/run.h"
#include "report/curve.h"

namespace floydnet::report {

using record::Evaluation;
using record::Metrics;
using record::Note;
using record::RunRecord;
using record::TrainPoint;

/// For each run a short name: the last part of its folder, or as much more as tells it apart.
std::vector<std::string> run_names(const std::vector<RunRecord>& runs);

/// A metric on a split.
struct Measure {
  std::string metric;
  std::string split;

  bool operator<(const Measure& other) const;
  bool operator==(const Measure& other) const;
};

/// All that any of the runs has evaluated, each once: the runs' goals, then the goals' metrics on
/// other splits, then all others, those without a slash in their names first; splits in the order
/// training, validation, test, others.
std::vector<Measure> measures(const std::vector<RunRecord>& runs);

/// What the seconds of a curve's points are.
enum class Clock { kWall, kCpu };
/// CPU time, which other work on the machine does not stretch, if all runs have logged it.
Clock best_clock(const std::vector<RunRecord>& runs);

Curve measure_curve(const RunRecord& run, const Measure& measure, Clock clock);
/// One of the numbers that training steps have, such as &TrainPoint::loss.
Curve train_curve(const RunRecord& run, double TrainPoint::*number, Clock clock);

struct Reached {
  Measure measure;
  double value = 0;
  int64_t step = 0;
  bool best = false;  // or else the last so far
};
/// What the run's goal names, at the best step so far as far as that is known. A run without a goal
/// is judged by the first of its validation metrics. None before the first evaluation.
std::optional<Reached> reached(const RunRecord& run);
/// The number in results.json; of an unfinished run, its last so far.
std::optional<double> final_value(const RunRecord& run, const Measure& measure);

int64_t steps_of(const RunRecord& run);
/// NaN if not known.
double seconds_of(const RunRecord& run);

/// "train.learning_rate" and its value in each run, as text; none where a run lacks the key.
struct Setting {
  std::string key;
  std::vector<std::optional<std::string>> values;
};
/// Only settings that are not the same in all runs.
std::vector<Setting> config_differences(const std::vector<RunRecord>& runs);

}  // namespace floydnet::report
