// Advice for messages: how to write text that is not read as a sequence.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace basesweep {

// The code for one of several bases, "AT", "A/T" or "A,T"; 0 if the content is not bases.
char code_of(std::string_view content);

// The text with codes in place of choices of bases, G[AT]C, and with repeats written out, N4, (N)4, (CAG)4 and A{4}.
std::string spelled_out(std::string_view text);

// Dyes and other names before and after a sequence: "FAM-AGAGTT", "AGAGTT-BHQ1".
struct OddNames {
  std::size_t at;      // offset of the first
  std::string advice;  // "'FAM' is not sequence: write AGAGTT, or /56-FAM/AGAGTT"
};

// The names around the sequence in `text`; nothing if there are none, or no sequence is between them.
std::optional<OddNames> odd_names(std::string_view text);

}  // namespace basesweep
