// What a training run has left in its folder: config.json, metrics.jsonl and, once it has ended,
// results.json. docs/report.md has the format.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/metrics.h"
#include "record/table.h"

namespace floydnet::record {

/// A number that a file does not have, or has as null since JSON has no NaN, is NaN.
struct TrainPoint {
  int64_t step = 0;
  double seconds = 0;
  double loss = 0;
  double learning_rate = 0;
  double gradient_norm = 0;
  double examples_per_second = 0;
  double cpu_seconds = std::numeric_limits<double>::quiet_NaN();  // of all ranks
};

struct Evaluation {
  int64_t step = 0;
  double seconds = 0;
  std::string split;
  Metrics metrics;
  double cpu_seconds = std::numeric_limits<double>::quiet_NaN();
};

struct Note {
  int64_t step = 0;
  double seconds = 0;
  std::string text;
};

struct MetricsLog {
  std::optional<Goal> goal;
  std::vector<TrainPoint> train;        // by step
  std::vector<Evaluation> evaluations;  // by step
  std::vector<Note> notes;              // as they came
};

struct Results {
  int64_t step = 0;
  std::optional<int64_t> best_step;
  int64_t bad_steps = 0;
  double seconds = 0;
  double cpu_seconds = 0;
  SplitMetrics splits;
  std::vector<Table> tables;
};

struct RunRecord {
  std::string folder;
  std::string task;
  nlohmann::json config;
  MetricsLog log;
  std::optional<Results> results;  // none while the run is training
};

/// The lines of metrics.jsonl and the text of results.json, which the functions below read.
nlohmann::json line_of(const Goal& goal);
nlohmann::json line_of(const TrainPoint& point);
nlohmann::json line_of(const Evaluation& evaluation);
nlohmann::json line_of(const Note& note);
nlohmann::json to_json(const SplitMetrics& splits);
nlohmann::json to_json(const Results& results);

/// The parts of a folder; `source` is for messages. Each throws InputError if the text is no such
/// file.
nlohmann::json parse_config(std::string_view text, const std::string& source);
/// A resumed run may repeat steps: of lines for the same step, and split if they have one, the last
/// stands.
MetricsLog parse_metrics(std::string_view text, const std::string& source);
Results parse_results(std::string_view text, const std::string& source);

/// InputError if the folder holds no run. One that has just begun may lack metrics.jsonl.
RunRecord read_run(const std::string& folder);

}  // namespace floydnet::record
