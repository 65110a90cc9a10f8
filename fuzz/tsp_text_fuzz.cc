#include "floydnet/error.h"
#include "fuzz.h"
#include "tasks/tsp/data/text_format.h"

using namespace floydnet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    for (const tsp::Problem& problem : tsp::parse_text_format(fuzz_text(data, size), "a", "fuzz")) {
      fuzz_require(problem.cities() >= 1);
      if (!problem.reference) continue;
      tsp::check_tour(*problem.reference, problem.cities());
      const std::string line = tsp::format_text_line(problem.points, *problem.reference);
      const std::vector<tsp::Problem> again = tsp::parse_text_format(line, "a", "again");
      fuzz_require(again.size() == 1 && again[0].reference == problem.reference);
      fuzz_require(tsp::format_text_line(again[0].points, *again[0].reference) == line);
    }
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  return {"0.5 0.25 0 1 1 0 output 1 3 2 1\n0 0 1 1 output 2 1 2 \n\n0.1 0.2\n",
          "1e-3 +0.5 output 1 1", "0 0 -1 1e300 output 1 2 1\r\n"};
}
