version 1.0

# An example of chunks: a plan, a job for each chunk, and what one run would write. Another command takes the place of motif by its
# task and its inputs.
import "basesweep.wdl" as basesweep

workflow motif_in_chunks {
  meta {
    description: "Search each chunk of a genome in a job of its own, and merge the parts to the output of one run."
  }

  parameter_meta {
    sequences: "FASTA, plain or compressed."
    motifs: "Files of motifs."
    chunks: "Number of chunks."
    output_name: "Name of the file of hits; it chooses the format."
  }

  input {
    Array[File] sequences
    Array[File] motifs
    Int chunks
    String output_name = "hits.bed.gz"
  }

  call basesweep.basesweep_plan as plan {
    input: sequences = sequences, chunks = chunks
  }

  scatter (index in range(chunks)) {
    call basesweep.basesweep_motif as search {
      input:
        sequences = sequences,
        pattern_file = motifs,
        plan = plan.written,
        chunk = "~{index + 1}/~{chunks}",
        output_name = "part.bsp"
    }
  }

  call basesweep.basesweep_merge as merge {
    input: parts = search.written, output_name = output_name, write_index = true, json_name = "report.json"
  }

  output {
    File hits = merge.written
    Array[File] indexes = merge.indexes
    File? report = merge.json
  }
}
