// What others have scored on the official test split, and a table of one's own beside it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/table.h"

namespace floydnet::clrs {

/// Triplet-GMPNN, G-ForgetNet, FloydNet offline (the official 1000 samples) and online.
const std::vector<std::string>& published_models();
/// In %, one for each of the models.
const std::vector<double>& published_scores(const std::string& algorithm);

/// All 30 by category, the means of the eight categories, and the total. `scores` has, in %, those
/// algorithms that were judged; a mean over one that was not is empty, as is its score.
record::Table benchmark_table(const std::map<std::string, double>& scores);

}  // namespace floydnet::clrs
