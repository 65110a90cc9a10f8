// Files that come of a batch: tours, certificates, pictures, instances.
#pragma once

#include <string>
#include <vector>

#include "tasks/tsp/batch/solve.h"

namespace floydnet::tsp {

/// Where to write, as the user says; empty for nowhere.
struct OutputPaths {
  std::string tour;
  std::string certificate;
  std::string plot;
  std::string instance;  ///< the instances themselves, as TSPLIB
  std::string text;      ///< all instances and their tours in the text format of neural solvers
};

/// A path (but `text`) is a file if there is one instance, and else a folder with a file for each,
/// named after the instance.
class Outputs {
 public:
  /// Makes folders. Throws InputError for what cannot be written, before any work is done.
  Outputs(OutputPaths paths, const std::vector<Problem>& problems);

  /// Gives the names of instances that have no certificate although one was wanted. What was not
  /// begun is left out.
  std::vector<std::string> write(const std::vector<Outcome>& outcomes) const;

 private:
  void prepare(const std::string& path, const std::string& extension) const;
  std::string path_of(const std::string& path, const std::string& extension,
                      const Problem& problem) const;
  void write_text(const std::vector<Outcome>& outcomes) const;

  OutputPaths paths_;
  const std::vector<Problem>& problems_;
};

/// The tour found, and Lin-Kernighan's beside it if that one is longer.
std::string picture_of(const Problem& problem, const Outcome& outcome);

}  // namespace floydnet::tsp
