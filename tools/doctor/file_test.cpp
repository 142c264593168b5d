#include "tools/doctor/file_test.hpp"

#include <fmt/format.h>
#include <isa-l.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "lib/oracle/trial/batches.hpp"
#include "lib/oracle/trial/compare_hits.hpp"
#include "lib/oracle/trial/generate.hpp"
#include "lib/oracle/trial/mutate.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/reader/reader.hpp"
#include "lib/writer/line_formatter.hpp"
#include "lib/writer/output_file.hpp"
#include "tools/doctor/questions.hpp"

namespace basesweep {
namespace {

enum File { motif_plain, motif_gzip, match_bgzf };
constexpr const char* kFiles[] = {"motif.fa", "motif.fa.gz", "match.fa.gz"};
constexpr const char* kOutput = "out";

std::string gzip(const std::string& text) {
  std::string packed(text.size() + text.size() / 8 + 1024, '\0');
  isal_zstream stream{};
  isal_deflate_stateless_init(&stream);
  stream.end_of_stream = 1;
  stream.flush = NO_FLUSH;
  stream.gzip_flag = IGZIP_GZIP;
  std::string from = text;
  stream.next_in = reinterpret_cast<std::uint8_t*>(from.data());
  stream.avail_in = static_cast<std::uint32_t>(from.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(packed.data());
  stream.avail_out = static_cast<std::uint32_t>(packed.size());
  if (isal_deflate_stateless(&stream) != COMP_OK) throw std::runtime_error("ISA-L cannot deflate");
  packed.resize(stream.total_out);
  return packed;
}

void write(const std::string& path, const std::string& bytes, OutputCompression compression) {
  OutputFile file(path, 1, compression);
  file.write(bytes);
  file.commit();
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

std::string name_of(std::int64_t record) { return trial::record_name(static_cast<std::size_t>(record)); }

std::string first_difference(const std::string& found, const std::string& expected) {
  if (found == expected) return "";
  std::istringstream found_lines(found);
  std::istringstream expected_lines(expected);
  for (int number = 1;; ++number) {
    std::string a;
    std::string b;
    if (!std::getline(found_lines, a)) a = "<end>";
    if (!std::getline(expected_lines, b)) b = "<end>";
    if (a != b) return fmt::format("line {}: found '{}', expected '{}'", number, a, b);
    if (!found_lines || !expected_lines) return "the last line ends differently";
  }
}

PatternSet primer_set(const oracle::ApproximateQuestion& question) {
  std::vector<Pattern> patterns;
  for (const std::string& letters : question.exact.patterns) {
    patterns.push_back({fmt::format("p{}", patterns.size()), letters});
  }
  const EditOptions edits = within(static_cast<std::uint32_t>(question.edits.front()));
  return {std::move(patterns), StrandChoice::both, PalindromeChoice::once, edits};
}

}  // namespace

FileTest::FileTest(trial::Random& random) : folder_({kFiles[0], kFiles[1], kFiles[2], kOutput}) {
  write_motifs(random);
  write_primers(random);
}

void FileTest::write_motifs(trial::Random& random) {
  motifs_.records = records_of_all_shapes(random);
  motifs_.patterns = trial::random_patterns(random, trial::PatternKind::iupac, motifs_.records);
  trial::plant(random, motifs_.patterns, motifs_.records);
  for (const oracle::Hit& hit : oracle::search(motifs_)) {
    expected_motifs_ +=
        fmt::format("{}\t{}\t{}\tp{}\t1000\t{}\n", name_of(hit.record), hit.start, hit.end, hit.pattern, hit.strand);
  }
  const std::string text = trial::fasta_text(motifs_.records, trial::random_cuts(random, 0));
  write(folder_.path(kFiles[motif_plain]), text, OutputCompression::none);
  write(folder_.path(kFiles[motif_gzip]), gzip(text), OutputCompression::none);
}

// The text is short because the oracle tries every interval.
void FileTest::write_primers(trial::Random& random) {
  primers_.exact.records = {trial::random_letters(random, 150, "ACGT"), "", "ACGTNNNNACGT",
                            trial::random_letters(random, 90, "ACGTacgtNRU")};
  for (int p = 0; p < 3; ++p) {
    std::string letters = trial::random_letters(random, 18, "ACGT");
    const std::string planted = trial::mutate(random, letters, 2);
    std::string& record = primers_.exact.records[p == 2 ? 3 : 0];
    record.replace(static_cast<std::size_t>(40 * p) % 70, planted.size(),
                   p == 1 ? oracle::reverse_complement(planted) : planted);
    letters[5] = p == 0 ? 'N' : letters[5];
    primers_.exact.patterns.push_back(std::move(letters));
    primers_.edits.push_back(2);
  }
  expected_primers_ = "record\tstart\tend\tpattern\tstrand\tedits\tindels\tcigar\tmatched\n";
  for (const oracle::ApproximateHit& hit : oracle::search(primers_)) {
    expected_primers_ += fmt::format("{}\t{}\t{}\tp{}\t{}\t{}\t{}\t{}\t{}\n", name_of(hit.record), hit.start, hit.end,
                                     hit.pattern, hit.strand, hit.edits, hit.indels, oracle::cigar(primers_, hit),
                                     oracle::matched_text(primers_.exact, hit.record, hit.start, hit.end, hit.strand));
  }
  const std::string text = trial::fasta_text(primers_.exact.records, trial::random_cuts(random, 0));
  write(folder_.path(kFiles[match_bgzf]), text, OutputCompression::bgzf);
}

std::vector<std::string> FileTest::names() {
  return {"motif of a plain file", "motif of a gzip file", "match of a BGZF file"};
}

std::string FileTest::fault(std::size_t file, const SelfTest& test, const TestedDevice& where) const {
  const bool approximate = file == match_bgzf;
  const PatternSet patterns = approximate ? primer_set(primers_) : trial::pattern_set(motifs_);
  MatcherOptions matching;
  matching.device = where.device;
  matching.gpus = {where.gpu};
  matching.isa = where.isa;
  const std::unique_ptr<Matcher> matcher = test.matcher(patterns, matching);
  ReaderOptions reading;
  reading.paths = {folder_.path(kFiles[file])};
  reading.block_bytes = 700;  // several blocks
  Reader reader(reading);
  PipelineOptions options;
  options.packer.isa = where.isa;
  options.threads = 2;
  options.batch_positions = 1000;
  const std::unique_ptr<Formatter> formatter =
      make_hit_formatter(patterns, approximate ? OutputFormat::tsv : OutputFormat::bed);
  OutputFile output(folder_.path(kOutput), 1, OutputCompression::none);
  run_pipeline(options, reader, patterns, *matcher, {{formatter.get(), &output, std::nullopt, folder_.path()}});
  output.commit();
  return first_difference(read(folder_.path(kOutput)), approximate ? expected_primers_ : expected_motifs_);
}

}  // namespace basesweep
