#include "train/trainer.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/torch.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <ctime>
#include <filesystem>

#include "base/hash.h"
#include "base/stopwatch.h"
#include "floydnet/error.h"
#include "model/model_file.h"
#include "train/evaluation.h"
#include "train/signals.h"

namespace floydnet::train {
namespace {

using Json = nlohmann::json;
using std::chrono::steady_clock;

double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Adds the time of a scope.
class Timed {
 public:
  explicit Timed(double& total) : total_(total), start_(steady_clock::now()) {}
  ~Timed() { total_ += seconds_since(start_); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  double& total_;
  steady_clock::time_point start_;
};

/// What the model draws for a part of a step's batch.
uint64_t part_seed(int64_t seed, int64_t step, int64_t part) {
  return well_mixed(static_cast<uint64_t>(seed) * kGoldenStep ^
                    static_cast<uint64_t>(step) * 0xbf58476d1ce4e5b9U ^
                    static_cast<uint64_t>(part) * 0x94d049bb133111ebU);
}

/// The parts of each step's batch that a rank computes.
std::vector<Part> parts_of(const World& world, int64_t accumulate) {
  std::vector<Part> parts;
  for (int64_t i = 0; i < accumulate; ++i) {
    parts.push_back({world.rank() * accumulate + i, world.size() * accumulate});
  }
  return parts;
}

/// While it lives the model has other weights.
class OtherWeights {
 public:
  OtherWeights(const torch::Tensor& values, const torch::Tensor& other) : values_(values) {
    if (!other.defined()) return;
    torch::NoGradGuard no_grad;
    own_ = values.clone();
    values_.copy_(other);
  }
  ~OtherWeights() {
    torch::NoGradGuard no_grad;
    if (own_.defined()) values_.copy_(own_);
  }
  OtherWeights(const OtherWeights&) = delete;
  OtherWeights& operator=(const OtherWeights&) = delete;

 private:
  torch::Tensor values_;
  torch::Tensor own_;
};

}  // namespace

/// What the ranks tell each other in every step; the numbers of all are added up.
struct Trainer::Status {
  double loss = 0;
  double stop = 0;     // above 0 if any has been asked to
  double seconds = 0;  // rank 0's clock; the others add nothing
  double cpu_seconds = 0;

