// Matcher: the interface between the pipeline and the kernels. make_matcher() is defined in kernels/registry.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/isa.hpp"
#include "lib/search/device.hpp"
#include "lib/search/hit.hpp"
#include "lib/search/packed_batch.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {

struct StoredTables;  // lib/search/stored_tables.hpp
struct TextSample;    // lib/search/text_sample.hpp

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
  hamming,
  neighbors
};

// The content of a MatchResult. Counts are for Finds::starts only: the number of hits at ends is not known before they
// are resolved.
enum class Output { occurrences, counts };

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

struct MatcherOptions {
  Algorithm algorithm = Algorithm::automatic;
  Device device = Device::automatic;
  std::vector<int> gpus{0};  // for Device::gpu: see DeviceChoice; Device::automatic uses the first
  Output output = Output::occurrences;
  Isa isa = best_isa();  // of the CPU
  // How many bases the input is expected to hold, if known. Device::automatic weighs the search against the start of a
  // GPU with it; where it is not known, by how long the search has taken.
  std::optional<std::int64_t> expected_bases{};
  int threads = 1;  // threads that will call submit()
  // The most memory for the table of a large set (neighbors); nothing: default_table_bytes(). Where it does not suffice
  // for the best table, another one or another algorithm is taken.
  std::optional<std::uint64_t> table_bytes{};
  // Tables for these patterns that were built before; null: none. They live longer than the matcher.
  const StoredTables* tables = nullptr;
  // A sample of the text; null: it is taken for random. Automatic choices for exact search on the CPU depend on it.
  // Lives as long as make_matcher() runs.
  const TextSample* text = nullptr;
  // Called with the reasons for automatic choices.
  std::function<void(const std::string&)> log = [](const std::string&) {};
};

// Makes the matcher; `patterns` must outlive it. Throws UsageError when an algorithm chosen by name cannot take a
// pattern, DeviceError when Device::gpu is chosen and
// a GPU is not usable.
std::unique_ptr<Matcher> make_matcher(const PatternSet& patterns, const MatcherOptions& options);

// The algorithms for exact and for approximate search, in the order of the enum, without `automatic`.
const std::vector<Algorithm>& exact_algorithms();
const std::vector<Algorithm>& approximate_algorithms();

const char* to_string(Algorithm algorithm);

}  // namespace basesweep
