#include "tasks/brec/data/data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "base/file.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "floydnet/graph_io.h"
#include "graph/families.h"
#include "graph/test_graphs.h"

namespace floydnet::brec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The graph that stands for entry `entry` of `part` in the made-up folder.
Graph entry_graph(const Part& part, int64_t entry) {
  return RandomGraph{}(5 + entry / 2 % 3, static_cast<uint32_t>(1000 * part.first + entry));
}

void write_folder(const std::string& folder) {
  for (const Part& part : parts()) {
    const int64_t count = part.last - part.first + 1;
    std::vector<std::string> texts;
    for (int64_t entry = 0; entry < 2 * count; ++entry) {
      texts.push_back(format_graph(entry_graph(part, entry), GraphFormat::kGraph6));
    }
    const bool rows = part.first % 100 == 60;  // both forms appear
    write_npy(folder + "/" + part.file,
              NpyArray::from_strings(
                  texts, rows ? std::vector<int64_t>{count, 2} : std::vector<int64_t>{2 * count}));
  }
}

TEST(BrecData, ReadsAFolder) {
  const TemporaryFolder folder;
  write_folder(folder.path());
  const std::vector<Pair> pairs = read_pairs(folder.path());
  ASSERT_EQ(pairs.size(), 400u);
  for (int64_t id = 0; id < kPairs; ++id) {
    const Pair& pair = pairs[static_cast<size_t>(id)];
    const Part& part = part_of(id);
    EXPECT_EQ(pair.id, id);
    EXPECT_TRUE(same_graph(pair.a, entry_graph(part, 2 * (id - part.first))));
    EXPECT_TRUE(same_graph(pair.b, entry_graph(part, 2 * (id - part.first) + 1)));
  }
}

TEST(BrecData, ReadsTheSingleFile) {
  const TemporaryFolder folder;
  std::vector<std::string> texts;
  for (int64_t half = 0; half < 2; ++half) {
    for (int64_t id = 0; id < kPairs; ++id) {
      for (int64_t copy = 0; copy < 64; ++copy) {
        const bool first = half == 0 && copy % 2 == 0;
        const int64_t n = 4 + id % 5;
        texts.push_back(
            format_graph(first ? cycle_graph(n) : complete_graph(n), GraphFormat::kGraph6));
      }
    }
  }
  const auto size = static_cast<int64_t>(texts.size());
  write_npy(folder.file("brec_v3.npy"), NpyArray::from_strings(texts, {size}));
  const std::vector<Pair> pairs = read_pairs(folder.file("brec_v3.npy"));
  ASSERT_EQ(pairs.size(), 400u);
  for (const Pair& pair : pairs) {
    EXPECT_TRUE(same_graph(pair.a, cycle_graph(4 + pair.id % 5)));
    EXPECT_TRUE(same_graph(pair.b, complete_graph(4 + pair.id % 5)));
  }
}

TEST(BrecData, RefusesWhatIsMissingOrDamaged) {
  const TemporaryFolder folder;
  EXPECT_THAT(refusal([&] { read_pairs(folder.file("absent")); }), HasSubstr("absent: "));
  EXPECT_THAT(refusal([&] { read_pairs(folder.path()); }), HasSubstr("basic.npy: "));
  write_folder(folder.path());
  write_npy(folder.file("cfi.npy"), NpyArray::from_strings({"DQc", "DQc"}, {2}));
  EXPECT_THAT(refusal([&] { read_pairs(folder.path()); }),
              HasSubstr("cfi.npy: 2 graphs, wanted 200"));
  write_folder(folder.path());
  write_npy(folder.file("dr.npy"),
            NpyArray::from_strings(std::vector<std::string>(40, "DQ"), {40}));
  EXPECT_THAT(refusal([&] { read_pairs(folder.path()); }), HasSubstr("dr.npy: entry 0: byte 2: "));
  std::vector<std::string> sizes(40, "DQc");
  sizes[7] = "Bw";
  write_npy(folder.file("dr.npy"), NpyArray::from_strings(sizes, {40}));
  EXPECT_THAT(refusal([&] { read_pairs(folder.path()); }),
              HasSubstr("dr.npy: entries 6 and 7: graphs of 5 and 3 nodes"));
  write_npy(folder.file("str.npy"), NpyArray::from(std::vector<double>(100, 0), {100}));
  EXPECT_THAT(refusal([&] { read_pairs(folder.path()); }), HasSubstr("str.npy: "));
  EXPECT_THAT(refusal([&] { read_pairs(folder.file("4vtx.npy")); }),
              HasSubstr("40 graphs, wanted 51200 (brec_v3.npy)"));
  write_file_atomically(folder.file("empty.npy"), "");
  EXPECT_THAT(refusal([&] { read_pairs(folder.file("empty.npy")); }), HasSubstr("empty.npy: "));
}

TEST(BrecData, PartsCoverAllIds) {
  int64_t next = 0;
  for (const Part& part : parts()) {
    EXPECT_EQ(part.first, next);
    next = part.last + 1;
  }
  EXPECT_EQ(next, kPairs);
  EXPECT_THROW(part_of(400), std::invalid_argument);
  EXPECT_THROW(part_of(-1), std::invalid_argument);
  std::vector<int64_t> counts;
  for (const CategoryCount& count : count_by_category(parse_ids("0-399"), {0, 60, 399})) {
    counts.push_back(count.pairs);
    counts.push_back(count.distinguished);
  }
  EXPECT_THAT(counts, ElementsAre(60, 1, 140, 2, 100, 0, 100, 0));
}

TEST(BrecData, Ids) {
  EXPECT_THAT(parse_ids("7,3-5,4,399"), ElementsAre(3, 4, 5, 7, 399));
  EXPECT_EQ(format_ids(parse_ids("7,3-5,4,399")), "3-5,7,399");
  EXPECT_EQ(format_ids({}), "none");
  for (const char* text : {"", "1,", "400", "a", "-1", "3-", "5-3", "1--2", "1 2", "99999999999"}) {
    EXPECT_THAT(refusal([&] { parse_ids(text); }), HasSubstr("ids: ")) << text;
  }
}

}  // namespace
}  // namespace floydnet::brec
