#include "report/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <tuple>

#include "base/file.h"
#include "base/text.h"
#include "floydnet/error.h"

namespace floydnet::report {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kMaxMetricsBytes = uint64_t{1} << 30;
constexpr uint64_t kMaxJsonBytes = uint64_t{64} << 20;
constexpr int kMaxDepth = 16;
constexpr uint64_t kMaxStep = uint64_t{1} << 53;  // a double can hold it

/// Writers of JSON recurse, so nesting has a limit.
bool deeper_than(const Json& json, int depth) {
  if (!json.is_structured()) return false;
  if (depth == 0) return true;
  return std::any_of(json.begin(), json.end(),
                     [&](const Json& child) { return deeper_than(child, depth - 1); });
}

double number_or_nan(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

/// The fields of one object. What is wrong is thrown as text, to which the caller adds the place.
struct Damage {
  std::string problem;
};

class Object {
 public:
  explicit Object(const Json& json) : json_(json) {
    if (!json.is_object()) throw Damage{"not a JSON object"};
  }

  /// null if there is none, or the kind that was wanted.
  const Json* find(const char* key, bool (*fits)(const Json&), const char* wanted) const {
    const auto found = json_.find(key);
    if (found == json_.end()) return nullptr;
    if (!fits(*found)) throw Damage{fmt::format("\"{}\" is not {}", key, wanted)};
    return &*found;
  }

  std::string text(const char* key) const {
    const Json* found = find(key, is_text, "a text");
    return require(found, key).get<std::string>();
  }
  bool boolean(const char* key) const {
    const Json* found = find(
        key, [](const Json& j) { return j.is_boolean(); }, "true or false");
    return require(found, key).get<bool>();
  }
  int64_t step(const char* key) const {
    const std::optional<int64_t> found = optional_step(key);
    if (!found) throw Damage{fmt::format("\"{}\" is missing", key)};
    return *found;
  }
  std::optional<int64_t> optional_step(const char* key) const {
    const Json* found = find(key, is_step_or_null, "a whole number from 0 on");
    if (found == nullptr || found->is_null()) return std::nullopt;
    return found->get<int64_t>();
  }
  double number(const char* key) const {
    const Json* found = find(key, is_number_or_null, "a number or null");
    return number_or_nan(found == nullptr ? Json() : *found);
  }
  Metrics metrics() const {
    Metrics metrics;
    for (const auto& [name, value] : json_.items()) {
      if (!is_number_or_null(value)) {
        throw Damage{fmt::format("{} is not a number or null", in_quotes(name))};
      }
      metrics[name] = number_or_nan(value);
    }
    return metrics;
  }
  /// An object or a list within this one; empty if there is none.
  const Json& object(const char* key) const {
    static const Json kNone = Json::object();
    const Json* found = find(
        key, [](const Json& j) { return j.is_object(); }, "an object");
    return found == nullptr ? kNone : *found;
  }
  const Json& list(const char* key) const {
    static const Json kNone = Json::array();
    const Json* found = find(
        key, [](const Json& j) { return j.is_array(); }, "a list");
    return found == nullptr ? kNone : *found;
  }

 private:
  static bool is_text(const Json& json) { return json.is_string(); }
  static bool is_number_or_null(const Json& json) { return json.is_number() || json.is_null(); }
  static bool is_step_or_null(const Json& json) {
    return json.is_null() || (json.is_number_unsigned() && json.get<uint64_t>() <= kMaxStep);
  }
  static const Json& require(const Json* found, const char* key) {
    if (found == nullptr) throw Damage{fmt::format("\"{}\" is missing", key)};
    return *found;
  }

  const Json& json_;
};

Json parse_shallow(std::string_view text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw Damage{"not JSON"};
  if (deeper_than(json, kMaxDepth)) {
    throw Damage{fmt::format("nested more than {} deep", kMaxDepth)};
  }
  return json;
}

void add_line(const Json& json, MetricsLog& log) {
  const Object line(json);
  const std::string kind = line.text("kind");
  if (kind == "train") {
    log.train.push_back({line.step("step"), line.number("seconds"), line.number("loss"),
                         line.number("learning_rate"), line.number("gradient_norm"),
                         line.number("examples_per_second")});
  } else if (kind == "evaluation") {
    log.evaluations.push_back({line.step("step"), line.number("seconds"), line.text("split"),
                               Object(line.object("metrics")).metrics()});
  } else if (kind == "note") {
    log.notes.push_back({line.step("step"), line.text("text")});
  } else if (kind == "goal") {
    log.goal = Goal{line.text("split"), line.text("metric"), line.boolean("higher_is_better")};
  } else {
    throw Damage{
        fmt::format(R"("kind" is {}; wanted train, evaluation, note or goal)", in_quotes(kind))};
  }
}

/// Sorts by key and keeps the last of equal ones.
template <typename T, typename Key>
void keep_last(std::vector<T>& items, const Key& key) {
  // Stable, so that the last of equal ones in the file is the first of them from the back.
  std::stable_sort(items.begin(), items.end(),
                   [&](const T& a, const T& b) { return key(a) < key(b); });
  std::reverse(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end(),
                          [&](const T& a, const T& b) { return key(a) == key(b); }),
              items.end());
  std::reverse(items.begin(), items.end());
}

ResultTable parse_table(const Json& json) {
  const Object object(json);
  ResultTable table;
  table.title = object.text("title");
  for (const Json& column : object.list("columns")) {
    if (!column.is_string()) throw Damage{"a column's name is not a text"};
    table.columns.push_back(column.get<std::string>());
  }
  for (const Json& row : object.list("rows")) {
    if (!row.is_array() || row.size() != table.columns.size()) {
      throw Damage{fmt::format("row {} is not a list of {} cells, one a column", table.rows.size(),
                               table.columns.size())};
    }
    for (const Json& cell : row) {
      if (cell.is_structured()) {
        throw Damage{
            fmt::format("row {}: a cell is neither text, number nor null", table.rows.size())};
      }
    }
    table.rows.emplace_back(row.begin(), row.end());
  }
  return table;
}

}  // namespace

