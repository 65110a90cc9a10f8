// What needs no golden data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/test_refusal.h"
#include "tasks/graphs/data/graph_set.h"
#include "tasks/graphs/molecules/molecule_set.h"
#include "tasks/graphs/molecules/smiles.h"
#include "tasks/graphs/molecules/test_molecules.h"

namespace floydnet::graphs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr Conversion kTwoThreads{2, nullptr, nullptr, nullptr};

SmilesOptions with_targets(std::vector<std::string> targets) {
  SmilesOptions options;
  options.smiles_column = "s";
  options.targets = std::move(targets);
  return options;
}

GraphSet import(const std::string& csv, const SmilesOptions& options) {
  return import_smiles(csv, "m.csv", options, kTwoThreads).set;
}

std::string import_refusal(const std::string& csv, const SmilesOptions& options) {
  return refusal([&] { import_smiles(csv, "m.csv", options, kTwoThreads); });
}

TEST(Molecules, WithoutRdkitTheMessageSaysHowToInstallIt) {
  if (has_rdkit()) GTEST_SKIP() << "RDKit is there";
  EXPECT_THAT(refusal([] { molecule_graph("C", MoleculeFeatures::kOgb); }),
              HasSubstr("apt-get install librdkit-dev"));
  EXPECT_THAT(import_refusal("s\nC\n", with_targets({})), HasSubstr("librdkit-dev"));
}

TEST(Molecules, OgbFeaturesOfAnAtomAndABond) {
  FLOYDNET_REQUIRE_RDKIT();
  const MoleculeGraph formate = molecule_graph("C(=O)[O-]", MoleculeFeatures::kOgb);
  EXPECT_EQ(formate.atoms, 3);
  EXPECT_THAT(formate.bonds, ElementsAre(Graph::Edge{0, 1}, Graph::Edge{0, 2}));
  // Z - 1, chirality, degree with hydrogens, charge + 5, hydrogens, radicals, SP2, not aromatic,
  // not in a ring.
  EXPECT_THAT(formate.atom_features, ElementsAre(5, 0, 3, 5, 1, 0, 1, 0, 0,  //
                                                 7, 0, 1, 5, 0, 0, 1, 0, 0,  //
                                                 7, 0, 1, 4, 0, 0, 1, 0, 0));
  EXPECT_THAT(formate.bond_features, ElementsAre(1, 0, 1, 0, 0, 1));
}

TEST(Molecules, ZincBondsAreKekulised) {
  FLOYDNET_REQUIRE_RDKIT();
  const MoleculeGraph benzene = molecule_graph("c1ccccc1", MoleculeFeatures::kZinc);
  EXPECT_THAT(benzene.atom_features, ElementsAre(0, 0, 0, 0, 0, 0));
  std::vector<int64_t> orders = benzene.bond_features;
  std::sort(orders.begin(), orders.end());
  EXPECT_THAT(orders, ElementsAre(1, 1, 1, 2, 2, 2));
  EXPECT_THAT(refusal([] { molecule_graph("[SiH4]", MoleculeFeatures::kZinc); }),
              HasSubstr("'Si H4' is none of ZINC's 28 types"));
}

