#include "tasks/brec/data/lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace floydnet::brec {
namespace {

std::vector<double> random_numbers(int64_t count, double spread, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, spread);
  std::vector<double> numbers(static_cast<size_t>(count));
  for (double& x : numbers) x = normal(random);
  return numbers;
}

/// One target by the formula, lane by lane.
struct Formula {
  LaneAttention its;
  const std::vector<double>& queries;
  const std::vector<double>& states;
  const std::vector<uint32_t>& sources;

  double state(int64_t p, int r, int64_t c, int64_t lane) const {
    const int64_t cell = sources[static_cast<size_t>(p * its.order + r)];
    return states[static_cast<size_t>((cell * its.dim + c) * kLanes + lane)];
  }

  std::vector<double> weights(int64_t head, int64_t lane) const {
    std::vector<double> all;
    for (int64_t p = 0; p < its.pivots; ++p) {
      double logit = 0;
      for (int r = 0; r < its.order; ++r) {
        for (int64_t c = 0; c < its.dim; ++c) {
          const int64_t at = ((head * its.order + r) * its.dim + c) * kLanes + lane;
          logit += queries[static_cast<size_t>(at)] * state(p, r, c, lane);
        }
      }
      all.push_back(logit);
    }
    const double most = *std::max_element(all.begin(), all.end());
    double total = 0;
    for (double& x : all) total += x = std::exp(x - most);
    for (double& x : all) x /= total;
    return all;
  }

  double mean(int64_t head, int r, int64_t c, int64_t lane) const {
    const std::vector<double> alpha = weights(head, lane);
    double sum = 0;
    for (int64_t p = 0; p < its.pivots; ++p) {
      sum += alpha[static_cast<size_t>(p)] * state(p, r, c, lane);
    }
    return sum;
  }
};

TEST(BrecLanes, AttentionIsTheFormula) {
  const std::vector<uint32_t> shuffled = {4, 0, 10, 7, 2, 9, 1, 3, 8, 6, 5};
  for (const int order : {2, 3, 4}) {
    for (const int64_t dim : {2, 3, 4, 8}) {
      for (const double spread : {0.3, 30.0}) {  // the latter far beyond where exp is 0
        const LaneAttention its = {order, 2, dim, 11, dim * kLanes, shuffled.data()};
        const int64_t cells = 7, width = its.heads * order * dim;
        const auto queries = random_numbers(width * kLanes, spread, 1);
        const auto states = random_numbers(cells * dim * kLanes, 1, 2);
        std::vector<uint32_t> sources(static_cast<size_t>(its.pivots * order));
        for (size_t i = 0; i < sources.size(); ++i) sources[i] = (5 * i + 3) % cells;
        std::vector<double> weights(static_cast<size_t>(its.pivots * kLanes));
        std::vector<double> out(static_cast<size_t>(width * kLanes));
        its.attend(queries.data(), states.data(), sources.data(), sources.data(), weights.data(),
                   out.data());
        const Formula formula = {its, queries, states, sources};
        for (int64_t i = 0; i < width * kLanes; ++i) {
          const int64_t c = i / kLanes % dim, role = i / kLanes / dim;
          EXPECT_NEAR(out[static_cast<size_t>(i)],
                      formula.mean(role / order, static_cast<int>(role % order), c, i % kLanes),
                      spread * 1e-14)
              << order << " " << dim << " " << i;
        }
      }
    }
  }
}

TEST(BrecLanes, SumsOfEqualTermsDoNotDrift) {
  // A million times 0.1, added up plainly, is off by 1e-6.
  const std::vector<double> x(kLanes, 0.1), zero(kLanes, 0.0);
  std::vector<double> sum(zero), rest(zero);
  for (int i = 0; i < 1000000; ++i) {
    add_power_lanes(x.data(), zero.data(), 1, 1, 1, sum.data(), rest.data());
  }
  for (size_t lane = 0; lane < kLanes; ++lane) {
    EXPECT_NEAR(sum[lane] + rest[lane], 1e5, 1e-10);
    EXPECT_GT(std::abs(sum[lane] - 1e5), 1e-7);
  }
}

TEST(BrecLanes, PowersAndProductsByHand) {
  std::vector<double> x(2 * kLanes, 5), centre(2 * kLanes, 2), sum(2 * kLanes, 1);
  std::vector<double> rest(2 * kLanes, 0);
  add_power_lanes(x.data(), centre.data(), 2, 10, 2, sum.data(), rest.data());
  EXPECT_EQ(sum, std::vector<double>(2 * kLanes, 91));
  const std::vector<double> w = {1, 2, 3, 4};
  std::vector<double> y(2 * kLanes, 100);
  multiply_lanes(w.data(), 2, 2, x.data(), y.data(), true);
  EXPECT_EQ(y[0], 115);
  EXPECT_EQ(y[kLanes], 135);
  multiply_lanes(w.data(), 2, 2, x.data(), y.data(), false);
  EXPECT_EQ(y[2 * kLanes - 1], 35);
}

}  // namespace
}  // namespace floydnet::brec
