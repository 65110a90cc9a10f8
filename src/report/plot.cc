#include "report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace floydnet {
namespace {

constexpr double kPanelWidth = 420, kPanelHeight = 330;
constexpr double kLeft = 64, kRight = 16, kTop = 36, kBottom = 48;  // around the area of a panel
constexpr double kHeading = 62;                                     // title and legend
constexpr size_t kStyles = 6;

constexpr const char* kStyle = R"(<style>
  text { font-family: system-ui, sans-serif; font-size: 12px; fill: #333; }
  .title { font-size: 16px; font-weight: 600; }
  .panel { font-size: 13px; font-weight: 600; }
  .back { fill: #fff; }
  .grid { stroke: #ddd; stroke-width: 1; }
  .frame { stroke: #888; stroke-width: 1; fill: none; }
  .line { fill: none; stroke-width: 2; }
  .s0 { stroke: #0b6bcb; } .m0 { fill: #0b6bcb; }
  .s1 { stroke: #c2410c; } .m1 { fill: #c2410c; }
  .s2 { stroke: #15803d; } .m2 { fill: #15803d; }
  .s3 { stroke: #7e22ce; } .m3 { fill: #7e22ce; }
  .s4 { stroke: #a16207; } .m4 { fill: #a16207; }
  .s5 { stroke: #be185d; } .m5 { fill: #be185d; }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd; }
    .back { fill: #16181c; }
    .grid { stroke: #34373d; }
    .s0 { stroke: #6cb6ff; } .m0 { fill: #6cb6ff; }
    .s1 { stroke: #ff9a62; } .m1 { fill: #ff9a62; }
    .s2 { stroke: #6fdd8b; } .m2 { fill: #6fdd8b; }
    .s3 { stroke: #d2a8ff; } .m3 { fill: #d2a8ff; }
    .s4 { stroke: #e3c34f; } .m4 { fill: #e3c34f; }
    .s5 { stroke: #ff8fc0; } .m5 { fill: #ff8fc0; }
  }
</style>
)";

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += ' ';  // XML has no way to write most of these
    } else {
      result += c;
    }
  }
  return result;
}

bool can_show(double value, const PlotAxis& axis) {
  return std::isfinite(value) && (!axis.logarithmic || value > 0);
}

/// From values to places between 0 and 1.
class Scale {
 public:
  Scale(const PlotAxis& axis, std::vector<double> values) : logarithmic_(axis.logarithmic) {
    values.insert(values.end(), axis.ticks.begin(), axis.ticks.end());
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : values) {
      if (!can_show(value, axis)) continue;
      low = std::min(low, place(value));
      high = std::max(high, place(value));
    }
    if (low > high) low = high = place(1);
    // Room around the data, and for data that are all the same.
    const double room = std::max(0.04 * (high - low), logarithmic_ ? 0.05 : 1e-9);
    low_ = low - room;
    high_ = high + room;
  }

  double operator()(double value) const { return (place(value) - low_) / (high_ - low_); }

  std::vector<double> ticks() const { return logarithmic_ ? log_ticks() : linear_ticks(); }

 private:
  double place(double value) const { return logarithmic_ ? std::log10(value) : value; }

  /// Powers of ten; 1, 2 and 5 times those where there would be few.
  std::vector<double> log_ticks() const {
    const bool dense = high_ - low_ < 2.5;
    std::vector<double> found;
    for (double power = std::floor(low_); power <= high_; ++power) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double value = factor * std::pow(10, power);
        const bool shown = dense || factor == 1;
        if (shown && place(value) >= low_ && place(value) <= high_) found.push_back(value);
      }
    }
    return found;
  }

  std::vector<double> linear_ticks() const {
    const double rough = (high_ - low_) / 5;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = power;
    for (const double factor : {2.0, 5.0, 10.0}) {
      if (step < rough) step = factor * power;
    }
    std::vector<double> found;
    // Adding zero makes a plain one of -0.
    for (double n = std::ceil(low_ / step); n * step <= high_; ++n) found.push_back(n * step + 0.0);
    return found;
  }

  bool logarithmic_;
  double low_ = 0, high_ = 1;
};

/// A mark of its own for each style, since not everybody can tell the colours apart.
std::string mark(size_t style, double x, double y) {
  const auto polygon = [&](const std::vector<std::pair<double, double>>& corners) {
    std::string points;
    for (const auto& [dx, dy] : corners) points += fmt::format("{:.1f},{:.1f} ", x + dx, y + dy);
    points.pop_back();
    return fmt::format("<polygon class=\"m{}\" points=\"{}\"/>\n", style, points);
  };
  switch (style % 4) {
    case 1:
      return polygon({{-3.5, -3.5}, {3.5, -3.5}, {3.5, 3.5}, {-3.5, 3.5}});
    case 2:
      return polygon({{0, -4.5}, {4.2, 3.5}, {-4.2, 3.5}});
    case 3:
      return polygon({{0, -5}, {5, 0}, {0, 5}, {-5, 0}});
    default:
      return fmt::format("<circle class=\"m{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", style, x,
                         y);
  }
}

/// Where a panel's values stand on the page.
class Area {
 public:
  Area(const PlotPanel& panel, double left)
      : panel_(panel),
        x_(panel.x, values(panel, true)),
        y_(panel.y, values(panel, false)),
        left_(left + kLeft),
        right_(left + kPanelWidth - kRight),
        top_(kHeading + kTop),
        bottom_(kHeading + kPanelHeight - kBottom) {}

  double x(double value) const { return left_ + (right_ - left_) * x_(value); }
  double y(double value) const { return bottom_ - (bottom_ - top_) * y_(value); }

  std::string frame() const {
    const double middle = (left_ + right_) / 2;
    std::string svg = ticks();
    svg += fmt::format(
        "<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
        left_, top_, right_ - left_, bottom_ - top_);
    svg += fmt::format(
        "<text class=\"panel\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
        middle, top_ - 10, escaped(panel_.title));
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", middle,
                       bottom_ + 36, escaped(panel_.x.label));
    svg += fmt::format(
        "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}"
        "</text>\n",
        left_ - 48, (top_ + bottom_) / 2, escaped(panel_.y.label));
    return svg;
  }

  std::string curve(const PlotSeries& series, size_t style) const {
    std::string points, marks;
    for (const auto& [px, py] : series.points) {
      if (!can_show(px, panel_.x) || !can_show(py, panel_.y)) continue;
      points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x(px), y(py));
      marks += mark(style, x(px), y(py));
    }
    return fmt::format("<polyline class=\"line s{}\" points=\"{}\"/>\n", style, points) + marks;
  }

 private:
  static std::vector<double> values(const PlotPanel& panel, bool of_x) {
    std::vector<double> found;
    for (const PlotSeries& series : panel.series) {
      for (const auto& [px, py] : series.points) {
        if (can_show(px, panel.x) && can_show(py, panel.y)) found.push_back(of_x ? px : py);
      }
    }
    return found;
  }

  std::string ticks() const {
    std::string svg;
    const auto line = [&svg](double x1, double y1, double x2, double y2) {
      svg += fmt::format(
          "<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x1,
          y1, x2, y2);
    };
    for (const double value : panel_.x.ticks.empty() ? x_.ticks() : panel_.x.ticks) {
      if (!can_show(value, panel_.x)) continue;
      line(x(value), top_, x(value), bottom_);
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:g}</text>\n",
                         x(value), bottom_ + 18, value);
    }
    for (const double value : panel_.y.ticks.empty() ? y_.ticks() : panel_.y.ticks) {
      if (!can_show(value, panel_.y)) continue;
      line(left_, y(value), right_, y(value));
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n",
                         left_ - 6, y(value) + 4, value);
    }
    return svg;
  }

  const PlotPanel& panel_;
  Scale x_, y_;
  double left_, right_, top_, bottom_;
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

std::string legend(const std::vector<std::string>& names) {
  std::string svg;
  double x = kLeft;
  for (size_t i = 0; i < names.size(); ++i) {
    const size_t style = i % kStyles;
    svg +=
        fmt::format("<line class=\"line s{}\" x1=\"{:.1f}\" y1=\"48\" x2=\"{:.1f}\" y2=\"48\"/>\n",
                    style, x, x + 24);
    svg += mark(style, x + 12, 48);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"52\">{}</text>\n", x + 30, escaped(names[i]));
    x += 54 + 7 * static_cast<double>(names[i].size());
  }
  return svg;
}

}  // namespace

std::string plot_svg(const std::string& title, const std::vector<PlotPanel>& panels) {
  const double width = kPanelWidth * std::max<double>(1, static_cast<double>(panels.size()));
  const double height = kHeading + kPanelHeight;
  const std::vector<std::string> names = names_of(panels);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
      "height=\"{1:g}\" role=\"img\">\n<title>{2}</title>\n",
      width, height, escaped(title));
  svg += kStyle;
  svg += fmt::format("<rect class=\"back\" width=\"{:g}\" height=\"{:g}\"/>\n", width, height);
  svg +=
      fmt::format("<text class=\"title\" x=\"{:g}\" y=\"26\">{}</text>\n", kLeft, escaped(title));
  svg += legend(names);
  for (size_t p = 0; p < panels.size(); ++p) {
    const Area area(panels[p], kPanelWidth * static_cast<double>(p));
    svg += area.frame();
    for (const PlotSeries& series : panels[p].series) {
      const auto found = std::find(names.begin(), names.end(), series.name);
      svg += area.curve(series, static_cast<size_t>(found - names.begin()) % kStyles);
    }
  }
  return svg + "</svg>\n";
}

}  // namespace floydnet
