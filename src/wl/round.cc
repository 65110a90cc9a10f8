#include "wl/round.h"

#include <algorithm>
#include <array>

#include "wl/add_mixed.h"
#include "wl/parallel.h"

namespace floydnet::wl {
namespace {

/// The sums over pivots so far, lane by lane.
struct Sums {
  std::vector<uint64_t> low, high;
};

/// Reads a row at the points of a prefix, through a permutation; no copy is made where neither is
/// needed.
const uint32_t* gather(const uint32_t* row, const uint16_t* images, const uint16_t* points,
                       int64_t count, uint32_t* buffer) {
  if (images == nullptr && points == nullptr) return row;
  if (points == nullptr) {
    for (int64_t i = 0; i < count; ++i) buffer[i] = row[images[i]];
  } else if (images == nullptr) {
    for (int64_t i = 0; i < count; ++i) buffer[i] = row[points[i]];
  } else {
    for (int64_t i = 0; i < count; ++i) buffer[i] = row[images[points[i]]];
  }
  return buffer;
}

template <int kOrder>
class RoundOver {
 public:
  RoundOver(const TupleSpace& space, const std::vector<uint32_t>& atoms, const uint32_t* rows)
      : space_(space), atoms_(atoms), rows_(rows), n_(space.nodes()) {
    sums_.low.resize(static_cast<size_t>(n_));
    sums_.high.resize(static_cast<size_t>(n_));
    for (auto& buffer : buffers_) buffer.resize(static_cast<size_t>(n_));
  }

  void run(int64_t prefix, Key* keys) {
    const TupleSpace::Cells cells = space_.cells_of(prefix);
    const uint32_t* own_row = rows_ + prefix * n_;
    std::fill_n(sums_.low.begin(), cells.count, 0);
    std::fill_n(sums_.high.begin(), cells.count, 0);
    for (int64_t pivot = 0; pivot < n_; ++pivot) {
      add_(operands(prefix, pivot, cells), own_row[pivot], cells.count, sums_.low.data(),
           sums_.high.data());
    }
    for (int64_t i = 0; i < cells.count; ++i) {
      const int64_t point = cells.points == nullptr ? i : cells.points[i];
      const auto at = static_cast<size_t>(i);
      keys[cells.first + i] = with_colour(own_row[point], {sums_.low[at], sums_.high[at]});
    }
  }

 private:
  Operands operands(int64_t prefix, int64_t pivot, const TupleSpace::Cells& cells) {
    Operands result{};
    if constexpr (kOrder == 1) {
      result[0] = gather(atoms_.data() + pivot * n_, nullptr, cells.points, cells.count,
                         buffers_[0].data());
    }
    for (int role = 0; role < kOrder - 1; ++role) {
      const auto r = static_cast<size_t>(role);
      const TupleSpace::Source source = space_.source(prefix, role, pivot);
      result[r] = gather(rows_ + source.prefix * n_, source.images, cells.points, cells.count,
                         buffers_[r].data());
    }
    return result;
  }

  const TupleSpace& space_;
  const std::vector<uint32_t>& atoms_;
  const uint32_t* rows_;
  int64_t n_;
  AddMixed add_ = best_add_mixed(kOrder);
  Sums sums_;
  std::array<std::vector<uint32_t>, kMaxOrder - 1> buffers_;
};

/// Parts small enough to keep all threads busy to the end.
int64_t grain(int64_t prefixes, int threads) {
  return std::max<int64_t>(1, prefixes / (int64_t{threads} * 16));
}

template <int kOrder>
void run_round(const TupleSpace& space, const std::vector<uint32_t>& atoms, const uint32_t* rows,
               int threads, Key* keys) {
  parallel_for(threads, space.prefixes(), grain(space.prefixes(), threads),
               [&](int64_t begin, int64_t end) {
                 RoundOver<kOrder> round(space, atoms, rows);
                 for (int64_t prefix = begin; prefix < end; ++prefix) round.run(prefix, keys);
               });
}

/// Atoms of all pairs i < j of a tuple; an atom knows both orders and both nodes. The prefix's
/// pairs and those with the last coordinate are hashed apart; a mark keeps them from being swapped.
class InitialKeys {
 public:
  InitialKeys(int order, int64_t n, const std::vector<uint32_t>& atoms)
      : order_(order), n_(n), atoms_(atoms) {}

  Key of_prefix(const std::array<int64_t, kMaxOrder>& v) const {
    constexpr uint32_t kPrefixMark = 1;
    const uint32_t a01 = order_ > 2 ? atom(v[0], v[1]) : 0;
    const uint32_t a02 = order_ > 3 ? atom(v[0], v[2]) : 0;
    const uint32_t a12 = order_ > 3 ? atom(v[1], v[2]) : 0;
    return mix(pack(a01, a02), spread(pack(a12, kPrefixMark)));
  }

  Key of_last(const std::array<int64_t, kMaxOrder>& v, int64_t x) const {
    const uint32_t a0 = order_ > 1 ? atom(v[0], x) : atom(x, x);
    const uint32_t a1 = order_ > 2 ? atom(v[1], x) : 0;
    const uint32_t a2 = order_ > 3 ? atom(v[2], x) : 0;
    return mix(pack(a0, a1), spread(pack(a2, 0)));
  }

 private:
  uint32_t atom(int64_t x, int64_t y) const { return atoms_[static_cast<size_t>(x * n_ + y)]; }

  int order_;
  int64_t n_;
  const std::vector<uint32_t>& atoms_;
};

}  // namespace

void initial_keys(const TupleSpace& space, int order, const std::vector<uint32_t>& atoms,
                  int threads, Key* keys) {
  const InitialKeys initial(order, space.nodes(), atoms);
  const auto run = [&](int64_t prefix) {
    const auto tuple = space.prefix_tuple(prefix);
    const TupleSpace::Cells cells = space.cells_of(prefix);
    const Key base = initial.of_prefix(tuple);
    for (int64_t i = 0; i < cells.count; ++i) {
      Key key = initial.of_last(tuple, cells.points == nullptr ? i : cells.points[i]);
      key += base;
      keys[cells.first + i] = key;
    }
  };
  parallel_for(threads, space.prefixes(), grain(space.prefixes(), threads),
               [&](int64_t begin, int64_t end) {
                 for (int64_t prefix = begin; prefix < end; ++prefix) run(prefix);
               });
}

void refined_keys(const TupleSpace& space, int order, const std::vector<uint32_t>& atoms,
                  const uint32_t* rows, int threads, Key* keys) {
  switch (order) {
    case 1:
      return run_round<1>(space, atoms, rows, threads, keys);
    case 2:
      return run_round<2>(space, atoms, rows, threads, keys);
    case 3:
      return run_round<3>(space, atoms, rows, threads, keys);
    default:
      return run_round<4>(space, atoms, rows, threads, keys);
  }
}

}  // namespace floydnet::wl
