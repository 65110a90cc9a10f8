// What a run found, beside k-FWL, theory and the published counts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tasks/brec/run.h"

namespace floydnet::brec {

struct ReportRow {
  PairResult result;
  std::string category;
  std::optional<bool> fwl;     // whether k-FWL tells the pair apart
  std::optional<bool> theory;  // whether it is known to
  int64_t nodes = 0;           // of each graph
};

struct Report {
  RunOptions run;
  std::vector<ReportRow> rows;
  bool is_brec = false;  // published counts exist
  double seconds = 0, fwl_seconds = 0;

  /// The k of the k-FWL that bounds the model.
  int64_t order() const;
  std::vector<int64_t> distinguished() const;
  std::vector<int64_t> unreliable() const;
  std::vector<int64_t> not_run() const;
  std::vector<int64_t> fwl_ids() const;
  bool has_fwl() const;
  /// Pairs that were run and where the verdict is not k-FWL's; where that was not run, not that of
  /// theory.
  std::vector<int64_t> disagreements() const;
};

std::string report_text(const Report& report);
nlohmann::json report_json(const Report& report);

}  // namespace floydnet::brec
