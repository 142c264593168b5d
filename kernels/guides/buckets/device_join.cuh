// The kernel that compares the guides of a bucket with the sites of all buckets near it.
//
// A block has a tile: guides of one bucket, one for each thread. For 16 words of 32 sites of a near bucket it puts
// planes into shared memory: "differs from the base c", of each base outside of the word and each code c. A thread
// picks the planes of its guide's bases, four words at a time, and adds them with full adders, as in scan.cpp. Pairs
// that fit wait in a queue of the warp, so that all of its threads score at once. The sums of a guide are in shared
// memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/guides/buckets/device_index.cuh"
#include "kernels/guides/buckets/device_totals.cuh"
#include "kernels/guides/buckets/four_counts.cuh"
#include "kernels/guides/buckets/pair.hpp"

namespace basesweep::buckets {

inline constexpr std::uint32_t kJoinThreads = kTileGuides;
inline constexpr std::uint32_t kMostNearWords = 9;  // numbers of mismatches in a word

// What all blocks share.
struct JoinWork {
  JoinView view;
  const std::uint32_t* differences;  // as in Differences
  std::uint32_t ends[kMostNearWords];
  std::uint32_t near;          // differences
  std::uint32_t mismatches;    // at most
  std::uint32_t known_word;    // the second pass leaves out pairs with at most so many mismatches in the first word
  const PairWeights* weights;  // null: guides are not scored
  std::uint64_t most_scored;
  const OtherLetters* other;
  std::uint32_t other_count;
  TotalsView totals;  // of the sites from number `first_site` on
  std::uint32_t first_site;
};

template <std::uint32_t kColumns>
struct JoinMemory {
  static constexpr std::uint32_t kWords = 16;                   // at once
  static constexpr std::uint32_t kColumnStep = 4 * kWords + 4;  // 4 more, so that columns begin in different banks
  static constexpr std::uint32_t kQueue = 64;                   // pairs of a warp
  static constexpr std::uint32_t kNearAtOnce = 512;             // buckets

  // The plane of a column, code and word w is at column * kColumnStep + w / 4 * 16 + code * 4 + w % 4.
  alignas(16) std::uint32_t differing[2][kColumns * kColumnStep];
  std::uint32_t other[2][kWords];
  std::uint32_t near_words[kNearAtOnce];  // where each begins
  std::uint32_t near_sites[kNearAtOnce];  // how many it has
  std::uint64_t queue[kJoinThreads / 32][kQueue];
  SiteBases guides[kJoinThreads];
  unsigned long long nearest[2][kJoinThreads];
  unsigned long long mit[kJoinThreads];
  unsigned long long cfd[kJoinThreads];
  std::uint32_t exact_cfd[kJoinThreads];
  std::uint32_t counts[kMostJoinMismatches + 1][kJoinThreads];
  std::uint32_t places[kJoinThreads];
  PairWeights weights;
};

template <unsigned kBits, std::uint32_t kColumns, bool kSecond>
class TileJoin {
 public:
  using Memory = JoinMemory<kColumns>;

  __device__ TileJoin(const JoinWork& work, Memory& memory, const Tile& tile)
      : work_(work), view_(work.view), memory_(memory), tile_(tile), lane_(threadIdx.x % 32), warp_(threadIdx.x / 32) {}

  __device__ void run() {
    start();
    for (std::uint32_t first = 0; first < work_.near; first += Memory::kNearAtOnce) {
      const std::uint32_t count = min(Memory::kNearAtOnce, work_.near - first);
      __syncthreads();
      for (std::uint32_t i = threadIdx.x; i < count; i += kJoinThreads) {
        const std::uint32_t key = tile_.key ^ work_.differences[first + i];
        memory_.near_words[i] = view_.word_begins[key];
        memory_.near_sites[i] = view_.begins[key + 1] - view_.begins[key];
      }
      __syncthreads();
      search(first, count);
    }
    flush(waiting_);
    __syncthreads();
    write();
  }

 private:
  // Words [word, word + kWords) of a near bucket, as far as it goes.
  struct Chunk {
    std::uint32_t near;  // index of the bucket among those at once
    std::uint32_t word;
  };

