// Matcher: the interface between the pipeline and the kernels.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory_resource>
#include <string>
#include <vector>

#include "lib/search/device.hpp"

namespace basesweep {

struct MatchResult;  // lib/search/match_result.hpp
class PackedBatch;   // lib/search/packed_batch.hpp

// One algorithm, one pattern set, one device.
//
// Finds::starts (exact search, !PatternSet::approximate()): every position s in [own_begin, own_end) of the batch such
// that positions [s, s + length) match a query and touch no blocked position, exactly once.
//
// Finds::ends (approximate search): every position c of the whole batch, own or halo, where an alignment ends, that is:
// some positions [s, c + 1) can be turned into the query by at most k = Query::limits.edits edits (`hamming`, and
// `neighbors` for a query without indels: by at most k mismatches, so that s = c + 1 - length). This looks at the
// planes alone, where every position is A, C, G or T. Letters such as N, record borders, clamps and other limits only
// make true costs larger; they are applied when ends are resolved to hits (lib/align/resolver.hpp). `neighbors` may
// leave out ends that break clamps. No hit is lost. Kernels may report an end several times; a MatchResult has it once.
class Matcher {
 public:
  // Takes the result, or the exception that took its place. Called exactly once for each submit() that returns, from
  // any thread, and never for a submit() that throws. Must not throw.
  using Done = std::function<void(MatchResult&& result, std::exception_ptr error)>;

  virtual ~Matcher() = default;

  // Searches a batch, which must live until `done` is called. A CPU matcher works on the calling thread and calls
  // `done` before it returns; a GPU matcher queues the batch and returns. Thread-safe. Where occurrences are listed and
  // there are more than PackedBatch::max_occurrences, the result may say so instead (MatchResult::too_many).
  virtual void submit(const PackedBatch& batch, Done done) = 0;

  // For messages and reports: "planes on cpu (avx2)".
  virtual std::string describe() const = 0;
  // The memory that the planes of batches should lie in: pinned memory for a GPU. Lives as long as the matcher.
  virtual std::pmr::memory_resource* memory() { return std::pmr::get_default_resource(); }
  // How many positions of its own the next batch should have. Thread-safe.
  virtual std::uint32_t batch_positions() const { return 1U << 20; }
  // How many batches are worked on at once; 0: one on each thread that calls submit().
  virtual int slots() const { return 0; }
  // How many batches each device has searched, where several share them; else empty.
  virtual std::vector<DeviceBatches> batches() const { return {}; }
};

}  // namespace basesweep
