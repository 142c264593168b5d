#include "lib/pipeline/matrix_tables.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "lib/pipeline/name_check.hpp"
#include "lib/pipeline/part_stages.hpp"
#include "lib/writer/row_printer.hpp"

namespace basesweep {
namespace {

// A table of which one row is known after the other.
class RecordTable final : public HitCollector {
 public:
  RecordTable(const MatrixSet& matrices, TableCell cell, std::vector<std::string> paths, const Formatter& formatter,
              ByteSink& to)
      : HitCollector(to),
        matrices_(matrices),
        paths_(std::move(paths)),
        check_(formatter.makes_blocks() ? NameRule::text : formatter.names(), paths_),
        formatter_(formatter),
        printer_(formatter, to),
        row_(matrices.matrices().size(), cell),
        empty_(row_) {}

  void see_record(std::int64_t reference, const std::string& name, std::uint32_t source) override {
    check_.check(reference, name, source);  // records without hits have rows too
    const std::lock_guard lock(mutex_);
    names_.emplace_back(reference, name);
  }

  // Without this, names of records without hits would fill the memory.
  void pass(std::int64_t reference) override { close_rows_before(reference); }

  std::optional<CollectedHits> finish() override {
    close_rows_before(std::numeric_limits<std::int64_t>::max());
    printer_.flush();
    return std::nullopt;
  }

 private:
  void begin(std::string_view) override { to_.write(formatter_.header({})); }

  void take(const ScoredHit& hit) override {
    if (hit.record != open_) {
      close_rows_before(hit.record);
      open_ = hit.record;
    }
    row_.add(matrices_.patterns().queries()[hit.hit.query].pattern, hit.score);
  }

  // Writes the rows of all records before this one; those without hits too.
  void close_rows_before(std::int64_t record) {
    const std::lock_guard lock(mutex_);
    for (; !names_.empty() && names_.front().first < record; names_.pop_front()) {
      const auto& [number, name] = names_.front();
      MatrixTableRow row;
      row.record = number;
      row.record_name = name;
      row.cells = (number == open_ ? row_ : empty_).cells();
      printer_.add(row);
      if (number == open_) row_.clear();
      ++rows_;
    }
  }

  const MatrixSet& matrices_;
  const std::vector<std::string> paths_;
  NameCheck check_;
  const Formatter& formatter_;
  RowPrinter printer_;
  std::mutex mutex_;
  std::deque<std::pair<std::int64_t, std::string>> names_;  // of records whose rows are not written
  std::int64_t open_ = -1;                                  // the record that row_ is of
  MatrixCells row_;
  const MatrixCells empty_;  // of a row without hits
};

class RegionTable final : public HitCollector {
 public:
  RegionTable(const MatrixSet& matrices, TableCell cell, std::vector<NamedRegion> regions, const Formatter& formatter,
              ByteSink& to)
      : HitCollector(to),
        matrices_(matrices),
        cell_(cell),
        regions_(std::move(regions)),
        formatter_(formatter),
        cells_(regions_.size()) {
    for (std::size_t i = 0; i < regions_.size(); ++i) by_record_[regions_[i].record].push_back(i);
    for (auto& [record, indices] : by_record_) {
      std::sort(indices.begin(), indices.end(),
                [this](std::size_t a, std::size_t b) { return regions_[a].begin < regions_[b].begin; });
    }
  }

  std::optional<CollectedHits> finish() override {
    const MatrixCells none(matrices_.matrices().size(), cell_);
    RowPrinter printer(formatter_, to_);
    for (std::size_t i = 0; i < regions_.size(); ++i) {
      const NamedRegion& region = regions_[i];
      MatrixTableRow row;
      row.record = static_cast<std::int64_t>(i);  // names may repeat
      row.record_name = region.record;
      row.start = region.begin;
      row.end = region.end;
      row.region = region.name;
      row.cells = (cells_[i] ? *cells_[i] : none).cells();
      printer.add(row);
    }
    printer.flush();
    rows_ = regions_.size();
    return std::nullopt;
  }

 private:
  void begin(std::string_view) override { to_.write(formatter_.header({})); }

