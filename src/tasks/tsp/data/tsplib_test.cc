#include "tasks/tsp/data/tsplib.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_refusal.h"

namespace floydnet::tsp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Weights 1 to 6 between four cities.
constexpr std::int32_t kWeights[] = {0, 1, 2, 3, 1, 0, 4, 5, 2, 4, 0, 6, 3, 5, 6, 0};

std::string explicit_text(const std::string& format, const std::string& weights) {
  return "NAME: four\nTYPE: TSP\nCOMMENT: a : b\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\n"
         "EDGE_WEIGHT_FORMAT: " +
         format + " \nEDGE_WEIGHT_SECTION\n" + weights + "\nEOF\n";
}

std::string euclidean_text(const std::string& points) {
  return "NAME : three\r\nDIMENSION : 3\r\nEDGE_WEIGHT_TYPE : EUC_2D\r\nNODE_COORD_SECTION\r\n" +
         points;
}

std::string refusal_of(const std::string& text) {
  return refusal([&] { parse_tsplib(text, "a.tsp"); });
}

TEST(Tsplib, ReadsEveryFormatOfWeights) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"FULL_MATRIX", "0 1 2 3\n1 0 4 5\n2 4 0 6\n3 5 6 0"},
      {"FULL_MATRIX", "9999 1 2 3 1 9999.5 4 5 2 4 -1 6 3 5 6 1e9"},  // no diagonal matters
      {"UPPER_ROW", "1 2 3\n4 5\n6"},
      {"UPPER_ROW", "1 2\n3 4 5\n\n6"},  // nor do line ends
      {"LOWER_ROW", "1\n2 4\n3 5 6"},
      {"UPPER_DIAG_ROW", "0 1 2 3 0 4 5 0 6 0"},
      {"LOWER_DIAG_ROW", "0 1 0 2 4 0 3 5 6 0"},
      {"LOWER_DIAG_ROW", "0 1.0 0 2 4 0 +3 5e0 6.000 0"}};
  for (const auto& [format, weights] : cases) {
    const Problem problem = parse_tsplib(explicit_text(format, weights), "a.tsp");
    EXPECT_EQ(problem.name, "four");
    const Instance instance = make_instance(problem);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        if (i == j) continue;
        EXPECT_EQ(instance.weight(i, j), kWeights[4 * i + j]) << format << ": " << weights;
      }
    }
  }
}

TEST(Tsplib, ReadsPointsInAnyOrderAndWithoutAnEnd) {
  for (const char* end : {"", "EOF", " EOF\n\n", "\nEOF : \n"}) {
    const Problem problem =
        parse_tsplib(euclidean_text("2 3.0e+00 4\n1 0 0\n3 -.5 +1 ") + end, "a.tsp");
    const Instance instance = make_instance(problem);
    EXPECT_EQ(instance.weight(0, 1), 5);
    EXPECT_EQ(problem.points[2].x, -0.5);
    EXPECT_EQ(problem.points[2].y, 1);
  }
}

TEST(Tsplib, BlanksAroundColonsDoNotMatter) {
  for (const char* colon : {":", " :", ": ", "  :  ", "\t: "}) {
    const std::string text = std::string("NAME") + colon + "a:b\nDIMENSION" + colon +
                             "1\nEDGE_WEIGHT_TYPE" + colon + "ATT\nNODE_COORD_SECTION" + colon +
                             "\n1 2 3\n";
    EXPECT_EQ(parse_tsplib(text, "a.tsp").name, "a:b") << colon;
  }
}

TEST(Tsplib, DisplayDataIsForPicturesOnly) {
  std::string text = explicit_text("UPPER_ROW", "1 2 3 4 5 6 DISPLAY_DATA_SECTION\n");
  text.insert(text.find("EOF"), "1 0 0\n2 0 1\n3 1 0\n4 1 1\n");
  const Problem problem = parse_tsplib(text, "a.tsp");
  EXPECT_EQ(problem.display.size(), 4U);
  EXPECT_TRUE(problem.points.empty());
  EXPECT_TRUE(make_instance(problem).points.empty());
}

TEST(Tsplib, WritesWhatItReads) {
  std::vector<Problem> problems = {
      parse_tsplib(explicit_text("UPPER_ROW", "1 2 3 4 5 6"), "a.tsp"),
      parse_tsplib(euclidean_text("1 0.1 1e-7\n2 100000000 3\n3 5 1.0000000000000002"), "a.tsp")};
  problems.push_back(problems[0]);
  problems.back().display = {{0, 0}, {0.5, 1}, {1, 0}, {1, 1}};
  for (const Problem& problem : problems) {
    const Problem again = parse_tsplib(format_tsplib(problem), "again");
    EXPECT_EQ(again.name, problem.name);
    EXPECT_EQ(again.metric, problem.metric);
    EXPECT_EQ(again.weights, problem.weights);
    EXPECT_EQ(format_tsplib(again), format_tsplib(problem));
  }
  EXPECT_THAT(format_tsplib(problems[1]), HasSubstr("3 5 1.0000000000000002\n"));
  Problem real = problems[1];
  real.metric = Metric::kReal;
  EXPECT_THROW(format_tsplib(real), std::invalid_argument);
}

TEST(Tsplib, RefusesWeightsThatAreNotSymmetricIntegers) {
  EXPECT_EQ(refusal_of(explicit_text("FULL_MATRIX", "0 1 2 3\n1 0 4 5\n7 4 0 6\n3 5 6 0")),
            "a.tsp: line 10: asymmetric: from city 1 to 3 it is 2, back it is 7; only symmetric "
            "instances are solved");
  EXPECT_EQ(refusal_of(explicit_text("UPPER_ROW", "1 2\n3 4.5 5 6")),
            "a.tsp: line 9: '4.5' is not a weight, an integer from 0 to 2147483647");
  for (const char* bad : {"-1", "2147483648", "1e300", "nan", "inf", "x", "0x10", "1,"}) {
    EXPECT_THAT(refusal_of(explicit_text("UPPER_ROW", std::string("1 2 3 4 5 ") + bad)),
                HasSubstr(std::string("line 8: '") + bad + "' is not a weight"));
  }
}

