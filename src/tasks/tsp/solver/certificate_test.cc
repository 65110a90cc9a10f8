#include "tasks/tsp/solver/certificate.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "floydnet/error.h"
#include "tasks/tsp/solver/exact.h"
#include "tasks/tsp/solver/test_instances.h"

namespace floydnet::tsp {
namespace {

std::string certificate(const Instance& instance) {
  ExactOptions options;
  options.certificate = true;
  return solve_exact(instance, options).certificate.value().text;
}

/// As if written by somebody who knows the checksum.
std::string resealed(const nlohmann::json& content) {
  nlohmann::json rest = content;
  rest.erase("crc32");
  std::string text = rest.dump();
  text.pop_back();
  return text + certificate_end(text);
}

/// Where the text's numbers stand.
std::vector<std::pair<std::size_t, std::size_t>> numbers(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  const auto is_digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(i)) continue;
    const std::size_t first = i;
    while (i < text.size() && is_digit(i)) ++i;
    found.emplace_back(first, i - first);
  }
  return found;
}

TEST(TspCertificate, OfRandomInstancesIsAccepted) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Instance instance = random_instance(1 + static_cast<int>(seed % 40), seed);
    const Tour tour = verify_certificate(instance, certificate(instance));
    EXPECT_EQ(tour_length(instance, tour), solve_exact(instance, {}).length) << seed;
  }
}

TEST(TspCertificate, WithATreeIsAccepted) {
  int with_tree = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Instance instance = random_points(70, seed, 100);
    const std::string text = certificate(instance);
    EXPECT_NO_THROW(verify_certificate(instance, text)) << seed;
    if (nlohmann::json::parse(text)["tree"].size() > 1) ++with_tree;
  }
  EXPECT_GT(with_tree, 0);
}

/// A tour that is found after edges were fixed makes their proof one of the whole.
TEST(TspCertificate, OfALateTourIsAccepted) {
  int with_fixing = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Instance instance = random_matrix(60, seed, 1, 60);
    ExactOptions options;
    options.certificate = true;
    options.kicks = 0;
    const std::string text = solve_exact(instance, options).certificate.value().text;
    EXPECT_NO_THROW(verify_certificate(instance, text)) << seed;
    if (nlohmann::json::parse(text).contains("fixing")) ++with_fixing;
  }
  EXPECT_GT(with_fixing, 0);
}

TEST(TspCertificate, WithOneNumberChangedIsRefused) {
  std::mt19937_64 random(1);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Instance instance = random_instance(5 + 2 * static_cast<int>(seed), seed);
    const std::string text = certificate(instance);
    const auto places = numbers(text);
    for (int change = 0; change < 100; ++change) {
      const auto [first, size] = places[random() % places.size()];
      std::string changed = text;
      const std::string old = text.substr(first, size);
      std::string other = std::to_string(random() % 1000);
      if (other == old) other += "1";
      changed.replace(first, size, other);
      EXPECT_THROW(verify_certificate(instance, changed), InputError) << seed << " " << change;
    }
  }
}

TEST(TspCertificate, OfAnotherInstanceIsRefused) {
  const std::string text = certificate(random_points(20, 1, 100));
  EXPECT_THROW(verify_certificate(random_points(20, 2, 100), text), InputError);
}

class TspForgedCertificate : public ::testing::Test {
 protected:
  void expect_refused() {
    EXPECT_THROW(verify_certificate(instance_, resealed(content_)), InputError);
  }

  Instance instance_ = random_points(40, 3, 100);
  nlohmann::json content_ = nlohmann::json::parse(certificate(instance_));
};

TEST_F(TspForgedCertificate, IsAcceptedIfNothingChanged) {
  EXPECT_NO_THROW(verify_certificate(instance_, resealed(content_)));
}

TEST_F(TspForgedCertificate, WithALongerTour) {
  std::swap(content_["tour"][3], content_["tour"][20]);
  content_["length"] = tour_length(instance_, content_["tour"].get<Tour>());
  expect_refused();
}

TEST_F(TspForgedCertificate, WithMultipliersThatProveLess) {
  for (auto& multiplier : content_["tree"].back()["cities"]) multiplier = 0;
  expect_refused();
}

TEST_F(TspForgedCertificate, WithANegativeMultiplierOfACut) {
  content_["tree"].back()["cuts"][0][1] = -1;
  expect_refused();
}

TEST_F(TspForgedCertificate, WithHugeNumbers) {
  content_["tree"].back()["cities"][0] = std::numeric_limits<std::uint64_t>::max();
  expect_refused();
  content_["tree"].back()["cities"][0] = 1e300;
  expect_refused();
}

TEST_F(TspForgedCertificate, WithoutItsTree) {
  content_["tree"] = nlohmann::json::array();
  expect_refused();
  content_.erase("tree");
  expect_refused();
}

TEST_F(TspForgedCertificate, WithHalfATree) {
  content_["tree"].insert(content_["tree"].begin(), nlohmann::json{0, 1});
  expect_refused();
}

TEST_F(TspForgedCertificate, WithCutsThatDoNotHold) {
  for (const char* cut : {"[]", "[[]]", "[[0,0]]", "[[1,0]]", "[[-1]]", "[[40]]", "[[0],[1]]",
                          "[[0,1,2],[0,3],[1,4],[2,0]]", "[[0,1,2],[0,1],[2,4],[5,6]]", "7"}) {
    content_["cuts"][0] = nlohmann::json::parse(cut);
    expect_refused();
  }
}

TEST(TspCertificate, TextThatIsNoneIsRefused) {
  const Instance instance = random_points(5, 1, 100);
  for (const std::string text : {"", " ", "{}", "[]", "null", "{", "\xff"}) {
    EXPECT_THROW(verify_certificate(instance, text), InputError) << text;
    EXPECT_THROW(verify_certificate(instance, text + certificate_end(text)), InputError) << text;
  }
}

}  // namespace
}  // namespace floydnet::tsp
