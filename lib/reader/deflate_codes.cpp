#include "lib/reader/deflate_codes.hpp"

#include <algorithm>

namespace basesweep {
namespace {

constexpr unsigned kMaxBits = 15;
constexpr std::size_t kMaxSymbols = 288;
constexpr std::size_t kLetterSymbols = 286;  // that a dynamic block may have
constexpr std::size_t kDistanceSymbols = 30;
constexpr unsigned kEndOfBlock = 256;

constexpr std::array<std::uint16_t, 29> kLengthBase = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                                       31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<std::uint8_t, 29> kLengthExtra = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                       2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::array<std::uint16_t, 30> kDistanceBase = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                                         33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                                         1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr unsigned distance_extra(unsigned symbol) { return symbol < 4 ? 0 : symbol / 2 - 1; }

using Letters = DeflateCodes::Letters;
using Distance = DeflateCodes::Distance;

constexpr std::uint64_t letters_entry(Letters::Kind kind, unsigned code_bits, unsigned extra = 0, unsigned base = 0) {
  return std::uint64_t{kind} << Letters::kKindAt | base << 16 | code_bits << 8 | (code_bits + extra);
}
constexpr std::uint64_t with_text(std::uint64_t entry, unsigned text, unsigned count) {
  return entry | std::uint64_t{text} << 32 | std::uint64_t{count} << 56;
}

std::uint64_t letters_entry(unsigned symbol, unsigned bits) {
  if (symbol < kEndOfBlock) return with_text(letters_entry(Letters::letters, bits), symbol, 1);
  if (symbol == kEndOfBlock) return letters_entry(Letters::end, bits);
  const unsigned length = symbol - kEndOfBlock - 1;
  if (length >= kLengthBase.size()) return letters_entry(Letters::invalid, bits);
  return letters_entry(Letters::length, bits, kLengthExtra[length], kLengthBase[length]);
}

std::uint32_t distance_entry(unsigned symbol, unsigned bits) {
  if (symbol >= kDistanceSymbols) return Distance::kInvalid;
  return std::uint32_t{kDistanceBase[symbol]} << 16 | bits << 8 | (bits + distance_extra(symbol));
}

// How many symbols have codes of each length, and the share of all words of kMaxBits bits that these codes begin.
struct Census {
  explicit Census(std::span<const std::uint8_t> lengths) {
    for (const std::uint8_t length : lengths) ++count[length];
    for (unsigned bits = 1; bits <= kMaxBits; ++bits) {
      taken += std::uint32_t{count[bits]} << (kMaxBits - bits);
      symbols += count[bits];
    }
  }
  bool complete() const { return taken == 1U << kMaxBits; }
  bool single() const { return symbols == 1 && count[1] == 1; }

