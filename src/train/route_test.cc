#include "train/route.h"

#include <gmock/gmock.h>

#include "base/test_refusal.h"

namespace floydnet::train {
namespace {

TEST(Route, ThisMachineIsReachedByTheLoopback) {
  EXPECT_EQ(address_towards("127.0.0.1", 29500), "127.0.0.1");
  EXPECT_TRUE(is_loopback(address_towards("localhost", 29500)));
}

TEST(Route, LoopbackAddressesAreKnown) {
  for (const char* address : {"127.0.0.1", "127.0.1.1", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(is_loopback(address)) << address;
  }
  for (const char* address : {"10.77.0.1", "128.0.0.1", "fe80::1", ""}) {
    EXPECT_FALSE(is_loopback(address)) << address;
  }
}

TEST(Route, AnUnknownNameIsNamed) {
  EXPECT_THAT(refusal([] { address_towards("no-such-host.invalid", 29500); }),
              ::testing::StartsWith("no-such-host.invalid: "));
}

}  // namespace
}  // namespace floydnet::train
