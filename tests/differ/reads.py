#!/usr/bin/env python3
"""Random reads to demux, trim and count: every way to run them writes the same bytes, and what they call is what plain code finds.

    python3 tests/differ/reads.py BINARY [--seed N] [--seconds N] [--devices cpu,gpu]

Each question is a set of random reads with random options. It is run with one thread on the CPU, then with other numbers of
threads, on the other devices, from gzip, from a pipe, and for demux with the lines of the sheet in another order. The samples of demux are compared with the
full matrix of every barcode, the counts with every guide at every place. A question that fails is printed with its seed, and the exit status is 1.
"""
import argparse
import gzip
import pathlib
import random
import subprocess
import sys
import tempfile
import time


def letters(rng, count, alphabet="ACGT"):
    return "".join(rng.choices(alphabet, k=count))


def turned(text):
    return text[::-1].translate(str.maketrans("ACGTN", "TGCAN"))


def changed(rng, text, edits):
    text = list(text)
    for _ in range(edits):
        at = rng.randrange(len(text))
        text[at] = rng.choice(["", rng.choice("ACGTN"), text[at] + rng.choice("ACGT")])
    return "".join(text)


def fastq(reads, rng):
    return "".join(f"@r{i}\n{read}\n+\n{''.join(rng.choices('#5?I', k=len(read)))}\n" for i, read in enumerate(reads))


def least_edits(pattern, text):
    """The fewest edits that turn the whole pattern into a stretch of the text, by the full matrix."""
    column = list(range(len(pattern) + 1))
    least = column[-1]
    for letter in text:
        diagonal = column[0]
        for i, wanted in enumerate(pattern, 1):
            diagonal, column[i] = column[i], min(diagonal + (wanted != letter or letter == "N"), column[i] + 1, column[i - 1] + 1)
        least = min(least, column[-1])
    return least


class Question:
    """Files in a folder, and the words of a run; `outputs` are the files that it writes."""

    def __init__(self, rng, folder):
        self.rng, self.folder = rng, folder

    def write_reads(self, reads):
        self.reads = reads
        text = fastq(reads, self.rng).encode()
        (self.folder / "reads.fq").write_bytes(text)
        (self.folder / "reads.fq.gz").write_bytes(gzip.compress(text))

    def variants(self):
        """More words, and the input, of each way to run it."""
        yield ["-t", str(self.rng.randint(2, 16))], "reads.fq"
        yield ["-t", "2"], "reads.fq.gz"
        yield ["-t", str(self.rng.randint(1, 3))], "-"


class Demux(Question):
    command = "demux"

    def __init__(self, rng, folder):
        super().__init__(rng, folder)
        left, right = letters(rng, rng.choice([0, 0, 12, 25])), letters(rng, rng.choice([0, 8, 30]))
        self.barcodes = {f"s{i}": letters(rng, rng.choice([12, 16, 24])) for i in range(rng.randint(1, 12))}
        self.context, self.window, self.margin = rng.choice([0, 10, 20]), rng.choice([60, 100, 150]), rng.randint(1, 3)
        self.limit = rng.randint(0, 5)
        self.patterns = {name: left[len(left) - min(len(left), self.context):] + barcode + right[:self.context]
                         for name, barcode in self.barcodes.items()}
        reads = []
        for _ in range(rng.randint(1, 60)):
            whole = left + rng.choice(list(self.barcodes.values())) + right
            read = letters(rng, rng.randrange(20)) + changed(rng, whole, rng.randrange(7)) + letters(rng, rng.randrange(120))
            read = read if rng.random() < 0.8 else letters(rng, rng.randrange(90), "ACGTN")
            reads.append(read if rng.random() < 0.5 else turned(read))
        self.write_reads(reads)
        self.flanks = (left, right)
        self.write_sheet(list(self.barcodes))
        self.words = ["-s", "sheet.tsv", "-k", self.limit, "--context", self.context, "--window", self.window, "--margin", self.margin,
                      "--format", "fastq", "-o", "out", "--force", "--table", "out/table.tsv"]
        self.words += rng.choice([[], ["--orient"], ["--no-trim"]])

    def write_sheet(self, names):
        (self.folder / "sheet.tsv").write_text("sample\tbarcode\tleft\tright\n" + "".join(
            f"{name}\t{self.barcodes[name]}\t{self.flanks[0]}\t{self.flanks[1]}\n" for name in names))

    def wrong(self, outputs):
        """Compares the table with full matrices; returns what is wrong, or ""."""
        rows = [line.split("\t") for line in outputs["table.tsv"].decode().splitlines()[1:]]
        if len(rows) != len(self.reads):
            return f"{len(rows)} rows for {len(self.reads)} reads"
        for read, (_, sample, edits, *_, reason) in zip(self.reads, rows):
            ends = (read[:self.window], turned(read)[:self.window])
            costs = {name: min(least_edits(pattern, end) for end in ends) for name, pattern in self.patterns.items()}
            best = min(costs.values())
            if sample != ".":
                others = [cost for name, cost in costs.items() if name != sample]
                right = costs[sample] == best == int(edits) <= self.limit and all(cost >= best + self.margin for cost in others)
            else:
                right = reason in ("ambiguous", "two-barcodes") if best <= self.limit else reason in ("none", "too-short", "ambiguous")
            if not right:
                return f"read {read}: {sample} {edits} {reason}, costs {costs}"
        return ""


