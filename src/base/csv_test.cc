#include "base/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_refusal.h"

namespace floydnet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Csv, FieldsMayBeQuoted) {
  const CsvTable table = parse_csv_table(
      "\xef\xbb\xbf"
      "a,b,c\r\n1,\"x, \"\"y\"\"\nz\",\r\n\r\n\"\",,3",
      "t.csv");
  EXPECT_THAT(table.header, ElementsAre("a", "b", "c"));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_THAT(table.rows[0].fields, ElementsAre("1", "x, \"y\"\nz", ""));
  EXPECT_EQ(table.rows[0].line, 2u);
  EXPECT_THAT(table.rows[1].fields, ElementsAre("", "", "3"));
  EXPECT_EQ(table.rows[1].line, 5u);
}

TEST(Csv, WritesWhatItReads) {
  for (const std::string text : {"plain", "a,b", "say \"so\"", "two\nlines", "cr\r", ""}) {
    const std::string line = "x," + csv_field(text) + "\n";
    CsvReader reader(line, "t.csv");
    CsvRow row;
    ASSERT_TRUE(reader.next(row));
    EXPECT_THAT(row.fields, ElementsAre("x", text));
    EXPECT_FALSE(reader.next(row));
  }
}

TEST(Csv, RefusesWhatIsNoTable) {
  const auto message = [](const std::string& text) {
    return refusal([&] { parse_csv_table(text, "t.csv"); });
  };
  EXPECT_EQ(message(""), "t.csv: is empty; a header was wanted");
  EXPECT_EQ(message("a,b\n1,2\n3\n"), "t.csv: line 3: has 1 fields, not 2 as the header");
  EXPECT_EQ(message("a,b\n1,\"2\n3"), "t.csv: line 2: a quote that begins here has no end");
  EXPECT_EQ(message("a\n\"1\"2\n"), "t.csv: line 2: text follows a closing quote");
  EXPECT_EQ(refusal([] { parse_csv_table("a,b\n", "t.csv").column("c", "t.csv"); }),
            "t.csv: has no column 'c'; its columns are 'a', 'b'");
}

}  // namespace
}  // namespace floydnet
