#include "lib/merge/merge_hits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "lib/error.hpp"
#include "lib/fields.hpp"
#include "lib/merge/hit_line.hpp"

namespace basesweep {
namespace {

// What the parameters of the run leave to be done.
struct Rules {
  explicit Rules(const PartLabel& label)
      : approximate(parameter(label, "command") == "match"),
        best(parameter(label, "report") == "best" && approximate),
        non_overlapping(parameter(label, "overlapping") == "no") {
    std::uint64_t most = 0;
    if (parse_number(parameter(label, "max_hits"), most)) max_hits = most;
  }

  bool any() const { return best || non_overlapping || max_hits; }
  // What the program has put behind the columns of BED and TSV.
  MergeColumns columns() const {
    if (non_overlapping) return MergeColumns::edits_and_number;
    return approximate ? MergeColumns::edits : MergeColumns::none;
  }

  bool approximate;
  bool best;
  bool non_overlapping;
  std::optional<std::uint64_t> max_hits;
};

[[noreturn]] void malformed(const PartHead& part) {
  throw DataError(fmt::format("{}: a hit that is not as basesweep writes it; is the file damaged?", part.path));
}

// Calls use(text) for each line behind the header, or record of BAM without its size, until it returns false.
template <class Use>
bool for_each_record(const PartHead& part, const Use& use) {
  ByteStream stream(part.path);
  read_head(part.path, stream);
  while (true) {
    if (part.kind != PartKind::bam) {
      const std::string_view line = stream.line();
      if (line.empty()) return true;
      if (line.back() != '\n') malformed(part);
      if (!use(line)) return false;
      continue;
    }
    const std::string_view size_bytes = stream.bytes(sizeof(std::uint32_t));
    if (size_bytes.empty()) return true;
    std::uint32_t size = 0;
    std::memcpy(&size, size_bytes.data(), size_bytes.size());
    const std::string_view record = stream.bytes(size);
    if (size_bytes.size() < sizeof size || record.size() < size) malformed(part);
    if (!use(record)) return false;
  }
}

// Chooses among hits as HitSelector does, of what is printed.
class Chooser {
 public:
  explicit Chooser(const Rules& rules) : rules_(rules) {}

  void see(const PrintedHit& hit) {
    const auto [known, fresh] = lowest_.try_emplace(std::string(hit.pattern), hit.edits);
    if (!fresh) known->second = std::min(known->second, hit.edits);
  }

  // Whether the hit leaves; calls come in order of the output.
  bool keep(const PrintedHit& hit) {
    if (rules_.best && hit.edits > lowest_.at(std::string(hit.pattern))) return false;
    if (rules_.non_overlapping) {
      Kept& last = kept_[std::string(hit.pattern) + (hit.minus ? '-' : '+')];
      if (last.record == hit.record && last.number == hit.number && hit.start < last.end) return false;
      last = {std::string(hit.record), hit.number, hit.end};
    }
    ++left_;
    return true;
  }

  bool is_first(std::string_view pattern) { return seen_.insert(std::string(pattern)).second; }
  bool full() const { return rules_.max_hits && left_ >= *rules_.max_hits; }

 private:
  struct Kept {
    std::string record;
    std::int64_t number = 0;
    std::int64_t end = 0;
  };

  const Rules& rules_;
  std::uint64_t left_ = 0;
  std::unordered_map<std::string, std::uint32_t> lowest_;
  std::unordered_map<std::string, Kept> kept_;
  std::unordered_set<std::string> seen_;  // patterns
};

// Rows of a count table in their order.
class Counts {
 public:
  // Whether the line is a row: pattern, strand, count.
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

void see_all(const std::vector<PartHead>& parts, const Rules& rules, Chooser& chooser) {
  for (const PartHead& part : parts) {
    for_each_record(part, [&](std::string_view text) {
      if (const auto hit = parse_hit(part.kind, rules.columns(), text)) {
        chooser.see(*hit);
      } else if (part.kind != PartKind::count) {
        malformed(part);
      }
      return true;
    });
  }
}

std::string merged_counts(const std::vector<PartHead>& parts, const Rules& rules, Chooser& chooser) {
  Counts counts;
  for (const PartHead& part : parts) {
    for_each_record(part, [&](std::string_view line) {
      if (counts.add(line)) return true;
      const auto hit = rules.any() ? parse_hit(part.kind, rules.columns(), line) : std::nullopt;
      if (!hit) malformed(part);
      if (chooser.keep(*hit)) counts.add(*hit);
      return true;
    });
  }
  return counts.print();
}

// Output that is written in large pieces.
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

// Copies what comes behind the header as it is.
void copy(const PartHead& part, const std::function<void(std::string_view)>& write) {
  ByteStream stream(part.path);
  read_head(part.path, stream);
  char last = '\n';
  for (std::string_view bytes = stream.some(); !bytes.empty(); bytes = stream.some()) {
    last = bytes.back();
    write(bytes);
  }
  if (part.kind != PartKind::bam && last != '\n') malformed(part);
}

void add_bam_size(std::size_t size, Collected& to) {
  const auto value = static_cast<std::uint32_t>(size);
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  to.add({bytes, sizeof bytes});
}

// Copies the hits that are kept, less what only merging needs. False: no more hits are wanted.
bool copy_kept(const PartHead& part, const Rules& rules, Chooser& chooser, Collected& to) {
  const bool alignments = part.kind == PartKind::sam || part.kind == PartKind::bam;
  std::string secondary;
  return for_each_record(part, [&](std::string_view text) {
    if (chooser.full()) return false;
    const auto hit = parse_hit(part.kind, rules.columns(), text);
    if (!hit) malformed(part);
    if (!chooser.keep(*hit)) return true;
    if (part.kind == PartKind::bam) add_bam_size(text.size(), to);
    if (part.kind == PartKind::bed || part.kind == PartKind::tsv) {
      to.add(without(rules.columns(), part.kind, text));
      to.add("\n");
    } else if (alignments && !chooser.is_first(hit->pattern)) {
      secondary = text;
      make_secondary(part.kind, secondary);
      to.add(secondary);
    } else {
      to.add(text);
    }
    return true;
  });
}

}  // namespace

void merge_hits(const std::vector<PartHead>& parts, const std::function<void(std::string_view)>& write) {
  const PartHead& first = parts.front();
  const Rules rules(first.label);
  Chooser chooser(rules);
  if (rules.best) see_all(parts, rules, chooser);
  ByteStream stream(first.path);
  const std::string header = read_head(first.path, stream).header;
  if (first.kind == PartKind::tsv) {
    write(std::string(without(rules.columns(), first.kind, header)) + "\n");
  } else {
    write(header);
  }
  if (first.kind == PartKind::count) return write(merged_counts(parts, rules, chooser));
  const bool aligned = first.kind == PartKind::sam || first.kind == PartKind::bam;
  if (!rules.any() && !(rules.approximate && (aligned || first.kind == PartKind::bed))) {
    for (const PartHead& part : parts) copy(part, write);
    return;
  }
  Collected collected(write);
  for (const PartHead& part : parts) {
    if (!copy_kept(part, rules, chooser, collected)) break;
  }
  collected.flush();
}

}  // namespace basesweep
