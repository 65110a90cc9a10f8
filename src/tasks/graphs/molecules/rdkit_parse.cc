#include <GraphMol/SmilesParse/SmilesParse.h>
#include <RDGeneral/RDLog.h>

#include <algorithm>
#include <exception>
#include <sstream>

#include "floydnet/error.h"
#include "tasks/graphs/molecules/rdkit_molecule.h"

namespace floydnet::graphs {
namespace {

constexpr const char* kSyntaxError = "is not SMILES";

/// A message of RDKit as one line.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

RdkitMolecule parse(const std::string& smiles, const RDKit::SmilesParserParams& params) {
  RdkitMolecule molecule;
  try {
    molecule.reset(RDKit::SmilesToMol(smiles, params));
  } catch (const std::exception& error) {
    throw InputError(one_line(error.what()));
  }
  if (molecule == nullptr) throw InputError(kSyntaxError);
  if (molecule->getNumAtoms() == 0) throw InputError("there are no atoms");
  return molecule;
}

/// Sends RDKit's errors to a stream; without it they go nowhere, since InitLogs() is not called.
class CapturedErrors {
 public:
  CapturedErrors() : before_(rdErrorLog) {
    rdErrorLog = std::make_shared<boost::logging::rdLogger>(&text_);
  }
  ~CapturedErrors() { rdErrorLog = before_; }
  CapturedErrors(const CapturedErrors&) = delete;
  CapturedErrors& operator=(const CapturedErrors&) = delete;

  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  RDLogger before_;
};

/// "[09:00:00] SMILES Parse Error: unclosed ring for input: 'C1'" -> "unclosed ring"
std::string reason_in(const std::string& log) {
  const std::string first = log.substr(0, log.find('\n'));
  const std::string prefix = "SMILES Parse Error: ";
  const size_t begin = first.find(prefix);
  if (begin == std::string::npos) return "";
  const std::string reason = first.substr(begin + prefix.size());
  return reason.substr(0, std::min(reason.find(" for input"), reason.find(" while parsing")));
}

}  // namespace

bool has_rdkit() { return true; }

void require_rdkit() {}

RdkitMolecule parse_smiles(const std::string& smiles) { return parse(smiles, {}); }

RdkitMolecule parse_all_atoms(const std::string& smiles, bool sanitise) {
  RDKit::SmilesParserParams params;
  params.sanitize = sanitise;
  params.removeHs = false;
  return parse(smiles, params);
}

std::string syntax_error(const std::string& smiles) {
  const CapturedErrors errors;
  try {
    parse_smiles(smiles);
    return "";
  } catch (const InputError& error) {
    const std::string reason = reason_in(errors.text());
    if (error.what() != std::string(kSyntaxError) || reason.empty()) return error.what();
    return std::string(kSyntaxError) + ": " + reason;
  }
}

}  // namespace floydnet::graphs
