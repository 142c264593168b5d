#!/usr/bin/env cwl-runner
# An example of chunks: a plan, a job for each chunk, and what one run would write. Another command takes the place of motif.cwl by
# its name and its inputs.
cwlVersion: v1.2
class: Workflow
label: basesweep motif in chunks
doc: Search each chunk of a genome in a job of its own, and merge the parts to the output of one run.
requirements:
  ScatterFeatureRequirement: {}
inputs:
  sequences:
    type: File[]
    doc: FASTA, plain or compressed.
  motifs:
    type: File[]
    doc: Files of motifs.
  count:
    type: long
    doc: Number of chunks.
  chunks:
    type: string[]
    doc: The chunks, as 1/3, 2/3 and 3/3.
  output_name:
    type: string
    doc: Name of the file of hits; it chooses the format.
    default: hits.bed.gz
outputs:
  hits:
    type: [File, Directory]
    outputSource: merge/output
  report:
    type: File?
    outputSource: merge/json
steps:
  plan:
    run: plan.cwl
    in:
      sequences: sequences
      chunks: count
    out: [output]
  search:
    run: motif.cwl
    scatter: chunk
    in:
      sequences: sequences
      pattern_file: motifs
      plan: plan/output
      chunk: chunks
      output_name: {default: part.bsp}
    out: [output]
  merge:
    run: merge.cwl
    in:
      parts: search/output
      output_name: output_name
      json_name: {default: report.json}
      write_index: {default: true}
    out: [output, json]
