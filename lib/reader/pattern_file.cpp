#include "lib/reader/pattern_file.hpp"

#include <fmt/format.h>

#include <seqan3/alphabet/nucleotide/dna15.hpp>
#include <seqan3/io/sequence_file/input.hpp>
#include <sstream>
#include <string_view>
#include <unordered_set>

#include "lib/base/dna.hpp"
#include "lib/base/error.hpp"
#include "lib/base/sequence_text.hpp"
#include "lib/base/stream_names.hpp"
#include "lib/reader/file_type.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

// Collects patterns and checks each. Errors name the file, the pattern and its place: `unit` is what places count,
// lines or records.
class PatternList {
 public:
  explicit PatternList(std::string path, std::string_view unit) : path_(std::move(path)), unit_(unit) {}

  // Begins a pattern at a place, counted from 1.
  void start(std::string_view name, std::size_t place) {
    check_last();
    if (name.empty()) fail(place, "the pattern has no name");
    if (!names_.insert(std::string(name)).second) {
      fail(place, fmt::format("pattern '{}': the name is used twice", name));
    }
    patterns_.push_back({std::string(name), "", path_});
    place_ = place;
  }

  // Adds letters to the pattern that was begun last.
  void extend(std::string_view sequence, std::size_t place) {
    Pattern& pattern = patterns_.back();
    for (const char c : sequence) {
      if (iupac_set(c) == 0) {
        fail(place, fmt::format("pattern '{}', position {}: {} is not a nucleotide or IUPAC code", pattern.name,
                                pattern.sequence.size() + 1, printable(c)));
      }
      pattern.sequence += static_cast<char>(c & ~0x20);
    }
  }

  std::vector<Pattern> finish() {
    check_last();
    if (patterns_.empty()) throw DataError(fmt::format("{}: no patterns in this file", path_));
    return std::move(patterns_);
  }

 private:
  void check_last() const {
    if (!patterns_.empty() && patterns_.back().sequence.empty()) {
      fail(place_, fmt::format("pattern '{}' has no sequence", patterns_.back().name));
    }
  }

  [[noreturn]] void fail(std::size_t place, const std::string& what) const {
    throw DataError(fmt::format("{}: {} {}: {}", path_, unit_, place, what));
  }

  std::string path_;
  std::string_view unit_;
  std::vector<Pattern> patterns_;
  std::unordered_set<std::string> names_;
  std::size_t place_ = 0;  // of the last pattern
};

void read_fasta(std::string_view text, PatternList& patterns) {
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (!line.empty() && line.front() == '>') {
      patterns.start(first_word(line.substr(1)), number);
    } else if (const std::size_t first = line.find_first_not_of(" \t"); first != std::string_view::npos) {
      patterns.extend(line.substr(first, line.find_last_not_of(" \t") - first + 1), number);
    }
  });
}

void read_columns(const std::string& path, std::string_view text, PatternList& patterns) {
  for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.front() == '#') return;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) {
      throw DataError(fmt::format("{}: line {}: expected FASTA, or a name, a tab and a sequence", path, number));
    }
    const std::string_view rest = line.substr(tab + 1);
    patterns.start(line.substr(0, tab), number);
    patterns.extend(rest.substr(0, rest.find('\t')), number);
  });
}

struct Traits : seqan3::sequence_file_input_default_traits_dna {
  using sequence_alphabet = seqan3::dna15;
  using sequence_legal_alphabet = seqan3::dna15;
};

// Reads a format that only SeqAn3 knows. SeqAn3 does not say in which line a record is, so places are record numbers.
template <class Format>
void read_with_seqan3(const std::string& path, const std::string& text, Format format, PatternList& patterns) {
  std::size_t record_number = 0;
  try {
    seqan3::sequence_file_input<Traits> input{std::istringstream(text), format};
    for (auto& record : input) {
      patterns.start(first_word(record.id()), ++record_number);
      std::string sequence;
      for (const seqan3::dna15 base : record.sequence()) sequence += base.to_char();
      patterns.extend(sequence, record_number);
    }
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw DataError(fmt::format("{}: after {} patterns: {}", path, record_number, error.what()));
  }
}

}  // namespace

std::vector<Pattern> read_patterns(const std::string& path) {
  const std::string text = read_all(path);
  const std::string name = input_name(path);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const std::string_view start = first == std::string::npos ? "" : std::string_view(text).substr(first);
  if (const auto other = explain_pattern_type({.bytes = start, .path = name})) throw DataError(*other);
  const bool by_seqan3 = start.starts_with('@') || start.starts_with("LOCUS ") || start.starts_with("ID   ");
  PatternList patterns(name, by_seqan3 ? "record" : "line");
  if (start.starts_with('>')) {
    read_fasta(text, patterns);
  } else if (start.starts_with('@')) {
    read_with_seqan3(name, text.substr(first), seqan3::format_fastq{}, patterns);
  } else if (start.starts_with("LOCUS ")) {
    read_with_seqan3(name, text.substr(first), seqan3::format_genbank{}, patterns);
  } else if (start.starts_with("ID   ")) {
    read_with_seqan3(name, text.substr(first), seqan3::format_embl{}, patterns);
  } else {
    read_columns(name, text, patterns);
  }
  return patterns.finish();
}

}  // namespace basesweep
