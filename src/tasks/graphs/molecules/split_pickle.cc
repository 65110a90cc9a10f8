#include "tasks/graphs/molecules/split_pickle.h"

#include <fmt/format.h>

#include <map>
#include <unordered_map>
#include <utility>
#include <variant>

#include "base/little_endian.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "weights/pickle_opcodes.h"

namespace floydnet::graphs {
namespace split_machine {  // a namespace of its own, for the opcodes' short names

using namespace pickle;

constexpr uint8_t kBinBytes = 'B', kShortBinBytes = 'C', kBinBytes8 = 0x8e;
constexpr size_t kMaxValues = 10'000;  // a split needs some dozens

using Node = size_t;
struct Nothing {};  // None, True, False: nothing depends on them
struct Bytes {
  std::string_view view;
};
using Tuple = std::vector<Node>;
enum class Global { kReconstruct, kArray, kType };
struct Integers {};  // the type of 64-bit integers
struct Array {
  std::string_view bytes;
};
using Dict = std::vector<std::pair<Node, Node>>;
using Value =
    std::variant<Nothing, int64_t, std::string_view, Bytes, Tuple, Global, Integers, Array, Dict>;

class Machine {
 public:
  Machine(std::string_view bytes, const std::string& source) : bytes_(bytes), source_(source) {}

  std::map<std::string_view, std::string_view> run() {
    if (bytes_.empty() || take_number(1) != kProto) refuse("no pickle begins here");
    const uint64_t protocol = take_number(1);
    if (protocol < 3 || protocol > 5) {
      refuse(fmt::format("protocol {} is not read, only 3 to 5", protocol));
    }
    for (;;) {
      instruction_ = position_;
      const auto opcode = static_cast<uint8_t>(take_number(1));
      if (opcode == kStop) break;
      if (!scalar(opcode) && !container(opcode) && !memo(opcode) && !object(opcode)) {
        refuse(fmt::format("does not know the instruction 0x{:02x}", opcode));
      }
    }
    if (position_ != bytes_.size()) refuse("bytes follow the end of the pickle");
    std::map<std::string_view, std::string_view> arrays;
    for (const auto& [key, value] : expect<Dict>(pop(), "a dict")) {
      arrays[expect<std::string_view>(key, "the name of a split")] =
          expect<Array>(value, "an array").bytes;
    }
    return arrays;
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError::at_byte(source_, instruction_, problem);
  }

  std::string_view take(uint64_t count) {
    if (count > bytes_.size() - position_) refuse("the file ends inside an instruction");
    const std::string_view taken = bytes_.substr(position_, count);
    position_ += count;
    return taken;
  }

  uint64_t take_number(uint64_t width) {
    std::string padded(take(width));
    padded.resize(8, '\0');
    return load_little_endian<uint64_t>(padded, 0);
  }

  template <typename T>
  const T& expect(Node node, const char* what) const {
    const T* value = std::get_if<T>(&values_[node]);
    if (value == nullptr) refuse(std::string("needs ") + what + " here");
    return *value;
  }

  void push(Node node) {
    if (stack_.size() >= kMaxValues) refuse("there are too many values for a split");
    stack_.push_back(node);
  }

  void make(Value value) {
    if (values_.size() >= kMaxValues) refuse("there are too many values for a split");
    values_.push_back(std::move(value));
    push(values_.size() - 1);
  }

  Node pop() { return pop_last(1).front(); }

  Node top() const {
    if (stack_.empty()) refuse("a value is missing");
    return stack_.back();
  }

  Tuple pop_last(size_t count) {
    const size_t floor = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() < floor + count) refuse("a value is missing");
    Tuple items(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
    stack_.resize(stack_.size() - count);
    return items;
  }

  Tuple pop_to_mark() {
    if (marks_.empty()) refuse("a mark is missing");
    Tuple items = pop_last(stack_.size() - marks_.back());
    marks_.pop_back();
    return items;
  }

  // --- instructions; each group says whether the instruction is one of its own ---

  bool scalar(uint8_t opcode) {
    switch (opcode) {
      case kNone:
      case kNewTrue:
      case kNewFalse:
        return make(Nothing{}), true;
      case kBinInt:
        return make(int64_t{static_cast<int32_t>(take_number(4))}), true;
      case kBinInt1:
        return make(static_cast<int64_t>(take_number(1))), true;
      case kBinInt2:
        return make(static_cast<int64_t>(take_number(2))), true;
      case kShortBinUnicode:
        return make(take(take_number(1))), true;
      case kBinUnicode:
        return make(take(take_number(4))), true;
      case kShortBinBytes:
        return make(Bytes{take(take_number(1))}), true;
      case kBinBytes:
        return make(Bytes{take(take_number(4))}), true;
      case kBinBytes8:
        return make(Bytes{take(take_number(8))}), true;
      default:
        return false;
    }
  }

  bool container(uint8_t opcode) {
    switch (opcode) {
      case kMark:
        if (marks_.size() >= kMaxValues) refuse("there are too many marks for a split");
        return marks_.push_back(stack_.size()), true;
      case kEmptyDict:
        return make(Dict{}), true;
      case kEmptyTuple:
        return make(Tuple{}), true;
      case kTuple1:
        return make(pop_last(1)), true;
      case kTuple2:
        return make(pop_last(2)), true;
      case kTuple3:
        return make(pop_last(3)), true;
      case kTuple:
        return make(pop_to_mark()), true;
      case kSetItem:
        return set_items(pop_last(2)), true;
      case kSetItems:
        return set_items(pop_to_mark()), true;
      default:
        return false;
    }
  }

