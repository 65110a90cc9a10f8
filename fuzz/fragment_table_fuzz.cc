#include "floydnet/error.h"
#include "fuzz.h"
#include "tasks/graphs/molecules/fragment_table.h"

using namespace floydnet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    graphs::FragmentTable(fuzz_text(data, size), "fuzz");
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  return {"(lp0\n(lp1\nF-2.5\naI7\naI4294967295\naa(lp2\nF1.25\naI8\naa.", "(lp0\n.",
          "cos\nsystem\n."};
}
