#include "tasks/brec/data/compressed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>

#include "floydnet/error.h"
#include "tasks/brec/data/lanes.h"
#include "tasks/brec/data/structure.h"
#include "wl/orbits.h"
#include "wl/parallel.h"
#include "wl/space.h"

namespace floydnet::brec {
namespace {

using wl::TupleOrbits;
using wl::TupleSpace;

/// Prefixes whose sums are added up first: sums do not depend on the number of threads, and round
/// less than one long sum would.
constexpr int64_t kPart = 16;

/// Copies are evaluated in groups of kLanes, as many as share the search for cells.
constexpr int64_t kGroups = 2;
constexpr int64_t kTogether = kGroups * kLanes;

/// Above this part of all tuples, one representative an orbit is not worth a look-up each.
constexpr double kLittleGain = 0.9;

double power(int64_t n, int exponent) { return std::pow(static_cast<double>(n), exponent); }

double bytes_per_cell(const FrozenWeights& weights) {
  const int64_t numbers = 2 * weights.dim * kTogether;
  return static_cast<double>(numbers * int64_t{sizeof(double)});
}

/// kTogether copies. Arrays of states end in [kGroups, dim, kLanes].
class Copies {
 public:
  Copies(const FrozenWeights& weights, const Structure& structure, double dither, uint64_t seed,
         int threads)
      : weights_(weights),
        structure_(structure),
        space_(structure.space()),
        dim_(weights.dim),
        width_(kGroups * weights.dim * kLanes),
        threads_(threads),
        dither_(dither),
        random_(seed) {
    for (std::vector<uint32_t>& order : pivots_) {
      order.resize(static_cast<size_t>(structure.nodes()));
      std::iota(order.begin(), order.end(), 0u);
      for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_() % i]);
    }
    states_.resize(static_cast<size_t>(space_.cells() * width_));
    for (int64_t i = 0; i < space_.cells() * width_; ++i) {
      const int64_t channel = i / kLanes % dim_;
      states_[static_cast<size_t>(i)] =
          structure.states()[static_cast<size_t>(i / width_ * dim_ + channel)];
    }
    next_.resize(states_.size());
  }

  /// [kTogether, (1 + depth) * dim]
  std::vector<double> run(int64_t depth) {
    std::vector<double> all = normalise();
    for (int64_t layer = 0; layer < depth; ++layer) {
      attend(weights_.blocks[static_cast<size_t>(layer)]);
      const std::vector<double> means = normalise();
      all.insert(all.end(), means.begin(), means.end());
    }
    std::vector<double> by_copy;
    for (int64_t copy = 0; copy < kTogether; ++copy) {
      for (int64_t norm = 0; norm <= depth; ++norm) {
        const double* its =
            all.data() + norm * width_ + copy / kLanes * dim_ * kLanes + copy % kLanes;
        for (int64_t c = 0; c < dim_; ++c) by_copy.push_back(its[c * kLanes]);
      }
    }
    return by_copy;
  }

 private:
  /// Calls work(cell) for all cells.
  template <class Work>
  void for_cells(const Work& work) {
    wl::parallel_for(threads_, space_.cells(), 4096, [&](int64_t begin, int64_t end) {
      for (int64_t cell = begin; cell < end; ++cell) work(cell);
    });
  }

