#include "lib/writer/formatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lib/align/trace.hpp"
#include "lib/writer/letters.hpp"

namespace basesweep {
namespace {

const std::string& name_of(const PatternSet& patterns, const Entry& entry) {
  return patterns.patterns()[entry.pattern].name;
}

// "record TAB start TAB end"
char* put_place(char* to, const PlacedHit& hit) {
  to = put(to, hit.record_name);
  *to++ = '\t';
  to = put(to, hit.start);
  *to++ = '\t';
  return put(to, hit.end());
}

std::size_t place_bytes(const PlacedHit& hit) { return hit.record_name.size() + 2 * (kNumberDigits + 1); }

// One column more, behind a line that has ended.
char* put_column(char* to, std::int64_t number) {
  to[-1] = '\t';
  to = put(to, number);
  *to++ = '\n';
  return to;
}

class BedFormatter final : public Formatter {
 public:
  BedFormatter(const PatternSet& patterns, MergeColumns more) : patterns_(patterns), more_(more) {
    for (const Entry& entry : patterns.entries()) {
      tails_.push_back(
          fmt::format("\t{}\t{}\t{}\n", name_of(patterns, entry), kFullScore, strand_letter(entry.strand)));
    }
  }

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  bool needs_letters() const override { return false; }

  void append(const PlacedHit& hit, Text& text) const override {
    const std::string_view tail = tails_[hit.hit.entry];
    char* to = put_place(text.reserve(place_bytes(hit) + tail.size() + 2 * (kNumberDigits + 1)), hit);
    if (hit.hit.edits == 0) {
      to = put(to, tail);
    } else {
      to = put(to, tail.substr(0, tail.size() - kAfterName));
      *to++ = '\t';
      to = put(to, score(hit.hit));
      to = put(to, tail.substr(tail.size() - kAfterScore));
    }
    if (more_ != MergeColumns::none) to = put_column(to, hit.hit.edits);
    if (more_ == MergeColumns::edits_and_number) to = put_column(to, hit.record);
    text.advance(to);
  }

 private:
  static constexpr int kFullScore = 1000;
  static constexpr std::size_t kAfterScore = 3;               // TAB, strand, line end
  static constexpr std::size_t kAfterName = kAfterScore + 5;  // TAB, kFullScore

  // Rounds half up, without floating point.
  std::int64_t score(const Hit& hit) const {
    const auto length = static_cast<std::int64_t>(patterns_.entries()[hit.entry].columns.size());
    return (2 * kFullScore * (length - hit.edits) + length) / (2 * length);
  }

  const PatternSet& patterns_;
  MergeColumns more_;
  std::vector<std::string> tails_;  // what follows the end on a line of each entry, for a hit without edits
};

class TsvFormatter final : public Formatter {
 public:
  TsvFormatter(const PatternSet& patterns, MergeColumns more)
      : patterns_(patterns), with_number_(more == MergeColumns::edits_and_number) {
    for (const Entry& entry : patterns.entries()) {
      middles_.push_back(fmt::format("\t{}\t{}\t", name_of(patterns, entry), strand_letter(entry.strand)));
    }
  }

  std::string header(std::span<const RecordInfo>) const override {
    return fmt::format("record\tstart\tend\tpattern\tstrand{}\tmatched{}\n",
                       patterns_.approximate() ? "\tedits\tindels\tcigar" : "", with_number_ ? "\tnumber" : "");
  }
  bool needs_letters() const override { return true; }

  void append(const PlacedHit& hit, Text& text) const override {
    const Entry& entry = patterns_.entries()[hit.hit.entry];
    const std::string_view middle = middles_[hit.hit.entry];
    thread_local Tracer tracer;
    std::span<const CigarRun> cigar;
    if (patterns_.approximate()) cigar = tracer.trace(entry, hit.letters, {hit.hit.edits, hit.hit.indels});
    const std::size_t alignment_bytes = (2 + cigar.size()) * (kNumberDigits + 1) + 1;
    char* to =
        text.reserve(place_bytes(hit) + middle.size() + alignment_bytes + hit.letters.size() + 2 + kNumberDigits);
    to = put(put_place(to, hit), middle);
    if (patterns_.approximate()) to = put_alignment(to, hit.hit, cigar);
    to = put_matched(to, hit.letters, entry.strand);
    *to++ = '\n';
    if (with_number_) to = put_column(to, hit.record);
    text.advance(to);
  }

 private:
  static char* put_alignment(char* to, const Hit& hit, std::span<const CigarRun> cigar) {
    to = put(to, hit.edits);
    *to++ = '\t';
    to = put(to, hit.indels);
    *to++ = '\t';
    for (const CigarRun& run : cigar) {
      to = put(to, run.length);
      *to++ = run.op;
    }
    *to++ = '\t';
    return to;
  }

  const PatternSet& patterns_;
  bool with_number_;
  std::vector<std::string> middles_;  // name and strand of each entry, between tabs
};

}  // namespace

void Text::grow(std::size_t least_bytes) {
  capacity_ = std::max(least_bytes, 2 * capacity_);
  auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
  put(larger.get(), view());
  data_ = std::move(larger);
}

void Text::append(std::string_view bytes) { advance(put(reserve(bytes.size()), bytes)); }

Text Formatter::format(const PackedBatch& batch, std::span<const Hit> hits) const {
  constexpr std::size_t kSpareBytes = 16;  // a hit
  Text text;
  for_each_hit(batch, hits, needs_letters(), [&](const PlacedHit& hit) {
    const bool first = text.view().empty();
    append(hit, text);
    // Growing costs more than printing; most hits print about as long as the first.
    if (first) text.reserve(hits.size() * (text.view().size() + kSpareBytes));
  });
  return text;
}

std::unique_ptr<Formatter> make_bed_formatter(const PatternSet& patterns, MergeColumns more) {
  return std::make_unique<BedFormatter>(patterns, more);
}

std::unique_ptr<Formatter> make_tsv_formatter(const PatternSet& patterns, MergeColumns more) {
  return std::make_unique<TsvFormatter>(patterns, more);
}

}  // namespace basesweep
