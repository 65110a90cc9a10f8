// A run's schema: what is read is written, and read again the same.
#include <nlohmann/json.hpp>

#include "floydnet/error.h"
#include "fuzz.h"
#include "tasks/graphs/schema/schema.h"

using namespace floydnet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto json = nlohmann::json::parse(fuzz_text(data, size), nullptr, /*exceptions=*/false);
  if (json.is_discarded()) return 0;
  try {
    const graphs::Schema schema = graphs::schema_from_json(json, "schema");
    for (const graphs::Target& target : schema.targets) {
      fuzz_require(target.width > 0 && target.outputs() >= 0);
    }
    const nlohmann::json written = graphs::to_json(schema);
    fuzz_require(graphs::to_json(graphs::schema_from_json(written, "written")) == written);
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  return {"{}",
          R"({"directed": false, "pairs_listed": true, "features": [
          {"level": "node", "name": "x", "width": 2, "categories": [3, 5]},
          {"level": "edge", "name": "w", "width": 1, "scale": {"mean": [0.5], "deviation": [2]}}],
          "targets": [{"level": "graph", "name": "y", "width": 1, "kind": "regression",
                       "scale": {"mean": [-1e3], "deviation": [0.25]}}]})",
          R"({"directed": true, "pairs_listed": false, "features": [], "targets": [
          {"level": "node", "name": "c", "width": 2, "kind": "classes", "classes": [3, 2],
           "counts": [1, 2, 3, 4, 5]},
          {"level": "pair", "name": "b", "width": 1, "kind": "binary", "counts": [9, 1]}]})"};
}
