#include "lib/parts/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/md5.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kMagic = "#basesweep-plan";
constexpr std::string_view kColumns = "#chunk\trecord\tstart\tend\tlength\tnumber";
constexpr std::string_view kEndMark = "#basesweep-end";  // the first field of the last line
constexpr std::string_view kNoRecord = "*";
constexpr std::int64_t kMinShare = 8;  // a record is only cut if it has more than 1 / kMinShare of a chunk's bases

std::string_view word_of(PlanUnit unit) { return unit == PlanUnit::bases ? "bases" : "records"; }

// a * b / c, without overflow.
std::int64_t scaled(std::int64_t a, std::int64_t b, std::int64_t c) {
  return static_cast<std::int64_t>(static_cast<__int128>(a) * b / c);
}

void check_region(const std::string& record, const Region& region, std::int64_t length) {
  if (region.begin < length) return;
  throw DataError(fmt::format("region {}: it begins past the end of the record, which has {} bases",
                              print_region(record, region), length));
}

// The parts of the records that are to be dealt to chunks, in input order, with chunk 0. A record without such a part
// gets an empty row.
std::vector<PlanRow> rows_to_cut(const std::vector<RecordInfo>& records, const RegionSet* regions) {
  std::vector<PlanRow> rows;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto& [name, length] = records[i];
    const auto reference = static_cast<std::int64_t>(i);
    if (regions == nullptr) {
      rows.push_back({0, reference, name, {0, length}, length});
      continue;
    }
    const std::vector<Region>& own = regions->of(reference, name);
    if (own.empty()) rows.push_back({0, reference, name, {0, 0}, length});
    for (const Region& region : own) {
      rows.push_back({0, reference, name, {region.begin, std::min(region.end, length)}, length});
    }
  }
  return rows;
}

// Deals parts of records to one chunk after another. `total`: bases of all parts.
class Dealer {
 public:
  Dealer(std::int64_t total, std::uint32_t chunks) : total_(total), chunks_(chunks) {}

  // Appends the row to `dealt`, cut where chunks end.
  void deal(const PlanRow& row, std::vector<PlanRow>& dealt) {
    const std::int64_t size = row.region.end - row.region.begin;
    const bool whole = size * kMinShare <= total_ / chunks_;
    PlanRow rest = row;
    while (chunk_ < chunks_) {
      const std::int64_t cut = scaled(total_, chunk_, chunks_) - done_;  // where in `rest` this chunk should end
      const std::int64_t left = rest.region.end - rest.region.begin;
      if (cut >= left || (whole && 2 * cut >= size)) break;
      if (!whole && cut > 0) {
        PlanRow front = rest;
        front.region.end = rest.region.begin += cut;
        put(front, dealt);
      }
      ++chunk_;
    }
    put(rest, dealt);
  }

 private:
  void put(PlanRow row, std::vector<PlanRow>& dealt) {
    row.chunk = chunk_;
    done_ += row.region.end - row.region.begin;
    dealt.push_back(std::move(row));
  }

  std::int64_t total_;
  std::uint32_t chunks_;
  std::uint32_t chunk_ = 1;
  std::int64_t done_ = 0;  // bases dealt so far
};

// Parses a row of the plan; nothing if the line is malformed.
std::optional<PlanRow> parse_row(std::string_view line, const Plan& plan) {
  std::array<std::string_view, 7> fields;
  std::array<std::int64_t, 5> numbers{};  // chunk, start, end, length, number
  constexpr std::array<std::size_t, 5> kAt{0, 2, 3, 4, 5};
  if (split_at_tabs(line, fields) != kAt.size() + 1) return std::nullopt;
  for (std::size_t i = 0; i < kAt.size(); ++i) {
    if (!parse_place(fields[kAt[i]], numbers[i])) return std::nullopt;
  }
  const auto [chunk, begin, end, length, number] = numbers;
  if (chunk > plan.chunks || begin > end || end > length || number == 0) return std::nullopt;
  return PlanRow{static_cast<std::uint32_t>(chunk), number - 1, std::string(fields[1]), {begin, end}, length};
}

