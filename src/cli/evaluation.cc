#include "cli/evaluation.h"

#include <fmt/format.h>

#include "report/text_table.h"

namespace floydnet {

nlohmann::json to_json(const train::SplitMetrics& splits) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [split, metrics] : splits) {
    for (const auto& [name, value] : metrics) object[split][name] = value;
  }
  return object;
}

std::string to_text(const train::Task& task, const train::SplitMetrics& splits) {
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
