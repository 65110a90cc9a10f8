#include "bench/memory.h"

#include <fcntl.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>

extern char** environ;

namespace floydnet::bench {
namespace {

constexpr double kMegabyte = 1024 * 1024;

/// A line of /proc/self/status such as VmHWM, in bytes; 0 if there is none.
double status_bytes(const std::string& key) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, key.size() + 1, key + ":") == 0) {
      return 1024 * std::strtod(line.c_str() + key.size() + 1, nullptr);
    }
  }
  return 0;
}

/// The peak since the last call of forget_peak, or since the start where that is not allowed.
double peak_bytes() {
  const double peak = status_bytes("VmHWM");
  if (peak > 0) return peak;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return 1024 * static_cast<double>(usage.ru_maxrss);
}

void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

/// All that can be read until the other end is closed.
std::string read_all(int descriptor) {
  std::string text;
  char buffer[256];
  while (true) {
    const ssize_t count = ::read(descriptor, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer, static_cast<size_t>(count));
  }
}

bool ended_well(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

void release_freed_memory() { ::malloc_trim(0); }

double extra_megabytes(const Work& work) {
  release_freed_memory();
  forget_peak();
  const double before = status_bytes("VmRSS");
  const std::vector<at::Tensor> results = work();
  const double growth = peak_bytes() - before - static_cast<double>(bytes_of(results));
  return std::max(0.0, growth / kMegabyte);
}

std::optional<double> number_from_child(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error =
      ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  const std::string text = error == 0 ? read_all(ends[0]) : "";
  ::close(ends[0]);
  if (error != 0 || !ended_well(child)) return std::nullopt;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return end == text.c_str() ? std::nullopt : std::make_optional(number);
}

}  // namespace floydnet::bench
