#include "lib/writer/formatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lib/base/parallel.hpp"
#include "lib/base/threads.hpp"
#include "lib/writer/letters.hpp"

namespace basesweep {
namespace {

constexpr int kFullScore = 1000;

const std::string& name_of(const PatternSet& patterns, const Query& query) {
  return patterns.patterns()[query.pattern].name;
}

constexpr std::size_t kMergeBytes = 5 * (kNumberDigits + 1);  // the most that MergeColumns take

// Adds a column to a line that already ends before `to`.
char* put_column(char* to, std::int64_t number) {
  to[-1] = '\t';
  to = put(to, number);
  *to++ = '\n';
  return to;
}

// Adds the columns for merging to a line, but for the edits.
char* put_merge_columns(char* to, const PlacedHit& hit, const Query& query, MergeColumns more) {
  if (more.hang) to = put_column(to, hit.hit.edits_and_hang() - hit.hit.edits);
  if (more.number) to = put_column(to, hit.record);
  if (!more.origin) return to;
  return put_column(put_column(to, hit.over_origin() ? hit.circular_length : 0), query.pattern);
}

class BedFormatter final : public Formatter {
 public:
  BedFormatter(const PatternSet& patterns, MergeColumns more) : patterns_(patterns), more_(more) {
    const std::string score = fmt::format("\t{}\t", kFullScore);
    const std::vector<Query>& queries = patterns.queries();
    tail_begins_.reserve(queries.size() + 1);
    std::size_t bytes = 0;
    for (const Query& query : queries) {
      tail_begins_.push_back(bytes);
      bytes += 1 + name_of(patterns, query).size() + score.size() + 2;
    }
    tail_begins_.push_back(bytes);
    tails_.resize(bytes);
    constexpr std::size_t kTailsAtOnce = 4096;
    parallel_for_parts(available_threads(), queries.size(), kTailsAtOnce, [&](std::size_t begin, std::size_t end) {
      char* to = tails_.data() + tail_begins_[begin];
      for (std::size_t i = begin; i != end; ++i) {
        *to++ = '\t';
        to = put(put(to, name_of(patterns, queries[i])), score);
        *to++ = strand_letter(queries[i].strand);
        *to++ = '\n';
      }
    });
  }

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  bool splits_at_origin() const override { return !more_.origin; }
  NameRule names() const override { return NameRule::bed; }
  bool needs_letters() const override { return false; }

  void append(const PlacedHit& hit, Text& text) const override {
    const std::size_t begin = tail_begins_[hit.hit.query];
    const std::string_view tail(tails_.data() + begin, tail_begins_[hit.hit.query + 1] - begin);
    char* to = put_place(text.reserve(place_bytes(hit) + tail.size() + kMergeBytes), hit);
    if (hit.hit.edits_and_hang() == 0) {
      to = put(to, tail);
    } else {
      to = put(to, tail.substr(0, tail.size() - kAfterName));
      *to++ = '\t';
      to = put(to, hit_score(hit.hit, patterns_.queries()[hit.hit.query]));
      to = put(to, tail.substr(tail.size() - kAfterScore));
    }
    if (more_.edits) to = put_column(to, hit.hit.edits);
    to = put_merge_columns(to, hit, patterns_.queries()[hit.hit.query], more_);
    text.advance(to);
  }

 private:
  static constexpr std::size_t kAfterScore = 3;               // TAB, strand, line end
  static constexpr std::size_t kAfterName = kAfterScore + 5;  // TAB, kFullScore

  const PatternSet& patterns_;
  MergeColumns more_;
  std::string tails_;  // for each query: a line after its end column, for a hit without edits
  std::vector<std::size_t> tail_begins_;
};

}  // namespace

void Text::grow(std::size_t min_bytes) {
  capacity_ = std::max(min_bytes, 2 * capacity_);
  auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
  put(larger.get(), view());
  data_ = std::move(larger);
}

void Text::append(std::string_view bytes) { advance(put(reserve(bytes.size()), bytes)); }

// Without floating point.
std::int64_t hit_score(const Hit& hit, const Query& query) {
  const auto length = static_cast<std::int64_t>(query.sets.size());
  return (2 * kFullScore * (length - hit.edits_and_hang()) + length) / (2 * length);
}

EditKinds edit_kinds(const Hit& hit, const Query& query) {
  const auto inside = static_cast<std::int64_t>(query.sets.size()) - hit.hang_left - hit.hang_right;
  const std::int64_t longer = inside - hit.length;  // the query than the text
  const auto insertions = static_cast<std::uint32_t>((hit.indels + longer) / 2);
  return {static_cast<std::uint32_t>(hit.edits - hit.indels), insertions, hit.indels - insertions};
}

char* put_place(char* to, const PlacedHit& hit) {
  to = put(to, hit.record_name);
  *to++ = '\t';
  to = put(to, hit.start);
  *to++ = '\t';
  return put(to, hit.end());
}

std::size_t place_bytes(const PlacedHit& hit) { return hit.record_name.size() + 2 * (kNumberDigits + 1); }

Text Formatter::format(const PackedBatch& batch, std::span<const Hit> hits, const BatchStandings* standings) const {
  constexpr std::size_t kSpareBytes = 16;  // per hit
  Text text;
  const auto append_hit = [&](const PlacedHit& hit) {
    const bool first = text.view().empty();
    append(hit, text);
    // Growing the buffer costs more than formatting. Most hits take about as many bytes as the first, so room for all
    // of them is made after it.
    if (first) text.reserve(hits.size() * (text.view().size() + kSpareBytes));
  };
  for_each_hit(batch, hits, needs_letters(), append_hit, flank(), standings);
  return text;
}

void append_merge_columns(const PlacedHit& hit, const Query& query, MergeColumns more, Text& text) {
  if (more.hang) text.append(fmt::format("\t{}", hit.hit.edits_and_hang() - hit.hit.edits));
  if (more.number) text.append(fmt::format("\t{}", hit.record));
  if (more.origin) text.append(fmt::format("\t{}\t{}", hit.over_origin() ? hit.circular_length : 0, query.pattern));
}

std::unique_ptr<Formatter> make_bed_formatter(const PatternSet& patterns, MergeColumns more) {
  return std::make_unique<BedFormatter>(patterns, more);
}

}  // namespace basesweep
