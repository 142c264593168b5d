#include "kernels/reads/seeds/index.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/reads/seeds/choices.hpp"
#include "lib/base/parallel.hpp"

namespace basesweep::seeds {
namespace {

constexpr std::uint32_t kMaxLowBits = 16;
constexpr std::uint32_t kHighBits = 8;
constexpr std::uint32_t kStep = 16;  // positions whose keys are taken from one pair of words

// One bit for each position: 1 if it holds a base.
std::vector<std::uint64_t> base_mask(const PackedBatch& reference) {
  const std::uint32_t positions = reference.positions();
  std::vector<std::uint64_t> mask((std::size_t{positions} + 63) / 64, ~std::uint64_t{0});
  const auto clear = [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint64_t position = begin; position < std::min(end, positions);) {
      const std::uint64_t count = std::min<std::uint64_t>(64 - position % 64, std::min(end, positions) - position);
      mask[position / 64] &= ~(low_bits(static_cast<std::uint32_t>(count)) << (position % 64));
      position += count;
    }
  };
  for (const LetterRun& run : reference.letters()) clear(run.begin, run.end);
  for (const Interval& blocked : reference.blocked()) clear(blocked.begin, blocked.end);
  if (positions % 64 != 0) mask.back() &= low_bits(positions % 64);
  return mask;
}

// Sorts positions by key, in two steps: first into partitions, by the key's high bits; then each partition by the low
// bits, in the cache.
class Builder {
 public:
  Builder(const PackedBatch& reference, std::uint32_t gram, std::uint32_t* starts, std::uint32_t* positions,
          int threads)
      : threads_(threads),
        text_(reference.view()),
        mask_(base_mask(reference)),
        gram_(gram),
        low_bits_(std::clamp(2 * gram, kHighBits, kMaxLowBits + kHighBits) - kHighBits),
        starts_(starts),
        positions_(positions),
        partitions_(std::size_t{1} << (2 * gram - low_bits_)),
        tiles_(std::clamp<std::size_t>(mask_.size() / 64, 1, std::min(4 * threads, 256))),
        counts_(tiles_ * partitions_),
        lows_(text_.positions) {}

  void run() {
    parallel_for(threads_, tiles_, [this](std::size_t tile) { count(tile); });
    sum_up();
    parallel_for(threads_, tiles_, [this](std::size_t tile) { distribute(tile); });
    parallel_for(threads_, partitions_, [this](std::size_t partition) { sort(partition); });
    starts_[std::size_t{1} << 2 * gram_] = static_cast<std::uint32_t>(total_);
  }

 private:
  // Calls take(key, position) for a tile's positions that hold a base, ascending.
  template <class Take>
  void for_each_key(std::size_t tile, Take take) const {
    const std::uint32_t key_mask = (1U << 2 * gram_) - 1;
    const std::uint64_t first = 64 * (mask_.size() * tile / tiles_);
    const std::uint64_t end = 64 * (mask_.size() * (tile + 1) / tiles_);
    for (std::uint64_t block = first; block < end; block += kStep) {
      const auto position = static_cast<std::uint32_t>(block);
      const auto lo = static_cast<std::uint32_t>(positions_at(text_.lo, position));
      const auto hi = static_cast<std::uint32_t>(positions_at(text_.hi, position));
      const std::uint64_t digits = std::uint64_t{key_of(lo, hi, kStep)} << 32 | key_of(lo >> kStep, hi >> kStep, kStep);
      for (std::uint64_t bits = mask_[block / 64] >> (block % 64) & 0xFFFF; bits != 0; bits &= bits - 1) {
        const auto i = static_cast<unsigned>(__builtin_ctzll(bits));
        take(static_cast<std::uint32_t>(digits >> (64 - 2 * (i + gram_))) & key_mask, position + i);
      }
    }
  }

  void count(std::size_t tile) {
    std::uint32_t* counts = counts_.data() + tile * partitions_;
    for_each_key(tile, [&](std::uint32_t key, std::uint32_t) { ++counts[key >> low_bits_]; });
  }

  // Turns counts into places: partitions in order, and in each of them tiles in order.
  void sum_up() {
    for (std::size_t partition = 0; partition < partitions_; ++partition) {
      for (std::size_t tile = 0; tile < tiles_; ++tile) {
        std::uint32_t& count = counts_[tile * partitions_ + partition];
        const std::uint32_t here = count;
        count = static_cast<std::uint32_t>(total_);
        total_ += here;
      }
    }
  }

  void distribute(std::size_t tile) {
    std::uint32_t* next = counts_.data() + tile * partitions_;
    for_each_key(tile, [&](std::uint32_t key, std::uint32_t position) {
      const std::uint32_t place = next[key >> low_bits_]++;
      positions_[place] = position;
      lows_.get()[place] = static_cast<std::uint16_t>(key & ((1U << low_bits_) - 1));
    });
  }

  // After distribute(), the place of the last tile is the end of the partition.
  void sort(std::size_t partition) {
    const std::uint32_t* ends = counts_.data() + (tiles_ - 1) * partitions_;
    const std::uint32_t begin = partition == 0 ? 0 : ends[partition - 1];
    const std::uint32_t end = ends[partition];
    const std::vector<std::uint32_t> positions(positions_ + begin, positions_ + end);
    std::vector<std::uint32_t> next(std::size_t{1} << low_bits_);
    for (std::uint32_t i = begin; i < end; ++i) ++next[lows_.get()[i]];
    std::uint32_t place = begin;
    for (std::uint32_t& n : next) n = std::exchange(place, place + n);
    std::copy(next.begin(), next.end(), starts_ + (partition << low_bits_));
    for (std::uint32_t i = begin; i < end; ++i) positions_[next[lows_.get()[i]]++] = positions[i - begin];
  }

  const int threads_;
  const PackedView text_;
  const std::vector<std::uint64_t> mask_;
  const std::uint32_t gram_;
  const std::uint32_t low_bits_;
  std::uint32_t* const starts_;
  std::uint32_t* const positions_;
  const std::size_t partitions_;
  const std::size_t tiles_;
  std::vector<std::uint32_t> counts_;  // by tile and partition
  HugeArray<std::uint16_t> lows_;
  std::size_t total_ = 0;
};

}  // namespace

Index::Index(const PackedBatch& reference, int threads)
    : gram_(gram_for(reference.positions())),
      starts_((std::size_t{1} << 2 * gram_) + 1),
      positions_(reference.positions()) {
  Builder(reference, gram_, starts_.get(), positions_.get(), std::max(threads, 1)).run();
}

}  // namespace basesweep::seeds
