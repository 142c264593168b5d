// The commands of the program; each is one source file.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <utility>

#include "lib/matcher.hpp"

namespace basesweep {

// "auto", "cpu", "gpu" or "gpu:N". Throws UsageError.
std::pair<Device, int> parse_device(const std::string& text);

// Writes "basesweep: TEXT" and a line end to stderr; a stderr that cannot be written to is no error.
void tell(const std::string& text);

// Adds `basesweep motif` to the program; the returned function runs it and returns the exit code.
std::function<int()> add_motif_command(CLI::App& app);

// Adds `basesweep match`.
std::function<int()> add_match_command(CLI::App& app);

// Adds `basesweep map`.
std::function<int()> add_map_command(CLI::App& app);

// Adds `basesweep plan`.
std::function<int()> add_plan_command(CLI::App& app);

// Adds `basesweep merge`.
std::function<int()> add_merge_command(CLI::App& app);

// Adds `basesweep doctor`.
std::function<int()> add_doctor_command(CLI::App& app);

// Adds `basesweep bench`.
std::function<int()> add_bench_command(CLI::App& app);

// Adds `basesweep cite`.
std::function<int()> add_cite_command(CLI::App& app);

// Adds `basesweep help`, `man` and `completion`, which speak of all commands of the program.
std::function<int()> add_help_command(CLI::App& app);
std::function<int()> add_man_command(CLI::App& app);
std::function<int()> add_completion_command(CLI::App& app);

// Adds `basesweep bench paper` to the command `bench`.
std::function<int()> add_bench_paper_command(CLI::App& bench);

}  // namespace basesweep
