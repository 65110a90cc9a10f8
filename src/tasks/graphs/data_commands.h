// floydnet data graphs: sets of graphs in our format.
#pragma once

namespace CLI {
class App;
}

namespace floydnet::graphs {

/// For TaskEntry::add_data_command.
void add_graphs_data_command(CLI::App& data);

}  // namespace floydnet::graphs
