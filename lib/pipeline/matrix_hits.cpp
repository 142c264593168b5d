#include "lib/pipeline/matrix_hits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "lib/pipeline/name_check.hpp"
#include "lib/writer/matrix_formatter.hpp"

namespace basesweep {
namespace {

// A MatrixHit without its texts, which follow.
struct Encoded {
  std::int64_t record;
  std::int64_t start;
  std::int32_t score;
  std::uint32_t query;
  std::uint32_t name_bytes;
  std::uint32_t letter_bytes;
};

class Encoder final : public Formatter {
 public:
  Encoder(const MatrixSet& matrices, const Formatter& formatter) : matrices_(matrices), formatter_(formatter) {}

  bool lists_records() const override { return formatter_.lists_records(); }
  std::string header(std::span<const RecordInfo> records) const override { return formatter_.header(records); }
  NameRule names() const override { return formatter_.names(); }
  bool needs_letters() const override { return true; }

  void append(const PlacedHit& hit, Text& text) const override {
    const Encoded encoded{hit.record,
                          hit.start,
                          matrices_.score_of(hit.hit.query, hit.letters),
                          hit.hit.query,
                          static_cast<std::uint32_t>(hit.record_name.size()),
                          static_cast<std::uint32_t>(hit.letters.size())};
    char* to = text.reserve(sizeof encoded + hit.record_name.size() + hit.letters.size());
    std::memcpy(to, &encoded, sizeof encoded);
    to = std::copy(hit.record_name.begin(), hit.record_name.end(), to + sizeof encoded);
    text.advance(std::copy(hit.letters.begin(), hit.letters.end(), to));
  }

 private:
  const MatrixSet& matrices_;
  const Formatter& formatter_;
};

MatrixHit decode(std::string_view& bytes) {
  Encoded encoded;
  std::memcpy(&encoded, bytes.data(), sizeof encoded);
  bytes.remove_prefix(sizeof encoded);
  MatrixHit hit{encoded.record, encoded.start, encoded.score, encoded.query, bytes.substr(0, encoded.name_bytes), {}};
  bytes.remove_prefix(encoded.name_bytes);
  hit.letters = bytes.substr(0, encoded.letter_bytes);
  bytes.remove_prefix(encoded.letter_bytes);
  return hit;
}

class BestOfRecords final : public HitCollector {
 public:
  BestOfRecords(const MatrixSet& matrices, const Formatter& formatter, ByteSink& to,
                std::optional<std::uint64_t> max_hits)
      : HitCollector(to),
        matrices_(matrices),
        formatter_(formatter),
        max_hits_(max_hits),
        best_(matrices.matrices().size()) {
    result_.counts.resize(matrices.patterns().queries().size());
  }

  std::optional<CollectedHits> finish() override {
    close_record();
    return std::move(result_);
  }

 private:
  struct Best {
    std::int64_t start = -1;  // -1: no hit yet
    std::int32_t score = 0;
    std::uint32_t query = 0;
    std::string letters{};
  };

  // Hits come from left to right, + before -, so the first one with the best score stays.
  void take(const MatrixHit& hit) override {
    if (hit.record != record_) {
      close_record();
      record_ = hit.record;
      name_ = hit.record_name;
    }
    const std::uint32_t matrix = matrices_.patterns().queries()[hit.query].pattern;
    Best& best = best_[matrix];
    if (best.start < 0) {
      seen_.push_back(matrix);
    } else if (hit.score <= best.score) {
      return;
    }
    best.start = hit.start;
    best.score = hit.score;
    best.query = hit.query;
    best.letters = hit.letters;
  }

  void close_record() {
    // Queries are sorted by length, strand and matrix, so this is output order.
    std::sort(seen_.begin(), seen_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return std::pair(best_[a].start, best_[a].query) < std::pair(best_[b].start, best_[b].query);
    });
    Text text;
    for (const std::uint32_t matrix : seen_) {
      Best& best = best_[matrix];
      if (max_hits_ && result_.hits == *max_hits_) {
        result_.truncated = true;
      } else {
        ++result_.hits;
        ++result_.counts[best.query];
        const Hit hit{0, static_cast<std::uint32_t>(best.letters.size()), best.query, 0, 0, 0};
        formatter_.append({name_, record_, best.start, hit, best.letters}, text);
      }
      best.start = -1;
    }
    seen_.clear();
    if (!text.view().empty()) to_.write(text.view());
  }

  const MatrixSet& matrices_;
  const Formatter& formatter_;
  const std::optional<std::uint64_t> max_hits_;
  std::vector<Best> best_;           // of each matrix, in the open record
  std::vector<std::uint32_t> seen_;  // matrices that have a hit in it
  std::int64_t record_ = -1;         // the open record
  std::string name_;
  CollectedHits result_;
};

// Cells of a row: a number for each matrix.
class Row {
 public:
  static constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();

  void clear(std::size_t matrices, TableCell cell) { cells_.assign(matrices, cell == TableCell::score ? kNone : 0); }
  bool empty() const { return cells_.empty(); }
  void add(std::uint32_t matrix, std::int32_t score, TableCell cell) {
    std::int32_t& own = cells_[matrix];
    if (cell == TableCell::score) {
      own = std::max(own, score);
    } else if (own != std::numeric_limits<std::int32_t>::max()) {
      ++own;
    }
  }
  std::string print(TableCell cell) const {
    std::string text;
    for (const std::int32_t number : cells_) {
      text += '\t';
      text += cell == TableCell::count ? std::to_string(number) : number == kNone ? "." : print_bits(number);
    }
    return text + "\n";
  }

