// The part of the self-test that is about CRISPR guides.
#pragma once

#include <string>
#include <vector>

#include "lib/guides/guide_finder.hpp"
#include "lib/oracle/guides.hpp"
#include "lib/oracle/trial/batches.hpp"
#include "lib/oracle/trial/random.hpp"

namespace basesweep {

// Guides and a text, with the places that the oracle finds, a line for each.
struct GuideTexts {
  std::string name;
  GuideSet guides;
  oracle::GuideQuestion question;
  std::string expected;
  trial::Cuts cut;
};

// Guides of 20 before NGG or NAG with mismatches alone, and of 15 to 30 behind TTTV with bulges. Some are planted.
std::vector<GuideTexts> guide_texts(trial::Random& random);

// Runs the pipeline of `guides` on the text. Returns the first difference, or "".
std::string try_guides(const GuideTexts& texts, const GuideFinder& finder);

// How --help would name the way.
const char* to_string(GuideWay way);

}  // namespace basesweep
