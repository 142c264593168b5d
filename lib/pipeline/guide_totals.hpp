// The totals of guides as bytes, for parts of a run.
#pragma once

#include <string>
#include <string_view>

#include "lib/compiled/field_bytes.hpp"
#include "lib/guides/guide_set.hpp"
#include "lib/guides/guide_table.hpp"

namespace basesweep {

// A place without its features.
void print_place(const NearPlace& place, FieldWriter& to);
NearPlace parse_place(FieldReader& from);

// Whether places can have these sums of scores: they are far from those that no longer fit.
bool possible_sums(std::uint64_t mit, std::uint64_t cfd, std::uint64_t exact_cfd);

// Without counts of features.
std::string print_totals(const GuideTable& table, const GuideSet& guides);

// Adds the totals of a part to those of the parts before it. Throws DataError for totals that no text can have; `path`:
// of the part, for messages.
void add_totals(std::string_view bytes, const std::string& path, const GuideSet& guides, GuideTable& table);

}  // namespace basesweep
