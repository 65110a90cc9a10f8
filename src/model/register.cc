// Files of weights as a class that Python reaches after torch.ops.load_library.
#include <torch/custom_class.h>

#include "floydnet/weights.h"
#include "model/tensors.h"

namespace floydnet {
namespace {

/// A safetensors file, checked as the program checks it.
struct StoredFile : torch::CustomClassHolder {
  explicit StoredFile(const std::string& path) {
    const TensorFile file = read_safetensors(path);
    for (const auto& [name, tensor] : to_torch(file.tensors)) tensors.insert(name, tensor);
    for (const auto& [key, text] : file.metadata) metadata.insert(key, text);
  }

  c10::Dict<std::string, torch::Tensor> tensors;
  c10::Dict<std::string, std::string> metadata;
};

void write_file(const std::string& path, const c10::Dict<std::string, torch::Tensor>& tensors,
                const c10::Dict<std::string, std::string>& metadata) {
  TensorFile file;
  for (const auto& item : tensors) file.tensors[item.key()] = to_stored(item.value());
  for (const auto& item : metadata) file.metadata[item.key()] = item.value();
  write_safetensors(path, file);
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(floydnet, m) {
  m.class_<StoredFile>("StoredFile")
      .def(torch::init<std::string>())
      .def("tensors", [](const c10::intrusive_ptr<StoredFile>& self) { return self->tensors; })
      .def("metadata", [](const c10::intrusive_ptr<StoredFile>& self) { return self->metadata; });
  m.def("_write_safetensors", write_file);
}

}  // namespace floydnet
