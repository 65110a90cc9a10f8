#include "tasks/graphs/schema/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "floydnet/error.h"

namespace floydnet::graphs {
namespace {

/// Beyond that, integers are numbers rather than classes, and a head for each would be absurd.
constexpr float kMostClasses = 10'000;

int64_t label_count(const Column& column) {
  return static_cast<int64_t>(column.real ? column.reals.size() : column.integers.size());
}

template <typename Use>
void for_each_label(const Column& column, const RowRanges& rows, const Use& use) {
  for (const auto& [first, last] : rows) {
    for (int64_t entry = first * column.width; entry < last * column.width; ++entry) {
      const float label = label_at(column, entry);
      if (!std::isnan(label)) use(entry % column.width, label);
    }
  }
}

template <typename Allowed>
int64_t first_not(const Column& column, const Allowed& allowed) {
  for (int64_t entry = 0; entry < label_count(column); ++entry) {
    const float label = label_at(column, entry);
    if (!std::isnan(label) && !allowed(label)) return entry;
  }
  return -1;
}

bool is_zero_or_one(float label) { return label == 0 || label == 1; }
bool is_class(float label) {
  return label >= 0 && label < kMostClasses && label == std::floor(label);
}

int64_t graph_of_row(const GraphSet& set, Level level, int64_t row) {
  const std::vector<int64_t> offsets = set.row_offsets(level);
  return std::upper_bound(offsets.begin(), offsets.end(), row) - offsets.begin() - 1;
}

}  // namespace

RowRanges training_rows(const GraphSet& set, Level level, const std::vector<int64_t>& graphs) {
  const std::vector<int64_t> offsets = set.row_offsets(level);
  RowRanges rows;
  for (const int64_t graph : graphs) {
    const auto g = static_cast<size_t>(graph);
    rows.emplace_back(offsets[g], offsets[g + 1]);
  }
  return rows;
}

Scale scale_of(const Column& column, const RowRanges& rows) {
  const auto width = static_cast<size_t>(column.width);
  std::vector<double> count(width, 0), sum(width, 0), squares(width, 0);
  for_each_label(column, rows, [&](int64_t i, double label) {
    count[static_cast<size_t>(i)] += 1;
    sum[static_cast<size_t>(i)] += label;
  });
  Scale scale{std::vector<double>(width, 0), std::vector<double>(width, 1)};
  for (size_t i = 0; i < width; ++i) scale.mean[i] = count[i] > 0 ? sum[i] / count[i] : 0;
  for_each_label(column, rows, [&](int64_t i, double label) {
    const double difference = label - scale.mean[static_cast<size_t>(i)];
    squares[static_cast<size_t>(i)] += difference * difference;
  });
  for (size_t i = 0; i < width; ++i) {
    const double deviation = count[i] > 0 ? std::sqrt(squares[i] / count[i]) : 0;
    // Rounding leaves a little of a column that is constant.
    if (deviation > 1e-6 * std::abs(scale.mean[i])) scale.deviation[i] = deviation;
  }
  return scale;
}

std::vector<int64_t> largest_values(const Column& column) {
  std::vector<int64_t> largest(static_cast<size_t>(column.width), -1);
  for (int64_t entry = 0; entry < label_count(column); ++entry) {
    const float label = label_at(column, entry);
    if (std::isnan(label)) continue;
    int64_t& found = largest[static_cast<size_t>(entry % column.width)];
    found = std::max(found, column.real ? static_cast<int64_t>(label)
                                        : column.integers[static_cast<size_t>(entry)]);
  }
  return largest;
}

std::vector<double> class_counts(const Column& column, const Target& target,
                                 const RowRanges& rows) {
  std::vector<int64_t> first = {0};
  for (int64_t i = 0; i < target.width; ++i) {
    const bool binary = target.kind == TargetKind::kBinary;
    first.push_back(first.back() + (binary ? 2 : target.classes[static_cast<size_t>(i)]));
  }
  std::vector<double> counts(static_cast<size_t>(first.back()), 0);
  for_each_label(column, rows, [&](int64_t i, float label) {
    counts[static_cast<size_t>(first[static_cast<size_t>(i)] + static_cast<int64_t>(label))] += 1;
  });
  return counts;
}

std::vector<double> class_counts(const GraphSet& set, const Target& target,
                                 const std::vector<int64_t>& graphs) {
  const RowRanges rows = training_rows(set, target.level, graphs);
  std::vector<double> counts = class_counts(*set.find(target.level, target.name), target, rows);
  for (size_t g = 0; target.lists_only_yes && g < graphs.size(); ++g) {
    const int64_t n = set.sizes[static_cast<size_t>(graphs[g])];
    counts[0] += static_cast<double>(n * n - (rows[g].second - rows[g].first));
  }
  return counts;
}

bool has_labels(const Column& column, const RowRanges& rows) {
  bool found = false;
  for_each_label(column, rows, [&found](int64_t, float) { found = true; });
  return found;
}

TargetKind kind_of(const Column& column) {
  if (first_not(column, is_zero_or_one) < 0) return TargetKind::kBinary;
  return column.real ? TargetKind::kRegression : TargetKind::kClasses;
}

void require_kind(const Column& column, TargetKind kind, const std::string& place) {
  if (kind == TargetKind::kRegression) return;
  const bool binary = kind == TargetKind::kBinary;
  const int64_t entry = binary ? first_not(column, is_zero_or_one) : first_not(column, is_class);
  if (entry < 0) return;
  throw InputError::in(
      place, fmt::format("row {} is {}, wanted {}", entry / column.width, label_at(column, entry),
                         binary ? "0 or 1, or NaN or -1 where the label is missing"
                                : fmt::format("a class from 0 to {}", kMostClasses - 1)));
}

void require_feature_values(const GraphSet& set, const Column& column, const std::string& source) {
  for (int64_t entry = 0; entry < label_count(column); ++entry) {
    if (!std::isnan(label_at(column, entry))) continue;
    const int64_t row = entry / column.width;
    throw InputError::in(
        source,
        fmt::format("{}: row {}, of graph {}: {}, but features cannot be missing",
                    full_name(column.level, column.name), row, graph_of_row(set, column.level, row),
                    column.real ? std::string("NaN")
                                : std::to_string(column.integers[static_cast<size_t>(entry)])));
  }
}

}  // namespace floydnet::graphs
