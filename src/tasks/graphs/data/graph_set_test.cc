#include "tasks/graphs/data/graph_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <stdexcept>

#include "tasks/graphs/data/test_sets.h"

namespace floydnet::graphs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// What check() says of a small set after a change.
std::string fault(const std::function<void(GraphSet&)>& change) {
  GraphSet set = small_set();
  change(set);
  try {
    set.check();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(GraphSet, CountsRowsByLevel) {
  GraphSet set = small_set();
  set.check();
  EXPECT_EQ(set.rows(Level::kGraph), 2);
  EXPECT_EQ(set.rows(Level::kNode), 6);
  EXPECT_EQ(set.rows(Level::kEdge), 5);
  EXPECT_EQ(set.rows(Level::kPair), 3);
  EXPECT_THAT(set.row_offsets(Level::kNode), ElementsAre(0, 4, 6));
  EXPECT_THAT(set.row_offsets(Level::kEdge), ElementsAre(0, 4, 5));
  EXPECT_THAT(set.row_offsets(Level::kPair), ElementsAre(0, 2, 3));
  set.pairs_listed = false;
  EXPECT_EQ(set.rows(Level::kPair), 20);
  EXPECT_THAT(set.row_offsets(Level::kPair), ElementsAre(0, 16, 20));
}

TEST(GraphSet, FindsColumnsByLevelAndName) {
  const GraphSet set = small_set();
  ASSERT_NE(set.find(Level::kGraph, "y"), nullptr);
  EXPECT_EQ(set.find(Level::kGraph, "y")->rows(), 2);
  EXPECT_EQ(set.find(Level::kNode, "x")->rows(), 6);
  EXPECT_EQ(set.find(Level::kNode, "y"), nullptr);
  EXPECT_EQ(full_name(Level::kNode, "x"), "node_x");
  EXPECT_EQ(parse_full_name("pair_a_b"), std::make_pair(Level::kPair, std::string("a_b")));
  EXPECT_EQ(parse_full_name("node_"), std::nullopt);
  EXPECT_EQ(parse_full_name("sizes"), std::nullopt);
}

TEST(GraphSet, NamesWhatDoesNotFit) {
  EXPECT_EQ(fault([](GraphSet&) {}), "");
  EXPECT_THAT(fault([](GraphSet& s) { s.sizes[1] = 0; }),
              HasSubstr("sizes: graph 1 has 0 nodes, wanted 1 to 100000"));
  EXPECT_THAT(fault([](GraphSet& s) { s.edge_offsets = {0, 5}; }), HasSubstr("edge offsets"));
  EXPECT_THAT(fault([](GraphSet& s) {
                s.edge_offsets = {0, 6, 5};
              }),
              HasSubstr("graph 1: a negative number of edges"));
  EXPECT_THAT(fault([](GraphSet& s) {
                s.edge_offsets = {0, 4, 4};
              }),
              HasSubstr("edge offsets end with 4, but there are 5 edges"));
  EXPECT_THAT(fault([](GraphSet& s) {
                s.edges[4] = {0, 2};
              }),
              HasSubstr("edges: graph 1, edge 0: (0, 2) is out of range, the graph has 2 nodes"));
  EXPECT_THAT(fault([](GraphSet& s) {
                s.edges[3] = {2, 1};
              }),
              HasSubstr("edges: graph 0: the undirected edge (1, 2) is listed twice"));
  EXPECT_EQ(fault([](GraphSet& s) {
              s.edges[3] = {2, 1};
              s.directed = true;
            }),
            "");
  EXPECT_THAT(fault([](GraphSet& s) {
                s.pairs[1] = {-1, 0};
              }),
              HasSubstr("pairs: graph 0, pair 1: (-1, 0)"));
  EXPECT_THAT(fault([](GraphSet& s) { s.columns[0].integers.pop_back(); }),
              HasSubstr("node_x: 5 rows of 2, wanted 6"));
  EXPECT_THAT(fault([](GraphSet& s) { s.columns[3].reals[1] = INFINITY; }),
              HasSubstr("graph_y: row 1 is infinite"));
  EXPECT_EQ(fault([](GraphSet& s) { s.columns[3].reals[1] = NAN; }), "");
  EXPECT_THAT(fault([](GraphSet& s) { s.columns[3].name = ""; }), HasSubstr("has no name"));
  EXPECT_THAT(fault([](GraphSet& s) { s.columns.push_back(s.columns[3]); }),
              HasSubstr("graph_y: there are 2 columns of that name"));
  EXPECT_THAT(fault([](GraphSet& s) { s.splits.pop_back(); }), HasSubstr("split: 1 entries"));
  EXPECT_THAT(fault([](GraphSet& s) { s.names.pop_back(); }), HasSubstr("names: 1 entries"));
}

TEST(GraphSet, SelectsGraphsInAnyOrder) {
  const GraphSet set = small_set();
  const GraphSet swapped = set.select({1, 0});
  swapped.check();
  EXPECT_THAT(swapped.sizes, ElementsAre(2, 4));
  EXPECT_THAT(swapped.edge_offsets, ElementsAre(0, 1, 5));
  EXPECT_THAT(swapped.find(Level::kPair, "contact")->integers, ElementsAre(0, 1, 1));
  EXPECT_THAT(swapped.find(Level::kGraph, "y")->reals, ElementsAre(3, -1.25F));
  EXPECT_THAT(swapped.names, ElementsAre("edge", "paw"));
  EXPECT_TRUE(swapped.select({1, 0}) == set);
  EXPECT_EQ(set.select({}).graphs(), 0);
  EXPECT_THROW(set.select({2}), std::invalid_argument);
}

TEST(GraphSet, AppendsSetsThatAreAlike) {
  GraphSet joined = small_set().select({0});
  joined.append(small_set().select({1}));
  EXPECT_TRUE(joined == small_set());
  GraphSet other = small_set();
  other.columns[3].width = 2;
  EXPECT_THROW(joined.append(other), std::invalid_argument);
  other = small_set();
  other.columns[3].name = "z";
  EXPECT_THROW(joined.append(other), std::invalid_argument);
}

}  // namespace
}  // namespace floydnet::graphs