  __device__ void start() {
    const std::uint32_t t = threadIdx.x;
    has_guide_ = t < tile_.count;
    SiteBases own{0, 0};
    if (has_guide_) own = view_.site_bases[view_.guides[tile_.first + t]];
    memory_.guides[t] = own;
#pragma unroll
    for (std::uint32_t column = 0; column < kColumns; ++column) {
      std::uint32_t code = 0;
      if (column < view_.columns) {
        const std::uint32_t base = base_of_column(view_, column);
        code = (own.lo >> base & 1) | (own.hi >> base & 1) << 1;
      }
      offsets_[column] = column * Memory::kColumnStep + code * 4;
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kLoads; ++i) {
      const std::uint32_t task = t + i * kJoinThreads;
      const std::uint32_t column = task % view_.columns;
      loaded_word_[i] = task / view_.columns;
      from_[i] = loaded_word_[i] * plane_step(view_) + column;
      to_[i] = column * Memory::kColumnStep + loaded_word_[i] / 4 * 16 + loaded_word_[i] % 4;
    }
    memory_.nearest[0][t] = memory_.nearest[1][t] = SiteTotals::kNone;
    memory_.mit[t] = memory_.cfd[t] = 0;
    memory_.exact_cfd[t] = memory_.places[t] = 0;
    for (auto& counts : memory_.counts) counts[t] = 0;
    for (std::uint32_t i = t; i < 2 * kColumns * Memory::kColumnStep; i += kJoinThreads) memory_.differing[0][i] = 0;
    if (work_.weights != nullptr) {
      constexpr std::uint32_t kNumbers = sizeof(PairWeights) / 4;
      const auto* const from = reinterpret_cast<const std::uint32_t*>(work_.weights);
      auto* const to = reinterpret_cast<std::uint32_t*>(&memory_.weights);
      for (std::uint32_t i = t; i < kNumbers; i += kJoinThreads) to[i] = from[i];
    }
  }

  __device__ std::uint32_t words_of(std::uint32_t near) const { return (memory_.near_sites[near] + 31) / 32; }
  // The first chunk from this one on that has sites; `count` as its bucket: there is none.
  __device__ Chunk settle(Chunk chunk, std::uint32_t count) const {
    while (chunk.near < count && chunk.word >= words_of(chunk.near)) chunk = {chunk.near + 1, 0};
    return chunk;
  }

  // Compares the guides with `count` near buckets; `first`: the number of the first among all.
  __device__ void search(std::uint32_t first, std::uint32_t count) {
    Chunk chunk = settle({0, 0}, count);
    int side = 0;
    if (chunk.near < count) {
      load(chunk);
      store(chunk, side);
    }
    __syncthreads();
    while (chunk.near < count) {
      const Chunk next = settle({chunk.near, chunk.word + Memory::kWords}, count);
      if (next.near < count) load(next);
      if (warp_ * 32 < tile_.count) compare(chunk, side, first);
      if (next.near < count) store(next, side ^ 1);
      __syncthreads();
      side ^= 1;
      chunk = next;
    }
  }

  static constexpr std::uint32_t kLoads = (kColumns * Memory::kWords + kJoinThreads - 1) / kJoinThreads;

  __device__ std::uint32_t words_in(const Chunk& chunk) const {
    return min(Memory::kWords, words_of(chunk.near) - chunk.word);
  }
  // Reads the planes of a chunk, which store() puts into shared memory.
  __device__ void load(const Chunk& chunk) {
    const std::uint32_t words = words_in(chunk);
    const std::uint32_t* const planes =
        view_.planes + (std::uint64_t{memory_.near_words[chunk.near]} + chunk.word) * plane_step(view_);
#pragma unroll
    for (std::uint32_t i = 0; i < kLoads; ++i) {
      if (loaded_word_[i] >= words) continue;
      lo_[i] = planes[from_[i]];
      hi_[i] = planes[from_[i] + view_.columns];
    }
    if (threadIdx.x < words) other_ = planes[threadIdx.x * plane_step(view_) + 2 * view_.columns];
  }
  __device__ void store(const Chunk& chunk, int side) {
    const std::uint32_t words = words_in(chunk);
#pragma unroll
    for (std::uint32_t i = 0; i < kLoads; ++i) {
      if (loaded_word_[i] >= words) continue;
      std::uint32_t* const to = memory_.differing[side] + to_[i];
      to[0] = lo_[i] | hi_[i];
      to[4] = ~lo_[i] | hi_[i];
      to[8] = lo_[i] | ~hi_[i];
      to[12] = ~lo_[i] | ~hi_[i];
    }
    if (threadIdx.x < words) memory_.other[side][threadIdx.x] = other_;
  }

