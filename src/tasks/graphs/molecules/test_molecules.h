// Golden graphs of molecules, for tests only.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "tasks/graphs/molecules/molecule.h"

/// Skips the running test where RDKit is absent.
#define FLOYDNET_REQUIRE_RDKIT()         \
  if (::floydnet::graphs::has_rdkit()) { \
  } else                                 \
    GTEST_SKIP() << "RDKit is absent; apt-get install librdkit-dev rdkit-data libboost-dev"

namespace floydnet::graphs {

/// What a program such as `xz -dc` makes of a file; empty if it is absent.
inline std::string unpacked(const std::string& program, const std::string& path) {
  std::string text;
  std::FILE* pipe = ::popen((program + " '" + path + "' 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 1 << 16> buffer;
  for (size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer.data(), got);
  }
  ::pclose(pipe);
  return text;
}

inline std::vector<std::string> text_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The vectors of a dictionary.txt: "atom ID COUNT v v ..." and "bond ID COUNT v v ...".
struct Dictionary {
  std::vector<std::vector<int64_t>> atoms, bonds;

  explicit Dictionary(const std::string& text) {
    for (const std::string& line : text_lines(text)) {
      std::istringstream stream(line);
      std::string kind;
      size_t id = 0, count = 0;
      if (!(stream >> kind >> id >> count) || (kind != "atom" && kind != "bond")) continue;
      auto& list = kind == "atom" ? atoms : bonds;
      EXPECT_EQ(id, list.size());
      list.emplace_back();
      for (int64_t value = 0; stream >> value;) list.back().push_back(value);
    }
  }
};

/// Reads "a_1..a_n (u v t) x m"; with a dictionary, a and t name its vectors.
inline MoleculeGraph read_golden(std::istream& stream, int64_t atoms, int64_t bonds,
                                 const Dictionary* dictionary = nullptr) {
  MoleculeGraph graph;
  graph.atoms = atoms;
  const auto append = [](std::vector<int64_t>& features, int64_t id,
                         const std::vector<std::vector<int64_t>>* vectors) {
    if (vectors == nullptr) {
      features.push_back(id);
    } else {
      const auto& vector = vectors->at(static_cast<size_t>(id));
      features.insert(features.end(), vector.begin(), vector.end());
    }
  };
  int64_t u = 0, v = 0, id = 0;
  for (int64_t i = 0; i < atoms && stream >> id; ++i) {
    append(graph.atom_features, id, dictionary ? &dictionary->atoms : nullptr);
  }
  for (int64_t i = 0; i < bonds && stream >> u >> v >> id; ++i) {
    graph.bonds.emplace_back(u, v);
    append(graph.bond_features, id, dictionary ? &dictionary->bonds : nullptr);
  }
  EXPECT_TRUE(stream) << "the golden line is too short";
  return graph;
}

inline bool operator==(const MoleculeGraph& a, const MoleculeGraph& b) {
  return a.atoms == b.atoms && a.bonds == b.bonds && a.atom_features == b.atom_features &&
         a.bond_features == b.bond_features;
}

}  // namespace floydnet::graphs
