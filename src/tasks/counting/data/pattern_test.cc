#include "tasks/counting/data/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_refusal.h"
#include "graph/families.h"
#include "graph/test_graphs.h"

namespace floydnet::counting {
namespace {

using testing::HasSubstr;

std::string message(const std::string& text) {
  return refusal([&] { parse_patterns(text); });
}

TEST(Pattern, TheBenchmarkHasThirteen) {
  const std::vector<Pattern> all = parse_patterns("all");
  ASSERT_EQ(all.size(), 13u);
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].kind, i < 7 ? Kind::kHomomorphisms : Kind::kCopies);
    EXPECT_TRUE(all[i].graph.has_edge(0, 1)) << all[i].name;
  }
}

TEST(Pattern, DivisorsAreTheBenchmarks) {
  const auto expect = [](const char* name, double node, double edge) {
    const Pattern pattern = parse_pattern(name);
    EXPECT_EQ(pattern.node_divisor, node) << name;
    EXPECT_EQ(pattern.edge_divisor, edge) << name;
  };
  expect("boat", 1, 1);
  expect("cycle3", 3, 6);
  expect("cycle6", 6, 12);
  expect("chordal4", 4, 10);
  expect("chordal5", 5, 14);
}

TEST(Pattern, OnesOfTheUserAreGraph6) {
  const std::vector<Pattern> patterns = parse_patterns("cycle4,C~,hom:C~,sub:boat");
  ASSERT_EQ(patterns.size(), 4u);
  EXPECT_EQ(patterns[1].kind, Kind::kCopies);
  EXPECT_EQ(patterns[1].edge_divisor, 12);
  EXPECT_EQ(patterns[2].name, "hom:C~");
  EXPECT_EQ(patterns[2].kind, Kind::kHomomorphisms);
  EXPECT_TRUE(same_graph(patterns[2].graph, complete_graph(4)));
  EXPECT_TRUE(same_graph(patterns[3].graph, benchmark_patterns()[0].graph));
  EXPECT_EQ(patterns[3].kind, Kind::kCopies);
}

TEST(Pattern, FaultyOnesAreRefused) {
  EXPECT_THAT(message("cyle5"),
              AllOf(HasSubstr("pattern 'cyle5': neither a name nor"), HasSubstr("mean 'cycle5'?")));
  EXPECT_THAT(message(""), HasSubstr("pattern ''"));
  EXPECT_THAT(message("cycle3,"), HasSubstr("pattern ''"));
  EXPECT_THAT(message("cycle3,cycle3"), HasSubstr("pattern 'cycle3' is given twice"));
  EXPECT_THAT(message("@"), HasSubstr("pattern '@': 1 nodes, wanted 2 to 10"));
  EXPECT_THAT(message("J??????????"), HasSubstr("up to 10 nodes"));
  EXPECT_THAT(message("&AG"), HasSubstr("pattern '&AG': directed or with a loop"));
}

}  // namespace
}  // namespace floydnet::counting
