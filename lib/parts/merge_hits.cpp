#include "lib/parts/merge_hits.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/parts/hit_chooser.hpp"
#include "lib/parts/hit_line.hpp"
#include "lib/parts/split_lines.hpp"

namespace basesweep {
namespace {

// `number` counts the lines after the header, or the BAM records, from 1.
[[noreturn]] void malformed(const PartHead& part, std::uint64_t number) {
  throw DataError(fmt::format("{}: hit {} is malformed; is the file damaged?", part.path, number));
}

// The lines of a part after the header (of FASTA a title with its sequence), or its BAM records without their sizes,
// one after another.
class PartRecords {
 public:
  explicit PartRecords(const PartHead& part) : part_(part), stream_(part.path) { read_head(part.path, stream_); }

  // The next one, valid until the next call; nothing behind the last.
  std::optional<std::string_view> next() {
    ++number_;
    if (part_.kind != PartKind::bam) {
      std::string_view line = stream_.line();
      if (line.empty()) return std::nullopt;
      if (line.back() != '\n') malformed(part_, number_);
      if (part_.kind != PartKind::fasta) return line;
      both_ = line;
      line = stream_.line();
      if (!line.ends_with('\n')) malformed(part_, number_);
      return both_ += line;
    }
    const std::string_view size_bytes = stream_.bytes(sizeof(std::uint32_t));
    if (size_bytes.empty()) return std::nullopt;
    const bool whole_size = size_bytes.size() == sizeof(std::uint32_t);
    std::uint32_t size = 0;
    std::memcpy(&size, size_bytes.data(), size_bytes.size());
    const std::string_view record = stream_.bytes(size);
    if (!whole_size || record.size() < size) malformed(part_, number_);
    return record;
  }
  std::uint64_t number() const { return number_; }  // of the last one that came, from 1

 private:
  const PartHead& part_;
  ByteStream stream_;
  std::string both_;  // title and sequence
  std::uint64_t number_ = 0;
};

// Calls use(text, number) for each of a part's PartRecords, until `use` returns false. Returns false then.
template <class Use>
bool for_each_record(const PartHead& part, const Use& use) {
  PartRecords records(part);
  while (const auto text = records.next()) {
    if (!use(*text, records.number())) return false;
  }
  return true;
}

// Gives the hits of all parts, one after another.
class AllHits {
 public:
  AllHits(const std::vector<PartHead>& parts, const HitParser& parser) : parts_(parts), parser_(parser) {}

  std::optional<PrintedHit> next() {
    for (; part_ < parts_.size(); ++part_, records_.reset()) {
      if (!records_) records_.emplace(parts_[part_]);
      while (const auto text = records_->next()) {
        if (auto hit = parser_.parse(*text)) return hit;
        if (parts_[part_].kind != PartKind::count) malformed(parts_[part_], records_->number());
      }
    }
    return std::nullopt;
  }

 private:
  const std::vector<PartHead>& parts_;
  const HitParser& parser_;
  std::size_t part_ = 0;
  std::optional<PartRecords> records_;
};

// The rows of a count table, in order of first appearance.
class Counts {
 public:
  // `header`: of the parts. The columns before `count` name a row, the others are numbers: the count, then the counts
  // of 0, 1, 2 ... edits.
  explicit Counts(std::string_view header) {
    if (header.ends_with('\n')) header.remove_suffix(1);
    while (!header.empty() && take_to(header, '\t') != "count") ++names_;
    for (; !header.empty(); ++numbers_) take_to(header, '\t');
  }

  // Adds a row. False if the line is not one.
  bool add(std::string_view line) {
    line.remove_suffix(1);
    std::string_view rest = line;
    for (std::size_t i = 0; i < names_; ++i) take_to(rest, '\t');
    const std::string_view name = line.substr(0, line.size() - rest.size());
    std::vector<std::uint64_t> numbers;
    while (!rest.empty()) {
      if (!parse_number(take_to(rest, '\t'), numbers.emplace_back())) return false;
    }
    if (numbers.size() != numbers_) return false;
    std::vector<std::uint64_t>& sums = row(name);
    for (std::size_t i = 0; i < numbers_; ++i) sums[i] += numbers[i];
    return true;
  }
  void add(const PrintedHit& hit) {
    std::vector<std::uint64_t>& sums = row(fmt::format("{}\t{}\t", hit.pattern, hit.minus ? '-' : '+'));
    ++sums[0];
    const std::size_t edits = hit.edits - hit.hang;
    if (edits + 1 < numbers_) ++sums[edits + 1];
  }

