// What others have scored on the official test split, and a table of one's own beside it.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace floydnet::clrs {

/// Triplet-GMPNN, G-ForgetNet, FloydNet offline (the official 1000 samples) and online.
const std::vector<std::string>& published_models();
/// In %, one for each of the models.
const std::vector<double>& published_scores(const std::string& algorithm);

/// {"title", "columns", "rows"}: all 30 by category, the means of the eight categories, and the
/// total. `scores` has, in %, those algorithms that were judged; a mean over one that was not is
/// null, as is its score.
nlohmann::json benchmark_table(const std::map<std::string, double>& scores);

}  // namespace floydnet::clrs
