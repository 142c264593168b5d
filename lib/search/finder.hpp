// Finder: the interface between `map` and the kernels. It finds where reads end on the reference. make_finder() is
// defined in kernels/registry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/host_device.hpp"
#include "lib/search/algorithm.hpp"
#include "lib/search/device.hpp"
#include "lib/search/read_queries.hpp"
#include "lib/search/searcher_options.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp

// An end: position c of the reference such that some positions [s, c + 1) can be turned into a query by at most
// ReadQuery::edits edits. The edits of an end are the fewest over all s. Like Finds::ends (lib/search/matcher.hpp),
// ends depend on the planes only, where every position is A, C, G or T: letters such as N and record borders make true
// costs larger. So no end of an alignment is missing, but some ends turn out to belong to no alignment.
//
// 8 bytes, highest bits first: query (20 bits, index into ReadQueryView::queries), position c (32 bits, 0-based), edits
// (12 bits). Sorting integers sorts ends by query, then position.
using ReadEnd = std::uint64_t;

inline constexpr unsigned kEndEditsBits = 12;
inline constexpr std::uint32_t kMaxQueriesOfBatch = 1U << 20;

BASESWEEP_HD constexpr ReadEnd make_read_end(std::uint32_t query, std::uint32_t position, std::uint32_t edits) {
  return ReadEnd{query} << (32 + kEndEditsBits) | ReadEnd{position} << kEndEditsBits | edits;
}
constexpr std::uint32_t end_query(ReadEnd end) { return static_cast<std::uint32_t>(end >> (32 + kEndEditsBits)); }
constexpr std::uint32_t end_position(ReadEnd end) { return static_cast<std::uint32_t>(end >> kEndEditsBits); }
constexpr std::uint32_t end_edits(ReadEnd end) { return static_cast<std::uint32_t>(end & ((1U << kEndEditsBits) - 1)); }

// The positions of the reference that are searched for a query.
enum class Candidates {
  automatic,  // the index or all, whichever costs less, decided for each query
  index,      // those near an occurrence of a seed: of edits + 1 seeds, one has no edit; of fewer, one has few edits
  few_seeds,  // the same with as few seeds as may be; on a GPU like `index`
  sweep,      // all
};

// One reference, one algorithm, one device.
class Finder {
 public:
  // Takes the ends, sorted, of reads [first_read, end_read), or the exception that took their place. `end_read` is the
  // number of reads in the batch, or less when there are more than FinderOptions::max_ends ends, so that reads in
  // repeats do not fill the memory; it is at least first_read + 1, unless no read is left. The caller then submits the
  // rest. Called exactly once for each submit() that returns, from any thread, and never for a submit() that throws.
  // Must not throw.
  using Done = std::function<void(std::vector<ReadEnd>&& ends, std::uint32_t end_read, std::exception_ptr error)>;

  virtual ~Finder() = default;

  // Finds the ends of the reads from number `first_read` on; read i has queries 2 i and 2 i + 1. The data of `reads`
  // must live until `done` is called. On the CPU works on the calling thread and calls `done` before it returns; on a
  // GPU queues the reads and returns. Thread-safe.
  virtual void submit(const ReadQueryView& reads, std::uint32_t first_read, Done done) = 0;

  // For messages and reports: "index of 11-grams, bitsliced on cpu (avx2)".
  virtual std::string describe() const = 0;
  // How many bytes of FASTA or FASTQ text a batch of reads should come from.
  virtual std::size_t batch_bytes() const { return std::size_t{1} << 19; }
  // How many batches are worked on at once; 0: one on each thread that calls submit().
  virtual int slots() const { return 0; }
  // How many batches each device has searched, where several share them; else empty.
  virtual std::vector<DeviceBatches> batches() const { return {}; }
};

struct FinderOptions : SearcherOptions {
  Algorithm algorithm = Algorithm::automatic;  // or one of read_algorithms()
  Candidates candidates = Candidates::automatic;
  std::optional<ReadQuery> usual_read{};  // one as most are, if known: its length and edits
  // A finder stops before the next read when it has this many ends. One read may have more.
  std::size_t max_ends = std::size_t{1} << 21;
};

// Makes the finder and builds its index. `reference` holds all records, as BatcherOptions::approximate makes them, and
// must outlive the finder. Throws UsageError for an algorithm that is not in read_algorithms(), DeviceError when
// Device::gpu is chosen and none is usable or its memory does not suffice for the reference.
std::unique_ptr<Finder> make_finder(const PackedBatch& reference, const FinderOptions& options);

}  // namespace basesweep
