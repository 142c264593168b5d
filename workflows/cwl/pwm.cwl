#!/usr/bin/env cwl-runner
# scripts/wrappers.py made this of `basesweep help --json`.
cwlVersion: v1.2
class: CommandLineTool
label: basesweep pwm
doc: "Find the sites of weight matrices; write BED, TSV, GFF3 or tables."
baseCommand: [basesweep, pwm]
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
  matrices:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "--matrices"}}]
    doc: "A file of matrices: JASPAR, MEME, HOMER, TRANSFAC, CIS-BP or cluster-buster; may be repeated."
  matrix_format:
    type: ["null", {type: enum, symbols: ["jaspar", "meme", "homer", "transfac", "cluster-buster", "cis-bp"]}]
    doc: "Format of these files (default: recognised by their content)."
    inputBinding: {prefix: "--matrix-format"}
  names:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--names"}}]
    doc: "Search only the matrices with these identifiers or names; may be repeated, as for a name with commas in it."
  background:
    type: string?
    doc: "Rates of the bases: uniform, input (those of the whole input), a file as MEME has them, or A,C,G,T (default: those of the matrix file, else uniform)."
    inputBinding: {prefix: "--background"}
  background_file:
    type: File?
    doc: "The same from a file. Rates of the bases: uniform, input (those of the whole input), a file as MEME has them, or A,C,G,T (default: those of the matrix file, else uniform)."
    inputBinding: {prefix: "--background"}
  pseudocount:
    type: double?
    doc: "Added to the counts of each position (default: 0.1)."
    inputBinding: {prefix: "--pseudocount"}
  cram_reference:
    type: File?
    doc: "FASTA that CRAM input was written with (default: the one that it holds); nothing is downloaded."
    inputBinding: {prefix: "--cram-reference"}
  strand:
    type: ["null", {type: enum, symbols: ["both", "plus", "minus"]}]
    doc: "Strands to search (default: both); + and - are short for plus and minus."
    inputBinding: {prefix: "--strand"}
  soft_masked:
    type: ["null", {type: enum, symbols: ["use", "skip"]}]
    doc: "Search lower-case bases as any others (default), or skip hits that touch one."
    inputBinding: {prefix: "--soft-masked"}
  non_overlapping:
    type: boolean?
    doc: "Per record, matrix and strand, keep only hits that start at or after the end of the last kept hit."
    inputBinding: {prefix: "--non-overlapping"}
  report:
    type: ["null", {type: enum, symbols: ["all", "best-per-record"]}]
    doc: "Report all hits (default), or of each record and matrix the one with the best score."
    inputBinding: {prefix: "--report"}
  p_value:
    type: double?
    doc: "Hits are words with a score whose p-value is at most P (default: 0.0001; for matrices of HOMER their own threshold)."
    inputBinding: {prefix: "--p-value"}
  score:
    type: double?
    doc: "Hits are words with at least this score."
    inputBinding: {prefix: "--score"}
  relative:
    type: double?
    doc: "Hits have at least this fraction (0 to 1, or a percentage) of the way from the matrix's least score to its greatest."
    inputBinding: {prefix: "--relative"}
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
  table:
    type: ["null", {type: enum, symbols: ["score", "count"]}]
    doc: "Print a table of records and matrices instead of hits: the best score in bits, or the number of hits."
    inputBinding: {prefix: "--table"}
  per_region:
    type: boolean?
    doc: "With --table and --regions-file: a row for each region instead of each record."
    inputBinding: {prefix: "--per-region"}
  count:
    type: boolean?
    doc: "Print the number of hits per matrix and strand instead of hits."
    inputBinding: {prefix: "--count"}
  max_hits:
    type: long?
    doc: "Stop after the first N hits; N may end in k, M or G (10k: 10,000)."
    inputBinding: {prefix: "--max-hits"}
  format:
    type: ["null", {type: enum, symbols: ["bed", "tsv", "csv", "jsonl", "fimo", "gff3"]}]
    doc: "Output format (default: from the output's name, else bed)."
    inputBinding: {prefix: "--format"}
  columns:
    type: string?
    doc: "What is written about a hit in TSV, CSV and JSON lines: columns in this order, with commas between; +NAME adds one to the usual columns, also in BED, GFF3 and FASTA; help lists them, autosql describes BED to genome browsers."
    inputBinding: {prefix: "--columns"}
  write_index:
    type: boolean?
    doc: "Index the output: .tbi beside BED, TSV and GFF3 whose name ends in .gz, .bai beside SAM and BAM."
    inputBinding: {prefix: "--write-index"}
  thresholds:
    type: boolean?
    doc: "Print scores and p-values of the matrices instead of searching; needs no input."
    inputBinding: {prefix: "--thresholds"}
  output_name:
    type: string
    doc: "Name of the file that is written; it chooses the format."
    default: "sites.bed"
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
    type: ["null", {type: enum, symbols: ["auto", "lookup", "filter"]}]
    doc: "Search algorithm (default: auto)."
    inputBinding: {prefix: "--algorithm"}
  threads:
    type: int
    doc: "Number of threads."
    default: 1
outputs:
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
