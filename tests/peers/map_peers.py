#!/usr/bin/env python3
"""Compares `basesweep map` with razers3 (Debian package seqan-apps): time, memory, and placements that only razers3 finds.

    map_peers.py make FOLDER [--bases N] [--reads N] [--length N] [--edits N] [--seed N] [--genome FILE]
    map_peers.py run FOLDER [--edits N] [--threads N,N] [--runs N] [--identity I] [--binary FILE] [--only TOOL]
    map_peers.py compare FOLDER [--edits N] [--threads N] [--report best|sites|all] [--binary FILE]
    map_peers.py check OURS.sam THEIRS.sam

`make` writes genome.fa (random, or FILE) and reads.fq. Each read is a copy of a random place on a random strand with 0 to N
edits (default 8); its name says which: NUMBER_START_STRAND_EDITS. `run` runs both programs in turn and prints each time
and the medians. `compare` keeps both outputs in FOLDER and then does the same as `check`; it exits with 1 when razers3 has
a placement that we do not have, or fewer edits for a read. Needs Python 3.8 or later, nothing else.
"""
import argparse
import collections
import gzip
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import time

COMPLEMENT = str.maketrans("ACGT", "TGCA")
OTHERS = {base: "ACGT".replace(base, "") for base in "ACGT"}
BINARY = pathlib.Path(__file__).resolve().parents[2] / "build/release/basesweep"
SHOWN = 5

Place = collections.namedtuple("Place", "record start end strand edits")


# Data.

def changed(letters, edits, rng):
    """Returns a copy with at most this many edits; about one in four is an insertion or deletion."""
    letters = list(letters)
    for _ in range(edits):
        i, kind = rng.randrange(1, len(letters) - 1), rng.random()
        if kind < 0.75:
            letters[i] = rng.choice(OTHERS.get(letters[i][-1:], "ACGT"))
        elif kind < 0.875:
            letters[i] += rng.choice("ACGT")
        else:
            letters[i] = ""
    return "".join(letters)


def read_fasta(path):
    opened = gzip.open(path, "rt") if str(path).endswith(".gz") else open(path, encoding="ascii")
    records = []
    with opened as lines:
        for line in lines:
            if line.startswith(">"):
                records.append((line[1:].split(None, 1)[0], []))
            else:
                records[-1][1].append(line.strip().upper())
    return [(name, "".join(parts)) for name, parts in records]


def make(options):
    rng = random.Random(options.seed)
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    if options.genome:
        records = read_fasta(options.genome)
    else:
        records = [("random", "".join(rng.choices("ACGT", k=options.bases)))]
    with open(folder / "genome.fa", "w", encoding="ascii") as out:
        for name, letters in records:
            out.write(f">{name}\n")
            out.writelines(letters[i:i + 60] + "\n" for i in range(0, len(letters), 60))
    # More letters than a read has, because it may lose some.
    span = options.length + options.edits
    records = [record for record in records if len(record[1]) >= span]
    weights = [len(letters) for _, letters in records]
    quality = "I" * options.length
    with open(folder / "reads.fq", "w", encoding="ascii") as out:
        for number in range(options.reads):
            letters = records[0][1] if len(records) == 1 else rng.choices(records, weights)[0][1]
            start = rng.randrange(len(letters) - span + 1)
            strand, edits = rng.choice("+-"), rng.randint(0, options.edits)
            copy = letters[start:start + span]
            if strand == "-":
                copy = copy.translate(COMPLEMENT)[::-1]
            read = changed(copy, edits, rng)[:options.length]
            out.write(f"@{number}_{start}_{strand}_{edits}\n{read}\n+\n{quality}\n")


# Programs.

def basesweep(options, threads, output, report="best"):
    return [options.binary, "map", "-r", "genome.fa", "-k", str(options.edits), "--report", report, "-t", str(threads),
            "--device", options.device, "-q", "reads.fq", "-o", output, "--format", "sam"]


def read_length(folder):
    with open(folder / "reads.fq", encoding="ascii") as lines:
        return len(next(line for i, line in enumerate(lines) if i == 1).strip())


def razers3(options, threads, output, every=False):
    """-rr 100: full sensitivity. -m: no limit on the places of a read. -dr 0: only those of the lowest edits. An identity a
    little lower than that of the edits allowed: what it makes of the number is rounded down."""
    identity = options.identity or 100 - 100 * (options.edits + 0.1) / read_length(pathlib.Path(options.folder))
    words = ["razers3", "-i", f"{identity:.4f}", "-rr", "100", "-m", "1000000", "-tc", str(threads)]
    return words + ([] if every else ["-dr", "0"]) + ["-o", output, "genome.fa", "reads.fq"]


def measured(command, folder):
    """Returns wall-clock seconds, CPU seconds, and peak memory in bytes."""
    begin = time.monotonic()
    with open(folder / "messages.txt", "wb") as messages:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=messages)
        _, status, used = os.wait4(process.pid, 0)
    seconds = time.monotonic() - begin
    process.returncode = status  # wait4() above has reaped it
    if status != 0:
        sys.exit(f"{' '.join(command)}: status {status}: {(folder / 'messages.txt').read_text(errors='replace')[-500:]}")
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def run(options):
    folder = pathlib.Path(options.folder)
    tools = {"basesweep": basesweep, "razers3": razers3}
    tools = {name: tool for name, tool in tools.items() if options.only in (None, name)}
    reads = sum(1 for _ in open(folder / "reads.fq", "rb")) // 4
    for threads in map(int, options.threads.split(",")):
        results = collections.defaultdict(list)
        for _ in range(options.runs):
            for name, tool in tools.items():
                command = tool(options, threads, f"{name}.sam")
                results[name].append(measured(command, folder))
                print(f"{' '.join(command)}: {results[name][-1][0]:.2f} s", flush=True)
        medians = {}
        for name, runs in results.items():
            seconds, processors, memory = (statistics.median(column) for column in zip(*runs))
            medians[name] = seconds
            print(f"{name}, {threads} threads: median of {len(runs)}: {seconds:.2f} s ({reads / seconds:,.0f} reads/s), "
                  f"{processors:.2f} s of processors, {memory / 1e6:,.0f} MB")
        if len(medians) == 2:
            print(f"{threads} threads: basesweep is {medians['razers3'] / medians['basesweep']:.1f} times as fast")


