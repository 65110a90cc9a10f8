// floydnet tsp verify
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/file.h"
#include "floydnet/error.h"
#include "tasks/tsp/batch/inputs.h"
#include "tasks/tsp/commands.h"
#include "tasks/tsp/solver/certificate.h"

namespace floydnet::tsp {
namespace {

constexpr std::uint64_t kMaxCertificateBytes = std::uint64_t{1} << 30;

struct VerifyCommand {
  std::string instance, certificate;
  std::size_t index = 1;
  std::uint64_t seed = 1;
};

void run_verify(const VerifyCommand& command) {
  const std::vector<Problem> problems = read_inputs({command.instance}, command.seed);
  if (command.index > problems.size()) {
    throw InputError::in(command.instance, fmt::format("has {} instances; --index is {}",
                                                       problems.size(), command.index));
  }
  const Instance instance = make_instance(problems[command.index - 1]);
  const std::string text = read_file(command.certificate, kMaxCertificateBytes);
  Tour tour;
  try {
    tour = verify_certificate(instance, text);
  } catch (const InputError& error) {
    throw InputError::in(command.certificate, error.what());
  }
  fmt::print("{}: the certificate holds: no tour is shorter than {}\n", instance.name(),
             tour_length(instance, tour));
}

}  // namespace

void add_verify_command(CLI::App& tsp) {
  auto command = std::make_shared<VerifyCommand>();
  CLI::App* app =
      tsp.add_subcommand("verify", "Check a proof of optimality, in integers and without an LP");
  app->add_option("instance", command->instance, "the file that was solved")->required();
  app->add_option("certificate", command->certificate, "what --certificate wrote")->required();
  app->add_option("--index", command->index,
                  "which instance of the file, if it has several (default: 1)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 40));
  app->add_option("--seed", command->seed, "seed that a .npy file was solved with (default: 1)");
  app->footer(
      "Example: floydnet tsp solve berlin.tsp --certificate berlin.json\n"
      "         floydnet tsp verify berlin.tsp berlin.json");
  app->callback([command] { run_verify(*command); });
}

}  // namespace floydnet::tsp
