#include "wl/report.h"

#include <fmt/format.h>

namespace floydnet {

std::string wl_verdict_word(const WlVerdict& verdict) {
  if (!verdict.refusal.empty()) return "refused";
  return verdict.distinguished ? "different" : "same";
}

std::string wl_verdict_text(const WlVerdict& verdict) {
  const std::string word = wl_verdict_word(verdict);
  if (!verdict.refusal.empty()) return word + ": " + verdict.refusal;
  if (verdict.sizes_differ) return word + ": trivially so, the numbers of nodes differ";
  return fmt::format(
      "{}: {} round{}{}, {} colours, {} {}, {:.1f} MiB at most, {:.3f} s", word, verdict.rounds,
      verdict.rounds == 1 ? "" : "s", verdict.stable ? " to stability" : "", verdict.colours,
      verdict.evaluated_tuples, verdict.compressed ? "representatives of tuples" : "tuples",
      static_cast<double>(verdict.bytes) / 1024 / 1024, verdict.seconds);
}

nlohmann::json wl_verdict_json(const WlVerdict& verdict) {
  nlohmann::json json = {{"verdict", wl_verdict_word(verdict)}};
  if (!verdict.refusal.empty()) {
    json["reason"] = verdict.refusal;
    return json;
  }
  json.update({{"sizes_differ", verdict.sizes_differ},
               {"rounds", verdict.rounds},
               {"stable", verdict.stable},
               {"colours", verdict.colours},
               {"evaluated_tuples", verdict.evaluated_tuples},
               {"compressed", verdict.compressed},
               {"bytes", verdict.bytes},
               {"seconds", verdict.seconds}});
  return json;
}

}  // namespace floydnet
