#include "lib/structure/read_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/per_thread.hpp"

namespace basesweep {
namespace {

constexpr std::uint32_t kTooMany = std::numeric_limits<std::uint32_t>::max();

// Whether the letter of a structure stands for the one of a read.
bool matches(char letter, char base) {
  const BaseSet set = iupac_set(base);
  return is_single_base(set) && (set & iupac_set(letter)) != 0;
}

// The best ways to place segments from some place on.
struct Ways {
  std::uint32_t edits = kTooMany;  // kTooMany: there is no way
  std::uint32_t length = 0;        // of the next segment
};

struct PlaceScratch {
  std::vector<Ways> ways;             // of each segment, at each place that it may begin at
  std::vector<std::size_t> begins;    // of the segments in `ways`
  std::vector<std::size_t> firsts;    // the first place that each segment may begin at
  std::vector<std::uint32_t> costs;   // of a fixed segment, by length
  std::vector<std::uint32_t> column;  // of the table of edits

  Ways& at(std::size_t segment, std::size_t place) { return ways[begins[segment] + place - firsts[segment]]; }
  // Behind the last place that the segment may begin at.
  std::size_t end(std::size_t segment) const { return firsts[segment] + begins[segment + 1] - begins[segment]; }
};

// Puts into costs[n] the edits between the letters and the first n bases of the text, for all n up to `longest`.
void find_costs(std::string_view letters, std::string_view text, std::size_t longest, PlaceScratch& scratch) {
  std::vector<std::uint32_t>& column = scratch.column;
  column.resize(letters.size() + 1);
  for (std::size_t i = 0; i <= letters.size(); ++i) column[i] = static_cast<std::uint32_t>(i);
  scratch.costs.assign(1, column.back());
  for (std::size_t n = 1; n <= longest; ++n) {
    std::uint32_t diagonal = std::exchange(column[0], static_cast<std::uint32_t>(n));
    for (std::size_t i = 1; i <= letters.size(); ++i) {
      const std::uint32_t other = matches(letters[i - 1], text[n - 1]) ? 0 : 1;
      const std::uint32_t cost = std::min({diagonal + other, column[i] + 1, column[i - 1] + 1});
      diagonal = std::exchange(column[i], cost);
    }
    scratch.costs.push_back(column.back());
  }
}

// Lists the places that each segment of a read of `letters` bases may begin at. A segment may begin where the shortest
// segments before it end, up to where the longest do. Those after the one that takes the rest lie at the end of the
// read.
void list_places(std::span<const StructureSegment> segments, std::size_t min_length, std::size_t letters,
                 PlaceScratch& scratch) {
  const std::size_t count = segments.size();
  scratch.begins.assign(count + 2, 0);
  scratch.firsts.assign(count + 1, 0);
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t after = min_length;  // bases that this segment and those after it need
  std::size_t most_after = 0;      // bases that those after the rest may have
  bool after_rest = false;
  for (std::size_t i = count; i-- > 0 && segments[i].max != StructureSegment::kRest;) most_after += segments[i].max;
  for (std::size_t i = 0; i <= count; ++i) {
    last = std::min(last, letters - after);
    if (after_rest) {
      if (letters > most_after) first = std::max(first, letters - most_after);
      if (i < count) most_after -= segments[i].max;
    }
    scratch.firsts[i] = first;
    scratch.begins[i + 1] = scratch.begins[i] + (last + 1 - first);
    if (i == count) break;
    first += segments[i].min;
    after_rest = after_rest || segments[i].max == StructureSegment::kRest;
    last = segments[i].max == StructureSegment::kRest ? letters : last + segments[i].max;
    after -= segments[i].min;
  }
}

// Finds the best ways to place the segment and those after it, at each place that it may begin at. Those of the next
// segment are known.
void fill_ways(const StructureSegment& segment, std::size_t number, std::string_view read, PlaceScratch& scratch) {
  const bool fixed = segment.kind == SegmentKind::fixed;
  const std::size_t last_end = scratch.end(number + 1) - 1;  // the last place of the next segment
  for (std::size_t place = scratch.firsts[number]; place < scratch.end(number); ++place) {
    if (last_end < place + segment.min) continue;
    const std::size_t longest = std::min<std::size_t>(segment.max, last_end - place);
    if (fixed) find_costs(segment.fixed, read.substr(place), longest, scratch);
    Ways& best = scratch.at(number, place);
    const std::size_t next = std::max(place, scratch.firsts[number + 1]);
    for (std::size_t length = std::max<std::size_t>(segment.min, next - place); length <= longest; ++length) {
      const std::uint32_t own = fixed ? scratch.costs[length] : 0;
      const std::uint32_t rest = scratch.at(number + 1, place + length).edits;
      if (own > segment.edits || rest == kTooMany || own + rest >= best.edits) continue;
      best = {own + rest, static_cast<std::uint32_t>(length)};
    }
  }
}

}  // namespace

ReadStructure::ReadStructure(std::vector<StructureSegment> segments) : segments_(std::move(segments)) {
  for (const StructureSegment& segment : segments_) {
    const bool rest = segment.max == StructureSegment::kRest;
    min_length_ += segment.min;
    has_rest_ = has_rest_ || rest;
    one_way_ = one_way_ && (rest || segment.min == segment.max) && segment.edits == 0;
  }
}

std::optional<std::uint32_t> ReadStructure::place(std::string_view read, std::vector<PlacedSegment>& placed) const {
  if (read.size() < min_length_) return std::nullopt;
  if (one_way_) return place_in_one_way(read, placed);
  auto& scratch = per_thread<PlaceScratch>();
  const std::size_t count = segments_.size();
  list_places(segments_, min_length_, read.size(), scratch);
  scratch.ways.assign(scratch.begins[count + 1], Ways{});
  for (std::size_t place = scratch.firsts[count]; place < scratch.end(count); ++place) {
    if (!has_rest_ || place == read.size()) scratch.at(count, place) = {0, 0};
  }
  for (std::size_t i = count; i-- > 0;) fill_ways(segments_[i], i, read, scratch);
  if (scratch.at(0, 0).edits == kTooMany) return std::nullopt;
  placed.resize(count);
  std::uint32_t place = 0;
  for (std::size_t i = 0; i < count; ++i) {
    placed[i] = {place, place + scratch.at(i, place).length};
    place = placed[i].end;
  }
  return scratch.at(0, 0).edits;
}

std::optional<std::uint32_t> ReadStructure::place_in_one_way(std::string_view read,
                                                             std::vector<PlacedSegment>& placed) const {
  placed.resize(segments_.size());
  std::size_t place = 0;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const StructureSegment& segment = segments_[i];
    const std::size_t length =
        segment.max == StructureSegment::kRest ? read.size() - min_length_ + segment.min : segment.min;
    placed[i] = {static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(place + length)};
    for (std::size_t j = 0; j < segment.fixed.size(); ++j) {
      if (!matches(segment.fixed[j], read[place + j])) return std::nullopt;
    }
    place += length;
  }
  return 0;
}

