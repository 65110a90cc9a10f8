// Training a run, for the commands that do.
#pragma once

#include <optional>

#include "cli/loaded_run.h"
#include "train/run_folder.h"
#include "train/trainer.h"

namespace floydnet {

/// Makes the folder if the run is new, goes on from its newest checkpoint otherwise, and shows
/// progress on standard error. Nothing comes back where another rank is the first; a signal ends in
/// ExitCode.
std::optional<train::Outcome> run_training(LoadedRun& run, const train::RunFolder& folder,
                                           bool is_new);

}  // namespace floydnet
