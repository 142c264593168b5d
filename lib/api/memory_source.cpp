#include "lib/api/memory_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace basesweep {
namespace {

bool holds(std::string_view text, char byte) { return std::memchr(text.data(), byte, text.size()) != nullptr; }

}  // namespace

MemorySource::MemorySource(std::span<const NamedSequence> records, std::size_t block_bytes)
    : records_(records), block_bytes_(block_bytes) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!records[i].bases.empty()) with_bases_.push_back(static_cast<std::int64_t>(i));
  }
}

std::optional<RawBlock> MemorySource::next() {
  if (record_ == records_.size()) return std::nullopt;
  RawBlock block;
  block.number = blocks_++;
  block.file_offset = text_bytes_;
  block.inside_line = offset_ != 0;
  while (record_ != records_.size() && block.bytes.size() < block_bytes_) {
    const auto& [name, bases] = records_[record_];
    if (offset_ == 0) {
      const std::string_view word = name.substr(0, name.find_first_of(" \t\r\n"));
      block.bytes.push_back('>');
      block.bytes.insert(block.bytes.end(), word.begin(), word.end());
      block.bytes.push_back('\n');
    }
    add_bases(bases.substr(offset_, std::max(block_bytes_, block.bytes.size() + 1) - block.bytes.size()), block);
    if (offset_ != bases.size()) break;
    block.bytes.push_back('\n');
    ++record_;
    offset_ = 0;
  }
  block.size = block.bytes.size();
  text_bytes_ += static_cast<std::int64_t>(block.size);
  return block;
}

void MemorySource::add_bases(std::string_view bases, RawBlock& block) {
  const bool title = offset_ == 0 && bases.starts_with('>');  // to the packer it would be
  if (title || holds(bases, '\n') || holds(bases, '\r')) {
    throw DataError(fmt::format("{}: record '{}': {} is not sequence (expected letters, '-', '*' or '.')",
                                paths_.front(), records_[record_].name, title ? "'>'" : "a line break"));
  }
  block.bytes.insert(block.bytes.end(), bases.begin(), bases.end());
  offset_ += bases.size();
}

}  // namespace basesweep
