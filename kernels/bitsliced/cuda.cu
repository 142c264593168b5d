#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "kernels/bitsliced/index.hpp"
#include "kernels/bitsliced/search.cuh"
#include "kernels/bitsliced/strips.cuh"
#include "kernels/cuda/buffer.hpp"
#include "kernels/cuda/hit_sink.cuh"
#include "kernels/cuda/kernel.hpp"
#include "kernels/verify.hpp"

namespace basesweep::bitsliced {
namespace {

struct Tables {
  const Window* windows;
  const std::uint32_t* entries;  // in the pattern set
  const VerifyEntry* verify_entries;
  const EqBlock* blocks;
};

// Sends the entry's ends in columns [first, end), of alignments that start at `begin` or after.
__device__ void verify(const Tables& tables, const cuda::DeviceSink& sink, std::uint32_t index, std::uint32_t begin,
                       std::uint64_t first, std::uint64_t end) {
  const std::uint32_t entry = tables.entries[index];
  first = max(first, std::uint64_t{sink.text.own_begin});
  end = min(end, std::uint64_t{sink.text.own_end});
  if (first >= end) return;
  verify_window(tables.verify_entries[index], tables.blocks, sink.text.lo, sink.text.hi, begin,
                static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end),
                [&](std::uint32_t column) { sink.hit(column, entry); });
}

__device__ void verify_survivor(const Launch& launch, const Tables& tables, const cuda::DeviceSink& sink,
                                const Survivor& survivor) {
  const std::uint32_t index = launch.windows[survivor.window].index;
  const Window& window = tables.windows[index];
  for (std::uint32_t left = survivor.texts[0] | survivor.texts[1]; left != 0; left &= left - 1) {
    const int text = __ffs(static_cast<int>(left)) - 1;
    const std::uint64_t column = survivor.column + std::uint64_t{launch.strips.columns} * text;
    if (window.whole) {
      for (int i = 0; i < kStep; ++i) {
        if ((survivor.texts[i] >> text & 1) != 0 && column + i < sink.text.own_end) {
          sink.hit(static_cast<std::uint32_t>(column + i), tables.entries[index]);
        }
      }
    } else {
      const Reach reach = window.reach(column, column + kStep - 1);
      verify(tables, sink, index, reach.begin, reach.first_end, reach.last_end + 1);
    }
  }
}

// Where the queue could not take all survivors of a window, verifies all of the text.
__device__ void verify_all(const Launch& launch, const Tables& tables, const cuda::DeviceSink& sink,
                           std::uint32_t window) {
  constexpr std::uint32_t kColumns = 256;
  const std::uint32_t index = launch.windows[window].index;
  const VerifyEntry& entry = tables.verify_entries[index];
  const std::uint32_t reach = entry.length + entry.edits;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x * kColumns;
  for (std::uint64_t first = sink.text.own_begin + (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) * kColumns;
       first < sink.text.own_end; first += step) {
    const auto begin = static_cast<std::uint32_t>(first > reach ? first - reach : 0);
    verify(tables, sink, index, begin, first, first + kColumns);
  }
}

__global__ void __launch_bounds__(128)
    verify_queue(const __grid_constant__ Launch launch, Tables tables, const __grid_constant__ cuda::DeviceSink sink) {
  const std::uint32_t size = min(launch.queue.head->size, launch.queue.capacity);
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
    verify_survivor(launch, tables, sink, launch.queue.survivors[i]);
  }
  for (std::uint32_t w = 0; w < launch.window_count; ++w) {
    if (launch.queue.head->overflowed[w] != 0) verify_all(launch, tables, sink, w);
  }
}

// Bits of a counter that take any number of edits; most windows do with one less.
constexpr int wide_bits(int rows) { return rows <= 8 ? 4 : rows <= 15 ? 5 : 6; }

// A row costs a thread 8 instructions for 32 columns, a column of the verifier 45, and its warps are not full.
const Costs& costs() {
  static const Costs kCosts{{8, 12, 15, 18, 21, 24, 28, 32}, 400};
  return kCosts;
}

using Search = void (*)(Launch);

struct Kind {
  std::uint32_t rows;
  bool narrow;  // counters have a bit less
  bool extra;   // some sets are not single bases
  bool operator<(const Kind& other) const {
    return std::tie(rows, narrow, extra) < std::tie(other.rows, other.narrow, other.extra);
  }
};