// Parses the first line of a plan; false if it is malformed.
bool parse_head(std::string_view line, Plan& plan) {
  std::array<std::string_view, 7> fields;
  const std::size_t count = split_at_tabs(line, fields);
  std::int64_t chunks = 0;
  if (count < 4 || count > 6 || fields[0] != kMagic || fields[1] != "1" || !fields[2].starts_with("chunks=") ||
      !parse_place(fields[2].substr(fields[2].find('=') + 1), chunks) || chunks == 0 || chunks > kMaxChunks) {
    return false;
  }
  plan.chunks = static_cast<std::uint32_t>(chunks);
  plan.unit = fields[3] == "unit=records" ? PlanUnit::records : PlanUnit::bases;
  constexpr std::string_view kNames = "names=";
  constexpr std::string_view kFirst = "first=";
  const bool named = count > 4 && fields[4].starts_with(kNames);
  if (named) plan.names = fields[4].substr(kNames.size());
  if (count == 6) {
    if (!fields[5].starts_with(kFirst)) return false;
    plan.first = fields[5].substr(kFirst.size());
    if (plan.first.empty()) return false;
  }
  return fields[3] == fmt::format("unit={}", word_of(plan.unit)) && named == (plan.unit == PlanUnit::records);
}

// The printed plan without its last line.
std::string print_lines(const Plan& plan) {
  std::string text = fmt::format("{}\t1\tchunks={}\tunit={}", kMagic, plan.chunks, word_of(plan.unit));
  if (plan.unit == PlanUnit::records) text += fmt::format("\tnames={}", plan.names);
  if (!plan.first.empty()) text += fmt::format("\tfirst={}", plan.first);
  text += fmt::format("\n{}\n", kColumns);
  for (const PlanRow& row : plan.rows) {
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\n", row.chunk, row.record, row.region.begin,
                   row.region.end, row.length, row.reference + 1);
  }
  return text;
}

std::string digest_of(std::string_view lines) {
  Md5 md5;
  md5.add(lines);
  return md5.take();
}

// The last line, without line end: a plan that lost rows, or whose rows were changed, does not fit it.
std::string print_end(const Plan& plan, std::string_view lines) {
  return fmt::format("{}\trows={}\tmd5={}", kEndMark, plan.rows.size(), digest_of(lines));
}

}  // namespace

std::string Plan::digest() const { return digest_of(print_lines(*this)); }

std::vector<RecordInfo> Plan::records() const {
  std::map<std::int64_t, RecordInfo> known;
  for (const PlanRow& row : rows) known.try_emplace(row.reference, RecordInfo{row.record, row.length});
  std::vector<RecordInfo> records;
  records.reserve(known.size());
  for (auto& [reference, record] : known) records.push_back(std::move(record));
  return records;
}

bool Plan::covers_all() const {
  if (unit != PlanUnit::bases) return true;
  std::int64_t planned = 0;
  for (const PlanRow& row : rows) planned += row.chunk == 0 ? 0 : row.region.end - row.region.begin;
  std::int64_t all = 0;
  for (const RecordInfo& record : records()) all += record.length;
  return planned == all;
}

RegionSet Plan::regions_of(std::uint32_t chunk) const {
  RegionSet regions = RegionSet::of_plan(static_cast<std::int64_t>(records().size()));
  std::map<std::int64_t, std::int64_t> first_begins;  // of each record; earlier chunks have earlier regions
  for (const PlanRow& row : rows) {
    if (row.chunk == 0) continue;
    const std::int64_t first_begin = first_begins.try_emplace(row.reference, row.region.begin).first->second;
    if (row.chunk == chunk) regions.add(row.reference, row.record, row.length, row.region, first_begin);
  }
  return regions;
}

RecordRange Plan::range_of(std::uint32_t chunk) const {
  const std::int64_t total = rows.empty() ? 0 : rows.front().length;
  const auto row = std::find_if(rows.begin(), rows.end(), [chunk](const PlanRow& r) { return r.chunk == chunk; });
  return row == rows.end() ? RecordRange{0, 0, total} : RecordRange{row->region.begin, row->region.end, total};
}

