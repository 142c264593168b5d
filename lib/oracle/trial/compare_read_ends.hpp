// Compares the ends of reads that a finder finds with those of the oracle's full matrix (lib/oracle/ends.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lib/reads/read_batch.hpp"
#include "lib/search/finder.hpp"
#include "lib/search/packed_batch.hpp"

namespace trial {

struct TestRead {
  std::string letters;  // empty: not searched for
  std::uint32_t edits;  // allowed
};

// Whether the letter is A, C, G, T or U, in either case.
bool is_base(char letter);

// The records as they lie in a reference: side by side, with one filler position, '.', between two.
std::string join(const std::vector<std::string>& records);

// A reference of these records, in one batch for approximate search.
std::unique_ptr<basesweep::PackedBatch> reads_reference(const std::vector<std::string>& records);

// A batch with one query for each read. Its planes and queries are set and nothing else.
basesweep::ReadBatch make_reads(const std::vector<TestRead>& reads);

// The last position of an alignment in the joined records, and its fewest edits.
using EditsByPosition = std::map<std::uint32_t, std::uint32_t>;

// The planes of a batch know A, C, G and T only: they read N and fillers as some base. Ends in the planes may therefore
// have fewer edits than ends in the letters, and there may be more of them.
struct ReadEnds {
  std::vector<EditsByPosition> all;     // for each read, its ends in the planes
  std::vector<EditsByPosition> needed;  // for each read, its ends in the letters, which no finder may miss
  bool letters = false;                 // the records have letters that are not bases, so the two may differ
};

ReadEnds expected_read_ends(const std::vector<std::string>& records, const std::vector<TestRead>& reads);

// The ends of all batches, in their order. A finder may answer only the first reads of a batch; then the batch is
// submitted again for the rest. Throws the first error that a batch reported, and std::logic_error when an answer makes
// no progress or holds ends of other reads.
std::vector<std::vector<basesweep::ReadEnd>> find_all(basesweep::Finder& finder,
                                                      const std::vector<basesweep::ReadBatch>& batches);

// Describes the first difference in a batch that holds reads [first, first + count) of `expected`; "" when there is
// none. `exactly`: all ends in the planes must be found, not only those in the letters.
std::string compare_read_ends(const std::vector<basesweep::ReadEnd>& found, const ReadEnds& expected, std::size_t first,
                              std::size_t count, bool exactly);

}  // namespace trial
