"""Shared by the tests of `map`: support.py's case for that command, and difficult inputs."""
import functools
import json
import os
import random
import re

import naive_map
import naive_match
from naive_map import Read
from support import Case, run

run_map = functools.partial(run, command="map")
SEED = int(os.environ.get("BASESWEEP_TEST_SEED") or 5)
ALGORITHMS = ("hmm", "myers", "bitsliced")
CANDIDATES = ("index", "few-seeds", "sweep")
IUPAC = "ACGTRYSWKMBDHVN"
# Paths of numbers in the report of --json.
REPORTED = {"reads": ("reads", "total"), "mapped": ("reads", "mapped"), "unmapped": ("reads", "unmapped"),
            "too_long": ("reads", "too_long"), "too_short": ("reads", "too_short"), "no_bases": ("reads", "no_bases"),
            "left_out": ("unprinted_hits",)}


def random_bases(rng, count, letters="ACGT"):
    return "".join(rng.choice(letters) for _ in range(count))


def changed(letters, edits, rng, replacements="ACGT"):
    """Returns a copy with this many edits, or fewer when two cancel out."""
    for _ in range(edits):
        i = rng.randrange(len(letters))
        letters = letters[:i] + rng.choice(["", rng.choice(replacements), letters[i] + rng.choice(replacements)]) + letters[i + 1:]
    return letters


def made_records(rng):
    """Random, with a part that is there again on the other strand, changed; repeats, N, IUPAC letters, lower case, U; tiny
    records and one without bases."""
    first = random_bases(rng, 130)
    again = changed(naive_match.reverse_complement(first[30:70]), 2, rng)
    unit = random_bases(rng, rng.randint(2, 5))
    second = random_bases(rng, 30) + again + unit * 5 + "N" * rng.randint(1, 12) + random_bases(rng, 30)
    third = random_bases(rng, 20).lower() + random_bases(rng, 12, IUPAC) + first[60:90].replace("T", "U")
    return [("first", first), ("tiny", random_bases(rng, rng.randint(1, 3))), ("none", ""), ("chr|2", second),
            ("mixed", third), ("poly", "A" * 22 + random_bases(rng, 4) + "A" * 8)]


def copy_of(records, length, edits, rng, replacements="ACGT"):
    """Returns a changed copy of a random place on a random strand."""
    letters = naive_map.written(rng.choice([text for _, text in records if len(text) > length])).replace("N", "A")
    start = rng.randrange(len(letters) - length + 1)
    letters = letters[start:start + length]
    letters = letters if rng.random() < 0.5 else naive_match.reverse_complement(letters)
    return changed(letters, edits, rng, replacements)


def made_letters(records, rng, edits=3, count=24):
    """Changed copies, reads that hang over ends of records, that have N, IUPAC letters, U, lower case or none of A, C, G and
    T; palindromes, repeats, reads from nowhere, too short, empty."""
    reads = [copy_of(records, rng.randint(10, 26), rng.randint(0, edits), rng) for _ in range(count)]
    reads += [copy_of(records, 20, 2, rng, IUPAC) for _ in range(4)]
    reads += [records[0][1][-n:] + records[3][1][:16 - n] for n in (2, 8, 14)]  # from the end of one record and the start of another
    reads += [records[0][1][-12:] + random_bases(rng, 3), random_bases(rng, 2) + records[0][1][:14], records[0][1][:25].lower()]
    reads += [records[0][1][60:80].replace("T", "U"), "N" * 14, "RYSWKM", "A" * 15, random_bases(rng, 18)]
    half = random_bases(rng, 7)
    return reads + [half + naive_match.reverse_complement(half), "GAATTC" * 2, records[3][1][60:80].replace("N", "A"), "AC", "A", ""]


def quality_of(letters, rng):
    return "".join(chr(rng.randint(33, 126)) for _ in letters)


def made_reads(records, rng, **options):
    return [Read(f"read_{i}", letters, quality_of(letters, rng))
            for i, letters in enumerate(made_letters(records, rng, **options))]


def made_pairs(records, rng, count=20):
    """Returns pairs that face each other; some have an unrelated mate, lie on one strand, or one inside the other."""
    pairs = []
    for i in range(count):
        text = naive_map.written(rng.choice([text for _, text in records if len(text) > 40])).replace("N", "C")
        start = rng.randrange(len(text) - 30)
        end = rng.randint(start + 20, min(len(text), start + 80))
        size = [rng.randint(12, 18), rng.randint(12, 18)]
        mates = [text[start:start + size[0]], naive_match.reverse_complement(text[end - size[1]:end])]
        odd = i % 7
        if odd in (1, 2):
            mates[odd - 1] = random_bases(rng, 18)
        elif odd == 3:
            mates[1] = naive_match.reverse_complement(mates[1])
        elif odd == 4:
            mates[1] = copy_of(records, 16, 0, rng)
        elif odd == 5:
            mates = [text[start:start + 18], naive_match.reverse_complement(text[start:start + rng.choice([14, 18])])]
        mates = [changed(letters, rng.randint(0, 1), rng) for letters in mates]
        mates = mates if rng.random() < 0.5 else mates[::-1]
        pairs.append(tuple(Read(f"pair_{i}", letters, quality_of(letters, rng)) for letters in mates))
    nowhere = tuple(Read("nowhere", "N" * 12, "#" * 12) for _ in range(2))
    return pairs + [nowhere, (Read("half", text[2:20], "I" * 18), Read("half", "", ""))]


def fastq(reads, suffix=""):
    return "".join(f"@{read.name}{suffix}\n{read.letters}\n+\n{read.quality}\n" for read in reads)


def fasta_reads(reads):
    return "".join(f">{read.name}\n{read.letters}\n" for read in reads)


def interleaved(pairs):
    return "".join(fastq([first], "/1") + fastq([second], "/2") for first, second in pairs)


def options_of(options):
    """Returns the command-line words for naive_map.Options."""
    words = ["-k", options.k] if options.k is not None else ["-e", options.rate]
    words += ["--report", options.report, "--strand", options.strand]
    words += ["-N", options.most_secondary] if options.most_secondary is not None else []
    words += ["--insert", "{},{}".format(*options.insert)] if options.insert != (0, 1000) else []
    words += ["--rg", rf"@RG\tID:{options.read_group}"] if options.read_group else []
    return words + ["--hits-only"] * options.hits_only + ["--eqx"] * options.eqx


def alignments_of(sam):
    return [line.split("\t") for line in sam.splitlines() if not line.startswith("@")]


def reported(report, what):
    for key in REPORTED[what]:
        report = report[key]
    return report


class MapCase(Case):
    def run_here(self, *arguments, **options):
        return run_map(*arguments, cwd=self.folder, **options)

    def refused(self, code, *arguments, files=("-o", "out.sam", "--json", "out.json"), **options):
        return super().refused(code, *arguments, files=files, **options)

    def report(self, *arguments, **options):
        """Returns the --json report of a run that must succeed."""
        self.output(*arguments, "--json", "report.json", **options)
        text = (self.folder / "report.json").read_text()
        (self.folder / "report.json").unlink()
        return json.loads(text)

    def warned(self, stderr):
        """Returns the lines of stderr, which must all be warnings."""
        lines = stderr.decode().splitlines()
        self.assertTrue(all(line.startswith("basesweep: warning: ") for line in lines), lines)
        return [re.sub(r"\Abasesweep: warning: ", "", line) for line in lines]


def seeded(number):
    """Returns a random generator for one case, and how to repeat it if it fails."""
    return random.Random(f"{SEED} {number}"), f"BASESWEEP_TEST_SEED={SEED}, case {number}"
