// The commands of the program; each is one source file.
#pragma once

#include <CLI/CLI.hpp>

namespace basesweep {

// Adds `basesweep motif` to the program; the returned function runs it and returns the exit code.
std::function<int()> add_motif_command(CLI::App& app);

}  // namespace basesweep
