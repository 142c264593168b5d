#include "kernels/reads/cpu_finder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/cpu/scratch.hpp"
#include "kernels/reads/seeds/candidates.hpp"
#include "lib/base/threads.hpp"

namespace basesweep {
namespace {

// Windows that are worked on together: enough to fill the widest vectors several times.
constexpr std::size_t kPortion = 4096;

// So few bytes that every thread gets some of a few reads: short ones with many edits take long.
std::size_t bytes_of_batch(const FinderOptions& options, std::size_t usual) {
  constexpr std::int64_t kMinBytes = 1 << 14;
  if (!options.expected_bases) return usual;
  const std::int64_t share = share_of_batch(*options.expected_bases, options.threads);
  return static_cast<std::size_t>(std::clamp(share, kMinBytes, static_cast<std::int64_t>(usual)));
}

}  // namespace

CpuFinder::CpuFinder(const PackedBatch& reference, const FinderOptions& options, CpuVerifiers verifiers)
    : text_(reference.view()),
      candidates_(options.candidates),
      isa_(options.isa),
      max_ends_(options.max_ends),
      batch_bytes_(bytes_of_batch(options, Finder::batch_bytes())),
      verifiers_(std::move(verifiers)) {
  if (candidates_ != Candidates::sweep) index_.emplace(reference, options.threads);
}

std::string CpuFinder::describe() const {
  return fmt::format("{}, {} on cpu ({})",
                     index_ ? fmt::format("index of {}-grams", index_->view().gram) : std::string("sweep"),
                     verifiers_.name, to_string(isa_));
}

void CpuFinder::submit(const ReadQueryView& reads, std::uint32_t first_read, Done done) {
  std::vector<ReadEnd> ends;
  std::exception_ptr error;
  std::uint32_t query = 2 * first_read;
  try {
    ends = find(reads, query);
  } catch (...) {
    error = std::current_exception();
  }
  done(std::move(ends), query / 2, error);
}

std::vector<ReadEnd> CpuFinder::find(const ReadQueryView& reads, std::uint32_t& query) const {
  const std::uint32_t first = query;
  seeds::CandidateFinder candidates(reads, first, text_, index_ ? index_->view() : seeds::IndexView{}, candidates_);
  std::vector<ReadEnd> ends;
  std::vector<QueryWindow> windows;
  EndCollector collector;
  // A read is done when both of its strands are.
  for (bool more = first != reads.query_count; more && (ends.size() < max_ends_ || query < first + 2);) {
    windows.clear();
    more = candidates.next(windows, kPortion);
    const WindowGroups groups(reads, windows, verifiers_.scan.lanes);
    search(groups, reads, collector);
    collector.flush(groups.windows(), ends);
    query = candidates.end_query() / 2 * 2;
  }
  while (!ends.empty() && end_query(ends.back()) >= query) ends.pop_back();
  return ends;
}

void CpuFinder::search(const WindowGroups& groups, const ReadQueryView& reads, EndSink& sink) const {
  const auto run = [&](const WindowScan& scan, const WindowGroup& group) {
    scan.run(reads, text_, group, thread_scratch(scan.scratch_words(group)), sink);
  };
  for (const WindowGroup& group : groups.groups()) {
    const std::optional<WindowScan>& few_scan = verifiers_.few_scan;
    if (!few_scan || group.count > verifiers_.few_windows) {
      run(verifiers_.scan, group);
      continue;
    }
    for (std::uint32_t i = 0; i < group.count; i += few_scan->lanes)
      run(*few_scan, groups.part(group, i, few_scan->lanes));
  }
}

}  // namespace basesweep
