#include "lib/writer/sam_query.hpp"

#include <fmt/format.h>
#include <htslib/sam.h>

#include <algorithm>
#include <limits>
#include <span>

#include "lib/base/error.hpp"
#include "lib/rows/letters.hpp"
#include "lib/search/pattern_set.hpp"

namespace basesweep {
namespace {

// The runs of a hit without indels, which has `inside` bases of the query.
void set_straight(const Hit& hit, std::uint32_t inside, std::vector<CigarRun>& to) {
  to.clear();
  if (hit.hang_left != 0) to.push_back({hit.hang_left, 'S'});
  to.push_back({inside, 'M'});
  if (hit.hang_right != 0) to.push_back({hit.hang_right, 'S'});
}

// The runs between those of bases that hang over.
std::span<const CigarRun> without_clips(std::span<const CigarRun> cigar) {
  if (cigar.front().op == 'S') cigar = cigar.subspan(1);
  return cigar.back().op == 'S' ? cigar.first(cigar.size() - 1) : cigar;
}

}  // namespace

std::string SamQueryNames::add(const std::string& original) {
  std::string name = original;
  std::replace(name.begin(), name.end(), ' ', '_');
  if (const auto [other, fresh] = known_.emplace(name, original); !fresh) {
    throw UsageError(fmt::format("{}s '{}' and '{}' are both '{}' in SAM, which allows no blanks in names", noun_,
                                 other->second, original, name));
  }
  if (name.empty()) throw UsageError(fmt::format("a {} has no name, which SAM needs", noun_));
  if (name.size() > max_letters_) {
    throw UsageError(
        fmt::format("{} '{}': the name has {} letters, SAM allows {}", noun_, name, name.size(), max_letters_));
  }
  if (is_sam_query_name(name)) return name;
  if (name == "*") throw UsageError(fmt::format("{} '*': in SAM this name means that there is none", noun_));
  const auto bad = std::find_if_not(name.begin(), name.end(), is_sam_query_letter);
  throw UsageError(fmt::format("{} '{}': SAM does not allow {} in its name", noun_, name, printable(*bad)));
}

SamQueries::SamQueries(const PatternSet& patterns, bool distinguish) : patterns_(patterns), distinguish_(distinguish) {
  for (const Query& query : patterns.queries()) {
    // An alignment with e edits has at most 2 e + 1 CIGAR runs; a BAM record holds at most 65,535.
    if (query.limits.edits > std::numeric_limits<std::int16_t>::max()) {
      throw UsageError(fmt::format("pattern '{}': {} edits are allowed; with SAM the limit is {}",
                                   patterns.patterns()[query.pattern].name, query.limits.edits,
                                   std::numeric_limits<std::int16_t>::max()));
    }
    std::string letters;
    for (const BaseSet set : query.sets) letters += iupac_letter(set);
    letters_.push_back(std::move(letters));
  }
}

void SamQueries::describe(const Hit& hit, std::string_view letters, SamScratch& scratch, SamRecord& record) const {
  const Query& query = patterns_.queries()[hit.query];
  const std::string& own = letters_[hit.query];
  // Without indels the path needs no search.
  const bool straight = hit.indels == 0 && !distinguish_;
  const std::uint32_t inside = static_cast<std::uint32_t>(own.size()) - hit.hang_left - hit.hang_right;
  if (straight) set_straight(hit, inside, scratch.cigar);
  const std::span<const CigarRun> precise = straight ? scratch.cigar : scratch.tracer.trace(query, letters, hit);
  find_differences(std::string_view(own).substr(hit.hang_left, inside), letters, without_clips(precise),
                   scratch.differences);
  if (!straight && !distinguish_) join_matches(precise, scratch.cigar);
  if (query.strand == Strand::minus) record.flag |= unsigned{BAM_FREVERSE};
  record.mapq = kUnknownMapq;
  record.cigar = distinguish_ ? precise : scratch.cigar;
  record.letters = own;
  record.alignment = {.differences = scratch.differences.count, .text = scratch.differences.text, .edits = hit.edits};
}

}  // namespace basesweep
