#include "floydnet/memory.h"

#include <c10/core/CPUAllocator.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <thread>

namespace floydnet {
namespace {

class TensorMemory : public testing::Test {
 protected:
  void SetUp() override { reuse_tensor_memory(); }
  void TearDown() override { stop_reusing_tensor_memory(); }
};

TEST_F(TensorMemory, IsGivenToTheNextTensorOfThatSize) {
  void* first = nullptr;
  {
    const torch::Tensor tensor = torch::zeros({1 << 20});
    first = tensor.data_ptr();
    EXPECT_EQ(reinterpret_cast<size_t>(first) % 64, 0U);
  }
  EXPECT_GE(idle_tensor_memory(), 4 << 20);
  release_idle_tensor_memory();
  EXPECT_EQ(idle_tensor_memory(), 0);
  { first = torch::zeros({1 << 20}).data_ptr(); }
  const torch::Tensor next = torch::empty({1 << 20});
  EXPECT_EQ(next.data_ptr(), first);
  EXPECT_NE(torch::empty({1 << 20}).data_ptr(), first);
}

TEST_F(TensorMemory, ServesOperatorsThatAskForRawMemory) {
  at::Allocator* allocator = c10::GetCPUAllocator();
  for (const size_t bytes : {size_t{100}, size_t{8} << 20}) {
    void* memory = allocator->raw_allocate(bytes);
    EXPECT_NE(memory, nullptr);
    allocator->raw_deallocate(memory);
  }
  // libtorch's GELU of large tensors does so.
  EXPECT_GT(torch::gelu(torch::randn({4096, 256})).std().item<double>(), 0.5);
}

TEST_F(TensorMemory, IdleMemoryIsLimited) {
  reuse_tensor_memory(8 << 20);
  { const torch::Tensor a = torch::zeros({1 << 20}), b = torch::zeros({1 << 20}), c = a + b; }
  EXPECT_LE(idle_tensor_memory(), 8 << 20);
  reuse_tensor_memory(0);
  EXPECT_EQ(idle_tensor_memory(), 0);
}

TEST_F(TensorMemory, TensorsOutliveTheEndOfReuse) {
  const torch::Tensor tensor = torch::ones({1 << 20});
  stop_reusing_tensor_memory();
  EXPECT_EQ(tensor.sum().item<float>(), 1 << 20);
  const torch::Tensor next = torch::ones({1 << 20});
  EXPECT_EQ((tensor + next).max().item<float>(), 2);
  EXPECT_EQ(idle_tensor_memory(), 0);
}

TEST_F(TensorMemory, IsSharedByThreads) {
  std::vector<std::thread> threads;
  std::vector<double> sums(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &sums] {
      for (int i = 0; i < 50; ++i) {
        const torch::Tensor tensor = torch::full({400'000 + 10'000 * t}, t, torch::kFloat64);
        sums[t] += tensor.mean().item<double>();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sums, (std::vector<double>{0, 50, 100, 150}));
}

}  // namespace
}  // namespace floydnet