  std::string print() const {
    std::string text;
    for (const auto& [name, numbers] : rows_) text += fmt::format("{}{}\n", name, fmt::join(numbers, "\t"));
    return text;
  }

 private:
  std::vector<std::uint64_t>& row(std::string_view name) {
    const auto [known, fresh] = places_.try_emplace(std::string(name), rows_.size());
    if (fresh) rows_.emplace_back(name, std::vector<std::uint64_t>(numbers_));
    return rows_[known->second].second;
  }

  std::size_t names_ = 0;
  std::size_t numbers_ = 1;
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> rows_;
  std::unordered_map<std::string, std::size_t> places_;
};

void see_all(const std::vector<PartHead>& parts, const HitParser& parser, HitChooser& chooser) {
  for (const PartHead& part : parts) {
    for_each_record(part, [&](std::string_view text, std::uint64_t number) {
      if (const auto hit = parser.parse(text)) {
        chooser.see(*hit);
      } else if (part.kind != PartKind::count) {
        malformed(part, number);
      }
      return true;
    });
  }
}

std::string merged_counts(const std::vector<PartHead>& parts, const MergeRules& rules, const HitParser& parser,
                          std::string_view header, HitChooser& chooser) {
  Counts counts(header);
  for (const PartHead& part : parts) {
    for_each_record(part, [&](std::string_view line, std::uint64_t number) {
      if (counts.add(line)) return true;
      const auto hit = rules.any() ? parser.parse(line) : std::nullopt;
      if (!hit) malformed(part, number);
      if (chooser.keep(*hit)) counts.add(*hit);
      return true;
    });
  }
  return counts.print();
}

// Collects output and writes it in large pieces.
class Collected {
 public:
  explicit Collected(const std::function<void(std::string_view)>& write) : write_(write) {}
  void add(std::string_view text) {
    bytes_ += text;
    if (bytes_.size() >= kEnough) flush();
  }
  void flush() {
    write_(bytes_);
    bytes_.clear();
  }

