#include "console/settings.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "floydnet/error.h"

namespace floydnet {

void Settings::add_set(CLI::App& app, const std::shared_ptr<Settings>& settings,
                       const std::string& help) {
  app.add_option_function<std::vector<std::string>>(
         "--set", [settings](const std::vector<std::string>& given) { settings->set_ = given; },
         help)
      ->take_all()
      ->expected(1);
}

void Settings::add_flag(CLI::App& app, const std::shared_ptr<Settings>& settings,
                        const std::string& flag, const std::string& help) {
  app.add_option_function<std::string>(
      flag,
      [settings, flag](const std::string& text) { settings->flags_.emplace_back(flag, text); },
      help);
}

void Settings::apply(const std::string& task, const std::vector<Flag>& known,
                     train::RunConfig* config) const {
  for (const std::string& setting : set_) config->set(setting);
  for (const auto& given : flags_) {
    const std::string& flag = given.first;
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&flag](const Flag& one) { return one.flag == flag; });
    if (found == known.end()) {
      throw InputError::in(flag, fmt::format("{} has no such flag", task));
    }
    for (const std::string& setting : set_) {
      if (setting.rfind(found->key + "=", 0) == 0) {
        throw InputError::in(flag, fmt::format("given twice, by --set {} too", setting));
      }
    }
    config->set(found->key, given.second, fmt::format("{} {}", flag, given.second));
  }
}

std::string Settings::outside(const std::string& section) const {
  for (const std::string& setting : set_) {
    if (setting.rfind(section + ".", 0) != 0) return "--set " + setting;
  }
  return {};
}

}  // namespace floydnet
