// Finds the samples whose barcodes differ from a word in few bases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace basesweep {

// Letters as sets of bases, four bits each, 16 in a word. `exact`: letters that are not A, C, G, T or U are empty sets.
std::vector<std::uint64_t> letter_sets(std::string_view letters, bool exact);
// The number of places at which two sequences of `length` letters share no base.
std::uint32_t mismatches_between(const std::uint64_t* one, const std::uint64_t* other, std::size_t length);

// The sample with the fewest mismatches, and the fewest of any other sample.
struct NearestSamples {
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::uint32_t best = kNone;
  std::uint32_t limit = 0;       // of the best sample
  std::uint32_t edits = kNone;   // of the best sample
  std::uint32_t second = kNone;  // the fewest of the others

  // Takes a sample into account; the same one may come again. Of samples with as few mismatches, the one with the
  // highest limit is the best.
  void offer(std::uint32_t sample, std::uint32_t its_limit, std::uint32_t its_edits);
};

// A barcode is cut into parts, more of them than it may have mismatches, so that a word near it has one of them
// unchanged; barcodes are sorted by each of their parts. What is near a barcode itself is known beforehand.
class MismatchLookup {
 public:
  struct Entry {
    std::string letters;  // IUPAC codes in upper case
    std::uint32_t sample;
    std::uint32_t limit;
  };

  // `entries`: of one length, which no word fits twice. `most`: the mismatches up to which samples are found.
  MismatchLookup(std::vector<Entry> entries, std::uint32_t most);

  // Offers all samples with at most `most` mismatches, and perhaps others. A letter of the word that is not A, C, G, T
  // or U is a mismatch. The word has the length of the entries. Thread-safe.
  void find(std::string_view word, NearestSamples& nearest) const;

 private:
  // The entries sorted by the bases [begin, end) of their letters.
  struct Part {
    std::size_t begin;
    std::size_t end;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> entries;
  };

  void build_parts(std::uint32_t most);
  void search(std::string_view word, NearestSamples& nearest) const;
  void compare(std::size_t entry, const std::vector<std::uint64_t>& word, NearestSamples& nearest) const;

  std::vector<Entry> entries_;
  std::size_t length_ = 0;
  std::size_t words_ = 0;              // of the sets of an entry
  std::vector<std::uint64_t> sets_;    // of all entries
  std::vector<std::uint32_t> others_;  // entries that are in no part: they are always compared
  std::vector<Part> parts_;
  std::unordered_map<std::string, std::uint32_t> exact_;  // entries that are words
  std::vector<std::uint32_t> seconds_;                    // of each of these: NearestSamples::second
};

}  // namespace basesweep
