#include "lib/reader/file_type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "lib/base/fields.hpp"
#include "lib/reader/alignment_format.hpp"
#include "lib/reader/whole_text.hpp"

namespace basesweep {
namespace {

using std::string_view_literals::operator""sv;

enum class Help {
  nested,     // the types that basesweep decompresses itself, but only once; a command as for `inflate`
  inflate,    // a command that reads the file, or stdin, and prints what was compressed
  convert,    // a command that reads the file, and prints sequence
  advise,     // a sentence
  sequences,  // as `convert`, but pattern files may be of this type
  reads,      // as `convert` for pattern files; input may be of this type, but not in every compression
};

struct FileType {
  std::string_view magic;
  std::size_t offset;
  const char* name;
  Help help;
  const char* text;  // in commands, FILE stands for the path
};

// The first that fits counts.
constexpr auto kTypes = std::to_array<FileType>({
    {"BZh"sv, 0, "bzip2", Help::nested, "bzip2 -dc"},
    {"\xFD\x37zXZ\0"sv, 0, "xz", Help::nested, "xz -dc"},
    {"\x28\xB5\x2F\xFD"sv, 0, "zstd", Help::nested, "zstd -dc"},
    {"\x1F\x8B"sv, 0, "gzip", Help::nested, "gzip -dc"},
    {"\x04\x22\x4D\x18"sv, 0, "LZ4", Help::inflate, "lz4 -dc"},
    {"\x1F\x9D"sv, 0, "compress (.Z)", Help::inflate, "gzip -dc"},
    {"LZIP"sv, 0, "lzip", Help::inflate, "lzip -dc"},
    {"7z\xBC\xAF\x27\x1C"sv, 0, "a 7-Zip archive", Help::convert, "7z x -so FILE"},
    {"[Content_Types].xml"sv, 30, "an Office document (.xlsx, .docx)", Help::advise,
     "save it as text, for a table with tabs between columns"},
    {"PK\x03\x04"sv, 0, "a ZIP archive", Help::convert, "unzip -p FILE"},
    {"ustar"sv, 257, "a tar archive", Help::convert, "tar -xOf FILE"},
    {"BAM\1"sv, 0, "BAM", Help::reads, "samtools fastq FILE"},
    {"CRAM"sv, 0, "CRAM", Help::reads, "samtools fastq FILE"},
    {"@HD\t"sv, 0, "SAM", Help::reads, "samtools fastq FILE"},
    {"@SQ\t"sv, 0, "SAM", Help::reads, "samtools fastq FILE"},
    {"@RG\t"sv, 0, "SAM", Help::reads, "samtools fastq FILE"},
    {"@PG\t"sv, 0, "SAM", Help::reads, "samtools fastq FILE"},
    {"@CO\t"sv, 0, "SAM", Help::reads, "samtools fastq FILE"},
    {"NCBI.sra"sv, 0, "an SRA archive", Help::convert, "fasterq-dump --stdout FILE"},
    {"\x1A\x41\x27\x43"sv, 0, "2bit", Help::convert, "twoBitToFa FILE stdout"},
    {"\x43\x27\x41\x1A"sv, 0, "2bit", Help::convert, "twoBitToFa FILE stdout"},
    {"LOCUS  "sv, 0, "GenBank", Help::sequences, "any2fasta FILE"},
    {"ID   "sv, 0, "EMBL", Help::sequences, "any2fasta FILE"},
    {"H\tVN:"sv, 0, "GFA", Help::convert, "gfatools gfa2fa FILE"},
    {"##fileformat=VCF"sv, 0, "VCF", Help::advise,
     "it lists variants, not sequence; 'bcftools consensus -f REFERENCE FILE' makes sequence of them"},
    {"BCF\2"sv, 0, "BCF", Help::advise,
     "it lists variants, not sequence; 'bcftools consensus -f REFERENCE FILE' makes sequence of them"},
    {"##gff-version"sv, 0, "GFF", Help::advise,
     "it lists features, not sequence; 'bedtools getfasta -fi REFERENCE -bed FILE' cuts theirs out"},
    {"\x89HDF\r\n\x1A\n"sv, 0, "HDF5", Help::advise, "if it is FAST5, convert its signals to reads with a basecaller"},
    {"\x89"
     "BSX\r\n\x1A\n"sv,
     0, "a compiled set", Help::advise,
     "-f of 'basesweep motif', 'match' and 'pcr' takes it as it is: a regular file that is not compressed"},
    {"\x8BPOD\r\n\x1A\n"sv, 0, "POD5", Help::advise, "convert its signals to reads with a basecaller"},
    {"\0\0\0\x0ESnapGene"sv, 0, "a SnapGene file", Help::advise, "export it as FASTA"},
    {"%PDF"sv, 0, "PDF", Help::advise, "save the sequences as plain text"},
    {R"({\rtf)"sv, 0, "RTF", Help::advise, "save the document as plain text"},
    {"<!doctype html"sv, 0, "HTML", Help::advise, "this is a web page; download the file itself"},
    {"<html"sv, 0, "HTML", Help::advise, "this is a web page; download the file itself"},
    {"<?xml"sv, 0, "XML", Help::advise, "export the sequences as FASTA"},
    {"\xFF\xFE"sv, 0, "UTF-16 text", Help::convert, "iconv -f UTF-16 -t UTF-8 FILE"},
    {"\xFE\xFF"sv, 0, "UTF-16 text", Help::convert, "iconv -f UTF-16 -t UTF-8 FILE"},
});

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool fits(const FileType& type, std::string_view bytes) {
  if (bytes.size() < type.offset + type.magic.size()) return false;
  // In FASTA and FASTQ a word may stand anywhere.
  if (type.offset != 0 && (bytes.front() == '>' || bytes.front() == '@')) return false;
  const std::string_view found = bytes.substr(type.offset, type.magic.size());
  if (found == type.magic) return true;
  return type.magic.front() == '<' &&
         std::equal(found.begin(), found.end(), type.magic.begin(), [](char a, char b) { return lower(a) == b; });
}

// The path as a shell takes it.
std::string quoted(const std::string& path) {
  constexpr std::string_view kPlain = "./_-+,:@%=";
  const bool plain = std::all_of(path.begin(), path.end(), [=](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || kPlain.find(c) != std::string_view::npos;
  });
  if (plain) return path;
  constexpr std::string_view kSpecial = "\"\\$`";
  std::string all = "\"";
  for (const char c : path) {
    if (kSpecial.find(c) != std::string_view::npos) all += '\\';
    all += c;
  }
  return all + '"';
}

std::string with_path(std::string text, const std::string& path) {
  const std::size_t at = text.find("FILE");
  if (at != std::string::npos) text.replace(at, 4, quoted(path));
  return text;
}

// A compression that basesweep reads, as it stands around a file that it does not read.
struct Outer {
  const char* program;
  const char* ending;
  const char* tar;  // extracts from an archive to stdout
};

std::optional<Outer> outer_of(Compression compression) {
  switch (compression) {
    case Compression::none: return std::nullopt;
    case Compression::gzip:
    case Compression::bgzf: return Outer{"gzip", ".gz", "tar -xzOf "};
    case Compression::zstd: return Outer{"zstd", ".zst", "tar --zstd -xOf "};
    case Compression::bzip2: return Outer{"bzip2", ".bz2", "tar -xjOf "};
    case Compression::xz: return Outer{"xz", ".xz", "tar -xJOf "};
  }
  return std::nullopt;
}

std::string without_ending(const std::string& path, std::string_view ending) {
  return path.ends_with(ending) ? path.substr(0, path.size() - ending.size()) : path;
}

// The command that prints text which basesweep reads.
std::string command_for(const FileType& type, const FileStart& start, const std::string& path) {
  const std::optional<Outer> outer = outer_of(start.compression);
  const std::string inflate = outer ? fmt::format("{} -dc {}", outer->program, quoted(path)) : "";
  if (type.help == Help::nested) return outer ? inflate : fmt::format("{} {}", type.text, quoted(path));
  if (type.help == Help::inflate)
    return outer ? inflate + " | " + type.text : fmt::format("{} {}", type.text, quoted(path));
  const bool reads_gzip = type.magic == "BAM\1"sv || type.text == "any2fasta FILE"sv || type.text[0] == 's';
  if (!outer || (reads_gzip && outer->program == "gzip"sv)) return with_path(type.text, path);
  if (type.magic == "ustar"sv) return outer->tar + quoted(path);
  return fmt::format("{} -d {}; {}", outer->program, quoted(path),
                     with_path(type.text, without_ending(path, outer->ending)));
}

std::optional<std::string> explain(const FileStart& start, bool patterns) {
  const auto* const type =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const FileType& one) { return fits(one, start.bytes); });
  if (type == kTypes.end() || (patterns && type->help == Help::sequences)) return std::nullopt;
  const std::string path = start.path == "<stdin>" ? "FILE" : start.path;
  const std::optional<Outer> outer = outer_of(start.compression);
  if (type->help == Help::reads && !patterns && outer) {
    return fmt::format("{}: {} inside {}, which is not read; try '{} -dc {} | basesweep ...'", start.path, type->name,
                       compression_name(start.compression), outer->program, quoted(path));
  }
  std::string is = fmt::format("{}: neither FASTA nor FASTQ but {}", start.path, type->name);
  if (type->help == Help::nested && outer) is += fmt::format(" inside {}; compressed twice", outer->program);
  is += "; ";
  if (type->help == Help::advise) return is + with_path(type->text, path);
  return is + fmt::format("try '{} | basesweep ...{}'", command_for(*type, start, path), patterns ? " -f -" : "");
}

