#include <algorithm>
#include <cstddef>

#include "kernels/cuda/device.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/occurrence_sink.cuh"
#include "kernels/cuda/starts.hpp"
#include "kernels/cuda/warp_sum.cuh"
#include "kernels/exact/qgrams/index.hpp"
#include "kernels/exact/qgrams/queue.cuh"
#include "kernels/exact/qgrams/step.hpp"

namespace basesweep::qgrams {
namespace {

constexpr int kThreads = 1024;
constexpr int kWarps = kThreads / 32;
constexpr int kWords = 2;  // words that a thread takes at a time

struct Queues {
  Queue<160> grams[kWarps];  // first starts of q-grams whose bit is set
  Queue<96> starts[kWarps];  // starts that all their q-grams allow
};

// The tables that a block keeps in shared memory after the bitmap of q-grams and the queues: those of Starts, where
// there is room, and counters of used slots.
struct SharedTables {
  std::uint32_t slots = 0;  // number of StartsSlots; 0: not kept
  std::uint32_t begins = 0;
  std::uint32_t items = 0;          // 0: neither items nor begins are kept
  std::uint32_t slot_counters = 0;  // 0: queries are counted by the sink
};

// 64 positions of the planes from a word on, moved on by `lead`, and the positions after them that q-grams reach.
struct PlaneWords {
  std::uint32_t lo[3], hi[3];
};

__device__ __forceinline__ PlaneWords load(const PackedView& text, std::uint32_t word, std::uint32_t lead) {
  const auto words = [lead](const std::uint64_t* plane, std::uint32_t(&to)[3]) {
    const auto* halves = reinterpret_cast<const uint2*>(plane);
    const uint2 here = halves[0];
    const uint2 next = halves[1];
    to[0] = __funnelshift_r(here.x, here.y, lead);
    to[1] = __funnelshift_r(here.y, next.x, lead);
    to[2] = __funnelshift_r(next.x, next.y, lead);
  };
  PlaneWords span;
  words(text.lo + word, span.lo);
  words(text.hi + word, span.hi);
  return span;
}

// Bit i is set if the bit of the q-gram i steps on is. The same as gram_bit() for each, with fewer instructions: the
// high bits are moved to their place in the address once for all q-grams.
template <std::uint32_t kQ, std::uint32_t kStep>
__device__ __forceinline__ std::uint32_t set_grams(const std::uint32_t* grams, const PlaneWords& span) {
  constexpr int kCount = (64 + kStep - 1) / kStep;
  static_assert(kCount <= 32);
  constexpr std::uint32_t kMask = (1U << kQ) - 1;
  constexpr int kHiBit = kQ - 3;  // of a byte address
  const std::uint32_t hi[3] = {span.hi[0] << kHiBit, __funnelshift_l(span.hi[0], span.hi[1], kHiBit),
                               __funnelshift_l(span.hi[1], span.hi[2], kHiBit)};
  std::uint32_t set = 0;
#pragma unroll
  for (int i = kCount - 1; i >= 0; --i) {
    const int at = i * static_cast<int>(kStep);
    const std::uint32_t lo = __funnelshift_r(span.lo[at / 32], span.lo[at / 32 + 1], at % 32);
    const std::uint32_t hi_at = __funnelshift_r(hi[at / 32], at / 32 + 1 < 3 ? hi[at / 32 + 1] : 0, at % 32);
    const std::uint32_t address = (hi_at & kMask << kHiBit) | (lo >> 3 & kMask >> 5 << 2);
    const std::uint32_t word = *reinterpret_cast<const std::uint32_t*>(reinterpret_cast<const char*>(grams) + address);
    set = __funnelshift_l(bit_to_top(word, lo), set, 1);
  }
  return set;
}

// Third stage: sends the queries that start at a thread's position. All threads of a warp call this. Each thread first
// looks for its next query, then all send, so that a warp seldom sends twice.
__device__ __forceinline__ void send(const StartsView& starts, const cuda::DeviceSink& sink, bool has,
                                     std::uint32_t position) {
  const PlanesText text{sink.text.lo, sink.text.hi};
  std::uint32_t lo = 0;
  std::uint32_t hi = 0;
  StartsRange range{0, 0};
  if (has) {
    lo = text.lo_at(position);
    hi = text.hi_at(position);
    range = items_for(starts, lo, hi);
  }
  while (true) {
    while (range.begin != range.end && !item_matches(starts, starts.items[range.begin], lo, hi, text, position)) {
      ++range.begin;
    }
    if (!__any_sync(kAll, range.begin != range.end)) return;
    if (range.begin != range.end) sink.send(position, starts.items[range.begin++].query);
  }
}

// Counts the used slots that the first `own` starts of a q-gram lead to. Only for an index with `whole`, whose q-grams
// hold whole queries, so that the slot is all there is to know.
template <std::uint32_t kStep>
__device__ __forceinline__ void count_whole(const IndexView& index, const StartsView& starts,
                                            const cuda::DeviceSink& sink, std::uint32_t* counters,
                                            std::uint32_t position, std::uint32_t own) {
  const PlanesText text{sink.text.lo, sink.text.hi};
  const std::uint32_t lo = text.lo_at(position);
  const std::uint32_t hi = text.hi_at(position);
  const bool all = sink.accepts_all_within(position, kStep - 1 + index.whole);
#pragma unroll
  for (std::uint32_t j = 0; j < kStep; ++j) {
    const std::uint32_t slot = used_slot(starts, lo >> j, hi >> j);
    if (slot != kNoSlot && j < own && (all || sink.accepts(position + j, index.whole))) atomicAdd(counters + slot, 1);
  }
}

// The tables that a block searches with: the bitmap, the queues, tables of Starts (in shared memory where there is
// room), and counters of used slots.
struct BlockTables {
  const std::uint32_t* grams;
  Queues* queues;
  StartsView starts;
  std::uint32_t* counters;
};

// Fills the block's shared memory as `kept` says: the bitmap of q-grams, the queues, then tables of Starts and the
// counters. All threads of the block call this; what they copied is complete after the next barrier.
template <std::uint32_t kQ>
__device__ __forceinline__ BlockTables fill_shared(const IndexView& index, const SharedTables& kept) {
  auto* grams = cuda::DeviceSink::own_shared<std::uint32_t>();
  auto* queues = reinterpret_cast<Queues*>(grams + bitmap_words(kQ));
  auto* rest = reinterpret_cast<std::uint32_t*>(queues + 1);
  const auto place = [&rest](std::uint32_t words) {
    std::uint32_t* at = rest;
    rest += words;
    return at;
  };
  const auto copy = [](std::uint32_t* to, const void* from, std::uint32_t words) {
    for (std::uint32_t i = threadIdx.x; i < words; i += kThreads) to[i] = static_cast<const std::uint32_t*>(from)[i];
  };
  copy(grams, index.grams, bitmap_words(kQ));
  StartsView starts = index.starts;
  if (kept.slots != 0) {
    constexpr std::uint32_t kSlotsWords = sizeof(StartsSlots) / sizeof(std::uint32_t);
    std::uint32_t* slots = place(kept.slots * kSlotsWords);
    copy(slots, starts.slots, kept.slots * kSlotsWords);
    starts.slots = reinterpret_cast<const StartsSlots*>(slots);
  }
  if (kept.items != 0) {
    constexpr std::uint32_t kItemWords = sizeof(StartsItem) / sizeof(std::uint32_t);
    std::uint32_t* begins = place(kept.begins);
    std::uint32_t* items = place(kept.items * kItemWords);
    copy(begins, starts.item_begin, kept.begins);
    copy(items, starts.items, kept.items * kItemWords);
    starts.item_begin = begins;
    starts.items = reinterpret_cast<const StartsItem*>(items);
  }
  std::uint32_t* counters = place(kept.slot_counters);
  for (std::uint32_t i = threadIdx.x; i < kept.slot_counters; i += kThreads) counters[i] = 0;
  return {grams, queues, starts, counters};
}

// Second stage: bit j is set where a query may start at position + j, for the `own` starts that belong to the q-gram's
// word.
template <std::uint32_t kQ, std::uint32_t kStep>
__device__ __forceinline__ std::uint32_t own_possible_starts(const BlockTables& tables, const IndexView& index,
                                                             const PackedView& text, std::uint32_t position,
                                                             std::uint32_t own) {
  return possible_starts<kQ, kStep>(tables.grams, index.shape.lead, {text.lo, text.hi}, position) & ((1U << own) - 1);
}

// Third stage: queues the starts that the threads of a warp found possible, and sends what starts at them, 32 at a
// time. `flush`: at all of them, even where fewer than 32 are left.
__device__ __forceinline__ void send_queued(Queue<96>& queue, std::uint32_t& waiting, Found<1> (&possible)[1],
                                            const StartsView& starts, const cuda::DeviceSink& sink, bool flush) {
  do {
    put(queue, waiting, possible);
    while (waiting >= 32 || (flush && waiting != 0)) {
      std::uint32_t start = 0;
      const bool has = take(queue, waiting, start);
      send(starts, sink, has, start);
    }
  } while (__any_sync(kAll, possible[0].bits != 0));
}

// Turns a block's counts of used slots into counts of the queries in them.
__device__ __forceinline__ void count_queries(const BlockTables& tables, std::uint32_t slots,
                                              const cuda::DeviceSink& sink) {
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < slots; i += kThreads) {
    for (std::uint32_t k = tables.starts.item_begin[i]; k < tables.starts.item_begin[i + 1]; ++k) {
      sink.count(tables.starts.items[k].query, tables.counters[i]);
    }
  }
}

// A thread takes the 64 starts of each of two words at a time; a warp's threads stay together. Three stages: q-grams
// whose bit is set, starts that they allow, queries that start there. Few threads of a warp find something at a time,
// so positions wait in queues between the stages. At the end the queues are emptied.
template <std::uint32_t kQ, std::uint32_t kStep>
__global__ void __launch_bounds__(kThreads, 1)
    search(const __grid_constant__ IndexView index, const __grid_constant__ cuda::DeviceSink sink,
           const __grid_constant__ SharedTables kept, std::uint32_t first, std::uint32_t last) {
  const BlockTables tables = fill_shared<kQ>(index, kept);
  sink.begin_block();
  __syncthreads();

  auto& gram_queue = tables.queues->grams[threadIdx.x / 32];
  auto& start_queue = tables.queues->starts[threadIdx.x / 32];
  std::uint32_t grams_waiting = 0;
  std::uint32_t starts_waiting = 0;
  bool more = true;
  for (std::uint32_t w = first + (blockIdx.x * kWarps + threadIdx.x / 32) * kWords * 32; more;
       w += gridDim.x * kThreads * kWords) {
    more = w < last;
    Found<kStep> set[kWords];
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      const std::uint32_t word = w + i * 32 + threadIdx.x % 32;
      set[i] = {word < last ? set_grams<kQ, kStep>(tables.grams, load(sink.text, word, index.shape.lead)) : 0,
                word * 64};
    }
    do {
      put(gram_queue, grams_waiting, set);
      while (grams_waiting >= 32 || (!more && grams_waiting + starts_waiting != 0)) {
        std::uint32_t position = 0;
        Found<1> possible[1] = {};
        const bool has = take(gram_queue, grams_waiting, position);
        const std::uint32_t own = min(kStep, 64 - position % 64);  // further starts belong to the next word
        if (kept.slot_counters != 0) {
          if (has) count_whole<kStep>(index, tables.starts, sink, tables.counters, position, own);
          continue;
        }
        if (has) possible[0] = {own_possible_starts<kQ, kStep>(tables, index, sink.text, position, own), position};
        send_queued(start_queue, starts_waiting, possible, tables.starts, sink, !more && grams_waiting == 0);
      }
    } while (__any_sync(kAll, (set[0].bits | set[1].bits) != 0));
  }
  if (kept.slot_counters != 0) count_queries(tables, kept.slot_counters, sink);
  sink.end_block();
}

