#include "floydnet/error.h"
#include "fuzz.h"
#include "tasks/counting/data/splits.h"

using namespace floydnet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr int64_t kGraphs = 100;
  try {
    const auto splits = counting::parse_splits(fuzz_text(data, size), kGraphs);
    std::vector<bool> seen(kGraphs);
    for (const auto* part : {&splits.train, &splits.validation, &splits.test}) {
      for (const int64_t place : *part) {
        fuzz_require(place >= 0 && place < kGraphs && !seen[static_cast<size_t>(place)]);
        seen[static_cast<size_t>(place)] = true;
      }
    }
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  return {R"({"train": [0, 99], "val": [1], "test": [2, 3]})", R"({"train":[],"val":[],"test":[]})",
          R"({"train": [[1]], "val": {"a": 1}, "test": -1e3})", "[]", "{}"};
}
