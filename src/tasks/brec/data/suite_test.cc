#include "tasks/brec/data/suite.h"

#include <gtest/gtest.h>

#include "floydnet/wl.h"

namespace floydnet::brec {
namespace {

bool told_apart(const SuitePair& pair, int order) {
  WlOptions options;
  options.order = order;
  return wl_compare(pair.a, pair.b, options).distinguished;
}

TEST(BrecSuite, TheoryAgreesWithFwl) {
  for (const SuitePair& pair : embedded_suite()) {
    ASSERT_EQ(pair.a.nodes(), pair.b.nodes()) << pair.name;
    EXPECT_EQ(pair.a.edges().size(), pair.b.edges().size()) << pair.name;
    for (const int order : {1, 2}) {
      EXPECT_EQ(told_apart(pair, order), order >= pair.separating_order) << pair.name << order;
    }
    if (pair.a.nodes() > 48) continue;
    EXPECT_EQ(told_apart(pair, 3), 3 >= pair.separating_order) << pair.name;
  }
}

TEST(BrecSuite, StronglyRegularPairsHaveTheirParameters) {
  for (const SuitePair& pair : embedded_suite()) {
    if (pair.category != "Strongly regular") continue;
    for (const Graph* graph : {&pair.a, &pair.b}) {
      const int64_t n = graph->nodes();
      const std::vector<uint8_t> adjacency = graph->adjacency();
      int64_t common[2] = {-1, -1};  // neighbours of two nodes that are not, or are, adjacent
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < n; ++j) {
          if (i == j) continue;
          int64_t both = 0;
          for (int64_t p = 0; p < n; ++p) both += adjacency[i * n + p] * adjacency[p * n + j];
          int64_t& wanted = common[adjacency[i * n + j]];
          if (wanted < 0) wanted = both;
          ASSERT_EQ(both, wanted) << pair.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace floydnet::brec
