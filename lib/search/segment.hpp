// Stretches of text in a block or batch: of one record, and of letters that the planes cannot hold.
#pragma once

#include <cstdint>

namespace basesweep {

// Positions [begin, end) of a block or batch hold this letter, upper case, which is not A, C, G or T.
struct LetterRun {
  std::uint32_t begin;
  std::uint32_t end;
  char letter;
};

// Positions [position, end) of a batch are bases of one record, from base `offset` on. Positions from there up to the
// next segment are filler. Parts of the record before and after the segment are in other segments, in other batches or
// left out: long runs of N, and bases out of reach of the regions.
struct Segment {
  std::uint32_t position;  // first in the batch, 0-based
  std::uint32_t end;       // past its last
  // The record's name is bytes [name_begin, name_begin + name_size) of the batch's names, see PackedBatch::name().
  std::uint32_t name_begin;
  std::uint32_t name_size;
  std::int64_t record;     // number among all records of the input that came, from 0
  std::int64_t offset;     // of the first position in the record, 0-based
  std::int64_t reference;  // number among the records that have bases, from 0
  std::uint32_t source;    // index of the record's file among the paths
  // The record's length if it is circular; 0: it is not, or no position of the segment is outside [0, length).
  // Positions before 0 and from the length on repeat the record, so that hits over its origin are found whole; no hit
  // starts there.
  std::int64_t circular_length;
  bool ends_record = false;  // the record is known to end here
};

}  // namespace basesweep
