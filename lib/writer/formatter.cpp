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

char* put(char* to, std::int64_t number) { return std::to_chars(to, to + kNumberDigits, number).ptr; }

}  // namespace

Formatter::Formatter(const PatternSet& patterns, OutputFormat format) : patterns_(patterns), format_(format) {
  for (const Entry& entry : patterns.entries()) {
    const std::string& name = patterns.patterns()[entry.pattern].name;
    const char strand = strand_letter(entry.strand);
    tails_.push_back(format == OutputFormat::bed ? fmt::format("\t{}\t1000\t{}\n", name, strand)
                                                 : fmt::format("\t{}\t{}\t", name, strand));
    longest_tail_ = std::max(longest_tail_, tails_.back().size());
  }
}

std::string Formatter::header() const {
  return format_ == OutputFormat::bed ? "" : "record\tstart\tend\tpattern\tstrand\tmatched\n";
}

Text Formatter::format(const PackedBatch& batch, std::span<const BatchHit> hits) const {
  if (hits.empty()) return {};
  const std::vector<Piece>& pieces = batch.pieces();
  std::size_t longest_name = 0;
  for (const Piece& piece : pieces) longest_name = std::max<std::size_t>(longest_name, piece.name_size);
  const std::size_t matched = format_ == OutputFormat::tsv ? patterns_.max_length() + 1 : 0;
  Text text;
  text.data = std::make_unique_for_overwrite<char[]>(
      hits.size() * (longest_name + 2 * (kNumberDigits + 1) + longest_tail_ + matched));

  char* to = text.data.get();
  const auto first = std::partition_point(pieces.begin() + 1, pieces.end(),
                                          [&](const Piece& piece) { return piece.column <= hit_column(hits.front()); });
  auto piece = static_cast<std::size_t>(first - pieces.begin()) - 1;
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
