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

TEST(JsonLines, ResultsLoseAnUnfinishedLine) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.jsonl");
  const auto results = [&path] {
    std::vector<int> numbers;
    read_json_lines(path, [&](const auto& object) { numbers.push_back(object.at("a")); });
    return numbers;
  };
  EXPECT_TRUE(results().empty());
  append_json_line(path, {{"a", 1}, {"b", "two\nlines"}});
  append_json_line(path, {{"a", 2}});
  const std::string whole = read_file(path);
  write_file_atomically(path, whole + R"({"a": 3)");
  EXPECT_THAT(results(), ElementsAre(1, 2));
  EXPECT_EQ(read_file(path), whole);
  for (const char* text : {"{\"a\":1}\n{\"a\n", "{\"a\":1}\n[1]\n", "{\"a\":1}\n{}\n"}) {
    write_file_atomically(path, text);
    EXPECT_THAT(refusal(results), HasSubstr("a.jsonl: line 2: not a result")) << text;
  }
  EXPECT_THAT(refusal([&] { append_json_line(folder.path(), {}); }), HasSubstr("directory"));
}

TEST(JsonLines, NumbersThatJsonHasNot) {
  EXPECT_TRUE(number_or_null(INFINITY).is_null());
  EXPECT_EQ(number_or_null(0.5), 0.5);
  EXPECT_TRUE(std::isnan(number_or_nan(nullptr)));
}

}  // namespace
}  // namespace floydnet::record
