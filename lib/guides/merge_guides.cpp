#include "lib/guides/merge_guides.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/parts/part_records.hpp"
#include "lib/writer/line_formatter.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kNearest = 2;
constexpr std::size_t kPlaceCells = 7;

// A guide of the merged table.
struct MergedGuide {
  std::string input;  // its cells in the columns of the input
  bool scored = false;
  GuideTotals totals;
};

std::uint64_t number_in(std::string_view& line, bool& sound) {
  std::uint64_t number = 0;
  sound = parse_number(take_to(line, '\t'), number) && sound;
  return number;
}

// Takes a place from the line; nothing for one that is empty.
std::optional<NearPlace> take_place(std::string_view& line, bool& sound) {
  if (line.starts_with('.')) {
    for (std::size_t i = 0; i < kPlaceCells; ++i) sound = take_to(line, '\t') == "." && sound;
    return std::nullopt;
  }
  NearPlace place;
  place.bulge_size = static_cast<std::uint32_t>(number_in(line, sound));
  place.mismatches = static_cast<std::uint32_t>(number_in(line, sound));
  place.record = static_cast<std::int64_t>(number_in(line, sound));
  place.start = static_cast<std::int64_t>(number_in(line, sound));
  place.end = static_cast<std::int64_t>(number_in(line, sound));
  place.strand = take_to(line, '\t') == "-" ? Strand::minus : Strand::plus;
  place.record_name = take_to(line, '\t');
  return place;
}

// Whether places can have these totals. An exact copy has the full MIT score, the nearest of them are named, and the
// sums of scores are far from those that no longer fit.
bool possible(const MergedGuide& row) {
  constexpr std::uint64_t kMostScore = 1ULL << 60;
  const GuideTotals& totals = row.totals;
  if (totals.mit > kMostScore || totals.cfd > kMostScore || totals.exact_cfd > totals.cfd) return false;
  if (totals.nearest.size() != std::min<std::uint64_t>(totals.places(), kNearest)) return false;
  return !row.scored || totals.counts.front() == 0 || totals.mit >= kFullScore;
}

// The row of a line without its end; nothing if it is none. `input_columns`, `counts`: how many.
std::optional<MergedGuide> parse_row(std::string_view line, std::size_t input_columns, std::size_t counts) {
  MergedGuide row;
  std::string_view rest = line;
  for (std::size_t i = 0; i < input_columns; ++i) take_to(rest, '\t');
  row.input = line.substr(0, line.size() - rest.size());
  if (row.input.ends_with('\t')) row.input.pop_back();
  bool sound = true;
  row.scored = number_in(rest, sound) != 0;
  for (std::size_t i = 0; i < counts; ++i) row.totals.counts.push_back(number_in(rest, sound));
  row.totals.mit = number_in(rest, sound);
  row.totals.cfd = number_in(rest, sound);
  row.totals.exact_cfd = number_in(rest, sound);
  for (std::size_t i = 0; i < kNearest; ++i) {
    if (auto place = take_place(rest, sound)) row.totals.nearest.push_back(std::move(*place));
  }
  if (!sound || !rest.empty() || !possible(row)) return std::nullopt;
  return row;
}

GuideRowForm parse_header(const PartHead& part) {
  // The table has a column for each class of places, so a damaged limit must not ask for more than a guide can have.
  const auto limit = [&](std::string_view name, std::uint32_t most) {
    std::uint32_t number = 0;
    if (!parse_number(parameter(part.label, name), number) || number > most) {
      throw DataError(fmt::format("{}: the part is damaged: its label has no {} of at most {}", part.path, name, most));
    }
    return number;
  };
  GuideRowForm form{.mismatches = limit("mismatches", kMaxGuideLength),
                    .max_bulge = std::max(limit("max_dna_bulges", kMaxBulge), limit("max_rna_bulges", kMaxBulge))};
  ByteStream stream(part.path);
  const std::string own = read_head(part.path, stream).header;
  std::string_view header = own;
  if (header.ends_with('\n')) header.remove_suffix(1);
  const std::string more = part_columns(form);
  if (!header.ends_with(more))
    throw DataError(fmt::format("{}: the part is damaged: its header is another", part.path));
  header.remove_suffix(more.size() - 1);  // a tab follows each column of the input
  while (!header.empty()) form.input.emplace_back(take_to(header, '\t'));
  return form;
}

}  // namespace

