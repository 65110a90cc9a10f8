#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/little_endian.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "floydnet/graph_io.h"

namespace floydnet {
namespace {

using Shape = std::vector<int64_t>;

std::string npy(const std::string& dict, const std::string& data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += {static_cast<char>(version), '\0'};
  if (version == 1) {
    append_little_endian(bytes, static_cast<uint16_t>(dict.size()));
  } else {
    append_little_endian(bytes, static_cast<uint32_t>(dict.size()));
  }
  return bytes + dict + data;
}

std::string dict(const std::string& type, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }\n";
}

std::string npy_refusal(const std::string& bytes) {
  return refusal([&] { parse_npy(bytes, "a.npy"); });
}

template <typename T>
void expect_round_trip(const std::vector<T>& values) {
  const auto size = static_cast<int64_t>(values.size());
  const NpyArray array = NpyArray::from(values, {size / 2, 2});
  const NpyArray parsed = parse_npy(format_npy(array));
  EXPECT_TRUE(parsed == array);
  EXPECT_EQ(parsed.as<T>(), values);
}

TEST(Npy, RoundTripsEveryNumberType) {
  expect_round_trip<int8_t>({-128, 127});
  expect_round_trip<int16_t>({-32768, 32767});
  expect_round_trip<int32_t>({INT32_MIN, INT32_MAX});
  expect_round_trip<int64_t>({INT64_MIN, INT64_MAX});
  expect_round_trip<uint8_t>({0, 255});
  expect_round_trip<uint16_t>({0, 65535});
  expect_round_trip<uint32_t>({0, UINT32_MAX});
  expect_round_trip<uint64_t>({0, UINT64_MAX});
  expect_round_trip<float>({1.5f, -std::numeric_limits<float>::infinity()});
  expect_round_trip<double>({1e300, -0.0, 5e-324, 3});
  expect_round_trip<double>({});
}

TEST(Npy, RoundTripsShapes) {
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{0, 5}, Shape{1, 1, 1, 1}}) {
    NpyArray array = NpyArray::from(std::vector<float>(shape == Shape{0, 5} ? 0 : 1, 2), shape);
    EXPECT_TRUE(parse_npy(format_npy(array)) == array);
  }
}

TEST(Npy, WritesTheHeaderAsNumpyDoes) {
  const std::string bytes = format_npy(NpyArray::from<double>({1, 2, 3}, {3}));
  std::string expected = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", "");
  expected[8] = 118;
  expected += std::string(127 - expected.size(), ' ') + "\n";
  EXPECT_EQ(bytes.substr(0, 128), expected);
  EXPECT_EQ(bytes.size(), 128u + 24u);
  const auto descr = [](const NpyArray& array) { return format_npy(array).substr(21, 5); };
  EXPECT_EQ(descr(NpyArray::from<uint8_t>({1}, {1})), "|u1',");
  EXPECT_EQ(descr(NpyArray::from_strings({"ab"}, {1})), "|S2',");
}

TEST(Npy, ReadsAllVersionsAndSpellingsOfTheHeader) {
  const std::string data("\x01\x00\x02\x00", 4);
  for (const int version : {1, 2, 3}) {
    const NpyArray array = parse_npy(npy(dict("<i2", "(2,)"), data, version));
    EXPECT_EQ(array.as<int>(), (std::vector<int>{1, 2}));
  }
  for (const std::string text : {"{\"shape\":(2,),'fortran_order':False,'descr':'<i2'}",
                                 " { 'descr' : '=i2' , 'shape' : ( 2 , ) ,'fortran_order':True}  ",
                                 "{'descr': '|i2', 'fortran_order': False, 'shape': (2, 1,)}"}) {
    EXPECT_EQ(parse_npy(npy(text, data)).as<int>(), (std::vector<int>{1, 2})) << text;
  }
}

TEST(Npy, ReadsBigEndian) {
  const NpyArray numbers =
      parse_npy(npy(dict(">i4", "(2,)"), std::string("\0\0\1\2\xff\xff\xff\xfe", 8)));
  EXPECT_EQ(numbers.as<int>(), (std::vector<int>{258, -2}));
  const NpyArray text = parse_npy(npy(dict(">U2", "(1,)"), std::string("\0\0\0a\0\0\0b", 8)));
  EXPECT_EQ(text.strings(), (std::vector<std::string>{"ab"}));
}

TEST(Npy, TransposesFortranOrder) {
  std::string data;
  for (uint16_t k = 0; k < 4; ++k) {
    for (uint16_t j = 0; j < 3; ++j) {
      for (uint16_t i = 0; i < 2; ++i) {
        append_little_endian(data, static_cast<uint16_t>(100 * i + 10 * j + k));
      }
    }
  }
  const NpyArray array = parse_npy(npy(dict("<u2", "(2, 3, 4)", true), data));
  std::vector<int> expected;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 4; ++k) expected.push_back(100 * i + 10 * j + k);
    }
  }
  EXPECT_EQ(array.as<int>(), expected);
  EXPECT_EQ(parse_npy(npy(dict("<u2", "(0, 3)", true), "")).elements(), 0);
}

