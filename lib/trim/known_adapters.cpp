#include "lib/trim/known_adapters.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "lib/base/dna.hpp"
#include "lib/trim/mate_overlap.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kSeed = 12;          // bases by which known adapters are recognised
constexpr std::size_t kLeastHits = 5;      // mates that must have them
constexpr std::size_t kLongest = 33;       // bases of an adapter that is read off fragments
constexpr std::size_t kLeastSupport = 10;  // fragments that must reach a base of it
constexpr double kAgreement = 0.7;         // share of them that must have the same base

// Reads off the most frequent letters, up to the first that too few fragments support.
template <class Columns>
std::string consensus(const Columns& columns) {
  std::string sequence;
  for (const auto& column : columns) {
    const auto* const best = std::max_element(std::begin(column.counts), std::end(column.counts));
    std::size_t all = 0;
    for (const std::size_t count : column.counts) all += count;
    if (all < kLeastSupport || static_cast<double>(*best) < kAgreement * static_cast<double>(all)) break;
    sequence += base_letter(static_cast<unsigned>(best - std::begin(column.counts)));
  }
  return sequence.size() < kSeed ? "" : sequence;
}

bool begins_alike(std::string_view a, std::string_view b) {
  std::size_t differences = 0;
  for (std::size_t i = 0; i < kSeed; ++i) differences += a[i] != b[i] ? 1 : 0;
  return differences <= 1;
}

}  // namespace

std::span<const AdapterPair> known_adapters() {
  static const std::array<AdapterPair, 6> adapters{{
      {"Illumina TruSeq", "AGATCGGAAGAGCACACGTCTGAACTCCAGTCA", "AGATCGGAAGAGCGTCGTGTAGGGAAAGAGTGT"},
      {"Illumina Nextera", "CTGTCTCTTATACACATCTCCGAGCCCACGAGAC", "CTGTCTCTTATACACATCTGACGCTGCCGACGA"},
      {"Illumina small RNA", "TGGAATTCTCGGGTGCCAAGG", "GATCGTCGGACTGTAGAACTCTGAAC"},
      {"MGI/BGI", "AAGTCGGAGGCCAAGCGGTCTTAGGAAGACAA", "AAGTCGGATCGTAGCCATGTCGTTCTGTGAGCCAAGGAGTTG"},
      {"Illumina old paired-end", "AGATCGGAAGAGCGGTTCAGCAGGAATGCCGAG", "AGATCGGAAGAGCGTCGTGTAGGGAAAGAGTGT"},
      {"Illumina single-end", "AGATCGGAAGAGCTCGTATGCCGTCTTCTGCTTG", "AGATCGGAAGAGCGTCGTGTAGGGAAAGAGTGT"},
  }};
  return adapters;
}

void AdapterGuess::add(std::string_view first, std::string_view second) {
  // Kits share their first bases, so a known adapter is counted by its last ones of the first 25 too.
  for (std::size_t i = 0; i < hits_.size(); ++i) {
    const AdapterPair& known = known_adapters()[i];
    const std::size_t from = std::min<std::size_t>(known.first.size() - kSeed, 13);
    if (first.find(std::string_view(known.first).substr(from, kSeed)) != std::string_view::npos &&
        second.find(std::string_view(known.second).substr(from, kSeed)) != std::string_view::npos) {
      ++hits_[i];
    }
  }
  const std::optional<std::uint32_t> length = fragment_length(first, second);
  if (!length || *length >= std::min(first.size(), second.size())) return;
  ++fragments_;
  const std::string_view mates[2] = {first, second};
  for (std::size_t mate = 0; mate < 2; ++mate) {
    const std::string_view tail = mates[mate].substr(*length, kLongest);
    if (after_[mate].size() < tail.size()) after_[mate].resize(tail.size());
    for (std::size_t i = 0; i < tail.size(); ++i) {
      if (is_single_base(iupac_set(tail[i]))) ++after_[mate][i].counts[base_code(tail[i])];
    }
  }
}

AdapterPair AdapterGuess::result() const {
  const AdapterPair read_off{"read off the overlaps of mates", consensus(after_[0]), consensus(after_[1])};
  const auto best = std::max_element(hits_.begin(), hits_.end());
  if (*best >= kLeastHits) {
    const AdapterPair& known = known_adapters()[static_cast<std::size_t>(best - hits_.begin())];
    // Fragments say better what follows them where they differ from the kit, as after a barcode.
    const bool agrees = (read_off.first.empty() || begins_alike(read_off.first, known.first)) &&
                        (read_off.second.empty() || begins_alike(read_off.second, known.second));
    if (agrees || fragments_ < *best) return known;
  }
  return read_off;
}

}  // namespace basesweep
