#include "tasks/tsp/solver/lk_search.h"

#include <algorithm>
#include <array>

namespace floydnet::tsp {
namespace {

/// Where weights have no geometry, long chains cost much and find little.
constexpr int kMaxDepthOfPoints = 25;
constexpr int kMaxDepthOfMatrices = 7;
/// How many moves are tried at each level of the chain; one at all deeper ones.
constexpr std::array<int, 3> kBreadth = {5, 3, 1};
/// Levels at which moves of three edges are tried, too.
constexpr int kThreeExchangeLevels = 1;

/// In the log, in place of a path that was reversed: the tour's direction was.
constexpr int kTurn = -1;

int breadth(int level) { return level < static_cast<int>(kBreadth.size()) ? kBreadth[level] : 1; }

}  // namespace

/// The moves with the largest gain, largest first.
class LkSearch::Best {
 public:
  explicit Best(int capacity) : capacity_(capacity) {}

  void add(const Move& move) {
    if (size_ == capacity_) {
      if (move.gain <= moves_[size_ - 1].gain) return;
    } else {
      ++size_;
    }
    int i = size_ - 1;
    for (; i > 0 && moves_[i - 1].gain < move.gain; --i) moves_[i] = moves_[i - 1];
    moves_[i] = move;
  }
  const Move* begin() const { return moves_.data(); }
  const Move* end() const { return moves_.data() + size_; }

