#include "lib/base/sequence_text.hpp"

#include "lib/base/error.hpp"

namespace basesweep {

std::string not_sequence(char byte) { return printable(byte) + " is not sequence (expected letters, '-', '*' or '.')"; }

}  // namespace basesweep
