#include "tasks/graphs/molecules/smiles.h"

#include <fmt/format.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "tasks/graphs/molecules/molecule_set.h"
#include "tasks/graphs/molecules/split_pickle.h"

namespace floydnet::graphs {
namespace {

/// The table and its SMILES, converted.
template <typename T>
class Molecules {
 public:
  Molecules(std::string_view csv, std::string source, const SmilesOptions& options)
      : source_(std::move(source)),
        options_(options),
        table_(parse_csv_table(csv, source_)),
        column_(table_.column(options.smiles_column, source_)) {
    require_rdkit();
    if (table_.rows.empty()) throw InputError::in(source_, "has no molecules");
  }

  const CsvTable& table() const { return table_; }
  const std::string& smiles(size_t row) const { return table_.rows[row].fields[column_]; }

  /// Calls add(row, value) for each molecule that is sound.
  template <typename Add>
  void convert(const Conversion& how, const std::function<T(const std::string&)>& make, Add add) {
    const auto outcomes =
        convert_all<T>(static_cast<int64_t>(table_.rows.size()), how,
                       [&](int64_t i) { return make(smiles(static_cast<size_t>(i))); });
    for (size_t row = 0; row < outcomes.size(); ++row) {
      if (outcomes[row].refusal.empty()) {
        add(row, outcomes[row].value);
      } else {
        refuse(row, outcomes[row].refusal);
      }
    }
  }

  /// An error, or a molecule less.
  void refuse(size_t row, const std::string& refusal) {
    const std::string problem = fmt::format("RDKit refuses {}: {}", in_quotes(smiles(row)),
                                            reason_of(smiles(row), refusal));
    const uint64_t line = table_.rows[row].line;
    if (!options_.skip_invalid) {
      throw InputError::at_line(source_, line, problem + " (--skip-invalid leaves it out)");
    }
    if (result.skipped++ == 0) result.first_skipped = fmt::format("line {}: {}", line, problem);
  }

  SmilesImport finish(GraphSet set) {
    if (set.graphs() == 0) {
      throw InputError::in(source_, "no molecule is left; " + result.first_skipped);
    }
    result.set = std::move(set);
    return std::move(result);
  }

  SmilesImport result;

 private:
  const std::string source_;
  const SmilesOptions& options_;
  const CsvTable table_;
  const size_t column_;
};

/// Splits by rows of the table.
std::vector<Split> splits_of_rows(const std::vector<size_t>& rows, const std::string& path,
                                  size_t table_rows) {
  const std::vector<Split> all =
      splits_of(parse_split_pickle(read_file(path), path), static_cast<int64_t>(table_rows), path);
  std::vector<Split> splits;
  for (const size_t row : rows) splits.push_back(all[row]);
  return splits;
}

}  // namespace

SmilesImport import_smiles(std::string_view csv, const std::string& source,
                           const SmilesOptions& options, const Conversion& how) {
  Molecules<MoleculeGraph> molecules(csv, source, options);
  const Labels labels(molecules.table(), options.targets, source);
  MoleculeSetBuilder builder(options.features);
  std::vector<size_t> rows;
  molecules.convert(
      how, [&](const std::string& smiles) { return molecule_graph(smiles, options.features); },
      [&](size_t row, const MoleculeGraph& graph) {
        builder.add(graph, molecules.smiles(row));
        rows.push_back(row);
      });
  GraphSet& set = builder.set();
  if (labels.width() > 0) set.columns.push_back(labels.column(rows, options.labels, source));
  if (options.split == "scaffold") {
    split_by_scaffold(set, {how.threads, nullptr, nullptr, how.stop});
  } else if (!options.split.empty()) {
    set.splits = splits_of_rows(rows, options.split, molecules.table().rows.size());
  }
  return molecules.finish(std::move(set));
}

SmilesImport import_contacts(std::string_view csv, const std::string& source,
                             const SmilesOptions& options, const Conversion& how) {
  Molecules<ContactMolecule> molecules(csv, source, options);
  MoleculeSetBuilder builder(MoleculeFeatures::kOgb);
  GraphSet& set = builder.set();
  set.pairs_listed = true;
  molecules.convert(how, contact_molecule, [&](size_t row, const ContactMolecule& molecule) {
    if (molecule.contacts.empty()) {
      const uint64_t line = molecules.table().rows[row].line;
      if (molecules.result.skipped++ == 0) {
        molecules.result.first_skipped = fmt::format("line {}: there is no contact", line);
      }
      return;
    }
    const std::string& cxsmiles = molecules.smiles(row);
    builder.add(molecule.graph, cxsmiles.substr(0, cxsmiles.find(' ')));
    for (const auto& [i, j] : molecule.contacts) {
      set.pairs.emplace_back(i, j);
      set.pairs.emplace_back(j, i);
    }
    set.pair_offsets.push_back(static_cast<int64_t>(set.pairs.size()));
  });
  set.columns.push_back(
      {"y", Level::kPair, 1, false, std::vector<int64_t>(set.pairs.size(), 1), {}});
  return molecules.finish(std::move(set));
}

}  // namespace floydnet::graphs
