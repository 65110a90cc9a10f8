#include "tasks/graphs/molecules/split_pickle.h"

#include <variant>

#include "base/little_endian.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "weights/pickle.h"

namespace floydnet::graphs {
namespace {

template <typename T>
const T& expect(const pickle::Tree& tree, pickle::Node node, const std::string& source,
                const char* what) {
  const T* value = std::get_if<T>(&tree.at(node));
  if (value == nullptr) throw InputError::in(source, std::string("wanted ") + what);
  return *value;
}

}  // namespace

SplitPlaces parse_split_pickle(std::string_view bytes, const std::string& source) {
  pickle::Options options;
  options.max_nodes = 10'000;  // a split needs some dozens
  options.arrays = true;
  const pickle::Tree tree = pickle::parse(bytes, source, options);
  SplitPlaces places;
  for (const auto& [key, value] :
       expect<pickle::Dict>(tree, tree.root, source, "a dict of splits").items) {
    const auto name = expect<std::string_view>(tree, key, source, "the name of a split");
    const std::string_view rows =
        expect<pickle::IntegerArray>(tree, value, source, "an array of rows").bytes;
    std::vector<int64_t>* part = name == "train"                    ? &places.train
                                 : name == "val" || name == "valid" ? &places.validation
                                 : name == "test"                   ? &places.test
                                                                    : nullptr;
    if (part == nullptr) {
      throw InputError::in(source, in_quotes(name) + " is no split; wanted train, val and test");
    }
    part->clear();  // of a key that is there twice, the last stands
    for (size_t at = 0; at < rows.size(); at += 8) {
      part->push_back(static_cast<int64_t>(load_little_endian<uint64_t>(rows, at)));
    }
  }
  return places;
}

}  // namespace floydnet::graphs
