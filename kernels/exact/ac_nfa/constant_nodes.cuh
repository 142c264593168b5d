// Nodes in a GPU's constant memory (Charan 2015, section 4.4), for the comparison with shared memory only.
//
// Constant memory serves a warp in one step if all its threads read the same word, and otherwise word by word.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>

#include "kernels/cuda/buffer.hpp"
#include "kernels/exact/ac_nfa/index.hpp"

namespace basesweep::ac_nfa {

inline constexpr std::size_t kConstantBytes = std::size_t{64} << 10;  // all that kernels can have

// The words of narrow nodes, then first_child, two in a word.
static __constant__ std::uint32_t constant_table[kConstantBytes / sizeof(std::uint32_t)];

// NarrowNodes in constant memory.
struct ConstantNodes {
  using Word = std::uint32_t;
  std::uint32_t first_child;  // the word of constant_table where they begin

  template <class Fetch>
  __device__ Word word(std::uint32_t number) const {
    return constant_table[number];
  }
  template <class Fetch>
  __device__ std::uint32_t child(std::uint32_t number, Word word) const {
    const std::uint32_t base = number / kNodesOfBase;
    return (constant_table[first_child + base / 2] >> 16 * (base % 2) & 0xffffU) + (word >> 5 & 0x7ffU);
  }
  static __device__ std::uint32_t link(Word word) { return word >> 16; }
};

// Owns the constant memory of a GPU, which holds one automaton at a time.
class ConstantMemory {
 public:
  // Copies the automaton there. Returns nothing if it does not fit, or if another automaton is there.
  static std::unique_ptr<ConstantMemory> take(int gpu, const IndexView& view) {
    if (view.narrow == nullptr) return nullptr;
    const std::size_t words = view.narrow_words().size_bytes();
    const std::size_t first_children = view.first_children().size_bytes();
    if (words + first_children > kConstantBytes) return nullptr;
    {
      const std::lock_guard lock(mutex());
      if (!taken().insert(gpu).second) return nullptr;
    }
    std::unique_ptr<ConstantMemory> memory(new ConstantMemory(gpu));
    BASESWEEP_CUDA(cudaMemcpyToSymbol(constant_table, view.narrow, words));
    BASESWEEP_CUDA(cudaMemcpyToSymbol(constant_table, view.first_child, first_children, words));
    BASESWEEP_CUDA(cudaStreamSynchronize(nullptr));  // as in DeviceTables::put()
    return memory;
  }
  ~ConstantMemory() {
    const std::lock_guard lock(mutex());
    taken().erase(gpu_);
  }
  ConstantMemory(const ConstantMemory&) = delete;
  ConstantMemory& operator=(const ConstantMemory&) = delete;

 private:
  explicit ConstantMemory(int gpu) : gpu_(gpu) {}

  static std::mutex& mutex() {
    static std::mutex mutex;
    return mutex;
  }
  static std::set<int>& taken() {  // the GPUs whose memory has an owner
    static std::set<int> gpus;
    return gpus;
  }

  const int gpu_;
};

}  // namespace basesweep::ac_nfa
