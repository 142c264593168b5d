// The interface between `map` and the kernels: finds where reads end on the reference. make_finder() is defined in
// kernels/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/host_device.hpp"
#include "lib/isa.hpp"
#include "lib/matcher.hpp"
#include "lib/packed_batch.hpp"
#include "lib/reads/read_batch.hpp"

namespace basesweep {

// An end: some columns [s, c + 1) of the reference's planes, taken as one text of A, C, T and G, can be turned into the
// entry by at most its edits; the least number of edits over all s is the end's. As for Matcher, letters that are no
// base, and record borders, only make true costs larger. No end of an alignment is missing; an end that only such
// letters' codes make one may be.
//
// 8 bytes, highest bits first: entry (20 bits), column c (32), edits (12). Integer order is that of entry and column.
using ReadEnd = std::uint64_t;

inline constexpr unsigned kEndEditsBits = 12;
inline constexpr std::uint32_t kMostEntriesOfBatch = 1U << 20;

BASESWEEP_HD constexpr ReadEnd make_read_end(std::uint32_t entry, std::uint32_t column, std::uint32_t edits) {
  return ReadEnd{entry} << (32 + kEndEditsBits) | ReadEnd{column} << kEndEditsBits | edits;
}
constexpr std::uint32_t end_entry(ReadEnd end) { return static_cast<std::uint32_t>(end >> (32 + kEndEditsBits)); }
constexpr std::uint32_t end_column(ReadEnd end) { return static_cast<std::uint32_t>(end >> kEndEditsBits); }
constexpr std::uint32_t end_edits(ReadEnd end) { return static_cast<std::uint32_t>(end & ((1U << kEndEditsBits) - 1)); }

// Where ends are looked for.
enum class Candidates {
  automatic,  // what costs less, for each entry
  index,      // where a piece of the entry occurs exactly: of edits + 1 pieces one has no edit
  sweep,      // everywhere
};

// One reference, one algorithm, one device.
class Finder {
 public:
  // Gets all ends, sorted, of the reads from the one asked for up to `end_read`, or the exception that took their
  // place. Those are all reads of the batch, unless their ends are more than FinderOptions::most_ends; then fewer, but
  // at least one, so that ends of reads in repeats do not fill the memory. Called exactly once for each submit that
  // returns, from any thread; never for one that throws. Does not throw.
  using Done = std::function<void(std::vector<ReadEnd>&& ends, std::uint32_t end_read, std::exception_ptr error)>;

  virtual ~Finder() = default;

  // The batch must live until `done` is called. On the CPU works on the calling thread and calls `done` before it
  // returns; on a GPU queues and returns. Thread-safe.
  virtual void submit(const ReadBatch& reads, std::uint32_t first_read, Done done) = 0;

  // "index of 11-grams, bitsliced on cpu (avx2)"
  virtual std::string describe() const = 0;
  // Text that a batch of reads should hold.
  virtual std::size_t batch_bytes() const { return std::size_t{1} << 19; }
  // Batches that can be worked on at once, or 0: as many as there are threads.
  virtual int slots() const { return 0; }
};

struct FinderOptions {
  Algorithm algorithm = Algorithm::automatic;  // of read_algorithms()
  Candidates candidates = Candidates::automatic;
  Device device = Device::automatic;
  int gpu = 0;
  Isa isa = best_isa();
  std::optional<std::int64_t> expected_bases;    // of the reads, where known; `automatic` weighs it
  int threads = 1;                               // that may build the index
  std::size_t most_ends = std::size_t{1} << 21;  // of several reads together; of one there may be more
  std::function<void(const std::string&)> log = [](const std::string&) {};
};

// `reference` holds all records, approximate (see BatcherOptions), and must outlive the finder. Builds the index.
// Throws UsageError for an algorithm that is not for reads, DeviceError when a GPU is asked for and none is usable or
// its memory does not suffice for the reference.
std::unique_ptr<Finder> make_finder(const PackedBatch& reference, const FinderOptions& options);

// Those that find ends of reads: hmm, myers, bitsliced.
const std::vector<Algorithm>& read_algorithms();

}  // namespace basesweep
