#include "lib/parts/merge_hits.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/parts/best_scores.hpp"
#include "lib/parts/hit_chooser.hpp"
#include "lib/parts/hit_line.hpp"
#include "lib/parts/part_counts.hpp"
#include "lib/parts/part_records.hpp"
#include "lib/parts/split_lines.hpp"
#include "lib/writer/alignment_order.hpp"

namespace basesweep {
namespace {

// Gives the hits of all parts, one after another.
class AllHits {
 public:
  AllHits(const std::vector<PartHead>& parts, const HitParser& parser) : parts_(parts), parser_(parser) {}

  std::optional<PrintedHit> next() {
    for (; part_ < parts_.size(); ++part_, records_.reset()) {
      if (!records_) records_.emplace(parts_[part_]);
      while (const auto text = records_->next()) {
        if (auto hit = parser_.parse(*text)) return hit;
        if (parts_[part_].kind != PartKind::count) malformed_hit(parts_[part_], records_->number());
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

void see_all(const std::vector<PartHead>& parts, const HitParser& parser, HitChooser& chooser) {
  for (const PartHead& part : parts) {
    for_each_record(part, [&](std::string_view text, std::uint64_t number) {
      if (const auto hit = parser.parse(text)) {
        chooser.see(*hit);
      } else if (part.kind != PartKind::count) {
        malformed_hit(part, number);
      }
    });
  }
}

// The table of counts without its header.
PartCounts merged_counts(const std::vector<PartHead>& parts, const MergeRules& rules, const HitParser& parser,
                         std::string_view header, HitChooser& chooser) {
  PartCounts counts(header);
  for (const PartHead& part : parts) {
    const std::uint64_t before = counts.total();
    std::uint64_t left_out = 0;
    counts.begin_part();
    const std::uint64_t hits = for_each_record(part, [&](std::string_view line, std::uint64_t number) {
      if (counts.add(line)) return;
      const auto hit = rules.any() ? parser.parse(line) : std::nullopt;
      if (!hit) malformed_hit(part, number);
      if (chooser.keep(*hit)) {
        counts.add(*hit);
      } else {
        ++left_out;
      }
    });
    if (!counts.end_part()) {
      throw DataError(
          fmt::format("{}: the part is damaged: its rows are not those of {}", part.path, parts.front().path));
    }
    if (const std::uint64_t found = counts.total() - before + left_out; found != hits) {
      throw DataError(fmt::format("{}: the part is damaged: it has {} hits, and its end says that it has {}", part.path,
                                  found, hits));
    }
  }
  return counts;
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

// Whether a hit is a line with the columns for merging at its end.
bool is_line(PartKind kind) {
  return kind == PartKind::bed || kind == PartKind::tsv || kind == PartKind::fimo || kind == PartKind::gff3;
}

void add_bam_size(std::size_t size, Collected& to) {
  const auto value = static_cast<std::uint32_t>(size);
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  to.add({bytes, sizeof bytes});
}

// Copies all hits as they are. Returns their number; unmapped records do not count.
std::uint64_t copy(const PartHead& part, Collected& to) {
  std::uint64_t hits = 0;
  for_each_record(part, [&](std::string_view text, std::uint64_t) {
    if (part.kind == PartKind::bam) add_bam_size(text.size(), to);
    to.add(text);
    if (is_mapped(part.kind, text)) ++hits;
  });
  return hits;
}

// Calls use(hit, text) for the hits that are kept, with their line or record. Returns their number. All parts are read
// to their ends, also when no more hits are wanted: a part that was cut off is refused, whatever the others hold.
template <class Use>
std::uint64_t for_each_kept(const PartHead& part, const MergeRules& rules, const HitParser& parser, HitChooser& chooser,
                            const Use& use) {
  CircularLengths lengths;
  if (rules.circular && rules.non_overlapping) lengths = circular_lengths(part);
  std::uint64_t kept = 0;
  for_each_record(part, [&](std::string_view text, std::uint64_t number) {
    if (chooser.full()) return;
    auto hit = parser.parse(text);
    if (!hit) malformed_hit(part, number);
    if (const auto known = lengths.find(std::string(hit->record)); known != lengths.end() && hit->end > known->second) {
      hit->origin = known->second;
    }
    if (!chooser.keep(*hit)) return;
    ++kept;
    use(*hit, text);
  });
  return kept;
}

// Copies the hits that are kept, without the columns for merging. Returns their number.
std::uint64_t copy_kept(const PartHead& part, const MergeRules& rules, const HitParser& parser, HitChooser& chooser,
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
    if (is_line(part.kind)) {
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

// Copies the alignments of products in coordinate order: a product's right primer may come behind left ones of the next
// parts. Returns the number of alignments. `directory`: of temporary files.
std::uint64_t copy_alignments(const std::vector<PartHead>& parts, const HitParser& parser, const std::string& directory,
                              Collected& to) {
  AlignmentOrder order(directory, [&to](std::string_view text) { to.add(text); });
  std::uint64_t alignments = 0;
  AlignmentPlace place;
  std::string record;
  std::string bytes;
  for (const PartHead& part : parts) {
    for_each_record(part, [&](std::string_view text, std::uint64_t number) {
      const auto hit = parser.parse(text);
      if (!hit) malformed_hit(part, number);
      if (hit->record != record) {  // records come in the order of the header, so a number of any kind will do
        record = hit->record;
        ++place.record;
      }
      place.start = hit->start;
      if (part.kind == PartKind::bam) {
        const auto size = static_cast<std::uint32_t>(text.size());
        bytes.assign(reinterpret_cast<const char*>(&size), sizeof size);
        bytes += text;
        text = bytes;
      }
      hit->minus ? order.add_right(place, text) : order.add_left(place, text);
      ++alignments;
    });
  }
  order.finish();
  return alignments;
}

// Copies the first products of a part, at most `left`. Returns their number. The part is read to its end all the same.
std::uint64_t copy_first(const PartHead& part, std::uint64_t left, Collected& to) {
  std::uint64_t copied = 0;
  for_each_record(part, [&](std::string_view text, std::uint64_t) {
    if (copied == left) return;
    to.add(text);
    ++copied;
  });
  return copied;
}

// Copies the best hits of each record and matrix. Returns their number.
std::uint64_t copy_best(const std::vector<PartHead>& parts, const MergeRules& rules, const HitParser& parser,
                        Collected& to) {
  BestScores best(rules.max_hits, [&](std::string_view line) {
    to.add(without(rules.columns(), parts.front().kind, line));
    to.add("\n");
  });
  for (const PartHead& part : parts) {
    for_each_record(part, [&](std::string_view text, std::uint64_t number) {
      const auto hit = parser.parse(text);
      if (!hit) malformed_hit(part, number);
      best.add(*hit, text);
    });
  }
  return best.finish();
}

// Copies the lines of BED that are kept, split at the origins of circular records. Returns the number of hits.
std::uint64_t copy_split(const std::vector<PartHead>& parts, const MergeRules& rules, const HitParser& parser,
                         HitChooser& chooser, Collected& to) {
  SplitLines lines([&to](std::string_view line) { to.add(line); });
  HitChooser again = chooser;
  std::uint64_t hits = 0;
  for (const PartHead& part : parts) {
    hits += for_each_kept(part, rules, parser, again, [&](const PrintedHit& hit, std::string_view text) {
      lines.see(hit, without(rules.columns(), part.kind, text));
    });
  }
  for (const PartHead& part : parts) {
    for_each_kept(part, rules, parser, chooser, [&](const PrintedHit& hit, std::string_view text) {
      lines.add(hit, without(rules.columns(), part.kind, text));
    });
  }
  lines.finish();
  return hits;
}

}  // namespace

std::uint64_t merge_hits(const std::vector<PartHead>& parts, const std::string& directory,
                         const std::function<void(std::string_view)>& write) {
  const PartHead& first = parts.front();
  const MergeRules rules(first.label);
  ByteStream stream(first.path);
  const std::string header = read_head(first.path, stream).header;
  const HitParser parser(first.kind, rules.columns(), header);
  AllHits ahead(parts, parser);
  HitChooser chooser(rules, [&ahead] { return ahead.next(); });
  if (rules.best) see_all(parts, parser, chooser);
  if (first.kind == PartKind::tsv || first.kind == PartKind::fimo) {
    write(std::string(without(rules.columns(), first.kind, header)) + "\n");
  } else {
    write(header);
  }
  if (first.kind == PartKind::count) {
    const PartCounts counts = merged_counts(parts, rules, parser, header, chooser);
    write(counts.print());
    return counts.total();
  }
  const bool aligned = first.kind == PartKind::sam || first.kind == PartKind::bam;
  const MergeColumns columns = rules.columns();
  const bool more_columns = first.kind == PartKind::bed
                                ? columns.edits
                                : !aligned && (columns.number || (columns.hang && first.kind != PartKind::tsv));
  const bool as_they_are = !rules.any() && !more_columns && !(rules.primaries && aligned);
  Collected collected(write);
  std::uint64_t hits = 0;
  if (rules.products && aligned) {
    hits = copy_alignments(parts, parser, directory, collected) / 2;
  } else if (rules.products && rules.max_hits) {
    for (const PartHead& part : parts) hits += copy_first(part, *rules.max_hits - hits, collected);
  } else if (rules.best_scores) {
    hits = copy_best(parts, rules, parser, collected);
  } else if (rules.circular && first.kind == PartKind::bed) {
    hits = copy_split(parts, rules, parser, chooser, collected);
  } else {
    for (const PartHead& part : parts) {
      hits += as_they_are ? copy(part, collected) : copy_kept(part, rules, parser, chooser, collected);
    }
  }
  collected.flush();
  return hits;
}

}  // namespace basesweep
