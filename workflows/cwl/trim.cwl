#!/usr/bin/env cwl-runner
# scripts/wrappers.py made this of `basesweep help --json`.
cwlVersion: v1.2
class: CommandLineTool
label: basesweep trim
doc: "Cut adapters and bad ends from reads."
baseCommand: [basesweep, trim]
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
  adapter:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--adapter"}}]
    doc: "A 3' adapter: it is cut with all that comes after it; ADAPTER$ and ADAPTERX are at the end of reads."
  adapter_file:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "--adapter", valueFrom: "file:$(self.path)"}}]
    doc: "The same from a file. A 3' adapter: it is cut with all that comes after it; ADAPTER$ and ADAPTERX are at the end of reads."
  front:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--front"}}]
    doc: "A 5' adapter: it is cut with all that comes before it; ^ADAPTER and XADAPTER are at the start of reads."
  front_file:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "--front", valueFrom: "file:$(self.path)"}}]
    doc: "The same from a file. A 5' adapter: it is cut with all that comes before it; ^ADAPTER and XADAPTER are at the start of reads."
  anywhere:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--anywhere"}}]
    doc: "An adapter that is cut as a 5' adapter if it begins with the first base of a read, else as a 3' adapter."
  anywhere_file:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "--anywhere", valueFrom: "file:$(self.path)"}}]
    doc: "The same from a file. An adapter that is cut as a 5' adapter if it begins with the first base of a read, else as a 3' adapter."
  second_adapter:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "-A"}}]
    doc: "As -a of second mates."
  second_adapter_file:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "-A", valueFrom: "file:$(self.path)"}}]
    doc: "The same from a file. As -a of second mates."
  second_front:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "-G"}}]
    doc: "As -g of second mates."
  second_front_file:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "-G", valueFrom: "file:$(self.path)"}}]
    doc: "The same from a file. As -g of second mates."
  second_anywhere:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "-B"}}]
    doc: "As -b of second mates."
  second_anywhere_file:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "-B", valueFrom: "file:$(self.path)"}}]
    doc: "The same from a file. As -b of second mates."
  primers:
    type: File?
    doc: "Cut the primers of an amplicon scheme: BED with 6 columns, or 7 with sequences, as ARTIC has it. Of aligned SAM, BAM and CRAM they are clipped by their places."
    inputBinding: {prefix: "--primers"}
  reference:
    type: File?
    doc: "FASTA with the sequence of the scheme's places, for primers without sequence."
    inputBinding: {prefix: "--reference"}
  primer_tolerance:
    type: long?
    doc: "A primer may begin N bases after the start of a read, or an alignment N bases before the primer (default: 5)."
    inputBinding: {prefix: "--primer-tolerance"}
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
    doc: "Errors that an adapter may have per base, or if N is at least 1, in a whole adapter (default: 0.1)."
    inputBinding: {prefix: "--error-rate"}
  overlap:
    type: long?
    doc: "Least bases of an adapter at an end of a read (default: 3)."
    inputBinding: {prefix: "--overlap"}
  no_indels:
    type: boolean?
    doc: "Errors are mismatches only."
    inputBinding: {prefix: "--no-indels"}
  times:
    type: long?
    doc: "Cut up to N adapters from a read, one after another (default: 1)."
    inputBinding: {prefix: "--times"}
  match_read_wildcards:
    type: boolean?
    doc: "IUPAC letters of reads match their bases."
    inputBinding: {prefix: "--match-read-wildcards"}
  action:
    type: ["null", {type: enum, symbols: ["trim", "retain", "mask", "lowercase", "crop", "none"]}]
    doc: "Where an adapter is found, cut it with all on its side (trim, default), cut what is on its side only (retain), write N (mask) or lower case in place of cutting, keep the adapter only (crop), or change nothing."
    inputBinding: {prefix: "--action"}
  revcomp:
    type: boolean?
    doc: "Look for adapters in the reverse complement of reads too, and write it, with ' rc' after its title, where they match better; of pairs the mates are exchanged."
    inputBinding: {prefix: "--revcomp"}
  pair_adapters:
    type: boolean?
    doc: "Cut the first adapters of -a, -g, -b and -A, -G, -B from both mates or from none, the second ones likewise."
    inputBinding: {prefix: "--pair-adapters"}
  by_overlap:
    type: ["null", {type: enum, symbols: ["yes", "no"]}]
    doc: "Cut pairs where their fragment ends by the overlap of mates, together with adapters (default: yes if no adapter is given; else it needs 3' adapters)."
    inputBinding: {prefix: "--by-overlap"}
  cut:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--cut"}}]
    doc: "Before all else, cut N bases from the start of reads, or if N is below 0, from the end; may be given for both ends."
  second_cut:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "-U"}}]
    doc: "As -u of second mates."
  nextseq_trim:
    type: long?
    doc: "Cut 3' ends by quality, where G counts as less than N (two-colour instruments)."
    inputBinding: {prefix: "--nextseq-trim"}
  quality_cutoff:
    type: string?
    doc: "Cut ends with qualities below N, before adapters; two numbers: of the 5' and the 3' end."
    inputBinding: {prefix: "--quality-cutoff"}
  second_quality_cutoff:
    type: string?
    doc: "As -q of second mates (default: as -q)."
    inputBinding: {prefix: "-Q"}
  quality_base:
    type: long?
    doc: "The character of quality 0, 33 or 64 (default: 33)."
    inputBinding: {prefix: "--quality-base"}
  poly_a:
    type: boolean?
    doc: "Cut poly-A tails after adapters; of second mates poly-T heads."
    inputBinding: {prefix: "--poly-a"}
  length:
    type: long?
    doc: "Shorten reads to their first N bases, or if N is below 0, to the last ones."
    inputBinding: {prefix: "--length"}
  second_length:
    type: long?
    doc: "As -l of second mates (default: as -l)."
    inputBinding: {prefix: "-L"}
  trim_n:
    type: boolean?
    doc: "Cut N and . from the ends of reads, last of all."
    inputBinding: {prefix: "--trim-n"}
  minimum_length:
    type: string?
    doc: "Leave out reads with fewer bases; of pairs, N2 is of second mates (default: 0; 1 with --by-overlap)."
    inputBinding: {prefix: "--minimum-length"}
  maximum_length:
    type: string?
    doc: "Leave out reads with more bases."
    inputBinding: {prefix: "--maximum-length"}
  max_n:
    type: string?
    doc: "Leave out reads with more unknown bases; below 1: with a greater share."
    inputBinding: {prefix: "--max-n"}
  max_expected_errors:
    type: string?
    doc: "Leave out reads whose qualities let expect more errors."
    inputBinding: {prefix: "--max-expected-errors"}
  max_aer:
    type: string?
    doc: "Leave out reads whose qualities let expect more errors per base."
    inputBinding: {prefix: "--max-aer"}
  discard_trimmed:
    type: boolean?
    doc: "Leave out reads with an adapter."
    inputBinding: {prefix: "--discard-trimmed"}
  discard_untrimmed:
    type: boolean?
    doc: "Leave out reads without an adapter."
    inputBinding: {prefix: "--discard-untrimmed"}
  pair_filter:
    type: ["null", {type: enum, symbols: ["any", "both", "first"]}]
    doc: "A pair is left out if any mate would be (default), both, or the first."
    inputBinding: {prefix: "--pair-filter"}
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
    default: "trimmed.fastq.gz"
    inputBinding: {prefix: "--output"}
  format:
    type: ["null", {type: enum, symbols: ["fastq", "fasta", "sam", "bam"]}]
    doc: "Output format (default: from the output's name, else as the input)."
    inputBinding: {prefix: "--format"}
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
  table_name:
    type: string?
    doc: "Name of a file. Write a table with a row for each read."
    inputBinding: {prefix: "--table"}
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
