// The table of fragments, and index files of ZINC.
#include "floydnet/error.h"
#include "fuzz.h"
#include "tasks/graphs/molecules/fragment_table.h"
#include "tasks/graphs/molecules/zinc_index.h"

using namespace floydnet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    graphs::FragmentTable(fuzz_text(data, size), "fuzz");
  } catch (const InputError&) {
  }
  try {
    for (const size_t row : graphs::parse_zinc_index(fuzz_text(data, size), "fuzz", 50)) {
      fuzz_require(row < 50);
    }
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  return {"(lp0\n(lp1\nF-2.5\naI7\naI4294967295\naa(lp2\nF1.25\naI8\naa.", "3,0,49\n", "1\n2\n"};
}
