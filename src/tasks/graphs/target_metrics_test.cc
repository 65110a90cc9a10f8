#include "tasks/graphs/target_metrics.h"

#include <gmock/gmock.h>

#include <cmath>

#include "record/test_table.h"

namespace floydnet::graphs {
namespace {

double found(const record::Metrics& metrics, const std::string& name) {
  const double* value = record::find(metrics, name);
  EXPECT_NE(value, nullptr) << name;
  return value == nullptr ? 0 : *value;
}

Target target_of(TargetKind kind, int64_t width = 1, Level level = Level::kGraph) {
  Target target;
  target.level = level;
  target.name = "y";
  target.kind = kind;
  target.width = width;
  if (kind == TargetKind::kClasses) target.classes.assign(static_cast<size_t>(width), 3);
  return target;
}

TEST(TargetMetrics, OfNumbersByColumnAndBySize) {
  const Target target = target_of(TargetKind::kRegression, 2);
  Predicted p{&target, {3, 3, 9}, {0, 1, 2, 3}, {0, 0, 0, 0, 0, NAN}, {1, 2, 3, 4, 7, 99}};
  const record::Metrics metrics = metrics_of(p, /*in_detail=*/true);
  EXPECT_NEAR(found(metrics, "mae/0"), 11. / 3, 1e-6);
  EXPECT_NEAR(found(metrics, "mae/1"), 3, 1e-6);
  EXPECT_NEAR(found(metrics, "mae"), (11. / 3 + 3) / 2, 1e-6);
  EXPECT_NEAR(found(metrics, "mae/n=3-3"), 2.5, 1e-6);
  EXPECT_NEAR(found(metrics, "mae/n=9-9"), 7, 1e-6);
  EXPECT_EQ(metrics_of(p, false).size(), 3u);
}

TEST(TargetMetrics, OfYesAndNoTakeLogits) {
  const Target target = target_of(TargetKind::kBinary);
  Predicted p{&target, {1, 1, 1, 1}, {0, 1, 2, 3, 4}, {1, 0, 1, NAN}, {-0.5F, -2, 3, 5}};
  const record::Metrics metrics = metrics_of(p, false);
  EXPECT_NEAR(found(metrics, "roc_auc"), 1, 1e-9);
  EXPECT_NEAR(found(metrics, "accuracy"), 2. / 3, 1e-9);
}

TEST(TargetMetrics, RanksPairsAmongThoseOfTheirRow) {
  const Target target = target_of(TargetKind::kBinary, 1, Level::kPair);
  // Of (0, 1) and (0, 2), both true: ranks 3 and 1 among the row, 2 of those that are not true.
  Predicted p{&target, {3}, {0, 9}, {0, 1, 1, NAN, 0, 0, 0, 0, 0}, {2, 1, 3, 0, 0, 0, 0, 0, 0}};
  const record::Metrics metrics = metrics_of(p, false);
  EXPECT_NEAR(found(metrics, "mrr"), (1. / 3 + 1) / 2, 1e-9);
  EXPECT_NEAR(found(metrics, "mrr_filtered"), (1. / 2 + 1) / 2, 1e-9);
  EXPECT_NEAR(found(metrics, "mrr_extended"), 1, 1e-9);
  EXPECT_NEAR(found(metrics, "hits@1"), 0.5, 1e-9);
}

TEST(TargetMetrics, TablesHaveSplitsSideBySide) {
  const auto tables = result_tables({{"validation", {{"mae", 1}, {"loss", 2}}},
                                     {"test", {{"mae", 3}, {"mae/n=3-4", 5}, {"loss", 4}}}});
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(record::row_named(tables[0], "mae")[2], record::Cell(3.0));
  EXPECT_EQ(record::row_named(tables[1], "mae/n=3-4")[1], record::Cell());
}

}  // namespace
}  // namespace floydnet::graphs
