// segments_intersect, graham_scan, jarvis_march.
#include <cmath>

#include "tasks/clrs/data/catalogue.h"
#include "tasks/clrs/data/sorted_order.h"
#include "tasks/clrs/data/trace.h"

namespace floydnet::clrs {
namespace {

struct Points {
  const Reals& x;
  const Reals& y;

  /// Twice the area of the triangle; positive where i, j, k turn left.
  double turn(int64_t i, int64_t j, int64_t k) const {
    return (x[j] - x[i]) * (y[k] - y[i]) - (y[j] - y[i]) * (x[k] - x[i]);
  }
  /// -turn, in the order of operations of the reference.
  double direction(int64_t i, int64_t j, int64_t k) const {
    return (x[k] - x[i]) * (y[j] - y[i]) - (x[j] - x[i]) * (y[k] - y[i]);
  }
  /// Whether k lies in the box of i and j.
  bool in_box(int64_t i, int64_t j, int64_t k) const {
    const auto between = [](double a, double b, double c) {
      return std::min(a, b) <= c && c <= std::max(a, b);
    };
    return between(x[i], x[j], x[k]) && between(y[i], y[j], y[k]);
  }
  /// The lowest, and of several the leftmost.
  int64_t lowest() const {
    size_t best = 0;
    for (size_t i = 1; i < x.size(); ++i) {
      if (y[i] < y[best] || (y[i] == y[best] && x[i] < x[best])) best = i;
    }
    return static_cast<int64_t>(best);
  }
};

void segments_intersect(const Problem& problem, Trace& trace) {
  const Points points{problem.first, problem.second};
  trace.inputs(Positions{}, points.x, points.y);
  Reals directions(4, 0);
  Reals on_segment(4, 0);
  trace.push(One{0}, One{0}, One{0}, directions, on_segment);
  for (int64_t k = 0; k < 4; ++k) {
    const int64_t i = k < 2 ? 2 : 0;  // the ends of the other segment
    const int64_t j = i + 1;
    directions[k] = points.direction(i, j, k);
    on_segment[k] = points.in_box(i, j, k) ? 1 : 0;
    trace.push(One{i}, One{j}, One{k}, directions, on_segment);
  }
  const auto opposite = [&](int64_t a, int64_t b) {
    return (directions[a] > 0 && directions[b] < 0) || (directions[a] < 0 && directions[b] > 0);
  };
  bool intersect = opposite(0, 1) && opposite(2, 3);
  for (int64_t k = 0; k < 4; ++k) intersect |= directions[k] == 0 && on_segment[k] != 0;
  trace.outputs(intersect ? 1.0 : 0.0);
}

class GrahamScan {
 public:
  GrahamScan(const Problem& problem, Trace& trace)
      : points_{problem.first, problem.second},
        angles_(trace.nodes(), 0),
        in_hull_(trace.nodes(), 0),
        below_(identity(trace.nodes())),
        trace_(trace) {}

  void run() {
    push(0, kStart);
    best_ = top_ = points_.lowest();
    in_hull_[best_] = 1;
    push(best_, kBest);
    const Nodes order = order_by_angle();
    push(best_, kSorted);
    for (size_t t = 1; t < order.size(); ++t) {
      while (t >= 3 && top_ != best_ && points_.turn(below_[top_], top_, order[t]) <= 0) {
        pop();
        push(order[t], kPop);
      }
      below_[order[t]] = top_;
      top_ = order[t];
      in_hull_[top_] = 1;
      push(top_, kPush);
    }
    trace_.outputs(in_hull_);
  }

 private:
  enum Phase { kStart, kBest, kSorted, kPop, kPush };

  void push(int64_t i, Phase phase) {
    trace_.push(One{best_}, angles_, in_hull_, below_, One{top_}, One{i}, One{phase});
  }

  Nodes order_by_angle() {
    constexpr double kFirst = -123456789;
    for (int64_t i = 0; i < trace_.nodes(); ++i) {
      angles_[i] = std::atan2(points_.y[i] - points_.y[best_], points_.x[i] - points_.x[best_]);
    }
    angles_[best_] = kFirst;
    Nodes order = sorted_order(angles_);
    angles_[best_] = 0;
    return order;
  }

  void pop() {
    const int64_t popped = top_;
    top_ = below_[popped];
    below_[popped] = popped;
    in_hull_[popped] = 0;
  }

  Points points_;
  Reals angles_, in_hull_;
  Nodes below_;  // on the stack
  int64_t best_ = 0, top_ = 0;
  Trace& trace_;
};

void graham_scan(const Problem& problem, Trace& trace) {
  trace.inputs(Positions{}, problem.first, problem.second);
  GrahamScan(problem, trace).run();
}

void jarvis_march(const Problem& problem, Trace& trace) {
  const Points points{problem.first, problem.second};
  trace.inputs(Positions{}, points.x, points.y);
  const int64_t n = trace.nodes();
  Reals in_hull(n, 0);
  int64_t best = 0, last = 0, end = 0;
  const auto push = [&](int64_t i, int64_t phase) {
    trace.push(ArrayOrder{}, in_hull, One{best}, One{last}, One{end}, One{i}, One{phase});
  };
  push(0, 0);
  best = end = points.lowest();
  do {  // `end` joins the hull, and the next end is looked for
    in_hull[end] = 1;
    last = end;
    end = 0;
    push(0, 1);
    for (int64_t i = 0; i < n; ++i) {
      if (end == last || (i != last && i != end && points.turn(last, end, i) <= 0)) end = i;
      push(i, 1);
    }
  } while (in_hull[end] == 0);
  trace.outputs(in_hull);
}

}  // namespace

std::vector<Algorithm> geometry_algorithms() {
  const std::vector<Probe> inputs = {node("pos", Type::kScalar), node("x", Type::kScalar),
                                     node("y", Type::kScalar)};
  const Probe in_hull = node("in_hull", Type::kMask);
  const Probe in_hull_h = node("in_hull_h", Type::kMask);
  const Probe best = node("best", Type::kMaskOne);
  const Probe i = node("i", Type::kMaskOne);
  return {
      {"segments_intersect", Category::kGeometry, &kSegmentsSampler, segments_intersect,
       make_spec(inputs, {integer(graph("intersect", Type::kMask))},
                 {i, node("j", Type::kMaskOne), node("k", Type::kMaskOne),
                  node("dir", Type::kScalar), node("on_seg", Type::kMask)})},
      {"graham_scan", Category::kGeometry, &kHullSampler, graham_scan,
       make_spec(inputs, {in_hull},
                 {best, node("atans", Type::kScalar), in_hull_h, node("stack_prev", Type::kPointer),
                  node("last_stack", Type::kMaskOne), i, graph("phase", Type::kCategorical, 5)})},
      {"jarvis_march", Category::kGeometry, &kHullSampler, jarvis_march,
       make_spec(
           inputs, {in_hull},
           {node("pred_h", Type::kPointer), in_hull_h, best, node("last_point", Type::kMaskOne),
            node("endpoint", Type::kMaskOne), i, graph("phase", Type::kCategorical, 2)})},
  };
}

}  // namespace floydnet::clrs
