#include "tools/help.hpp"

#include <fmt/format.h>

#include "lib/rows/rows.hpp"

namespace basesweep {

std::vector<Term> file_exit_codes() {
  return {{"0", "done"},
          {"1", "failure"},
          {"2", "the command line is wrong"},
          {"3", "bad input data"},
          {"4", "a file cannot be read or written"}};
}

std::vector<HelpColumn> columns_of(const Rows& rows) {
  std::vector<HelpColumn> columns;
  for (const Column& column : rows.columns()) {
    if (column.can_be_chosen()) columns.push_back({column.name, word_of(column.type), column.meaning, column.usual});
  }
  return columns;
}

Term table_term(const Rows& rows) {
  std::string usual;
  std::string more;
  for (const Column& column : rows.columns()) {
    if (!column.can_be_chosen()) continue;
    std::string& to = column.usual ? usual : more;
    to += (to.empty() ? "" : ", ") + column.name;
  }
  std::vector<std::string> words;
  for (const OutputFormat format : kTableFormats) words.emplace_back(word_of(format));
  return {fmt::format("{}", fmt::join(words, ", ")),
          fmt::format("the columns {}; with a header line, or an object a line. --columns chooses among them, {}; "
                      "'--columns help' says what each is",
                      usual, more)};
}

std::vector<Term> search_exit_codes() {
  std::vector<Term> codes = file_exit_codes();
  codes.front().meaning = "done, with hits or without";
  codes.push_back({"75", "a GPU was requested, but none is usable or its memory is too small"});
  return codes;
}

std::vector<Term> search_environment() {
  return {{"BASESWEEP_ISA", "sse42, avx2 or avx512: the best instruction set to use. arm64 has one, neon."},
          {"BASESWEEP_BATCH_HITS",
           "How many hits of a batch are held before its text is searched in parts; fewer take less memory."},
          {"BASESWEEP_GPU_MEMORY", "Maximum GPU memory to use, in bytes."},
          {"BASESWEEP_GZIP_THREADS", "How many threads inflate gzip; 1: ISA-L does it in one."},
          {"TMPDIR",
           "Folder for what must wait before it can be written, if the output is not a file, and for the reference of "
           "CRAM, read or written (default: /tmp)."}};
}

std::vector<Term> index_files() {
  return {
      {"FILE.fai",
       "Index of a FASTA file, from 'samtools faidx' or 'basesweep plan --write-index'. With it, only the text near "
       "the regions is read. An index that is older than its FASTA file is not used."},
      {"FILE.gzi", "Index of the BGZF compression of a FASTA file, from the same commands."}};
}

}  // namespace basesweep
