#include "tasks/tsp/edges/decode.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tasks/tsp/data/generator.h"
#include "tasks/tsp/edges/judge.h"
#include "tasks/tsp/solver/exact.h"

namespace floydnet::tsp {
namespace {

/// Scores of 1 for these edges, in one direction only.
std::vector<float> scores_of(int cities, const std::vector<std::pair<int, int>>& edges) {
  std::vector<float> scores(static_cast<std::size_t>(cities) * cities, 0);
  for (const auto& [i, j] : edges) scores[i * cities + j] = 1;
  return scores;
}

StrictDecoding decode(int cities, const std::vector<std::pair<int, int>>& edges,
                      const Tour& reference = {}) {
  return decode_strictly(scores_of(cities, edges).data(), cities, reference);
}

TEST(TspDecode, ATourInEitherDirection) {
  const StrictDecoding decoding = decode(5, {{0, 2}, {4, 2}, {4, 1}, {1, 3}, {0, 3}});
  ASSERT_EQ(decoding.kind, Decoded::kTour);
  EXPECT_EQ(decoding.tour, (Tour{0, 2, 4, 1, 3}));
  EXPECT_EQ(decoding.edges, 5);
}

TEST(TspDecode, SaysWhatIsWrong) {
  EXPECT_EQ(decode(4, {{0, 1}, {1, 2}, {2, 3}}).kind, Decoded::kIncomplete);
  EXPECT_EQ(decode(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}}).kind, Decoded::kIncomplete);
  EXPECT_EQ(decode(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}).kind,
            Decoded::kSeveralCycles);
  EXPECT_EQ(decode(3, {}).kind, Decoded::kIncomplete);
  std::vector<float> no_numbers(9, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(decode_strictly(no_numbers.data(), 3, {}).kind, Decoded::kIncomplete);
}

TEST(TspDecode, CountsEdgesThatAreRight) {
  const StrictDecoding decoding = decode(4, {{0, 1}, {3, 0}, {1, 3}}, {0, 1, 2, 3});
  EXPECT_EQ(decoding.right, 2);
  EXPECT_NEAR(f1_score(decoding, 4), 2.0 * 2 / (3 + 4), 1e-12);
}

TEST(TspDecode, MergingPerfectScoresGivesTheTour) {
  for (int cities = 5; cities <= 12; ++cities) {
    const Instance instance = make_instance(random_problem(Kind::kExplicit, cities, 1, cities));
    const Tour optimal = solve_exact(instance, {}).tour;
    std::vector<std::pair<int, int>> edges;
    for (std::size_t p = 0; p < optimal.size(); ++p) {
      edges.emplace_back(optimal[p], optimal[(p + 1) % optimal.size()]);
    }
    const std::vector<float> scores = scores_of(cities, edges);
    const Length optimum = tour_length(instance, optimal);
    EXPECT_EQ(tour_length(instance, decode_greedily(instance, scores.data())), optimum);
    const JudgedSample judged = judge_sample(instance, optimal, scores.data());
    EXPECT_EQ(judged.kind, Decoded::kTour);
    EXPECT_EQ(judged.strict, optimum);
    EXPECT_EQ(judged.repaired, optimum);
    EXPECT_EQ(judged.f1, 1);
  }
}

TEST(TspJudge, BaselinesAreTours) {
  const Instance instance = make_instance(random_problem(Kind::kEuclidean, 12, 3, 0));
  const Length optimum = solve_exact(instance, {}).length;
  const Baselines baselines = make_baselines(instance, optimum, 1, 0.01);
  for (const Length length : {baselines.lk, baselines.lk_1, baselines.lk_10, baselines.lk_timed,
                              baselines.prior, baselines.prior_repaired}) {
    EXPECT_GE(length, optimum);
  }
  EXPECT_LE(baselines.prior_repaired, baselines.prior);
}

}  // namespace
}  // namespace floydnet::tsp