  bool memo(uint8_t opcode) {
    switch (opcode) {
      case kBinPut:
        return memo_[take_number(1)] = top(), true;
      case kLongBinPut:
        return memo_[take_number(4)] = top(), true;
      case kMemoize:
        return memo_[memo_.size()] = top(), true;
      case kBinGet:
        return recall(take_number(1)), true;
      case kLongBinGet:
        return recall(take_number(4)), true;
      default:
        return false;
    }
  }

  bool object(uint8_t opcode) {
    switch (opcode) {
      case kGlobal: {
        const std::string_view module = take_line();
        return find_global(module, take_line()), true;
      }
      case kStackGlobal: {
        const std::string_view name = expect<std::string_view>(pop(), "the name of a global");
        return find_global(expect<std::string_view>(pop(), "the name of a module"), name), true;
      }
      case kReduce:
        return reduce(), true;
      case kBuild:
        return build(), true;
      case kFrame:
        return take(8), true;  // it only groups instructions
      default:
        return false;
    }
  }

  std::string_view take_line() {
    const size_t end = bytes_.find('\n', position_);
    if (end == std::string_view::npos) refuse("the file ends inside an instruction");
    const std::string_view line = take(end - position_);
    take(1);
    return line;
  }

  void recall(uint64_t index) {
    const auto found = memo_.find(index);
    if (found == memo_.end()) refuse(fmt::format("recalls value {}, which is not there", index));
    push(found->second);
  }

  void set_items(const Tuple& items) {
    if (items.size() % 2 != 0) refuse("sets a key without a value");
    expect<Dict>(top(), "a dict");
    Dict& dict = std::get<Dict>(values_[top()]);
    for (size_t i = 0; i < items.size(); i += 2) dict.emplace_back(items[i], items[i + 1]);
  }

  void find_global(std::string_view module, std::string_view name) {
    const std::string full = fmt::format("{}.{}", module, name);
    if (full == "numpy.core.multiarray._reconstruct" ||
        full == "numpy._core.multiarray._reconstruct") {
      return make(Global::kReconstruct);
    }
    if (full == "numpy.ndarray") return make(Global::kArray);
    if (full == "numpy.dtype") return make(Global::kType);
    refuse("refuses the global " + in_quotes(full) + ": only arrays of integers are read");
  }

  void reduce() {
    const Tuple arguments = expect<Tuple>(pop(), "a tuple of arguments");
    switch (expect<Global>(pop(), "a function")) {
      case Global::kReconstruct:  // filled by build()
        return make(Array{});
      case Global::kType:
        if (arguments.empty() ||
            expect<std::string_view>(arguments[0], "the name of a type") != "i8") {
          refuse("the array is not of 64-bit integers");
        }
        return make(Integers{});
      case Global::kArray:
        refuse("needs a function here");
    }
  }

  /// The state of a type is (3, byte order, ...), that of an array (1, shape, type, whether it is
  /// in Fortran's order, bytes).
  void build() {
    const Tuple state = expect<Tuple>(pop(), "a tuple");
    if (std::holds_alternative<Integers>(values_[top()])) {
      if (state.size() < 2 || expect<std::string_view>(state[1], "a byte order") != "<") {
        refuse("the integers are not little-endian");
      }
      return;
    }
    expect<Array>(top(), "an array");
    if (state.size() != 5) refuse("needs the five parts of an array here");
    const Tuple& shape = expect<Tuple>(state[1], "a shape");
    expect<Integers>(state[2], "the type of 64-bit integers");
    const std::string_view bytes = expect<Bytes>(state[4], "the bytes of an array").view;
    if (shape.size() != 1 || bytes.size() % 8 != 0 ||
        expect<int64_t>(shape[0], "a size") != static_cast<int64_t>(bytes.size() / 8)) {
      refuse("the bytes of an array do not fit its shape");
    }
    values_[top()] = Array{bytes};
  }

  const std::string_view bytes_;
  const std::string& source_;
  size_t position_ = 0;
  size_t instruction_ = 0;
  std::vector<Value> values_;
  std::vector<Node> stack_;
  std::vector<size_t> marks_;  // heights of the stack
  std::unordered_map<uint64_t, Node> memo_;
};

}  // namespace split_machine

SplitPlaces parse_split_pickle(std::string_view bytes, const std::string& source) {
  SplitPlaces places;
  for (const auto& [name, numbers] : split_machine::Machine(bytes, source).run()) {
    std::vector<int64_t>* part = name == "train"                    ? &places.train
                                 : name == "val" || name == "valid" ? &places.validation
                                 : name == "test"                   ? &places.test
                                                                    : nullptr;
    if (part == nullptr) {
      throw InputError::in(source, in_quotes(name) + " is no split; wanted train, val and test");
    }
    for (size_t at = 0; at < numbers.size(); at += 8) {
      part->push_back(static_cast<int64_t>(load_little_endian<uint64_t>(numbers, at)));
    }
  }
  return places;
}

}  // namespace floydnet::graphs
