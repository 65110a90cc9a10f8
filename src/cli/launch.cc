// floydnet launch: starts the ranks of a data-parallel run on this machine.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/stderr.h"
#include "cli/commands.h"
#include "console/exit_code.h"
#include "floydnet/error.h"

namespace floydnet {
namespace {

using std::chrono::steady_clock;

/// Ranks notice by themselves that another is gone; those that have not ended by then are ended.
constexpr std::chrono::seconds kGrace{15};

volatile std::sig_atomic_t pending_signal = 0;

struct LaunchCommand {
  int ranks = 2;
  int port = 0;
  std::vector<std::string> words;  // of what the ranks run
};

int free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool found = socket >= 0 &&
                     ::bind(socket, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  const std::string problem = std::strerror(errno);
  if (socket >= 0) ::close(socket);
  if (!found) throw InputError::in("launch", "no free port: " + problem);
  return ntohs(address.sin_port);
}

[[noreturn]] void become_rank(int rank, const LaunchCommand& command, int port, pid_t parent) {
  // A rank must not outlive whoever started it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  const auto set = [](const char* name, const std::string& value, bool overwrite = true) {
    ::setenv(name, value.c_str(), overwrite ? 1 : 0);
  };
  set("RANK", std::to_string(rank));
  set("LOCAL_RANK", std::to_string(rank));
  set("WORLD_SIZE", std::to_string(command.ranks));
  set("MASTER_ADDR", "127.0.0.1");
  set("MASTER_PORT", std::to_string(port));
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  set("OMP_NUM_THREADS", std::to_string(std::max(1, cores / command.ranks)), false);
  // Threads that wait go to sleep soon, and leave their cores to other ranks.
  if (!std::getenv("OMP_WAIT_POLICY")) set("GOMP_SPINCOUNT", "100", false);
  std::vector<char*> words;
  std::string program = "floydnet";
  words.push_back(program.data());
  for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.data()));
  words.push_back(nullptr);
  ::execv("/proc/self/exe", words.data());
  ::_exit(127);
}

/// The ranks as processes; those still there at its end are killed.
class Ranks {
 public:
  explicit Ranks(const LaunchCommand& command) {
    const int port = command.port > 0 ? command.port : free_port();
    const pid_t parent = ::getpid();
    for (int rank = 0; rank < command.ranks; ++rank) {
      const pid_t child = ::fork();
      if (child < 0) throw InputError::in("launch", std::strerror(errno));
      if (child == 0) become_rank(rank, command, port, parent);
      running_.push_back(child);
    }
  }
  ~Ranks() {
    send(SIGKILL);
    for (const pid_t child : running_) {
      if (child > 0) ::waitpid(child, nullptr, 0);
    }
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  void send(int signal) {
    for (const pid_t child : running_) {
      if (child > 0) ::kill(child, signal);
    }
  }

  /// Waits for all; the exit code is that of the first that failed.
  int wait() {
    int code = 0;
    size_t left = running_.size();
    steady_clock::time_point limit = steady_clock::time_point::max();
    while (left > 0) {
      if (pending_signal != 0) {
        send(pending_signal);
        pending_signal = 0;
      }
      int status = 0;
      const pid_t child = ::waitpid(-1, &status, WNOHANG);
      if (child <= 0) {
        if (steady_clock::now() > limit) return code;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        continue;
      }
      const auto rank = std::find(running_.begin(), running_.end(), child) - running_.begin();
      running_[static_cast<size_t>(rank)] = 0;
      --left;
      const int own = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      if (own == 0 || code != 0) continue;
      code = own;
      limit = steady_clock::now() + kGrace;
      if (WIFSIGNALED(status)) {
        say(fmt::format("floydnet: rank {} was ended by signal {}\n", rank, WTERMSIG(status)));
      }
    }
    return code;
  }

 private:
  std::vector<pid_t> running_;
};

void launch(const LaunchCommand& command) {
  struct sigaction action = {};
  action.sa_handler = [](int signal) { pending_signal = signal; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  Ranks ranks(command);
  const int code = ranks.wait();
  if (code != 0) throw ExitCode{code};
}

}  // namespace

void add_launch_command(CLI::App& app) {
  auto command = std::make_shared<LaunchCommand>();
  CLI::App* launcher =
      app.add_subcommand("launch", "Run a command as several ranks on this machine");
  launcher->add_option("-n,--ranks", command->ranks, "number of processes (default: 2)")
      ->check(CLI::Range(1, 256));
  launcher
      ->add_option("--port", command->port, "port for the ranks' rendezvous (default: a free one)")
      ->check(CLI::Range(1, 65535));
  launcher
      ->add_option("command", command->words,
                   "command and flags that each rank runs; put --threads before 'launch'")
      ->required();
  launcher->footer(
      "Example: floydnet launch -n 2 -- train counting --task cycle5 --out runs/cycle5\n"
      "On several machines: whatever sets RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, such as\n"
      "torchrun; docs/training.md has the commands.");
  launcher->callback([command] { launch(*command); });
}

}  // namespace floydnet
