#include "tools/help.hpp"

namespace basesweep {

std::vector<Term> file_exit_codes() {
  return {{"0", "done"},
          {"1", "failure"},
          {"2", "the command line is wrong"},
          {"3", "bad input data"},
          {"4", "a file cannot be read or written"}};
}

std::vector<Term> search_exit_codes() {
  std::vector<Term> codes = file_exit_codes();
  codes.front().meaning = "done, with hits or without";
  codes.push_back({"75", "a GPU was asked for, and none is usable or its memory does not suffice"});
  return codes;
}

std::vector<Term> search_environment() {
  return {{"BASESWEEP_ISA", "sse42, avx2 or avx512: use no better instruction set than this."},
          {"BASESWEEP_GPU_MEMORY", "Bytes of GPU memory to take at most."}};
}

std::vector<Term> index_files() {
  return {{"FILE.fai",
           "Index of a FASTA file, as 'samtools faidx' and 'basesweep plan --write-index' write it. With it, only "
           "what is near the regions is read. One that is older than its FASTA file is not used."},
          {"FILE.gzi", "Index of a FASTA file's BGZF compression, likewise."}};
}

}  // namespace basesweep
