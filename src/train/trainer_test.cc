#include "train/trainer.h"

#include <gmock/gmock.h>
#include <torch/torch.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/file.h"
#include "base/test_refusal.h"
#include "base/test_temporary.h"
#include "floydnet/weights.h"
#include "model/model_file.h"
#include "train/test_task.h"

namespace floydnet::train {
namespace {

using ::testing::HasSubstr;

TrainConfig short_config(int64_t steps) {
  TrainConfig config;
  config.steps = steps;
  config.batch = 8;
  config.warmup = 3;
  config.learning_rate = 0.01;
  config.evaluate_every = 7;
  config.checkpoint_every = 5;
  config.log_every = 1;
  config.average = 0.9;
  return config;
}

/// Remembers what it is told.
class Witness final : public Observer {
 public:
  void stepped(const StepReport& report) override {
    losses.push_back(report.loss);
    if (on_step) on_step(report.step);
  }
  void noted(const std::string& text) override { notes.push_back(text); }

  std::vector<double> losses;
  std::vector<std::string> notes;
  std::function<void(int64_t)> on_step;
};

struct Trained {
  Outcome outcome;
  std::map<std::string, torch::Tensor> weights;
  std::vector<double> losses;
  std::vector<std::string> notes;
};

/// Trains in a folder, going on if there is a checkpoint; `prepare` may change task and witness.
Trained train_in(const std::string& path, const TrainConfig& config,
                 const std::function<void(PointsTask&, Witness&)>& prepare = {}) {
  PointsTask task(config.batch);
  Witness witness;
  if (prepare) prepare(task, witness);
  World world;
  const RunFolder folder(path);
  std::filesystem::create_directories(folder.checkpoints());
  Trainer trainer(task, config, folder, world, witness, {});
  trainer.resume();
  Trained trained;
  trained.outcome = trainer.run();
  for (const auto& [name, tensor] : state_of(task.model())) trained.weights[name] = tensor.clone();
  trained.losses = witness.losses;
  trained.notes = witness.notes;
  return trained;
}

void expect_same_tensors(const std::string& a, const std::string& b) {
  std::vector<std::string> damaged;
  const auto first = CheckpointFolder(a, 9).load_newest(&damaged);
  const auto second = CheckpointFolder(b, 9).load_newest(&damaged);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->step, second->step);
  ASSERT_EQ(first->tensors.size(), second->tensors.size());
  for (const auto& [name, tensor] : first->tensors) {
    EXPECT_TRUE(torch::equal(tensor, second->tensors.at(name))) << name;
  }
}

TEST(Trainer, LearnsAndKeepsTheBestWeights) {
  const TemporaryFolder folder;
  const Trained trained = train_in(folder.path(), short_config(300));
  EXPECT_EQ(trained.outcome.step, 300);
  EXPECT_LT(trained.losses.back(), trained.losses.front() / 10);
  ASSERT_EQ(trained.outcome.finals.size(), 1u);
  EXPECT_LT(trained.outcome.finals[0].second[0].second, 0.02);
  PointsTask fresh(8, 99);
  load_weights(fresh.model(), RunFolder(folder.path()).best_file());
  const Metrics again = fresh.metrics("validation", fresh.tally("validation", {}));
  EXPECT_DOUBLE_EQ(again[0].second, trained.outcome.finals[0].second[0].second);
}

TEST(Trainer, InterruptedAndResumedEqualsUninterruptedToTheBit) {
  const TemporaryFolder whole, cut;
  train_in(whole.path(), short_config(40));
  for (const int64_t stop : {9, 23}) {
    const Trained part =
        train_in(cut.path(), short_config(40), [stop](PointsTask&, Witness& witness) {
          witness.on_step = [stop](int64_t step) {
            if (step == stop) ::raise(SIGTERM);
          };
        });
    EXPECT_EQ(part.outcome.signal, SIGTERM);
    EXPECT_EQ(part.outcome.step, stop + 1) << "the step after the signal is finished";
  }
  const Trained rest = train_in(cut.path(), short_config(40));
  EXPECT_EQ(rest.outcome.step, 40);
  expect_same_tensors(whole.file("checkpoints"), cut.file("checkpoints"));
  EXPECT_EQ(read_safetensors(whole.file("best.safetensors")),
            read_safetensors(cut.file("best.safetensors")));
}

TEST(Trainer, ResumingAfterALossOfPowerGoesBackToTheCheckpointAndTheLogWithIt) {
  const TemporaryFolder whole, cut;
  train_in(whole.path(), short_config(12));
  EXPECT_THROW(train_in(cut.path(), short_config(12),
                        [](PointsTask&, Witness& witness) {
                          witness.on_step = [](int64_t step) {
                            if (step == 8) throw std::runtime_error("gone");
                          };
                        }),
               std::runtime_error);
  std::ofstream(cut.file("metrics.jsonl"), std::ios::app) << "{\"kind\": \"trai";
  const Trained rest = train_in(cut.path(), short_config(12));
  EXPECT_EQ(rest.losses.size(), 7u) << "from step 5 on";
  expect_same_tensors(whole.file("checkpoints"), cut.file("checkpoints"));
  std::vector<int64_t> steps;
  std::ifstream lines(cut.file("metrics.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    if (json["kind"] == "train") steps.push_back(json["step"]);
  }
  EXPECT_THAT(steps, ::testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
}

TEST(Trainer, StopsForEverySignalThatAsksForItAndForgetsBrokenPipes) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const TemporaryFolder folder;
    const auto stopping = [signal](PointsTask&, Witness& witness) {
      witness.on_step = [signal](int64_t step) {
        if (step == 3) ::raise(SIGPIPE);
        if (step == 6) ::raise(signal);
      };
    };
    const Trained trained = train_in(folder.path(), short_config(40), stopping);
    EXPECT_EQ(trained.outcome.signal, signal);
    EXPECT_EQ(trained.outcome.step, 7);
    EXPECT_TRUE(std::filesystem::exists(folder.file("checkpoints/step-00000007.safetensors")));
  }
}

TEST(Trainer, GoesOnThroughASignalThatWasIgnoredBefore) {
  const TemporaryFolder folder;
  const auto before = std::signal(SIGHUP, SIG_IGN);  // as nohup does
  const Trained trained =
      train_in(folder.path(), short_config(9), [](PointsTask&, Witness& witness) {
        witness.on_step = [](int64_t step) {
          if (step == 4) ::raise(SIGHUP);
        };
      });
  std::signal(SIGHUP, before);
  EXPECT_EQ(trained.outcome.signal, 0);
  EXPECT_EQ(trained.outcome.step, 9);
}

TEST(Trainer, AccumulationDoesNotChangeWhatIsLearned) {
  const TemporaryFolder a, b;
  TrainConfig config = short_config(50);
  const Trained whole = train_in(a.path(), config);
  config.accumulate = 3;  // of 8: parts of 2, 3 and 3
  const Trained parts = train_in(b.path(), config);
  for (size_t i = 0; i < whole.losses.size(); ++i) {
    EXPECT_NEAR(whole.losses[i], parts.losses[i], 1e-5) << i;
  }
}

TEST(Trainer, PiecesOfABatchDoNotChangeWhatIsLearned) {
  const TemporaryFolder a, b;
  const TrainConfig config = short_config(50);
  const Trained whole = train_in(a.path(), config);
  const Trained pieces =
      train_in(b.path(), config, [](PointsTask& task, Witness&) { task.pieces = 3; });
  for (size_t i = 0; i < whole.losses.size(); ++i) {
    EXPECT_NEAR(whole.losses[i], pieces.losses[i], 1e-5) << i;
  }
}

TEST(Trainer, SkipsStepsWithoutAFiniteLossAndReportsThem) {
  const TemporaryFolder folder;
  const Trained trained = train_in(folder.path(), short_config(30), [](PointsTask& task, Witness&) {
    task.spoiled = [](int64_t step) { return step == 4 || step == 11; };
  });
  EXPECT_EQ(trained.outcome.bad_steps, 2);
  ASSERT_EQ(trained.notes.size(), 2u);
  EXPECT_THAT(trained.notes[0], HasSubstr("step 5 skipped: loss nan"));
  for (const auto& [name, tensor] : trained.weights) {
    EXPECT_TRUE(tensor.isfinite().all().item<bool>()) << name;
  }
}

TEST(Trainer, StopsAfterTooManyBadStepsWithTheLastGoodCheckpoint) {
  const TemporaryFolder folder;
  TrainConfig config = short_config(100);
  config.bad_steps = 4;
  try {
    train_in(folder.path(), config, [](PointsTask& task, Witness&) {
      task.spoiled = [](int64_t step) { return step >= 11 && step < 1000; };
    });
    FAIL() << "went on";
  } catch (const TrainingFailure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("in 4 steps, up to step 15; the checkpoint of step 10"));
  }
  std::vector<std::string> damaged;
  EXPECT_EQ(CheckpointFolder(folder.file("checkpoints"), 9).load_newest(&damaged)->step, 10);
}

