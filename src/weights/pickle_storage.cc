#include <fmt/format.h>

#include <optional>

#include "base/little_endian.h"
#include "floydnet/error.h"
#include "weights/pickle.h"
#include "weights/stored_tensor.h"

namespace floydnet::pickle {
namespace {

// Reads one pickle after the other from the front of some bytes.
class PickleRow {
 public:
  PickleRow(std::string_view bytes, const std::string& source) : bytes_(bytes), source_(source) {}

  void expect(std::string_view pickle, const char* what) {
    if (bytes_.substr(0, pickle.size()) != pickle) refuse(std::string("has no ") + what);
    bytes_.remove_prefix(pickle.size());
  }

  Tree next() {
    constexpr size_t kFew = 64;
    size_t length = 0;
    Tree tree = parse_first(bytes_, source_, {kFew, false}, length);
    bytes_.remove_prefix(length);
    return tree;
  }

  std::string_view rest() const { return bytes_; }

  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError::in(source_, problem);
  }

 private:
  std::string_view bytes_;
  const std::string& source_;
};

bool is_little_endian(const Tree& system) {
  const auto* dict = std::get_if<Dict>(&system.at(system.root));
  if (dict == nullptr) return false;
  for (const auto& [key, value] : dict->items) {
    const auto* text = std::get_if<std::string_view>(&system.at(key));
    const auto* truth = std::get_if<bool>(&system.at(value));
    if (text != nullptr && *text == "little_endian" && truth != nullptr) return *truth;
  }
  return false;
}

}  // namespace

Storage parse_storage(std::string_view bytes, const std::string& source) {
  using namespace std::string_view_literals;
  PickleRow row(bytes, source);
  row.expect("\x80\x02\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19."sv, "magic number of torch.save");
  row.expect("\x80\x02M\xe9\x03."sv, "version that is known");
  if (!is_little_endian(row.next())) row.refuse("is not from a little-endian machine");
  const Tree tree = row.next();
  const auto* storage = std::get_if<Storage>(&tree.at(tree.root));
  if (storage == nullptr) row.refuse("holds no storage");
  const Tree keys = row.next();
  const auto* list = std::get_if<Sequence>(&keys.at(keys.root));
  if (list == nullptr || list->items.size() != 1) row.refuse("does not hold one storage");
  const std::string_view rest = row.rest();
  const std::optional<int64_t> size = byte_size(storage->type, {storage->elements});
  if (!size || rest.size() < 8 || rest.size() - 8 != static_cast<uint64_t>(*size) ||
      load_little_endian<uint64_t>(rest, 0) != static_cast<uint64_t>(storage->elements)) {
    row.refuse(fmt::format("announces {} elements of {}, and {} bytes follow", storage->elements,
                           name(storage->type), rest.size()));
  }
  Storage found = *storage;
  found.key = {};
  found.within = true;
  found.bytes = rest.substr(8);
  return found;
}

}  // namespace floydnet::pickle
