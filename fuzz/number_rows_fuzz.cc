// Tables of numbers and lists of places.
#include "floydnet/error.h"
#include "fuzz.h"
#include "tasks/graphs/data/splits.h"
#include "tasks/graphs/import/number_rows.h"

using namespace floydnet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const graphs::NumberRows rows = graphs::parse_number_rows(fuzz_text(data, size), "fuzz");
    fuzz_require(static_cast<int64_t>(rows.values.size()) == rows.rows * rows.width);
    fuzz_require(rows.column(graphs::Level::kNode, "x").rows() == rows.rows);
  } catch (const InputError&) {
  }
  try {
    const std::vector<int64_t> places = graphs::parse_places(fuzz_text(data, size), "fuzz");
    graphs::splits_of({places, {}, {}}, 100, "fuzz");
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  return {"1,2\n3,nan\n", "0.5 -2e3\r\n 7 +8 ", "0,1,2,3", "1\n\n2\n", ";;", ",\n,"};
}
