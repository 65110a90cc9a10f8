#include "tasks/counting/data/splits.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"
#include "floydnet/error.h"

namespace floydnet::counting {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kMaxFileBytes = uint64_t{64} << 20;
constexpr const char* kForm = R"({"train": [...], "val": [...], "test": [...]})";

/// Reads one part after another, each place at most once in all.
class PartReader {
 public:
  PartReader(const Json& json, int64_t graphs, const std::string& source)
      : json_(json), graphs_(graphs), source_(source), seen_(static_cast<size_t>(graphs)) {}

  std::vector<int64_t> read(const char* key) {
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_array()) {
      throw InputError::in(source_, fmt::format("no list \"{}\"; wanted {}", key, kForm));
    }
    std::vector<int64_t> places;
    for (const Json& value : *found) {
      const std::string where = fmt::format("\"{}\"[{}]", key, places.size());
      places.push_back(place(value, where));
    }
    return places;
  }

 private:
  int64_t place(const Json& value, const std::string& where) {
    const bool fits =
        value.is_number_unsigned() && value.get<uint64_t>() < static_cast<uint64_t>(graphs_);
    if (!fits) {
      throw InputError::in(source_, fmt::format("{}: not a whole number below {}, the number of "
                                                "graphs",
                                                where, graphs_));
    }
    const auto place = value.get<size_t>();
    if (seen_[place]) throw InputError::in(source_, fmt::format("{}: {} again", where, place));
    seen_[place] = true;
    return static_cast<int64_t>(place);
  }

  const Json& json_;
  int64_t graphs_;
  const std::string& source_;
  std::vector<bool> seen_;
};

}  // namespace

Splits parse_splits(std::string_view json, int64_t graphs, const std::string& source) {
  const Json parsed = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object()) throw InputError::in(source, fmt::format("not JSON such as {}", kForm));
  for (const auto& item : parsed.items()) {
    if (item.key() != "train" && item.key() != "val" && item.key() != "test") {
      throw InputError::in(source,
                           fmt::format("unknown key {}; wanted {}", in_quotes(item.key()), kForm));
    }
  }
  PartReader reader(parsed, graphs, source);
  Splits splits;
  splits.train = reader.read("train");
  splits.validation = reader.read("val");
  splits.test = reader.read("test");
  return splits;
}

Splits read_splits(const std::string& path, int64_t graphs) {
  return parse_splits(read_file(path, kMaxFileBytes), graphs, path);
}

}  // namespace floydnet::counting
