#include <ATen/Parallel.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <thread>

#include "base/options.h"
#include "base/stderr.h"
#include "cli/commands.h"
#include "console/exit_code.h"
#include "floydnet/error.h"
#include "tasks/registry.h"
#include "train/trainer.h"
#include "train/world.h"

namespace floydnet {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;
constexpr int kAlwaysAllowedThreads = 8;

void set_threads(int threads) {
  // libtorch may start with one thread; OMP_NUM_THREADS is the user's own word on it.
  if (threads == 0 && std::getenv("OMP_NUM_THREADS")) return;
  const int all = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  // A few more than there are may be wanted, to see that results do not depend on their number.
  const int most = std::max(kAlwaysAllowedThreads, all);
  if (threads > most) {
    say(fmt::format("floydnet: --threads {}: the machine has {}, which are used\n", threads, all));
  }
  at::set_num_threads(threads == 0 || threads > most ? all : threads);
}

/// The arguments that are neither options nor the value of --threads.
std::vector<std::string> words(int argc, const char* const* argv) {
  std::vector<std::string> found;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--threads") {
      ++i;
    } else if (word[0] != '-') {
      found.push_back(word);
    }
  }
  return found;
}

/// `launch` takes the words of another command. A "--" before them tells that their flags are not
/// its own; it is put there if it was left out.
std::vector<std::string> with_separator(int argc, const char* const* argv) {
  std::vector<std::string> all(argv + 1, argv + argc);
  bool launches = false;
  for (auto word = all.begin(); word != all.end() && *word != "--"; ++word) {
    if (*word == "-n" || *word == "--ranks" || *word == "--port" || *word == "--threads") {
      if (++word == all.end()) break;
    } else if ((*word)[0] != '-' && launches) {
      all.insert(word, "--");
      break;
    } else if ((*word)[0] != '-') {
      launches = *word == "launch";
      if (!launches) break;
    }
  }
  return all;
}

/// What a command line without a command deserves to be told, or without one of the commands that
/// `app` consists of. `place` says which of the words it should have been.
std::string missing_command(const CLI::App& app, const std::vector<std::string>& all,
                            size_t place) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::string before = place == 0 ? "" : all[place - 1] + ": ";
  if (all.size() <= place)
    return fmt::format("{}a command is required, such as '{}'", before, names[0]);
  return fmt::format("{}unknown command '{}'{}", before, all[place], suggestion(all[place], names));
}

int fail(const std::string& problem) {
  say(fmt::format("floydnet: {}\n", problem));
  return kFailed;
}

/// Threads may be stuck in an exchange with a rank that is gone, so nobody waits for them.
[[noreturn]] void end_at_once(int code) {
  std::fflush(stdout);
  std::_Exit(code);
}

int refuse_usage(const CLI::App& app, const CLI::ParseError& error,
                 const std::vector<std::string>& all) {
  const CLI::App* command = &app;
  size_t place = 0;
  for (; !command->get_subcommands().empty(); ++place) command = command->get_subcommands()[0];
  const bool lacks_command = !command->get_subcommands({}).empty() &&
                             (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr ||
                              dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr);
  const std::string problem = lacks_command ? missing_command(*command, all, place) : error.what();
  say(fmt::format("floydnet: {} (see 'floydnet --help')\n", problem));
  return kBadUsage;
}

/// What was printed must have arrived; a full disk is no success.
int flushed() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  return fail(fmt::format("cannot write the output: {}", std::strerror(errno)));
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  CLI::App app{"Pivotal Attention and FloydNet on the CPU", "floydnet"};
  app.set_version_flag("--version", "floydnet " FLOYDNET_VERSION);
  app.require_subcommand(1);
  app.fallthrough();
  int threads = 0;
  app.add_option("--threads", threads, "threads to use, before or after the command (default: all)")
      ->check(CLI::Range(1, 1024));
  app.parse_complete_callback([&threads] { set_threads(threads); });
  app.footer("Run 'floydnet COMMAND --help' for a command's options and an example.");
  add_demo_command(app);
  add_doctor_command(app);
  add_convert_command(app);
  add_wl_command(app);
  add_data_command(app);
  add_bench_command(app);
  for (const TaskEntry& entry : all_tasks()) {
    if (entry.add_command != nullptr) entry.add_command(app);
  }
  add_train_command(app);
  add_eval_command(app);
  add_predict_command(app);
  add_launch_command(app);
  add_report_command(app);
  try {
    std::vector<std::string> given = with_separator(argc, argv);
    std::reverse(given.begin(), given.end());  // as CLI11 wants them
    app.parse(std::move(given));
  } catch (const CLI::Success& success) {
    const int code = app.exit(success);
    std::cout.flush();
    return std::cout.good() && code == 0 ? flushed() : fail("cannot write the output");
  } catch (const CLI::ParseError& error) {
    return refuse_usage(app, error, words(argc, argv));
  } catch (const ExitCode& exit) {
    return exit.code;
  } catch (const InputError& error) {
    return fail(error.what());
  } catch (const train::TrainingFailure& error) {
    return fail(error.what());
  } catch (const train::RankFailure& error) {
    end_at_once(fail(error.what()));
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(fmt::format("{}: {}", error.path1().string(), error.code().message()));
  } catch (const std::bad_alloc&) {
    return fail("not enough memory");
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    if (text.find("can't allocate memory") != std::string::npos) return fail("not enough memory");
    return fail(fmt::format("internal error: {}", text));
  } catch (const std::exception& error) {
    return fail(fmt::format("internal error: {}", error.what()));
  }
  return flushed();
}

}  // namespace floydnet
