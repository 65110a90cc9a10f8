#include "cli/commands.h"

int main(int argc, char** argv) { return floydnet::run_command_line(argc, argv); }
