"""What is written about hits on request: flanks, FASTA, GFF3, names of files, counts by file and by edits."""
import collections
import gzip
import json
import pathlib
import random
import re
import shutil
import subprocess
import urllib.parse

from chunk_support import SEED, ChunkCase
from support import LAMBDA

COMPLEMENT = str.maketrans("ACGTRYKMBVDHacgtrykmbvdh", "TGCAYRMKVBHDtgcayrmkvbhd")
MOTIFS = {"gaattc": "GAATTC", "acn": "ACN", "tata": "WATAW"}
PRIMERS = {"one": "GAATTCAAGT", "two": "ACNTTAGRCA"}


def reverse_complement(letters):
    return letters.translate(COMPLEMENT)[::-1]


def made_records(rng, count=6):
    """Records with runs of N, short and longer than those that are left out, other letters, and lower case; tiny ones too."""
    records = []
    for i in range(count):
        parts = []
        for _ in range(rng.randint(1, 5)):
            parts.append("".join(rng.choice("ACGT") for _ in range(rng.choice((0, 1, 7, 60, 400, 1500)))))
            parts.append(rng.choice(("GAATTC", "GAATTCAAGT", "gaattgaagt", "acgttagaca", "TGTCTAATGT", "WATATA")))
            parts.append(rng.choice(("", "N", "N" * 12, "N" * 300, "N" * 900, "nnnn", "RYK-*.", "u")))
        records.append((f"r{i}", "".join(parts)))
    records.insert(rng.randint(0, count), ("empty", ""))
    records.insert(rng.randint(0, count), ("one", "A"))
    return records


def fasta(records, width=61):
    return "".join(f">{name} title\n" + "".join(letters[i:i + width] + "\n" for i in range(0, len(letters), width))
                   for name, letters in records)


def fastq(records):
    return "".join(f"@{name}\n{letters}\n+\n{'I' * len(letters)}\n" for name, letters in records if letters)


def rows(text):
    header, *lines = [line.split("\t") for line in text.splitlines()]
    return [dict(zip(header, line)) for line in lines]


def shown(letters):
    return letters.upper().replace("U", "T")


def flanks(records, row, n):
    """The bases beside the hit of this row as its strand reads them."""
    letters = shown(dict(records)[row["record"]])
    start, end = int(row["start"]), int(row["end"])
    left, right = letters[max(0, start - n):start], letters[end:end + n]
    return (left, right) if row["strand"] == "+" else (reverse_complement(right), reverse_complement(left))


class Details(ChunkCase):
    def setUp(self):
        super().setUp()
        self.rng = random.Random(f"{SEED} details {self.id()}")
        self.records = made_records(self.rng)
        self.file("g.fa", fasta(self.records))
        self.file("m.tsv", "".join(f"{name}\t{letters}\n" for name, letters in MOTIFS.items()))
        self.file("p.tsv", "".join(f"{name}\t{letters}\n" for name, letters in PRIMERS.items()))
        self.calls = {"motif": ["motif", "-q", "-f", "m.tsv"], "match": ["match", "-q", "-f", "p.tsv", "-k", "3"]}

    def text(self, *arguments):
        return self.call(*arguments).decode()

    def index(self):
        self.call("plan", "-q", "g.fa", "-n", "1", "--write-index", "-o", "plan")


