#include "base/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "floydnet/error.h"

namespace floydnet {
namespace {

enum class Colour { kRed, kBlue };

struct Settings {
  int64_t depth = 4;
  double rate = 0.5;
  std::optional<double> scale;
  bool fast = false;
  std::vector<int64_t> sizes = {1, 2};
  Colour colour = Colour::kRed;
};

OptionTable table_of(Settings& s) {
  OptionTable table;
  table.integer("depth", &s.depth, {1, 9}, "how deep");
  table.real("rate", &s.rate, {0, 1}, "how often");
  table.optional_real("scale", &s.scale, {0, 100}, "how large");
  table.boolean("fast", &s.fast, "whether fast");
  table.integers("sizes", &s.sizes, {1, 5}, "which sizes");
  table.choice<Colour>("colour", &s.colour, {{"red", Colour::kRed}, {"blue", Colour::kBlue}},
                       "which colour");
  return table;
}

std::string options_refusal(const char* json) {
  Settings s;
  try {
    table_of(s).read(nlohmann::json::parse(json), "x.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Options, ReadsAndWritesEveryType) {
  Settings s;
  const auto json = nlohmann::json::parse(
      R"({"depth":7,"rate":0.25,"scale":2.5,"fast":true,"sizes":[5],"colour":"blue"})");
  table_of(s).read(json, "x.json");
  EXPECT_EQ(s.depth, 7);
  EXPECT_EQ(s.scale, 2.5);
  EXPECT_EQ(s.colour, Colour::kBlue);
  EXPECT_EQ(table_of(s).write(), json);
}

TEST(Options, ListsMayStandAsCommandLinesHaveThem) {
  Settings s;
  table_of(s).read({{"sizes", "2,5"}}, "x.json");
  EXPECT_EQ(s.sizes, (std::vector<int64_t>{2, 5}));
  table_of(s).read({{"sizes", 3}}, "x.json");
  EXPECT_EQ(s.sizes, (std::vector<int64_t>{3}));
  EXPECT_EQ(options_refusal(R"({"sizes":"2,x"})"),
            "x.json: \"sizes\" is \"2,x\", wanted list, each an integer, 1 to 5");
  EXPECT_EQ(options_refusal(R"({"sizes":9})"),
            "x.json: \"sizes\" is 9, wanted list, each an integer, 1 to 5");
}

TEST(Options, NullUnsetsAnOptionalNumber) {
  Settings s;
  s.scale = 3;
  table_of(s).read({{"scale", nullptr}}, "x.json");
  EXPECT_FALSE(s.scale.has_value());
}

TEST(Options, RefusalsNameSourceKeyAndRange) {
  EXPECT_EQ(options_refusal(R"({"dpeth":3})"),
            "x.json: unknown key 'dpeth'; did you mean 'depth'?");
  EXPECT_EQ(options_refusal(R"({"depth":10})"), "x.json: \"depth\" is 10, wanted integer, 1 to 9");
  EXPECT_EQ(options_refusal(R"({"depth":2.5})"),
            "x.json: \"depth\" is 2.5, wanted integer, 1 to 9");
  EXPECT_EQ(options_refusal(R"({"rate":"x"})"), "x.json: \"rate\" is \"x\", wanted number, 0 to 1");
  EXPECT_EQ(options_refusal(R"({"fast":1})"), "x.json: \"fast\" is 1, wanted true or false");
  EXPECT_EQ(options_refusal(R"({"colour":"green"})"),
            "x.json: \"colour\" is \"green\", wanted one of red, blue");
  EXPECT_EQ(options_refusal(R"({"sizes":[1,6]})"),
            "x.json: \"sizes\" is [1,6], wanted list, each an integer, 1 to 5");
  EXPECT_EQ(options_refusal(R"({"depth":18446744073709551615})"),
            "x.json: \"depth\" is 18446744073709551615, wanted integer, 1 to 9");
  EXPECT_EQ(options_refusal("[]"), "x.json: wanted a JSON object of options");
}

TEST(Options, DescribesDefaults) {
  Settings s;
  EXPECT_THAT(table_of(s).describe(),
              testing::HasSubstr("| `depth` | integer, 1 to 9 | `4` | how deep |"));
}

TEST(Nearest, CountsSwapsAsOneEdit) {
  EXPECT_EQ(nearest("hedas", {"depth", "heads", "beads"}), "heads");
  EXPECT_EQ(nearest("x", {}), "");
}

TEST(Nearest, SuggestsNothingThatIsFar) {
  EXPECT_EQ(nearest("foo", {"bfs", "dfs"}), "");
  EXPECT_EQ(nearest("x", {"k", "y"}), "");
  EXPECT_EQ(nearest("strongly_conected_componets", {"strongly_connected_components"}),
            "strongly_connected_components");
  EXPECT_EQ(suggestion("bsf", {"bfs", "dfs"}), "; did you mean 'bfs'?");
  EXPECT_EQ(suggestion("foo", {"bfs", "dfs"}), "; there are bfs, dfs");
  EXPECT_EQ(suggestion("foo", std::vector<std::string>(30, "bfs")), "");
}

}  // namespace
}  // namespace floydnet
