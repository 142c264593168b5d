#include <algorithm>
#include <vector>

#include "kernels/cuda/device.hpp"
#include "kernels/cuda/hit_sink.cuh"
#include "kernels/cuda/kernel.hpp"
#include "kernels/planes/index.hpp"
#include "kernels/planes/step.hpp"
#include "kernels/text.hpp"

namespace basesweep::planes {
namespace {

constexpr int kColumns = kFilterColumns;
constexpr int kThreads = 256;
// Of shared memory for counters: so little that as many blocks as ever fit on a processor.
constexpr std::size_t kCounterBytes = 16 << 10;

// The first columns of an entry. They travel as kernel parameters, that is in constant memory, where an operand costs
// nothing; a launch therefore takes a limited number of entries.
struct BaseFilter {  // all columns are single bases: all ones where the base has that bit 0
  std::uint32_t flip_lo[kColumns];
  std::uint32_t flip_hi[kColumns];
};

struct SetFilter {  // any sets: member[c][b] is all ones where base b may stand in column c
  std::uint32_t member[kColumns][4];
};

// 32 columns of an entry, for the verifier: bit i of word b tells whether base b may stand in column i. Columns past
// the entry's end take any base.
using Chunk = uint4;
constexpr std::uint32_t kChunkColumns = 32;

struct Tail {
  std::uint32_t entry;
  std::uint32_t first_chunk;
  std::uint32_t chunk_count;  // 0: the filter has seen all columns
};

template <class Filter>
struct Batch {
  static constexpr int kMost = sizeof(Filter) == sizeof(BaseFilter) ? 40 : 20;
  Filter filter[kMost];
  Tail tail[kMost];
  const Chunk* chunks;
  int count;
};

// found & (word ^ flip) in one instruction; the compiler would make a tree of more.
__device__ __forceinline__ std::uint32_t keep(std::uint32_t found, std::uint32_t word, std::uint32_t flip) {
  std::uint32_t result;
  asm("lop3.b32 %0, %1, %2, %3, 0x60;" : "=r"(result) : "r"(found), "r"(word), "r"(flip));
  return result;
}

__device__ __forceinline__ std::uint32_t match(std::uint32_t found, const BaseFilter& filter, int c, std::uint32_t lo,
                                               std::uint32_t hi) {
  return keep(keep(found, lo, filter.flip_lo[c]), hi, filter.flip_hi[c]);
}

__device__ __forceinline__ std::uint32_t match(std::uint32_t found, const SetFilter& filter, int c, std::uint32_t lo,
                                               std::uint32_t hi) {
  return found & member_of(lo, hi, filter.member[c][0], filter.member[c][1], filter.member[c][2], filter.member[c][3]);
}

// Keeps, of the 32 positions from `column` on that the filter left, those where the whole entry matches.
__device__ __noinline__ std::uint32_t verify(const PlanesText& text, const Chunk* chunks, std::uint32_t chunk_count,
                                             std::uint32_t column, std::uint32_t found) {
  for (std::uint32_t left = found; left != 0; left &= left - 1) {
    const int i = __ffs(static_cast<int>(left)) - 1;
    for (std::uint32_t c = 0; c < chunk_count; ++c) {
      const Chunk chunk = chunks[c];
      const std::uint32_t at = column + i + c * kChunkColumns;
      if (member_of(text.lo_at(at), text.hi_at(at), chunk.x, chunk.y, chunk.z, chunk.w) != ~0U) {
        found &= ~(1U << i);
        break;
      }
    }
  }
  return found;
}

struct Words {
  std::uint64_t lo, hi;
  std::uint32_t lo_next, hi_next;
};

__device__ __forceinline__ Words load(const PackedView& text, std::uint32_t w) {
  return {text.lo[w], text.hi[w], static_cast<std::uint32_t>(text.lo[w + 1]),
          static_cast<std::uint32_t>(text.hi[w + 1])};
}

// The 64 positions of a word in two halves, with the columns after each.
struct Halves {
  std::uint32_t lo[3], hi[3];
};

__device__ __forceinline__ Halves halves_of(const Words& words) {
  return {{static_cast<std::uint32_t>(words.lo), static_cast<std::uint32_t>(words.lo >> 32), words.lo_next},
          {static_cast<std::uint32_t>(words.hi), static_cast<std::uint32_t>(words.hi >> 32), words.hi_next}};
}

// Sends, of the 64 positions from `column` on that an entry's filter left, those where all of it matches.
template <class Filter>
__device__ __forceinline__ void send(const Batch<Filter>& batch, const cuda::DeviceSink& sink, int e,
                                     std::uint32_t column, std::uint32_t first, std::uint32_t second) {
  if ((first | second) == 0) return;
#pragma unroll 1
  for (int i = 0; i < 2; ++i) {
    const std::uint32_t left = i == 0 ? first : second;
    if (left == 0) continue;
    const Tail tail = batch.tail[e];
    const std::uint32_t found =
        verify({sink.text.lo, sink.text.hi}, batch.chunks + tail.first_chunk, tail.chunk_count, column + i * 32, left);
    if (found != 0) sink.word(column + i * 32, tail.entry, found);
  }
}

// Filters for as many entries as the compiler knows: each shifted pair of planes is made for all of them, then dropped.
template <int Entries, class Filter>
__device__ __forceinline__ void filter_few(const Batch<Filter>& batch, const cuda::DeviceSink& sink,
                                           const Halves& halves, std::uint32_t column) {
  std::uint32_t found[Entries][2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
#pragma unroll
    for (int e = 0; e < Entries; ++e) found[e][i] = ~0U;
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      const std::uint32_t lo_at = __funnelshift_r(halves.lo[i], halves.lo[i + 1], c);
      const std::uint32_t hi_at = __funnelshift_r(halves.hi[i], halves.hi[i + 1], c);
#pragma unroll
      for (int e = 0; e < Entries; ++e) found[e][i] = match(found[e][i], batch.filter[e], c, lo_at, hi_at);
    }
  }
#pragma unroll
  for (int e = 0; e < Entries; ++e) send(batch, sink, e, column, found[e][0], found[e][1]);
}

// Filters for batch.count entries: the shifted planes stay in registers while all of them pass.
template <class Filter>
__device__ __forceinline__ void filter_many(const Batch<Filter>& batch, const cuda::DeviceSink& sink,
                                            const Halves& halves, std::uint32_t column) {
  std::uint32_t lo_at[kColumns][2];
  std::uint32_t hi_at[kColumns][2];
#pragma unroll
  for (int c = 0; c < kColumns; ++c) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      lo_at[c][i] = __funnelshift_r(halves.lo[i], halves.lo[i + 1], c);
      hi_at[c][i] = __funnelshift_r(halves.hi[i], halves.hi[i + 1], c);
    }
  }
  for (int e = 0; e < batch.count; ++e) {
    std::uint32_t found[2] = {~0U, ~0U};
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
#pragma unroll
      for (int i = 0; i < 2; ++i) found[i] = match(found[i], batch.filter[e], c, lo_at[c][i], hi_at[c][i]);
    }
    send(batch, sink, e, column, found[0], found[1]);
  }
}