class Flanks(Details):
    def expect(self, call, n, records, *more):
        """The columns hold the text of the file; the other columns are those of a run without them."""
        plain = self.text(*call, "--format", "tsv")
        found = self.text(*call, "--format", "tsv", "--flank", n, *more)
        kept = [line.split("\t") for line in found.splitlines()]
        self.assertEqual(kept[0][-3:], ["upstream", "downstream", "matched"])
        about = f"seed {SEED}: {call} --flank {n} {more}"
        self.assert_same_text("".join("\t".join(line[:-3] + line[-1:]) + "\n" for line in kept), plain, about)
        table = rows(found)
        self.assertGreater(len(table), 5, about)
        for row in table:
            self.assertEqual((row["upstream"], row["downstream"]), flanks(records, row, n), f"{about}: {row}")

    def test_batches(self):
        """Across the borders of batches, and beside runs of N that are left out."""
        for call in self.calls.values():
            for n in (1, 5, 64, 333, 10000):
                for more in ((), ("--batch-bases", 1000), ("--batch-bases", 37), ("--batch-bases", 37, "-t", 3)):
                    self.expect([*call, "g.fa"], n, self.records, *more)

    def test_batches_of_one_base(self):
        for call in self.calls.values():
            self.expect([*call, "g.fa"], 9, self.records, "--batch-bases", 1)

    def test_algorithms(self):
        """An exact search has a halo on the left for flanks only."""
        self.file("m.tsv", "gaattc\tGAATTC\nother\tTTAGACA\n")
        for algorithm in ("planes", "drk2s", "ac-dfa", "ac-nfa", "set-horspool", "sbom", "wu-manber", "crk", "drk", "hrk", "qgrams"):
            done = self.attempt("motif", "-f", "m.tsv", "--algorithm", algorithm, "--count", "g.fa")
            if done.returncode == 0:
                for batch in (37, 1000):
                    self.expect([*self.calls["motif"], "g.fa"], 70, self.records, "--batch-bases", batch, "--algorithm", algorithm)

    def test_files(self):
        self.file("g.fa.gz", gzip.compress(fasta(self.records).encode()))
        self.file("g.fq", fastq(self.records))
        for call in self.calls.values():
            for name in ("g.fa.gz", "g.fq"):
                self.expect([*call, name], 40, self.records)

    def test_reports(self):
        """Hits of --report best wait in a spool."""
        for more in (["--report", "best"], ["--report", "minima"], ["--report", "all"], ["--non-overlapping"], ["--soft-masked", "skip"]):
            self.expect([*self.calls["match"], *more, "g.fa"], 30, self.records, "--batch-bases", 200)
        self.expect([*self.calls["motif"], "--soft-masked", "skip", "g.fa"], 30, self.records, "--batch-bases", 200)

    def test_regions(self):
        """Flanks reach past the region, with an index and without."""
        long = max(self.records, key=lambda record: len(record[1]))
        middle = len(long[1]) // 2
        regions = ["--region", f"{long[0]}:{middle - 200}-{middle + 300}", "--region", f"{long[0]}:1-500"]
        self.file("m.tsv", "acn\tACN\nc\tCN\n")
        self.file("p.tsv", "two\tACNTTAGR\nthree\tCANNGA\n")
        for indexed in (False, True):
            if indexed:
                self.index()
            for call in self.calls.values():
                for n in (3, 150, 10000):
                    self.expect([*call, *regions, "g.fa"], n, self.records, "--batch-bases", 64)

    def test_real(self):
        """The flanks are what samtools would cut out of the genome."""
        with gzip.open(LAMBDA, "rt") as file:
            title, *lines = file.read().splitlines()
        records = [(title[1:].split()[0], "".join(lines))]
        self.expect(["match", "-q", "-p", "GAATTCNNG", "-k", "2", LAMBDA], 25, records)
        self.expect(["motif", "-q", "-p", "CG", LAMBDA], 10, records)

    def test_refused(self):
        for command, words in (("motif", []), ("motif", ["--format", "gff3"]), ("match", []), ("match", ["--format", "bam"]),
                               ("match", ["--format", "bed"]), ("motif", ["--count"])):
            self.fails(2, *self.calls[command], "--flank", 5, *words, "g.fa", says=["--flank", "--count" if "--count" in words else "TSV, CSV, JSON lines or FASTA"])
        self.fails(2, *self.calls["motif"], "--flank", 10001, "--format", "tsv", "g.fa", says=["--flank", "10000"])

    def test_none(self):
        for call in self.calls.values():
            self.assertEqual(self.text(*call, "--format", "tsv", "--flank", 0, "g.fa"), self.text(*call, "--format", "tsv", "g.fa"))


class Fasta(Details):
    def test_hits(self):
        for command, call in self.calls.items():
            for n in (0, 4, 500):
                table = rows(self.text(*call, "--format", "tsv", *(["--flank", n] if n else []), "g.fa"))
                expected = ""
                for row in table:
                    edits = f" edits={row['edits']}" if command == "match" else ""
                    up, down = (row["upstream"], row["downstream"]) if n else ("", "")
                    expected += (f">{row['record']}:{row['start']}-{row['end']}({row['strand']}){edits} pattern={row['pattern']}\n"
                                 f"{up.lower()}{row['matched']}{down.lower()}\n")
                self.call(*call, "--flank", n, "g.fa", "-o", "x.fa.gz")
                self.assert_same_text(gzip.decompress(self.read("x.fa.gz")).decode(), expected, f"{command} {n}")

    def test_searched_again(self):
        """The output is FASTA that the program reads; every hit is found in it."""
        self.call("motif", "-p", "GAATTC", LAMBDA, "-o", "x.fa")
        self.assertEqual(self.text("motif", "-p", "GAATTC", "--count", "x.fa"), self.text("motif", "-p", "GAATTC", "--count", LAMBDA))


