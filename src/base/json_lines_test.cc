#include "base/json_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/options_file.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"

namespace floydnet {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(JsonLines, GrowAndLoseAnUnfinishedLine) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.jsonl");
  EXPECT_THAT(read_json_lines(path), IsEmpty());
  append_json_line(path, {{"a", 1}});
  append_json_line(path, {{"a", "two\nlines"}});
  const std::string whole = read_file(path);
  write_file_atomically(path, whole + R"({"a": 3)");
  EXPECT_THAT(read_json_lines(path), ElementsAre(json{{"a", 1}}, json{{"a", "two\nlines"}}));
  EXPECT_EQ(read_file(path), whole);
  write_file_atomically(path, R"({"a")");
  EXPECT_THAT(read_json_lines(path), IsEmpty());
}

TEST(JsonLines, OtherFaultsAreNamed) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.jsonl");
  for (const char* text : {"{}\n{\"a\n", "{}\n[1]\n", "{}\n\n"}) {
    write_file_atomically(path, text);
    EXPECT_THAT(refusal([&] { read_json_lines(path); }),
                HasSubstr("a.jsonl: line 2: not a result"));
  }
  EXPECT_THAT(refusal([&] { append_json_line(folder.path(), {}); }),
              HasSubstr("cannot be written"));
}

TEST(OptionsFile, RefusesOtherOptions) {
  const TemporaryFolder folder;
  const std::string inner = folder.file("new/inner");
  keep_options(inner, {{"seed", 1}, {"name", "a"}});
  keep_options(inner, {{"seed", 1}, {"name", "a"}});
  EXPECT_THAT(refusal([&] {
                keep_options(inner, {{"seed", 2}, {"name", "a"}});
              }),
              HasSubstr("holds results with seed = 1, not 2"));
  write_file_atomically(inner + "/options.json", "[]");
  EXPECT_THAT(refusal([&] { keep_options(inner, {{"seed", 1}}); }), HasSubstr("not a JSON object"));
  write_file_atomically(folder.file("file"), "");
  EXPECT_THAT(refusal([&] { keep_options(folder.file("file"), {}); }), HasSubstr("not a folder"));
}

}  // namespace
}  // namespace floydnet
