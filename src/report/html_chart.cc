#include "report/html_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "report/markup.h"
#include "report/plot.h"

namespace floydnet::report {
namespace {

constexpr double kWideRange = 30;  // from where on a logarithmic scale is the better one
constexpr size_t kFewLines = 3;    // with more, what is faint must be fainter

struct TimeUnit {
  const char* name;
  double seconds;
};

/// Seconds, minutes or hours, whichever gives small numbers.
TimeUnit unit_for(double seconds) {
  if (seconds < 300) return {"seconds", 1};
  if (seconds < 3 * 3600) return {"minutes", 60};
  return {"hours", 3600};
}

template <typename Visit>
void for_each_point(const Chart& chart, const Visit& visit) {
  for (const ChartLine& line : chart.lines) {
    for (const Curve* curve : {&line.curve, &line.faint}) {
      for (const CurvePoint& point : *curve) visit(point, curve == &line.faint);
    }
  }
}

bool all_positive(const Chart& chart) {
  bool positive = true;
  for_each_point(chart, [&](const CurvePoint& point, bool) { positive &= point.value > 0; });
  return positive;
}

bool spans_decades(const Chart& chart) {
  double low = INFINITY, high = 0;
  for_each_point(chart, [&](const CurvePoint& point, bool faint) {
    if (faint) return;
    low = std::min(low, point.value);
    high = std::max(high, point.value);
  });
  return high / low > kWideRange;
}

double longest_time(const Chart& chart) {
  double longest = -1;  // no point has a time
  for_each_point(chart, [&](const CurvePoint& point, bool) {
    if (std::isfinite(point.seconds)) longest = std::max(longest, point.seconds);
  });
  return longest;
}

/// For those who cannot see the plot.
std::string description_of(const Chart& chart, const std::vector<std::string>& names) {
  std::string text;
  for (const ChartLine& line : chart.lines) {
    const auto least = std::min_element(
        line.curve.begin(), line.curve.end(),
        [](const CurvePoint& a, const CurvePoint& b) { return a.value < b.value; });
    text +=
        fmt::format("{}{}: {} at step {:.0f}, {} at step {:.0f}, least {} at step {:.0f}.",
                    text.empty() ? "" : " ", names[line.run], number_text(line.curve.front().value),
                    line.curve.front().step, number_text(line.curve.back().value),
                    line.curve.back().step, number_text(least->value), least->step);
  }
  return text;
}

enum class XAxis { kStep, kTime };

PlotSeries series_of(const Curve& curve, size_t run, bool faint, XAxis x, double unit) {
  PlotSeries series;
  series.style = run;
  series.faint = faint;
  for (const CurvePoint& point : curve) {
    series.points.emplace_back(x == XAxis::kStep ? point.step : point.seconds / unit, point.value);
  }
  return series;
}

class View {
 public:
  View(const Chart& chart, const std::string& id, const std::vector<std::string>& names)
      : chart_(chart),
        id_(id),
        description_(description_of(chart, names)),
        has_time_(longest_time(chart) > 0),
        unit_(unit_for(longest_time(chart))),
        unit_name_(std::string(chart.cpu_time ? "CPU " : "") + unit_.name) {}

  std::string all(bool with_logarithm) const {
    std::string html;
    for (const bool logarithmic : {false, true}) {
      if (logarithmic && !with_logarithm) continue;
      html += one(XAxis::kStep, logarithmic);
      if (has_time_) html += one(XAxis::kTime, logarithmic);
    }
    return html;
  }

 private:
  std::string one(XAxis x, bool logarithmic) const {
    const bool by_step = x == XAxis::kStep;
    PlotPanel panel;
    panel.title = fmt::format("{} by {}{}", chart_.title, !by_step && chart_.cpu_time ? "CPU " : "",
                              by_step ? "step" : "time");
    panel.x.label = by_step ? "step" : unit_name_;
    panel.y.logarithmic = logarithmic;
    for (const ChartLine& line : chart_.lines) {
      panel.series.push_back(series_of(line.faint, line.run, true, x, unit_.seconds));
      panel.series.push_back(series_of(line.curve, line.run, false, x, unit_.seconds));
    }
    const char* scale = logarithmic ? "log" : "linear";
    const char* against = !has_time_ ? "" : by_step ? "by-step" : "by-time";
    return fmt::format(
        "<div class=\"view {} {}\" data-x=\"{}\" data-unit=\"{:g}\" data-name=\"{}\">\n{}</div>\n",
        scale, against, by_step ? "step" : "seconds", by_step ? 1 : unit_.seconds,
        by_step ? "step" : unit_name_,
        panel_svg(panel, fmt::format("{}-{}-{}", id_, by_step ? "step" : "time", scale),
                  description_));
  }

  const Chart& chart_;
  std::string id_;
  std::string description_;
  bool has_time_;
  TimeUnit unit_;
  std::string unit_name_;
};

/// The last values stand there until a pointer asks for others.
std::string legend_html(const Chart& chart, const std::vector<std::string>& names) {
  std::string html = "<ul class=\"legend\">\n";
  for (const ChartLine& line : chart.lines) {
    html += fmt::format("<li>{}<span class=\"name\">{}</span><b class=\"value\">{}</b></li>\n",
                        legend_svg(line.run), escaped(names[line.run]),
                        number_text(line.curve.back().value));
  }
  return html + "</ul>\n<p class=\"at\">last values</p>\n";
}

/// The numbers that the page's script reads out, for each line of the legend.
std::string data_html(const Chart& chart) {
  nlohmann::json lines = nlohmann::json::array();
  for (const ChartLine& line : chart.lines) {
    nlohmann::json step = nlohmann::json::array(), seconds = step, value = step;
    for (const CurvePoint& point : line.curve) {
      // Rounded to what is read out: all digits would be most of the page.
      const auto rounded = [](double number, int digits) {
        return std::isfinite(number)
                   ? std::strtod(fmt::format("{:.{}g}", number, digits).c_str(), nullptr)
                   : NAN;
      };
      step.push_back(std::llround(point.step));
      seconds.push_back(rounded(point.seconds, 5));
      value.push_back(rounded(point.value, 4));
    }
    lines.push_back({{"step", step}, {"seconds", seconds}, {"value", value}});
  }
  return fmt::format("<script type=\"application/json\">{}</script>\n", json_text(lines));
}

}  // namespace

std::string number_text(double value) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  if (std::fabs(value) >= 1000 && std::fabs(value) < 1e7) return fmt::format("{:.0f}", value);
  std::string text = fmt::format("{:.4g}", value);
  const size_t zero = text.find("e-0");
  if (zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

std::string chart_html(const Chart& chart, const std::string& id,
                       const std::vector<std::string>& names) {
  const bool with_logarithm = all_positive(chart);
  const bool crowded = chart.lines.size() > kFewLines;
  std::string html =
      fmt::format("<figure class=\"chart{}\" id=\"{}\">\n<figcaption>{}</figcaption>\n",
                  crowded ? " crowded" : "", id, escaped(chart.title));
  if (with_logarithm) {
    const bool checked = chart.logarithmic && spans_decades(chart);
    html += fmt::format(
        "<input type=\"checkbox\" class=\"log-switch\" id=\"{0}-log\"{1}>"
        "<label for=\"{0}-log\">log scale</label>\n",
        id, checked ? " checked" : "");
  }
  html += "<div class=\"views\">\n" + View(chart, id, names).all(with_logarithm) + "</div>\n";
  return html + legend_html(chart, names) + data_html(chart) + "</figure>\n";
}

}  // namespace floydnet::report