 private:
  std::vector<std::int32_t> cells_;
};

std::string column_names(const MatrixSet& matrices) {
  std::string line;
  for (const SearchedMatrix& one : matrices.matrices()) line += "\t" + one.matrix.id;
  return line + "\n";
}

class RecordTable final : public HitCollector {
 public:
  RecordTable(const MatrixSet& matrices, TableCell cell, std::vector<std::string> paths, ByteSink& to)
      : HitCollector(to), matrices_(matrices), cell_(cell), paths_(std::move(paths)), check_(NameRule::text, paths_) {
    row_.clear(matrices.matrices().size(), cell);
    empty_ = row_.print(cell);
  }

  void see_record(std::int64_t reference, const std::string& name, std::uint32_t source) override {
    check_.check(reference, name, source);  // records without hits have rows too
    const std::lock_guard lock(mutex_);
    names_.emplace_back(reference, name);
  }

  std::optional<CollectedHits> finish() override {
    close_rows_before(std::numeric_limits<std::int64_t>::max());
    return std::nullopt;
  }

 private:
  void begin(std::string_view) override { to_.write("record" + column_names(matrices_)); }

  void take(const MatrixHit& hit) override {
    if (hit.record != open_) {
      close_rows_before(hit.record);
      open_ = hit.record;
    }
    row_.add(matrices_.patterns().queries()[hit.query].pattern, hit.score, cell_);
  }

  // Writes the rows of all records before this one; those without hits too.
  void close_rows_before(std::int64_t record) {
    const std::lock_guard lock(mutex_);
    std::string text;
    for (; !names_.empty() && names_.front().first < record; names_.pop_front()) {
      const auto& [number, name] = names_.front();
      text += name;
      if (number == open_) {
        text += row_.print(cell_);
        row_.clear(matrices_.matrices().size(), cell_);
      } else {
        text += empty_;
      }
      if (text.size() < (std::size_t{1} << 20)) continue;
      to_.write(text);
      text.clear();
    }
    if (!text.empty()) to_.write(text);
  }

  const MatrixSet& matrices_;
  const TableCell cell_;
  const std::vector<std::string> paths_;
  NameCheck check_;
  std::mutex mutex_;
  std::deque<std::pair<std::int64_t, std::string>> names_;  // of records whose rows are not written
  std::int64_t open_ = -1;                                  // the record that row_ is of
  Row row_;
  std::string empty_;  // a row without hits
};

class RegionTable final : public HitCollector {
 public:
  RegionTable(const MatrixSet& matrices, TableCell cell, std::vector<NamedRegion> regions, ByteSink& to)
      : HitCollector(to), matrices_(matrices), cell_(cell), regions_(std::move(regions)), rows_(regions_.size()) {
    for (std::size_t i = 0; i < regions_.size(); ++i) by_record_[regions_[i].record].push_back(i);
    for (auto& [record, indices] : by_record_) {
      std::sort(indices.begin(), indices.end(),
                [this](std::size_t a, std::size_t b) { return regions_[a].begin < regions_[b].begin; });
    }
  }

  std::optional<CollectedHits> finish() override {
    Row none;
    none.clear(matrices_.matrices().size(), cell_);
    const std::string empty = none.print(cell_);
    for (std::size_t i = 0; i < regions_.size(); ++i) {
      const NamedRegion& region = regions_[i];
      to_.write(fmt::format("{}\t{}\t{}\t{}{}", region.record, region.begin, region.end,
                            region.name.empty() ? "." : region.name, rows_[i].empty() ? empty : rows_[i].print(cell_)));
    }
    return std::nullopt;
  }

 private:
  void begin(std::string_view) override { to_.write("record\tstart\tend\tname" + column_names(matrices_)); }

  // Hits of a record come from left to right, so a region is open from its begin to its end.
  void take(const MatrixHit& hit) override {
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
    const std::uint32_t matrix = matrices_.patterns().queries()[hit.query].pattern;
    for (const std::size_t region : open_) {
      if (rows_[region].empty()) rows_[region].clear(matrices_.matrices().size(), cell_);
      rows_[region].add(matrix, hit.score, cell_);
    }
  }

  const MatrixSet& matrices_;
  const TableCell cell_;
  const std::vector<NamedRegion> regions_;
  std::vector<Row> rows_;                                      // of each region; empty: no hit yet
  std::map<std::string, std::vector<std::size_t>> by_record_;  // regions of each record, by their begins
  std::int64_t record_ = -1;                                   // of the last hit
  const std::vector<std::size_t>* in_record_ = nullptr;        // its regions
  std::size_t next_ = 0;                                       // of them, the first that begins behind the last hit
  std::vector<std::size_t> open_;                              // regions that the last hit is in
};

}  // namespace

std::unique_ptr<Formatter> make_matrix_encoder(const MatrixSet& matrices, const Formatter& formatter) {
  return std::make_unique<Encoder>(matrices, formatter);
}

void HitCollector::write(std::string_view bytes) {
  if (!begun_) {
    begun_ = true;
    return begin(bytes);
  }
  while (!bytes.empty()) take(decode(bytes));
}

std::unique_ptr<HitCollector> collect_best(const MatrixSet& matrices, const Formatter& formatter, ByteSink& to,
                                           std::optional<std::uint64_t> max_hits) {
  return std::make_unique<BestOfRecords>(matrices, formatter, to, max_hits);
}

std::unique_ptr<HitCollector> collect_table(const MatrixSet& matrices, TableCell cell, std::vector<std::string> paths,
                                            ByteSink& to) {
  return std::make_unique<RecordTable>(matrices, cell, std::move(paths), to);
}

std::unique_ptr<HitCollector> collect_region_table(const MatrixSet& matrices, TableCell cell,
                                                   std::vector<NamedRegion> regions, ByteSink& to) {
  return std::make_unique<RegionTable>(matrices, cell, std::move(regions), to);
}

}  // namespace basesweep
