// What is in a set of graphs: counts, sizes, columns, labels.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tasks/graphs/data/graph_set.h"

namespace floydnet::graphs {

/// "graphs", "directed", "nodes" and "edges" with least, mean, median, most and total, "splits",
/// "columns" with their statistics, "histograms" of sizes and of graph labels that are numbers.
nlohmann::json describe(const GraphSet& set);

/// The same for people; `description` is what describe() gives.
std::string description_text(const nlohmann::json& description, const std::string& title);

}  // namespace floydnet::graphs