  /// The mean of (state - centre)^exponent over all tuples, [dim].
  std::vector<double> moment(const std::vector<double>& centre, int exponent) {
    const int64_t parts = (space_.prefixes() + kPart - 1) / kPart, channels = kGroups * dim_;
    std::vector<double> sums(static_cast<size_t>(parts * width_)), rests(sums.size());
    wl::parallel_for(threads_, parts, 64, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        const int64_t last = std::min((part + 1) * kPart, space_.prefixes()) - 1;
        const auto cells = space_.cells_of(last);
        for (int64_t cell = space_.cells_of(part * kPart).first; cell < cells.first + cells.count;
             ++cell) {
          add_power_lanes(states_.data() + cell * width_, centre.data(), channels,
                          structure_.size(cell), exponent, sums.data() + part * width_,
                          rests.data() + part * width_);
        }
      }
    });
    const std::vector<double> zeros(static_cast<size_t>(width_));
    std::vector<double> total(zeros), rest(zeros);
    for (int64_t part = 0; part < parts; ++part) {
      for (const std::vector<double>* its : {&sums, &rests}) {
        add_power_lanes(its->data() + part * width_, zeros.data(), channels, 1, 1, total.data(),
                        rest.data());
      }
    }
    for (size_t i = 0; i < total.size(); ++i) total[i] = (total[i] + rest[i]) / structure_.tuples();
    return total;
  }

  double noise() {
    return dither_ * (static_cast<double>(random_() >> 11) * 0x1p-52 - 1);  // -1 to 1
  }

  /// Mean 0 and variance 1 of each channel over all tuples. Returns the means before.
  std::vector<double> normalise() {
    const auto width = static_cast<size_t>(width_);
    std::vector<double> means = moment(std::vector<double>(width), 1);
    std::vector<double> factors = moment(means, 2);
    for (size_t i = 0; i < width; ++i) {
      const double deviation = std::sqrt(factors[i] + weights_.norm_eps);
      means[i] += (std::abs(means[i]) + deviation) * noise();
      factors[i] = (1 + noise()) / deviation;
    }
    for_cells([&](int64_t cell) {
      double* state = states_.data() + cell * width_;
      for (size_t i = 0; i < width; ++i) state[i] = (state[i] - means[i]) * factors[i];
    });
    return means;
  }

  /// The maps of a block, multiplied out: from a state to W_K,r^T W_Q R, and from means of states
  /// to W_O W_V,r of them, for all heads and roles.
  struct Maps {
    std::vector<double> queries;  // [heads, order, dim, dim]
    std::vector<double> outputs;  // [dim, heads, order, dim]
  };

  Maps multiplied_out(const FrozenWeights::Block& block) const {
    const int64_t order = weights_.order, heads = weights_.heads, head_dim = dim_ / heads;
    const auto qkv = [&](int64_t part, int64_t row, int64_t column) {
      return block.qkv[static_cast<size_t>((part * dim_ + row) * dim_ + column)];
    };
    Maps maps;
    maps.queries.resize(static_cast<size_t>(heads * order * dim_ * dim_));
    maps.outputs.resize(maps.queries.size());
    for (int64_t head = 0; head < heads; ++head) {
      for (int64_t r = 0; r < order; ++r) {
        for (int64_t a = 0; a < dim_; ++a) {
          for (int64_t b = 0; b < dim_; ++b) {
            double query = 0, output = 0;
            for (int64_t c = head * head_dim; c < (head + 1) * head_dim; ++c) {
              query += qkv(1 + r, c, a) * qkv(0, c, b);
              output += block.proj[static_cast<size_t>(a * dim_ + c)] * qkv(1 + order + r, c, b);
            }
            const int64_t role = head * order + r;
            maps.queries[static_cast<size_t>((role * dim_ + a) * dim_ + b)] =
                weights_.scale * query;
            maps.outputs[static_cast<size_t>((a * heads * order + role) * dim_ + b)] = output;
          }
        }
      }
    }
    return maps;
  }

  /// Some targets of one prefix, and the cells that they attend to.
  struct Tile {
    int64_t first = 0, count = 0;           // cells
    std::vector<uint32_t> sources;          // [count, pivots, order]
    std::vector<uint32_t> in_memory_order;  // the same: neighbours in rows follow each other
  };

  struct Scratch {
    Tile tile, next_tile;
    std::vector<double> queries, means;  // [heads, order, dim]
    std::vector<double> weights;         // [pivots]
  };

  /// states = PA(states), and with the residual connection also + states.
  void attend(const FrozenWeights::Block& block) {
    const Maps maps = multiplied_out(block);
    wl::parallel_for(threads_, space_.prefixes(), kPart, [&](int64_t begin, int64_t end) {
      Scratch scratch;
      const int64_t most = targets_a_tile();
      for (int64_t prefix = begin; prefix < end; ++prefix) {
        for (int64_t i = 0; i < space_.cells_of(prefix).count; i += most) {
          find_sources(prefix, i, most, scratch.next_tile);
          attend(maps, scratch);
        }
      }
      scratch.next_tile.count = 0;
      attend(maps, scratch);
    });
    states_.swap(next_);
  }

  /// What is read for a tile is to fit into a part of the second-level cache.
  int64_t targets_a_tile() const {
    constexpr int64_t kBytes = 1 << 17;
    const int64_t a_target = structure_.nodes() * weights_.order * width_ * int64_t{sizeof(double)};
    return std::max<int64_t>(1, kBytes / a_target);
  }

  /// The targets of `tile`, while the states for `next_tile` are fetched, which then takes its
  /// place.
  void attend(const Maps& maps, Scratch& scratch) {
    const int64_t n = structure_.nodes(), order = weights_.order;
    const int64_t width = weights_.heads * order * dim_;
    scratch.queries.resize(static_cast<size_t>(width * kLanes));
    scratch.means.resize(scratch.queries.size());
    scratch.weights.resize(static_cast<size_t>(n * kLanes));
    const Tile& tile = scratch.tile;
    auto& coming = scratch.next_tile.in_memory_order;
    coming.resize(static_cast<size_t>(tile.count * n * order));  // as much as this tile can fetch
    for (int64_t i = 0; i < tile.count; ++i) {
      for (int64_t group = 0; group < kGroups; ++group) {
        const LaneAttention attention = {
            weights_.order, weights_.heads,
            dim_,           n,
            width_,         pivots_[static_cast<size_t>(group)].data()};
        const int64_t offset = group * dim_ * kLanes, at = (tile.first + i) * width_ + offset;
        multiply_lanes(maps.queries.data(), dim_, width, states_.data() + at,
                       scratch.queries.data(), false);
        attention.attend(scratch.queries.data(), states_.data() + offset,
                         tile.sources.data() + i * n * order,
                         group == 0 ? coming.data() + i * n * order : nullptr,
                         scratch.weights.data(), scratch.means.data());
        double* next = next_.data() + at;
        std::copy_n(states_.data() + at, dim_ * kLanes, next);
        multiply_lanes(maps.outputs.data(), width, dim_, scratch.means.data(), next,
                       weights_.residual);
      }
    }
    std::swap(scratch.tile, scratch.next_tile);
  }

  /// The cells of v[r<-p] for the tuples v of a prefix, from the i-th on.
  void find_sources(int64_t prefix, int64_t i, int64_t most, Tile& tile) const {
    const int64_t order = weights_.order, a_target = structure_.nodes() * order;
    const auto cells = space_.cells_of(prefix);
    tile.first = cells.first + i;
    tile.count = std::min(most, cells.count - i);
    tile.sources.resize(static_cast<size_t>(tile.count * a_target));
    tile.in_memory_order.resize(tile.sources.size());
    uint32_t* source = tile.sources.data();
    uint32_t* in_order = tile.in_memory_order.data();
    for (int64_t p = 0; p < structure_.nodes(); ++p) {
      for (int64_t r = 0; r < order; ++r, ++source) {
        const auto row = r < order - 1 ? space_.source(prefix, static_cast<int>(r), p)
                                       : TupleSpace::Source{prefix, nullptr};
        for (int64_t t = 0; t < tile.count; ++t) {
          const int64_t last = r < order - 1 ? Structure::last_coordinate(cells, i + t) : p;
          const uint32_t cell =
              structure_.cell(row.prefix, row.images == nullptr ? last : row.images[last]);
          source[t * a_target] = cell;
          *in_order++ = cell;
        }
      }
    }
  }

  const FrozenWeights& weights_;
  const Structure& structure_;
  const TupleSpace& space_;
  int64_t dim_, width_;  // numbers of a cell: of one copy, and of all
  int threads_;
  double dither_;
  std::mt19937_64 random_;
  std::array<std::vector<uint32_t>, kGroups> pivots_;  // in the order in which they are summed
  std::vector<double> states_, next_;                  // [cells, dim]
};

}  // namespace

