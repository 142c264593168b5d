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
#include "lib/rows/matrix_rows.hpp"

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
  unsigned needs() const override { return need::letters; }

  void append(const Row& row, Text& text) const override {
    const auto& hit = static_cast<const PlacedHit&>(row);
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
        PlacedHit placed = place_hit(name_, record_, best.start, hit);
        placed.letters = best.letters;
        formatter_.append(placed, text);
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

// Identifier and name of a matrix. An identifier may end in the name, where a file has several matrices of it.
std::string column_name(const ScoreMatrix& matrix) {
  const std::string name = matrix.name.empty() || matrix.name == matrix.id ? "" : "/" + matrix.name;
  return matrix.id.ends_with(name) ? matrix.id : matrix.id + name;
}

std::string column_names(const MatrixSet& matrices) {
  std::string line;
  for (const SearchedMatrix& one : matrices.matrices()) line += "\t" + column_name(one.matrix);
  return line + "\n";
}

// A table of which one row is known after the other.
class RecordTable final : public HitCollector {
 public:
  RecordTable(const MatrixSet& matrices, const MatrixTable& form, std::vector<std::string> paths, ByteSink& to)
      : HitCollector(to),
        matrices_(matrices),
        part_(form.part),
        paths_(std::move(paths)),
        check_(NameRule::text, paths_),
        row_(matrices.matrices().size(), form.cell),
        empty_(print(row_)) {}

  void see_record(std::int64_t reference, const std::string& name, std::uint32_t source) override {
    check_.check(reference, name, source);  // records without hits have rows too
    const std::lock_guard lock(mutex_);
    names_.emplace_back(reference, name);
  }

  // Without this, names of records without hits would fill the memory.
  void pass(std::int64_t reference) override { close_rows_before(reference); }

  std::optional<CollectedHits> finish() override {
    close_rows_before(std::numeric_limits<std::int64_t>::max());
    return std::nullopt;
  }

 private:
  void begin(std::string_view) override {
    to_.write((part_ ? kRecordColumnsOfPart : kRecordColumns) + column_names(matrices_));
  }

  void take(const MatrixHit& hit) override {
    if (hit.record != open_) {
      close_rows_before(hit.record);
      open_ = hit.record;
    }
    row_.add(matrices_.patterns().queries()[hit.query].pattern, hit.score);
  }

  std::string print(const MatrixRow& row) const { return part_ ? row.print_part() : row.print(); }

  // Writes the rows of all records before this one; those without hits too.
  void close_rows_before(std::int64_t record) {
    const std::lock_guard lock(mutex_);
    std::string text;
    for (; !names_.empty() && names_.front().first < record; names_.pop_front()) {
      const auto& [number, name] = names_.front();
      text += name;
      if (part_) text += fmt::format("\t{}", number);
      if (number == open_) {
        text += print(row_);
        row_.clear();
      } else {
        text += empty_;
      }
      text += '\n';
      ++rows_;
      if (text.size() < (std::size_t{1} << 20)) continue;
      to_.write(text);
      text.clear();
    }
    if (!text.empty()) to_.write(text);
  }

  const MatrixSet& matrices_;
  const bool part_;
  const std::vector<std::string> paths_;
  NameCheck check_;
  std::mutex mutex_;
  std::deque<std::pair<std::int64_t, std::string>> names_;  // of records whose rows are not written
  std::int64_t open_ = -1;                                  // the record that row_ is of
  MatrixRow row_;
  const std::string empty_;  // the cells of a row without hits
};

class RegionTable final : public HitCollector {
 public:
  RegionTable(const MatrixSet& matrices, const MatrixTable& form, std::vector<NamedRegion> regions, ByteSink& to)
      : HitCollector(to), matrices_(matrices), form_(form), regions_(std::move(regions)), cells_(regions_.size()) {
    for (std::size_t i = 0; i < regions_.size(); ++i) by_record_[regions_[i].record].push_back(i);
    for (auto& [record, indices] : by_record_) {
      std::sort(indices.begin(), indices.end(),
                [this](std::size_t a, std::size_t b) { return regions_[a].begin < regions_[b].begin; });
    }
  }

  std::optional<CollectedHits> finish() override {
    const MatrixRow none(matrices_.matrices().size(), form_.cell);
    for (std::size_t i = 0; i < regions_.size(); ++i) {
      const NamedRegion& region = regions_[i];
      const MatrixRow& cells = cells_[i] ? *cells_[i] : none;
      to_.write(fmt::format("{}\t{}\t{}\t{}{}\n", region.record, region.begin, region.end,
                            region.name.empty() ? "." : region.name, form_.part ? cells.print_part() : cells.print()));
    }
    rows_ = regions_.size();
    return std::nullopt;
  }

 private:
  void begin(std::string_view) override { to_.write(kRegionColumns + column_names(matrices_)); }

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
      if (!cells_[region]) cells_[region].emplace(matrices_.matrices().size(), form_.cell);
      cells_[region]->add(matrix, hit.score);
    }
  }

  const MatrixSet& matrices_;
  const MatrixTable form_;
  const std::vector<NamedRegion> regions_;
  std::vector<std::optional<MatrixRow>> cells_;                // of each region; nothing: no hit yet
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

std::unique_ptr<HitCollector> collect_table(const MatrixSet& matrices, const MatrixTable& form,
                                            std::vector<std::string> paths, ByteSink& to) {
  return std::make_unique<RecordTable>(matrices, form, std::move(paths), to);
}

std::unique_ptr<HitCollector> collect_region_table(const MatrixSet& matrices, const MatrixTable& form,
                                                   std::vector<NamedRegion> regions, ByteSink& to) {
  return std::make_unique<RegionTable>(matrices, form, std::move(regions), to);
}

}  // namespace basesweep
