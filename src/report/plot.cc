#include "report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/markup.h"

namespace floydnet {
namespace {

/// Where a panel's frame stands.
struct Frame {
  double left, top, right, bottom;
};

// A panel of a plot that stands alone, and what is around its frame.
constexpr double kPanelWidth = 420, kPanelHeight = 330;
constexpr double kLeft = 64, kRight = 16, kTop = 36, kBottom = 48;
constexpr double kHeading = 62;  // title and legend
// A panel within a page, whose title stands in the page.
constexpr double kInlineWidth = 460, kInlineHeight = 270;
constexpr Frame kInlineFrame = {56, 10, 450, 228};

constexpr size_t kMostMarks = 30;  // on a curve; more would hide it

/// Apart from each other for all kinds of colour vision, by simulation (a difference in OKLab of
/// 0.12 and more), with a contrast to the ground of 3.5 and more.
struct Colour {
  const char *on_light, *on_dark;
};
constexpr std::array<Colour, 6> kColours = {{{"#5285f8", "#62c7fc"},
                                             {"#da4da9", "#df4b9d"},
                                             {"#146655", "#99fd9d"},
                                             {"#681500", "#fa9435"},
                                             {"#4e0081", "#716df6"},
                                             {"#a67b14", "#737809"}}};
constexpr std::array<const char*, 6> kDashes = {"none",    "8 4",  "2 3",
                                                "9 3 2 3", "14 4", "6 2 2 2 2 2"};

/// Colours come again after six styles, each with another dash.
size_t colour_of(size_t style) { return style % kColours.size(); }
size_t dash_of(size_t style) { return (style + style / kColours.size()) % kDashes.size(); }

/// A mark of its own for each style, since not everybody can tell the colours apart.
std::string mark(size_t style, double x, double y) {
  const size_t colour = colour_of(style);
  const auto polygon = [&](const std::vector<std::pair<double, double>>& corners) {
    std::string points;
    for (const auto& [dx, dy] : corners) points += fmt::format("{:.1f},{:.1f} ", x + dx, y + dy);
    points.pop_back();
    return fmt::format("<polygon class=\"m{}\" points=\"{}\"/>\n", colour, points);
  };
  switch (style % 4) {
    case 1:
      return polygon({{-3, -3}, {3, -3}, {3, 3}, {-3, 3}});
    case 2:
      return polygon({{0, -4}, {3.7, 3}, {-3.7, 3}});
    case 3:
      return polygon({{0, -4.3}, {4.3, 0}, {0, 4.3}, {-4.3, 0}});
    default:
      return fmt::format("<circle class=\"m{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.4\"/>\n", colour,
                         x, y);
  }
}

std::string line_class(size_t style) {
  return fmt::format("line s{} d{}", colour_of(style), dash_of(style));
}

/// Draws a panel's values into a frame.
class Area {
 public:
  Area(const PlotPanel& panel, const Frame& frame)
      : panel_(panel),
        frame_(frame),
        x_(panel.x, values(panel, /*of_x=*/true, panel.diagonal)),
        y_(panel.y, values(panel, panel.diagonal, /*of_y=*/true)) {}

  const Scale& x_scale() const { return x_; }

  std::string axes() const {
    const auto& [left, top, right, bottom] = frame_;
    std::string svg = shade() + ticks() + diagonal();
    svg += fmt::format(
        "<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
        left, top, right - left, bottom - top);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                       (left + right) / 2, bottom + 36, escaped(panel_.x.label));
    if (panel_.y.label.empty()) return svg;
    return svg + fmt::format(
                     "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" "
                     "text-anchor=\"middle\">{}</text>\n",
                     left - 48, (top + bottom) / 2, escaped(panel_.y.label));
  }

  std::string title() const {
    return fmt::format(
        "<text class=\"panel\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
        (frame_.left + frame_.right) / 2, frame_.top - 10, escaped(panel_.title));
  }

  std::string curve(const PlotSeries& series, size_t style) const {
    if (series.scattered) return dots(series, style);
    std::string points, marks;
    for (const auto& [px, py] : series.points) {
      if (!can_show(px, panel_.x) || !can_show(py, panel_.y)) continue;
      points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x(px), y(py));
      if (series.points.size() <= kMostMarks && !series.faint) marks += mark(style, x(px), y(py));
    }
    if (points.empty()) return "";
    const std::string look =
        series.faint ? fmt::format("line faint s{}", colour_of(style)) : line_class(style);
    return fmt::format("<polyline class=\"{}\" points=\"{}\"/>\n", look, points) + marks;
  }