TEST(Trainer, PatienceEndsARunThatGetsNoBetter) {
  const TemporaryFolder folder;
  TrainConfig config = short_config(1000);
  config.learning_rate = 0;
  config.average = 0;
  config.evaluate_every = 2;
  config.patience = 3;
  const Trained trained = train_in(folder.path(), config);
  EXPECT_EQ(trained.outcome.step, 8) << "the first evaluation, then three that are no better";
  EXPECT_EQ(trained.outcome.best_step, 8) << "of equal ones the last is kept";
}

class TrainerTime : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(OfTheClockAndTheCpu, TrainerTime, ::testing::Bool());

TEST_P(TrainerTime, EndsTheRun) {
  const TemporaryFolder folder;
  TrainConfig config = short_config(0);
  (GetParam() ? config.cpu_minutes : config.minutes) = 0.5 / 60;
  const Trained trained = train_in(folder.path(), config);
  EXPECT_GT(trained.outcome.step, 0);
  EXPECT_LT(trained.outcome.seconds, 60);
  EXPECT_EQ(trained.outcome.finals.size(), 1u);
}

TEST(Checkpoints, ADamagedOneIsPassedOverForTheOneBefore) {
  const TemporaryFolder folder;
  train_in(folder.path(), short_config(10));
  std::filesystem::resize_file(folder.file("checkpoints/step-00000010.safetensors"), 100);
  std::vector<std::string> damaged;
  const CheckpointFolder checkpoints(folder.file("checkpoints"), 2);
  EXPECT_EQ(checkpoints.load_newest(&damaged)->step, 5);
  ASSERT_EQ(damaged.size(), 1u);
  EXPECT_THAT(damaged[0], HasSubstr("step-00000010.safetensors"));
  std::filesystem::resize_file(folder.file("checkpoints/step-00000005.safetensors"), 100);
  EXPECT_THAT(refusal([&] { checkpoints.load_newest(&damaged); }), HasSubstr("step-00000005"));
}

