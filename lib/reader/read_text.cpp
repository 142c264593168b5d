#include "lib/reader/read_text.hpp"

#include <fmt/format.h>
#include <htslib/kstring.h>
#include <htslib/sam.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "lib/base/sam_names.hpp"
#include "lib/base/sam_tags.hpp"
#include "lib/reader/raw_block.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kLetters = "=ACMGRSVTWYHKDBN";      // by BAM's code
constexpr std::string_view kComplements = "=TGKCYSBAWRDMHVN";  // of these letters
constexpr unsigned kMaxQuality = 93;                           // '~'
constexpr unsigned char kNoQuality = 0xff;
constexpr char kFirstQuality = '!';

// The letters of two bases, which BAM keeps in one byte.
using Pair = std::array<char, 2>;
constexpr std::array<Pair, 256> kForward = [] {
  std::array<Pair, 256> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {kLetters[i >> 4], kLetters[i & 15]};
  return pairs;
}();
constexpr std::array<Pair, 256> kBackward = [] {
  std::array<Pair, 256> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {kComplements[i & 15], kComplements[i >> 4]};
  return pairs;
}();

void put_letters(const std::uint8_t* packed, std::size_t length, bool reverse, char* to) {
  const std::size_t whole = length / 2;
  const bool odd = length % 2 != 0;
  if (!reverse) {
    for (std::size_t i = 0; i < whole; ++i) std::memcpy(to + 2 * i, kForward[packed[i]].data(), 2);
    if (odd) to[length - 1] = kForward[packed[whole]][0];
  } else {
    if (odd) *to++ = kBackward[packed[whole]][1];
    for (std::size_t i = 0; i < whole; ++i) std::memcpy(to + 2 * i, kBackward[packed[whole - 1 - i]].data(), 2);
  }
}

// `none`: the letter of a read without qualities.
void put_qualities(const std::uint8_t* qualities, std::size_t length, bool reverse, char none, char* to) {
  if (length == 0) return;
  if (qualities[0] == kNoQuality) {
    std::fill_n(to, length, none);
    return;
  }
  std::uint8_t highest = 0;
  for (std::size_t i = 0; i < length; ++i) {
    highest = std::max(highest, qualities[i]);
    to[i] = static_cast<char>(qualities[i] + kFirstQuality);
  }
  if (highest > kMaxQuality) throw std::runtime_error(fmt::format("a quality of {}, over {}", highest, kMaxQuality));
  if (reverse) std::reverse(to, to + length);
}

void append_tag(const bam1_t& record, const char* tag, std::string& text) {
  kstring_t value = KS_INITIALIZE;
  const int found = bam_aux_get_str(&record, tag, &value);
  const std::string printed(value.s == nullptr ? "" : value.s, value.l);
  ks_free(&value);
  if (found <= 0) return;
  if (std::any_of(printed.begin(), printed.end(), [](char c) { return c < ' ' || c > '~'; }))
    throw std::runtime_error(fmt::format("its tag {} has letters that SAM does not allow", tag));
  text.append("\t").append(printed);
}

// The title up to the name.
void append_name(const bam1_t& record, std::string& text) {
  const std::string_view name = bam_get_qname(&record);
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_sam_query_letter))
    throw std::runtime_error("its name has letters that SAM does not allow");
  text.append("@").append(name);
  const unsigned mate = record.core.flag & (BAM_FPAIRED | BAM_FREAD1 | BAM_FREAD2);
  if (mate == (BAM_FPAIRED | BAM_FREAD1)) text.append("/1");
  if (mate == (BAM_FPAIRED | BAM_FREAD2)) text.append("/2");
}

void append_lines(const bam1_t& record, char no_quality, std::string& text) {
  const bool reverse = bam_is_rev(&record);
  const auto length = static_cast<std::size_t>(record.core.l_qseq);
  constexpr std::string_view kPlus = "\n+\n";
  const std::size_t begin = text.size() + 1;
  text.resize(begin + length + kPlus.size() + length + 1, '\n');
  char* const to = text.data() + begin;
  to[-1] = '\n';
  put_letters(bam_get_seq(&record), length, reverse, to);
  std::copy(kPlus.begin(), kPlus.end(), to + length);
  put_qualities(bam_get_qual(&record), length, reverse, no_quality, to + length + kPlus.size());
}

}  // namespace

void append_read(const bam1_t& record, std::span<const std::string> tags, std::string& text) {
  append_name(record, text);
  for (const std::string& tag : tags) append_tag(record, tag.c_str(), text);
  append_lines(record, kUnknownQuality, text);
}

void append_read_with_tags(const bam1_t& record, std::string& text) {
  append_name(record, text);
  const std::uint8_t* const end = record.data + record.l_data;
  for (const std::uint8_t* tag = bam_get_aux(&record); end - tag >= 4;) {
    // These speak of an alignment.
    constexpr std::string_view kAligned =
        "NM MD AS XS SA MC MQ NH HI IH CC CP CM SM TC UQ XA cs cg cm tp nn rl de dv s1 s2";
    const char name[] = {static_cast<char>(tag[0]), static_cast<char>(tag[1]), '\0'};
    const bool aligned = (record.core.flag & BAM_FUNMAP) == 0;
    const bool repeated = bam_aux_get(&record, name) != tag + 2;  // SAM allows each tag once; the first is kept
    if (!repeated && (!aligned || kAligned.find(name) == std::string_view::npos)) append_tag(record, name, text);
    tag += bam_tag_size({reinterpret_cast<const char*>(tag), static_cast<std::size_t>(end - tag)});
  }
  append_lines(record, kNoQualityLetter, text);
}

}  // namespace basesweep
