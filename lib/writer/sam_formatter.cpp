#include "lib/writer/sam_formatter.hpp"

#include <fmt/format.h>
#include <htslib/sam.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <unordered_set>

#include "lib/align/trace.hpp"
#include "lib/error.hpp"
#include "lib/writer/letters.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMostNameLetters = 254;
constexpr std::int64_t kMostBases = std::numeric_limits<std::int32_t>::max();
constexpr unsigned kUnknownMapq = 255;
constexpr std::int32_t kNowhere = -1;
constexpr std::string_view kAlnum = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// QNAME is [!-?A-~]{1,254} in the specification, and * means that there is none.
void check_pattern_name(const std::string& name) {
  const auto allowed = [](char c) { return c >= '!' && c <= '~' && c != '@'; };
  if (name.empty()) throw UsageError("a pattern has no name, which SAM needs");
  if (name.size() > kMostNameLetters) {
    throw UsageError(
        fmt::format("pattern '{}': the name has {} letters, SAM allows {}", name, name.size(), kMostNameLetters));
  }
  if (const auto bad = std::find_if_not(name.begin(), name.end(), allowed); bad != name.end()) {
    throw UsageError(fmt::format("pattern '{}': SAM does not allow {} in its name", name, printable(*bad)));
  }
  if (name == "*") throw UsageError("pattern '*': in SAM this name means that there is none");
}

// RNAME is [0-9A-Za-z!#$%&+./:;?@^_|~-][0-9A-Za-z!#$%&*+./:;=?@^_|~-]*.
void check_record_name(const std::string& name, std::size_t index) {
  if (name.empty()) throw DataError(fmt::format("record {} has no name, which SAM needs", index + 1));
  for (const char& c : name) {
    const bool inside_only = c == '*' || c == '=';
    const bool allowed = kAlnum.find(c) != std::string_view::npos ||
                         std::string_view("!#$%&+./:;?@^_|~-").find(c) != std::string_view::npos ||
                         (inside_only && &c != name.data());
    if (!allowed) {
      throw DataError(fmt::format("record '{}': SAM does not allow {}{} its name", name, printable(c),
                                  inside_only ? " at the start of" : " in"));
    }
  }
}

void check_records(std::span<const RecordInfo> records) {
  std::unordered_set<std::string_view> names;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const RecordInfo& record = records[i];
    check_record_name(record.name, i);
    if (!names.insert(record.name).second) {
      throw DataError(fmt::format("record '{}': the name is used twice, which SAM does not allow", record.name));
    }
    if (record.length > kMostBases) {
      throw DataError(fmt::format("record '{}': has {} bases, SAM allows {}", record.name, record.length, kMostBases));
    }
  }
}

// Of M, I and D.
std::vector<CigarRun> without_distinction(const std::vector<CigarRun>& cigar) {
  std::vector<CigarRun> plain;
  for (const CigarRun& run : cigar) {
    const char op = run.op == '=' || run.op == 'X' ? 'M' : run.op;
    if (!plain.empty() && plain.back().op == op) {
      plain.back().length += run.length;
    } else {
      plain.push_back({run.length, op});
    }
  }
  return plain;
}

struct Differences {
  std::uint32_t count = 0;  // NM
  std::string text;         // MD
};

// As samtools has it (bam_fillmd1_core in bam_md.c): letters match when their 4-bit codes are equal and not that of N.
Differences compare(std::string_view pattern, std::string_view letters, const std::vector<CigarRun>& cigar) {
  constexpr unsigned kAnyCode = 15;
  const auto code = [](char letter) { return seq_nt16_table[static_cast<unsigned char>(letter)]; };
  Differences differences;
  std::uint32_t matched = 0;
  const auto end_match = [&] {
    differences.text += fmt::format_int(matched).c_str();
    matched = 0;
  };
  for (const CigarRun& run : cigar) {
    if (run.op == 'I') {
      pattern.remove_prefix(run.length);
      differences.count += run.length;
      continue;
    }
    if (run.op == 'D') {
      end_match();
      differences.text.append("^").append(letters.substr(0, run.length));
      letters.remove_prefix(run.length);
      differences.count += run.length;
      continue;
    }
    for (std::uint32_t i = 0; i < run.length; ++i) {
      if (code(pattern[i]) == code(letters[i]) && code(letters[i]) != kAnyCode) {
        ++matched;
        continue;
      }
      end_match();
      differences.text += letters[i];
      ++differences.count;
    }
    pattern.remove_prefix(run.length);
    letters.remove_prefix(run.length);
  }
  end_match();
  return differences;
}

