// Checks certificates in integers, from the weights alone. Shares nothing with the search.

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "base/inflate.h"
#include "floydnet/error.h"
#include "tasks/tsp/solver/certificate.h"

namespace floydnet::tsp {

std::string weights_fingerprint(const Instance& instance) {
  std::uint64_t hash = kFnvStart;
  for (int u = 0; u + 1 < instance.cities(); ++u) {
    const auto others = static_cast<std::size_t>(instance.cities() - u - 1);
    hash = fnv1a(instance.row(u) + u + 1, others * sizeof(std::int32_t), hash);
  }
  return fmt::format("{} cities {:016x}", instance.cities(), hash);
}

std::string certificate_end(std::string_view text_before) {
  return fmt::format(",\"crc32\":\"{:08x}\"}}", crc32_of(text_before));
}

namespace verify {

using nlohmann::json;
/// Sums of any numbers that a certificate may have.
using Wide = __int128;

constexpr std::int64_t kMaxScale = std::int64_t{1} << 30;
constexpr std::int64_t kMaxMultiplier = std::int64_t{1} << 53;
constexpr int kTrivialCities = 3;

[[noreturn]] void fail(const std::string& problem) { throw InputError("certificate: " + problem); }

json parsed(const std::string& text) {
  const std::size_t end_size = certificate_end("").size();
  const std::size_t size = text.find_last_not_of(" \r\n\t") + 1;  // npos + 1 is 0
  if (size < end_size) fail("too short to be one");
  const std::string_view before = std::string_view(text).substr(0, size - end_size);
  if (std::string_view(text).substr(size - end_size, end_size) != certificate_end(before)) {
    fail("its checksum does not match: it is damaged or was changed");
  }
  json content = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!content.is_object()) fail("not a JSON object");
  return content;
}

const json& member(const json& object, const char* name) {
  const auto at = object.find(name);
  if (at == object.end()) fail(fmt::format("\"{}\" is missing", name));
  return *at;
}

const json& list_of(const json& object, const char* name) {
  const json& list = member(object, name);
  if (!list.is_array()) fail(fmt::format("\"{}\" is not a list", name));
  return list;
}

std::int64_t integer(const json& value, std::int64_t least, std::int64_t most, const char* what) {
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <=
                              static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
                        : value.is_number_integer();
  if (!fits) fail(fmt::format("{} is not an integer", what));
  const auto number = value.get<std::int64_t>();
  if (number < least || number > most) {
    fail(fmt::format("{} is {}, not in {} to {}", what, number, least, most));
  }
  return number;
}

void check_text(const json& content, const char* name, const std::string& wanted) {
  const json& value = member(content, name);
  if (!value.is_string() || value.get_ref<const std::string&>() != wanted) {
    fail(fmt::format("\"{}\" is not \"{}\"", name, wanted));
  }
}

/// x(delta(S)) summed over the sets is at least rhs.
struct Inequality {
  std::vector<std::vector<int>> sets;
  int rhs = 0;
};

std::vector<int> city_set(const json& list, int cities) {
  if (!list.is_array() || list.empty()) fail("a set of a cut is not a list of cities");
  std::vector<int> set;
  for (const json& city : list) {
    set.push_back(static_cast<int>(integer(city, 0, cities - 1, "a city of a cut")));
    if (set.size() > 1 && set[set.size() - 2] >= set.back()) fail("a set of a cut is not sorted");
  }
  if (set.size() == static_cast<std::size_t>(cities)) fail("a set of a cut has all cities");
  return set;
}

/// A comb: an odd number of at least three disjoint teeth, each partly in the handle.
void check_comb(const std::vector<std::vector<int>>& sets, int cities) {
  if (sets.size() < 4 || sets.size() % 2 == 1)
    fail("a comb needs an odd number of teeth from 3 on");
  std::vector<char> in_handle(static_cast<std::size_t>(cities));
  std::vector<char> in_tooth(static_cast<std::size_t>(cities));
  for (const int city : sets[0]) in_handle[city] = 1;
  for (std::size_t tooth = 1; tooth < sets.size(); ++tooth) {
    std::size_t common = 0;
    for (const int city : sets[tooth]) {
      if (in_tooth[city] != 0) fail("teeth of a comb share a city");
      in_tooth[city] = 1;
      common += in_handle[city] != 0 ? 1 : 0;
    }
    if (common == 0 || common == sets[tooth].size()) {
      fail("a tooth of a comb does not cross the handle");
    }
  }
}

Inequality inequality(const json& list, int cities) {
  if (!list.is_array() || list.empty()) fail("a cut is not a list of sets");
  Inequality result;
  for (const json& set : list) result.sets.push_back(city_set(set, cities));
  if (result.sets.size() == 1) {
    result.rhs = 2;
  } else {
    check_comb(result.sets, cities);
    result.rhs = 3 * static_cast<int>(result.sets.size() - 1) + 1;
  }
  return result;
}

/// Reduced costs and the constant term of the bound.
class Relaxation {
 public:
  Relaxation(const Instance& instance, std::int64_t scale,
             const std::vector<Inequality>& inequalities, const json& multipliers)
      : instance_(instance), scale_(scale), sets_of_(static_cast<std::size_t>(instance.cities())) {
    if (!multipliers.is_object()) fail("multipliers are not an object");
    const json& cities = list_of(multipliers, "cities");
    if (cities.size() != sets_of_.size()) fail("not as many multipliers as cities");
    for (const json& pi : cities) {
      potential_.push_back(integer(pi, -kMaxMultiplier, kMaxMultiplier, "a multiplier"));
      constant_ += 2 * potential_.back();
    }
    for (const json& entry : list_of(multipliers, "cuts")) add_cut(inequalities, entry);
  }

