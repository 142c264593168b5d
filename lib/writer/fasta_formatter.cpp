#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "lib/align/overhangs.hpp"
#include "lib/writer/escape.hpp"
#include "lib/writer/formatter.hpp"
#include "lib/writer/letters.hpp"

namespace basesweep {
namespace {

// Writes the letters in lower case.
char* put_lower(char* to, std::string_view letters, Strand strand) {
  char* const end = put_matched(to, letters, strand);
  std::transform(to, end, to, [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return end;
}

// The title's field of a file; no blank in it, so that the fields can be told apart.
std::string file_field(const std::string& name) {
  std::string field = " file=";
  append_escaped(
      name, [](char c) { return c != '%' && (c > ' ' || c < 0) && c != '\x7f'; }, field);
  return field;
}

class FastaFormatter final : public Formatter {
 public:
  FastaFormatter(const PatternSet& patterns, const HitDetails& details)
      : patterns_(patterns), flank_(details.flank), more_(details.merge) {
    for (const std::string& name : details.files) files_.push_back(file_field(name));
  }

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  NameRule names() const override { return NameRule::text; }
  bool needs_letters() const override { return true; }
  std::uint32_t flank() const override { return flank_; }

  void append(const PlacedHit& hit, Text& text) const override {
    const Query& query = patterns_.queries()[hit.hit.query];
    text.append(fmt::format(">{}:{}-{}({})", hit.record_name, hit.start, hit.end(), strand_letter(query.strand)));
    if (patterns_.approximate()) text.append(fmt::format(" edits={}", hit.hit.edits));
    if (patterns_.overhangs()) {
      const PatternPart inside = part_inside(query, hit.hit);
      text.append(fmt::format(" pattern_start={} pattern_end={}", inside.begin, inside.end));
    }
    if (!files_.empty()) text.append(files_[hit.source]);
    text.append(fmt::format(" pattern={}", patterns_.patterns()[query.pattern].name));
    append_merge_columns(hit, query, more_, text);
    char* to = text.reserve(hit.left.size() + hit.letters.size() + hit.right.size() + 2);
    *to++ = '\n';
    const bool plus = query.strand == Strand::plus;
    to = put_lower(to, plus ? hit.left : hit.right, query.strand);
    to = put_matched(to, hit.letters, query.strand);
    to = put_lower(to, plus ? hit.right : hit.left, query.strand);
    *to++ = '\n';
    text.advance(to);
  }

 private:
  const PatternSet& patterns_;
  const std::uint32_t flank_;
  const MergeColumns more_;
  std::vector<std::string> files_;
};

}  // namespace

std::unique_ptr<Formatter> make_fasta_formatter(const PatternSet& patterns, const HitDetails& details) {
  return std::make_unique<FastaFormatter>(patterns, details);
}

}  // namespace basesweep
