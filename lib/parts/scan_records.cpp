#include "lib/parts/scan_records.hpp"

#include <fmt/format.h>

#include <exception>
#include <optional>

#include "lib/base/error.hpp"
#include "lib/base/parallel.hpp"
#include "lib/packer/packer.hpp"
#include "lib/packer/record_cursor.hpp"
#include "lib/reader/md5.hpp"

namespace basesweep {

std::vector<RecordInfo> scan_records(Reader& reader, int threads) {
  RecordCursor cursor(reader.paths(), 0, true);
  RecordVisitor visitor;
  std::exception_ptr fault;
  while (!fault) {
    const std::vector<RawBlock> raw = read_some(reader, 4 * static_cast<std::size_t>(threads), fault);
    if (raw.empty()) break;
    std::vector<PackedBlock> packed(raw.size());
    parallel_for(threads, raw.size(), [&](std::size_t i) { packed[i] = pack(raw[i], {}); });
    for (const PackedBlock& block : packed) {
      if (block.format == Format::fastq) {
        throw UsageError(
            fmt::format("{}: this file is FASTQ and another one is FASTA; together they cannot be cut into chunks",
                        reader.sources()[block.source].path));
      }
      cursor.follow(block, visitor);
    }
  }
  if (fault) std::rethrow_exception(fault);
  std::vector<RecordInfo> records = cursor.records();
  std::erase_if(records, [](const RecordInfo& record) { return record.length == 0; });
  return records;
}

std::string first_name(const RawBlock& block) {
  if (block.records.empty()) return "";
  const RecordText& first = block.records.front();
  return {block.held() + first.name_begin, first.name_end - first.name_begin};
}

RecordCount count_records(Reader& reader) {
  RecordCount count;
  Md5 names;
  std::string text;
  while (const std::optional<RawBlock> block = reader.next()) {
    if (count.records == 0) count.first = first_name(*block);
    count.records += static_cast<std::int64_t>(block->records.size());
    text.clear();
    for (const RecordText& record : block->records) {
      text.append(block->held() + record.name_begin, record.name_end - record.name_begin).append("\n");
    }
    names.add(text);
  }
  count.names = names.take();
  return count;
}

}  // namespace basesweep
