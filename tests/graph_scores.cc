// Scores of cases from standard input, for tests/graph_scores.py: a JSON object a line, a JSON
// object of scores back.
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "record/json_lines.h"
#include "tasks/graphs/metrics/scores.h"

namespace {

using Json = nlohmann::json;
using floydnet::record::number_or_nan;
using floydnet::record::number_or_null;

std::vector<float> numbers(const Json& list) {
  std::vector<float> values;
  for (const Json& value : list) values.push_back(static_cast<float>(number_or_nan(value)));
  return values;
}

Json scores_of(const Json& test) {
  using namespace floydnet::graphs;
  if (test.at("kind") == "classes") {
    const auto labels = test.at("labels").get<std::vector<int64_t>>();
    const auto predictions = test.at("predictions").get<std::vector<int64_t>>();
    const ClassTable table{labels, predictions};
    return {{"accuracy", number_or_null(accuracy(table))},
            {"macro_f1", number_or_null(macro_f1(table))}};
  }
  const std::vector<float> labels = numbers(test.at("labels"));
  const std::vector<float> predictions = numbers(test.at("predictions"));
  const NumberTable table{test.at("width").get<int64_t>(), labels, predictions};
  if (test.at("kind") == "numbers") {
    return {{"mae", number_or_null(mean_absolute_error(table))},
            {"rmse", number_or_null(root_mean_square_error(table))},
            {"r2", number_or_null(r_squared(table))}};
  }
  return {{"ap", number_or_null(average_precision(table))},
          {"auc", number_or_null(roc_auc(table))}};
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << scores_of(Json::parse(line)).dump() << "\n";
  }
}
