#include "bench/attention_case.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include "base/hash.h"
#include "bench/suites.h"

namespace floydnet::bench {
namespace {

constexpr Direction kBoth = Direction::kForwardBackward;

/// The results of `work`, with those of roles under one another as the fused form has them.
std::vector<at::Tensor> packed_results(const Work& work, int64_t order) {
  const std::vector<at::Tensor> all = work();
  if (static_cast<int64_t>(all.size()) == 4) return all;
  const auto stacked = [&all](int64_t from, int64_t count) {
    return torch::stack(std::vector<at::Tensor>(all.begin() + from, all.begin() + from + count));
  };
  return {all[0], all[1], stacked(2, order), stacked(2 + order, order)};
}

double largest_difference(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].numel(), b[i].numel());
    largest = std::max(largest, (a[i].reshape(-1) - b[i].reshape(-1)).abs().max().item<double>());
  }
  return largest;
}

struct FormulaParam {
  int64_t order, nodes;
  Composition composition;
};

class Formulas : public ::testing::TestWithParam<FormulaParam> {};

TEST_P(Formulas, EqualTheOperatorForwardAndBackward) {
  const auto [order, nodes, composition] = GetParam();
  const AttentionCase c = {order, 2, 3, 5, nodes, composition};
  const AttentionInputs inputs(c, at::kDouble);
  const auto fused = packed_results(attention_work(inputs, Side::kFused, kBoth), order);
  for (const Side side : {Side::kEinsum, Side::kNaive}) {
    const auto other = packed_results(attention_work(inputs, side, kBoth), order);
    EXPECT_LT(largest_difference(fused, other), 1e-10) << name_of(side);
    const auto forward = attention_work(inputs, side, Direction::kForward)();
    ASSERT_EQ(forward.size(), 1u);
    EXPECT_FALSE(forward[0].requires_grad());
    EXPECT_LT(largest_difference({fused[0]}, forward), 1e-10) << name_of(side);
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, Formulas,
                         ::testing::Values(FormulaParam{1, 7, Composition::kAdditive},
                                           FormulaParam{2, 6, Composition::kAdditive},
                                           FormulaParam{3, 5, Composition::kAdditive},
                                           FormulaParam{4, 3, Composition::kAdditive},
                                           FormulaParam{1, 7, Composition::kMultiplicative},
                                           FormulaParam{2, 6, Composition::kMultiplicative},
                                           FormulaParam{3, 5, Composition::kMultiplicative},
                                           FormulaParam{4, 3, Composition::kMultiplicative}));

TEST(AttentionCase, CountsOperations) {
  const AttentionCase pairs = {2, 1, 6, 64, 128};
  const double n3d = 128.0 * 128 * 128 * 64;
  EXPECT_DOUBLE_EQ(pairs.flops(Direction::kForward), 6 * 8 * n3d);
  EXPECT_DOUBLE_EQ(pairs.flops(kBoth), 6 * 28 * n3d);
  const AttentionCase triples = {3, 2, 4, 16, 32};
  EXPECT_DOUBLE_EQ(triples.flops(Direction::kForward), 8 * 12 * 32.0 * 32 * 32 * 32 * 16);
}

TEST(AttentionCase, NamesWhatIsNotUsual) {
  EXPECT_EQ((AttentionCase{2, 1, 6, 64, 128}).name(), "H6 d64 N128");
  EXPECT_EQ((AttentionCase{3, 32, 4, 16, 16, Composition::kMultiplicative}).name(),
            "k3 B32 H4 d16 N16 mult");
}

TEST(AttentionCase, BaselinesNeedTheMemoryThatTheyMaterialise) {
  const AttentionCase c = {2, 1, 6, 64, 128};
  const double scores = 4.0 * 6 * 128 * 128 * 128;
  EXPECT_EQ(c.extra_bytes(Side::kFused, kBoth), 0);
  EXPECT_GE(c.extra_bytes(Side::kEinsum, kBoth), 3 * scores);
  EXPECT_GE(c.extra_bytes(Side::kNaive, kBoth), 2 * 64 * scores);
}

TEST(Signature, DependsOnTheCaseAloneAndTellsCasesApart) {
  const AttentionCase c = {2, 2, 2, 4, 5};
  const uint64_t first = signature(c);
  EXPECT_EQ(signature(c), first);
  AttentionCase other = c;
  other.composition = Composition::kMultiplicative;
  EXPECT_NE(signature(other), first);
}

TEST(Work, ChecksumIsFnv1a) {
  EXPECT_EQ(fnv1a("", 0), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a("a", 1), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a("foobar", 6), 0x85944171f73967e8u);
}

TEST(Work, DataHaveMeanZeroAndVarianceOne) {
  const at::Tensor data = filled({100, 100}, 3);
  EXPECT_NEAR(data.mean().item<double>(), 0, 0.05);
  EXPECT_NEAR(data.var().item<double>(), 1, 0.05);
  EXPECT_FALSE(data.equal(filled({100, 100}, 4)));
  EXPECT_TRUE(data.equal(filled({100, 100}, 3)));
}

TEST(Scaling, TakesPowersOfTwoAndWhatIsBetween) {
  EXPECT_EQ(scaling_nodes(512), (std::vector<int64_t>{64, 96, 128, 192, 256, 384, 512}));
  EXPECT_EQ(scaling_nodes(100), (std::vector<int64_t>{64, 96}));
}

TEST(Scaling, FitsTheSidesThatRan) {
  std::vector<Result> results(3);
  const std::vector<int64_t> nodes = {64, 128, 256};
  for (size_t i = 0; i < nodes.size(); ++i) {
    const auto n = static_cast<double>(nodes[i]);
    results[i].sides[Side::kFused] = {{n * n * n, n * n * n, 3}, n * n};
    if (i < 2) results[i].sides[Side::kEinsum] = {{n, n, 3}, std::nullopt};
    if (i < 1) results[i].sides[Side::kNaive] = {{n, n, 3}, n};
  }
  const Growth growth = fit_growth(nodes, results);
  EXPECT_NEAR(growth.time.at(Side::kFused), 3, 1e-9);
  EXPECT_NEAR(growth.memory.at(Side::kFused), 2, 1e-9);
  EXPECT_NEAR(growth.time.at(Side::kEinsum), 1, 1e-9);
  EXPECT_EQ(growth.memory.count(Side::kEinsum), 0u);
  EXPECT_EQ(growth.time.count(Side::kNaive), 0u);
}

}  // namespace
}  // namespace floydnet::bench
