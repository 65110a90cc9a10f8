// The official validation and test splits of all 30 algorithms, as the official package makes them.
#include <gmock/gmock.h>

#include <algorithm>

#include "tasks/clrs/data/dataset.h"
#include "tasks/clrs/data/test_digests.h"

namespace floydnet::clrs {
namespace {

/// The first digits of the SHA-256 of lines "key sha256-of-the-array", sorted. Arrays with points
/// of hulls have several: sin, cos and atan2 of other libraries change their last bits.
struct SplitDigests {
  const char* algorithm;
  std::vector<std::string> validation, test;
};

const std::vector<SplitDigests> kOfficial = {
    {"articulation_points", {"d23d205a537606cc"}, {"409df7770dc27038"}},
    {"activity_selector", {"e2aaa736dd17c65b"}, {"8986a77391ad8c39"}},
    {"bellman_ford", {"556350f99e4418f8"}, {"a8c122e2efca80a3"}},
    {"bfs", {"e7ad80799af5e6a6"}, {"467d5c974cd9547a"}},
    {"binary_search", {"159a745fd274f44c"}, {"9df50575b0b201a7"}},
    {"bridges", {"5b0441d868e71e61"}, {"fdaa90613e4413fb"}},
    {"bubble_sort", {"3b088c94e31df7c6"}, {"4de1b14495d7af38"}},
    {"dag_shortest_paths", {"c1c8259463fef08e"}, {"35c941fb3d07dab5"}},
    {"dfs", {"139436509ed84eed"}, {"57a8ab40938b64c0"}},
    {"dijkstra", {"8af9e0d0ed4582ab"}, {"67fdda4f4a9b6b85"}},
    {"find_maximum_subarray_kadane", {"4456b2ca5cd77838"}, {"a7c98cc09ddaaa9b"}},
    {"floyd_warshall", {"96ae689c3f305842"}, {"42a7af6a4713fccf"}},
    {"graham_scan",
     {"7735cd053359af3e", "2b7bb15ccf5396ea"},
     {"d905919436b21b54", "a7e51bb1d7878773", "56ee6d78fb3d6c57"}},
    {"heapsort", {"6362ea8475a4a7c8"}, {"2009ed9897e59d6b"}},
    {"insertion_sort", {"c6d61d40b8970d2e"}, {"48de0740946dff82"}},
    {"jarvis_march",
     {"77da1ce5524f8f7a", "8507b972530e0ab8"},
     {"e1cc5a0ddd500b4e", "45e67c6fa21f06b8", "909d94921942c1dc"}},
    {"kmp_matcher", {"83ac0a954fd2be45"}, {"44d24e106d8feb94"}},
    {"lcs_length", {"288c8fe502f2c759"}, {"4400903ab4b6b544"}},
    {"matrix_chain_order", {"417def83783e9f56"}, {"4d5fe459bd83d5d7"}},
    {"minimum", {"0c3611ade0967cab"}, {"54d8e1fc6969f943"}},
    {"mst_kruskal", {"849ae6ef68ba1c47"}, {"b5e1a2edc13da213"}},
    {"mst_prim", {"7bd278a6d8fabb97"}, {"e4dc132d07be9e70"}},
    {"naive_string_matcher", {"78bac1559ca42c1d"}, {"3e1f6641e58e562c"}},
    {"optimal_bst", {"506a204550117797"}, {"21a1f393dab25733"}},
    {"quickselect", {"8f432af46ed2f62f"}, {"c7ca70e6be742723"}},
    {"quicksort", {"ddf9eb91c8fca24d"}, {"fedd5aa1f975fbdc"}},
    {"segments_intersect", {"2a15558304853c53"}, {"ffbbdfc573f8d565"}},
    {"strongly_connected_components", {"69cae547d6fa3528"}, {"5a4fc2400ceb9d7c"}},
    {"task_scheduling", {"a1a5dcd926ffb68a"}, {"4b57ae8d39354a20"}},
    {"topological_sort", {"33caf73468c8021a"}, {"319bdb5cbc3b4ad9"}}};

std::string digest_of(const Recipe& recipe) {
  DigestSink sink;
  stream_arrays(recipe, sink);
  std::vector<Digest> arrays = sink.finish();
  std::sort(arrays.begin(), arrays.end(),
            [](const Digest& a, const Digest& b) { return a.key < b.key; });
  Sha256 all;
  for (const Digest& array : arrays) all.append(array.key + ' ' + array.sha256 + '\n');
  return all.hex().substr(0, 16);
}

TEST(ClrsSplits, AreTheOfficialOnesToTheBit) {
  ASSERT_EQ(kOfficial.size(), algorithms().size());
  for (const auto& [name, validation, test] : kOfficial) {
    const Algorithm& algorithm = find_algorithm(name);
    EXPECT_THAT(validation,
                testing::Contains(digest_of(official_split(algorithm, Split::kValidation))))
        << name;
    EXPECT_THAT(test, testing::Contains(digest_of(official_split(algorithm, Split::kTest))))
        << name;
  }
}

}  // namespace
}  // namespace floydnet::clrs
