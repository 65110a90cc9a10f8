#include "tasks/graphs/import/importers.h"

#include <algorithm>

#include "base/file.h"
#include "floydnet/error.h"
#include "floydnet/graph_io.h"
#include "tasks/graphs/data/graph_file.h"
#include "tasks/graphs/import/number_rows.h"

namespace floydnet::graphs {

const std::vector<Importer>& importers() {
  static const std::vector<Importer> table = {
      {"ogb", "a folder of the Open Graph Benchmark, such as ogbg_molesol", read_ogb},
      {"lrgb", "a folder of the Long-Range Graph Benchmark: train, val, test as .pt or .pickle",
       read_lrgb},
      {"tu", "a folder of TUDataset, such as MUTAG", read_tu},
      {"graph6", "a file of graphs in graph6, one a line, with --labels", read_graph6_set},
      {"jsonl", "JSON lines, one graph an object", read_json_lines_set},
      {"npz", "a file of ours, to give it another split", read_npz_set},
  };
  return table;
}

const Importer* find_importer(const std::string& name) {
  const auto& table = importers();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Importer& importer) { return name == importer.name; });
  return found == table.end() ? nullptr : &*found;
}

GraphSet read_json_lines_set(const ImportOptions& options) {
  return parse_graph_lines(read_file(options.path), options.path);
}

GraphSet read_npz_set(const ImportOptions& options) {
  return parse_graph_file(read_file(options.path), options.path);
}

GraphSet read_graph6_set(const ImportOptions& options) {
  const std::vector<Graph> graphs = read_graphs(options.path);
  if (graphs.empty()) throw InputError::in(options.path, "no graphs");
  GraphSet set;
  set.directed = graphs.front().directed();
  for (const Graph& graph : graphs) {
    if (graph.directed() != set.directed) {
      throw InputError::in(options.path, "some graphs are directed and some are not");
    }
    set.sizes.push_back(graph.nodes());
    set.edges.insert(set.edges.end(), graph.edges().begin(), graph.edges().end());
    set.edge_offsets.push_back(static_cast<int64_t>(set.edges.size()));
  }
  if (options.labels.empty()) return set;
  const NumberRows labels = read_number_rows(options.labels);
  if (labels.rows != set.graphs()) {
    throw InputError::in(options.labels, std::to_string(labels.rows) + " rows for " +
                                             std::to_string(set.graphs()) + " graphs");
  }
  set.columns.push_back(labels.labels(Level::kGraph, "y"));
  return set;
}

}  // namespace floydnet::graphs
