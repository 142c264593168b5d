// The one interface between the pipeline and the kernels. make_matcher() is defined in kernels/.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/hit.hpp"
#include "lib/isa.hpp"
#include "lib/packed_batch.hpp"
#include "lib/pattern_set.hpp"

namespace basesweep {

enum class Algorithm {
  automatic,
  planes,
  drk2s,
  ac_dfa,
  ac_nfa,
  set_horspool,
  sbom,
  wu_manber,
  sog,
  crk,
  drk,
  drk_wom32,
  drk_wom64,
  hrk,
  qgrams,
  hmm,
  myers,
  bitsliced,
  pigeonhole,
  hamming
};
enum class Device { automatic, cpu, gpu };
enum class Output { hits, counts };

// One algorithm, one pattern set, one device.
//
// Exact search (PatternSet::approximate() false): finds the starts that the batch owns.
// Approximate search: finds the last columns of all ends in the batch, be they its own or not. Column c is an end of an
// entry of length m and k = limits.edits when, over the batch's planes taken as one text of A, C, T and G, some
// columns [s, c + 1) can be turned into the entry by at most k edits (`hamming`: by at most k mismatches, so that
// s = c + 1 - m). Blocked columns, record borders, clamps and single limits only make true costs larger: they are
// looked at when ends are resolved to hits (lib/align/resolver.hpp), so no end of a hit is lost.
class Matcher {
 public:
  // Gets the result, or the exception that took its place. Called exactly once for each submit that returns, from any
  // thread; never for one that throws. Does not throw.
  using Done = std::function<void(MatchResult&& result, std::exception_ptr error)>;

  virtual ~Matcher() = default;

  // Matches a batch; the batch must live until `done` is called. A CPU matcher works on the calling thread and calls
  // `done` before it returns; a GPU matcher queues and returns.
  virtual void submit(const PackedBatch& batch, Done done) = 0;

  // "planes on cpu (avx2)"
  virtual std::string describe() const = 0;
  // Where the planes of batches for this matcher should lie.
  virtual std::pmr::memory_resource* memory() { return std::pmr::get_default_resource(); }
  // Columns a batch should have.
  virtual std::uint32_t batch_columns() const { return 1U << 20; }
  // Batches that can be worked on at once, or 0: as many as there are threads.
  virtual int slots() const { return 0; }
};

struct MatcherOptions {
  Algorithm algorithm = Algorithm::automatic;
  Device device = Device::automatic;
  int gpu = 0;
  Output output = Output::hits;
  Isa isa = best_isa();
  // How many bases the input is expected to hold, where known; `automatic` weighs it.
  std::optional<std::int64_t> expected_bases;
  int threads = 1;
  // Told why `automatic` chose what it chose.
  std::function<void(const std::string&)> log = [](const std::string&) {};
};

// Throws UsageError when an algorithm asked for by name declines a pattern, DeviceError when a GPU is asked for and
// none is usable. `patterns` must outlive the matcher.
std::unique_ptr<Matcher> make_matcher(const PatternSet& patterns, const MatcherOptions& options);

// Every algorithm but `automatic`, those that search exactly and those that find ends.
const std::vector<Algorithm>& exact_algorithms();
const std::vector<Algorithm>& approximate_algorithms();

const char* to_string(Algorithm algorithm);
const char* to_string(Device device);

// The device that "auto", "cpu", "gpu" or "gpu:N" names, and N; nothing for another text.
std::optional<std::pair<Device, int>> device_named(const std::string& text);

}  // namespace basesweep