TEST(Checkpoints, AnyChangedByteIsFoundOrHarmless) {
  const TemporaryFolder folder;
  train_in(folder.path(), short_config(5));
  const std::string path = folder.file("checkpoints/step-00000005.safetensors");
  const std::string whole = read_file(path);
  const CheckpointFolder checkpoints(folder.file("checkpoints"), 2);
  std::vector<std::string> damaged;
  const Checkpoint wanted = *checkpoints.load_newest(&damaged);
  std::mt19937 random(1);
  int found = 0;
  for (int i = 0; i < 500; ++i) {
    std::string changed = whole;
    const size_t place = random() % whole.size();
    changed[place] = static_cast<char>(changed[place] + 1 + static_cast<int>(random() % 255));
    std::ofstream(path, std::ios::binary) << changed;
    try {
      const Checkpoint loaded = *checkpoints.load_newest(&damaged);
      EXPECT_EQ(loaded.step, wanted.step) << place;
      EXPECT_EQ(loaded.state, wanted.state) << place;
      ASSERT_EQ(loaded.tensors.size(), wanted.tensors.size()) << place;
      for (const auto& [name, tensor] : wanted.tensors) {
        ASSERT_EQ(loaded.tensors.count(name), 1u) << place;
        EXPECT_TRUE(torch::equal(loaded.tensors.at(name), tensor)) << place;
      }
    } catch (const InputError&) {
      ++found;
    }
  }
  EXPECT_GT(found, 450);
}

TEST(Checkpoints, AFlippedByteOfATensorGivesWayToTheOneBefore) {
  const TemporaryFolder folder;
  train_in(folder.path(), short_config(10));
  const std::string path = folder.file("checkpoints/step-00000010.safetensors");
  std::string bytes = read_file(path);
  bytes[bytes.size() - 7] = static_cast<char>(bytes[bytes.size() - 7] ^ 1);
  std::ofstream(path, std::ios::binary) << bytes;
  std::vector<std::string> damaged;
  EXPECT_EQ(CheckpointFolder(folder.file("checkpoints"), 2).load_newest(&damaged)->step, 5);
  ASSERT_EQ(damaged.size(), 1u);
  EXPECT_THAT(damaged[0], HasSubstr("damaged: its checksum is"));
}

TEST(Checkpoints, OnlyTheNewestAreKept) {
  const TemporaryFolder folder;
  train_in(folder.path(), short_config(20));
  std::vector<std::string> names;
  for (const auto& item : std::filesystem::directory_iterator(folder.file("checkpoints"))) {
    names.push_back(item.path().filename().string());
  }
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("step-00000015.safetensors",
                                                     "step-00000020.safetensors"));
}

TEST(Checkpoints, OfAnotherModelAreRefused) {
  const TemporaryFolder folder;
  train_in(folder.path(), short_config(5));
  Checkpoint other;
  other.step = 6;
  other.tensors["model/0.weight"] = torch::zeros({2, 2});
  CheckpointFolder(folder.file("checkpoints"), 3).save(other);
  EXPECT_THAT(refusal([&] { train_in(folder.path(), short_config(9)); }),
              HasSubstr("tensor \"model/0.bias\" is missing"));
}

TEST(RunFolder, IsLockedWhileItIsWrittenTo) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path());
  const RunLock lock(run);
  EXPECT_THAT(refusal([&] { RunLock second(run); }), HasSubstr("another process is training"));
}

TEST(RunFolder, RefusesToOverwriteARun) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path());
  run.create({{"task", "points"}});
  EXPECT_EQ(run.read_config()["task"], "points");
  EXPECT_THAT(refusal([&] { run.create({}); }), HasSubstr("--resume"));
}

}  // namespace
}  // namespace floydnet::train