  // Hits of a record come from left to right, so a region is open from its begin to its end.
  void take(const ScoredHit& hit) override {
    if (hit.record != record_) {
      record_ = hit.record;
      open_.clear();
      next_ = 0;
      const auto found = by_record_.find(std::string(hit.record_name));
      in_record_ = found == by_record_.end() ? nullptr : &found->second;
    }
    if (in_record_ == nullptr) return;
    for (; next_ < in_record_->size() && regions_[(*in_record_)[next_]].begin <= hit.start; ++next_) {
      open_.push_back((*in_record_)[next_]);
    }
    std::erase_if(open_, [&](std::size_t region) { return regions_[region].end <= hit.start; });
    const std::uint32_t matrix = matrices_.patterns().queries()[hit.hit.query].pattern;
    for (const std::size_t region : open_) {
      if (!cells_[region]) cells_[region].emplace(matrices_.matrices().size(), cell_);
      cells_[region]->add(matrix, hit.score);
    }
  }

  const MatrixSet& matrices_;
  const TableCell cell_;
  const std::vector<NamedRegion> regions_;
  const Formatter& formatter_;
  std::vector<std::optional<MatrixCells>> cells_;              // of each region; nothing: no hit yet
  std::map<std::string, std::vector<std::size_t>> by_record_;  // regions of each record, by their begins
  std::int64_t record_ = -1;                                   // of the last hit
  const std::vector<std::size_t>* in_record_ = nullptr;        // its regions
  std::size_t next_ = 0;                                       // of them, the first that begins behind the last hit
  std::vector<std::size_t> open_;                              // regions that the last hit is in
};

// Rows of parts, added up.
class TableSum {
 public:
  TableSum(std::size_t matrices, TableCell cell, const Formatter& formatter, ByteSink& to)
      : empty_(matrices, cell), printer_(formatter, to) {}

  // Adds a row of a record: the last one's, in another part, or that of a later one.
  void add(const MatrixTableRow& row) {
    if (sums_.empty() || sums_.back().row.record != row.record) {
      flush();
      append(row);
    }
    sums_.back().cells.add(row.cells);
  }
  // Adds the row of a region, whose number is that of its record. False if the parts before have another region.
  bool add_region(const MatrixTableRow& row) {
    const auto number = static_cast<std::size_t>(row.record);
    if (number > sums_.size()) return false;
    if (number == sums_.size()) append(row);
    const MatrixTableRow& own = sums_[number].row;
    if (own.record_name != row.record_name || own.start != row.start || own.end != row.end ||
        own.region != row.region) {
      return false;
    }
    sums_[number].cells.add(row.cells);
    return true;
  }

  MergedTable finish() {
    flush();
    printer_.flush();
    return merged_;
  }

 private:
  struct Sum {
    MatrixTableRow row;
    std::string name;  // that the row points to
    std::string region;
    MatrixCells cells;
  };

  void append(const MatrixTableRow& row) {
    Sum& sum = sums_.emplace_back(Sum{row, std::string(row.record_name), std::string(row.region), empty_});
    sum.row.record_name = sum.name;
    sum.row.region = sum.region;
  }

  void flush() {
    for (Sum& sum : sums_) {
      sum.row.cells = sum.cells.cells();
      printer_.add(sum.row);
      ++merged_.rows;
      merged_.has_hits = merged_.has_hits || sum.cells.has_hits();
    }
    sums_.clear();
  }

  const MatrixCells empty_;
  RowPrinter printer_;
  std::deque<Sum> sums_;
  MergedTable merged_;
};

}  // namespace

std::unique_ptr<HitCollector> collect_table(const MatrixSet& matrices, TableCell cell, std::vector<std::string> paths,
                                            const Formatter& formatter, ByteSink& to) {
  return std::make_unique<RecordTable>(matrices, cell, std::move(paths), formatter, to);
}

std::unique_ptr<HitCollector> collect_region_table(const MatrixSet& matrices, TableCell cell,
                                                   std::vector<NamedRegion> regions, const Formatter& formatter,
                                                   ByteSink& to) {
  return std::make_unique<RegionTable>(matrices, cell, std::move(regions), formatter, to);
}

MergedTable merge_tables(PartSet& parts, std::size_t matrices, TableCell cell, bool regions, const Formatter& formatter,
                         ByteSink& to) {
  to.write(formatter.header({}));
  TableSum sum(matrices, cell, formatter, to);
  for_each_part_row<MatrixTableRow>(parts, [&](const MatrixTableRow& row) {
    if (row.cells.size() != matrices) return false;
    if (regions) return sum.add_region(row);
    if (!parts.head().has_record(row)) return false;
    sum.add(row);
    return true;
  });
  return sum.finish();
}

}  // namespace basesweep
