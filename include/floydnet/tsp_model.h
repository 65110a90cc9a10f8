/// \file
/// Models of tours, as `floydnet train tsp` writes them: edges at once, or by diffusion.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "floydnet/export.h"
#include "floydnet/tsp.h"

namespace floydnet::tsp {

class FLOYDNET_EXPORT TourModel {
 public:
  /// Reads the best weights of a run, by its folder, or a file of them. Throws InputError if they
  /// are of another task.
  explicit TourModel(const std::string& path);
  ~TourModel();
  TourModel(TourModel&&) noexcept;
  TourModel& operator=(TourModel&&) noexcept;

  /// What the model says of each edge, [cities, cities]; `steps` are those of diffusion.
  std::vector<float> edges(const Instance& instance, uint64_t seed = 1, int64_t steps = 50);
  /// The tour that such edges make, the likeliest first.
  Tour tour(const Instance& instance, uint64_t seed = 1, int64_t steps = 50);

 private:
  struct Loaded;
  std::unique_ptr<Loaded> loaded_;
};

}  // namespace floydnet::tsp
