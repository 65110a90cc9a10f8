// clrs::Solver as a class that Python reaches after torch.ops.load_library.
#include <torch/custom_class.h>

#include "base/require.h"
#include "floydnet/clrs.h"

namespace floydnet::clrs {
namespace {

using torch::Tensor;

struct HeldSolver : torch::CustomClassHolder {
  explicit HeldSolver(const std::string& path) : solver(path) {}
  Solver solver;
};
using Self = c10::intrusive_ptr<HeldSolver>;
using TensorDict = c10::Dict<std::string, Tensor>;

Arrays arrays_of(const TensorDict& tensors) {
  Arrays arrays;
  for (const auto& item : tensors) arrays[item.key()] = item.value();
  return arrays;
}

TensorDict solved(const Self& self, const TensorDict& inputs) {
  TensorDict outputs;
  for (const auto& [name, tensor] : self->solver.solve(arrays_of(inputs))) {
    outputs.insert(name, tensor);
  }
  return outputs;
}

/// nodes: i and k of each pair, one after the other.
Tensor attention_of(const Self& self, const TensorDict& inputs, const std::vector<int64_t>& nodes,
                    int64_t block) {
  require(nodes.size() % 2 == 0, "clrs::Solver: {} nodes are no pairs", nodes.size());
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (size_t p = 0; p < nodes.size(); p += 2) pairs.emplace_back(nodes[p], nodes[p + 1]);
  return self->solver.attention(arrays_of(inputs), pairs, block);
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(floydnet, m) {
  m.class_<HeldSolver>("ClrsSolver")
      .def(torch::init<std::string>())
      .def("algorithm", [](const Self& self) { return self->solver.algorithm(); })
      .def("blocks", [](const Self& self) { return self->solver.blocks(); })
      .def("solve", &solved)
      .def("attention", &attention_of);
}

}  // namespace floydnet::clrs
