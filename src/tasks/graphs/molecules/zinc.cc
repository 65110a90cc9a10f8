#include "tasks/graphs/molecules/zinc.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/file.h"
#include "base/gzip.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "tasks/graphs/data/splits.h"
#include "tasks/graphs/molecules/fragment_table.h"
#include "tasks/graphs/molecules/molecule_set.h"

namespace floydnet::graphs {
namespace {

/// The path of a list, compressed or not.
std::string list_path(const std::string& folder, const std::string& name) {
  const std::string plain = folder + "/" + name;
  for (const std::string& path : {plain, plain + ".gz"}) {
    if (std::filesystem::exists(path)) return path;
  }
  if (std::filesystem::exists(plain + ".xz")) {
    throw InputError::in(plain + ".xz", "is compressed by xz; run unxz -k on it first");
  }
  throw InputError::in(plain,
                       "is absent; wanted train.txt, valid.txt and test.txt of JT-VAE's "
                       "data/zinc, one SMILES a line");
}

std::vector<std::string> smiles_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    if (!lines.back().empty() && lines.back().back() == '\r') lines.back().pop_back();
    begin = end + 1;
  }
  return lines;
}

/// Rows of a list in the order of an index file, each once.
std::vector<int64_t> zinc_index(const std::string& path, size_t lines) {
  const std::vector<int64_t> rows = parse_places(read_maybe_gzip(path), path);
  std::vector<bool> seen(lines);
  for (const int64_t row : rows) {
    const auto place = static_cast<size_t>(row);
    if (place >= lines || seen[place]) {
      throw InputError::in(
          path,
          fmt::format("row {} {}", row, place >= lines ? "is not in the list" : "comes twice"));
    }
    seen[place] = true;
  }
  return rows;
}

}  // namespace

ZincLists::ZincLists(const std::string& folder, const std::string& index_folder) {
  require_rdkit();
  const auto index = [&](const char* name) {
    return index_folder.empty() ? "" : index_folder + "/" + name;
  };
  add(list_path(folder, "train.txt"), index("train.index"), Split::kTrain);
  add(list_path(folder, "valid.txt"), index("val.index"), Split::kValidation);
  add(list_path(folder, "test.txt"), index("test.index"), Split::kTest);
}

void ZincLists::add(const std::string& list, const std::string& index_path, Split split) {
  const std::vector<std::string> lines = smiles_lines(read_maybe_gzip(list));
  const auto take = [&](size_t line) {
    smiles_.push_back(lines[line]);
    splits_.push_back(split);
    places_.push_back(fmt::format("{}: line {}", list, line + 1));
  };
  if (index_path.empty()) {
    for (size_t line = 0; line < lines.size(); ++line) take(line);
  } else {
    for (const int64_t line : zinc_index(index_path, lines.size())) {
      take(static_cast<size_t>(line));
    }
  }
}

GraphSet ZincLists::convert(const Conversion& how) const {
  const FragmentTable fragments = FragmentTable::load();
  const auto outcomes = convert_all<ZincMolecule>(molecules(), how, [&](int64_t i) {
    return zinc_molecule(smiles_[static_cast<size_t>(i)], fragments);
  });
  MoleculeSetBuilder builder(MoleculeFeatures::kZinc);
  Column y{"y", Level::kGraph, 1, /*real=*/true, {}, {}};
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (!outcomes[i].refusal.empty()) {
      throw InputError::in(places_[i], fmt::format("RDKit refuses {}: {}", in_quotes(smiles_[i]),
                                                   reason_of(smiles_[i], outcomes[i].refusal)));
    }
    builder.add(outcomes[i].value.graph, smiles_[i]);
    y.reals.push_back(static_cast<float>(outcomes[i].value.y));
  }
  GraphSet& set = builder.set();
  set.columns.push_back(std::move(y));
  set.splits = splits_;
  return std::move(set);
}

}  // namespace floydnet::graphs
