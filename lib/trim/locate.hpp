// Finds an adapter in a read, by cutadapt's rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lib/base/dna.hpp"
#include "lib/trim/adapter.hpp"

namespace basesweep {

// A place of an adapter in a read.
struct AdapterMatch {
  std::uint32_t adapter_begin = 0;  // the aligned bases of the adapter, [begin, end)
  std::uint32_t adapter_end = 0;
  std::uint32_t read_begin = 0;  // and of the read
  std::uint32_t read_end = 0;
  std::int32_t score = 0;  // matches - mismatches - 2 x indels
  std::uint32_t errors = 0;

  bool operator==(const AdapterMatch&) const = default;
};

// Which ends of an adapter and of a read may stay unaligned at no cost.
struct FreeEnds {
  bool adapter_begin = false;
  bool read_begin = false;
  bool adapter_end = false;
  bool read_end = false;

  FreeEnds reversed() const { return {adapter_end, read_end, adapter_begin, read_begin}; }
  // Neither end of the adapter is tied to an end of the read.
  bool whole_read() const { return read_begin && read_end; }
};

// What a letter of a read matches: bits 0 to 3 are the set of its bases, kNoBase stands for all that is not a base.
using LetterSet = std::uint8_t;
inline constexpr LetterSet kNoBase = 16;  // N in an adapter matches it, nothing else does
inline constexpr std::size_t kReadSets = 32;

// The sets of the letters of a read. `wildcards`: an IUPAC letter matches each of its bases; else it is no base.
void append_read_sets(std::string_view letters, bool wildcards, std::vector<LetterSet>& sets);
// The sets of the reverse complement.
void append_turned(std::span<const LetterSet> read, std::vector<LetterSet>& sets);

// The rule: docs/reads.md. It is that of cutadapt 5 (Martin, EMBnet.journal 17, 10-12, 2011, and its source), down to
// which of several places it prefers. Thread-safe.
class AdapterLocator {
 public:
  explicit AdapterLocator(const AdapterPart& part);

  const AdapterPart& part() const { return part_; }
  // How the part may lie in a read; the alignment of a `rightmost` part runs backwards, but has the same ends.
  FreeEnds ends() const { return ends_; }
  std::size_t size() const { return sets_.size(); }
  // What base i of the adapter matches.
  LetterSet letter(std::size_t i) const { return sets_[i]; }
  bool matches(std::size_t i, LetterSet read) const { return (sets_[i] & read) != 0; }
  // The most errors that an alignment with adapter bases [begin, end) may have.
  std::uint32_t errors_of(std::size_t begin, std::size_t end) const;
  // The most errors of any alignment.
  std::uint32_t max_errors() const { return max_errors_; }

  // The place of the adapter; nothing if it is not there.
  std::optional<AdapterMatch> locate(std::span<const LetterSet> read) const;

 private:
  struct Cell;
  class Choice;

  std::optional<AdapterMatch> align(std::span<const LetterSet> adapter, std::span<const LetterSet> read,
                                    FreeEnds ends) const;
  std::optional<AdapterMatch> compare(std::span<const LetterSet> read) const;

  AdapterPart part_;
  FreeEnds ends_;
  std::vector<LetterSet> sets_;             // of the adapter
  std::vector<LetterSet> backwards_;        // the same from the last to the first; of a `rightmost` part only
  std::vector<std::uint32_t> wild_before_;  // N among the first i bases
  std::uint32_t max_errors_ = 0;
};

}  // namespace basesweep