using Search = void (*)(IndexView, cuda::DeviceSink, SharedTables, std::uint32_t, std::uint32_t);

template <std::uint32_t kQ>
Search search_for(std::uint32_t step) {
  switch (step) {
    case 2: return search<kQ, 2>;
    case 3: return search<kQ, 3>;
    case 4: return search<kQ, 4>;
    case 6: return search<kQ, 6>;
    case 8: return search<kQ, 8>;
    default: return search<kQ, 16>;
  }
}

Search search_for(const GramSteps& shape) {
  return shape.q == 8   ? search_for<8>(shape.step)
         : shape.q == 9 ? search_for<9>(shape.step)
                        : search_for<10>(shape.step);
}

// Picoseconds of an H200, fitted to the measurements in README.md.
constexpr Costs kCosts{0.4, 1, 0.12, 45};

class QgramsKernel final : public cuda::Kernel {
 public:
  explicit QgramsKernel(const RoomOptions& options) : device_(options.gpu) {
    const Index index(options.patterns, options.queries,
                      choose_shape(options.patterns, options.queries, kCosts, options.tuning));
    const StartsView starts = cuda::put(tables_, index.starts);
    slots_ = index.starts.slots.size();
    begins_ = index.starts.item_begin.size();
    items_ = index.starts.items.size();
    all_ = put(index, starts);
    if (const auto shape = shape_of_whole_queries(options.patterns, options.queries, options.tuning)) {
      const Index whole(options.patterns, options.queries, *shape);
      if (whole.whole != 0) by_slot_ = put(whole, starts);
    }
  }

