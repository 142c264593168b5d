// The self-test: compares every algorithm on every device with the plain oracle, on small random text, in seconds.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cuda/describe.hpp"
#include "lib/guides/guide_finder.hpp"
#include "lib/search/barcode_scorer.hpp"
#include "lib/search/finder.hpp"
#include "lib/search/make_matcher.hpp"

namespace basesweep {

class PackedBatch;  // lib/search/packed_batch.hpp
class PatternSet;   // lib/search/pattern_set.hpp

// The device that a test runs on: the CPU with one instruction set, or a GPU.
struct TestedDevice {
  Device device = Device::cpu;
  Isa isa = kIsas.front();  // also for the work that a GPU leaves to the CPU
  int gpu = 0;

  std::string name() const;  // "cpu avx2", "gpu 0"
};

// The devices to test: the CPU with each instruction set (unless GPUs are chosen), and every usable GPU (automatic) or
// those that are chosen (gpu). The work that a GPU leaves to the CPU uses the last instruction set.
std::vector<TestedDevice> tested_devices(const DeviceChoice& chosen, const std::vector<Isa>& isas,
                                         const std::vector<cuda::GpuInfo>& gpus);

enum class Verdict {
  ok,
  declined,  // the algorithm takes none of the pattern sets; never for `auto`
  failed,    // a wrong or missing hit, or an exception
  not_run,   // the device or the files were missing
};

struct TestRow {
  std::string command;    // "motif", "match", "demux" ... or "files" for whole runs
  std::string algorithm;  // "planes", "hmm, index"
  std::string device;
  Verdict verdict = Verdict::ok;
  int sets = 0;               // number of pattern sets, read sets or files compared
  std::string reason = {};    // why a set was declined, what differs, or why the test did not run
  std::string repeat = {};    // for a failure: the command that shows it again
  bool lacks_device = false;  // not run because the GPU could not run it, such as for lack of memory
};

struct SelfTest {
  std::uint64_t seed = 1;  // for texts and patterns
  std::vector<TestedDevice> devices;
  // Factories of matchers and finders; tests of the self-test pass faulty ones.
  std::function<std::unique_ptr<Matcher>(const PatternSet&, const MatcherOptions&)> matcher =
      [](const PatternSet& patterns, const MatcherOptions& options) { return make_matcher(patterns, options); };
  std::function<std::unique_ptr<Finder>(const PackedBatch&, const FinderOptions&)> finder =
      [](const PackedBatch& reference, const FinderOptions& options) { return make_finder(reference, options); };
  std::function<std::unique_ptr<GuideFinder>(const GuideSet&, const GuideFinderOptions&)> guide_finder =
      [](const GuideSet& guides, const GuideFinderOptions& options) { return make_guide_finder(guides, options); };
  std::function<std::unique_ptr<BarcodeScorer>(const FlankedBarcodes&, const BarcodeScorerOptions&)> barcode_scorer =
      [](const FlankedBarcodes& barcodes, const BarcodeScorerOptions& options) {
        return make_barcode_scorer(barcodes, options);
      };
};

// Runs all tests. `motif`: hits and counts of sets with and without IUPAC codes, in text with all allowed letters, cut
// at awkward places. `pwm`: the same of weight matrices. `guides`: places of guides, and their sums. `match`: ends of
// primers, guides and long patterns. `map`: ends of reads, by index and by sweep. `demux`: the edits of barcodes in
// ends of reads. `trim` and `count`, on the CPU only: where adapters are cut, and which guides reads count for.
// `files`: the output of `motif` and `match` for a plain, a gzip and a BGZF file, with `auto`. Throws UsageError if a
// setting is wrong.
std::vector<TestRow> run_self_test(const SelfTest& test);

}  // namespace basesweep
