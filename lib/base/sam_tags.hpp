// Tags of SAM records that are copied from the input.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace basesweep {

// Whether the text may be the name of a tag: a letter, then a letter or a digit.
bool is_sam_tag(std::string_view name);

// Appends a tag such as "RG:Z:x" to `to`: as SAM has it, after a tab, or with `binary` as BAM has it. Throws
// std::runtime_error with the fault, as part of a message, when SAM does not allow the type or the value.
void append_sam_tag(std::string_view tag, bool binary, std::string& to);

// The bytes of the tag of BAM that the text begins with: its name, its type and its value. Throws std::runtime_error
// with the fault, as part of a message, for an unknown type and a tag that is longer than the text.
std::size_t bam_tag_size(std::string_view bytes);

}  // namespace basesweep
