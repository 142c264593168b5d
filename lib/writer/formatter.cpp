#include "lib/writer/formatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "lib/dna.hpp"

namespace basesweep {
namespace {

char* put(char* to, std::string_view text) {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

constexpr std::size_t kNumberDigits = 20;

// The piece that a column lies in.
std::size_t piece_of(const std::vector<Piece>& pieces, std::uint32_t column) {
  const auto next = std::partition_point(pieces.begin() + 1, pieces.end(),
                                         [column](const Piece& piece) { return piece.column <= column; });
  return static_cast<std::size_t>(next - pieces.begin()) - 1;
}

char* put(char* to, std::int64_t number) { return std::to_chars(to, to + kNumberDigits, number).ptr; }

}  // namespace

Formatter::Formatter(const PatternSet& patterns, OutputFormat format) : patterns_(patterns), format_(format) {
  for (const Entry& entry : patterns.entries()) {
    const std::string& name = patterns.patterns()[entry.pattern].name;
    const char strand = strand_letter(entry.strand);
    tails_.push_back(format == OutputFormat::bed ? fmt::format("\t{}\t1000\t{}\n", name, strand)
                                                 : fmt::format("\t{}\t{}\t", name, strand));
  }
}

std::string Formatter::header() const {
  return format_ == OutputFormat::bed ? "" : "record\tstart\tend\tpattern\tstrand\tmatched\n";
}

Text Formatter::format(const PackedBatch& batch, std::span<const BatchHit> hits) const {
  if (hits.empty()) return {};
  const std::vector<Piece>& pieces = batch.pieces();
  std::size_t piece = piece_of(pieces, hit_column(hits.front()));
  std::size_t longest_name = 0;
  for (std::size_t i = piece; i <= piece_of(pieces, hit_column(hits.back())); ++i) {
    longest_name = std::max<std::size_t>(longest_name, pieces[i].name_size);
  }
  std::size_t most = hits.size() * (longest_name + 2 * (kNumberDigits + 1));
  for (const BatchHit hit : hits) {
    most += tails_[hit_entry(hit)].size();
    if (format_ == OutputFormat::tsv) most += patterns_.entries()[hit_entry(hit)].columns.size() + 1;
  }
  Text text;
  text.data = std::make_unique_for_overwrite<char[]>(most);

  char* to = text.data.get();
  for (const BatchHit hit : hits) {
    const std::uint32_t column = hit_column(hit);
    while (piece + 1 < pieces.size() && pieces[piece + 1].column <= column) ++piece;
    const Entry& entry = patterns_.entries()[hit_entry(hit)];
    const std::int64_t start = pieces[piece].offset + (column - pieces[piece].column);
    to = put(to, batch.name(pieces[piece]));
    *to++ = '\t';
    to = put(to, start);
    *to++ = '\t';
    to = put(to, start + static_cast<std::int64_t>(entry.columns.size()));
    to = put(to, tails_[hit_entry(hit)]);
    if (format_ == OutputFormat::tsv) {
      const auto length = static_cast<std::uint32_t>(entry.columns.size());
      for (std::uint32_t i = 0; i < length; ++i) {
        *to++ = entry.strand == Strand::plus ? base_letter(batch.code(column + i))
                                             : base_letter(complement(batch.code(column + length - 1 - i)));
      }
      *to++ = '\n';
    }
  }
  text.size = static_cast<std::size_t>(to - text.data.get());
  return text;
}

}  // namespace basesweep
