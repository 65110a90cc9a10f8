#include "report/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "report/test_markup.h"

namespace floydnet {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PlotPanel panel_of(const std::vector<PlotSeries>& series) {
  return {"time", {"N", true}, {"ms", true}, series};
}

/// The points of the only curve, as {x, y}.
std::vector<std::pair<double, double>> curve_of(const std::string& svg) {
  std::smatch found;
  const std::regex curve("<polyline[^>]*points=\"([^\"]*)\"");
  EXPECT_TRUE(std::regex_search(svg, found, curve));
  std::vector<std::pair<double, double>> points;
  const std::string text = found[1];
  const std::regex point("([-0-9.]+),([-0-9.]+)");
  for (std::sregex_iterator it(text.begin(), text.end(), point), end; it != end; ++it) {
    points.emplace_back(std::stod((*it)[1]), std::stod((*it)[2]));
  }
  return points;
}

TEST(Plot, IsWellFormedAndNamesEverything) {
  const std::string svg =
      plot_svg("runtime & memory",
               {panel_of({{"fused", {{64, 1}, {128, 8}}}, {"a<b>\"c\"", {{64, 3}, {128, 30}}}})});
  expect_well_formed(svg);
  for (const char* text : {"runtime &amp; memory", "time", ">N<", ">ms<", "fused",
                           "a&lt;b&gt;&quot;c&quot;", "prefers-color-scheme: dark"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
}

TEST(Plot, PowersAreStraightLinesOnLogarithmicAxes) {
  const auto points =
      curve_of(plot_svg("t", {panel_of({{"cubic", {{1, 1}, {2, 8}, {4, 64}, {8, 512}}}})}));
  ASSERT_EQ(points.size(), 4u);
  const double slope = (points[3].second - points[0].second) / (points[3].first - points[0].first);
  for (const auto& [x, y] : points) {
    EXPECT_NEAR(y, points[0].second + slope * (x - points[0].first), 0.11);
  }
  EXPECT_LT(slope, 0);  // upwards on the page
}

TEST(Plot, LeavesOutWhatCannotBeShown) {
  const double none = std::nan("");
  const std::string svg =
      plot_svg("t", {panel_of({{"a", {{1, 1}, {2, 0}, {3, -1}, {4, none}, {5, 5}}}})});
  EXPECT_EQ(curve_of(svg).size(), 2u);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(Plot, ShowsChosenTicksAndOneLegendForAllPanels) {
  PlotPanel panel = panel_of({{"fused", {{64, 1}, {96, 2}}}});
  panel.x.ticks = {64, 96};
  const std::string svg = plot_svg("t", {panel, panel});
  expect_well_formed(svg);
  EXPECT_EQ(count(svg, ">64<"), 2u);
  EXPECT_EQ(count(svg, ">96<"), 2u);
  EXPECT_EQ(count(svg, ">fused<"), 1u);
}

TEST(Plot, ShadesARangeWithinTheAxis) {
  PlotPanel panel = {"p", {"N"}, {"%"}, {{"a", {{10, 1}, {40, 2}}}}};
  EXPECT_THAT(plot_svg("t", {panel}), Not(HasSubstr("<rect class=\"shade\"")));
  panel.shaded = {0, 20};
  const std::string svg = plot_svg("t", {panel});
  expect_well_formed(svg);
  std::smatch found;
  ASSERT_TRUE(std::regex_search(
      svg, found, std::regex("<rect class=\"shade\" x=\"([0-9.]+)\"[^>]* width=\"([0-9.]+)\"")));
  EXPECT_EQ(std::stod(found[1]), 64);  // the left end of the axis
  EXPECT_LT(std::stod(found[2]), 200);
  panel.shaded = {50, 60};
  EXPECT_THAT(plot_svg("t", {panel}), Not(HasSubstr("<rect class=\"shade\"")));
}

TEST(Plot, ALongLegendTakesSeveralLines) {
  PlotPanel panel = {"loss", {"step"}, {"loss"}, {}};
  const auto height = [&panel] {
    const std::string svg = plot_svg("names", {panel});
    const size_t at = svg.find("viewBox=\"0 0 ") + 13;
    return std::stod(svg.substr(svg.find(' ', at)));
  };
  panel.series = {{"a", {{0, 1}, {1, 2}}}};
  const double low = height();
  for (int i = 0; i < 8; ++i) {
    panel.series.push_back({"a name of some length " + std::to_string(i), {{0, 1}, {1, 2}}});
  }
  EXPECT_GE(height(), low + 4 * 18);
}

TEST(Plot, LinearAxesHaveRoundTicks) {
  PlotPanel panel = {"p", {"step"}, {"loss"}, {{"a", {{0, 0}, {100, 0.5}}}}};
  const std::string svg = plot_svg("t", {panel});
  for (const char* tick : {">0<", ">50<", ">100<", ">0.2<", ">0.4<"}) {
    EXPECT_THAT(svg, HasSubstr(tick));
  }
}

TEST(Plot, DrawsFaintSeriesBehindAndWithoutMarks) {
  PlotPanel panel = panel_of({{"a", {{1, 1}, {2, 2}}, 3}, {"a", {{1, 2}, {2, 1}}, 3, true}});
  const std::string svg = panel_svg(panel, "p1", "two & more");
  expect_well_formed(svg);
  EXPECT_LT(svg.find("class=\"line faint s3\""), svg.find("class=\"line s3 d3\""));
  EXPECT_EQ(count(svg, "class=\"m3\""), 2u);
  EXPECT_THAT(svg, HasSubstr("<desc id=\"p1-text\">two &amp; more</desc>"));
  EXPECT_THAT(svg, HasSubstr("aria-labelledby=\"p1-title p1-text\""));
  EXPECT_THAT(svg, Not(HasSubstr("http")));
}

TEST(Plot, ScatteredPointsAreDotsWithoutALine) {
  PlotSeries series{"dots", {{0, 1}, {2, 8}, {NAN, 3}}};
  series.scattered = true;
  PlotPanel panel = {"t", {"x"}, {"y"}, {series}};
  const std::string svg = panel_svg(panel, "p", "");
  expect_well_formed(svg);
  EXPECT_EQ(count(svg, "<circle"), 2u);
  EXPECT_THAT(svg, Not(HasSubstr("<polyline")));
}

TEST(Plot, TheDiagonalGoesFromCornerToCorner) {
  PlotPanel panel = {"t", {"x"}, {"y"}, {{"line", {{0, 10}, {1, 20}}}}};
  EXPECT_THAT(panel_svg(panel, "p", ""), Not(HasSubstr("class=\"diagonal\"")));
  panel.diagonal = true;
  const std::string svg = panel_svg(panel, "p", "");
  EXPECT_THAT(svg,
              HasSubstr("class=\"diagonal\" x1=\"56.0\" y1=\"228.0\" x2=\"450.0\" y2=\"10.0\""));
  // The axis of x has the range of y as well.
  EXPECT_EQ(count(svg, ">20</text>"), 2u);
}

TEST(Plot, ManyPointsHaveNoMarks) {
  PlotSeries series{"a", {}};
  for (int i = 1; i < 100; ++i) series.points.emplace_back(i, i);
  EXPECT_EQ(count(panel_svg(panel_of({series}), "p1", ""), "<circle"), 0u);
}

// Colours come again after six; dashes then differ, so that 36 styles do.
TEST(Plot, StylesDifferInColourOrDash) {
  std::set<std::string> looks;
  for (size_t style = 0; style < 36; ++style) {
    const std::string svg = legend_svg(style);
    expect_well_formed(svg);
    looks.insert(svg.substr(svg.find("<line class="), 24));
  }
  EXPECT_EQ(looks.size(), 36u);
}

TEST(Plot, NothingToShowIsNoError) {
  expect_well_formed(panel_svg({}, "p1", ""));
  expect_well_formed(plot_svg("", {}));
  expect_well_formed(plot_svg("t", {panel_of({})}));
  expect_well_formed(plot_svg("t", {panel_of({{"empty", {}}, {"one", {{3, 3}}}})}));
}

}  // namespace
}  // namespace floydnet
