// What others have scored on the official test split, and a table of one's own beside it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "record/table.h"
#include "tasks/clrs/data/algorithm.h"

namespace floydnet::clrs {

/// Triplet-GMPNN, G-ForgetNet, FloydNet offline (the official 1000 samples) and online.
const std::vector<std::string>& published_models();
/// In %, one for each of the models.
const std::vector<double>& published_scores(const std::string& algorithm);

inline constexpr const char* kBenchmarkTitle =
    "CLRS-30: scores in % on the official test split (64 nodes)";

/// One algorithm, or all of a category, or all 30.
using Chosen = std::vector<const Algorithm*>;
/// As many cells as there are columns of one's own.
using OwnCells = std::function<std::vector<record::Cell>(const Chosen& chosen)>;
/// All 30 by category, then the eight categories, then the total.
record::Table table_beside_published(const std::string& title,
                                     const std::vector<std::string>& columns,
                                     const OwnCells& own_cells);

/// All 30 by category, the means of the eight categories, and the total. `scores` has, in %, those
/// algorithms that were judged; a mean over one that was not is empty, as is its score.
record::Table benchmark_table(const std::map<std::string, double>& scores);

}  // namespace floydnet::clrs
