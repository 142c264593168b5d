#include "tools/map_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "lib/base/error.hpp"
#include "lib/base/fields.hpp"
#include "lib/base/sam_tags.hpp"
#include "lib/rows/row_formats.hpp"
#include "tools/shared_options.hpp"

namespace basesweep {
namespace {

void add_input_options(CLI::App& command, MapArguments& o) {
  begin_group(command, group::kInput);
  add_arguments(command, "reads", "FILE", o.inputs,
                "FASTQ or FASTA, plain or compressed, or SAM, BAM or CRAM; a URL; - or no file: stdin");
  add_text(command, "-r,--reference", "FILE", o.reference,
           "The reference: FASTA, plain or compressed (gzip, BGZF, zstd, bzip2, xz), or .2bit", {.required = true});
  add_mate_options(command, o, "; SAM, BAM and CRAM say it themselves (FLAG 1)");
  add_alignment_options(command, o.alignments);
}

void add_test_options(CLI::App& command, MapArguments& o) {
  add_choice<Candidates>(command, "--candidates", o.candidates,
                         {{"auto", Candidates::automatic},
                          {"index", Candidates::index},
                          {"few-seeds", Candidates::few_seeds},
                          {"sweep", Candidates::sweep}},
                         "How candidates are found; for tests", {.hidden = true});
  add_number(command, "--batch-bytes", o.batch_bytes, {.min = 1, .max = 1U << 30, .suffixes = true},
             "Bytes of reads per batch; for tests", {.hidden = true});
}

}  // namespace

Help map_help() {
  return {
      .synopsis = {"[OPTIONS] -r REFERENCE {-k N | -e RATE} [READS...]",
                   "[OPTIONS] -r REFERENCE {-k N | -e RATE} -1 FILE -2 FILE"},
      .sections =
          {{"Hits",
            {"A place where at most k edits turn the whole read into the reference; there is no clipping. An edit is a "
             "mismatch, an inserted or a deleted base. N and other IUPAC codes match nothing, in reads and reference. "
             "All places of a read are found. Reads of more than 2,048 bases, reads of at most k bases, and "
             "reads without A, C, G or T stay unmapped. --report chooses which places are reported."},
            {{"best", "The places with the fewest edits that the read has."},
             {"sites",
              "Places that have the fewest edits (then indels, then bases) both of all with their start and of all "
              "with their end."},
             {"all", "Every place."}}},
           {"Output format",
            {"All reads in input order, mapped or not. The place with the fewest edits, then the first on the "
             "reference, is primary; the others are secondary (FLAG 256). Tags: NM, MD, AS (minus the edits), NH "
             "(number of places), XE (edits), RG, and those that --keep-tags names."},
            {{"MAPQ 0", "another site has as few edits; always for secondary alignments"},
             {"MAPQ 60", "no other site has at most k edits"},
             {"else",
              "20 for each edit that the next best site has more than this one, at most 60; sites that "
              "overlap this one do not count"},
             {"--report all", "the same MAPQ as with sites: other places around a best site do not lower it"}}},
           {"CRAM",
            {"CRAM needs a reference that is plain or BGZF, because it is read twice. It is never downloaded."}}},
      .examples = {{"Map reads with up to 8 edits, each to all its best places",
                    {"basesweep map -r reference.fa -k 8 reads.fastq.gz -o reads.bam"}},
                   {"Map pairs of amplicon reads with one edit per twenty bases",
                    {"basesweep map -r amplicons.fa -e 0.05 -1 reads_1.fq.gz -2 reads_2.fq.gz \\",
                     "    --insert 100,600 -o pairs.bam"}},
                   {"Print only the reads that map, each at all its places",
                    {"basesweep map -r reference.fa -k 3 --report sites --hits-only reads.fq.gz \\",
                     "    > sites.sam"}},
                   {"Read from a pipe, print at most ten secondary alignments per read",
                    {"zcat reads.fq.gz | basesweep map -r genome.fa -k 4 -N 10 -o reads.bam"}}},
      .files = index_files(),
      .environment = search_environment(),
      .exit_codes = search_exit_codes(),
      .see_also = {"motif", "match", "plan", "merge"},
      .most_used = {"-r", "-1", "-2", "-k", "-e", "--report", "--insert", "-o", "--hits-only", "-N", "-h", "--help"}};
}

OptionTable<MapArguments> map_options() {
  return TableMaker<MapArguments>()
      .begin(group::kHits)
      .table(&MapArguments::edits, edit_options("read", kEditsOnly))
      .choice("--report", &MapArguments::report,
              std::vector<std::pair<std::string, Report>>{
                  {"best", Report::best}, {"sites", Report::sites}, {"all", Report::all}},
              "Which places to report (default: best)", {.in_merge = ""})
      .reported("report")
      .in_program()
      .begin(group::kOutput)
      .call([](CLI::App& command, MapArguments& o) {
        add_format_option(command, o.format, read_alignment_formats(),
                          "Output format (default: from the output's name, else sam)");
      })
      .number("-N,--secondary", &MapArguments::max_secondary, {.suffixes = true},
              "Print at most N secondary alignments per read; N may end in k, M or G (1k: 1,000)")
      .reported("most_secondary")
      .in_program()
      .begin(group::kHits)
      .table(
          [](auto& o) -> auto& { return o; },
          strand_option(&MapArguments::strand, "Strands of the reference to search"))
      .value("paired", [](const MapArguments& o) { return parameter_of(o.paired()); })
      .text("--insert", "MIN,MAX", &MapArguments::insert_text, "Template length of a proper pair (default: 0,1000)",
            {.empty_value = true})
      .reported_as("least_insert", [](const MapArguments& o) { return parameter_of(o.insert.min); })
      .words([](const MapArguments& o) {
        return o.paired() ? fmt::format(" --insert {},{}", o.insert.min, o.insert.max) : "";
      })
      .value("most_insert", [](const MapArguments& o) { return parameter_of(o.insert.max); })
      .begin(group::kOutput)
      .flag("--hits-only", &MapArguments::hits_only, "Print no unmapped reads")
      .reported("hits_only")
      .in_program()
      .begin(group::kSam)
      .flag("--md5", &MapArguments::md5, "Add the MD5 digest of each reference record (M5) to the header")
      .table(&MapArguments::sam, sam_options("record"))
      .text("--keep-tags", "TAG,...", &MapArguments::keep_tags,
            "Copy these tags of reads (RG,BC) to all their records; RG brings the @RG lines of SAM, BAM and CRAM along")
      .in_program()
      .take();
}

void add_map_options(CLI::App& command, MapArguments& o) {
  keep_words(command, o);
  add_input_options(command, o);
  add_options(command, map_options(), o);
  add_test_options(command, o);
  add_region_options(command, o.regions, "the reference");
  add_chunk_options(command, o.chunk);
  add_file_options(command, o);
  add_running_options(command, o);
  add_algorithm_option(command, o.algorithm, read_algorithms());
}

namespace {

// The value of --keep-tags.
std::vector<std::string> parse_tags(const std::string& text) {
  constexpr std::array<std::string_view, 5> kWritten{"NM", "MD", "AS", "NH", "XE"};
  std::vector<std::string> tags;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string tag(take_to(rest, ','));
    if (!is_sam_tag(tag) || (rest.empty() && text.back() == ','))
      throw UsageError(
          fmt::format("--keep-tags {}: expected tags such as RG,BC, found '{}'", text, is_sam_tag(tag) ? "," : tag));
    if (std::find(kWritten.begin(), kWritten.end(), tag) != kWritten.end())
      throw UsageError(fmt::format("--keep-tags {}: map writes {} itself", text, tag));
    if (std::find(tags.begin(), tags.end(), tag) != tags.end())
      throw UsageError(fmt::format("--keep-tags {}: {} is given twice", text, tag));
    tags.push_back(tag);
  }
  return tags;
}

// The value of --insert.
Insert parse_insert(const std::string& text) {
  std::string_view rest = text;
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  constexpr std::uint64_t kMaxLength = std::numeric_limits<std::int64_t>::max();
  if (!parse_count(take_to(rest, ','), true, min) || !parse_count(rest, true, max) || max < min || max > kMaxLength) {
    throw UsageError(fmt::format("--insert {}: expected MIN,MAX: two lengths, the smaller one first", text));
  }
  return {static_cast<std::int64_t>(min), static_cast<std::int64_t>(max)};
}

void check_tags(MapArguments& o) {
  o.alignments.reading.tags = parse_tags(o.keep_tags);
  if (o.keeps("RG") && !o.sam.read_group.empty())
    throw UsageError("--keep-tags RG keeps the read groups of the input, so it conflicts with -R");
}

}  // namespace

void check_map_options(MapArguments& o) {
  check_edits(o.edits.edits, o.edits.rate);
  o.insert = parse_insert(o.insert_text);
  check_tags(o);
  check_mates(o, o.inputs);
  if (o.first_mates.empty() && o.inputs.empty()) {
    check_stdin("map");
    o.inputs = {"-"};
  }
  std::vector<std::string> read{o.reference};
  for (const auto* files : {&o.inputs, &o.first_mates, &o.second_mates}) {
    read.insert(read.end(), files->begin(), files->end());
  }
  for (const std::string& file : o.alignments.files()) read.push_back(file);
  const std::vector<std::string> more = o.regions.files({o.reference});
  read.insert(read.end(), more.begin(), more.end());
  if (!o.chunk.plan.empty()) read.push_back(o.chunk.plan);
  check_run_options(o, read);
}

}  // namespace basesweep
