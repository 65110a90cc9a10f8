#include "weights/pickle.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <unordered_map>

#include "base/little_endian.h"
#include "base/text.h"
#include "floydnet/error.h"
#include "weights/pickle_globals.h"
#include "weights/pickle_opcodes.h"
#include "weights/stored_tensor.h"

namespace floydnet::pickle {
namespace {

// Bounds the memory that a hostile file can claim.
constexpr size_t kMaxStack = size_t{1} << 21;

// The stack machine of the pickle format, with the few instructions that are needed here.
class Machine {
 public:
  Machine(std::string_view bytes, const std::string& source, const Options& options)
      : bytes_(bytes), source_(source), options_(options) {}

  Tree run() {
    Tree tree = run_first();
    if (position_ != bytes_.size()) refuse("bytes follow the end of the pickle");
    return tree;
  }

  // The pickle that the bytes begin with.
  Tree run_first() {
    if (bytes_.empty() || take_byte() != kProto) refuse("no pickle of protocol 2 to 5 begins here");
    const uint8_t protocol = take_byte();
    if (protocol < 2 || protocol > 5) {
      refuse(fmt::format("protocol {} is not read, only 2 to 5", protocol));
    }
    for (;;) {
      instruction_ = position_;
      const uint8_t opcode = take_byte();
      if (opcode == kStop) break;
      if (!scalar(opcode) && !container(opcode) && !memo(opcode) && !object(opcode)) {
        refuse(fmt::format("does not know the instruction 0x{:02x}", opcode));
      }
    }
    tree_.root = pop();
    if (!stack_.empty() || !marks_.empty()) refuse("values are left over at the end");
    return std::move(tree_);
  }

  size_t position() const { return position_; }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError::at_byte(source_, instruction_, problem);
  }

  // --- input ---

  std::string_view take(uint64_t count) {
    if (count > bytes_.size() - position_) refuse("the file ends inside an instruction");
    const std::string_view taken = bytes_.substr(position_, count);
    position_ += count;
    return taken;
  }

  uint8_t take_byte() { return static_cast<uint8_t>(take(1).front()); }

  template <class T>
  T take_unsigned() {
    return load_little_endian<T>(take(sizeof(T)), 0);
  }

  // Two's complement of any length.
  int64_t take_long(uint8_t count) {
    if (count > 8) refuse(fmt::format("an integer of {} bytes does not fit in 64 bits", count));
    std::string padded(take(count));
    const bool negative = !padded.empty() && (padded.back() & 0x80) != 0;
    padded.resize(8, negative ? '\xff' : '\0');
    return static_cast<int64_t>(load_little_endian<uint64_t>(padded, 0));
  }

