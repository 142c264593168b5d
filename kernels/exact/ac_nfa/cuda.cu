#include <cstddef>
#include <span>
#include <utility>

#include "kernels/cuda/device.hpp"
#include "kernels/cuda/kernel.hpp"
#include "kernels/cuda/staged.cuh"
#include "kernels/cuda/walk_kernel.cuh"
#include "kernels/exact/ac_nfa/constant_nodes.cuh"
#include "kernels/exact/ac_nfa/index.hpp"
#include "kernels/exact/ac_nfa/step.hpp"

namespace basesweep::ac_nfa {
namespace {

// An automaton in the device's memory.
template <class Nfa>
struct Table {
  static constexpr bool kInShared = false;
  static constexpr int kGroupsUnrolled = 1;
  static constexpr bool kSplitsCounters = false;
  static constexpr std::uint32_t bytes = 0;
  static constexpr std::uint32_t bytes_beside_counters = 0;

  Nfa nfa;

  __device__ Nfa automaton(uint4* /*shared*/) const { return nfa; }
  __device__ Nfa automaton_beside_counters(uint4* /*shared*/, std::uint32_t* /*cells*/) const { return nfa; }
  cuda::SharedCounters counters(std::uint32_t counted) const { return {counted}; }
};

// An automaton that each block copies to shared memory: the words, then first_child.
template <class Nfa>
struct SharedTable {
  static constexpr bool kInShared = true;
  static constexpr int kGroupsUnrolled = 1;
  static constexpr bool kSplitsCounters = false;

  Nfa nfa;
  std::uint32_t words_bytes;
  std::uint32_t bytes;
  std::uint32_t bytes_beside_counters = bytes;

  __device__ Nfa automaton(uint4* shared) const {
    uint4* const behind = shared + words_bytes / sizeof(uint4);
    cuda::copy_to_shared(shared, nfa.nodes.words, words_bytes);
    cuda::copy_to_shared(behind, nfa.nodes.first_child, bytes - words_bytes);
    Nfa copy = nfa;
    copy.nodes = {reinterpret_cast<const std::uint32_t*>(shared), reinterpret_cast<const std::uint16_t*>(behind)};
    return copy;
  }
  __device__ Nfa automaton_beside_counters(uint4* shared, std::uint32_t* /*cells*/) const { return automaton(shared); }
  cuda::SharedCounters counters(std::uint32_t counted) const { return {counted}; }
};

template <class Nodes>
struct SupplyScan {
  Nodes nodes;
  EndingsView endings;

  template <class Fetch, class Text, class Emit>
  __device__ void operator()(const Text& text, std::uint32_t begin, std::uint32_t end, Emit emit) const {
    scan_supply<Fetch>(nodes, endings, text, begin, end, emit);
  }
};

// The bytes of the words of narrow nodes and of first_child behind them.
std::uint32_t shared_bytes(const IndexView& view) {
  return cuda::whole_vectors(view.narrow_words().size_bytes()) +
         cuda::whole_vectors(view.first_children().size_bytes());
}

std::unique_ptr<cuda::Kernel> make_walk(const cuda::Device& device, const IndexView& view) {
  cuda::DeviceTables tables;
  const auto make = [&](const auto& table) -> std::unique_ptr<cuda::Kernel> {
    return std::make_unique<cuda::WalkKernel<std::decay_t<decltype(table)>>>(device, std::move(tables), table,
                                                                             view.endings);
  };
  if (view.narrow == nullptr) {
    return with_walk(view, WideNodes{tables.put(view.wide_words())}, view.wide[0],
                     [&](const auto& nfa) { return make(Table<std::decay_t<decltype(nfa)>>{nfa}); });
  }
  const std::uint32_t words_bytes = cuda::whole_vectors(view.narrow_words().size_bytes());
  const std::uint32_t bytes = shared_bytes(view);
  const NarrowNodes nodes{tables.put(view.narrow_words()), tables.put(view.first_children())};
  return with_walk(view, nodes, view.narrow[0], [&](const auto& nfa) {
    using Nfa = std::decay_t<decltype(nfa)>;
    return bytes <= device.shared_bytes ? make(SharedTable<Nfa>{nfa, words_bytes, bytes}) : make(Table<Nfa>{nfa});
  });
}

// A walk whose nodes are in constant memory.
class ConstantKernel final : public cuda::Kernel {
 public:
  ConstantKernel(const cuda::Device& device, std::unique_ptr<ConstantMemory> memory, const IndexView& view)
      : memory_(std::move(memory)),
        walk_(device, {}, {{{static_cast<std::uint32_t>(view.narrow_words().size())}, view.narrow[0], {}}},
              view.endings) {}

  void launch(const cuda::DeviceSink& sink, std::byte* workspace, cudaStream_t stream) const override {
    walk_.launch(sink, workspace, stream);
  }

 private:
  const std::unique_ptr<ConstantMemory> memory_;
  const cuda::WalkKernel<Table<Nfa<ConstantNodes, AsNeeded>>> walk_;
};

std::unique_ptr<cuda::Kernel> make_supply(const RoomOptions& options, const IndexView& view) {
  cuda::DeviceTables tables;
  const auto make = [&](const auto& nodes) -> std::unique_ptr<cuda::Kernel> {
    using Scan = SupplyScan<std::decay_t<decltype(nodes)>>;
    const Scan scan{nodes, cuda::put_endings(tables, view.endings)};
    return std::make_unique<cuda::StagedKernel<Scan>>(
        options, std::move(tables), scan,
        StagedReach{.right = view.endings.max_length, .past = view.endings.max_length});
  };
  if (view.narrow == nullptr) return make(WideNodes{tables.put(view.wide_words())});
  return make(NarrowNodes{tables.put(view.narrow_words()), tables.put(view.first_children())});
}

}  // namespace

std::unique_ptr<cuda::Kernel> make_cuda_kernel(const RoomOptions& options) {
  const cuda::Device device(options.gpu);
  const NfaWalk wanted = options.tuning.nfa_walk;
  const Index index(options.patterns, options.queries, wanted == NfaWalk::chosen ? NfaWalk::as_needed : wanted);
  const IndexView view = index.view();
  if (wanted == NfaWalk::staged) return make_supply(options, view);
  if (wanted == NfaWalk::constant) {
    auto memory = ConstantMemory::take(options.gpu, view);
    if (memory != nullptr) return std::make_unique<ConstantKernel>(device, std::move(memory), view);
  }
  const bool fits_twice = view.narrow != nullptr && shared_bytes(view) <= device.shared_by_two();
  // Counters, too, lie in shared memory only beside a walk there.
  if (wanted != NfaWalk::chosen || fits_twice || options.output == Output::counts) return make_walk(device, view);
  return make_supply(options, Index(options.patterns, options.queries, NfaWalk::staged).view());
}

}  // namespace basesweep::ac_nfa
