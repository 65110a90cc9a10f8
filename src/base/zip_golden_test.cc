#include <gtest/gtest.h>

#include "base/file.h"
#include "base/test_data.h"
#include "base/zip.h"

namespace floydnet {
namespace {

/// Every member can be read, which checks its size and its CRC.
size_t readable_members(const std::string& path) {
  const std::string bytes = read_file(path);
  const ZipReader reader(bytes, path);
  for (const ZipReader::Member& member : reader.members()) {
    EXPECT_EQ(reader.read(member).size(), member.size) << member.name;
  }
  return reader.members().size();
}

TEST(ZipGolden, ReadsWhatPytorchSaves) {
  for (const std::string model : {"count_model", "lrgb_model", "tsp_model"}) {
    const std::string file = "reference/" + model + "/epoch_00004.pt";
    FLOYDNET_REQUIRE_TEST_DATA(file);
    EXPECT_GT(readable_members(test_data(file)), 2u);
    const std::string bytes = read_file(test_data(file));
    EXPECT_NE(ZipReader(bytes, file).find("epoch_00004/data.pkl"), nullptr);
  }
}

TEST(ZipGolden, ReadsWhatNumpySaves) {
  for (const std::string file : {"reference/pa2_f64.npz", "counting/golden_counts.npz"}) {
    FLOYDNET_REQUIRE_TEST_DATA(file);
    EXPECT_GT(readable_members(test_data(file)), 0u);
  }
}

}  // namespace
}  // namespace floydnet