// Whether the first line has the columns of SAM, as far as they can be seen: numbers as FLAG, POS and MAPQ, and a
// CIGAR.
bool begins_like_sam_record(std::string_view bytes) {
  constexpr std::size_t kFlag = 1, kPosition = 3, kMapq = 4, kCigar = 5;
  std::array<std::string_view, 9> columns;  // a long read may hide SEQ and QUAL, the last two
  if (bytes.starts_with('>') || bytes.starts_with('@')) return false;
  if (split_at_tabs(bytes.substr(0, bytes.find('\n')), columns) < columns.size()) return false;
  std::int64_t number = 0;
  const auto is_number = [&](std::size_t column) { return parse_place(columns[column], number); };
  const std::string_view cigar = columns[kCigar];
  const bool has_cigar = !cigar.empty() && cigar.find_first_not_of("0123456789MIDNSHP=X") == std::string_view::npos;
  return is_number(kFlag) && is_number(kPosition) && is_number(kMapq) &&
         (cigar == "*" || (has_cigar && !is_number(kCigar)));
}

}  // namespace

std::optional<std::string> explain_text_type(const FileStart& start) {
  if (begins_like_sam_record(start.bytes))
    return fmt::format("{}: SAM without its header; 'samtools view -h' prints it too", start.path);
  return explain(start, false);
}

std::optional<std::string> explain_marked_type(const FileStart& start) {
  const std::string_view text = start.bytes.substr(byte_order_mark(start.bytes));
  if (!text.starts_with('@') || !begins_like_alignments(text)) return std::nullopt;
  const std::string path = start.path == "<stdin>" ? "FILE" : quoted(start.path);
  const std::optional<Outer> outer = outer_of(start.compression);
  const std::string without_mark =
      outer ? fmt::format("{} -dc {} | tail -c +4", outer->program, path) : "tail -c +4 " + path;
  return fmt::format("{}: SAM after a byte order mark; try '{} | basesweep ...'", start.path, without_mark);
}

std::optional<std::string> explain_pattern_type(const FileStart& start) { return explain(start, true); }

}  // namespace basesweep
