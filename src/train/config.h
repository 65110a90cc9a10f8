// A run's configuration: defaults in code, then a JSON file, then settings such as model.depth=8.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/options.h"
#include "floydnet/train.h"

namespace floydnet::train {

/// Named sections, each read and written by whoever owns its fields.
class RunConfig {
 public:
  using Json = nlohmann::json;
  struct Section {
    std::string name;
    /// Sets what the object names and leaves the rest; throws InputError naming the source.
    std::function<void(const Json& object, const std::string& source)> read;
    std::function<Json()> write;
  };

  void add(Section section) { sections_.push_back(std::move(section)); }
  void add(const std::string& name, const OptionTable& table);

  /// {"train": {...}, "model": {...}}: unknown sections are refused, absent ones keep their values.
  void read(const Json& object, const std::string& source);
  /// "model.depth=8": the value is JSON, or a text if it is none.
  void set(const std::string& setting);
  /// The same for "model.depth" and "8"; `source` says where they come from.
  void set(const std::string& key, const std::string& text, const std::string& source);
  Json write() const;

 private:
  std::vector<Section> sections_;
};

/// A JSON object from a file; InputError if it is something else.
nlohmann::json read_json_object(const std::string& path);

}  // namespace floydnet::train
