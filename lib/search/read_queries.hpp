// Reads as kernels see them: each strand is a query, packed into bit-planes.
#pragma once

#include <cstdint>

#include "lib/base/host_device.hpp"

namespace basesweep {

// Longest read that is searched for, in bases. Longer ones are written unmapped.
inline constexpr std::uint32_t kMaxReadLength = 2048;

// One strand of a read, as it reads on the forward strand of the reference. Query 2 i is strand + of read i of the
// batch, query 2 i + 1 is its strand -, the reverse complement.
struct ReadQuery {
  std::uint32_t first_word;  // index into the planes of ReadQueryView
  std::uint16_t length;      // in bases; 0: this strand is not searched for
  std::uint16_t edits;       // mismatches and indels that are allowed, together; less than `length`

  BASESWEEP_HD std::uint32_t words() const { return (length + 63U) / 64; }
};

// The queries of a batch of reads, as kernels take them, by value. Owns nothing: the pointers are those of the batch
// (ReadBatch::view()) or of a copy on a GPU.
//
// The bases of a query fill its words from the top down, so that its last base is the highest bit of its last word.
// With spare = 64 * words - length, base i (0-based) is bit (spare + i) % 64 of word first_word + (spare + i) / 64:
//
//     a query of 70 bases     word first_word           word first_word + 1
//                             bit 0 ... 57: spare       bit 0 ... 63: bases 6 to 69
//                             bit 58 ... 63: bases 0 to 5
struct ReadQueryView {
  const std::uint64_t* lo;     // low bits of the base codes (lib/base/dna.hpp); 0 where `known` is 0
  const std::uint64_t* hi;     // high bits
  const std::uint64_t* known;  // 1: A, C, G or T; 0: another letter, which matches nothing, or a spare bit
  const ReadQuery* queries;    // [query_count]
  std::uint32_t query_count;   // two for each read of the batch
  std::uint32_t word_count;    // words of each plane; the last is a spare 0, so that kernels may read one word too far
};

}  // namespace basesweep
