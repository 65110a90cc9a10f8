// Golden arrays of the official benchmark, for tests only.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/test_data.h"
#include "floydnet/graph_io.h"
#include "tasks/clrs/data/spec.h"

namespace floydnet::clrs {

inline std::string golden(const std::string& name) { return "clrs/golden/" + name; }

inline std::string numpy_type(Dtype dtype) {
  return dtype == Dtype::kInt64 ? "i8" : dtype == Dtype::kFloat32 ? "f4" : "f8";
}

/// Type, shape, and every value to the last bit.
inline void expect_equal(const NpyArray& wanted, const std::vector<double>& found, Dtype dtype,
                         const std::vector<int64_t>& shape, const std::string& what) {
  EXPECT_EQ(wanted.type(), numpy_type(dtype)) << what;
  ASSERT_EQ(wanted.shape, shape) << what;
  const std::vector<double> values = wanted.as<double>();
  ASSERT_EQ(values.size(), found.size()) << what;
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(std::memcmp(&values[i], &found[i], sizeof(double)), 0)
        << what << ": element " << i << " is " << found[i] << ", not " << values[i];
  }
}

}  // namespace floydnet::clrs
