#include "base/zip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <stdexcept>

#include "base/inflate.h"
#include "base/little_endian.h"
#include "base/test_bomb.h"
#include "base/test_refusal.h"
#include "base/zip_format.h"

namespace floydnet {
namespace {

std::string noise(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

template <typename T>
void poke(std::string& bytes, uint64_t offset, T value) {
  std::string field;
  append_little_endian(field, value);
  bytes.replace(offset, sizeof(T), field);
}

std::string one_member(const std::string& name, const std::string& content, bool deflate = false) {
  ZipWriter writer;
  writer.add(name, content, deflate);
  return writer.finish();
}

/// Offset of the last directory entry.
uint64_t entry_of(const std::string& archive) { return archive.rfind("PK\x01\x02"); }

std::string zip_refusal(const std::string& archive) {
  return refusal([&] {
    const ZipReader reader(archive, "a.zip");
    for (const auto& member : reader.members()) reader.read(member);
  });
}

TEST(Zip, ReadsWhatWasWritten) {
  for (const bool deflate : {false, true}) {
    const std::vector<std::pair<std::string, std::string>> contents = {
        {"empty", ""},
        {"text", std::string(100000, 'a') + "end"},
        {"folder/noise", noise(70000, 1)},
        {"", "without a name"}};
    ZipWriter writer;
    for (const auto& [name, content] : contents) writer.add(name, content, deflate);
    const std::string archive = writer.finish();
    const ZipReader reader(archive, "a.zip");
    ASSERT_EQ(reader.members().size(), contents.size());
    for (size_t i = 0; i < contents.size(); ++i) {
      EXPECT_EQ(reader.members()[i].name, contents[i].first);
      EXPECT_EQ(reader.read(reader.members()[i]), contents[i].second);
      EXPECT_EQ(reader.read_start(reader.members()[i], 50), contents[i].second.substr(0, 50));
    }
    EXPECT_EQ(reader.find("text")->deflated, deflate);
    EXPECT_FALSE(reader.find("folder/noise")->deflated) << "deflate does not make noise smaller";
    EXPECT_EQ(reader.find("absent"), nullptr);
  }
}

TEST(Zip, AnEmptyArchive) {
  const std::string archive = ZipWriter().finish();
  EXPECT_EQ(archive.size(), zip::kEndRecordSize);
  EXPECT_TRUE(ZipReader(archive, "a.zip").members().empty());
}

TEST(Zip, MoreMembersThanThe16BitCountHolds) {
  ZipWriter writer;
  constexpr int kMembers = 65536;
  for (int i = 0; i < kMembers; ++i) writer.add(std::to_string(i), "x", false);
  const std::string archive = writer.finish();
  const ZipReader reader(archive, "a.zip");
  ASSERT_EQ(reader.members().size(), size_t{kMembers});
  EXPECT_EQ(reader.read(reader.members().back()), "x");
}

TEST(Zip, TheWriterRefusesNamesThatTheFormatCannotHold) {
  ZipWriter writer;
  writer.add("a", "", false);
  EXPECT_THROW(writer.add("a", "", false), std::invalid_argument);
  EXPECT_THROW(writer.add(std::string(65536, 'a'), "", false), std::invalid_argument);
}

TEST(Zip, ACommentMayFollow) {
  std::string archive = one_member("a", "content");
  poke<uint16_t>(archive, archive.size() - 2, 7);
  archive += "comment";
  EXPECT_EQ(ZipReader(archive, "a.zip").members().size(), 1u);
  EXPECT_EQ(zip_refusal(archive + "more"),
            "a.zip: no end of a ZIP archive: another format, or cut short");
}

TEST(Zip, SizesAfterTheData) {
  std::string archive = one_member("a", "content");
  poke<uint16_t>(archive, 6, zip::kDataDescriptorFlag);
  poke<uint32_t>(archive, 14, 0);  // CRC
  poke<uint32_t>(archive, 18, 0);  // compressed size
  poke<uint32_t>(archive, 22, 0);  // size
  const ZipReader reader(archive, "a.zip");
  EXPECT_EQ(reader.read(reader.members()[0]), "content");
}

/// Moves the sizes of the one member, in both headers, to zip64 extra fields.
std::string with_zip64_sizes(uint64_t size) {
  std::string extra;
  append_little_endian(extra, zip::kZip64Extra);
  append_little_endian(extra, uint16_t{16});
  append_little_endian(extra, size);
  append_little_endian(extra, size);
  std::string archive = one_member("a", "content");
  const uint64_t entry = entry_of(archive);
  const uint64_t end = archive.size() - zip::kEndRecordSize;
  poke(archive, end + 12, static_cast<uint32_t>(end - entry + extra.size()));
  poke(archive, end + 16, static_cast<uint32_t>(entry + extra.size()));
  for (const uint64_t sizes : {entry + 20, uint64_t{18}}) {
    poke(archive, sizes, zip::kNoFit32);
    poke(archive, sizes + 4, zip::kNoFit32);
    poke(archive, sizes + 10, static_cast<uint16_t>(extra.size()));
  }
  archive.insert(end, extra);
  archive.insert(zip::kLocalHeaderSize + 1, extra);
  return archive;
}

TEST(Zip, Zip64Sizes) {
  const std::string archive = with_zip64_sizes(7);
  const ZipReader reader(archive, "a.zip");
  EXPECT_EQ(reader.read(reader.members()[0]), "content");
  EXPECT_EQ(zip_refusal(with_zip64_sizes(uint64_t{1} << 63)),
            "a.zip: byte 58: member 'a' is larger than the archive");
}

TEST(Zip, RefusesWhatItCannotRead) {
  const std::string archive = one_member("a", "content");
  const uint64_t entry = entry_of(archive);
  ASSERT_EQ(entry, 38u);
  std::string encrypted = archive;
  poke<uint16_t>(encrypted, entry + 8, 1);
  EXPECT_EQ(zip_refusal(encrypted), "a.zip: byte 38: member 'a' is encrypted");
  std::string compressed = archive;
  poke<uint16_t>(compressed, entry + 10, 12);
  EXPECT_EQ(zip_refusal(compressed),
            "a.zip: byte 38: member 'a' is compressed by bzip2; only stored and deflated members "
            "are supported");
  std::string spanned = archive;
  poke<uint16_t>(spanned, archive.size() - zip::kEndRecordSize + 4, 3);
  EXPECT_EQ(zip_refusal(spanned), "a.zip: byte 85: the archive spans several disks");
}

TEST(Zip, RefusesContradictions) {
  const std::string archive = one_member("a", "content");
  const uint64_t entry = entry_of(archive);
  const uint64_t end = archive.size() - zip::kEndRecordSize;
  struct Change {
    uint64_t offset;
    uint32_t value;
    std::string message;
  };
  const Change changes[] = {
      {entry + 16, 1, "byte 38: member 'a' differs from its local header at byte 0"},
      {entry + 24, 8, "byte 38: member 'a' is stored, but its two sizes differ"},
      {entry + 42, 1, "byte 38: member 'a' has no local header at byte 1"},
      {entry + 42, 30, "byte 38: member 'a' has no local header at byte 30"},
      {entry, 0, "byte 38: no directory entry here"},
      {entry + 28, 2, "byte 38: the directory entry runs out of the directory"},
      {end + 16, 39, "byte 85: the directory does not lie inside the archive"},
      {end + 12, 46, "byte 38: the directory entry runs out of the directory"},
      {end + 8, 0x00020002, "byte 85: 2 members do not fit the directory of 47 bytes"},
      {18, 8, "byte 38: member 'a' differs from its local header at byte 0"},
      {26, 8, "byte 38: member 'a' runs into the directory"},
  };
  for (const Change& change : changes) {
    std::string changed = archive;
    poke(changed, change.offset, change.value);
    EXPECT_EQ(zip_refusal(changed), "a.zip: " + change.message);
  }
  std::string damaged = archive;
  damaged[31] = 'C';
  EXPECT_EQ(zip_refusal(damaged), "a.zip: byte 31: member 'a' is damaged: its CRC differs");
}

TEST(Zip, RefusesDuplicatesAndOverlaps) {
  ZipWriter writer;
  writer.add("a", "content", false);
  writer.add("b", "content", false);
  const std::string archive = writer.finish();
  const uint64_t entry = entry_of(archive);
  std::string overlapping = archive;
  overlapping.replace(entry, 47, archive.substr(entry - 47, 47));
  EXPECT_EQ(zip_refusal(overlapping), "a.zip: byte 123: member 'a' occurs twice");
  // The second name is a's too, in another local header inside a's data.
  std::string nested = one_member("b", "x");
  nested.resize(32);
  ZipWriter outer;
  outer.add("a", nested, false);
  outer.add("b", "x", false);
  std::string overlap = outer.finish();
  poke<uint32_t>(overlap, entry_of(overlap) + 42, 31);
  EXPECT_NE(zip_refusal(overlap).find("member 'b' overlaps member 'a'"), std::string::npos);
}

TEST(Zip, EveryTruncationIsRefused) {
  const std::string archive = one_member("a", std::string(300, 'x'), true);
  for (size_t size = 0; size < archive.size(); ++size) {
    EXPECT_NE(zip_refusal(archive.substr(0, size)), "") << size;
  }
  expect_refused_cheaply([&] { ZipReader(archive.substr(0, 50), "a.zip"); }, "cut short");
}

TEST(Zip, RefusesBombs) {
  constexpr uint64_t kChunks = 4096;  // of a megabyte each
  const std::string honest = zip_bomb("bomb", kChunks, kChunks << 20);
  ASSERT_LT(honest.size(), size_t{8} << 20);
  const auto read = [](const std::string& archive, uint64_t max_size) {
    const ZipReader reader(archive, "a.zip");
    reader.read(reader.members()[0], max_size);
  };
  expect_refused_cheaply([&] { read(honest, 1 << 20); }, "4294967296 bytes; the limit is 1048576");
  const ZipReader reader(honest, "a.zip");
  EXPECT_EQ(reader.read_start(reader.members()[0], 10), std::string(10, '\0'));

  expect_refused_cheaply([&] { read(honest, uint64_t{8} << 30); }, "looks like a bomb");

  const std::string small = zip_bomb("bomb", kChunks, 100);
  expect_refused_cheaply([&] { read(small, 1 << 20); }, "is not 100 bytes, deflated");
  const std::string large = zip_bomb("bomb", 1, uint64_t{1} << 40);
  expect_refused_cheaply([&] { read(large, uint64_t{1} << 50); }, "deflated bytes can hold");
}

TEST(ZipStream, MembersComeInPieces) {
  std::string archive;
  ZipStream stream([&archive](std::string_view bytes) { archive += bytes; });
  stream.begin("a", 6);
  stream.append("one");
  stream.append("");
  stream.append("two");
  stream.begin("empty", 0);
  stream.begin("b", 1);
  stream.append("x");
  stream.finish();
  const ZipReader reader(archive, "stream");
  ASSERT_EQ(reader.members().size(), 3u);
  EXPECT_EQ(reader.read(*reader.find("a")), "onetwo");
  EXPECT_EQ(reader.read(*reader.find("empty")), "");
  EXPECT_EQ(reader.read(*reader.find("b")), "x");
}

TEST(ZipStream, RefusesWrongSizesAndNamesThatAreTaken) {
  ZipStream stream([](std::string_view) {});
  EXPECT_THROW(stream.append("x"), std::invalid_argument);
  stream.begin("a", 2);
  EXPECT_THROW(stream.append("xyz"), std::invalid_argument);
  stream.append("x");
  EXPECT_THROW(stream.begin("b", 1), std::invalid_argument);
  EXPECT_THROW(stream.finish(), std::invalid_argument);
  stream.append("y");
  EXPECT_THROW(stream.begin("a", 1), std::invalid_argument);
}

}  // namespace
}  // namespace floydnet
