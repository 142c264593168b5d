#include "tools/help.hpp"
#include "tools/trim_options.hpp"

namespace basesweep {

Help trim_help() {
  return {
      .synopsis = {"[OPTIONS] -a ADAPTER... [READS...]", "[OPTIONS] -1 FILE -2 FILE -o FILE -p FILE"},
      .about =
          {"Cuts adapters, ends of low quality and poly-A tails from reads, and leaves out reads that are too short "
           "or too bad. Letters and meanings are those of cutadapt."},
      .sections =
          {{"Adapters",
            {"Letters are IUPAC codes; A{10} repeats a letter. N in a read is an error. Errors are mismatches, "
             "inserted "
             "and deleted bases; of an adapter of which a part is in the read, that part counts. The place with the "
             "highest score is cut: matches count 1, mismatches -1, indels -2; of equal ones the leftmost. Of several "
             "adapters the one with the highest score is cut."},
            {{"name=ADAPTER", "an adapter with a name"},
             {"FRONT...BACK",
              "linked adapters, a 5' and a 3' one; with -g both must be there, with -a those that are tied to an end"},
             {"file:adapters.fa", "the adapters of a FASTA file; ^file: and file$: tie them to an end of reads"},
             {"ADAPTER;o=5;e=0.2",
              "parameters of one adapter: e (errors), o (overlap), noindels, rightmost, anywhere (it may hang over "
              "either end), and of linked ones required and optional"}}},
           {"Pairs without adapters",
            {"If no adapter is given, the end of fragments is found by the overlap of mates, and by the adapter that "
             "comes after them, which is taken from the first pairs. Where both are clear and differ by more than 2 "
             "bases, the adapter counts. Pairs whose fragment has no bases (dimers) are counted and left out. The "
             "overlap counts beside adapters that are given too if --by-overlap says yes."}},
           {"Primers",
            {"With --primers, a read loses the primer that it begins with, left or right, and the reverse complement "
             "of "
             "its partner. A primer that the start of a read cuts off has at least 12 bases there, or -O. Of aligned "
             "SAM, "
             "BAM and CRAM, the primers in which alignments begin and end are soft-clipped by their places, as "
             "'samtools "
             "ampliconclip --both-ends --strand' does; with --drop-alignment such reads are cut by sequence."}},
           {"Order of steps",
            {"Reads are cut by -u, --nextseq-trim, -q, by adapters, primers, --poly-a, -l and --trim-n, in this order. "
             "Filters of length come next, then those of N and of expected errors, and last whether an adapter was "
             "found."}},
           {"Output format",
            {"Reads in the order of the input. Two files of reads are mates if an option of second mates is given. SAM "
             "and BAM keep the tags of reads."},
            {{"--table",
              "read, mate, adapter, edits, strand, cut_start, cut_end (the bases between them are left), reason: "
              "written, too-short, too-long, too-many-n, too-many-errors, trimmed, untrimmed"}}}},
      .examples = {{"Cut a 3' adapter", {"basesweep trim -a AGATCGGAAGAGC reads.fq.gz -o trimmed.fq.gz"}},
                   {"Cut pairs whose adapter is not known, drop reads below 30 bases",
                    {"basesweep trim -m 30 -1 reads_1.fq.gz -2 reads_2.fq.gz \\",
                     "    -o trimmed_1.fq.gz -p trimmed_2.fq.gz"}},
                   {"Cut both primers of 16S reads in any orientation, keep only reads with both",
                    {"basesweep trim -g 'AGRGTTYGATYMTGGCTCAG...AAGTCGTAACAAGGTARCY' --revcomp \\",
                     "    --discard-untrimmed ccs.fq.gz -o 16S.fq.gz"}},
                   {"Cut by quality, then a small RNA adapter",
                    {"basesweep trim -q 20 -a TGGAATTCTCGGGTGCCAAGG -m 18 -M 30 reads.fq.gz \\", "    -o small.fq.gz"}},
                   {"Cut the primers of amplicons",
                    {"basesweep trim --primers scheme.bed -1 reads_1.fq.gz -2 reads_2.fq.gz \\",
                     "    -o inserts_1.fq.gz -p inserts_2.fq.gz"}}},
      .environment = search_environment(),
      .exit_codes = file_exit_codes(),
      .see_also = {"plan", "merge", "match", "map"},
      .most_used = {"-a", "-q", "-m", "-o", "-p", "-h", "--help"}};
}

}  // namespace basesweep
