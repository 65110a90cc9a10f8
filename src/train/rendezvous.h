// How the ranks of a run find each other.
#pragma once

#include <cstdint>
#include <string>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "train/world.h"

namespace floydnet::train {

/// Where all ranks meet, and who this one is.
struct Place {
  int64_t rank = 0;
  int64_t size = 1;
  std::string master;
  int64_t port = 0;
  /// torchrun keeps a store of its own at this port.
  bool agent_store = false;

  /// As RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT say; one rank alone if WORLD_SIZE is not set.
  /// Throws InputError for bad values.
  static Place from_environment();

  std::string keeper() const { return agent_store ? "torchrun" : "rank 0"; }
};

struct Joined {
  c10::intrusive_ptr<c10d::Store> store;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo;
};

/// Throws RankFailure, within a minute, if the ranks do not all come together.
Joined join_ranks(const Place& place, const Tell& tell);

}  // namespace floydnet::train
