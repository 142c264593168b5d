// Texts and pattern sets for the papers' tables.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "kernels/automata/endings.hpp"
#include "lib/base/error.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "lib/reader/reader.hpp"
#include "tools/bench/paper/paper.hpp"

namespace basesweep::paper {
namespace {

constexpr std::uint32_t kMaxPositions = 1U << 30;

// Calls `draw` until it has given `count` different sequences. Gives up with fewer when nearly all of them repeat.
template <class Draw>
std::vector<Pattern> draw_different(std::uint32_t count, Draw draw) {
  std::set<std::string> seen;
  std::vector<Pattern> patterns;
  for (std::uint64_t tries = 0; patterns.size() < count && tries < 1000 + std::uint64_t{count} * 100; ++tries) {
    std::string sequence = draw();
    if (sequence.empty() || !seen.insert(sequence).second) continue;
    patterns.push_back({fmt::format("m{}", patterns.size()), std::move(sequence)});
  }
  return patterns;
}

std::string random_bases(std::mt19937& random, std::uint32_t length, bool two_letters) {
  std::string sequence;
  for (std::uint32_t c = 0; c < length; ++c) sequence += base_letter(random() % (two_letters ? 2 : 4));
  return sequence;
}

PatternSet one_strand(std::vector<Pattern> patterns) {
  return {std::move(patterns), StrandChoice::plus, PalindromeChoice::once};
}

bool is_free(const std::vector<Interval>& blocked, std::uint32_t begin, std::uint32_t end) {
  const auto next =
      std::partition_point(blocked.begin(), blocked.end(), [begin](const Interval& i) { return i.end <= begin; });
  return next == blocked.end() || next->begin >= end;
}

}  // namespace

Text random_text(std::uint32_t positions, bool two_letters) {
  return {positions, two_letters, random_batch(positions, 11, two_letters)};
}

Text random_text_for(const Session& session, std::uint32_t positions, bool two_letters) {
  return session.gpu_used ? Text{positions, two_letters} : random_text(positions, two_letters);
}

std::string power_of_two(std::uint32_t positions) {
  return std::has_single_bit(positions) ? fmt::format("2^{}", std::bit_width(positions) - 1)
                                        : fmt::format("{}", positions);
}

PatternSet random_set(std::uint32_t count, std::uint32_t length, bool two_letters) {
  std::mt19937 random(length);
  return one_strand(draw_different(count, [&] { return random_bases(random, length, two_letters); }));
}

PatternSet repeating_set(std::uint32_t count, std::uint32_t length, bool two_letters) {
  std::mt19937 random(length);
  std::vector<Pattern> patterns;
  for (std::uint32_t p = 0; p < count; ++p)
    patterns.push_back({fmt::format("m{}", p), random_bases(random, length, two_letters)});
  return one_strand(std::move(patterns));
}

PatternSet cut_set(const PackedBatch& text, std::uint32_t count, std::uint32_t length) {
  std::vector<Pattern> patterns;
  if (length <= text.positions()) {
    std::mt19937 random(length);
    std::uniform_int_distribution<std::uint32_t> place(0, text.positions() - length);
    patterns = draw_different(count, [&] {
      const std::uint32_t begin = place(random);
      if (!is_free(text.blocked(), begin, begin + length)) return std::string();
      std::string sequence(length, ' ');
      text.copy_letters(begin, begin + length, sequence.data());
      return sequence;
    });
  }
  if (patterns.size() < count) {
    throw DataError(fmt::format("--text: it has fewer than {} different patterns of {} bases", count, length));
  }
  return one_strand(std::move(patterns));
}

std::size_t trie_nodes(const PatternSet& patterns) {
  std::vector<std::uint32_t> queries(patterns.queries().size());
  std::iota(queries.begin(), queries.end(), 0U);
  return trie_of(patterns, queries).children.size();
}

std::shared_ptr<const PackedBatch> load_text(const std::vector<std::string>& paths) {
  ReaderOptions reading;
  reading.paths = paths;
  Reader reader(reading);
  std::vector<PackedBlock> blocks;
  std::uint64_t positions = 1;  // an upper bound for a batch of all blocks: bases, filler, cut runs of N
  while (const auto raw = reader.next()) {
    blocks.push_back(pack(*raw, {}));
    positions += blocks.back().positions + blocks.back().starts.size() + blocks.back().not_acgt.size();
    if (positions > kMaxPositions) throw DataError(fmt::format("--text: it has more than {} bases", kMaxPositions));
  }
  BatcherOptions batching;
  batching.batch.batch_positions = static_cast<std::uint32_t>(positions);
  batching.batch.max_length = kMaxBenchLength;
  batching.batch.max_name_bytes = std::numeric_limits<std::size_t>::max();
  std::shared_ptr<const PackedBatch> text;
  Batcher batcher(batching, reader.paths(), [&text](std::unique_ptr<PackedBatch> batch) { text = std::move(batch); });
  for (const PackedBlock& block : blocks) batcher.add(block);
  batcher.finish();
  if (text == nullptr) throw DataError("--text: it has no bases");
  return text;
}

}  // namespace basesweep::paper
