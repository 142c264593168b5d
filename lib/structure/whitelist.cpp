#include "lib/structure/whitelist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/parallel.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/crc64.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

// Multiplication by an odd number can be turned back, and so can the shift.
constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15U;
constexpr std::uint64_t kInverse = [] {
  std::uint64_t inverse = kFactor;  // right in three bits; each round doubles them
  for (int round = 0; round < 5; ++round) inverse *= 2 - kFactor * inverse;
  return inverse;
}();
static_assert(kFactor * kInverse == 1);

// A word of bases: two bits each, base 0 lowest, and a bit after the last one, which tells the length.
constexpr std::uint64_t key_of(std::uint64_t word) {
  const std::uint64_t mixed = word * kFactor;
  return (mixed ^ mixed >> 32) * kFactor;
}
constexpr std::uint64_t word_of(std::uint64_t key) {
  const std::uint64_t mixed = key * kInverse;
  return (mixed ^ mixed >> 32) * kInverse;
}
static_assert(word_of(key_of(0x123456789abcdefU)) == 0x123456789abcdefU);

constexpr std::size_t kKeysOfBucket = 4;
constexpr std::size_t kFilterBitsOfKey = 12;

// The place of a key among `places` that the keys are spread over evenly, in their order.
std::size_t place_of(std::uint64_t key, std::size_t places) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::size_t>(static_cast<Wide>(key) * places >> 64);
}

bool is_base(char c) { return is_single_base(iupac_set(c)); }

// The code of each letter.
constexpr std::uint8_t kUnknown = 4;
constexpr std::array<std::uint8_t, 256> kCodes = [] {
  std::array<std::uint8_t, 256> codes{};
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto letter = static_cast<char>(i);
    codes[i] = is_single_base(iupac_set(letter)) ? static_cast<std::uint8_t>(base_code(letter)) : kUnknown;
  }
  return codes;
}();

// The word of some bases, with base 0 in place of unknown ones.
struct PackedBarcode {
  std::uint64_t word = 0;
  std::size_t unknown = 0;  // how many there are
  std::size_t last_unknown = 0;
};
PackedBarcode packed(std::string_view bases) {
  PackedBarcode barcode;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    const std::uint64_t code = kCodes[static_cast<unsigned char>(bases[i])];
    if (code != kUnknown) {
      barcode.word |= code << (2 * i);
    } else {
      ++barcode.unknown;
      barcode.last_unknown = i;
    }
  }
  barcode.word |= std::uint64_t{1} << (2 * bases.size());
  return barcode;
}

// The part of a list that one thread reads.
struct ListPart {
  std::string_view text;
  std::vector<std::uint64_t> keys{};
  std::size_t lines = 0;  // up to the fault, if there is one
  std::string fault{};    // in the last of them
};

void read_part(ListPart& part) {
  for_each_line(part.text, [&part](std::string_view line, std::size_t) {
    if (!part.fault.empty()) return;
    ++part.lines;
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    line.remove_prefix(begin);
    const std::string_view bases = line.substr(0, line.find_first_of("\t ,-"));
    if (line.empty()) return;
    const auto wrong = std::find_if_not(bases.begin(), bases.end(), is_base);
    if (bases.empty() || wrong != bases.end()) {
      part.fault = fmt::format("expected a barcode, position {}: {} is not A, C, G or T",
                               begin + static_cast<std::size_t>(wrong - bases.begin()) + 1,
                               printable(bases.empty() ? line.front() : *wrong));
      return;
    }
    if (bases.size() > kMaxListedBarcode) {
      part.fault = fmt::format("the barcode has {} bases: at most {} are allowed", bases.size(), kMaxListedBarcode);
      return;
    }
    part.keys.push_back(key_of(packed(bases).word));
  });
}

