// The part of TSPLIB that symmetric instances and tours need. After TSPLIB 95's specification.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

#include "base/text.h"
#include "floydnet/error.h"
#include "tasks/tsp/data/scanner.h"
#include "tasks/tsp/data/tsplib.h"

namespace floydnet::tsp {
namespace {

constexpr std::int64_t kMaxWeight32 = std::numeric_limits<std::int32_t>::max();

/// Which entries of the matrix stand in EDGE_WEIGHT_SECTION, row by row.
struct WeightFormat {
  const char* name;
  bool lower, upper, diagonal;
};
constexpr std::array<WeightFormat, 5> kFormats = {{{"FULL_MATRIX", true, true, true},
                                                   {"UPPER_ROW", false, true, false},
                                                   {"LOWER_ROW", true, false, false},
                                                   {"UPPER_DIAG_ROW", false, true, true},
                                                   {"LOWER_DIAG_ROW", true, false, true}}};

constexpr std::array<Metric, 7> kMetrics = {Metric::kExplicit, Metric::kEuc2d, Metric::kCeil2d,
                                            Metric::kMan2d,    Metric::kMax2d, Metric::kGeo,
                                            Metric::kAtt};

std::size_t entries(const WeightFormat& format, std::size_t n) {
  const std::size_t half = n * (n - 1) / 2;
  return (format.lower ? half : 0) + (format.upper ? half : 0) + (format.diagonal ? n : 0);
}

class TsplibReader {
 public:
  TsplibReader(std::string_view text, const std::string& source) : scanner_(text, source) {
    problem_.name = source;
  }

  Problem read() {
    while (scanner_.has_word()) {
      const std::string keyword(scanner_.keyword());
      if (keyword == "EOF") break;
      if (!read_section(keyword)) read_entry(keyword);
    }
    return finished();
  }

 private:
  /// False if the keyword begins none.
  bool read_section(const std::string& keyword) {
    if (keyword == "NODE_COORD_SECTION") {
      read_points(problem_.points, keyword);
    } else if (keyword == "DISPLAY_DATA_SECTION") {
      read_points(problem_.display, keyword);
    } else if (keyword == "EDGE_WEIGHT_SECTION") {
      read_weights();
    } else {
      return false;
    }
    if (is_number_next()) {
      scanner_.word();
      scanner_.fail(fmt::format("{} has more numbers than {} cities need", keyword, cities()));
    }
    return true;
  }

  void read_entry(const std::string& keyword) {
    const std::string value(scanner_.rest_of_line());
    if (keyword == "NAME") {
      problem_.name = value;
    } else if (keyword == "TYPE") {
      require_value(keyword, value, {"TSP"});
    } else if (keyword == "DIMENSION") {
      Scanner number(value, scanner_.source());
      try {
        cities_ = static_cast<int>(number.integer("a number of cities", 1, kMaxCities));
      } catch (const InputError&) {
        scanner_.fail(fmt::format("DIMENSION is {}; there may be 1 to {} cities", in_quotes(value),
                                  kMaxCities));
      }
    } else if (keyword == "EDGE_WEIGHT_TYPE") {
      metric_ = kMetrics[require_value(keyword, value, names_of_metrics())];
    } else if (keyword == "EDGE_WEIGHT_FORMAT") {
      const std::size_t found = require_value(keyword, value, names_of_formats());
      format_ = found == kFormats.size() ? nullptr : &kFormats[found];
    } else if (keyword == "NODE_COORD_TYPE") {
      require_value(keyword, value, {"TWOD_COORDS", "NO_COORDS"});
    } else if (keyword != "COMMENT" && keyword != "DISPLAY_DATA_TYPE") {
      scanner_.fail(fmt::format("keyword {} is unknown or not supported", in_quotes(keyword)));
    }
  }

  static std::vector<std::string> names_of_metrics() {
    std::vector<std::string> names(kMetrics.size());
    std::transform(kMetrics.begin(), kMetrics.end(), names.begin(),
                   [](Metric metric) { return name_of(metric); });
    return names;
  }

  /// Last the one of weights that follow from points.
  static std::vector<std::string> names_of_formats() {
    std::vector<std::string> names(kFormats.size());
    std::transform(kFormats.begin(), kFormats.end(), names.begin(),
                   [](const WeightFormat& format) { return format.name; });
    names.emplace_back("FUNCTION");
    return names;
  }

  /// The place of the value among those that are known.
  std::size_t require_value(const std::string& keyword, const std::string& value,
                            const std::vector<std::string>& known) const {
    const auto found = std::find(known.begin(), known.end(), value);
    if (found == known.end()) {
      scanner_.fail(fmt::format("{} {} is not supported; supported: {}", keyword, in_quotes(value),
                                fmt::join(known, ", ")));
    }
    return static_cast<std::size_t>(found - known.begin());
  }

  int cities() const {
    if (!cities_) scanner_.fail("DIMENSION must come before the sections");
    return *cities_;
  }

  Metric metric() const {
    if (!metric_) scanner_.fail("EDGE_WEIGHT_TYPE must come before the sections");
    return *metric_;
  }

  bool is_number_next() {
    const std::string_view next = scanner_.peek();
    return !next.empty() && std::string_view("+-.0123456789").find(next[0]) != std::string::npos;
  }

