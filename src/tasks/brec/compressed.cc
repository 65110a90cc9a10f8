#include "tasks/brec/compressed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>

#include "floydnet/error.h"
#include "tasks/brec/lanes.h"
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

/// Above this part of all tuples, one representative an orbit is not worth a look-up each.
constexpr double kLittleGain = 0.9;

double power(int64_t n, int exponent) { return std::pow(static_cast<double>(n), exponent); }

double bytes_per_cell(const FrozenWeights& weights) {
  const int64_t numbers = 2 * weights.dim * kLanes;
  return static_cast<double>(numbers * int64_t{sizeof(double)});
}

/// The structure that all copies of a graph share.
class Structure {
 public:
  Structure(const FrozenWeights& weights, const Graph& graph, std::optional<TupleOrbits> orbits)
      : n_(graph.nodes()),
        space_(orbits ? TupleSpace(std::move(*orbits)) : TupleSpace(graph.nodes(), weights.order)) {
    if (space_.compressed()) {
      std::vector<uint32_t> numbers(static_cast<size_t>(space_.cells()));
      std::iota(numbers.begin(), numbers.end(), 0u);
      space_.fill_rows(numbers.data(), rows_);
    }
    find_sizes();
    init(weights, graph);
  }

  const TupleSpace& space() const { return space_; }
  int64_t nodes() const { return n_; }
  /// The cell of the tuple with this prefix and last coordinate.
  uint32_t cell(int64_t prefix, int64_t last) const {
    const int64_t at = prefix * n_ + last;
    return rows_.empty() ? static_cast<uint32_t>(at) : rows_[static_cast<size_t>(at)];
  }
  static int64_t last_coordinate(const TupleSpace::Cells& cells, int64_t i) {
    return cells.points == nullptr ? i : cells.points[i];
  }
  double size(int64_t cell) const { return sizes_[static_cast<size_t>(cell)]; }  // of the orbit
  double tuples() const { return tuples_; }
  const std::vector<double>& states() const { return states_; }  // by Init: [cells, dim]

 private:
  void find_sizes() {
    sizes_.resize(static_cast<size_t>(space_.cells()));
    for (int64_t prefix = 0; prefix < space_.prefixes(); ++prefix) {
      const auto cells = space_.cells_of(prefix);
      for (int64_t i = 0; i < cells.count; ++i) {
        sizes_[static_cast<size_t>(cells.first + i)] =
            static_cast<double>(cells.weight) * (cells.sizes == nullptr ? 1 : cells.sizes[i]);
      }
    }
    tuples_ = std::accumulate(sizes_.begin(), sizes_.end(), 0.0);
  }

  void init(const FrozenWeights& weights, const Graph& graph) {
    const std::vector<uint8_t> adjacency = graph.adjacency();
    states_.resize(sizes_.size() * static_cast<size_t>(weights.dim));
    for (int64_t prefix = 0; prefix < space_.prefixes(); ++prefix) {
      const auto cells = space_.cells_of(prefix);
      auto tuple = space_.prefix_tuple(prefix);
      for (int64_t i = 0; i < cells.count; ++i) {
        tuple[static_cast<size_t>(weights.order - 1)] = last_coordinate(cells, i);
        init_cell(weights, graph, adjacency, tuple,
                  states_.data() + (cells.first + i) * weights.dim);
      }
    }
  }

  void init_cell(const FrozenWeights& weights, const Graph& graph,
                 const std::vector<uint8_t>& adjacency, const std::array<int64_t, kMaxOrder>& tuple,
                 double* state) const {
    const int64_t dim = weights.dim;
    const auto add = [&](const double* row) {
      for (int64_t c = 0; c < dim; ++c) state[c] += row[c];
    };
    std::copy(weights.bias.begin(), weights.bias.end(), state);
    for (size_t a = 0; a < weights.nodes.size(); ++a) {
      const int64_t reals = graph.node_features.real_columns;
      for (int64_t c = 0; c < dim; ++c) {
        for (int64_t f = 0; f < reals; ++f) {
          state[c] += weights.nodes[a][static_cast<size_t>(c * reals + f)] *
                      graph.node_features.real(tuple[a], f);
        }
      }
    }
    for (const FrozenWeights::PairTable& pair : weights.pairs) {
      const int64_t from = tuple[static_cast<size_t>(pair.a)];
      const int64_t to = tuple[static_cast<size_t>(pair.b)];
      add(pair.table.data() + adjacency[static_cast<size_t>(from * n_ + to)] * dim);
    }
    const double* equality = weights.equality.data();
    for (int a = 0; a < weights.order; ++a) {
      for (int b = a + 1; b < weights.order; ++b, equality += dim) {
        if (tuple[static_cast<size_t>(a)] == tuple[static_cast<size_t>(b)]) add(equality);
      }
    }
  }

