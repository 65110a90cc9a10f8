#include "tasks/clrs/data/export.h"

#include <algorithm>

#include "base/file.h"
#include "graph/npz_stream.h"

namespace floydnet::clrs {
namespace {

class NpzSink : public ArraySink {
 public:
  explicit NpzSink(const std::string& path) : archive_(path) {}

  void begin(const std::string& key, Dtype dtype, const std::vector<int64_t>& shape) override {
    dtype_ = dtype;
    const char kind = dtype == Dtype::kInt64 ? 'i' : 'f';
    archive_.begin(key, kind, dtype == Dtype::kFloat32 ? 4 : 8, shape);
  }

  void append(const double* values, int64_t count) override {
    switch (dtype_) {
      case Dtype::kFloat64:
        return append_bytes(values, count);
      case Dtype::kInt64:
        return append_converted<int64_t>(values, count);
      case Dtype::kFloat32:
        return append_converted<float>(values, count);
    }
  }

  void finish() { archive_.finish(); }

 private:
  template <typename T>
  void append_bytes(const T* values, int64_t count) {
    archive_.append({reinterpret_cast<const char*>(values), count * sizeof(T)});
  }

  template <typename T>
  void append_converted(const double* values, int64_t count) {
    constexpr int64_t kAtOnce = 8192;
    T converted[kAtOnce];
    for (int64_t done = 0; done < count; done += kAtOnce) {
      const int64_t now = std::min(kAtOnce, count - done);
      std::transform(values + done, values + done + now, converted,
                     [](double value) { return static_cast<T>(value); });
      append_bytes(converted, now);
    }
  }

  NpzStream archive_;
  Dtype dtype_ = Dtype::kFloat64;
};

/// If all samples are as long as the first.
double estimated_bytes(const Recipe& recipe) {
  Sample sample;
  Stream(recipe).next(sample, /*record_hints=*/false);
  double elements = 1;
  for (const Probe& probe : recipe.algorithm->spec.probes) {
    const bool hint = probe.stage == Stage::kHint;
    if (hint && !recipe.hints) continue;
    elements += static_cast<double>(probe.elements(sample.nodes)) *
                static_cast<double>(hint ? sample.steps : 1);
  }
  return static_cast<double>(recipe.samples) * elements * sizeof(double);
}

}  // namespace

ArraySummary write_npz(const Recipe& recipe, const std::string& path, int64_t window_bytes,
                       const Progress& progress) {
  // Before the file is touched.
  check(recipe);
  require_space(path, estimated_bytes(recipe));
  NpzSink sink(path);
  const ArraySummary summary = stream_arrays(recipe, sink, window_bytes, progress);
  sink.finish();
  return summary;
}

}  // namespace floydnet::clrs