TEST(Tsplib, RefusesWhatItDoesNotUnderstand) {
  EXPECT_THAT(refusal_of(""), HasSubstr("EDGE_WEIGHT_TYPE must"));
  EXPECT_THAT(refusal_of("TYPE: ATSP\n"), HasSubstr("line 1: TYPE 'ATSP' is not supported"));
  EXPECT_THAT(refusal_of("FIXED_EDGES_SECTION\n"), HasSubstr("keyword 'FIXED_EDGES_SECTION' is"));
  EXPECT_THAT(refusal_of("DIMENSION: 0\n"), HasSubstr("DIMENSION is '0'; there may be 1 to"));
  EXPECT_THAT(refusal_of("DIMENSION: 10001\n"), HasSubstr("there may be 1 to 10000 cities"));
  EXPECT_THAT(refusal_of("EDGE_WEIGHT_TYPE: XRAY1\n"),
              HasSubstr("'XRAY1' is not supported; supported: EXPLICIT, EUC_2D"));
  EXPECT_THAT(refusal_of("EDGE_WEIGHT_FORMAT: UPPER_COL\n"), HasSubstr("'UPPER_COL' is not"));
  EXPECT_THAT(refusal_of("NODE_COORD_SECTION\n"), HasSubstr("DIMENSION must come before"));
  EXPECT_THAT(refusal_of("DIMENSION: 1\nEDGE_WEIGHT_TYPE: GEO\n"),
              HasSubstr("no NODE_COORD_SECTION"));
  EXPECT_THAT(refusal_of("DIMENSION: 1\nEDGE_WEIGHT_TYPE: EXPLICIT\n"),
              HasSubstr("no EDGE_WEIGHT_SECTION"));
  EXPECT_THAT(refusal_of("DIMENSION: 1\nEDGE_WEIGHT_TYPE: GEO\nEDGE_WEIGHT_SECTION\n0"),
              HasSubstr("EDGE_WEIGHT_SECTION is for EXPLICIT weights, not for GEO"));
}

TEST(Tsplib, RefusesSectionsOfAnotherSize) {
  EXPECT_THAT(refusal_of(explicit_text("UPPER_ROW", "1 2 3 4 5")),
              HasSubstr("line 9: 'EOF' is not a weight"));
  EXPECT_THAT(refusal_of(explicit_text("UPPER_ROW", "1 2 3 4 5 6 7")),
              HasSubstr("EDGE_WEIGHT_SECTION has more numbers than 4 cities need"));
  EXPECT_THAT(refusal_of(euclidean_text("1 0 0\n2 1 1\n1 2 2\n")), HasSubstr("has city 1 twice"));
  EXPECT_THAT(refusal_of(euclidean_text("1 0 0\n2 1 1\n4 2 2\n")), HasSubstr("'4' is not a city"));
  EXPECT_THAT(refusal_of(euclidean_text("1 0 0\n2 1 1\n3 22222222")),
              HasSubstr("line 7: the text ends where a coordinate is wanted"));
}

TEST(Tsplib, RefusesLargeAnnouncementsCheaply) {
  expect_refused_cheaply(
      [] {
        parse_tsplib(
            "DIMENSION: 10000\nEDGE_WEIGHT_TYPE: EXPLICIT\n"
            "EDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2 3\n",
            "a.tsp");
      },
      "needs 49995000 numbers for 10000 cities");
}

TEST(TourFile, RoundTrip) {
  const Tour tour = {2, 0, 3, 1};
  const std::string text = format_tour(tour, "four", "length 14");
  EXPECT_EQ(text,
            "NAME : four\nCOMMENT : length 14\nTYPE : TOUR\nDIMENSION : 4\nTOUR_SECTION\n"
            "3\n1\n4\n2\n-1\nEOF\n");
  EXPECT_EQ(parse_tour(text, 4, "a.tour"), tour);
  EXPECT_EQ(parse_tour("TOUR_SECTION\n3 1 4 2", 4, "a.tour"), tour);
  EXPECT_THAT(parse_tour("TYPE : TOUR\nTOUR_SECTION\n1\n-1\nEOF", 1, "a.tour"), ElementsAre(0));
}

TEST(TourFile, FaultyOnesAreRefused) {
  const auto message = [](const std::string& text) {
    return refusal([&] { parse_tour(text, 3, "a.tour"); });
  };
  EXPECT_THAT(message(""), HasSubstr("a.tour: line 1: no TOUR_SECTION"));
  EXPECT_THAT(message("TYPE: TSP\nTOUR_SECTION\n1 2 3"), HasSubstr("TYPE 'TSP' is not TOUR"));
  EXPECT_THAT(message("DIMENSION: 4\n"), HasSubstr("a tour of 4 cities; the instance has 3"));
  EXPECT_THAT(message("TOUR_SECTION\n1 2 -1"), HasSubstr("a tour of 2 cities; there are 3"));
  EXPECT_THAT(message("TOUR_SECTION\n1 2 2"), HasSubstr("city 2 is in the tour twice"));
  EXPECT_THAT(message("TOUR_SECTION\n1\n2\n4"), HasSubstr("line 4: '4' is not a city"));
  EXPECT_THAT(message("TOUR_SECTION\n1 2 3 1"), HasSubstr("more than the 3 cities"));
}

}  // namespace
}  // namespace floydnet::tsp
