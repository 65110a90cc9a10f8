// Lists of tuples of tensors, as data sets of graphs are saved: by torch.save (a zip archive) or by
// pickle.dump. Nothing that a file brings is run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "floydnet/weights.h"

namespace floydnet {

/// Calls `use` for each tuple in turn. A list of numbers in the place of a tensor counts as one.
/// The tuples may be lists, and may hold tensors, numbers and lists of numbers alone; InputError
/// names `source`, the tuple and what else is there. `count` is that of all tuples.
using UseTuple = std::function<void(int64_t index, int64_t count, std::vector<StoredTensor> tuple)>;
void parse_tensor_tuples(std::string_view bytes, const std::string& source, const UseTuple& use);

/// The elements as numbers; InputError, which begins with `place`, if they are of another kind.
std::vector<int64_t> integers_of(const StoredTensor& tensor, const std::string& place);
std::vector<float> reals_of(const StoredTensor& tensor, const std::string& place);
bool is_real(DType type);

}  // namespace floydnet