class Files(Details):
    def setUp(self):
        super().setUp()
        self.more = [(f"x{i}", letters) for i, (_, letters) in enumerate(made_records(self.rng))]
        self.file("h h.fa", fasta(self.more))
        self.file("none.fa", ">n\nCCCC\n")
        self.inputs = ["g.fa", "h h.fa", "none.fa"]
        self.names = {**{name: "g.fa" for name, _ in self.records}, **{name: "h h.fa" for name, _ in self.more}}

    def table(self, command, *more):
        return rows(self.text(*self.calls[command], "--format", "tsv", "--with-file", *more, *self.inputs))

    def test_column(self):
        for command, call in self.calls.items():
            plain = self.text(*call, "--format", "tsv", *self.inputs)
            for more in ([], ["--batch-bases", 50], ["--non-overlapping"], *([["--report", "best"]] if command == "match" else [])):
                for row in self.table(command, *more):
                    self.assertEqual(row["file"], self.names[row["record"]])
            lines = [line.split("\t") for line in self.text(*call, "--format", "tsv", "--with-file", *self.inputs).splitlines()]
            self.assertEqual(lines[0][-2:], ["file", "matched"])
            self.assert_same_text("".join("\t".join(line[:-2] + line[-1:]) + "\n" for line in lines), plain)

    def test_other_formats(self):
        for command, call in self.calls.items():
            places = [(row["record"], row["file"].replace(" ", "%20")) for row in self.table(command)]
            titles = [line for line in self.text(*call, "--format", "fasta", "--with-file", *self.inputs).splitlines() if line[0] == ">"]
            self.assertEqual([(re.match(r">(.*):\d+-\d+\(", line)[1], re.search(r" file=(\S+) pattern=", line)[1]) for line in titles], places)
            lines = [line.split("\t") for line in self.text(*call, "--format", "gff3", "--with-file", *self.inputs).splitlines()[1:]]
            self.assertEqual([(line[0], re.search(r";file=([^;]*)$", line[8])[1].replace(" ", "%20")) for line in lines], places)

    def test_stdin(self):
        done = self.call("motif", "-p", "GAATTC", "--format", "tsv", "--with-file", stdin=b">a\nGAATTC\n").decode()
        self.assertEqual(rows(done)[0]["file"], "<stdin>")

    def test_counts(self):
        """A row for each file, pattern and strand, in this order; they add up to the usual table."""
        for command, call in self.calls.items():
            for more in ([], ["--non-overlapping"], ["--strand", "minus"], *([["--report", "best"]] if command == "match" else [])):
                hits = collections.Counter((row["file"], row["pattern"], row["strand"]) for row in self.table(command, *more))
                usual = rows(self.text(*call, *more, "--count", *self.inputs))
                expected = "file\tpattern\tstrand\tcount\n" + "".join(
                    f"{name}\t{row['pattern']}\t{row['strand']}\t{hits[name, row['pattern'], row['strand']]}\n" for name in self.inputs for row in usual)
                self.assert_same_text(self.text(*call, *more, "--count", "--per-file", *self.inputs, "--batch-bases", 90), expected, f"{command} {more}")

    def test_by_edits(self):
        for more in ([], ["--non-overlapping"], ["--report", "best"], ["--report", "all"]):
            table = self.table("match", *more)
            hits = collections.Counter((row["file"], row["pattern"], row["strand"], row["edits"]) for row in table)
            self.assertTrue("best" in more or len({row["edits"] for row in table}) > 1)
            usual = rows(self.text(*self.calls["match"], *more, "--count", *self.inputs))
            for per_file in (False, True):
                expected = ("file\t" if per_file else "") + "pattern\tstrand\tcount\tedits_0\tedits_1\tedits_2\tedits_3\n"
                for name in self.inputs if per_file else [None]:
                    for row in usual:
                        counts = [sum(n for key, n in hits.items() if key[1:] == (row["pattern"], row["strand"], str(e)) and name in (None, key[0]))
                                  for e in range(4)]
                        cells = ([name] if per_file else []) + [row["pattern"], row["strand"], sum(counts), *counts]
                        expected += "\t".join(map(str, cells)) + "\n"
                found = self.text(*self.calls["match"], *more, "--count", "--by-edits", *(["--per-file"] if per_file else []), *self.inputs)
                self.assert_same_text(found, expected, f"{more}")

    def test_refused(self):
        self.fails(2, *self.calls["motif"], "--with-file", "g.fa", says=["--with-file", "TSV, CSV, JSON lines, GFF3 or FASTA"])
        self.fails(2, *self.calls["match"], "--with-file", "g.fa", says=["--with-file", "TSV, CSV, JSON lines, GFF3 or FASTA"])
        self.fails(2, *self.calls["match"], "--with-file", "--count", "g.fa", says=["--with-file", "--count", "--per-file"])
        self.fails(2, *self.calls["motif"], "--per-file", "g.fa", says=["--per-file", "--count"])
        self.fails(2, *self.calls["match"], "--by-edits", "g.fa", says=["--by-edits", "--count"])


