#!/usr/bin/env cwl-runner
# scripts/wrappers.py made this of `basesweep help --json`.
cwlVersion: v1.2
class: CommandLineTool
label: basesweep plan
doc: "Cut an input into chunks, one per job; write a table of them."
baseCommand: [basesweep, plan]
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
  sequences:
    type: File[]
    doc: "FASTA or FASTQ, plain or compressed (gzip, BGZF, zstd, bzip2, xz), .2bit, SAM, BAM or CRAM."
    inputBinding: {position: 1}
  cram_reference:
    type: File?
    doc: "FASTA that CRAM input was written with (default: the one that it holds); nothing is downloaded."
    inputBinding: {prefix: "--cram-reference"}
  chunks:
    type: long
    doc: "Number of chunks."
    inputBinding: {prefix: "--chunks"}
  reads:
    type: boolean?
    doc: "Cut FASTA at records: for pairs, and for map, demux, trim and count."
    inputBinding: {prefix: "--reads"}
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
  write_index:
    type: boolean?
    doc: "First write the index (.fai; for BGZF also .gzi) beside the input."
    inputBinding: {prefix: "--write-index"}
  output_name:
    type: string
    doc: "Name of the file that is written; it chooses the format."
    default: "plan.tsv"
    inputBinding: {prefix: "--output"}
  threads:
    type: int
    doc: "Number of threads."
    default: 1
outputs:
  output:
    type: File
    doc: "What the command writes."
    outputBinding: {glob: $(inputs.output_name)}
