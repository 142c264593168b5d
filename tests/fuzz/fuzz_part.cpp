// Files of parts, through what `merge` reads them with, and rows of all kinds. The target mends checksums first, which
// no random change would leave right.
#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "lib/compiled/compiled_set.hpp"
#include "lib/guides/joined_codec.hpp"
#include "lib/guides/place_codec.hpp"
#include "lib/parts/part_set.hpp"
#include "lib/products/product_codec.hpp"
#include "lib/reader/crc64.hpp"
#include "lib/report/chunk_summary.hpp"
#include "lib/report/merge_reports.hpp"
#include "lib/rows/hit_codec.hpp"
#include "lib/rows/matrix_table.hpp"
#include "lib/writer/alignment_rows.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace basesweep;

bool same(const PlacedHit& a, const PlacedHit& b) {
  return a.record_name == b.record_name && a.record == b.record && a.start == b.start && a.end == b.end &&
         a.letters == b.letters && a.source == b.source && a.circular_length == b.circular_length &&
         a.odd_record == b.odd_record && a.hit == b.hit && a.left == b.left && a.right == b.right &&
         a.standing.best == b.standing.best && a.standing.next_edits == b.standing.next_edits;
}

void require_same_again(const std::vector<PlacedHit>& hits) {
  RowBlockBuilder builder;
  for (const PlacedHit& hit : hits) builder.add(hit);
  const DecodedRows<PlacedHit> again(builder.take());
  fuzz::require(std::equal(hits.begin(), hits.end(), again.rows().begin(), again.rows().end(), same),
                "hits that were decoded are encoded and decoded as they were");
}

template <class OneRow>
RowBlock encoded(const std::vector<OneRow>& rows) {
  RowBlockBuilder builder;
  for (const OneRow& row : rows) builder.add(row);
  return builder.take();
}

template <class OneRow>
void require_same_bytes(const std::vector<OneRow>& rows) {
  if (rows.empty()) return;
  RowBlock once = encoded(rows);
  const std::string bytes(once.bytes.view());
  const DecodedRows<OneRow> again(std::move(once));
  fuzz::require(encoded(again.rows()).bytes.view() == bytes, "rows that were decoded are encoded in one way");
}

// Bytes as encoded rows: one more than the first byte says.
template <class OneRow>
void check_rows(std::string_view bytes) {
  if (bytes.empty()) return;
  RowBlock block{std::uint64_t{static_cast<unsigned char>(bytes.front())} + 1, {}};
  block.bytes.append(bytes.substr(1));
  try {
    require_same_bytes(DecodedRows<OneRow>(std::move(block)).rows());
  } catch (const RowFault&) {
  }
}

// Bytes as encoded hits, one after the other, until one is not valid. An array has no bytes after its last one.
void check_hits(std::string_view bytes) {
  if (bytes.empty()) return;
  RowBlock block{std::uint64_t{static_cast<unsigned char>(bytes.front())} + 1, {}};
  block.bytes.append(bytes.substr(1));
  try {
    require_same_again(DecodedRows<PlacedHit>(std::move(block)).rows());
  } catch (const RowFault&) {
  }
  const std::vector<char> exact(bytes.begin() + 1, bytes.end());
  try {
    PlacedHit hit;
    for (RowDecoder<PlacedHit> decoder({exact.data(), exact.size()}); decoder.next(hit);) {
    }
  } catch (const RowFault&) {
  }
}

// The file as the only part of a run, as `merge` reads it. The rows may be of any kind.
void check_run(const std::string& bytes) {
  const fuzz::MemoryFile file(bytes);
  fuzz::refuses([&] {
    PartSet parts({file.path()});
    fuzz::require(parts.head().label.chunk == 1 && parts.head().label.chunks == 1, "a run has all of its parts");
    fuzz::refuses([&] { parse_compiled_set(file.path(), parts.head().query); });
    while (const std::optional<PartSet::Block> block = parts.next()) {
      fuzz::refuses([&] { block->decode<PlacedHit>(); });
      fuzz::refuses([&] { block->decode<MatrixTableRow>(); });
      fuzz::refuses([&] { block->decode<PlacedProduct>(); });
      fuzz::refuses([&] { block->decode<PlacedGuide>(); });
      fuzz::refuses([&] { block->decode<JoinedRow>(); });
      fuzz::refuses([&] { block->decode<AlignmentRow>(); });
    }
    ChunkSummary sum;
    for (const std::string& text : parts.summaries()) {
      const ChunkSummary summary = parse_summary(text, file.path());
      fuzz::refuses([&] { add_counts(summary, file.path(), {2, 1, 2}, sum); });
      fuzz::refuses([&] { merge_reports(summary.report, {{file.path(), "1/1", summary.report}}); });
    }
  });
}

bool check_part(const std::string& bytes) {
  const fuzz::MemoryFile file(bytes);
  return !fuzz::refuses([&] {
    PartReader reader(file.path());
    while (const std::optional<PartSection> section = reader.next()) {
      if (section->content.rows == 0) {
        fuzz::refuses([&] { reader.unpack(*section); });
      } else {
        fuzz::refuses([&] { require_same_again(reader.decode<PlacedHit>(*section).rows()); });
      }
    }
  });
}

std::uint64_t checksum(std::string_view bytes) { return crc64(std::as_bytes(std::span(bytes.data(), bytes.size()))); }

template <class Head>
std::uint64_t put_head(std::string& file, std::size_t at, Head& head) {
  head.checksum = checksum({reinterpret_cast<const char*>(&head), offsetof(Head, checksum)});
  std::memcpy(file.data() + at, &head, sizeof head);
  return head.checksum;
}

void mend(std::string& file) {
  PartFileHead head;
  if (file.size() < sizeof head) return;
  std::memcpy(&head, file.data(), sizeof head);
  std::uint64_t previous = put_head(file, 0, head);
  std::uint64_t number = 0;
  for (std::size_t at = sizeof head; file.size() - at >= sizeof(PartSectionHead);) {
    PartSectionHead section;
    std::memcpy(&section, file.data() + at, sizeof section);
    const std::size_t left = file.size() - at - sizeof section;
    section.number = number++;
    section.previous = previous;
    section.stored_bytes = std::min<std::uint64_t>(section.stored_bytes, left);
    const bool end = std::string_view(section.name, 4) == std::string_view("end", 4);
    if (!end) section.content_checksum = checksum({file.data() + at + sizeof section, section.stored_bytes});
    previous = put_head(file, at, section);
    at += sizeof section + section.stored_bytes;
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  check_hits(bytes);
  check_rows<MatrixTableRow>(bytes);
  check_rows<PlacedProduct>(bytes);
  check_rows<PlacedGuide>(bytes);
  check_rows<JoinedRow>(bytes);
  check_rows<AlignmentRow>(bytes);
  const bool valid = check_part(bytes);
  check_run(bytes);
  mend(bytes);
  const bool mended = check_part(bytes);
  check_run(bytes);
  fuzz::require(!valid || mended, "a part that is valid needs no mending");
  return 0;
}
