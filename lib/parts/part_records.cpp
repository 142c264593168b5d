#include "lib/parts/part_records.hpp"

#include <fmt/format.h>

#include <cstring>

#include "lib/base/error.hpp"

namespace basesweep {
namespace {

EndForm form_of(PartKind kind) {
  if (kind == PartKind::sam) return EndForm::sam;
  return kind == PartKind::bam ? EndForm::bam : EndForm::line;
}

}  // namespace

void malformed_hit(const PartHead& part, std::uint64_t number) {
  throw DataError(fmt::format("{}: hit {} is malformed; is the file damaged?", part.path, number));
}

PartRecords::PartRecords(const PartHead& part) : part_(part), stream_(part.path), end_(form_of(part.kind)) {
  read_head(part.path, stream_);
}

std::optional<std::string_view> PartRecords::next() {
  ++number_;
  const auto text = read();
  if (!text) {
    throw DataError(fmt::format("{}: the part is not complete: it has no end ({})", part_.path,
                                part_.kind == PartKind::sam || part_.kind == PartKind::bam
                                    ? fmt::format("a last record with the name {}", kEndMark.substr(1))
                                    : fmt::format("a last line that begins with {}", kEndMark)));
  }
  const auto hits = end_.parse(*text);
  if (!hits) return text;
  hits_ = *hits;
  check_end();
  return std::nullopt;
}

void PartRecords::check_end() {
  const std::uint64_t found = number_ - 1;
  if (part_.kind != PartKind::count && found != hits_) {
    throw DataError(fmt::format("{}: the part is damaged: it has {} hits, and its end says that it has {}", part_.path,
                                found, hits_));
  }
  if (!stream_.peek(1).empty()) throw DataError(fmt::format("{}: the part goes on after its end", part_.path));
}

std::optional<std::string_view> PartRecords::read() {
  if (part_.kind == PartKind::bam) {
    const std::string_view size_bytes = stream_.bytes(sizeof(std::uint32_t));
    if (size_bytes.empty()) return std::nullopt;
    const bool whole_size = size_bytes.size() == sizeof(std::uint32_t);
    std::uint32_t size = 0;
    std::memcpy(&size, size_bytes.data(), size_bytes.size());
    const std::string_view record = stream_.bytes(size);
    if (!whole_size || record.size() < size) malformed_hit(part_, number_);
    return record;
  }
  std::string_view line = stream_.line();
  if (line.empty()) return std::nullopt;
  if (line.back() != '\n') malformed_hit(part_, number_);
  if (part_.kind != PartKind::fasta || end_.parse(line)) return line;
  both_ = line;
  line = stream_.line();
  if (!line.ends_with('\n')) malformed_hit(part_, number_);
  return both_ += line;
}

}  // namespace basesweep
