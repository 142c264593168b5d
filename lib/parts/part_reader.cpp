#include "lib/parts/part_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "lib/base/error.hpp"
#include "lib/reader/crc64.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

// The text of a field that is filled up with zero bytes.
std::string field_text(std::span<const char> field) {
  return printable(std::string_view(
      field.data(), static_cast<std::size_t>(std::find(field.begin(), field.end(), '\0') - field.begin())));
}

template <class Head>
bool fits_checksum(const Head& head) {
  return crc64(std::as_bytes(std::span(&head, 1)).first(offsetof(Head, checksum))) == head.checksum;
}

}  // namespace

PartReader::PartReader(std::shared_ptr<InputFile> file) : file_(std::move(file)) {
  PartFileHead head{};
  const std::size_t got = read(reinterpret_cast<char*>(&head), sizeof head);
  if (!is_one({head.magic, std::min(got, sizeof head.magic)})) {
    throw DataError(fmt::format("{}: not a part of a run, which 'basesweep ... --chunk' writes", path()));
  }
  if (got < sizeof head) refuse_short();
  const std::string version = field_text(head.version);
  if (head.layout != kPartLayout || (version != BASESWEEP_VERSION && fits_checksum(head))) {
    throw DataError(fmt::format(
        "{}: the part was written by basesweep {} (layout {}), this is basesweep {} (layout {}): merge parts "
        "with the version that wrote them",
        path(), version, head.layout, BASESWEEP_VERSION, kPartLayout));
  }
  if (!fits_checksum(head)) refuse("its head does not fit its checksum");
  previous_ = head.checksum;
}

std::optional<PartSection> PartReader::next() {
  if (ended_) return std::nullopt;
  PartSectionHead head{};
  if (read(reinterpret_cast<char*>(&head), sizeof head) < sizeof head) refuse_short();
  check_head(head);
  PartSection section{field_text(head.name), head.number, {head.rows, head.raw_bytes, head.content_checksum, {}}};
  if (section.name == kPartEnd) {
    read_end(head);
    return std::nullopt;
  }
  read_content(head.stored_bytes, section);
  ++sections_;
  rows_ += head.rows;
  previous_ = head.checksum;
  return section;
}

void PartReader::check_head(const PartSectionHead& head) const {
  if (!fits_checksum(head)) refuse(fmt::format("the head of section {} does not fit its checksum", sections_));
  const std::string name = field_text(head.name);
  if (head.number != sections_) {
    refuse(fmt::format("section {} ('{}') comes where section {} must be", head.number, name, sections_));
  }
  if (head.previous != previous_) {
    refuse(fmt::format("section {} ('{}') does not belong to the sections before it: one of them is of another part",
                       head.number, name));
  }
  const std::uint64_t max_bytes = head.rows == 0 ? kMaxPartSection : kMaxBlockBytes;
  if (name == kPartEnd) return;
  if (head.raw_bytes > max_bytes || head.rows > kMaxBlockRows || head.stored_bytes > max_stored_bytes(head.raw_bytes)) {
    refuse(fmt::format("section {} ('{}') is too large", head.number, name));
  }
}

void PartReader::read_content(std::uint64_t bytes, PartSection& section) {
  Text& content = section.content.bytes;
  while (bytes != 0) {
    const std::size_t wanted = std::min<std::uint64_t>(bytes, kPieceBytes);
    char* const to = content.reserve(wanted);
    if (read(to, wanted) < wanted) refuse_short();
    content.advance(to + wanted);
    bytes -= wanted;
  }
}

void PartReader::read_end(const PartSectionHead& head) {
  if (head.rows != rows_) refuse(fmt::format("it has {} rows instead of {}", rows_, head.rows));
  if ((head.stored_bytes | head.raw_bytes | head.content_checksum) != 0) refuse("its end has content");
  char more;
  if (read(&more, 1) != 0) refuse("it has more bytes after its end");
  ended_ = true;
}

Text PartReader::unpack(const PartSection& section) const {
  try {
    return decompress(section.content);
  } catch (const BlockFault& fault) {
    refuse(section, fault.what());
  }
}

RowBlock PartReader::unpack_rows(const PartSection& section) const { return {section.content.rows, unpack(section)}; }

// Reads the next bytes; fewer at the end of the file.
std::size_t PartReader::read(char* to, std::size_t bytes) {
  std::size_t done = 0;
  while (done < bytes) {
    const std::size_t got = file_->read(to + done, bytes - done);
    if (got == 0) break;
    done += got;
  }
  return done;
}

void PartReader::refuse(const std::string& why) const {
  throw DataError(fmt::format("{}: the part was changed or damaged after it was written: {}", path(), why));
}

void PartReader::refuse(const PartSection& section, const std::string& why) const {
  refuse(fmt::format("section {} ('{}'): {}", section.number, section.name, why));
}

void PartReader::refuse_short() const {
  throw DataError(fmt::format("{}: the part is not complete: it ends in section {}", path(), sections_));
}

}  // namespace basesweep