  double take_double() {
    uint64_t bits = 0;  // the only big-endian number of the format
    for (const char byte : take(8)) bits = bits << 8 | static_cast<uint8_t>(byte);
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  std::string_view take_text(uint64_t count) {
    const std::string_view text = take(count);
    if (!is_utf8(text)) refuse("a string is not UTF-8");
    return text;
  }

  std::string_view take_line() {
    const size_t end = bytes_.find('\n', position_);
    if (end == std::string_view::npos) refuse("the file ends inside an instruction");
    const std::string_view line = take(end - position_);
    take(1);
    return line;
  }

  // --- stack ---

  void push(Node node) {
    if (stack_.size() >= kMaxStack) refuse("the stack grows too deep");
    stack_.push_back(node);
  }

  void mark() {
    if (marks_.size() >= kMaxStack) refuse("the stack grows too deep");
    marks_.push_back(stack_.size());
  }

  void push_new(Value value) {
    if (tree_.nodes.size() >= options_.max_nodes) refuse("there are too many values");
    tree_.nodes.push_back(std::move(value));
    push(static_cast<Node>(tree_.nodes.size() - 1));
  }

  // Small integers are everywhere and never change, so equal ones share a node.
  void push_integer(int64_t value) {
    constexpr int64_t kShared = 256;
    if (value < 0 || value >= kShared) return push_new(value);
    const auto [found, is_new] = integers_.try_emplace(value, Node{0});
    if (!is_new) return push(found->second);
    push_new(value);
    found->second = stack_.back();
  }

  // A mark guards what lies below it.
  size_t available() const { return stack_.size() - (marks_.empty() ? 0 : marks_.back()); }

  Node top() const {
    if (available() == 0) refuse("takes a value from an empty stack");
    return stack_.back();
  }

  Node pop() {
    const Node node = top();
    stack_.pop_back();
    return node;
  }

  std::vector<Node> pop_last(size_t count) {
    if (available() < count) refuse("takes a value from an empty stack");
    const auto first = stack_.end() - static_cast<std::ptrdiff_t>(count);
    std::vector<Node> nodes(first, stack_.end());
    stack_.erase(first, stack_.end());
    return nodes;
  }

  std::vector<Node> pop_to_mark() {
    if (marks_.empty()) refuse("takes values down to a mark, and there is none");
    std::vector<Node> nodes = pop_last(available());
    marks_.pop_back();
    return nodes;
  }

  template <class T>
  T& expect(Node node, const char* what) {
    T* value = std::get_if<T>(&tree_.nodes[node]);
    if (value == nullptr) refuse(std::string("needs ") + what + " here");
    return *value;
  }

  // --- instructions; each group says whether the instruction is one of its own ---

  bool scalar(uint8_t opcode) {
    switch (opcode) {
      case kNone:
        return push_new(None{}), true;
      case kNewTrue:
        return push_new(true), true;
      case kNewFalse:
        return push_new(false), true;
      case kBinInt:
        return push_new(int64_t{static_cast<int32_t>(take_unsigned<uint32_t>())}), true;
      case kBinInt1:
        return push_integer(take_byte()), true;
      case kBinInt2:
        return push_new(int64_t{take_unsigned<uint16_t>()}), true;
      case kLong1:
        return push_new(take_long(take_byte())), true;
      case kBinFloat:
        return push_new(take_double()), true;
      case kShortBinUnicode:
        return push_new(take_text(take_byte())), true;
      case kBinUnicode:
        return push_new(take_text(take_unsigned<uint32_t>())), true;
      case kBinUnicode8:
        return push_new(take_text(take_unsigned<uint64_t>())), true;
      default:
        return false;
    }
  }

  bool container(uint8_t opcode) {
    switch (opcode) {
      case kMark:
        return mark(), true;
      case kEmptyDict:
        return push_new(Dict{}), true;
      case kEmptyList:
        return push_new(Sequence{}), true;
      case kEmptyTuple:
        return push_tuple({}), true;
      case kTuple1:
        return push_tuple(pop_last(1)), true;
      case kTuple2:
        return push_tuple(pop_last(2)), true;
      case kTuple3:
        return push_tuple(pop_last(3)), true;
      case kTuple:
        return push_tuple(pop_to_mark()), true;
      case kAppend:
        return append(pop_last(1)), true;
      case kAppends:
        return append(pop_to_mark()), true;
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
        return remember(take_byte()), true;
      case kLongBinPut:
        return remember(take_unsigned<uint32_t>()), true;
      case kMemoize:
        return remember(memo_.size()), true;
      case kBinGet:
        return recall(take_byte()), true;
      case kLongBinGet:
        return recall(take_unsigned<uint32_t>()), true;
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
      case kBinPersId:
        return find_storage(), true;
      case kBuild:
        return build(pop()), true;
      case kBinBytes:
        return push_bytes(take_unsigned<uint32_t>()), true;
      case kShortBinBytes:
        return push_bytes(take_byte()), true;
      case kBinBytes8:
        return push_bytes(take_unsigned<uint64_t>()), true;
      case kFrame:
        return check_frame(take_unsigned<uint64_t>()), true;
      default:
        return false;
    }
  }

  // A frame only groups instructions; those inside are read as any other.
  void check_frame(uint64_t size) const {
    if (size > bytes_.size() - position_) refuse("a frame is longer than the file");
  }

  void push_bytes(uint64_t count) {
    if (!options_.storages_within && !options_.arrays) {
      refuse("brings bytes, which weights do not need");
    }
    push_new(Bytes{take(count)});
  }

  void push_tuple(std::vector<Node> items) { push_new(Sequence{std::move(items), true}); }

  void append(const std::vector<Node>& items) {
    Sequence& list = expect<Sequence>(top(), "a list");
    if (list.is_tuple) refuse("needs a list here");
    list.items.insert(list.items.end(), items.begin(), items.end());
  }

  void set_items(const std::vector<Node>& items) {
    if (items.size() % 2 != 0) refuse("sets a key without a value");
    Dict& dict = expect<Dict>(top(), "a dict");
    for (size_t i = 0; i < items.size(); i += 2) dict.items.emplace_back(items[i], items[i + 1]);
  }

  void remember(uint64_t index) {
    if (memo_.size() >= options_.max_nodes) refuse("there are too many values");
    memo_[index] = top();
  }

  void recall(uint64_t index) {
    const auto found = memo_.find(index);
    if (found == memo_.end()) refuse(fmt::format("recalls value {}, which is not there", index));
    push(found->second);
  }

  void find_global(std::string_view module, std::string_view name) {
    const std::string full = fmt::format("{}.{}", module, name);
    const std::optional<Value> known = known_global(full, options_);
    if (!known) {
      refuse("refuses the global " + in_quotes(full) +
             ": only tensors, numbers, strings and dicts are read");
    }
    push_new(*known);
  }

  const std::vector<Node>& expect_tuple(Node node, const char* what) {
    const Sequence& sequence = expect<Sequence>(node, what);
    if (!sequence.is_tuple) refuse(std::string("needs ") + what + " here");
    return sequence.items;
  }

  // The persistent identifier ("storage", class, key, device, number of elements), and before torch
  // 1.6 None, since it is no view of another one.
  void find_storage() {
    const std::vector<Node>& id = expect_tuple(pop(), "the identifier of a storage");
    if (id.size() == 6) expect<None>(id[5], "a storage that is no view");
    if ((id.size() != 5 && id.size() != 6) ||
        expect<std::string_view>(id[0], "a string") != "storage") {
      refuse("needs the identifier of a storage here");
    }
    Storage storage;
    storage.type = expect<StorageClass>(id[1], "a storage class").type;
    storage.key = expect<std::string_view>(id[2], "the key of a storage");
    storage.elements = expect<int64_t>(id[4], "the size of a storage");
    if (storage.elements < 0) refuse("a storage has a negative size");
    push_new(storage);
  }

  // function, arguments -> result
  void reduce() {
    const std::vector<Node>& arguments = expect_tuple(pop(), "a tuple of arguments");
    switch (expect<Function>(pop(), "a function")) {
      case Function::kOrderedDict:
        check_count(arguments, 0, 0);
        return push_new(Dict{});
      case Function::kSize:
        check_count(arguments, 1, 1);
        check_integers(arguments[0]);
        return push(arguments[0]);
      case Function::kRebuildParameter:  // tensor, requires_grad, backward_hooks
        check_count(arguments, 3, 3);
        expect<Tensor>(arguments[0], "a tensor");
        return push(arguments[0]);
      case Function::kRebuildTensor:
        return rebuild_tensor(arguments);
      case Function::kLoadFromBytes:
        check_count(arguments, 1, 1);
        return push_new(load_storage(expect<Bytes>(arguments[0], "bytes").bytes));
      case Function::kRebuildArray:  // filled by build()
        return push_new(IntegerArray{});
      case Function::kArrayType:
        if (arguments.empty() ||
            expect<std::string_view>(arguments[0], "the name of a type") != "i8") {
          refuse("the array is not of 64-bit integers");
        }
        return push_new(IntegerType{});
      case Function::kArrayClass:
        refuse("needs a function here");
    }
  }

  // The state of the value on top: of a type (3, byte order, ...), of an array (1, shape, type,
  // whether it is in Fortran's order, bytes), of a state dict its attribute _metadata (versions of
  // modules), which holds no weights.
  void build(Node state) {
    if (std::holds_alternative<IntegerType>(tree_.at(top()))) {
      const std::vector<Node>& parts = expect_tuple(state, "a tuple");
      if (parts.size() < 2 || expect<std::string_view>(parts[1], "a byte order") != "<") {
        refuse("the integers are not little-endian");
      }
    } else if (std::holds_alternative<IntegerArray>(tree_.at(top()))) {
      fill_array(expect_tuple(state, "a tuple"));
    } else {
      expect<Dict>(top(), "a dict");
    }
  }

  void fill_array(const std::vector<Node>& state) {
    if (state.size() != 5) refuse("needs the five parts of an array here");
    const std::vector<Node>& shape = expect_tuple(state[1], "a shape");
    expect<IntegerType>(state[2], "the type of 64-bit integers");
    const std::string_view bytes = expect<Bytes>(state[4], "the bytes of an array").bytes;
    if (shape.size() != 1 || bytes.size() % 8 != 0 ||
        expect<int64_t>(shape[0], "a size") != static_cast<int64_t>(bytes.size() / 8)) {
      refuse("the bytes of an array do not fit its shape");
    }
    tree_.nodes[top()] = IntegerArray{bytes};
  }

  Storage load_storage(std::string_view bytes) const {
    try {
      return parse_storage(bytes, "storage");
    } catch (const InputError& error) {
      refuse(error.what());
    }
  }

  // storage, offset, size, stride, requires_grad, backward_hooks and, at times, metadata
  void rebuild_tensor(const std::vector<Node>& arguments) {
    check_count(arguments, 6, 7);
    Tensor tensor;
    tensor.storage = expect<Storage>(arguments[0], "a storage");
    tensor.offset = expect<int64_t>(arguments[1], "an offset");
    tensor.shape = check_integers(arguments[2]);
    tensor.stride = check_integers(arguments[3]);
    push_new(tensor);
  }

  void check_count(const std::vector<Node>& arguments, size_t least, size_t most) const {
    if (arguments.size() < least || arguments.size() > most) {
      refuse(fmt::format("a function has {} arguments, not {}", arguments.size(), most));
    }
  }

  Node check_integers(Node tuple) {
    constexpr size_t kMaxDimensions = 64;
    const std::vector<Node>& items = expect_tuple(tuple, "a tuple of sizes");
    if (items.size() > kMaxDimensions) refuse("a tensor has more than 64 dimensions");
    for (const Node item : items) expect<int64_t>(item, "an integer");
    return tuple;
  }

  const std::string_view bytes_;
  const std::string& source_;
  const Options options_;
  size_t position_ = 0;
  size_t instruction_ = 0;
  Tree tree_;
  std::vector<Node> stack_;
  std::vector<size_t> marks_;  // heights of the stack
  std::unordered_map<uint64_t, Node> memo_;
  std::unordered_map<int64_t, Node> integers_;  // those that are shared
};

}  // namespace

std::vector<int64_t> Tree::integers(Node node) const {
  std::vector<int64_t> values;
  for (const Node item : std::get<Sequence>(at(node)).items) {
    values.push_back(std::get<int64_t>(at(item)));
  }
  return values;
}

Tree parse(std::string_view bytes, const std::string& source, const Options& options) {
  return Machine(bytes, source, options).run();
}

Tree parse_first(std::string_view bytes, const std::string& source, const Options& options,
                 size_t& length) {
  Machine machine(bytes, source, options);
  Tree tree = machine.run_first();
  length = machine.position();
  return tree;
}

}  // namespace floydnet::pickle
