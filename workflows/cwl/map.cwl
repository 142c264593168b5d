#!/usr/bin/env cwl-runner
# scripts/wrappers.py made this of `basesweep help --json`.
cwlVersion: v1.2
class: CommandLineTool
label: basesweep map
doc: "Place reads with edits on a reference; write SAM, BAM or CRAM."
baseCommand: [basesweep, map]
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
  reads:
    type: File[]?
    doc: "FASTQ or FASTA, plain or compressed, or SAM, BAM or CRAM."
    inputBinding: {position: 1}
  reference:
    type: File
    doc: "The reference: FASTA, plain or compressed (gzip, BGZF, zstd, bzip2, xz), or .2bit."
    inputBinding: {prefix: "--reference"}
  reads1:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "--reads1"}}]
    doc: "First mates of read pairs; may be repeated."
  reads2:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "--reads2"}}]
    doc: "Second mates, in the same order; may be repeated."
  interleaved:
    type: boolean?
    doc: "Consecutive reads are mates; SAM, BAM and CRAM say it themselves (FLAG 1)."
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
    doc: "Maximum number of edits as a fraction (0.1, or 10%) of the read's length, rounded down."
    inputBinding: {prefix: "--error-rate"}
  report:
    type: ["null", {type: enum, symbols: ["best", "sites", "all"]}]
    doc: "Which places to report (default: best)."
    inputBinding: {prefix: "--report"}
  strand:
    type: ["null", {type: enum, symbols: ["both", "plus", "minus"]}]
    doc: "Strands of the reference to search (default: both); + and - are short for plus and minus."
    inputBinding: {prefix: "--strand"}
  insert:
    type: string?
    doc: "Template length of a proper pair (default: 0,1000)."
    inputBinding: {prefix: "--insert"}
  region:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--region"}}]
    doc: "Report only hits that start in this region of the reference: record, record:from or record:from-to, 1-based, both ends included; may be repeated. A record whose own name ends so is written in braces: {HLA:A:1} or {HLA:A:1}:20-90."
  regions_file:
    type: File?
    doc: "Report only hits that start in a region of this BED file. Regions of records that the reference does not have are left out with a warning, unless all are."
    inputBinding: {prefix: "--regions-file"}
  strict_regions:
    type: boolean?
    doc: "Refuse a --regions-file with a record that the reference does not have."
    inputBinding: {prefix: "--strict-regions"}
  fai:
    type: File?
    doc: "Index (.fai) of the reference (default: the one beside it)."
    inputBinding: {prefix: "--fai"}
  gzi:
    type: File?
    doc: "Index (.gzi) of the BGZF compression of the reference (default: the one beside it)."
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
    type: ["null", {type: enum, symbols: ["sam", "bam", "cram"]}]
    doc: "Output format (default: from the output's name, else sam)."
    inputBinding: {prefix: "--format"}
  secondary:
    type: long?
    doc: "Print at most N secondary alignments per read; N may end in k, M or G (1k: 1,000)."
    inputBinding: {prefix: "--secondary"}
  hits_only:
    type: boolean?
    doc: "Print no unmapped reads."
    inputBinding: {prefix: "--hits-only"}
  output_name:
    type: string
    doc: "Name of the file that is written; it chooses the format."
    default: "reads.bam"
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
  md5:
    type: boolean?
    doc: "Add the MD5 digest of each reference record (M5) to the header."
    inputBinding: {prefix: "--md5"}
  eqx:
    type: boolean?
    doc: "Write = and X instead of M in CIGAR strings."
    inputBinding: {prefix: "--eqx"}
  read_group:
    type: string?
    doc: "Add this @RG line, such as '@RG\\tID:x\\tPL:ILLUMINA', to the header and its ID to every record."
    inputBinding: {prefix: "--read-group"}
  no_PG:
    type: boolean?
    doc: "Write no @PG line."
    inputBinding: {prefix: "--no-PG"}
  keep_tags:
    type: string?
    doc: "Copy these tags of reads (RG,BC) to all their records; RG brings the @RG lines of SAM, BAM and CRAM along."
    inputBinding: {prefix: "--keep-tags"}
  device:
    type: string?
    doc: "Device to search on (default: auto)."
    inputBinding: {prefix: "--device"}
  algorithm:
    type: ["null", {type: enum, symbols: ["auto", "hmm", "myers", "bitsliced"]}]
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
    outputBinding: {glob: $(inputs.output_name)}
  json:
    type: File?
    doc: "Write a report of the run as JSON."
    outputBinding: {glob: $(inputs.json_name)}
  html:
    type: File?
    doc: "Write the report as a page with tables and plots, one file of HTML."
    outputBinding: {glob: $(inputs.html_name)}