  int64_t n_;
  TupleSpace space_;
  std::vector<uint32_t> rows_;  // [prefixes, n]; none if all tuples are cells
  std::vector<double> sizes_;
  double tuples_ = 0;
  std::vector<double> states_;
};

/// kLanes copies. Arrays end in an index of lanes.
class Copies {
 public:
  Copies(const FrozenWeights& weights, const Structure& structure, double dither, uint64_t seed,
         int threads)
      : weights_(weights),
        structure_(structure),
        space_(structure.space()),
        dim_(weights.dim),
        threads_(threads),
        dither_(dither),
        random_(seed),
        pivots_(static_cast<size_t>(structure.nodes())) {
    std::iota(pivots_.begin(), pivots_.end(), 0);
    for (size_t i = pivots_.size(); i > 1; --i) std::swap(pivots_[i - 1], pivots_[random_() % i]);
    const size_t numbers = static_cast<size_t>(space_.cells() * dim_ * kLanes);
    states_.resize(numbers);
    for (size_t i = 0; i < numbers; ++i) states_[i] = structure.states()[i / kLanes];
    next_.resize(numbers);
  }

  /// [kLanes, (1 + blocks) * dim]
  std::vector<double> run() {
    std::vector<double> all = normalise();
    for (const FrozenWeights::Block& block : weights_.blocks) {
      attend(block);
      const std::vector<double> means = normalise();
      all.insert(all.end(), means.begin(), means.end());
    }
    std::vector<double> by_copy(all.size());
    const auto count = static_cast<int64_t>(all.size()) / kLanes;
    for (int64_t i = 0; i < count * kLanes; ++i) {
      by_copy[static_cast<size_t>(i % kLanes * count + i / kLanes)] = all[static_cast<size_t>(i)];
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
    const int64_t parts = (space_.prefixes() + kPart - 1) / kPart;
    const int64_t width = dim_ * kLanes;
    std::vector<double> sums(static_cast<size_t>(parts * width)), rests(sums.size());
    wl::parallel_for(threads_, parts, 64, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        const int64_t last = std::min((part + 1) * kPart, space_.prefixes()) - 1;
        const auto cells = space_.cells_of(last);
        for (int64_t cell = space_.cells_of(part * kPart).first; cell < cells.first + cells.count;
             ++cell) {
          add_power_lanes(states_.data() + cell * width, centre.data(), dim_, structure_.size(cell),
                          exponent, sums.data() + part * width, rests.data() + part * width);
        }
      }
    });
    const std::vector<double> zeros(static_cast<size_t>(width));
    std::vector<double> total(zeros), rest(zeros);
    for (int64_t part = 0; part < parts; ++part) {
      for (const std::vector<double>* its : {&sums, &rests}) {
        add_power_lanes(its->data() + part * width, zeros.data(), dim_, 1, 1, total.data(),
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
    const auto width = static_cast<size_t>(dim_ * kLanes);
    std::vector<double> means = moment(std::vector<double>(width), 1);
    std::vector<double> factors = moment(means, 2);
    for (size_t i = 0; i < width; ++i) {
      const double deviation = std::sqrt(factors[i] + weights_.norm_eps);
      means[i] += (std::abs(means[i]) + deviation) * noise();
      factors[i] = (1 + noise()) / deviation;
    }
    for_cells([&](int64_t cell) {
      double* state = states_.data() + cell * static_cast<int64_t>(width);
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

  struct Scratch {
    std::vector<TupleSpace::Source> sources;  // [pivots, order - 1]
    std::vector<uint32_t> cells;              // [pivots, order]
    std::vector<double> queries, means;       // [heads, order, dim]
    std::vector<double> weights;              // [pivots]
  };

  /// states = PA(states), and with the residual connection also + states.
  void attend(const FrozenWeights::Block& block) {
    const Maps maps = multiplied_out(block);
    wl::parallel_for(threads_, space_.prefixes(), kPart, [&](int64_t begin, int64_t end) {
      Scratch scratch;
      for (int64_t prefix = begin; prefix < end; ++prefix) attend(maps, prefix, scratch);
    });
    states_.swap(next_);
  }

  void attend(const Maps& maps, int64_t prefix, Scratch& scratch) {
    const int64_t n = structure_.nodes(), order = weights_.order;
    const LaneAttention attention = {weights_.order, weights_.heads, dim_, n};
    const int64_t width = weights_.heads * order * dim_;
    scratch.queries.resize(static_cast<size_t>(width * kLanes));
    scratch.means.resize(scratch.queries.size());
    scratch.weights.resize(static_cast<size_t>(n * kLanes));
    scratch.sources.clear();
    for (const int64_t p : pivots_) {
      for (int r = 0; r < order - 1; ++r) scratch.sources.push_back(space_.source(prefix, r, p));
    }
    const auto cells = space_.cells_of(prefix);
    for (int64_t i = 0; i < cells.count; ++i) {
      find_cells(prefix, Structure::last_coordinate(cells, i), scratch);
      const int64_t at = (cells.first + i) * dim_ * kLanes;
      multiply_lanes(maps.queries.data(), dim_, width, states_.data() + at, scratch.queries.data(),
                     false);
      attention.attend(scratch.queries.data(), states_.data(), scratch.cells.data(),
                       scratch.weights.data(), scratch.means.data());
      double* next = next_.data() + at;
      std::copy_n(states_.data() + at, dim_ * kLanes, next);
      multiply_lanes(maps.outputs.data(), width, dim_, scratch.means.data(), next,
                     weights_.residual);
    }
  }

  /// The cells of v[r<-p] for the tuple v with this prefix and last coordinate.
  void find_cells(int64_t prefix, int64_t last, Scratch& scratch) const {
    const int roles = weights_.order - 1;
    scratch.cells.resize(pivots_.size() * static_cast<size_t>(weights_.order));
    const TupleSpace::Source* source = scratch.sources.data();
    uint32_t* cell = scratch.cells.data();
    for (const int64_t p : pivots_) {
      for (int r = 0; r < roles; ++r, ++source) {
        const int64_t image = source->images == nullptr ? last : source->images[last];
        *cell++ = structure_.cell(source->prefix, image);
      }
      *cell++ = structure_.cell(prefix, p);
    }
  }

  const FrozenWeights& weights_;
  const Structure& structure_;
  const TupleSpace& space_;
  int64_t dim_;
  int threads_;
  double dither_;
  std::mt19937_64 random_;
  std::vector<int64_t> pivots_;        // in the order in which they are summed
  std::vector<double> states_, next_;  // [cells, dim]
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

std::vector<double> OrbitNetwork::means(int64_t copies, uint64_t seed) {
  Parts& its = *parts_;
  if (!its.structure) {
    its.structure = std::make_unique<Structure>(its.weights, its.graph, std::move(its.orbits));
  }
  // Either batches of copies are handed to threads, or, where memory is for one only, its parts.
  const int64_t batches = (copies + kLanes - 1) / kLanes;
  const int threads = its.options.threads;
  const bool by_batch = its.bytes * threads <= static_cast<double>(its.options.max_bytes);
  const auto width = static_cast<int64_t>(1 + its.weights.blocks.size()) * its.weights.dim;
  std::vector<double> all(static_cast<size_t>(batches * kLanes * width));
  wl::parallel_for(by_batch ? threads : 1, batches, 1, [&](int64_t batch, int64_t) {
    Copies few(its.weights, *its.structure, its.options.dither,
               seed * 1000003 + static_cast<uint64_t>(batch), by_batch ? 1 : threads);
    const std::vector<double> means = few.run();
    std::copy(means.begin(), means.end(), all.begin() + batch * kLanes * width);
  });
  all.resize(static_cast<size_t>(copies * width));
  return all;
}

}  // namespace floydnet::brec
