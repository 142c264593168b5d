version 1.0

# scripts/wrappers.py made these tasks of `basesweep help --json`. Import the file, and call the task of a command.

task basesweep_motif {
  meta {
    description: "Find exact and IUPAC motifs; write BED, TSV, GFF3 or FASTA."
  }

  parameter_meta {
    pattern: "A motif of nucleotides and IUPAC codes, or NAME=SEQUENCE; may be repeated."
    pattern_file: "A file of motifs: FASTA, a table (TSV, CSV, BED with sequences), one sequence a line, FASTQ, EMBL or GenBank; may be repeated."
    name_column: "Column of the motifs' names in tables: a name in the header, or a number from 1."
    pattern_column: "Column of the motifs' sequences in tables: a name in the header, or a number from 1."
    reads1: "First mates of read pairs; may be repeated."
    reads2: "Second mates, in the same order; may be repeated."
    interleaved: "Consecutive reads are mates."
    cram_reference: "FASTA that CRAM input was written with (default: the one that it holds); nothing is downloaded."
    strand: "Strands to search (default: both); + and - are short for plus and minus. One of both, plus, minus."
    palindromes: "Report hits of palindromic motifs once, on strand + (default), or on both strands. One of once, both."
    soft_masked: "Search lower-case bases as any others (default), or skip hits that touch one. One of use, skip."
    non_overlapping: "Per record, motif and strand, keep only hits that start at or after the end of the last kept hit."
    circular: "The record of this name is circular; without a name, all records are; may be repeated."
    circular_names: "The names that --circular takes: the records of these names alone."
    region: "Report only hits that start in this region of the input: record, record:from or record:from-to, 1-based, both ends included; may be repeated. A record whose own name ends so is written in braces: {HLA:A:1} or {HLA:A:1}:20-90."
    regions_file: "Report only hits that start in a region of this BED file. Regions of records that the input does not have are left out with a warning, unless all are."
    strict_regions: "Refuse a --regions-file with a record that the input does not have."
    fai: "Index (.fai) of the input (default: the one beside it)."
    gzi: "Index (.gzi) of the BGZF compression of the input (default: the one beside it)."
    chunk: "Work only on chunk i of N of the input; 'basesweep merge' joins the outputs."
    plan: "Chunks to use, a file from 'basesweep plan' (default: plan them in a first pass over the input)."
    format: "Output format (default: from the output's name, else bed). One of bed, tsv, csv, jsonl, gff3, fasta."
    max_hits: "Stop after the first N hits; N may end in k, M or G (10k: 10,000)."
    count: "Print the number of hits per motif and strand instead of hits."
    columns: "What is written about a hit in TSV, CSV and JSON lines: columns in this order, with commas between; +NAME adds one to the usual columns, also in BED, GFF3 and FASTA; help lists them, autosql describes BED to genome browsers."
    write_index: "Index the output: .tbi beside BED, TSV and GFF3 whose name ends in .gz, .bai beside SAM and BAM."
    matching_reads_names: "Names of files. Write the records of the input that have a hit, as they are, to this file (.gz: compressed); of pairs, given twice: first mates to the first file, second mates to the second."
    other_reads_names: "Names of files. Write the other records, those without a hit, to this file; of pairs, those that do not match; it may be given twice too."
    pairs: "Which pairs --matching-reads writes: those of which any mate has a hit (default), or both mates have one. One of any, both."
    per_file: "With --count: count the hits of each input file in rows of their own."
    flank: "Also print the N bases on either side of a hit, fewer at the ends of a record: in TSV as the columns upstream and downstream, in FASTA in lower case."
    with_file: "Also print the name of the input file: in TSV as the column file, in GFF3 and FASTA as file=NAME."
    output_name: "Name of what is written; it chooses the format."
    json_name: "Name of a file. Write a report of the run as JSON."
    html_name: "Name of a file. Write the report as a page with tables and plots, one file of HTML."
    compression: "How hard outputs that are named .gz, and BAM, are compressed: 0 (not at all) to 9 (default: 1 for .gz, 6 for BAM)."
    device: "Device to search on (default: auto)."
    algorithm: "Search algorithm (default: auto). One of auto, planes, drk2s, ac-dfa, ac-nfa, set-horspool, sbom, wu-manber, sog, crk, drk, drk-wom32, drk-wom64, hrk, qgrams."
    threads: "Number of threads."
    sequences: "FASTA or FASTQ, plain or compressed, .2bit, SAM, BAM or CRAM."
    memory: "Memory of the task."
    docker: "Image with basesweep."
  }

  input {
    Array[String] pattern = []
    Array[File] pattern_file = []
    String? name_column
    String? pattern_column
    Array[File] reads1 = []
    Array[File] reads2 = []
    Boolean interleaved = false
    File? cram_reference
    String? strand
    String? palindromes
    String? soft_masked
    Boolean non_overlapping = false
    Boolean circular = false
    Array[String] circular_names = []
    Array[String] region = []
    File? regions_file
    Boolean strict_regions = false
    File? fai
    File? gzi
    String? chunk
    File? plan
    String? format
    Int? max_hits
    Boolean count = false
    String? columns
    Boolean write_index = false
    Array[String] matching_reads_names = []
    Array[String] other_reads_names = []
    String? pairs
    Boolean per_file = false
    Int? flank
    Boolean with_file = false
    String output_name = "hits.bed"
    String? json_name
    String? html_name
    Int? compression
    String? device
    String? algorithm
    Int threads = 1
    Array[File] sequences = []
    String memory = "4 GB"
    String docker = "quay.io/biocontainers/basesweep:1.0.0rc1--0"
  }

  command <<<
    set -e
    basesweep motif \
      ~{if length(pattern) > 0 then "--pattern '" else ""}~{sep="' --pattern '" pattern}~{if length(pattern) > 0 then "'" else ""} \
      ~{if length(pattern_file) > 0 then "--pattern-file '" else ""}~{sep="' --pattern-file '" pattern_file}~{if length(pattern_file) > 0 then "'" else ""} \
      ~{"--name-column '" + name_column + "'"} \
      ~{"--pattern-column '" + pattern_column + "'"} \
      ~{if length(reads1) > 0 then "--reads1 '" else ""}~{sep="' --reads1 '" reads1}~{if length(reads1) > 0 then "'" else ""} \
      ~{if length(reads2) > 0 then "--reads2 '" else ""}~{sep="' --reads2 '" reads2}~{if length(reads2) > 0 then "'" else ""} \
      ~{if interleaved then "--interleaved" else ""} \
      ~{"--cram-reference '" + cram_reference + "'"} \
      ~{"--strand '" + strand + "'"} \
      ~{"--palindromes '" + palindromes + "'"} \
      ~{"--soft-masked '" + soft_masked + "'"} \
      ~{if non_overlapping then "--non-overlapping" else ""} \
      ~{if circular then "--circular" else ""} \
      ~{if length(circular_names) > 0 then "--circular='" else ""}~{sep="' --circular='" circular_names}~{if length(circular_names) > 0 then "'" else ""} \
      ~{if length(region) > 0 then "--region '" else ""}~{sep="' --region '" region}~{if length(region) > 0 then "'" else ""} \
      ~{"--regions-file '" + regions_file + "'"} \
      ~{if strict_regions then "--strict-regions" else ""} \
      ~{"--fai '" + fai + "'"} \
      ~{"--gzi '" + gzi + "'"} \
      ~{"--chunk '" + chunk + "'"} \
      ~{"--plan '" + plan + "'"} \
      ~{"--format '" + format + "'"} \
      ~{"--max-hits '" + max_hits + "'"} \
      ~{if count then "--count" else ""} \
      ~{"--columns '" + columns + "'"} \
      ~{if write_index then "--write-index" else ""} \
      ~{if length(matching_reads_names) > 0 then "--matching-reads '" else ""}~{sep="' --matching-reads '" matching_reads_names}~{if length(matching_reads_names) > 0 then "'" else ""} \
      ~{if length(other_reads_names) > 0 then "--other-reads '" else ""}~{sep="' --other-reads '" other_reads_names}~{if length(other_reads_names) > 0 then "'" else ""} \
      ~{"--pairs '" + pairs + "'"} \
      ~{if per_file then "--per-file" else ""} \
      ~{"--flank '" + flank + "'"} \
      ~{if with_file then "--with-file" else ""} \
      --output '~{output_name}' \
      ~{"--json '" + json_name + "'"} \
      ~{"--html '" + html_name + "'"} \
      ~{"--compression '" + compression + "'"} \
      ~{"--device '" + device + "'"} \
      ~{"--algorithm '" + algorithm + "'"} \
      --threads ~{threads} \
      ~{if length(sequences) > 0 then "'" else ""}~{sep="' '" sequences}~{if length(sequences) > 0 then "'" else ""}
  >>>

  output {
    Array[File] matching_reads = matching_reads_names
    Array[File] other_reads = other_reads_names
    File written = output_name
    File? json = json_name
    File? html = html_name
    Array[File] indexes = flatten([glob("*.tbi"), glob("*.csi"), glob("*.bai"), glob("*.crai")])
  }

  runtime {
    docker: docker
    memory: memory
    cpu: threads
  }
}

