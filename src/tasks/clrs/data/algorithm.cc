#include "tasks/clrs/data/algorithm.h"

#include <algorithm>
#include <iterator>

#include "base/options.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "tasks/clrs/data/catalogue.h"
#include "tasks/clrs/data/trace.h"

namespace floydnet::clrs {
namespace {

std::vector<Algorithm> make_catalogue() {
  std::vector<Algorithm> all;
  for (const auto& group : {divide_and_conquer_algorithms, dynamic_programming_algorithms,
                            geometry_algorithms, depth_first_algorithms, component_algorithms,
                            shortest_path_algorithms, spanning_tree_algorithms, greedy_algorithms,
                            search_algorithms, sorting_algorithms, string_algorithms}) {
    std::vector<Algorithm> members = group();
    std::move(members.begin(), members.end(), std::back_inserter(all));
  }
  std::sort(all.begin(), all.end(),
            [](const Algorithm& a, const Algorithm& b) { return a.name < b.name; });
  return all;
}

}  // namespace

const char* text(Category category) {
  constexpr const char* kNames[] = {// in the order of the enumeration
                                    "Divide & Conquer", "Dynamic Programming",
                                    "Geometry",         "Graphs",
                                    "Greedy",           "Search",
                                    "Sorting",          "Strings"};
  return kNames[static_cast<int>(category)];
}

Spec make_spec(std::vector<Probe> inputs, std::vector<Probe> outputs, std::vector<Probe> hints) {
  Spec spec;
  const auto append = [&spec](std::vector<Probe>& probes, Stage stage) {
    for (Probe& probe : probes) {
      probe.stage = stage;
      spec.probes.push_back(std::move(probe));
    }
  };
  append(inputs, Stage::kInput);
  append(outputs, Stage::kOutput);
  append(hints, Stage::kHint);
  return spec;
}

const std::vector<Algorithm>& algorithms() {
  static const std::vector<Algorithm> all = make_catalogue();
  return all;
}

const Algorithm& find_algorithm(const std::string& name) {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name == name) return algorithm;
    names.push_back(algorithm.name);
  }
  const std::string near = suggestion(name, names);
  throw InputError("unknown algorithm " + in_quotes(name) +
                   (near.empty() ? "; floydnet data clrs --list shows all" : near));
}

void solve(const Algorithm& algorithm, const Problem& problem, bool record_hints, Sample& sample) {
  Trace trace(algorithm.spec, problem.nodes, record_hints, sample);
  algorithm.run(problem, trace);
}

}  // namespace floydnet::clrs
