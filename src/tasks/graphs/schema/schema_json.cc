// A schema as part of a run's configuration.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "floydnet/error.h"
#include "tasks/graphs/schema/schema.h"

namespace floydnet::graphs {
namespace {

using Json = nlohmann::json;

constexpr const char* kKinds[] = {"regression", "binary", "classes"};
constexpr Level kLevelNames[] = {Level::kGraph, Level::kNode, Level::kEdge, Level::kPair};
/// A hostile file may claim anything; what is allocated grows with the width.
constexpr int64_t kWidest = 1'000'000;

Level level_from(const std::string& text) {
  for (const Level level : kLevelNames) {
    if (text == name_of(level)) return level;
  }
  throw std::invalid_argument(fmt::format("there is no level \"{}\"", text));
}

TargetKind kind_from(const std::string& text) {
  for (int i = 0; i < 3; ++i) {
    if (text == kKinds[i]) return static_cast<TargetKind>(i);
  }
  throw std::invalid_argument(fmt::format("there is no kind \"{}\"", text));
}

void require_width(const std::string& name, size_t found, size_t wanted) {
  if (found == wanted) return;
  throw std::invalid_argument(fmt::format("\"{}\" has {} entries, wanted {}", name, found, wanted));
}

Json scale_json(const Scale& scale) {
  return {{"mean", scale.mean}, {"deviation", scale.deviation}};
}

Scale scale_from(const Json& json, int64_t width) {
  Scale scale{json.at("mean").get<std::vector<double>>(),
              json.at("deviation").get<std::vector<double>>()};
  require_width("mean", scale.mean.size(), static_cast<size_t>(width));
  require_width("deviation", scale.deviation.size(), static_cast<size_t>(width));
  for (const double deviation : scale.deviation) {
    if (!(deviation > 0)) throw std::invalid_argument("a deviation is not above 0");
  }
  return scale;
}

/// Numbers of categories or classes, each above 0.
std::vector<int64_t> sizes_from(const Json& json, const char* name, int64_t width) {
  const auto sizes = json.at(name).get<std::vector<int64_t>>();
  require_width(name, sizes.size(), static_cast<size_t>(width));
  for (const int64_t size : sizes) {
    if (size < 0 || size > kWidest) throw std::invalid_argument("a number is out of range");
  }
  return sizes;
}

int64_t width_from(const Json& json) {
  const auto width = json.at("width").get<int64_t>();
  if (width < 1 || width > kWidest) throw std::invalid_argument("\"width\" is out of range");
  return width;
}

Json feature_json(const Feature& feature) {
  Json json = {{"level", name_of(feature.level)}, {"name", feature.name}, {"width", feature.width}};
  if (feature.real) {
    json["scale"] = scale_json(feature.scale);
  } else {
    json["categories"] = feature.categories;
  }
  return json;
}

Feature feature_from(const Json& json) {
  Feature feature;
  feature.level = level_from(json.at("level").get<std::string>());
  feature.name = json.at("name").get<std::string>();
  feature.width = width_from(json);
  feature.real = json.contains("scale");
  if (feature.real) {
    feature.scale = scale_from(json.at("scale"), feature.width);
  } else {
    feature.categories = sizes_from(json, "categories", feature.width);
  }
  return feature;
}

Json target_json(const Target& target) {
  Json json = {{"level", name_of(target.level)},
               {"name", target.name},
               {"width", target.width},
               {"kind", kKinds[static_cast<int>(target.kind)]}};
  if (target.kind == TargetKind::kRegression) {
    json["scale"] = scale_json(target.scale);
  } else {
    if (target.kind == TargetKind::kClasses) json["classes"] = target.classes;
    json["counts"] = target.counts;
    if (target.lists_only_yes) json["lists_only_yes"] = true;
  }
  return json;
}

Target target_from(const Json& json) {
  Target target;
  target.level = level_from(json.at("level").get<std::string>());
  target.name = json.at("name").get<std::string>();
  target.width = width_from(json);
  target.kind = kind_from(json.at("kind").get<std::string>());
  if (target.kind == TargetKind::kRegression) {
    target.scale = scale_from(json.at("scale"), target.width);
    return target;
  }
  if (target.kind == TargetKind::kClasses) {
    target.classes = sizes_from(json, "classes", target.width);
  }
  target.counts = json.at("counts").get<std::vector<double>>();
  target.lists_only_yes = json.value("lists_only_yes", false);
  const bool binary = target.kind == TargetKind::kBinary;
  require_width("counts", target.counts.size(),
                static_cast<size_t>(binary ? 2 * target.width : target.outputs()));
  return target;
}

}  // namespace

Json to_json(const Schema& schema) {
  if (schema.empty()) return Json::object();
  Json json = {{"directed", schema.directed},
               {"pairs_listed", schema.pairs_listed},
               {"features", Json::array()},
               {"targets", Json::array()}};
  for (const Feature& feature : schema.features) json["features"].push_back(feature_json(feature));
  for (const Target& target : schema.targets) json["targets"].push_back(target_json(target));
  return json;
}

Schema schema_from_json(const Json& json, const std::string& source) {
  Schema schema;
  if (json.is_object() && json.empty()) return schema;
  try {
    schema.directed = json.at("directed").get<bool>();
    schema.pairs_listed = json.at("pairs_listed").get<bool>();
    for (const Json& feature : json.at("features")) {
      schema.features.push_back(feature_from(feature));
    }
    for (const Json& target : json.at("targets")) schema.targets.push_back(target_from(target));
  } catch (const Json::exception&) {
    throw InputError::in(source, "not what a run writes about its features and targets");
  } catch (const std::invalid_argument& error) {
    throw InputError::in(source, error.what());
  }
  return schema;
}

}  // namespace floydnet::graphs
