#!/usr/bin/env cwl-runner
# scripts/wrappers.py made this of `basesweep help --json`.
cwlVersion: v1.2
class: CommandLineTool
label: basesweep motif
doc: "Find exact and IUPAC motifs; write BED, TSV, GFF3 or FASTA."
baseCommand: [basesweep, motif]
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
    doc: "A motif of nucleotides and IUPAC codes, or NAME=SEQUENCE; may be repeated."
  pattern_file:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "--pattern-file"}}]
    doc: "A file of motifs: FASTA, a table (TSV, CSV, BED with sequences), one sequence a line, FASTQ, EMBL or GenBank; may be repeated."
  name_column:
    type: string?
    doc: "Column of the motifs' names in tables: a name in the header, or a number from 1."
    inputBinding: {prefix: "--name-column"}
  pattern_column:
    type: string?
    doc: "Column of the motifs' sequences in tables: a name in the header, or a number from 1."
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
  strand:
    type: ["null", {type: enum, symbols: ["both", "plus", "minus"]}]
    doc: "Strands to search (default: both); + and - are short for plus and minus."
    inputBinding: {prefix: "--strand"}
  palindromes:
    type: ["null", {type: enum, symbols: ["once", "both"]}]
    doc: "Report hits of palindromic motifs once, on strand + (default), or on both strands."
    inputBinding: {prefix: "--palindromes"}
  soft_masked:
    type: ["null", {type: enum, symbols: ["use", "skip"]}]
    doc: "Search lower-case bases as any others (default), or skip hits that touch one."
    inputBinding: {prefix: "--soft-masked"}
  non_overlapping:
    type: boolean?
    doc: "Per record, motif and strand, keep only hits that start at or after the end of the last kept hit."
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
    type: ["null", {type: enum, symbols: ["bed", "tsv", "csv", "jsonl", "gff3", "fasta"]}]
    doc: "Output format (default: from the output's name, else bed)."
    inputBinding: {prefix: "--format"}
  max_hits:
    type: long?
    doc: "Stop after the first N hits; N may end in k, M or G (10k: 10,000)."
    inputBinding: {prefix: "--max-hits"}
  count:
    type: boolean?
    doc: "Print the number of hits per motif and strand instead of hits."
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
    default: "hits.bed"
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
  device:
    type: string?
    doc: "Device to search on (default: auto)."
    inputBinding: {prefix: "--device"}
  algorithm:
    type: ["null", {type: enum, symbols: ["auto", "planes", "drk2s", "ac-dfa", "ac-nfa", "set-horspool", "sbom", "wu-manber", "sog", "crk", "drk", "drk-wom32", "drk-wom64", "hrk", "qgrams"]}]
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
