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

}  // namespace floydnet::tsp
