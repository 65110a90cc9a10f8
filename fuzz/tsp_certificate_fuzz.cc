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

}  // namespace

/// Whatever is accepted proves the true optimum.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const tsp::Tour tour = tsp::verify_certificate(instance(), std::string(fuzz_text(data, size)));
    tsp::check_tour(tour, instance().cities());
    fuzz_require(tsp::tour_length(instance(), tour) == solution().length);
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  return {solution().certificate->text, "{}", "[]", R"({"length": 1, "tour": [1, 2, 3]})"};
}
