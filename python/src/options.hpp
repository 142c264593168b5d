// The words of the command line as the library's options. A word has the name and the meaning that `basesweep COMMAND
// --help` gives it, with _ for -.
#pragma once

#include <nanobind/nanobind.h>

#include <basesweep/guides.hpp>
#include <basesweep/map.hpp>
#include <basesweep/pcr.hpp>
#include <basesweep/pwm.hpp>
#include <string>
#include <vector>

namespace basesweep::python {

// Each throws TypeError for a word that the command does not have and for a value of another type, and UsageError for a
// value that it does not take. A value of None is as if the word were not given.
SearchOptions search_options(const nanobind::dict& words);
PcrOptions pcr_options(const nanobind::dict& words);
PwmOptions pwm_options(const nanobind::dict& words);
GuideOptions guide_options(const nanobind::dict& words);
MapperOptions mapper_options(const nanobind::dict& words);

// The words of a command: "match" (and "motif"), "pcr", "pwm", "guides" or "map".
std::vector<std::string> option_names(const std::string& command);

}  // namespace basesweep::python
