// The keys of a model's blocks, for configurations that embed them.
#pragma once

#include "base/options.h"
#include "floydnet/model.h"

namespace floydnet {

/// Binds the keys of FloydBlocks, `order` to `recompute`, to the fields of `config`.
void add_block_options(OptionTable& table, ModelConfig& config);
/// Throws InputError if fields of blocks contradict each other.
void check_block_options(const ModelConfig& config, const std::string& source);

}  // namespace floydnet
