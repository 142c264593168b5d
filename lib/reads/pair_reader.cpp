#include "lib/reads/pair_reader.hpp"

#include <fmt/format.h>

#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/stream_names.hpp"

namespace basesweep {
namespace {

std::vector<std::string> all_paths(const ReadSourceOptions& options) {
  std::vector<std::string> paths = options.paths;
  paths.insert(paths.end(), options.mate_paths.begin(), options.mate_paths.end());
  return paths;
}

}  // namespace

PairReader::PairReader(ReadSourceOptions options) : source_(options), paths_(all_paths(options)) {
  if (!options.mate_paths.empty() || source_.interleaved() || source_.first_block() == nullptr) return;
  const std::vector<SourceInfo> sources = source_.sources();
  if (!sources.empty() && sources.front().alignments) {
    throw UsageError(fmt::format(
        "{0}: its first read is not one of a pair (FLAG 1), so its reads are taken for single ones: without "
        "--pairs they are searched as such; if others are pairs, 'samtools view -u -f 1 {0} | basesweep ...' "
        "gives those only",
        sources.front().path));
  }
  throw UsageError(
      fmt::format("{}: its reads are not known to be pairs; pairs are given by -1 and -2, by --interleaved, or by SAM, "
                  "BAM or CRAM with FLAG 1",
                  name_of_all(paths_)));
}

std::optional<RawBlock> PairReader::next() {
  std::optional<RawReads> reads = source_.next();
  if (!reads) return std::nullopt;
  RawBlock block;
  block.number = reads->number;
  block.source = reads->first.front().block->source;
  block.format = reads->first.front().block->format;
  block.first = std::move(reads->first);
  block.second = std::move(reads->second);
  block.size = reads->text_bytes;
  return block;
}

const std::vector<SourceInfo>& PairReader::sources() const { return sources_ = source_.sources(); }

}  // namespace basesweep
