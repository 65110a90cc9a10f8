#include "base/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "floydnet/error.h"

namespace floydnet {
namespace {

using Json = OptionTable::Json;

std::string range_text(int64_t low, int64_t high) {
  if (high == std::numeric_limits<int64_t>::max()) return fmt::format("integer, {} or more", low);
  return fmt::format("integer, {} to {}", low, high);
}

std::string range_text(double low, double high) {
  constexpr double kUnbounded = 1e300;
  if (low <= -kUnbounded && high >= kUnbounded) return "number";
  if (high >= kUnbounded) return fmt::format("number, {} or more", low);
  return fmt::format("number, {} to {}", low, high);
}

bool read_integer(const Json& value, OptionTable::Limits<int64_t> limits, int64_t* field) {
  if (!value.is_number_integer()) return false;
  if (value.is_number_unsigned() &&
      value.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return false;
  }
  const int64_t number = value.get<int64_t>();
  if (number < limits.first || number > limits.second) return false;
  *field = number;
  return true;
}

bool read_real(const Json& value, OptionTable::Limits<double> limits, double* field) {
  if (!value.is_number()) return false;
  const double number = value.get<double>();
  if (!(number >= limits.first && number <= limits.second)) return false;
  *field = number;
  return true;
}

/// A list also as command lines have it: 16, or "16,64".
Json listed(const Json& value) {
  if (value.is_number_integer()) return Json::array({value});
  if (!value.is_string()) return value;
  const Json list =
      Json::parse("[" + value.get<std::string>() + "]", nullptr, /*allow_exceptions=*/false);
  return list.is_discarded() ? value : list;
}

}  // namespace

void OptionTable::integer(const std::string& key, int64_t* field, Limits<int64_t> limits,
                          const std::string& help) {
  options_.push_back({key, range_text(limits.first, limits.second), help,
                      [=](const Json& value) { return read_integer(value, limits, field); },
                      [=] { return Json(*field); }});
}

void OptionTable::real(const std::string& key, double* field, Limits<double> limits,
                       const std::string& help) {
  options_.push_back({key, range_text(limits.first, limits.second), help,
                      [=](const Json& value) { return read_real(value, limits, field); },
                      [=] { return Json(*field); }});
}

void OptionTable::optional_real(const std::string& key, std::optional<double>* field,
                                Limits<double> limits, const std::string& help) {
  options_.push_back({key, range_text(limits.first, limits.second) + ", or null", help,
                      [=](const Json& value) {
                        double number = 0;
                        if (value.is_null()) return field->reset(), true;
                        if (!read_real(value, limits, &number)) return false;
                        *field = number;
                        return true;
                      },
                      [=] { return *field ? Json(**field) : Json(nullptr); }});
}

void OptionTable::boolean(const std::string& key, bool* field, const std::string& help) {
  options_.push_back({key, "true or false", help,
                      [=](const Json& value) {
                        if (!value.is_boolean()) return false;
                        *field = value.get<bool>();
                        return true;
                      },
                      [=] { return Json(*field); }});
}

void OptionTable::text(const std::string& key, std::string* field, const std::string& help) {
  options_.push_back({key, "text", help,
                      [=](const Json& value) {
                        if (!value.is_string()) return false;
                        *field = value.get<std::string>();
                        return true;
                      },
                      [=] { return Json(*field); }});
}

void OptionTable::integers(const std::string& key, std::vector<int64_t>* field,
                           Limits<int64_t> limits, const std::string& help) {
  options_.push_back({key, "list, each an " + range_text(limits.first, limits.second), help,
                      [=](const Json& given) {
                        const Json value = listed(given);
                        if (!value.is_array()) return false;
                        std::vector<int64_t> numbers(value.size());
                        for (size_t i = 0; i < numbers.size(); ++i) {
                          if (!read_integer(value[i], limits, &numbers[i])) return false;
                        }
                        *field = numbers;
                        return true;
                      },
                      [=] { return Json(*field); }});
}

void OptionTable::choice_of_names(const std::string& key, const std::vector<std::string>& names,
                                  const std::string& help, const std::function<void(size_t)>& set,
                                  const std::function<size_t()>& get) {
  options_.push_back({key, fmt::format("one of {}", fmt::join(names, ", ")), help,
                      [=](const Json& value) {
                        if (!value.is_string()) return false;
                        const auto found =
                            std::find(names.begin(), names.end(), value.get<std::string>());
                        if (found == names.end()) return false;
                        set(static_cast<size_t>(found - names.begin()));
                        return true;
                      },
                      [=] { return Json(names[get()]); }});
}

const OptionTable::Option* OptionTable::find(const std::string& key) const {
  for (const Option& option : options_) {
    if (option.key == key) return &option;
  }
  return nullptr;
}

void OptionTable::refuse_unknown(const std::string& key, const std::string& source) const {
  std::vector<std::string> keys;
  for (const Option& option : options_) keys.push_back(option.key);
  throw InputError::in(source,
                       fmt::format("unknown key {}{}", in_quotes(key), suggestion(key, keys)));
}

void OptionTable::refuse_value(const Option& option, const Json& value, const std::string& source) {
  throw InputError::in(
      source, fmt::format("\"{}\" is {}, wanted {}", option.key, value.dump(), option.values));
}

void OptionTable::read(const Json& object, const std::string& source) const {
  if (!object.is_object()) throw InputError::in(source, "wanted a JSON object of options");
  for (const auto& [key, value] : object.items()) {
    const Option* option = find(key);
    if (!option) refuse_unknown(key, source);
    if (!option->set(value)) refuse_value(*option, value, source);
  }
}

void OptionTable::check(const std::string& source) const {
  for (const Option& option : options_) {
    const Json value = option.get();
    if (!option.set(value)) refuse_value(option, value, source);
  }
}

Json OptionTable::write() const {
  Json object = Json::object();
  for (const Option& option : options_) object[option.key] = option.get();
  return object;
}

std::string OptionTable::describe() const {
  std::string table = "| key | values | default | meaning |\n|---|---|---|---|\n";
  for (const Option& option : options_) {
    table += fmt::format("| `{}` | {} | `{}` | {} |\n", option.key, option.values,
                         option.get().dump(), option.help);
  }
  return table;
}

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  const auto distance = [&word](const std::string& other) {
    // Optimal string alignment: rows of the usual table, plus the one before for swaps.
    std::vector<size_t> before, previous(other.size() + 1), current(other.size() + 1);
    for (size_t j = 0; j <= other.size(); ++j) previous[j] = j;
    for (size_t i = 1; i <= word.size(); ++i) {
      current[0] = i;
      for (size_t j = 1; j <= other.size(); ++j) {
        const size_t replaced = previous[j - 1] + (word[i - 1] == other[j - 1] ? 0 : 1);
        current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
        const bool swapped =
            i > 1 && j > 1 && word[i - 1] == other[j - 2] && word[i - 2] == other[j - 1];
        if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
      }
      before = previous;
      std::swap(previous, current);
    }
    return previous[other.size()];
  };
  std::string best;
  size_t best_distance = std::min(std::max<size_t>(1, word.size() / 3) + 1, word.size());
  for (const std::string& candidate : candidates) {
    const size_t d = distance(candidate);
    if (d < best_distance) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr size_t kFew = 16;
  const std::string near = nearest(word, candidates);
  if (!near.empty()) return fmt::format("; did you mean '{}'?", near);
  if (candidates.empty() || candidates.size() > kFew) return {};
  return fmt::format("; there are {}", fmt::join(candidates, ", "));
}

}  // namespace floydnet
