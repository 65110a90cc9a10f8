#include "base/gzip.h"

#include <gtest/gtest.h>

#include "base/inflate.h"
#include "base/test_refusal.h"

namespace floydnet {
namespace {

/// A member as gzip writes it: header, deflate stream, CRC-32, length.
std::string compressed(const std::string& content) {
  std::string bytes("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
  bytes += deflate_raw(content);
  for (const uint32_t number : {crc32_of(content), static_cast<uint32_t>(content.size())}) {
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift);
  }
  return bytes;
}

TEST(Gzip, InflatesAllMembers) {
  const std::string large(300000, 'x');
  EXPECT_TRUE(is_gzip(compressed("a")));
  EXPECT_FALSE(is_gzip("a"));
  EXPECT_EQ(gunzip(compressed(large) + compressed("") + compressed("end"), "f", 1 << 20),
            large + "end");
}

TEST(Gzip, RefusesDamage) {
  const std::string sound = compressed("something to read, something to read");
  const auto message = [](const std::string& bytes, uint64_t limit) {
    return refusal([&] { gunzip(bytes, "f.gz", limit); });
  };
  EXPECT_EQ(message("plain", 100), "f.gz: is not compressed by gzip");
  EXPECT_EQ(
      message(sound.substr(0, sound.size() - 3), 100),
      "f.gz: byte " + std::to_string(sound.size() - 3) + ": the compressed data end too early");
  std::string damaged = sound;
  damaged[damaged.size() - 6] ^= 1;  // the CRC
  EXPECT_NE(message(damaged, 100).find("damaged"), std::string::npos);
  EXPECT_NE(message(sound + "rest", 100).find("not compressed by gzip"), std::string::npos);
  EXPECT_NE(message(sound, 10).find("inflates to more than 10 bytes"), std::string::npos);
}

TEST(Gzip, ABombIsRefusedCheaply) {
  const std::string bomb = compressed(std::string(50'000'000, '\0'));
  expect_refused_cheaply([&] { gunzip(bomb, "f.gz", 1 << 20); }, "inflates to more than");
}

}  // namespace
}  // namespace floydnet
