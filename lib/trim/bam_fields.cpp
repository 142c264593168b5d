#include "lib/trim/bam_fields.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <stdexcept>

#include "lib/base/bam_bytes.hpp"
#include "lib/base/cigar_codes.hpp"
#include "lib/base/sam_tags.hpp"

namespace basesweep {
namespace {

// Takes numbers and text from the front of a record.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}

  template <class Integer>
  Integer number() {
    Integer value;
    std::memcpy(&value, text(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view text(std::size_t size) {
    if (size > bytes_.size()) throw std::runtime_error("its fields are longer than the record");
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

// The bin of the BAI index that holds bases [begin, end) (SAM specification, 5.3).
std::uint16_t bin_of(std::int64_t begin, std::int64_t end) {
  --end;
  int shift = 14;
  int first = ((1 << 15) - 1) / 7;
  for (int level = 5; level > 0; --level, shift += 3) {
    if (begin >> shift == end >> shift) return static_cast<std::uint16_t>(first + (begin >> shift));
    first -= 1 << 3 * (level - 1);
  }
  return 0;
}

std::int64_t reference_bases(const std::vector<std::uint32_t>& cigar) {
  std::int64_t bases = 0;
  for (const std::uint32_t code : cigar) {
    if (takes_reference(op_of(code))) bases += length_of(code);
  }
  return bases;
}

}  // namespace

void BamFields::parse(std::string_view record) {
  Cursor cursor(record);
  cursor.number<std::int32_t>();
  reference = cursor.number<std::int32_t>();
  position = cursor.number<std::int32_t>();
  const std::size_t name_bytes = cursor.number<std::uint8_t>();
  quality = cursor.number<std::uint8_t>();
  cursor.number<std::uint16_t>();  // the bin
  const std::size_t operations = cursor.number<std::uint16_t>();
  flag = cursor.number<std::uint16_t>();
  bases = cursor.number<std::uint32_t>();
  mate_reference = cursor.number<std::int32_t>();
  mate_position = cursor.number<std::int32_t>();
  template_length = cursor.number<std::int32_t>();
  name = cursor.text(name_bytes);
  cigar.resize(operations);
  for (std::uint32_t& code : cigar) code = cursor.number<std::uint32_t>();
  sequence = cursor.text((std::size_t{bases} + 1) / 2 + bases);
  tags.clear();
  changed.clear();
  for (std::string_view rest = cursor.rest(); !rest.empty(); rest.remove_prefix(tags.back().size()))
    tags.push_back(rest.substr(0, bam_tag_size(rest)));
}

void BamFields::append(std::string& to) const {
  constexpr std::size_t kFixedBytes = 32;
  char fixed[sizeof(std::int32_t) + kFixedBytes];
  std::size_t size = kFixedBytes + name.size() + sizeof(std::uint32_t) * cigar.size() + sequence.size();
  for (const std::string_view tag : tags) size += tag.size();
  char* at = put_int32(fixed, static_cast<std::int64_t>(size));
  at = put_int32(at, reference);
  at = put_int32(at, position);
  at = put_integer(at, static_cast<std::uint8_t>(name.size()));
  at = put_integer(at, quality);
  at = put_integer(at, bin_of(position, position + std::max<std::int64_t>(1, reference_bases(cigar))));
  at = put_integer(at, static_cast<std::uint16_t>(cigar.size()));
  at = put_integer(at, static_cast<std::uint16_t>(flag));
  at = put_int32(at, bases);
  at = put_int32(at, mate_reference);
  at = put_int32(at, mate_position);
  put_int32(at, template_length);
  to.append(fixed, sizeof fixed).append(name);
  for (const std::uint32_t code : cigar) {
    char bytes[sizeof code];
    put_integer(bytes, code);
    to.append(bytes, sizeof bytes);
  }
  to.append(sequence);
  for (const std::string_view tag : tags) to.append(tag);
}

std::string_view BamFields::text_tag(std::string_view wanted) const {
  for (const std::string_view tag : tags) {
    if (tag.starts_with(wanted) && tag[2] == 'Z') return tag.substr(3, tag.size() - 4);
  }
  return "";
}

void BamFields::drop(std::string_view unwanted) {
  std::erase_if(tags, [&](std::string_view tag) { return tag.starts_with(unwanted); });
}

void BamFields::replace_text(std::string_view wanted, std::string_view text) {
  const auto tag =
      std::find_if(tags.begin(), tags.end(), [&](std::string_view one) { return one.starts_with(wanted); });
  if (tag == tags.end()) return;
  std::string& bytes = changed.emplace_back(wanted);
  bytes.append("Z").append(text).append(1, '\0');
  *tag = bytes;
}

bool parse_cigar(std::string_view text, std::vector<std::uint32_t>& cigar) {
  cigar.clear();
  while (!text.empty()) {
    std::uint32_t length = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    const auto digits = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || digits == text.size() || length > kMaxOpLength) return false;
    if (kCigarLetters.find(text[digits]) == std::string_view::npos) return false;
    cigar.push_back(cigar_code_of(length, text[digits]));
    text.remove_prefix(digits + 1);
  }
  return !cigar.empty();
}

std::string cigar_text(const std::vector<std::uint32_t>& cigar) {
  std::string text;
  for (const std::uint32_t code : cigar) text.append(std::to_string(length_of(code))).append(1, op_of(code));
  return text;
}

std::uint64_t aligned_bases(const std::vector<std::uint32_t>& cigar) {
  std::uint64_t bases = 0;
  for (const std::uint32_t code : cigar) {
    if (is_aligned_op(op_of(code)) || op_of(code) == 'I') bases += length_of(code);
  }
  return bases;
}

}  // namespace basesweep
