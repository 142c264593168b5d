#include "lib/reader/gzip_span.hpp"

#include <isa-l/crc.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <string_view>

#include "lib/reader/gzip_resume.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kTrailerBytes = 8;  // checksum and length of the text
constexpr int kMaxTries = 16;             // places that seem to begin a block and do not

std::uint32_t number_at(const std::uint8_t* bytes) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

// The product of two polynomials modulo that of CRC-32. The highest bit is the coefficient of x^0.
std::uint32_t crc_product(std::uint32_t a, std::uint32_t b) {
  constexpr std::uint32_t kPolynomial = 0xedb88320;
  std::uint32_t product = 0;
  for (; a != 0; a <<= 1) {
    if ((a >> 31) != 0) product ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? kPolynomial : 0);
  }
  return product;
}

}  // namespace

// The checksum of the first text goes through as many bytes of 0 as the second has: it is multiplied by x^(8 bytes).
std::uint32_t joined_crc(std::uint32_t first, std::uint32_t second, std::uint64_t bytes) {
  for (std::uint32_t power = 1U << 23; bytes != 0; bytes >>= 1, power = crc_product(power, power)) {  // at first x^8
    if ((bytes & 1) != 0) first = crc_product(first, power);
  }
  return first ^ second;
}

void GzipSpan::fill(std::vector<std::uint8_t>& data, std::size_t bytes, std::size_t own_bytes, std::int64_t offset,
                    bool last) {
  data_.swap(data);
  std::fill_n(data_.begin() + static_cast<std::ptrdiff_t>(bytes), DeflateBits::kPadding, std::uint8_t{0});
  bytes_ = bytes;
  own_bytes_ = own_bytes;
  offset_ = offset;
  last_ = last;
  first_.reset();
  start_.reset();
  stopped_ = Stopped::fault;
  parts_.clear();
}

void GzipSpan::begin(std::uint64_t position) {
  start_ = bit_offset() + position;
  inflater_.begin(position);
  parts_.clear();
  parts_.push_back({0, 0, false, 0, 0});
}

void GzipSpan::inflate_somewhere() noexcept {
  if (first_) return inflate_from(*first_, {});
  try {
    std::uint64_t from = 0;
    for (int tries = 0; tries < kMaxTries; ++tries) {
      const auto found = find_block(data(), from, own_bytes_ * 8);
      if (!found) break;
      begin(*found);
      text_.begin();
      inflate();
      if (stopped_ != Stopped::fault || inflater_.blocks() != 0) return;
      from = *found + 1;
    }
    start_.reset();
  } catch (const std::exception&) {  // there is no memory; who asks in order will see it too
    start_.reset();
  }
}

void GzipSpan::inflate_from(std::uint64_t start, std::span<const std::uint8_t> window) noexcept {
  try {
    begin(start - bit_offset());
    text_.begin(room_, window);
    inflate();
  } catch (const std::exception&) {
    stopped_ = Stopped::fault;
  }
}

void GzipSpan::inflate_more(std::span<const std::uint8_t> window) noexcept {
  try {
    start_ = end();
    parts_.clear();
    parts_.push_back({0, 0, false, 0, 0});
    text_.begin(room_, window);
    inflate();
  } catch (const std::exception&) {
    stopped_ = Stopped::fault;
  }
}

void GzipSpan::inflate() {
  do {
    stopped_ = text_.inflate(room_, inflater_, data(), own_bytes_ * 8);
    end_ = inflater_.position();
  } while (stopped_ == Stopped::at_end && end_member());
  parts_.back().end = text_.size();
}

// Behind the end of the deflate data: takes the trailer, and the header of the next member. False if there is none.
bool GzipSpan::end_member() {
  const std::size_t trailer = (end_ + 7) / 8;
  if (trailer + kTrailerBytes > bytes_) {
    stopped_ = last_ ? Stopped::fault : Stopped::input_ends;
    return false;
  }
  MemberPart& part = parts_.back();
  part.end = text_.size();
  part.member_ends = true;
  part.said_crc = number_at(data_.data() + trailer);
  part.said_bytes = number_at(data_.data() + trailer + sizeof(std::uint32_t));
  parts_.push_back({text_.size(), text_.size(), false, 0, 0});
  const std::size_t behind = trailer + kTrailerBytes;
  end_ = behind * 8;
  const auto header = gzip_header_bytes(data().subspan(behind));
  if (!header) return false;
  text_.begin_member(room_);
  inflater_.begin_member((behind + *header) * 8);
  return true;
}

bool GzipSpan::resolve(std::span<const std::uint8_t> window) noexcept {
  try {
    if (!text_.resolve(room_, window)) return false;
  } catch (const std::exception&) {
    return false;
  }
  sum_up();
  return true;
}

// Makes the checksums of the parts.
void GzipSpan::sum_up() {
  auto part = parts_.begin();
  std::size_t at = 0;
  for (const TextPiece& piece : pieces()) {
    for (std::string_view text = piece.text(); !text.empty();) {
      while (at == part->end) ++part;
      const std::size_t size = std::min(text.size(), part->end - at);
      part->crc = crc32_gzip_refl(part->crc, reinterpret_cast<const std::uint8_t*>(text.data()), size);
      text.remove_prefix(size);
      at += size;
    }
  }
}

}  // namespace basesweep
