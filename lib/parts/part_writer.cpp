#include "lib/parts/part_writer.hpp"

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>

#include "lib/reader/crc64.hpp"

namespace basesweep {
namespace {

static_assert(sizeof BASESWEEP_VERSION <= sizeof(PartFileHead::version));

// Sets the checksum of a head, whose last field it is, and writes the head.
template <class Head>
std::uint64_t write_head(ByteSink& to, Head& head) {
  head.checksum = crc64(std::as_bytes(std::span(&head, 1)).first(offsetof(Head, checksum)));
  to.write({reinterpret_cast<const char*>(&head), sizeof head});
  return head.checksum;
}

}  // namespace

PartWriter::PartWriter(ByteSink& to) : to_(to) {
  PartFileHead head{};
  kPartMagic.copy(head.magic, sizeof head.magic);
  head.layout = kPartLayout;
  std::memcpy(head.version, BASESWEEP_VERSION, sizeof BASESWEEP_VERSION);
  previous_ = write_head(to_, head);
}

void PartWriter::add(std::string_view name, const CompressedBlock& block) {
  if (name.empty() || name.size() > kMaxPartName || name == kPartEnd) throw std::invalid_argument("name of a section");
  const bool too_large = block.rows == 0 ? block.raw_bytes > kMaxPartSection
                                         : block.raw_bytes > kMaxBlockBytes || block.rows > kMaxBlockRows;
  if (too_large) throw std::invalid_argument("a section of a part is too large");
  write(name, block.rows, block);
  rows_ += block.rows;
}

void PartWriter::finish() { write(kPartEnd, rows_, {}); }

void PartWriter::write(std::string_view name, std::uint64_t rows, const CompressedBlock& block) {
  PartSectionHead head{};
  name.copy(head.name, sizeof head.name);
  head.number = sections_++;
  head.rows = rows;
  head.stored_bytes = block.bytes.view().size();
  head.raw_bytes = block.raw_bytes;
  head.content_checksum = block.checksum;
  head.previous = previous_;
  previous_ = write_head(to_, head);
  if (head.stored_bytes != 0) to_.write(block.bytes.view());
}

}  // namespace basesweep