  Wide constant() const { return constant_; }
  Wide cost(int u, int v) const {
    const Wide cost =
        static_cast<Wide>(instance_.weight(u, v)) * scale_ - potential_[u] - potential_[v];
    return cost + 2 * common(u, v);
  }

 private:
  struct Membership {
    int set;
    std::int64_t multiplier;
  };

  void add_cut(const std::vector<Inequality>& inequalities, const json& entry) {
    if (!entry.is_array() || entry.size() != 2) fail("a cut's multiplier is not a pair");
    const auto last = static_cast<std::int64_t>(inequalities.size()) - 1;
    const Inequality& cut = inequalities[integer(entry[0], 0, last, "the number of a cut")];
    const std::int64_t mu = integer(entry[1], 0, kMaxMultiplier, "a cut's multiplier");
    constant_ += static_cast<Wide>(mu) * cut.rhs;
    for (const auto& set : cut.sets) {
      for (const int city : set) {
        potential_[city] += mu;
        sets_of_[city].push_back({sets_, mu});
      }
      ++sets_;
    }
  }

  /// The multipliers of sets with both cities.
  Wide common(int u, int v) const {
    Wide sum = 0;
    auto a = sets_of_[u].begin();
    for (const Membership& b : sets_of_[v]) {
      while (a != sets_of_[u].end() && a->set < b.set) ++a;
      if (a == sets_of_[u].end()) break;
      if (a->set == b.set) sum += b.multiplier;
    }
    return sum;
  }

  const Instance& instance_;
  std::int64_t scale_;
  Wide constant_ = 0;
  std::vector<Wide> potential_;
  std::vector<std::vector<Membership>> sets_of_;  // by city, in the order of sets
  int sets_ = 0;
};

enum class State : char { kFree, kIn, kOut };

/// What is known about each edge of a better tour.
class EdgeStates {
 public:
  explicit EdgeStates(int cities)
      : cities_(cities),
        states_(static_cast<std::size_t>(cities) * static_cast<std::size_t>(cities), State::kFree) {
    for (int u = 0; u < cities; ++u) {
      for (int v = u + 1; v < cities; ++v) edges_.push_back({u, v});
    }
  }

  State& operator()(int u, int v) {
    return states_[static_cast<std::size_t>(std::min(u, v)) * static_cast<std::size_t>(cities_) +
                   static_cast<std::size_t>(std::max(u, v))];
  }

  /// No better tour is shorter than this, times the scale.
  Wide bound(const Relaxation& relaxation) {
    Wide sum = relaxation.constant();
    for (const auto& [u, v] : edges_) {
      const State state = (*this)(u, v);
      if (state == State::kOut) continue;
      const Wide cost = relaxation.cost(u, v);
      if (cost < 0 || state == State::kIn) sum += cost;
    }
    return sum;
  }

