#include "record/json_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/file.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"

namespace floydnet::record {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

std::vector<std::pair<uint64_t, std::string>> lines_of(std::string_view text) {
  std::vector<std::pair<uint64_t, std::string>> lines;
  for_each_line(text, [&](uint64_t number, std::string_view line) {
    lines.emplace_back(number, line);
    return true;
  });
  return lines;
}

TEST(JsonLines, LinesAreNumberedAndBlankOnesLeftOut) {
  EXPECT_THAT(lines_of("a\n\n \t\r\nb\n"), ElementsAre(Pair(1, "a"), Pair(4, "b")));
  EXPECT_TRUE(lines_of("").empty());
}

TEST(JsonLines, ALineThatIsCutOffIsLeftOut) {
  const auto all = [](uint64_t, std::string_view) { return true; };
  EXPECT_THAT(lines_of("a\nb"), ElementsAre(Pair(1, "a")));
  EXPECT_EQ(for_each_line("a\nb", all), 2u);
  EXPECT_EQ(for_each_line("a", all), 0u);
}

TEST(JsonLines, EndsWhereItIsTold) {
  EXPECT_EQ(for_each_line("a\nb\nc\n", [](uint64_t, std::string_view line) { return line != "b"; }),
            2u);
}

TEST(JsonLines, AppendsToWhatIsThere) {
  const TemporaryFolder folder;
  const std::string path = folder.file("log.jsonl");
  for (int i = 0; i < 2; ++i) {
    JsonLines lines(path);
    EXPECT_TRUE(lines.add({{"i", i}, {"x", number_or_null(NAN)}}));
    EXPECT_EQ(lines_of(read_file(path)).size(), static_cast<size_t>(i + 1));
  }
  EXPECT_EQ(read_file(path), "{\"i\":0,\"x\":null}\n{\"i\":1,\"x\":null}\n");
  EXPECT_THAT(refusal([&] { JsonLines(folder.file("absent/log")); }), HasSubstr("No such file"));
}

TEST(JsonLines, SaysThatALineCouldNotBeWritten) {
  JsonLines full("/dev/full");
  EXPECT_FALSE(full.add({{"i", 1}}));
}

TEST(JsonLines, NumbersThatJsonHasNot) {
  EXPECT_TRUE(number_or_null(INFINITY).is_null());
  EXPECT_EQ(number_or_null(0.5), 0.5);
  EXPECT_TRUE(std::isnan(number_or_nan(nullptr)));
}

}  // namespace
}  // namespace floydnet::record
