#!/usr/bin/env python3
"""Measures whole libraries on a text of the size of a human genome, on GPU and CPU, and keeps the rows for docs/benchmarks.md.

    measure_libraries.py BINARY GENOME MATRICES FOLDER OUT.json [--runs N] [--job TEXT]

GENOME: the program of scripts/genome.cpp. MATRICES: a JASPAR file. FOLDER: a new one for texts (4 GB), best in memory. Each job runs N
times (default 3) on each device, in turn, those on the CPU at most once if they take long; the medians of whole processes count. The outputs
of a job must have the same bytes. Exits with 1 if they do not. OUT.json becomes docs/measurements/libraries.json; put the commit into it.
"""
import argparse
import datetime
import hashlib
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time

BASES = 3_100_000_000
LONG = 8  # seconds
DEVICES = ("gpu", "cpu")
# What it is, the command with {} for the folder, and the name of the output. The CPU is left out where it takes minutes.
JOBS = [
    ("guides: 100,000 x 20 NGG, 4 mismatches, table", "guides -f {}/guides.tsv -m 4", "out.tsv", DEVICES),
    ("guides: the same with a bulge of one base of DNA or RNA", "guides -f {}/guides.tsv -m 4 --max-dna-bulges 1 --max-rna-bulges 1", "out.tsv", ("gpu",)),
    ("guides: the same with 6 mismatches", "guides -f {}/guides.tsv -m 6", "out.tsv", ("gpu",)),
    ("match: 100,000 x 20, 3 mismatches, BED", "match -f {}/guides.tsv -k 3 --max-indels 0 --format bed", "out.bed", DEVICES),
    ("match: 312 x 23, k = 3, BED", "match -f {}/primers.tsv -k 3 --format bed", "out.bed", DEVICES),
    ("pcr: 25,000 pairs, k = 2, 3' clamp of 3", "pcr -f {}/pairs.tsv -k 2 --clamp-3prime 3", "out.tsv", ("gpu",)),
    ("pwm: all matrices, p = 1e-4, counts", "pwm -m {}/matrices -p 1e-4 --count", "out.tsv", DEVICES),
    ("pwm: all matrices, p = 1e-6, BED.gz", "pwm -m {}/matrices -p 1e-6", "out.bed.gz", DEVICES),
]


def make_files(options):
    rng = random.Random(5)
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)

    def table(name, header, count, lengths):
        rows = ("\t".join([f"n{i}"] + ["".join(rng.choices("ACGT", k=length)) for length in lengths]) for i in range(count))
        (folder / name).write_text(header + "\n" + "\n".join(rows) + "\n")

    table("guides.tsv", "name\tsequence", 100_000, [20])
    table("primers.tsv", "name\tsequence", 312, [23])
    table("pairs.tsv", "name\tforward\treverse", 25_000, [20, 20])
    (folder / "matrices").write_bytes(options.matrices.read_bytes())
    subprocess.run([options.genome, "24", str(BASES), folder / "genome.fa"], check=True)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "md5").hexdigest()


def run(options, command, out, device):
    words = [options.binary, *command.format(options.folder).split(), "-q", "--device", device, options.folder / "genome.fa", "-o", out]
    begin = time.monotonic()
    subprocess.run(words, check=True)
    return time.monotonic() - begin


def measure(options, what, command, name, devices):
    seconds, digests, out = {device: [] for device in devices}, set(), options.folder / name
    for _ in range(options.runs):
        for device in devices:
            if device == "cpu" and seconds[device] and seconds[device][0] > LONG:
                continue
            seconds[device].append(run(options, command, out, device))
            digests.add(digest(out))
            size = out.stat().st_size
            out.unlink()
    row = [what, *(f"{statistics.median(seconds[device]):.2f} s" if device in seconds else "" for device in DEVICES), f"{size / 1e6:,.0f} MB"]
    print("  ".join(row) + ("" if len(digests) == 1 else "  BYTES DIFFER"), flush=True)
    return row, len(digests) == 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=os.path.abspath)
    parser.add_argument("genome", type=os.path.abspath)
    parser.add_argument("matrices", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--job", default="", help="only the jobs that contain this text")
    options = parser.parse_args()
    make_files(options)
    measured = [measure(options, *job) for job in JOBS if options.job in job[0]]
    names = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], check=False, capture_output=True, text=True)
    options.out.write_text(json.dumps({
        "table": "libraries", "date": datetime.date.today().isoformat(),
        "chip": f"{names.stdout.split(chr(10))[0]}, {len(os.sched_getaffinity(0))} CPU threads", "commit": "",
        "conditions": "3.1 Gb of random bases in 24 records, in memory, plain FASTA, both strands; whole process, median.",
        "columns": ["job", *(f"--device {device}" for device in DEVICES), "output"],
        "rows": [row for row, _ in measured]}, indent=2) + "\n")
    sys.exit(0 if all(same for _, same in measured) else 1)


if __name__ == "__main__":
    main()