 private:
  std::string dots(const PlotSeries& series, size_t style) const {
    std::string svg = fmt::format("<g class=\"dots m{}\">\n", colour_of(style));
    for (const auto& [px, py] : series.points) {
      if (!can_show(px, panel_.x) || !can_show(py, panel_.y)) continue;
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.4\"/>\n", x(px), y(py));
    }
    return svg + "</g>\n";
  }

  double x(double value) const { return frame_.left + (frame_.right - frame_.left) * x_(value); }
  double y(double value) const { return frame_.bottom - (frame_.bottom - frame_.top) * y_(value); }

  static std::vector<double> values(const PlotPanel& panel, bool of_x, bool of_y) {
    std::vector<double> found;
    for (const PlotSeries& series : panel.series) {
      for (const auto& [px, py] : series.points) {
        if (!can_show(px, panel.x) || !can_show(py, panel.y)) continue;
        if (of_x) found.push_back(px);
        if (of_y) found.push_back(py);
      }
    }
    return found;
  }

  std::string diagonal() const {
    if (!panel_.diagonal) return "";
    const auto& [left, top, right, bottom] = frame_;
    return fmt::format(
        "<line class=\"diagonal\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
        left, bottom, right, top);
  }

  std::string shade() const {
    if (!panel_.shaded) return "";
    const double low = std::max(panel_.shaded->first, x_.low());
    const double high = std::min(panel_.shaded->second, x_.high());
    if (!(low < high)) return "";
    return fmt::format(
        "<rect class=\"shade\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
        x(low), frame_.top, x(high) - x(low), frame_.bottom - frame_.top);
  }

  std::string ticks() const {
    const auto& [left, top, right, bottom] = frame_;
    std::string svg;
    const auto line = [&svg](double x1, double y1, double x2, double y2) {
      svg += fmt::format(
          "<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x1,
          y1, x2, y2);
    };
    for (const double value : x_.ticks()) {
      if (!can_show(value, panel_.x)) continue;
      line(x(value), top, x(value), bottom);
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                         x(value), bottom + 18, tick_text(value));
    }
    for (const double value : y_.ticks()) {
      if (!can_show(value, panel_.y)) continue;
      line(left, y(value), right, y(value));
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                         left - 6, y(value) + 4, tick_text(value));
    }
    return svg;
  }

  const PlotPanel& panel_;
  Frame frame_;
  Scale x_, y_;
};

std::vector<std::string> names_of(const std::vector<PlotPanel>& panels) {
  std::vector<std::string> names;
  for (const PlotPanel& panel : panels) {
    for (const PlotSeries& series : panel.series) {
      if (std::find(names.begin(), names.end(), series.name) == names.end()) {
        names.push_back(series.name);
      }
    }
  }
  return names;
}

/// All curves of a panel, the faint ones first.
std::string curves(const Area& area, const PlotPanel& panel,
                   const std::vector<std::string>& names) {
  std::string faint, others;
  for (const PlotSeries& series : panel.series) {
    const auto found = std::find(names.begin(), names.end(), series.name);
    const size_t style = series.style.value_or(static_cast<size_t>(found - names.begin()));
    (series.faint ? faint : others) += area.curve(series, style);
  }
  return faint + others;
}

std::string legend_line(size_t style, double x, double y) {
  return fmt::format(
             "<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
             line_class(style), x, y, x + 28, y) +
         mark(style, x + 14, y);
}

/// In as many lines as the width asks for; `height` is that of all but the first.
struct Legend {
  std::string svg;
  double height = 0;
};

Legend legend(const std::vector<std::string>& names, double width) {
  constexpr double kFirstLine = 48, kLineHeight = 18;
  Legend legend;
  double x = kLeft;
  for (size_t i = 0; i < names.size(); ++i) {
    const double length = 58 + 7 * static_cast<double>(names[i].size());
    if (x > kLeft && x + length > width) {
      x = kLeft;
      legend.height += kLineHeight;
    }
    const double y = kFirstLine + legend.height;
    legend.svg += legend_line(i, x, y);
    legend.svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x + 34, y + 4,
                              escaped(names[i]));
    x += length;
  }
  return legend;
}

