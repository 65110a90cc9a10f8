// Arithmetic on several copies of a graph side by side, one in each lane of a SIMD vector. Copies
// have the same structure, so every lane reads from the same place.
#pragma once

#include <cstdint>

namespace floydnet::brec {

constexpr int64_t kLanes = 4;

/// Pivotal Attention that reads states only. With W_K,r and W_V,r the maps of role r,
///
///   <q_v, key_vp> = sum_r <W_K,r^T q_v, R_{v[r<-p]}>
///   sum_p alpha_vp val_vp = sum_r W_V,r (sum_p alpha_vp R_{v[r<-p]})
///
/// so keys and values of all tuples need not be kept. Arrays end in an index of lanes.
struct LaneAttention {
  int order;  // roles, 2..4
  int64_t heads, dim;
  int64_t pivots;
  int64_t stride;            // numbers from a cell's states to the next one's
  const uint32_t* in_order;  // the pivots, as they are summed

  /// One target. queries: [heads, order, dim], W_K,r^T q_v times the softmax scale; states: [cells,
  /// dim]; sources: [pivots, order], cells; out: [heads, order, dim], the weighted means of states.
  /// weights: [pivots], overwritten. coming: as many cells, all of whose numbers (`stride`) will be
  /// needed soon and are fetched meanwhile; null: none.
  void attend(const double* queries, const double* states, const uint32_t* sources,
              const uint32_t* coming, double* weights, double* out) const;
};

/// y[out] = w[out, in] x[in], and with `add` also + y.
void multiply_lanes(const double* w, int64_t in, int64_t out, const double* x, double* y, bool add);

/// sum[i] += weight * (x[i] - centre[i])^power, i < width; power 1 or 2. What rounding takes away
/// is added to rest[i]: many equal terms would all round to the same side.
void add_power_lanes(const double* x, const double* centre, int64_t width, double weight, int power,
                     double* sum, double* rest);

}  // namespace floydnet::brec