class Gff3(Details):
    ODD = [("chr;1=a,b%c&d>e#f", "GAATTC" * 2), (">x", "TTGAATTC"), ("caf\u00e9|1", "GAATTC")]

    def check(self, text, table, command, lengths=None):
        """Compares with the rows of TSV. Names are percent-encoded; identifiers are unique."""
        lines = text.splitlines()
        self.assertEqual(lines[0], "##gff-version 3")
        regions = [line.split()[1:] for line in lines if line.startswith("##sequence-region")]
        self.assertEqual([(urllib.parse.unquote(name), begin, end) for name, begin, end in regions], lengths or [])
        found, ids = [], set()
        for line in lines[1 + len(regions):]:
            seqid, source, kind, start, end, score, strand, phase, attributes = line.split("\t")
            self.assertRegex(seqid, r"^[a-zA-Z0-9.:^*$@!+_?|%-]+$")
            pairs = [pair.split("=") for pair in attributes.split(";")]
            self.assertTrue(all(len(pair) == 2 for pair in pairs), line)
            pairs = {key: urllib.parse.unquote(value) for key, value in pairs}
            self.assertEqual((source, kind, phase), ("basesweep", "nucleotide_match" if command == "match" else "nucleotide_motif", "."))
            self.assertNotIn(pairs["ID"], ids)
            ids.add(pairs["ID"])
            found.append((urllib.parse.unquote(seqid), int(start) - 1, int(end), strand, pairs["Name"], score, pairs.get("edits"), pairs.get("indels")))
        self.assertEqual(found, table)

    def rows_of(self, call, *inputs):
        """What GFF3 should hold, from BED and TSV."""
        bed = [line.split("\t") for line in self.text(*call, "--format", "bed", *inputs).splitlines()]
        tsv = rows(self.text(*call, "--format", "tsv", *inputs))
        return [(b[0], int(b[1]), int(b[2]), b[5], b[3], b[4], t.get("edits"), t.get("indels")) for b, t in zip(bed, tsv)]

    def validate(self, name):
        if shutil.which("gt") is None:
            self.skipTest("no gt (Debian: genometools)")
        done = subprocess.run(["gt", "gff3validator", name], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout.decode())

    def test_hits(self):
        for command, call in self.calls.items():
            self.check(self.text(*call, "--format", "gff3", "g.fa"), self.rows_of(call, "g.fa"), command)

    def test_known_records(self):
        self.index()
        lengths = [(name, "1", str(len(letters))) for name, letters in self.records if letters]
        for command, call in self.calls.items():
            self.check(self.text(*call, "--format", "gff3", "g.fa"), self.rows_of(call, "g.fa"), command, lengths)

    def test_index_of_another_file(self):
        """The lengths would be wrong."""
        self.index()
        (self.folder / "g.fa.fai").rename(self.folder / "h.fa.fai")
        self.file("h.fa", ">r0\nGAATTC\n")
        self.file("i.fa.fai", (self.folder / "h.fa.fai").read_bytes())
        (self.folder / "h.fa").rename(self.folder / "i.fa")
        (self.folder / "i.fa.fai").touch()
        self.fails(3, *self.calls["motif"], "i.fa", "-o", "x.gff3", says=["i.fa"])

    def test_names(self):
        self.file("odd.fa", fasta(self.ODD))
        self.file("odd.tsv", "a;b=c,d%20&e\tGAATTC\nplain\tTTC\n")
        for command, call in (("motif", ["motif", "-f", "odd.tsv"]), ("match", ["match", "-k", "1", "-f", "odd.tsv"])):
            self.check(self.text(*call, "--format", "gff3", "odd.fa"), self.rows_of(call, "odd.fa"), command)

    def test_validator(self):
        self.file("odd.fa", fasta(self.ODD))
        for indexed in (False, True):
            if indexed:
                self.index()
            for call in self.calls.values():
                self.call(*call, "g.fa", "-o", "x.gff3")
                self.validate("x.gff3")
                self.call(*call, "odd.fa", LAMBDA, "--with-file", "-o", "y.gff")
                self.validate("y.gff")
        self.call("motif", "-p", "CCCCCCCCCCCCGGGG", LAMBDA, "-o", "none.gff3")
        self.validate("none.gff3")