task basesweep_match {
  meta {
    description: "Find patterns with edits; write SAM, BAM, BED, TSV, GFF3 or FASTA."
  }

  parameter_meta {
    pattern: "A primer of nucleotides and IUPAC codes, or NAME=SEQUENCE; may be repeated."
    pattern_file: "A file of primers: FASTA, a table (TSV, CSV, BED with sequences), one sequence a line, FASTQ, EMBL or GenBank; may be repeated."
    name_column: "Column of the primers' names in tables: a name in the header, or a number from 1."
    pattern_column: "Column of the primers' sequences in tables: a name in the header, or a number from 1."
    reads1: "First mates of read pairs; may be repeated."
    reads2: "Second mates, in the same order; may be repeated."
    interleaved: "Consecutive reads are mates."
    cram_reference: "FASTA that CRAM input was written with (default: the one that it holds); nothing is downloaded."
    edits: "Maximum number of edits: mismatches, insertions and deletions."
    error_rate: "Maximum number of edits as a fraction (0.1, or 10%) of the primer's length, rounded down."
    max_mismatches: "Allow at most N mismatches among the edits."
    max_indels: "Allow at most N inserted or deleted bases among the edits."
    max_dna_bulges: "Allow at most N text bases without a primer base (D in CIGAR) among the indels."
    max_rna_bulges: "Allow at most N primer bases without a text base (I in CIGAR) among the indels."
    clamp_5prime: "The first N bases of the primer (5' end) must match without an edit."
    clamp_3prime: "The last N bases of the primer (3' end) must match without an edit."
    overhang_5prime: "The primer's 5' end may hang over the ends of a record if at least N of its bases are inside."
    overhang_3prime: "The primer's 3' end may hang over the ends of a record if at least N of its bases are inside."
    mismatches: "Maximum number of mismatches, and no indels."
    overhang: "A primer may hang over the ends of a record if at least N of its bases are inside."
    report: "Which places to report as hits (default: sites). One of sites, minima, best, best-per-record, all."
    best_of: "With --report best-per-record: compare the hits of each primer (default), or of all primers of a record. One of pattern, record."
    strand: "Strands to search (default: both); + and - are short for plus and minus. One of both, plus, minus."
    palindromes: "Report hits of palindromic primers once, on strand + (default), or on both strands. One of once, both."
    soft_masked: "Search lower-case bases as any others (default), or skip hits that touch one. One of use, skip."
    non_overlapping: "Per record, primer and strand, keep only hits that start at or after the end of the last kept hit."
    circular: "The record of this name is circular; without a name, all records are; may be repeated."
    circular_names: "The names that --circular takes: the records of these names alone."
    region: "Report only hits that start in this region of the input: record, record:from or record:from-to, 1-based, both ends included; may be repeated. A record whose own name ends so is written in braces: {HLA:A:1} or {HLA:A:1}:20-90."
    regions_file: "Report only hits that start in a region of this BED file. Regions of records that the input does not have are left out with a warning, unless all are."
    strict_regions: "Refuse a --regions-file with a record that the input does not have."
    fai: "Index (.fai) of the input (default: the one beside it)."
    gzi: "Index (.gzi) of the BGZF compression of the input (default: the one beside it)."
    chunk: "Work only on chunk i of N of the input; 'basesweep merge' joins the outputs."
    plan: "Chunks to use, a file from 'basesweep plan' (default: plan them in a first pass over the input)."
    format: "Output format (default: from the output's name, else sam for FASTA, tsv for FASTQ). One of sam, bam, bed, tsv, csv, jsonl, gff3, fasta."
    edit_columns: "Add the columns mismatches, insertions and deletions to TSV, named as in CIGAR strings."
    aligned: "Add the columns aligned_pattern and aligned_text to TSV: both as the pattern's strand reads, with - for gaps."
    by_edits: "With --count: add a column for each number of edits, edits_0 to edits_k."
    max_hits: "Stop after the first N hits; N may end in k, M or G (10k: 10,000)."
    count: "Print the number of hits per primer and strand instead of hits."
    columns: "What is written about a hit in TSV, CSV and JSON lines: columns in this order, with commas between; +NAME adds one to the usual columns, also in BED, GFF3 and FASTA; help lists them, autosql describes BED to genome browsers."
    write_index: "Index the output: .tbi beside BED, TSV and GFF3 whose name ends in .gz, .bai beside SAM and BAM."
    matching_reads_names: "Names of files. Write the records of the input that have a hit, as they are, to this file (.gz: compressed); of pairs, given twice: first mates to the first file, second mates to the second."
    other_reads_names: "Names of files. Write the other records, those without a hit, to this file; of pairs, those that do not match; it may be given twice too."
    pairs: "Which pairs --matching-reads writes: those of which any mate has a hit (default), or both mates have one. One of any, both."
    per_file: "With --count: count the hits of each input file in rows of their own."
    flank: "Also print the N bases on either side of a hit, fewer at the ends of a record: in TSV as the columns upstream and downstream, in FASTA in lower case."
    with_file: "Also print the name of the input file: in TSV as the column file, in GFF3 and FASTA as file=NAME."
    output_name: "Name of what is written; it chooses the format."
    json_name: "Name of a file. Write a report of the run as JSON."
    html_name: "Name of a file. Write the report as a page with tables and plots, one file of HTML."
    compression: "How hard outputs that are named .gz, and BAM, are compressed: 0 (not at all) to 9 (default: 1 for .gz, 6 for BAM)."
    eqx: "Write = and X instead of M in CIGAR strings."
    read_group: "Add this @RG line, such as '@RG\\tID:x\\tPL:ILLUMINA', to the header and its ID to every hit."
    no_PG: "Write no @PG line."
    device: "Device to search on (default: auto)."
    table_memory: "Take at most N bytes for the table of a large set of primers, or the next best algorithm; N may end in k, M or G (default: half of the free memory, at most 16 GiB)."
    algorithm: "Search algorithm (default: auto). One of auto, hmm, myers, bitsliced, pigeonhole, hamming, neighbors."
    threads: "Number of threads."
    sequences: "FASTA or FASTQ, plain or compressed, .2bit, SAM, BAM or CRAM."
    memory: "Memory of the task."
    docker: "Image with basesweep."
  }

  input {
    Array[String] pattern = []
    Array[File] pattern_file = []
    String? name_column
    String? pattern_column
    Array[File] reads1 = []
    Array[File] reads2 = []
    Boolean interleaved = false
    File? cram_reference
    Int? edits
    String? error_rate
    Int? max_mismatches
    Int? max_indels
    Int? max_dna_bulges
    Int? max_rna_bulges
    Int? clamp_5prime
    Int? clamp_3prime
    Int? overhang_5prime
    Int? overhang_3prime
    Int? mismatches
    Int? overhang
    String? report
    String? best_of
    String? strand
    String? palindromes
    String? soft_masked
    Boolean non_overlapping = false
    Boolean circular = false
    Array[String] circular_names = []
    Array[String] region = []
    File? regions_file
    Boolean strict_regions = false
    File? fai
    File? gzi
    String? chunk
    File? plan
    String? format
    Boolean edit_columns = false
    Boolean aligned = false
    Boolean by_edits = false
    Int? max_hits
    Boolean count = false
    String? columns
    Boolean write_index = false
    Array[String] matching_reads_names = []
    Array[String] other_reads_names = []
    String? pairs
    Boolean per_file = false
    Int? flank
    Boolean with_file = false
    String output_name = "hits.bam"
    String? json_name
    String? html_name
    Int? compression
    Boolean eqx = false
    String? read_group
    Boolean no_PG = false
    String? device
    Int? table_memory
    String? algorithm
    Int threads = 1
    Array[File] sequences = []
    String memory = "4 GB"
    String docker = "quay.io/biocontainers/basesweep:1.0.0rc1--0"
  }

  command <<<
    set -e
    basesweep match \
      ~{if length(pattern) > 0 then "--pattern '" else ""}~{sep="' --pattern '" pattern}~{if length(pattern) > 0 then "'" else ""} \
      ~{if length(pattern_file) > 0 then "--pattern-file '" else ""}~{sep="' --pattern-file '" pattern_file}~{if length(pattern_file) > 0 then "'" else ""} \
      ~{"--name-column '" + name_column + "'"} \
      ~{"--pattern-column '" + pattern_column + "'"} \
      ~{if length(reads1) > 0 then "--reads1 '" else ""}~{sep="' --reads1 '" reads1}~{if length(reads1) > 0 then "'" else ""} \
      ~{if length(reads2) > 0 then "--reads2 '" else ""}~{sep="' --reads2 '" reads2}~{if length(reads2) > 0 then "'" else ""} \
      ~{if interleaved then "--interleaved" else ""} \
      ~{"--cram-reference '" + cram_reference + "'"} \
      ~{"--edits '" + edits + "'"} \
      ~{"--error-rate '" + error_rate + "'"} \
      ~{"--max-mismatches '" + max_mismatches + "'"} \
      ~{"--max-indels '" + max_indels + "'"} \
      ~{"--max-dna-bulges '" + max_dna_bulges + "'"} \
      ~{"--max-rna-bulges '" + max_rna_bulges + "'"} \
      ~{"--clamp-5prime '" + clamp_5prime + "'"} \
      ~{"--clamp-3prime '" + clamp_3prime + "'"} \
      ~{"--overhang-5prime '" + overhang_5prime + "'"} \
      ~{"--overhang-3prime '" + overhang_3prime + "'"} \
      ~{"--mismatches '" + mismatches + "'"} \
      ~{"--overhang '" + overhang + "'"} \
      ~{"--report '" + report + "'"} \
      ~{"--best-of '" + best_of + "'"} \
      ~{"--strand '" + strand + "'"} \
      ~{"--palindromes '" + palindromes + "'"} \
      ~{"--soft-masked '" + soft_masked + "'"} \
      ~{if non_overlapping then "--non-overlapping" else ""} \
      ~{if circular then "--circular" else ""} \
      ~{if length(circular_names) > 0 then "--circular='" else ""}~{sep="' --circular='" circular_names}~{if length(circular_names) > 0 then "'" else ""} \
      ~{if length(region) > 0 then "--region '" else ""}~{sep="' --region '" region}~{if length(region) > 0 then "'" else ""} \
      ~{"--regions-file '" + regions_file + "'"} \
      ~{if strict_regions then "--strict-regions" else ""} \
      ~{"--fai '" + fai + "'"} \
      ~{"--gzi '" + gzi + "'"} \
      ~{"--chunk '" + chunk + "'"} \
      ~{"--plan '" + plan + "'"} \
      ~{"--format '" + format + "'"} \
      ~{if edit_columns then "--edit-columns" else ""} \
      ~{if aligned then "--aligned" else ""} \
      ~{if by_edits then "--by-edits" else ""} \
      ~{"--max-hits '" + max_hits + "'"} \
      ~{if count then "--count" else ""} \
      ~{"--columns '" + columns + "'"} \
      ~{if write_index then "--write-index" else ""} \
      ~{if length(matching_reads_names) > 0 then "--matching-reads '" else ""}~{sep="' --matching-reads '" matching_reads_names}~{if length(matching_reads_names) > 0 then "'" else ""} \
      ~{if length(other_reads_names) > 0 then "--other-reads '" else ""}~{sep="' --other-reads '" other_reads_names}~{if length(other_reads_names) > 0 then "'" else ""} \
      ~{"--pairs '" + pairs + "'"} \
      ~{if per_file then "--per-file" else ""} \
      ~{"--flank '" + flank + "'"} \
      ~{if with_file then "--with-file" else ""} \
      --output '~{output_name}' \
      ~{"--json '" + json_name + "'"} \
      ~{"--html '" + html_name + "'"} \
      ~{"--compression '" + compression + "'"} \
      ~{if eqx then "--eqx" else ""} \
      ~{"--read-group '" + read_group + "'"} \
      ~{if no_PG then "--no-PG" else ""} \
      ~{"--device '" + device + "'"} \
      ~{"--table-memory '" + table_memory + "'"} \
      ~{"--algorithm '" + algorithm + "'"} \
      --threads ~{threads} \
      ~{if length(sequences) > 0 then "'" else ""}~{sep="' '" sequences}~{if length(sequences) > 0 then "'" else ""}
  >>>

  output {
    Array[File] matching_reads = matching_reads_names
    Array[File] other_reads = other_reads_names
    File written = output_name
    File? json = json_name
    File? html = html_name
    Array[File] indexes = flatten([glob("*.tbi"), glob("*.csi"), glob("*.bai"), glob("*.crai")])
  }

  runtime {
    docker: docker
    memory: memory
    cpu: threads
  }
}

