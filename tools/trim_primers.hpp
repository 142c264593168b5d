// The primers of `trim`: their options, and the runs that clip them from alignments.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lib/trim/primer_finder.hpp"
#include "lib/trim/primer_scheme.hpp"
#include "tools/option_table.hpp"

namespace basesweep {

class PartSet;
struct TrimArguments;

struct PrimerArguments {
  std::string scheme;     // file; "": no primers are cut
  std::string reference;  // file that has the sequences of primers
  std::uint32_t tolerance = 5;
};

OptionTable<PrimerArguments> primer_options();
// The files that are given.
std::vector<std::string> files_of(const PrimerArguments& options);

// Throws UsageError if options conflict with primers.
void check_primer_options(const TrimArguments& options);

// The primers of reads, by their sequences. Throws UsageError if they have none, and as read_primer_scheme() and
// add_sequences().
PrimerFinder find_primers(const TrimArguments& options);

// Whether the run clips alignments: primers are given, and the input is SAM, BAM or CRAM with alignments. A stream of
// SAM, BAM or CRAM is taken for one. Throws IoError.
bool clips_alignments(const TrimArguments& options);

// Clips primers from the alignments of the input. Returns the exit code.
int run_clipping(const TrimArguments& options, PartSet* parts);

}  // namespace basesweep