  std::array<std::uint16_t, kMaxBits + 1> count{};
  std::uint32_t taken = 0;
  unsigned symbols = 0;
};

bool good_letters(std::span<const std::uint8_t> lengths) {
  return lengths[kEndOfBlock] != 0 && Census(lengths).complete();
}
bool good_distances(std::span<const std::uint8_t> lengths) {
  const Census census(lengths);
  return census.complete() || census.single() || census.symbols == 0;
}

unsigned reversed(unsigned code, unsigned bits) {
  unsigned out = 0;
  for (unsigned i = 0; i < bits; ++i) out |= (code >> i & 1) << (bits - 1 - i);
  return out;
}

// Fills the table for a complete code, or for a single one of one bit; words without a code keep what they have.
// `symbol_entry(symbol, bits)` makes an entry, `table_entry(place, index_bits)` one that names a further table.
template <unsigned kFirstBits, class Entry, class SymbolEntry, class TableEntry>
bool fill(std::span<Entry> table, std::span<const std::uint8_t> lengths, SymbolEntry symbol_entry,
          TableEntry table_entry) {
  const Census census(lengths);
  std::array<std::uint16_t, kMaxBits + 2> next{};  // code of each length
  unsigned code = 0;
  for (unsigned bits = 1; bits <= kMaxBits; ++bits) {
    next[bits] = static_cast<std::uint16_t>(code);
    code = (code + census.count[bits]) << 1;
  }
  std::array<std::uint16_t, kMaxSymbols> codes;
  std::array<std::uint8_t, 1U << kFirstBits> longest{};  // code that begins with these bits
  for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
    const unsigned bits = lengths[symbol];
    if (bits == 0) continue;
    codes[symbol] = static_cast<std::uint16_t>(reversed(next[bits]++, bits));
    if (bits > kFirstBits) {
      std::uint8_t& own = longest[codes[symbol] & ((1U << kFirstBits) - 1)];
      own = std::max(own, static_cast<std::uint8_t>(bits));
    }
  }
  std::array<std::uint16_t, 1U << kFirstBits> places;
  std::size_t end = 1U << kFirstBits;
  if (census.count[kMaxBits] != 0 || *std::max_element(lengths.begin(), lengths.end()) > kFirstBits) {
    for (std::size_t first = 0; first < longest.size(); ++first) {
      if (longest[first] == 0) continue;
      const unsigned index_bits = longest[first] - kFirstBits;
      places[first] = static_cast<std::uint16_t>(end);
      table[first] = table_entry(static_cast<unsigned>(end), index_bits);
      end += std::size_t{1} << index_bits;
      if (end > table.size()) return false;
    }
  }
  for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
    const unsigned bits = lengths[symbol];
    if (bits == 0) continue;
    const Entry entry = symbol_entry(static_cast<unsigned>(symbol), bits);
    if (bits <= kFirstBits) {
      for (std::size_t i = codes[symbol]; i < (1U << kFirstBits); i += std::size_t{1} << bits) table[i] = entry;
    } else {
      const std::size_t first = codes[symbol] & ((1U << kFirstBits) - 1);
      const std::size_t size = std::size_t{1} << (longest[first] - kFirstBits);
      for (std::size_t i = codes[symbol] >> kFirstBits; i < size; i += std::size_t{1} << (bits - kFirstBits))
        table[places[first] + i] = entry;
    }
  }
  return true;
}

// Lengths of the codes of a dynamic block.
struct Lengths {
  std::array<std::uint8_t, kLetterSymbols + kDistanceSymbols> all{};
  unsigned letters = 0;
  unsigned distances = 0;

  std::span<const std::uint8_t> of_letters() const { return {all.data(), letters}; }
  std::span<const std::uint8_t> of_distances() const { return {all.data() + letters, distances}; }
};

CodesFound read_lengths(DeflateBits& bits, Lengths& lengths) {
  constexpr std::array<std::uint8_t, 19> kOrder = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  constexpr unsigned kCodeBits = 7;
  bits.refill();
  lengths.letters = bits.take(5) + 257;
  lengths.distances = bits.take(5) + 1;
  const unsigned given = bits.take(4) + 4;
  if (lengths.letters > kLetterSymbols || lengths.distances > kDistanceSymbols) return CodesFound::no;
  std::array<std::uint8_t, kOrder.size()> own{};
  unsigned taken = 0;
  for (unsigned i = 0; i < given; ++i) {
    if (i == 10) bits.refill();
    own[kOrder[i]] = static_cast<std::uint8_t>(bits.take(3));
    if (own[kOrder[i]] != 0) taken += (1U << kCodeBits) >> own[kOrder[i]];
  }
  if (bits.overrun()) return CodesFound::input_ends;
  if (taken != 1U << kCodeBits) return CodesFound::no;

  std::array<std::uint8_t, 1U << kCodeBits> table{};  // symbol and bits
  unsigned code = 0;
  for (unsigned length = 1; length <= kCodeBits; ++length, code <<= 1) {
    for (unsigned symbol = 0; symbol < own.size(); ++symbol) {
      if (own[symbol] != length) continue;
      for (unsigned i = reversed(code++, length); i < table.size(); i += 1U << length)
        table[i] = static_cast<std::uint8_t>(symbol << 3 | length);
    }
  }
  const unsigned wanted = lengths.letters + lengths.distances;
  for (unsigned done = 0; done < wanted;) {
    bits.refill();
    const unsigned entry = table[bits.bits() & (table.size() - 1)];
    bits.drop(entry & 7);
    const unsigned symbol = entry >> 3;
    unsigned times = 1;
    auto length = static_cast<std::uint8_t>(symbol);
    if (symbol >= 16) {
      if (symbol == 16 && done == 0) return CodesFound::no;
      times = symbol == 16 ? 3 + bits.take(2) : symbol == 17 ? 3 + bits.take(3) : 11 + bits.take(7);
      length = symbol == 16 ? lengths.all[done - 1] : std::uint8_t{0};
    }
    if (bits.overrun()) return CodesFound::input_ends;
    if (times > wanted - done) return CodesFound::no;
    std::fill_n(lengths.all.begin() + done, times, length);
    done += times;
  }
  return good_letters(lengths.of_letters()) && good_distances(lengths.of_distances()) ? CodesFound::yes
                                                                                      : CodesFound::no;
}

}  // namespace

