#!/usr/bin/env python3
"""Runs `basesweep pcr` and other programs for in-silico PCR on the same made files; writes docs/measurements/pcr.json.

    pcr_peers.py BASESWEEP [--megabases N] [--files N] [--output FILE]

Of ipcr, ipcress (exonerate) and primersearch (EMBOSS), those that are missing are left out. CPU seconds are user and system time of all
threads, the median of three runs in turn; what takes more than 20 seconds runs once.
"""
import argparse
import datetime
import gzip
import json
import os
import pathlib
import random
import shlex
import shutil
import statistics
import subprocess
import tempfile

import compare

RUNS = 3
SLOW_SECONDS = 20  # of CPU
COPIES = 10  # files of the collection with the same text
FILE_BASES = 5_000_000
LETTERS = bytes(b"ACGT"[byte & 3] for byte in range(256))
COMPLEMENT = bytes.maketrans(b"ACGT", b"TGCA")


def bases(rng, length):
    return bytearray(rng.randbytes(length).translate(LETTERS))


def turned(letters):
    return bytes(letters).translate(COMPLEMENT)[::-1]


def plant(rng, text, pairs, copies):
    """Products of 100 to 1,900 bases, in both orientations, with up to two mismatches in each primer."""
    for number in range(copies):
        forward, reverse = rng.choice(pairs)[:: rng.choice([1, -1])]
        size = rng.randrange(100, 1900)
        start = rng.randrange(len(text) - size)
        for place, letters in ((start, forward), (start + size - 20, turned(reverse))):
            site = bytearray(letters)
            for at in rng.sample(range(20), rng.randrange(3)):
                site[at] = rng.choice(b"ACGT")
            text[place:place + 20] = site


def write(path, name, text):
    lines = b"\n".join(bytes(text[at:at + 70]) for at in range(0, len(text), 70))
    path.write_bytes(b">" + name + b"\n" + lines + b"\n")


