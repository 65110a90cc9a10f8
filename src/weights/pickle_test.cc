#include "weights/pickle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/test_refusal.h"
#include "weights/pickle_emitter.h"

namespace floydnet::pickle {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& bytes) {
  return refusal([&] { parse(bytes, "x"); });
}

// The value of a pickle with one instruction before its end.
template <class T>
T value_of(uint8_t opcode, const std::string& argument = "", uint8_t protocol = 2) {
  const Tree tree = parse(Emitter(protocol).op(opcode).raw(argument).stop(), "x");
  return std::get<T>(tree.at(tree.root));
}

std::string text_of(uint8_t opcode, const std::string& argument) {
  const std::string bytes = Emitter(4).op(opcode).raw(argument).stop();
  const Tree tree = parse(bytes, "x");
  return std::string(std::get<std::string_view>(tree.at(tree.root)));
}

std::vector<int64_t> integers_of(Emitter& emitter) {
  const Tree tree = parse(emitter.stop(), "x");
  return tree.integers(tree.root);
}

TEST(Pickle, ReadsScalars) {
  value_of<None>(kNone);
  EXPECT_TRUE(value_of<bool>(kNewTrue));
  EXPECT_FALSE(value_of<bool>(kNewFalse));
  EXPECT_EQ(value_of<int64_t>(kBinInt1, "\xff"), 255);
  EXPECT_EQ(value_of<int64_t>(kBinInt2, "\x01\xff"), 0xff01);
  EXPECT_EQ(value_of<int64_t>(kBinInt, "\xfe\xff\xff\xff"), -2);
  EXPECT_EQ(value_of<int64_t>(kLong1, std::string("\0", 1)), 0);
  EXPECT_EQ(value_of<int64_t>(kLong1, "\x01\x80"), -128);
  EXPECT_EQ(value_of<int64_t>(kLong1, std::string("\x02\x80\0", 3)), 128);
  EXPECT_EQ(value_of<double>(kBinFloat, std::string("\xbf\xe0\0\0\0\0\0\0", 8)), -0.5);
}

TEST(Pickle, ReadsStrings) {
  EXPECT_EQ(text_of(kShortBinUnicode, "\x02hi"), "hi");
  EXPECT_EQ(text_of(kBinUnicode, std::string("\x02\0\0\0\xc3\xa9", 6)), "\xc3\xa9");
  EXPECT_EQ(text_of(kBinUnicode8, std::string("\x02\0\0\0\0\0\0\0hi", 10)), "hi");
}

