#include "tasks/tsp/edges/judged_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/html_document.h"
#include "report/markup.h"
#include "tasks/tsp/edges/judged_tables.h"
#include "tasks/tsp/picture/tour_svg.h"

namespace floydnet::tsp {
namespace {

constexpr std::size_t kMostPictures = 6;

/// The one that a user would take: the shortest.
const JudgedSample& best_sample(const JudgedInstance& one) {
  return *std::min_element(
      one.samples.begin(), one.samples.end(),
      [](const JudgedSample& a, const JudgedSample& b) { return a.length() < b.length(); });
}

/// Of each size the first instance whose best tour is too long, or else the first; large ones
/// first.
std::vector<const JudgedInstance*> worth_drawing(const std::vector<JudgedInstance>& instances,
                                                 const std::vector<Problem>& problems) {
  std::map<int, const JudgedInstance*, std::greater<>> by_size;
  const auto is_optimal = [](const JudgedInstance& one) {
    return best_sample(one).length() <= one.optimum;
  };
  for (const JudgedInstance& one : instances) {
    if (problems[one.problem].points.empty()) continue;
    const JudgedInstance*& chosen = by_size[one.cities];
    if (chosen == nullptr || (is_optimal(*chosen) && !is_optimal(one))) chosen = &one;
  }
  std::vector<const JudgedInstance*> drawn;
  for (const auto& [cities, one] : by_size) {
    if (drawn.size() < kMostPictures) drawn.push_back(one);
  }
  return drawn;
}

std::string picture_html(const JudgedInstance& one, const Problem& problem) {
  const JudgedSample& sample = best_sample(one);
  const double gap =
      100 * (static_cast<double>(sample.length()) / static_cast<double>(one.optimum) - 1);
  const std::string how = sample.kind == Decoded::kTour ? "as decoded" : "merged from edges";
  const std::string svg =
      tour_svg(problem.name, layout_of(problem, one.optimal),
               {{fmt::format("model, {}: {:.2f} % too long", how, gap), sample.tour},
                {"optimum", one.optimal}});
  return report::svg_image(
      svg, fmt::format("{}: the model's tour, {}, is {:.2f} % longer than the optimum",
                       problem.name, how, gap));
}

}  // namespace

std::string judged_page(const std::vector<JudgedInstance>& instances,
                        const std::vector<Problem>& problems, const std::string& title,
                        const std::string& overview, TrainedSizes trained) {
  std::string figures = "<div class=\"charts\">\n";
  int id = 0;
  for (const PlotPanel& panel : judged_panels(instances, trained)) {
    figures += report::figure_html(panel, fmt::format("tours{}", ++id));
  }
  figures += "</div>\n";
  std::string pictures;
  for (const JudgedInstance* one : worth_drawing(instances, problems)) {
    pictures += picture_html(*one, problems[one->problem]);
  }
  return report::html_document(
      title, "<p class=\"pale\">" + escaped(overview) + "</p>\n",
      report::section("By number of cities", figures) +
          report::section("Tables",
                          report::tables_html({judged_table(instances), detailed_table(instances),
                                               baselines_table(instances)},
                                              "sampled tours")) +
          report::section("Tours", pictures));
}

}  // namespace floydnet::tsp
