#include "lib/api/read_calls.hpp"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <limits>

#include "lib/api/call.hpp"
#include "lib/base/error.hpp"
#include "lib/pipeline/workers.hpp"
#include "lib/reads/read_source.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kReadsOfStretch = 2048;  // even: pairs are whole

// The block that reads in memory are of, which has no text.
const RawBlock& memory_block() {
  static const RawBlock block;
  return block;
}

}  // namespace

void over_reads(std::span<const NamedRead> reads, bool paired, int threads,
                const std::function<void(std::size_t begin, std::size_t end)>& work) {
  check_pairs(reads, paired);
  const std::size_t stretches = (reads.size() + kReadsOfStretch - 1) / kReadsOfStretch;
  const auto do_stretch = [&](std::size_t i) {
    work(i * kReadsOfStretch, std::min((i + 1) * kReadsOfStretch, reads.size()));
  };
  const int useful = static_cast<int>(std::min(static_cast<std::size_t>(threads), stretches));
  if (useful > 1) {
    on_workers(useful, [&] { tbb::parallel_for(std::size_t{0}, stretches, do_stretch); });
  } else {
    for (std::size_t i = 0; i < stretches; ++i) do_stretch(i);
  }
}

void check_pairs(std::span<const NamedRead> reads, bool paired) {
  if (paired && reads.size() % 2 != 0) throw UsageError("an odd number of reads: pairs are mates by turns");
}

ReadList list_of(std::span<const NamedRead> reads, bool paired) {
  ReadList list;
  list.paired = paired;
  list.raw.paths = {kReadsInMemory};
  list.reads.reserve(reads.size());
  for (const NamedRead& read : reads) {
    const InputRead& added = list.reads.emplace_back(
        InputRead{read.name, read.name, read.name, read.bases, read.qualities, &memory_block()});
    if (read.bases.size() > std::numeric_limits<std::uint32_t>::max())
      throw list.fault(added, "it has 2^32 bases or more");
    if (!read.qualities.empty() && read.qualities.size() != read.bases.size()) {
      throw list.fault(added,
                       fmt::format("it has {} bases and {} qualities", read.bases.size(), read.qualities.size()));
    }
    list.bases += read.bases.size();
  }
  return list;
}

void read_files(const std::vector<std::string>& paths,
                const std::function<void(std::span<const NamedRead> reads)>& take, const ReadFileOptions& options) {
  if (!take) throw UsageError("no function to take reads");
  if (paths.empty()) throw UsageError("no input file");
  ReadSourceOptions reading{.paths = paths,
                            .mate_paths = options.second_paths,
                            .interleaved = options.interleaved,
                            .threads = threads_of(options)};
  reading.alignments.keep_empty = true;
  reading.alignments.unaligned_only = !options.drop_alignment;
  ReadSource source(std::move(reading));
  const bool paired = source.interleaved() || !options.second_paths.empty();
  std::vector<NamedRead> reads;
  while (std::optional<RawReads> raw = source.next()) {
    const ReadList list = list_reads(std::move(*raw), paired);
    reads.clear();
    for (const InputRead& read : list.reads) reads.push_back({read.name, read.bases, read.quality});
    if (!reads.empty()) take(reads);
    if (list.error) std::rethrow_exception(list.error);
  }
}

}  // namespace basesweep
