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

// A copy on the device.
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
  // `tables` hold what `table` points to; `endings` is the host's.
  WalkKernel(const Device& device, DeviceTables tables, const Table& table, const EndingsView& endings)
      : device_(device), tables_(std::move(tables)), table_(table), endings_(put_endings(tables_, endings)) {}

  // The table goes before counters: where there is not room for both in shared memory, counters are in the device's.
  // With a table that is not kInShared two blocks share a processor, and counters may not take that away.
  void launch(const DeviceSink& sink, std::byte* /*workspace*/, cudaStream_t stream) const override {
    if (endings_.max_length == 0 || sink.text.own_begin >= sink.text.own_end) return;
    const std::size_t most = Table::kInShared ? device_.shared_bytes : device_.shared_by_two();
    const std::size_t with_counters = table_.bytes + state_counter_bytes(endings_);
    if (sink.counts_only() && with_counters <= most) {
      launch_sized<true>(sink.counting_in(with_counters, most), stream);
    } else {
      launch_sized<false>(sink.counting_in(table_.bytes, most), stream);
    }
  }

 private:
  static constexpr std::uint32_t kMostColumns = 512;  // of a chunk

  // Each block holds its own copy of the table: two share a processor while two tables fit there, else one larger block
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
    const std::uint32_t most_blocks = Blocks * static_cast<std::uint32_t>(device_.processors);
    // Ends are counted, starts are sent.
    const std::uint32_t last = sink.text.own_end + (CountStates ? endings_.max_length - 1 : 0);
    const std::uint32_t columns = last - sink.text.own_begin / kLoadColumns * kLoadColumns;
    const std::uint32_t fair = columns / (most_blocks * Threads) / kLoadColumns * kLoadColumns;
    const std::uint32_t chunk = std::clamp(fair, kLoadColumns, kMostColumns);
    const std::uint32_t chunks = (columns + chunk - 1) / chunk;
    const auto kernel = CountStates ? walk_and_count<Table, Threads, Blocks> : walk_and_send<Table, Threads, Blocks>;
    device_.allow_shared(kernel);
    kernel<<<std::min((chunks + Threads - 1) / Threads, most_blocks), Threads, bytes, stream>>>(table_, endings_, sink,
                                                                                                chunk);
  }

  const Device device_;
  DeviceTables tables_;
  const Table table_;
  const EndingsView endings_;  // on the device
};

}  // namespace basesweep::cuda
