#include "base/stderr.h"
#include "cli/commands.h"
#include "floydnet/memory.h"

int main(int argc, char** argv) {
  floydnet::open_standard_streams();
  floydnet::reuse_tensor_memory();
  return floydnet::run_command_line(argc, argv);
}