class Parts(Details):
    """Merged chunks give the bytes of one run."""

    def test_joined(self):
        for indexed in (False, True):
            if indexed:
                self.index()
            for command, more in (("motif", []), ("motif", ["--non-overlapping"]), ("motif", ["--max-hits", 7]), ("match", []),
                                  ("match", ["--non-overlapping"]), ("match", ["--report", "best"]), ("match", ["--report", "best", "--max-hits", 3]),
                                  ("match", ["--report", "best-per-record"]), ("match", ["--report", "best", "--overhang", 5]),
                                  ("match", ["--report", "best-per-record", "--overhang", 5])):
                for output, words in (("gff3", ["--with-file"]), ("fa", ["--flank", 70, "--with-file"]), ("tsv", ["--flank", 70, "--with-file"])):
                    arguments = [*self.calls[command][2:], *more, *words, "g.fa"]
                    whole = self.whole(command, arguments, f"whole.{output}")
                    self.assertGreater(whole.count(b"\n"), 3)
                    for chunks in (1, 3):
                        self.assert_joined(whole, command, arguments, chunks, output, about=f"index: {indexed}")

    def test_joined_counts(self):
        self.file("h.fa", fasta([(f"x{name}", letters) for name, letters in made_records(self.rng)]))
        for command, more in (("motif", ["--per-file"]), ("motif", ["--per-file", "--strand", "plus"]), ("match", ["--by-edits"]),
                              ("match", ["--per-file"]), ("match", ["--by-edits", "--per-file"]), ("match", ["--per-file", "--report", "best"]),
                              ("match", ["--per-file", "--non-overlapping"]), ("motif", ["--per-file", "--non-overlapping"]), ("match", ["--by-edits", "--report", "best"]),
                              ("match", ["--by-edits", "--non-overlapping"]),
                              ("match", ["--by-edits", "--report", "best-per-record", "--overhang", 5]),
                              ("match", ["--by-edits", "--report", "best", "--overhang", 5])):
            arguments = [*self.calls[command][2:], "--count", *more, "g.fa", "h.fa"]
            self.assert_joined(self.whole(command, arguments, "whole.tsv"), command, arguments, 3, "tsv")

    def test_joined_reads(self):
        self.file("g.fq", fastq(self.records))
        for command, output, words in (("motif", "gff3", []), ("match", "fa", ["--flank", 12]), ("match", "tsv", ["--count", "--by-edits"])):
            arguments = [*self.calls[command][2:], *words, "g.fq"]
            self.assert_joined(self.whole(command, arguments, f"whole.{output}"), command, arguments, 3, output)

    def test_reports(self):
        """Parameters of the options, and counts, in the report of one run and in the merged one."""
        call = ["match", "-q", "-f", "p.tsv", "-k", "3", "--count", "--by-edits", "--per-file", "g.fa"]
        self.call(*call, "--json", "whole.json", "-o", "whole")
        self.merge(self.jobs("match", call[2:], 3), "merged", "--json", "merged.json")
        whole, merged = (json.loads(self.read(name)) for name in ("whole.json", "merged.json"))
        self.assertEqual((whole["parameters"]["by_edits"], whole["parameters"]["per_file"]), ("yes", "yes"))
        self.assertEqual((merged["patterns"], merged["hits"], merged["inputs"][0]["hits"]), (whole["patterns"], whole["hits"], whole["hits"]))
        for pattern in whole["patterns"]:
            self.assertEqual({strand: sum(counts) for strand, counts in pattern["counts_by_edits"].items()}, pattern["counts"])

    def test_another_run(self):
        for option in (["--flank", 5], ["--count"]):
            self.call(*self.calls["match"], "--chunk", "1/2", "g.fa", "-o", "a.bsp")
            self.call(*self.calls["match"], "--chunk", "2/2", *option, "g.fa", "-o", "b.bsp")
            self.fails(3, "merge", "a.bsp", "b.bsp", says=["not of one run"])

    def test_index(self):
        """tabix reads the index of GFF3."""
        parts = self.jobs("motif", ["-p", "GAATTC", LAMBDA], 2)
        self.call("merge", *parts, "-o", "x.gff3.gz", "--write-index")
        self.assertTrue(pathlib.Path(self.folder / "x.gff3.gz.tbi").exists())
        self.fails(2, "merge", *parts, "-o", "y.fa.gz", "--write-index", says=["--write-index needs a file of hits"])
