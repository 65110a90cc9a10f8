#include <torch/custom_class.h>
#include <torch/torch.h>

#include "base/require.h"
#include "floydnet/graphs_model.h"
#include "tasks/graphs/data/graph_file.h"
#include "tasks/graphs/predict.h"
#include "train/run_folder.h"

namespace floydnet::graphs {
namespace {

TrainedModel load_trained_model(const std::string& path) {
  const train::RunWeights weights = train::find_run_weights(path, "graphs");
  GraphsConfig config;
  train::RunConfig sections;
  config.add_to(&sections);
  sections.read(weights.config, weights.file);
  return TrainedModel(std::move(config), weights.file);
}

}  // namespace

struct PropertyModel::Loaded {
  TrainedModel model;

  NpzArchive predict(GraphSet graphs, const std::string& source) {
    const auto set = std::make_shared<const GraphSet>(std::move(graphs));
    return npz_predictions(*set, model.predict(set, source, {}));
  }
};

PropertyModel::PropertyModel(const std::string& path)
    : loaded_(std::make_unique<Loaded>(Loaded{load_trained_model(path)})) {}

PropertyModel::~PropertyModel() = default;
PropertyModel::PropertyModel(PropertyModel&&) noexcept = default;
PropertyModel& PropertyModel::operator=(PropertyModel&&) noexcept = default;

std::vector<std::string> PropertyModel::targets() const {
  std::vector<std::string> names;
  for (const Target& target : loaded_->model.schema().targets) {
    names.push_back(full_name(target.level, target.name));
  }
  return names;
}

NpzArchive PropertyModel::predict(const std::string& file) {
  return loaded_->predict(read_graph_file(file), file);
}

NpzArchive PropertyModel::predict(const NpzArchive& graphs) {
  const char* const source = "graphs";
  return loaded_->predict(graph_set_of(graphs, source), source);
}

namespace {

using torch::Tensor;

/// PropertyModel as a class that Python reaches after torch.ops.load_library.
struct HeldPropertyModel : torch::CustomClassHolder {
  explicit HeldPropertyModel(const std::string& path) : model(path) {}
  PropertyModel model;
};
using Self = c10::intrusive_ptr<HeldPropertyModel>;
using TensorDict = c10::Dict<std::string, Tensor>;

TensorDict tensors_of(const NpzArchive& archive) {
  TensorDict tensors;
  for (const auto& [name, array] : archive) {
    const Tensor flat =
        array.kind == 'f' ? torch::tensor(array.as<float>()) : torch::tensor(array.as<int64_t>());
    tensors.insert(name, flat.view(array.shape));
  }
  return tensors;
}

TensorDict predict_file(const Self& self, const std::string& file) {
  return tensors_of(self->model.predict(file));
}

/// archive: the bytes of an NPZ archive, uint8.
TensorDict predict_archive(const Self& self, const Tensor& archive) {
  require(archive.scalar_type() == torch::kUInt8 && archive.is_contiguous(),
          "PropertyModel: an archive is {}, wanted bytes", c10::toString(archive.scalar_type()));
  const auto* bytes = reinterpret_cast<const char*>(archive.data_ptr<uint8_t>());
  return tensors_of(
      self->model.predict(parse_npz({bytes, static_cast<size_t>(archive.numel())}, "graphs")));
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(floydnet, m) {
  m.class_<HeldPropertyModel>("PropertyModel")
      .def(torch::init<std::string>())
      .def("targets", [](const Self& self) { return self->model.targets(); })
      .def("predict_file", &predict_file)
      .def("predict_archive", &predict_archive);
}

}  // namespace floydnet::graphs
