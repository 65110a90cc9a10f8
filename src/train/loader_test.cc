#include "train/loader.h"

#include <gtest/gtest.h>

#include "train/test_task.h"

namespace floydnet::train {
namespace {

TEST(Loader, HandsOutPartsOfStepsInOrderWhateverTheThreads) {
  const PointsTask task;
  for (const int64_t threads : {1, 3}) {
    Loader loader(task, {{0, 4}, {1, 4}}, 5, threads, 3);
    for (int64_t step = 5; step < 25; ++step) {
      for (const Part part : {Part{0, 4}, Part{1, 4}}) {
        const auto wanted = std::static_pointer_cast<const PointsBatch>(task.batch(step, part));
        const auto got = std::static_pointer_cast<const PointsBatch>(loader.next());
        EXPECT_TRUE(torch::equal(wanted->x, got->x));
      }
    }
  }
}

class FailingTask final : public Task {
 public:
  torch::nn::Module& model() override { return module_; }
  std::shared_ptr<const Batch> batch(int64_t step, Part) const override {
    if (step == 2) throw std::runtime_error("no data for step 2");
    return std::make_shared<PointsBatch>();
  }
  std::vector<torch::Tensor> loss_sums(const Batch&) override { return {}; }
  Goal goal() const override { return {}; }
  std::vector<std::string> final_splits() const override { return {}; }
  std::vector<double> tally(const std::string&, Part) override { return {}; }
  Metrics metrics(const std::string&, const std::vector<double>&) const override { return {}; }

 private:
  torch::nn::Module module_;
};

TEST(Loader, ThrowsInTheStepThatCouldNotBePrepared) {
  const FailingTask task;
  Loader loader(task, {{0, 1}}, 0, 2, 4);
  loader.next();
  loader.next();
  EXPECT_THROW(loader.next(), std::runtime_error);
}

}  // namespace
}  // namespace floydnet::train
