#!/usr/bin/env cwl-runner
# scripts/wrappers.py made this of `basesweep help --json`.
cwlVersion: v1.2
class: CommandLineTool
label: basesweep pcr
doc: "Find the products of primer pairs: in-silico PCR."
baseCommand: [basesweep, pcr]
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
  pair_file:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "--pair-file"}}]
    doc: "A file of primer pairs: a table, BED of a primer scheme, or FASTA; may be repeated."
  name_column:
    type: string?
    doc: "Column of the pairs' names in tables: a name in the header, or a number from 1."
    inputBinding: {prefix: "--name-column"}
  forward_column:
    type: string?
    doc: "Column of the forward primers in tables of pairs."
    inputBinding: {prefix: "--forward-column"}
  reverse_column:
    type: string?
    doc: "Column of the reverse primers in tables of pairs."
    inputBinding: {prefix: "--reverse-column"}
  forward:
    type: string?
    doc: "The forward primer of a pair, 5' to 3', nucleotides and IUPAC codes."
    inputBinding: {prefix: "--forward"}
  reverse:
    type: string?
    doc: "Its reverse primer, 5' to 3'."
    inputBinding: {prefix: "--reverse"}
  probe:
    type: string?
    doc: "Its probe, on either strand."
    inputBinding: {prefix: "--probe"}
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
  mismatches:
    type: long?
    doc: "Maximum number of mismatches, and no indels."
    inputBinding: {prefix: "--mismatches"}
  size:
    type: string?
    doc: "Sizes of products in bases, such as 100,2k, primers included (default: 0,5000); a pair's own columns win."
    inputBinding: {prefix: "--size"}
  single:
    type: boolean?
    doc: "Also report products of a pair's forward primer alone, and of its reverse primer alone."
    inputBinding: {prefix: "--single"}
  pool:
    type: boolean?
    doc: "Join all primers of a pool with all, each with itself too, instead of pairs; a file without pools is one pool."
    inputBinding: {prefix: "--pool"}
  report:
    type: ["null", {type: enum, symbols: ["all", "best", "best-per-record"]}]
    doc: "Which products to report (default: all)."
    inputBinding: {prefix: "--report"}
  soft_masked:
    type: ["null", {type: enum, symbols: ["use", "skip"]}]
    doc: "Let primers match lower-case bases as any others (default), or never."
    inputBinding: {prefix: "--soft-masked"}
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
    type: ["null", {type: enum, symbols: ["tsv", "csv", "jsonl", "bed", "gff3", "fasta", "sam", "bam"]}]
    doc: "Output format (default: from the output's name, else tsv)."
    inputBinding: {prefix: "--format"}
  columns:
    type: string?
    doc: "What is written about a product in TSV, CSV and JSON lines: columns in this order, with commas between; +NAME adds one to the usual columns, also in BED, GFF3 and FASTA; help lists them, autosql describes BED to genome browsers."
    inputBinding: {prefix: "--columns"}
  write_index:
    type: boolean?
    doc: "Index the output: .tbi beside BED, TSV and GFF3 whose name ends in .gz, .bai beside SAM and BAM."
    inputBinding: {prefix: "--write-index"}
  max_products:
    type: long?
    doc: "Stop after the first N products; N may end in k, M or G (10k: 10,000)."
    inputBinding: {prefix: "--max-products"}
  count:
    type: boolean?
    doc: "Print the number of products per pair and strand instead of products."
    inputBinding: {prefix: "--count"}
  table:
    type: boolean?
    doc: "Print a table instead of products: for each record and pair how many products there are, and their sizes."
    inputBinding: {prefix: "--table"}
  per_file:
    type: boolean?
    doc: "With --count: count the products of each input file in rows of their own."
    inputBinding: {prefix: "--per-file"}
  with_file:
    type: boolean?
    doc: "Also print the name of the input file: in TSV and --table as the column file, in GFF3 and FASTA as file=NAME."
    inputBinding: {prefix: "--with-file"}
  sequence:
    type: ["null", {type: enum, symbols: ["product", "amplified", "insert"]}]
    doc: "What FASTA shows: the product as the text reads (default), as PCR makes it, with the primers themselves at its ends, or what is between the primers."
    inputBinding: {prefix: "--sequence"}
  monovalent:
    type: double?
    doc: "For melting temperatures: monovalent ions (Na+, K+) in mM (default: 50)."
    inputBinding: {prefix: "--monovalent"}
  divalent:
    type: double?
    doc: "The same: divalent ions (Mg2+) in mM (default: 1.5)."
    inputBinding: {prefix: "--divalent"}
  dntp:
    type: double?
    doc: "The same: dNTPs, which bind divalent ions, in mM (default: 0.6)."
    inputBinding: {prefix: "--dntp"}
  oligo:
    type: double?
    doc: "The same: primer in nM (default: 50)."
    inputBinding: {prefix: "--oligo"}
  output_name:
    type: string
    doc: "Name of the file that is written; it chooses the format."
    default: "products.tsv"
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
    doc: "Add this @RG line, such as '@RG\\tID:x\\tPL:ILLUMINA', to the header and its ID to every alignment."
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
