#include <gtest/gtest.h>

#include "base/test_data.h"
#include "tasks/brec/data/data.h"
#include "tasks/brec/data/features.h"
#include "tasks/brec/run.h"

namespace floydnet::brec {
namespace {

class BrecRpcGolden : public testing::Test {
 protected:
  void SetUp() override {
    FLOYDNET_REQUIRE_TEST_DATA("brec");
    pairs_ = read_pairs(test_data("brec"));
  }

  /// The ids that FloydNet tells apart; all must be reliable.
  std::string distinguished(const std::string& ids, const RunOptions& options) {
    std::vector<Pair> wanted;
    for (const int64_t id : parse_ids(ids)) wanted.push_back(pairs_[static_cast<size_t>(id)]);
    std::vector<int64_t> found;
    for (const PairResult& result : run_pairs(wanted, options)) {
      EXPECT_TRUE(result.verdict.reliable) << result.id << ": " << result.verdict.reliability;
      if (result.verdict.distinguished) found.push_back(result.id);
    }
    return format_ids(found);
  }

  static RunOptions options_for(int64_t order) {
    RunOptions options;
    options.embed.order = order;
    options.embed.threads = 2;
    set_defaults(options.embed);
    return options;
  }

  std::vector<Pair> pairs_;
};

// Of 112, 113, 130, 131, 133 and 370 one graph has far more orbits than the other: sums over orbits
// that round to one side would show here. 275 and 280 are the hardest to tell apart.
TEST_F(BrecRpcGolden, PairsAsTwoFwl) {
  EXPECT_EQ(distinguished("0-3,60-63,110-113,130-133,160-163,265,275,280,297,333,343,370,380",
                          options_for(2)),
            "0-3,60-63,160-163,265,275,280,297");
}

TEST_F(BrecRpcGolden, TriplesAsThreeFwl) {
  EXPECT_EQ(distinguished("0-1,60-61,110,160-161,265,297,303,333,343,375,398", options_for(3)),
            "0-1,60-61,110,160-161,265,297,303,333,375,398");
}

TEST_F(BrecRpcGolden, PeripheralFeaturesTellStronglyRegularGraphsApart) {
  RunOptions options = options_for(2);
  options.peripheral_features = true;
  options.embed.node_reals = kPeripheralFeatures;
  for (const int64_t id : parse_ids("110-112,123,147,159,360,380-381")) {
    add_peripheral_features(pairs_[static_cast<size_t>(id)].a);
    add_peripheral_features(pairs_[static_cast<size_t>(id)].b);
  }
  EXPECT_EQ(distinguished("110-112,123,147,159,360,380-381", options),
            "110-112,123,147,159,360,380");
}

}  // namespace
}  // namespace floydnet::brec
