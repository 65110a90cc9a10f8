#include <fmt/format.h>

#include <limits>

#include "c_api/handles.h"
#include "floydnet/clrs_data.h"
#include "floydnet/error.h"
#include "floydnet/tsp.h"

using namespace floydnet;
using namespace floydnet::c_api;

struct floydnet_samples {
  clrs::Samples samples;
};

namespace {

clrs::SamplesOptions samples_options(const char* json) {
  // The probabilities are a list of reals, which option tables do not have.
  const auto object =
      json == nullptr ? nlohmann::json::object() : nlohmann::json::parse(json, nullptr, false);
  if (!object.is_object()) throw InputError::in("clrs.samples", "options are not a JSON object");
  nlohmann::json rest = object;
  clrs::SamplesOptions options;
  if (rest.contains("edge_probabilities")) {
    const nlohmann::json list = rest["edge_probabilities"];
    rest.erase("edge_probabilities");
    if (!list.is_array()) {
      throw InputError::in("clrs.samples", "edge_probabilities are not a list of numbers");
    }
    for (const auto& value : list) {
      if (!value.is_number()) {
        throw InputError::in("clrs.samples", "edge_probabilities are not a list of numbers");
      }
      options.edge_probabilities.push_back(value.get<double>());
    }
  }
  int64_t seed = options.seed;
  OptionTable table;
  table.integer("length", &options.length, {1, int64_t{1} << 20}, "of the problems");
  table.integer("seed", &seed, {0, std::numeric_limits<uint32_t>::max()}, "of the generator");
  table.boolean("hints", &options.hints, "whether hints are wanted");
  table.integer("needle_length", &options.needle_length, {-(1 << 20), 1 << 20}, "of strings");
  table.read(rest, "clrs.samples");
  options.seed = static_cast<uint32_t>(seed);
  return options;
}

tsp::Instance instance_of(const int64_t* weights, int64_t cities) {
  require_pointer(weights, "weights");
  if (cities < 1 || cities > tsp::kMaxCities) {
    throw InputError(fmt::format("tsp: {} cities; there may be 1 to {}", cities, tsp::kMaxCities));
  }
  std::vector<int32_t> narrow(cities * cities);
  for (int64_t i = 0; i < cities * cities; ++i) {
    const int64_t weight = i / cities == i % cities ? 0 : weights[i];
    if (weight < 0 || weight > std::numeric_limits<int32_t>::max()) {
      throw InputError(fmt::format("tsp: weight {} from city {} to {} is not in [0, 2^31)", weight,
                                   i / cities, i % cities));
    }
    narrow[i] = static_cast<int32_t>(weight);
  }
  return tsp::Instance("tsp", static_cast<int>(cities), std::move(narrow));
}

NpyArray tour_array(const tsp::Tour& tour) {
  return NpyArray::from(std::vector<int64_t>(tour.begin(), tour.end()),
                        {static_cast<int64_t>(tour.size())});
}

tsp::ExactOptions exact_options(const char* json) {
  tsp::ExactOptions options;
  int64_t seed = 1;
  double time_limit = 0;
  OptionTable table;
  table.integer("seed", &seed, {0, std::numeric_limits<int64_t>::max()}, "of the first tour");
  table.real("time_limit", &time_limit, {0, 1e9}, "in seconds; 0: none");
  table.boolean("certificate", &options.certificate, "whether a proof is wanted");
  read_options(table, json, "tsp.solve");
  options.seed = static_cast<uint64_t>(seed);
  if (time_limit > 0) options.time_limit = time_limit;
  return options;
}

NpzArchive solved(const tsp::ExactResult& result) {
  NpzArchive arrays = {
      {"tour", tour_array(result.tour)},          {"length", scalar<int64_t>(result.length)},
      {"bound", scalar<int64_t>(result.bound)},   {"proven", flag(result.proven)},
      {"nodes", scalar<int64_t>(result.nodes)},   {"cuts", scalar<int64_t>(result.cuts)},
      {"seconds", scalar<double>(result.seconds)}};
  if (result.certificate) {
    const std::string& text = result.certificate->text;
    NpyArray bytes;
    bytes.kind = 'u';
    bytes.item_size = 1;
    bytes.shape = {static_cast<int64_t>(text.size())};
    bytes.bytes.assign(text.begin(), text.end());
    arrays["certificate"] = bytes;
  }
  return arrays;
}

}  // namespace

floydnet_arrays* floydnet_clrs_algorithms(void) {
  return guarded(
      [] {
        const std::vector<std::string> names = clrs::algorithm_names();
        return new_arrays(
            {{"algorithms", NpyArray::from_strings(names, {static_cast<int64_t>(names.size())})}});
      },
      static_cast<floydnet_arrays*>(nullptr));
}

floydnet_samples* floydnet_clrs_samples(const char* algorithm, const char* options) {
  return guarded(
      [&] {
        require_pointer(algorithm, "algorithm");
        return new floydnet_samples{clrs::Samples(algorithm, samples_options(options))};
      },
      static_cast<floydnet_samples*>(nullptr));
}

floydnet_arrays* floydnet_clrs_next(floydnet_samples* samples, int64_t count) {
  return guarded(
      [&] {
        require_pointer(samples, "samples");
        return new_arrays(samples->samples.next(count));
      },
      static_cast<floydnet_arrays*>(nullptr));
}

void floydnet_clrs_free(floydnet_samples* samples) { delete samples; }

floydnet_arrays* floydnet_tsp_solve(const int64_t* weights, int64_t cities, const char* options) {
  return guarded(
      [&] {
        const tsp::ExactOptions exact = exact_options(options);
        return new_arrays(solved(tsp::solve_exact(instance_of(weights, cities), exact)));
      },
      static_cast<floydnet_arrays*>(nullptr));
}

floydnet_arrays* floydnet_tsp_verify(const int64_t* weights, int64_t cities,
                                     const char* certificate) {
  return guarded(
      [&] {
        require_pointer(certificate, "certificate");
        const tsp::Instance instance = instance_of(weights, cities);
        const tsp::Tour tour = tsp::verify_certificate(instance, certificate);
        return new_arrays({{"tour", tour_array(tour)},
                           {"length", scalar<int64_t>(tsp::tour_length(instance, tour))}});
      },
      static_cast<floydnet_arrays*>(nullptr));
}
