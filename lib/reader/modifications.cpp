#include "lib/reader/modifications.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "lib/base/letter_case.hpp"

namespace basesweep {
namespace {

// Names without their place, in lower case. Universal bases count as N.
constexpr std::array<std::pair<std::string_view, char>, 20> kBases{
    {{"deoxyi", 'N'},  {"deoxyu", 'U'}, {"fluort", 'T'}, {"ammc6t", 'T'}, {"ammc2t", 'T'},
     {"5nitind", 'N'}, {"nitind", 'N'}, {"2ampr", 'A'},  {"2-ampr", 'A'}, {"2fa", 'A'},
     {"2fc", 'C'},     {"2fg", 'G'},    {"2fu", 'U'},    {"2moera", 'A'}, {"2moerc", 'C'},
     {"2moerg", 'G'},  {"2moert", 'T'}, {"2moeru", 'U'}, {"2omera", 'A'}, {"2omeru", 'U'}}};

// Spacers, dyes and quenchers that stand between two bases and are none.
constexpr std::array<std::string_view, 12> kBetween{"sp9", "sp18", "spc3", "spc6", "spc12",  "sppc",
                                                    "cy3", "cy5",  "zen",  "tao",  "uniamm", "thiomc6-d"};

// The base of a name such as "BiodT" or "ddC"; 0 if it is not one. Bases that are turned round or pair with others than
// the usual ones are none.
char base_at_end(std::string_view name, std::string_view lower) {
  if (name.size() < 3 || lower.find("inv") != std::string_view::npos || lower.find("iso") != std::string_view::npos) {
    return '\0';
  }
  const char base = name.back();
  const bool deoxy = name[name.size() - 2] == 'd' && std::string_view("ACGTU").find(base) != std::string_view::npos;
  return deoxy ? base : '\0';
}

}  // namespace

Modification modification_of(std::string_view name) {
  Modification meaning;
  if (name.size() > 1 && (name.front() == '5' || name.front() == '3' || name.front() == 'i')) {
    meaning.place = name.front();
    name.remove_prefix(1);
  }
  const std::string lower = lower_case(std::string(name));
  const auto base = std::find_if(kBases.begin(), kBases.end(), [&](const auto& known) { return known.first == lower; });
  if (base != kBases.end()) {
    meaning.base = base->second;
  } else {
    meaning.base = base_at_end(name, lower);
  }
  if (meaning.base != '\0') {
    meaning.kind = Modification::Kind::base;
  } else if (std::find(kBetween.begin(), kBetween.end(), lower) != kBetween.end()) {
    meaning.kind = Modification::Kind::no_base;
  }
  return meaning;
}

}  // namespace basesweep
