// Graph prediction: what the program offers.
#include "tasks/entry.h"
#include "tasks/graphs/config.h"

namespace floydnet::graphs {

TaskEntry entry() {
  TaskEntry entry;
  entry.name = "graphs";
  entry.summary = "Predict targets of graphs, nodes, edges or pairs of your own data";
  entry.example = "floydnet train graphs --data mine.npz --target graph_y --out runs/mine";
  entry.make_config = new_config<GraphsConfig>;
  return entry;
}

}  // namespace floydnet::graphs
