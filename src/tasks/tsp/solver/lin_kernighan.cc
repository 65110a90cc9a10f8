#include "tasks/tsp/solver/lin_kernighan.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "tasks/tsp/solver/greedy.h"
#include "tasks/tsp/solver/limit.h"
#include "tasks/tsp/solver/lk_search.h"
#include "tasks/tsp/solver/random.h"

namespace floydnet::tsp {
namespace {

constexpr int kNeighbours = 8;
/// Kicks change edges that so many steps between neighbours lead to.
constexpr int kWalkSteps = 100;
/// A double bridge needs four edges; fewer cities have one tour.
constexpr int kMinCities = 4;

/// Cities from which an improvement may start; each at most once.
class Queue {
 public:
  explicit Queue(int cities) : waiting_(static_cast<std::size_t>(cities)) {}

  void push(int city) {
    if (waiting_[city]) return;
    waiting_[city] = true;
    cities_.push_back(city);
  }
  bool empty() const { return first_ == cities_.size(); }
  int pop() {
    const int city = cities_[first_++];
    waiting_[city] = false;
    if (empty()) {
      cities_.clear();
      first_ = 0;
    }
    return city;
  }
  void clear() {
    while (!empty()) pop();
  }

 private:
  std::vector<int> cities_;
  std::size_t first_ = 0;
  std::vector<bool> waiting_;
};

class ChainedLk {
 public:
  ChainedLk(const Instance& instance, const LinKernighanOptions& options)
      : limit_(options.time_limit, options.stop),
        instance_(instance),
        target_(options.target),
        neighbours_(candidate_neighbours(instance, kNeighbours)),
        tour_(options.start.empty() ? greedy_tour(instance, neighbours_) : options.start),
        search_(instance, neighbours_, tour_),
        queue_(instance.cities()),
        random_(options.seed) {}

  LinKernighanResult run(std::int64_t kicks) {
    Length length = tour_length(instance_, tour_.tour());
    for (const int city : Tour(tour_.tour())) queue_.push(city);
    length -= improve_all();
    LinKernighanResult best = {tour_.tour(), length, 0};
    std::int64_t last_gain = 0;
    for (; best.kicks < kicks && length > target_ && !limit_.reached(); ++best.kicks) {
      if (best.kicks - last_gain > patience()) {
        keep_better(best, length);
        length += shake();
        last_gain = best.kicks;
        continue;
      }
      search_.forget();
      const Length change = double_bridge() - improve_all();
      if (change < 0) last_gain = best.kicks;
      if (change <= 0) {
        length += change;
      } else {
        queue_.clear();
        search_.undo_to(0);
      }
    }
    keep_better(best, length);
    return best;
  }

 private:
  /// After so many kicks without gain others from elsewhere are more likely to find something.
  std::int64_t patience() const { return 3 * instance_.cities() / 2 + 100; }

  void keep_better(LinKernighanResult& best, Length length) const {
    if (length >= best.length) return;
    best.tour = tour_.tour();
    best.length = length;
  }

  /// Many kicks at once, kept whatever comes of it; by how much the tour is longer then.
  Length shake() {
    Length change = 0;
    for (int kick = 0; kick < instance_.cities() / 10 + 1; ++kick) change += double_bridge();
    return change - improve_all();
  }

  Length improve_all() {
    Length gain = 0;
    for (int steps = 1; !queue_.empty(); ++steps) {
      if (steps % 256 == 0 && limit_.reached()) break;
      const int city = queue_.pop();
      while (const Length gained = search_.improve(city)) {
        gain += gained;
        for (const int touched : search_.touched()) queue_.push(touched);
      }
    }
    return gain;
  }

  int random_walk(int city) {
    for (int step = random_.below(kWalkSteps) + 1; step > 0; --step) {
      city = neighbours_.begin(city)[random_.below(neighbours_.count())].city;
    }
    return city;
  }

  /// The last cities of the tour's four parts, in order.
  std::array<int, 4> random_ends() {
    std::array<int, 4> ends{};
    ends[0] = random_.below(instance_.cities());
    for (int i = 1; i < 4; ++i) {
      ends[i] = random_walk(ends[0]);
      while (std::find(ends.begin(), ends.begin() + i, ends[i]) != ends.begin() + i) {
        ends[i] = tour_.next(ends[i]);
      }
    }
    std::sort(ends.begin() + 1, ends.end(), [&](int a, int b) {
      return tour_.distance(ends[0], a) < tour_.distance(ends[0], b);
    });
    return ends;
  }

  /// A B C D becomes A D C B; by how much that is longer.
  Length double_bridge() {
    const std::array<int, 4> ends = random_ends();
    std::array<int, 4> starts{};
    for (int i = 0; i < 4; ++i) starts[i] = tour_.next(ends[i]);
    Length change = 0;
    for (int i = 0; i < 4; ++i) {
      // The part that ends here leads on to the one before it.
      change += instance_.weight(ends[i], starts[(i + 2) % 4]);
      change -= instance_.weight(ends[i], starts[i]);
      queue_.push(ends[i]);
      queue_.push(starts[i]);
    }
    search_.reverse(starts[0], ends[3]);
    for (int i = 0; i < 3; ++i) search_.reverse(ends[i + 1], starts[i]);
    return change;
  }

  Limit limit_;
  const Instance& instance_;
  Length target_;
  Neighbours neighbours_;
  TourArray tour_;
  LkSearch search_;
  Queue queue_;
  Random random_;
};

}  // namespace

LinKernighanResult lin_kernighan(const Instance& instance, const LinKernighanOptions& options) {
  if (!options.start.empty()) check_tour(options.start, instance.cities());
  if (instance.cities() < kMinCities) {
    Tour tour(static_cast<std::size_t>(instance.cities()));
    std::iota(tour.begin(), tour.end(), 0);
    return {tour, tour_length(instance, tour), 0};
  }
  return ChainedLk(instance, options).run(options.kicks);
}

}  // namespace floydnet::tsp