// Cuts the text at line ends.
std::vector<ListPart> cut(std::string_view text, std::size_t count) {
  std::vector<ListPart> parts;
  const std::size_t bytes = text.size() / count + 1;
  while (!text.empty()) {
    std::size_t size = std::min(bytes, text.size());
    const std::size_t end = text.find('\n', size - 1);
    size = end == std::string_view::npos ? text.size() : end + 1;
    parts.push_back({text.substr(0, size)});
    text.remove_prefix(size);
  }
  return parts;
}

}  // namespace

Whitelist Whitelist::read(const std::string& path, int threads) {
  return parse(read_all(path), input_name(path), threads);
}

Whitelist Whitelist::parse(std::string_view text, const std::string& name, int threads) {
  constexpr std::size_t kPartsOfThread = 4;
  std::vector<ListPart> parts = cut(text, kPartsOfThread * static_cast<std::size_t>(std::max(threads, 1)));
  parallel_for(threads, parts.size(), [&parts](std::size_t i) { read_part(parts[i]); });
  std::size_t lines = 0;
  std::size_t count = 0;
  for (const ListPart& part : parts) {
    lines += part.lines;
    if (!part.fault.empty()) throw DataError(fmt::format("{}: line {}: {}", name, lines, part.fault));
    count += part.keys.size();
  }
  if (count == 0) throw DataError(fmt::format("{}: no barcodes in this file", name));
  if (count >= kNone) throw DataError(fmt::format("{}: more than {} barcodes", name, kNone - 1));
  std::vector<std::uint64_t> keys;
  keys.reserve(count);
  for (ListPart& part : parts) {
    keys.insert(keys.end(), part.keys.begin(), part.keys.end());
    part.keys = {};
  }
  Whitelist list;
  list.build(std::move(keys), threads);
  return list;
}

// Sorts stretches of the keys' range side by side, then drops repeated keys.
void Whitelist::build(std::vector<std::uint64_t> keys, int threads) {
  constexpr std::size_t kStretches = 256;
  std::array<std::size_t, kStretches + 1> begins{};
  for (const std::uint64_t key : keys) ++begins[(key >> 56) + 1];
  for (std::size_t i = 1; i <= kStretches; ++i) begins[i] += begins[i - 1];
  keys_.resize(keys.size());
  std::array<std::size_t, kStretches> next{};
  std::copy(begins.begin(), begins.end() - 1, next.begin());
  for (const std::uint64_t key : keys) keys_[next[key >> 56]++] = key;
  std::vector<std::uint64_t>().swap(keys);
  parallel_for(threads, kStretches, [&](std::size_t i) {
    std::sort(keys_.begin() + static_cast<std::ptrdiff_t>(begins[i]),
              keys_.begin() + static_cast<std::ptrdiff_t>(begins[i + 1]));
  });
  keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
  keys_.shrink_to_fit();
  const std::size_t buckets = keys_.size() / kKeysOfBucket + 1;
  begins_.assign(buckets + 1, 0);
  filter_.assign(keys_.size() * kFilterBitsOfKey / 64 + 1, 0);
  for (const std::uint64_t key : keys_) {
    ++begins_[place_of(key, buckets) + 1];
    const std::size_t bit = place_of(key, 64 * filter_.size());
    filter_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    lengths_ |= std::uint64_t{1} << (static_cast<unsigned>(std::bit_width(word_of(key)) - 1) / 2);
  }
  for (std::size_t i = 1; i <= buckets; ++i) begins_[i] += begins_[i - 1];
}

std::string Whitelist::operator[](std::size_t number) const {
  std::string bases;
  for (std::uint64_t word = word_of(keys_[number]); word > 1; word >>= 2) bases += base_letter(word & 3);
  return bases;
}

std::uint32_t Whitelist::find_key(std::uint64_t key) const {
  const std::size_t bit = place_of(key, 64 * filter_.size());
  if ((filter_[bit / 64] >> (bit % 64) & 1) == 0) return kNone;
  const std::size_t bucket = place_of(key, begins_.size() - 1);
  for (std::uint32_t i = begins_[bucket]; i < begins_[bucket + 1]; ++i) {
    if (keys_[i] == key) return i;
  }
  return kNone;
}

