// Official OGB folders beside what is made from their SMILES.
#include <gtest/gtest.h>

#include "base/csv.h"
#include "base/gzip.h"
#include "base/test_data.h"
#include "tasks/graphs/molecules/smiles.h"
#include "tasks/graphs/molecules/test_molecules.h"

namespace floydnet::graphs {
namespace {

class OgbGolden : public ::testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  std::string folder() const { return test_data(std::string("molecules/ogb/") + GetParam().first); }

  /// All numbers of a file without a header.
  std::vector<int64_t> numbers(const std::string& name) const {
    const std::string text = read_maybe_gzip(folder() + "/" + name);
    CsvReader reader(text, name);
    std::vector<int64_t> all;
    for (CsvRow row; reader.next(row);) {
      for (const std::string& field : row.fields) all.push_back(std::stoll(field));
    }
    return all;
  }

  GraphSet from_smiles() const {
    const std::string path = folder() + "/mapping/mol.csv.gz";
    SmilesOptions options;
    options.targets = {GetParam().second};
    options.split = "scaffold";
    return import_smiles(read_maybe_gzip(path), path, options, {2, nullptr, nullptr, nullptr}).set;
  }
};

TEST_P(OgbGolden, FeaturesAreEqual) {
  FLOYDNET_REQUIRE_TEST_DATA("molecules/ogb");
  FLOYDNET_REQUIRE_RDKIT();
  const GraphSet set = from_smiles();
  EXPECT_EQ(set.sizes, numbers("raw/num-node-list.csv.gz"));
  EXPECT_EQ(set.find(Level::kNode, "x")->integers, numbers("raw/node-feat.csv.gz"));
  EXPECT_EQ(set.find(Level::kEdge, "x")->integers, numbers("raw/edge-feat.csv.gz"));
  std::vector<int64_t> ends;
  for (const auto& [u, v] : set.edges) ends.insert(ends.end(), {u, v});
  EXPECT_EQ(ends, numbers("raw/edge.csv.gz"));
}

TEST_P(OgbGolden, ScaffoldSplitIsTheOfficialOne) {
  FLOYDNET_REQUIRE_TEST_DATA("molecules/ogb");
  FLOYDNET_REQUIRE_RDKIT();
  const GraphSet set = from_smiles();
  std::vector<Split> official(set.sizes.size(), Split::kNone);
  const std::vector<std::pair<Split, std::string>> parts = {
      {Split::kTrain, "train"}, {Split::kValidation, "valid"}, {Split::kTest, "test"}};
  for (const auto& [split, name] : parts) {
    for (const int64_t g : numbers("split/scaffold/" + name + ".csv.gz")) {
      official[static_cast<size_t>(g)] = split;
    }
  }
  EXPECT_EQ(set.splits, official);
}

INSTANTIATE_TEST_SUITE_P(
    Folders, OgbGolden,
    ::testing::Values(std::make_pair("ogbg_molesol", "measured log solubility in mols per litre"),
                      std::make_pair("ogbg_molfreesolv", "expt")));

}  // namespace
}  // namespace floydnet::graphs
