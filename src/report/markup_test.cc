#include "report/markup.h"

#include <gtest/gtest.h>

namespace floydnet {
namespace {

TEST(Markup, EscapesWhatHasAMeaning) {
  EXPECT_EQ(escaped("a<b> & \"c\"\n\t'd'"), "a&lt;b&gt; &amp; &quot;c&quot;  'd'");
  EXPECT_EQ(escaped_lines("<\n\r>"), "&lt;\n &gt;");
  EXPECT_EQ(escaped(""), "");
}

TEST(Markup, KeepsCharactersAndReplacesOtherBytes) {
  const std::string sound = "\u00e9 \u2013 \uD7FF \uE000 \U0001F600 \U0010FFFF";
  EXPECT_EQ(escaped(sound), sound);
  const std::string bad = "\uFFFD";
  EXPECT_EQ(escaped("a\xff"
                    "b"),
            "a" + bad + "b");
  EXPECT_EQ(escaped("\xc3"), bad);            // cut off
  EXPECT_EQ(escaped("\xc3<"), bad + "&lt;");  // and no tag may hide in it
  EXPECT_EQ(escaped("\xe2\x80"), bad + bad);
  EXPECT_EQ(escaped("\xc0\xbc"), bad + bad);  // "<", longer than need be
  EXPECT_EQ(escaped("\xe0\x80\xbc"), bad + bad + bad);
  EXPECT_EQ(escaped("\xed\xa0\x80"), bad + bad + bad);            // half of a pair
  EXPECT_EQ(escaped("\xf4\x90\x80\x80"), bad + bad + bad + bad);  // beyond Unicode
  EXPECT_EQ(escaped("\xf0\x8f\xbf\xbf"), bad + bad + bad + bad);
}

}  // namespace
}  // namespace floydnet
