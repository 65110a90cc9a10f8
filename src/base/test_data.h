// The folder of golden data, for tests only. It is not part of the project: tests that need it are
// skipped, with the reason, where it is absent.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace floydnet {

/// $FLOYDNET_TEST_DATA, or the folder "shared" beside the source folder.
inline std::string test_data_folder() {
  const char* folder = std::getenv("FLOYDNET_TEST_DATA");
  if (folder != nullptr && *folder != '\0') return folder;
  return std::string(FLOYDNET_SOURCE_DIR) + "/../shared";
}

inline std::string test_data(const std::string& name) { return test_data_folder() + "/" + name; }

}  // namespace floydnet

/// Skips the running test unless the file or folder of that name is there.
#define FLOYDNET_REQUIRE_TEST_DATA(name)                              \
  if (std::filesystem::exists(::floydnet::test_data(name))) {         \
  } else                                                              \
    GTEST_SKIP() << "no golden data: " << ::floydnet::test_data(name) \
                 << " is absent; set FLOYDNET_TEST_DATA"
