#include "tasks/graphs/page/prediction_figures.h"

#include <gmock/gmock.h>

#include <numeric>

#include "record/test_table.h"
#include "tasks/graphs/page/test_predictions.h"

namespace floydnet::graphs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

/// One row a graph, with label 0 and the given values.
Predicted of_graphs(const Target& target, std::vector<int64_t> sizes, std::vector<float> values) {
  Predicted p{&target, std::move(sizes), {}, std::vector<float>(values.size(), 0), values};
  p.first_row.resize(values.size() + 1);
  std::iota(p.first_row.begin(), p.first_row.end(), 0);
  return p;
}

TEST(PredictionFigures, NumbersAreScatteredAroundTheDiagonal) {
  const Target target = target_named("y", Level::kGraph, TargetKind::kRegression);
  const auto panels = agreement_panels(predicted_of(target, {1, 2}, {1.5F, 2}));
  ASSERT_EQ(panels.size(), 1u);
  EXPECT_TRUE(panels[0].diagonal && panels[0].series[0].scattered);
  EXPECT_THAT(panels[0].series[0].points, ElementsAre(Pair(2, 2), Pair(1, 1.5)));
}

TEST(PredictionFigures, OfManyPointsSomeAreShownAndTheLargestErrorIsOneOfThem) {
  const Target target = target_named("y", Level::kGraph, TargetKind::kRegression);
  std::vector<float> values(5000, 0.5F);
  values[1234] = 77;
  const auto panels = agreement_panels(of_graphs(target, std::vector<int64_t>(5000, 3), values));
  EXPECT_EQ(panels[0].series[0].points.size(), 800u);
  EXPECT_EQ(panels[0].series[0].points.back().second, 77);
  EXPECT_THAT(panels[0].title, HasSubstr("800 of 5000 shown"));
}

TEST(PredictionFigures, ProbabilitiesAreCountedByLabel) {
  const Target target = target_named("y", Level::kGraph, TargetKind::kBinary);
  // Of yes: 0.5 and nearly 1; of no: nearly 0.
  Predicted p = of_graphs(target, {1, 1, 1}, {0, 20, -20});
  p.labels = {1, 1, 0};
  const auto panels = agreement_panels(p);
  const auto& yes = panels[0].series[0];
  EXPECT_EQ(yes.name, "true: yes (2)");
  EXPECT_EQ(yes.points[5].second, 50);
  EXPECT_EQ(yes.points[9].second, 50);
  EXPECT_EQ(panels[0].series[1].points[0].second, 100);
  const auto tables = confusion_tables(p);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_THAT(tables[0].rows[0], ElementsAre(record::Cell(int64_t{0}), record::Cell(int64_t{1}),
                                             record::Cell(int64_t{1}), record::Cell(int64_t{0}),
                                             record::Cell(int64_t{1}), record::Cell(200.0 / 3)));
}

TEST(PredictionFigures, ClassesHaveATableOfMistakes) {
  Target target = target_named("y", Level::kGraph, TargetKind::kClasses);
  Predicted p = of_graphs(target, {1, 1, 1}, {0, 2, 2});
  p.labels = {0, 0, 2};
  p.confidences = {1, 1, 1};
  const auto tables = confusion_tables(p);
  ASSERT_EQ(tables[0].rows.size(), 3u);
  EXPECT_THAT(tables[0].rows[0],
              ElementsAre(record::Cell(int64_t{0}), record::Cell(int64_t{1}),
                          record::Cell(int64_t{0}), record::Cell(int64_t{1}), record::Cell(50.0)));
  EXPECT_EQ(tables[0].rows[1].back(), record::Cell()) << "of no label";
  target.classes = {1'000'000};
  const auto mistakes = confusion_tables(p);
  ASSERT_EQ(mistakes[0].rows.size(), 1u);
  EXPECT_THAT(mistakes[0].rows[0], ElementsAre(record::Cell(int64_t{0}), record::Cell(int64_t{2}),
                                               record::Cell(int64_t{1})));
}

TEST(PredictionFigures, ErrorsBySizeAreInTheDatasUnits) {
  const Target target = target_named("y", Level::kGraph, TargetKind::kRegression);
  const Predicted p = of_graphs(target, {3, 3, 3, 9}, {1, 2, 6, 10});
  const PlotPanel panel = size_panel(p);
  ASSERT_EQ(panel.series.size(), 3u);
  EXPECT_THAT(panel.series[0].points, ElementsAre(Pair(3, 3), Pair(9, 10)));
  EXPECT_THAT(panel.series[1].points, ElementsAre(Pair(3, 2), Pair(9, 10)));
  const record::Table table = size_table(p);
  EXPECT_EQ(record::row_named(table, "3")[1], record::Cell(int64_t{3}));
  EXPECT_EQ(record::row_named(table, "3")[2], record::Cell(3.0));
  EXPECT_TRUE(size_panel(of_graphs(target, {3, 3}, {1, 2})).series.empty());
}

TEST(PredictionFigures, OfClassesTheShareOfMistakesIsShownBySize) {
  const Target target = target_named("y", Level::kGraph, TargetKind::kBinary, 1);
  const PlotPanel panel = size_panel(of_graphs(target, {3, 3, 9}, {1, -1, -1}));
  EXPECT_THAT(panel.series[0].points, ElementsAre(Pair(3, 50), Pair(9, 0)));
}

}  // namespace
}  // namespace floydnet::graphs