TEST(Npy, ReadsBooleansHalvesAndText) {
  EXPECT_EQ(parse_npy(npy(dict("|b1", "(3,)"), std::string("\0\1\2", 3))).as<int>(),
            (std::vector<int>{0, 1, 1}));
  const std::string halves("\x00\x3c\x00\xc0\x01\x00\xff\x7b\x00\x7c\x00\x80", 12);
  const auto values = parse_npy(npy(dict("<f2", "(6,)"), halves)).as<double>();
  EXPECT_EQ(values, (std::vector<double>{1, -2, std::ldexp(1.0, -24), 65504, INFINITY, -0.0}));
  EXPECT_TRUE(std::signbit(values[5]));
  EXPECT_TRUE(std::isnan(parse_npy(npy(dict("<f2", "()"), "\x01\x7c")).as<float>()[0]));

  EXPECT_EQ(parse_npy(npy(dict("|S3", "(2,)"), std::string("a\0bc\0\0", 6))).strings(),
            (std::vector<std::string>{std::string("a\0b", 3), "c"}));
  const std::string wide("\xe9\0\0\0\xac\x20\0\0\x00\xf6\x01\x00\0\0\0\0", 16);
  EXPECT_EQ(parse_npy(npy(dict("<U4", "()"), wide)).strings(),
            (std::vector<std::string>{"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"}));
  EXPECT_EQ(
      refusal([] { parse_npy(npy(dict("<U1", "()"), std::string("\0\xd8\0\0", 4))).strings(); }),
      "array of text: 55296 is not a Unicode character");
  const NpyArray strings = NpyArray::from_strings({"", "abc"}, {2});
  EXPECT_EQ(parse_npy(format_npy(strings)).strings(), (std::vector<std::string>{"", "abc"}));
}

TEST(Npy, ConvertsOnlyWhatFits) {
  const auto numbers = [](double value) { return NpyArray::from<double>({value}, {1}); };
  EXPECT_EQ(numbers(-128).as<int8_t>()[0], -128);
  EXPECT_EQ(numbers(18446744073709549568.0).as<uint64_t>()[0], 18446744073709549568u);
  EXPECT_EQ(refusal([&] { numbers(128).as<int8_t>(); }),
            "array of f8: element 0: 128 does not fit i1");
  EXPECT_EQ(refusal([&] { numbers(-1).as<uint8_t>(); }),
            "array of f8: element 0: -1 does not fit u1");
  EXPECT_EQ(refusal([&] { numbers(3.5).as<int64_t>(); }),
            "array of f8: element 0: 3.5 does not fit i8");
  EXPECT_NE(refusal([&] { numbers(9223372036854775808.0).as<int64_t>(); }), "");
  EXPECT_NE(refusal([&] { numbers(NAN).as<int64_t>(); }), "");
  EXPECT_EQ(refusal([&] { numbers(1e39).as<float>(); }),
            "array of f8: element 0: 1e+39 does not fit f4");
  EXPECT_TRUE(std::isnan(numbers(NAN).as<float>()[0]));
  EXPECT_EQ(numbers(0.1).as<float>()[0], 0.1f);

  const NpyArray exact = NpyArray::from<int64_t>({INT64_MIN, int64_t{1} << 53}, {2});
  EXPECT_EQ(exact.as<double>(), (std::vector<double>{-std::ldexp(1.0, 63), std::ldexp(1.0, 53)}));
  EXPECT_EQ(refusal([] { NpyArray::from<int64_t>({(int64_t{1} << 53) + 1}, {1}).as<double>(); }),
            "array of i8: element 0: 9007199254740993 does not fit f8");
  EXPECT_NE(refusal([] { NpyArray::from<uint64_t>({UINT64_MAX}, {1}).as<int64_t>(); }), "");
  EXPECT_NE(refusal([] { NpyArray::from<int64_t>({-1}, {1}).as<uint64_t>(); }), "");
  EXPECT_EQ(refusal([] { NpyArray::from_strings({"1"}, {1}).as<int>(); }),
            "array of S1: it holds no numbers");
  EXPECT_EQ(refusal([&] { numbers(1).strings(); }), "array of f8: it holds no text");
}

