// Sends test records through the program's own stages: FASTA text, blocks, packed batches, a matcher. The text is cut
// into lines, blocks and batches at random, and no answer may depend on the cuts.
#pragma once

#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "lib/oracle/trial/random.hpp"
#include "lib/packer/packer.hpp"
#include "lib/reader/raw_block.hpp"
#include "lib/search/match_result.hpp"
#include "lib/search/matcher.hpp"
#include "lib/search/packed_batch.hpp"

namespace trial {

// How a text is cut on its way to the matcher.
struct Cuts {
  std::size_t line_width = 60;
  bool crlf = false;
  bool final_newline = true;
  std::uint64_t cut_seed = 1;  // chooses where blocks end
  std::size_t max_block_bytes = 1U << 20;
  std::uint32_t batch_positions = 1U << 20;
};

// `bases`: the length of the whole text. Only small texts get small batches, since each batch costs its halo.
Cuts random_cuts(Random& random, std::size_t bases);
// The cuts as a C++ literal, to repeat a failure.
std::string literal(const Cuts& cuts);

// "r0" for record 0.
std::string record_name(std::size_t record);

// The records as FASTA; records[0] gets the name of record `first`.
std::string fasta_text(const std::vector<std::string>& records, const Cuts& cuts, std::size_t first = 0);

// Blocks as the reader may cut them: anywhere except inside titles.
std::vector<basesweep::RawBlock> cut_blocks(const std::string& text, const Cuts& cuts);

using Batches = std::vector<std::unique_ptr<basesweep::PackedBatch>>;

// From records to batches, in order. `max_length`: that of the longest pattern; batches get the halo that exact search
// needs. `memory`: for the planes, such as Matcher::memory().
Batches make_batches(const std::vector<std::string>& records, const Cuts& cuts, const basesweep::PackerOptions& packing,
                     std::uint32_t max_length, std::pmr::memory_resource* memory);

// Submits all batches at once and waits; one result for each batch. Throws the first error that a batch reported, and
// std::logic_error when the matcher answers a batch twice.
std::vector<basesweep::MatchResult> match_all(basesweep::Matcher& matcher, const Batches& batches);
basesweep::MatchResult match(basesweep::Matcher& matcher, const basesweep::PackedBatch& batch);

}  // namespace trial
