#include "record/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <tuple>

#include "base/file.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "record/json_lines.h"

namespace floydnet::record {
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
      metrics.emplace_back(name, number_or_nan(value));
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
                         line.number("examples_per_second"), line.number("cpu_seconds")});
  } else if (kind == "evaluation") {
    log.evaluations.push_back({line.step("step"), line.number("seconds"), line.text("split"),
                               Object(line.object("metrics")).metrics(),
                               line.number("cpu_seconds")});
  } else if (kind == "note") {
    log.notes.push_back({line.step("step"), line.number("seconds"), line.text("text")});
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

Cell parse_cell(const Json& cell) {
  if (cell.is_null()) return {};
  if (cell.is_string()) return cell.get<std::string>();
  if (cell.is_boolean()) return cell.get<bool>();
  if (cell.is_number_float()) return cell.get<double>();
  // A whole number of more than 63 bits is none of ours.
  if (cell.is_number_unsigned() && cell.get<uint64_t>() > kMaxStep) return cell.get<double>();
  if (cell.is_number_integer()) return cell.get<int64_t>();
  throw Damage{"a table's cell is neither text, number nor null"};
}

Table parse_table(const Json& json) {
  const Object object(json);
  Table table;
  table.title = object.text("title");
  for (const Json& column : object.list("columns")) {
    if (!column.is_string()) throw Damage{"a column's name is not a text"};
    table.columns.push_back(column.get<std::string>());
  }
  for (const Json& row : object.list("rows")) {
    if (!row.is_array() || row.size() != table.columns.size()) {
      throw Damage{fmt::format("row {} is not a list of {} cells, one a column",
                               table.rows.size() + 1, table.columns.size())};
    }
    table.rows.emplace_back();
    for (const Json& cell : row) table.rows.back().push_back(parse_cell(cell));
  }
  return table;
}

Json json_of(const Metrics& metrics) {
  Json object = Json::object();
  for (const auto& [name, value] : metrics) object[name] = number_or_null(value);
  return object;
}

}  // namespace

Json line_of(const Goal& goal) {
  return {{"kind", "goal"},
          {"split", goal.split},
          {"metric", goal.metric},
          {"higher_is_better", goal.higher_is_better}};
}

Json line_of(const TrainPoint& point) {
  return {{"kind", "train"},
          {"step", point.step},
          {"seconds", number_or_null(point.seconds)},
          {"loss", number_or_null(point.loss)},
          {"learning_rate", number_or_null(point.learning_rate)},
          {"gradient_norm", number_or_null(point.gradient_norm)},
          {"examples_per_second", number_or_null(point.examples_per_second)},
          {"cpu_seconds", number_or_null(point.cpu_seconds)}};
}

Json line_of(const Evaluation& evaluation) {
  return {{"kind", "evaluation"},
          {"step", evaluation.step},
          {"seconds", number_or_null(evaluation.seconds)},
          {"split", evaluation.split},
          {"metrics", json_of(evaluation.metrics)},
          {"cpu_seconds", number_or_null(evaluation.cpu_seconds)}};
}

Json line_of(const Note& note) {
  return {{"kind", "note"},
          {"step", note.step},
          {"seconds", number_or_null(note.seconds)},
          {"text", note.text}};
}

Json to_json(const SplitMetrics& splits) {
  Json object = Json::object();
  for (const auto& [split, metrics] : splits) object[split] = json_of(metrics);
  return object;
}

Json to_json(const Results& results) {
  Json tables = Json::array();
  for (const Table& table : results.tables) tables.push_back(to_json(table));
  return {{"step", results.step},
          {"best_step", results.best_step ? Json(*results.best_step) : Json()},
          {"bad_steps", results.bad_steps},
          {"seconds", results.seconds},
          {"cpu_seconds", results.cpu_seconds},
          {"splits", to_json(results.splits)},
          {"tables", std::move(tables)}};
}

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
  for_each_line(text, [&](uint64_t number, std::string_view line) {
    try {
      add_line(parse_shallow(line), log);
    } catch (const Damage& damage) {
      throw InputError::at_line(source, number, damage.problem);
    }
    return true;
  });
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
    results.bad_steps = object.optional_step("bad_steps").value_or(0);
    results.seconds = object.number("seconds");
    results.cpu_seconds = object.number("cpu_seconds");
    for (const auto& [split, metrics] : object.object("splits").items()) {
      results.splits.emplace_back(split, Object(metrics).metrics());
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

}  // namespace floydnet::record
