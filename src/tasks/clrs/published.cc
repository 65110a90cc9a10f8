#include "tasks/clrs/published.h"

#include <optional>
#include <utility>

#include "base/require.h"

namespace floydnet::clrs {
namespace {

using record::Cell;
using record::Table;
using Row = std::vector<Cell>;
using Score = std::optional<double>;

/// In the order of the benchmark's tables.
constexpr Category kCategories[] = {Category::kSorting,
                                    Category::kSearch,
                                    Category::kDivideAndConquer,
                                    Category::kGreedy,
                                    Category::kDynamicProgramming,
                                    Category::kGraphs,
                                    Category::kStrings,
                                    Category::kGeometry};

/// Means of three runs each, from the table of all 30 in the FloydNet paper.
const std::map<std::string, std::vector<double>>& all_published() {
  static const std::map<std::string, std::vector<double>> scores = {
      {"activity_selector", {95.18, 99.03, 92.27, 95.30}},
      {"articulation_points", {91.04, 97.97, 93.03, 100.00}},
      {"bellman_ford", {97.39, 99.18, 94.10, 100.00}},
      {"bfs", {99.93, 99.96, 100.00, 100.00}},
      {"binary_search", {77.58, 85.96, 75.53, 94.47}},
      {"bridges", {97.70, 99.43, 99.45, 100.00}},
      {"bubble_sort", {80.51, 83.19, 89.70, 100.00}},
      {"dag_shortest_paths", {98.19, 99.37, 97.90, 100.00}},
      {"dfs", {100.0, 74.31, 100.00, 100.00}},
      {"dijkstra", {96.05, 99.14, 97.07, 97.67}},
      {"find_maximum_subarray_kadane", {76.36, 78.97, 68.60, 86.20}},
      {"floyd_warshall", {48.52, 56.32, 81.40, 96.20}},
      {"graham_scan", {93.62, 97.67, 96.20, 99.63}},
      {"heapsort", {49.13, 57.47, 99.00, 100.00}},
      {"insertion_sort", {87.21, 98.40, 95.35, 100.00}},
      {"jarvis_march", {91.01, 88.53, 99.00, 99.50}},
      {"kmp_matcher", {19.51, 12.45, 27.37, 99.43}},
      {"lcs_length", {80.51, 85.43, 91.70, 95.70}},
      {"matrix_chain_order", {91.68, 91.08, 89.23, 91.50}},
      {"minimum", {98.43, 99.26, 99.07, 100.00}},
      {"mst_kruskal", {89.93, 91.25, 93.47, 99.63}},
      {"mst_prim", {87.64, 95.19, 90.53, 99.67}},
      {"naive_string_matcher", {78.67, 97.02, 100.00, 100.00}},
      {"optimal_bst", {73.77, 83.58, 78.00, 82.87}},
      {"quickselect", {0.47, 6.30, 83.70, 80.33}},
      {"quicksort", {85.69, 73.28, 99.80, 100.00}},
      {"segments_intersect", {97.64, 99.06, 95.87, 99.90}},
      {"strongly_connected_components", {43.43, 53.53, 89.27, 90.07}},
      {"task_scheduling", {87.25, 84.55, 87.23, 91.05}},
      {"topological_sort", {87.27, 99.92, 100.00, 100.00}},
  };
  return scores;
}

Score score_in(const std::map<std::string, double>& scores, const std::string& name) {
  const auto found = scores.find(name);
  return found == scores.end() ? std::nullopt : Score(found->second);
}

/// Nothing if one of them has no score.
template <typename ScoreOf>
Cell mean_over(const Chosen& chosen, const ScoreOf& score_of) {
  double sum = 0;
  for (const Algorithm* algorithm : chosen) {
    const Score score = score_of(algorithm->name);
    if (!score) return {};
    sum += *score;
  }
  return sum / static_cast<double>(chosen.size());
}

Row row_of(const std::string& title, const Chosen& chosen, const OwnCells& own_cells) {
  Row row = {title};
  for (Cell& cell : own_cells(chosen)) row.push_back(std::move(cell));
  for (size_t m = 0; m < published_models().size(); ++m) {
    row.push_back(mean_over(
        chosen, [m](const std::string& name) { return Score(published_scores(name)[m]); }));
  }
  return row;
}

}  // namespace

const std::vector<std::string>& published_models() {
  static const std::vector<std::string> models = {"Triplet-GMPNN", "G-ForgetNet",
                                                  "FloydNet offline", "FloydNet online"};
  return models;
}

const std::vector<double>& published_scores(const std::string& algorithm) {
  const auto found = all_published().find(algorithm);
  require(found != all_published().end(), "CLRS: '{}' is none of the 30", algorithm);
  return found->second;
}

Table table_beside_published(const std::string& title, const std::vector<std::string>& columns,
                             const OwnCells& own_cells) {
  Table table{title, {""}, {}};
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  for (const std::string& model : published_models()) table.columns.push_back(model);
  std::vector<Row> means;
  Chosen all;
  for (const Category category : kCategories) {
    Chosen of_category;
    for (const Algorithm& algorithm : algorithms()) {
      if (algorithm.category != category) continue;
      of_category.push_back(&algorithm);
      all.push_back(&algorithm);
      table.rows.push_back(row_of(algorithm.name, {&algorithm}, own_cells));
    }
    means.push_back(row_of(text(category), of_category, own_cells));
  }
  table.rows.insert(table.rows.end(), means.begin(), means.end());
  table.rows.push_back(row_of("Total", all, own_cells));
  return table;
}

Table benchmark_table(const std::map<std::string, double>& scores) {
  const auto mean = [&](const Chosen& chosen) -> Row {
    return {mean_over(chosen, [&](const std::string& name) { return score_in(scores, name); })};
  };
  return table_beside_published(kBenchmarkTitle, {"here"}, mean);
}

}  // namespace floydnet::clrs
