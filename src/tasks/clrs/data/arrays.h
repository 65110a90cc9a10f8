// A set of samples as the whole arrays of the official benchmark, in bounded memory.
//
// The official layout puts time before samples, so no array is complete before the last sample is
// made, and quickselect's test split alone has 2.9 GB of hints. Since a recipe makes the same
// samples again at any time, they are made once for their lengths and then once for each window of
// the arrays that fits in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tasks/clrs/data/dataset.h"

namespace floydnet::clrs {

/// Takes arrays one after another, each in pieces and in C order.
class ArraySink {
 public:
  virtual ~ArraySink() = default;
  virtual void begin(const std::string& key, Dtype dtype, const std::vector<int64_t>& shape) = 0;
  virtual void append(const double* values, int64_t count) = 0;
};

struct ArraySummary {
  int64_t samples = 0;
  int64_t nodes = 0;
  int64_t steps = 0;  // of the longest sample
  int64_t elements = 0;
  int64_t passes = 0;  // over the samples
};

/// Told after each sample of each pass: what part of the work is done, from 0 to 1.
using Progress = std::function<void(double)>;

constexpr int64_t kDefaultWindowBytes = int64_t{256} << 20;

/// Inputs, outputs, hints (unless recipe.hints is false) and "lengths", padded to the longest
/// sample. Holds `window_bytes` and one sample at a time.
ArraySummary stream_arrays(const Recipe& recipe, ArraySink& sink,
                           int64_t window_bytes = kDefaultWindowBytes,
                           const Progress& progress = {});

}  // namespace floydnet::clrs