// A hit as SAM has it, less what is the same for all of an entry.
struct Alignment {
  unsigned flag;
  std::vector<CigarRun> cigar;
  Differences differences;
};

// An entry as SAM has it.
struct Query {
  std::string name;
  unsigned flag;
  std::string letters;  // SEQ
  std::string packed;   // two letters a byte, as in BAM
};

Query make_query(const Pattern& pattern, const Entry& entry) {
  Query query{pattern.name, entry.strand == Strand::minus ? static_cast<unsigned>(BAM_FREVERSE) : 0U, "", ""};
  for (const BaseSet set : entry.columns) query.letters += iupac_letter(set);
  for (std::size_t i = 0; i < query.letters.size(); i += 2) {
    const unsigned left = seq_nt16_table[static_cast<unsigned char>(query.letters[i])];
    const unsigned right =
        i + 1 < query.letters.size() ? seq_nt16_table[static_cast<unsigned char>(query.letters[i + 1])] : 0;
    query.packed += static_cast<char>(left << 4 | right);
  }
  return query;
}

// BAM is little-endian, as every processor this runs on.
static_assert(std::endian::native == std::endian::little);

template <class Integer>
void put_integer(std::string& bytes, Integer value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

void put_int32(std::string& bytes, std::size_t value) { put_integer(bytes, static_cast<std::int32_t>(value)); }

// In the shortest type that holds it, as HTSlib does.
void put_tag(std::string& bytes, std::string_view tag, std::uint32_t value) {
  bytes += tag;
  if (value <= std::numeric_limits<std::uint8_t>::max()) {
    bytes += 'C';
    put_integer(bytes, static_cast<std::uint8_t>(value));
  } else if (value <= std::numeric_limits<std::uint16_t>::max()) {
    bytes += 'S';
    put_integer(bytes, static_cast<std::uint16_t>(value));
  } else {
    bytes += 'I';
    put_integer(bytes, value);
  }
}

// The alignment section of a BAM file, without the size that stands before it.
std::string bam_record(const PlacedHit& hit, const Query& query, const Alignment& alignment,
                       const std::string& read_group) {
  constexpr int kBinShift = 14;  // of the smallest bins of a BAI index
  constexpr int kBinLevels = 5;
  std::string bytes;
  put_integer(bytes, static_cast<std::int32_t>(hit.record));
  put_integer(bytes, static_cast<std::int32_t>(hit.start));
  put_integer(bytes, static_cast<std::uint8_t>(query.name.size() + 1));
  put_integer(bytes, static_cast<std::uint8_t>(kUnknownMapq));
  put_integer(bytes, static_cast<std::uint16_t>(hts_reg2bin(hit.start, hit.end(), kBinShift, kBinLevels)));
  put_integer(bytes, static_cast<std::uint16_t>(alignment.cigar.size()));
  put_integer(bytes, static_cast<std::uint16_t>(alignment.flag));
  put_int32(bytes, query.letters.size());
  put_integer(bytes, kNowhere);  // the mate's record and position
  put_integer(bytes, kNowhere);
  put_int32(bytes, 0);  // length of the template
  bytes += query.name;
  bytes += '\0';
  for (const CigarRun& run : alignment.cigar) {
    const auto op = static_cast<std::uint32_t>(std::string_view(BAM_CIGAR_STR).find(run.op));
    put_integer(bytes, bam_cigar_gen(run.length, op));
  }
  bytes += query.packed;
  bytes.append(query.letters.size(), '\xff');  // no qualities
  put_tag(bytes, "NM", alignment.differences.count);
  bytes.append("MDZ").append(alignment.differences.text) += '\0';
  put_tag(bytes, "XE", hit.hit.edits);
  if (!read_group.empty()) bytes.append("RGZ").append(read_group) += '\0';
  return bytes;
}

std::string sam_line(const PlacedHit& hit, const Query& query, const Alignment& alignment,
                     const std::string& read_group) {
  std::string cigar;
  for (const CigarRun& run : alignment.cigar) cigar.append(fmt::format_int(run.length).c_str()) += run.op;
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t*\t0\t0\t{}\t*\tNM:i:{}\tMD:Z:{}\tXE:i:{}{}{}\n", query.name,
                     alignment.flag, hit.record_name, hit.start + 1, kUnknownMapq, cigar, query.letters,
                     alignment.differences.count, alignment.differences.text, unsigned{hit.hit.edits},
                     read_group.empty() ? "" : "\tRG:Z:", read_group);
}

// An @RG line, its end included, and its ID.
struct ReadGroup {
  std::string line;
  std::string id;
};

