#!/usr/bin/env cwl-runner
# scripts/wrappers.py made this of `basesweep help --json`.
cwlVersion: v1.2
class: CommandLineTool
label: basesweep guides
doc: "Find the off-targets of CRISPR guides; write a table and all places."
baseCommand: [basesweep, guides]
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
  pattern:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--pattern"}}]
    doc: "A guide of nucleotides and IUPAC codes, or NAME=SEQUENCE; may be repeated."
  pattern_file:
    type: ["null", {type: array, items: File, inputBinding: {prefix: "--pattern-file"}}]
    doc: "A file of guides: FASTA, a table (TSV, CSV, BED with sequences), one sequence a line, FASTQ, EMBL or GenBank; may be repeated."
  name_column:
    type: string?
    doc: "Column of the guides' names in tables: a name in the header, or a number from 1."
    inputBinding: {prefix: "--name-column"}
  pattern_column:
    type: string?
    doc: "Column of the guides' sequences in tables: a name in the header, or a number from 1."
    inputBinding: {prefix: "--pattern-column"}
  pam:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--pam"}}]
    doc: "PAM beside a guide, in IUPAC codes; several with commas between (NGG,NAG), the first that matches counts; may be repeated (default: NGG)."
  max_mismatches:
    type: long?
    doc: "A place has at most N mismatches with its guide (default: 4); the PAM has none."
    inputBinding: {prefix: "--max-mismatches"}
  pam_side:
    type: ["null", {type: enum, symbols: ["3prime", "5prime"]}]
    doc: "Side of the guide that its PAM is on: 3prime as NGG of Cas9 (default), 5prime as TTTV of Cas12a."
    inputBinding: {prefix: "--pam-side"}
  pam_in_guide:
    type: ["null", {type: enum, symbols: ["auto", "yes", "no"]}]
    doc: "Whether the sequences of the guides hold the PAM, or codes such as NNN in its place (default: auto: see Guides below)."
    inputBinding: {prefix: "--pam-in-guide"}
  design:
    type: boolean?
    doc: "The guides are all those of the input, or those in its --region; places count in the whole input."
    inputBinding: {prefix: "--design"}
  guide_length:
    type: long?
    doc: "With --design: bases of a guide (default: 20)."
    inputBinding: {prefix: "--guide-length"}
  gc:
    type: string?
    doc: "With --design: leave out guides with less or more percent of G and C."
    inputBinding: {prefix: "--gc"}
  max_poly_t:
    type: long?
    doc: "With --design: leave out guides with a run of more than N T, which end transcription (usual: 3)."
    inputBinding: {prefix: "--max-poly-t"}
  top:
    type: long?
    doc: "With --design: write the N guides of each region, or record, with the highest CFD specificity."
    inputBinding: {prefix: "--top"}
  min_specificity:
    type: double?
    doc: "With --design: leave out guides with a lower CFD specificity, and those without."
    inputBinding: {prefix: "--min-specificity"}
  unique:
    type: long?
    doc: "With --design: leave out guides of which another place, without bulge, has at most N mismatches."
    inputBinding: {prefix: "--unique"}
  max_scored:
    type: long?
    doc: "With --design: guides with more than N places have counts and no scores (default: 10000)."
    inputBinding: {prefix: "--max-scored"}
  cram_reference:
    type: File?
    doc: "FASTA that CRAM input was written with (default: the one that it holds); nothing is downloaded; with --hits FILE.cram, the reference of the places (default: the input)."
    inputBinding: {prefix: "--cram-reference"}
  max_dna_bulges:
    type: long?
    doc: "Allow one bulge of at most N text bases that the guide lacks (default: 0)."
    inputBinding: {prefix: "--max-dna-bulges"}
  max_rna_bulges:
    type: long?
    doc: "Allow one bulge of at most N guide bases that the text lacks (default: 0), or a DNA bulge."
    inputBinding: {prefix: "--max-rna-bulges"}
  seed:
    type: long?
    doc: "The N guide bases beside the PAM are in no bulge and have at most --seed-mismatches mismatches."
    inputBinding: {prefix: "--seed"}
  seed_mismatches:
    type: long?
    doc: "With --seed: at most N mismatches in the seed (default: 0)."
    inputBinding: {prefix: "--seed-mismatches"}
  soft_masked:
    type: ["null", {type: enum, symbols: ["use", "skip"]}]
    doc: "Search lower-case bases as any others (default), or skip places that touch one."
    inputBinding: {prefix: "--soft-masked"}
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
  hits_all:
    type: boolean?
    doc: "With --hits: a row for each kind and size of bulge that a place can have, not one for the place."
    inputBinding: {prefix: "--hits-all"}
  annotate:
    type: File?
    doc: "Write which features of this GFF3, GTF or BED file, such as genes, places overlap."
    inputBinding: {prefix: "--annotate"}
  annotate_kind:
    type: ["null", {type: array, items: string, inputBinding: {prefix: "--annotate-kind"}}]
    doc: "With --annotate: only features of this kind (third column of GFF3 and GTF: gene); may be repeated."
  hits_name:
    type: string?
    doc: "Name of a file. Write every place to this file: TSV, CSV or JSON lines, or BED, SAM, BAM or CRAM, by its name."
    inputBinding: {prefix: "--hits"}
  columns:
    type: string?
    doc: "What is written about a guide, or with --hits a place, in TSV, CSV and JSON lines: columns in this order, with commas between; +NAME adds one to the usual columns, also in BED, GFF3 and FASTA; help lists them, autosql describes BED to genome browsers."
    inputBinding: {prefix: "--columns"}
  write_index:
    type: boolean?
    doc: "Index the file of places: .tbi beside TSV and BED, .bai beside SAM and BAM, .crai beside CRAM."
    inputBinding: {prefix: "--write-index"}
  format:
    type: ["null", {type: enum, symbols: ["tsv", "csv", "jsonl", "bed"]}]
    doc: "Format of the table (default: from the output's name, else tsv), bed only with --design; places have that of --hits's name."
    inputBinding: {prefix: "--format"}
  output_name:
    type: string
    doc: "Name of the file that is written; it chooses the format."
    default: "guides.tsv"
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
    doc: "Add this @RG line, such as '@RG\\tID:x\\tPL:ILLUMINA', to the header and its ID to every place."
    inputBinding: {prefix: "--read-group"}
  no_PG:
    type: boolean?
    doc: "Write no @PG line."
    inputBinding: {prefix: "--no-PG"}
  device:
    type: string?
    doc: "Device to search on (default: auto)."
    inputBinding: {prefix: "--device"}
  threads:
    type: int
    doc: "Number of threads."
    default: 1
outputs:
  hits:
    type: File?
    doc: "Write every place to this file: TSV, CSV or JSON lines, or BED, SAM, BAM or CRAM, by its name."
    secondaryFiles: [{pattern: .tbi, required: false}, {pattern: .csi, required: false}, {pattern: .bai, required: false}, {pattern: .crai, required: false}]
    outputBinding: {glob: $(inputs.hits_name)}
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
