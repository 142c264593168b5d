#include <cstddef>
#include <span>
#include <utility>

#include "kernels/cuda/device.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/walk_kernel.cuh"
#include "kernels/exact/ac_dfa/index.hpp"
#include "kernels/exact/ac_dfa/step.hpp"

namespace basesweep::ac_dfa {
namespace {

template <class Cell, bool InShared>
struct Table {
  static constexpr bool kInShared = InShared;
  static constexpr int kGroupsUnrolled = 4;

  const Cell* cells;
  std::uint32_t bytes;
  std::uint32_t first_output;

  __device__ Dfa<Cell> automaton(uint4* shared) const {
    if constexpr (!InShared) return {cells, first_output};
    cuda::copy_to_shared(shared, cells, bytes);
    return {reinterpret_cast<const Cell*>(shared), first_output};
  }
};

// Whether blocks keep a table of this many bytes in shared memory. They do if it fits, unless it takes the room that
// the counters would have without it: counters in the device's memory cost more than a table there.
bool in_shared(const cuda::Device& device, std::size_t bytes, const EndingsView& endings, Output output) {
  if (bytes > device.shared_bytes) return false;
  const std::size_t counters = output == Output::counts ? cuda::state_counter_bytes(endings) : 0;
  return bytes + counters <= device.shared_bytes || counters > device.shared_by_two();
}

template <bool InShared, class Cell>
std::unique_ptr<cuda::Kernel> make_kernel(const cuda::Device& device, std::span<const Cell> cells,
                                          const EndingsView& endings) {
  cuda::DeviceTables tables;
  const Table<Cell, InShared> table{tables.put(cells), InShared ? cuda::whole_vectors(cells.size_bytes()) : 0,
                                    endings.first_output};
  return std::make_unique<cuda::WalkKernel<Table<Cell, InShared>>>(device, std::move(tables), table, endings);
}

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  const cuda::Device device(options.gpu);
  const Index index(options.patterns, options.queries);
  const IndexView view = index.view();
  const std::size_t cells = std::size_t{view.endings.states} * 4;
  if (view.narrow == nullptr) return make_kernel<false>(device, std::span(view.wide, cells), view.endings);
  const std::span narrow(view.narrow, cells);
  return in_shared(device, cuda::whole_vectors(narrow.size_bytes()), view.endings, options.output)
             ? make_kernel<true>(device, narrow, view.endings)
             : make_kernel<false>(device, narrow, view.endings);
}

}  // namespace basesweep::ac_dfa
