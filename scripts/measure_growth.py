#!/usr/bin/env python3
"""Looks for cliffs: doubles one size of a job at a time, and tells where its cost grows faster than its work.

    measure_growth.py BINARY [--out OUT.json] [--job TEXT] [--runs N] [--seconds N] [--folder FOLDER]

Each row below is a job and the size that grows: bases of text, patterns, edits, hits, records, files, reads. Every size runs N times
(default 3) on one thread of the CPU; the fastest run counts, as CPU seconds and as peak memory. Growth stops at --seconds (default 4).
A step is marked '<<' where the cost grows by more than 1.35 times what the work does: doubled patterns may cost twice as much, one
edit more 2.5 times as much. Also marked are edits that cost more than a larger number of edits does. Run by hand: it takes
about ten minutes of one core. Exits with 1 where a step is marked, 0 otherwise. OUT.json becomes docs/measurements/growth.json.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import sys
import tempfile

ALLOWED = 1.35  # how much faster than the work a cost may grow in one step
EDIT_GROWTH = 2.5  # what one more edit may cost
NOISE = 0.02  # seconds that are not told from nothing


class Files:
    """Makes the files of jobs in a folder, each once. The same names have the same bytes in every run."""

    def __init__(self, folder):
        self.folder = folder

    def _made(self, name, write):
        path = self.folder / name
        if not path.exists():
            # In a process of its own: the peak memory of a program counts from that of the process that starts it.
            maker = os.fork()
            if maker == 0:
                write(path, random.Random(name))
                os._exit(0)
            if os.waitpid(maker, 0)[1] != 0:
                sys.exit(f"measure_growth: {name} could not be made")
        return path

    @staticmethod
    def bases(rng, count):
        return rng.randbytes(count).translate(BASES)

    def text(self, bases, records=1, line=60):
        """FASTA of random bases."""
        def write(path, rng):
            each = max(1, bases // records)
            with open(path, "wb") as file:
                for record in range(records):
                    letters = self.bases(rng, each)
                    file.write(b">r%d\n" % record + b"\n".join(letters[i:i + line] for i in range(0, each, line)) + b"\n")
        return self._made(f"text{bases}x{records}.fa", write)

    def repeat(self, unit, bases):
        """FASTA of one record that repeats these letters."""
        def write(path, _):
            letters = unit * (bases // len(unit) + 1)
            path.write_text(">r\n" + "\n".join(letters[i:min(i + 60, bases)] for i in range(0, bases, 60)) + "\n")
        return self._made(f"repeat{unit[:12]}{len(unit)}x{bases}.fa", write)

    def patterns(self, count, length):
        def write(path, rng):
            path.write_text("".join(f"p{i}\t{self.bases(rng, length).decode()}\n" for i in range(count)))
        return self._made(f"patterns{count}x{length}.tsv", write)

    def guides(self, count):
        def write(path, rng):
            path.write_text("".join(f"{self.bases(rng, 20).decode()}\n" for _ in range(count)))
        return self._made(f"guides{count}.txt", write)

    def matrices(self, count):
        def write(path, rng):
            with open(path, "w", encoding="ascii") as file:
                for number in range(count):
                    width = 8 + number % 12
                    file.write(f">M{number} m{number}\n")
                    for base in "ACGT":
                        file.write(f"{base} [ " + " ".join(str(rng.randrange(1, 100)) for _ in range(width)) + " ]\n")
        return self._made(f"matrices{count}.jaspar", write)

    def reads(self, count, length, text):
        """FASTQ of stretches of the text with one base in a hundred changed."""
        def write(path, rng):
            letters = b"".join(text.read_bytes().split(b"\n")[1:])
            with open(path, "wb") as file:
                for number in range(count):
                    at = rng.randrange(len(letters) - length)
                    read = bytearray(letters[at:at + length])
                    for _ in range(length // 100):
                        read[rng.randrange(length)] = rng.choice(b"ACGT")
                    file.write(b"@r%d\n%s\n+\n%s\n" % (number, read, b"I" * length))
        return self._made(f"reads{count}x{length}of{text.stem}.fq", write)


BASES = bytes(b"ACGT"[i & 3] for i in range(256))
MB = 1_000_000


def doubling(first, steps):
    return [first << step for step in range(steps)]


# The name, what grows, its sizes, and the words of the command for a size.
JOBS = [
    ("motif, 1 of 12", "bases", doubling(25 * MB, 4), lambda f, n: ["motif", "-p", "GATTACAGGCTC", f.text(n)]),
    ("motif of 20, 1 Mb", "patterns", doubling(31_250, 6), lambda f, n: ["motif", "-f", f.patterns(n, 20), f.text(MB)]),
    ("motif of 12, 20 Mb", "patterns", doubling(100, 8), lambda f, n: ["motif", "-f", f.patterns(n, 12), f.text(20 * MB)]),
    ("motif, records of 10 bases", "records", doubling(125_000, 4), lambda f, n: ["motif", "-p", "GATTACAGGCTC", f.text(10 * n, n)]),
    ("motif, files of 10 kb", "files", doubling(50, 5),
     lambda f, n: ["motif", "-p", "GATTACAGGCTC"] + [f.text(10_000, i + 1) for i in range(n)]),
    ("match, 10 of 20, 10 Mb", "edits", list(range(8)), lambda f, n: ["match", "-f", f.patterns(10, 20), "-k", n, f.text(10 * MB)]),
    ("match, 10 of 50, 10 Mb", "edits", list(range(13)), lambda f, n: ["match", "-f", f.patterns(10, 50), "-k", n, f.text(10 * MB)]),
    ("match, 10 of 150, 5 Mb", "edits", list(range(0, 31, 3)), lambda f, n: ["match", "-f", f.patterns(10, 150), "-k", n, f.text(5 * MB)]),
    ("match, of 20, k = 2, 1 Mb", "patterns", doubling(1_000, 8), lambda f, n: ["match", "-f", f.patterns(n, 20), "-k", "2", f.text(MB)]),
    ("match, 10 with e 0.15, 10 Mb", "letters", doubling(20, 6),
     lambda f, n: ["match", "-f", f.patterns(10, n), "-e", "0.15", f.text(10 * MB)]),
    ("match, 20-mer on its own repeat, k = 4", "hits", doubling(MB, 5),
     lambda f, n: ["match", "-p", "ACGTTGCAAGCTTACGGATC", "-k", "4", f.repeat("ACGTTGCAAGCTTACGGATC", n)]),
    ("match, A20 on A, k = 2", "hits", doubling(MB, 5), lambda f, n: ["match", "-p", "A" * 20, "-k", "2", f.repeat("A", n)]),
    ("guides, 20 Mb, 3 mismatches", "guides", doubling(10, 11), lambda f, n: ["guides", "-f", f.guides(n), "-m", "3", f.text(20 * MB)]),
    ("pwm, 1 Mb, p = 1e-5", "matrices", doubling(50, 6), lambda f, n: ["pwm", "-m", f.matrices(n), "-p", "1e-5", f.text(MB)]),
    ("pwm, 1 kb, p = 1e-5", "matrices", doubling(100, 6), lambda f, n: ["pwm", "-m", f.matrices(n), "-p", "1e-5", f.text(1000)]),
    ("map, reads of 150 on 5 Mb, k = 8", "reads", doubling(2_500, 4),
     lambda f, n: ["map", "-r", f.text(5 * MB), "-k", "8", f.reads(n, 150, f.text(5 * MB))]),
    ("map, 2,000 reads of 150 on 5 Mb", "edits", list(range(0, 25, 4)),
     lambda f, n: ["map", "-r", f.text(5 * MB), "-k", n, f.reads(2_000, 150, f.text(5 * MB))]),
    ("map --report all, reads of 150 on 5 Mb", "reads", doubling(2_500, 4),
     lambda f, n: ["map", "-r", f.text(5 * MB), "-k", "8", "--report", "all", f.reads(n, 150, f.text(5 * MB))]),
    ("map, 5 reads on 5 Mb, e 0.2", "letters", doubling(125, 5),
     lambda f, n: ["map", "-r", f.text(5 * MB), "-e", "0.2", f.reads(5, n, f.text(5 * MB))]),
]


def run(words, out):
    """Runs the program. Returns its CPU seconds and its peak memory in MB."""
    process = os.posix_spawn(words[0], words, {**os.environ}, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)])
    _, status, used = os.wait4(process, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):  # 1: no hits
        sys.exit(f"measure_growth: failed: {' '.join(words)}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measure(options, files, job):
    """Returns a list of {size, seconds, megabytes, marked} of a job."""
    _, grows, sizes, words_of = job
    rows = []
    for size in sizes:
        words = [str(word) for word in [options.binary, *words_of(files, size), "-t", "1", "--device", "cpu", "-q"]]
        runs = [run(words, str(files.folder / "out")) for _ in range(options.runs)]
        seconds, megabytes = min(r[0] for r in runs), min(r[1] for r in runs)
        rows.append({"size": size, "seconds": round(seconds, 3), "megabytes": round(megabytes), "marked": False})
        if len(rows) > 1:
            before = rows[-2]
            work = EDIT_GROWTH ** (size - before["size"]) if grows == "edits" else size / before["size"]
            rows[-1]["marked"] = seconds > ALLOWED * work * before["seconds"] + NOISE
            if grows == "edits" and before["seconds"] > ALLOWED * seconds + NOISE:
                before["marked"] = True  # fewer edits cost more
        if seconds > options.seconds:
            break
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--out", metavar="OUT.json")
    parser.add_argument("--job", default="", metavar="TEXT", help="only jobs whose names have this text")
    parser.add_argument("--runs", type=int, default=3, metavar="N")
    parser.add_argument("--seconds", type=float, default=4, metavar="N")
    parser.add_argument("--folder", metavar="FOLDER", help="where files are made and kept (default: a temporary one)")
    options = parser.parse_args()
    options.binary = shutil.which(options.binary) or sys.exit(f"measure_growth: {options.binary} is not a program")
    folder = pathlib.Path(options.folder or tempfile.mkdtemp(prefix="growth-"))
    folder.mkdir(parents=True, exist_ok=True)
    results, marked = [], 0
    try:
        for job in JOBS:
            if options.job not in job[0]:
                continue
            rows = measure(options, Files(folder), job)
            results.append({"job": job[0], "grows": job[1], "rows": rows})
            print(f"{job[0]}, by {job[1]}")
            for row in rows:
                print(f"  {row['size']:>12,} {row['seconds']:9.3f} s {row['megabytes']:6} MB{'  <<' if row['marked'] else ''}", flush=True)
            marked += sum(row["marked"] for row in rows)
    finally:
        if not options.folder:
            shutil.rmtree(folder, ignore_errors=True)
    if options.out:
        pathlib.Path(options.out).write_text(json.dumps(results, indent=1) + "\n", encoding="ascii")
    print(f"{marked} steps grow faster than their work")
    return 1 if marked else 0


if __name__ == "__main__":
    sys.exit(main())
