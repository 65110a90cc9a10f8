// A table of typed options: one line for each key drives validation, JSON output and documentation.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace floydnet {

/// Binds JSON keys to the fields of one struct, which must outlive the table.
///
///   OptionTable table;
///   table.integer("depth", &config.depth, {1, 1000}, "number of blocks");
///   table.read(json, "run.json");
class OptionTable {
 public:
  using Json = nlohmann::json;
  template <typename T>
  using Limits = std::pair<T, T>;

  void integer(const std::string& key, int64_t* field, Limits<int64_t> limits,
               const std::string& help);
  void real(const std::string& key, double* field, Limits<double> limits, const std::string& help);
  /// null stands for "not given".
  void optional_real(const std::string& key, std::optional<double>* field, Limits<double> limits,
                     const std::string& help);
  void boolean(const std::string& key, bool* field, const std::string& help);
  void text(const std::string& key, std::string* field, const std::string& help);
  void integers(const std::string& key, std::vector<int64_t>* field, Limits<int64_t> limits,
                const std::string& help);
  template <typename Enum>
  void choice(const std::string& key, Enum* field,
              const std::vector<std::pair<std::string, Enum>>& names, const std::string& help);

  /// Sets the fields from an object. A key that is not in the table, a value of the wrong type or
  /// out of range throws InputError that names `source`, the key, and what was wanted; fields of
  /// keys that do not appear keep their values.
  void read(const Json& object, const std::string& source) const;
  /// Throws as read() would for an object with the fields' present values.
  void check(const std::string& source) const;
  /// All keys with the fields' present values.
  Json write() const;
  /// A Markdown table: key, values, default (the fields' present values), meaning.
  std::string describe() const;

 private:
  struct Option {
    std::string key;
    std::string values;
    std::string help;
    std::function<bool(const Json&)> set;  // false if the value is not acceptable
    std::function<Json()> get;
  };

  const Option* find(const std::string& key) const;
  [[noreturn]] static void refuse_value(const Option& option, const Json& value,
                                        const std::string& source);
  [[noreturn]] void refuse_unknown(const std::string& key, const std::string& source) const;
  void choice_of_names(const std::string& key, const std::vector<std::string>& names,
                       const std::string& help, const std::function<void(size_t)>& set,
                       const std::function<size_t()>& get);

  std::vector<Option> options_;
};

template <typename Enum>
void OptionTable::choice(const std::string& key, Enum* field,
                         const std::vector<std::pair<std::string, Enum>>& names,
                         const std::string& help) {
  std::vector<std::string> texts;
  std::vector<Enum> values;
  for (const auto& [text, value] : names) {
    texts.push_back(text);
    values.push_back(value);
  }
  choice_of_names(
      key, texts, help, [field, values](size_t i) { *field = values[i]; },
      [field, values] {
        for (size_t i = 0; i < values.size(); ++i) {
          if (values[i] == *field) return i;
        }
        return size_t{0};
      });
}

/// The candidate with the fewest edits (insertions, deletions, replacements, swaps of neighbours);
/// empty if none is near: more than one edit, and more than one for each three letters.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);
/// What follows "... is unknown": "; did you mean 'bfs'?", or which there are if none is near, or
/// nothing if these are many.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace floydnet