 private:
  static constexpr std::size_t kEnough = std::size_t{1} << 20;
  const std::function<void(std::string_view)>& write_;
  std::string bytes_;
};

// The lengths of circular records that the header of SAM or BAM lists, by PrintedHit::record.
using CircularLengths = std::unordered_map<std::string, std::int64_t>;

CircularLengths circular_lengths(const PartHead& part) {
  CircularLengths lengths;
  if (part.kind != PartKind::sam && part.kind != PartKind::bam) return lengths;
  ByteStream stream(part.path);
  const std::string header = read_head(part.path, stream).header;
  std::int32_t index = 0;
  constexpr std::string_view kLine = "\n@SQ\t";
  for (std::size_t at = header.find(kLine); at != std::string::npos; at = header.find(kLine, at + 1), ++index) {
    std::array<std::string_view, 8> fields;
    const std::string_view line = std::string_view(header).substr(at + 1, header.find('\n', at + 1) - at - 1);
    const std::size_t count = split_at_tabs(line, fields);
    if (count < 4 || fields[3] != "TP:circular") continue;
    std::string record(fields[1].substr(3));
    if (part.kind == PartKind::bam) record.assign(reinterpret_cast<const char*>(&index), sizeof index);
    parse_number(fields[2].substr(3), lengths[record]);
  }
  return lengths;
}

// Copies everything after the header unchanged.
void copy(const PartHead& part, const std::function<void(std::string_view)>& write) {
  ByteStream stream(part.path);
  read_head(part.path, stream);
  char last = '\n';
  for (std::string_view bytes = stream.some(); !bytes.empty(); bytes = stream.some()) {
    last = bytes.back();
    write(bytes);
  }
  if (part.kind != PartKind::bam && last != '\n') {
    throw DataError(fmt::format("{}: the last line is cut short; is the file damaged?", part.path));
  }
}

void add_bam_size(std::size_t size, Collected& to) {
  const auto value = static_cast<std::uint32_t>(size);
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  to.add({bytes, sizeof bytes});
}

// Calls use(hit, text) for the hits that are kept, with their line or record. False when no more hits are wanted.
template <class Use>
bool for_each_kept(const PartHead& part, const MergeRules& rules, const HitParser& parser, HitChooser& chooser,
                   const Use& use) {
  CircularLengths lengths;
  if (rules.circular && rules.non_overlapping) lengths = circular_lengths(part);
  return for_each_record(part, [&](std::string_view text, std::uint64_t number) {
    if (chooser.full()) return false;
    auto hit = parser.parse(text);
    if (!hit) malformed(part, number);
    if (const auto known = lengths.find(std::string(hit->record)); known != lengths.end() && hit->end > known->second) {
      hit->origin = known->second;
    }
    if (chooser.keep(*hit)) use(*hit, text);
    return true;
  });
}

// Copies the hits that are kept, without the columns for merging. False when no more hits are wanted.
bool copy_kept(const PartHead& part, const MergeRules& rules, const HitParser& parser, HitChooser& chooser,
               Collected& to) {
  const bool alignments = part.kind == PartKind::sam || part.kind == PartKind::bam;
  std::string completed;
  return for_each_kept(part, rules, parser, chooser, [&](const PrintedHit& hit, std::string_view text) {
    const bool first = !alignments || chooser.is_first(hit.pattern);
    // The part's own first hit of a pattern may have been dropped.
    if (rules.best_per_record || !first) {
      completed = text;
      if (alignments) set_secondary(part.kind, !first, completed);
      if (rules.best_per_record) parser.set_standing(chooser.standing(), completed);
      text = completed;
    }
    if (part.kind == PartKind::bam) add_bam_size(text.size(), to);
    if (part.kind == PartKind::bed || part.kind == PartKind::tsv || part.kind == PartKind::gff3) {
      to.add(without(rules.columns(), part.kind, text));
      to.add("\n");
    } else if (part.kind == PartKind::fasta) {
      const std::size_t title_end = text.find('\n') + 1;
      to.add(without(rules.columns(), part.kind, text.substr(0, title_end)));
      to.add("\n");
      to.add(text.substr(title_end));
    } else {
      to.add(text);
    }
  });
}

// Copies the lines of BED that are kept, split at the origins of circular records.
void copy_split(const std::vector<PartHead>& parts, const MergeRules& rules, const HitParser& parser,
                HitChooser& chooser, Collected& to) {
  SplitLines lines([&to](std::string_view line) { to.add(line); });
  HitChooser again = chooser;
  for (const PartHead& part : parts) {
    const bool more = for_each_kept(part, rules, parser, again, [&](const PrintedHit& hit, std::string_view text) {
      lines.see(hit, without(rules.columns(), part.kind, text));
    });
    if (!more) break;
  }
  for (const PartHead& part : parts) {
    const bool more = for_each_kept(part, rules, parser, chooser, [&](const PrintedHit& hit, std::string_view text) {
      lines.add(hit, without(rules.columns(), part.kind, text));
    });
    if (!more) break;
  }
  lines.finish();
}

}  // namespace

void merge_hits(const std::vector<PartHead>& parts, const std::function<void(std::string_view)>& write) {
  const PartHead& first = parts.front();
  const MergeRules rules(first.label);
  ByteStream stream(first.path);
  const std::string header = read_head(first.path, stream).header;
  const HitParser parser(first.kind, rules.columns(), header);
  AllHits ahead(parts, parser);
  HitChooser chooser(rules, [&ahead] { return ahead.next(); });
  if (rules.best) see_all(parts, parser, chooser);
  if (first.kind == PartKind::tsv) {
    write(std::string(without(rules.columns(), first.kind, header)) + "\n");
  } else {
    write(header);
  }
  if (first.kind == PartKind::count) return write(merged_counts(parts, rules, parser, header, chooser));
  const bool aligned = first.kind == PartKind::sam || first.kind == PartKind::bam;
  const MergeColumns columns = rules.columns();
  const bool more_columns = first.kind == PartKind::bed
                                ? columns.edits
                                : !aligned && (columns.number || (columns.hang && first.kind != PartKind::tsv));
  if (!rules.any() && !more_columns && !(rules.approximate && aligned)) {
    for (const PartHead& part : parts) copy(part, write);
    return;
  }
  Collected collected(write);
  if (rules.circular && first.kind == PartKind::bed) {
    copy_split(parts, rules, parser, chooser, collected);
    return collected.flush();
  }
  for (const PartHead& part : parts) {
    if (!copy_kept(part, rules, parser, chooser, collected)) break;
  }
  collected.flush();
}

}  // namespace basesweep
