#include "tasks/graphs/metrics/scores.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "base/require.h"

namespace floydnet::graphs {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// A label and its prediction.
using Pairing = std::pair<double, double>;
using ColumnScore = double (*)(std::vector<Pairing>&);

std::vector<Pairing> labelled(const NumberTable& table, int64_t column) {
  std::vector<Pairing> pairings;
  for (size_t i = static_cast<size_t>(column); i < table.labels.size();
       i += static_cast<size_t>(table.width)) {
    if (!std::isnan(table.labels[i])) pairings.emplace_back(table.labels[i], table.predictions[i]);
  }
  return pairings;
}

std::vector<double> by_column(const NumberTable& table, ColumnScore score) {
  require(table.width >= 1 && table.labels.size() == table.predictions.size() &&
              table.labels.size() % static_cast<size_t>(table.width) == 0,
          "{} labels and {} predictions in rows of {}", table.labels.size(),
          table.predictions.size(), table.width);
  std::vector<double> scores;
  for (int64_t column = 0; column < table.width; ++column) {
    std::vector<Pairing> pairings = labelled(table, column);
    scores.push_back(pairings.empty() ? kUndefined : score(pairings));
  }
  return scores;
}

/// Of those that are defined.
double mean_of_defined(const std::vector<double>& scores) {
  double sum = 0;
  int64_t count = 0;
  for (const double score : scores) {
    if (std::isnan(score)) continue;
    sum += score;
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : kUndefined;
}

double mean_of(const std::vector<Pairing>& pairings,
               const std::function<double(const Pairing&)>& term) {
  double sum = 0;
  for (const Pairing& pairing : pairings) sum += term(pairing);
  return sum / static_cast<double>(pairings.size());
}

double square_error(const std::vector<Pairing>& pairings) {
  return mean_of(pairings, [](const Pairing& p) { return std::pow(p.first - p.second, 2); });
}

double column_mae(std::vector<Pairing>& pairings) {
  return mean_of(pairings, [](const Pairing& p) { return std::abs(p.first - p.second); });
}

double column_rmse(std::vector<Pairing>& pairings) { return std::sqrt(square_error(pairings)); }

double column_r_squared(std::vector<Pairing>& pairings) {
  if (pairings.size() < 2) return kUndefined;
  const double mean = mean_of(pairings, [](const Pairing& p) { return p.first; });
  const double spread =
      mean_of(pairings, [mean](const Pairing& p) { return std::pow(p.first - mean, 2); });
  const double error = square_error(pairings);
  if (spread == 0) return error == 0 ? 1 : 0;
  return 1 - error / spread;
}

/// Walks down the thresholds: step(positives, negatives) that share the next lower one.
template <typename Step>
void for_each_threshold(std::vector<Pairing>& pairings, const Step& step) {
  std::sort(pairings.begin(), pairings.end(),
            [](const Pairing& a, const Pairing& b) { return a.second > b.second; });
  for (size_t i = 0; i < pairings.size();) {
    const double threshold = pairings[i].second;
    double positives = 0;
    double negatives = 0;
    for (; i < pairings.size() && pairings[i].second == threshold; ++i) {
      (pairings[i].first > .5 ? positives : negatives) += 1;
    }
    step(positives, negatives);
  }
}

/// Whether there are labels of both kinds, and predictions that can be sorted.
bool can_be_ranked(const std::vector<Pairing>& pairings) {
  bool positive = false;
  bool negative = false;
  for (const auto& [label, prediction] : pairings) {
    if (std::isnan(prediction)) return false;
    (label > .5 ? positive : negative) = true;
  }
  return positive && negative;
}

double column_average_precision(std::vector<Pairing>& pairings) {
  if (!can_be_ranked(pairings)) return kUndefined;
  double above_positives = 0;
  double above = 0;
  double sum = 0;  // of precision times new positives
  for_each_threshold(pairings, [&](double positives, double negatives) {
    above_positives += positives;
    above += positives + negatives;
    sum += positives * above_positives / above;
  });
  return sum / above_positives;
}

double column_roc_auc(std::vector<Pairing>& pairings) {
  if (!can_be_ranked(pairings)) return kUndefined;
  double above_positives = 0;
  double all_negatives = 0;
  double won = 0;  // pairs of a positive above a negative
  for_each_threshold(pairings, [&](double positives, double negatives) {
    won += negatives * (above_positives + positives / 2);
    above_positives += positives;
    all_negatives += negatives;
  });
  return won / (above_positives * all_negatives);
}

void require_as_many(const ClassTable& table) {
  require(table.labels.size() == table.predictions.size(), "{} labels and {} predictions",
          table.labels.size(), table.predictions.size());
}

}  // namespace

double mean_absolute_error(const NumberTable& table) {
  return mean_of_defined(by_column(table, column_mae));
}

double root_mean_square_error(const NumberTable& table) {
  return mean_of_defined(by_column(table, column_rmse));
}

double r_squared(const NumberTable& table) {
  return mean_of_defined(by_column(table, column_r_squared));
}

std::vector<double> average_precisions(const NumberTable& table) {
  return by_column(table, column_average_precision);
}

std::vector<double> roc_aucs(const NumberTable& table) { return by_column(table, column_roc_auc); }

double average_precision(const NumberTable& table) {
  return mean_of_defined(average_precisions(table));
}

double roc_auc(const NumberTable& table) { return mean_of_defined(roc_aucs(table)); }

double accuracy(const ClassTable& table) {
  require_as_many(table);
  int64_t right = 0;
  int64_t count = 0;
  for (size_t i = 0; i < table.labels.size(); ++i) {
    if (table.labels[i] < 0) continue;
    ++count;
    right += table.labels[i] == table.predictions[i] ? 1 : 0;
  }
  return count > 0 ? static_cast<double>(right) / static_cast<double>(count) : kUndefined;
}

double macro_f1(const ClassTable& table) {
  require_as_many(table);
  struct Counts {
    double right = 0;
    double labels_and_predictions = 0;
  };
  std::map<int64_t, Counts> classes;
  for (size_t i = 0; i < table.labels.size(); ++i) {
    const int64_t label = table.labels[i];
    if (label < 0) continue;
    classes[label].labels_and_predictions += 1;
    classes[table.predictions[i]].labels_and_predictions += 1;
    if (label == table.predictions[i]) classes[label].right += 1;
  }
  std::vector<double> scores;
  // F1 = 2 TP / (2 TP + FP + FN), and the denominator counts labels and predictions of the class.
  for (const auto& [index, counts] : classes) {
    scores.push_back(2 * counts.right / counts.labels_and_predictions);
  }
  return mean_of_defined(scores);
}

}  // namespace floydnet::graphs
