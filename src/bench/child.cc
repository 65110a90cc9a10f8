#include "bench/child.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>

#include "bench/memory.h"
#include "floydnet/error.h"
#include "floydnet/memory.h"

namespace floydnet::bench {
namespace {

/// Reads words one after the other.
class Words {
 public:
  explicit Words(const std::vector<std::string>& words) : words_(words) {}

  std::string text() {
    if (next_ >= words_.size()) throw InputError("bench child: a word is missing");
    return words_[next_++];
  }
  int64_t number() {
    const std::string word = text();
    try {
      return std::stoll(word);
    } catch (const std::exception&) {
      throw InputError::in("bench child", "'" + word + "' is no number");
    }
  }
  Side side() {
    const std::string word = text();
    for (const Side side : kSides) {
      if (word == name_of(side)) return side;
    }
    throw InputError::in("bench child", "'" + word + "' is no side");
  }
  Direction direction() {
    return text() == name_of(Direction::kForward) ? Direction::kForward
                                                  : Direction::kForwardBackward;
  }

 private:
  const std::vector<std::string>& words_;
  size_t next_ = 0;
};

std::vector<std::string> in_words(std::vector<std::string> words,
                                  const std::vector<int64_t>& numbers) {
  for (const int64_t number : numbers) words.push_back(std::to_string(number));
  return words;
}

// Code, threads and BLAS buffers are there before anything is measured. So a small case of the same
// kind runs first.
constexpr int64_t kSmall = 8;

double attention_megabytes(Words& words) {
  const Side side = words.side();
  const Direction direction = words.direction();
  AttentionCase c;
  c.order = words.number();
  c.batch = words.number();
  c.heads = words.number();
  c.dim = words.number();
  c.nodes = words.number();
  c.composition = words.number() == 0 ? Composition::kAdditive : Composition::kMultiplicative;
  c.least_nodes = words.number();
  AttentionCase small = c;
  small.nodes = std::min(c.nodes, kSmall);
  small.least_nodes = std::min(c.least_nodes, small.nodes);
  attention_work(AttentionInputs(small), side, direction)();
  return extra_megabytes(attention_work(AttentionInputs(c), side, direction));
}

BlockCase read_block(Words& words) {
  BlockCase c;
  c.dim = words.number();
  c.heads = words.number();
  c.nodes = words.number();
  c.batch = words.number();
  return c;
}

double block_megabytes(Words& words) {
  const Side side = words.side();
  const Direction direction = words.direction();
  const BlockCase c = read_block(words);
  BlockCase small = c;
  small.nodes = std::min(c.nodes, kSmall);
  small.batch = 1;
  block_work(small, side, direction)();
  return extra_megabytes(block_work(c, side, direction));
}

double train_step_megabytes(Words& words) {
  const Side side = words.side();
  TrainCase c;
  c.block = read_block(words);
  c.depth = words.number();
  const Work work = train_work(c, side);
  work();  // gradients and the optimiser's moments are there from the second step on
  return extra_megabytes(work);
}

}  // namespace

std::vector<std::string> child_words(const AttentionCase& of, Side side, Direction direction) {
  return in_words({"attention", name_of(side), name_of(direction)},
                  {of.order, of.batch, of.heads, of.dim, of.nodes,
                   of.composition == Composition::kAdditive ? 0 : 1, of.least_nodes});
}

std::vector<std::string> child_words(const BlockCase& of, Side side, Direction direction) {
  return in_words({"block", name_of(side), name_of(direction)},
                  {of.dim, of.heads, of.nodes, of.batch});
}

std::vector<std::string> child_words(const TrainCase& of, Side side) {
  return in_words({"train-step", name_of(side)},
                  {of.block.dim, of.block.heads, of.block.nodes, of.block.batch, of.depth});
}

std::vector<std::string> child_arguments(const std::vector<std::string>& words) {
  std::vector<std::string> arguments = {"floydnet", "--threads",
                                        std::to_string(at::get_num_threads()), "bench", "child"};
  arguments.insert(arguments.end(), words.begin(), words.end());
  return arguments;
}

double run_child(const std::vector<std::string>& words) {
  stop_reusing_tensor_memory();  // idle memory would count
  Words reader(words);
  const std::string what = reader.text();
  torch::mm(torch::ones({256, 256}), torch::ones({256, 256}));
  if (what == "attention") return attention_megabytes(reader);
  if (what == "block") return block_megabytes(reader);
  if (what == "train-step") return train_step_megabytes(reader);
  throw InputError::in("bench child", "'" + what + "' is nothing to measure");
}

}  // namespace floydnet::bench