CodesFound DeflateCodes::check(DeflateBits& bits) {
  Lengths lengths;
  return read_lengths(bits, lengths);
}

CodesFound DeflateCodes::read(DeflateBits& bits) {
  Lengths lengths;
  const CodesFound found = read_lengths(bits, lengths);
  if (found != CodesFound::yes) return found;
  return make_letters(lengths.of_letters()) && make_distances(lengths.of_distances()) ? CodesFound::yes
                                                                                      : CodesFound::no;
}

void DeflateCodes::set_fixed() {
  std::array<std::uint8_t, kMaxSymbols> letters;
  std::fill(letters.begin(), letters.begin() + 144, std::uint8_t{8});
  std::fill(letters.begin() + 144, letters.begin() + 256, std::uint8_t{9});
  std::fill(letters.begin() + 256, letters.begin() + 280, std::uint8_t{7});
  std::fill(letters.begin() + 280, letters.end(), std::uint8_t{8});
  std::array<std::uint8_t, 32> distances;
  distances.fill(5);
  make_letters(letters);
  make_distances(distances);
}

bool DeflateCodes::make_letters(std::span<const std::uint8_t> lengths) {
  const bool fits = fill<kLetterBits, std::uint64_t>(
      letters_, lengths, [](unsigned symbol, unsigned bits) { return letters_entry(symbol, bits); },
      [](unsigned place, unsigned index_bits) {
        return std::uint64_t{Letters::table} << Letters::kKindAt | place << 16 | index_bits << 8;
      });
  if (fits) join_letters();
  return fits;
}

bool DeflateCodes::make_distances(std::span<const std::uint8_t> lengths) {
  std::fill_n(distances_.begin(), 1U << kDistanceBits, Distance::kInvalid);
  return fill<kDistanceBits, std::uint32_t>(
      distances_, lengths, distance_entry,
      [](unsigned place, unsigned index_bits) { return place << 16 | Distance::kTable | index_bits << 8; });
}

// Where the bits of an index hold the codes of two or three letters, or of a length behind letters, its entry gets them
// all. The entry for what follows the first letter has a smaller index, so it is still as fill() made it; index 0
// follows itself.
void DeflateCodes::join_letters() {
  for (std::size_t index = 1U << kLetterBits; index-- > 0;) {
    const Letters first{letters_[index]};
    if (!first.are_letters()) continue;
    unsigned text = first.text() & 0xff, count = 1, bits = first.bits();
    std::uint64_t joined = 0;
    while (joined == 0) {
      const Letters next{letters_[index >> bits]};
      if (bits + next.code_bits() > kLetterBits) break;
      if (next.are_letters() && count < 3) {
        text |= (next.text() & 0xff) << (8 * count++);
      } else if (next.kind() == Letters::length) {
        joined = letters_entry(Letters::length, bits + next.code_bits(), next.bits() - next.code_bits(), next.base());
      } else {
        break;
      }
      bits += next.code_bits();
    }
    if (joined == 0) joined = letters_entry(Letters::letters, bits);
    letters_[index] = with_text(joined, text, count);
  }
}

}  // namespace basesweep
