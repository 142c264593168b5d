// Lists of the barcodes that may be, such as the 737,280 of a kit for single cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

// The longest barcode of a list, in bases.
inline constexpr std::size_t kMaxListedBarcode = 31;

// Barcodes are sorted by a hash of theirs, and a filter refuses most words that are none of them by one look at memory.
// Takes at most 12 bytes per barcode.
class Whitelist {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  // Reads a list, plain or compressed, with a barcode in each line: A, C, G and T, of one length or several. What
  // follows the barcode after a tab, a comma, a blank or '-' is ignored, and so are empty lines. `name`: of the list,
  // for messages. Throws IoError, and DataError with path and line for another letter, a barcode that is too long, and
  // a list without barcodes.
  static Whitelist read(const std::string& path, int threads);
  // The same for text.
  static Whitelist parse(std::string_view text, const std::string& name, int threads);

  std::size_t size() const { return keys_.size(); }
  // Whether a barcode has this many bases.
  bool has_length(std::size_t bases) const { return bases <= kMaxListedBarcode && (lengths_ >> bases & 1) != 0; }
  // The barcode with this number. Numbers depend on nothing but the set of barcodes.
  std::string operator[](std::size_t number) const;
  // The number of a barcode; kNone if it is not in the list. Thread-safe, as all that follows.
  std::uint32_t find(std::string_view barcode) const;

  // A barcode of the list that differs from a word in one base.
  struct Neighbour {
    std::uint32_t number;
    std::uint32_t position;  // of the base, 0-based
  };
  // Replaces `found` by all that there are, by position, then by letter (A, C, G, T). Of a word with one unknown letter
  // these are the barcodes that have another in its place; a word with more has none.
  void find_neighbours(std::string_view word, std::vector<Neighbour>& found) const;

  // Lists of the same barcodes have the same checksum, and others almost surely another one.
  std::uint64_t checksum() const;
  std::size_t memory_bytes() const;

 private:
  Whitelist() = default;
  void build(std::vector<std::uint64_t> keys, int threads);
  std::uint32_t find_key(std::uint64_t key) const;

  // A key is a hash that can be turned back into the bases and their number.
  std::vector<std::uint64_t> keys_;    // sorted
  std::vector<std::uint32_t> begins_;  // of each bucket of keys, and the end
  std::vector<std::uint64_t> filter_;  // a bit for each key, and others
  std::uint64_t lengths_ = 0;          // bit i: some barcodes have i bases
};

// Counts how often each barcode is seen without an error, for BarcodeCorrector.
class WhitelistCounts {
 public:
  explicit WhitelistCounts(const Whitelist& list);
  ~WhitelistCounts();

  // Thread-safe.
  void add(std::string_view barcode);
  std::uint32_t operator[](std::size_t number) const;

 private:
  struct Counters;

  const Whitelist& list_;
  std::unique_ptr<Counters> counters_;
};

enum class BarcodeFit : std::uint8_t {
  exact,
  corrected,  // one barcode of the list differs in one base, or one of several is by far the likeliest
  ambiguous,  // several differ in one base
  none,
};

struct BarcodeMatch {
  std::uint32_t number = Whitelist::kNone;  // of the barcode, if it is exact or corrected
  BarcodeFit fit = BarcodeFit::none;

  bool operator==(const BarcodeMatch&) const = default;
};

// Finds the barcode that a read stands for: the one that it has; or else the one that differs in one base, if it is the
// only one; or else, of several, the one whose share of their likelihoods is at least `least`. The likelihood of a
// barcode is (its count + 1) times the probability of an error at the differing base by its quality. `counts`: of all
// reads, from a pass before; null: of several barcodes none is taken. So the result depends on nothing but the read and
// all reads together. Thread-safe.
class BarcodeCorrector {
 public:
  BarcodeCorrector(const Whitelist& list, const WhitelistCounts* counts, double least = 0.975)
      : list_(list), counts_(counts), least_(least) {}

  // `quality`: a character for each base, '!' for 0; empty: all are equal.
  BarcodeMatch match(std::string_view barcode, std::string_view quality) const;

 private:
  const Whitelist& list_;
  const WhitelistCounts* counts_;
  double least_;
};

}  // namespace basesweep
