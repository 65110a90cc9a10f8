// The cases of the operator: their sizes, costs and sides.
#pragma once

#include <string>
#include <vector>

#include "bench/work.h"
#include "floydnet/attention.h"

namespace floydnet::bench {

struct AttentionCase {
  int64_t order = 2, batch = 1, heads = 6, dim = 64, nodes = 64;
  Composition composition = Composition::kAdditive;
  int64_t least_nodes = 0;  // if not 0, graphs have from so many nodes to `nodes`, evenly spread

  std::string name() const;  // such as "H6 d64 N64", with what is not usual added
  TupleLayout layout() const;
  /// Two for each multiply-add of the additive form, where backward computes the scores again. All
  /// sides and both compositions are counted alike: a product of roles takes as many instructions.
  double flops(Direction direction) const;
  /// Estimates of what a side needs beyond inputs, outputs and gradients.
  double extra_bytes(Side side, Direction direction) const;
  /// Inputs, output, and their gradients.
  double state_bytes() const;
};

std::vector<AttentionCase> default_attention_cases();

/// The tensors of a case, packed; all sides read the same memory.
struct AttentionInputs {
  explicit AttentionInputs(const AttentionCase& of, at::ScalarType type = at::kFloat);

  AttentionCase attention_case;
  at::Tensor q, k, v, dout;
};

Work attention_work(const AttentionInputs& inputs, Side side, Direction direction);

}  // namespace floydnet::bench
