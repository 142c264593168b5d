#include "lib/pattern_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <seqan3/alphabet/nucleotide/dna15.hpp>
#include <seqan3/io/sequence_file/input.hpp>
#include <sstream>
#include <string_view>
#include <unordered_set>

#include "lib/dna.hpp"
#include "lib/error.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

std::string_view first_word(std::string_view line) { return line.substr(0, line.find_first_of(" \t")); }

// Collects patterns and checks each; errors name file, pattern and line.
class PatternList {
 public:
  explicit PatternList(std::string path) : path_(std::move(path)) {}

  void start(std::string_view name, std::size_t line) {
    check_last();
    if (name.empty()) throw DataError(fmt::format("{}: line {}: a pattern without a name", path_, line));
    if (!names_.insert(std::string(name)).second) {
      throw DataError(fmt::format("{}: line {}: pattern '{}': the name is used twice", path_, line, name));
    }
    patterns_.push_back({std::string(name), "", path_});
    line_ = line;
  }

  void extend(std::string_view sequence, std::size_t line) {
    Pattern& pattern = patterns_.back();
    for (const char c : sequence) {
      if (iupac_set(c) == 0) {
        throw DataError(fmt::format("{}: line {}: pattern '{}', position {}: {} is not a nucleotide or IUPAC code",
                                    path_, line, pattern.name, pattern.sequence.size() + 1, printable(c)));
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
      throw DataError(fmt::format("{}: line {}: pattern '{}' is empty", path_, line_, patterns_.back().name));
    }
  }

  std::string path_;
  std::vector<Pattern> patterns_;
  std::unordered_set<std::string> names_;
  std::size_t line_ = 0;
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

// The formats that only SeqAn3 reads. It does not tell lines: records are counted instead.
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

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

}  // namespace

std::vector<Pattern> read_patterns(const std::string& path) {
  const std::string text = read_all(path);
  const std::string shown = path == "-" ? "<stdin>" : path;
  PatternList patterns(shown);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const std::string_view start = first == std::string::npos ? "" : std::string_view(text).substr(first);
  if (starts_with(start, ">")) {
    read_fasta(text, patterns);
  } else if (starts_with(start, "@")) {
    read_with_seqan3(shown, text.substr(first), seqan3::format_fastq{}, patterns);
  } else if (starts_with(start, "LOCUS ")) {
    read_with_seqan3(shown, text.substr(first), seqan3::format_genbank{}, patterns);
  } else if (starts_with(start, "ID   ")) {
    read_with_seqan3(shown, text.substr(first), seqan3::format_embl{}, patterns);
  } else {
    read_columns(shown, text, patterns);
  }
  return patterns.finish();
}

}  // namespace basesweep
