"""Shared by the tests of chunks, regions and merging: random genomes, their indices, jobs and merging."""
import concurrent.futures
import gzip
import os
import random
import struct

import naive
import naive_match
from map_support import SEED, changed, random_bases
from support import Case, bgzf, run, without_summary

LINE = 61
PRIMER, SHORT, POLY = "ACGTTGCAAGCCTTGACGGA", "GATTACCAGT", "AAAAAAA"
MOTIFS = [("primer", PRIMER), ("EcoRI", "GAATTC"), ("codes", "GANTCWR"), ("poly", "AAAAA"), ("repeat", "ACACA"), ("none", "GCGCGCGCGCGC")]
PRIMERS = [("primer", PRIMER), ("short", SHORT), ("poly", POLY), ("palindrome", "GGAATTCC"), ("none", "GCGCGCGCGCGCGCGCGCGC")]
# Copies of a pattern around a cut: offset of the start from the cut, change, strand.
OFFSETS = (-len(PRIMER), -len(PRIMER) + 1, -9, -1, 0, 1)
PLANTED = [(offset, kind, strand) for offset in OFFSETS for kind in ("same", "mismatch", "gap", "poly") for strand in "+-"]


def table(patterns):
    return "".join(f"{name}\t{letters}\n" for name, letters in patterns)


def fasta(records, line=LINE, end="\n"):
    text = ""
    for name, letters in records:
        text += f">{name} some words{end}" + "".join(letters[i:i + line] + end for i in range(0, len(letters), line))
    return text


