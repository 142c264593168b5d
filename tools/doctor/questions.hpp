// The questions of the self-test, with the answers of the plain oracle.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/oracle/naive.hpp"
#include "lib/oracle/trial/batches.hpp"
#include "lib/oracle/trial/compare_ends.hpp"
#include "lib/oracle/trial/compare_read_ends.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/oracle/trial/matrices.hpp"
#include "lib/oracle/trial/random.hpp"
#include "lib/search/edit_options.hpp"
#include "lib/search/pattern_set.hpp"
#include "tools/doctor/guide_test.hpp"
#include "tools/doctor/reads_test.hpp"

namespace basesweep {

EditOptions within(std::uint32_t edits, std::optional<std::uint32_t> indels = {});

// Records of all shapes that the oracle's trials know, with all letters that text may contain.
std::vector<std::string> records_of_all_shapes(trial::Random& random);

struct MotifText {
  oracle::Question question;
  std::vector<oracle::Hit> expected;
  trial::Cuts cut;
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
  trial::Ends expected;
};

struct ReadSet {
  std::string name;
  std::vector<std::string> records;
  std::vector<trial::TestRead> reads;
  trial::ReadEnds expected;
};

struct MatrixTexts {
  std::string name;
  MatrixSet matrices;
  oracle::MatrixQuestion question;
  std::vector<oracle::Hit> expected;
  trial::Cuts cut;
};

struct Questions {
  explicit Questions(trial::Random& random);

  std::vector<MotifSet> motifs;
  std::vector<EditSet> edits;
  std::vector<ReadSet> reads;
  std::vector<MatrixTexts> matrices;
  std::vector<GuideTexts> guides;
  std::vector<BarcodeTexts> barcodes;
  std::vector<AdapterTexts> adapters;
  std::vector<CountTexts> counts;
};

}  // namespace basesweep
