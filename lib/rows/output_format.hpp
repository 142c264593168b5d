// The formats that commands write, and the one that an output's name asks for.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace basesweep {

enum class OutputFormat {
  bed,
  tsv,
  csv,
  jsonl,
  fimo,
  mageck,
  gff3,
  fasta,
  fastq,
  sam,
  bam,
  cram,
  counts,
  report,
  plan,
  twobit,
  compiled,
  part
};

// The formats of tables: lines of the columns that are chosen.
inline constexpr std::array kTableFormats{OutputFormat::tsv, OutputFormat::csv, OutputFormat::jsonl};
constexpr bool is_table(OutputFormat format) {
  return std::find(kTableFormats.begin(), kTableFormats.end(), format) != kTableFormats.end();
}
// SAM, BAM and CRAM.
constexpr bool is_aligned(OutputFormat format) {
  return format == OutputFormat::sam || format == OutputFormat::bam || format == OutputFormat::cram;
}
// These formats, with all kinds of tables in place of TSV.
std::vector<OutputFormat> with_tables(std::initializer_list<OutputFormat> formats);

// The word of --format, of reports and of labels: "bed".
const char* word_of(OutputFormat format);

// The format of this word; nothing for other words.
std::optional<OutputFormat> format_of_word(std::string_view word);

// The name of the format in messages: "BED".
const char* noun_of(OutputFormat format);

// All kinds of tables for messages, with this word before the last: "TSV, CSV or JSON lines".
std::string list_tables(std::string_view last);

// Whether the name ends in .gz, in either case: such an output is compressed with BGZF.
bool ends_in_gz(std::string_view path);

// The format that the output's name asks for by its ending, in upper or lower case, also before .gz; nothing when the
// name has no ending. An ending is that of a known format, also of other programs, or else 1 to 5 letters without a
// digit; stdout ("-"), devices and fifos have none. `formats`: those that can be written. For any other ending throws
// UsageError, which names them, and --format unless that does not choose this file's format; throws UsageError also for
// .gz after a format that is compressed anyway.
std::optional<OutputFormat> format_of_name(const std::string& path, std::span<const OutputFormat> formats,
                                           bool has_option = true);

// Whether the output's name has the ending of a format other than the one of this word ("bed").
bool names_another_format(const std::string& path, std::string_view word);

// Throws UsageError for the name of an output that would not be what it says: one that ends as a compressed file that
// is not written here (.zst, .bz2, .xz), or has a placeholder in braces ("{pattern}.fq"), for which nothing is put in.
// For outputs whose name does not choose their format; format_of_name() refuses these names too.
void check_output_name(const std::string& path);

}  // namespace basesweep