struct OrbitNetwork::Parts {
  const FrozenWeights& weights;
  Graph graph;
  Options options;
  std::optional<TupleOrbits> orbits;  // until `structure` takes them; none: all tuples
  std::unique_ptr<Structure> structure;
  bool compressed = false;
  double cells = 0, bytes = 0;

  void choose() {
    const double tuples = power(graph.nodes(), weights.order);
    orbits.emplace(graph, weights.order, options.max_bytes);
    cells = static_cast<double>(orbits->count());
    compressed = options.always_compressed || cells < kLittleGain * tuples;
    if (compressed) {
      bytes = static_cast<double>(wl::compressed_bytes(*orbits));
    } else {
      orbits.reset();
      cells = tuples;
    }
    bytes += cells * bytes_per_cell(weights);
  }
};

OrbitNetwork::OrbitNetwork(const FrozenWeights& weights, Graph graph, const Options& options)
    : parts_(new Parts{weights, std::move(graph), options, {}, {}}) {
  parts_->choose();
  const auto limit = static_cast<double>(options.max_bytes);
  if (parts_->bytes > limit) {
    throw InputError(
        fmt::format("needs {:.3g} GiB, the limit is {:.3g} GiB; raise --max-memory or lower --k",
                    parts_->bytes / 0x1p30, limit / 0x1p30));
  }
}

OrbitNetwork::~OrbitNetwork() = default;
OrbitNetwork::OrbitNetwork(OrbitNetwork&&) noexcept = default;

bool OrbitNetwork::compressed() const { return parts_->compressed; }

double OrbitNetwork::lookups() const {
  return parts_->cells * static_cast<double>(parts_->graph.nodes());
}

std::vector<double> OrbitNetwork::means(int64_t copies, uint64_t seed, int64_t depth) {
  Parts& its = *parts_;
  if (depth < 0 || depth > static_cast<int64_t>(its.weights.blocks.size())) {
    throw std::invalid_argument(fmt::format("OrbitNetwork::means: there are {} blocks, not {}",
                                            its.weights.blocks.size(), depth));
  }
  if (!its.structure) {
    its.structure = std::make_unique<Structure>(its.weights, its.graph, std::move(its.orbits));
  }
  // Either batches of copies are handed to threads, or, where memory is for one only, its parts.
  const int64_t batches = (copies + kTogether - 1) / kTogether;
  const int threads = its.options.threads;
  const bool by_batch = its.bytes * threads <= static_cast<double>(its.options.max_bytes);
  const int64_t width = (1 + depth) * its.weights.dim;
  std::vector<double> all(static_cast<size_t>(batches * kTogether * width));
  wl::parallel_for(by_batch ? threads : 1, batches, 1, [&](int64_t batch, int64_t) {
    Copies few(its.weights, *its.structure, its.options.dither,
               seed * 1000003 + static_cast<uint64_t>(batch), by_batch ? 1 : threads);
    const std::vector<double> means = few.run(depth);
    std::copy(means.begin(), means.end(), all.begin() + batch * kTogether * width);
  });
  all.resize(static_cast<size_t>(copies * width));
  return all;
}

}  // namespace floydnet::brec