def fai(records, line=LINE, end="\n"):
    """Returns the index that samtools faidx makes for fasta(records)."""
    text, offset = "", 0
    for name, letters in records:
        offset += len(f">{name} some words{end}")
        if letters:
            first = min(line, len(letters))
            text += f"{name}\t{len(letters)}\t{offset}\t{first}\t{first + len(end)}\n"
        offset += len(letters) + len(end) * -(-len(letters) // line)
    return text


def gzi(compressed):
    """Returns the index that bgzip -r makes: the start of each block but the first, in the compressed and in the plain text."""
    places, at, text = [], 0, 0
    while at < len(compressed):
        size = struct.unpack_from("<H", compressed, at + 16)[0] + 1
        letters = struct.unpack_from("<I", compressed, at + size - 4)[0]
        if at and letters:
            places.append((at, text))
        at, text = at + size, text + letters
    return struct.pack("<Q", len(places)) + b"".join(struct.pack("<QQ", *place) for place in places)


def lengths(rng):
    """Returns names and lengths of records: large, small, empty, and of 3 bases."""
    few = [(f"few_{i}", rng.randint(8, 70)) for i in range(9)]
    return [("chr.1", 5003), ("three", 3), ("none", 0), *few, ("chr:2", 2477), ("zero", 0), ("chr|3", 1201)]


def random_genome(seed, sizes=None):
    rng = random.Random(f"{SEED} {seed}")
    return [(name, random_bases(rng, size)) for name, size in sizes or lengths(random.Random(SEED))]


def planted(cut_genome, cuts, variant):
    """Returns the genome with one of PLANTED at every cut (record, place), a different one in each variant; adds N, lower case."""
    rng = random.Random(f"{SEED} planted {variant}")
    texts = dict(cut_genome)

    def put(record, at, letters):
        text = texts[record]
        letters, at = letters[max(0, -at):], max(0, at)
        texts[record] = (text[:at] + letters + text[at + len(letters):])[:len(text)]

    for name, letters in cut_genome:
        for pattern in (PRIMER, naive_match.reverse_complement(SHORT), "GAATTC", "AC" * 9, "A" * 21, changed(PRIMER, 2, rng)):
            if len(letters) > 400:
                put(name, rng.randrange(len(letters)), pattern)
        if len(letters) > 400:
            put(name, rng.randrange(len(letters)), "N" * rng.randint(1, 90))
            at = rng.randrange(len(letters))
            texts[name] = letters_between(texts[name], at, at + 300, str.lower)
    for i, (record, cut) in enumerate(cuts):
        offset, kind, strand = PLANTED[(5 * i + variant) % len(PLANTED)]
        copy = {"same": PRIMER, "mismatch": PRIMER[:8] + "C" + PRIMER[9:], "gap": PRIMER[:11] + PRIMER[12:],
                "poly": "A" * 24 + "ACAC" * 4}[kind]
        put(record, cut + offset, copy if strand == "+" else naive_match.reverse_complement(copy))
        if (i + variant) % 3 == 0:
            put(record, cut + offset + 14, changed(PRIMER, 1, rng))  # overlaps the copy before
    for i, (record, cut) in enumerate(cuts):
        if (i + variant) % 5 == 4:
            texts[record] = letters_between(texts[record], cut - (i % 7), cut + 4, str.lower)
    return [(name, texts[name]) for name, _ in cut_genome]


def letters_between(text, begin, end, change):
    begin = max(0, begin)
    return text[:begin] + change(text[begin:end]) + text[end:]


def cuts_of(plan):
    """Returns (record, place) of every cut of a plan inside a record."""
    rows = [line.split("\t") for line in plan.splitlines() if not line.startswith("#")]
    return [(row[1], int(row[2])) for row in rows if row[1] != "*" and row[0] != "0" and int(row[2]) > 0]


class ChunkCase(Case):
    def setUp(self):
        super().setUp()
        self.file("motifs.tsv", table(MOTIFS))
        self.file("primers.tsv", table(PRIMERS))
        self.pool = concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0)) + 1)
        self.addCleanup(self.pool.shutdown)

    def call(self, command, *arguments, **options):
        """Runs a command that must succeed without messages; returns stdout."""
        done = self.attempt(command, *arguments, **options)
        self.assertEqual((done.returncode, without_summary(done.stderr)), (0, b""), f"{command} {' '.join(map(str, arguments))}")
        return done.stdout

    def attempt(self, command, *arguments, **options):
        return run(*arguments, command=command, cwd=self.folder, **options)

    def fails(self, code, command, *arguments, says=(), **options):
        """Checks that a run exits with `code` and one message that holds all of `says`, and writes and changes no file."""
        def state():
            return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        before = state()
        done = self.attempt(command, *arguments, **options)
        message = done.stderr.decode(errors="replace")
        about = f"{command} {' '.join(map(str, arguments))}: exit {done.returncode}, {message!r}"
        self.assertEqual((done.returncode, done.stdout), (code, b""), about)
        self.assertTrue(message.startswith("basesweep: "), about)
        for part in says:
            self.assertIn(part, message, about)
        after = state()
        self.assertEqual(sorted(after), sorted(before), about)
        self.assertEqual(after, before, about)
        return message

    def whole(self, command, arguments, output):
        self.call(command, "-q", "-t", "2", *arguments, "-o", output)
        return self.read(output)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def jobs(self, command, arguments, chunks, plan=None, label="part"):
        """Runs all chunks and returns the names of the parts. `plan`: name of a file; None: each job makes its own plan."""
        more = ["--plan", plan] if plan else []
        parts = [f"{label}.{i}.bsp" for i in range(1, chunks + 1)]
        calls = [self.pool.submit(self.call, command, "-q", "-t", "1", *arguments, *more, "--chunk", f"{i}/{chunks}", "-o", part)
                 for i, part in enumerate(parts, 1)]
        for done in calls:
            done.result()
        return parts

    def merge(self, parts, output, *more):
        shuffled = list(parts)
        random.Random(f"{SEED} {len(parts)}").shuffle(shuffled)
        self.call("merge", "-q", *shuffled, "-o", output, *more)
        return self.read(output)

    def assert_joined(self, expected, command, arguments, chunks, output, plan=None, about=""):
        """Checks that the merged parts equal `expected` byte for byte."""
        merged = self.merge(self.jobs(command, arguments, chunks, plan), f"merged.{output}")
        about = f"seed {SEED}: {command} {' '.join(map(str, arguments))} -o {output}, {chunks} chunks, plan {plan}, {about}"
        if merged == expected:
            return
        if merged[:2] == b"\x1f\x8b":
            merged, expected = gzip.decompress(merged), gzip.decompress(expected)
            self.assertNotEqual(merged, expected, f"{about}: only the compressed bytes differ")
        self.assert_same_text(merged.decode("latin-1"), expected.decode("latin-1"), about)

    def plan(self, chunks, *arguments):
        """Writes a plan and returns the name of its file."""
        name = f"plan.{chunks}.tsv"
        self.call("plan", "-q", *arguments, "--chunks", chunks, "-o", name)
        return name

    def cuts(self, records, *chunk_counts):
        """Returns all cuts of plans for these records and numbers of chunks."""
        self.file("cut.fa", fasta(records))
        found = []
        for chunks in chunk_counts:
            found += cuts_of(self.call("plan", "cut.fa", "--chunks", chunks).decode())
        (self.folder / "cut.fa").unlink()
        return sorted(set(found))

    def genome(self, variant, *chunk_counts):
        records = random_genome("genome")
        cuts = self.cuts(records, *chunk_counts)
        self.assertGreater(len(cuts), max(chunk_counts) // 2)
        return planted(records, cuts, variant), cuts


def write_sources(case, records, stem="g"):
    """Writes the same genome with and without indices; returns {kind: command-line words for the input}."""
    text = fasta(records).encode()
    packed = bgzf(text, 700)
    files = {"none": ".fa", "fai": ".fai.fa", "bgzf": ".both.fa.gz", "bgzf fai": ".fai.fa.gz", "gzip": ".fa.gz", "given": ".given.fa",
             "bgzf given": ".given.fa.gz"}
    os.makedirs(case.folder / "index", exist_ok=True)
    for what, extension in files.items():
        case.file(stem + extension, gzip.compress(text) if what == "gzip" else packed if "bgzf" in what else text)
    for name in (".fai.fa.fai", ".both.fa.gz.fai", ".fai.fa.gz.fai"):
        case.file(stem + name, fai(records))
    case.file(f"{stem}.both.fa.gz.gzi", gzi(packed))
    case.file("index/names", fai(records))
    case.file("index/blocks", gzi(packed))
    more = {"given": ["--fai", "index/names"], "bgzf given": ["--fai", "index/names", "--gzi", "index/blocks"]}
    return {what: [stem + extension, *more.get(what, [])] for what, extension in files.items()}


def hits_across(bed, cuts):
    """Returns {cut: number of hits that span it}."""
    lines = [line.split("\t") for line in bed.splitlines() if not line.startswith("#")]
    return {cut: sum(line[0] == cut[0] and int(line[1]) < cut[1] < int(line[2]) for line in lines) for cut in cuts}


def naive_bed(records, **options):
    return naive.bed(records, MOTIFS, naive.search(records, MOTIFS, **options))
