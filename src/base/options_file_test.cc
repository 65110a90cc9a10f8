#include "base/options_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"

namespace floydnet {
namespace {

using testing::HasSubstr;

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
