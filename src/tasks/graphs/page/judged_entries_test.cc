#include "tasks/graphs/page/judged_entries.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tasks/graphs/page/test_predictions.h"

namespace floydnet::graphs {
namespace {

TEST(JudgedEntries, NumbersAreComparedInDeviations) {
  Target target = target_named("y", Level::kGraph, TargetKind::kRegression, 2);
  target.scale.deviation = {1, 10};
  const Predicted p = predicted_of(target, {0, 0, 0, kMissing}, {1, 5, 0.75F, 9});
  const auto worst = worst_graphs(p, 8);
  ASSERT_EQ(worst.size(), 2u);
  EXPECT_EQ(worst[0].graph, 0u);
  EXPECT_EQ(worst[0].worst.column, 0) << "an error of 5 is half a deviation";
  EXPECT_EQ(worst[0].worst.error, 1);
  EXPECT_EQ(worst[1].entries, 1) << "a missing label counts for nothing";
  EXPECT_EQ(worst_graphs(p, 1).size(), 1u);
}

TEST(JudgedEntries, TheSurestMistakesComeFirst) {
  const Target target = target_named("y", Level::kGraph, TargetKind::kBinary);
  const auto worst = worst_graphs(predicted_of(target, {1, 0}, {-1, 3}), 8);
  ASSERT_EQ(worst.size(), 2u);
  EXPECT_EQ(worst[0].graph, 1u);
  EXPECT_EQ(worst[0].worst.said, 1);
  EXPECT_NEAR(worst[0].worst.probability, 1 / (1 + std::exp(-3.0)), 1e-6);
  EXPECT_TRUE(worst_graphs(predicted_of(target, {1, 0}, {1, -3}), 8).empty());
}

TEST(JudgedEntries, OfNodesTheShareOfMistakesCounts) {
  const Target target = target_named("y", Level::kNode, TargetKind::kClasses);
  const Predicted p = predicted_of(target, {0, 1, 2, 0, 1, 1}, {0, 1, 2, 1, 2, 1},
                                   {0.4F, 0.9F, 0.9F, 0.9F, 0.5F, 0.9F});
  const auto worst = worst_graphs(p, 8);
  ASSERT_EQ(worst.size(), 2u);
  EXPECT_EQ(worst[0].graph, 1u) << "one of two, not one of four";
  EXPECT_EQ(worst[1].wrong, 1);
  EXPECT_EQ(worst[1].worst.row, 3) << "not node 0, which is right but unsure";
}

TEST(JudgedEntries, WhatIsNoNumberIsWorst) {
  const Target target = target_named("y", Level::kGraph, TargetKind::kRegression);
  const auto worst = worst_graphs(predicted_of(target, {0, 0}, {100, kMissing}), 8);
  EXPECT_EQ(worst[0].graph, 1u);
}

TEST(JudgedEntries, RowsOfEdgesAndPairsHaveEnds) {
  const GraphSet set = small_set();
  const Target edge = target_named("y", Level::kEdge, TargetKind::kBinary);
  EXPECT_EQ(ends_of(set, predicted_of(edge, {}, {}), 0, 3), Graph::Edge(2, 3));
  const Target pair = target_named("y", Level::kPair, TargetKind::kBinary);
  Predicted p = predicted_of(pair, {}, {});
  EXPECT_EQ(ends_of(set, p, 1, 0), Graph::Edge(1, 0)) << "as listed";
  p.all_pairs = true;
  EXPECT_EQ(ends_of(set, p, 0, 7), Graph::Edge(1, 3));
}

}  // namespace
}  // namespace floydnet::graphs
