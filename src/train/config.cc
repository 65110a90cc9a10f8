#include "train/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "floydnet/error.h"

namespace floydnet::train {
namespace {

using Json = nlohmann::json;
constexpr int64_t kMany = int64_t{1} << 40;

}  // namespace

OptionTable TrainConfig::table() {
  OptionTable t;
  t.integer("steps", &steps, {0, kMany},
            "steps to train; 0: until the time is over, or 2000 without a time limit");
  t.real("minutes", &minutes, {0, 1e6}, "time to train, evaluations included; 0: no limit");
  t.real("cpu_minutes", &cpu_minutes, {0, 1e6},
         "CPU time to train, of all threads and ranks, evaluations included; 0: no limit");
  t.integer("batch", &batch, {1, 1 << 20}, "examples per step, over all ranks");
  t.integer("accumulate", &accumulate, {1, 1 << 20},
            "parts in which a rank computes its share of a batch, one by one");
  t.integer("seed", &seed, {0, kMany}, "random seed of weights, data order and dropout");
  t.choice("precision", &precision,
           {{"float32", Precision::kFloat32}, {"bf16", Precision::kBfloat16}},
           "precision of the blocks' linear maps");
  t.real("learning_rate", &learning_rate, {0, 10}, "highest learning rate of the schedule");
  t.real("beta1", &beta1, {0, 0.999999}, "AdamW: memory of the mean");
  t.real("beta2", &beta2, {0, 0.9999999}, "AdamW: memory of the square");
  t.real("epsilon", &epsilon, {1e-20, 1}, "AdamW: added to the root");
  t.real("weight_decay", &weight_decay, {0, 10}, "AdamW: of matrices, not of biases and norms");
  t.real("clip", &clip, {0, 1e9}, "largest norm of the gradient; 0: any");
  t.choice("schedule", &schedule,
           {{"cosine", ScheduleKind::kCosine},
            {"plateau", ScheduleKind::kPlateau},
            {"constant", ScheduleKind::kConstant}},
           "schedule of the learning rate after warm-up");
  t.integer("warmup", &warmup, {0, kMany}, "steps of linear warm-up");
  t.real("final_fraction", &final_fraction, {0, 1},
         "fraction of the learning rate at which cosine and plateau end");
  t.real("plateau_factor", &plateau_factor, {0, 1}, "plateau: factor of the learning rate");
  t.integer("plateau_patience", &plateau_patience, {0, kMany},
            "plateau: evaluations without improvement before the rate is multiplied");
  t.real("average", &average, {0, 0.9999999},
         "memory of the exponential moving average of weights that is evaluated; 0: none");
  t.integer("evaluate_every", &evaluate_every, {1, kMany}, "steps between evaluations");
  t.integer("checkpoint_every", &checkpoint_every, {1, kMany}, "steps between checkpoints");
  t.integer("log_every", &log_every, {1, kMany}, "steps between lines of metrics.jsonl");
  t.integer("keep", &keep, {1, 1000}, "checkpoints that are kept");
  t.integer("patience", &patience, {0, kMany},
            "evaluations without improvement before training stops; 0: never");
  t.integer("bad_steps", &bad_steps, {1, kMany},
            "steps in a row without a finite gradient before training stops");
  t.integer("loaders", &loaders, {1, 64}, "threads that prepare batches");
  t.integer("prefetch", &prefetch, {1, 1024}, "batches that are prepared ahead");
  t.boolean("tensorboard", &tensorboard, "write TensorBoard event files as well");
  return t;
}

void TrainConfig::complete(const std::string& source) {
  if (steps == 0 && minutes == 0 && cpu_minutes == 0) steps = kDefaultSteps;
  if (batch < accumulate) {
    throw InputError::in(source, fmt::format("train.batch is {}, less than train.accumulate = {}",
                                             batch, accumulate));
  }
}

void RunConfig::add(const std::string& name, const OptionTable& table) {
  add({name, [table](const Json& object, const std::string& source) { table.read(object, source); },
       [table] { return table.write(); }});
}

void RunConfig::read(const Json& object, const std::string& source) {
  if (!object.is_object()) throw InputError::in(source, "not a JSON object of sections");
  for (const auto& [name, value] : object.items()) {
    const auto found = std::find_if(sections_.begin(), sections_.end(),
                                    [&name = name](const Section& s) { return s.name == name; });
    if (found == sections_.end()) {
      std::vector<std::string> names;
      for (const Section& section : sections_) names.push_back(section.name);
      throw InputError::in(source, fmt::format("unknown section {}; there are {}", in_quotes(name),
                                               fmt::join(names, ", ")));
    }
    if (!value.is_object()) {
      throw InputError::in(source, fmt::format("{} is not an object of keys", in_quotes(name)));
    }
    found->read(value, fmt::format("{}: {}", source, name));
  }
}

void RunConfig::set(const std::string& setting) {
  const size_t equals = setting.find('=');
  const size_t dot = setting.find('.');
  const std::string source = "--set " + setting;
  if (equals == std::string::npos || dot == std::string::npos || dot > equals) {
    throw InputError::in(source, "wanted SECTION.KEY=VALUE, such as model.depth=8");
  }
  set(setting.substr(0, equals), setting.substr(equals + 1), source);
}

void RunConfig::set(const std::string& key, const std::string& text, const std::string& source) {
  if (!is_utf8(text)) throw InputError::in(source, in_quotes(text) + " is not UTF-8");
  const size_t dot = key.find('.');
  Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) value = text;
  read({{key.substr(0, dot), {{key.substr(dot + 1), value}}}}, source);
}

Json RunConfig::write() const {
  Json object = Json::object();
  for (const Section& section : sections_) object[section.name] = section.write();
  return object;
}

Json read_json_object(const std::string& path) {
  try {
    Json json = Json::parse(read_file(path, uint64_t{1} << 26));
    if (!json.is_object()) throw InputError::in(path, "not a JSON object");
    return json;
  } catch (const Json::parse_error& error) {
    throw InputError::at_byte(path, error.byte, "not JSON");
  }
}

}  // namespace floydnet::train
