#include "tasks/clrs/metrics.h"

#include <torch/torch.h>

#include "base/require.h"
#include "tasks/clrs/decode.h"

namespace floydnet::clrs {
namespace {

using torch::Tensor;

double count(const Tensor& condition) { return condition.sum().item<double>(); }

/// [..., n] pointers of a cyclic permutation, in which the flagged node points to itself instead.
Tensor with_own_first(const Tensor& pointers, const Tensor& first) {
  return torch::where(first > 0.5, torch::arange(pointers.size(-1)), pointers);
}

double f1(double both, double predicted, double actual) {
  const double precision = predicted > 0 ? both / predicted : 1;
  const double recall = actual > 0 ? both / actual : 1;
  return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

}  // namespace

Scores::Scores(const Spec& spec)
    : outputs_(spec.of(Stage::kOutput)), first_output_(spec.first(Stage::kOutput)) {
  for (size_t p = 0; p < outputs_.size(); ++p) {
    const bool is_mask_of_permutation = p > 0 && outputs_[p - 1].type == Type::kPermutationPointer;
    if (!is_mask_of_permutation) tallies_.push_back({outputs_[p].name, outputs_[p].type, p});
  }
}

Tensor Scores::add_output(Tally& tally, size_t p, const std::vector<Tensor>& predictions,
                          const BatchTensors& batch) {
  const Tensor predicted = hard_prediction(outputs_[p], predictions[p]);
  const Tensor& truth = batch.values[first_output_ + static_cast<int64_t>(p)];
  Tensor right, judged;
  switch (outputs_[p].type) {
    case Type::kMask: {
      judged = truth != kMasked;
      const Tensor positive = (predicted > 0.5) & judged, actual = (truth > 0.5) & judged;
      tally.right += count(positive & actual);
      tally.predicted += count(positive);
      tally.actual += count(actual);
      return positive != actual;
    }
    case Type::kMaskOne:
    case Type::kCategorical:
      judged = (truth == kMasked).logical_not().all(-1);
      right = predicted.argmax(-1) == truth.argmax(-1);
      break;
    case Type::kPermutationPointer: {
      const Tensor first = hard_prediction(outputs_[p + 1], predictions[p + 1]);
      const Tensor& true_first = batch.values[first_output_ + static_cast<int64_t>(p) + 1];
      right = with_own_first(predicted, first) == with_own_first(truth.argmax(-1), true_first);
      judged = torch::ones_like(right);
      break;
    }
    case Type::kScalar:
      tally.right += (predicted - truth).square().sum().item<double>();
      tally.counted += static_cast<double>(truth.numel());
      return {};
    default:
      right = predicted == truth;
      judged = torch::ones_like(right);
  }
  tally.right += count(right & judged);
  tally.counted += count(judged);
  return right.logical_not() & judged;
}

void Scores::add(const std::vector<Tensor>& predictions, const BatchTensors& batch) {
  require(predictions.size() == outputs_.size(), "CLRS: {} predictions for {} outputs",
          predictions.size(), outputs_.size());
  Tensor any_wrong = torch::zeros({batch.samples}, torch::kBool);
  for (Tally& tally : tallies_) {
    const Tensor wrong = add_output(tally, tally.output, predictions, batch);
    if (wrong.defined()) any_wrong = any_wrong | wrong.reshape({batch.samples, -1}).any(1);
  }
  samples_ += static_cast<double>(batch.samples);
  whole_ += static_cast<double>(batch.samples) - count(any_wrong);
}

std::vector<double> Scores::sums() const {
  std::vector<double> sums;
  for (const Tally& t : tallies_) {
    sums.insert(sums.end(), {t.right, t.counted, t.predicted, t.actual});
  }
  sums.insert(sums.end(), {whole_, samples_});
  return sums;
}

void Scores::add(const std::vector<double>& sums) {
  require(sums.size() == 4 * tallies_.size() + 2, "CLRS: {} sums for {} outputs", sums.size(),
          tallies_.size());
  auto sum = sums.begin();
  for (Tally& t : tallies_) {
    for (double* field : {&t.right, &t.counted, &t.predicted, &t.actual}) *field += *sum++;
  }
  whole_ += *sum++;
  samples_ += *sum++;
}

double Scores::whole() const { return samples_ > 0 ? whole_ / samples_ : 0; }

std::vector<std::pair<std::string, double>> Scores::by_output() const {
  std::vector<std::pair<std::string, double>> scores;
  for (const Tally& t : tallies_) {
    const double score = t.type == Type::kMask ? f1(t.right, t.predicted, t.actual)
                         : t.counted > 0       ? t.right / t.counted
                                               : 0;
    scores.emplace_back(t.name, score);
  }
  return scores;
}

double Scores::mean() const {
  double sum = 0;
  for (const auto& [name, score] : by_output()) sum += score;
  return sum / static_cast<double>(tallies_.size());
}

}  // namespace floydnet::clrs
