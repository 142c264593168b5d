// SeqAn3 reads the same records as our reader from random FASTA and FASTQ files.
#include <seqan3/alphabet/quality/phred94.hpp>
#include <seqan3/io/sequence_file/input.hpp>

#include <random>
#include <sstream>

#include "tests/support/environment.hpp"
#include "tests/support/reader.hpp"

namespace {

using namespace basesweep;
using namespace basesweep::reader_test;

struct Traits : seqan3::sequence_file_input_default_traits_dna {
  using sequence_alphabet = seqan3::dna15;
  using sequence_legal_alphabet = seqan3::dna15;
  using quality_alphabet = seqan3::phred94;
};

template <class Letters>
std::string string_of(const Letters& letters) {
  std::string text;
  for (const auto letter : letters) text += letter.to_char();
  return text;
}

template <class FileFormat>
std::vector<WholeRecord> records_by_seqan3(const std::string& text, FileFormat format) {
  std::vector<WholeRecord> records;
  seqan3::sequence_file_input<Traits> input{std::istringstream(text), format};
  for (auto& record : input) {
    const std::string& id = record.id();
    records.push_back(
        {id.substr(0, id.find_first_of(" \t")), string_of(record.sequence()), string_of(record.base_qualities())});
  }
  return records;
}

std::string random_title(std::size_t record, std::mt19937& random) {
  static const std::vector<std::string> after = {"", " more words", "\tafter a tab", " >", " @+"};
  return "r" + std::to_string(record) + after[random() % after.size()];
}

std::string random_text(Format format, std::mt19937& random) {
  std::string text;
  const std::size_t records = 1 + random() % 30;
  for (std::size_t i = 0; i < records; ++i) {
    const std::string sequence = random_dna(1 + random() % (random() % 10 == 0 ? 5000 : 100), random);
    if (format == Format::fasta) {
      text += ">" + random_title(i, random) + "\n" + wrapped(sequence, 1 + random() % 80, "\n");
      continue;
    }
    std::string quality(sequence.size(), '!');
    for (char& c : quality) c = static_cast<char>('!' + random() % 94);
    const std::string title = random_title(i, random);
    text += "@" + title + "\n" + sequence + "\n+" + (random() % 2 == 0 ? "" : title) + "\n" + quality + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("random FASTA and FASTQ: the same records as SeqAn3 reads", "[seqan3]") {
  const Scratch scratch;
  const std::uint64_t cases = support::test_cases(500);
  for (std::uint64_t seed = support::test_seed(); seed < support::test_seed() + cases; ++seed) {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const Format format = random() % 2 == 0 ? Format::fasta : Format::fastq;
    const std::string text = random_text(format, random);
    INFO("repeat with BASESWEEP_TEST_SEED=" << seed << " BASESWEEP_TEST_CASES=1\n" << text);
    const std::vector<WholeRecord> expected = format == Format::fasta ? records_by_seqan3(text, seqan3::format_fasta{})
                                                                      : records_by_seqan3(text, seqan3::format_fastq{});
    ReaderOptions options{.paths = {scratch.write("in", text)}, .block_bytes = 1 + random() % 5000};
    options.whole_records = true;
    REQUIRE(whole_fault(read_all(options), text, expected) == "");
  }
}
