#include "train/task_config.h"

#include "floydnet/error.h"

namespace floydnet::train {

PredictionSummary TaskConfig::predict(const PredictionFiles& files) const {
  throw InputError::in(files.weights,
                       "weights of a task's own model; those of CLRS are loaded by "
                       "floydnet::clrs::Solver, and 'floydnet eval' judges all");
}

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
