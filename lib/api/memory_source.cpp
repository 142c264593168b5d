#include "lib/api/memory_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"

namespace basesweep {
namespace {

// The index of the first `byte` in the text, or the text's size if there is none.
std::size_t first(std::string_view text, char byte) { return std::min(text.find(byte), text.size()); }

}  // namespace

MemorySource::MemorySource(std::span<const NamedSequence> records, std::size_t block_bytes, Names names)
    : records_(records), block_bytes_(block_bytes), names_(names) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!records[i].bases.empty()) with_bases_.push_back(static_cast<std::int64_t>(i));
    if (names == Names::whole && name_in_title(records[i].name) != records[i].name) {
      throw DataError(fmt::format("{}: record {}: a name with a blank cannot be written: '{}'", paths_.front(), i + 1,
                                  records[i].name));
    }
  }
}

std::function<NamedRecord(std::int64_t number)> MemorySource::names() const {
  return [this](std::int64_t number) {
    const std::int64_t index = with_bases_[static_cast<std::size_t>(number)];
    return NamedRecord{index, records_[static_cast<std::size_t>(index)].name};
  };
}

std::optional<RawBlock> MemorySource::next() {
  if (fault_) throw DataError(*fault_);
  if (record_ == records_.size()) return std::nullopt;
  RawBlock block;
  block.number = blocks_++;
  block.file_offset = RawBlock::kNoFile;
  block.inside_line = offset_ != 0;
  while (record_ != records_.size() && !fault_ && block.bytes.size() < block_bytes_) {
    const std::string_view bases = records_[record_].bases;
    if (offset_ == 0) add_title(block);
    add_bases(bases.substr(offset_, std::max(block_bytes_, block.bytes.size() + 1) - block.bytes.size()), block);
    if (offset_ != bases.size()) break;
    block.bytes.push_back('\n');
    ++record_;
    offset_ = 0;
  }
  block.size = block.bytes.size();
  return block;
}

std::string_view MemorySource::short_name() const {
  constexpr std::size_t kMaxBytes = 200;
  const std::string_view name = records_[record_].name;
  return names_ == Names::whole ? name : name_in_title(name).substr(0, kMaxBytes);
}

void MemorySource::add_title(RawBlock& block) const {
  const std::string_view name = short_name();
  block.bytes.push_back('>');
  block.bytes.insert(block.bytes.end(), name.begin(), name.end());
  block.bytes.push_back('\n');
}

void MemorySource::add_bases(std::string_view bases, RawBlock& block) {
  const bool title = offset_ == 0 && bases.starts_with('>');  // the packer would take it for one
  const std::size_t sound = title ? 0 : std::min(first(bases, '\n'), first(bases, '\r'));
  block.bytes.insert(block.bytes.end(), bases.begin(), bases.begin() + static_cast<std::ptrdiff_t>(sound));
  offset_ += sound;
  if (sound == bases.size()) return;
  fault_ = DataError(fmt::format("{}: record '{}', position {}: {}", paths_.front(), short_name(), offset_ + 1,
                                 not_sequence(bases[sound])));
}

}  // namespace basesweep
