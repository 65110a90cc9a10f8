#include "tasks/graphs/page/graph_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "floydnet/error.h"
#include "report/plot.h"
#include "tasks/graphs/molecules/molecule.h"
#include "tasks/graphs/page/graph_layout.h"

namespace floydnet::graphs {
namespace {

constexpr int kWidth = 320, kHeight = 240;
constexpr double kMargin = 14;
constexpr double kLongestEdge = 60, kLeastNumbered = 6.5;  // pixels
constexpr double kMarkOpacity = 0.65;                      // so that numbers can be read on it
constexpr double kStrong = 0.5;  // marks that RDKit draws; it knows no others

std::vector<Graph::Edge> edges_of(const GraphSet& set, int64_t graph) {
  const auto g = static_cast<size_t>(graph);
  return {set.edges.begin() + set.edge_offsets[g], set.edges.begin() + set.edge_offsets[g + 1]};
}

/// Each couple of neighbours once, in an order that does not depend on how they are listed.
std::vector<Graph::Edge> sorted_couples(std::vector<Graph::Edge> edges) {
  for (auto& [u, v] : edges) {
    if (u > v) std::swap(u, v);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

std::vector<int64_t> sorted_degrees(int64_t nodes, const std::vector<Graph::Edge>& couples) {
  std::vector<int64_t> degrees(static_cast<size_t>(nodes), 0);
  for (const auto& [u, v] : couples) {
    ++degrees[static_cast<size_t>(u)];
    ++degrees[static_cast<size_t>(v)];
  }
  std::sort(degrees.begin(), degrees.end());
  return degrees;
}

/// Whether a graph is that of a molecule; with `same_names`, also node by node. Atoms of ZINC are
/// in another order than those of their SMILES.
bool is_graph_of(const MoleculeGraph& molecule, int64_t nodes,
                 const std::vector<Graph::Edge>& edges, bool same_names) {
  if (molecule.atoms != nodes) return false;
  const auto couples = sorted_couples(edges), bonds = sorted_couples(molecule.bonds);
  return same_names ? couples == bonds
                    : sorted_degrees(nodes, couples) == sorted_degrees(nodes, bonds);
}

MoleculeMarks strong_marks(const GraphMarks& marks) {
  MoleculeMarks strong;
  for (const auto& [node, strength] : marks.nodes) {
    if (strength >= kStrong) strong.atoms.push_back(node);
  }
  for (const auto& [edge, strength] : marks.edges) {
    if (strength >= kStrong) strong.bonds.push_back(edge);
  }
  return strong;
}

std::optional<std::string> molecule_picture(const GraphSet& set, int64_t graph,
                                            const GraphMarks& marks) {
  if (!has_rdkit() || set.names.empty() || !marks.pairs.empty()) return std::nullopt;
  const auto g = static_cast<size_t>(graph);
  try {
    const MoleculeGraph molecule = molecule_graph(set.names[g], MoleculeFeatures::kOgb);
    if (!is_graph_of(molecule, set.sizes[g], edges_of(set, graph), !marks.empty())) {
      return std::nullopt;
    }
    return draw_molecule(set.names[g], kWidth, kHeight, strong_marks(marks));
  } catch (const InputError&) {
    return std::nullopt;  // the name is some other one
  }
}

/// Draws places into the picture.
class GraphCanvas {
 public:
  explicit GraphCanvas(std::vector<Place> places) : places_(std::move(places)) {
    Place low = places_[0], high = low;
    for (const Place& place : places_) {
      low = {std::min(low.x, place.x), std::min(low.y, place.y)};
      high = {std::max(high.x, place.x), std::max(high.y, place.y)};
    }
    const double across = (kWidth - 2 * kMargin) / std::max(high.x - low.x, 1e-9);
    const double down = (kHeight - 2 * kMargin) / std::max(high.y - low.y, 1e-9);
    const double scale = std::min({across, down, kLongestEdge});
    for (Place& place : places_) {
      place = {kWidth / 2.0 + scale * (place.x - (low.x + high.x) / 2),
               kHeight / 2.0 + scale * (place.y - (low.y + high.y) / 2)};
    }
    radius_ = std::clamp(0.3 * scale, 1.2, 9.0);
  }

  std::string line(const Graph::Edge& ends, const std::string& attributes) const {
    return fmt::format("<path {} d=\"{}\"/>\n", attributes, stroke(ends));
  }

  std::string edges(const std::vector<Graph::Edge>& edges) const {
    std::string path;
    for (const Graph::Edge& ends : edges) path += stroke(ends);
    return path.empty() ? "" : fmt::format("<path class=\"edge\" d=\"{}\"/>\n", path);
  }

  std::string node(size_t v, const std::string& attributes) const {
    return fmt::format("<circle {} cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n", attributes,
                       places_[v].x, places_[v].y, radius_);
  }

  std::string numbers() const {
    std::string svg;
    for (size_t v = 0; radius_ >= kLeastNumbered && v < places_.size(); ++v) {
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", places_[v].x,
                         places_[v].y + 3.2, v);
    }
    return svg;
  }

  size_t nodes() const { return places_.size(); }

 private:
  std::string stroke(const Graph::Edge& ends) const {
    const Place &from = places_[static_cast<size_t>(ends.first)],
                &to = places_[static_cast<size_t>(ends.second)];
    return fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", from.x, from.y, to.x, to.y);
  }

  std::vector<Place> places_;
  double radius_;
};

std::string drawing_style() {
  const auto colours = [](bool dark) {
    return fmt::format(
               "  text {{ fill: {0}; }} .edge {{ stroke: {1}; }}\n"
               "  .node {{ fill: {2}; stroke: {1}; }}\n",
               dark ? "#e6e8eb" : "#1d2026", dark ? "#7d838d" : "#8a909a",
               dark ? "#16181c" : "#ffffff") +
           plot_colours_css(dark);
  };
  return "<style>\n  text { font: 9px system-ui, \"DejaVu Sans\", sans-serif; text-anchor: middle; "
         "}\n  .edge { fill: none; stroke-width: 1.2; } .marked { fill: none; stroke-width: 3.5; "
         "}\n"
         "  .pair { fill: none; stroke-width: 1.5; stroke-dasharray: 4 3; }\n" +
         colours(false) + "  @media (prefers-color-scheme: dark) {\n" + colours(true) +
         "  }\n</style>\n";
}

std::string plain_picture(const GraphSet& set, int64_t graph, const GraphMarks& marks) {
  const std::vector<Graph::Edge> edges = edges_of(set, graph);
  const GraphCanvas canvas(graph_layout(set.sizes[static_cast<size_t>(graph)], edges));
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\">\n",
      kWidth, kHeight);
  svg += drawing_style() + canvas.edges(edges);
  for (const auto& [ends, strength] : marks.edges) {
    svg +=
        canvas.line(ends, fmt::format("class=\"marked s1\" stroke-opacity=\"{:.2f}\"", strength));
  }
  for (const auto& [ends, strength] : marks.pairs) {
    svg += canvas.line(ends, fmt::format("class=\"pair s1\" stroke-opacity=\"{:.2f}\"", strength));
  }
  for (size_t v = 0; v < canvas.nodes(); ++v) svg += canvas.node(v, "class=\"node\"");
  for (const auto& [v, strength] : marks.nodes) {
    svg += canvas.node(static_cast<size_t>(v), fmt::format("class=\"m1\" fill-opacity=\"{:.2f}\"",
                                                           kMarkOpacity * strength));
  }
  return svg + canvas.numbers() + "</svg>\n";
}

}  // namespace

std::string graph_picture(const GraphSet& set, int64_t graph, const GraphMarks& marks) {
  if (set.sizes[static_cast<size_t>(graph)] > kMostNodesDrawn) return "";
  const std::optional<std::string> molecule = molecule_picture(set, graph, marks);
  return molecule ? *molecule : plain_picture(set, graph, marks);
}

}  // namespace floydnet::graphs
