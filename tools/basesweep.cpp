// The program: one subcommand a job.
#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <new>

#include "lib/error.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/commands.hpp"

namespace {

using namespace basesweep;

int run(int argc, char** argv) {
  CLI::App app("basesweep sweeps nucleotide sequence for patterns", "basesweep");
  app.set_version_flag("--version", "basesweep " BASESWEEP_VERSION);
  app.require_subcommand(0, 1);  // none is told below: CLI11 would tell it before words that it does not know
  app.failure_message([](const CLI::App* failed, const CLI::Error& error) {
    std::string command = failed->get_name();
    for (const CLI::App* named = failed; !named->get_subcommands().empty();) {
      named = named->get_subcommands().front();
      command += ' ' + named->get_name();
    }
    return fmt::format("basesweep: {}\nTry '{} --help'.\n", error.what(), command);
  });
  const std::map<std::string, std::function<int()>> commands = {
      {"motif", add_motif_command(app)},
      {"match", add_match_command(app)},
      {"map", add_map_command(app)},
      {"plan", add_plan_command(app)},
      {"merge", add_merge_command(app)},
      {"bench", add_bench_command(app)}};
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) throw CLI::RequiredError::Subcommand(1);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  return commands.at(app.get_subcommands().front()->get_name())();
}

}  // namespace

int main(int argc, char** argv) {
  // Blocks and batches of about a megabyte come and go: keep them in the heap instead of mapping fresh pages each time.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  remove_temporaries_on_signals();
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
