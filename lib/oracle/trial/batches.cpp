#include "lib/oracle/trial/batches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>

#include "lib/packer/batcher.hpp"

namespace trial {

using namespace basesweep;

Cuts random_cuts(Random& random, std::size_t bases) {
  Cuts cuts;
  cuts.line_width = random.chance(20) ? 1U << 20 : random.between(1, 130);
  cuts.crlf = random.chance(20);
  cuts.final_newline = random.chance(80);
  cuts.cut_seed = random.bits();
  cuts.max_block_bytes = random.chance(40) ? 1U << 20 : random.between(1, 600);
  // A batch costs its halo however small it is, so only small texts get tiny batches.
  const std::size_t min_positions = bases / 100 + 1;
  if (random.chance(60)) {
    const std::uint64_t power = std::uint64_t{1} << random.below(13);
    cuts.batch_positions = static_cast<std::uint32_t>(std::max<std::uint64_t>(power + random.below(3), 2) - 1);
  } else {
    cuts.batch_positions = static_cast<std::uint32_t>(random.between(1, random.chance(50) ? 200 : 5000));
  }
  if (cuts.batch_positions < min_positions) cuts.batch_positions += static_cast<std::uint32_t>(min_positions);
  return cuts;
}

std::string literal(const Cuts& c) {
  return fmt::format(
      "trial::Cuts{{.line_width = {}, .crlf = {}, .final_newline = {}, .cut_seed = {}U, .max_block_bytes = {}, "
      ".batch_positions = {}}}",
      c.line_width, c.crlf, c.final_newline, c.cut_seed, c.max_block_bytes, c.batch_positions);
}

std::string record_name(std::size_t record) { return fmt::format("r{}", record); }

std::string fasta_text(const std::vector<std::string>& records, const Cuts& cuts, std::size_t first) {
  const std::string line_end = cuts.crlf ? "\r\n" : "\n";
  std::string text;
  for (std::size_t r = 0; r < records.size(); ++r) {
    text += fmt::format(">{}{}{}", record_name(first + r), r % 3 == 1 ? " ACGT of no account" : "", line_end);
    for (std::size_t at = 0; at < records[r].size(); at += cuts.line_width) {
      text += records[r].substr(at, cuts.line_width) + line_end;
    }
  }
  if (!cuts.final_newline && !text.empty()) text.resize(text.size() - line_end.size());
  return text;
}

std::vector<RawBlock> cut_blocks(const std::string& text, const Cuts& cuts) {
  Random random(cuts.cut_seed);
  std::vector<RawBlock> blocks;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = std::min(text.size(), begin + random.between(1, cuts.max_block_bytes));
    const std::size_t line = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;  // start of the line that the cut is in
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

Batches make_batches(const std::vector<std::string>& records, const Cuts& cuts, const PackerOptions& packing,
                     std::uint32_t max_length, std::pmr::memory_resource* memory) {
  Batches batches;
  // Exact matchers have no use for a left halo; some batches get one to show that it does not matter.
  BatcherOptions options;
  options.batch.batch_positions = cuts.batch_positions;
  options.batch.max_length = max_length;
  options.batch.halo_left = static_cast<std::uint32_t>(cuts.cut_seed % 3 == 0 ? cuts.cut_seed / 3 % 100 : 0);
  options.batch.halo_right = max_length - 1;
  options.batch.memory = memory;
  Batcher batcher(options, {"text.fa"},
                  [&](std::unique_ptr<PackedBatch> batch) { batches.push_back(std::move(batch)); });
  for (const RawBlock& raw : cut_blocks(fasta_text(records, cuts), cuts)) batcher.add(pack(raw, packing));
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

}  // namespace trial