std::uint32_t Whitelist::find(std::string_view barcode) const {
  if (barcode.empty() || barcode.size() > kMaxListedBarcode) return kNone;
  const PackedBarcode sought = packed(barcode);
  return sought.unknown == 0 ? find_key(key_of(sought.word)) : kNone;
}

void Whitelist::find_neighbours(std::string_view word, std::vector<Neighbour>& found) const {
  found.clear();
  if (word.empty() || word.size() > kMaxListedBarcode) return;
  const PackedBarcode sought = packed(word);
  if (sought.unknown > 1) return;
  constexpr std::array<std::uint64_t, 4> kInOrder{base_code('A'), base_code('C'), base_code('G'), base_code('T')};
  const std::size_t first = sought.unknown == 0 ? 0 : sought.last_unknown;
  const std::size_t last = sought.unknown == 0 ? word.size() - 1 : sought.last_unknown;
  for (std::size_t i = first; i <= last; ++i) {
    const std::uint64_t own = sought.unknown == 0 ? sought.word >> (2 * i) & 3 : 4;
    const std::uint64_t others = sought.word & ~(std::uint64_t{3} << (2 * i));
    for (const std::uint64_t code : kInOrder) {
      if (code == own) continue;
      const std::uint32_t number = find_key(key_of(others | code << (2 * i)));
      if (number != kNone) found.push_back({number, static_cast<std::uint32_t>(i)});
    }
  }
}

std::uint64_t Whitelist::checksum() const { return crc64(std::as_bytes(std::span(keys_))); }

std::size_t Whitelist::memory_bytes() const {
  return keys_.capacity() * sizeof(keys_[0]) + begins_.capacity() * sizeof(begins_[0]) +
         filter_.capacity() * sizeof(filter_[0]);
}

struct WhitelistCounts::Counters {
  explicit Counters(std::size_t size) : all(size) {}
  std::vector<std::atomic<std::uint32_t>> all;
};

WhitelistCounts::WhitelistCounts(const Whitelist& list)
    : list_(list), counters_(std::make_unique<Counters>(list.size())) {}

WhitelistCounts::~WhitelistCounts() = default;

void WhitelistCounts::add(std::string_view barcode) {
  const std::uint32_t number = list_.find(barcode);
  if (number != Whitelist::kNone) counters_->all[number].fetch_add(1, std::memory_order_relaxed);
}

std::uint32_t WhitelistCounts::operator[](std::size_t number) const {
  return counters_->all[number].load(std::memory_order_relaxed);
}

BarcodeMatch BarcodeCorrector::match(std::string_view barcode, std::string_view quality) const {
  const std::uint32_t exact = list_.find(barcode);
  if (exact != Whitelist::kNone) return {exact, BarcodeFit::exact};
  auto& found = per_thread<std::vector<Whitelist::Neighbour>>();
  list_.find_neighbours(barcode, found);
  if (found.empty()) return {};
  if (found.size() == 1) return {found.front().number, BarcodeFit::corrected};
  if (counts_ == nullptr) return {Whitelist::kNone, BarcodeFit::ambiguous};
  double sum = 0;
  double most = 0;
  std::uint32_t best = Whitelist::kNone;
  for (const Whitelist::Neighbour& one : found) {
    const double error = quality.empty() ? 1 : std::pow(10, -0.1 * (quality[one.position] - '!'));
    const double likelihood = (static_cast<double>((*counts_)[one.number]) + 1) * error;
    sum += likelihood;
    if (likelihood <= most) continue;
    most = likelihood;
    best = one.number;
  }
  if (most < least_ * sum) return {Whitelist::kNone, BarcodeFit::ambiguous};
  return {best, BarcodeFit::corrected};
}

}  // namespace basesweep