ReadGroup parse_read_group(std::string text) {
  for (std::size_t at; (at = text.find("\\t")) != std::string::npos;) text.replace(at, 2, "\t");
  const auto refuse = [&text](const char* what) {
    std::string shown = text;
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return c < ' '; }, ' ');
    throw UsageError(
        fmt::format("read group '{}': {}; expected '@RG\\tID:name\\tPL:platform' or the like", shown, what));
  };
  ReadGroup group;
  std::string_view rest = text;
  if (!rest.starts_with("@RG\t")) refuse("does not begin with @RG and a tab");
  rest.remove_prefix(3);
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view field = rest.substr(0, rest.find('\t'));
    rest.remove_prefix(field.size());
    if (field.size() < 4 || field[2] != ':') refuse("a field is not of the form XX:value");
    if (std::any_of(field.begin(), field.end(), [](char c) { return c < ' ' || c > '~'; }))
      refuse("holds odd characters");
    if (field.starts_with("ID:")) group.id = field.substr(3);
  }
  if (group.id.empty()) refuse("has no ID");
  group.line = text + "\n";
  return group;
}

class SamFormatter final : public Formatter {
 public:
  SamFormatter(const PatternSet& patterns, const SamOptions& options) : patterns_(patterns), options_(options) {
    for (const Pattern& pattern : patterns.patterns()) check_pattern_name(pattern.name);
    for (const Entry& entry : patterns.entries()) {
      // An alignment has at most 2 edits + 1 runs, of which a BAM record counts 65,535.
      if (entry.limits.edits > std::numeric_limits<std::int16_t>::max()) {
        throw UsageError(fmt::format("pattern '{}': too many edits allowed for SAM", name_of(entry)));
      }
      queries_.push_back(make_query(patterns.patterns()[entry.pattern], entry));
    }
    const auto control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
    if (!options_.read_group.empty()) read_group_ = parse_read_group(options_.read_group);
    std::replace_if(options_.command_line.begin(), options_.command_line.end(), control, ' ');
  }

  bool needs_records() const override { return true; }
  bool needs_letters() const override { return true; }

  std::string header(std::span<const RecordInfo> records) const override {
    check_records(records);
    const std::string text = header_text(records);
    if (!options_.binary) return text;
    if (text.size() > static_cast<std::size_t>(kMostBases)) {
      throw DataError("more records than BAM can hold: their header lines take more than 2 GB");
    }
    std::string bytes("BAM\1");
    put_int32(bytes, text.size());
    bytes += text;
    put_int32(bytes, records.size());
    for (const RecordInfo& record : records) {
      put_int32(bytes, record.name.size() + 1);
      bytes += record.name;
      bytes += '\0';
      put_int32(bytes, static_cast<std::size_t>(record.length));
    }
    return bytes;
  }

  void append(const PlacedHit& hit, Text& text) const override {
    const Query& query = queries_[hit.hit.entry];
    Alignment alignment{query.flag, trace(patterns_.entries()[hit.hit.entry], hit.letters), {}};
    assert(!alignment.cigar.empty());
    if (hit.hit.first == 0) alignment.flag |= BAM_FSECONDARY;
    alignment.differences = compare(query.letters, hit.letters, alignment.cigar);
    if (!options_.distinguish) alignment.cigar = without_distinction(alignment.cigar);
    if (!options_.binary) return text.append(sam_line(hit, query, alignment, read_group_.id));
    const std::string record = bam_record(hit, query, alignment, read_group_.id);
    std::string size;
    put_int32(size, record.size());
    text.append(size);
    text.append(record);
  }

 private:
  const std::string& name_of(const Entry& entry) const { return patterns_.patterns()[entry.pattern].name; }

  std::string header_text(std::span<const RecordInfo> records) const {
    std::string text = "@HD\tVN:1.6\tSO:coordinate\n";
    for (const RecordInfo& record : records) text += fmt::format("@SQ\tSN:{}\tLN:{}\n", record.name, record.length);
    text += read_group_.line;
    if (!options_.program) return text;
    text += "@PG\tID:basesweep\tPN:basesweep\tVN:" BASESWEEP_VERSION;
    if (!options_.command_line.empty()) text += "\tCL:" + options_.command_line;
    return text + "\n";
  }

  const PatternSet& patterns_;
  SamOptions options_;
  ReadGroup read_group_;        // empty: none
  std::vector<Query> queries_;  // one for each entry
};

}  // namespace

std::unique_ptr<Formatter> make_sam_formatter(const PatternSet& patterns, const SamOptions& options) {
  return std::make_unique<SamFormatter>(patterns, options);
}

}  // namespace basesweep
