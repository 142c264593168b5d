#include "lib/reader/primer_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view first_line(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return trimmed(text.substr(0, text.find('\n')), kBlanks);
}

// The words of a line, which blanks separate.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (line = trimmed(line, kBlanks); !line.empty(); line = trimmed(line, kBlanks)) {
    words.push_back(line.substr(0, line.find_first_of(kBlanks)));
    line.remove_prefix(words.back().size());
  }
  return words;
}

// The pairs of a report while it is read.
class Pairs {
 public:
  // The pair of this name among those of the record that is being read.
  ReportedPair& of(const std::string& name, std::size_t line) {
    const auto found = std::find_if(pairs_.begin() + static_cast<std::ptrdiff_t>(first_), pairs_.end(),
                                    [&](const ReportedPair& pair) { return pair.name == name; });
    if (found != pairs_.end()) return *found;
    ReportedPair& pair = pairs_.emplace_back();
    pair.name = name;
    pair.line = line;
    return pair;
  }

  // Names and numbers start again.
  void end_record() { first_ = pairs_.size(); }

  std::vector<ReportedPair> take() { return std::move(pairs_); }

 private:
  std::vector<ReportedPair> pairs_;
  std::size_t first_ = 0;
};

void set_oligo(ReportedPair& pair, std::string_view side, std::string_view sequence, std::size_t line) {
  if (side == "LEFT") {
    pair.forward = sequence;
  } else if (side == "RIGHT") {
    pair.reverse = sequence;
    pair.reverse_line = line;
  } else {
    pair.probe = sequence;
  }
}

// Boulder-IO: lines KEY=VALUE, and a line "=" after each record. Sequences are PRIMER_LEFT_0_SEQUENCE and so on; the
// name of the record may come after them.
class Boulder {
 public:
  void read(std::string_view line, std::size_t number) {
    if (line == "=") return end_record();
    std::string_view value = line;
    const std::string_view key = take_to(value, '=');
    if (key == "SEQUENCE_ID" || key == "PRIMER_SEQUENCE_ID") id_ = trimmed(value, kBlanks);
    if (key == "PRIMER_ERROR") error_ = value;
    constexpr std::string_view kEnding = "_SEQUENCE";
    if (!key.starts_with("PRIMER_") || !key.ends_with(kEnding)) return;
    std::string_view rest = key.substr(7, key.size() - 7 - kEnding.size());  // LEFT_0, or LEFT in old versions
    const std::string_view side = take_to(rest, '_');
    if (rest.starts_with("OLIGO")) take_to(rest, '_');  // INTERNAL_OLIGO_0
    if (side != "LEFT" && side != "RIGHT" && side != "INTERNAL") return;
    const std::string index = rest.empty() ? "0" : std::string(rest);
    oligos_.push_back({std::string(side), index, std::string(trimmed(value, kBlanks)), number});
  }

  void end_record() {
    ++record_;
    const std::string name = !id_.empty() ? id_ : record_ == 1 ? "primer3" : fmt::format("primer3_record{}", record_);
    for (const Oligo& oligo : oligos_) {
      set_oligo(pairs_.of(name + "_" + oligo.index, oligo.line), oligo.side, oligo.sequence, oligo.line);
    }
    pairs_.end_record();
    oligos_.clear();
    id_.clear();
  }

  std::vector<ReportedPair> finish(const std::string& path) {
    if (!oligos_.empty()) end_record();
    std::vector<ReportedPair> pairs = pairs_.take();
    if (pairs.empty()) {
      throw DataError(fmt::format("{}: primer3 found no primers{}", path, error_.empty() ? "" : ": " + error_));
    }
    return pairs;
  }

 private:
  struct Oligo {
    std::string side;
    std::string index;
    std::string sequence;
    std::size_t line;
  };
  std::string id_;
  std::string error_;
  std::vector<Oligo> oligos_;  // of the record
  std::size_t record_ = 0;
  Pairs pairs_;
};

