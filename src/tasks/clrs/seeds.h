// Runs with several seeds in one table.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "record/table.h"

namespace floydnet::clrs {

/// A run, judged by the official test split.
struct JudgedRun {
  std::string algorithm;
  std::string hints;  ///< model.hints
  int64_t seed = 0;
  double score = 0;  ///< in %, as is `whole`
  double whole = 0;
  double cpu_minutes = 0;  ///< of training
};

/// Reads config.json, results.json and test.json of a folder, which is what `floydnet eval RUN
/// --lengths 64 --set data.test_seed=3 --json` prints. Throws InputError.
JudgedRun read_judged_run(const std::string& folder);

/// Means and standard deviations over seeds; of categories and the total, of each seed's mean.
/// Empty where an algorithm lacks a run with one of the seeds. CPU minutes are of one seed; those
/// of several algorithms add up. Throws InputError if two runs have the same algorithm and seed.
record::Table seeds_table(const std::vector<JudgedRun>& runs);

/// Scores of runs that have one of several names, such as "online" and "offline": a column a name,
/// in the order in which names appear, and a row for each algorithm that has runs. The last row has
/// the means over algorithms that have runs of every name.
record::Table comparison_table(const std::vector<std::pair<std::string, JudgedRun>>& runs);

}  // namespace floydnet::clrs