task basesweep_pcr {
  meta {
    description: "Find the products of primer pairs: in-silico PCR."
  }

  parameter_meta {
    pair_file: "A file of primer pairs: a table, BED of a primer scheme, or FASTA; may be repeated."
    name_column: "Column of the pairs' names in tables: a name in the header, or a number from 1."
    forward_column: "Column of the forward primers in tables of pairs."
    reverse_column: "Column of the reverse primers in tables of pairs."
    forward: "The forward primer of a pair, 5' to 3', nucleotides and IUPAC codes."
    reverse: "Its reverse primer, 5' to 3'."
    probe: "Its probe, on either strand."
    cram_reference: "FASTA that CRAM input was written with (default: the one that it holds); nothing is downloaded."
    edits: "Maximum number of edits: mismatches, insertions and deletions."
    error_rate: "Maximum number of edits as a fraction (0.1, or 10%) of the primer's length, rounded down."
    max_mismatches: "Allow at most N mismatches among the edits."
    max_indels: "Allow at most N inserted or deleted bases among the edits."
    max_dna_bulges: "Allow at most N text bases without a primer base (D in CIGAR) among the indels."
    max_rna_bulges: "Allow at most N primer bases without a text base (I in CIGAR) among the indels."
    clamp_5prime: "The first N bases of the primer (5' end) must match without an edit."
    clamp_3prime: "The last N bases of the primer (3' end) must match without an edit."
    mismatches: "Maximum number of mismatches, and no indels."
    size: "Sizes of products in bases, such as 100,2k, primers included (default: 0,5000); a pair's own columns win."
    single: "Also report products of a pair's forward primer alone, and of its reverse primer alone."
    pool: "Join all primers of a pool with all, each with itself too, instead of pairs; a file without pools is one pool."
    report: "Which products to report (default: all). One of all, best, best-per-record."
    soft_masked: "Let primers match lower-case bases as any others (default), or never. One of use, skip."
    circular: "The record of this name is circular; without a name, all records are; may be repeated."
    circular_names: "The names that --circular takes: the records of these names alone."
    region: "Report only hits that start in this region of the input: record, record:from or record:from-to, 1-based, both ends included; may be repeated. A record whose own name ends so is written in braces: {HLA:A:1} or {HLA:A:1}:20-90."
    regions_file: "Report only hits that start in a region of this BED file. Regions of records that the input does not have are left out with a warning, unless all are."
    strict_regions: "Refuse a --regions-file with a record that the input does not have."
    fai: "Index (.fai) of the input (default: the one beside it)."
    gzi: "Index (.gzi) of the BGZF compression of the input (default: the one beside it)."
    chunk: "Work only on chunk i of N of the input; 'basesweep merge' joins the outputs."
    plan: "Chunks to use, a file from 'basesweep plan' (default: plan them in a first pass over the input)."
    format: "Output format (default: from the output's name, else tsv). One of tsv, csv, jsonl, bed, gff3, fasta, sam, bam."
    columns: "What is written about a product in TSV, CSV and JSON lines: columns in this order, with commas between; +NAME adds one to the usual columns, also in BED, GFF3 and FASTA; help lists them, autosql describes BED to genome browsers."
    write_index: "Index the output: .tbi beside BED, TSV and GFF3 whose name ends in .gz, .bai beside SAM and BAM."
    max_products: "Stop after the first N products; N may end in k, M or G (10k: 10,000)."
    count: "Print the number of products per pair and strand instead of products."
    table: "Print a table instead of products: for each record and pair how many products there are, and their sizes."
    per_file: "With --count: count the products of each input file in rows of their own."
    with_file: "Also print the name of the input file: in TSV and --table as the column file, in GFF3 and FASTA as file=NAME."
    sequence: "What FASTA shows: the product as the text reads (default), as PCR makes it, with the primers themselves at its ends, or what is between the primers. One of product, amplified, insert."
    monovalent: "For melting temperatures: monovalent ions (Na+, K+) in mM (default: 50)."
    divalent: "The same: divalent ions (Mg2+) in mM (default: 1.5)."
    dntp: "The same: dNTPs, which bind divalent ions, in mM (default: 0.6)."
    oligo: "The same: primer in nM (default: 50)."
    output_name: "Name of what is written; it chooses the format."
    json_name: "Name of a file. Write a report of the run as JSON."
    html_name: "Name of a file. Write the report as a page with tables and plots, one file of HTML."
    compression: "How hard outputs that are named .gz, and BAM, are compressed: 0 (not at all) to 9 (default: 1 for .gz, 6 for BAM)."
    eqx: "Write = and X instead of M in CIGAR strings."
    read_group: "Add this @RG line, such as '@RG\\tID:x\\tPL:ILLUMINA', to the header and its ID to every alignment."
    no_PG: "Write no @PG line."
    device: "Device to search on (default: auto)."
    table_memory: "Take at most N bytes for the table of a large set of primers, or the next best algorithm; N may end in k, M or G (default: half of the free memory, at most 16 GiB)."
    algorithm: "Search algorithm (default: auto). One of auto, hmm, myers, bitsliced, pigeonhole, hamming, neighbors."
    threads: "Number of threads."
    sequences: "FASTA or FASTQ, plain or compressed, .2bit, SAM, BAM or CRAM."
    memory: "Memory of the task."
    docker: "Image with basesweep."
  }

  input {
    Array[File] pair_file = []
    String? name_column
    String? forward_column
    String? reverse_column
    String? forward
    String? reverse
    String? probe
    File? cram_reference
    Int? edits
    String? error_rate
    Int? max_mismatches
    Int? max_indels
    Int? max_dna_bulges
    Int? max_rna_bulges
    Int? clamp_5prime
    Int? clamp_3prime
    Int? mismatches
    String? size
    Boolean single = false
    Boolean pool = false
    String? report
    String? soft_masked
    Boolean circular = false
    Array[String] circular_names = []
    Array[String] region = []
    File? regions_file
    Boolean strict_regions = false
    File? fai
    File? gzi
    String? chunk
    File? plan
    String? format
    String? columns
    Boolean write_index = false
    Int? max_products
    Boolean count = false
    Boolean table = false
    Boolean per_file = false
    Boolean with_file = false
    String? sequence
    String? monovalent
    String? divalent
    String? dntp
    String? oligo
    String output_name = "products.tsv"
    String? json_name
    String? html_name
    Int? compression
    Boolean eqx = false
    String? read_group
    Boolean no_PG = false
    String? device
    Int? table_memory
    String? algorithm
    Int threads = 1
    Array[File] sequences = []
    String memory = "4 GB"
    String docker = "quay.io/biocontainers/basesweep:1.0.0rc1--0"
  }

  command <<<
    set -e
    basesweep pcr \
      ~{if length(pair_file) > 0 then "--pair-file '" else ""}~{sep="' --pair-file '" pair_file}~{if length(pair_file) > 0 then "'" else ""} \
      ~{"--name-column '" + name_column + "'"} \
      ~{"--forward-column '" + forward_column + "'"} \
      ~{"--reverse-column '" + reverse_column + "'"} \
      ~{"--forward '" + forward + "'"} \
      ~{"--reverse '" + reverse + "'"} \
      ~{"--probe '" + probe + "'"} \
      ~{"--cram-reference '" + cram_reference + "'"} \
      ~{"--edits '" + edits + "'"} \
      ~{"--error-rate '" + error_rate + "'"} \
      ~{"--max-mismatches '" + max_mismatches + "'"} \
      ~{"--max-indels '" + max_indels + "'"} \
      ~{"--max-dna-bulges '" + max_dna_bulges + "'"} \
      ~{"--max-rna-bulges '" + max_rna_bulges + "'"} \
      ~{"--clamp-5prime '" + clamp_5prime + "'"} \
      ~{"--clamp-3prime '" + clamp_3prime + "'"} \
      ~{"--mismatches '" + mismatches + "'"} \
      ~{"--size '" + size + "'"} \
      ~{if single then "--single" else ""} \
      ~{if pool then "--pool" else ""} \
      ~{"--report '" + report + "'"} \
      ~{"--soft-masked '" + soft_masked + "'"} \
      ~{if circular then "--circular" else ""} \
      ~{if length(circular_names) > 0 then "--circular='" else ""}~{sep="' --circular='" circular_names}~{if length(circular_names) > 0 then "'" else ""} \
      ~{if length(region) > 0 then "--region '" else ""}~{sep="' --region '" region}~{if length(region) > 0 then "'" else ""} \
      ~{"--regions-file '" + regions_file + "'"} \
      ~{if strict_regions then "--strict-regions" else ""} \
      ~{"--fai '" + fai + "'"} \
      ~{"--gzi '" + gzi + "'"} \
      ~{"--chunk '" + chunk + "'"} \
      ~{"--plan '" + plan + "'"} \
      ~{"--format '" + format + "'"} \
      ~{"--columns '" + columns + "'"} \
      ~{if write_index then "--write-index" else ""} \
      ~{"--max-products '" + max_products + "'"} \
      ~{if count then "--count" else ""} \
      ~{if table then "--table" else ""} \
      ~{if per_file then "--per-file" else ""} \
      ~{if with_file then "--with-file" else ""} \
      ~{"--sequence '" + sequence + "'"} \
      ~{"--monovalent '" + monovalent + "'"} \
      ~{"--divalent '" + divalent + "'"} \
      ~{"--dntp '" + dntp + "'"} \
      ~{"--oligo '" + oligo + "'"} \
      --output '~{output_name}' \
      ~{"--json '" + json_name + "'"} \
      ~{"--html '" + html_name + "'"} \
      ~{"--compression '" + compression + "'"} \
      ~{if eqx then "--eqx" else ""} \
      ~{"--read-group '" + read_group + "'"} \
      ~{if no_PG then "--no-PG" else ""} \
      ~{"--device '" + device + "'"} \
      ~{"--table-memory '" + table_memory + "'"} \
      ~{"--algorithm '" + algorithm + "'"} \
      --threads ~{threads} \
      ~{if length(sequences) > 0 then "'" else ""}~{sep="' '" sequences}~{if length(sequences) > 0 then "'" else ""}
  >>>

  output {
    File written = output_name
    File? json = json_name
    File? html = html_name
    Array[File] indexes = flatten([glob("*.tbi"), glob("*.csi"), glob("*.bai"), glob("*.crai")])
  }

  runtime {
    docker: docker
    memory: memory
    cpu: threads
  }
}