TEST(Pickle, ReadsTuplesAndSizes) {
  EXPECT_EQ(integers_of(Emitter().op(kEmptyTuple)), std::vector<int64_t>{});
  EXPECT_EQ(integers_of(Emitter().integer(1).op(kTuple1)), std::vector<int64_t>{1});
  EXPECT_EQ(integers_of(Emitter().integer(1).integer(2).op(kTuple2)), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(integers_of(Emitter().integer(1).integer(2).integer(3).op(kTuple3)),
            (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(integers_of(Emitter().integers({4, 3, 2, 1})), (std::vector<int64_t>{4, 3, 2, 1}));
  EXPECT_EQ(integers_of(Emitter().global("torch", "Size").integers({5, 6}).op(kTuple1).op(kReduce)),
            (std::vector<int64_t>{5, 6}));
}

TEST(Pickle, ReadsDictsInOrderAndListsThroughTheMemo) {
  Emitter emitter(4);
  emitter.op(kFrame).raw(std::string("\x0a\0\0\0\0\0\0\0", 8));
  emitter.op(kEmptyDict).op(kMemoize).integer(2).op(kEmptyList).op(kMemoize).op(kSetItem);
  emitter.op(kMark).integer(1).get(1).integer(7).op(kAppend).op(kSetItems);
  const Tree tree = parse(emitter.stop(), "x");
  const Dict& dict = std::get<Dict>(tree.at(tree.root));
  ASSERT_EQ(dict.items.size(), 2u);
  EXPECT_EQ(std::get<int64_t>(tree.at(dict.items[0].first)), 2);
  EXPECT_EQ(std::get<int64_t>(tree.at(dict.items[1].first)), 1);
  EXPECT_EQ(dict.items[0].second, dict.items[1].second);
  EXPECT_EQ(std::get<Sequence>(tree.at(dict.items[0].second)).items.size(), 1u);
}

TEST(Pickle, ReadsTensorsAndParameters) {
  Emitter emitter;
  emitter.global("torch._utils", "_rebuild_parameter").op(kMark);
  emitter.tensor({"BFloat16Storage", "k", 8, 2, {3, 2}, {2, 1}}).op(kNewTrue).ordered_dict();
  emitter.op(kTuple).op(kReduce);
  const std::string bytes = emitter.stop();
  const Tree tree = parse(bytes, "x");
  const Tensor& tensor = std::get<Tensor>(tree.at(tree.root));
  EXPECT_EQ(tensor.storage.type, DType::kBF16);
  EXPECT_EQ(tensor.storage.key, "k");
  EXPECT_EQ(tensor.storage.elements, 8);
  EXPECT_EQ(tensor.offset, 2);
  EXPECT_EQ(tree.integers(tensor.shape), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(tree.integers(tensor.stride), (std::vector<int64_t>{2, 1}));
}

TEST(Pickle, ReadsEveryStorageClass) {
  const std::vector<std::pair<std::string, DType>> classes = {
      {"Float", DType::kF32},     {"Double", DType::kF64}, {"Half", DType::kF16},
      {"BFloat16", DType::kBF16}, {"Long", DType::kI64},   {"Int", DType::kI32},
      {"Short", DType::kI16},     {"Char", DType::kI8},    {"Byte", DType::kU8},
      {"Bool", DType::kBool}};
  for (const auto& [name, type] : classes) {
    const std::string bytes = Emitter().storage(name + "Storage", "0", 1).stop();
    const Tree tree = parse(bytes, "x");
    EXPECT_EQ(std::get<Storage>(tree.at(tree.root)).type, type) << name;
  }
}

TEST(Pickle, RefusesOtherGlobalsByName) {
  EXPECT_EQ(error_of(Emitter().global("os", "system").stop()),
            "x: byte 2: refuses the global 'os.system': only tensors, numbers, strings and dicts "
            "are read");
  EXPECT_THAT(error_of(Emitter(4).text("builtins").text("eval").op(kStackGlobal).stop()),
              HasSubstr("refuses the global 'builtins.eval'"));
  EXPECT_THAT(error_of(Emitter().global("collections", "OrderedDict2").stop()),
              HasSubstr("refuses the global 'collections.OrderedDict2'"));
}

TEST(Pickle, AcceptsStackGlobal) {
  const Tree tree = parse(Emitter(4)
                              .text("collections")
                              .text("OrderedDict")
                              .op(kStackGlobal)
                              .op(kEmptyTuple)
                              .op(kReduce)
                              .stop(),
                          "x");
  EXPECT_TRUE(std::holds_alternative<Dict>(tree.at(tree.root)));
}

TEST(Pickle, RefusesUnknownInstructionsAndProtocols) {
  EXPECT_EQ(error_of(Emitter().op('i').stop()), "x: byte 2: does not know the instruction 0x69");
  EXPECT_THAT(error_of(Emitter(1).op(kNone).stop()), HasSubstr("protocol 1 is not read"));
  EXPECT_THAT(error_of(Emitter(6).op(kNone).stop()), HasSubstr("protocol 6 is not read"));
  EXPECT_THAT(error_of("N."), HasSubstr("byte 0: no pickle of protocol 2 to 5 begins here"));
  EXPECT_THAT(error_of(""), HasSubstr("byte 0"));
}

TEST(Pickle, RefusesMisuseOfTheStack) {
  EXPECT_THAT(error_of(Emitter().stop()), HasSubstr("empty stack"));
  EXPECT_THAT(error_of(Emitter().op(kTuple).stop()), HasSubstr("there is none"));
  EXPECT_THAT(error_of(Emitter().op(kNone).op(kMark).op(kTuple1).stop()), HasSubstr("empty stack"));
  EXPECT_THAT(error_of(Emitter().op(kNone).op(kNone).stop()), HasSubstr("left over at the end"));
  EXPECT_THAT(error_of(Emitter().op(kNone).stop() + "x"), HasSubstr("bytes follow the end"));
  EXPECT_EQ(error_of(Emitter().get(9).stop()), "x: byte 2: recalls value 9, which is not there");
  EXPECT_THAT(error_of(Emitter().put(1).stop()), HasSubstr("empty stack"));
}

TEST(Pickle, RefusesValuesOfTheWrongKind) {
  EXPECT_THAT(error_of(Emitter().op(kNone).op(kNone).op(kAppend).stop()), HasSubstr("a list"));
  EXPECT_THAT(error_of(Emitter().op(kEmptyTuple).op(kNone).op(kAppend).stop()),
              HasSubstr("a list"));
  EXPECT_THAT(error_of(Emitter().op(kNone).integers({1, 2}).op(kBuild).stop()),
              HasSubstr("a dict"));
  EXPECT_THAT(error_of(Emitter().op(kEmptyDict).op(kMark).op(kNone).op(kSetItems).stop()),
              HasSubstr("sets a key without a value"));
  EXPECT_THAT(error_of(Emitter().op(kNone).op(kEmptyTuple).op(kReduce).stop()),
              HasSubstr("needs a function"));
  EXPECT_THAT(error_of(Emitter().text("os").op(kBinPersId).stop()),
              HasSubstr("the identifier of a storage"));
  EXPECT_THAT(error_of(Emitter().storage("FloatStorage", "0", -1).stop()),
              HasSubstr("negative size"));
  EXPECT_THAT(
      error_of(Emitter().global("collections", "OrderedDict").integers({1}).op(kReduce).stop()),
      HasSubstr("1 arguments, not 0"));
}

TEST(Pickle, RefusesNumbersAndStringsThatDoNotFit) {
  EXPECT_THAT(error_of(Emitter()
                           .op(kLong1)
                           .raw("\x09"
                                "123456789")
                           .stop()),
              HasSubstr("an integer of 9 bytes does not fit"));
  EXPECT_THAT(error_of(Emitter().text("\xff").stop()), HasSubstr("not UTF-8"));
  EXPECT_THAT(error_of(Emitter().op(kBinUnicode8).raw(std::string(8, '\xff')).stop()),
              HasSubstr("ends inside an instruction"));
  EXPECT_THAT(error_of(Emitter(4).op(kFrame).raw(std::string(8, '\xff')).stop()),
              HasSubstr("a frame is longer than the file"));
  EXPECT_THAT(
      error_of(
          Emitter().tensor({"FloatStorage", "0", 1, 0, std::vector<int64_t>(65, 1), {1}}).stop()),
      HasSubstr("more than 64 dimensions"));
}

TEST(Pickle, SelfContainingAndDeepValuesAreReadAndFreed) {
  Emitter cycle;
  cycle.op(kEmptyList).put(0).get(0).op(kAppend);
  const Tree tree = parse(cycle.stop(), "x");
  EXPECT_EQ(std::get<Sequence>(tree.at(tree.root)).items, std::vector<Node>{tree.root});

  Emitter deep;
  deep.op(kEmptyTuple).raw(std::string(1'000'000, static_cast<char>(kTuple1)));
  EXPECT_NO_THROW(parse(deep.stop(), "x"));
}

TEST(Pickle, BoundsValuesStackAndMarks) {
  const auto repeat = [](const std::string& part) {
    std::string all;
    for (int i = 0; i < 2'200'000; ++i) all += part;
    return all;
  };
  EXPECT_THAT(error_of(Emitter().raw(repeat("N")).stop()), HasSubstr("too many values"));
  EXPECT_THAT(error_of(Emitter().raw(repeat("(")).stop()), HasSubstr("the stack grows too deep"));
  EXPECT_THAT(error_of(Emitter().op(kNone).put(0).raw(repeat(std::string("h\0", 2))).stop()),
              HasSubstr("the stack grows too deep"));
}

TEST(Pickle, RefusesEveryTruncation) {
  const std::string whole = training_pickle();
  EXPECT_NO_THROW(parse(whole, "x"));
  for (size_t size = 0; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    error_of(whole.substr(0, size));
  }
}

}  // namespace
}  // namespace floydnet::pickle