Json parse_config(std::string_view text, const std::string& source) {
  try {
    Json config = parse_shallow(text);
    static_cast<void>(Object(config).text("task"));
    return config;
  } catch (const Damage& damage) {
    throw InputError::in(source, damage.problem + "; wanted a run's configuration");
  }
}

MetricsLog parse_metrics(std::string_view text, const std::string& source) {
  MetricsLog log;
  uint64_t number = 1;
  for (size_t begin = 0; begin < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const bool cut_off = end == text.size() && !Json::accept(line);
    if (cut_off) break;
    try {
      if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
        add_line(parse_shallow(line), log);
      }
    } catch (const Damage& damage) {
      throw InputError::at_line(source, number, damage.problem);
    }
    begin = end + 1;
  }
  keep_last(log.train, [](const TrainPoint& point) { return point.step; });
  keep_last(log.evaluations, [](const Evaluation& e) { return std::tie(e.step, e.split); });
  return log;
}

Results parse_results(std::string_view text, const std::string& source) {
  try {
    const Json json = parse_shallow(text);
    const Object object(json);
    Results results;
    results.step = object.step("step");
    results.best_step = object.optional_step("best_step");
    results.seconds = object.number("seconds");
    results.cpu_seconds = object.number("cpu_seconds");
    for (const auto& [split, metrics] : object.object("splits").items()) {
      results.splits[split] = Object(metrics).metrics();
    }
    for (const Json& table : object.list("tables")) {
      results.tables.push_back(parse_table(table));
    }
    return results;
  } catch (const Damage& damage) {
    throw InputError::in(source, damage.problem + "; wanted a run's results");
  }
}

RunRecord read_run(const std::string& folder) {
  const std::filesystem::path path(folder);
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) {
    throw InputError::in(folder, "not a folder; wanted one that 'floydnet train' wrote");
  }
  const auto file = [&](const char* name) { return (path / name).string(); };
  const auto exists = [&](const char* name) {
    std::error_code none;
    return std::filesystem::exists(path / name, none);
  };
  if (!exists("config.json")) {
    throw InputError::in(folder, "no config.json; wanted a folder that 'floydnet train' wrote");
  }
  RunRecord run;
  run.folder = folder;
  run.config = parse_config(read_file(file("config.json"), kMaxJsonBytes), file("config.json"));
  run.task = run.config["task"].get<std::string>();
  if (exists("metrics.jsonl")) {
    run.log =
        parse_metrics(read_file(file("metrics.jsonl"), kMaxMetricsBytes), file("metrics.jsonl"));
  }
  if (exists("results.json")) {
    run.results =
        parse_results(read_file(file("results.json"), kMaxJsonBytes), file("results.json"));
  }
  return run;
}

}  // namespace floydnet::report
