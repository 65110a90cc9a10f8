#include "train/metrics_log.h"

#include <chrono>
#include <filesystem>

#include "base/file.h"
#include "floydnet/error.h"

namespace floydnet::train {
namespace {

using Json = nlohmann::json;

/// Up to the first line that is damaged or of a later step.
std::string lines_until(const std::string& text, int64_t step) {
  return text.substr(0, record::for_each_line(text, [step](uint64_t, std::string_view line) {
                       const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
                       return json.is_object() && json.value("step", int64_t{0}) <= step;
                     }));
}

double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

MetricsLog::MetricsLog(const RunFolder& folder, int64_t step, const record::Goal& goal,
                       bool tensorboard, Complain complain)
    : complain_(std::move(complain)) {
  const std::string path = folder.file("metrics.jsonl");
  if (std::filesystem::exists(path)) {
    const std::string text = read_file(path);
    const std::string kept = lines_until(text, step);
    if (kept.size() < text.size()) write_file_atomically(path, kept);
  }
  lines_ = std::make_unique<record::JsonLines>(path);
  if (std::filesystem::file_size(path) == 0) add_line(line_of(goal));
  if (!tensorboard) return;
  events_ = std::make_unique<EventWriter>(folder.file("events.out.tfevents.run"), wall_time());
  if (step > 0) events_->restarted(step + 1, wall_time());
}

void MetricsLog::complain_once(const std::string& problem) {
  if (complain_) complain_(problem);
  complain_ = nullptr;
}

void MetricsLog::add_line(const Json& line) {
  if (!lines_->add(line)) complain_once(lines_->path() + ": a line could not be written");
}

void MetricsLog::add_events(int64_t step, const std::string& prefix,
                            const record::Metrics& values) {
  if (!events_) return;
  record::Metrics tagged;
  for (const auto& [name, value] : values) tagged.emplace_back(prefix + name, value);
  try {
    events_->scalars(step, tagged, wall_time());
    events_->flush();
  } catch (const InputError& error) {
    complain_once(error.what());
  }
}

void MetricsLog::add(const record::Note& note) { add_line(line_of(note)); }

void MetricsLog::add(const record::TrainPoint& point) {
  add_line(line_of(point));
  add_events(point.step, "train/",
             {{"loss", point.loss},
              {"learning_rate", point.learning_rate},
              {"gradient_norm", point.gradient_norm},
              {"examples_per_second", point.examples_per_second}});
}

void MetricsLog::add(const record::Evaluation& evaluation) {
  add_line(line_of(evaluation));
  add_events(evaluation.step, evaluation.split + "/", evaluation.metrics);
}

}  // namespace floydnet::train
