#include "tasks/tsp/batch/outputs.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <utility>

#include "base/file.h"
#include "floydnet/error.h"
#include "tasks/tsp/data/text_format.h"
#include "tasks/tsp/data/tsplib.h"
#include "tasks/tsp/picture/tour_svg.h"

namespace floydnet::tsp {
namespace {

std::string length_text(const Problem& problem, const Tour& tour, Length length) {
  return problem.has_real_distances() ? fmt::format("{:.6f}", real_length(problem, tour))
                                      : fmt::format("{}", length);
}

std::string status_text(const Outcome& outcome) {
  if (outcome.proven) return "optimal, proven";
  if (!outcome.bound) return "Lin-Kernighan";
  return fmt::format("lower bound {}", *outcome.bound);
}

}  // namespace

Outputs::Outputs(OutputPaths paths, const std::vector<Problem>& problems)
    : paths_(std::move(paths)), problems_(problems) {
  prepare(paths_.tour, "tour");
  prepare(paths_.certificate, "json");
  prepare(paths_.plot, "svg");
  prepare(paths_.instance, "tsp");
  for (const Problem& problem : problems) {
    if (!paths_.instance.empty() && problem.has_real_distances()) {
      throw InputError::in(problem.name, "has real distances, which TSPLIB does not have");
    }
  }
  if (paths_.text.empty()) return;
  require_writable(paths_.text);
  for (const Problem& problem : problems) {
    if (problem.points.empty()) {
      throw InputError::in(problem.name, "has no coordinates, which the text format needs");
    }
  }
}

void Outputs::prepare(const std::string& path, const std::string& extension) const {
  if (path.empty()) return;
  if (problems_.size() > 1) {
    std::error_code failure;
    std::filesystem::create_directories(path, failure);
    if (!std::filesystem::is_directory(path)) {
      throw InputError::in(path, "not a folder, which several instances need");
    }
  }
  std::set<std::string> names;
  for (const Problem& problem : problems_) {
    if (!names.insert(problem.name).second) {
      throw InputError::in(
          path, fmt::format("two instances would be written to {}.{}", problem.name, extension));
    }
  }
  require_writable(path_of(path, extension, problems_.front()));
}

std::string Outputs::path_of(const std::string& path, const std::string& extension,
                             const Problem& problem) const {
  return problems_.size() == 1 ? path : fmt::format("{}/{}.{}", path, problem.name, extension);
}

std::vector<std::string> Outputs::write(const std::vector<Outcome>& outcomes) const {
  std::vector<std::string> without_certificate;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const Problem& problem = problems_[i];
    const Outcome& outcome = outcomes[i];
    if (!paths_.certificate.empty() && !outcome.certificate) {
      without_certificate.push_back(problem.name);
    }
    if (!outcome.begun) continue;
    if (!paths_.tour.empty()) {
      const std::string comment =
          fmt::format("length {} ({})", length_text(problem, outcome.tour, outcome.length),
                      status_text(outcome));
      write_file_atomically(path_of(paths_.tour, "tour", problem),
                            format_tour(outcome.tour, problem.name, comment));
    }
    if (!paths_.certificate.empty() && outcome.certificate) {
      write_file_atomically(path_of(paths_.certificate, "json", problem),
                            outcome.certificate->text);
    }
    if (!paths_.plot.empty()) {
      write_file_atomically(path_of(paths_.plot, "svg", problem), picture_of(problem, outcome));
    }
    if (!paths_.instance.empty()) {
      write_file_atomically(path_of(paths_.instance, "tsp", problem), format_tsplib(problem));
    }
  }
  if (!paths_.text.empty()) write_text(outcomes);
  return without_certificate;
}

void Outputs::write_text(const std::vector<Outcome>& outcomes) const {
  std::string text;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].begun) text += format_text_line(problems_[i].points, outcomes[i].tour);
  }
  write_file_atomically(paths_.text, text);
}

std::string picture_of(const Problem& problem, const Outcome& outcome) {
  const auto caption = [&](const char* what, const Tour& tour, Length length) {
    return fmt::format("{}, length {}", what, length_text(problem, tour, length));
  };
  const char* found = outcome.proven  ? "Optimal tour"
                      : outcome.bound ? "Best tour found"
                                      : "Lin-Kernighan";
  std::vector<TourPanel> panels = {{caption(found, outcome.tour, outcome.length), outcome.tour}};
  if (!outcome.proven && outcome.bound) {
    panels[0].caption += fmt::format(", at most {:.3f} % above the optimum", outcome.gap());
  }
  if (outcome.baseline && outcome.baseline_length > outcome.length) {
    const double above =
        100 *
        (static_cast<double>(outcome.baseline_length) / static_cast<double>(outcome.length) - 1);
    panels.push_back({caption("Lin-Kernighan", *outcome.baseline, outcome.baseline_length) +
                          fmt::format(" (+{:.3f} %); thick: edges that differ", above),
                      *outcome.baseline});
  } else if (outcome.baseline && outcome.baseline_length == outcome.length) {
    panels[0].caption += "; Lin-Kernighan's is as long";
  }
  return tour_svg(fmt::format("{}: {} cities", problem.name, problem.cities()),
                  layout_of(problem, outcome.tour), panels);
}

}  // namespace floydnet::tsp