  __device__ void compare(const Chunk& chunk, int side, std::uint32_t first) {
    std::uint32_t in_word = 0;
    while (first + chunk.near >= work_.ends[in_word]) ++in_word;
    const std::uint32_t most = work_.mismatches - in_word;
    const std::uint32_t words = words_in(chunk);
    const std::uint32_t sites = memory_.near_sites[chunk.near] - chunk.word * 32;
    const std::uint64_t entry = (std::uint64_t{memory_.near_words[chunk.near]} + chunk.word) * 32;
    const bool many = memory_.places[threadIdx.x] > work_.most_scored;
    for (std::uint32_t word = 0; word < words; word += 4) {
      const std::uint32_t* const planes = memory_.differing[side] + word * 4;
      FourCounts<kBits> counts;
      counts.start(most);
#pragma unroll
      for (std::uint32_t column = 0; column + 4 <= kColumns; column += 4) {
        counts.add(plane(planes, column), plane(planes, column + 1), plane(planes, column + 2),
                   plane(planes, column + 3));
      }
      if (kColumns % 4 != 0) counts.add(plane(planes, kColumns - 2), plane(planes, kColumns - 1));
      std::uint32_t fits[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) fits[i] = has_guide_ ? ~counts.over[i] : 0;
      if (word * 32 + 128 > sites) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const std::uint32_t begin = (word + i) * 32;
          if (begin + 32 > sites) fits[i] &= begin >= sites ? 0 : (1U << (sites - begin)) - 1;
        }
      }
      if (kSecond) leave_out_known(planes, fits);
      if (many) count_many(counts, most, in_word, side, word, entry, fits);
      push(entry + word * 32, fits);
    }
  }

  __device__ __forceinline__ uint4 plane(const std::uint32_t* planes, std::uint32_t column) const {
    return *reinterpret_cast<const uint4*>(planes + offsets_[column]);
  }

  // Leaves out pairs with few mismatches in the first word, which the first pass has found. Its bases are the first
  // columns.
  __device__ void leave_out_known(const std::uint32_t* planes, std::uint32_t (&fits)[4]) const {
    if (!__any_sync(~0U, (fits[0] | fits[1] | fits[2] | fits[3]) != 0)) return;
    FourCounts<kBits> counts;
    counts.start(work_.known_word);
    const uint4 none = {0, 0, 0, 0};
#pragma unroll
    for (std::uint32_t column = 0; column < kColumns; column += 2) {
      if (column >= view_.q) break;
      counts.add(plane(planes, column), column + 1 < view_.q ? plane(planes, column + 1) : none);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) fits[i] &= counts.over[i];
  }

  // Counts the sites that fit a guide which has too many places to be scored. Leaves those with other letters in
  // `fits`.
  __device__ void count_many(const FourCounts<kBits>& counts, std::uint32_t most, std::uint32_t in_word, int side,
                             std::uint32_t word, std::uint64_t entry, std::uint32_t (&fits)[4]) {
    const std::uint32_t t = threadIdx.x;
    for (std::uint32_t more = 0; more <= most; ++more) {
      const std::uint32_t mismatches = in_word + more;
      std::uint32_t found = 0;
      int kept = 0;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        std::uint32_t bits = fits[i] & counts.equal(i, most, more) & ~memory_.other[side][word + i];
        found += __popc(bits);
        // Entries are in the order of sites: the first two are the nearest.
        for (; bits != 0 && kept < 2; bits &= bits - 1, ++kept) {
          const std::uint32_t site = view_.sites[entry + (word + i) * 32 + __ffs(bits) - 1];
          const std::uint64_t near = nearness(mismatches, site);
          if (near >= memory_.nearest[1][t]) break;
          const std::uint64_t before = memory_.nearest[0][t];
          memory_.nearest[1][t] = near < before ? before : near;
          memory_.nearest[0][t] = near < before ? near : before;
        }
      }
      memory_.counts[mismatches][t] += found;
      memory_.places[t] += found;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) fits[i] &= memory_.other[side][word + i];
  }

  // Puts the pairs into the queue.
  __device__ void push(std::uint64_t entry, const std::uint32_t (&fits)[4]) {
    std::uint64_t near = std::uint64_t{fits[1]} << 32 | fits[0];
    std::uint64_t far = std::uint64_t{fits[3]} << 32 | fits[2];
    while (true) {
      const bool any = (near | far) != 0;
      const std::uint32_t pushing = __ballot_sync(~0U, any);
      if (pushing == 0) return;
      if (any) {
        const bool first = near != 0;
        const std::uint64_t bits = first ? near : far;
        const std::uint64_t at = entry + (first ? 0 : 64) + (__ffsll(static_cast<long long>(bits)) - 1);
        (first ? near : far) = bits & (bits - 1);
        const std::uint32_t before = __popc(pushing & ((1U << lane_) - 1));
        memory_.queue[warp_][waiting_ + before] = std::uint64_t{lane_} << 40 | at;
      }
      waiting_ += __popc(pushing);
      if (waiting_ >= 32) flush(32);
    }
  }

  // Adds up the last `count` pairs of the queue, at most 32.
  __device__ void flush(std::uint32_t count) {
    __syncwarp();
    if (lane_ < count) take(memory_.queue[warp_][waiting_ - count + lane_]);
    waiting_ -= count;
    __syncwarp();
  }

  __device__ void take(std::uint64_t pair) {
    const std::uint64_t entry = pair & ((std::uint64_t{1} << 40) - 1);
    const std::uint32_t guide = warp_ * 32 + static_cast<std::uint32_t>(pair >> 40);
    const SiteBases own = memory_.guides[guide];
    const SiteBases bases = view_.bases[entry];
    const std::uint32_t site = view_.sites[entry];
    const std::uint32_t other =
        (bases.lo & kHasOther) == 0 ? 0 : other_letters_of(work_.other, work_.other_count, site);
    const std::uint32_t differences = differences_of(own, bases, other, view_.length);
    const std::uint32_t mismatches = count_ones(differences);
    if (mismatches > work_.mismatches) return;
    atomicAdd(&memory_.counts[mismatches][guide], 1U);
    const unsigned long long near = nearness(mismatches, site);
    if (near < *static_cast<volatile unsigned long long*>(&memory_.nearest[1][guide])) {
      const unsigned long long before = atomicMin(&memory_.nearest[0][guide], near);
      atomicMin(&memory_.nearest[1][guide], before < near ? near : before);
    }
    const bool few = atomicAdd(&memory_.places[guide], 1U) < work_.most_scored;
    if (work_.weights == nullptr || !few) return;
    const std::uint32_t cfd = cfd_of_pair(memory_.weights, own, bases, other, differences);
    atomicAdd(&memory_.cfd[guide], static_cast<unsigned long long>(cfd));
    atomicAdd(&memory_.mit[guide], static_cast<unsigned long long>(mit_score(memory_.weights, differences)));
    if (mismatches == 0) atomicMax(&memory_.exact_cfd[guide], cfd);
  }

  __device__ void write() const {
    if (!has_guide_) return;
    const std::uint32_t t = threadIdx.x;
    SiteTotals& to = work_.totals[view_.guides[tile_.first + t] - work_.first_site];
    const std::uint64_t first = memory_.nearest[0][t];
    const std::uint64_t second = memory_.nearest[1][t];
    const std::uint64_t later = first < to.nearest[0] ? to.nearest[0] : first;
    const std::uint64_t least = second < to.nearest[1] ? second : to.nearest[1];
    to.nearest[0] = first < to.nearest[0] ? first : to.nearest[0];
    to.nearest[1] = later < least ? later : least;
    to.mit += memory_.mit[t];
    to.cfd += memory_.cfd[t];
    to.exact_cfd = max(to.exact_cfd, memory_.exact_cfd[t]);
    for (std::uint32_t i = 0; i <= work_.mismatches; ++i) to.counts[i] += memory_.counts[i][t];
  }

  const JoinWork& work_;
  const JoinView& view_;
  Memory& memory_;
  const Tile tile_;
  const std::uint32_t lane_;
  const std::uint32_t warp_;
  bool has_guide_ = false;
  std::uint32_t waiting_ = 0;  // pairs in the queue
  std::uint32_t offsets_[kColumns];
  // Of each load of a thread: the word in the chunk, and where the planes of its column are and go.
  std::uint32_t loaded_word_[kLoads];
  std::uint32_t from_[kLoads];
  std::uint32_t to_[kLoads];
  std::uint32_t lo_[kLoads];
  std::uint32_t hi_[kLoads];
  std::uint32_t other_ = 0;
};

template <unsigned kBits, std::uint32_t kColumns, bool kSecond>
__global__ void __launch_bounds__(kJoinThreads) join_tiles(JoinWork work, std::uint32_t first_tile) {
  __shared__ JoinMemory<kColumns> memory;
  TileJoin<kBits, kColumns, kSecond>(work, memory, work.view.tiles[first_tile + blockIdx.x]).run();
}

}  // namespace basesweep::buckets
