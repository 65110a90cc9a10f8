// Sets of graphs in files: our NPZ archives and JSON lines (docs/graphs.md has both formats).
#pragma once

#include <string>
#include <string_view>

#include "floydnet/graph_io.h"
#include "tasks/graphs/data/graph_set.h"

namespace floydnet::graphs {

/// The arrays of such an archive. InputError names `source`, the array, and the graph or row at
/// fault.
GraphSet graph_set_of(const NpzArchive& archive, const std::string& source);
GraphSet parse_graph_file(std::string_view bytes, const std::string& source = "npz",
                          int64_t max_bytes = kDefaultMaxArrayBytes);
/// JSON lines if the name ends in .jsonl; an NPZ archive otherwise.
GraphSet read_graph_file(const std::string& path);

/// Streamed and atomic; the same set gives the same bytes. Integers take as few bytes as they need.
/// Throws std::invalid_argument if check() does, or for a column whose name the format reserves.
void write_graph_file(const std::string& path, const GraphSet& set);

/// One graph an object, such as {"nodes": 3, "edges": [[0, 1], [1, 2]], "graph_y": 0.5}. A column
/// whose numbers are all integers holds integers; null is a missing label. The reader wants the
/// same columns in every line; InputError names the line, the graph and the key.
GraphSet parse_graph_lines(std::string_view text, const std::string& source = "jsonl");

}  // namespace floydnet::graphs
