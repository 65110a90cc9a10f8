// The commands of the program. Each file adds one to the command line.
#pragma once

namespace CLI {
class App;
}

namespace floydnet {

/// Parses and runs; returns the exit code: 0, 1 (failed), 2 (bad usage), 128 + a signal.
int run_command_line(int argc, const char* const* argv);

void add_demo_command(CLI::App& app);
void add_doctor_command(CLI::App& app);
void add_convert_command(CLI::App& app);
void add_wl_command(CLI::App& app);
void add_data_command(CLI::App& app);
void add_bench_command(CLI::App& app);
void add_train_command(CLI::App& app);
void add_eval_command(CLI::App& app);
void add_predict_command(CLI::App& app);
void add_launch_command(CLI::App& app);
void add_report_command(CLI::App& app);

}  // namespace floydnet
