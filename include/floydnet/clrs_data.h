/// \file
/// Data of the 30 algorithms of the CLRS benchmark, equal to the official package's to the last
/// bit.
///
///     floydnet::clrs::Samples samples("bfs", {/*length=*/16, /*seed=*/1});
///     auto arrays = samples.next(32);       // "input/A" [32, 16, 16], "hint/pi_h" [steps, 32, 16]
///
/// This header needs no libtorch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "floydnet/export.h"
#include "floydnet/graph_io.h"

namespace floydnet::clrs {

/// All 30, in alphabetical order.
FLOYDNET_EXPORT std::vector<std::string> algorithm_names();

/// All that samples depend on.
struct SamplesOptions {
  int64_t length = 16;
  uint32_t seed = 1;
  /// Without hints samples are small at any length.
  bool hints = true;
  /// One of them is drawn for each graph; empty stands for the sampler's own.
  std::vector<double> edge_probabilities = {};
  /// Of string matching: m > 0 is m, -m is random in 1..m, 0 is a fifth of the length.
  int64_t needle_length = 0;
};

/// An endless stream of solved problems.
class FLOYDNET_EXPORT Samples {
 public:
  /// Throws InputError for an unknown algorithm and for options that it cannot be drawn with.
  explicit Samples(const std::string& algorithm, const SamplesOptions& options = {});
  ~Samples();
  Samples(Samples&&) noexcept;
  Samples& operator=(Samples&&) noexcept;

  /// The next samples with the keys, shapes and types of the official benchmark: "input/NAME" and
  /// "output/NAME" [count, ...], "hint/NAME" [steps, count, ...], padded with zeros to the longest,
  /// and "lengths" [count]. Sample k does not depend on how many are asked for at once. Throws
  /// InputError if they would take more than `max_bytes`.
  NpzArchive next(int64_t count, int64_t max_bytes = kDefaultMaxArrayBytes);
  /// Passes over so many.
  void skip(int64_t count);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace floydnet::clrs
