#include "lib/reads/read_list.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "lib/base/mate_names.hpp"
#include "lib/reader/record_slices.hpp"

namespace basesweep {
namespace {

std::size_t count_of(const std::vector<RecordSlice>& slices) {
  std::size_t count = 0;
  for (const RecordSlice& slice : slices) count += slice.end - slice.begin;
  return count;
}

class Lister {
 public:
  Lister(RawReads raw, bool paired) {
    list_.number = raw.number;
    list_.paired = paired;
    list_.raw = std::move(raw);
  }

  ReadList list() {
    const RawReads& raw = list_.raw;
    list_.reads.reserve(count_of(raw.first) + count_of(raw.second));
    SliceRecords first(raw.first);
    SliceRecords second(raw.second);
    SliceRecords& mates = raw.second.empty() ? first : second;
    while (first.more()) {
      const std::size_t done = list_.reads.size();
      try {
        const RecordOrigin one = next(first);
        add(one);
        if (list_.paired) add_mate(one, next(mates));
        for (std::size_t i = done; i < list_.reads.size(); ++i) list_.bases += list_.reads[i].bases.size();
      } catch (const DataError&) {
        list_.reads.resize(done);
        list_.error = std::current_exception();
        break;
      }
    }
    return std::move(list_);
  }

 private:
  RecordOrigin next(SliceRecords& records) const {
    const HeldRecord held = records.next();
    return {held, list_.raw.paths[held.block.source]};
  }

  static bool has_no_quality(const RecordOrigin& record) {
    return record.block.alignments && record.quality().starts_with(kNoQualityLetter);
  }

  void add(const RecordOrigin& record) {
    const std::string_view name = record.name();
    const std::string_view bases = bases_of(record, list_.joined);
    const bool has_quality = record.block.format == Format::fastq && !has_no_quality(record);
    const std::string_view quality = has_quality ? quality_of(record, bases.size(), list_.joined) : std::string_view();
    list_.reads.push_back({record.title(), name, name, bases, quality, &record.block});
  }

  void add_mate(const RecordOrigin& first, const RecordOrigin& second) {
    add(second);
    const std::optional<std::string_view> pair = pair_name(first.name(), second.name());
    if (!pair) first.fail(other_mate(first.name(), second.path, second.name()));
    for (InputRead* const mate : {&list_.reads.back() - 1, &list_.reads.back()})
      mate->pair = mate->name.substr(0, pair->size());
  }

  ReadList list_;
};

}  // namespace

DataError ReadList::fault(const InputRead& read, std::string_view what) const {
  return DataError(fmt::format("{}: record '{}': {}", raw.paths[read.block->source], read.name, what));
}

ReadList list_reads(RawReads raw, bool paired) { return Lister(std::move(raw), paired).list(); }

}  // namespace basesweep
