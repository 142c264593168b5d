#include "lib/base/sequence_text.hpp"

#include <fmt/format.h>

#include "lib/base/error.hpp"

namespace basesweep {

std::optional<std::string> warning_of(const LetterCounts& counts, const std::string& text) {
  if (counts.nucleotides >= counts.letters - counts.nucleotides) return std::nullopt;
  return fmt::format("{}: only {} % of the letters are nucleotides (A, C, G, T, U or N); is this protein?", text,
                     100 * counts.nucleotides / counts.letters);
}

std::string not_sequence(char byte) { return printable(byte) + " is not sequence (expected letters, '-', '*' or '.')"; }

}  // namespace basesweep
