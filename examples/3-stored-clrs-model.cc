// A model that comes with the program finds the tree of a breadth-first search:
// 3-stored-clrs-model models/clrs/bfs.safetensors
//
// Prints:
//   the model has learned bfs; it has 4 blocks
//   32 problems of 16 nodes: 512 of 512 parents are right
//   pair (0, 5) of the first: weights of 17 pivots sum to 1.000
#include <floydnet/clrs.h>
#include <floydnet/error.h>
#include <torch/torch.h>

#include <cstdio>

namespace {

// One problem of a batch of float64 arrays.
floydnet::clrs::Arrays problem(const floydnet::NpzArchive& arrays, int64_t index) {
  floydnet::clrs::Arrays inputs;
  for (const auto& [key, array] : arrays) {
    if (key.rfind("input/", 0) != 0) continue;
    inputs[key.substr(6)] =
        torch::tensor(array.as<double>()).view(array.shape).select(0, index).clone();
  }
  return inputs;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FILE.safetensors\n", argv[0]);
    return 2;
  }
  floydnet::clrs::Solver solver(argv[1]);
  std::printf("the model has learned %s; it has %ld blocks\n", solver.algorithm().c_str(),
              long(solver.blocks()));

  floydnet::clrs::SamplesOptions options;
  options.length = 16;
  options.seed = 3;
  options.hints = false;
  const floydnet::NpzArchive arrays = floydnet::clrs::Samples("bfs", options).next(32);
  const torch::Tensor parents =
      torch::tensor(arrays.at("output/pi").as<int64_t>()).view(arrays.at("output/pi").shape);
  int64_t right = 0;
  for (int64_t i = 0; i < 32; ++i) {
    right += (solver.solve(problem(arrays, i)).at("pi") == parents[i]).sum().item<int64_t>();
  }
  std::printf("32 problems of 16 nodes: %ld of 512 parents are right\n", long(right));

  // The SuperNode is a pivot, too, the last one.
  const torch::Tensor weights = solver.attention(problem(arrays, 0), {{0, 5}});
  std::printf("pair (0, 5) of the first: weights of %ld pivots sum to %.3f\n",
              long(weights.size(2)), weights.sum(2).mean().item<double>());
} catch (const floydnet::InputError& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
