// The program, and with --serve a server that runs it again and again: loading libtorch takes half
// a second, and tests/program.sh runs it some 200 times. Each run is a process of its own, forked
// from one that has loaded everything and done nothing.
//
// A request is a line with the name of a file of arguments, each ended by a zero byte. Arguments
// before the first empty one are settings of the environment, NAME=VALUE. The answer is the exit
// code, when all output, of both kinds, is in that file with ".out" behind its name.
//
// With --simd it prints the instruction set that the kernels use.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "base/simd_target.h"
#include "base/stderr.h"
#include "cli/commands.h"
#include "floydnet/memory.h"

namespace {

std::vector<std::string> arguments_in(const std::string& path) {
  std::vector<std::string> found;
  std::ifstream file(path, std::ios::binary);
  for (std::string word; std::getline(file, word, '\0');) found.push_back(word);
  return found;
}

[[noreturn]] void run(const std::string& path) {
  std::vector<std::string> words = arguments_in(path);
  auto word = words.begin();
  for (; word != words.end() && !word->empty(); ++word) ::putenv(word->data());
  std::vector<const char*> argv = {"floydnet"};
  for (++word; word < words.end(); ++word) argv.push_back(word->c_str());
  const int output = ::open((path + ".out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const int input = ::open("/dev/null", O_RDONLY);
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::close(output);
  ::close(input);
  const int code = floydnet::run_command_line(static_cast<int>(argv.size()), argv.data());
  std::fflush(nullptr);
  ::_exit(code);  // without libtorch's destructors, which take as long as most runs
}

int serve() {
  for (std::string path; std::getline(std::cin, path);) {
    const pid_t child = ::fork();
    if (child < 0) return 1;
    if (child == 0) run(path);
    int status = 0;
    ::waitpid(child, &status, 0);
    std::printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  floydnet::open_standard_streams();
  floydnet::reuse_tensor_memory();
  if (argc == 2 && std::string(argv[1]) == "--serve") return serve();
  if (argc == 2 && std::string(argv[1]) == "--simd") {
    return std::printf("%s\n", floydnet::simd_target()) < 0;
  }
  return floydnet::run_command_line(argc, argv);
}