namespace {

// Goes through the text of a structure.
class StructureParser {
 public:
  explicit StructureParser(std::string_view text) : text_(text) {}

  ReadStructure parse_fgbio() {
    std::vector<StructureSegment> segments;
    if (done()) fail("expected a number of bases or +, and one of T, B, M, C and S");
    while (!done()) {
      StructureSegment segment;
      const std::size_t begin = at_;
      if (take('+')) {
        segment.max = StructureSegment::kRest;
      } else {
        segment.min = segment.max = number("expected a number of bases or +");
        if (segment.min == 0) fail_at(begin, "a segment has at least one base");
      }
      constexpr std::string_view kLetters = "TBMCS";
      constexpr SegmentKind kKinds[] = {SegmentKind::insert, SegmentKind::sample, SegmentKind::molecular,
                                        SegmentKind::cell, SegmentKind::skip};
      const std::size_t kind = kLetters.find(done() ? '\0' : text_[at_]);
      if (kind == std::string_view::npos) fail("expected T, B, M, C or S");
      ++at_;
      segment.kind = kKinds[kind];
      add(std::move(segment), begin, "+", segments);
    }
    return ReadStructure(std::move(segments));
  }

  std::vector<ReadStructure> parse_geometry() {
    std::vector<ReadStructure> reads;
    if (done()) fail("expected 1{...}");
    while (!done()) {
      const std::size_t begin = at_;
      if (number("expected the number of a read") != reads.size() + 1)
        fail_at(begin, fmt::format("expected read {}", reads.size() + 1));
      expect('{', "expected '{' and the segments of the read");
      std::vector<StructureSegment> segments;
      while (!take('}')) {
        const std::size_t segment = at_;
        add(parse_segment(), segment, ":", segments);
      }
      if (segments.empty()) fail_at(at_ - 1, "expected a segment");
      reads.emplace_back(std::move(segments));
    }
    return reads;
  }

