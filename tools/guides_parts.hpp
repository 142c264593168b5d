// The guides of a run in its parts.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>

#include "lib/guides/joined_rows.hpp"
#include "lib/parts/part_set.hpp"
#include "lib/writer/formatter.hpp"
#include "tools/guides_input.hpp"

namespace basesweep {

struct GuidesOptions;

// The guides as they were given, the columns of their table, and the PAMs and limits of the options, which a file of
// guides may have set.
std::string print_guides(const GivenGuides& given, const GuidesOptions& options);

// Reads the same from a part, and sets the PAMs and limits of the options. Throws DataError.
GivenGuides guides_of(const PartSet& parts, GuidesOptions& options);

// Formats the rows of designed guides that parts have.
class JoinedFormatter final : public Formatter {
 public:
  using Append = std::function<void(const JoinedRow& row, RowText& text)>;

  // `append`: any thread may call it.
  explicit JoinedFormatter(Append append) : append_(std::move(append)) {}

  std::string header(std::span<const RecordInfo>) const override { return ""; }
  NameRule names() const override { return NameRule::any; }
  unsigned needs() const override { return 0; }
  void append(const Row& row, RowText& text) const override { append_(static_cast<const JoinedRow&>(row), text); }

 private:
  const Append append_;
};

// Whether a chunk of this run can have written such a row of a designed guide. `every`: as find_text_sites() takes it.
bool possible(const JoinedRow& row, const PartHead& head, const GuideSet& every, const JoinLimits& limits);

}  // namespace basesweep
