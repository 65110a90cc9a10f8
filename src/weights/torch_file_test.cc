#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/file.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "floydnet/weights.h"
#include "weights/pickle_emitter.h"

namespace floydnet {
namespace {

using pickle::Emitter;
using pickle::torch_archive;
using pickle::training_pickle;
using pickle::training_storages;
using testing::HasSubstr;

using Spec = Emitter::TensorSpec;

std::string torch_file_error(const std::string& bytes) {
  return refusal([&] { parse_torch_file(bytes, "x.pt"); });
}

std::string dict_of_tensor(const Spec& spec) {
  return Emitter().op(pickle::kEmptyDict).text("w").tensor(spec).op(pickle::kSetItem).stop();
}

// The storages "0" and "1" hold six floats and one integer.
std::string error_of_tensor(const Spec& spec) {
  return torch_file_error(torch_archive(dict_of_tensor(spec), training_storages()));
}

StoredTensor read_tensor(const Spec& spec, const std::string& storage) {
  return parse_torch_file(torch_archive(dict_of_tensor(spec), {{"0", storage}})).tensors.at("w");
}

// The letters of the storage that a view of bytes shows.
std::string letters(std::vector<int64_t> shape, std::vector<int64_t> stride, int64_t offset = 0) {
  return read_tensor({"ByteStorage", "0", 6, offset, std::move(shape), std::move(stride)}, "abcdef")
      .bytes;
}

std::string archive_with(const std::string& version, const std::string& byteorder) {
  ZipWriter zip;
  zip.add("model/data.pkl", Emitter().op(pickle::kEmptyDict).stop(), false);
  if (!version.empty()) zip.add("model/version", version, false);
  if (!byteorder.empty()) zip.add("model/byteorder", byteorder, false);
  return zip.finish();
}

TEST(TorchFile, FlattensWhatATrainerSaves) {
  const auto storages = training_storages();
  for (const bool deflate : {false, true}) {
    const TensorFile file = parse_torch_file(torch_archive(training_pickle(), storages, deflate));
    ASSERT_EQ(file.tensors.size(), 3u);
    const StoredTensor weight{DType::kF32, {2, 3}, storages.at("0")};
    EXPECT_EQ(file.tensors.at("model_state_dict.a.weight"), weight);
    const StoredTensor steps{DType::kI64, {}, storages.at("1")};
    EXPECT_EQ(file.tensors.at("model_state_dict.steps"), steps);
    const std::map<std::string, std::string> metadata = {
        {"epoch", "3"}, {"groups.0", "0.5"}, {"groups.1", "null"}, {"groups.2", "true"}};
    EXPECT_EQ(file.metadata, metadata);
  }
}

TEST(TorchFile, NamesIntegerKeysAndLists) {
  Emitter emitter;
  emitter.op(pickle::kEmptyDict).text("state").op(pickle::kEmptyDict).integer(0);
  emitter.op(pickle::kEmptyList).tensor({"LongStorage", "1", 1, 0, {1}, {1}}).op(pickle::kAppend);
  emitter.op(pickle::kSetItem).op(pickle::kSetItem);
  const TensorFile file = parse_torch_file(torch_archive(emitter.stop(), training_storages()));
  EXPECT_EQ(file.tensors.count("state.0.0"), 1u);
}

TEST(TorchFile, MakesViewsContiguous) {
  EXPECT_EQ(letters({6}, {1}), "abcdef");
  EXPECT_EQ(letters({2, 3}, {3, 1}), "abcdef");
  EXPECT_EQ(letters({3, 2}, {1, 3}), "adbecf");
  EXPECT_EQ(letters({2, 2}, {3, 1}, 1), "bcef");
  EXPECT_EQ(letters({2, 3}, {0, 2}), "aceace");
  EXPECT_EQ(letters({3}, {0}, 5), "fff");
  EXPECT_EQ(letters({2, 1, 2}, {2, int64_t{1} << 62, 1}), "abcd");
  EXPECT_EQ(letters({}, {}, 3), "d");
  EXPECT_EQ(letters({0, 5}, {5, 1}), "");
  EXPECT_EQ(letters({2, 1, 3}, {1, 9, 2}), "acebdf");
}

TEST(TorchFile, CopiesWideElements) {
  EXPECT_EQ(read_tensor({"ShortStorage", "0", 4, 0, {2, 2}, {1, 2}}, "aAbBcCdD").bytes, "aAcCbBdD");
}

TEST(TorchFile, ReadsAFileAndNamesItInErrors) {
  const TemporaryFolder folder;
  const std::string path = folder.file("trained.pt");
  write_file_atomically(path, torch_archive(training_pickle(), training_storages()));
  EXPECT_EQ(read_torch_file(path).tensors.size(), 3u);
  write_file_atomically(path, torch_archive(Emitter().global("os", "system").stop(), {}));
  EXPECT_EQ(refusal([&] { read_torch_file(path); }),
            path +
                ": data.pkl: byte 2: refuses the global 'os.system': only tensors, numbers, "
                "strings and dicts are read");
}

TEST(TorchFile, RefusesTheLegacyFormWithItsRemedy) {
  EXPECT_THAT(torch_file_error("\x80\x02\x8a\x0al\xfc\x9c"),
              HasSubstr("save it again with torch 1.6 or newer"));
}

TEST(TorchFile, RefusesOtherArchives) {
  ZipWriter zip;
  zip.add("a/b/data.pkl", "", false);
  EXPECT_THAT(torch_file_error(zip.finish()), HasSubstr("has no data.pkl"));
  zip.add("a/data.pkl", "", false);
  zip.add("b/data.pkl", "", false);
  EXPECT_THAT(torch_file_error(zip.finish()), HasSubstr("more than one data.pkl"));
  torch_file_error("not an archive");
  torch_file_error("");
}

TEST(TorchFile, ChecksVersionAndByteOrder) {
  EXPECT_NO_THROW(parse_torch_file(archive_with("3\n", "")));
  EXPECT_NO_THROW(parse_torch_file(archive_with("10", "little")));
  EXPECT_EQ(torch_file_error(archive_with("3", "big")),
            "x.pt: has the byte order 'big'; save it again on a little-endian machine");
  EXPECT_EQ(torch_file_error(archive_with("", "")),
            "x.pt: has no version, so torch.save did not write it");
  EXPECT_EQ(torch_file_error(archive_with("11", "")), "x.pt: has the unknown version '11'");
  EXPECT_THAT(torch_file_error(archive_with(std::string(1000, '3'), "")),
              HasSubstr("the limit is 32"));
}

TEST(TorchFile, RefusesStoragesThatDoNotFit) {
  EXPECT_EQ(error_of_tensor({"FloatStorage", "0", 5, 0, {5}, {1}}),
            "x.pt: tensor 'w' lies in a storage of 5 F32, but that holds 24 bytes");
  EXPECT_EQ(error_of_tensor({"FloatStorage", "9", 6, 0, {6}, {1}}),
            "x.pt: tensor 'w' lies in the storage '9', which is missing");
  EXPECT_THAT(error_of_tensor({"DoubleStorage", "0", int64_t{1} << 62, 0, {6}, {1}}),
              HasSubstr("that holds 24 bytes"));
}

TEST(TorchFile, RefusesViewsThatDoNotFit) {
  const int64_t huge = int64_t{1} << 62;
  const std::vector<std::pair<Spec, std::string>> cases = {
      {{"FloatStorage", "0", 6, 0, {7}, {1}}, "reaches beyond its storage of 6"},
      {{"FloatStorage", "0", 6, 1, {2, 3}, {3, 1}}, "reaches beyond"},
      {{"FloatStorage", "0", 6, 0, {2}, {6}}, "reaches beyond"},
      {{"FloatStorage", "0", 6, 6, {}, {}}, "reaches beyond"},
      {{"FloatStorage", "0", 6, 0, {3}, {huge}}, "reaches beyond"},
      {{"FloatStorage", "0", 6, 0, {2, 2}, {huge, huge}}, "reaches beyond"},
      {{"FloatStorage", "0", 6, 0, {-1}, {1}}, "has the impossible shape [-1]"},
      {{"FloatStorage", "0", 6, 0, {huge, 4}, {0, 0}}, "has the impossible shape"},
      {{"FloatStorage", "0", 6, 0, {huge}, {0}}, "has a shape that is too large"},
      {{"FloatStorage", "0", 6, 5, {2}, {-1}}, "has a negative stride [-1]"},
      {{"FloatStorage", "0", 6, -1, {1}, {1}}, "has the negative offset -1"},
      {{"FloatStorage", "0", 6, 0, {2, 3}, {1}}, "has 2 sizes, but 1 strides"},
      {{"FloatStorage", "0", 6, 0, {int64_t{1} << 30}, {0}}, "unpacks to more than"},
  };
  for (const auto& [spec, problem] : cases) {
    EXPECT_THAT(error_of_tensor(spec), HasSubstr(problem));
  }
}

TEST(TorchFile, RefusesOneNameForTwoTensors) {
  const Spec spec{"FloatStorage", "0", 6, 0, {6}, {1}};
  Emitter emitter;
  emitter.op(pickle::kEmptyDict).text("a.b").tensor(spec).op(pickle::kSetItem);
  emitter.text("a").op(pickle::kEmptyDict).text("b").tensor(spec);
  emitter.op(pickle::kSetItem).op(pickle::kSetItem);
  EXPECT_EQ(torch_file_error(torch_archive(emitter.stop(), training_storages())),
            "x.pt: data.pkl: 'a.b' is there twice");
}

TEST(TorchFile, RefusesValuesThatAreNoWeights) {
  EXPECT_THAT(torch_file_error(torch_archive(Emitter().integer(1).stop(), {})),
              HasSubstr("holds no dict of tensors"));
  Emitter function;
  function.op(pickle::kEmptyDict).text("f").global("torch", "Size").op(pickle::kSetItem);
  EXPECT_THAT(torch_file_error(torch_archive(function.stop(), {})),
              HasSubstr("'f' is no tensor, number, string, dict or list"));
  Emitter key;
  key.op(pickle::kEmptyDict).real(1).op(pickle::kNone).op(pickle::kSetItem);
  EXPECT_THAT(torch_file_error(torch_archive(key.stop(), {})), HasSubstr("neither a string nor"));
}

TEST(TorchFile, RefusesADictThatHoldsItself) {
  Emitter emitter;
  emitter.op(pickle::kEmptyDict).put(0).text("me").get(0).op(pickle::kSetItem);
  EXPECT_THAT(torch_file_error(torch_archive(emitter.stop(), {})), HasSubstr("or holds itself"));
}

// Each tuple holds the one before it twice: 2^60 visits.
TEST(TorchFile, RefusesAMemoBomb) {
  Emitter emitter;
  emitter.op(pickle::kEmptyDict).text("bomb").op(pickle::kNone);
  for (uint8_t level = 0; level < 60; ++level) {
    emitter.put(level).get(level).op(pickle::kTuple2);
  }
  emitter.op(pickle::kSetItem);
  EXPECT_THAT(torch_file_error(torch_archive(emitter.stop(), {})),
              HasSubstr("unpacks to more than"));
}

TEST(TorchFile, RefusesLongTextsSharedByManyNames) {
  Emitter emitter;
  emitter.op(pickle::kEmptyDict).text("l").text(std::string(1 << 20, 'x')).put(0);
  emitter.op(pickle::kSetItem).text("many").op(pickle::kEmptyList).op(pickle::kMark);
  for (int i = 0; i < 1000; ++i) emitter.get(0);
  emitter.op(pickle::kAppends).op(pickle::kSetItem);
  EXPECT_THAT(torch_file_error(torch_archive(emitter.stop(), {})),
              HasSubstr("unpacks to more than"));
}

TEST(TorchFile, RefusesEveryTruncation) {
  const std::string whole = torch_archive(training_pickle(), training_storages());
  for (size_t size = 0; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    torch_file_error(whole.substr(0, size));
  }
}

TEST(TorchFile, RefusesEveryTruncationOfThePickle) {
  const std::string whole = training_pickle();
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THAT(torch_file_error(torch_archive(whole.substr(0, size), training_storages())),
                HasSubstr("x.pt: data.pkl: byte"))
        << size;
  }
}

}  // namespace
}  // namespace floydnet
