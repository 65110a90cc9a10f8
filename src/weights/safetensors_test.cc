#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include "base/file.h"
#include "base/little_endian.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "floydnet/weights.h"
#include "weights/checksum.h"

namespace floydnet {
namespace {

using testing::HasSubstr;

std::string file_of(const std::string& header, const std::string& data = "") {
  std::string bytes;
  append_little_endian<uint64_t>(bytes, header.size());
  return bytes + header + data;
}

std::string safetensors_error(const std::string& bytes) {
  return refusal([&] { parse_safetensors(bytes, "x"); });
}

std::string error_of_entry(const std::string& entry, const std::string& data = "") {
  return safetensors_error(file_of("{\"w\":" + entry + "}", data));
}

TensorFile example_tensors() {
  TensorFile file;
  file.tensors["b"] = {DType::kF32, {2, 1}, "12345678"};
  file.tensors["a"] = {DType::kU8, {3}, std::string("\0\xff\n", 3)};
  file.tensors["scalar"] = {DType::kI64, {}, "abcdefgh"};
  file.tensors["empty"] = {DType::kF64, {int64_t{1} << 40, 0, 3}, ""};
  file.tensors["\xc3\xa9\n\"quoted\""] = {DType::kBool, {1}, "\1"};
  file.metadata = {{"format", "pt"}, {"note", ""}};
  return file;
}

TEST(DType, NamesAndSizesAgree) {
  EXPECT_STREQ(name(DType::kBF16), "BF16");
  EXPECT_EQ(item_size(DType::kBF16), 2);
  EXPECT_STREQ(name(DType::kF64), "F64");
  EXPECT_EQ(item_size(DType::kF64), 8);
  EXPECT_STREQ(name(DType::kBool), "BOOL");
  EXPECT_EQ(item_size(DType::kBool), 1);
}

TEST(StoredTensor, CountsElements) {
  EXPECT_EQ((StoredTensor{DType::kF32, {}, ""}.elements()), 1);
  EXPECT_EQ((StoredTensor{DType::kF32, {2, 3}, ""}.elements()), 6);
  EXPECT_EQ((StoredTensor{DType::kF32, {int64_t{1} << 62, 0}, ""}.elements()), 0);
  EXPECT_THROW((StoredTensor{DType::kF32, {int64_t{1} << 62, 4}, ""}.elements()),
               std::invalid_argument);
  EXPECT_THROW((StoredTensor{DType::kF32, {-1}, ""}.elements()), std::invalid_argument);
}

TEST(Safetensors, RoundTrips) {
  EXPECT_EQ(parse_safetensors(format_safetensors(example_tensors())), example_tensors());
  EXPECT_EQ(parse_safetensors(format_safetensors({})), TensorFile());
}

TEST(Safetensors, WritesTheDocumentedLayout) {
  TensorFile file;
  file.tensors["w"] = {DType::kF32, {1}, "1234"};
  file.tensors["b"] = {DType::kI8, {2}, "xy"};
  file.metadata["k"] = "v";
  const std::string header = R"({"__metadata__":{"floydnet.crc32":")" + checksum_of(file) +
                             R"(","k":"v"},"b":{"data_offsets":[0,2],"dtype":"I8","shape":[2]},)"
                             R"("w":{"data_offsets":[2,6],"dtype":"F32","shape":[1]}})";
  std::string padded = header;
  while (padded.size() % 8 != 0) padded += ' ';
  EXPECT_EQ(format_safetensors(file), file_of(padded, "xy1234"));
}

TEST(Safetensors, ReadsEntriesInAnyOrder) {
  const TensorFile file = parse_safetensors(
      file_of(R"({"b":{"data_offsets":[2,4],"shape":[2],"dtype":"U8"},)"
              R"("a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"__metadata__":{}}   )",
              "abcd"));
  EXPECT_EQ(file.tensors.at("a").bytes, "ab");
  EXPECT_EQ(file.tensors.at("b").bytes, "cd");
}

TEST(Safetensors, RoundTripsThroughAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.file("w.safetensors");
  write_safetensors(path, example_tensors());
  EXPECT_EQ(read_safetensors(path), example_tensors());
}

TEST(Safetensors, AChecksumMustBeRight) {
  const std::string bytes = format_safetensors(example_tensors());
  EXPECT_TRUE(parse_safetensors(bytes).verified);
  std::string changed = bytes;
  changed.back() = static_cast<char>(changed.back() ^ 4);
  EXPECT_THAT(safetensors_error(changed), testing::HasSubstr("x: damaged: its checksum is"));
  // Files of others have none.
  EXPECT_FALSE(parse_safetensors(file_of("{}", "")).verified);
}

