#include <fmt/format.h>

#include "lib/base/per_thread.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/letters.hpp"
#include "lib/writer/tsv_columns.hpp"

namespace basesweep {
namespace {

class TsvFormatter final : public Formatter {
 public:
  TsvFormatter(const PatternSet& patterns, const HitDetails& details)
      : patterns_(patterns), details_(details), columns_(tsv_columns(patterns, details)) {
    for (const Query& query : patterns.queries()) {
      middles_.push_back(fmt::format("\t{}\t{}", patterns.patterns()[query.pattern].name, strand_letter(query.strand)));
    }
  }

  std::string header(std::span<const RecordInfo>) const override {
    std::string line = "record\tstart\tend\tpattern\tstrand";
    for (const TsvColumn& column : columns_) line += fmt::format("\t{}", column.name);
    return line + "\n";
  }
  NameRule names() const override { return NameRule::text; }
  bool needs_letters() const override { return true; }
  std::uint32_t flank() const override { return details_.flank; }

  void append(const PlacedHit& hit, Text& text) const override {
    auto& tracer = per_thread<Tracer>();
    const std::string_view middle = middles_[hit.hit.query];
    text.advance(put(put_place(text.reserve(place_bytes(hit) + middle.size()), hit), middle));
    const Query& query = patterns_.queries()[hit.hit.query];
    TsvLine line{hit, query, details_};
    if (patterns_.approximate()) line.cigar = tracer.trace(query, hit.letters, hit.hit);
    for (const TsvColumn& column : columns_) {
      text.append("\t");
      column.append(line, text);
    }
    text.append("\n");
  }

 private:
  const PatternSet& patterns_;
  const HitDetails details_;
  const std::vector<TsvColumn> columns_;
  std::vector<std::string> middles_;  // for each query: its name and strand, with tabs before them
};

}  // namespace

std::unique_ptr<Formatter> make_tsv_formatter(const PatternSet& patterns, const HitDetails& details) {
  return std::make_unique<TsvFormatter>(patterns, details);
}

}  // namespace basesweep
