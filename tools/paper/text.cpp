// Texts and pattern sets of the papers' tables.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "kernels/endings.hpp"
#include "lib/error.hpp"
#include "lib/packer/batcher.hpp"
#include "lib/packer/packer.hpp"
#include "lib/reader/reader.hpp"
#include "tools/paper/paper.hpp"

namespace basesweep::paper {
namespace {

constexpr std::uint32_t kMostColumns = 1U << 30;

// `draw` is called until it gave so many different sequences. Gives up, with fewer, when nearly all that come are old.
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

PatternSet one_strand(std::vector<Pattern> patterns) {
  return {std::move(patterns), StrandChoice::plus, PalindromeChoice::once};
}

bool is_free(const std::vector<Interval>& blocked, std::uint32_t begin, std::uint32_t end) {
  const auto next =
      std::partition_point(blocked.begin(), blocked.end(), [begin](const Interval& i) { return i.end <= begin; });
  return next == blocked.end() || next->begin >= end;
}

}  // namespace

Text random_text(std::uint32_t columns, bool two_letters) {
  return {columns, two_letters, random_batch(columns, 11, two_letters)};
}

Text random_text_for(const Session& session, std::uint32_t columns, bool two_letters) {
  return session.gpu_used ? Text{columns, two_letters} : random_text(columns, two_letters);
}

std::string power_of_two(std::uint32_t columns) {
  return std::has_single_bit(columns) ? fmt::format("2^{}", std::bit_width(columns) - 1) : fmt::format("{}", columns);
}

PatternSet random_set(std::uint32_t count, std::uint32_t length, bool two_letters) {
  std::mt19937 random(length);
  return one_strand(draw_different(count, [&] {
    std::string sequence;
    for (std::uint32_t c = 0; c < length; ++c) sequence += base_letter(random() % (two_letters ? 2 : 4));
    return sequence;
  }));
}

PatternSet cut_set(const PackedBatch& text, std::uint32_t count, std::uint32_t length) {
  std::vector<Pattern> patterns;
  if (length <= text.columns()) {
    std::mt19937 random(length);
    std::uniform_int_distribution<std::uint32_t> place(0, text.columns() - length);
    patterns = draw_different(count, [&] {
      const std::uint32_t begin = place(random);
      if (!is_free(text.blocked(), begin, begin + length)) return std::string();
      std::string sequence(length, ' ');
      text.copy_letters(begin, begin + length, sequence.data());
      return sequence;
    });
  }
  if (patterns.size() < count) {
    throw DataError(fmt::format("--text: there are not {} different patterns of {} bases in it", count, length));
  }
  return one_strand(std::move(patterns));
}

std::size_t trie_nodes(const PatternSet& patterns) {
  std::vector<std::uint32_t> entries(patterns.entries().size());
  std::iota(entries.begin(), entries.end(), 0U);
  return trie_of(patterns, entries).children.size();
}

std::shared_ptr<const PackedBatch> load_text(const std::vector<std::string>& paths) {
  ReaderOptions reading;
  reading.paths = paths;
  Reader reader(reading);
  std::vector<PackedBlock> blocks;
  std::uint64_t columns = 1;  // that a batch of all blocks may have: bases, filler, where runs of N are cut
  while (const auto raw = reader.next()) {
    blocks.push_back(pack(*raw, {}));
    columns += blocks.back().columns + blocks.back().starts.size() + blocks.back().not_acgt.size();
    if (columns > kMostColumns) throw DataError(fmt::format("--text: it has more than {} bases", kMostColumns));
  }
  BatcherOptions batching;
  batching.batch_columns = static_cast<std::uint32_t>(columns);
  batching.max_length = kMostBenchLength;
  batching.most_name_bytes = std::numeric_limits<std::size_t>::max();
  std::shared_ptr<const PackedBatch> text;
  Batcher batcher(batching, reader.paths(), [&text](std::unique_ptr<PackedBatch> batch) { text = std::move(batch); });
  for (const PackedBlock& block : blocks) batcher.add(block);
  batcher.finish();
  if (text == nullptr) throw DataError("--text: it has no bases");
  return text;
}

}  // namespace basesweep::paper
