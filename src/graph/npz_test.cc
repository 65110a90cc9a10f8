#include <gtest/gtest.h>

#include "base/test_bomb.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "base/zip.h"
#include "floydnet/graph_io.h"

namespace floydnet {
namespace {

NpzArchive example_archive() {
  NpzArchive archive;
  archive["graph/counts"] = NpyArray::from<double>({1, 2, 3}, {3});
  archive["names"] = NpyArray::from_strings({"a", "bc"}, {2});
  archive["zeros"] = NpyArray::from(std::vector<int64_t>(10000), {100, 100});
  archive[""] = NpyArray::from<uint8_t>({7}, {});
  return archive;
}

std::string zip_of(const std::string& name, const std::string& content) {
  ZipWriter writer;
  writer.add(name, content, true);
  return writer.finish();
}

std::string header_of(const NpyArray& array) {
  const std::string bytes = format_npy(array);
  return bytes.substr(0, bytes.size() - array.bytes.size());
}

TEST(Npz, RoundTrips) {
  for (const bool deflate : {false, true}) {
    const std::string bytes = format_npz(example_archive(), deflate);
    EXPECT_EQ(bytes.size() < 3000, deflate);
    EXPECT_TRUE(parse_npz(bytes) == example_archive());
  }
  EXPECT_TRUE(parse_npz(format_npz({})).empty());
}

TEST(Npz, Files) {
  const TemporaryFolder folder;
  write_npz(folder.file("a.npz"), example_archive(), true);
  EXPECT_TRUE(read_npz(folder.file("a.npz")) == example_archive());
}

TEST(Npz, MembersStandInTheOrderOfTheirNames) {
  const std::string bytes = format_npz(example_archive());
  std::vector<std::string> names;
  const ZipReader reader(bytes, "a.npz");
  for (const auto& member : reader.members()) names.push_back(member.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{".npy", "graph/counts.npy", "names.npy", "zeros.npy"}));
}

TEST(Npz, NamesTheMemberAndTheByteOfTheFault) {
  const auto refusal_of = [](const std::string& bytes) {
    return refusal([&] { parse_npz(bytes, "a.npz"); });
  };
  EXPECT_EQ(refusal_of("text"), "a.npz: no end of a ZIP archive: another format, or cut short");
  EXPECT_EQ(refusal_of(zip_of("a.txt", "x")), "a.npz: member 'a.txt' is not an .npy array");
  EXPECT_EQ(refusal_of(zip_of("a.npy", "text")), "a.npz: 'a.npy': byte 0: not an NPY file");
  const std::string array = format_npy(NpyArray::from<double>({1}, {1}));
  EXPECT_EQ(refusal_of(zip_of("a.npy", array + "x")),
            "a.npz: 'a.npy': the member has 137 bytes, but its header announces 128 + 8");
}

TEST(Npz, TheLimitHoldsForAllArraysTogether) {
  NpzArchive archive;
  archive["a"] = NpyArray::from<double>({1, 2}, {2});
  archive["b"] = NpyArray::from<double>({1, 2}, {2});
  const std::string bytes = format_npz(archive);
  EXPECT_EQ(parse_npz(bytes, "a.npz", 32).size(), 2u);
  EXPECT_EQ(refusal([&] { parse_npz(bytes, "a.npz", 31); }),
            "a.npz: 'b.npy': byte 60: an array of shape (2,) is larger than the limit of 15 bytes");
}

TEST(Npz, RefusesBombs) {
  constexpr uint64_t kChunks = 9000;  // of a megabyte each
  NpyArray array;
  array.kind = 'u';
  array.item_size = 1;
  array.shape = {0};
  const std::string empty = header_of(array);
  const auto refused = [](const std::string& bytes, const std::string& message) {
    expect_refused_cheaply([&] { parse_npz(bytes, "a.npz"); }, message);
  };
  refused(zip_bomb("a.npy", kChunks, kChunks << 20), "not an NPY file");
  refused(zip_bomb("a.npy", kChunks, empty.size() + (kChunks << 20), empty),
          "its header announces 128 + 0");
  refused(zip_bomb("a.npy", kChunks, empty.size(), empty), "is not 128 bytes, deflated");
  refused(zip_bomb("a.npy", 1, uint64_t{1} << 40, empty), "deflated bytes can hold");
  std::string large = empty;
  large.replace(large.find("(0,), }      "), 13, "(9437184000,)");
  large.replace(large.find(",)") + 2, 1, "}");
  refused(zip_bomb("a.npy", kChunks, large.size() + (kChunks << 20), large),
          "is larger than the limit of 8589934592 bytes");
}

}  // namespace
}  // namespace floydnet
