// The commands of the travelling salesman. Each file adds one to the command line.
#pragma once

namespace CLI {
class App;
}

namespace floydnet::tsp {

void add_solve_command(CLI::App& tsp);
void add_verify_command(CLI::App& tsp);
void add_sample_command(CLI::App& tsp);
/// floydnet data tsp
void add_dataset_command(CLI::App& data);

}  // namespace floydnet::tsp
