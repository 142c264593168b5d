#include "tests/support/batches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>

#include "lib/packer/batcher.hpp"

namespace support {

using namespace basesweep;

Chunking random_chunking(Random& random, std::size_t bases) {
  Chunking chunking;
  chunking.line_width = random.chance(20) ? 1U << 20 : random.between(1, 130);
  chunking.crlf = random.chance(20);
  chunking.final_newline = random.chance(80);
  chunking.cut_seed = random.bits();
  chunking.most_block_bytes = random.chance(40) ? 1U << 20 : random.between(1, 600);
  // Tiny batches only for tiny texts: each costs its halo.
  const std::size_t least = bases / 100 + 1;
  if (random.chance(60)) {
    const std::uint64_t power = std::uint64_t{1} << random.below(13);
    chunking.batch_columns = static_cast<std::uint32_t>(std::max<std::uint64_t>(power + random.below(3), 2) - 1);
  } else {
    chunking.batch_columns = static_cast<std::uint32_t>(random.between(1, random.chance(50) ? 200 : 5000));
  }
  if (chunking.batch_columns < least) chunking.batch_columns += static_cast<std::uint32_t>(least);
  return chunking;
}

std::string literal(const Chunking& c) {
  return fmt::format(
      "support::Chunking{{.line_width = {}, .crlf = {}, .final_newline = {}, .cut_seed = {}U, .most_block_bytes = {}, "
      ".batch_columns = {}}}",
      c.line_width, c.crlf, c.final_newline, c.cut_seed, c.most_block_bytes, c.batch_columns);
}

std::string record_name(std::size_t record) { return fmt::format("r{}", record); }

std::string fasta_text(const std::vector<std::string>& records, const Chunking& chunking, std::size_t first) {
  const std::string line_end = chunking.crlf ? "\r\n" : "\n";
  std::string text;
  for (std::size_t r = 0; r < records.size(); ++r) {
    text += fmt::format(">{}{}{}", record_name(first + r), r % 3 == 1 ? " ACGT of no account" : "", line_end);
    for (std::size_t at = 0; at < records[r].size(); at += chunking.line_width) {
      text += records[r].substr(at, chunking.line_width) + line_end;
    }
  }
  if (!chunking.final_newline && !text.empty()) text.resize(text.size() - line_end.size());
  return text;
}

std::vector<RawBlock> cut_blocks(const std::string& text, const Chunking& chunking) {
  Random random(chunking.cut_seed);
  std::vector<RawBlock> blocks;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.size(), begin + random.between(1, chunking.most_block_bytes));
    const std::size_t line = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;  // begin of the line that the cut is in
    if (line < end && text[line] == '>') end = std::min(text.find('\n', end), text.size() - 1) + 1;
    RawBlock block;
    block.number = blocks.size();
    block.file_offset = static_cast<std::int64_t>(begin);
    block.inside_line = begin != 0 && text[begin - 1] != '\n';
    block.bytes.assign(text.begin() + static_cast<std::ptrdiff_t>(begin),
                       text.begin() + static_cast<std::ptrdiff_t>(end));
    block.size = block.bytes.size();
    blocks.push_back(std::move(block));
    begin = end;
  }
  return blocks;
}

Batches make_batches(const std::vector<std::string>& records, const Chunking& chunking, const PackerOptions& packing,
                     std::uint32_t max_length, std::pmr::memory_resource* memory) {
  Batches batches;
  // A left halo, which exact matchers have no use for, must not matter to them.
  BatcherOptions options;
  options.batch_columns = chunking.batch_columns;
  options.max_length = max_length;
  options.halo_left = static_cast<std::uint32_t>(chunking.cut_seed % 3 == 0 ? chunking.cut_seed / 3 % 100 : 0);
  options.halo_right = max_length - 1;
  options.memory = memory;
  Batcher batcher(options, {"text.fa"},
                  [&](std::unique_ptr<PackedBatch> batch) { batches.push_back(std::move(batch)); });
  for (const RawBlock& raw : cut_blocks(fasta_text(records, chunking), chunking)) batcher.add(pack(raw, packing));
  batcher.finish();
  return batches;
}

namespace {

std::vector<MatchResult> match_these(Matcher& matcher, const std::vector<const PackedBatch*>& batches) {
  std::vector<MatchResult> results(batches.size());
  std::vector<int> calls(batches.size());
  std::exception_ptr first_error;
  std::mutex mutex;
  std::condition_variable all_done;
  std::size_t left = batches.size();
  for (std::size_t i = 0; i < batches.size(); ++i) {
    matcher.submit(*batches[i], [&, i](MatchResult&& result, std::exception_ptr error) {
      const std::lock_guard lock(mutex);
      if (++calls[i] > 1) {
        first_error = std::make_exception_ptr(std::logic_error("a batch was answered twice"));
        return;
      }
      results[i] = std::move(result);
      if (error && !first_error) first_error = error;
      if (--left == 0) all_done.notify_all();
    });
  }
  std::unique_lock lock(mutex);
  all_done.wait(lock, [&] { return left == 0; });
  if (first_error) std::rethrow_exception(first_error);
  return results;
}

}  // namespace

std::vector<MatchResult> match_all(Matcher& matcher, const Batches& batches) {
  std::vector<const PackedBatch*> all;
  for (const std::unique_ptr<PackedBatch>& batch : batches) all.push_back(batch.get());
  return match_these(matcher, all);
}

MatchResult match(Matcher& matcher, const PackedBatch& batch) {
  return std::move(match_these(matcher, {&batch}).front());
}

}  // namespace support
