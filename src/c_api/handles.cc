#include "c_api/handles.h"

#include <fmt/format.h>

#include <new>
#include <stdexcept>

#include "floydnet/error.h"
#include "floydnet/version.h"

namespace floydnet::c_api {
namespace {

enum ErrorKind { kInput = 1, kMisuse = 2, kMemory = 3, kOther = 4 };

struct LastError {
  int kind = 0;
  std::string message;
};
thread_local LastError last_error;

const NpyArray* array_at(const floydnet_arrays* arrays, int64_t index) {
  if (arrays == nullptr || index < 0 || index >= static_cast<int64_t>(arrays->arrays.size())) {
    remember_error(kMisuse, "there is no array of this number");
    return nullptr;
  }
  return arrays->arrays[index];
}

}  // namespace

void remember_error(int kind, const char* message) {
  last_error.kind = kind;
  last_error.message = message;
}

void remember_current_error() {
  try {
    throw;
  } catch (const InputError& error) {
    remember_error(kInput, error.what());
  } catch (const std::invalid_argument& error) {
    remember_error(kMisuse, error.what());
  } catch (const std::bad_alloc&) {
    remember_error(kMemory, "out of memory");
  } catch (const std::length_error&) {
    remember_error(kMemory, "out of memory");
  } catch (const std::exception& error) {
    remember_error(kOther, error.what());
  } catch (...) {
    remember_error(kOther, "unknown error");
  }
}

floydnet_arrays* new_arrays(NpzArchive archive) {
  auto handle = std::make_unique<floydnet_arrays>();
  handle->archive = std::move(archive);
  for (const auto& [name, array] : handle->archive) {
    handle->names.push_back(name);
    handle->types.push_back(array.type());
    handle->arrays.push_back(&array);
  }
  return handle.release();
}

void read_options(const OptionTable& table, const char* json, const char* source) {
  if (json == nullptr) return;
  const auto object = nlohmann::json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) throw InputError::in(source, "options are not a JSON object");
  table.read(object, source);
}

void require_pointer(const void* pointer, const char* name) {
  if (pointer == nullptr) throw std::invalid_argument(fmt::format("{} is null", name));
}

NpyArray flag(bool value) {
  NpyArray array;
  array.kind = 'b';
  array.item_size = 1;
  array.bytes = {static_cast<char>(value ? 1 : 0)};
  return array;
}

}  // namespace floydnet::c_api

using namespace floydnet::c_api;

const char* floydnet_error(void) { return last_error.message.c_str(); }
int floydnet_error_kind(void) { return last_error.kind; }
const char* floydnet_version(void) { return floydnet::version(); }

int64_t floydnet_arrays_count(const floydnet_arrays* arrays) {
  return arrays == nullptr ? 0 : static_cast<int64_t>(arrays->arrays.size());
}

const char* floydnet_arrays_name(const floydnet_arrays* arrays, int64_t index) {
  return array_at(arrays, index) == nullptr ? nullptr : arrays->names[index].c_str();
}

const char* floydnet_arrays_type(const floydnet_arrays* arrays, int64_t index) {
  return array_at(arrays, index) == nullptr ? nullptr : arrays->types[index].c_str();
}

int64_t floydnet_arrays_dimensions(const floydnet_arrays* arrays, int64_t index) {
  const floydnet::NpyArray* array = array_at(arrays, index);
  return array == nullptr ? -1 : static_cast<int64_t>(array->shape.size());
}

const int64_t* floydnet_arrays_shape(const floydnet_arrays* arrays, int64_t index) {
  const floydnet::NpyArray* array = array_at(arrays, index);
  return array == nullptr ? nullptr : array->shape.data();
}

const void* floydnet_arrays_data(const floydnet_arrays* arrays, int64_t index) {
  const floydnet::NpyArray* array = array_at(arrays, index);
  return array == nullptr ? nullptr : array->bytes.data();
}

void floydnet_arrays_free(floydnet_arrays* arrays) { delete arrays; }