TEST(Molecules, ReasonsAreOneLine) {
  FLOYDNET_REQUIRE_RDKIT();
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(syntax_error("CCO"), "");
  EXPECT_EQ(syntax_error("C1CC"), "is not SMILES: unclosed ring");
  EXPECT_EQ(syntax_error("C("), "is not SMILES: syntax error");
  EXPECT_THAT(syntax_error("CN(C)(C)C"), HasSubstr("valence"));
  EXPECT_THAT(syntax_error("c1ccc1c"), ::testing::Not(HasSubstr("\n")));
  EXPECT_EQ(syntax_error(""), "there are no atoms");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(Molecules, LabelsAreNumbersOrClasses) {
  FLOYDNET_REQUIRE_RDKIT();
  const std::string csv = "id,s,y,z\n1,CCO,1,-0.5\n2,\"C\",,2\n3,c1ccccc1,0,nan\n";
  const GraphSet classes = import(csv, with_targets({"y"}));
  EXPECT_THAT(classes.names, ElementsAre("CCO", "C", "c1ccccc1"));
  EXPECT_THAT(classes.sizes, ElementsAre(3, 1, 6));
  EXPECT_THAT(classes.find(Level::kGraph, "y")->integers, ElementsAre(1, -1, 0));
  classes.check();
  const GraphSet numbers = import(csv, with_targets({"y", "z"}));
  const Column& y = *numbers.find(Level::kGraph, "y");
  EXPECT_EQ(y.width, 2);
  ASSERT_EQ(y.reals.size(), 6u);
  EXPECT_EQ(y.reals[1], -0.5F);
  EXPECT_TRUE(std::isnan(y.reals[2]) && std::isnan(y.reals[5]));
  SmilesOptions options = with_targets({"y"});
  options.labels = LabelKind::kNumbers;
  EXPECT_EQ(import(csv, options).find(Level::kGraph, "y")->reals[0], 1);
  EXPECT_EQ(import("s\nC\n", with_targets({})).find(Level::kGraph, "y"), nullptr);
}

TEST(Molecules, BadRowsAreNamed) {
  FLOYDNET_REQUIRE_RDKIT();
  EXPECT_EQ(import_refusal("s,y\nCC,1\nC1C,2\n", with_targets({"y"})),
            "m.csv: line 3: RDKit refuses 'C1C': is not SMILES: unclosed ring (--skip-invalid "
            "leaves it out)");
  EXPECT_EQ(import_refusal("s,y\nCC,1\nC,two\n", with_targets({"y"})),
            "m.csv: line 3: column 'y': 'two' is not a number");
  EXPECT_EQ(import_refusal("s,y\nCC,inf\n", with_targets({"y"})),
            "m.csv: line 2: column 'y': 'inf' is not a number");
  EXPECT_EQ(import_refusal("s,y\nCC,\"[1, 2]\"\nC,[1]\n", with_targets({"y"})),
            "m.csv: line 3: has 1 labels, not 2 as the row before");
  EXPECT_EQ(import_refusal("s\n", with_targets({})), "m.csv: has no molecules");
  EXPECT_THAT(import_refusal("t\nC\n", with_targets({})), HasSubstr("has no column 's'"));
  SmilesOptions classes = with_targets({"y"});
  classes.labels = LabelKind::kClasses;
  EXPECT_EQ(import_refusal("s,y\nC,0\nCC,0.5\n", classes),
            "m.csv: line 3: a label is not a class, an integer from 0");
}

TEST(Molecules, InvalidOnesCanBeSkipped) {
  FLOYDNET_REQUIRE_RDKIT();
  SmilesOptions options = with_targets({"y"});
  options.skip_invalid = true;
  const SmilesImport result =
      import_smiles("s,y\nCC,1.5\nC1C,2\nxx,3\nO,4\n", "m.csv", options, kTwoThreads);
  EXPECT_EQ(result.skipped, 2);
  EXPECT_THAT(result.first_skipped, StartsWith("line 3: RDKit refuses 'C1C'"));
  EXPECT_THAT(result.set.names, ElementsAre("CC", "O"));
  EXPECT_THAT(result.set.find(Level::kGraph, "y")->reals, ElementsAre(1.5F, 4.F));
  EXPECT_THAT(import_refusal("s,y\nC1,1\n", options), StartsWith("m.csv: no molecule is left"));
}

TEST(Molecules, ScaffoldsAreRingsAndLinks) {
  FLOYDNET_REQUIRE_RDKIT();
  EXPECT_EQ(scaffold_key("CCO"), "");
  EXPECT_EQ(scaffold_key("CCc1ccc(O)cc1"), "c1ccccc1");
  EXPECT_EQ(scaffold_key("Oc1ccccc1CCC1CCNC1"), scaffold_key("c1ccccc1CCC1CCNC1"));
}

TEST(Molecules, ContactsAreNearInSpaceAndFarInBonds) {
  FLOYDNET_REQUIRE_RDKIT();
  // Six carbons in a horseshoe: the ends are 2 Angstrom and 5 bonds apart.
  const std::string horseshoe = "\"[C][C][C][C][C][C] |(0,0,0;2,0,0;4,0,0;4,2,0;2,2,0;0,2,0)|\"";
  const SmilesImport result =
      import_contacts("smiles\n" + horseshoe + "\n\"[C] |(0,0,0)|\"\n", "m.csv", {}, kTwoThreads);
  EXPECT_EQ(result.skipped, 1);
  EXPECT_EQ(result.first_skipped, "line 3: there is no contact");
  EXPECT_THAT(result.set.pairs, ElementsAre(Graph::Edge{0, 5}, Graph::Edge{5, 0}));
  result.set.check();
  EXPECT_THAT(refusal([] { import_contacts("smiles\nCC\n", "m.csv", {}, kTwoThreads); }),
              HasSubstr("there are no coordinates in space"));
}

TEST(Molecules, PicturesAreSvg) {
  FLOYDNET_REQUIRE_RDKIT();
  const std::string svg = draw_molecule("CC(=O)Oc1ccccc1C(=O)O", 240, 180);
  EXPECT_THAT(svg, HasSubstr("<svg"));
  EXPECT_THAT(svg, HasSubstr("width='240px' height='180px'"));
  EXPECT_THAT(svg, HasSubstr("</svg>"));
  EXPECT_THROW(draw_molecule("C1", 10, 10), InputError);
}

TEST(Molecules, StoppedWorkThrows) {
  FLOYDNET_REQUIRE_RDKIT();
  const std::atomic<bool> stop{true};
  EXPECT_THROW(import_smiles("s\nC\n", "m.csv", with_targets({}), {1, nullptr, nullptr, &stop}),
               Stopped);
}

}  // namespace
}  // namespace floydnet::graphs
