// Pattern files in every format.
#include "lib/reader/pattern_file.hpp"
#include "tests/fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace basesweep;
  const fuzz::Choice choice(data, size);
  const fuzz::MemoryFile file(choice.rest);
  const ColumnChoice columns[] = {{}, {"", "2"}, {"1", "3"}, {"name", "sequence"}};
  fuzz::refuses([&] {
    for (const Pattern& pattern : read_patterns(file.path(), columns[choice.number % 4])) {
      fuzz::require(!pattern.sequence.empty(), "no pattern is empty");
      fuzz::require(pattern.sequence.find_first_not_of("ACGTURYSWKMBDHVNI|") == std::string::npos,
                    "patterns are made of IUPAC codes in upper case, I and |");
    }
  });
  return 0;
}
