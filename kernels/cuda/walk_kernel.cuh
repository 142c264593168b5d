// Launches the walks of kernels/cuda/walk.cuh.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "kernels/cuda/device.hpp"
#include "kernels/cuda/kernel.hpp"
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

template <class Table>
class WalkKernel final : public Kernel {
 public:
  // `tables` owns what `table` points to. `endings` points to the host's memory.
  WalkKernel(const Device& device, DeviceTables tables, const Table& table, const EndingsView& endings)
      : device_(device), tables_(std::move(tables)), table_(table), endings_(put_endings(tables_, endings)) {}

  // The table comes before counters: if shared memory has no room for both, counters lie in the device's memory. With a
  // table that is not kInShared two blocks share a processor, and counters must leave room for both.
  void launch(const DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    if (endings_.max_length == 0 || sink.text.own_begin >= sink.text.own_end) return;
    const std::size_t max_bytes = Table::kInShared ? device_.shared_bytes : device_.shared_by_two();
    const std::size_t with_counters = table_.bytes + state_counter_bytes(endings_);
    if (sink.counts_only() && with_counters <= max_bytes) {
      launch_sized<true>(sink.counting_in(with_counters, max_bytes), stream);
    } else {
      launch_sized<false>(sink.counting_in(table_.bytes, max_bytes), stream);
    }
  }

 private:
  static constexpr std::uint32_t kMaxPositions = 512;  // in a tile

  // Each block holds its own copy of the table. Two blocks share a processor if two tables fit, else one larger block
  // has it alone.
  template <bool CountStates>
  void launch_sized(const DeviceSink& sink, cudaStream_t stream) const {
    const std::size_t bytes = sink.shared_bytes();
    if constexpr (Table::kInShared) {
      if (bytes > device_.shared_by_two()) return launch_with<CountStates, 1024, 1>(sink, bytes, stream);
    }
    launch_with<CountStates, 512, 2>(sink, bytes, stream);
  }

  template <bool CountStates, int Threads, int Blocks>
  void launch_with(const DeviceSink& sink, std::size_t bytes, cudaStream_t stream) const {
    const std::uint32_t max_blocks = Blocks * static_cast<std::uint32_t>(device_.processors);
    // Tiles are cut by ends when counting, and by starts when sending.
    const std::uint32_t last = sink.text.own_end + (CountStates ? endings_.max_length - 1 : 0);
    const std::uint32_t positions = last - sink.text.own_begin / kLoadPositions * kLoadPositions;
    const std::uint32_t fair = positions / (max_blocks * Threads) / kLoadPositions * kLoadPositions;
    const std::uint32_t tile = std::clamp(fair, kLoadPositions, kMaxPositions);
    const std::uint32_t tiles = (positions + tile - 1) / tile;
    const auto kernel = CountStates ? walk_and_count<Table, Threads, Blocks> : walk_and_send<Table, Threads, Blocks>;
    device_.allow_shared(kernel);
    kernel<<<std::min((tiles + Threads - 1) / Threads, max_blocks), Threads, bytes, stream>>>(table_, endings_, sink,
                                                                                              tile);
  }

  const Device device_;
  DeviceTables tables_;
  const Table table_;
  const EndingsView endings_;  // points to the device's memory
};

}  // namespace basesweep::cuda
