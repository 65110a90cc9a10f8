#include "report/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

namespace floydnet {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PlotPanel panel_of(const std::vector<PlotSeries>& series) {
  return {"time", {"N", true}, {"ms", true}, series};
}

/// Every element that is opened is closed, in order, and no text holds a bare & or <.
void expect_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  size_t at = 0;
  while ((at = svg.find('<', at)) != std::string::npos) {
    const size_t end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = svg.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" \n"));
    if (tag[0] == '/') {
      ASSERT_FALSE(open.empty()) << tag;
      EXPECT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    at = end;
  }
  EXPECT_TRUE(open.empty());
  const std::regex entity("&(amp|lt|gt|quot);");
  EXPECT_THAT(std::regex_replace(svg, entity, ""), Not(HasSubstr("&")));
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
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

TEST(Plot, LinearAxesHaveRoundTicks) {
  PlotPanel panel = {"p", {"step"}, {"loss"}, {{"a", {{0, 0}, {100, 0.5}}}}};
  const std::string svg = plot_svg("t", {panel});
  for (const char* tick : {">0<", ">50<", ">100<", ">0.2<", ">0.4<"}) {
    EXPECT_THAT(svg, HasSubstr(tick));
  }
}

TEST(Plot, NothingToShowIsNoError) {
  expect_well_formed(plot_svg("", {}));
  expect_well_formed(plot_svg("t", {panel_of({})}));
  expect_well_formed(plot_svg("t", {panel_of({{"empty", {}}, {"one", {{3, 3}}}})}));
}

}  // namespace
}  // namespace floydnet
