#include "tasks/graphs/metrics/scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tasks/graphs/data/test_sets.h"

namespace floydnet::graphs {
namespace {

using Values = std::vector<float>;
using Classes = std::vector<int64_t>;

TEST(Scores, ErrorsAreMeansOverColumns) {
  // Column 0: errors 1, -3; column 1: error 2 alone, since a label is missing.
  const Values labels = {1, 5, 2, kMissing};
  const Values predictions = {2, 7, -1, 100};
  const NumberTable table{2, labels, predictions};
  EXPECT_DOUBLE_EQ(mean_absolute_error(table), (2.0 + 2.0) / 2);
  EXPECT_DOUBLE_EQ(root_mean_square_error(table), (std::sqrt(5.0) + 2.0) / 2);
}

TEST(Scores, RSquared) {
  const Values labels = {1, 2, 3, 4};
  const Values predictions = {1, 2, 3, 6};
  EXPECT_DOUBLE_EQ(r_squared({1, labels, predictions}), 1 - 4.0 / 5.0);
  const Values constant = {2, 2};
  EXPECT_EQ(r_squared({1, constant, constant}), 1);
  const Values other = {2, 3};
  EXPECT_EQ(r_squared({1, constant, other}), 0);
  const Values single = {1};
  EXPECT_TRUE(std::isnan(r_squared({1, single, single})));
}

TEST(Scores, AveragePrecisionByHand) {
  // In order: 1, 0, 1, 0: (1/1 + 2/3) / 2.
  const Values labels = {0, 1, 0, 1};
  const Values predictions = {.8F, .9F, .1F, .5F};
  EXPECT_DOUBLE_EQ(average_precision({1, labels, predictions}), (1 + 2.0 / 3) / 2);
  // All tied: one threshold, precision 1/2.
  const Values tied = {.3F, .3F, .3F, .3F};
  EXPECT_DOUBLE_EQ(average_precision({1, labels, tied}), .5);
}

TEST(Scores, RocAucByHand) {
  const Values labels = {0, 1, 0, 1};
  const Values predictions = {.8F, .9F, .1F, .5F};
  EXPECT_DOUBLE_EQ(roc_auc({1, labels, predictions}), 3.0 / 4);
  const Values tied = {.5F, .9F, .1F, .5F};
  EXPECT_DOUBLE_EQ(roc_auc({1, labels, tied}), 3.5 / 4);
}

TEST(Scores, ColumnsWithoutBothKindsAreLeftOut) {
  // Column 0 is as above without its missing row, column 1 has no positive, column 2 no negative.
  const Values labels = {0, 0, 1, 1, 0, kMissing, 0, 0, 1, 1, 0, 1, kMissing, 0, 1};
  const Values predictions = {.8F, 1, 2, .9F, 3, 4, .1F, 5, 6, .5F, 7, 8, .7F, 9, 10};
  const NumberTable table{3, labels, predictions};
  EXPECT_DOUBLE_EQ(average_precision(table), (1 + 2.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(roc_auc(table), 3.0 / 4);
  EXPECT_TRUE(std::isnan(average_precisions(table)[1]));
  EXPECT_TRUE(std::isnan(roc_aucs(table)[2]));
  const Values none = {0, 0};
  EXPECT_TRUE(std::isnan(average_precision({1, none, none})));
}

TEST(Scores, PredictionsThatAreNoNumbersHaveNoScore) {
  const Values labels = {0, 1};
  const Values predictions = {NAN, 1};
  EXPECT_TRUE(std::isnan(roc_auc({1, labels, predictions})));
  EXPECT_TRUE(std::isnan(mean_absolute_error({1, labels, predictions})));
}

TEST(Scores, ClassesByHand) {
  const Classes labels = {0, 0, 1, 1, -1, 3};
  const Classes predictions = {0, 1, 1, 1, 0, 2};
  EXPECT_DOUBLE_EQ(accuracy({labels, predictions}), 3.0 / 5);
  // F1 of class 0: 2/3, of 1: 4/5, of 2 and 3: 0.
  EXPECT_DOUBLE_EQ(macro_f1({labels, predictions}), (2.0 / 3 + 4.0 / 5) / 4);
  const Classes missing = {-1};
  EXPECT_TRUE(std::isnan(accuracy({missing, missing})));
  EXPECT_TRUE(std::isnan(macro_f1({missing, missing})));
}

TEST(Scores, TablesMustFit) {
  const Values three = {1, 2, 3};
  const Values two = {1, 2};
  EXPECT_THROW(mean_absolute_error({1, three, two}), std::invalid_argument);
  EXPECT_THROW(mean_absolute_error({2, three, three}), std::invalid_argument);
}

}  // namespace
}  // namespace floydnet::graphs
