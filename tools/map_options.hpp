// The options of `map`, its help, and the checks that come before any work.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/search/finder.hpp"
#include "tools/job_options.hpp"
#include "tools/mate_input.hpp"
#include "tools/option_table.hpp"

namespace basesweep {

// The shortest and the longest template of a proper pair, in bases.
struct Insert {
  std::int64_t min = 0;
  std::int64_t max = 1000;
};

struct MapArguments : JobOptions, MateInput {
  std::string reference;
  EditOptions edits;  // edits or rate; no limits
  Report report = Report::best;
  std::optional<std::uint64_t> max_secondary;
  StrandChoice strand = StrandChoice::both;
  bool hits_only = false;
  std::string insert_text = "0,1000";  // as given; check_map_options() sets `insert`
  Insert insert;
  bool md5 = false;
  SamChoices sam;
  std::string keep_tags;  // as given; check_map_options() sets AlignmentInput::reading by it
  Candidates candidates = Candidates::automatic;
  std::size_t batch_bytes = 0;

  // Whether --keep-tags has the tag.
  bool keeps(const std::string& tag) const {
    const std::vector<std::string>& tags = alignments.reading.tags;
    return std::find(tags.begin(), tags.end(), tag) != tags.end();
  }
  bool paired() const { return interleaved || !first_mates.empty(); }
};

Help map_help();
// The options that affect what is found and how it is shown.
OptionTable<MapArguments> map_options();
void add_map_options(CLI::App& command, MapArguments& arguments);

// Throws UsageError if options conflict or a file is read and written. Without reads, makes stdin the reads.
void check_map_options(MapArguments& arguments);

}  // namespace basesweep
