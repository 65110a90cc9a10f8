#include "cli/evaluation.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include "report/text_table.h"

namespace floydnet {

SplitMetrics evaluate_finals(train::Task& task, const std::function<void(int64_t)>& done) {
  torch::NoGradGuard no_grad;
  task.model().eval();
  SplitMetrics found;
  for (const std::string& split : task.final_splits()) {
    found.emplace_back(split, task.metrics(split, task.tally(split, {})));
    if (done) done(static_cast<int64_t>(found.size()));
  }
  return found;
}

nlohmann::json to_json(const SplitMetrics& splits) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [split, metrics] : splits) {
    for (const auto& [name, value] : metrics) object[split][name] = value;
  }
  return object;
}

std::string to_text(const train::Task& task, const SplitMetrics& splits) {
  std::string text;
  for (const nlohmann::json& table : task.tables(splits)) text += text_table(table);
  if (!text.empty()) return text;
  for (const auto& [split, metrics] : splits) {
    text += split + "\n";
    for (const auto& [name, value] : metrics) text += fmt::format("  {:<24} {:.5g}\n", name, value);
  }
  return text;
}

}  // namespace floydnet
