// Every algorithm on every device against the plain oracle, on small random text, in seconds.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cuda/describe.hpp"
#include "lib/finder.hpp"
#include "lib/matcher.hpp"

namespace basesweep {

// Where matchers are made: on the CPU with an instruction set, or on a GPU.
struct TestedDevice {
  Device device = Device::cpu;
  Isa isa = Isa::sse42;  // also of what a GPU leaves to the CPU
  int gpu = 0;

  std::string name() const;  // "cpu avx2", "gpu 0"
};

// The CPU with each of these instruction sets, of which the last is also what GPUs leave to the CPU; with `automatic`
// every usable GPU, with `gpu` the one asked for, if it is usable.
std::vector<TestedDevice> tested_devices(Device device, int gpu, const std::vector<Isa>& isas,
                                         const std::vector<cuda::GpuInfo>& gpus);

enum class Verdict {
  ok,
  declined,  // the algorithm takes none of the sets of patterns; never of `auto`
  failed,    // something was found that is not there, or missed, or thrown
  not_run,   // for want of something else
};

struct TestRow {
  std::string command;    // "motif", "match", "map", or "files": from files to bytes
  std::string algorithm;  // "planes", "hmm, index"
  std::string device;
  Verdict verdict = Verdict::ok;
  int sets = 0;               // of patterns or reads, or files, compared
  std::string reason = {};    // why a set was declined, what differs, why it did not run
  std::string repeat = {};    // of one that failed: the command that shows it again
  bool lacks_device = false;  // of one that did not run: the GPU could not, say for want of memory
};

struct SelfTest {
  std::uint64_t seed = 1;  // of texts and patterns
  std::vector<TestedDevice> devices;
  // What makes matchers and finders; a test puts those that err here.
  std::function<std::unique_ptr<Matcher>(const PatternSet&, const MatcherOptions&)> matcher =
      [](const PatternSet& patterns, const MatcherOptions& options) { return make_matcher(patterns, options); };
  std::function<std::unique_ptr<Finder>(const PackedBatch&, const FinderOptions&)> finder =
      [](const PackedBatch& reference, const FinderOptions& options) { return make_finder(reference, options); };
};

// `motif`: hits and counts of sets with and without IUPAC codes, in text with all that may stand there, cut where it
// hurts. `match`: ends of primers, guides and long patterns. `map`: ends of reads, by index and by sweep. `files`: what
// `motif` and `match` write for a plain, a gzip and a BGZF file, with `auto`. Throws UsageError where a setting is
// wrong.
std::vector<TestRow> run_self_test(const SelfTest& test);

}  // namespace basesweep
