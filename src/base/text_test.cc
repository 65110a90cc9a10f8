#include "base/text.h"

#include <gtest/gtest.h>

namespace floydnet {
namespace {

TEST(InQuotes, KeepsPrintableText) { EXPECT_EQ(in_quotes("a b~"), "'a b~'"); }

TEST(InQuotes, ShowsOtherBytesAsHexadecimal) {
  EXPECT_EQ(in_quotes(std::string_view("\0\n\x7f\xff", 4)), "'\\x00\\x0a\\x7f\\xff'");
}

TEST(InQuotes, CutsLongText) {
  EXPECT_EQ(in_quotes(std::string(60, 'a')), "'" + std::string(60, 'a') + "'");
  EXPECT_EQ(in_quotes(std::string(61, 'a')), "'" + std::string(60, 'a') + "...'");
}

}  // namespace
}  // namespace floydnet