task basesweep_pwm {
  meta {
    description: "Find the sites of weight matrices; write BED, TSV, GFF3 or tables."
  }

  parameter_meta {
    matrices: "A file of matrices: JASPAR, MEME, HOMER, TRANSFAC, CIS-BP or cluster-buster; may be repeated."
    matrix_format: "Format of these files (default: recognised by their content). One of jaspar, meme, homer, transfac, cluster-buster, cis-bp."
    names: "Search only the matrices with these identifiers or names; may be repeated, as for a name with commas in it."
    background: "Rates of the bases: uniform, input (those of the whole input), a file as MEME has them, or A,C,G,T (default: those of the matrix file, else uniform)."
    background_file: "The same from a file. Rates of the bases: uniform, input (those of the whole input), a file as MEME has them, or A,C,G,T (default: those of the matrix file, else uniform)."
    pseudocount: "Added to the counts of each position (default: 0.1)."
    cram_reference: "FASTA that CRAM input was written with (default: the one that it holds); nothing is downloaded."
    strand: "Strands to search (default: both); + and - are short for plus and minus. One of both, plus, minus."
    soft_masked: "Search lower-case bases as any others (default), or skip hits that touch one. One of use, skip."
    non_overlapping: "Per record, matrix and strand, keep only hits that start at or after the end of the last kept hit."
    report: "Report all hits (default), or of each record and matrix the one with the best score. One of all, best-per-record."
    p_value: "Hits are words with a score whose p-value is at most P (default: 0.0001; for matrices of HOMER their own threshold)."
    score: "Hits are words with at least this score."
    relative: "Hits have at least this fraction (0 to 1, or a percentage) of the way from the matrix's least score to its greatest."
    region: "Report only hits that start in this region of the input: record, record:from or record:from-to, 1-based, both ends included; may be repeated. A record whose own name ends so is written in braces: {HLA:A:1} or {HLA:A:1}:20-90."
    regions_file: "Report only hits that start in a region of this BED file. Regions of records that the input does not have are left out with a warning, unless all are."
    strict_regions: "Refuse a --regions-file with a record that the input does not have."
    fai: "Index (.fai) of the input (default: the one beside it)."
    gzi: "Index (.gzi) of the BGZF compression of the input (default: the one beside it)."
    chunk: "Work only on chunk i of N of the input; 'basesweep merge' joins the outputs."
    plan: "Chunks to use, a file from 'basesweep plan' (default: plan them in a first pass over the input)."
    table: "Print a table of records and matrices instead of hits: the best score in bits, or the number of hits. One of score, count."
    per_region: "With --table and --regions-file: a row for each region instead of each record."
    count: "Print the number of hits per matrix and strand instead of hits."
    max_hits: "Stop after the first N hits; N may end in k, M or G (10k: 10,000)."
    format: "Output format (default: from the output's name, else bed). One of bed, tsv, csv, jsonl, fimo, gff3."
    columns: "What is written about a hit in TSV, CSV and JSON lines: columns in this order, with commas between; +NAME adds one to the usual columns, also in BED, GFF3 and FASTA; help lists them, autosql describes BED to genome browsers."
    write_index: "Index the output: .tbi beside BED, TSV and GFF3 whose name ends in .gz, .bai beside SAM and BAM."
    thresholds: "Print scores and p-values of the matrices instead of searching; needs no input."
    output_name: "Name of what is written; it chooses the format."
    json_name: "Name of a file. Write a report of the run as JSON."
    html_name: "Name of a file. Write the report as a page with tables and plots, one file of HTML."
    compression: "How hard outputs that are named .gz, and BAM, are compressed: 0 (not at all) to 9 (default: 1 for .gz, 6 for BAM)."
    device: "Device to search on (default: auto)."
    algorithm: "Search algorithm (default: auto). One of auto, lookup, filter."
    threads: "Number of threads."
    sequences: "FASTA or FASTQ, plain or compressed, .2bit, SAM, BAM or CRAM."
    memory: "Memory of the task."
    docker: "Image with basesweep."
  }

  input {
    Array[File] matrices = []
    String? matrix_format
    Array[String] names = []
    String? background
    File? background_file
    String? pseudocount
    File? cram_reference
    String? strand
    String? soft_masked
    Boolean non_overlapping = false
    String? report
    String? p_value
    String? score
    String? relative
    Array[String] region = []
    File? regions_file
    Boolean strict_regions = false
    File? fai
    File? gzi
    String? chunk
    File? plan
    String? table
    Boolean per_region = false
    Boolean count = false
    Int? max_hits
    String? format
    String? columns
    Boolean write_index = false
    Boolean thresholds = false
    String output_name = "sites.bed"
    String? json_name
    String? html_name
    Int? compression
    String? device
    String? algorithm
    Int threads = 1
    Array[File] sequences = []
    String memory = "4 GB"
    String docker = "quay.io/biocontainers/basesweep:1.0.0rc1--0"
  }

  command <<<
    set -e
    basesweep pwm \
      ~{if length(matrices) > 0 then "--matrices '" else ""}~{sep="' --matrices '" matrices}~{if length(matrices) > 0 then "'" else ""} \
      ~{"--matrix-format '" + matrix_format + "'"} \
      ~{if length(names) > 0 then "--names '" else ""}~{sep="' --names '" names}~{if length(names) > 0 then "'" else ""} \
      ~{"--background '" + background + "'"} \
      ~{"--background '" + background_file + "'"} \
      ~{"--pseudocount '" + pseudocount + "'"} \
      ~{"--cram-reference '" + cram_reference + "'"} \
      ~{"--strand '" + strand + "'"} \
      ~{"--soft-masked '" + soft_masked + "'"} \
      ~{if non_overlapping then "--non-overlapping" else ""} \
      ~{"--report '" + report + "'"} \
      ~{"--p-value '" + p_value + "'"} \
      ~{"--score '" + score + "'"} \
      ~{"--relative '" + relative + "'"} \
      ~{if length(region) > 0 then "--region '" else ""}~{sep="' --region '" region}~{if length(region) > 0 then "'" else ""} \
      ~{"--regions-file '" + regions_file + "'"} \
      ~{if strict_regions then "--strict-regions" else ""} \
      ~{"--fai '" + fai + "'"} \
      ~{"--gzi '" + gzi + "'"} \
      ~{"--chunk '" + chunk + "'"} \
      ~{"--plan '" + plan + "'"} \
      ~{"--table '" + table + "'"} \
      ~{if per_region then "--per-region" else ""} \
      ~{if count then "--count" else ""} \
      ~{"--max-hits '" + max_hits + "'"} \
      ~{"--format '" + format + "'"} \
      ~{"--columns '" + columns + "'"} \
      ~{if write_index then "--write-index" else ""} \
      ~{if thresholds then "--thresholds" else ""} \
      --output '~{output_name}' \
      ~{"--json '" + json_name + "'"} \
      ~{"--html '" + html_name + "'"} \
      ~{"--compression '" + compression + "'"} \
      ~{"--device '" + device + "'"} \
      ~{"--algorithm '" + algorithm + "'"} \
      --threads ~{threads} \
      ~{if length(sequences) > 0 then "'" else ""}~{sep="' '" sequences}~{if length(sequences) > 0 then "'" else ""}
  >>>

  output {
    File written = output_name
    File? json = json_name
    File? html = html_name
    Array[File] indexes = flatten([glob("*.tbi"), glob("*.csi"), glob("*.bai"), glob("*.crai")])
  }

  runtime {
    docker: docker
    memory: memory
    cpu: threads
  }
}

task basesweep_guides {
  meta {
    description: "Find the off-targets of CRISPR guides; write a table and all places."
  }

  parameter_meta {
    pattern: "A guide of nucleotides and IUPAC codes, or NAME=SEQUENCE; may be repeated."
    pattern_file: "A file of guides: FASTA, a table (TSV, CSV, BED with sequences), one sequence a line, FASTQ, EMBL or GenBank; may be repeated."
    name_column: "Column of the guides' names in tables: a name in the header, or a number from 1."
    pattern_column: "Column of the guides' sequences in tables: a name in the header, or a number from 1."
    pam: "PAM beside a guide, in IUPAC codes; several with commas between (NGG,NAG), the first that matches counts; may be repeated (default: NGG)."
    max_mismatches: "A place has at most N mismatches with its guide (default: 4); the PAM has none."
    pam_side: "Side of the guide that its PAM is on: 3prime as NGG of Cas9 (default), 5prime as TTTV of Cas12a. One of 3prime, 5prime."
    pam_in_guide: "Whether the sequences of the guides hold the PAM, or codes such as NNN in its place (default: auto: see Guides below). One of auto, yes, no."
    design: "The guides are all those of the input, or those in its --region; places count in the whole input."
    guide_length: "With --design: bases of a guide (default: 20)."
    gc: "With --design: leave out guides with less or more percent of G and C."
    max_poly_t: "With --design: leave out guides with a run of more than N T, which end transcription (usual: 3)."
    top: "With --design: write the N guides of each region, or record, with the highest CFD specificity."
    min_specificity: "With --design: leave out guides with a lower CFD specificity, and those without."
    unique: "With --design: leave out guides of which another place, without bulge, has at most N mismatches."
    max_scored: "With --design: guides with more than N places have counts and no scores (default: 10000)."
    cram_reference: "FASTA that CRAM input was written with (default: the one that it holds); nothing is downloaded; with --hits FILE.cram, the reference of the places (default: the input)."
    max_dna_bulges: "Allow one bulge of at most N text bases that the guide lacks (default: 0)."
    max_rna_bulges: "Allow one bulge of at most N guide bases that the text lacks (default: 0), or a DNA bulge."
    seed: "The N guide bases beside the PAM are in no bulge and have at most --seed-mismatches mismatches."
    seed_mismatches: "With --seed: at most N mismatches in the seed (default: 0)."
    soft_masked: "Search lower-case bases as any others (default), or skip places that touch one. One of use, skip."
    region: "Report only hits that start in this region of the input: record, record:from or record:from-to, 1-based, both ends included; may be repeated. A record whose own name ends so is written in braces: {HLA:A:1} or {HLA:A:1}:20-90."
    regions_file: "Report only hits that start in a region of this BED file. Regions of records that the input does not have are left out with a warning, unless all are."
    strict_regions: "Refuse a --regions-file with a record that the input does not have."
    fai: "Index (.fai) of the input (default: the one beside it)."
    gzi: "Index (.gzi) of the BGZF compression of the input (default: the one beside it)."
    chunk: "Work only on chunk i of N of the input; 'basesweep merge' joins the outputs."
    plan: "Chunks to use, a file from 'basesweep plan' (default: plan them in a first pass over the input)."
    hits_all: "With --hits: a row for each kind and size of bulge that a place can have, not one for the place."
    annotate: "Write which features of this GFF3, GTF or BED file, such as genes, places overlap."
    annotate_kind: "With --annotate: only features of this kind (third column of GFF3 and GTF: gene); may be repeated."
    hits_name: "Name of a file. Write every place to this file: TSV, CSV or JSON lines, or BED, SAM, BAM or CRAM, by its name."
    columns: "What is written about a guide, or with --hits a place, in TSV, CSV and JSON lines: columns in this order, with commas between; +NAME adds one to the usual columns, also in BED, GFF3 and FASTA; help lists them, autosql describes BED to genome browsers."
    write_index: "Index the file of places: .tbi beside TSV and BED, .bai beside SAM and BAM, .crai beside CRAM."
    format: "Format of the table (default: from the output's name, else tsv), bed only with --design; places have that of --hits's name. One of tsv, csv, jsonl, bed."
    output_name: "Name of what is written; it chooses the format."
    json_name: "Name of a file. Write a report of the run as JSON."
    html_name: "Name of a file. Write the report as a page with tables and plots, one file of HTML."
    compression: "How hard outputs that are named .gz, and BAM, are compressed: 0 (not at all) to 9 (default: 1 for .gz, 6 for BAM)."
    eqx: "Write = and X instead of M in CIGAR strings."
    read_group: "Add this @RG line, such as '@RG\\tID:x\\tPL:ILLUMINA', to the header and its ID to every place."
    no_PG: "Write no @PG line."
    device: "Device to search on (default: auto)."
    threads: "Number of threads."
    sequences: "FASTA or FASTQ, plain or compressed, .2bit, SAM, BAM or CRAM."
    memory: "Memory of the task."
    docker: "Image with basesweep."
  }

  input {
    Array[String] pattern = []
    Array[File] pattern_file = []
    String? name_column
    String? pattern_column
    Array[String] pam = []
    Int? max_mismatches
    String? pam_side
    String? pam_in_guide
    Boolean design = false
    Int? guide_length
    String? gc
    Int? max_poly_t
    Int? top
    String? min_specificity
    Int? unique
    Int? max_scored
    File? cram_reference
    Int? max_dna_bulges
    Int? max_rna_bulges
    Int? seed
    Int? seed_mismatches
    String? soft_masked
    Array[String] region = []
    File? regions_file
    Boolean strict_regions = false
    File? fai
    File? gzi
    String? chunk
    File? plan
    Boolean hits_all = false
    File? annotate
    Array[String] annotate_kind = []
    String? hits_name
    String? columns
    Boolean write_index = false
    String? format
    String output_name = "guides.tsv"
    String? json_name
    String? html_name
    Int? compression
    Boolean eqx = false
    String? read_group
    Boolean no_PG = false
    String? device
    Int threads = 1
    Array[File] sequences = []
    String memory = "4 GB"
    String docker = "quay.io/biocontainers/basesweep:1.0.0rc1--0"
  }

  command <<<
    set -e
    basesweep guides \
      ~{if length(pattern) > 0 then "--pattern '" else ""}~{sep="' --pattern '" pattern}~{if length(pattern) > 0 then "'" else ""} \
      ~{if length(pattern_file) > 0 then "--pattern-file '" else ""}~{sep="' --pattern-file '" pattern_file}~{if length(pattern_file) > 0 then "'" else ""} \
      ~{"--name-column '" + name_column + "'"} \
      ~{"--pattern-column '" + pattern_column + "'"} \
      ~{if length(pam) > 0 then "--pam '" else ""}~{sep="' --pam '" pam}~{if length(pam) > 0 then "'" else ""} \
      ~{"--max-mismatches '" + max_mismatches + "'"} \
      ~{"--pam-side '" + pam_side + "'"} \
      ~{"--pam-in-guide '" + pam_in_guide + "'"} \
      ~{if design then "--design" else ""} \
      ~{"--guide-length '" + guide_length + "'"} \
      ~{"--gc '" + gc + "'"} \
      ~{"--max-poly-t '" + max_poly_t + "'"} \
      ~{"--top '" + top + "'"} \
      ~{"--min-specificity '" + min_specificity + "'"} \
      ~{"--unique '" + unique + "'"} \
      ~{"--max-scored '" + max_scored + "'"} \
      ~{"--cram-reference '" + cram_reference + "'"} \
      ~{"--max-dna-bulges '" + max_dna_bulges + "'"} \
      ~{"--max-rna-bulges '" + max_rna_bulges + "'"} \
      ~{"--seed '" + seed + "'"} \
      ~{"--seed-mismatches '" + seed_mismatches + "'"} \
      ~{"--soft-masked '" + soft_masked + "'"} \
      ~{if length(region) > 0 then "--region '" else ""}~{sep="' --region '" region}~{if length(region) > 0 then "'" else ""} \
      ~{"--regions-file '" + regions_file + "'"} \
      ~{if strict_regions then "--strict-regions" else ""} \
      ~{"--fai '" + fai + "'"} \
      ~{"--gzi '" + gzi + "'"} \
      ~{"--chunk '" + chunk + "'"} \
      ~{"--plan '" + plan + "'"} \
      ~{if hits_all then "--hits-all" else ""} \
      ~{"--annotate '" + annotate + "'"} \
      ~{if length(annotate_kind) > 0 then "--annotate-kind '" else ""}~{sep="' --annotate-kind '" annotate_kind}~{if length(annotate_kind) > 0 then "'" else ""} \
      ~{"--hits '" + hits_name + "'"} \
      ~{"--columns '" + columns + "'"} \
      ~{if write_index then "--write-index" else ""} \
      ~{"--format '" + format + "'"} \
      --output '~{output_name}' \
      ~{"--json '" + json_name + "'"} \
      ~{"--html '" + html_name + "'"} \
      ~{"--compression '" + compression + "'"} \
      ~{if eqx then "--eqx" else ""} \
      ~{"--read-group '" + read_group + "'"} \
      ~{if no_PG then "--no-PG" else ""} \
      ~{"--device '" + device + "'"} \
      --threads ~{threads} \
      ~{if length(sequences) > 0 then "'" else ""}~{sep="' '" sequences}~{if length(sequences) > 0 then "'" else ""}
  >>>

  output {
    File? hits = hits_name
    File written = output_name
    File? json = json_name
    File? html = html_name
    Array[File] indexes = flatten([glob("*.tbi"), glob("*.csi"), glob("*.bai"), glob("*.crai")])
  }

  runtime {
    docker: docker
    memory: memory
    cpu: threads
  }
}