// A thread takes 64 positions at a time, and loads the next before it works on them. Entries: how many there are, or 0
// when only batch.count tells.
template <class Filter, int Entries>
__global__ void __launch_bounds__(kThreads)
    search(const __grid_constant__ Batch<Filter> batch, const __grid_constant__ cuda::DeviceSink sink) {
  sink.begin_block();
  const std::uint32_t last = (sink.text.own_end + 63) / 64;
  std::uint32_t w = sink.text.own_begin / 64 + blockIdx.x * kThreads + threadIdx.x;
  Words next = load(sink.text, min(w, last - 1));
  while (w < last) {
    const Halves halves = halves_of(next);
    const std::uint32_t column = w * 64;
    w += gridDim.x * kThreads;
    if (w < last) next = load(sink.text, w);
    if constexpr (Entries != 0) {
      filter_few<Entries>(batch, sink, halves, column);
    } else {
      filter_many(batch, sink, halves, column);
    }
  }
  sink.end_block();
}

BaseFilter base_filter(const std::vector<BaseSet>& columns) {
  BaseFilter filter;
  for (int c = 0; c < kColumns; ++c) {
    const unsigned code = single_base(columns[c]);
    filter.flip_lo[c] = (code & 1) != 0 ? 0 : ~0U;
    filter.flip_hi[c] = (code & 2) != 0 ? 0 : ~0U;
  }
  return filter;
}

