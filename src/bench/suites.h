// What `floydnet bench` measures: one function a command.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/attention_case.h"
#include "bench/contest.h"
#include "bench/model_case.h"

namespace floydnet::bench {

struct SuiteOptions {
  std::vector<Direction> directions = {Direction::kForward, Direction::kForwardBackward};
  double seconds = 2;        // for each case and direction, at least
  double memory_limit = 2;   // GB that a baseline may be estimated to need
  bool reuse_memory = true;  // from run to run, on all sides; not where memory is measured
  /// Called as results come.
  std::function<void(const Result&)> on_result = {};
};

std::vector<Result> run_attention(const std::vector<AttentionCase>& cases,
                                  const SuiteOptions& options);
std::vector<Result> run_block(const std::vector<BlockCase>& cases, const SuiteOptions& options);
Result run_train_step(const TrainCase& of, const SuiteOptions& options);

/// Exponents of growth with N, by side.
struct Growth {
  std::map<Side, double> time, memory;
};

struct Scaling {
  std::vector<int64_t> nodes;
  std::vector<Result> results;  // one for each of them
  Growth growth;
};

/// The case with 64, 96, 128, ... up to max_nodes nodes, in the first of the options' directions.
Scaling run_scaling(const AttentionCase& of, int64_t max_nodes, const SuiteOptions& options);
std::vector<int64_t> scaling_nodes(int64_t max_nodes);
/// Sides without two measurements are left out; so is memory too small to be seen.
Growth fit_growth(const std::vector<int64_t>& nodes, const std::vector<Result>& results);
/// Runtime and memory against N.
std::string plot_scaling(const AttentionCase& of, const Scaling& scaling);

/// The checksum of outputs and gradients of the fused kernel.
uint64_t signature(const AttentionCase& of);

}  // namespace floydnet::bench
