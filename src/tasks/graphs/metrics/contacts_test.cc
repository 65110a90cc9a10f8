#include "tasks/graphs/metrics/contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "base/draws.h"

namespace floydnet::graphs {
namespace {

/// The protocol as it is told: the positive and its rivals in a list, sorted from the highest.
double naive_mrr(const std::vector<float>& scores, int64_t n, const std::vector<Graph::Edge>& pairs,
                 Rivals rivals) {
  double sum = 0;
  for (const auto& [i, j] : pairs) {
    std::vector<float> list;
    for (int64_t k = 0; k < n; ++k) {
      const bool other_true =
          std::count(pairs.begin(), pairs.end(), Graph::Edge(i, static_cast<int32_t>(k))) > 0;
      if (k == j || (rivals != Rivals::kRaw && other_true)) continue;
      if (rivals == Rivals::kExtended && k == i) continue;
      list.push_back(scores[static_cast<size_t>(i * n + k)]);
    }
    const float own = scores[static_cast<size_t>(i * n + j)];
    sum += 1.0 / static_cast<double>(
                     1 + std::count_if(list.begin(), list.end(), [&](float s) { return s > own; }));
  }
  return sum / static_cast<double>(pairs.size());
}

TEST(Contacts, ByHand) {
  // Row 0: itself .9, then .5, .7, .6; true are (0, 1) and (0, 2).
  const std::vector<float> scores = {.9F, .5F, .7F, .6F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const std::vector<Graph::Edge> pairs = {{0, 1}, {0, 2}};
  const RankScores raw = rank_contacts(scores, 4, pairs, Rivals::kRaw);
  EXPECT_DOUBLE_EQ(raw.mrr, (1.0 / 4 + 1.0 / 2) / 2);
  EXPECT_DOUBLE_EQ(raw.hits[0], 0);
  EXPECT_DOUBLE_EQ(raw.hits[1], .5);
  EXPECT_DOUBLE_EQ(raw.hits[2], 1);
  EXPECT_DOUBLE_EQ(rank_contacts(scores, 4, pairs, Rivals::kFiltered).mrr, (1.0 / 3 + 1.0 / 2) / 2);
  EXPECT_DOUBLE_EQ(rank_contacts(scores, 4, pairs, Rivals::kExtended).mrr, (1.0 / 2 + 1) / 2);
}

TEST(Contacts, TiesAreExpectations) {
  const std::vector<float> scores(9, .5F);
  const RankScores tied = rank_contacts(scores, 3, {{0, 1}}, Rivals::kRaw);
  EXPECT_DOUBLE_EQ(tied.mrr, (1 + 1.0 / 2 + 1.0 / 3) / 3);
  EXPECT_DOUBLE_EQ(tied.hits[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(tied.hits[1], 1);
}

TEST(Contacts, EqualTheProtocolOnRandomScores) {
  Draws draws({22});
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<int64_t>(2 + draws.below(20));
    std::vector<float> scores;
    for (int64_t i = 0; i < n * n; ++i) scores.push_back(static_cast<float>(i));
    draws.shuffle(scores);
    std::vector<Graph::Edge> pairs;
    for (int32_t i = 0; i < n; ++i) {
      for (int32_t j = 0; j < n; ++j) {
        if (i != j && draws.below(4) == 0) pairs.emplace_back(i, j);
      }
    }
    if (pairs.empty()) continue;
    for (const Rivals rivals : {Rivals::kRaw, Rivals::kFiltered, Rivals::kExtended}) {
      EXPECT_NEAR(rank_contacts(scores, n, pairs, rivals).mrr, naive_mrr(scores, n, pairs, rivals),
                  1e-12);
    }
  }
}

TEST(Contacts, MeansAreWeightedByBatches) {
  ContactMean mean;
  mean.add_batch({{1, {1, 1, 1}}, {0, {0, 0, 0}}}, 30);
  mean.add_batch({{.25, {0, 0, 1}}}, 10);
  EXPECT_DOUBLE_EQ(mean.mean().mrr, (30 * .5 + 10 * .25) / 40);
  EXPECT_DOUBLE_EQ(mean.mean().hits[2], (30 * .5 + 10) / 40);
  EXPECT_EQ(ContactMean().mean().mrr, 0);
  EXPECT_EQ(rank_contacts({1}, 1, {}, Rivals::kRaw).mrr, 0);
  EXPECT_THROW(rank_contacts({1}, 1, {{0, 1}}, Rivals::kRaw), std::invalid_argument);
}

}  // namespace
}  // namespace floydnet::graphs
