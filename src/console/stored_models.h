// Weights that come with the program.
#pragma once

#include <string>

namespace floydnet {

/// Where they are: what FLOYDNET_MODELS names, or share/floydnet/models beside the installed
/// program, or models in the source tree.
std::string models_folder();

/// The file of a task's model; InputError that says how to train one if there is none.
std::string stored_model(const std::string& task, const std::string& name);
bool has_stored_model(const std::string& task, const std::string& name);

}  // namespace floydnet
