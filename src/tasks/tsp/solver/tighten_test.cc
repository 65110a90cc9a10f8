#include "tasks/tsp/solver/tighten.h"

#include <gtest/gtest.h>

#include "tasks/tsp/solver/random.h"

namespace floydnet::tsp {
namespace {

/// Any values: what is tightened need not come from a linear program.
Support random_support(int cities, Random& random) {
  Support support;
  for (int city = 0; city < cities; ++city) support.nodes.push_back({city});
  for (int u = 0; u < cities; ++u) {
    for (int v = u + 1; v < cities; ++v) {
      if (random.below(4) == 0) support.edges.push_back({u, v, random.below(9) / 8.0});
    }
  }
  return support;
}

/// Three teeth of two cities, one of which is in the handle; all other cities anywhere.
Cut random_comb(int cities, Random& random) {
  Cut cut;
  cut.sets.resize(4);
  for (int city = 0; city < cities; ++city) {
    const bool in_handle = city < 6 ? city % 2 == 0 : random.below(2) == 0;
    const int tooth = city < 6 ? city / 2 : random.below(4) - 1;
    if (in_handle) cut.sets[0].push_back(city);
    if (tooth >= 0) cut.sets[tooth + 1].push_back(city);
  }
  return cut;
}

void expect_comb(const Cut& cut, int cities) {
  std::vector<int> teeth_of(static_cast<std::size_t>(cities));
  std::vector<bool> in_handle(static_cast<std::size_t>(cities));
  for (const int city : cut.sets[0]) in_handle[city] = true;
  for (int tooth = 1; tooth <= cut.teeth(); ++tooth) {
    int inside = 0;
    for (const int city : cut.sets[tooth]) {
      EXPECT_EQ(++teeth_of[city], 1);
      inside += in_handle[city] ? 1 : 0;
    }
    EXPECT_GT(inside, 0);
    EXPECT_LT(inside, static_cast<int>(cut.sets[tooth].size()));
  }
}

TEST(TspTighten, KeepsCombsAndLowersTheirValues) {
  constexpr int kCities = 14;
  Random random(1);
  int lowered = 0;
  for (int i = 0; i < 200; ++i) {
    const Support support = random_support(kCities, random);
    const Cut before = random_comb(kCities, random);
    const Cut after = CombTightener(support)(before);
    ASSERT_EQ(after.teeth(), before.teeth());
    expect_comb(after, kCities);
    CutValues value(support);
    EXPECT_LE(value(after), value(before) + 1e-4);
    lowered += value(after) < value(before) - 0.01 ? 1 : 0;
  }
  EXPECT_GT(lowered, 150);
}

TEST(TspTighten, FindsAViolatedComb) {
  // Two triangles of halves, joined by three paths; one of them has a city on its way, 6.
  Support support;
  for (int city = 0; city < 7; ++city) support.nodes.push_back({city});
  support.edges = {{0, 1, 0.5}, {1, 2, 0.5}, {0, 2, 0.5}, {3, 4, 0.5}, {4, 5, 0.5},
                   {3, 5, 0.5}, {0, 3, 1},   {1, 4, 1},   {2, 6, 1},   {6, 5, 1}};
  const Cut slack = {{{0, 1, 2, 6}, {0, 3}, {1, 4}, {2, 5}}};
  CutValues values(support);
  ASSERT_NEAR(values.violation(slack), -1, 1e-9);
  EXPECT_NEAR(values.violation(CombTightener(support)(slack)), 1, 1e-9);
}

}  // namespace
}  // namespace floydnet::tsp