template <int rows>
Search pick(const Kind& kind) {
  if (kind.extra) return search<rows, wide_bits(rows), true>;
  return kind.narrow ? search<rows, wide_bits(rows) - 1, false> : search<rows, wide_bits(rows), false>;
}

Search pick_search(const Kind& kind) {
  switch (kind.rows) {
    case 8: return pick<8>(kind);
    case 12: return pick<12>(kind);
    case 15: return pick<15>(kind);
    case 18: return pick<18>(kind);
    case 21: return pick<21>(kind);
    case 24: return pick<24>(kind);
    case 28: return pick<28>(kind);
    default: return pick<32>(kind);
  }
}

SearchWindow search_window(const Window& window, std::uint32_t index, Kind& kind) {
  SearchWindow search{};
  search.index = index;
  search.edits = window.edits;
  for (std::uint32_t r = 0; r < window.rows; ++r) {
    std::uint32_t number = 0;
    if (is_single_base(window.sets[r])) {
      number = single_base(window.sets[r]);
    } else {
      std::uint8_t* end = search.extra + search.extra_count;
      std::uint8_t* place = std::find(search.extra, end, window.sets[r]);
      if (place == end) search.extra[search.extra_count++] = window.sets[r];
      number = static_cast<std::uint32_t>(4 + (place - search.extra));
    }
    search.mask[r] = number * kThreads * sizeof(std::uint32_t);
  }
  const auto rows = static_cast<int>(window.rows);
  const auto edits = static_cast<int>(window.edits);
  const int bits = wide_bits(rows);
  kind = {window.rows, false, search.extra_count != 0};
  kind.narrow = !kind.extra && survival_test(rows, edits, bits - 1) != Test::none;
  search.one_bit = survival_test(rows, edits, kind.narrow ? bits - 1 : bits) == Test::one_bit ? ~0U : 0;
  return search;
}

