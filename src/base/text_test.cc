#include "base/text.h"

#include <gtest/gtest.h>

namespace floydnet {
namespace {

TEST(Quoted, KeepsPrintableText) { EXPECT_EQ(quoted("a b~"), "'a b~'"); }

TEST(Quoted, ShowsOtherBytesAsHexadecimal) {
  EXPECT_EQ(quoted(std::string_view("\0\n\x7f\xff", 4)), "'\\x00\\x0a\\x7f\\xff'");
}

TEST(Quoted, CutsLongText) {
  EXPECT_EQ(quoted(std::string(60, 'a')), "'" + std::string(60, 'a') + "'");
  EXPECT_EQ(quoted(std::string(61, 'a')), "'" + std::string(60, 'a') + "...'");
}

}  // namespace
}  // namespace floydnet
