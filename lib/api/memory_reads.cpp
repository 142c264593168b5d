#include "lib/api/memory_reads.hpp"

#include <fmt/format.h>

#include <memory>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"

namespace basesweep {
namespace {

constexpr const char* kPath = "<memory>";
constexpr std::size_t kMaxReadBytes = std::size_t{1} << 30;

std::string_view name_of(const NamedSequence& read) {
  return name_in_title(read.name.substr(0, std::min(read.name.find_first_of("\r\n"), read.name.size())));
}

// The reason why the read cannot be taken; "": it can.
std::string fault_of(const NamedSequence& read) {
  const std::size_t end = read.bases.find_first_of("\r\n");
  if (end != std::string_view::npos) {
    return fmt::format("{}: record '{}', position {}: {}", kPath, name_of(read), end + 1,
                       not_sequence(read.bases[end]));
  }
  if (read.bases.size() < kMaxReadBytes) return "";
  return fmt::format("{}: record '{}': it is longer than {} bases", kPath, name_of(read), kMaxReadBytes - 1);
}

void append(const NamedSequence& read, RawBlock& block) {
  const std::string_view name = name_of(read);
  const auto at = [&block] { return static_cast<std::uint32_t>(block.bytes.size()); };
  const auto add = [&block](std::string_view text) { block.bytes.insert(block.bytes.end(), text.begin(), text.end()); };
  RecordText record{};
  record.title_begin = at();
  add(">");
  record.name_begin = at();
  add(name);
  record.name_end = at();
  add("\n");
  record.sequence_begin = at();
  add(read.bases);
  record.sequence_end = record.quality_begin = record.quality_end = at();
  add("\n");
  block.records.push_back(record);
}

}  // namespace

std::optional<RawReads> MemoryReads::next() {
  auto block = std::make_shared<RawBlock>();
  block->number = batches_;
  block->file_offset = 0;
  while (at_ != reads_.size() && block->bytes.size() < batch_bytes_ && block->records.size() < kMaxReadsOfBatch) {
    if (const std::string fault = fault_of(reads_[at_]); !fault.empty()) {
      if (block->records.empty()) throw DataError(fault);
      break;
    }
    append(reads_[at_++], *block);
  }
  if (block->records.empty()) return std::nullopt;
  block->size = block->bytes.size();
  RawReads batch;
  batch.number = batches_++;
  batch.text_bytes = block->size;
  batch.first = {{block, 0, block->records.size()}};
  batch.paths = {kPath};
  return batch;
}

}  // namespace basesweep