  void launch(const cuda::DeviceSink& given, std::byte* /*workspace*/, cudaStream_t stream) const override {
    if (given.text.own_begin >= given.text.own_end) return;
    const std::size_t counters = (begins_ - 1) * sizeof(std::uint32_t);
    const bool by_slot = given.counts_only() && by_slot_.search != nullptr &&
                         bytes_of(by_slot_.view.shape) + counters <= device_.shared_bytes;
    const Variant& variant = by_slot ? by_slot_ : all_;
    SharedTables kept;
    std::size_t bytes = bytes_of(variant.view.shape);
    if (by_slot) {
      bytes += counters;
      kept.slot_counters = static_cast<std::uint32_t>(begins_ - 1);
    }
    const auto fits = [&](std::size_t more) { return bytes + more <= device_.shared_bytes; };
    if (fits(slots_ * sizeof(StartsSlots))) {
      bytes += slots_ * sizeof(StartsSlots);
      kept.slots = static_cast<std::uint32_t>(slots_);
    }
    // Counters of queries go before the tables of items, because they save more.
    const std::size_t items = begins_ * sizeof(std::uint32_t) + items_ * sizeof(StartsItem);
    const bool by_query = given.counts_only() && !by_slot;
    if (fits(items + (by_query ? given.queries * sizeof(std::uint32_t) + sizeof(uint4) : 0))) {
      bytes += items;
      kept.begins = static_cast<std::uint32_t>(begins_);
      kept.items = static_cast<std::uint32_t>(items_);
    }
    const cuda::DeviceSink sink = given.counting_in(bytes, by_slot ? 0 : device_.shared_bytes);
    const std::uint32_t first = given.text.own_begin / 64;
    const std::uint32_t last = (given.text.own_end + 63) / 64;
    variant.search<<<device_.blocks_for((last - first + kWords - 1) / kWords, kThreads, 1), kThreads,
                     sink.shared_bytes(), stream>>>(variant.view, sink, kept, first, last);
  }

 private:
  struct Variant {
    IndexView view;  // on the device
    Search search;
  };

  Variant put(const Index& index, const StartsView& starts) {
    Variant variant{index.view(), search_for(index.shape)};
    variant.view.grams = tables_.put(index.grams);
    variant.view.starts = starts;
    device_.allow_shared(variant.search);
    return variant;
  }

  static std::size_t bytes_of(const GramSteps& shape) {
    return sizeof(Queues) + bitmap_words(shape.q) * sizeof(std::uint32_t);
  }

  const cuda::Device device_;
  cuda::DeviceTables tables_;
  Variant all_{};
  Variant by_slot_{};  // counts by used slots; search is null where the queries do not allow it
  std::size_t slots_ = 0;
  std::size_t begins_ = 0;
  std::size_t items_ = 0;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<QgramsKernel>(options);
}

}  // namespace basesweep::qgrams
