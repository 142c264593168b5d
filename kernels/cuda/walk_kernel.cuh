// Launches the walks of kernels/cuda/walk.cuh.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "kernels/cuda/device.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/state_counters.cuh"
#include "kernels/cuda/walk.cuh"

namespace basesweep::cuda {

// Copies them to the device; `tables` owns the copy.
inline EndingsView put_endings(DeviceTables& tables, const EndingsView& endings) {
  const std::size_t outputs = endings.states - endings.first_output;
  EndingsView copy = endings;
  copy.endings = tables.put(std::span(endings.endings, endings.begin[outputs]));
  copy.begin = tables.put(std::span(endings.begin, outputs + 1));
  return copy;
}

// Whether counts of a table with `bytes` in shared memory and all counters of states have room in `max_bytes`.
inline bool counters_fit(std::size_t bytes, const EndingsView& endings, std::size_t max_bytes) {
  return bytes + counter_bytes(counted_states(endings)) <= max_bytes;
}

template <class Table>
class WalkKernel final : public Kernel {
 public:
  // `tables` owns what `table` points to. `endings` points to the host's memory. `counters`: only a table with
  // kSplitsCounters takes others than Counters::shared.
  WalkKernel(const Device& device, DeviceTables tables, const Table& table, const EndingsView& endings,
             Counters counters = Counters::shared)
      : device_(device),
        tables_(std::move(tables)),
        table_(table),
        endings_(put_endings(tables_, endings)),
        counters_(counters) {}

  std::size_t workspace_bytes(std::uint32_t /*positions*/) const override {
    return counters_ == Counters::shared ? 0 : counter_bytes(counted_states(endings_));
  }

  // The table comes before counters: if shared memory has no room for both, counters lie in the device's memory. With a
  // table that is not kInShared two blocks share a processor, and counters must leave room for both.
  void launch(const DeviceSink& sink, std::byte* workspace, cudaStream_t stream) const override {
    if (endings_.max_length == 0 || sink.text.own_begin >= sink.text.own_end) return;
    const std::size_t max_bytes = Table::kInShared ? device_.shared_bytes : device_.shared_by_two();
    if constexpr (Table::kSplitsCounters) {
      if (sink.counts_only() && counters_ != Counters::shared) {
        return count_split(sink, reinterpret_cast<std::uint32_t*>(workspace), max_bytes, stream);
      }
    }
    const auto counters = table_.counters(counted_states(endings_));
    const std::size_t bytes = table_.bytes_beside_counters + counter_bytes(counters.in_shared);
    if (sink.counts_only() && bytes <= max_bytes) {
      launch_sized(sink.counting_in(bytes, max_bytes), stream, counters);
    } else {
      launch_sized(sink.counting_in(table_.bytes, max_bytes), stream);
    }
  }

 private:
  static constexpr std::uint32_t kMaxPositions = 512;  // in a tile, if queries are short

  void count_split(const DeviceSink& sink, std::uint32_t* in_device, std::size_t max_bytes, cudaStream_t stream) const {
    const std::uint32_t counted = counted_states(endings_);
    const std::uint32_t room =
        max_bytes < table_.bytes ? 0 : static_cast<std::uint32_t>((max_bytes - table_.bytes) / sizeof(uint4) * 4);
    const SplitCounters counters{counters_ == Counters::device ? 0 : std::min(counted / 2, room), in_device};
    BASESWEEP_CUDA(cudaMemsetAsync(in_device, 0, counter_bytes(counted), stream));
    launch_sized(sink.counting_in(table_.bytes + counter_bytes(counters.in_shared), max_bytes), stream, counters);
    DeviceSink alone = sink;
    alone.shared_counters = 0;
    add_device_counters<<<device_.blocks_for(counted, 256, 4), 256, 0, stream>>>(endings_, alone, in_device, counted);
  }

  // Each block holds its own copy of the table. Two blocks share a processor if two tables fit, else one larger block
  // has it alone. `counters`: none to send.
  template <class... StateCounters>
  void launch_sized(const DeviceSink& sink, cudaStream_t stream, const StateCounters&... counters) const {
    const std::size_t bytes = sink.shared_bytes();
    if constexpr (Table::kInShared) {
      if (bytes > device_.shared_by_two()) return launch_with<1024, 1>(sink, bytes, stream, counters...);
    }
    launch_with<512, 2>(sink, bytes, stream, counters...);
  }

  template <int Threads, int Blocks, class... StateCounters>
  void launch_with(const DeviceSink& sink, std::size_t bytes, cudaStream_t stream,
                   const StateCounters&... counters) const {
    constexpr bool kCounts = sizeof...(StateCounters) != 0;
    const std::uint32_t max_blocks = Blocks * static_cast<std::uint32_t>(device_.processors);
    // Tiles are cut by ends when counting, and by starts when sending.
    const std::uint32_t last = sink.text.own_end + (kCounts ? endings_.max_length - 1 : 0);
    const std::uint32_t positions = last - sink.text.own_begin / kLoadPositions * kLoadPositions;
    const std::uint32_t fair = positions / (max_blocks * Threads) / kLoadPositions * kLoadPositions;
    // A thread also walks the longest query's positions in front of its tile or behind it: a quarter of the tile or
    // less, if the text has tiles of that size for all threads.
    const std::uint32_t longest = std::max(kMaxPositions, tile_end_at(4 * endings_.max_length));
    const std::uint32_t tile = std::clamp(fair, kLoadPositions, longest);
    const std::uint32_t blocks = std::min(((positions + tile - 1) / tile + Threads - 1) / Threads, max_blocks);
    if constexpr (kCounts) {
      const auto kernel = walk_and_count<Table, StateCounters..., Threads, Blocks>;
      device_.allow_shared(kernel);
      kernel<<<blocks, Threads, bytes, stream>>>(table_, counters..., endings_, sink, tile);
    } else {
      const auto kernel = walk_and_send<Table, Threads, Blocks>;
      device_.allow_shared(kernel);
      kernel<<<blocks, Threads, bytes, stream>>>(table_, endings_, sink, tile);
    }
  }

  const Device device_;
  DeviceTables tables_;
  const Table table_;
  const EndingsView endings_;  // points to the device's memory
  const Counters counters_;
};

}  // namespace basesweep::cuda
