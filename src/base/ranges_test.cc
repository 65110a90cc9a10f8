#include "base/ranges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_refusal.h"

namespace floydnet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Ranges, AreSortedAndHaveEachNumberOnce) {
  EXPECT_THAT(parse_ranges("17,12-14,13", {10, 200}, "sizes"), ElementsAre(12, 13, 14, 17));
  EXPECT_THAT(parse_ranges("10", {10, 200}, "sizes"), ElementsAre(10));
}

TEST(Ranges, FaultyOnesAreRefused) {
  for (const char* text : {"", ",", "10,", "9", "201", "a", "-12", "12-", "12--14", "12 14", "1e2",
                           "99999999999999999999", "+12"}) {
    EXPECT_THAT(refusal([&] {
                  parse_ranges(text, {10, 200}, "sizes");
                }),
                HasSubstr("is not a number in 10..200; write for example 10-19,30"))
        << text;
  }
  EXPECT_THAT(refusal([] {
                parse_ranges("14-12", {10, 200}, "sizes");
              }),
              HasSubstr("sizes: the range '14-12' runs backwards"));
}

}  // namespace
}  // namespace floydnet
