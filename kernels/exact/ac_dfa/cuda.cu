#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/cuda/device.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/staged.cuh"
#include "kernels/cuda/walk_kernel.cuh"
#include "kernels/exact/ac_dfa/index.hpp"
#include "kernels/exact/ac_dfa/move_counters.cuh"
#include "kernels/exact/ac_dfa/step.hpp"

namespace basesweep::ac_dfa {
namespace {

// A table where all states have rows.
template <class Cell, bool InShared>
struct Table {
  static constexpr bool kInShared = InShared;
  static constexpr int kGroupsUnrolled = 4;
  static constexpr bool kSplitsCounters = true;

  const Cell* cells;
  std::uint32_t bytes;
  std::uint32_t first_output;
  std::uint32_t bytes_beside_counters = bytes;

  __device__ Dfa<Cell> automaton(uint4* shared) const {
    if constexpr (!InShared) return {cells, first_output};
    cuda::copy_to_shared(shared, cells, bytes);
    return {reinterpret_cast<const Cell*>(shared), first_output};
  }
  __device__ Dfa<Cell> automaton_beside_counters(uint4* shared, std::uint32_t* /*counters*/) const {
    return automaton(shared);
  }
  cuda::SharedCounters counters(std::uint32_t counted) const { return {counted}; }
};

// A table where leaves have links, which lie behind it.
template <class Cell, bool InShared>
struct LinkedTable {
  static constexpr bool kInShared = InShared;
  static constexpr int kGroupsUnrolled = 4;
  static constexpr bool kSplitsCounters = false;

  const Cell* cells;
  const Cell* links;
  std::uint32_t first_output;
  std::uint32_t rows;
  std::uint32_t cell_bytes, bytes;
  std::uint32_t bytes_beside_counters = bytes;

  __device__ LinkedDfa<Cell, Cell> automaton(uint4* shared) const {
    if constexpr (!InShared) return {{cells, first_output}, links, rows};
    uint4* const behind = shared + cell_bytes / sizeof(uint4);
    cuda::copy_to_shared(shared, cells, cell_bytes);
    cuda::copy_to_shared(behind, links, bytes - cell_bytes);
    return {{reinterpret_cast<const Cell*>(shared), first_output}, reinterpret_cast<const Cell*>(behind), rows};
  }
  __device__ LinkedDfa<Cell, Cell> automaton_beside_counters(uint4* shared, std::uint32_t* /*counters*/) const {
    return automaton(shared);
  }
  cuda::SharedCounters counters(std::uint32_t counted) const { return {counted}; }
};

// The automaton whose links lie in the counters of walk_and_count().
struct DfaWithCounters : Dfa<std::uint16_t> {
  const std::uint32_t* counters;

  __device__ State go_on(State state) const { return counters[state - first_output] >> 16; }
};

// The same table, whose counters have the links.
struct CountersTable : LinkedTable<std::uint16_t, true> {
  explicit CountersTable(const LinkedTable<std::uint16_t, true>& table) : LinkedTable(table) {
    bytes_beside_counters = cell_bytes;
  }

