#include "lib/parts/merge_hits.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/parts/hit_chooser.hpp"
#include "lib/parts/hit_line.hpp"

namespace basesweep {
namespace {

// `number` counts the lines after the header, or the BAM records, from 1.
[[noreturn]] void malformed(const PartHead& part, std::uint64_t number) {
  throw DataError(fmt::format("{}: hit {} is malformed; is the file damaged?", part.path, number));
}

// The lines of a part after the header, or its BAM records without their sizes, one after another.
class PartRecords {
 public:
  explicit PartRecords(const PartHead& part) : part_(part), stream_(part.path) { read_head(part.path, stream_); }

  // The next one, valid until the next call; nothing behind the last.
  std::optional<std::string_view> next() {
    ++number_;
    if (part_.kind != PartKind::bam) {
      const std::string_view line = stream_.line();
      if (line.empty()) return std::nullopt;
      if (line.back() != '\n') malformed(part_, number_);
      return line;
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
  // Adds a row: pattern, strand, count. False if the line is not one.
  bool add(std::string_view line) {
    std::array<std::string_view, 4> fields;
    std::uint64_t count = 0;
    if (split_at_tabs(line, fields) != 3 || !parse_number(fields[2], count)) return false;
    *row(line.substr(0, line.rfind('\t'))) += count;
    return true;
  }
  void add(const PrintedHit& hit) { ++*row(fmt::format("{}\t{}", hit.pattern, hit.minus ? '-' : '+')); }

  std::string print() const {
    std::string text;
    for (const auto& [name, count] : rows_) text += fmt::format("{}\t{}\n", name, count);
    return text;
  }

 private:
  std::uint64_t* row(std::string_view name) {
    const auto [known, fresh] = places_.try_emplace(std::string(name), rows_.size());
    if (fresh) rows_.emplace_back(name, 0);
    return &rows_[known->second].second;
  }

  std::vector<std::pair<std::string, std::uint64_t>> rows_;
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
                          HitChooser& chooser) {
  Counts counts;
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

// Copies the hits that are kept, without the columns for merging. False when no more hits are wanted.
bool copy_kept(const PartHead& part, const MergeRules& rules, const HitParser& parser, HitChooser& chooser,
               Collected& to) {
  const bool alignments = part.kind == PartKind::sam || part.kind == PartKind::bam;
  std::string completed;
  return for_each_record(part, [&](std::string_view text, std::uint64_t number) {
    if (chooser.full()) return false;
    const auto hit = parser.parse(text);
    if (!hit) malformed(part, number);
    if (!chooser.keep(*hit)) return true;
    const bool first = !alignments || chooser.is_first(hit->pattern);
    // The part's own first hit of a pattern may have been dropped.
    if (rules.best_per_record || !first) {
      completed = text;
      if (alignments) set_secondary(part.kind, !first, completed);
      if (rules.best_per_record) parser.set_standing(chooser.standing(), completed);
      text = completed;
    }
    if (part.kind == PartKind::bam) add_bam_size(text.size(), to);
    if (part.kind == PartKind::bed || part.kind == PartKind::tsv) {
      to.add(without(rules.columns(), part.kind, text));
      to.add("\n");
    } else {
      to.add(text);
    }
    return true;
  });
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
  if (first.kind == PartKind::count) return write(merged_counts(parts, rules, parser, chooser));
  const bool aligned = first.kind == PartKind::sam || first.kind == PartKind::bam;
  if (!rules.any() && !(rules.approximate && (aligned || first.kind == PartKind::bed))) {
    for (const PartHead& part : parts) copy(part, write);
    return;
  }
  Collected collected(write);
  for (const PartHead& part : parts) {
    if (!copy_kept(part, rules, parser, chooser, collected)) break;
  }
  collected.flush();
}

}  // namespace basesweep
