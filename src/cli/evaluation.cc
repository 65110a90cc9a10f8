#include "cli/evaluation.h"

#include <fmt/format.h>

#include "record/table.h"

namespace floydnet {

std::string to_text(const train::Task& task, const train::SplitMetrics& splits) {
  std::string text;
  for (const record::Table& table : task.tables(splits)) text += record::text_table(table);
  if (!text.empty()) return text;
  for (const auto& [split, metrics] : splits) {
    text += split + "\n";
    for (const auto& [name, value] : metrics) text += fmt::format("  {:<24} {:.5g}\n", name, value);
  }
  return text;
}

}  // namespace floydnet
