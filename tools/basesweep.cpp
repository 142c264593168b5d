// The program: one subcommand per job.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <new>
#include <sstream>

#include "kernels/registry/shared_matcher.hpp"
#include "lib/base/error.hpp"
#include "lib/writer/output_file.hpp"
#include "lib/writer/temporaries.hpp"
#include "tools/commands.hpp"
#include "tools/help.hpp"
#include "tools/options.hpp"
#include "tools/print.hpp"
#include "tools/run.hpp"
#include "tools/run_options.hpp"
#include "tools/usage_message.hpp"

namespace {

using namespace basesweep;

Help program_help() {
  return {
      .synopsis = {"COMMAND [OPTIONS] [FILE...]", "COMMAND --help"},
      .about = {"Finds motifs, primers, matrices and reads in FASTA and FASTQ, on CPU and GPU."},
      .examples = {{"Find motifs, exact or with IUPAC codes", {"basesweep motif -p GAATTC genome.fa.gz -o ecori.bed"}},
                   {"Find primers, adapters or guides with at most two edits",
                    {"basesweep match -f primers.fa -k 2 genome.fa -o hits.bam"}},
                   {"Map reads to a reference with at most eight edits",
                    {"basesweep map -r reference.fa -k 8 reads.fastq.gz -o reads.bam"}},
                   {"Show all options and more examples", {"basesweep help motif", "basesweep man motif > motif.1"}}},
      .environment = search_environment(),
      .exit_codes = search_exit_codes(),
      .most_used = {"-h", "--help"}};
}

int run(int argc, char** argv) {
  set_url_timeout(kUrlSeconds);
  CLI::App app("Sweep nucleotide sequence for patterns", "basesweep");
  app.set_help_flag("-h", "Show the most used options and exit");
  app.set_help_all_flag("--help", "Show all options and exit");
  add_version(app).group(group::kHelp);
  set_help(app, program_help());
  app.require_subcommand(0, 1);  // a missing command is reported below; CLI11 would report it before an unknown one
  app.failure_message([](const CLI::App* failed, const CLI::Error& error) { return usage_message(*failed, error); });
  std::map<std::string, std::function<int()>> commands;
  commands["motif"] = add_motif_command(app);
  commands["match"] = add_match_command(app);
  commands["pcr"] = add_pcr_command(app);
  commands["pwm"] = add_pwm_command(app);
  commands["guides"] = add_guides_command(app);
  commands["map"] = add_map_command(app);
  commands["plan"] = add_plan_command(app);
  commands["merge"] = add_merge_command(app);
  commands["pack"] = add_pack_command(app);
  commands["compile"] = add_compile_command(app);
  commands["doctor"] = add_doctor_command(app);
  commands["bench"] = add_bench_command(app);
  commands["help"] = add_help_command(app);
  commands["man"] = add_man_command(app);
  commands["completion"] = add_completion_command(app);
  commands["cite"] = add_cite_command(app);
  try {
    keep_command_line({argv, argv + argc});
    std::vector<std::string> words(argv + 1, argv + argc);
    join_optional_value("--circular", words);
    const CommandLine line = read_command_line(app, words);
    if (line.fault) {
      std::fputs(usage_message(*line.fault).c_str(), stderr);
      return kExitUsage;
    }
    for (const std::size_t argument : line.arguments) protect_argument(words[argument]);
    if (line.end_of_options) words.erase(words.begin() + static_cast<std::ptrdiff_t>(*line.end_of_options));
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    std::ostringstream shown;  // help or version
    if (app.exit(error, shown) != 0) return kExitUsage;
    return print(shown.str());
  }
  if (app.get_subcommands().empty()) {
    std::fputs(app.help("", CLI::AppFormatMode::All).c_str(), stderr);
    return kExitUsage;
  }
  return commands.at(app.get_subcommands().front()->get_name())();
}

// For an exception that nothing can catch: one in a thread or a destructor of a library, mostly for lack of memory or
// threads. Allocates nothing, since there may be no memory.
[[noreturn]] void end_at_once() noexcept {
  static std::atomic_flag ending;
  while (ending.test_and_set()) pause();  // another thread came first, and ends the process
  remove_temporaries();
  const char* what = "stopped by an error in a library";
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    what = "out of memory";
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {
  }
  for (const char* text : {"basesweep: ", what, "\n"}) {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
  }
  _exit(kExitFailure);
}

// Returns the exit code.
int run_and_tell(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    tell(error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    tell("out of memory");
  } catch (const std::exception& error) {
    tell(error.what());
  }
  return kExitFailure;
}

}  // namespace

int main(int argc, char** argv) {
  // Blocks and batches of about a megabyte are freed and allocated all the time. The default mallopt settings would
  // return their pages to the system and map fresh ones each time, so the heap keeps them.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  remove_temporaries_on_signals();
  std::set_terminate(end_at_once);
  const int code = run_and_tell(argc, argv);
  if (!gpu_start_unfinished()) return code;
  std::fflush(nullptr);
  std::_Exit(code);  // does not wait for the GPU, which nobody needs any more
}
