// The commands of the program. Each function adds a command and returns the function that runs it and returns the exit
// code.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace basesweep {

class PartSet;
// The work of a command that searches. `parts`: see run_words().
using Work = std::function<int(PartSet* parts)>;

Work add_motif_command(CLI::App& app);
Work add_match_command(CLI::App& app);
Work add_map_command(CLI::App& app);
Work add_pcr_command(CLI::App& app);
Work add_pwm_command(CLI::App& app);
Work add_guides_command(CLI::App& app);
Work add_demux_command(CLI::App& app);
Work add_trim_command(CLI::App& app);
Work add_count_command(CLI::App& app);
std::function<int()> add_compile_command(CLI::App& app);
std::function<int()> add_plan_command(CLI::App& app);
std::function<int()> add_merge_command(CLI::App& app);
std::function<int()> add_pack_command(CLI::App& app);
std::function<int()> add_report_command(CLI::App& app);
std::function<int()> add_doctor_command(CLI::App& app);
std::function<int()> add_bench_command(CLI::App& app);
std::function<int()> add_cite_command(CLI::App& app);
// These describe all commands of the program.
std::function<int()> add_help_command(CLI::App& app);
std::function<int()> add_man_command(CLI::App& app);
std::function<int()> add_completion_command(CLI::App& app);
// `bench paper`, below the command `bench`.
std::function<int()> add_bench_paper_command(CLI::App& bench);

}  // namespace basesweep
