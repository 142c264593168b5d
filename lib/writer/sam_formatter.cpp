#include "lib/writer/sam_formatter.hpp"

#include <fmt/format.h>
#include <htslib/sam.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <vector>

#include "lib/align/trace.hpp"
#include "lib/base/error.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/base/sam_names.hpp"
#include "lib/writer/differences.hpp"
#include "lib/writer/letters.hpp"
#include "lib/writer/read_group.hpp"
#include "lib/writer/sam_header.hpp"
#include "lib/writer/sam_record.hpp"
#include "lib/writer/standing_tags.hpp"

namespace basesweep {
namespace {

constexpr unsigned kUnknownMapq = 255;

// The pattern's name as a QNAME, which may hold no blanks.
std::string sam_name(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

// Checks that the name, and no other, becomes this QNAME. `known`: QNAMEs so far and the names they come from.
void check_pattern_name(const std::string& original, std::unordered_map<std::string, std::string>& known) {
  const std::string name = sam_name(original);
  if (const auto [other, fresh] = known.emplace(name, original); !fresh) {
    throw UsageError(fmt::format("patterns '{}' and '{}' are both '{}' in SAM, which allows no blanks in names",
                                 other->second, original, name));
  }
  if (name.empty()) throw UsageError("a pattern has no name, which SAM needs");
  if (is_sam_query_name(name)) return;
  if (name.size() > kMaxSamNameLetters) {
    throw UsageError(
        fmt::format("pattern '{}': the name has {} letters, SAM allows {}", name, name.size(), kMaxSamNameLetters));
  }
  if (name == "*") throw UsageError("pattern '*': in SAM this name means that there is none");
  const auto bad = std::find_if_not(name.begin(), name.end(), is_sam_query_letter);
  throw UsageError(fmt::format("pattern '{}': SAM does not allow {} in its name", name, printable(*bad)));
}

// The fields of a SAM record that depend on the query alone.
struct SamQuery {
  std::string name;
  unsigned flag;
  std::string letters;  // SEQ
};

SamQuery make_query(const Pattern& pattern, const Query& query) {
  SamQuery printed{sam_name(pattern.name), query.strand == Strand::minus ? unsigned{BAM_FREVERSE} : 0U, ""};
  for (const BaseSet set : query.sets) printed.letters += iupac_letter(set);
  return printed;
}

// The runs between those of bases that hang over.
std::span<const CigarRun> without_clips(std::span<const CigarRun> cigar) {
  if (cigar.front().op == 'S') cigar = cigar.subspan(1);
  return cigar.back().op == 'S' ? cigar.first(cigar.size() - 1) : cigar;
}

// Memory that is kept from one hit to the next.
struct Scratch {
  Tracer tracer;
  std::vector<CigarRun> cigar;
  Differences differences;
};

class SamFormatter final : public Formatter {
 public:
  SamFormatter(const PatternSet& patterns, const SamOptions& options)
      : patterns_(patterns), options_(options), read_group_(parse_read_group(options.read_group)) {
    std::unordered_map<std::string, std::string> names;
    for (const Pattern& pattern : patterns.patterns()) check_pattern_name(pattern.name, names);
    for (const Query& query : patterns.queries()) {
      const Pattern& pattern = patterns.patterns()[query.pattern];
      // An alignment with e edits has at most 2 e + 1 CIGAR runs; a BAM record holds at most 65,535.
      if (query.limits.edits > std::numeric_limits<std::int16_t>::max()) {
        throw UsageError(fmt::format("pattern '{}': {} edits are allowed; with SAM the limit is {}", pattern.name,
                                     query.limits.edits, std::numeric_limits<std::int16_t>::max()));
      }
      sam_queries_.push_back(make_query(pattern, query));
    }
  }

  bool needs_records() const override { return true; }
  bool needs_letters() const override { return true; }

  std::string header(std::span<const RecordInfo> records) const override {
    check_sam_records(records, options_.path);
    const std::string text = sam_header_text({.order = "SO:coordinate",
                                              .records = records,
                                              .circular = &options_.circular,
                                              .read_group_line = read_group_.line,
                                              .program = options_.program,
                                              .command_line = options_.command_line,
                                              .comment = options_.comment});
    return options_.binary ? bam_header(text, records) : text;
  }

  void append(const PlacedHit& hit, Text& text) const override {
    auto& scratch = per_thread<Scratch>();
    const SamQuery& query = sam_queries_[hit.hit.query];
    const auto precise = scratch.tracer.trace(patterns_.queries()[hit.hit.query], hit.letters, hit.hit);
    const std::size_t inside = query.letters.size() - hit.hit.hang_left - hit.hit.hang_right;
    find_differences(std::string_view(query.letters).substr(hit.hit.hang_left, inside), hit.letters,
                     without_clips(precise), scratch.differences);
    if (!options_.distinguish) join_matches(precise, scratch.cigar);

    SamRecord record;
    record.name = query.name;
    record.flag = query.flag | (hit.hit.first == 0 ? unsigned{BAM_FSECONDARY} : 0U);
    record.place = {static_cast<std::int32_t>(hit.record), hit.record_name, hit.start};
    record.end = hit.end();
    record.mapq = kUnknownMapq;
    record.cigar = options_.distinguish ? precise : scratch.cigar;
    record.letters = query.letters;
    record.alignment = {
        .differences = scratch.differences.count, .text = scratch.differences.text, .edits = hit.hit.edits};
    record.read_group = read_group_.id;
    const std::string tags = standing_tags(hit.standing, options_.binary);
    record.last_tags = tags;
    options_.binary ? append_bam(record, text) : append_sam(record, text);
  }

 private:
  const PatternSet& patterns_;
  SamOptions options_;
  ReadGroup read_group_;
  std::vector<SamQuery> sam_queries_;  // one for each query
};

}  // namespace

std::unique_ptr<Formatter> make_sam_formatter(const PatternSet& patterns, const SamOptions& options) {
  return std::make_unique<SamFormatter>(patterns, options);
}

}  // namespace basesweep
