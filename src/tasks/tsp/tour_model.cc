#include <fmt/ranges.h>
#include <torch/custom_class.h>

#include "base/require.h"
#include "floydnet/tsp_model.h"
#include "tasks/tsp/edges/decode.h"
#include "tasks/tsp/sampler.h"
#include "tasks/tsp/stored_model.h"

namespace floydnet::tsp {

struct TourModel::Loaded {
  StoredEdgeModel stored;
};

TourModel::TourModel(const std::string& path)
    : loaded_(std::make_unique<Loaded>(Loaded{load_edge_model(path)})) {
  loaded_->stored.model->eval();
}

TourModel::~TourModel() = default;
TourModel::TourModel(TourModel&&) noexcept = default;
TourModel& TourModel::operator=(TourModel&&) noexcept = default;

std::vector<float> TourModel::edges(const Instance& instance, uint64_t seed, int64_t steps) {
  SampleOptions options;
  options.seed = seed;
  options.steps = steps;
  return sample_edges(loaded_->stored.model, {&instance}, options).at(0).at(0);
}

Tour TourModel::tour(const Instance& instance, uint64_t seed, int64_t steps) {
  return decode_greedily(instance, edges(instance, seed, steps).data());
}

namespace {

using torch::Tensor;

/// TourModel as a class that Python reaches after torch.ops.load_library.
struct HeldTourModel : torch::CustomClassHolder {
  explicit HeldTourModel(const std::string& path) : model(path) {}
  TourModel model;
};
using Self = c10::intrusive_ptr<HeldTourModel>;

/// weights: [cities, cities] int64.
Instance instance_of(const Tensor& weights) {
  require(weights.dim() == 2 && weights.size(0) == weights.size(1) && weights.size(0) > 0 &&
              weights.scalar_type() == torch::kInt64,
          "TourModel: weights have shape {} and type {}, wanted [n, n] of int64",
          fmt::join(weights.sizes(), " x "), c10::toString(weights.scalar_type()));
  const Tensor narrow = weights.to(torch::kInt32).contiguous();
  require(torch::equal(narrow.to(torch::kInt64), weights), "TourModel: weights do not fit 32 bits");
  const auto* data = narrow.data_ptr<int32_t>();
  return Instance("matrix", static_cast<int>(weights.size(0)), {data, data + narrow.numel()});
}

Tensor edges_of(const Self& self, const Tensor& weights, int64_t seed, int64_t steps) {
  const std::vector<float> edges =
      self->model.edges(instance_of(weights), static_cast<uint64_t>(seed), steps);
  return torch::tensor(edges).view_as(weights);
}

Tensor tour_of(const Self& self, const Tensor& weights, int64_t seed, int64_t steps) {
  const Tour tour = self->model.tour(instance_of(weights), static_cast<uint64_t>(seed), steps);
  return torch::tensor(std::vector<int64_t>(tour.begin(), tour.end()));
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(floydnet, m) {
  m.class_<HeldTourModel>("TourModel")
      .def(torch::init<std::string>())
      .def("edges", &edges_of)
      .def("tour", &tour_of);
}

}  // namespace floydnet::tsp
