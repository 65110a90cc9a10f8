#include "train/task_config.h"

namespace floydnet::train {

void add_model_section(RunConfig* config, ModelConfig* model) {
  config->add({"model",
               [model](const nlohmann::json& object, const std::string& source) {
                 nlohmann::json merged = model->to_json();
                 merged.update(object);
                 *model = ModelConfig::from_json(merged, source);
               },
               [model] { return model->to_json(); }});
}

}  // namespace floydnet::train
