#!/usr/bin/env python3
"""Runs `basesweep pwm`, lightmotif and MOODS on the same random text; writes docs/measurements/pwm.json.

    pwm_peers.py BASESWEEP MATRICES.jaspar [--megabases N] [--output FILE]

Needs the Python packages lightmotif and MOODS-python. Also compares the hits and scores of MOODS with those of basesweep: with basesweep's rounded scores, and with
scores that are not rounded. Fails where they differ by more than rounding explains.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import random
import shlex
import subprocess
import tempfile
import time
from importlib import metadata

import compare
import lightmotif
import MOODS.scan

RUNS = 2
SHARE = 9  # lightmotif scans each ninth matrix
FLAT = [0.25] * 4
STEPS = 1024  # of a score in a bit
COMPARED_BASES = 1_000_000
LETTERS = bytes(b"ACGT"[byte & 3] for byte in range(256))
P = "1e-4"


def read_counts(path):
    """Returns rows of A, C, G and T by identifier."""
    found = {}
    for line in path.read_text().splitlines():
        if line.startswith(">"):
            rows = found[line[1:].split()[0]] = []
        elif line.strip():
            rows.append([float(word) for word in line.split("[")[1].split("]")[0].split()])
    return found


def log_odds(counts):
    """The scores of basesweep in bits, not rounded."""
    totals = [sum(column) for column in zip(*counts)]
    return [[math.log2((count + 0.025) / (total + 0.1) / 0.25) for count, total in zip(row, totals)] for row in counts]


def turned(rows):
    return [row[::-1] for row in rows[::-1]]


class Matrix:
    """A matrix with its threshold in steps."""

    def __init__(self, identifier, counts, threshold):
        self.identifier = identifier
        self.threshold = threshold
        self.plus = log_odds(counts)
        self.minus = turned(self.plus)
        self.width = len(counts[0])


def read_matrices(basesweep, path):
    """Returns the matrices whose thresholds some word reaches, and the number of all."""
    counts = read_counts(path)
    table = subprocess.run([basesweep, "pwm", "-m", path, "-p", P, "--thresholds"], capture_output=True, text=True, check=True).stdout
    rows = [line.split("\t") for line in table.splitlines()[1:]]
    return [Matrix(row[0], counts[row[0]], round(float(row[6]) * STEPS)) for row in rows if row[5] == "." and row[6] != "."], len(counts)


def made_text(megabases):
    return random.Random(megabases).randbytes(megabases * 1_000_000).translate(LETTERS).decode()


def write_text(path, text):
    path.write_text(">text\n" + "\n".join(text[at:at + 60] for at in range(0, len(text), 60)) + "\n")


def timed(work):
    begin = time.process_time()
    hits = work()
    return time.process_time() - begin, hits


def scan_moods(matrices, text):
    given = [rows for one in matrices for rows in (one.plus, one.minus)]
    # Half a step lower: thresholds are sums of rounded scores.
    thresholds = [(one.threshold - 0.5) / STEPS for one in matrices for _ in range(2)]
    return MOODS.scan.scan_dna(text, given, FLAT, thresholds, 7)


def scan_lightmotif(matrices, text):
    hits = 0
    for one in matrices:
        for rows in (one.plus, one.minus):
            pssm = lightmotif.ScoringMatrix(dict(zip("ACGT", rows)))
            hits += sum(1 for _ in lightmotif.scan(pssm, text, threshold=(one.threshold - 0.5) / STEPS))
    return hits


def rounded(rows):
    return [[math.copysign(math.floor(abs(score) * STEPS + 0.5), score) / STEPS for score in row] for row in rows]


def differences(hits, matrices, text, round_scores):
    """Returns how many hits only one of the two programs has, and how many both have. A hit may be missing where its score is within rounding of
    the threshold. `hits`: lines of basesweep's TSV."""
    if round_scores:
        for one in matrices:
            one.plus, one.minus = rounded(one.plus), rounded(one.minus)
    ours = {}
    for line in hits:
        _, start, _, identifier, _, strand, score, _, _ = line.split("\t")
        ours[identifier, int(start), strand] = float(score)
    found = scan_moods(matrices, text)
    theirs = {(one.identifier, hit.pos, strand): hit.score
              for i, one in enumerate(matrices) for k, strand in enumerate("+-") for hit in found[2 * i + k]}
    # Each rounded number is at most half a step off; another step is for the three decimals of thresholds and scores.
    steps = {one.identifier: 1 if round_scores else one.width / 2 + 1 for one in matrices}
    thresholds = {one.identifier: one.threshold / STEPS for one in matrices}
    for key in ours.keys() | theirs.keys():
        score, other = ours.get(key, thresholds[key[0]]), theirs.get(key, thresholds[key[0]])
        if abs(score - other) > steps[key[0]] / STEPS:
            raise SystemExit(f"pwm_peers: {key}: basesweep {ours.get(key)}, MOODS {theirs.get(key)}, threshold {thresholds[key[0]]}")
    return len(ours.keys() ^ theirs.keys()), len(ours.keys() & theirs.keys())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("basesweep")
    parser.add_argument("matrices")
    parser.add_argument("--megabases", type=int, default=10)
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--output", default=str(root / "docs/measurements/pwm.json"))
    options = parser.parse_args()
    basesweep = str(pathlib.Path(options.basesweep).resolve())
    path = pathlib.Path(options.matrices).resolve()
    commit = subprocess.run(["git", "-C", root, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    matrices, of_all = read_matrices(basesweep, path)
    mega = options.megabases
    text = made_text(mega)
    striped = lightmotif.stripe(text)
    longest = [max(matrices, key=lambda one: one.width)]
    moods = f"MOODS-python {metadata.version('MOODS-python')}"
    light = f"lightmotif {metadata.version('lightmotif')}"
    runs = []
    with tempfile.TemporaryDirectory(prefix="basesweep-pwm.") as name:
        folder = pathlib.Path(name)
        write_text(folder / "text.fa", text)
        (folder / "m.jaspar").write_bytes(path.read_bytes())
        version = compare.version(basesweep)

        def program(task, arguments):
            command = f"{shlex.quote(basesweep)} pwm {arguments} -q -o out"
            taken = min(compare.cpu_seconds(command, folder) for _ in range(RUNS))
            hits = sum(int(line.split("\t")[2]) for line in (folder / "out").read_text().splitlines()[1:])
            add(task, f"basesweep pwm {version}", taken, hits, f"basesweep pwm {arguments} -q -o out")

        def add(task, tool, taken, hits, command):
            print(f"{task}: {tool}: {taken:.3f} s, {hits}", flush=True)
            runs.append({"task": task, "tool": tool, "cpu_seconds": round(taken, 3), "hits": hits, "command": command})

        task = f"{of_all:,} matrices, p = {P}, {mega} Mb"
        program(task, f"-m m.jaspar -p {P} --count -t 1 text.fa")
        taken, hits = timed(lambda: scan_lightmotif(matrices[::SHARE], striped))
        scale = len(matrices) / len(matrices[::SHARE])
        add(task, light, taken * scale, round(hits * scale), f"scan() of {len(matrices[::SHARE])} matrices, times {scale:.2f}")
        taken, hits = timed(lambda: sum(len(one) for one in scan_moods(matrices, text)))
        add(task, moods, taken, hits, "scan_dna()")
        program(f"{of_all:,} matrices, p = 1e-6, {mega} Mb", "-m m.jaspar -p 1e-6 --count -t 1 text.fa")
        write_text(folder / "part.fa", text[:COMPARED_BASES])
        lines = subprocess.run([basesweep, "pwm", "-m", path, "-p", P, "-q", "part.fa", "--format", "tsv"], capture_output=True, text=True,
                               check=True, cwd=folder).stdout.splitlines()[1:]
        unrounded = differences(lines, matrices, text[:COMPARED_BASES], False)
        print(f"scores not rounded: {unrounded[1]:,} hits of both, {unrounded[0]:,} of one", flush=True)
        text = made_text(10 * mega)
        write_text(folder / "text.fa", text)
        striped = lightmotif.stripe(text)
        task = f"the longest matrix, p = {P}, {10 * mega} Mb"
        program(task, f"-m m.jaspar --names {longest[0].identifier} -p {P} --count -t 2 text.fa")
        taken, hits = timed(lambda: scan_lightmotif(longest, striped))
        add(task, light, taken, hits, "scan()")
        taken, hits = timed(lambda: sum(len(one) for one in scan_moods(longest, text)))
        add(task, moods, taken, hits, "scan_dna()")
        same = differences(lines, matrices, made_text(mega)[:COMPARED_BASES], True)
        print(f"rounded scores: {same[1]:,} hits of both, {same[0]:,} of one")
    report = {"table": "pwm", "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
              "chip": f"{compare.cpu_name()}, {os.cpu_count()} cores", "commit": commit,
              "conditions": f"Random DNA in one record, both strands, hits counted. Of basesweep the CPU seconds of the whole process, with p-values, the better of "
                            f"{RUNS} runs; of the others those of the scan alone, of text in memory with thresholds given. The machine was busy with other work, so "
                            f"wall time is not given. Hits in the first {COMPARED_BASES:,} bases: given basesweep's rounded scores, basesweep and MOODS have "
                            f"{same[1]:,} in common, and {same[0]:,} of one alone are a step from a threshold, which has three decimals; given scores that are not rounded, "
                            f"{unrounded[0]:,} are of one alone, all within rounding of the threshold.",
              "runs": runs}
    pathlib.Path(options.output).write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
