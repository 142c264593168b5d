#!/usr/bin/env cwl-runner
# scripts/wrappers.py made this of `basesweep help --json`.
cwlVersion: v1.2
class: CommandLineTool
label: basesweep merge
doc: "Finish a run: join the parts of all chunks."
baseCommand: [basesweep, merge]
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
  parts:
    type: File[]
    doc: "The parts of all chunks."
    inputBinding: {position: 1}
  cram_reference:
    type: File?
    doc: "The reference that CRAM is written with."
    inputBinding: {prefix: "--cram-reference"}
  non_overlapping:
    type: boolean?
    doc: "Keep only hits that start at or after the end of the last kept one."
    inputBinding: {prefix: "--non-overlapping"}
  report:
    type: ["null", {type: enum, symbols: ["sites", "minima", "best", "best-per-record", "all"]}]
    doc: "Which hits or products to report."
    inputBinding: {prefix: "--report"}
  best_of:
    type: ["null", {type: enum, symbols: ["pattern", "record"]}]
    doc: "With --report best-per-record: compare those of each pattern, or all of a record."
    inputBinding: {prefix: "--best-of"}
  format:
    type: ["null", {type: enum, symbols: ["bed", "tsv", "csv", "jsonl", "gff3", "fasta", "sam", "bam", "fimo", "cram", "fastq.gz", "fastq", "mageck"]}]
    doc: "Output format, as the command of the parts takes it."
    inputBinding: {prefix: "--format"}
  max_hits:
    type: long?
    doc: "Write the first N hits."
    inputBinding: {prefix: "--max-hits"}
  count:
    type: boolean?
    doc: "Print the number of hits or products instead of them."
    inputBinding: {prefix: "--count"}
  columns:
    type: string?
    doc: "Columns, as the command of the parts takes them."
    inputBinding: {prefix: "--columns"}
  write_index:
    type: boolean?
    doc: "Index the output: .tbi for BED, TSV and GFF3, .bai for SAM and BAM, .csi for records that are too long for these."
    inputBinding: {prefix: "--write-index"}
  per_file:
    type: boolean?
    doc: "With --count: count those of each input file in rows of their own."
    inputBinding: {prefix: "--per-file"}
  with_file:
    type: boolean?
    doc: "Also print the name of the input file."
    inputBinding: {prefix: "--with-file"}
  output_name:
    type: string
    doc: "Name of the file that is written; it chooses the format."
    default: "hits.bed"
    inputBinding: {prefix: "--output"}
  json_name:
    type: string?
    doc: "Name of a file. Write a report of the whole run as JSON."
    inputBinding: {prefix: "--json"}
  html_name:
    type: string?
    doc: "Name of a file. Write the report of the whole run as a page with tables and plots."
    inputBinding: {prefix: "--html"}
  compression:
    type: long?
    doc: "How hard outputs that are named .gz, and BAM, are compressed: 0 (not at all) to 9 (default: 1 for .gz, 6 for BAM)."
    inputBinding: {prefix: "--compression"}
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
  max_products:
    type: long?
    doc: "Write the first N products."
    inputBinding: {prefix: "--max-products"}
  table:
    type: boolean?
    doc: "Write the table of pcr in place of products; or, with a file, the table of reads of demux and trim, if chunks had --table."
    inputBinding: {prefix: "--table"}
  table_name:
    type: string?
    doc: "Name of a file. Write the table of pcr in place of products; or, with a file, the table of reads of demux and trim, if chunks had --table."
    inputBinding: {prefix: "--table=", separate: false}
  sequence:
    type: ["null", {type: enum, symbols: ["product", "amplified", "insert"]}]
    doc: "What FASTA shows of a product."
    inputBinding: {prefix: "--sequence"}
  hits_name:
    type: string?
    doc: "Name of a file. Places of guides, which the chunks kept by --hits; the ending chooses the format."
    inputBinding: {prefix: "--hits"}
  name:
    type: string?
    doc: "Names of the files of demux, with {sample} for the sample."
    inputBinding: {prefix: "--name"}
  force:
    type: boolean?
    doc: "Replace files that are there in the folder of demux."
    inputBinding: {prefix: "--force"}
  unassigned:
    type: ["null", {type: enum, symbols: ["yes", "no"]}]
    doc: "Write the reads of no sample to the file unassigned (default: yes)."
    inputBinding: {prefix: "--unassigned"}
  paired_output_name:
    type: string?
    doc: "Name of a file. Output file of second mates; without it, mates are written by turns."
    inputBinding: {prefix: "--paired-output"}
  untrimmed_output_name:
    type: string?
    doc: "Name of a file. Write reads without adapter to this file, not to -o."
    inputBinding: {prefix: "--untrimmed-output"}
  untrimmed_paired_output_name:
    type: string?
    doc: "Name of a file. The same of second mates."
    inputBinding: {prefix: "--untrimmed-paired-output"}
  too_short_output_name:
    type: string?
    doc: "Name of a file. Write reads that are too short (-m) to this file."
    inputBinding: {prefix: "--too-short-output"}
  too_short_paired_output_name:
    type: string?
    doc: "Name of a file. The same of second mates."
    inputBinding: {prefix: "--too-short-paired-output"}
  too_long_output_name:
    type: string?
    doc: "Name of a file. Write reads that are too long (-M) to this file."
    inputBinding: {prefix: "--too-long-output"}
  too_long_paired_output_name:
    type: string?
    doc: "Name of a file. The same of second mates."
    inputBinding: {prefix: "--too-long-paired-output"}
  summary_name:
    type: string?
    doc: "Name of a file. Write the totals of each sample to this file, as TSV."
    inputBinding: {prefix: "--summary"}
  eqx:
    type: boolean?
    doc: "Write = and X instead of M in CIGAR strings."
    inputBinding: {prefix: "--eqx"}
  read_group:
    type: string?
    doc: "Write this @RG line and the tag RG."
    inputBinding: {prefix: "--read-group"}
  no_PG:
    type: boolean?
    doc: "Write no @PG line."
    inputBinding: {prefix: "--no-PG"}
  threads:
    type: int
    doc: "Number of threads."
    default: 1
