// Blocks of neighbouring seeds, which tell the seeds of an alignment from those that occur by chance. For the CPU.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kernels/approximate/verify.hpp"
#include "kernels/reads/seeds/step.hpp"

namespace basesweep::seeds {

// Blocks of 2, 4, 8 ... neighbouring seeds that hold one seed of a query. Seeds 0 and 1 form a block, 2 and 3 the next;
// seeds 0 to 3 form a block of the next size. The last block of each size takes the seeds that are left.
//
// Each seed may have some errors. A block may have the sum of its seeds' errors, and one more for each seed but one. If
// a block has at most its errors, so has one of the smaller blocks in it: otherwise their errors would add up to more.
// So every alignment within the query's edits holds a seed whose blocks, of all sizes, have at most their errors
// (Navarro and Baeza-Yates, J. Discrete Algorithms 1, 2000).
class SeedBlocks {
 public:
  static constexpr std::uint32_t kMaxBlockRows = 64;

  // The blocks around seed number `seed` of a query that is cut into `seeds`.
  SeedBlocks(const ReadQueryView& reads, const ReadQuery& query, std::uint32_t seed, std::uint32_t seeds) {
    const std::uint32_t begin = seed_of(query, seed, seeds).begin;
    for (std::uint32_t size = 2; count_ < blocks_.size(); size *= 2) {
      const std::uint32_t last = std::max(seeds / size, 1U) - 1;  // the number of the last block
      const std::uint32_t number = std::min(seed / size, last);
      const std::uint32_t first = number * size;
      const std::uint32_t end = number == last ? seeds : first + size;
      const Seed bases{seed_of(query, first, seeds).begin, seed_of(query, end - 1, seeds).end};
      if (bases.length() > kMaxBlockRows) break;
      std::uint32_t errors = end - first - 1;
      for (std::uint32_t i = first; i < end; ++i) errors += errors_of(query, i, seeds);
      blocks_[count_++] = block_of(reads, query, bases, begin - bases.begin, errors, errors_of(query, seed, seeds));
      if (last == 0) break;  // it is the whole query
    }
  }

  // Keeps the positions of text around which all blocks occur. The seed occurs at each of them.
  void keep_blocks(const PackedView& text, std::vector<std::uint32_t>& positions) const {
    for (std::size_t b = 0; b < count_ && !positions.empty(); ++b) {
      const Block& block = blocks_[b];
      if (block.query.length <= kMaxLaneRows) {
        keep_by_lanes(block, text, positions);
      } else {
        std::erase_if(positions, [&](std::uint32_t position) { return !occurs_around(block, text, position); });
      }
    }
  }

 private:
  struct Block {
    EqBlock rows;
    VerifyQuery query;     // its edits are the errors of the block
    std::uint32_t before;  // the block begins at most this many positions before the place of its seed
    std::uint32_t after;   // and ends (exclusive) at most this many after it
  };

  static Block block_of(const ReadQueryView& reads, const ReadQuery& query, const Seed& bases, std::uint32_t in_front,
                        std::uint32_t errors, std::uint32_t seed_errors) {
    const std::uint32_t rows = bases.length();
    const std::uint32_t at = spare_positions(query) + bases.begin;
    const std::uint64_t lo = positions_at(reads.lo + query.first_word, at);
    const std::uint64_t hi = positions_at(reads.hi + query.first_word, at);
    const std::uint64_t known = positions_at(reads.known + query.first_word, at);
    const std::uint32_t spare = 64 - rows;
    const auto rows_of = [&](std::uint64_t bits) { return (bits & known) << spare | low_bits(spare); };
    // Where the first bases of a seed lie on letters such as N, the seed is found after them: up to `seed_errors` late.
    return {{{rows_of(~lo & ~hi), rows_of(lo & ~hi), rows_of(~lo & hi), rows_of(lo & hi)}},
            {.first_block = 0, .length = rows, .edits = errors, .blocks = 1, .spare_rows = spare},
            in_front + errors + seed_errors,
            rows - in_front + errors};
  }

  static bool occurs_around(const Block& block, const PackedView& text, std::uint32_t position) {
    const std::uint32_t begin = position > block.before ? position - block.before : 0;
    const auto end =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{position} + block.after, text.positions));
    bool found = false;
    verify_in_word<std::uint64_t>(block.query, block.rows, text.lo, text.hi, begin, begin, end,
                                  [&found](std::uint32_t /*end*/) { found = true; });
    return found;
  }

  // Does the same for kLanes positions at once. The block has at most kMaxLaneRows rows.
  static constexpr std::size_t kLanes = 4;
  static constexpr std::uint32_t kMaxLaneRows = 32;
  using Lanes [[gnu::vector_size(kLanes * sizeof(std::uint32_t))]] = std::uint32_t;

  static void keep_by_lanes(const Block& block, const PackedView& text, std::vector<std::uint32_t>& positions) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < positions.size(); i += kLanes) {
      const std::size_t count = std::min(kLanes, positions.size() - i);
      const Lanes found = occur_around_each(block, text, positions.data() + i, count);
      for (std::size_t lane = 0; lane < count; ++lane) {
        positions[kept] = positions[i + lane];
        kept += found[lane] != 0 ? 1 : 0;
      }
    }
    positions.resize(kept);
  }

  static Lanes occur_around_each(const Block& block, const PackedView& text, const std::uint32_t* positions,
                                 std::size_t count) {
    constexpr std::uint32_t kTile = 32;
    const auto rows_of = [&](unsigned base) { return Lanes{} + static_cast<std::uint32_t>(block.rows.eq[base] >> 32); };
    const Lanes a = rows_of(0);
    const Lanes low = a ^ rows_of(1);
    const Lanes high = a ^ rows_of(2);
    const Lanes both = low ^ rows_of(2) ^ rows_of(3);
    Lanes pv = Lanes{} + (~std::uint32_t{0} << (32 - block.query.length));
    Lanes mv{};
    Lanes score = Lanes{} + (block.query.length - block.query.edits - 1);  // negative where the block ends
    Lanes found{};
    // All lanes read `width` positions. Near the text's start a lane reads further right than it needs; near its end it
    // reads padding. Neither hides a block; at most it keeps a place too many.
    const std::uint32_t width = block.before + block.after;
    std::uint32_t begins[kLanes] = {};
    for (std::size_t lane = 0; lane < count; ++lane)
      begins[lane] = positions[lane] > block.before ? positions[lane] - block.before : 0;
    for (std::uint32_t done = 0; done < width; done += kTile) {
      Lanes lo{};
      Lanes hi{};
      for (std::size_t lane = 0; lane < count; ++lane) {
        const std::uint32_t at = std::min(begins[lane] + done, text.positions - 1);
        lo[lane] = static_cast<std::uint32_t>(positions_at(text.lo, at));
        hi[lane] = static_cast<std::uint32_t>(positions_at(text.hi, at));
      }
      for (std::uint32_t i = 0; i < std::min(kTile, width - done); ++i, lo >>= 1, hi >>= 1) {
        const Lanes l = -(lo & 1);
        const Lanes h = -(hi & 1);
        Lanes ph{};
        Lanes mh{};
        myers_step(a ^ (l & low) ^ (h & (high ^ (l & both))), pv, mv, ph, mh);
        score += (ph >> 31) - (mh >> 31);
        found |= score >> 31;
      }
    }
    return found;
  }

  std::array<Block, 5> blocks_{};
  std::size_t count_ = 0;
};

}  // namespace basesweep::seeds
