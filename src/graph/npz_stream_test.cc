#include "graph/npz_stream.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "base/test_temporary.h"
#include "floydnet/graph_io.h"

namespace floydnet {
namespace {

template <typename T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

TEST(NpzStream, ReadsBackWhatWasAppended) {
  const TemporaryFolder folder;
  const std::vector<double> reals = {1, 2, 3, 4, 5, 6};
  const std::vector<int64_t> integers = {-1, 1};
  NpzStream stream(folder.file("a.npz"));
  stream.begin("reals", 'f', 8, {3, 2});
  stream.append(bytes_of(reals).substr(0, 20));
  stream.append(bytes_of(reals).substr(20));
  stream.begin("a/scalar", 'f', 8, {});
  stream.append(bytes_of(reals).substr(0, 8));
  stream.begin("empty", 'f', 4, {0, 5});
  stream.begin("integers", 'i', 8, {2});
  stream.append(bytes_of(integers));
  stream.finish();
  const NpzArchive archive = read_npz(folder.file("a.npz"));
  EXPECT_EQ(archive.size(), 4u);
  EXPECT_EQ(archive.at("reals"), NpyArray::from(reals, {3, 2}));
  EXPECT_EQ(archive.at("a/scalar").as<double>(), std::vector<double>{1});
  EXPECT_EQ(archive.at("empty").shape, (std::vector<int64_t>{0, 5}));
  EXPECT_EQ(archive.at("integers"), NpyArray::from(integers, {2}));
}

TEST(NpzStream, AnUnfinishedArchiveLeavesNothing) {
  const TemporaryFolder folder;
  {
    NpzStream stream(folder.file("a.npz"));
    stream.begin("x", 'f', 8, {1000});
    stream.append(std::string(100, 'x'));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(NpzStream, RefusesWhatDoesNotFitItsAnnouncement) {
  const TemporaryFolder folder;
  NpzStream stream(folder.file("a.npz"));
  EXPECT_THROW(stream.begin("x", 'f', 3, {1}), std::invalid_argument);
  EXPECT_THROW(stream.begin("x", 'f', 8, {-1}), std::invalid_argument);
  EXPECT_THROW(stream.begin("x", 'f', 8, {int64_t{1} << 62}), std::invalid_argument);
  stream.begin("x", 'f', 8, {1});
  EXPECT_THROW(stream.append(std::string(9, 'x')), std::invalid_argument);
  stream.append(std::string(7, 'x'));
  EXPECT_THROW(stream.begin("y", 'f', 8, {1}), std::invalid_argument);
  EXPECT_THROW(stream.finish(), std::invalid_argument);
  stream.append("x");
  EXPECT_THROW(stream.begin("x", 'f', 8, {1}), std::invalid_argument);
}

}  // namespace
}  // namespace floydnet
