#!/usr/bin/env python3
"""Measures how fast basesweep reads one genome and one set of reads in each form, beside the programs that inflate.

    measure_input.py FOLDER [--megabases N] [--threads 1,2,4,8,16] [--rounds N] [--rapidgzip PROGRAM] [--json FILE]

Makes the inputs in FOLDER where they are missing: random FASTA of N megabases (600) and FASTQ of as much text, as plain
text, gzip -6 and -1, BGZF, zstd and .2bit. Then runs all programs in turn, --rounds times (5), and prints medians of wall
and processor time. Needs gzip and bgzip; pigz, igzip, zstd and rapidgzip are measured where they are installed.
BASESWEEP_BINARY=FILE is the program (default: build/release/basesweep).
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent.parent
BINARY = os.environ.get("BASESWEEP_BINARY", str(HERE / "build/release/basesweep"))
ADAPTERS = ["AGATCGGAAGAGC", "CTGTCTCTTATACACATCT", "TGGAATTCTCGGGTGCCAAGG", "GATCGGAAGAGCACACGTCT", "AATGATACGGCGACCACCGA",
            "CAAGCAGAAGACGGCATACGA", "ACACTCTTTCCCTACACGACG", "GTGACTGGAGTTCAGACGTGT", "TCGTCGGCAGCGTCAGATGTG", "GTCTCGTGGGCTCGGAGATGT"]


def write_inputs(folder, megabases):
    rng = random.Random(1)
    bases = bytes(rng.choice(b"ACGT") for _ in range(1 << 20))

    def stretch(size):
        at = rng.randrange(len(bases) - size)
        return bases[at:at + size]

    genome, reads = folder / "genome.fa", folder / "reads.fq"
    if not genome.exists():
        with genome.open("wb") as out:
            for record in range(max(1, megabases // 100)):
                out.write(b">chr%d\n" % record)
                for _ in range(min(megabases, 100) * 1_000_000 // 60):
                    out.write(stretch(60) + b"\n")
    if not reads.exists():
        qualities = bytes(rng.choice(b"FFFFFFF:,#") for _ in range(1 << 20))
        with reads.open("wb") as out:
            for number in range(megabases * 1_000_000 // 330):
                at = rng.randrange(len(qualities) - 150)
                out.write(b"@M01:1:%d/1\n%s\n+\n%s\n" % (number, stretch(150), qualities[at:at + 150]))
    makers = {".6.gz": ["gzip", "-6", "-c"], ".1.gz": ["gzip", "-1", "-c"], ".bgz": ["bgzip", "-@", "4", "-c"], ".zst": ["zstd", "-q", "-c"]}
    found = [genome, reads]
    for text in (genome, reads):
        for ending, command in makers.items():
            path = text.with_name(text.name + ending)
            if not shutil.which(command[0]):
                continue
            if not path.exists():
                with path.open("wb") as out:
                    subprocess.run([*command, str(text)], stdout=out, check=True)
            found.append(path)
    packed = folder / "genome.2bit"
    if not packed.exists():
        subprocess.run([BINARY, "pack", str(genome), "-o", str(packed)], check=True)
    return [*found, packed]


def commands(path, threads, rapidgzip):
    patterns = ["GGATCCNNNGAT", *ADAPTERS] if path.name.startswith("reads") else ["GGATCCNNNGAT"]
    runs = {}
    for count in threads:
        search = [BINARY, "motif", "--count", "-t", str(count)]
        for pattern in patterns:
            search += ["-p", pattern]
        runs[f"basesweep -t {count}"] = [*search, str(path)]
        if path.suffix == ".gz" and rapidgzip:
            runs[f"rapidgzip -P {count}"] = [rapidgzip, "-d", "-c", "-P", str(count), str(path)]
    if path.suffix == ".gz":
        for program in ("pigz", "igzip"):
            if shutil.which(program):
                runs[program] = [program, "-d", "-c", str(path)]
    if path.suffix in (".fa", ".fq"):
        runs["cat"] = ["cat", str(path)]
    return runs


def run(command):
    begin = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"measure_input: failed: {' '.join(command)}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--megabases", type=int, default=600)
    parser.add_argument("--threads", default="1,2,4,8,16")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rapidgzip", default=shutil.which("rapidgzip"))
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    threads = [int(count) for count in options.threads.split(",")]
    rows = []
    for path in write_inputs(options.folder, options.megabases):
        text = options.folder / ("reads.fq" if path.name.startswith("reads") else "genome.fa")
        runs = commands(path, threads, options.rapidgzip)
        measured = {name: [] for name in runs}
        for _ in range(options.rounds):
            for name, command in runs.items():
                measured[name].append(run(command))
        for name, all_runs in measured.items():
            wall, processor, megabytes = (statistics.median(column) for column in zip(*all_runs))
            rate = text.stat().st_size / wall / 1e9
            rows.append([path.name, name, f"{wall:.3f}", f"{processor:.3f}", f"{rate:.2f}", f"{megabytes:.0f}"])
            print(f"{path.name:16} {name:18} {wall:7.3f} s  {processor:7.3f} s of processors  {rate:6.2f} GB/s of text  {megabytes:5.0f} MB", flush=True)
    if options.json:
        columns = ["input", "run", "seconds", "processor seconds", "GB/s of text", "MB"]
        options.json.write_text(json.dumps({"columns": columns, "rows": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
