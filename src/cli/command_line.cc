#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <thread>

#include "cli/commands.h"
#include "floydnet/error.h"

namespace floydnet {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

void set_threads(int threads) {
  // libtorch may start with one thread; OMP_NUM_THREADS is the user's own word on it.
  if (threads == 0 && std::getenv("OMP_NUM_THREADS")) return;
  const int all = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  at::set_num_threads(threads > 0 ? threads : all);
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  CLI::App app{"Pivotal Attention and FloydNet on the CPU", "floydnet"};
  app.set_version_flag("--version", "floydnet " FLOYDNET_VERSION);
  app.require_subcommand(1);
  app.fallthrough();
  int threads = 0;
  app.add_option("--threads", threads, "threads to use (default: all cores)")
      ->check(CLI::Range(1, 1024));
  app.parse_complete_callback([&threads] { set_threads(threads); });
  app.footer("Run 'floydnet COMMAND --help' for a command's options and an example.");
  add_demo_command(app);
  add_doctor_command(app);
  add_convert_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "floydnet: {}; see 'floydnet --help'\n", error.what());
    return kBadUsage;
  } catch (const InputError& error) {
    fmt::print(stderr, "floydnet: {}\n", error.what());
    return kFailed;
  } catch (const std::exception& error) {
    fmt::print(stderr, "floydnet: internal error: {}\n", error.what());
    return kFailed;
  }
  return 0;
}

}  // namespace floydnet
