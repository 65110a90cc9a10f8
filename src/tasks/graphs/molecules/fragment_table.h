// Contributions of fragments to the synthetic accessibility score (Ertl and Schuffenhauer, 2009).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace floydnet::graphs {

/// The table that comes with RDKit's contributions as fpscores.pkl.gz, in Debian's package
/// rdkit-data.
class FragmentTable {
 public:
  /// Reads the pickle, inflated: a list of [score, fragment, fragment, ...] in protocol 0. It runs
  /// nothing: an instruction that such lists do not need is refused.
  FragmentTable(std::string_view pickle, const std::string& source);

  /// From $FLOYDNET_FRAGMENT_SCORES or where Debian has it; InputError says which package to
  /// install.
  static FragmentTable load();

  /// That of a Morgan fragment; -4 for one that is not in the table.
  double score(uint32_t fragment) const;
  size_t fragments() const { return scores_.size(); }

 private:
  std::unordered_map<uint32_t, double> scores_;
};

}  // namespace floydnet::graphs
