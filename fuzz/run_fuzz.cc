// The files of a run's folder; the first line of an input says which it is. What is read is shown.
#include <algorithm>

#include "floydnet/error.h"
#include "fuzz.h"
#include "record/run.h"
#include "report/html.h"

using namespace floydnet;

namespace {

record::RunRecord read(std::string_view kind, std::string_view text) {
  record::RunRecord run;
  run.folder = "runs/a";
  run.config = {{"task", "counting"}};
  if (kind == "config") run.config = record::parse_config(text, "config.json");
  if (kind == "metrics") run.log = record::parse_metrics(text, "metrics.jsonl");
  if (kind == "results") run.results = record::parse_results(text, "results.json");
  run.task = run.config["task"].get<std::string>();
  return run;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input = fuzz_text(data, size);
  const size_t end = std::min(input.find('\n'), input.size());
  try {
    const record::RunRecord run = read(input.substr(0, end), input.substr(std::min(end + 1, size)));
    for (size_t i = 1; i < run.log.train.size(); ++i) {
      fuzz_require(run.log.train[i - 1].step < run.log.train[i].step);
    }
    const std::string page = report::report_page({run}, {"fuzz"});
    // No number that is none has come into the plots.
    fuzz_require(page.find("nan") == std::string::npos || input.find("nan") != std::string::npos);
  } catch (const InputError&) {
  }
  return 0;
}

std::vector<std::string> fuzz_seeds() {
  return {
      "config\n"
      R"({"task": "counting", "train": {"steps": 20, "betas": [0.9, 0.99]}, "model": {"depth": 2}})",
      "metrics\n"
      R"({"kind":"goal","split":"validation","metric":"mae","higher_is_better":false})"
      "\n"
      R"({"kind":"train","step":1,"seconds":0.5,"loss":3.5,"learning_rate":1e-3,"gradient_norm":2})"
      "\n"
      R"({"kind":"train","step":2,"seconds":1e3,"loss":null,"examples_per_second":12.5})"
      "\n"
      R"({"kind":"evaluation","step":2,"seconds":2,"split":"validation","metrics":{"mae":0.5}})"
      "\n"
      R"({"kind":"note","step":2,"text":"<skipped> & gone"})"
      "\n"
      R"({"kind":"evaluation","step":3,"seconds":4,"split":"validation","metrics":{"mae":-1e308}})"
      "\n",
      "results\n"
      R"({"step":9,"best_step":2,"seconds":5.5,"cpu_seconds":11,"splits":{"test":{"mae":0.25}},)"
      R"("tables":[{"title":"t","columns":["a","b"],"rows":[["x",1.5],[null,true]]}]})"};
}
