#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/file.h"
#include "base/test_data.h"
#include "base/test_temporary.h"
#include "tasks/graphs/data/splits.h"
#include "tasks/graphs/molecules/conversion.h"
#include "tasks/graphs/molecules/fragment_table.h"
#include "tasks/graphs/molecules/test_molecules.h"

namespace floydnet::graphs {
namespace {

struct Golden {
  double y = 0;
  MoleculeGraph graph;
};

std::vector<Golden> read_goldens(const std::string& name) {
  std::vector<Golden> goldens;
  for (const std::string& line :
       text_lines(unpacked("xz -dc", test_data("molecules/zinc/" + name)))) {
    std::istringstream stream(line);
    Golden golden;
    int64_t atoms = 0, bonds = 0;
    stream >> golden.y >> atoms >> bonds;
    golden.graph = read_golden(stream, atoms, bonds);
    goldens.push_back(std::move(golden));
  }
  return goldens;
}

/// The subset's molecules of a split, in its order.
std::vector<ZincMolecule> rebuilt(const std::string& list, const std::string& index) {
  const auto lines =
      text_lines(unpacked("xz -dc", test_data("molecules/zinc/jtvae_smiles/" + list)));
  const std::string path = test_data("molecules/zinc/" + index);
  const auto rows = parse_places(read_file(path), path);
  const FragmentTable fragments = FragmentTable::load();
  const auto outcomes = convert_all<ZincMolecule>(
      static_cast<int64_t>(rows.size()), {2, nullptr, nullptr, nullptr}, [&](int64_t i) {
        return zinc_molecule(lines.at(static_cast<size_t>(rows[static_cast<size_t>(i)])),
                             fragments);
      });
  std::vector<ZincMolecule> molecules;
  for (const auto& outcome : outcomes) {
    EXPECT_EQ(outcome.refusal, "");
    molecules.push_back(outcome.value);
  }
  return molecules;
}

/// Graphs equal, atom by atom, and the largest difference of y.
void expect_equal(const std::vector<Golden>& goldens, const std::vector<ZincMolecule>& molecules) {
  ASSERT_EQ(goldens.size(), molecules.size());
  size_t equal = 0;
  double largest = 0;
  for (size_t i = 0; i < goldens.size(); ++i) {
    equal += goldens[i].graph == molecules[i].graph ? 1 : 0;
    largest = std::max(largest, std::abs(goldens[i].y - molecules[i].y));
  }
  EXPECT_EQ(equal, goldens.size());
  EXPECT_LT(largest, 1e-5);
}

/// Colours of atoms after refinement with bond types, sorted: equal for relabelled graphs.
std::vector<size_t> colours(const MoleculeGraph& graph) {
  std::vector<size_t> colour(graph.atom_features.begin(), graph.atom_features.end());
  for (int64_t round = 0; round < graph.atoms; ++round) {
    std::vector<std::multiset<std::pair<int64_t, size_t>>> seen(colour.size());
    for (size_t e = 0; e < graph.bonds.size(); ++e) {
      const auto u = static_cast<size_t>(graph.bonds[e].first);
      const auto v = static_cast<size_t>(graph.bonds[e].second);
      seen[u].emplace(graph.bond_features[e], colour[v]);
      seen[v].emplace(graph.bond_features[e], colour[u]);
    }
    for (size_t v = 0; v < colour.size(); ++v) {
      size_t mixed = colour[v] * 0x9E3779B97F4A7C15u + 1;
      for (const auto& [type, other] : seen[v]) {
        mixed = (mixed ^ (other + static_cast<size_t>(type))) * 0xBF58476D1CE4E5B9u;
        mixed ^= mixed >> 29;
      }
      colour[v] = mixed;
    }
  }
  std::sort(colour.begin(), colour.end());
  return colour;
}

TEST(ZincGolden, SubsetIsEqual) {
  FLOYDNET_REQUIRE_TEST_DATA("molecules/zinc");
  FLOYDNET_REQUIRE_RDKIT();
  const auto validation = read_goldens("graphs_12k/val.txt.xz");
  if (validation.empty()) GTEST_SKIP() << "xz is absent";
  ASSERT_EQ(validation.size(), 1000u);
  expect_equal(validation, rebuilt("valid.txt.xz", "val.index"));
  const auto train = read_goldens("graphs_12k/train.txt.xz");
  ASSERT_EQ(train.size(), 10000u);
  expect_equal(train, rebuilt("train.txt.xz", "train.index"));
}

TEST(ZincGolden, OfficialGraphsAreEqualUpToRelabelling) {
  FLOYDNET_REQUIRE_TEST_DATA("molecules/zinc");
  FLOYDNET_REQUIRE_RDKIT();
  const auto official = read_goldens("official_check/val.txt.xz");
  if (official.empty()) GTEST_SKIP() << "xz is absent";
  const auto molecules = rebuilt("valid.txt.xz", "val.index");
  ASSERT_EQ(official.size(), 1000u);
  ASSERT_EQ(molecules.size(), 1000u);
  for (size_t i = 0; i < official.size(); ++i) {
    EXPECT_EQ(official[i].graph.bonds.size(), molecules[i].graph.bonds.size()) << i;
    EXPECT_EQ(colours(official[i].graph), colours(molecules[i].graph)) << i;
    EXPECT_NEAR(official[i].y, molecules[i].y, 1e-5) << i;
  }
}

TEST(ZincGolden, FragmentTableOfRdkitData) {
  if (!std::filesystem::exists("/usr/share/RDKit/Contrib/SA_Score/fpscores.pkl.gz")) {
    GTEST_SKIP() << "rdkit-data is absent";
  }
  EXPECT_EQ(FragmentTable::load().fragments(), 705292u);
}

}  // namespace
}  // namespace floydnet::graphs