TEST(Safetensors, ChecksumsTellEverythingApart) {
  std::set<std::string> sums = {checksum_of(example_tensors())};
  const auto changed = [&sums](const std::function<void(TensorFile&)>& change) {
    TensorFile file = example_tensors();
    change(file);
    sums.insert(checksum_of(file));
  };
  changed([](TensorFile& file) { file.tensors["b"].bytes[0] = '0'; });
  changed([](TensorFile& file) { file.tensors["b"].shape = {1, 2}; });
  changed([](TensorFile& file) { file.tensors["b"].type = DType::kI32; });
  changed([](TensorFile& file) { file.tensors["c"] = file.tensors.extract("b").mapped(); });
  changed([](TensorFile& file) { file.metadata["note"] = "x"; });
  changed([](TensorFile& file) { file.metadata = {{"format", "p"}, {"tnote", ""}}; });
  EXPECT_EQ(sums.size(), 7u);
}

TEST(Safetensors, NamesTheFileThatIsBad) {
  const TemporaryFolder folder;
  const std::string path = folder.file("w.safetensors");
  write_file_atomically(path, "short");
  EXPECT_EQ(refusal([&] { read_safetensors(path); }),
            path + ": is too short for a safetensors file");
}

TEST(Safetensors, RefusesBadHeaderLengths) {
  std::string longer_than_file = file_of("{}");
  longer_than_file[0] = 3;
  EXPECT_EQ(safetensors_error(longer_than_file),
            "x: byte 0: a header of 3 bytes is longer than the file");
  EXPECT_THAT(safetensors_error(std::string(16, '\xff')),
              HasSubstr("is longer than the 100000000 allowed"));
  EXPECT_THAT(safetensors_error(std::string(8, '\0')),
              HasSubstr("byte 8: the header does not begin with"));
}

TEST(Safetensors, RefusesHeadersThatAreNoObject) {
  EXPECT_THAT(safetensors_error(file_of(" {}")), HasSubstr("does not begin with '{'"));
  EXPECT_THAT(safetensors_error(file_of("[]")), HasSubstr("does not begin with '{'"));
  EXPECT_EQ(safetensors_error(file_of("{\"w\" 1}")), "x: byte 13: the header is not valid JSON");
  EXPECT_EQ(safetensors_error(file_of("{} {}")), "x: byte 11: the header is not valid JSON");
  EXPECT_THAT(safetensors_error(file_of("{")), HasSubstr("not valid JSON"));
  EXPECT_THAT(safetensors_error(file_of(std::string("{}\0x", 4))), HasSubstr("byte 10"));
  EXPECT_THAT(safetensors_error(file_of("{\"\xff\":1}")), HasSubstr("not valid JSON"));
}

TEST(Safetensors, RefusesDuplicateKeys) {
  const std::string entry = R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  EXPECT_EQ(safetensors_error(file_of("{\"w\":" + entry + ",\"w\":" + entry + "}")),
            "x: tensor 'w' is there twice");
  EXPECT_EQ(safetensors_error(file_of(R"({"__metadata__":{},"__metadata__":{}})")),
            "x: __metadata__ is there twice");
  EXPECT_EQ(safetensors_error(file_of(R"({"__metadata__":{"k":"1","k":"2"}})")),
            "x: __metadata__ has the key 'k' twice");
  EXPECT_EQ(error_of_entry(R"({"dtype":"U8","dtype":"U8"})"),
            "x: tensor 'w' has the field 'dtype' twice");
  EXPECT_EQ(error_of_entry(R"({"shape":[],"shape":[]})"),
            "x: tensor 'w' has the field 'shape' twice");
}

