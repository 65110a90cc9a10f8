// Edges that are listed in both directions.
#pragma once

#include "tasks/graphs/data/graph_set.h"

namespace floydnet::graphs {

/// If every edge of a directed set stands beside its reverse with the same features, each such
/// couple becomes one undirected edge, where its first direction stood; else nothing changes. Edges
/// that are there several times with the same features count once in either case. Returns whether
/// the set is undirected now.
bool collapse_directions(GraphSet& set);

}  // namespace floydnet::graphs
