#!/usr/bin/env cwl-runner
# scripts/wrappers.py made this of `basesweep help --json`.
cwlVersion: v1.2
class: CommandLineTool
label: basesweep count
doc: "Count the reads of guides or barcodes; write a table of samples."
baseCommand: [basesweep, count]
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
    doc: "FASTQ or FASTA, plain or compressed, or unaligned SAM, BAM or CRAM."
    inputBinding: {position: 1}
  library:
    type: File
    doc: "The guides or features: a table or FASTA, plain or compressed."
    inputBinding: {prefix: "--library"}
  duplicates:
    type: ["null", {type: enum, symbols: ["refuse", "merge"]}]
    doc: "Guides with equal sequences: an error (refuse, default), or one guide with the names of all (merge)."
    inputBinding: {prefix: "--duplicates"}
  mate:
    type: long?
    doc: "The mate of pairs that holds the guide (default: 1)."
    inputBinding: {prefix: "--mate"}
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
  drop_alignment:
    type: boolean?
    doc: "Take the reads of aligned SAM, BAM and CRAM as they came from the sequencer, without their alignments."
    inputBinding: {prefix: "--drop-alignment"}
  sample:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--sample"}}]
    doc: "Name of a sample, once for each file of reads in their order; files with one name are added up (default: the names of the files)."
  samples:
    type: File?
    doc: "A file with these names, one per line."
    inputBinding: {prefix: "--samples"}
  edits:
    type: long?
    doc: "Count reads with up to N edits of a guide: mismatches, inserted or deleted bases."
    inputBinding: {prefix: "--edits"}
  mismatches:
    type: long?
    doc: "Count reads with up to N mismatches to a guide, and no indels (default: 1)."
    inputBinding: {prefix: "--mismatches"}
  strand:
    type: ["null", {type: enum, symbols: ["both", "plus", "minus"]}]
    doc: "Strands of reads on which guides are (default: plus); + and - are short for plus and minus."
    inputBinding: {prefix: "--strand"}
  at:
    type: string?
    doc: "Where guides begin in reads, 0-based, as 23 or 0-7 (default: found from the first reads)."
    inputBinding: {prefix: "--at"}
  structure:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--structure"}}]
    doc: "The read structure, whose insert (T, r) has the guide, and whose UMIs (M, u) count once, as 8B12M+T; of pairs twice, first and second mates; or once a geometry, as 1{b[16]u[12]}2{r:}."
  chunk:
    type: string?
    doc: "Work only on chunk i of N of the input; 'basesweep merge' joins the outputs."
    inputBinding: {prefix: "--chunk"}
  plan:
    type: File?
    doc: "Chunks to use, a file from 'basesweep plan' (default: plan them in a first pass over the input)."
    inputBinding: {prefix: "--plan"}
  output_name:
    type: string
    doc: "Name of the file that is written; it chooses the format."
    default: "counts.tsv"
    inputBinding: {prefix: "--output"}
  format:
    type: ["null", {type: enum, symbols: ["tsv", "csv", "mageck"]}]
    doc: "Output format (default: from the output's name, else tsv)."
    inputBinding: {prefix: "--format"}
  summary_name:
    type: string?
    doc: "Name of a file. Write the totals of each sample to this file, as TSV."
    inputBinding: {prefix: "--summary"}
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
  threads:
    type: int
    doc: "Number of threads."
    default: 1
outputs:
  output:
    type: File
    doc: "What the command writes."
    outputBinding: {glob: $(inputs.output_name)}
  summary:
    type: File?
    doc: "Write the totals of each sample to this file, as TSV."
    outputBinding: {glob: $(inputs.summary_name)}
  json:
    type: File?
    doc: "Write a report of the run as JSON."
    outputBinding: {glob: $(inputs.json_name)}
  html:
    type: File?
    doc: "Write the report as a page with tables and plots, one file of HTML."
    outputBinding: {glob: $(inputs.html_name)}
