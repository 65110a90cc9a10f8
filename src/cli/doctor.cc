// floydnet doctor: what this machine has, how fast it is, and what to do about what is not.
#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <torch/types.h>
#include <torch/version.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "base/json_text.h"
#include "base/stopwatch.h"
#include "cli/commands.h"
#include "floydnet/attention.h"
#include "kernels/peak.h"

namespace floydnet {
namespace {

using Clock = std::chrono::steady_clock;

/// The best of some runs of `work`, which returns the operations that it did.
template <typename Work>
double best_gflops(int runs, const Work& work) {
  double best = 0;
  for (int run = 0; run < runs; ++run) {
    const auto start = Clock::now();
    const double operations = static_cast<double>(work());
    best = std::max(best, operations / seconds_since(start) * 1e-9);
  }
  return best;
}

double measure_fma_peak(int threads) {
  return best_gflops(5, [threads] {
    std::vector<int64_t> operations(threads);
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t) {
      workers.emplace_back(
          [&operations, t] { operations[t] = kernels::run_fma_f32(int64_t{8} << 20); });
    }
    for (auto& worker : workers) worker.join();
    int64_t sum = 0;
    for (const int64_t count : operations) sum += count;
    return sum;
  });
}

double measure_matrix_product() {
  constexpr int64_t kSize = 768;
  const torch::Tensor a = torch::rand({kSize, kSize}), b = torch::rand({kSize, kSize});
  torch::Tensor c = torch::empty({kSize, kSize});
  return best_gflops(4, [&] {
    torch::mm_out(c, a, b);
    return 2 * kSize * kSize * kSize;
  });
}

/// The file that serves BLAS calls in this process, links resolved.
std::string blas_library() {
  Dl_info info;
  void* symbol = dlsym(RTLD_DEFAULT, "sgemm_");
  if (!symbol || !dladdr(symbol, &info) || !info.dli_fname) return "not found";
  std::error_code ignored;
  const auto path = std::filesystem::canonical(info.dli_fname, ignored);
  return path.empty() ? info.dli_fname : path.string();
}

std::string openblas_config() {
  using GetConfig = const char* (*)();
  const auto get_config = reinterpret_cast<GetConfig>(dlsym(RTLD_DEFAULT, "openblas_get_config"));
  return get_config ? get_config() : "";
}

std::string cpuinfo_line(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, key.size(), key) == 0) {
      const size_t colon = line.find(": ");
      if (colon != std::string::npos) return line.substr(colon + 2);
    }
  }
  return "unknown";
}

std::string simd_features() {
  std::istringstream flags(cpuinfo_line("flags"));
  const std::vector<std::string> known = {
      "sse4_2", "avx", "avx2", "fma", "f16c", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16"};
  std::string found;
  for (std::string flag; flags >> flag;) {
    if (std::find(known.begin(), known.end(), flag) != known.end()) found += flag + " ";
  }
  if (!found.empty()) found.pop_back();
  return found.empty() ? "unknown" : found;
}

struct Diagnosis {
  std::string cpu, features, simd, blas, blas_detail;
  int threads, cores;
  double fma_gflops, blas_gflops;
  std::vector<std::string> warnings;
};

void add_warnings(Diagnosis& d) {
  const double share = d.blas_gflops / d.fma_gflops;
  if (d.blas.find("openblas") == std::string::npos && share < 0.3) {
    d.warnings.emplace_back(
        "the BLAS in use is slow; remedy: apt-get install libopenblas0-openmp (then check "
        "update-alternatives --display libblas.so.3-x86_64-linux-gnu)");
  } else if (d.blas.find("openblas-pthread") != std::string::npos) {
    d.warnings.emplace_back(
        "OpenBLAS keeps threads of its own beside libtorch's; remedy: apt-get install "
        "libopenblas0-openmp");
  } else if (share < 0.3) {
    d.warnings.push_back(fmt::format(
        "matrix products reach only {:.0f} % of the FMA peak; is the machine busy?", 100 * share));
  }
  if (d.threads < d.cores) {
    d.warnings.push_back(
        fmt::format("{} of {} cores are used; remedy: --threads {}, or unset "
                    "OMP_NUM_THREADS",
                    d.threads, d.cores, d.cores));
  }
  if (d.simd.find("SSE") != std::string::npos || d.simd == "SCALAR" || d.simd == "EMU128") {
    d.warnings.emplace_back("no AVX2: the kernels run at a fraction of what newer CPUs reach");
  }
}

Diagnosis diagnose() {
  Diagnosis d;
  d.cpu = cpuinfo_line("model name");
  d.features = simd_features();
  d.simd = simd_target();
  d.threads = at::get_num_threads();
  d.cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  d.fma_gflops = measure_fma_peak(d.threads);
  d.blas_gflops = measure_matrix_product();
  d.blas = blas_library();
  d.blas_detail = openblas_config();
  add_warnings(d);
  return d;
}

void print_text(const Diagnosis& d) {
  fmt::print("floydnet   {}\nlibtorch   {}\n", FLOYDNET_VERSION, TORCH_VERSION);
  fmt::print("CPU        {}\n           {}\n", d.cpu, d.features);
  fmt::print("SIMD       {} (chosen for the kernels)\n", d.simd);
  fmt::print("threads    {} of {} cores\n", d.threads, d.cores);
  fmt::print("FMA peak   {:.1f} GFLOP/s in float32 on these threads\n", d.fma_gflops);
  fmt::print("BLAS       {}\n", d.blas);
  if (!d.blas_detail.empty()) fmt::print("           {}\n", d.blas_detail);
  fmt::print("           {:.1f} GFLOP/s, {:.0f} % of the peak\n", d.blas_gflops,
             100 * d.blas_gflops / d.fma_gflops);
  for (const auto& warning : d.warnings) fmt::print("warning    {}\n", warning);
  if (d.warnings.empty()) fmt::print("All is well.\n");
}

void print_json(const Diagnosis& d) {
  const nlohmann::json json = {{"floydnet", FLOYDNET_VERSION},
                               {"libtorch", TORCH_VERSION},
                               {"cpu", d.cpu},
                               {"features", d.features},
                               {"simd", d.simd},
                               {"threads", d.threads},
                               {"cores", d.cores},
                               {"fma_gflops", d.fma_gflops},
                               {"blas", d.blas},
                               {"blas_detail", d.blas_detail},
                               {"blas_gflops", d.blas_gflops},
                               {"warnings", d.warnings}};
  fmt::print("{}\n", json_text(json, 2));
}

}  // namespace

void add_doctor_command(CLI::App& app) {
  auto as_json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand(
      "doctor", "Show versions, CPU, BLAS and measured speed; warn about slowness");
  command->add_flag("--json", *as_json, "print one JSON object");
  command->footer("Example: floydnet doctor");
  command->callback([as_json] {
    const Diagnosis diagnosis = diagnose();
    *as_json ? print_json(diagnosis) : print_text(diagnosis);
  });
}

}  // namespace floydnet
