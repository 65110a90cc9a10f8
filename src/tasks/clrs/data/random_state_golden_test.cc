// NumPy's own draws: values, and the words that follow them.
#include <map>

#include "base/test_data.h"
#include "floydnet/graph_io.h"
#include "tasks/clrs/data/random_state.h"
#include "tasks/clrs/data/test_golden.h"

namespace floydnet::clrs {
namespace {

using Draw = std::vector<double> (*)(RandomState&, int64_t count, double parameter);

std::vector<double> words(RandomState& random, int64_t count, double) {
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(random.next_u32());
  return values;
}

std::vector<double> reals(RandomState& random, int64_t count, double) {
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(random.real());
  return values;
}

std::vector<double> converted(const std::vector<int64_t>& values) {
  return {values.begin(), values.end()};
}

std::vector<double> integers(RandomState& random, int64_t count, double high) {
  return converted(random.integers(0, static_cast<int64_t>(high), count));
}

std::vector<double> permutation(RandomState& random, int64_t count, double) {
  return converted(random.permutation(count));
}

std::vector<double> binomials(RandomState& random, int64_t count, double p) {
  const Binomial distribution(1, p);
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<double>(random.binomial(distribution)));
  }
  return values;
}

/// One of `options` entries of a tuple of probabilities.
std::vector<double> chosen(RandomState& random, int64_t, double options) {
  if (options == 1) return {random.choice(1) == 0 ? 0.5 : -1};
  return {0.1 + 0.1 * static_cast<double>(random.choice(static_cast<int64_t>(options)))};
}

std::vector<double> uniform(RandomState& random, int64_t count, double high) {
  return random.uniform(high == 1 ? -1 : 0, high, count);
}

std::vector<double> from_one_to_eight(RandomState& random, int64_t, double) {
  return converted(random.integers(1, 9, 1));
}

struct Kind {
  Draw draw;
  double parameter = 0;
};

const std::map<std::string, Kind>& kinds() {
  static const std::map<std::string, Kind> all = {
      {"u32", {words}},
      {"random_sample", {reals}},
      {"uniform_-1_1", {uniform, 1}},
      {"uniform_0_2pi", {uniform, 2.0 * 3.141592653589793}},
      {"randint_0_1", {integers, 1}},
      {"randint_0_4", {integers, 4}},
      {"randint_0_5", {integers, 5}},
      {"randint_0_9", {integers, 9}},
      {"randint_0_13", {integers, 13}},
      {"randint_0_16", {integers, 16}},
      {"randint_0_48", {integers, 48}},
      {"randint_0_64", {integers, 64}},
      {"randint_0_1000", {integers, 1000}},
      {"randint_1_9_scalar", {from_one_to_eight}},
      {"randint_2pow32_scalar", {integers, 4294967296.0}},
      {"randint_0_2pow40", {integers, 1099511627776.0}},
      {"choice_13_scalar", {integers, 13}},
      {"choice_tuple1_scalar", {chosen, 1}},
      {"choice_tuple9_scalar", {chosen, 9}},
      {"choice_1000_size32", {integers, 1000}},
      {"permutation_5", {permutation}},
      {"permutation_16", {permutation}},
      {"permutation_64", {permutation}},
      {"binomial_1_0.01", {binomials, 0.01}},
      {"binomial_1_0.05", {binomials, 0.05}},
      {"binomial_1_0.2", {binomials, 0.2}},
      {"binomial_1_0.3", {binomials, 0.3}},
      {"binomial_1_0.5", {binomials, 0.5}},
      {"binomial_1_0.7", {binomials, 0.7}},
      {"binomial_1_0.9", {binomials, 0.9}},
      {"binomial_1_0.5_scalar", {binomials, 0.5}},
  };
  return all;
}

TEST(ClrsGolden, RandomDrawsAndTheNextWordsAreEqual) {
  FLOYDNET_REQUIRE_TEST_DATA(golden("rng_vectors.npz"));
  const NpzArchive archive = read_npz(test_data(golden("rng_vectors.npz")));
  const std::string next = "/next_u32";
  int64_t compared = 0;
  for (const auto& [key, array] : archive) {
    const size_t slash = key.find('/');
    const std::string name = key.substr(slash + 1);
    if (name.find('/') != std::string::npos) continue;  // the words after a draw
    ASSERT_EQ(kinds().count(name), 1u) << key << " is not tested";
    const Kind& kind = kinds().at(name);
    RandomState random(static_cast<uint32_t>(std::stoul(key.substr(4, slash - 4))));
    EXPECT_EQ(kind.draw(random, array.elements(), kind.parameter), array.as<double>()) << key;
    EXPECT_EQ(words(random, 2, 0), archive.at(key + next).as<double>()) << "after " << key;
    compared += 2;
  }
  std::printf("%ld vectors compared\n", static_cast<long>(compared));
  EXPECT_EQ(compared, static_cast<int64_t>(archive.size()));
}

}  // namespace
}  // namespace floydnet::clrs
