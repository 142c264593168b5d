#include "lib/reader/alignment_format.hpp"

#include <fmt/format.h>
#include <htslib/hfile.h>
#include <htslib/hts.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "lib/reader/alignments.hpp"

namespace basesweep {

const char* alignment_format_name(AlignmentFormat format) {
  switch (format) {
    case AlignmentFormat::sam: return "SAM";
    case AlignmentFormat::bam: return "BAM";
    case AlignmentFormat::cram: return "CRAM";
  }
  return "";
}

std::string how_read(AlignmentFormat format, int threads) {
  return fmt::format("{}, read by HTSlib {} in {}", alignment_format_name(format), hts_version(),
                     threads > 1 ? fmt::format("{} threads", threads) : "one thread");
}

bool begins_like_alignments(std::span<const char> head) {
  constexpr std::array<std::string_view, 7> kStarts{"CRAM", "BAM\1", "@HD\t", "@SQ\t", "@RG\t", "@PG\t", "@CO\t"};
  const std::string_view text(head.data(), head.size());
  return std::any_of(kStarts.begin(), kStarts.end(),
                     [text](std::string_view start) { return text.starts_with(start); });
}

std::optional<AlignmentFormat> find_alignment_format(hFILE* stream) {
  htsFormat format{};
  if (hts_detect_format(stream, &format) != 0) return std::nullopt;
  switch (format.format) {
    case sam: return AlignmentFormat::sam;
    case bam: return AlignmentFormat::bam;
    case cram: return AlignmentFormat::cram;
    default: return std::nullopt;
  }
}

}  // namespace basesweep
