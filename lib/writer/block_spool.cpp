#include "lib/writer/block_spool.hpp"

#include <cerrno>

#include "lib/base/error.hpp"

namespace basesweep {

void BlockSpool::add(const CompressedBlock& block) {
  file_.append(block.bytes.view());
  blocks_.push_back({block.rows, block.raw_bytes, block.checksum, block.bytes.view().size()});
}

bool BlockSpool::next(CompressedBlock& block) {
  if (next_ == blocks_.size()) return false;
  const StoredBlock& place = blocks_[next_++];
  block = {place.rows, place.raw_bytes, place.checksum, {}};
  char* const to = block.bytes.reserve(place.stored_bytes);
  file_.read_at(offset_, to, place.stored_bytes);
  block.bytes.advance(to + place.stored_bytes);
  offset_ += static_cast<std::int64_t>(place.stored_bytes);
  return true;
}

void BlockSpool::rewind() {
  next_ = 0;
  offset_ = 0;
}

void BlockSpool::refuse() const { throw IoError(directory_, "cannot read back a temporary file in this folder", EIO); }

}  // namespace basesweep