TEST(Npy, NamesTheByteOfTheFault) {
  const std::pair<std::string, std::string> faults[] = {
      {"not an array", "byte 0: not an NPY file"},
      {"\x93NUM", "byte 4: cut short within the NPY header"},
      {std::string("\x93NUMPY\x04\x00\x00\x00", 10), "byte 6: NPY version 4.0 is not supported"},
      {std::string("\x93NUMPY\x01\x00\x40\x00{}", 12), "byte 12: cut short within the NPY header"},
      {npy("{}", ""), "byte 12: the header has no 'descr'"},
      {npy("[]", ""), "byte 10: '{' is missing in the header"},
      {npy(dict("<f8", "(1,)") + "x", ""), "byte 68: the header goes on after its dict"},
      {npy("{'descr': '<f8', 'descr': '<f8'}", ""),
       "byte 27: the key 'descr' is repeated in the header"},
      {npy("{'type': 1}", ""), "byte 11: unknown key 'type' in the header"},
      {npy(dict("<c16", "(1,)"), ""), "byte 20: the type '<c16' is not supported"},
      {npy(dict("<f16", "(1,)"), ""), "byte 20: the type '<f16' is not supported"},
      {npy(dict("<i3", "(1,)"), ""), "byte 20: the type '<i3' is not supported"},
      {npy(dict("|S0", "(1,)"), ""), "byte 20: the type '|S0' is not supported"},
      {npy(dict("", "(1,)"), ""), "byte 20: the type '' is not supported"},
      {npy(dict("<U9223372036854775807", "(1,)"), ""),
       "byte 20: the type '<U9223372036854775807' is not supported"},
      {npy(dict("|O", "(1,)"), ""), "byte 20: object arrays are not supported"},
      {npy("{'descr': [('a', '<f8')]}", ""), "byte 20: structured types are not supported"},
      {npy(dict("<f8", "(3)"), ""), "byte 62: ',' is missing in 'shape'"},
      {npy(dict("<f8", "(-3,)"), ""), "byte 61: no dimension, or one beyond 63 bits, in 'shape'"},
      {npy(dict("<f8", "(3 4)"), ""), "byte 63: ',' is missing in 'shape'"},
      {npy(dict("<f8", "(9223372036854775808,)"), ""),
       "byte 61: no dimension, or one beyond 63 bits, in 'shape'"},
      {npy("{'fortran_order': 1}", ""), "byte 28: 'fortran_order' must be True or False"},
      {npy("{'fortran_order': \"no", ""), "byte 28: 'fortran_order' must be True or False"},
      {npy("{'shape", ""), "byte 17: a text in the header has no end"},
      {npy(dict("<f8", "(1,)"), "1234567"),
       "byte 75: cut short: 8 bytes of data are announced, not 7"},
      {npy(dict("<f8", "(1,)"), "123456789"),
       "byte 76: goes on: 8 bytes of data are announced, "
       "not 9"},
  };
  for (const auto& [bytes, message] : faults) EXPECT_EQ(npy_refusal(bytes), "a.npy: " + message);
}

TEST(Npy, RefusesImpossibleSizesAtOnce) {
  const auto refused = [](const std::string& shape, const std::string& type = "<f8") {
    const std::string bytes = npy(dict(type, shape), "");
    expect_refused_cheaply([&] { parse_npy(bytes); }, "is larger than the limit");
  };
  refused("(1000000000000000000,)");
  refused("(1000000000, 1000000000)");
  refused("(1000000000, 1000000000, 1000000000)");
  refused("(0, 1000000000000, 1000000000000)");
  refused("(1000000000,)", "|S1000000000");
  const std::string truncated = npy(dict("<f8", "(1000000000,)"), "");
  expect_refused_cheaply([&] { parse_npy(truncated); }, "cut short: 8000000000 bytes");
  const std::string long_header = npy("", "", 2).replace(8, 4, "\xff\xff\xff\xff");
  expect_refused_cheaply([&] { parse_npy(long_header); }, "byte 8: a header of 4294967295 bytes");
  const std::string small = format_npy(NpyArray::from<double>({1, 2}, {2}));
  EXPECT_NO_THROW(parse_npy(small, "npy", 16));
  EXPECT_NE(refusal([&] { parse_npy(small, "npy", 15); }).find("limit of 15 bytes"),
            std::string::npos);
}

TEST(Npy, EveryTruncationIsRefused) {
  const std::string bytes = format_npy(NpyArray::from<int32_t>({1, 2, 3}, {3}));
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(npy_refusal(bytes.substr(0, size)).find("byte " + std::to_string(size)),
              std::string::npos);
  }
}

TEST(Npy, RefusesMisuse) {
  EXPECT_THROW(NpyArray::from<double>({1, 2}, {3}), std::invalid_argument);
  EXPECT_THROW(NpyArray::from<double>({1}, {-1}), std::invalid_argument);
  EXPECT_THROW(NpyArray::from_strings({std::string("a\0", 2)}, {1}), std::invalid_argument);
  NpyArray array = NpyArray::from<double>({1}, {1});
  array.kind = 'c';
  EXPECT_THROW(format_npy(array), std::invalid_argument);
  array = NpyArray::from<double>({1}, {1});
  array.shape = {2};
  EXPECT_THROW(format_npy(array), std::invalid_argument);
}

TEST(Npy, Files) {
  const TemporaryFolder folder;
  const NpyArray array = NpyArray::from<float>({1, 2, 3, 4}, {2, 2});
  write_npy(folder.file("a.npy"), array);
  EXPECT_TRUE(read_npy(folder.file("a.npy")) == array);
  EXPECT_EQ(refusal([&] { read_npy(folder.file("b.npy")); }),
            folder.file("b.npy") + ": cannot read: No such file or directory");
}

}  // namespace
}  // namespace floydnet