 private:
  int capacity_;
  int size_ = 0;
  std::array<Move, kBreadth[0]> moves_;
};

LkSearch::LkSearch(const Instance& instance, const Neighbours& neighbours, TourArray& tour)
    : instance_(instance),
      neighbours_(neighbours),
      tour_(tour),
      max_depth_(instance.points.empty() ? kMaxDepthOfMatrices : kMaxDepthOfPoints) {}

void LkSearch::reverse(int first, int last) {
  tour_.reverse(first, last);
  log_.push_back({first, last});
}

void LkSearch::undo_to(std::size_t mark) {
  while (log_.size() > mark) {
    const auto [first, last] = log_.back();
    if (first == kTurn) {
      tour_.turn();
    } else {
      tour_.reverse(last, first);
    }
    log_.pop_back();
  }
}

void LkSearch::turn() {
  tour_.turn();
  log_.push_back({kTurn, kTurn});
}

bool LkSearch::may_remove(int u, int v) const {
  return std::none_of(added_.begin(), added_.end(), [&](const AddedEdge& edge) {
    return (edge.u == u && edge.v == v) || (edge.u == v && edge.v == u);
  });
}

/// t2 .. p c .. t1 becomes p .. t2 c .. t1.
void LkSearch::collect_from_t2(const State& state, Best& best) const {
  const auto [t1, t2, gain] = state;
  for (const Neighbour* c = neighbours_.begin(t2); c != neighbours_.end(t2); ++c) {
    const Length left = gain - c->weight;
    if (left <= 0) break;
    if (c->city == t1) continue;
    const int p = tour_.previous(c->city);
    if (p == t2 || !may_remove(p, c->city)) continue;
    best.add({Kind::kFromT2, c->city, p, left + weight(p, c->city)});
  }
}

/// t2 .. c s .. t1 becomes t2 .. c t1 .. s.
void LkSearch::collect_from_t1(const State& state, Best& best) const {
  const auto [t1, t2, gain] = state;
  for (const Neighbour* c = neighbours_.begin(t1); c != neighbours_.end(t1); ++c) {
    const Length left = gain - c->weight;
    if (left <= 0) break;
    if (c->city == t2) continue;
    const int s = tour_.next(c->city);
    if (s == t1 || !may_remove(c->city, s)) continue;
    best.add({Kind::kFromT1, c->city, s, left + weight(c->city, s)});
  }
}

/// The edge from t2 to c closes a cycle t2 .. c and leaves a path s .. t1; the edge from s to d
/// opens it again, on either side of d.
void LkSearch::collect_three_exchanges(const State& state, Best& best) const {
  const auto [t1, t2, gain] = state;
  for (const Neighbour* c = neighbours_.begin(t2); c != neighbours_.end(t2); ++c) {
    if (gain - c->weight <= 0) break;
    const int s = tour_.next(c->city);
    if (c->city == t1 || c->city == tour_.next(t2) || !may_remove(c->city, s)) continue;
    const Length open = gain - c->weight + weight(c->city, s);
    for (const Neighbour* d = neighbours_.begin(s); d != neighbours_.end(s); ++d) {
      const Length left = open - d->weight;
      if (left <= 0) break;
      if (d->city == c->city || !tour_.between(t2, d->city, c->city)) continue;
      const int e = tour_.next(d->city);
      if (may_remove(d->city, e)) {
        best.add({Kind::kSwap, c->city, d->city, left + weight(d->city, e)});
      }
      const int p = tour_.previous(d->city);
      if (d->city != t2 && may_remove(p, d->city)) {
        best.add({Kind::kReverseBoth, c->city, d->city, left + weight(p, d->city)});
      }
    }
  }
}

void LkSearch::collect(const State& state, int level, Best& best) const {
  collect_from_t2(state, best);
  collect_from_t1(state, best);
  if (level < kThreeExchangeLevels) collect_three_exchanges(state, best);
}

void LkSearch::touch_all(std::initializer_list<int> cities) {
  touched_.insert(touched_.end(), cities);
}

LkSearch::State LkSearch::apply(const State& state, const Move& move) {
  const auto [t1, t2, gain] = state;
  const auto [kind, c, d, new_gain] = move;
  if (kind == Kind::kFromT2) {
    reverse(t2, d);
    added_.push_back({t2, c});
    touch_all({c, d});
    return {t1, d, new_gain};
  }
  if (kind == Kind::kFromT1) {
    reverse(d, t1);
    added_.push_back({t1, c});
    touch_all({c, d});
    return {d, t2, new_gain};
  }
  const int s = tour_.next(c);
  const int e = kind == Kind::kSwap ? tour_.next(d) : tour_.previous(d);
  if (kind == Kind::kSwap) {  // t2 .. d e .. c s .. t1 becomes e .. c t2 .. d s .. t1
    reverse(t2, c);
    reverse(c, e);
    reverse(d, t2);
  } else {  // t2 .. e d .. c s .. t1 becomes e .. t2 c .. d s .. t1
    reverse(t2, e);
    reverse(d, c);
  }
  added_.push_back({t2, c});
  added_.push_back({s, d});
  touch_all({c, s, d, e});
  return {t1, e, new_gain};
}

void LkSearch::search(const State& state, int level) {
  Best moves(breadth(level));
  collect(state, level, moves);
  for (const Move& move : moves) {
    if (move.gain <= best_gain_) return;
    const std::size_t before = mark();
    const std::size_t added = added_.size();
    const std::size_t touched = touched_.size();
    const State next = apply(state, move);
    const Length closed = next.gain - weight(next.t1, next.t2);
    if (closed > best_gain_) {
      best_gain_ = closed;
      best_mark_ = mark();
      best_touched_ = touched_.size();
    }
    if (level + 1 < max_depth_) search(next, level + 1);
    if (best_gain_ > 0) return;
    undo_to(before);
    added_.resize(added);
    touched_.resize(touched);
  }
}

Length LkSearch::improve(int t1) {
  const std::size_t before = mark();
  for (int side = 0; side < 2; ++side) {
    const int t2 = tour_.next(t1);
    best_gain_ = 0;
    added_.clear();
    touched_.assign({t1, t2});
    search({t1, t2, weight(t1, t2)}, 0);
    if (best_gain_ > 0) {
      undo_to(best_mark_);
      touched_.resize(best_touched_);
      return best_gain_;
    }
    turn();
  }
  undo_to(before);
  return 0;
}

}  // namespace floydnet::tsp
