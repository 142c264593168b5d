// What the self-test asks, and what the plain oracle answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/pattern_set.hpp"
#include "tests/oracle/naive.hpp"
#include "tests/support/batches.hpp"
#include "tests/support/ends.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/random.hpp"
#include "tests/support/read_ends.hpp"

namespace basesweep {

EditOptions within(std::uint32_t edits, std::optional<std::uint32_t> indels = {});

// With all that may stand in text.
std::vector<std::string> records_of_all_shapes(support::Random& random);

struct MotifText {
  oracle::Question question;
  std::vector<oracle::Hit> expected;
  support::Chunking cut;
};

struct MotifSet {
  std::string name;
  PatternSet patterns;
  std::vector<MotifText> texts;
};

struct EditSet {
  std::string name;
  std::string text;
  PatternSet patterns;
  support::Ends expected;
};

struct ReadSet {
  std::string name;
  std::vector<std::string> records;
  std::vector<support::SoughtRead> reads;
  support::ReadEnds expected;
};

struct Questions {
  explicit Questions(support::Random& random);

  std::vector<MotifSet> motifs;
  std::vector<EditSet> edits;
  std::vector<ReadSet> reads;
};

}  // namespace basesweep
