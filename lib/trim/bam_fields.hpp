// The fields of a BAM record, to be changed and written again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

struct BamFields {
  std::int32_t reference = -1;
  std::int32_t position = -1;  // 0-based
  std::uint8_t quality = 0;    // MAPQ
  unsigned flag = 0;
  std::uint32_t bases = 0;
  std::int32_t mate_reference = -1;
  std::int32_t mate_position = -1;
  std::int32_t template_length = 0;
  std::string_view name{};               // with its 0
  std::vector<std::uint32_t> cigar{};    // as BAM codes it
  std::string_view sequence{};           // SEQ and QUAL
  std::vector<std::string_view> tags{};  // as BAM has them
  std::deque<std::string> changed{};     // the bytes of tags that were replaced

  // Takes a record with its size first; views point into it. Throws std::runtime_error with the fault, as part of a
  // message, for one that is damaged.
  void parse(std::string_view record);
  // Appends the record, with its size first.
  void append(std::string& to) const;

  // The value of a tag of type Z; "" if there is none.
  std::string_view text_tag(std::string_view name) const;
  void drop(std::string_view name);
  // Gives a tag that is there another text.
  void replace_text(std::string_view name, std::string_view text);
};

// Parses a CIGAR such as "10S90M". False if the text is none.
bool parse_cigar(std::string_view text, std::vector<std::uint32_t>& cigar);
std::string cigar_text(const std::vector<std::uint32_t>& cigar);
// Bases of the read that are aligned or inserted.
std::uint64_t aligned_bases(const std::vector<std::uint32_t>& cigar);

}  // namespace basesweep
