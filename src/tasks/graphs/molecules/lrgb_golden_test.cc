// Peptides-func and the contact rule beside graphs made by RDKit's Python interface.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/gzip.h"
#include "base/test_data.h"
#include "tasks/graphs/molecules/smiles.h"
#include "tasks/graphs/molecules/test_molecules.h"

namespace floydnet::graphs {
namespace {

constexpr Conversion kTwoThreads{2, nullptr, nullptr, nullptr};

/// Graph g of a set of OGB's features.
MoleculeGraph graph_of(const GraphSet& set, int64_t g) {
  const auto part = [&](Level level, int64_t width) {
    const auto offsets = set.row_offsets(level);
    const auto& all = set.find(level, "x")->integers;
    return std::vector<int64_t>(all.begin() + offsets[static_cast<size_t>(g)] * width,
                                all.begin() + offsets[static_cast<size_t>(g) + 1] * width);
  };
  MoleculeGraph graph;
  graph.atoms = set.sizes[static_cast<size_t>(g)];
  graph.bonds.assign(set.edges.begin() + set.edge_offsets[static_cast<size_t>(g)],
                     set.edges.begin() + set.edge_offsets[static_cast<size_t>(g) + 1]);
  graph.atom_features = part(Level::kNode, 9);
  graph.bond_features = part(Level::kEdge, 3);
  return graph;
}

GraphSet peptides() {
  const std::string folder = test_data("molecules/peptides_func/raw/");
  const std::string path = folder + "peptide_multi_class_dataset.csv.gz";
  SmilesOptions options;
  options.targets = {"labels"};
  options.split = folder + "splits_random_stratified_peptide.pickle";
  return import_smiles(read_maybe_gzip(path), path, options, kTwoThreads).set;
}

TEST(PeptidesGolden, TableToGraphs) {
  FLOYDNET_REQUIRE_TEST_DATA("molecules/peptides_func");
  FLOYDNET_REQUIRE_RDKIT();
  const GraphSet set = peptides();
  EXPECT_EQ(set.graphs(), 15535);
  EXPECT_EQ(std::accumulate(set.sizes.begin(), set.sizes.end(), int64_t{0}), 2344859);
  EXPECT_EQ(2 * set.edges.size(), 4773974u);
  const Column* const labels = set.find(Level::kGraph, "y");
  ASSERT_NE(labels, nullptr);
  ASSERT_FALSE(labels->real);
  ASSERT_EQ(labels->width, 10);
  // Positives of the training part, as the data set's README has them.
  std::vector<int64_t> positives(10);
  for (size_t g = 0; g < set.sizes.size(); ++g) {
    if (set.splits[g] != Split::kTrain) continue;
    for (size_t c = 0; c < 10; ++c) positives[c] += labels->integers[10 * g + c];
  }
  EXPECT_EQ(positives,
            (std::vector<int64_t>{966, 385, 698, 677, 6820, 2148, 1162, 2002, 217, 2825}));

  const std::string folder = test_data("molecules/peptides_func/graphs/");
  const auto lines = text_lines(unpacked("xz -dc", folder + "val.txt.xz"));
  if (lines.empty()) GTEST_SKIP() << "xz is absent";
  ASSERT_EQ(lines.size(), 2331u);
  const Dictionary dictionary(unpacked("cat", folder + "dictionary.txt"));
  for (const std::string& line : lines) {
    std::istringstream stream(line);
    int64_t row = 0, atoms = 0, bonds = 0;
    std::string classes;
    stream >> row >> classes >> atoms >> bonds;
    ASSERT_TRUE(read_golden(stream, atoms, bonds, &dictionary) == graph_of(set, row)) << row;
    EXPECT_EQ(set.splits[static_cast<size_t>(row)], Split::kValidation);
    for (size_t c = 0; c < 10; ++c) {
      EXPECT_EQ(labels->integers[10 * static_cast<size_t>(row) + c], classes[c] - '0');
    }
  }
}

TEST(ContactsGolden, SampleOfMoleculesInSpace) {
  FLOYDNET_REQUIRE_TEST_DATA("molecules/pcqm_contact");
  FLOYDNET_REQUIRE_RDKIT();
  const std::string folder = test_data("molecules/pcqm_contact/");
  const std::string csv = unpacked("xz -dc", folder + "pcqm4mv2-2k.csv.xz");
  if (csv.empty()) GTEST_SKIP() << "xz is absent";
  const SmilesImport import = import_contacts(csv, "pcqm4mv2-2k.csv", {}, kTwoThreads);
  const GraphSet& set = import.set;
  set.check();
  EXPECT_EQ(import.skipped, 1999 - 1878);
  const auto lines = text_lines(unpacked("xz -dc", folder + "graphs.txt.xz"));
  ASSERT_EQ(lines.size(), 1878u);
  ASSERT_EQ(set.graphs(), 1878);
  const Dictionary dictionary(unpacked("cat", folder + "dictionary.txt"));
  size_t equal = 0, equal_contacts = 0;
  for (size_t g = 0; g < lines.size(); ++g) {
    std::istringstream stream(lines[g]);
    int64_t atoms = 0, bonds = 0, contacts = 0;
    stream >> atoms >> bonds >> contacts;
    equal +=
        read_golden(stream, atoms, bonds, &dictionary) == graph_of(set, static_cast<int64_t>(g))
            ? 1
            : 0;
    std::vector<Graph::Edge> pairs;
    for (int32_t i = 0, j = 0; stream >> i >> j;) {
      pairs.emplace_back(i, j);
      pairs.emplace_back(j, i);
    }
    EXPECT_EQ(pairs.size(), static_cast<size_t>(2 * contacts));
    std::vector<Graph::Edge> ours(set.pairs.begin() + set.pair_offsets[g],
                                  set.pairs.begin() + set.pair_offsets[g + 1]);
    std::sort(pairs.begin(), pairs.end());
    std::sort(ours.begin(), ours.end());
    equal_contacts += pairs == ours ? 1 : 0;
  }
  EXPECT_EQ(equal, 1878u);
  EXPECT_EQ(equal_contacts, 1878u);
}

}  // namespace
}  // namespace floydnet::graphs
