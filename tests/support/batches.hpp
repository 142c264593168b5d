// Records to FASTA text, blocks and batches, cut at random; batches through a matcher.
#pragma once

#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "lib/matcher.hpp"
#include "lib/packed_batch.hpp"
#include "lib/packer/packer.hpp"
#include "lib/reader/raw_block.hpp"
#include "tests/support/random.hpp"

namespace support {

// How a text gets to the matcher; no result may depend on it.
struct Chunking {
  std::size_t line_width = 60;
  bool crlf = false;
  bool final_newline = true;
  std::uint64_t cut_seed = 1;  // of the places where blocks end
  std::size_t most_block_bytes = 1U << 20;
  std::uint32_t batch_columns = 1U << 20;
};

Chunking random_chunking(Random& random, std::size_t bases);
std::string literal(const Chunking& chunking);

std::string record_name(std::size_t record);  // "r0"

// FASTA; records[0] gets the name of record `first`.
std::string fasta_text(const std::vector<std::string>& records, const Chunking& chunking, std::size_t first = 0);

// Blocks as the reader may cut them: at any place but in titles.
std::vector<basesweep::RawBlock> cut_blocks(const std::string& text, const Chunking& chunking);

using Batches = std::vector<std::unique_ptr<basesweep::PackedBatch>>;

// The whole way from text to batches, in order.
Batches make_batches(const std::vector<std::string>& records, const Chunking& chunking,
                     const basesweep::PackerOptions& packing, std::uint32_t max_length,
                     std::pmr::memory_resource* memory);

// One result for each batch. Throws what a batch threw, and std::logic_error when `done` comes twice.
std::vector<basesweep::MatchResult> match_all(basesweep::Matcher& matcher, const Batches& batches);
basesweep::MatchResult match(basesweep::Matcher& matcher, const basesweep::PackedBatch& batch);

}  // namespace support