TEST(Safetensors, RefusesBadFields) {
  EXPECT_EQ(error_of_entry("3"), "x: tensor 'w' is not described by an object");
  EXPECT_EQ(error_of_entry("{}"), "x: tensor 'w' has no dtype");
  EXPECT_EQ(error_of_entry(R"({"dtype":"U8"})"), "x: tensor 'w' has no shape");
  EXPECT_EQ(error_of_entry(R"({"dtype":"U8","shape":[0]})"), "x: tensor 'w' has no data_offsets");
  EXPECT_EQ(error_of_entry(R"({"size":1})"), "x: tensor 'w' has an unknown field 'size'");
  EXPECT_EQ(error_of_entry(R"({"dtype":1})"), "x: tensor 'w' has a dtype that is not a string");
  EXPECT_EQ(error_of_entry(R"({"shape":"1"})"), "x: tensor 'w' has a shape that is not a list");
  EXPECT_EQ(error_of_entry(R"({"dtype":"U8","shape":[0],"data_offsets":[0]})"),
            "x: tensor 'w' has 1 data_offsets, not 2");
  EXPECT_EQ(error_of_entry(R"({"dtype":"F8_E4M3","shape":[0],"data_offsets":[0,0]})"),
            "x: tensor 'w' has the dtype 'F8_E4M3', which is not read here");
}

TEST(Safetensors, RefusesBadMetadata) {
  EXPECT_EQ(safetensors_error(file_of(R"({"__metadata__":{"k":1}})")),
            "x: __metadata__ has a value that is not a string: 'k'");
  EXPECT_EQ(safetensors_error(file_of(R"({"__metadata__":"k"})")),
            "x: __metadata__ is not described by an object");
}

TEST(Safetensors, RefusesNumbersThatAreNoSizes) {
  for (const char* size :
       {"-1", "1.0", "1e3", "9223372036854775808", "99999999999999999999", "true", "[0]", "{}"}) {
    const std::string shape = "\"shape\":[" + std::string(size) + "]";
    EXPECT_EQ(error_of_entry(R"({"dtype":"U8","data_offsets":[0,0],)" + shape + "}"),
              "x: tensor 'w' has a value in shape that is not a whole number from 0 to 2^63-1")
        << size;
  }
  EXPECT_THAT(
      error_of_entry(R"({"dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,0]})"),
      HasSubstr("tensor 'w' has a shape that is too large: [2305843009213693952]"));
}

TEST(Safetensors, RefusesOffsetsThatDoNotFit) {
  EXPECT_EQ(error_of_entry(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})", "1234"),
            "x: tensor 'w' has the data_offsets [0, 4], but F32 [2] takes 8 bytes");
  EXPECT_THAT(error_of_entry(R"({"dtype":"U8","shape":[1],"data_offsets":[1,0]})", "1"),
              HasSubstr("data_offsets [1, 0]"));
  EXPECT_EQ(error_of_entry(R"({"dtype":"U8","shape":[2],"data_offsets":[0,2]})", "1"),
            "x: tensor 'w' ends at data byte 2, but there are 1");
  EXPECT_EQ(error_of_entry(R"({"dtype":"U8","shape":[1],"data_offsets":[0,1]})", "123"),
            "x: 2 bytes are left over after the last tensor");
}

TEST(Safetensors, RefusesHolesAndOverlaps) {
  const auto pair = [](const std::string& second) {
    return file_of(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                   R"("b":{"dtype":"U8","shape":[2],"data_offsets":)" +
                       second + "}}",
                   "12345");
  };
  EXPECT_EQ(safetensors_error(pair("[3,5]")),
            "x: tensor 'b' begins at data byte 3, which leaves a hole at byte 2");
  EXPECT_EQ(safetensors_error(pair("[1,3]")),
            "x: tensor 'b' begins at data byte 1, which leaves an overlap at byte 1");
}

TEST(Safetensors, RefusesDeepNestingWithoutRecursion) {
  const std::string deep(1'000'000, '[');
  EXPECT_THAT(error_of_entry(deep), HasSubstr("tensor 'w' is not described by an object"));
  EXPECT_THAT(error_of_entry("{\"shape\":" + deep), HasSubstr("has a value in shape"));
}

TEST(Safetensors, RefusesEveryTruncation) {
  const std::string whole = format_safetensors(example_tensors());
  for (size_t size = 0; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    safetensors_error(whole.substr(0, size));
  }
}

TEST(Safetensors, WriterRefusesMisuse) {
  TensorFile wrong_size;
  wrong_size.tensors["w"] = {DType::kF32, {2}, "1234"};
  EXPECT_THROW(format_safetensors(wrong_size), std::invalid_argument);
  TensorFile reserved;
  reserved.tensors["__metadata__"] = {DType::kU8, {0}, ""};
  EXPECT_THROW(format_safetensors(reserved), std::invalid_argument);
  TensorFile not_utf8;
  not_utf8.tensors["\xff"] = {DType::kU8, {0}, ""};
  EXPECT_THROW(format_safetensors(not_utf8), std::invalid_argument);
}

}  // namespace
}  // namespace floydnet
