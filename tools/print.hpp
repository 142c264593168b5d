// Output of commands: text to stdout, messages to stderr.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "lib/base/number_words.hpp"

namespace basesweep {

// Writes the text to stdout and returns exit code 0. Throws IoError.
int print(const std::string& text);

// A number of things: "1 base", "48,502 bases", "no hits".
std::string counted(std::uint64_t number, const std::string& noun);

// "2 of 30 patterns have no hit"; "" if all have, none has, or there is one.
std::string print_without(std::uint64_t without, std::uint64_t all, const std::string& noun, const std::string& found);
// The amount of text that a run has read: "1 input, 48,502 bases".
std::string inputs_read(std::size_t inputs, std::uint64_t bases);

// Writes "basesweep: TEXT", control characters escaped (printable()), and a line end to stderr. It is no error if
// stderr cannot be written to.
void tell(const std::string& text);

}  // namespace basesweep
