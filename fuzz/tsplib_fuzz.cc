#include "floydnet/error.h"
#include "fuzz.h"
#include "tasks/tsp/data/tsplib.h"

using namespace floydnet;

namespace {

/// What was read can be written, and is then read as the same.
void check_instance(std::string_view text) {
  const tsp::Problem problem = tsp::parse_tsplib(text, "fuzz");
  constexpr int kCitiesInReasonableTime = 200;
  if (problem.cities() > kCitiesInReasonableTime) return;
  const std::string written = tsp::format_tsplib(problem);
  fuzz_require(tsp::format_tsplib(tsp::parse_tsplib(written, "fuzz")) == written);
  fuzz_require(tsp::make_instance(problem).cities() == problem.cities());
}

void check_tour_file(std::string_view text, int cities) {
  const tsp::Tour tour = tsp::parse_tour(text, cities, "fuzz");
  tsp::check_tour(tour, cities);
  fuzz_require(tsp::parse_tour(tsp::format_tour(tour, "a", "b"), cities, "again") == tour);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz_text(data, size);
  try {
    check_instance(text);
  } catch (const InputError&) {
  }
  for (const int cities : {1, 4}) {
    try {
      check_tour_file(text, cities);
    } catch (const InputError&) {
    }
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  std::vector<std::string> seeds = {
      "NAME: a\nTYPE: TSP\nTOUR_SECTION\n3\n1 2 4\n-1\nEOF\n",
      "NAME : a\nTYPE : TOUR\nDIMENSION : 4\nTOUR_SECTION\n3\n1\n2\n4\n-1\nEOF\n"};
  for (const char* metric : {"EUC_2D", "CEIL_2D", "MAN_2D", "MAX_2D", "GEO", "ATT"}) {
    seeds.push_back(std::string("NAME: a\nTYPE : TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: ") + metric +
                    "\nNODE_COORD_SECTION\n1 0 0\n2 1.5 -1\n3 1.0e+02 2\n4 30.12 40.59\nEOF\n");
  }
  const std::string head = "DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: ";
  const std::string tail = "\nDISPLAY_DATA_SECTION\n1 0 0\n2 1 0\n3 0 1\nEOF\n";
  seeds.push_back(head + "FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2\n1 0 3\n2 3 0" + tail);
  seeds.push_back(head + "UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2\n2147483647" + tail);
  seeds.push_back(head + "LOWER_ROW\nEDGE_WEIGHT_SECTION\n1 2 3" + tail);
  seeds.push_back(head + "UPPER_DIAG_ROW\nEDGE_WEIGHT_SECTION\n0 1 2 0 3 0" + tail);
  seeds.push_back(head + "LOWER_DIAG_ROW\nEDGE_WEIGHT_SECTION\n0 1 0 2 3.0 0" + tail);
  return seeds;
}