task basesweep_map {
  meta {
    description: "Place reads with edits on a reference; write SAM, BAM or CRAM."
  }

  parameter_meta {
    reference: "The reference: FASTA, plain or compressed (gzip, BGZF, zstd, bzip2, xz), or .2bit."
    reads1: "First mates of read pairs; may be repeated."
    reads2: "Second mates, in the same order; may be repeated."
    interleaved: "Consecutive reads are mates; SAM, BAM and CRAM say it themselves (FLAG 1)."
    cram_reference: "FASTA that CRAM input was written with (default: the one that it holds); nothing is downloaded."
    edits: "Maximum number of edits: mismatches, insertions and deletions."
    error_rate: "Maximum number of edits as a fraction (0.1, or 10%) of the read's length, rounded down."
    report: "Which places to report (default: best). One of best, sites, all."
    strand: "Strands of the reference to search (default: both); + and - are short for plus and minus. One of both, plus, minus."
    insert: "Template length of a proper pair (default: 0,1000)."
    region: "Report only hits that start in this region of the reference: record, record:from or record:from-to, 1-based, both ends included; may be repeated. A record whose own name ends so is written in braces: {HLA:A:1} or {HLA:A:1}:20-90."
    regions_file: "Report only hits that start in a region of this BED file. Regions of records that the reference does not have are left out with a warning, unless all are."
    strict_regions: "Refuse a --regions-file with a record that the reference does not have."
    fai: "Index (.fai) of the reference (default: the one beside it)."
    gzi: "Index (.gzi) of the BGZF compression of the reference (default: the one beside it)."
    chunk: "Work only on chunk i of N of the input; 'basesweep merge' joins the outputs."
    plan: "Chunks to use, a file from 'basesweep plan' (default: plan them in a first pass over the input)."
    format: "Output format (default: from the output's name, else sam). One of sam, bam, cram."
    secondary: "Print at most N secondary alignments per read; N may end in k, M or G (1k: 1,000)."
    hits_only: "Print no unmapped reads."
    output_name: "Name of what is written; it chooses the format."
    json_name: "Name of a file. Write a report of the run as JSON."
    html_name: "Name of a file. Write the report as a page with tables and plots, one file of HTML."
    compression: "How hard outputs that are named .gz, and BAM, are compressed: 0 (not at all) to 9 (default: 1 for .gz, 6 for BAM)."
    md5: "Add the MD5 digest of each reference record (M5) to the header."
    eqx: "Write = and X instead of M in CIGAR strings."
    read_group: "Add this @RG line, such as '@RG\\tID:x\\tPL:ILLUMINA', to the header and its ID to every record."
    no_PG: "Write no @PG line."
    keep_tags: "Copy these tags of reads (RG,BC) to all their records; RG brings the @RG lines of SAM, BAM and CRAM along."
    device: "Device to search on (default: auto)."
    algorithm: "Search algorithm (default: auto). One of auto, hmm, myers, bitsliced."
    threads: "Number of threads."
    reads: "FASTQ or FASTA, plain or compressed, or SAM, BAM or CRAM."
    memory: "Memory of the task."
    docker: "Image with basesweep."
  }

  input {
    File reference
    Array[File] reads1 = []
    Array[File] reads2 = []
    Boolean interleaved = false
    File? cram_reference
    Int? edits
    String? error_rate
    String? report
    String? strand
    String? insert
    Array[String] region = []
    File? regions_file
    Boolean strict_regions = false
    File? fai
    File? gzi
    String? chunk
    File? plan
    String? format
    Int? secondary
    Boolean hits_only = false
    String output_name = "reads.bam"
    String? json_name
    String? html_name
    Int? compression
    Boolean md5 = false
    Boolean eqx = false
    String? read_group
    Boolean no_PG = false
    String? keep_tags
    String? device
    String? algorithm
    Int threads = 1
    Array[File] reads = []
    String memory = "4 GB"
    String docker = "quay.io/biocontainers/basesweep:1.0.0rc1--0"
  }

  command <<<
    set -e
    basesweep map \
      ~{"--reference '" + reference + "'"} \
      ~{if length(reads1) > 0 then "--reads1 '" else ""}~{sep="' --reads1 '" reads1}~{if length(reads1) > 0 then "'" else ""} \
      ~{if length(reads2) > 0 then "--reads2 '" else ""}~{sep="' --reads2 '" reads2}~{if length(reads2) > 0 then "'" else ""} \
      ~{if interleaved then "--interleaved" else ""} \
      ~{"--cram-reference '" + cram_reference + "'"} \
      ~{"--edits '" + edits + "'"} \
      ~{"--error-rate '" + error_rate + "'"} \
      ~{"--report '" + report + "'"} \
      ~{"--strand '" + strand + "'"} \
      ~{"--insert '" + insert + "'"} \
      ~{if length(region) > 0 then "--region '" else ""}~{sep="' --region '" region}~{if length(region) > 0 then "'" else ""} \
      ~{"--regions-file '" + regions_file + "'"} \
      ~{if strict_regions then "--strict-regions" else ""} \
      ~{"--fai '" + fai + "'"} \
      ~{"--gzi '" + gzi + "'"} \
      ~{"--chunk '" + chunk + "'"} \
      ~{"--plan '" + plan + "'"} \
      ~{"--format '" + format + "'"} \
      ~{"--secondary '" + secondary + "'"} \
      ~{if hits_only then "--hits-only" else ""} \
      --output '~{output_name}' \
      ~{"--json '" + json_name + "'"} \
      ~{"--html '" + html_name + "'"} \
      ~{"--compression '" + compression + "'"} \
      ~{if md5 then "--md5" else ""} \
      ~{if eqx then "--eqx" else ""} \
      ~{"--read-group '" + read_group + "'"} \
      ~{if no_PG then "--no-PG" else ""} \
      ~{"--keep-tags '" + keep_tags + "'"} \
      ~{"--device '" + device + "'"} \
      ~{"--algorithm '" + algorithm + "'"} \
      --threads ~{threads} \
      ~{if length(reads) > 0 then "'" else ""}~{sep="' '" reads}~{if length(reads) > 0 then "'" else ""}
  >>>

  output {
    File written = output_name
    File? json = json_name
    File? html = html_name
  }

  runtime {
    docker: docker
    memory: memory
    cpu: threads
  }
}

