#include "tasks/counting/data/splits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_refusal.h"

namespace floydnet::counting {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Splits, AreListsOfPlaces) {
  const Splits splits = parse_splits(R"({"train": [2, 0], "val": [], "test": [4]})", 5);
  EXPECT_THAT(splits.train, ElementsAre(2, 0));
  EXPECT_THAT(splits.validation, IsEmpty());
  EXPECT_THAT(splits.test, ElementsAre(4));
}

TEST(Splits, FaultyOnesAreRefused) {
  const auto message = [](const std::string& json) {
    return refusal([&] { parse_splits(json, 5, "splits.json"); });
  };
  const auto train = [](const std::string& list) {
    return R"({"test": [], "val": [3], "train": )" + list + "}";
  };
  EXPECT_THAT(message("{"), HasSubstr("splits.json: not JSON"));
  EXPECT_THAT(message("[1]"), HasSubstr("splits.json: not JSON such as {\"train\""));
  EXPECT_THAT(message("{}"), HasSubstr("no list \"train\""));
  EXPECT_THAT(message(train("3")), HasSubstr("no list \"train\""));
  EXPECT_THAT(message(R"({"valid": []})"), HasSubstr("unknown key 'valid'"));
  EXPECT_THAT(message(train("[0, 5]")), HasSubstr("\"train\"[1]: not a whole number below 5"));
  for (const char* list : {"[-1]", "[1.5]", "[\"1\"]", "[null]", "[99999999999999999999]"}) {
    EXPECT_THAT(message(train(list)), HasSubstr("\"train\"[0]: not a whole number below 5"))
        << list;
  }
  EXPECT_THAT(message(train("[0, 0]")), HasSubstr("\"train\"[1]: 0 again"));
  EXPECT_THAT(message(train("[1, 3]")), HasSubstr("\"val\"[0]: 3 again"));
}

TEST(Splits, AnAbsentFileIsNamed) {
  EXPECT_THAT(refusal([] { read_splits("/absent/splits.json", 5); }),
              HasSubstr("/absent/splits.json: "));
}

}  // namespace
}  // namespace floydnet::counting
