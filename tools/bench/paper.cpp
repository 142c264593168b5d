// basesweep bench paper: measures the tables of papers that kernels follow, and prints our figures beside theirs.
#include <fmt/format.h>

#include <memory>

#include "kernels/cuda/bench.hpp"
#include "kernels/cuda/cuda.hpp"
#include "lib/base/error.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/bench/paper/paper.hpp"
#include "tools/bench/record.hpp"
#include "tools/commands.hpp"
#include "tools/doctor/machine.hpp"
#include "tools/help.hpp"
#include "tools/print.hpp"
#include "tools/run_options.hpp"

namespace basesweep {
namespace {

struct Paper {
  const char* name;
  const char* what;
  bool takes_text;
  void (*run)(paper::Session& session);
};
void run_all(paper::Session& session);

constexpr Paper kPapers[] = {
    {"charan", "Charan 2015: space of the automata, and rates of NFA and DFA", false, paper::charan},
    {"kouz", "Kouzinopoulos, Michailidis, Margaritis 2015, Figures 4.1 to 4.5", true, paper::kouz},
    {"xu", "Xu and others 2023, Tables 2, 4, 5", false, paper::xu},
    {"ashkiani", "Ashkiani, Amenta, Owens 2016, Figures 3a to 3c, Tables 2 to 7", true, paper::ashkiani},
    {"man", "Man, Nakano, Ito 2013, Table I", false, paper::man},
    {"all", "The tables of all five papers", true, run_all}};

void run_all(paper::Session& session) {
  for (const Paper& paper : kPapers) {
    if (paper.run != run_all) paper.run(session);
  }
}

struct PaperOptions {
  const Paper* paper = nullptr;
  RunOptions run;  // device, --json
  bool quick = false;
  std::vector<std::string> texts;
};

paper::Session open_session(const PaperOptions& o) {
  paper::Session session;
  session.quick = o.quick;
  session.cpu_name = fmt::format("{} ({})", cpu_name(), to_string(best_isa()));
  const auto [device, gpus] = device_of(o.run.device);
  if (gpus.size() != 1) throw UsageError(fmt::format("--device {}: tables of papers measure one GPU", o.run.device));
  const int gpu = session.gpu = gpus.front();
  if (device != Device::cpu) {
    const std::optional<std::string> reason = cuda::unusable_reason(gpu);
    if (reason && device == Device::gpu) throw DeviceError(fmt::format("GPU {} is not usable: {}", gpu, *reason));
    session.gpu_used = !reason;
    if (reason) tell(fmt::format("no GPU is usable, so the CPU is measured: {}", *reason));
  }
  if (session.gpu_used) session.gpu_name = cuda::gpu_name(gpu);
  if (!o.texts.empty()) {
    session.file_text = paper::load_text(o.texts);
    for (const std::string& path : o.texts) {
      session.file_text_name += (session.file_text_name.empty() ? "" : ", ") + path;
    }
  }
  session.results.conditions = {{"command", "bench paper"},      {"date", today()},
                                {"table", o.paper->name},        {"size", o.quick ? "quick" : "full"},
                                {"gpu", session.gpu_name},       {"cpu", session.cpu_name},
                                {"text", session.file_text_name}};
  return session;
}

int run_paper(const PaperOptions& o) {
  const Paper& paper = *o.paper;
  if (!o.texts.empty() && !paper.takes_text) {
    throw UsageError(fmt::format("--text: the tables of {} use random text only", paper.name));
  }
  check_run_options(o.run, o.texts);
  paper::Session session = open_session(o);
  const std::unique_ptr<OutputFile> json =
      o.run.json.empty() ? nullptr : std::make_unique<OutputFile>(o.run.json, 1, OutputCompression::by_name);
  paper.run(session);
  const bool right = session.results.wrong.empty();
  fmt::print("\n{}\n", right ? "all compared results agree: numbers of hits, counts per pattern, distances"
                             : fmt::format("WRONG: {} results differ (see above)", session.results.wrong.size()));
  if (json != nullptr) {
    json->write(to_json(session.results));
    json->commit();
  }
  return right ? 0 : kExitFailure;
}

Help paper_help() {
  HelpSection tables{"Tables", {}};
  for (const Paper& paper : kPapers) {
    tables.terms.push_back({paper.name, fmt::format("{}{}", paper.what, paper.takes_text ? " (--text)" : "")});
  }
  return {.synopsis = {"[OPTIONS] --table WORD"},
          .sections = {std::move(tables)},
          .examples = {{"Measure one paper in a few seconds", {"basesweep bench paper --table charan --quick"}}},
          .environment = search_environment(),
          .exit_codes = {{"0", "done"},
                         {"1", "failure, or results differ"},
                         {"2", "the command line is wrong"},
                         {"3", "bad input data"},
                         {"4", "a file cannot be read or written"},
                         {"75", "a GPU was requested, but none is usable"}},
          .see_also = {"bench"}};
}

}  // namespace

std::function<int()> add_bench_paper_command(CLI::App& bench) {
  auto options = std::make_shared<PaperOptions>();
  CLI::App& command = add_command(bench, "paper", "Measure what a paper's tables show, and print both side by side",
                                  "Commands", paper_help());
  std::vector<std::pair<std::string, const Paper*>> choices;
  for (const Paper& paper : kPapers) choices.emplace_back(paper.name, &paper);
  begin_group(command, "What is measured");
  add_choice<const Paper*>(command, "--table", options->paper, choices, "Paper to reproduce (see Tables)",
                           {.required = true});
  add_texts(command, "--text", "FILE", options->texts,
            "A genome, FASTA or FASTQ, instead of random text; may be repeated");
  add_flag(command, "--quick", options->quick, "Smaller data, fewer runs: takes up to ten seconds on a CPU");
  begin_group(command, group::kOutput);
  add_json_option(command, options->run.json, "Write the tables as JSON");
  begin_group(command, group::kRunning);
  add_device_option(command, options->run.device,
                    "Device to measure (default: auto, the GPU if one is usable, else the CPU)");
  return [options] { return run_paper(*options); };
}

}  // namespace basesweep
