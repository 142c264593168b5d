#include "kernels/cpu_finder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/bitsliced/windows.hpp"
#include "kernels/choose_device.hpp"
#include "kernels/hmm/windows.hpp"
#include "kernels/myers/windows.hpp"
#include "kernels/scratch.hpp"
#include "kernels/seeds/candidates.hpp"
#include "lib/error.hpp"

namespace basesweep {
namespace {

// Windows that are worked on together: they fill the widest vectors some times over.
constexpr std::size_t kPortion = 4096;

// A group of bitsliced that has fewer windows than this part of its lanes takes longer than myers for the same windows.
// Measured: at 37 of 256 lanes (AVX2) and 20 of 128 (SSE4.2) both take as long for reads of 150 with 8 edits, at 24 and
// 12 for 40 with 2, at 64 and 40 for 1,000 with 50. Zen 3, one core, 2026-11-21.
constexpr std::uint32_t kFewParts = 6;

WindowScan scan_of(Algorithm algorithm, Isa isa) {
  switch (algorithm) {
    case Algorithm::automatic:
    case Algorithm::bitsliced: return bitsliced::window_scan(isa);
    case Algorithm::myers: return myers::window_scan(isa);
    case Algorithm::hmm: return hmm::window_scan(isa);
    default: break;
  }
  throw Error(kExitFailure, fmt::format("scan_of: {} is not for reads", to_string(algorithm)));
}

}  // namespace

CpuFinder::CpuFinder(const PackedBatch& reference, const FinderOptions& options)
    : text_(reference.view()),
      algorithm_(options.algorithm),
      candidates_(options.candidates),
      isa_(options.isa),
      most_ends_(options.most_ends),
      scan_(scan_of(options.algorithm, options.isa)),
      few_scan_(options.algorithm == Algorithm::automatic ? std::optional(myers::window_scan(options.isa))
                                                          : std::nullopt) {
  if (candidates_ != Candidates::sweep) index_.emplace(reference, options.threads);
}

std::string CpuFinder::describe() const {
  return fmt::format(
      "{}, {} on cpu ({})", index_ ? fmt::format("index of {}-grams", index_->view().gram) : std::string("sweep"),
      algorithm_ == Algorithm::automatic ? automatic_verifiers(Device::cpu) : to_string(algorithm_), to_string(isa_));
}

void CpuFinder::submit(const ReadBatch& reads, std::uint32_t first_read, Done done) {
  std::vector<ReadEnd> ends;
  std::exception_ptr error;
  std::uint32_t entry = 2 * first_read;
  try {
    ends = find(reads.sought(), entry);
  } catch (...) {
    error = std::current_exception();
  }
  done(std::move(ends), entry / 2, error);
}

std::vector<ReadEnd> CpuFinder::find(const SoughtView& reads, std::uint32_t& entry) const {
  const std::uint32_t first = entry;
  seeds::CandidateFinder candidates(reads, first, text_, index_ ? index_->view() : seeds::IndexView{}, candidates_);
  std::vector<ReadEnd> ends;
  std::vector<SoughtWindow> windows;
  EndCollector collector;
  // A read is done when both of its entries are.
  for (bool more = first != reads.entry_count; more && (ends.size() < most_ends_ || entry < first + 2);) {
    windows.clear();
    more = candidates.next(windows, kPortion);
    const WindowGroups groups(reads, windows, scan_.lanes);
    search(groups, reads, collector);
    collector.flush(groups.windows(), ends);
    entry = candidates.end_entry() / 2 * 2;
  }
  while (!ends.empty() && end_entry(ends.back()) >= entry) ends.pop_back();
  return ends;
}

void CpuFinder::search(const WindowGroups& groups, const SoughtView& reads, EndSink& sink) const {
  const auto run = [&](const WindowScan& scan, const WindowGroup& group) {
    scan.run(reads, text_, group, thread_scratch(scan.scratch_words(group)), sink);
  };
  for (const WindowGroup& group : groups.groups()) {
    if (!few_scan_ || group.count > scan_.lanes / kFewParts) {
      run(scan_, group);
      continue;
    }
    for (std::uint32_t i = 0; i < group.count; i += few_scan_->lanes) {
      run(*few_scan_, groups.part(group, i, few_scan_->lanes));
    }
  }
}

}  // namespace basesweep
