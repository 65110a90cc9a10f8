#include "tasks/clrs/decode.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace floydnet::clrs {
namespace {

using torch::Tensor;

Probe hint_probe(Location location, Type type) {
  return {"x", Stage::kHint, location, type, 0, Dtype::kFloat64};
}

TEST(ClrsDecoder, SinkhornGivesDoublyStochasticMatricesWithoutDiagonal) {
  torch::manual_seed(1);
  const Tensor p = log_sinkhorn(0.1 * torch::randn({2, 6, 6}), 50, 0.1, false).exp();
  EXPECT_TRUE(torch::allclose(p.sum(1), torch::ones({2, 6}), 1e-3, 1e-3));
  EXPECT_TRUE(torch::allclose(p.sum(2), torch::ones({2, 6}), 1e-3, 1e-3));
  EXPECT_LT(p.diagonal(0, 1, 2).max().item<double>(), 1e-6);
}

// By hand, for one iteration: rows of exp(logits / 1) without diagonal, then columns.
TEST(ClrsDecoder, OneIterationOfSinkhorn) {
  const Tensor logits = torch::tensor({{7.0, 0.0, std::log(3.0)},  //
                                       {0.0, 7.0, 0.0},
                                       {0.0, 0.0, 7.0}});
  const Tensor wanted = torch::tensor({{0.0, 0.25 / 0.75, 0.75 / 1.25},  //
                                       {0.5, 0.0, 0.5 / 1.25},
                                       {0.5, 0.5 / 0.75, 0.0}});
  EXPECT_TRUE(torch::allclose(log_sinkhorn(logits, 1, 1.0, false).exp(), wanted, 1e-5, 1e-6));
}

TEST(ClrsDecoder, NoiseIsRandom) {
  torch::manual_seed(1);
  const Tensor logits = torch::randn({4, 4});
  EXPECT_FALSE(
      torch::allclose(log_sinkhorn(logits, 5, 0.1, true), log_sinkhorn(logits, 5, 0.1, true)));
}

TEST(ClrsDecoder, SoftAndHardPredictions) {
  const Tensor logits = torch::tensor({{0.0, std::log(3.0)}});
  const auto soft = [&](Type type) {
    return soft_prediction(hint_probe(Location::kNode, type), logits);
  };
  const auto hard = [&](Type type) {
    return hard_prediction(hint_probe(Location::kNode, type), logits);
  };
  EXPECT_TRUE(torch::allclose(soft(Type::kMask), torch::tensor({{0.5, 0.75}})));
  EXPECT_TRUE(torch::allclose(soft(Type::kMaskOne), torch::tensor({{0.25, 0.75}})));
  EXPECT_TRUE(torch::equal(soft(Type::kScalar), logits));
  EXPECT_TRUE(torch::equal(hard(Type::kMask), torch::tensor({{0.0F, 1.0F}})));
  EXPECT_TRUE(torch::equal(hard(Type::kMaskOne), torch::tensor({{0.0F, 1.0F}})));
  EXPECT_TRUE(torch::equal(hard(Type::kPointer), torch::tensor({1}, torch::kInt64)));
}

/// Scores of a pair's pointer, one triple at a time.
TEST(ClrsDecoder, EdgePointersAreScoredAsPivots) {
  torch::manual_seed(3);
  const int64_t n = 3, dim = 4;
  Decoder decoder(std::vector<Probe>{hint_probe(Location::kEdge, Type::kPointer)}, dim,
                  NodeReadout::kSuperNode);
  const Tensor states = torch::randn({1, n + 1, n + 1, dim});
  const Tensor logits = decoder->forward(states, n)[0];
  const auto parameters = decoder->named_parameters();
  const auto map = [&](const std::string& name, int64_t a, int64_t b) {
    return parameters["pointer0_" + name + ".weight"].matmul(states[0][a][b]) +
           parameters["pointer0_" + name + ".bias"];
  };
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t k = 0; k < n; ++k) {
        const Tensor wanted =
            map("query", i, j).dot(map("left", i, k) + map("right", k, j)) / 2;  // sqrt(dim)
        EXPECT_NEAR(logits[0][i][j][k].item<double>(), wanted.item<double>(), 1e-4);
      }
    }
  }
}

TEST(ClrsDecoder, NodePointersAreReadFromBothDirections) {
  torch::manual_seed(3);
  Decoder decoder(std::vector<Probe>{hint_probe(Location::kNode, Type::kPointer)}, 4,
                  NodeReadout::kPool);
  const Tensor states = torch::randn({1, 2, 2, 4});
  const Tensor logits = decoder->forward(states, 2)[0];
  const auto parameters = decoder->named_parameters();
  const Tensor columns = states.matmul(parameters["pair.weight"].t()) + parameters["pair.bias"];
  const double wanted = columns[0][0][1][0].item<double>() + columns[0][1][0][1].item<double>();
  EXPECT_NEAR(logits[0][0][1].item<double>(), wanted, 1e-5);
}

}  // namespace
}  // namespace floydnet::clrs
