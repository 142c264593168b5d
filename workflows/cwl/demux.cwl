#!/usr/bin/env cwl-runner
# scripts/wrappers.py made this of `basesweep help --json`.
cwlVersion: v1.2
class: CommandLineTool
label: basesweep demux
doc: "Sort reads by the barcodes of samples."
baseCommand: [basesweep, demux]
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
inputs:
  reads:
    type: File[]?
    doc: "FASTQ or FASTA, plain or compressed, or unaligned SAM, BAM or CRAM."
    inputBinding: {position: 1}
  sheet:
    type: File?
    doc: "The sample sheet, TSV or CSV with column names: sample, barcode, and barcode2, left, right, left2, right2, edits, structure; or Illumina's SampleSheet.csv."
    inputBinding: {prefix: "--sheet"}
  structure:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--structure"}}]
    doc: "The read structure, which says where barcodes are, as 8B12M+T; of pairs twice, first and second mates; or once a geometry, as 1{b[16]u[12]}2{r:}."
  list:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "--list"}}]
    doc: "The cell barcodes that may be, one per line: of b<NAME> in a geometry, or of C and b."
  no_posterior:
    type: boolean?
    doc: "Correct cell barcodes without their counts, and read the input once."
    inputBinding: {prefix: "--no-posterior"}
  kit:
    type: string?
    doc: "Kit of the barcodes, for flanks, names or structure; help lists all."
    inputBinding: {prefix: "--kit"}
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
  error_rate:
    type: double?
    doc: "A barcode with its flanks has at most this many edits per base (default: 0.30; less for short barcodes)."
    inputBinding: {prefix: "--error-rate"}
  edits:
    type: long?
    doc: "A barcode with its flanks has at most N edits; with a structure: a barcode has at most N mismatches (default: 1)."
    inputBinding: {prefix: "--edits"}
  context:
    type: long?
    doc: "Search a barcode with so many bases of each flank, where the sheet has flanks (default: 20)."
    inputBinding: {prefix: "--context"}
  window:
    type: long?
    doc: "Search barcodes in so many bases at the ends of reads (default: 150)."
    inputBinding: {prefix: "--window"}
  anywhere:
    type: boolean?
    doc: "Search whole reads; reads with barcodes of two samples are of none."
    inputBinding: {prefix: "--anywhere"}
  margin:
    type: long?
    doc: "The next best sample has at least N edits more (default: 2)."
    inputBinding: {prefix: "--margin"}
  either_end:
    type: boolean?
    doc: "One of the two barcodes of a sample is enough."
    inputBinding: {prefix: "--either-end"}
  strand:
    type: ["null", {type: enum, symbols: ["both", "plus", "minus"]}]
    doc: "Orientations of reads that are searched, of pairs with mates exchanged (default: both; of pairs plus); + and - are short for plus and minus."
    inputBinding: {prefix: "--strand"}
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
    doc: "Name of the folder that is written."
    default: "samples"
    inputBinding: {prefix: "--output"}
  format:
    type: ["null", {type: enum, symbols: ["fastq.gz", "fastq", "bam", "sam", "fasta"]}]
    doc: "Format of the reads (default: bam of SAM, BAM and CRAM, fasta of FASTA, else fastq.gz)."
    inputBinding: {prefix: "--format"}
  name:
    type: string?
    doc: "Names of the files, without ending, with {sample} for the sample (default: {sample}); _R1 and _R2 come after the names of mates."
    inputBinding: {prefix: "--name"}
  table_name:
    type: string?
    doc: "Name of a file. Write a table with a row for each read."
    inputBinding: {prefix: "--table"}
  force:
    type: boolean?
    doc: "Replace files that are there."
    inputBinding: {prefix: "--force"}
  orient:
    type: boolean?
    doc: "Write all reads in the orientation of the sheet: the reverse complement of those on strand -; of pairs the mates are exchanged."
    inputBinding: {prefix: "--orient"}
  no_trim:
    type: boolean?
    doc: "Keep barcodes and their flanks in the reads."
    inputBinding: {prefix: "--no-trim"}
  unassigned:
    type: ["null", {type: enum, symbols: ["yes", "no"]}]
    doc: "Write the reads of no sample to the file unassigned (default: yes)."
    inputBinding: {prefix: "--unassigned"}
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
    type: Directory
    doc: "What the command writes."
    outputBinding: {glob: $(inputs.output_name)}
  reads_of_samples:
    type: File[]
    doc: "The reads of each sample."
    outputBinding: {glob: "$(inputs.output_name)/*.[fbs]a*"}
  table:
    type: File?
    doc: "Write a table with a row for each read."
    outputBinding: {glob: $(inputs.table_name)}
  json:
    type: File?
    doc: "Write a report of the run as JSON."
    outputBinding: {glob: $(inputs.json_name)}
  html:
    type: File?
    doc: "Write the report as a page with tables and plots, one file of HTML."
    outputBinding: {glob: $(inputs.html_name)}
