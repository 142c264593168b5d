#include "kernels/pigeonhole/index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace basesweep::pigeonhole {
namespace {

using Columns = std::vector<BaseSet>;

struct Range {
  std::uint32_t begin, end;  // columns of an entry
};

std::uint32_t pieces_of(const Entry& entry) { return entry.limits.edits + 1; }

std::uint32_t least_piece(const Entry& entry) {
  return static_cast<std::uint32_t>(entry.columns.size()) / pieces_of(entry);
}

Range piece_at(const Entry& entry, std::uint32_t piece) {
  const std::uint64_t length = entry.columns.size();
  return {static_cast<std::uint32_t>(length * piece / pieces_of(entry)),
          static_cast<std::uint32_t>(length * (piece + 1) / pieces_of(entry))};
}

// How many words of single bases the columns stand for.
double words_of(const Columns& columns, Range range) {
  double words = 1;
  for (std::uint32_t c = range.begin; c < range.end; ++c) words *= std::popcount(columns[c]);
  return words;
}

// The `gram` columns of a piece that stand for the fewest words, the first of equals.
Range gram_in(const Columns& columns, Range piece, std::uint32_t gram) {
  Range best{piece.begin, piece.begin + gram};
  double fewest = words_of(columns, best);
  for (std::uint32_t begin = piece.begin + 1; begin + gram <= piece.end && fewest > 1; ++begin) {
    const Range range{begin, begin + gram};
    if (const double words = words_of(columns, range); words < fewest) {
      best = range;
      fewest = words;
    }
  }
  return best;
}

// The keys of all words of single bases that the columns stand for.
std::vector<std::uint32_t> keys_of(const Columns& columns, Range range) {
  const std::uint32_t gram = range.end - range.begin;
  std::vector<std::uint32_t> keys{0};
  for (std::uint32_t i = 0; i < gram; ++i) {
    std::vector<std::uint32_t> longer;
    for (std::uint32_t code = 0; code < 4; ++code) {
      if ((columns[range.begin + i] >> code & 1) == 0) continue;
      for (const std::uint32_t key : keys) longer.push_back(key | (code & 1) << i | (code >> 1) << (gram + i));
    }
    keys = std::move(longer);
  }
  return keys;
}

PieceCheck check_of(const Columns& columns, Range piece) {
  PieceCheck check{{~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}}};
  for (std::uint32_t i = 0; i < std::min(piece.end - piece.begin, kCheckColumns); ++i) {
    for (unsigned code = 0; code < 4; ++code) {
      if ((columns[piece.begin + i] >> code & 1) == 0) check.base[code] &= ~(std::uint64_t{1} << i);
    }
  }
  return check;
}

std::uint32_t gram_for(const PatternSet& patterns, const std::vector<std::uint32_t>& entries) {
  std::uint32_t gram = kMostGram;
  for (const std::uint32_t e : entries) gram = std::min(gram, least_piece(patterns.entries()[e]));
  return gram;
}

}  // namespace

std::optional<std::string> unfit(const Entry& entry) {
  if (entry.columns.size() > kMostVerifyLength) return fmt::format("is longer than {} columns", kMostVerifyLength);
  if (least_piece(entry) < kLeastPiece) {
    return fmt::format("has {} columns, less than {} for each of the {} pieces that {} edits make necessary",
                       entry.columns.size(), kLeastPiece, pieces_of(entry), entry.limits.edits);
  }
  double keys = 0;
  for (std::uint32_t p = 0; p < pieces_of(entry); ++p) {
    const Range gram = gram_in(entry.columns, piece_at(entry, p), std::min(kMostGram, least_piece(entry)));
    keys += words_of(entry.columns, gram);
  }
  if (keys > kMostKeys) return fmt::format("has IUPAC codes that stand for more than {} words", kMostKeys);
  return std::nullopt;
}

Index::Index(const PatternSet& patterns, const std::vector<std::uint32_t>& indices)
    : ids(indices), verify(patterns, indices), gram(gram_for(patterns, indices)) {
  struct Keyed {
    std::uint32_t key;
    Occurrence occurrence;
  };
  std::vector<Keyed> all;
  for (std::uint32_t slot = 0; slot < ids.size(); ++slot) {
    const Entry& entry = patterns.entries()[ids[slot]];
    for (std::uint32_t p = 0; p < pieces_of(entry); ++p) {
      const Range piece = piece_at(entry, p);
      const Range range = gram_in(entry.columns, piece, gram);
      Occurrence occurrence{slot, range.begin, kNoCheck, range.begin - piece.begin};
      if (piece.end - piece.begin > gram) {
        occurrence.check = static_cast<std::uint32_t>(checks.size());
        checks.push_back(check_of(entry.columns, piece));
      }
      for (const std::uint32_t key : keys_of(entry.columns, range)) all.push_back({key, occurrence});
    }
  }
  const std::size_t keys = std::size_t{1} << 2 * gram;
  bitmap.resize(keys / 32);
  starts.resize(keys + 1);
  for (const Keyed& k : all) {
    bitmap[k.key / 32] |= 1U << (k.key % 32);
    ++starts[k.key + 1];
  }
  for (std::size_t key = 0; key < keys; ++key) starts[key + 1] += starts[key];
  occurrences.resize(all.size());
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  for (const Keyed& k : all) occurrences[next[k.key]++] = k.occurrence;
}

}  // namespace basesweep::pigeonhole