# Results.

def reference_length(cigar):
    return sum(int(count) for count, op in re.findall(r"(\d+)([MIDNSHP=X])", cigar) if op in "MDN=X")


def placements(path, tag):
    """Yields (number, name, places) of each placed read, in the order of the file."""
    number, name, places = None, None, []
    with open(path, encoding="ascii", errors="replace") as lines:
        for line in lines:
            if line.startswith("@"):
                continue
            fields = line.rstrip("\n").split("\t")
            if int(fields[1]) & 4:
                continue
            its_number = int(fields[0].split("_", 1)[0])
            if its_number != number:
                if places:
                    yield number, name, places
                number, name, places = its_number, fields[0], []
            edits = next(int(field[5:]) for field in fields[11:] if field.startswith(tag + ":i:"))
            start = int(fields[3]) - 1
            strand = "-" if int(fields[1]) & 16 else "+"
            places.append(Place(fields[2], start, start + reference_length(fields[5]), strand, edits))
    if places:
        yield number, name, places


def covers(ours, theirs):
    return (ours.record, ours.strand) == (theirs.record, theirs.strand) and ours.edits <= theirs.edits and \
        ours.start < theirs.end and theirs.start < ours.end


class Comparison:
    def __init__(self):
        self.counts = collections.Counter()
        self.examples = collections.defaultdict(list)

    def note(self, what, *about):
        self.counts[what] += 1
        if len(self.examples[what]) < SHOWN:
            self.examples[what].append(about)

    def read(self, name, ours, theirs):
        self.counts["reads that we place"] += bool(ours)
        self.counts["reads that razers3 places"] += bool(theirs)
        self.counts["our placements"] += len(ours)
        self.counts["razers3's placements"] += len(theirs)
        for place in theirs:
            if not any(covers(other, place) for other in ours):
                self.note("WRONG: placements of razers3 that we lack", name, place, ours[:3])
        if ours and theirs:
            least, their_least = min(p.edits for p in ours), min(p.edits for p in theirs)
            if least > their_least:
                self.note("WRONG: reads where razers3 has fewer edits", name, least, their_least)
            elif least < their_least:
                self.note("reads where we have fewer edits", name, least, their_least)
        elif ours:
            self.note("reads that only we place", name, ours[:3])
        made = name.rsplit("_", 1)[1]
        if made.isdigit() and ours and min(p.edits for p in ours) > int(made):
            self.note("WRONG: reads with more edits than they were made with", name, ours[:3])

    def wrong(self):
        return any(count for what, count in self.counts.items() if what.startswith("WRONG"))

    def show(self):
        for what, count in self.counts.items():
            print(f"{what}: {count:,}")
            for about in self.examples[what]:
                print("   ", *about)


def check(ours, theirs):
    """Compares two outputs in the order of the reads; returns 0 when nothing is wrong."""
    comparison, nothing = Comparison(), (float("inf"), "", [])
    ours, theirs = placements(ours, "XE"), placements(theirs, "NM")
    a, b = next(ours, nothing), next(theirs, nothing)
    while a != nothing or b != nothing:
        number = min(a[0], b[0])
        mine, its = a if a[0] == number else nothing, b if b[0] == number else nothing
        comparison.read(mine[1] or its[1], mine[2], its[2])
        a = next(ours, nothing) if a[0] == number else a
        b = next(theirs, nothing) if b[0] == number else b
    comparison.show()
    return 1 if comparison.wrong() or not comparison.counts["razers3's placements"] else 0


def compare(options):
    folder, threads = pathlib.Path(options.folder), int(options.threads.split(",")[0])
    measured(basesweep(options, threads, "ours.sam", options.report), folder)
    measured(razers3(options, threads, "theirs.sam", every=options.report != "best"), folder)
    return check(folder / "ours.sam", folder / "theirs.sam")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    made = commands.add_parser("make")
    made.add_argument("folder")
    made.add_argument("--bases", type=int, default=5_000_000)
    made.add_argument("--reads", type=int, default=1_000_000)
    made.add_argument("--length", type=int, default=150)
    made.add_argument("--edits", type=int, default=8)
    made.add_argument("--seed", type=int, default=5)
    made.add_argument("--genome")
    for name in ("run", "compare"):
        work = commands.add_parser(name)
        work.add_argument("folder")
        work.add_argument("--edits", type=int, default=8)
        work.add_argument("--identity", type=float, help="of razers3; default: what --edits is of a read's length")
        work.add_argument("--threads", default="2" if name == "compare" else "1,2")
        work.add_argument("--binary", type=os.path.abspath, default=str(BINARY))
        work.add_argument("--device", default="cpu")
        if name == "run":
            work.add_argument("--runs", type=int, default=3)
            work.add_argument("--only", choices=["basesweep", "razers3"])
        else:
            work.add_argument("--report", choices=["best", "sites", "all"], default="sites")
    files = commands.add_parser("check")
    files.add_argument("ours")
    files.add_argument("theirs")
    options = parser.parse_args()
    if options.command == "check":
        return check(options.ours, options.theirs)
    return {"make": make, "run": run, "compare": compare}[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
