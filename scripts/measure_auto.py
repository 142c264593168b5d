#!/usr/bin/env python3
"""Measures whether `--device auto` is as fast as the better of cpu and gpu, and keeps the rows for docs/benchmarks.md.

    measure_auto.py BINARY GENOME FOLDER OUT.json [--runs N] [--job TEXT]

GENOME: the program of scripts/genome.cpp. FOLDER: a new one for texts (6 GB), best in memory. Each of 20 jobs runs N times (default 5) on
each device, in turn; the medians of whole processes count. All outputs of a job must have the same bytes. Exits with 1 if they do not,
or if auto takes more than 1.05 times the better of the two. OUT.json becomes docs/measurements/auto.json; put the commit into it.
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

FLOOR = 1.05
DEVICES = ("cpu", "gpu", "auto")
TEXTS = {"5 Mb": 5_000_000, "50 Mb": 50_000_000, "500 Mb": 500_000_000, "3.1 Gb": 3_100_000_000}
SETS = {"1 motif of 12": (1, 12, "motif"), "1,000 motifs of 12": (1000, 12, "motif"), "10,000 motifs of 20": (10_000, 20, "motif"),
        "1 primer of 20, k = 2": (1, 20, "match -k 2"), "20 primers of 23, k = 3": (20, 23, "match -k 3"),
        "100 primers of 23, k = 3": (100, 23, "match -k 3"), "312 primers of 23, k = 3": (312, 23, "match -k 3"),
        "1,000 guides of 20, 3 mismatches": (1000, 20, "match -k 3 --max-indels 0"),
        "10,000 guides of 20, 3 mismatches": (10_000, 20, "match -k 3 --max-indels 0")}
JOBS = [("5 Mb", "1 motif of 12"), ("5 Mb", "10,000 motifs of 20"), ("5 Mb", "1 primer of 20, k = 2"), ("5 Mb", "312 primers of 23, k = 3"),
        ("5 Mb", "10,000 guides of 20, 3 mismatches"), ("50 Mb", "1,000 motifs of 12"), ("50 Mb", "312 primers of 23, k = 3"),
        ("50 Mb", "10,000 guides of 20, 3 mismatches"), ("500 Mb", "1 motif of 12"), ("500 Mb", "1,000 motifs of 12"),
        ("500 Mb", "20 primers of 23, k = 3"), ("500 Mb", "100 primers of 23, k = 3"), ("500 Mb", "312 primers of 23, k = 3"),
        ("500 Mb", "1,000 guides of 20, 3 mismatches"), ("500 Mb", "10,000 guides of 20, 3 mismatches"), ("3.1 Gb", "1 motif of 12"),
        ("3.1 Gb", "1,000 motifs of 12"), ("3.1 Gb", "20 primers of 23, k = 3"), ("3.1 Gb", "100 primers of 23, k = 3"),
        ("3.1 Gb", "10,000 guides of 20, 3 mismatches")]


def make_files(genome, folder, jobs):
    rng = random.Random(3)
    for name in {text for text, _ in jobs}:
        subprocess.run([genome, "24", str(TEXTS[name]), folder / f"{name}.fa"], check=True)
    for name, (count, length, _) in SETS.items():
        (folder / f"{name}.txt").write_text("".join("".join(rng.choices("ACGT", k=length)) + "\n" for _ in range(count)))


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "md5").hexdigest()


def run(options, text, patterns, device):
    out, report = options.folder / "out.bed", options.folder / "out.json"
    words = [options.binary, *SETS[patterns][2].split(), "-q", "-f", options.folder / f"{patterns}.txt", options.folder / f"{text}.fa",
             "--device", device, "-o", out, "--json", report]
    begin = time.monotonic()
    subprocess.run(words, check=True)
    seconds = time.monotonic() - begin
    return seconds, out, json.loads(report.read_text())["machine"]


def measure(options, text, patterns):
    seconds, digests, machine = {device: [] for device in DEVICES}, set(), {}
    for number in range(options.runs):
        for device in DEVICES:
            taken, out, machine[device] = run(options, text, patterns, device)
            seconds[device].append(taken)
            if number == 0:
                digests.add(digest(out))
    medians = {device: statistics.median(all_runs) for device, all_runs in seconds.items()}
    ratio = medians["auto"] / min(medians["cpu"], medians["gpu"])
    batches = ", ".join(f"{count} {device}" for device, count in machine["auto"].get("batches", {}).items()) or "cpu alone"
    print(f"{text:>7} {patterns:<36} " + "  ".join(f"{device} {medians[device]:7.3f}" for device in DEVICES) + f"  {ratio:5.2f}  {batches}"
          + ("" if len(digests) == 1 else "  BYTES DIFFER"), flush=True)
    row = [f"{text}, {patterns}", *(f"{medians[device]:.3f} s" for device in DEVICES), f"{ratio:.2f}", batches]
    return row, ratio, len(digests) == 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=os.path.abspath)
    parser.add_argument("genome", type=os.path.abspath)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--job", default="", help="only the jobs that contain this text")
    options = parser.parse_args()
    jobs = [job for job in JOBS if options.job in ", ".join(job)]
    options.folder.mkdir(parents=True, exist_ok=True)
    make_files(options.genome, options.folder, jobs)
    measured = [measure(options, *job) for job in jobs]
    names = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], check=False, capture_output=True, text=True)
    chip = names.stdout.split("\n")[0]
    options.out.write_text(json.dumps({
        "table": "auto", "date": datetime.date.today().isoformat(), "chip": f"{chip}, {os.cpu_count()} CPU threads", "commit": "",
        "columns": [f"text, set; whole process, median of {options.runs}", "cpu", "gpu", "auto", "auto / better", "batches of auto"],
        "rows": [row for row, _, _ in measured]}, indent=2) + "\n")
    worst = max(ratio for _, ratio, _ in measured)
    print(f"worst: {worst:.2f}; faster than both: {sum(ratio < 1 for _, ratio, _ in measured)} of {len(measured)}")
    sys.exit(0 if worst <= FLOOR and all(same for _, _, same in measured) else 1)


if __name__ == "__main__":
    main()