  void add_up(World& world) {
    const torch::Tensor values = torch::tensor({loss, stop, seconds, cpu_seconds}, torch::kFloat64);
    world.sum(values);
    const double* sums = values.data_ptr<double>();
    *this = {sums[0], sums[1], sums[2], sums[3]};
  }
};

Trainer::Trainer(Task& task, const TrainConfig& config, const RunFolder& folder, World& world,
                 Observer& observer, std::map<std::string, std::string> metadata)
    : task_(task),
      config_(config),
      folder_(folder),
      world_(world),
      observer_(observer),
      metadata_(std::move(metadata)),
      goal_(task.goal()),
      parameters_(task.model()),
      optimizer_(parameters_, config),
      schedule_(config, goal_),
      exchange_(parameters_, world),
      checkpoints_(folder.checkpoints(), config.keep),
      cpu_start_(cpu_seconds()),
      start_(steady_clock::now()) {
  if (config.average > 0) average_ = parameters_.values().clone();
}

Trainer::~Trainer() = default;

std::vector<std::pair<std::string, std::map<std::string, torch::Tensor>>> Trainer::tensor_groups() {
  std::vector<std::pair<std::string, std::map<std::string, torch::Tensor>>> groups = {
      {"model/", state_of(task_.model())},
      {"mean/", parameters_.named(optimizer_.mean())},
      {"square/", parameters_.named(optimizer_.square())}};
  if (average_.defined()) groups.emplace_back("average/", parameters_.named(average_));
  return groups;
}

Json Trainer::state() const {
  return {{"optimizer_steps", optimizer_.steps()}, {"schedule", schedule_.state()},
          {"best", best_ ? Json(*best_) : Json()}, {"best_step", best_step_},
          {"without_better", without_better_},     {"bad_steps", bad_steps_},
          {"bad_in_a_row", bad_in_a_row_},         {"seconds", elapsed()},
          {"cpu_seconds", shared_cpu_seconds_}};
}

void Trainer::set_state(const Json& state) {
  optimizer_.set_steps(state.at("optimizer_steps").get<int64_t>());
  schedule_.set_state(state.at("schedule"));
  if (!state.at("best").is_null()) best_ = state.at("best").get<double>();
  best_step_ = state.at("best_step").get<int64_t>();
  without_better_ = state.at("without_better").get<int64_t>();
  bad_steps_ = state.at("bad_steps").get<int64_t>();
  bad_in_a_row_ = state.at("bad_in_a_row").get<int64_t>();
  seconds_before_ = state.at("seconds").get<double>();
  shared_seconds_ = seconds_before_;
  shared_cpu_seconds_ = state.at("cpu_seconds").get<double>();
  cpu_seconds_before_ = world_.first() ? shared_cpu_seconds_ : 0;
}

bool Trainer::load_checkpoint() {
  std::vector<std::string> damaged;
  const std::optional<Checkpoint> checkpoint = checkpoints_.load_newest(&damaged);
  for (const std::string& problem : damaged) note("passed over: " + problem);
  if (!checkpoint) return false;
  for (const auto& [prefix, tensors] : tensor_groups()) {
    copy_tensors(checkpoint->tensors, prefix, tensors, folder_.checkpoints());
  }
  step_ = saved_step_ = checkpoint->step;
  try {
    set_state(checkpoint->state);
  } catch (const Json::exception&) {
    throw InputError::in(folder_.checkpoints(), "the state in the checkpoint is not complete");
  }
  return true;
}

bool Trainer::resume() {
  const bool found = world_.first() && load_checkpoint();
  if (world_.alone()) return found;
  for (const auto& [prefix, tensors] : tensor_groups()) {
    for (const auto& [name, tensor] : tensors) copy_from_first(tensor);
  }
  std::string text = Json{{"step", step_}, {"state", state()}}.dump();
  const torch::Tensor size = torch::full({1}, static_cast<int64_t>(text.size()), torch::kInt64);
  copy_from_first(size);
  text.resize(static_cast<size_t>(size.item<int64_t>()));
  const torch::Tensor bytes =
      torch::from_blob(text.data(), {static_cast<int64_t>(text.size())}, torch::kUInt8);
  copy_from_first(bytes);
  if (world_.first()) return found;
  const Json shared = Json::parse(text);
  step_ = saved_step_ = shared.at("step").get<int64_t>();
  set_state(shared.at("state"));
  return true;
}

void Trainer::copy_from_first(const torch::Tensor& tensor) {
  torch::NoGradGuard no_grad;
  if (!world_.first()) tensor.zero_();
  world_.sum(tensor);
}

void Trainer::average_buffers() {
  if (world_.alone()) return;
  torch::NoGradGuard no_grad;
  for (const torch::Tensor& buffer : task_.model().buffers()) {
    if (!buffer.is_floating_point()) continue;
    world_.sum(buffer);
    buffer.div_(static_cast<double>(world_.size()));
  }
}

double Trainer::elapsed() const { return seconds_before_ + seconds_since(start_); }

double Trainer::cpu_elapsed() const { return cpu_seconds_before_ + cpu_seconds() - cpu_start_; }

double Trainer::progress() const {
  double part = 0;
  if (config_.steps > 0) part = static_cast<double>(step_) / static_cast<double>(config_.steps);
  if (config_.minutes > 0) part = std::max(part, shared_seconds_ / (60 * config_.minutes));
  if (config_.cpu_minutes > 0) {
    part = std::max(part, shared_cpu_seconds_ / (60 * config_.cpu_minutes));
  }
  return part;
}

bool Trainer::ended() const {
  return signal_ != 0 || progress() >= 1 ||
         (config_.patience > 0 && without_better_ >= config_.patience);
}

void Trainer::note(const std::string& text) {
  if (!world_.first()) return;
  observer_.noted(text);
  if (log_) log_->add(record::Note{step_, elapsed(), text});
}

std::vector<std::shared_ptr<const Batch>> Trainer::next_parts(Loader& loader) {
  const Timed timed(times_.data);
  std::vector<std::shared_ptr<const Batch>> parts;
  for (int64_t i = 0; i < config_.accumulate; ++i) parts.push_back(loader.next());
  return parts;
}

double Trainer::backward_parts(const std::vector<std::shared_ptr<const Batch>>& parts) {
  // The weights of all ranks are added up while the first loss is computed.
  torch::Tensor weights = torch::zeros_like(torch::tensor(parts[0]->weights, torch::kFloat64));
  for (const auto& part : parts) weights += torch::tensor(part->weights, torch::kFloat64);
  const std::unique_ptr<World::Pending> pending = world_.start_sum(weights);
  std::vector<double> total_weights;
  double total = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const int64_t place = world_.rank() * config_.accumulate + static_cast<int64_t>(i);
    const std::vector<const Batch*> pieces = pieces_of(*parts[i]);
    for (size_t piece = 0; piece < pieces.size(); ++piece) {
      torch::manual_seed(
          part_seed(config_.seed, step_, place + (static_cast<int64_t>(piece) << 32)));
      std::vector<torch::Tensor> sums;
      {
        const Timed timed(times_.forward);
        sums = task_.loss_sums(*pieces[piece]);
      }
      if (total_weights.empty()) {
        const Timed timed(times_.exchange);
        pending->wait();
        const double* begin = weights.data_ptr<double>();
        total_weights.assign(begin, begin + weights.numel());
      }
      const Timed timed(times_.backward);
      if (i + 1 == parts.size() && piece + 1 == pieces.size()) exchange_.arm();
      const torch::Tensor loss = mean_loss(sums, total_weights);
      loss.backward();
      total += loss.item<double>();
    }
  }
  return total;
}

void Trainer::train_step(Loader& loader) {
  parameters_.gradients().zero_();
  Status status;
  status.loss = backward_parts(next_parts(loader));
  {
    const Timed timed(times_.exchange);
    exchange_.finish();
    status.stop = signal_ != 0 ? 1 : 0;
    status.seconds = world_.first() ? elapsed() : 0;
    status.cpu_seconds = cpu_elapsed();
    status.add_up(world_);
  }
  if (status.stop > 0 && signal_ == 0) signal_ = SIGTERM;
  shared_seconds_ = status.seconds;
  shared_cpu_seconds_ = status.cpu_seconds;
  const Timed timed(times_.update);
  update(status.loss);
}

void Trainer::update(double loss) {
  const torch::Tensor& gradients = parameters_.gradients();
  const double norm = gradients.norm().item<double>();
  const double rate = schedule_.learning_rate(step_, progress());
  ++step_;
  if (!std::isfinite(loss) || !std::isfinite(norm)) return skip(loss, norm);
  bad_in_a_row_ = 0;
  if (config_.clip > 0 && norm > config_.clip) gradients.mul_(config_.clip / norm);
  optimizer_.step(rate);
  if (average_.defined()) {
    const auto steps = static_cast<double>(optimizer_.steps());
    torch::NoGradGuard no_grad;
    average_.lerp_(parameters_.values(), 1 - std::min(config_.average, (1 + steps) / (10 + steps)));
  }
  report_step(loss, norm, rate);
}

void Trainer::skip(double loss, double norm) {
  ++bad_steps_;
  ++bad_in_a_row_;
  note(fmt::format("step {} skipped: loss {}, gradient norm {}", step_, loss, norm));
  if (bad_in_a_row_ < config_.bad_steps) return;
  throw TrainingFailure(
      fmt::format("{}: no finite loss and gradient in {} steps, up to step {}; the checkpoint of "
                  "step {} is kept. A lower train.learning_rate or train.clip may help",
                  folder_.path(), bad_in_a_row_, step_, saved_step_));
}

void Trainer::report_step(double loss, double norm, double rate) {
  if (!world_.first()) return;
  const double window = seconds_since(window_start_);
  const double per_second =
      static_cast<double>((step_ - window_step_) * config_.batch) / std::max(window, 1e-9);
  const double part = progress();
  observer_.stepped({step_, loss, rate, norm, per_second, part, seconds_left(part)});
  if (step_ % config_.log_every != 0) return;
  log_->add(
      record::TrainPoint{step_, elapsed(), loss, rate, norm, per_second, shared_cpu_seconds_});
  window_start_ = steady_clock::now();
  window_step_ = step_;
}

/// At the pace since this process took over: the machine may have been another before.
double Trainer::seconds_left(double part) const {
  const double gained = part - progress_before_;
  return gained > 0 ? seconds_since(start_) * (1 - part) / gained : 0;
}

void Trainer::evaluate() {
  const OtherWeights averaged(parameters_.values(), average_);
  Metrics metrics;
  {
    const Timed timed(times_.evaluation);
    metrics = train::evaluate(task_, goal_.split, world_);
  }
  const double* found = record::find(metrics, goal_.metric);
  const double value = found != nullptr ? *found : std::numeric_limits<double>::quiet_NaN();
  const bool better = std::isfinite(value) && (!best_ || goal_.better(value, *best_));
  schedule_.evaluated(value);
  without_better_ = better ? 0 : without_better_ + 1;
  // Of equals the later one has learned longer; a score of 100 % comes early.
  const bool as_good = better || (best_ && value == *best_);
  if (as_good) {
    best_ = value;
    best_step_ = step_;
    save_best();
  }
  if (!world_.first()) return;
  observer_.evaluated({step_, goal_.split, metrics, as_good});
  log_->add(record::Evaluation{step_, elapsed(), goal_.split, metrics, shared_cpu_seconds_});
}

void Trainer::save_best() {
  if (!world_.first()) return;
  const Timed timed(times_.saving);
  try {
    auto metadata = metadata_;
    metadata["floydnet.step"] = std::to_string(step_);
    save_weights(task_.model(), metadata, folder_.best_file());
  } catch (const InputError& error) {
    save_problem_ = error.what();
    note(save_problem_);
  }
}

void Trainer::save() {
  if (!world_.first()) return;
  const Timed timed(times_.saving);
  Checkpoint checkpoint;
  checkpoint.step = step_;
  checkpoint.state = state();
  for (const auto& [prefix, tensors] : tensor_groups()) {
    for (const auto& [name, tensor] : tensors) checkpoint.tensors[prefix + name] = tensor;
  }
  try {
    checkpoints_.save(checkpoint);
    saved_step_ = step_;
    save_problem_.clear();
  } catch (const InputError& error) {
    save_problem_ = error.what();
    note(fmt::format("no checkpoint, the one before is kept: {}", save_problem_));
  }
}

Outcome Trainer::run() {
  if (world_.first()) {
    log_ = std::make_unique<MetricsLog>(
        folder_, step_, goal_, config_.tensorboard,
        [this](const std::string& problem) { observer_.noted(problem); });
  }
  window_start_ = steady_clock::now();
  window_step_ = step_;
  progress_before_ = progress();
  {
    // Only while there is something to save: what follows can be repeated from the last checkpoint.
    const StopSignals signals;
    Loader loader(task_, parts_of(world_, config_.accumulate), step_, config_.loaders,
                  config_.prefetch);
    while (!ended()) {
      if (signal_ == 0) signal_ = signals.received();
      train_step(loader);
      average_buffers();
      if (step_ % config_.evaluate_every == 0 || (signal_ == 0 && ended())) evaluate();
      if (step_ % config_.checkpoint_every == 0 || ended()) save();
    }
  }
  Outcome outcome;
  require_equal_ranks();
  if (signal_ == 0) finish(&outcome);
  if (!save_problem_.empty()) throw TrainingFailure(save_problem_);
  outcome.step = step_;
  outcome.best_step = best_step_;
  outcome.bad_steps = bad_steps_;
  outcome.signal = signal_;
  outcome.seconds = elapsed();
  outcome.times = times_;
  return outcome;
}

void Trainer::require_equal_ranks() {
  if (world_.alone()) return;
  bool equal = true;
  for (const auto& [name, tensor] : state_of(task_.model())) {
    const torch::Tensor first = tensor.clone();
    copy_from_first(first);
    equal = equal && torch::equal(first, tensor);
  }
  const torch::Tensor others = torch::full({1}, equal ? 0.0 : 1.0, torch::kFloat64);
  world_.sum(others);
  if (others.item<double>() == 0) return;
  throw TrainingFailure(fmt::format("{}: {} of {} ranks have other weights than rank 0",
                                    folder_.path(), others.item<double>(), world_.size()));
}

void Trainer::finish(Outcome* outcome) {
  if (world_.first() && std::filesystem::exists(folder_.best_file())) {
    load_weights(task_.model(), folder_.best_file());
  }
  for (const auto& [name, tensor] : state_of(task_.model())) copy_from_first(tensor);
  {
    const Timed timed(times_.evaluation);
    outcome->finals = evaluate_finals(task_, world_);
  }
  const torch::Tensor cpu = torch::full({1}, cpu_elapsed(), torch::kFloat64);
  world_.sum(cpu);
  outcome->cpu_seconds = cpu.item<double>();
  if (!world_.first()) return;
  folder_.write_json(
      "results.json",
      to_json(record::Results{step_, best_step_, bad_steps_, elapsed(), outcome->cpu_seconds,
                              outcome->finals, task_.tables(outcome->finals)}));
}

}  // namespace floydnet::train
