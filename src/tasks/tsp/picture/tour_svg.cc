#include "tasks/tsp/picture/tour_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/markup.h"
#include "report/plot.h"

namespace floydnet::tsp {
namespace {

// A panel is at most so large; what is around the panels.
constexpr double kPanelSide = 480, kMargin = 28, kHeading = 84, kNoteHeight = 18;
constexpr double kLeastWidth = 520;  // for what is written

using TourEdge = std::pair<int, int>;

std::set<TourEdge> edges_of(const Tour& tour) {
  std::set<TourEdge> edges;
  for (std::size_t i = 0; i < tour.size(); ++i) {
    edges.insert(std::minmax(tour[i], tour[i + 1 == tour.size() ? 0 : i + 1]));
  }
  return edges;
}

/// From the layout's coordinates to those of a panel whose upper left corner is at (0, 0).
class PictureFrame {
 public:
  explicit PictureFrame(const std::vector<Point>& places) {
    low_ = high_ = places.front();
    for (const Point& place : places) {
      low_ = {std::min(low_.x, place.x), std::min(low_.y, place.y)};
      high_ = {std::max(high_.x, place.x), std::max(high_.y, place.y)};
    }
    const double extent = std::max(high_.x - low_.x, high_.y - low_.y);
    scale_ = extent > 0 && std::isfinite(extent) ? kPanelSide / extent : 0;
  }

  double width() const { return scale_ * (high_.x - low_.x); }
  double height() const { return scale_ * (high_.y - low_.y); }
  Point operator()(Point place) const {
    return {scale_ * (place.x - low_.x), scale_ * (high_.y - place.y)};
  }

 private:
  Point low_, high_;
  double scale_;
};

class PanelDrawing {
 public:
  PanelDrawing(const Layout& layout, const PictureFrame& frame, Point corner)
      : layout_(layout), frame_(frame), corner_(corner) {}

  template <typename Edges>
  std::string edges(const Edges& edges, const std::string& look) const {
    std::string path;
    for (const auto& [a, b] : edges) {
      const Point from = at(a), to = at(b);
      path += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", from.x, from.y, to.x, to.y);
    }
    return path.empty() ? "" : fmt::format("<path class=\"{}\" d=\"{}\"/>\n", look, path);
  }

  std::string cities() const {
    const auto count = static_cast<double>(layout_.places.size());
    const double radius = std::clamp(32 / std::sqrt(count), 1.0, 4.0);
    std::string svg;
    for (std::size_t i = 0; i < layout_.places.size(); ++i) {
      const Point place = at(static_cast<int>(i));
      svg += fmt::format("<circle class=\"city\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n",
                         place.x, place.y, radius);
    }
    return svg;
  }

 private:
  Point at(int city) const {
    const Point place = frame_(layout_.places[static_cast<std::size_t>(city)]);
    return {corner_.x + place.x, corner_.y + place.y};
  }

  const Layout& layout_;
  const PictureFrame& frame_;
  Point corner_;
};

std::string tour_panel_svg(const TourPanel& panel, const std::set<TourEdge>& others,
                           const PanelDrawing& drawing, const Layout& layout) {
  std::set<TourEdge> shared, own;
  for (const TourEdge& edge : edges_of(panel.tour)) {
    (others.empty() || others.count(edge) != 0 ? shared : own).insert(edge);
  }
  return drawing.edges(layout.hints, "hint") + drawing.edges(shared, "edge s0") +
         drawing.edges(own, "edge own s1") + drawing.cities();
}

std::string svg_colours(bool dark) {
  return fmt::format(
             "  text {{ fill: {}; }} .pale {{ fill: {}; }} .back {{ fill: {}; }}\n"
             "  .hint {{ stroke: {}; }} .city {{ fill: {}; }}\n",
             dark ? "#e6e8eb" : "#1d2026", dark ? "#a3a9b3" : "#5b616b",
             dark ? "#16181c" : "#ffffff", dark ? "#30343b" : "#e2e5ea",
             dark ? "#e6e8eb" : "#1d2026") +
         plot_colours_css(dark);
}

std::string svg_style() {
  return "<style>\n  text { font-family: system-ui, \"DejaVu Sans\", sans-serif; font-size: 13px; "
         "}\n  .title { font-size: 18px; font-weight: 600; }\n  .pale { font-size: 12px; }\n"
         "  .edge { fill: none; stroke-width: 1.8; stroke-linecap: round; }\n"
         "  .own { stroke-width: 3; }\n  .hint { fill: none; stroke-width: 1; }\n" +
         svg_colours(false) + "  @media (prefers-color-scheme: dark) {\n" + svg_colours(true) +
         "  }\n</style>\n";
}

std::string text_at(double x, double y, const std::string& look, const std::string& text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", look, x, y,
                     escaped(text));
}

}  // namespace

std::string tour_svg(const std::string& title, const Layout& layout,
                     const std::vector<TourPanel>& panels) {
  const PictureFrame frame(layout.places);
  const auto count = static_cast<double>(panels.size());
  const double step = std::max(frame.width() + 2 * kMargin, kLeastWidth);
  const double notes_top = kHeading + frame.height() + kMargin;
  const double width = count * step;
  const double height = notes_top + kNoteHeight * static_cast<double>(layout.notes.size());
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\">\n<title>{2}</title>\n{3}"
      "<rect class=\"back\" width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n",
      width, height, escaped(title), svg_style());
  svg += text_at(kMargin, 34, "title", title);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double left = step * static_cast<double>(i);
    std::set<TourEdge> others;
    if (panels.size() == 2) others = edges_of(panels[1 - i].tour);
    const PanelDrawing drawing(layout, frame, {left + (step - frame.width()) / 2, kHeading});
    svg += text_at(left + kMargin, 58, "caption", panels[i].caption);
    svg += tour_panel_svg(panels[i], others, drawing, layout);
  }
  for (std::size_t i = 0; i < layout.notes.size(); ++i) {
    svg += text_at(kMargin, notes_top + kNoteHeight * (static_cast<double>(i) + 0.4), "pale",
                   layout.notes[i]);
  }
  return svg + "</svg>\n";
}

}  // namespace floydnet::tsp
