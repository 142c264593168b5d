#include "lib/pipeline/matrix_hits.hpp"

#include <algorithm>
#include <utility>

#include "lib/search/match_result.hpp"
#include "lib/writer/row_printer.hpp"

namespace basesweep {
namespace {

class Encoder final : public Formatter {
 public:
  Encoder(const MatrixSet& matrices, const Formatter& formatter) : matrices_(matrices), formatter_(formatter) {}

  bool lists_records() const override { return formatter_.lists_records(); }
  std::string header(std::span<const RecordInfo> records) const override { return formatter_.header(records); }
  NameRule names() const override { return formatter_.names(); }
  unsigned needs() const override { return need::letters; }

  void append(const Row& row, RowText& text) const override {
    ScoredHit hit{static_cast<const PlacedHit&>(row)};
    hit.score = matrices_.score_of(hit.hit.query, hit.letters);
    encode_row(hit, text.before, text);
  }

 private:
  const MatrixSet& matrices_;
  const Formatter& formatter_;
};

class BestOfRecords final : public HitCollector {
 public:
  BestOfRecords(const MatrixSet& matrices, const Formatter& formatter, ByteSink& to,
                std::optional<std::uint64_t> max_hits)
      : HitCollector(to),
        matrices_(matrices),
        printer_(formatter, to),
        max_hits_(max_hits),
        best_(matrices.matrices().size()) {
    result_.counts.resize(matrices.patterns().queries().size());
  }

  std::optional<CollectedHits> finish() override {
    close_record();
    printer_.flush();
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
  void take(const ScoredHit& hit) override {
    if (hit.record != record_) {
      close_record();
      record_ = hit.record;
      name_ = hit.record_name;
    }
    const std::uint32_t matrix = matrices_.patterns().queries()[hit.hit.query].pattern;
    Best& best = best_[matrix];
    if (best.start < 0) {
      seen_.push_back(matrix);
    } else if (hit.score <= best.score) {
      return;
    }
    best.start = hit.start;
    best.score = hit.score;
    best.query = hit.hit.query;
    best.letters = hit.letters;
  }

  void close_record() {
    // Queries are sorted by length, strand and matrix, so this is output order.
    std::sort(seen_.begin(), seen_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return std::pair(best_[a].start, best_[a].query) < std::pair(best_[b].start, best_[b].query);
    });
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
        printer_.add(placed);
      }
      best.start = -1;
    }
    seen_.clear();
  }

  const MatrixSet& matrices_;
  RowPrinter printer_;
  const std::optional<std::uint64_t> max_hits_;
  std::vector<Best> best_;           // of each matrix, in the open record
  std::vector<std::uint32_t> seen_;  // matrices that have a hit in it
  std::int64_t record_ = -1;         // the open record
  std::string name_;
  CollectedHits result_;
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
  RowDecoder<ScoredHit> decoder(bytes);
  for (ScoredHit hit; decoder.next(hit);) take(hit);
}

std::unique_ptr<HitCollector> collect_best(const MatrixSet& matrices, const Formatter& formatter, ByteSink& to,
                                           std::optional<std::uint64_t> max_hits) {
  return std::make_unique<BestOfRecords>(matrices, formatter, to, max_hits);
}

}  // namespace basesweep