 private:
  StructureSegment parse_segment() {
    StructureSegment segment;
    constexpr std::string_view kLetters = "buxrf";
    constexpr SegmentKind kKinds[] = {SegmentKind::cell, SegmentKind::molecular, SegmentKind::skip, SegmentKind::insert,
                                      SegmentKind::fixed};
    const std::size_t kind = kLetters.find(done() ? '\0' : text_[at_]);
    if (kind == std::string_view::npos) fail("expected b, u, x, r or f, or '}'");
    ++at_;
    segment.kind = kKinds[kind];
    if (segment.kind == SegmentKind::fixed) {
      parse_fixed(segment);
      return segment;
    }
    if (segment.kind == SegmentKind::cell && take('<')) segment.list = name();
    if (take(':')) {
      segment.max = StructureSegment::kRest;
      return segment;
    }
    expect('[', "expected a number of bases in brackets, or ':' for the rest");
    const std::size_t begin = at_;
    segment.min = segment.max = number("expected a number of bases");
    if (take('-')) segment.max = number("expected a number of bases");
    if (segment.max == 0 || segment.max < segment.min)
      fail_at(begin, "expected two numbers of bases, the smaller one first, and the other at least 1");
    expect(']', "expected ']'");
    return segment;
  }

  void parse_fixed(StructureSegment& segment) {
    expect('[', "expected a sequence in brackets");
    const std::size_t begin = at_;
    while (!done() && iupac_set(text_[at_]) != 0) ++at_;
    segment.fixed = text_.substr(begin, at_ - begin);
    if (segment.fixed.empty()) fail("expected a sequence");
    expect(']', "expected a nucleotide or IUPAC code, or ']'");
    const std::size_t edits = at_;
    if (take('{')) {
      segment.edits = number("expected a number of edits");
      if (segment.edits >= segment.fixed.size()) fail_at(edits, "expected fewer edits than bases");
      expect('}', "expected '}'");
    }
    const auto length = static_cast<std::uint32_t>(segment.fixed.size());
    segment.min = length - segment.edits;
    segment.max = length + segment.edits;
  }

  std::string name() {
    const std::size_t begin = at_;
    while (!done() && text_[at_] != '>') ++at_;
    std::string name(text_.substr(begin, at_ - begin));
    if (name.empty()) fail("expected the name of a list");
    expect('>', "expected '>' after the name of a list");
    return name;
  }

  // `rest`: how the structure says that a segment takes the rest.
  void add(StructureSegment segment, std::size_t begin, std::string_view rest,
           std::vector<StructureSegment>& segments) const {
    const auto takes_rest = [](const StructureSegment& one) { return one.max == StructureSegment::kRest; };
    if (takes_rest(segment) && std::any_of(segments.begin(), segments.end(), takes_rest))
      fail_at(begin, fmt::format("'{}' may be there once", rest));
    segments.push_back(std::move(segment));
  }

  bool done() const { return at_ == text_.size(); }
  bool take(char c) {
    if (done() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c, const char* expected) {
    if (!take(c)) fail(expected);
  }
  std::uint32_t number(const char* expected) {
    constexpr std::uint32_t kMost = 1'000'000'000;
    const std::size_t begin = at_;
    while (!done() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    std::uint32_t number = 0;
    if (at_ == begin) fail(expected);
    if (!parse_number(text_.substr(begin, at_ - begin), number) || number > kMost)
      fail_at(begin, fmt::format("the number is larger than {}", kMost));
    return number;
  }

  [[noreturn]] void fail(const std::string& what) const { fail_at(at_, what); }
  [[noreturn]] void fail_at(std::size_t at, const std::string& what) const {
    throw UsageError(fmt::format("read structure, position {}: {}\n  {}\n  {}^", at + 1, what, printable(text_),
                                 std::string(printable(text_.substr(0, at)).size(), ' ')));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

ReadStructure parse_read_structure(std::string_view text) { return StructureParser(text).parse_fgbio(); }

std::vector<ReadStructure> parse_geometry(std::string_view text) { return StructureParser(text).parse_geometry(); }

bool is_geometry(std::string_view text) { return text.find('{') != std::string_view::npos; }

}  // namespace basesweep