  /// Edges whose reduced costs exceed the gap; false if there is none, and all is proven.
  bool fix(const Relaxation& relaxation, Wide target) {
    const Wide least = bound(relaxation);
    if (least > target) return false;
    std::vector<std::pair<int, int>> left;
    for (const auto& [u, v] : edges_) {
      const Wide cost = relaxation.cost(u, v);
      State& state = (*this)(u, v);
      if (least + std::max<Wide>(0, cost) > target) {
        state = State::kOut;
        continue;
      }
      if (least - std::min<Wide>(0, cost) > target) state = State::kIn;
      left.emplace_back(u, v);
    }
    edges_ = std::move(left);
    return true;
  }

 private:
  int cities_;
  std::vector<State> states_;
  std::vector<std::pair<int, int>> edges_;  // without those that are out from the start
};

/// Walks the tree of branchings, without the edge first, and checks the bound of each leaf.
class Walk {
 public:
  Walk(EdgeStates& states, int cities) : states_(states), cities_(cities) {}

  void branch(const json& edge) {
    const int u = static_cast<int>(integer(edge[0], 0, cities_ - 1, "a city of the tree"));
    const int v = static_cast<int>(integer(edge[1], 0, cities_ - 1, "a city of the tree"));
    if (u == v) fail("the tree branches on no edge");
    if (done_) fail("the tree goes on after its last leaf");
    path_.push_back({u, v, states_(u, v), State::kOut});
    enter();
  }
  /// Whether decisions contradict each other: there is no tour, and nothing to show.
  bool impossible() const { return contradictions_ > 0; }
  void leave_leaf() {
    if (done_) fail("the tree goes on after its last leaf");
    while (!path_.empty() && path_.back().now == State::kIn) {
      leave();
      path_.pop_back();
    }
    if (path_.empty()) {
      done_ = true;
      return;
    }
    leave();
    path_.back().now = State::kIn;
    enter();
  }
  bool done() const { return done_; }

 private:
  struct Step {
    int u;
    int v;
    State before;
    State now;
  };

  bool contradicts(const Step& step) const {
    return step.before != State::kFree && step.before != step.now;
  }
  void enter() {
    const Step& step = path_.back();
    if (contradicts(step)) ++contradictions_;
    if (step.before == State::kFree) states_(step.u, step.v) = step.now;
  }
  void leave() {
    const Step& step = path_.back();
    if (contradicts(step)) --contradictions_;
    states_(step.u, step.v) = step.before;
  }

  EdgeStates& states_;
  int cities_;
  std::vector<Step> path_;
  int contradictions_ = 0;
  bool done_ = false;
};

Tour tour_of(const json& content, const Instance& instance) {
  Tour tour;
  for (const json& city : list_of(content, "tour")) {
    tour.push_back(static_cast<int>(integer(city, 0, instance.cities() - 1, "a city of the tour")));
  }
  check_tour(tour, instance.cities());
  const Length length = tour_length(instance, tour);
  if (member(content, "length") != length) {
    fail(fmt::format("its length is not that of its tour, {}", length));
  }
  return tour;
}

void check_tree(const json& content, const Instance& instance, std::int64_t scale, Wide target) {
  std::vector<Inequality> cuts;
  for (const json& cut : list_of(content, "cuts"))
    cuts.push_back(inequality(cut, instance.cities()));
  EdgeStates states(instance.cities());
  if (content.contains("fixing") &&
      !states.fix(Relaxation(instance, scale, cuts, content["fixing"]), target)) {
    return;
  }
  Walk walk(states, instance.cities());
  for (const json& node : list_of(content, "tree")) {
    if (node.is_array() && node.size() == 2) {
      walk.branch(node);
      continue;
    }
    const Relaxation relaxation(instance, scale, cuts, node);
    if (!walk.impossible() && states.bound(relaxation) <= target) {
      fail("a leaf's bound leaves room for a shorter tour");
    }
    walk.leave_leaf();
  }
  if (!walk.done()) fail("the tree is not complete");
}

}  // namespace verify

Tour verify_certificate(const Instance& instance, const std::string& text) {
  const nlohmann::json content = verify::parsed(text);
  verify::check_text(content, "format", kCertificateFormat);
  verify::check_text(content, "weights", weights_fingerprint(instance));
  Tour tour = verify::tour_of(content, instance);
  const std::int64_t scale =
      verify::integer(verify::member(content, "scale"), 1, verify::kMaxScale, "the scale");
  if (instance.cities() > verify::kTrivialCities) {
    const verify::Wide target = static_cast<verify::Wide>(tour_length(instance, tour) - 1) * scale;
    verify::check_tree(content, instance, scale, target);
  }
  return tour;
}

}  // namespace floydnet::tsp