SetFilter set_filter(const std::vector<BaseSet>& columns) {
  SetFilter filter;
  for (int c = 0; c < kColumns; ++c) {
    const BaseSet set = static_cast<std::size_t>(c) < columns.size() ? columns[c] : kAnyBase;
    for (int b = 0; b < 4; ++b) filter.member[c][b] = (set >> b & 1) != 0 ? ~0U : 0;
  }
  return filter;
}

// Columns [first, first + kChunkColumns) of an entry.
Chunk chunk_at(const std::vector<BaseSet>& columns, std::size_t first) {
  std::uint32_t member[4] = {~0U, ~0U, ~0U, ~0U};
  for (std::size_t i = 0; i < kChunkColumns && first + i < columns.size(); ++i) {
    for (int b = 0; b < 4; ++b) {
      if ((columns[first + i] >> b & 1) == 0) member[b] &= ~(1U << i);
    }
  }
  return {member[0], member[1], member[2], member[3]};
}

class PlanesKernel final : public cuda::Kernel {
 public:
  explicit PlanesKernel(const RoomOptions& options) : device_(options.gpu) {
    std::vector<Chunk> chunks;
    for (const std::uint32_t e : options.entries) {
      const std::vector<BaseSet>& columns = options.patterns.entries()[e].columns;
      const bool more = columns.size() > kColumns;
      const Tail tail{e, static_cast<std::uint32_t>(chunks.size()),
                      more ? static_cast<std::uint32_t>((columns.size() + kChunkColumns - 1) / kChunkColumns) : 0};
      for (std::size_t c = 0; more && c < columns.size(); c += kChunkColumns) chunks.push_back(chunk_at(columns, c));
      const bool plain =
          columns.size() >= kColumns && std::all_of(columns.begin(), columns.begin() + kColumns, is_single_base);
      if (plain) {
        add(base_batches_, base_filter(columns), tail);
      } else {
        add(set_batches_, set_filter(columns), tail);
      }
    }
    chunks_ = cuda::to_device(chunks);
    for (auto& batch : base_batches_) batch.chunks = chunks_.get();
    for (auto& batch : set_batches_) batch.chunks = chunks_.get();
  }

  void launch(const cuda::DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    const cuda::DeviceSink counting = sink.counting_in(0, kCounterBytes);
    for (const auto& batch : base_batches_) launch(batch, counting, stream);
    for (const auto& batch : set_batches_) launch(batch, counting, stream);
  }

 private:
  template <class Filter>
  static void add(std::vector<Batch<Filter>>& batches, const Filter& filter, const Tail& tail) {
    if (batches.empty() || batches.back().count == Batch<Filter>::kMost) batches.push_back({});
    Batch<Filter>& batch = batches.back();
    batch.filter[batch.count] = filter;
    batch.tail[batch.count++] = tail;
  }

  template <class Filter>
  void launch(const Batch<Filter>& batch, const cuda::DeviceSink& sink, cudaStream_t stream) const {
    const std::uint32_t words = (sink.text.own_end + 63) / 64 - sink.text.own_begin / 64;
    if (words == 0) return;
    constexpr int kBlocksPerProcessor = 64;  // many more than fit, so that the last ones to run are short
    const std::uint32_t blocks = device_.blocks_for(words, kThreads, kBlocksPerProcessor);
    const std::size_t shared = sink.shared_bytes();
    switch (batch.count) {
      case 1: search<Filter, 1><<<blocks, kThreads, shared, stream>>>(batch, sink); break;
      case 2: search<Filter, 2><<<blocks, kThreads, shared, stream>>>(batch, sink); break;
      default: search<Filter, 0><<<blocks, kThreads, shared, stream>>>(batch, sink); break;
    }
  }

  const cuda::Device device_;
  std::vector<Batch<BaseFilter>> base_batches_;
  std::vector<Batch<SetFilter>> set_batches_;
  cuda::DeviceBuffer<Chunk> chunks_;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<PlanesKernel>(options);
}

}  // namespace basesweep::planes
