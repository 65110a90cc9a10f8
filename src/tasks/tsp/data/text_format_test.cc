#include "tasks/tsp/data/text_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_refusal.h"

namespace floydnet::tsp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TextFormat, IsOneInstanceALine) {
  const auto problems = parse_text_format(
      "0.5 0.25 0 1 1 0 output 1 3 2 1\n\n  0 0 1 1 output 2 1 2 \r\n0.1 0.2\n", "set", "set.txt");
  ASSERT_EQ(problems.size(), 3U);
  EXPECT_EQ(problems[0].name, "set-1");
  EXPECT_EQ(problems[0].points[0].y, 0.25);
  EXPECT_THAT(*problems[0].reference, ElementsAre(0, 2, 1));
  EXPECT_THAT(*problems[1].reference, ElementsAre(1, 0));
  EXPECT_FALSE(problems[2].reference.has_value());
  EXPECT_EQ(problems[2].cities(), 1);
}

TEST(TextFormat, RoundTrip) {
  const std::vector<Point> points = {{0.902421046498, 1.0 / 3}, {1e-9, 1}, {0.5, 0.5}};
  const Tour tour = {2, 0, 1};
  const auto again = parse_text_format(format_text_line(points, tour), "a", "a");
  ASSERT_EQ(again.size(), 1U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again[0].points[i].x, points[i].x);
    EXPECT_EQ(again[0].points[i].y, points[i].y);
  }
  EXPECT_EQ(*again[0].reference, tour);
}

TEST(TextFormat, FaultsAreNamedWithTheirLine) {
  const auto message = [](const std::string& line) {
    return refusal([&] { parse_text_format("0 0 1 1\n" + line, "set", "set.txt"); });
  };
  EXPECT_EQ(message("0 0 1"), "set.txt: line 2: the text ends where a coordinate is wanted");
  EXPECT_THAT(message("0 0 1 x"), HasSubstr("line 2: 'x' is not a coordinate"));
  EXPECT_THAT(message("0 nan"), HasSubstr("'nan' is not a coordinate"));
  EXPECT_THAT(message("output 1 1"), HasSubstr("line 2: 0 cities"));
  EXPECT_THAT(message("0 0 1 1 output 1 2"), HasSubstr("ends where the first city again"));
  EXPECT_THAT(message("0 0 1 1 output 1 2 2"), HasSubstr("does not end where it began"));
  EXPECT_THAT(message("0 0 1 1 output 1 1 1"), HasSubstr("city 1 is in the tour twice"));
  EXPECT_THAT(message("0 0 1 1 output 0 1 0"), HasSubstr("'0' is not a city"));
  EXPECT_THAT(message("0 0 1 1 output 1 2 1 2"), HasSubstr("longer than 2 cities"));
  EXPECT_THAT(refusal([] { parse_text_format("\n \n", "set", "set.txt"); }),
              HasSubstr("no instances"));
}

}  // namespace
}  // namespace floydnet::tsp
