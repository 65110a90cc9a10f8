#include "train/metrics_log.h"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "base/file.h"
#include "base/json_text.h"
#include "floydnet/error.h"

namespace floydnet::train {
namespace {

using Json = nlohmann::json;

/// The text up to the first line that is damaged or of a later step.
std::string lines_until(const std::string& text, int64_t step) {
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;
    const Json line = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                  text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (!line.is_object() || line.value("step", int64_t{0}) > step) break;
    begin = end + 1;
  }
  return text.substr(0, begin);
}

double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

Json object_of(const Metrics& metrics) {
  Json object = Json::object();
  for (const auto& [name, value] : metrics) {
    object[name] = std::isfinite(value) ? Json(value) : Json();
  }
  return object;
}

MetricsLog::MetricsLog(const RunFolder& folder, int64_t step, const Goal& goal, bool tensorboard,
                       Complain complain)
    : path_(folder.file("metrics.jsonl")), complain_(std::move(complain)) {
  if (std::filesystem::exists(path_)) {
    const std::string text = read_file(path_);
    const std::string kept = lines_until(text, step);
    if (kept.size() < text.size()) write_file_atomically(path_, kept);
  }
  file_ = std::fopen(path_.c_str(), "ae");
  if (file_ == nullptr) throw InputError::in(path_, std::strerror(errno));
  if (std::filesystem::file_size(path_) == 0) {
    add({{"kind", "goal"},
         {"split", goal.split},
         {"metric", goal.metric},
         {"higher_is_better", goal.higher_is_better}});
  }
  if (!tensorboard) return;
  events_ = std::make_unique<EventWriter>(folder.file("events.out.tfevents.run"), wall_time());
  if (step > 0) events_->restarted(step + 1, wall_time());
}

MetricsLog::~MetricsLog() { std::fclose(file_); }

void MetricsLog::add(const Json& line) {
  const std::string text = json_text(line) + "\n";
  if (std::fwrite(text.data(), 1, text.size(), file_) == text.size() && std::fflush(file_) == 0) {
    return;
  }
  std::clearerr(file_);
  if (complain_) complain_(path_ + ": a line could not be written");
  complain_ = nullptr;
}

void MetricsLog::add_events(int64_t step, const std::string& prefix, const Metrics& values) {
  if (!events_) return;
  Metrics tagged;
  for (const auto& [name, value] : values) tagged.emplace_back(prefix + name, value);
  try {
    events_->scalars(step, tagged, wall_time());
    events_->flush();
  } catch (const InputError& error) {
    if (complain_) complain_(error.what());
    complain_ = nullptr;
  }
}

void MetricsLog::note(int64_t step, double seconds, const std::string& text) {
  add({{"kind", "note"}, {"step", step}, {"seconds", seconds}, {"text", text}});
}

void MetricsLog::trained(int64_t step, double seconds, const Metrics& values) {
  Json line = object_of(values);
  line.update({{"kind", "train"}, {"step", step}, {"seconds", seconds}});
  add(line);
  add_events(step, "train/", values);
}

void MetricsLog::evaluated(int64_t step, double seconds, const std::string& split,
                           const Metrics& metrics) {
  add({{"kind", "evaluation"},
       {"step", step},
       {"seconds", seconds},
       {"split", split},
       {"metrics", object_of(metrics)}});
  add_events(step, split + "/", metrics);
}

}  // namespace floydnet::train
