#include "tasks/clrs/data/arrays.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/shape.h"
#include "floydnet/error.h"

namespace floydnet::clrs {
namespace {

/// One step of one sample of one probe is a cell. The cells of an array are numbered in the order
/// in which they stand in it: step * samples + sample.
struct Piece {
  size_t probe;
  int64_t first, last;  // cells, the last not included
  int64_t offset;       // of the first in the window
};

struct Window {
  std::vector<Piece> pieces;
  int64_t elements = 0;
};

class ArrayStream {
 public:
  ArrayStream(const Recipe& recipe, ArraySink& sink, int64_t window_bytes, const Progress& progress)
      : recipe_(recipe),
        spec_(recipe.algorithm->spec),
        sink_(sink),
        window_elements_(std::max<int64_t>(1, window_bytes / int64_t{sizeof(double)})),
        progress_(progress) {
    summary_.samples = recipe.samples;
  }

  ArraySummary run() {
    measure();
    const std::vector<Window> windows = plan();
    summary_.passes = 1 + static_cast<int64_t>(windows.size());
    report();
    for (const Window& window : windows) {
      fill(window);
      emit(window);
    }
    sink_.begin("lengths", Dtype::kFloat64, {recipe_.samples});
    sink_.append(lengths_.data(), recipe_.samples);
    return summary_;
  }

 private:
  bool is_hint(size_t probe) const { return spec_.probes[probe].stage == Stage::kHint; }
  int64_t elements(size_t probe) const { return spec_.probes[probe].elements(summary_.nodes); }
  int64_t cells(size_t probe) const {
    return (is_hint(probe) ? summary_.steps : 1) * summary_.samples;
  }
  std::vector<int64_t> shape(size_t probe) const {
    std::vector<int64_t> sizes = spec_.probes[probe].shape(summary_.nodes);
    sizes.insert(sizes.begin(), summary_.samples);
    if (is_hint(probe)) sizes.insert(sizes.begin(), summary_.steps);
    return sizes;
  }

  /// The first pass: how large the arrays are.
  void measure() {
    Stream stream(recipe_);
    for (int64_t i = 0; i < recipe_.samples; ++i) {
      stream.next(sample_, false);
      lengths_.push_back(static_cast<double>(sample_.steps));
      summary_.steps = std::max(summary_.steps, sample_.steps);
      ++samples_made_;
    }
    summary_.nodes = sample_.nodes;
  }

  std::vector<Window> plan() {
    std::vector<Window> windows;
    for (size_t probe = 0; probe < spec_.probes.size(); ++probe) {
      if (is_hint(probe) && !recipe_.hints) continue;
      const auto size = count_elements(shape(probe));
      if (!size || __builtin_add_overflow(summary_.elements, *size, &summary_.elements)) {
        throw InputError(fmt::format("{} samples of {} nodes and {} steps are too many to store",
                                     summary_.samples, summary_.nodes, summary_.steps));
      }
      for (int64_t first = 0; first < cells(probe);) first = add_piece(windows, probe, first);
    }
    return windows;
  }

  /// As many cells as the last window has room for, or at least one in a new window.
  int64_t add_piece(std::vector<Window>& windows, size_t probe, int64_t first) const {
    const int64_t each = elements(probe);
    int64_t room = windows.empty() ? 0 : (window_elements_ - windows.back().elements) / each;
    if (room <= 0) {
      windows.emplace_back();
      room = std::max<int64_t>(1, window_elements_ / each);
    }
    Window& window = windows.back();
    const int64_t last = std::min(cells(probe), first + room);
    window.pieces.push_back({probe, first, last, window.elements});
    window.elements += (last - first) * each;
    return last;
  }

  /// One pass: copies what falls into the window from every sample.
  void fill(const Window& window) {
    buffer_.assign(window.elements, 0);
    const bool hints = is_hint(window.pieces.back().probe);
    Stream stream(recipe_);
    for (int64_t i = 0; i < recipe_.samples; ++i) {
      stream.next(sample_, hints);
      for (const Piece& piece : window.pieces) copy_cells(piece, i);
      ++samples_made_;
      report();
    }
  }

  void copy_cells(const Piece& piece, int64_t index) {
    const int64_t each = elements(piece.probe);
    const int64_t samples = recipe_.samples;
    const std::vector<double>& values = sample_.values[piece.probe];
    const int64_t steps = is_hint(piece.probe) ? sample_.steps : 1;
    // The first step whose cell, step * samples + index, is not before the piece.
    int64_t step = std::max<int64_t>(0, (piece.first - index + samples - 1) / samples);
    for (; step < steps && step * samples + index < piece.last; ++step) {
      const int64_t place = step * samples + index - piece.first;
      std::copy_n(values.begin() + step * each, each,
                  buffer_.begin() + piece.offset + place * each);
    }
  }

  void emit(const Window& window) {
    for (const Piece& piece : window.pieces) {
      const Probe& probe = spec_.probes[piece.probe];
      if (piece.first == 0) sink_.begin(probe.key(), probe.dtype, shape(piece.probe));
      sink_.append(buffer_.data() + piece.offset,
                   (piece.last - piece.first) * elements(piece.probe));
    }
  }

  void report() const {
    const int64_t all = summary_.passes * recipe_.samples;
    if (progress_) progress_(static_cast<double>(samples_made_) / static_cast<double>(all));
  }

  const Recipe& recipe_;
  const Spec& spec_;
  ArraySink& sink_;
  int64_t window_elements_;
  const Progress& progress_;
  ArraySummary summary_;
  int64_t samples_made_ = 0;
  Sample sample_;
  std::vector<double> lengths_;
  std::vector<double> buffer_;
};

}  // namespace

ArraySummary stream_arrays(const Recipe& recipe, ArraySink& sink, int64_t window_bytes,
                           const Progress& progress) {
  check(recipe);
  return ArrayStream(recipe, sink, window_bytes, progress).run();
}

}  // namespace floydnet::clrs
