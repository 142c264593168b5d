#include "lib/packer/record_cursor.hpp"

#include <fmt/format.h>

#include <utility>

#include "lib/base/error.hpp"
#include "lib/base/mate_names.hpp"

namespace basesweep {

RecordCursor::RecordCursor(std::vector<std::string> paths, std::int64_t first_record, bool keep_records)
    : paths_(std::move(paths)), keep_records_(keep_records) {
  record_.number = record_.reference = first_record - 1;
}

void RecordCursor::follow(const PackedBlock& block, RecordVisitor& visitor) {
  if (block.source != record_.source || (block.resume && block.resume->reference != record_.reference)) {
    end_record(visitor);
  }
  record_.source = block.source;
  if (block.resume) resume_record(block, visitor);
  std::uint32_t done = 0;
  for (std::size_t i = 0; i < block.starts.size(); ++i) {
    pass_bases(block, done, block.starts[i].position, visitor);
    i += offer_records(block, i, visitor);  // those that were taken are passed over
    start_record(block, i, visitor);
    done = block.starts[i].position;
  }
  pass_bases(block, done, block.positions, visitor);
  if (block.error) fail(block);
}

// Ends the current record, then lets the visitor take whole records at once. It is not offered the last one that begins
// in the block, which may go on in the next block.
std::size_t RecordCursor::offer_records(const PackedBlock& block, std::size_t first, RecordVisitor& visitor) {
  if (keep_records_ || first + 1 >= block.starts.size()) return 0;
  end_record(visitor);
  const std::size_t taken = visitor.take_records(block, first, record_);
  record_.number += static_cast<std::int64_t>(taken);
  record_.reference += static_cast<std::int64_t>(taken);
  return taken;
}

void RecordCursor::start_record(const PackedBlock& block, std::size_t start, RecordVisitor& visitor) {
  end_record(visitor);
  ++record_.number;
  record_.source = block.starts[start].source;
  record_.name = block.name(start);
  record_.length = 0;
  in_record_ = true;
  if (keep_records_) records_.push_back({record_.name, 0});
  visitor.record_starts(block, record_);
}

void RecordCursor::resume_record(const PackedBlock& block, RecordVisitor& visitor) {
  const Resume& resume = *block.resume;
  const bool same = record_.reference == resume.reference;
  if (!same) ++record_.number;  // the reader that resumes does not count records without bases
  record_.reference = resume.reference;
  record_.name = resume.name;
  record_.length = resume.offset;
  in_record_ = has_bases_ = true;
  if (!same) visitor.record_starts(block, record_);
  visitor.bases_start(record_);
}

void RecordCursor::end_record(RecordVisitor& visitor) {
  if (in_record_) visitor.record_ends(record_, has_bases_);
  in_record_ = has_bases_ = false;
}

void RecordCursor::pass_bases(const PackedBlock& block, std::uint32_t from, std::uint32_t to, RecordVisitor& visitor) {
  if (from == to) return;
  if (!in_record_) throw DataError(fmt::format("{}: sequence before the first header", paths_[record_.source]));
  if (!has_bases_) {
    has_bases_ = true;
    ++record_.reference;
    visitor.bases_start(record_);
  }
  const std::int64_t offset = std::exchange(record_.length, record_.length + (to - from));
  if (keep_records_) records_.back().length = record_.length;
  visitor.bases({block, record_, from, to, offset});
}

void RecordCursor::fail(const PackedBlock& block) const {
  const std::string where = in_record_ ? fmt::format("record '{}', position {}", record_.name, record_.length + 1)
                                       : std::string("before the first record");
  const auto& [offset, what, mate] = *block.error;
  if (mate) {
    throw DataError(fmt::format("{}: record '{}': {}", paths_[record_.source], record_.name,
                                other_mate(record_.name, paths_[*mate], what)));
  }
  const std::string byte = offset ? fmt::format(" (byte {})", *offset) : std::string();
  throw DataError(fmt::format("{}: {}{}: {}", paths_[record_.source], where, byte, what));
}

}  // namespace basesweep
