#!/usr/bin/env cwl-runner
# scripts/wrappers.py made this of `basesweep help --json`.
cwlVersion: v1.2
class: CommandLineTool
label: basesweep match
doc: "Find patterns with edits; write SAM, BAM, BED, TSV, GFF3 or FASTA."
baseCommand: [basesweep, match]
hints:
  SoftwareRequirement:
    packages:
      basesweep:
        version: ["1.0.0-rc1"]
  DockerRequirement:
    dockerPull: quay.io/biocontainers/basesweep:1.0.0rc1--0
requirements:
  ResourceRequirement:
    coresMin: $(inputs.threads)
arguments: [{prefix: --threads, valueFrom: $(runtime.cores)}]
temporaryFailCodes: [75]
inputs:
  sequences:
    type: File[]?
    doc: "FASTA or FASTQ, plain or compressed, .2bit, SAM, BAM or CRAM."
    inputBinding: {position: 1}
  pattern:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--pattern"}}]
    doc: "A primer of nucleotides and IUPAC codes, or NAME=SEQUENCE; may be repeated."
  pattern_file:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "--pattern-file"}}]
    doc: "A file of primers: FASTA, a table (TSV, CSV, BED with sequences), one sequence a line, FASTQ, EMBL or GenBank; may be repeated."
  name_column:
    type: string?
    doc: "Column of the primers' names in tables: a name in the header, or a number from 1."
    inputBinding: {prefix: "--name-column"}
  pattern_column:
    type: string?
    doc: "Column of the primers' sequences in tables: a name in the header, or a number from 1."
    inputBinding: {prefix: "--pattern-column"}
  reads1:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "--reads1"}}]
    doc: "First mates of read pairs; may be repeated."
  reads2:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "--reads2"}}]
    doc: "Second mates, in the same order; may be repeated."
  interleaved:
    type: boolean?
    doc: "Consecutive reads are mates."
    inputBinding: {prefix: "--interleaved"}
  cram_reference:
    type: File?
    doc: "FASTA that CRAM input was written with (default: the one that it holds); nothing is downloaded."
    inputBinding: {prefix: "--cram-reference"}
  edits:
    type: long?
    doc: "Maximum number of edits: mismatches, insertions and deletions."
    inputBinding: {prefix: "--edits"}
  error_rate:
    type: double?
    doc: "Maximum number of edits as a fraction (0.1, or 10%) of the primer's length, rounded down."
    inputBinding: {prefix: "--error-rate"}
  max_mismatches:
    type: long?
    doc: "Allow at most N mismatches among the edits."
    inputBinding: {prefix: "--max-mismatches"}
  max_indels:
    type: long?
    doc: "Allow at most N inserted or deleted bases among the edits."
    inputBinding: {prefix: "--max-indels"}
  max_dna_bulges:
    type: long?
    doc: "Allow at most N text bases without a primer base (D in CIGAR) among the indels."
    inputBinding: {prefix: "--max-dna-bulges"}
  max_rna_bulges:
    type: long?
    doc: "Allow at most N primer bases without a text base (I in CIGAR) among the indels."
    inputBinding: {prefix: "--max-rna-bulges"}
  clamp_5prime:
    type: long?
    doc: "The first N bases of the primer (5' end) must match without an edit."
    inputBinding: {prefix: "--clamp-5prime"}
  clamp_3prime:
    type: long?
    doc: "The last N bases of the primer (3' end) must match without an edit."
    inputBinding: {prefix: "--clamp-3prime"}
  overhang_5prime:
    type: long?
    doc: "The primer's 5' end may hang over the ends of a record if at least N of its bases are inside."
    inputBinding: {prefix: "--overhang-5prime"}
  overhang_3prime:
    type: long?
    doc: "The primer's 3' end may hang over the ends of a record if at least N of its bases are inside."
    inputBinding: {prefix: "--overhang-3prime"}
  mismatches:
    type: long?
    doc: "Maximum number of mismatches, and no indels."
    inputBinding: {prefix: "--mismatches"}
  overhang:
    type: long?
    doc: "A primer may hang over the ends of a record if at least N of its bases are inside."
    inputBinding: {prefix: "--overhang"}
  report:
    type: ["null", {type: enum, symbols: ["sites", "minima", "best", "best-per-record", "all"]}]
    doc: "Which places to report as hits (default: sites)."
    inputBinding: {prefix: "--report"}
  best_of:
    type: ["null", {type: enum, symbols: ["pattern", "record"]}]
    doc: "With --report best-per-record: compare the hits of each primer (default), or of all primers of a record."
    inputBinding: {prefix: "--best-of"}
  strand:
    type: ["null", {type: enum, symbols: ["both", "plus", "minus"]}]
    doc: "Strands to search (default: both); + and - are short for plus and minus."
    inputBinding: {prefix: "--strand"}
  palindromes:
    type: ["null", {type: enum, symbols: ["once", "both"]}]
    doc: "Report hits of palindromic primers once, on strand + (default), or on both strands."
    inputBinding: {prefix: "--palindromes"}
  soft_masked:
    type: ["null", {type: enum, symbols: ["use", "skip"]}]
    doc: "Search lower-case bases as any others (default), or skip hits that touch one."
    inputBinding: {prefix: "--soft-masked"}
  non_overlapping:
    type: boolean?
    doc: "Per record, primer and strand, keep only hits that start at or after the end of the last kept hit."
    inputBinding: {prefix: "--non-overlapping"}
  circular:
    type: boolean?
    doc: "The record of this name is circular; without a name, all records are; may be repeated."
    inputBinding: {prefix: "--circular"}
  circular_names:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--circular=", separate: false}}]
    doc: "The names that --circular takes: the records of these names alone."
  region:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--region"}}]
    doc: "Report only hits that start in this region of the input: record, record:from or record:from-to, 1-based, both ends included; may be repeated. A record whose own name ends so is written in braces: {HLA:A:1} or {HLA:A:1}:20-90."
  regions_file:
    type: File?
    doc: "Report only hits that start in a region of this BED file. Regions of records that the input does not have are left out with a warning, unless all are."
    inputBinding: {prefix: "--regions-file"}
  strict_regions:
    type: boolean?
    doc: "Refuse a --regions-file with a record that the input does not have."
    inputBinding: {prefix: "--strict-regions"}
  fai:
    type: File?
    doc: "Index (.fai) of the input (default: the one beside it)."
    inputBinding: {prefix: "--fai"}
  gzi:
    type: File?
    doc: "Index (.gzi) of the BGZF compression of the input (default: the one beside it)."
    inputBinding: {prefix: "--gzi"}
  chunk:
    type: string?
    doc: "Work only on chunk i of N of the input; 'basesweep merge' joins the outputs."
    inputBinding: {prefix: "--chunk"}
  plan:
    type: File?
    doc: "Chunks to use, a file from 'basesweep plan' (default: plan them in a first pass over the input)."
    inputBinding: {prefix: "--plan"}
  format:
    type: ["null", {type: enum, symbols: ["sam", "bam", "bed", "tsv", "csv", "jsonl", "gff3", "fasta"]}]
    doc: "Output format (default: from the output's name, else sam for FASTA, tsv for FASTQ)."
    inputBinding: {prefix: "--format"}
  edit_columns:
    type: boolean?
    doc: "Add the columns mismatches, insertions and deletions to TSV, named as in CIGAR strings."
    inputBinding: {prefix: "--edit-columns"}
  aligned:
    type: boolean?
    doc: "Add the columns aligned_pattern and aligned_text to TSV: both as the pattern's strand reads, with - for gaps."
    inputBinding: {prefix: "--aligned"}
  by_edits:
    type: boolean?
    doc: "With --count: add a column for each number of edits, edits_0 to edits_k."
    inputBinding: {prefix: "--by-edits"}
  max_hits:
    type: long?
    doc: "Stop after the first N hits; N may end in k, M or G (10k: 10,000)."
    inputBinding: {prefix: "--max-hits"}
  count:
    type: boolean?
    doc: "Print the number of hits per primer and strand instead of hits."
    inputBinding: {prefix: "--count"}
  columns:
    type: string?
    doc: "What is written about a hit in TSV, CSV and JSON lines: columns in this order, with commas between; +NAME adds one to the usual columns, also in BED, GFF3 and FASTA; help lists them, autosql describes BED to genome browsers."
    inputBinding: {prefix: "--columns"}
  write_index:
    type: boolean?
    doc: "Index the output: .tbi beside BED, TSV and GFF3 whose name ends in .gz, .bai beside SAM and BAM."
    inputBinding: {prefix: "--write-index"}
  matching_reads_name:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--matching-reads"}}]
    doc: "Names of files. Write the records of the input that have a hit, as they are, to this file (.gz: compressed); of pairs, given twice: first mates to the first file, second mates to the second."
  other_reads_name:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--other-reads"}}]
    doc: "Names of files. Write the other records, those without a hit, to this file; of pairs, those that do not match; it may be given twice too."
  pairs:
    type: ["null", {type: enum, symbols: ["any", "both"]}]
    doc: "Which pairs --matching-reads writes: those of which any mate has a hit (default), or both mates have one."
    inputBinding: {prefix: "--pairs"}
  per_file:
    type: boolean?
    doc: "With --count: count the hits of each input file in rows of their own."
    inputBinding: {prefix: "--per-file"}
  flank:
    type: long?
    doc: "Also print the N bases on either side of a hit, fewer at the ends of a record: in TSV as the columns upstream and downstream, in FASTA in lower case."
    inputBinding: {prefix: "--flank"}
  with_file:
    type: boolean?
    doc: "Also print the name of the input file: in TSV as the column file, in GFF3 and FASTA as file=NAME."
    inputBinding: {prefix: "--with-file"}
  output_name:
    type: string
    doc: "Name of the file that is written; it chooses the format."
    default: "hits.bam"
    inputBinding: {prefix: "--output"}
  json_name:
    type: string?
    doc: "Name of a file. Write a report of the run as JSON."
    inputBinding: {prefix: "--json"}
  html_name:
    type: string?
    doc: "Name of a file. Write the report as a page with tables and plots, one file of HTML."
    inputBinding: {prefix: "--html"}
  compression:
    type: long?
    doc: "How hard outputs that are named .gz, and BAM, are compressed: 0 (not at all) to 9 (default: 1 for .gz, 6 for BAM)."
    inputBinding: {prefix: "--compression"}
  eqx:
    type: boolean?
    doc: "Write = and X instead of M in CIGAR strings."
    inputBinding: {prefix: "--eqx"}
  read_group:
    type: string?
    doc: "Add this @RG line, such as '@RG\\tID:x\\tPL:ILLUMINA', to the header and its ID to every hit."
    inputBinding: {prefix: "--read-group"}
  no_PG:
    type: boolean?
    doc: "Write no @PG line."
    inputBinding: {prefix: "--no-PG"}
  device:
    type: string?
    doc: "Device to search on (default: auto)."
    inputBinding: {prefix: "--device"}
  table_memory:
    type: long?
    doc: "Take at most N bytes for the table of a large set of primers, or the next best algorithm; N may end in k, M or G (default: half of the free memory, at most 16 GiB)."
    inputBinding: {prefix: "--table-memory"}
  algorithm:
    type: ["null", {type: enum, symbols: ["auto", "hmm", "myers", "bitsliced", "pigeonhole", "hamming", "neighbors"]}]
    doc: "Search algorithm (default: auto)."
    inputBinding: {prefix: "--algorithm"}
  threads:
    type: int
    doc: "Number of threads."
    default: 1
outputs:
  matching_reads:
    type: File[]?
    doc: "Write the records of the input that have a hit, as they are, to this file (.gz: compressed); of pairs, given twice: first mates to the first file, second mates to the second."
    outputBinding: {glob: $(inputs.matching_reads_name)}
  other_reads:
    type: File[]?
    doc: "Write the other records, those without a hit, to this file; of pairs, those that do not match; it may be given twice too."
    outputBinding: {glob: $(inputs.other_reads_name)}
  output:
    type: File
    doc: "What the command writes."
    secondaryFiles: [{pattern: .tbi, required: false}, {pattern: .csi, required: false}, {pattern: .bai, required: false}, {pattern: .crai, required: false}]
    outputBinding: {glob: $(inputs.output_name)}
  json:
    type: File?
    doc: "Write a report of the run as JSON."
    outputBinding: {glob: $(inputs.json_name)}
  html:
    type: File?
    doc: "Write the report as a page with tables and plots, one file of HTML."
    outputBinding: {glob: $(inputs.html_name)}
