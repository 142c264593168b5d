// Recognises SAM, BAM and CRAM. Private to the reader.
#pragma once

#include <htslib/hfile.h>

#include <optional>
#include <span>

#include "lib/reader/alignments.hpp"

namespace basesweep {

// Whether a file that is not compressed begins like SAM with a header, like BAM or like CRAM. `head`: its first
// kMagicBytes bytes.
bool begins_like_alignments(std::span<const char> head);

// The format of a stream; nothing if it is not SAM, BAM or CRAM. The stream keeps its place.
std::optional<AlignmentFormat> find_alignment_format(hFILE* stream);

}  // namespace basesweep