class Trim(Question):
    command = "trim"

    def __init__(self, rng, folder):
        super().__init__(rng, folder)
        adapters = [letters(rng, rng.randint(8, 30)) for _ in range(rng.randint(1, 3))]
        reads = []
        for _ in range(rng.randint(1, 300)):
            read = letters(rng, rng.randrange(90), "ACGTACGTACGTN")
            if rng.random() < 0.7:
                read = (read + changed(rng, rng.choice(adapters), rng.randrange(4)) + letters(rng, rng.randrange(20)))[:rng.randint(1, 120)]
            reads.append(read)
        self.write_reads(reads)
        self.words = ["-o", "out/reads.fq", "--table", "out/table.tsv"]
        for adapter in adapters:
            self.words += [rng.choice(["-a", "-g", "-b"]), adapter]
        for share, *words in ((0.3, "-q", "20"), (0.3, "-m", "20", "--too-short-output", "out/short.fq"), (0.2, "-n", "2"), (0.2, "--revcomp"),
                              (0.2, "--no-indels"), (0.2, "-e", "0.2"), (0.2, "--poly-a"), (0.2, "--trim-n"), (0.1, "--action", "mask")):
            if rng.random() < share:
                self.words += words

    def wrong(self, outputs):
        """Every base that is written is one of the input's."""
        written = sum(len(line) for name in ("reads.fq", "short.fq") for line in outputs.get(name, b"").decode().splitlines()[1::4])
        return "" if written <= sum(map(len, self.reads)) else f"{written} bases written"


class Count(Question):
    command = "count"

    def __init__(self, rng, folder):
        super().__init__(rng, folder)
        self.guides = list({letters(rng, rng.choice([18, 20])) for _ in range(rng.randint(1, 60))})
        self.guides += [changed_one(rng, guide) for guide in self.guides[:3]]
        self.guides = list(dict.fromkeys(self.guides))
        self.first, self.edits = rng.randrange(4), rng.randint(0, 1)
        self.last = self.first + rng.randrange(5)
        reads = []
        for _ in range(rng.randint(1, 300)):
            guide = rng.choice(self.guides)
            for _ in range(rng.randrange(3)):
                guide = changed_one(rng, guide)
            reads.append(letters(rng, rng.randint(0, 9)) + guide + letters(rng, rng.randrange(20)))
        self.write_reads(reads)
        (folder / "library.tsv").write_text("name\tsequence\n" + "".join(f"g{i}\t{guide}\n" for i, guide in enumerate(self.guides)))
        self.words = ["-l", "library.tsv", "--mismatches", self.edits, "--at", f"{self.first}-{self.last}", "--sample", "s",
                      "-o", "out/counts.tsv", "--summary", "out/samples.tsv"]

    def wrong(self, outputs):
        counts = dict.fromkeys(range(len(self.guides)), 0)
        for read in self.reads:
            best = {}
            for number, guide in enumerate(self.guides):
                for start in range(self.first, min(self.last, len(read) - len(guide)) + 1):
                    edits = sum(a != b for a, b in zip(guide, read[start:]))
                    if edits <= self.edits:
                        best.setdefault((edits, -len(guide)), set()).add(number)
            if best and len(best[min(best)]) == 1:
                counts[best[min(best)].pop()] += 1
        found = [int(line.split("\t")[1]) for line in outputs["counts.tsv"].decode().splitlines()[1:]]
        return "" if found == list(counts.values()) else f"found {found}, expected {list(counts.values())}"


def changed_one(rng, text):
    at = rng.randrange(len(text))
    return text[:at] + rng.choice("ACGT") + text[at + 1:]


def outputs_of(binary, question, more, source):
    """Runs it; returns its files by name."""
    out = question.folder / "out"
    out.mkdir(exist_ok=True)
    for path in out.iterdir():
        path.unlink()
    done = subprocess.run([binary, question.command, *map(str, question.words), *more, source, "--quiet"], cwd=question.folder, check=False,
                          input=(question.folder / "reads.fq").read_bytes(), capture_output=True)
    files = {path.name: path.read_bytes() for path in out.iterdir()}
    return {**files, "exit": str(done.returncode).encode() + done.stderr}


def ask(binary, seed, devices):
    """Returns what is wrong, or ""."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="basesweep-reads.") as name:
        question = rng.choice([Demux, Trim, Count])(rng, pathlib.Path(name))
        expected = outputs_of(binary, question, ["-t", "1"], "reads.fq")
        if expected["exit"] != b"0":
            refused = expected["exit"].startswith((b"2", b"3")) and question.command == "demux"  # a random sheet that cannot be told apart
            return "" if refused else expected["exit"].decode()
        wrong = question.wrong(expected)
        if wrong:
            return wrong
        ways = list(question.variants())
        if question.command == "demux":
            ways += [(["--device", device], "reads.fq") for device in devices]
        for more, source in ways:
            if outputs_of(binary, question, more, source) != expected:
                return f"{more} {source}: other files"
        if question.command == "demux":
            question.write_sheet(rng.sample(list(question.barcodes), len(question.barcodes)))
            found = outputs_of(binary, question, ["-t", "1"], "reads.fq")
            if {**found, "summary.tsv": b""} != {**expected, "summary.tsv": b""}:
                return "the order of the sheet matters"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--devices", default="cpu")
    options = parser.parse_args()
    end, asked, failed = time.monotonic() + options.seconds, 0, 0
    while time.monotonic() < end:
        wrong = ask(options.binary, options.seed + asked, options.devices.split(","))
        if wrong:
            failed += 1
            print(f"WRONG  --seed {options.seed + asked}: {wrong}", flush=True)
        asked += 1
    print(f"{asked} questions asked, {failed} failed")
    sys.exit(1 if failed or not asked else 0)


if __name__ == "__main__":
    main()
