#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "cli/commands.h"
#include "floydnet/model.h"

namespace floydnet {
namespace {

struct ConvertOptions {
  std::string checkpoint;
  std::string config;
  std::string output;
  bool json = false;
};

void convert(const ConvertOptions& options) {
  FloydNet model = import_published_model(options.checkpoint, options.config);
  save_model(model, options.output);
  int64_t parameters = 0;
  for (const auto& parameter : model->parameters()) parameters += parameter.numel();
  if (options.json) {
    fmt::print("{}\n", json_text(nlohmann::json{{"output", options.output},
                                                {"parameters", parameters},
                                                {"config", model->config().to_json()}},
                                 2));
  } else {
    fmt::print("{}: {} blocks, {} parameters\n", options.output, model->config().depth, parameters);
  }
}

}  // namespace

void add_convert_command(CLI::App& app) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand(
      "convert", "Import a checkpoint of the authors' Python code as a safetensors model");
  command->add_option("checkpoint", options->checkpoint, "the .pt file")->required();
  command->add_option("--config", options->config, "its model_config.json")->required();
  command->add_option("-o,--output", options->output, "where to write the model")->required();
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(
      "Example: floydnet convert epoch_00004.pt --config model_config.json -o model.safetensors\n"
      "No code in the .pt file is run; anything but tensors, numbers and texts is refused.");
  command->callback([options] { convert(*options); });
}

}  // namespace floydnet
