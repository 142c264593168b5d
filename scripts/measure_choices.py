#!/usr/bin/env python3
"""Measures how far the algorithm that `match` chooses by itself is from the fastest, over a grid of jobs.

    measure_choices.py BINARY OUT.json [--device cpu|gpu] [--bases N,N] [--job TEXT] [--runs N] [--seconds N]

The grid: patterns of 8 to 2,000 random bases, 1 to 10,000 of them, with 0 to 25 % of edits, in random text. Every job runs N times
(default 3) with the algorithm that is chosen and with each of the others that takes it; one that needs more than --seconds (default 5) is
stopped. The fastest run of each counts: seconds of one CPU thread, or of the whole process on a GPU. Prints a line for each job, marked
'<<' where the choice takes more than 1.25 times the fastest, and where fewer edits take longer than more. Needs Python 3.9 and nothing
else; a CPU takes half an hour. OUT.json becomes docs/measurements/choices-DEVICE.json.
"""
import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ALGORITHMS = ("bitsliced", "hamming", "myers", "pigeonhole", "neighbors")
LENGTHS = (8, 12, 20, 30, 50, 100, 150, 300, 1000, 2000)
RATES = (0, 0.05, 0.1, 0.15, 0.2, 0.25)
COUNTS = (1, 10, 100, 1000, 10_000)
FLOOR = 1.25
NOISE = 0.01  # seconds that a choice may lose besides


def make_files(folder, bases):
    rng = random.Random(7)
    letters = bytes(b"ACGT"[i & 3] for i in range(256))
    for count in bases:
        text = rng.randbytes(count).translate(letters)
        with open(folder / f"{count}.fa", "wb") as file:
            file.write(b">r\n" + b"\n".join(text[i:i + 60] for i in range(0, count, 60)) + b"\n")
    for length in LENGTHS:
        patterns = [rng.randbytes(length).translate(letters).decode() for _ in range(max(COUNTS))]
        for count in COUNTS:
            (folder / f"{count}x{length}.txt").write_text("".join(f"{p}\n" for p in patterns[:count]))


def run(words, on_gpu, limit):
    """Returns the seconds of the run; None: it was refused; infinity: it was stopped."""
    begin = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    signal.signal(signal.SIGALRM, lambda *_: process.kill())
    signal.setitimer(signal.ITIMER_REAL, limit)
    _, status, used = os.wait4(process.pid, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    process.returncode = status
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGKILL:
        return float("inf")
    if code not in (0, 1):  # 1: no hits
        return None
    return time.monotonic() - begin if on_gpu else used.ru_utime + used.ru_stime


def measure(options, folder, job):
    """Returns {algorithm: seconds}; `auto` is the choice."""
    bases, count, length, edits = job
    words = [options.binary, "match", "-f", folder / f"{count}x{length}.txt", "-k", edits, "-t", 1, "--device", options.device, "-q",
             "--count", folder / f"{bases}.fa"]
    seconds = {}
    limit = options.seconds
    for algorithm in ("auto", *ALGORITHMS):
        runs = []
        for _ in range(options.runs):
            taken = run([str(word) for word in [*words, "--algorithm", algorithm]], options.device == "gpu", limit)
            if taken is None:
                break
            runs.append(taken)
            if taken == float("inf") or taken > 2:
                break
        if runs:
            seconds[algorithm] = round(min(runs), 4)
            limit = min(limit, max(0.5, 1.5 * seconds[algorithm]))
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("out", metavar="OUT.json")
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    parser.add_argument("--bases", default="1000000,100000000", metavar="N,N")
    parser.add_argument("--job", default="", metavar="TEXT", help="only jobs whose lines have this text")
    parser.add_argument("--runs", type=int, default=3, metavar="N")
    parser.add_argument("--seconds", type=float, default=5, metavar="N")
    options = parser.parse_args()
    sizes = [int(size) for size in options.bases.split(",")]
    rows, marked = [], 0
    with tempfile.TemporaryDirectory(prefix="choices-") as name:
        folder = pathlib.Path(name)
        make_files(folder, sizes)
        for bases, count, length in ((b, c, n) for b in sizes for c in COUNTS for n in LENGTHS):
            before = None
            for edits in sorted({int(length * rate) for rate in RATES}):
                line = f"{bases:>11,} bases {count:>6,} x {length:<5} k {edits:<4}"
                if options.job not in line:
                    continue
                seconds = measure(options, folder, (bases, count, length, edits))
                if seconds.get("auto", float("inf")) == float("inf"):
                    break  # more edits take longer
                others = {a: s for a, s in seconds.items() if a != "auto" and s != float("inf")} or {"none": seconds["auto"]}
                best = min(others, key=others.get)
                ratio = seconds["auto"] / max(others[best], 1e-4)
                slow = seconds["auto"] > FLOOR * others[best] + NOISE
                not_monotonic = before is not None and before > FLOOR * seconds["auto"] + NOISE
                before = seconds["auto"]
                marked += slow + not_monotonic
                rows.append({"bases": bases, "patterns": count, "length": length, "edits": edits, "seconds": seconds})
                print(f"{line} {seconds['auto']:8.3f} s {ratio:6.2f} x {best:<10} {others[best]:8.3f} s"
                      f"{'  <<' if slow else ''}{'  << fewer edits took longer' if not_monotonic else ''}", flush=True)
    for row in rows:
        row["seconds"] = {a: s for a, s in row["seconds"].items() if s != float("inf")}
    pathlib.Path(options.out).write_text(json.dumps(rows) + "\n", encoding="ascii")
    print(f"{marked} of {len(rows)} jobs are marked")
    return 1 if marked else 0


if __name__ == "__main__":
    sys.exit(main())
