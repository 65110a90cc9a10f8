#include "tasks/graphs/page/predictions_page.h"

#include <gmock/gmock.h>

#include "report/test_markup.h"
#include "tasks/graphs/molecules/molecule.h"
#include "tasks/graphs/page/graph_drawing.h"
#include "tasks/graphs/page/test_predictions.h"

namespace floydnet::graphs {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string page_of(const Predicted& p, const GraphSet& set = small_set()) {
  const std::string page = predictions_page({"Predictions <of> a run", "One & all."}, set, {}, {p});
  expect_well_formed(page);
  EXPECT_THAT(page, HasSubstr("Predictions &lt;of&gt; a run"));
  return page;
}

TEST(PredictionsPage, ShowsNumbersOfGraphs) {
  const Target target = target_named("y", Level::kGraph, TargetKind::kRegression);
  const std::string page = page_of(predicted_of(target, {1, 2}, {1.5F, 4}));
  EXPECT_THAT(page, AllOf(HasSubstr("<h2>graph_y</h2>"), HasSubstr("Predicted against true"),
                          HasSubstr("Error by size")));
  const size_t worst = page.find("true 2, predicted 4, error 2"),
               second = page.find("true 1, predicted 1.5, error 0.5");
  ASSERT_NE(second, std::string::npos);
  EXPECT_LT(worst, second);
  EXPECT_THAT(page,
              AllOf(HasSubstr("graph 0 <small>paw</small>"), HasSubstr("graph 1 <small>edge")));
}

TEST(PredictionsPage, MarksNodesWhoseClassIsWrong) {
  const Target target = target_named("y", Level::kNode, TargetKind::kClasses);
  const std::string page = page_of(predicted_of(target, {0, 1, 2, 0, 1, 1}, {0, 1, 2, 1, 1, 1},
                                                {0.4F, 0.9F, 0.9F, 0.75F, 0.5F, 0.9F}));
  EXPECT_THAT(page, HasSubstr("1 of 4 wrong; node 3: true 0, predicted 1, 75\u00a0%"));
  EXPECT_EQ(count(page, "<img"), 1u) << "the other graph has nothing wrong";
  EXPECT_EQ(count(page, "fill-opacity=%220.65%22"), 1u);
}

TEST(PredictionsPage, MarksEdgesAndPairs) {
  const Target edge = target_named("y", Level::kEdge, TargetKind::kRegression);
  const std::string edges = page_of(predicted_of(edge, {0, 0, 0, 0, 0}, {0, 0, 2, 1, 0}));
  EXPECT_THAT(edges, HasSubstr("mean error 0.75; edge 0–2: true 0, predicted 2, error 2"));
  EXPECT_EQ(count(edges, "marked%20s1"), 2u);
  const Target pair = target_named("y", Level::kPair, TargetKind::kBinary);
  const std::string pairs = page_of(predicted_of(pair, {1, 1, kMissing}, {-3, 3, 3}));
  EXPECT_THAT(pairs, HasSubstr("1 of 2 wrong; pair 0→3: true yes, predicted no, 95\u00a0%"));
  EXPECT_EQ(count(pairs, "class=%22pair%20s1"), 1u);
}

TEST(PredictionsPage, SaysWhereNothingIsWrongOrKnown) {
  const Target target = target_named("y", Level::kGraph, TargetKind::kBinary);
  EXPECT_THAT(page_of(predicted_of(target, {1, 0}, {3, -3})), HasSubstr("No prediction is wrong"));
  EXPECT_THAT(page_of(predicted_of(target, {kMissing, kMissing}, {3, -3})),
              HasSubstr("None of these graphs has a label"));
}

TEST(PredictionsPage, ShowsSomeOfManyColumns) {
  const Target target = target_named("y", Level::kGraph, TargetKind::kRegression, 30);
  const std::string page =
      page_of(predicted_of(target, std::vector<float>(60, 0), std::vector<float>(60, 1)));
  EXPECT_THAT(page, HasSubstr("the first 12 of 30 columns"));
  EXPECT_EQ(count(page, "Predicted against true, column 11</figcaption>"), 1u);
  EXPECT_THAT(page, Not(HasSubstr("column 12<")));
}

GraphSet chain(int32_t nodes, const std::string& name) {
  GraphSet set;
  set.sizes = {nodes};
  for (int32_t v = 1; v < nodes; ++v) set.edges.emplace_back(v - 1, v);
  set.edge_offsets = {0, nodes - 1};
  set.names = {name};
  return set;
}

TEST(GraphDrawing, IsOfAllNodesAndEdges) {
  const std::string svg = graph_picture(small_set(), 0, {{{1, 1.0}}, {}, {}});
  expect_well_formed(svg);
  EXPECT_EQ(count(svg, "class=\"node\""), 4u);
  EXPECT_EQ(count(svg, "class=\"m1\""), 1u);
  EXPECT_EQ(count(svg, "<text"), 4u);
}

TEST(GraphDrawing, OfOneNodeAndOfMany) {
  EXPECT_EQ(count(graph_picture(chain(1, "dot"), 0, {}), "class=\"node\""), 1u);
  EXPECT_EQ(count(graph_picture(chain(444, "long"), 0, {}), "class=\"node\""), 444u);
  EXPECT_EQ(graph_picture(chain(kMostNodesDrawn + 1, "longer"), 0, {}), "");
}

TEST(GraphDrawing, NamesThatAreSmilesOfTheGraphAreDrawnAsMolecules) {
  if (!has_rdkit()) GTEST_SKIP() << "RDKit is absent";
  const std::string ethanol = graph_picture(chain(3, "CCO"), 0, {});
  EXPECT_THAT(ethanol, AllOf(HasSubstr("<svg"), Not(HasSubstr("class=\"node\""))));
  EXPECT_THAT(graph_picture(chain(3, "CCO"), 0, {{{2, 1.0}}, {}, {}}), Not(ethanol));
  // Of another graph, no SMILES, or with marks where the atoms have other numbers.
  EXPECT_THAT(graph_picture(chain(4, "CCO"), 0, {}), HasSubstr("class=\"node\""));
  EXPECT_THAT(graph_picture(chain(3, "path"), 0, {}), HasSubstr("class=\"node\""));
  EXPECT_THAT(graph_picture(chain(3, "C(C)O"), 0, {}), Not(HasSubstr("class=\"node\"")));
  EXPECT_THAT(graph_picture(chain(3, "C(C)O"), 0, {{{2, 1.0}}, {}, {}}),
              HasSubstr("class=\"node\""));
}

}  // namespace
}  // namespace floydnet::graphs