RegionWarnings check_regions(const RegionSet& regions, const std::vector<RecordInfo>& records,
                             const std::string& input) {
  std::vector<std::string> names;
  std::unordered_set<std::string_view> known;
  names.reserve(records.size());
  for (const RecordInfo& record : records) known.insert(names.emplace_back(record.name));
  RegionWarnings warnings;
  warnings.absent =
      regions.check_names([&known](const std::string& name) { return known.count(name) != 0; }, names, input);
  for (const auto& [name, length] : records) {
    const auto own = regions.by_name().find(name);
    if (own == regions.by_name().end() || own->second.empty()) continue;
    for (const Region& region : own->second) check_region(name, region, length);
    const Region& last = own->second.back();
    if (last.end < kToTheEnd && last.end > length) warnings.cut.push_back(cut_region(name, last, length));
  }
  return warnings;
}

Plan plan_bases(const std::vector<RecordInfo>& records, const RegionSet* regions, std::uint32_t chunks) {
  const std::vector<PlanRow> rows = rows_to_cut(records, regions);
  std::int64_t total = 0;
  for (const PlanRow& row : rows) total += row.region.end - row.region.begin;
  Plan plan{PlanUnit::bases, chunks, "", {}};
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(plan.rows),
               [](const PlanRow& row) { return row.region.begin == row.region.end; });
  Dealer dealer(total, chunks);
  for (const PlanRow& row : rows) {
    if (row.region.begin != row.region.end) dealer.deal(row, plan.rows);
  }
  return plan;
}

Plan plan_records(std::int64_t records, const std::string& names, std::uint32_t chunks, const std::string& first) {
  Plan plan{PlanUnit::records, chunks, names, {}, first};
  std::int64_t begin = 0;
  for (std::uint32_t chunk = 1; chunk <= chunks; ++chunk) {
    const std::int64_t end = chunk == chunks ? records : scaled(records, chunk, chunks) / 2 * 2;
    if (begin < end) plan.rows.push_back({chunk, 0, std::string(kNoRecord), {begin, end}, records});
    begin = end;
  }
  return plan;
}

std::string print_plan(const Plan& plan) {
  const std::string lines = print_lines(plan);
  return lines + print_end(plan, lines) + "\n";
}

Plan read_plan(const std::string& path) {
  const std::string name = input_name(path);
  Plan plan;
  std::size_t lines = 0;
  std::string end;                       // the last line, once it has come
  std::map<std::int64_t, PlanRow> last;  // the last row of each record
  for_each_line(read_all(path), [&](std::string_view line, std::size_t number) {
    lines = number;
    const auto refuse = [&](std::string_view expected) {
      throw DataError(fmt::format("{}: line {}: expected {}, as 'basesweep plan' writes it", name, number, expected));
    };
    if (number == 1) {
      if (!parse_head(line, plan))
        refuse(fmt::format("'{}', tab, 1, tab, chunks=N, tab, unit=bases or records", kMagic));
      return;
    }
    if (number == 2) {
      if (line != kColumns) refuse("the column names");
      return;
    }
    if (!end.empty()) refuse("nothing after the plan's last line");
    if (line.starts_with(kEndMark)) {
      end = line;
      return;
    }
    const std::optional<PlanRow> row = parse_row(line, plan);
    if (!row) refuse("chunk, record, start, end, length and number of the record, separated by tabs");
    if (!plan.rows.empty() && row->chunk < plan.rows.back().chunk) refuse("chunks in order");
    if (const auto [known, fresh] = last.try_emplace(row->reference, *row); !fresh) {
      const PlanRow& before = known->second;
      if (row->record != before.record || row->length != before.length)
        refuse("the same name and length in all rows of a record");
      if (row->region.begin < before.region.end) refuse("the parts of a record in order and without overlap");
      known->second = *row;
    }
    plan.rows.push_back(*row);
  });
  if (lines < 2) throw DataError(fmt::format("{}: not a plan: expected a file that 'basesweep plan' wrote", name));
  if (end.empty()) {
    throw DataError(
        fmt::format("{}: the plan is not complete: its last line, which begins with {}, is missing", name, kEndMark));
  }
  if (end != print_end(plan, print_lines(plan))) {
    throw DataError(fmt::format(
        "{}: the plan was changed after 'basesweep plan' wrote it: its {} rows do not fit its last line '{}'", name,
        plan.rows.size(), end));
  }
  return plan;
}

}  // namespace basesweep
