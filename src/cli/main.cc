#include "cli/commands.h"
#include "floydnet/memory.h"

int main(int argc, char** argv) {
  floydnet::reuse_tensor_memory();
  return floydnet::run_command_line(argc, argv);
}