task basesweep_demux {
  meta {
    description: "Sort reads by the barcodes of samples."
  }

  parameter_meta {
    sheet: "The sample sheet, TSV or CSV with column names: sample, barcode, and barcode2, left, right, left2, right2, edits, structure; or Illumina's SampleSheet.csv."
    structure: "The read structure, which says where barcodes are, as 8B12M+T; of pairs twice, first and second mates; or once a geometry, as 1{b[16]u[12]}2{r:}."
    list: "The cell barcodes that may be, one per line: of b<NAME> in a geometry, or of C and b."
    no_posterior: "Correct cell barcodes without their counts, and read the input once."
    kit: "Kit of the barcodes, for flanks, names or structure; help lists all."
    reads1: "First mates of read pairs; may be repeated."
    reads2: "Second mates, in the same order; may be repeated."
    interleaved: "Consecutive reads are mates; SAM, BAM and CRAM say it themselves (FLAG 1)."
    cram_reference: "FASTA that CRAM input was written with (default: the one that it holds); nothing is downloaded."
    drop_alignment: "Take the reads of aligned SAM, BAM and CRAM as they came from the sequencer, without their alignments."
    error_rate: "A barcode with its flanks has at most this many edits per base (default: 0.30; less for short barcodes)."
    edits: "A barcode with its flanks has at most N edits; with a structure: a barcode has at most N mismatches (default: 1)."
    context: "Search a barcode with so many bases of each flank, where the sheet has flanks (default: 20)."
    window: "Search barcodes in so many bases at the ends of reads (default: 150)."
    anywhere: "Search whole reads; reads with barcodes of two samples are of none."
    margin: "The next best sample has at least N edits more (default: 2)."
    either_end: "One of the two barcodes of a sample is enough."
    strand: "Orientations of reads that are searched, of pairs with mates exchanged (default: both; of pairs plus); + and - are short for plus and minus. One of both, plus, minus."
    chunk: "Work only on chunk i of N of the input; 'basesweep merge' joins the outputs."
    plan: "Chunks to use, a file from 'basesweep plan' (default: plan them in a first pass over the input)."
    output_name: "Name of what is written; it chooses the format."
    format: "Format of the reads (default: bam of SAM, BAM and CRAM, fasta of FASTA, else fastq.gz). One of fastq.gz, fastq, bam, sam, fasta."
    name: "Names of the files, without ending, with {sample} for the sample (default: {sample}); _R1 and _R2 come after the names of mates."
    table_name: "Name of a file. Write a table with a row for each read."
    force: "Replace files that are there."
    orient: "Write all reads in the orientation of the sheet: the reverse complement of those on strand -; of pairs the mates are exchanged."
    no_trim: "Keep barcodes and their flanks in the reads."
    unassigned: "Write the reads of no sample to the file unassigned (default: yes). One of yes, no."
    json_name: "Name of a file. Write a report of the run as JSON."
    html_name: "Name of a file. Write the report as a page with tables and plots, one file of HTML."
    compression: "How hard outputs that are named .gz, and BAM, are compressed: 0 (not at all) to 9 (default: 1 for .gz, 6 for BAM)."
    device: "Device to search on (default: auto)."
    threads: "Number of threads."
    reads: "FASTQ or FASTA, plain or compressed, or unaligned SAM, BAM or CRAM."
    memory: "Memory of the task."
    docker: "Image with basesweep."
  }

  input {
    File? sheet
    Array[String] structure = []
    Array[File] list = []
    Boolean no_posterior = false
    String? kit
    Array[File] reads1 = []
    Array[File] reads2 = []
    Boolean interleaved = false
    File? cram_reference
    Boolean drop_alignment = false
    String? error_rate
    Int? edits
    Int? context
    Int? window
    Boolean anywhere = false
    Int? margin
    Boolean either_end = false
    String? strand
    String? chunk
    File? plan
    String output_name = "samples"
    String? format
    String? name
    String? table_name
    Boolean force = false
    Boolean orient = false
    Boolean no_trim = false
    String? unassigned
    String? json_name
    String? html_name
    Int? compression
    String? device
    Int threads = 1
    Array[File] reads = []
    String memory = "4 GB"
    String docker = "quay.io/biocontainers/basesweep:1.0.0rc1--0"
  }

  command <<<
    set -e
    basesweep demux \
      ~{"--sheet '" + sheet + "'"} \
      ~{if length(structure) > 0 then "--structure '" else ""}~{sep="' --structure '" structure}~{if length(structure) > 0 then "'" else ""} \
      ~{if length(list) > 0 then "--list '" else ""}~{sep="' --list '" list}~{if length(list) > 0 then "'" else ""} \
      ~{if no_posterior then "--no-posterior" else ""} \
      ~{"--kit '" + kit + "'"} \
      ~{if length(reads1) > 0 then "--reads1 '" else ""}~{sep="' --reads1 '" reads1}~{if length(reads1) > 0 then "'" else ""} \
      ~{if length(reads2) > 0 then "--reads2 '" else ""}~{sep="' --reads2 '" reads2}~{if length(reads2) > 0 then "'" else ""} \
      ~{if interleaved then "--interleaved" else ""} \
      ~{"--cram-reference '" + cram_reference + "'"} \
      ~{if drop_alignment then "--drop-alignment" else ""} \
      ~{"--error-rate '" + error_rate + "'"} \
      ~{"--edits '" + edits + "'"} \
      ~{"--context '" + context + "'"} \
      ~{"--window '" + window + "'"} \
      ~{if anywhere then "--anywhere" else ""} \
      ~{"--margin '" + margin + "'"} \
      ~{if either_end then "--either-end" else ""} \
      ~{"--strand '" + strand + "'"} \
      ~{"--chunk '" + chunk + "'"} \
      ~{"--plan '" + plan + "'"} \
      --output '~{output_name}' \
      ~{"--format '" + format + "'"} \
      ~{"--name '" + name + "'"} \
      ~{"--table '" + table_name + "'"} \
      ~{if force then "--force" else ""} \
      ~{if orient then "--orient" else ""} \
      ~{if no_trim then "--no-trim" else ""} \
      ~{"--unassigned '" + unassigned + "'"} \
      ~{"--json '" + json_name + "'"} \
      ~{"--html '" + html_name + "'"} \
      ~{"--compression '" + compression + "'"} \
      ~{"--device '" + device + "'"} \
      --threads ~{threads} \
      ~{if length(reads) > 0 then "'" else ""}~{sep="' '" reads}~{if length(reads) > 0 then "'" else ""}
  >>>

  output {
    Array[File] written = glob("~{output_name}/*")
    File? table = table_name
    File? json = json_name
    File? html = html_name
  }

  runtime {
    docker: docker
    memory: memory
    cpu: threads
  }
}

