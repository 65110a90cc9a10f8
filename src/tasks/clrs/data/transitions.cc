#include "tasks/clrs/data/transitions.h"

#include <utility>

namespace floydnet::clrs {
namespace {

/// [n] -> [n, n]
void append_order(const double* numbers, int64_t n, Reals& to) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) to.push_back(numbers[i] < numbers[j] ? 1 : 0);
  }
}

constexpr int64_t kComparisons = 3;  // less, equal, more

/// [n, n] -> [n, n, 3]: how each number compares with that of the predecessors of its row, its
/// column or both, which is 0 if there is none.
void append_comparisons(const double* numbers, int64_t n, const Reals& predecessor, bool of_row,
                        bool of_column, Reals& to) {
  for (int64_t i = 0; i < n; ++i) {
    const auto row = of_row ? static_cast<int64_t>(predecessor[i]) : i;
    for (int64_t j = 0; j < n; ++j) {
      const auto column = of_column ? static_cast<int64_t>(predecessor[j]) : j;
      const bool is_first = (of_row && row == i) || (of_column && column == j);
      const double number = numbers[i * n + j], before = is_first ? 0 : numbers[row * n + column];
      to.insert(to.end(),
                {double(number < before), double(number == before), double(number > before)});
    }
  }
}

}  // namespace

std::vector<TransitionCutter::Form> TransitionCutter::forms_of(const Probe& probe,
                                                               NumberHints numbers) const {
  const bool is_number = probe.stage == Stage::kHint && probe.type == Type::kScalar;
  if (!is_number || numbers == NumberHints::kValues) return {Form::kAsItIs};
  if (numbers == NumberHints::kNone) return {};
  if (probe.location == Location::kNode) return {Form::kOrder};
  if (probe.location == Location::kGraph || predecessors_ < 0) return {};
  return {Form::kBesideRow, Form::kBesideColumn, Form::kBesideBoth};
}

TransitionCutter::TransitionCutter(const Spec& spec, NumberHints numbers)
    : original_(spec), predecessors_(spec.find(Stage::kInput, "pred")) {
  constexpr const char* kSuffixes[] = {"", "<", "~i", "~j", "~ij"};  // of each form
  for (size_t p = 0; p < spec.probes.size(); ++p) {
    for (const Form form : forms_of(spec.probes[p], numbers)) {
      sources_.push_back({static_cast<int64_t>(p), form});
      Probe probe = spec.probes[p];
      probe.name += kSuffixes[static_cast<size_t>(form)];
      if (form == Form::kOrder) {
        probe.location = Location::kEdge;
        probe.type = Type::kMask;
      } else if (form != Form::kAsItIs) {
        probe.type = Type::kCategorical;
        probe.classes = kComparisons;
      }
      spec_.probes.push_back(probe);
    }
  }
}

void TransitionCutter::append(Form form, const double* numbers, int64_t n, const Reals& predecessor,
                              Reals& to) {
  if (form == Form::kOrder) return append_order(numbers, n, to);
  append_comparisons(numbers, n, predecessor, form != Form::kBesideColumn, form != Form::kBesideRow,
                     to);
}

void TransitionCutter::cut(Sample& sample, int64_t first, int64_t count) const {
  const Reals predecessor = predecessors_ < 0 ? Reals() : sample.values[predecessors_];
  std::vector<Reals> values;
  for (const Source& source : sources_) {
    const Probe& probe = original_.probes[source.place];
    Reals& whole = sample.values[source.place];
    if (probe.stage != Stage::kHint) {
      values.push_back(std::move(whole));
      continue;
    }
    const int64_t elements = probe.elements(sample.nodes);
    const double* begin = whole.data() + first * elements;
    values.emplace_back();
    if (source.form == Form::kAsItIs) {
      values.back().assign(begin, begin + count * elements);
      continue;
    }
    for (int64_t i = 0; i < count; ++i) {
      append(source.form, begin + i * elements, sample.nodes, predecessor, values.back());
    }
  }
  sample.values = std::move(values);
}

}  // namespace floydnet::clrs