def make(folder, megabases, files):
    rng = random.Random(1)
    pairs = [(bytes(bases(rng, 20)), bytes(bases(rng, 20))) for _ in range(1000)]
    for count in (10, 1000):
        rows = [(f"p{i}", f.decode(), r.decode()) for i, (f, r) in enumerate(pairs[:count])]
        (folder / f"pairs{count}.tsv").write_text("".join(f"{n}\t{f}\t{r}\n" for n, f, r in rows))
        (folder / f"pairs{count}.ipcress").write_text("".join(f"{n} {f} {r} 0 2000\n" for n, f, r in rows))
        (folder / f"primers{count}.tsv").write_text("".join(f"{n}_F\t{f}\n{n}_R\t{r}\n" for n, f, r in rows))
    text = bases(rng, megabases * 1_000_000)
    plant(rng, text, pairs[:10], 200)
    plant(rng, text, pairs, 2000)
    write(folder / "text.fa", b"text", text)
    (folder / "files").mkdir()
    for number in range(-(-files // COPIES)):
        text = bases(rng, FILE_BASES)
        plant(rng, text, pairs[:10], 20)
        write(folder / "one.fa", b"genome", text)
        packed = gzip.compress((folder / "one.fa").read_bytes(), 6)
        for copy in range(min(COPIES, files - number * COPIES)):
            (folder / f"files/{number:03}_{copy}.fa.gz").write_bytes(packed)
    (folder / "one.fa").unlink()


def tasks(basesweep, megabases, files):
    """Returns (task, tool, its program, command, command that counts its hits or products)."""
    b = shlex.quote(basesweep)
    lines = "wc -l <out"
    found = []
    for count in (10, 1000):
        task = f"{count:,} pairs, 2 edits or mismatches, {megabases} Mb"
        found += [
            (task, "basesweep match", basesweep, f"{b} match -f primers{count}.tsv -k 2 text.fa -t 2 --format bed -o out", lines),
            (task, "basesweep pcr", basesweep, f"{b} pcr -f pairs{count}.tsv -k 2 --size 2000 text.fa -t 2 --format bed -o out", lines),
            (task, "basesweep pcr", basesweep,
             f"{b} pcr -f pairs{count}.tsv -k 2 --max-indels 0 --single --size 2000 text.fa -t 2 --format bed -o out", lines),
            (task, "ipcr", "ipcr", f"ipcr -p pairs{count}.tsv -m 2 --terminal-window 0 --max-length 2000 -t 2 -q --no-header text.fa >out", lines),
        ]
    # With 1,000 pairs these two take minutes to an hour.
    found[4:4] = [
        (found[0][0], "ipcress", "ipcress", "ipcress -i pairs10.ipcress -s text.fa -m 2 --seed 0 --pretty FALSE >out", "grep -c ^ipcress: out"),
        (found[0][0], "primersearch", "primersearch",
         "primersearch -seqall text.fa -infile pairs10.tsv -mismatchpercent 10 -outfile out -auto", "grep -c length: out"),
    ]
    task = f"10 pairs, 2 edits, {files} .fa.gz of 5 Mb"
    return found + [
        (task, "basesweep motif", basesweep, f"{b} motif -f primers10.tsv --count files/*.fa.gz -t 2 -q -o out.tsv", "awk '{n += $3} END {print n}' out.tsv"),
        (task, "basesweep match", basesweep, f"{b} match -f primers10.tsv -k 2 --count files/*.fa.gz -t 2 -q -o out.tsv", "awk '{n += $3} END {print n}' out.tsv"),
        (task, "basesweep pcr", basesweep, f"{b} pcr -f pairs10.tsv -k 2 --with-file files/*.fa.gz -t 2 -q -o out.tsv", "tail -n +2 out.tsv | wc -l"),
    ]


def version(program):
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    words = (done.stdout + done.stderr).replace("EMBOSS:", "").split()
    return next((word.lstrip("v") for word in words if word.lstrip("v")[:1].isdigit()), "?")


def measure(folder, wanted):
    """Returns by command the seconds and hits of its runs."""
    found = {}
    for _ in range(RUNS):
        for task, tool, _, command, count in wanted:
            known = found.setdefault(command, [])
            if known and known[0][0] > SLOW_SECONDS:
                continue
            taken = compare.cpu_seconds(command, folder)
            hits = int(subprocess.run(["bash", "-c", count], cwd=folder, capture_output=True, text=True, check=True).stdout)
            known.append((taken, hits))
            print(f"{task}: {tool}: {taken:.2f} s, {hits}", flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("basesweep")
    parser.add_argument("--megabases", type=int, default=100)
    parser.add_argument("--files", type=int, default=200)
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--output", default=str(root / "docs/measurements/pcr.json"))
    options = parser.parse_args()
    basesweep = str(pathlib.Path(options.basesweep).resolve())
    commit = subprocess.run(["git", "-C", root, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    wanted = [task for task in tasks(basesweep, options.megabases, options.files) if shutil.which(task[2])]
    with tempfile.TemporaryDirectory(prefix="basesweep-pcr.") as name:
        folder = pathlib.Path(name)
        make(folder, options.megabases, options.files)
        found = measure(folder, wanted)
    runs = [{"task": task, "tool": f"{tool} {version(program)}",
             "cpu_seconds": round(statistics.median(run[0] for run in found[command]), 3),
             "hits": found[command][0][1],
             "command": command.replace(shlex.quote(basesweep), "basesweep")}
            for task, tool, program, command, _ in wanted]
    report = {"table": "pcr", "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
              "chip": f"{compare.cpu_name()}, {os.cpu_count()} cores", "commit": commit,
              "conditions": f"Random DNA in one record, and {options.files} files of gzip. CPU seconds of all threads, median of {RUNS} runs "
                            f"in turn; what takes more than {SLOW_SECONDS} s ran once. The machine was busy with other work, so wall time is not given.",
              "runs": runs}
    pathlib.Path(options.output).write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