std::string part_columns(const GuideRowForm& form) {
  std::string text = fmt::format("\tscored\t{}\tmit\tcfd\texact_cfd", fmt::join(count_columns(form), "\t"));
  for (std::size_t i = 1; i <= kNearest; ++i) {
    for (const char* name : {"bulge", "mismatches", "record", "start", "end", "strand", "name"}) {
      text += fmt::format("\tnearest_{}_{}", i, name);
    }
  }
  return text;
}

std::string part_cells(const GuideTotals& totals, bool scored) {
  std::string text = scored ? "\t1" : "\t0";
  for (const std::uint64_t count : totals.counts) text += fmt::format("\t{}", count);
  text += fmt::format("\t{}\t{}\t{}", totals.mit, totals.cfd, totals.exact_cfd);
  for (std::size_t i = 0; i < kNearest; ++i) {
    if (i >= totals.nearest.size()) {
      for (std::size_t cell = 0; cell < kPlaceCells; ++cell) text += "\t.";
      continue;
    }
    const NearPlace& place = totals.nearest[i];
    text += fmt::format("\t{}\t{}\t{}\t{}\t{}\t{}\t{}", place.bulge_size, place.mismatches, place.record, place.start,
                        place.end, strand_letter(place.strand), place.record_name);
  }
  return text;
}

MergedGuides merge_guide_tables(std::span<const PartHead> parts, const std::function<void(std::string_view)>& write) {
  const GuideRowForm form = parse_header(parts.front());
  const std::size_t counts = count_columns(form).size();
  std::vector<MergedGuide> rows;
  std::int64_t part_number = 0;
  for (const PartHead& part : parts) {
    std::size_t next = 0;
    std::uint64_t places = 0;
    const std::uint64_t said = for_each_record(part, [&](std::string_view line, std::uint64_t number) {
      line.remove_suffix(1);
      auto row = parse_row(line, form.input.size(), counts);
      if (!row) malformed_hit(part, number);
      places += row->totals.places();
      // Numbers of records count from the begin of a part; places of parts follow each other.
      constexpr int kRecordBits = 40;
      for (NearPlace& place : row->totals.nearest) place.record |= part_number << kRecordBits;
      if (part_number == 0) {
        rows.push_back(std::move(*row));
        return;
      }
      if (next >= rows.size() || rows[next].input != row->input) {
        throw DataError(
            fmt::format("{}: the part is damaged: its rows are not those of {}", part.path, parts.front().path));
      }
      MergedGuide& sum = rows[next++];
      sum.totals.add(row->totals);
      if (!possible(sum)) malformed_hit(part, number);
    });
    if (part_number != 0 && next != rows.size()) {
      throw DataError(
          fmt::format("{}: the part is damaged: its rows are not those of {}", part.path, parts.front().path));
    }
    if (said != places) {
      throw DataError(fmt::format("{}: the part is damaged: it has {} places, and its end says that it has {}",
                                  part.path, places, said));
    }
    ++part_number;
  }
  const auto formatter = make_line_formatter(std::make_shared<GuideTableRows>(form), OutputFormat::tsv);
  write(formatter->header({}));
  MergedGuides merged{.guides = rows.size()};
  for (const MergedGuide& row : rows) {
    Text text;
    formatter->append(GuideTableRow{{}, row.input, &row.totals, row.scored, {}}, text);
    write(text.view());
    merged.places += row.totals.places();
    if (!row.totals.has_exact_copy()) ++merged.without_exact_copy;
  }
  return merged;
}

}  // namespace basesweep