// Reads primer3's output for people: "LEFT PRIMER  35  20  59.9 ... SEQUENCE"; other pairs have their number in front.
std::vector<ReportedPair> read_formatted(const std::string& path, std::string_view text) {
  Pairs pairs;
  std::string name = "primer3";
  std::string index = "0";
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    constexpr std::string_view kTitle = "PRIMER PICKING RESULTS FOR ";
    line = trimmed(line, kBlanks);
    if (line.starts_with(kTitle)) {
      pairs.end_record();
      name = trimmed(line.substr(kTitle.size()), kBlanks);
      index = "0";
    }
    std::vector<std::string_view> words = words_of(line);
    std::size_t further = 0;
    if (words.size() > 3 && parse_number(words.front(), further)) {
      index = words.front();
      words.erase(words.begin());
    }
    const bool primer = words.size() > 3 && (words[0] == "LEFT" || words[0] == "RIGHT") && words[1] == "PRIMER";
    const bool internal = words.size() > 3 && words[0] == "INTERNAL" && words[1] == "OLIGO";
    if (primer || internal) {
      set_oligo(pairs.of(name + "_" + index, number), words.front(), words.back(), number);
    }
  });
  std::vector<ReportedPair> all = pairs.take();
  if (all.empty()) throw DataError(fmt::format("{}: primer3 found no primers", path));
  return all;
}

// Primer-BLAST: "Primer pair 1", then rows "Forward primer", a sequence and numbers. Below the pair come its products,
// whose alignments have rows of these names too, with a number where the sequence is.
std::vector<ReportedPair> read_primer_blast(const std::string& path, std::string_view text) {
  Pairs pairs;
  std::string name;
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    const std::vector<std::string_view> words = words_of(line);
    std::size_t counted = 0;
    if (words.size() == 3 && words[0] == "Primer" && words[1] == "pair" && parse_number(words[2], counted)) {
      name = fmt::format("pair_{}", counted);
    }
    if (name.empty() || words.size() < 3 || parse_number(words[2], counted)) return;
    const bool primer = (words[0] == "Forward" || words[0] == "Reverse") && words[1] == "primer";
    const bool internal = words[0] == "Internal" && words[1] == "oligo";
    if (!primer && !internal) return;
    ReportedPair& pair = pairs.of(name, number);
    const std::string_view side = internal ? "INTERNAL" : words[0] == "Forward" ? "LEFT" : "RIGHT";
    if ((side == "LEFT" ? pair.forward : side == "RIGHT" ? pair.reverse : pair.probe).empty()) {
      set_oligo(pair, side, words[2], number);
    }
  });
  std::vector<ReportedPair> all = pairs.take();
  if (all.empty()) throw DataError(fmt::format("{}: no primers in this report of Primer-BLAST", path));
  return all;
}

bool is_boulder(std::string_view line) {
  const std::size_t end = line.find('=');
  return end != std::string_view::npos &&
         (line.starts_with("SEQUENCE_") || line.starts_with("PRIMER_") || line.starts_with("P3_")) &&
         line.substr(0, end).find_first_of(kBlanks) == std::string_view::npos;
}

// Other parts of the page may appear before the pairs.
bool is_primer_blast(std::string_view text) {
  constexpr std::size_t kHead = std::size_t{1} << 16;
  text = text.substr(0, kHead);
  const std::size_t pair = text.starts_with("Primer pair 1") ? 0 : text.find("\nPrimer pair 1");
  return pair != std::string_view::npos && text.find("\nForward primer", pair) != std::string_view::npos;
}

}  // namespace

std::optional<std::vector<ReportedPair>> read_primer_report(const std::string& path, std::string_view text) {
  if (const std::string_view first = first_line(text); is_boulder(first)) {
    Boulder boulder;
    for_each_line(text,
                  [&](std::string_view line, std::size_t number) { boulder.read(trimmed(line, kBlanks), number); });
    return boulder.finish(path);
  } else if (first.starts_with("PRIMER PICKING RESULTS FOR") || first.starts_with("Primer3")) {
    return read_formatted(path, text);
  }
  if (is_primer_blast(text)) return read_primer_blast(path, text);
  return std::nullopt;
}

}  // namespace basesweep
