#include <algorithm>
#include <vector>

#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/planes/index.hpp"
#include "kernels/planes/step.hpp"

namespace basesweep::planes {
namespace {

constexpr int kColumns = kFilterColumns;
constexpr int kThreads = 256;

// The first columns of an entry. They travel as kernel parameters, that is in constant memory, where an operand costs
// nothing; a launch therefore takes a limited number of entries.
struct BaseFilter {  // all columns are single bases: see match_base()
  std::uint32_t flip_lo[kColumns];
  std::uint32_t flip_hi[kColumns];
};

struct SetFilter {  // any sets: member[c][b] is all ones where base b may stand in column c
  std::uint32_t member[kColumns][4];
};

struct Tail {  // the same for both
  std::uint32_t entry;
  std::uint32_t length;
  std::uint32_t sets;  // first of the entry's columns in `sets`
};

template <class Filter>
struct Batch {
  static constexpr int kMost = sizeof(Filter) == sizeof(BaseFilter) ? 40 : 20;
  Filter filter[kMost];
  Tail tail[kMost];
  const BaseSet* sets;
  int count;
};

__device__ __forceinline__ std::uint32_t match(const BaseFilter& filter, int c, std::uint32_t lo, std::uint32_t hi) {
  return match_base(lo, hi, filter.flip_lo[c], filter.flip_hi[c]);
}

__device__ __forceinline__ std::uint32_t select(std::uint32_t chooser, std::uint32_t one, std::uint32_t zero) {
  return (chooser & one) | (~chooser & zero);
}

__device__ __forceinline__ std::uint32_t match(const SetFilter& filter, int c, std::uint32_t lo, std::uint32_t hi) {
  return select(hi, select(lo, filter.member[c][3], filter.member[c][2]),
                select(lo, filter.member[c][1], filter.member[c][0]));
}

// 32 columns of a plane from `column` on.
__device__ std::uint32_t columns_at(const std::uint64_t* plane, std::uint32_t column) {
  const auto* words = reinterpret_cast<const std::uint32_t*>(plane) + column / 32;
  return __funnelshift_r(words[0], words[1], column % 32);
}

// What the filter left of 32 positions goes through the other columns, then to the sink.
__device__ __noinline__ void verify(const cuda::DeviceSink& sink, const BaseSet* sets, const Tail& tail,
                                    std::uint32_t column, std::uint32_t found) {
  for (std::uint32_t c = kColumns; c < tail.length && found != 0; ++c) {
    found &= match_set(sets[tail.sets + c], columns_at(sink.text.lo, column + c), columns_at(sink.text.hi, column + c));
  }
  if (found != 0) sink.word(column, tail.entry, found);
}

// A thread takes 64 positions at a time: it shifts the planes once for each of the first columns and holds them in
// registers while all entries pass. Entries: how many there are, or 0 when only batch.count tells.
template <class Filter, int Entries>
__global__ void __launch_bounds__(kThreads) search(const __grid_constant__ Batch<Filter> batch,
                                                   const __grid_constant__ cuda::DeviceSink sink) {
  const std::uint32_t first = sink.text.own_begin / 64;
  const std::uint32_t last = (sink.text.own_end + 63) / 64;
  for (std::uint32_t w = first + blockIdx.x * kThreads + threadIdx.x; w < last; w += gridDim.x * kThreads) {
    const std::uint64_t lo = sink.text.lo[w];
    const std::uint64_t hi = sink.text.hi[w];
    const std::uint32_t lo_word[3] = {static_cast<std::uint32_t>(lo), static_cast<std::uint32_t>(lo >> 32),
                                      static_cast<std::uint32_t>(sink.text.lo[w + 1])};
    const std::uint32_t hi_word[3] = {static_cast<std::uint32_t>(hi), static_cast<std::uint32_t>(hi >> 32),
                                      static_cast<std::uint32_t>(sink.text.hi[w + 1])};
    std::uint32_t lo_at[kColumns][2];
    std::uint32_t hi_at[kColumns][2];
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        lo_at[c][i] = __funnelshift_r(lo_word[i], lo_word[i + 1], c);
        hi_at[c][i] = __funnelshift_r(hi_word[i], hi_word[i + 1], c);
      }
    }
    const int count = Entries != 0 ? Entries : batch.count;
#pragma unroll(Entries != 0 ? Entries : 1)
    for (int e = 0; e < count; ++e) {
      std::uint32_t found[2] = {~0U, ~0U};
#pragma unroll
      for (int c = 0; c < kColumns; ++c) {
#pragma unroll
        for (int i = 0; i < 2; ++i) found[i] &= match(batch.filter[e], c, lo_at[c][i], hi_at[c][i]);
      }
      if ((found[0] | found[1]) != 0) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          if (found[i] != 0) verify(sink, batch.sets, batch.tail[e], w * 64 + i * 32, found[i]);
        }
      }
    }
  }
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

class PlanesKernel final : public cuda::Kernel {
 public:
  explicit PlanesKernel(const RoomOptions& options) {
    std::vector<BaseSet> sets;
    for (const std::uint32_t e : options.entries) {
      const std::vector<BaseSet>& columns = options.patterns.entries()[e].columns;
      const Tail tail{e, static_cast<std::uint32_t>(columns.size()), static_cast<std::uint32_t>(sets.size())};
      sets.insert(sets.end(), columns.begin(), columns.end());
      const bool plain = columns.size() >= kColumns && std::all_of(columns.begin(), columns.begin() + kColumns, is_single_base);
      if (plain) {
        add(base_batches_, base_filter(columns), tail);
      } else {
        add(set_batches_, set_filter(columns), tail);
      }
    }
    sets_ = cuda::to_device(sets);
    for (auto& batch : base_batches_) batch.sets = sets_.get();
    for (auto& batch : set_batches_) batch.sets = sets_.get();
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, options.gpu));
  }

  void launch(const cuda::DeviceSink& sink, cudaStream_t stream) const override {
    for (const auto& batch : base_batches_) launch(batch, sink, stream);
    for (const auto& batch : set_batches_) launch(batch, sink, stream);
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
    constexpr std::uint32_t kBlocksPerProcessor = 8;
    const std::uint32_t blocks =
        std::min((words + kThreads - 1) / kThreads, kBlocksPerProcessor * static_cast<std::uint32_t>(processors_));
    switch (batch.count) {
      case 1: search<Filter, 1><<<blocks, kThreads, 0, stream>>>(batch, sink); break;
      case 2: search<Filter, 2><<<blocks, kThreads, 0, stream>>>(batch, sink); break;
      default: search<Filter, 0><<<blocks, kThreads, 0, stream>>>(batch, sink); break;
    }
  }

  std::vector<Batch<BaseFilter>> base_batches_;
  std::vector<Batch<SetFilter>> set_batches_;
  cuda::DeviceBuffer<BaseSet> sets_;
  int processors_ = 1;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<PlanesKernel>(options);
}

}  // namespace basesweep::planes
