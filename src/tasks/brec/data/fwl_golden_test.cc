#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_data.h"
#include "floydnet/wl.h"
#include "tasks/brec/data/data.h"
#include "tasks/brec/data/features.h"

namespace floydnet::brec {
namespace {

std::string distinguished(const std::vector<Pair>& all, int k, const std::string& ids,
                          WlEvaluation evaluation = WlEvaluation::kAuto) {
  std::vector<WlPair> pairs;
  const std::vector<int64_t> wanted = parse_ids(ids);
  for (const int64_t id : wanted) {
    const Pair& pair = all[static_cast<size_t>(id)];
    pairs.push_back({&pair.a, &pair.b});
  }
  WlOptions options;
  options.order = k;
  options.threads = 2;
  options.evaluation = evaluation;
  const std::vector<WlVerdict> verdicts = wl_compare_pairs(pairs, options);
  std::vector<int64_t> found;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    EXPECT_EQ(verdicts[i].refusal, "") << wanted[i];
    if (verdicts[i].distinguished) found.push_back(wanted[i]);
  }
  return format_ids(found);
}

class BrecFwl : public testing::Test {
 protected:
  void SetUp() override {
    FLOYDNET_REQUIRE_TEST_DATA("brec");
    pairs_ = read_pairs(test_data("brec"));
  }
  std::vector<Pair> pairs_;
};

TEST_F(BrecFwl, DataIsWhatItsDescriptionSays) {
  ASSERT_EQ(pairs_.size(), 400u);
  int64_t largest = 0;
  for (const Pair& pair : pairs_) {
    EXPECT_EQ(pair.a.nodes(), pair.b.nodes()) << pair.id;
    EXPECT_EQ(pair.a.edges().size(), pair.b.edges().size()) << pair.id;
    largest = std::max(largest, pair.a.nodes());
  }
  EXPECT_EQ(largest, 198);
}

TEST_F(BrecFwl, OrderOneDistinguishesNone) { EXPECT_EQ(distinguished(pairs_, 1, "0-399"), "none"); }

// 60 Basic, 50 Regular, 100 Extension, 60 CFI: 270.
TEST_F(BrecFwl, OrderTwoDistinguishes270) {
  EXPECT_EQ(distinguished(pairs_, 2, "0-399"), "0-109,160-319");
}

// With 2-FWL's own 270 these are 341.
TEST_F(BrecFwl, PeripheralFeaturesAdd71) {
  for (Pair& pair : pairs_) {
    add_peripheral_features(pair.a);
    add_peripheral_features(pair.b);
  }
  EXPECT_EQ(distinguished(pairs_, 2, "110-159,320-399"), "110-159,360-380");
}

TEST_F(BrecFwl, OrderThreeDistinguishesAllButTheLastCfiPairs) {
  EXPECT_EQ(distinguished(pairs_, 3, "0-329,333-335,338,348,350,356,359,380-399"),
            "0-329,333-335,338,380-399");
}

// Pair 356 is the CFI pair over K_6 (156 = 6 * 16 + 15 * 4 nodes, a group of order 737280 = 6!
// 2^10), 345 that over K_6 with a path between two of its nodes. Their treewidth is 5: it takes k
// = 5.
TEST_F(BrecFwl, OrderFourByRepresentatives) {
  EXPECT_EQ(distinguished(pairs_, 4, "0-9,60-69,110,160-169,260,343,356,380-382"),
            "0-9,60-69,110,160-169,260,343,380-382");
}

TEST_F(BrecFwl, DenseAndCompressedEvaluationAgree) {
  const std::string ids = "0-3,60-63,110-113,160-163,260-263,320-322,398-399";
  for (const int k : {1, 2, 3}) {
    EXPECT_EQ(distinguished(pairs_, k, ids, WlEvaluation::kDense),
              distinguished(pairs_, k, ids, WlEvaluation::kCompressed));
  }
}

}  // namespace
}  // namespace floydnet::brec
