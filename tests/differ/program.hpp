// Runs `basesweep motif` and `match` as users do: with files, chunks and `basesweep merge`.
#pragma once

#include <string>

#include "tests/differ/check.hpp"

namespace differ {

// Writes the text and the patterns of a trial to a folder. Returns the command, for a shell, that prints the
// table of hits or counts.
std::string write_command(const Trial& trial, const std::string& program, const std::string& folder);

// Runs that command and reads what it prints. Throws std::runtime_error when it fails.
Answers run_program(const Trial& trial, const std::string& program, const std::string& folder);

}  // namespace differ
