#include "weights/tensor_tuples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_refusal.h"
#include "weights/pickle.h"
#include "weights/pickle_emitter.h"

namespace floydnet {
namespace {

using namespace pickle;
using testing::ElementsAre;
using testing::HasSubstr;

std::string longs(const std::vector<int64_t>& values) {
  std::string bytes;
  for (const int64_t value : values) append_little_endian(bytes, static_cast<uint64_t>(value));
  return bytes;
}

std::vector<std::vector<StoredTensor>> tuples_of(const std::string& bytes) {
  std::vector<std::vector<StoredTensor>> tuples;
  parse_tensor_tuples(bytes, "a.pt", [&](int64_t index, int64_t count, auto tuple) {
    EXPECT_EQ(index, static_cast<int64_t>(tuples.size()));
    EXPECT_LT(index, count);
    tuples.push_back(std::move(tuple));
  });
  return tuples;
}

std::string message_of(const std::string& bytes) {
  return refusal([&] { tuples_of(bytes); });
}

/// Two tuples whose tensors share a storage, as slices of one tensor do.
std::string archive_with_views() {
  Emitter list;
  list.op(kEmptyList).op(kMark);
  for (const int64_t offset : {0, 2}) {
    list.op(kMark).tensor({"LongStorage", "0", 4, offset, {2}, {1}});
    list.tensor({"FloatStorage", "1", 2, 0, {1, 2}, {2, 1}}).op(kTuple);
  }
  return torch_archive(list.op(kAppends).stop(), {{"0", longs({1, 2, 3, 4})},
                                                  {"1", std::string("\0\0\x80\x3f\0\0\0\x40", 8)}});
}

TEST(TensorTuples, AreReadFromArchives) {
  const auto tuples = tuples_of(archive_with_views());
  ASSERT_EQ(tuples.size(), 2U);
  EXPECT_THAT(integers_of(tuples[0][0], "x"), ElementsAre(1, 2));
  EXPECT_THAT(integers_of(tuples[1][0], "x"), ElementsAre(3, 4));
  EXPECT_THAT(reals_of(tuples[1][1], "x"), ElementsAre(1, 2));
  EXPECT_THAT(tuples[1][1].shape, ElementsAre(1, 2));
}

TEST(TensorTuples, AreReadFromPlainPickles) {
  Emitter list(4);
  list.op(kEmptyList).op(kMark);
  list.tensor_within(stored_within("LongStorage", 4, longs({1, 2, 3, 4})), {2, 2}, {1, 2});
  list.op(kEmptyList).op(kMark).integer(7).integer(-8).op(kAppends);
  const auto tuples = tuples_of(list.op(kTuple).op(kAppend).stop());
  ASSERT_EQ(tuples.size(), 1U);
  EXPECT_THAT(integers_of(tuples[0][0], "x"), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(integers_of(tuples[0][1], "x"), ElementsAre(7, -8));
  EXPECT_THAT(refusal([&] {
                integers_of({DType::kF32, {1}, "abcd"}, "y");
              }),
              HasSubstr("y: wanted integers, got F32"));
}

TEST(TensorTuples, RefuseAllElse) {
  const auto one = [](const Emitter& item) {
    Emitter copy = item;
    return copy.stop();
  };
  EXPECT_THAT(
      message_of(Emitter().global("os", "system").text("true").op(kTuple1).op(kReduce).stop()),
      HasSubstr("refuses the global 'os.system'"));
  EXPECT_THAT(message_of(Emitter().global("builtins", "eval").stop()),
              HasSubstr("refuses the global 'builtins.eval'"));
  EXPECT_THAT(message_of(Emitter().op(kEmptyDict).stop()), HasSubstr("holds no list of tuples"));
  EXPECT_THAT(message_of(one(Emitter().op(kEmptyList).op(kNone).op(kAppend))),
              HasSubstr("entry 0 is no tuple of tensors"));
  EXPECT_THAT(message_of(one(Emitter().op(kEmptyList).op(kNone).op(kTuple1).op(kAppend))),
              HasSubstr("entry 0, item 0 is neither a tensor nor a list of numbers"));
  EXPECT_THAT(message_of(one(Emitter()
                                 .op(kEmptyList)
                                 .tensor({"LongStorage", "0", 1, 0, {1}, {1}})
                                 .op(kTuple1)
                                 .op(kAppend))),
              HasSubstr("there is no archive"));
  EXPECT_THAT(
      message_of(one(Emitter()
                         .op(kEmptyList)
                         .tensor_within(stored_within("LongStorage", 1, longs({1})), {2}, {1})
                         .op(kTuple1)
                         .op(kAppend))),
      HasSubstr("entry 0, item 0 of shape [2]"));
  EXPECT_THAT(message_of(""), HasSubstr("a.pt: "));
  EXPECT_THAT(message_of("PK"), HasSubstr("a.pt: "));
}

TEST(TensorTuples, StoragesWithinMustBeWhole) {
  const auto message = [](const std::string& stored) {
    Emitter list;
    list.op(kEmptyList).tensor_within(stored, {1}, {1}).op(kTuple1).op(kAppend);
    return message_of(list.stop());
  };
  const std::string whole = stored_within("LongStorage", 1, longs({1}));
  EXPECT_THAT(message("no storage"), HasSubstr("storage: has no magic number"));
  EXPECT_THAT(message(whole + "x"), HasSubstr("announces 1 elements of I64, and 17 bytes follow"));
  EXPECT_THAT(message(whole.substr(0, whole.size() - 1)), HasSubstr("15 bytes follow"));
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT(message(whole.substr(0, length)), HasSubstr("storage: "));
  }
  std::string big = whole;
  const size_t at = big.find("little_endian") + 13;
  big[at] = static_cast<char>(kNewFalse);
  EXPECT_THAT(message(big), HasSubstr("is not from a little-endian machine"));
}

TEST(TensorTuples, WeightsMayNotBringBytes) {
  EXPECT_THAT(refusal([] { pickle::parse("\x80\x04\x43\x01x.", "p"); }), HasSubstr("brings bytes"));
}

TEST(TensorTuples, RefuseEveryTruncation) {
  Emitter list(4);
  list.op(kEmptyList);
  list.tensor_within(stored_within("LongStorage", 1, longs({1})), {1}, {1}).op(kTuple1).op(kAppend);
  const std::string whole = list.stop();
  ASSERT_EQ(tuples_of(whole).size(), 1U);
  for (size_t length = 0; length < whole.size(); ++length) message_of(whole.substr(0, length));
}

}  // namespace
}  // namespace floydnet
