// Data sets in the formats of others, read as sets of graphs. One line of a table for each format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tasks/graphs/data/graph_set.h"

namespace floydnet::graphs {

struct ImportOptions {
  std::string path;
  std::string labels;  // graph6: a file of numbers, a row for each graph
  std::string split;   // ogb: which folder of split/, if there are several
  bool coco = false;   // lrgb: node labels are COCO's ids, to be numbered from 0 to 80
};

struct Importer {
  const char* name;
  const char* what;  // for help
  GraphSet (*read)(const ImportOptions& options);
};

const std::vector<Importer>& importers();
/// Null if there is none.
const Importer* find_importer(const std::string& name);

/// A folder of OGB: raw/*.csv.gz, split/NAME/*.csv.gz, mapping/mol.csv.gz.
GraphSet read_ogb(const ImportOptions& options);
/// A folder with train, val and test as .pt or .pickle (possibly in raw/), or one such file.
GraphSet read_lrgb(const ImportOptions& options);
/// Graphs of one file: tuples (x, edge_attr, edge_index, y), or with pairs instead of y (x,
/// edge_attr, edge_index, edge_label_index, edge_label). Edges have directions.
GraphSet parse_lrgb(std::string_view bytes, const std::string& source);
/// COCO has 81 classes with ids up to 90; others are refused.
void remap_coco_labels(GraphSet& set);
/// A folder of TUDataset: NAME_A.txt, NAME_graph_indicator.txt, and so on.
GraphSet read_tu(const ImportOptions& options);
GraphSet read_graph6_set(const ImportOptions& options);
GraphSet read_json_lines_set(const ImportOptions& options);
GraphSet read_npz_set(const ImportOptions& options);

}  // namespace floydnet::graphs