  /// Refuses a section that the rest of the text cannot hold, before memory is allocated for it.
  void require_room(const std::string& section, std::size_t numbers) const {
    if (scanner_.bytes_left() + 1 < 2 * numbers) {  // a digit and a blank each
      scanner_.fail(fmt::format("{} needs {} numbers for {} cities; the text ends before", section,
                                numbers, cities()));
    }
  }

  void read_points(std::vector<Point>& points, const std::string& section) {
    const auto n = static_cast<std::size_t>(cities());
    if (!points.empty()) scanner_.fail(fmt::format("{} comes twice", section));
    require_room(section, 3 * n);
    points.resize(n);
    std::vector<bool> seen(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto city = static_cast<std::size_t>(scanner_.integer("a city", 1, cities()) - 1);
      if (seen[city]) scanner_.fail(fmt::format("{} has city {} twice", section, city + 1));
      seen[city] = true;
      const double x = scanner_.real("a coordinate");
      points[city] = {x, scanner_.real("a coordinate")};
    }
  }

  void read_weights() {
    const std::string section = "EDGE_WEIGHT_SECTION";
    const auto n = static_cast<std::size_t>(cities());
    if (metric() != Metric::kExplicit) {
      scanner_.fail(
          fmt::format("{} is for EXPLICIT weights, not for {}", section, name_of(metric())));
    }
    if (format_ == nullptr) scanner_.fail("EDGE_WEIGHT_FORMAT must come before " + section);
    if (!problem_.weights.empty()) scanner_.fail(section + " comes twice");
    require_room(section, entries(*format_, n));
    problem_.weights.resize(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t begin = format_->lower ? 0 : i + (format_->diagonal ? 0 : 1);
      const std::size_t end = format_->upper ? n : i + (format_->diagonal ? 1 : 0);
      for (std::size_t j = begin; j < end; ++j) read_weight(i, j);
    }
  }

  void read_weight(std::size_t i, std::size_t j) {
    const auto n = static_cast<std::size_t>(cities());
    if (i == j) {  // means nothing, and often is some large number
      scanner_.real("a weight");
      return;
    }
    const auto weight = static_cast<std::int32_t>(scanner_.integer("a weight", 0, kMaxWeight32));
    std::int32_t& mirrored = problem_.weights[j * n + i];
    if (format_->lower && format_->upper && j < i && mirrored != weight) {
      scanner_.fail(
          fmt::format("asymmetric: from city {} to {} it is {}, back it is {}; only "
                      "symmetric instances are solved",
                      j + 1, i + 1, mirrored, weight));
    }
    problem_.weights[i * n + j] = mirrored = weight;
  }

  Problem finished() {
    problem_.metric = metric();
    const bool explicit_weights = problem_.metric == Metric::kExplicit;
    if (explicit_weights && problem_.weights.empty()) scanner_.fail("no EDGE_WEIGHT_SECTION");
    if (!explicit_weights && problem_.points.empty()) scanner_.fail("no NODE_COORD_SECTION");
    if (explicit_weights && problem_.display.empty()) problem_.display.swap(problem_.points);
    if (explicit_weights) problem_.points.clear();
    if (!explicit_weights) problem_.display.clear();
    return std::move(problem_);
  }

  Scanner scanner_;
  Problem problem_;
  std::optional<int> cities_;
  std::optional<Metric> metric_;
  const WeightFormat* format_ = nullptr;
};

/// The header of a tour file, up to TOUR_SECTION.
void skip_tour_header(Scanner& scanner, int cities) {
  while (true) {
    if (!scanner.has_word()) scanner.fail("no TOUR_SECTION");
    const std::string keyword(scanner.keyword());
    if (keyword == "TOUR_SECTION") return;
    if (keyword == "DIMENSION") {
      const std::int64_t dimension =
          scanner.integer("a number of cities", 1, std::numeric_limits<std::int64_t>::max());
      if (dimension != cities) {
        scanner.fail(fmt::format("a tour of {} cities; the instance has {}", dimension, cities));
      }
    }
    const std::string value(scanner.rest_of_line());
    if (keyword == "TYPE" && value != "TOUR") {
      scanner.fail(fmt::format("TYPE {} is not TOUR", in_quotes(value)));
    }
  }
}

}  // namespace

Problem parse_tsplib(std::string_view text, const std::string& source) {
  return TsplibReader(text, source).read();
}

Tour parse_tour(std::string_view text, int cities, const std::string& source) {
  Scanner scanner(text, source);
  skip_tour_header(scanner, cities);
  Tour tour;
  // The -1 at the end is missing in some files.
  while (scanner.has_word() && scanner.peek() != "-1" && scanner.peek() != "EOF") {
    if (tour.size() == static_cast<std::size_t>(cities)) {
      scanner.word();
      scanner.fail(fmt::format("more than the {} cities of the instance", cities));
    }
    tour.push_back(static_cast<int>(scanner.integer("a city", 1, cities)) - 1);
  }
  try {
    check_tour(tour, cities);
  } catch (const InputError& error) {
    throw InputError::in(source, error.what());
  }
  return tour;
}

}  // namespace floydnet::tsp
