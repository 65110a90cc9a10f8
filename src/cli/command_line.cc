#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <thread>

#include "base/options.h"
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

/// The first argument that is neither an option nor the value of --threads.
std::string first_word(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--threads") {
      ++i;
    } else if (word[0] != '-') {
      return word;
    }
  }
  return "";
}

/// What a command line without a command deserves to be told.
std::string missing_command(const CLI::App& app, const std::string& word) {
  if (word.empty()) return "a command is required";
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return fmt::format("unknown command '{}'; did you mean '{}'?", word, nearest(word, names));
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
    const bool has_command = !app.get_subcommands().empty();
    const bool is_about_options = dynamic_cast<const CLI::RequiredError*>(&error) == nullptr &&
                                  dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr;
    const std::string problem = has_command || is_about_options
                                    ? error.what()
                                    : missing_command(app, first_word(argc, argv));
    fmt::print(stderr, "floydnet: {}; see 'floydnet --help'\n", problem);
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