  __device__ DfaWithCounters automaton_beside_counters(uint4* shared, std::uint32_t* counters) const {
    cuda::copy_to_shared(shared, cells, cell_bytes);
    return {{reinterpret_cast<const std::uint16_t*>(shared), first_output}, counters};
  }
  cuda::LinkingCounters counters(std::uint32_t counted) const { return {counted, first_output, rows, links}; }
};

// Whether blocks keep a table of this many bytes in shared memory. They do if it fits, unless it takes the room that
// the counters would have without it: counters in the device's memory cost more than a table there.
bool in_shared(const cuda::Device& device, std::size_t bytes, const EndingsView& endings, Output output) {
  if (bytes > device.shared_bytes) return false;
  if (output != Output::counts) return true;
  return cuda::counters_fit(bytes, endings, device.shared_bytes) ||
         !cuda::counters_fit(0, endings, device.shared_by_two());
}

// Bytes in shared memory of a table with links, and all that counts with it.
std::size_t linked_bytes(const EndingsView& endings, std::uint32_t leaves, Output output) {
  const std::size_t cells = cuda::whole_vectors((std::size_t{endings.states} - leaves) * 4 * sizeof(std::uint16_t));
  if (output == Output::counts) return cells + cuda::counter_bytes(cuda::counted_states(endings));
  return cells + cuda::whole_vectors(std::size_t{leaves} * sizeof(std::uint16_t));
}

// Whether leaves have links only in a table that then fits in shared memory, and did not with all rows.
bool choose_links(const cuda::Device& device, const Index& index, Output output) {
  const EndingsView endings = index.view().endings;
  if (endings.states > kNarrowStates || linked_bytes(endings, index.leaves(), output) > device.shared_bytes) {
    return false;
  }
  const std::size_t with_rows = cuda::whole_vectors(std::size_t{endings.states} * 4 * sizeof(std::uint16_t));
  return output == Output::counts ? !cuda::counters_fit(with_rows, endings, device.shared_bytes)
                                  : with_rows > device.shared_bytes;
}

template <bool InShared, class Cell>
std::unique_ptr<cuda::Kernel> make_kernel(const cuda::Device& device, std::span<const Cell> cells,
                                          const EndingsView& endings, Counters counters) {
  cuda::DeviceTables tables;
  const Table<Cell, InShared> table{tables.put(cells), InShared ? cuda::whole_vectors(cells.size_bytes()) : 0,
                                    endings.first_output};
  return std::make_unique<cuda::WalkKernel<Table<Cell, InShared>>>(device, std::move(tables), table, endings, counters);
}

template <bool InShared, class Cell>
std::unique_ptr<cuda::Kernel> make_linked_kernel(const cuda::Device& device, const Cell* cells, const IndexView& view,
                                                 Output output) {
  const std::size_t count = std::size_t{view.rows} * 4;
  const std::vector<Cell> links(view.links, view.links + (view.endings.states - view.rows));
  const std::uint32_t cell_bytes = cuda::whole_vectors(count * sizeof(Cell));
  cuda::DeviceTables tables;
  const LinkedTable<Cell, InShared> table{tables.put(std::span(cells, count)),
                                          tables.put(links),
                                          view.endings.first_output,
                                          view.rows,
                                          InShared ? cell_bytes : 0,
                                          InShared ? cell_bytes + cuda::whole_vectors(links.size() * sizeof(Cell)) : 0};
  const auto make = [&](const auto& made) -> std::unique_ptr<cuda::Kernel> {
    return std::make_unique<cuda::WalkKernel<std::decay_t<decltype(made)>>>(device, std::move(tables), made,
                                                                            view.endings);
  };
  if constexpr (InShared) {
    if (output == Output::counts && cuda::counters_fit(cell_bytes, view.endings, device.shared_bytes)) {
      return make(CountersTable(table));
    }
  }
  return make(table);
}

// The kernel whose moves hold links; null if its table and counters do not fit in shared memory.
std::unique_ptr<cuda::Kernel> make_moves_kernel(const cuda::Device& device, const IndexView& view) {
  if (view.narrow == nullptr || view.rows > kMoveRows) return nullptr;
  const std::span targets(view.narrow, std::size_t{view.rows} * 4);
  std::vector<std::uint16_t> moves;
  std::uint32_t first_row = view.rows;
  for (const std::uint16_t target : targets) {
    const bool ends = target >= view.endings.first_output;
    if (ends) first_row = std::min(first_row, static_cast<std::uint32_t>(moves.size() / 4));
    const std::uint32_t row = target < view.rows ? target : view.links[target - view.rows];
    moves.push_back(move_cell(row, ends));
  }
  const std::uint32_t bytes = cuda::whole_vectors(targets.size_bytes());
  if (bytes + cuda::counter_bytes(2 * (view.rows - first_row)) > device.shared_bytes) return nullptr;
  cuda::DeviceTables tables;
  const MovesTable table{tables.put(moves), tables.put(targets), view.endings.first_output,
                         view.rows,         first_row,           bytes};
  return std::make_unique<cuda::WalkKernel<MovesTable>>(device, std::move(tables), table, view.endings);
}

std::unique_ptr<cuda::Kernel> make_linked(const cuda::Device& device, const RoomOptions& options) {
  const Index index(options.patterns, options.queries, {.links = true, .order = options.tuning.order});
  const IndexView view = index.view();
  if (options.output == Output::counts && options.tuning.leaves != Leaves::links) {
    if (auto kernel = make_moves_kernel(device, view)) return kernel;
  }
  if (view.narrow == nullptr) return make_linked_kernel<false>(device, view.wide, view, options.output);
  return linked_bytes(view.endings, index.leaves(), options.output) <= device.shared_bytes
             ? make_linked_kernel<true>(device, view.narrow, view, options.output)
             : make_linked_kernel<false>(device, view.narrow, view, options.output);
}

// Text through shared memory, and the table beside it if it fits.
template <class Cell>
struct SharedTextScan {
  const Cell* cells;
  std::uint32_t first_output;
  EndingsView endings;

  static constexpr auto kTable = &SharedTextScan::cells;

  template <class Fetch, class Text, class Emit>
  __device__ void operator()(const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) const {
    scan_dfa<Fetch>(Dfa<Cell>{cells, first_output}, endings, text, begin, end, emit);
  }
};

template <class Cell>
std::unique_ptr<cuda::Kernel> make_shared_text(const RoomOptions& options, std::span<const Cell> cells,
                                               const EndingsView& endings) {
  cuda::DeviceTables tables;
  const SharedTextScan<Cell> scan{tables.put(cells), endings.first_output, cuda::put_endings(tables, endings)};
  return std::make_unique<cuda::StagedKernel<SharedTextScan<Cell>>>(
      options, std::move(tables), scan, StagedReach{.right = endings.max_length, .past = endings.max_length},
      cells.size_bytes());
}

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  const cuda::Device device(options.gpu);
  const Tuning& tuning = options.tuning;
  const Index index(options.patterns, options.queries, {.order = tuning.order});
  const IndexView view = index.view();
  const std::size_t cells = std::size_t{view.rows} * 4;
  if (tuning.shared_text) {
    return view.narrow == nullptr ? make_shared_text(options, std::span(view.wide, cells), view.endings)
                                  : make_shared_text(options, std::span(view.narrow, cells), view.endings);
  }
  const bool linked = tuning.leaves == Leaves::links || tuning.leaves == Leaves::moves ||
                      (tuning.leaves == Leaves::chosen && choose_links(device, index, options.output));
  if (linked && tuning.counters == Counters::shared && index.leaves() != 0) return make_linked(device, options);
  if (view.narrow == nullptr) {
    return make_kernel<false>(device, std::span(view.wide, cells), view.endings, tuning.counters);
  }
  const std::span narrow(view.narrow, cells);
  return in_shared(device, cuda::whole_vectors(narrow.size_bytes()), view.endings, options.output)
             ? make_kernel<true>(device, narrow, view.endings, tuning.counters)
             : make_kernel<false>(device, narrow, view.endings, tuning.counters);
}

}  // namespace basesweep::ac_dfa