task basesweep_trim {
  meta {
    description: "Cut adapters and bad ends from reads."
  }

  parameter_meta {
    adapter: "A 3' adapter: it is cut with all that comes after it; ADAPTER$ and ADAPTERX are at the end of reads."
    adapter_file: "The same from a file. A 3' adapter: it is cut with all that comes after it; ADAPTER$ and ADAPTERX are at the end of reads."
    front: "A 5' adapter: it is cut with all that comes before it; ^ADAPTER and XADAPTER are at the start of reads."
    front_file: "The same from a file. A 5' adapter: it is cut with all that comes before it; ^ADAPTER and XADAPTER are at the start of reads."
    anywhere: "An adapter that is cut as a 5' adapter if it begins with the first base of a read, else as a 3' adapter."
    anywhere_file: "The same from a file. An adapter that is cut as a 5' adapter if it begins with the first base of a read, else as a 3' adapter."
    second_adapter: "As -a of second mates."
    second_adapter_file: "The same from a file. As -a of second mates."
    second_front: "As -g of second mates."
    second_front_file: "The same from a file. As -g of second mates."
    second_anywhere: "As -b of second mates."
    second_anywhere_file: "The same from a file. As -b of second mates."
    primers: "Cut the primers of an amplicon scheme: BED with 6 columns, or 7 with sequences, as ARTIC has it. Of aligned SAM, BAM and CRAM they are clipped by their places."
    reference: "FASTA with the sequence of the scheme's places, for primers without sequence."
    primer_tolerance: "A primer may begin N bases after the start of a read, or an alignment N bases before the primer (default: 5)."
    reads1: "First mates of read pairs; may be repeated."
    reads2: "Second mates, in the same order; may be repeated."
    interleaved: "Consecutive reads are mates; SAM, BAM and CRAM say it themselves (FLAG 1)."
    cram_reference: "FASTA that CRAM input was written with (default: the one that it holds); nothing is downloaded."
    drop_alignment: "Take the reads of aligned SAM, BAM and CRAM as they came from the sequencer, without their alignments."
    error_rate: "Errors that an adapter may have per base, or if N is at least 1, in a whole adapter (default: 0.1)."
    overlap: "Least bases of an adapter at an end of a read (default: 3)."
    no_indels: "Errors are mismatches only."
    times: "Cut up to N adapters from a read, one after another (default: 1)."
    match_read_wildcards: "IUPAC letters of reads match their bases."
    action: "Where an adapter is found, cut it with all on its side (trim, default), cut what is on its side only (retain), write N (mask) or lower case in place of cutting, keep the adapter only (crop), or change nothing. One of trim, retain, mask, lowercase, crop, none."
    revcomp: "Look for adapters in the reverse complement of reads too, and write it, with ' rc' after its title, where they match better; of pairs the mates are exchanged."
    pair_adapters: "Cut the first adapters of -a, -g, -b and -A, -G, -B from both mates or from none, the second ones likewise."
    by_overlap: "Cut pairs where their fragment ends by the overlap of mates, together with adapters (default: yes if no adapter is given; else it needs 3' adapters). One of yes, no."
    cut: "Before all else, cut N bases from the start of reads, or if N is below 0, from the end; may be given for both ends."
    second_cut: "As -u of second mates."
    nextseq_trim: "Cut 3' ends by quality, where G counts as less than N (two-colour instruments)."
    quality_cutoff: "Cut ends with qualities below N, before adapters; two numbers: of the 5' and the 3' end."
    second_quality_cutoff: "As -q of second mates (default: as -q)."
    quality_base: "The character of quality 0, 33 or 64 (default: 33)."
    poly_a: "Cut poly-A tails after adapters; of second mates poly-T heads."
    length: "Shorten reads to their first N bases, or if N is below 0, to the last ones."
    second_length: "As -l of second mates (default: as -l)."
    trim_n: "Cut N and . from the ends of reads, last of all."
    minimum_length: "Leave out reads with fewer bases; of pairs, N2 is of second mates (default: 0; 1 with --by-overlap)."
    maximum_length: "Leave out reads with more bases."
    max_n: "Leave out reads with more unknown bases; below 1: with a greater share."
    max_expected_errors: "Leave out reads whose qualities let expect more errors."
    max_aer: "Leave out reads whose qualities let expect more errors per base."
    discard_trimmed: "Leave out reads with an adapter."
    discard_untrimmed: "Leave out reads without an adapter."
    pair_filter: "A pair is left out if any mate would be (default), both, or the first. One of any, both, first."
    chunk: "Work only on chunk i of N of the input; 'basesweep merge' joins the outputs."
    plan: "Chunks to use, a file from 'basesweep plan' (default: plan them in a first pass over the input)."
    output_name: "Name of what is written; it chooses the format."
    format: "Output format (default: from the output's name, else as the input). One of fastq, fasta, sam, bam."
    paired_output_name: "Name of a file. Output file of second mates; without it, mates are written by turns."
    untrimmed_output_name: "Name of a file. Write reads without adapter to this file, not to -o."
    untrimmed_paired_output_name: "Name of a file. The same of second mates."
    too_short_output_name: "Name of a file. Write reads that are too short (-m) to this file."
    too_short_paired_output_name: "Name of a file. The same of second mates."
    too_long_output_name: "Name of a file. Write reads that are too long (-M) to this file."
    too_long_paired_output_name: "Name of a file. The same of second mates."
    table_name: "Name of a file. Write a table with a row for each read."
    json_name: "Name of a file. Write a report of the run as JSON."
    html_name: "Name of a file. Write the report as a page with tables and plots, one file of HTML."
    compression: "How hard outputs that are named .gz, and BAM, are compressed: 0 (not at all) to 9 (default: 1 for .gz, 6 for BAM)."
    device: "Device to search on (default: auto)."
    threads: "Number of threads."
    reads: "FASTQ or FASTA, plain or compressed, or unaligned SAM, BAM or CRAM."
    memory: "Memory of the task."
    docker: "Image with basesweep."
  }

  input {
    Array[String] adapter = []
    Array[File] adapter_file = []
    Array[String] front = []
    Array[File] front_file = []
    Array[String] anywhere = []
    Array[File] anywhere_file = []
    Array[String] second_adapter = []
    Array[File] second_adapter_file = []
    Array[String] second_front = []
    Array[File] second_front_file = []
    Array[String] second_anywhere = []
    Array[File] second_anywhere_file = []
    File? primers
    File? reference
    Int? primer_tolerance
    Array[File] reads1 = []
    Array[File] reads2 = []
    Boolean interleaved = false
    File? cram_reference
    Boolean drop_alignment = false
    String? error_rate
    Int? overlap
    Boolean no_indels = false
    Int? times
    Boolean match_read_wildcards = false
    String? action
    Boolean revcomp = false
    Boolean pair_adapters = false
    String? by_overlap
    Array[String] cut = []
    Array[String] second_cut = []
    Int? nextseq_trim
    String? quality_cutoff
    String? second_quality_cutoff
    Int? quality_base
    Boolean poly_a = false
    Int? length
    Int? second_length
    Boolean trim_n = false
    String? minimum_length
    String? maximum_length
    String? max_n
    String? max_expected_errors
    String? max_aer
    Boolean discard_trimmed = false
    Boolean discard_untrimmed = false
    String? pair_filter
    String? chunk
    File? plan
    String output_name = "trimmed.fastq.gz"
    String? format
    String? paired_output_name
    String? untrimmed_output_name
    String? untrimmed_paired_output_name
    String? too_short_output_name
    String? too_short_paired_output_name
    String? too_long_output_name
    String? too_long_paired_output_name
    String? table_name
    String? json_name
    String? html_name
    Int? compression
    String? device
    Int threads = 1
    Array[File] reads = []
    String memory = "4 GB"
    String docker = "quay.io/biocontainers/basesweep:1.0.0rc1--0"
  }

  command <<<
    set -e
    basesweep trim \
      ~{if length(adapter) > 0 then "--adapter '" else ""}~{sep="' --adapter '" adapter}~{if length(adapter) > 0 then "'" else ""} \
      ~{if length(adapter_file) > 0 then "--adapter 'file:" else ""}~{sep="' --adapter 'file:" adapter_file}~{if length(adapter_file) > 0 then "'" else ""} \
      ~{if length(front) > 0 then "--front '" else ""}~{sep="' --front '" front}~{if length(front) > 0 then "'" else ""} \
      ~{if length(front_file) > 0 then "--front 'file:" else ""}~{sep="' --front 'file:" front_file}~{if length(front_file) > 0 then "'" else ""} \
      ~{if length(anywhere) > 0 then "--anywhere '" else ""}~{sep="' --anywhere '" anywhere}~{if length(anywhere) > 0 then "'" else ""} \
      ~{if length(anywhere_file) > 0 then "--anywhere 'file:" else ""}~{sep="' --anywhere 'file:" anywhere_file}~{if length(anywhere_file) > 0 then "'" else ""} \
      ~{if length(second_adapter) > 0 then "-A '" else ""}~{sep="' -A '" second_adapter}~{if length(second_adapter) > 0 then "'" else ""} \
      ~{if length(second_adapter_file) > 0 then "-A 'file:" else ""}~{sep="' -A 'file:" second_adapter_file}~{if length(second_adapter_file) > 0 then "'" else ""} \
      ~{if length(second_front) > 0 then "-G '" else ""}~{sep="' -G '" second_front}~{if length(second_front) > 0 then "'" else ""} \
      ~{if length(second_front_file) > 0 then "-G 'file:" else ""}~{sep="' -G 'file:" second_front_file}~{if length(second_front_file) > 0 then "'" else ""} \
      ~{if length(second_anywhere) > 0 then "-B '" else ""}~{sep="' -B '" second_anywhere}~{if length(second_anywhere) > 0 then "'" else ""} \
      ~{if length(second_anywhere_file) > 0 then "-B 'file:" else ""}~{sep="' -B 'file:" second_anywhere_file}~{if length(second_anywhere_file) > 0 then "'" else ""} \
      ~{"--primers '" + primers + "'"} \
      ~{"--reference '" + reference + "'"} \
      ~{"--primer-tolerance '" + primer_tolerance + "'"} \
      ~{if length(reads1) > 0 then "--reads1 '" else ""}~{sep="' --reads1 '" reads1}~{if length(reads1) > 0 then "'" else ""} \
      ~{if length(reads2) > 0 then "--reads2 '" else ""}~{sep="' --reads2 '" reads2}~{if length(reads2) > 0 then "'" else ""} \
      ~{if interleaved then "--interleaved" else ""} \
      ~{"--cram-reference '" + cram_reference + "'"} \
      ~{if drop_alignment then "--drop-alignment" else ""} \
      ~{"--error-rate '" + error_rate + "'"} \
      ~{"--overlap '" + overlap + "'"} \
      ~{if no_indels then "--no-indels" else ""} \
      ~{"--times '" + times + "'"} \
      ~{if match_read_wildcards then "--match-read-wildcards" else ""} \
      ~{"--action '" + action + "'"} \
      ~{if revcomp then "--revcomp" else ""} \
      ~{if pair_adapters then "--pair-adapters" else ""} \
      ~{"--by-overlap '" + by_overlap + "'"} \
      ~{if length(cut) > 0 then "--cut '" else ""}~{sep="' --cut '" cut}~{if length(cut) > 0 then "'" else ""} \
      ~{if length(second_cut) > 0 then "-U '" else ""}~{sep="' -U '" second_cut}~{if length(second_cut) > 0 then "'" else ""} \
      ~{"--nextseq-trim '" + nextseq_trim + "'"} \
      ~{"--quality-cutoff '" + quality_cutoff + "'"} \
      ~{"-Q '" + second_quality_cutoff + "'"} \
      ~{"--quality-base '" + quality_base + "'"} \
      ~{if poly_a then "--poly-a" else ""} \
      ~{"--length '" + length + "'"} \
      ~{"-L '" + second_length + "'"} \
      ~{if trim_n then "--trim-n" else ""} \
      ~{"--minimum-length '" + minimum_length + "'"} \
      ~{"--maximum-length '" + maximum_length + "'"} \
      ~{"--max-n '" + max_n + "'"} \
      ~{"--max-expected-errors '" + max_expected_errors + "'"} \
      ~{"--max-aer '" + max_aer + "'"} \
      ~{if discard_trimmed then "--discard-trimmed" else ""} \
      ~{if discard_untrimmed then "--discard-untrimmed" else ""} \
      ~{"--pair-filter '" + pair_filter + "'"} \
      ~{"--chunk '" + chunk + "'"} \
      ~{"--plan '" + plan + "'"} \
      --output '~{output_name}' \
      ~{"--format '" + format + "'"} \
      ~{"--paired-output '" + paired_output_name + "'"} \
      ~{"--untrimmed-output '" + untrimmed_output_name + "'"} \
      ~{"--untrimmed-paired-output '" + untrimmed_paired_output_name + "'"} \
      ~{"--too-short-output '" + too_short_output_name + "'"} \
      ~{"--too-short-paired-output '" + too_short_paired_output_name + "'"} \
      ~{"--too-long-output '" + too_long_output_name + "'"} \
      ~{"--too-long-paired-output '" + too_long_paired_output_name + "'"} \
      ~{"--table '" + table_name + "'"} \
      ~{"--json '" + json_name + "'"} \
      ~{"--html '" + html_name + "'"} \
      ~{"--compression '" + compression + "'"} \
      ~{"--device '" + device + "'"} \
      --threads ~{threads} \
      ~{if length(reads) > 0 then "'" else ""}~{sep="' '" reads}~{if length(reads) > 0 then "'" else ""}
  >>>

  output {
    File written = output_name
    File? paired_output = paired_output_name
    File? untrimmed_output = untrimmed_output_name
    File? untrimmed_paired_output = untrimmed_paired_output_name
    File? too_short_output = too_short_output_name
    File? too_short_paired_output = too_short_paired_output_name
    File? too_long_output = too_long_output_name
    File? too_long_paired_output = too_long_paired_output_name
    File? table = table_name
    File? json = json_name
    File? html = html_name
  }

  runtime {
    docker: docker
    memory: memory
    cpu: threads
  }
}

task basesweep_count {
  meta {
    description: "Count the reads of guides or barcodes; write a table of samples."
  }

  parameter_meta {
    library: "The guides or features: a table or FASTA, plain or compressed."
    duplicates: "Guides with equal sequences: an error (refuse, default), or one guide with the names of all (merge). One of refuse, merge."
    mate: "The mate of pairs that holds the guide (default: 1)."
    reads1: "First mates of read pairs; may be repeated."
    reads2: "Second mates, in the same order; may be repeated."
    interleaved: "Consecutive reads are mates; SAM, BAM and CRAM say it themselves (FLAG 1)."
    cram_reference: "FASTA that CRAM input was written with (default: the one that it holds); nothing is downloaded."
    drop_alignment: "Take the reads of aligned SAM, BAM and CRAM as they came from the sequencer, without their alignments."
    sample: "Name of a sample, once for each file of reads in their order; files with one name are added up (default: the names of the files)."
    samples: "A file with these names, one per line."
    edits: "Count reads with up to N edits of a guide: mismatches, inserted or deleted bases."
    mismatches: "Count reads with up to N mismatches to a guide, and no indels (default: 1)."
    strand: "Strands of reads on which guides are (default: plus); + and - are short for plus and minus. One of both, plus, minus."
    at: "Where guides begin in reads, 0-based, as 23 or 0-7 (default: found from the first reads)."
    structure: "The read structure, whose insert (T, r) has the guide, and whose UMIs (M, u) count once, as 8B12M+T; of pairs twice, first and second mates; or once a geometry, as 1{b[16]u[12]}2{r:}."
    chunk: "Work only on chunk i of N of the input; 'basesweep merge' joins the outputs."
    plan: "Chunks to use, a file from 'basesweep plan' (default: plan them in a first pass over the input)."
    output_name: "Name of what is written; it chooses the format."
    format: "Output format (default: from the output's name, else tsv). One of tsv, csv, mageck."
    summary_name: "Name of a file. Write the totals of each sample to this file, as TSV."
    json_name: "Name of a file. Write a report of the run as JSON."
    html_name: "Name of a file. Write the report as a page with tables and plots, one file of HTML."
    compression: "How hard outputs that are named .gz, and BAM, are compressed: 0 (not at all) to 9 (default: 1 for .gz, 6 for BAM)."
    device: "Device to search on (default: auto)."
    threads: "Number of threads."
    reads: "FASTQ or FASTA, plain or compressed, or unaligned SAM, BAM or CRAM."
    memory: "Memory of the task."
    docker: "Image with basesweep."
  }

  input {
    File library
    String? duplicates
    Int? mate
    Array[File] reads1 = []
    Array[File] reads2 = []
    Boolean interleaved = false
    File? cram_reference
    Boolean drop_alignment = false
    Array[String] sample = []
    File? samples
    Int? edits
    Int? mismatches
    String? strand
    String? at
    Array[String] structure = []
    String? chunk
    File? plan
    String output_name = "counts.tsv"
    String? format
    String? summary_name
    String? json_name
    String? html_name
    Int? compression
    String? device
    Int threads = 1
    Array[File] reads = []
    String memory = "4 GB"
    String docker = "quay.io/biocontainers/basesweep:1.0.0rc1--0"
  }

  command <<<
    set -e
    basesweep count \
      ~{"--library '" + library + "'"} \
      ~{"--duplicates '" + duplicates + "'"} \
      ~{"--mate '" + mate + "'"} \
      ~{if length(reads1) > 0 then "--reads1 '" else ""}~{sep="' --reads1 '" reads1}~{if length(reads1) > 0 then "'" else ""} \
      ~{if length(reads2) > 0 then "--reads2 '" else ""}~{sep="' --reads2 '" reads2}~{if length(reads2) > 0 then "'" else ""} \
      ~{if interleaved then "--interleaved" else ""} \
      ~{"--cram-reference '" + cram_reference + "'"} \
      ~{if drop_alignment then "--drop-alignment" else ""} \
      ~{if length(sample) > 0 then "--sample '" else ""}~{sep="' --sample '" sample}~{if length(sample) > 0 then "'" else ""} \
      ~{"--samples '" + samples + "'"} \
      ~{"--edits '" + edits + "'"} \
      ~{"--mismatches '" + mismatches + "'"} \
      ~{"--strand '" + strand + "'"} \
      ~{"--at '" + at + "'"} \
      ~{if length(structure) > 0 then "--structure '" else ""}~{sep="' --structure '" structure}~{if length(structure) > 0 then "'" else ""} \
      ~{"--chunk '" + chunk + "'"} \
      ~{"--plan '" + plan + "'"} \
      --output '~{output_name}' \
      ~{"--format '" + format + "'"} \
      ~{"--summary '" + summary_name + "'"} \
      ~{"--json '" + json_name + "'"} \
      ~{"--html '" + html_name + "'"} \
      ~{"--compression '" + compression + "'"} \
      ~{"--device '" + device + "'"} \
      --threads ~{threads} \
      ~{if length(reads) > 0 then "'" else ""}~{sep="' '" reads}~{if length(reads) > 0 then "'" else ""}
  >>>

  output {
    File written = output_name
    File? summary = summary_name
    File? json = json_name
    File? html = html_name
  }

  runtime {
    docker: docker
    memory: memory
    cpu: threads
  }
}