class BitslicedKernel final : public cuda::Kernel {
 public:
  explicit BitslicedKernel(const RoomOptions& options) : verify_index_(options.patterns, options.entries) {
    std::vector<Window> windows;
    for (const std::uint32_t e : options.entries) {
      const Entry& entry = options.patterns.entries()[e];
      const Window window = *choose_window(entry, costs());
      Kind kind{};
      const SearchWindow search = search_window(window, static_cast<std::uint32_t>(windows.size()), kind);
      kinds_[kind].push_back(search);
      warm_up_ = std::max(warm_up_, window.rows + window.edits);
      reach_ = std::max(reach_, static_cast<std::uint32_t>(entry.columns.size()) + window.edits);
      // In the queue, a column of text: those of two columns of 32 texts take one place.
      survivors_.push_back(std::min(window.survivors, 1.0 / (kStep * kTexts)));
      windows.push_back(window);
    }
    windows_ = cuda::to_device(windows);
    entries_ = cuda::to_device(options.entries);
    verify_entries_ = cuda::to_device(verify_index_.entries);
    blocks_ = cuda::to_device(verify_index_.blocks);
    window_count_ = static_cast<std::uint32_t>(windows.size());
    BASESWEEP_CUDA(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, options.gpu));
  }

  std::size_t workspace_bytes(std::uint32_t columns) const override {
    const std::size_t words = plane_words(columns);
    return kQueueOffset + queue_capacity(columns) * sizeof(Survivor) + 2 * words * sizeof(std::uint32_t);
  }

  void launch(const cuda::DeviceSink& sink, std::byte* workspace, cudaStream_t stream) const override {
    const PackedView& text = sink.text;
    if (text.own_begin >= text.own_end) return;
    const std::uint32_t origin = (text.own_begin > reach_ ? text.own_begin - reach_ : 0) / 64 * 64;
    const std::uint32_t columns = text.own_end - origin;
    Launch parameters{};
    parameters.queue = {reinterpret_cast<QueueHead*>(workspace), reinterpret_cast<Survivor*>(workspace + kQueueOffset),
                        static_cast<std::uint32_t>(queue_capacity(text.columns))};
    Strips& strips = parameters.strips;
    strips.columns = text_columns(columns);
    strips.count = strip_count(columns, strips.columns);
    strips.stride = (strips.count + 31) / 32 * 32;
    strips.origin = origin;
    strips.lo = reinterpret_cast<std::uint32_t*>(parameters.queue.survivors + parameters.queue.capacity);
    strips.hi = strips.lo + plane_words(text.columns);
    const Tables tables{windows_.get(), entries_.get(), verify_entries_.get(), blocks_.get()};
    parameters.warm_up = warm_up_;
    parameters.one = 1;
    parameters.minus_one = ~0U;
    const dim3 grid((strips.columns / 32 + 7) / 8, (strips.count + 31) / 32, 2);
    transpose_strips<<<grid, 256, 0, stream>>>(text, strips);
    for (const auto& [kind, windows] : kinds_) {
      std::size_t first = 0;
      while (first < windows.size()) {
        first += choose_windows(windows.data() + first, windows.size() - first, text.columns, parameters);
        BASESWEEP_CUDA(cudaMemsetAsync(parameters.queue.head, 0, sizeof(QueueHead), stream));
        const dim3 blocks(parameters.window_count, (strips.count + kThreads - 1) / kThreads);
        pick_search(kind)<<<blocks, kThreads, 0, stream>>>(parameters);
        verify_queue<<<8 * processors_, 128, 0, stream>>>(parameters, tables, sink);
      }
    }
  }

 private:
  static constexpr std::size_t kQueueOffset = 512;  // its head is in front
  static_assert(sizeof(QueueHead) <= kQueueOffset);

  static std::size_t queue_capacity(std::uint32_t columns) { return std::max<std::size_t>(1U << 14, columns / 16); }

  // Of a transposed plane of any text_columns(): up to 32 strips more than full ones.
  static std::size_t plane_words(std::uint32_t columns) { return columns / 32 + 33 * kMostTextColumns; }

  static std::uint32_t strip_count(std::uint32_t columns, std::uint32_t text_columns) {
    const std::uint64_t strip = std::uint64_t{kTexts} * text_columns;
    return static_cast<std::uint32_t>((columns + strip - 1) / strip);
  }

  // Takes as many windows into a launch as the queue has room for, twice what is expected, but at least one; returns
  // how many.
  std::uint32_t choose_windows(const SearchWindow* windows, std::size_t count, std::uint32_t columns,
                               Launch& parameters) const {
    std::uint32_t& taken = parameters.window_count;
    double survivors = 0;
    for (taken = 0; taken < std::min<std::size_t>(count, kMostWindows); ++taken) {
      survivors += survivors_[windows[taken].index] * columns;
      if (taken != 0 && 2 * survivors > parameters.queue.capacity) break;
      parameters.windows[taken] = windows[taken];
    }
    return taken;
  }

  // Columns of a text: long ones waste little time on the columns before them, short ones keep all processors busy.
  std::uint32_t text_columns(std::uint32_t columns) const {
    const std::uint64_t resident = std::uint64_t{8} * static_cast<unsigned>(processors_);  // blocks
    std::uint32_t best = 0;
    std::uint64_t least = ~std::uint64_t{0};
    for (std::uint32_t length = (warm_up_ + 31) / 32 * 32; length <= kMostTextColumns;
         length += length < 256 ? 32 : 256) {  // long ones in whole sectors, for the transposition
      const std::uint64_t blocks =
          (strip_count(columns, length) + kThreads - 1) / kThreads * std::uint64_t{window_count_};
      const std::uint64_t time = (blocks + resident - 1) / resident * (length + warm_up_);
      if (time < least) {
        least = time;
        best = length;
      }
    }
    return best;
  }

  const VerifyIndex verify_index_;
  std::map<Kind, std::vector<SearchWindow>> kinds_;
  std::vector<double> survivors_;  // of each window, places in the queue a column of text
  cuda::DeviceBuffer<Window> windows_;
  cuda::DeviceBuffer<std::uint32_t> entries_;
  cuda::DeviceBuffer<VerifyEntry> verify_entries_;
  cuda::DeviceBuffer<EqBlock> blocks_;
  std::uint32_t window_count_ = 0;
  std::uint32_t warm_up_ = 0;
  std::uint32_t reach_ = 0;  // columns left of an end that its alignments may touch
  int processors_ = 1;
};

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  return std::make_unique<BitslicedKernel>(options);
}

}  // namespace basesweep::bitsliced
