// Pivotal Attention by itself, on the pairs of two graphs of 3 and 4 nodes.
//
// Prints:
//   25 pairs of 2 graphs, 2 heads of 8
//   out [2, 25, 8], gradient of q [2, 25, 8]
//   weights of the pair (0, 2) of the second graph sum to 1.000 and 1.000
//   the formula agrees
#include <floydnet/attention.h>
#include <torch/torch.h>

#include <cstdio>
#include <sstream>

namespace {

std::string shape(const torch::Tensor& tensor) {
  std::ostringstream text;
  text << tensor.sizes();
  return text.str();
}

// out_ik = sum over j of softmax_j(<q_ik, K_ij + K_jk> / sqrt(d)) (V_ij + V_jk), for one graph.
torch::Tensor formula(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v) {
  const auto left = [](const torch::Tensor& x) {
    return x[1].unsqueeze(2);
  };                                               // (i, j): [h, i, 1, j, d]
  const auto right = [](const torch::Tensor& x) {  // (j, k): [h, 1, k, j, d]
    return x[0].transpose(1, 2).unsqueeze(1);
  };
  const torch::Tensor keys = left(k) + right(k), values = left(v) + right(v);
  const torch::Tensor scores = (q.unsqueeze(3) * keys).sum(-1) / std::sqrt(q.size(-1));
  return (scores.softmax(-1).unsqueeze(-1) * values).sum(3);
}

}  // namespace

int main() {
  torch::manual_seed(1);
  const int64_t heads = 2, dim = 8;
  const floydnet::TupleLayout layout(/*order=*/2, {3, 4});
  std::printf("%ld pairs of %ld graphs, %ld heads of %ld\n", long(layout.rows()),
              long(layout.graphs()), long(heads), long(dim));

  // Keys and values have a role: 0 is the right relation (j, k), 1 the left one (i, j).
  const torch::Tensor q = torch::randn({heads, layout.rows(), dim}).requires_grad_();
  const torch::Tensor k = torch::randn({2, heads, layout.rows(), dim});
  const torch::Tensor v = torch::randn({2, heads, layout.rows(), dim});
  const torch::Tensor out = floydnet::pivotal_attention(q, k, v, layout);
  out.sum().backward();
  std::printf("out %s, gradient of q %s\n", shape(out).c_str(), shape(q.grad()).c_str());

  const int64_t row = layout.row(/*graph=*/1, {0, 2});
  const torch::Tensor weights = floydnet::attention_weights(q, k, layout, {row}).sum(-1);
  std::printf("weights of the pair (0, 2) of the second graph sum to %.3f and %.3f\n",
              weights[0][0].item<double>(), weights[1][0].item<double>());

  const auto second = [&](const torch::Tensor& x) {
    std::vector<int64_t> sizes = x.sizes().vec();
    sizes.pop_back();
    sizes.pop_back();
    sizes.insert(sizes.end(), {4, 4, dim});
    return x.narrow(-2, layout.offset(1), 16).reshape(sizes);
  };
  const torch::Tensor wanted = formula(second(q.detach()), second(k), second(v));
  const bool agrees = torch::allclose(second(out.detach()), wanted, 1e-4, 1e-5);
  std::puts(agrees ? "the formula agrees" : "the formula differs");
  return agrees ? 0 : 1;
}
