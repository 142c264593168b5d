#!/usr/bin/env bash
# From a fresh checkout to hits: installs missing packages, builds, searches a small genome for ten motifs and a primer,
# maps some reads, and prints the results.
#
#   scripts/demo.sh [GENOME]   GENOME: a FASTA or FASTQ file, plain or gzipped; default test-data/lambda.fa.gz
set -euo pipefail
genome="${1:+"$(realpath -- "$1")"}"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
genome="${genome:-test-data/lambda.fa.gz}"
[ -r "$genome" ] || { echo "demo: cannot read $genome" >&2; exit 1; }

echo "== 1. packages"
scripts/setup.sh

echo "== 2. program"
scripts/build.sh dev basesweep

folder="$(mktemp -d "${TMPDIR:-/tmp}/basesweep-demo.XXXXXX")"
show() { echo "\$ $*"; "$@"; }

echo "== 3. sweep"
show build/dev/basesweep motif -f test-data/motifs.fa "$genome" -o "$folder/hits.bed"

echo "== first of $(wc -l <"$folder/hits.bed") hits: record, start, end, motif, score, strand"
head -n 10 "$folder/hits.bed"

echo "== hits of each motif on each strand"
show build/dev/basesweep motif -f test-data/motifs.fa "$genome" --count -o "$folder/counts.tsv"
cat "$folder/counts.tsv"

echo "== a primer with up to five edits, on both strands"
show build/dev/basesweep match -p GGGCGGCGACCTCGCGGGTT -k 5 "$genome" --format tsv

echo "== eight reads of phage lambda with a letter changed, mapped back"
gzip -dc test-data/lambda.fa.gz |
  awk 'NR % 80 == 2 && n < 8 { $0 = substr($0, 1, 60); sub(/A/, "C"); print ">read_" ++n "\n" $0 }' >"$folder/reads.fa"
show build/dev/basesweep map -r test-data/lambda.fa.gz -k 2 "$folder/reads.fa" --no-PG

echo "== written: $folder/hits.bed $folder/counts.tsv"
