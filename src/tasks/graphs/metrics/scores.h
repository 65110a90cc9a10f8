// Metrics of predictions for labels that may be missing, each as its official evaluator has it.
//
// Tables are [rows, width], row-major. A label is missing where it is NaN (numbers, yes or no) or
// below 0 (classes); its prediction does not count. A score is NaN where it is not defined.
#pragma once

#include <cstdint>
#include <vector>

namespace floydnet::graphs {

/// Numbers, or 1 and 0 for yes and no, and what was predicted of them.
struct NumberTable {
  int64_t width = 1;
  const std::vector<float>& labels;       // [rows, width]
  const std::vector<float>& predictions;  // [rows, width]
};

/// Of each column, then the mean over columns that have labels, as OGB and scikit-learn have it.
double mean_absolute_error(const NumberTable& table);
double root_mean_square_error(const NumberTable& table);
/// 1 - sum (y - p)^2 / sum (y - mean y)^2. Of constant labels 1 if all predictions are right, else
/// 0; of a single label NaN.
double r_squared(const NumberTable& table);

/// Sum over thresholds of (R_t - R_{t-1}) P_t; equal predictions share a threshold. Columns that
/// lack either a positive or a negative label are left out of the mean, as OGB and LRGB do; NaN if
/// all are.
double average_precision(const NumberTable& table);
/// How likely a positive is above a negative, ties count half; columns as above.
double roc_auc(const NumberTable& table);
/// By column; NaN where it is left out.
std::vector<double> average_precisions(const NumberTable& table);
std::vector<double> roc_aucs(const NumberTable& table);

/// Labels of one of several classes, and the classes that were predicted.
struct ClassTable {
  const std::vector<int64_t>& labels;
  const std::vector<int64_t>& predictions;
};

double accuracy(const ClassTable& table);
/// Mean of F1 over the classes that occur among labels or predictions, 0 where a class has no
/// true positive: scikit-learn's f1_score(average='macro', zero_division=0).
double macro_f1(const ClassTable& table);

}  // namespace floydnet::graphs
