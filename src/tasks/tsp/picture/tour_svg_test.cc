#include "tasks/tsp/picture/tour_svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/test_markup.h"

namespace floydnet::tsp {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

Problem corners(Metric metric) {
  Problem problem;
  problem.metric = metric;
  problem.points = {{0, 0}, {0, 1}, {2, 1}, {2, 0}};
  return problem;
}

TEST(TourSvg, DrawsEveryCityAndEdge) {
  const Problem problem = corners(Metric::kEuc2d);
  const std::string svg = tour_svg("a & b", layout_of(problem, {}), {{"optimum", {0, 1, 2, 3}}});
  expect_well_formed(svg);
  EXPECT_EQ(occurrences(svg, "<circle"), 4U);
  EXPECT_EQ(occurrences(svg, "M"), 4U);
  EXPECT_THAT(svg, HasSubstr("a &amp; b"));
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(svg, Not(HasSubstr("edge own s1\" d")));
}

TEST(TourSvg, EdgesThatTheOtherTourLacksStandOut) {
  const Problem problem = corners(Metric::kEuc2d);
  const std::string svg =
      tour_svg("a", layout_of(problem, {}), {{"optimum", {0, 1, 2, 3}}, {"other", {0, 2, 1, 3}}});
  expect_well_formed(svg);
  EXPECT_EQ(occurrences(svg, "<circle"), 8U);
  EXPECT_EQ(occurrences(svg, "edge own s1\" d"), 2U);
  EXPECT_EQ(occurrences(svg, "L"), 8U);
}

TEST(TourSvg, NorthIsUp) {
  const Layout layout = layout_of(corners(Metric::kGeo), {});
  EXPECT_EQ(layout.places[2].x, 1);  // longitude
  EXPECT_EQ(layout.places[2].y, 2);  // latitude
}

TEST(TourSvg, PositionsOfWeightsAreSaidToBeALayout) {
  Problem problem;
  problem.weights = {0, 1, 2, 1, 0, 3, 2, 3, 0};
  Layout layout = layout_of(problem, {0, 2, 1});
  EXPECT_THAT(layout.notes, Contains(HasSubstr("layout")));
  EXPECT_EQ(layout.hints.size(), 6U);
  EXPECT_DOUBLE_EQ(layout.places[0].y, 1);
  expect_well_formed(tour_svg("a", layout, {{"optimum", {0, 2, 1}}}));
  problem.display = {{0, 0}, {1, 1}, {2, 2}};
  layout = layout_of(problem, {0, 2, 1});
  EXPECT_THAT(layout.notes, Contains(HasSubstr("display data")));
  EXPECT_EQ(layout.places[2].x, 2);
  EXPECT_THAT(layout_of(corners(Metric::kEuc2d), {}).notes, IsEmpty());
}

TEST(TourSvg, FewOrEqualPointsAreNoProblem) {
  for (const std::size_t cities : {1U, 2U, 3U}) {
    Problem problem = corners(Metric::kEuc2d);
    problem.points.assign(cities, {5, 5});
    Tour tour;
    for (std::size_t i = 0; i < cities; ++i) tour.push_back(static_cast<int>(i));
    const std::string svg = tour_svg("a", layout_of(problem, tour), {{"optimum", tour}});
    expect_well_formed(svg);
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
  }
}

}  // namespace
}  // namespace floydnet::tsp
