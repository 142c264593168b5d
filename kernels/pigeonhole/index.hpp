// What `pigeonhole` prepares from the patterns: a table of the grams (short exact words) that stand for their pieces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/verify.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep::pigeonhole {

inline constexpr std::uint32_t kLeastPiece = 6;   // columns; shorter ones are everywhere
inline constexpr std::uint32_t kMostGram = 10;    // columns: the bitmap of all grams fits a GPU's shared memory
inline constexpr std::uint32_t kMostKeys = 4096;  // that an entry's IUPAC codes may stand for
inline constexpr std::uint32_t kNoCheck = ~0U;
inline constexpr std::uint32_t kCheckColumns = 64;

// A gram of an entry. It stands for one of the entry's pieces and lies `offset` columns into the entry.
struct Occurrence {
  std::uint32_t slot;  // of the entry in Index::verify
  std::uint32_t offset;
  std::uint32_t check;   // of the whole piece, or kNoCheck where the gram is all of it
  std::uint32_t before;  // columns of the piece in front of the gram
};

// The first columns of a piece: bit i of base[code] tells whether it takes that base in column i. Columns past its end
// take any.
struct PieceCheck {
  std::uint64_t base[4];
};

// As plain pointers, for scans and kernels. A gram's key has the low code bits of its bases in its low `gram` bits, the
// first base lowest, and their high code bits above.
struct IndexView {
  const std::uint32_t* bitmap;  // a bit for each key: whether it has occurrences
  const std::uint32_t* starts;  // occurrences of a key: [starts[key], starts[key + 1])
  const Occurrence* occurrences;
  const PieceCheck* checks;
  const VerifyEntry* entries;
  const EqBlock* blocks;
  const std::uint32_t* ids;  // of the entries in the PatternSet
  std::uint32_t entry_count;
  std::uint32_t gram;  // columns
};

// Why an entry cannot be taken, or nothing.
std::optional<std::string> unfit(const Entry& entry);

struct Index {
  // Takes the given entries of the set, all of them fit.
  Index(const PatternSet& patterns, const std::vector<std::uint32_t>& entries);

  IndexView view() const {
    return {bitmap.data(),
            starts.data(),
            occurrences.data(),
            checks.data(),
            verify.entries.data(),
            verify.blocks.data(),
            ids.data(),
            static_cast<std::uint32_t>(ids.size()),
            gram};
  }

  std::vector<std::uint32_t> ids;
  VerifyIndex verify;
  std::uint32_t gram;
  std::vector<std::uint32_t> bitmap;
  std::vector<std::uint32_t> starts;
  std::vector<Occurrence> occurrences;
  std::vector<PieceCheck> checks;
};

}  // namespace basesweep::pigeonhole