task basesweep_plan {
  meta {
    description: "Cut an input into chunks, one per job; write a table of them."
  }

  parameter_meta {
    cram_reference: "FASTA that CRAM input was written with (default: the one that it holds); nothing is downloaded."
    chunks: "Number of chunks."
    reads: "Cut FASTA at records: for pairs, and for map, demux, trim and count."
    region: "Report only hits that start in this region of the input: record, record:from or record:from-to, 1-based, both ends included; may be repeated. A record whose own name ends so is written in braces: {HLA:A:1} or {HLA:A:1}:20-90."
    regions_file: "Report only hits that start in a region of this BED file. Regions of records that the input does not have are left out with a warning, unless all are."
    strict_regions: "Refuse a --regions-file with a record that the input does not have."
    fai: "Index (.fai) of the input (default: the one beside it)."
    gzi: "Index (.gzi) of the BGZF compression of the input (default: the one beside it)."
    write_index: "First write the index (.fai; for BGZF also .gzi) beside the input."
    output_name: "Name of what is written; it chooses the format."
    threads: "Number of threads."
    sequences: "FASTA or FASTQ, plain or compressed (gzip, BGZF, zstd, bzip2, xz), .2bit, SAM, BAM or CRAM."
    memory: "Memory of the task."
    docker: "Image with basesweep."
  }

  input {
    File? cram_reference
    Int chunks
    Boolean reads = false
    Array[String] region = []
    File? regions_file
    Boolean strict_regions = false
    File? fai
    File? gzi
    Boolean write_index = false
    String output_name = "plan.tsv"
    Int threads = 1
    Array[File] sequences
    String memory = "4 GB"
    String docker = "quay.io/biocontainers/basesweep:1.0.0rc1--0"
  }

  command <<<
    set -e
    basesweep plan \
      ~{"--cram-reference '" + cram_reference + "'"} \
      ~{"--chunks '" + chunks + "'"} \
      ~{if reads then "--reads" else ""} \
      ~{if length(region) > 0 then "--region '" else ""}~{sep="' --region '" region}~{if length(region) > 0 then "'" else ""} \
      ~{"--regions-file '" + regions_file + "'"} \
      ~{if strict_regions then "--strict-regions" else ""} \
      ~{"--fai '" + fai + "'"} \
      ~{"--gzi '" + gzi + "'"} \
      ~{if write_index then "--write-index" else ""} \
      --output '~{output_name}' \
      --threads ~{threads} \
      ~{if length(sequences) > 0 then "'" else ""}~{sep="' '" sequences}~{if length(sequences) > 0 then "'" else ""}
  >>>

  output {
    File written = output_name
  }

  runtime {
    docker: docker
    memory: memory
    cpu: threads
  }
}

task basesweep_merge {
  meta {
    description: "Finish a run: join the parts of all chunks."
  }

  parameter_meta {
    cram_reference: "The reference that CRAM is written with."
    non_overlapping: "Keep only hits that start at or after the end of the last kept one."
    report: "Which hits or products to report. One of sites, minima, best, best-per-record, all."
    best_of: "With --report best-per-record: compare those of each pattern, or all of a record. One of pattern, record."
    format: "Output format, as the command of the parts takes it. One of bed, tsv, csv, jsonl, gff3, fasta, sam, bam, fimo, cram, fastq.gz, fastq, mageck."
    max_hits: "Write the first N hits."
    count: "Print the number of hits or products instead of them."
    columns: "Columns, as the command of the parts takes them."
    write_index: "Index the output: .tbi for BED, TSV and GFF3, .bai for SAM and BAM, .csi for records that are too long for these."
    per_file: "With --count: count those of each input file in rows of their own."
    with_file: "Also print the name of the input file."
    output_name: "Name of what is written; it chooses the format."
    json_name: "Name of a file. Write a report of the whole run as JSON."
    html_name: "Name of a file. Write the report of the whole run as a page with tables and plots."
    compression: "How hard outputs that are named .gz, and BAM, are compressed: 0 (not at all) to 9 (default: 1 for .gz, 6 for BAM)."
    edit_columns: "Add the columns mismatches, insertions and deletions to TSV, named as in CIGAR strings."
    aligned: "Add the columns aligned_pattern and aligned_text to TSV: both as the pattern's strand reads, with - for gaps."
    by_edits: "With --count: add a column for each number of edits, edits_0 to edits_k."
    max_products: "Write the first N products."
    table: "Write the table of pcr in place of products; or, with a file, the table of reads of demux and trim, if chunks had --table."
    table_name: "Name of a file. Write the table of pcr in place of products; or, with a file, the table of reads of demux and trim, if chunks had --table."
    sequence: "What FASTA shows of a product. One of product, amplified, insert."
    hits_name: "Name of a file. Places of guides, which the chunks kept by --hits; the ending chooses the format."
    name: "Names of the files of demux, with {sample} for the sample."
    force: "Replace files that are there in the folder of demux."
    unassigned: "Write the reads of no sample to the file unassigned (default: yes). One of yes, no."
    paired_output_name: "Name of a file. Output file of second mates; without it, mates are written by turns."
    untrimmed_output_name: "Name of a file. Write reads without adapter to this file, not to -o."
    untrimmed_paired_output_name: "Name of a file. The same of second mates."
    too_short_output_name: "Name of a file. Write reads that are too short (-m) to this file."
    too_short_paired_output_name: "Name of a file. The same of second mates."
    too_long_output_name: "Name of a file. Write reads that are too long (-M) to this file."
    too_long_paired_output_name: "Name of a file. The same of second mates."
    summary_name: "Name of a file. Write the totals of each sample to this file, as TSV."
    eqx: "Write = and X instead of M in CIGAR strings."
    read_group: "Write this @RG line and the tag RG."
    no_PG: "Write no @PG line."
    threads: "Number of threads."
    parts: "The parts of all chunks."
    memory: "Memory of the task."
    docker: "Image with basesweep."
  }

  input {
    File? cram_reference
    Boolean non_overlapping = false
    String? report
    String? best_of
    String? format
    Int? max_hits
    Boolean count = false
    String? columns
    Boolean write_index = false
    Boolean per_file = false
    Boolean with_file = false
    String output_name = "hits.bed"
    String? json_name
    String? html_name
    Int? compression
    Boolean edit_columns = false
    Boolean aligned = false
    Boolean by_edits = false
    Int? max_products
    Boolean table = false
    String? table_name
    String? sequence
    String? hits_name
    String? name
    Boolean force = false
    String? unassigned
    String? paired_output_name
    String? untrimmed_output_name
    String? untrimmed_paired_output_name
    String? too_short_output_name
    String? too_short_paired_output_name
    String? too_long_output_name
    String? too_long_paired_output_name
    String? summary_name
    Boolean eqx = false
    String? read_group
    Boolean no_PG = false
    Int threads = 1
    Array[File] parts
    String memory = "4 GB"
    String docker = "quay.io/biocontainers/basesweep:1.0.0rc1--0"
  }

  command <<<
    set -e
    basesweep merge \
      ~{"--cram-reference '" + cram_reference + "'"} \
      ~{if non_overlapping then "--non-overlapping" else ""} \
      ~{"--report '" + report + "'"} \
      ~{"--best-of '" + best_of + "'"} \
      ~{"--format '" + format + "'"} \
      ~{"--max-hits '" + max_hits + "'"} \
      ~{if count then "--count" else ""} \
      ~{"--columns '" + columns + "'"} \
      ~{if write_index then "--write-index" else ""} \
      ~{if per_file then "--per-file" else ""} \
      ~{if with_file then "--with-file" else ""} \
      --output '~{output_name}' \
      ~{"--json '" + json_name + "'"} \
      ~{"--html '" + html_name + "'"} \
      ~{"--compression '" + compression + "'"} \
      ~{if edit_columns then "--edit-columns" else ""} \
      ~{if aligned then "--aligned" else ""} \
      ~{if by_edits then "--by-edits" else ""} \
      ~{"--max-products '" + max_products + "'"} \
      ~{if table then "--table" else ""} \
      ~{"--table='" + table_name + "'"} \
      ~{"--sequence '" + sequence + "'"} \
      ~{"--hits '" + hits_name + "'"} \
      ~{"--name '" + name + "'"} \
      ~{if force then "--force" else ""} \
      ~{"--unassigned '" + unassigned + "'"} \
      ~{"--paired-output '" + paired_output_name + "'"} \
      ~{"--untrimmed-output '" + untrimmed_output_name + "'"} \
      ~{"--untrimmed-paired-output '" + untrimmed_paired_output_name + "'"} \
      ~{"--too-short-output '" + too_short_output_name + "'"} \
      ~{"--too-short-paired-output '" + too_short_paired_output_name + "'"} \
      ~{"--too-long-output '" + too_long_output_name + "'"} \
      ~{"--too-long-paired-output '" + too_long_paired_output_name + "'"} \
      ~{"--summary '" + summary_name + "'"} \
      ~{if eqx then "--eqx" else ""} \
      ~{"--read-group '" + read_group + "'"} \
      ~{if no_PG then "--no-PG" else ""} \
      --threads ~{threads} \
      ~{if length(parts) > 0 then "'" else ""}~{sep="' '" parts}~{if length(parts) > 0 then "'" else ""}
  >>>

  output {
    File written = output_name
    File? json = json_name
    File? html = html_name
    File? table_file = table_name
    File? hits = hits_name
    File? paired_output = paired_output_name
    File? untrimmed_output = untrimmed_output_name
    File? untrimmed_paired_output = untrimmed_paired_output_name
    File? too_short_output = too_short_output_name
    File? too_short_paired_output = too_short_paired_output_name
    File? too_long_output = too_long_output_name
    File? too_long_paired_output = too_long_paired_output_name
    File? summary = summary_name
    Array[File] indexes = flatten([glob("*.tbi"), glob("*.csi"), glob("*.bai"), glob("*.crai")])
  }

  runtime {
    docker: docker
    memory: memory
    cpu: threads
  }
}
