#include "model/tuple_index.h"

#include <array>

namespace floydnet {
namespace {

std::vector<int64_t> plus_one(std::vector<int64_t> sizes, bool add) {
  if (add) {
    for (int64_t& n : sizes) ++n;
  }
  return sizes;
}

}  // namespace

TupleIndex::TupleIndex(int order, const std::vector<int64_t>& sizes, bool supernode)
    : supernode_(supernode), layout_(order, plus_one(sizes, supernode)) {
  for (const int64_t n : sizes) {
    first_node_.push_back(node_count_);
    first_pair_.push_back(pair_count_);
    node_count_ += n;
    pair_count_ += n * n;
  }
}

template <typename F>
torch::Tensor TupleIndex::for_each_tuple(const F& value) const {
  const torch::Tensor result = torch::empty({layout_.rows()}, torch::kInt64);
  int64_t* out = result.data_ptr<int64_t>();
  const int order = layout_.order();
  for (int64_t graph = 0; graph < layout_.graphs(); ++graph) {
    const int64_t n = layout_.size(graph);
    std::array<int64_t, kMaxOrder> v{};
    for (int64_t row = layout_.offset(graph); row < layout_.offset(graph + 1); ++row) {
      *out++ = value(graph, v);
      for (int c = order - 1; c >= 0 && ++v[c] == n; --c) v[c] = 0;
    }
  }
  return result;
}

torch::Tensor TupleIndex::node(int a) const {
  return for_each_tuple([&](int64_t graph, const auto& v) {
    return is_supernode(graph, v[a]) ? node_count_ : first_node_[graph] + v[a];
  });
}

torch::Tensor TupleIndex::pair(int a, int b) const {
  return for_each_tuple([&](int64_t graph, const auto& v) {
    if (is_supernode(graph, v[a]) || is_supernode(graph, v[b])) return pair_count_;
    const int64_t real_nodes = layout_.size(graph) - (supernode_ ? 1 : 0);
    return first_pair_[graph] + v[a] * real_nodes + v[b];
  });
}

torch::Tensor TupleIndex::graph() const {
  return for_each_tuple([](int64_t graph, const auto&) { return graph; });
}

torch::Tensor TupleIndex::supernode_bits() const {
  return for_each_tuple([&](int64_t graph, const auto& v) {
    int64_t bits = 0;
    for (int c = 0; c < layout_.order(); ++c) {
      if (is_supernode(graph, v[c])) bits |= int64_t{1} << c;
    }
    return bits;
  });
}

torch::Tensor TupleIndex::equal(int a, int b) const {
  return for_each_tuple([&](int64_t, const auto& v) { return int64_t{v[a] == v[b]}; })
      .to(torch::kBool);
}

}  // namespace floydnet
