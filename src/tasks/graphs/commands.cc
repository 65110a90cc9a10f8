// Predictions for graphs of one's own.
#include "tasks/entry.h"
#include "tasks/graphs/config.h"
#include "tasks/graphs/data_commands.h"

namespace floydnet::graphs {

TaskEntry entry() {
  TaskEntry entry;
  entry.name = "graphs";
  entry.summary = "Predict properties of graphs, nodes, edges and pairs";
  entry.example = "floydnet train graphs --data mine.npz --target graph_y --out runs/mine";
  entry.make_config = new_config<GraphsConfig>;
  entry.add_data_command = add_graphs_data_command;
  return entry;
}

}  // namespace floydnet::graphs
