#include "floydnet/error.h"
#include "fuzz.h"
#include "tasks/tsp/data/generator.h"
#include "tasks/tsp/solver/certificate.h"
#include "tasks/tsp/solver/exact.h"

using namespace floydnet;

namespace {

const tsp::Instance& instance() {
  static const tsp::Instance one =
      tsp::make_instance(tsp::random_problem(tsp::Kind::kEuclidean, 15, 1, 0));
  return one;
}

const tsp::ExactResult& solution() {
  static const tsp::ExactResult one = [] {
    tsp::ExactOptions options;
    options.certificate = true;
    return tsp::solve_exact(instance(), options);
  }();
  return one;
}

/// Whatever is accepted proves the true optimum.
void verify(const std::string& text) {
  try {
    const tsp::Tour tour = tsp::verify_certificate(instance(), text);
    tsp::check_tour(tour, instance().cities());
    fuzz_require(tsp::tour_length(instance(), tour) == solution().length);
  } catch (const InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(fuzz_text(data, size));
  verify(text);
  // Once more with the right checksum, without which nothing else would be looked at.
  const std::string before = text.substr(0, text.rfind(",\"crc32\""));
  verify(before + tsp::certificate_end(before));
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  return {solution().certificate->text, "{}", "[]", R"({"length": 1, "tour": [1, 2, 3]})"};
}
