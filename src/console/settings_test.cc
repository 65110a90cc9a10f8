#include "console/settings.h"

#include <gmock/gmock.h>

#include <CLI/CLI.hpp>

#include "base/test_refusal.h"
#include "train/config.h"

namespace floydnet {
namespace {

using ::testing::HasSubstr;

/// Parses as a command would, then applies to a configuration with the keys data.x and data.y.
struct Parsed {
  int64_t x = 0, y = 0;

  explicit Parsed(const std::vector<std::string>& words,
                  const std::vector<Settings::Flag>& known = {{"--x", "data.x", ""}}) {
    CLI::App app;
    auto settings = std::make_shared<Settings>();
    Settings::add_flag(app, settings, "--x", "");
    Settings::add_set(app, settings, "");
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    OptionTable table;
    table.integer("x", &x, {0, 9}, "");
    table.integer("y", &y, {0, 9}, "");
    train::RunConfig config;
    config.add("data", table);
    settings->apply("points", known, &config);
  }
};

TEST(Settings, FlagsAndSetBothCountInAnyOrder) {
  for (const auto& words : {std::vector<std::string>{"--x", "3", "--set", "data.y=4"},
                            {"--set", "data.y=4", "--x", "3"}}) {
    const Parsed parsed(words);
    EXPECT_EQ(parsed.x, 3);
    EXPECT_EQ(parsed.y, 4);
  }
}

TEST(Settings, AFlagMeansWhatTheTaskSays) {
  const Parsed parsed({"--x", "3"}, {{"--x", "data.y", ""}});
  EXPECT_EQ(parsed.x, 0);
  EXPECT_EQ(parsed.y, 3);
  EXPECT_THAT(refusal([] { Parsed({"--x", "3"}, {}); }), HasSubstr("--x: points has no such flag"));
}

TEST(Settings, WhatWasTypedIsNamed) {
  EXPECT_THAT(refusal([] {
                Parsed({"--x", "abc"});
              }),
              HasSubstr("--x abc: data: \"x\" is \"abc\", wanted integer"));
  EXPECT_THAT(refusal([] {
                Parsed({"--x", "3", "--set", "data.x=4"});
              }),
              HasSubstr("--x: given twice, by --set data.x=4 too"));
  EXPECT_THAT(refusal([] { Parsed({"--set", "data.x=\xff"}); }), HasSubstr("is not UTF-8"));
}

}  // namespace
}  // namespace floydnet
