// What stands behind the C functions' pointers, and how exceptions become error codes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/options.h"
#include "floydnet/c.h"
#include "floydnet/graph.h"
#include "floydnet/graph_io.h"

struct floydnet_arrays {
  floydnet::NpzArchive archive;
  /// In the order of the archive; texts stay where they are while the handle lives.
  std::vector<std::string> names, types;
  std::vector<const floydnet::NpyArray*> arrays;
};

struct floydnet_graph {
  floydnet::Graph graph;
};

namespace floydnet::c_api {

void remember_error(int kind, const char* message);
/// Of the exception that is being handled.
void remember_current_error();

/// What the function gives, or `failed` after an exception, which is remembered.
template <typename Function, typename Result>
Result guarded(const Function& function, Result failed) {
  try {
    return function();
  } catch (...) {
    remember_current_error();
    return failed;
  }
}

floydnet_arrays* new_arrays(NpzArchive archive);

/// Reads a JSON text, null for an empty object, strictly.
void read_options(const OptionTable& table, const char* json, const char* source);

/// Throws std::invalid_argument, naming the argument, where it is null.
void require_pointer(const void* pointer, const char* name);

/// A single number or flag.
template <typename T>
NpyArray scalar(T value) {
  return NpyArray::from(std::vector<T>{value}, {});
}
NpyArray flag(bool value);

}  // namespace floydnet::c_api
