// A side's extra memory, measured by this program in a process of its own:
// `floydnet bench child WORDS...` prints it.
#pragma once

#include <string>
#include <vector>

#include "bench/attention_case.h"
#include "bench/model_case.h"

namespace floydnet::bench {

std::vector<std::string> child_words(const AttentionCase& of, Side side, Direction direction);
std::vector<std::string> child_words(const BlockCase& of, Side side, Direction direction);
std::vector<std::string> child_words(const TrainCase& of, Side side);

/// The whole command line for such words, with the number of threads in use.
std::vector<std::string> child_arguments(const std::vector<std::string>& words);

/// In the child: what the words say, in MB.
double run_child(const std::vector<std::string>& words);

}  // namespace floydnet::bench
