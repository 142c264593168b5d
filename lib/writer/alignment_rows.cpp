#include "lib/writer/alignment_rows.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/per_thread.hpp"
#include "lib/base/sam_names.hpp"
#include "lib/base/sam_tags.hpp"
#include "lib/writer/differences.hpp"

namespace basesweep {
namespace {

// Memory of one thread.
struct Scratch {
  std::vector<CigarRun> cigar;
  std::string tags;
};

// Sets `tags` to these as BAM has them. Throws DataError for one that is not a tag.
void to_binary(std::string_view text, std::string& tags) {
  tags.clear();
  take_to(text, '\t');  // nothing: each tag has a tab before it
  try {
    while (!text.empty()) append_sam_tag(take_to(text, '\t'), true, tags);
  } catch (const std::runtime_error& fault) {
    throw DataError(fault.what());
  }
}

}  // namespace

bool AlignmentFormatter::can_be(const AlignmentRow& row) const {
  const SamRecord& record = row.record;
  const auto known = [this](const SamPlace& place) {
    const bool has_record = place.reference >= 0 && static_cast<std::size_t>(place.reference) < records_.size();
    return has_record ? place.start >= 0 && place.start < records_[static_cast<std::size_t>(place.reference)].length
                      : place.reference == -1 && place.start == -1;
  };
  constexpr std::uint32_t kMaxRun = (1U << 28) - 1;
  return known(record.place) && known(record.mate) && !record.name.empty() &&
         record.name.size() <= kMaxSamNameLetters &&
         (record.qualities.empty() || record.qualities.size() == record.letters.size()) &&
         record.cigar.size() <= std::numeric_limits<std::uint16_t>::max() &&
         std::all_of(record.cigar.begin(), record.cigar.end(),
                     [](const CigarRun& run) { return run.length <= kMaxRun; });
}

void AlignmentFormatter::set_name(SamPlace& place) const {
  if (place.reference >= 0) place.name = records_[static_cast<std::size_t>(place.reference)].name;
}

void AlignmentFormatter::append(const Row& row, RowText& text) const {
  auto& scratch = per_thread<Scratch>();
  SamRecord record = static_cast<const AlignmentRow&>(row).record;
  set_name(record.place);
  set_name(record.mate);
  record.read_group = format_.read_group;
  if (!format_.distinguish) {
    join_matches(record.cigar, scratch.cigar);
    record.cigar = scratch.cigar;
  }
  if (format_.binary && !record.last_tags.empty()) {
    to_binary(record.last_tags, scratch.tags);
    record.last_tags = scratch.tags;
  }
  format_.binary ? append_bam(record, text) : append_sam(record, text);
}

}  // namespace basesweep
