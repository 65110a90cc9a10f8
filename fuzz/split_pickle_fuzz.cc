#include "floydnet/error.h"
#include "fuzz.h"
#include "tasks/graphs/molecules/split_pickle.h"
#include "tasks/graphs/molecules/test_split_pickle.h"

using namespace floydnet;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const graphs::SplitPlaces places = graphs::parse_split_pickle(fuzz_text(data, size), "fuzz");
    fuzz_require(places.train.size() + places.validation.size() + places.test.size() <=
                 size * size);
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  return {graphs::split_bytes(), "\x80\x04}.", "\x80\x04}\x94s.", "\x80\x04}q\x01h\x01."};
}
