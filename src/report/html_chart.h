// A figure of the page: the curves of all runs, their legend, and views between which one can
// switch: against steps or time, on a linear or a logarithmic scale.
#pragma once

#include <string>
#include <vector>

#include "report/curve.h"

namespace floydnet::report {

struct ChartLine {
  size_t run = 0;
  Curve curve;
  Curve faint = {};  // what it was smoothed from
};

struct Chart {
  std::string title;
  std::vector<ChartLine> lines;
  /// Whether a chart whose values span decades shows them on a logarithmic scale at first.
  bool logarithmic = true;
  bool cpu_time = false;  // whether that is what the points' seconds are
};

/// `id` must be unique in the page; `names` are those of all runs.
std::string chart_html(const Chart& chart, const std::string& id,
                       const std::vector<std::string>& names);

/// Four digits: 0.01234, 1.234e-6, 12340; a dash for NaN.
std::string number_text(double value);

}  // namespace floydnet::report
