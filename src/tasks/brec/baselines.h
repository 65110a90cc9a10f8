// Networks on nodes, which can tell apart no more than 1-WL: a test of the test.
#pragma once

#include <memory>

#include "tasks/brec/embed.h"

namespace floydnet::brec {

/// kSelfAttention or kGin.
std::unique_ptr<Embedder> make_baseline(const EmbedOptions& options);

}  // namespace floydnet::brec
