// The options of commands whose input may be SAM, BAM or CRAM.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lib/reader/alignments.hpp"
#include "lib/reader/block_source.hpp"
#include "lib/writer/cram_reference.hpp"
#include "tools/options.hpp"

namespace basesweep {

struct AlignmentInput {
  std::string cram_reference;  // as the user gives it; "": none
  AlignmentOptions reading{};
  std::shared_ptr<CramReference> indexed{};  // holds the index that `reading` names

  // The files that it reads, besides the input.
  std::vector<std::string> files() const;
};

// Adds this option and --timeout to the group that was begun last. `more`: what else it is for.
void add_alignment_options(CLI::App& command, AlignmentInput& input, const std::string& more = "");

// Indexes the reference in a temporary folder, so that HTSlib can read it. To be called before files are opened. Throws
// as CramReference.
void prepare(AlignmentInput& input);

// Throws UsageError if a file is SAM, BAM or CRAM: regions are not for them. The first is for files, and passes over
// streams; the second for sources that were reached.
void refuse_regions(const std::vector<std::string>& paths);
void refuse_regions(const std::vector<SourceInfo>& sources);

}  // namespace basesweep