std::string stand_alone_style() {
  return "<style>\n  text { font-family: system-ui, sans-serif; font-size: 12px; fill: #333; }\n"
         "  .title { font-size: 16px; font-weight: 600; }\n"
         "  .panel { font-size: 13px; font-weight: 600; }\n"
         "  .back { fill: #fff; }\n" +
         plot_css() + plot_colours_css(false) +
         "  @media (prefers-color-scheme: dark) {\n"
         "  text { fill: #ddd; }\n  .back { fill: #16181c; }\n" +
         plot_colours_css(true) + "  }\n</style>\n";
}

}  // namespace

std::string plot_css() {
  std::string css =
      "  .grid { stroke-width: 1; }\n"
      "  .shade { fill: #888; fill-opacity: 0.12; }\n"
      "  .diagonal { stroke: #888; stroke-width: 1; stroke-dasharray: 4 3; }\n"
      "  .dots { fill-opacity: 0.6; }\n"
      "  .frame { stroke: #888; stroke-width: 1; fill: none; }\n"
      "  .line { fill: none; stroke-width: 2; stroke-linejoin: round; }\n"
      "  .faint { stroke-width: 1; stroke-opacity: 0.35; }\n";
  for (size_t i = 1; i < kDashes.size(); ++i) {
    css += fmt::format("  .d{} {{ stroke-dasharray: {}; }}\n", i, kDashes[i]);
  }
  return css;
}

std::string plot_colours_css(bool dark) {
  std::string css = fmt::format("  .grid {{ stroke: {}; }}\n", dark ? "#34373d" : "#ddd");
  for (size_t i = 0; i < kColours.size(); ++i) {
    css += fmt::format("  .s{0} {{ stroke: {1}; }} .m{0} {{ fill: {1}; }}\n", i,
                       dark ? kColours[i].on_dark : kColours[i].on_light);
  }
  return css;
}

std::string plot_svg(const std::string& title, const std::vector<PlotPanel>& panels,
                     size_t columns) {
  columns = std::max<size_t>(1, std::min(columns, panels.size()));
  const size_t rows = std::max<size_t>(1, (panels.size() + columns - 1) / columns);
  const double width = kPanelWidth * static_cast<double>(columns);
  const std::vector<std::string> names = names_of(panels);
  const Legend all_names = legend(names, width);
  const double heading = kHeading + all_names.height;
  const double height = heading + kPanelHeight * static_cast<double>(rows);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
      "height=\"{1:g}\" role=\"img\">\n<title>{2}</title>\n",
      width, height, escaped(title));
  svg += stand_alone_style();
  svg += fmt::format("<rect class=\"back\" width=\"{:g}\" height=\"{:g}\"/>\n", width, height);
  svg +=
      fmt::format("<text class=\"title\" x=\"{:g}\" y=\"26\">{}</text>\n", kLeft, escaped(title));
  svg += all_names.svg;
  for (size_t p = 0; p < panels.size(); ++p) {
    const double left = kPanelWidth * static_cast<double>(p % columns);
    const double top = heading + kPanelHeight * static_cast<double>(p / columns);
    const Area area(panels[p], {left + kLeft, top + kTop, left + kPanelWidth - kRight,
                                top + kPanelHeight - kBottom});
    svg += area.axes() + area.title() + curves(area, panels[p], names);
  }
  return svg + "</svg>\n";
}

std::string panel_svg(const PlotPanel& panel, const std::string& id,
                      const std::string& description) {
  const Area area(panel, kInlineFrame);
  const auto& [left, top, right, bottom] = kInlineFrame;
  std::string svg = fmt::format(
      "<svg class=\"plot\" viewBox=\"0 0 {:g} {:g}\" role=\"img\" aria-labelledby=\"{}-title "
      "{}-text\" data-left=\"{:g}\" data-right=\"{:g}\" data-x-low=\"{:.9g}\" "
      "data-x-high=\"{:.9g}\">\n",
      kInlineWidth, kInlineHeight, id, id, left, right, area.x_scale().low(),
      area.x_scale().high());
  svg += fmt::format("<title id=\"{}-title\">{}</title>\n<desc id=\"{}-text\">{}</desc>\n", id,
                     escaped(panel.title), id, escaped(description));
  svg += area.axes() + curves(area, panel, names_of({panel}));
  svg += fmt::format("<line class=\"guide\" x1=\"0\" y1=\"{:g}\" x2=\"0\" y2=\"{:g}\"/>\n", top,
                     bottom);
  return svg + "</svg>\n";
}

std::string legend_svg(size_t style) {
  return "<svg class=\"key\" viewBox=\"0 0 28 12\" width=\"28\" height=\"12\" "
         "aria-hidden=\"true\">" +
         legend_line(style, 0, 6) + "</svg>";
}

}  // namespace floydnet