outputs:
  output:
    type: [File, Directory]
    doc: "What the command writes."
    secondaryFiles: [{pattern: .tbi, required: false}, {pattern: .csi, required: false}, {pattern: .bai, required: false}, {pattern: .crai, required: false}]
    outputBinding: {glob: $(inputs.output_name)}
  json:
    type: File?
    doc: "Write a report of the whole run as JSON."
    outputBinding: {glob: $(inputs.json_name)}
  html:
    type: File?
    doc: "Write the report of the whole run as a page with tables and plots."
    outputBinding: {glob: $(inputs.html_name)}
  table_file:
    type: File[]?
    doc: "Write the table of pcr in place of products; or, with a file, the table of reads of demux and trim, if chunks had --table."
    outputBinding: {glob: $(inputs.table_name)}
  hits:
    type: File?
    doc: "Places of guides, which the chunks kept by --hits; the ending chooses the format."
    secondaryFiles: [{pattern: .tbi, required: false}, {pattern: .csi, required: false}, {pattern: .bai, required: false}, {pattern: .crai, required: false}]
    outputBinding: {glob: $(inputs.hits_name)}
  paired_output:
    type: File?
    doc: "Output file of second mates; without it, mates are written by turns."
    outputBinding: {glob: $(inputs.paired_output_name)}
  untrimmed_output:
    type: File?
    doc: "Write reads without adapter to this file, not to -o."
    outputBinding: {glob: $(inputs.untrimmed_output_name)}
  untrimmed_paired_output:
    type: File?
    doc: "The same of second mates."
    outputBinding: {glob: $(inputs.untrimmed_paired_output_name)}
  too_short_output:
    type: File?
    doc: "Write reads that are too short (-m) to this file."
    outputBinding: {glob: $(inputs.too_short_output_name)}
  too_short_paired_output:
    type: File?
    doc: "The same of second mates."
    outputBinding: {glob: $(inputs.too_short_paired_output_name)}
  too_long_output:
    type: File?
    doc: "Write reads that are too long (-M) to this file."
    outputBinding: {glob: $(inputs.too_long_output_name)}
  too_long_paired_output:
    type: File?
    doc: "The same of second mates."
    outputBinding: {glob: $(inputs.too_long_paired_output_name)}
  summary:
    type: File?
    doc: "Write the totals of each sample to this file, as TSV."
    outputBinding: {glob: $(inputs.summary_name)}
