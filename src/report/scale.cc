#include "report/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace floydnet {
namespace {

/// Round values between two others, about five.
std::vector<double> linear_ticks(double low, double high) {
  const double rough = (high - low) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = power;
  for (const double factor : {2.0, 5.0, 10.0}) {
    if (step < rough) step = factor * power;
  }
  std::vector<double> found;
  // Adding zero makes a plain one of -0.
  for (double n = std::ceil(low / step); n * step <= high; ++n) found.push_back(n * step + 0.0);
  return found;
}

}  // namespace

bool can_show(double value, const PlotAxis& axis) {
  constexpr double kLargest = 1e300;  // differences of larger ones may overflow
  return std::fabs(value) <= kLargest && (!axis.logarithmic || value > 0);
}

Scale::Scale(const PlotAxis& axis, std::vector<double> values) : axis_(axis) {
  values.insert(values.end(), axis.ticks.begin(), axis.ticks.end());
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!can_show(value, axis)) continue;
    low = std::min(low, place(value));
    high = std::max(high, place(value));
  }
  if (low > high) low = high = place(1);
  double room = 0.04 * (high - low);
  if (axis.logarithmic) {
    room = std::max(room, 0.05);
  } else if (const double size = std::max(std::fabs(low), std::fabs(high));
             high - low <= 1e-5 * size) {
    room = size > 0 ? 0.1 * size : 1;  // ticks that differ in the sixth digit would look the same
  }
  low_ = low - room;
  high_ = high + room;
}

double Scale::place(double value) const { return axis_.logarithmic ? std::log10(value) : value; }

std::vector<double> Scale::ticks() const {
  if (!axis_.ticks.empty()) return axis_.ticks;
  return axis_.logarithmic ? log_ticks() : linear_ticks(low_, high_);
}

/// Powers of ten, and 1, 2 and 5 times those where there would be few; where these are few, too, as
/// on a linear axis.
std::vector<double> Scale::log_ticks() const {
  const bool dense = high_ - low_ < 2.5;
  const double stride = std::max(1.0, std::ceil((high_ - low_) / 8));
  std::vector<double> found;
  for (double power = std::floor(low_ / stride) * stride; power <= high_; power += stride) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10, power);
      const bool shown = dense || factor == 1;
      if (shown && place(value) >= low_ && place(value) <= high_) found.push_back(value);
    }
  }
  return found.size() > 1 ? found : linear_ticks(std::pow(10, low_), std::pow(10, high_));
}

std::string tick_text(double value) {
  const double size = std::fabs(value);
  if (size >= 1e12 || (size > 0 && size < 1e-3)) {
    std::string text = fmt::format("{:.4g}", value);  // such as 1e-05
    size_t digits = text.find('e') + 1;
    if (digits == 0) return text;
    if (text[digits] == '+') text.erase(digits, 1);
    if (text[digits] == '-') ++digits;
    while (text[digits] == '0') text.erase(digits, 1);
    return text;
  }
  if (size >= 1e4) {
    for (const auto& [unit, letter] : {std::pair(1e9, 'G'), std::pair(1e6, 'M')}) {
      if (size >= unit) return fmt::format("{:.6g}{}", value / unit, letter);
    }
    return fmt::format("{:.6g}k", value / 1e3);
  }
  return fmt::format("{:.6g}", value);
}

}  // namespace floydnet
