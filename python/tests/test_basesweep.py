"""The Python package against the program: the same rows for the same options, from files and from memory; and what goes wrong.

Needs BASESWEEP_BINARY, the program; NumPy; and takes pyarrow, polars and pandas where they are installed.
"""
import csv
import gc
import gzip
import importlib.util
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import basesweep as bs
import numpy
from basesweep import _core

PROGRAM = os.environ.get("BASESWEEP_BINARY", "basesweep")


def letters(seed, count):
    return "".join(random.Random(seed).choices("ACGT", k=count))


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="python-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="ascii")
        return str(path)

    def fasta(self, name, records):
        return self.file(name, "".join(f">{title}\n{bases}\n" for title, bases in records.items()))

    def rows(self, *words):
        """The header and the rows of the program's TSV."""
        done = subprocess.run([PROGRAM, *map(str, words), "-q", "--device", "cpu"], capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        lines = list(csv.reader(done.stdout.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
        return lines[0], lines[1:]

    def check(self, table, header, rows):
        self.assertEqual(table.columns, header)
        told = [["" if cell is None else str(cell) if not isinstance(cell, float) else cell for cell in row] for row in table.rows()]
        self.assertEqual(len(told), len(rows))
        for own, expected in zip(told, rows):
            for cell, text in zip(own, expected):
                if isinstance(cell, float):
                    if text in ("", "."):
                        self.assertNotEqual(cell, cell)
                    else:
                        self.assertAlmostEqual(cell, float(text), delta=1e-3 * max(1.0, abs(cell)))
                else:
                    self.assertEqual(cell, "" if text == "." else text)


class SameAsProgram(Case):
    def setUp(self):
        super().setUp()
        self.records = {f"r{i}": letters(i, 5_000) for i in range(4)}
        self.text = self.fasta("text.fa", self.records)
        self.patterns = {f"p{i}": self.records["r1"][100 * i:100 * i + 20] for i in range(1, 6)}
        self.pattern_file = self.file("p.tsv", "".join(f"{name}\t{bases}\n" for name, bases in self.patterns.items()))

    def sources(self):
        yield self.text
        yield pathlib.Path(self.text)
        yield [self.text]
        yield self.records
        yield iter(self.records.items())
        yield [(name, bases.encode()) for name, bases in self.records.items()]
        yield [(name, numpy.frombuffer(bases.encode(), numpy.uint8)) for name, bases in self.records.items()]
        yield [(name, bytearray(bases.encode())) for name, bases in self.records.items()]

    def test_motif(self):
        header, rows = self.rows("motif", "--format", "tsv", "-f", self.pattern_file, self.text)
        for source in self.sources():
            self.check(bs.motif(self.patterns, source), header, rows)
        for patterns in (self.pattern_file, list(self.patterns.items()), bs.PatternSet(self.pattern_file)):
            self.check(bs.motif(patterns, self.text, strand="both", threads=1), header, rows)

    def test_match(self):
        for options, words in (({"k": 3}, ["-k", 3]), ({"e": 0.2, "max_indels": 0}, ["-e", 0.2, "--max-indels", 0]),
                               ({"k": 5, "report": "best-per-record", "clamp_3prime": 3}, ["-k", 5, "--report", "best-per-record", "--clamp-3prime", 3]),
                               ({"k": 2, "circular": True, "strand": "minus"}, ["-k", 2, "--circular", "--strand", "minus"])):
            header, rows = self.rows("match", "--format", "tsv", *words, "-f", self.pattern_file, self.text)
            for source in (self.text, self.records):
                with self.subTest(options=options):
                    self.check(bs.match(self.patterns, source, **options), header, rows)

    def test_columns(self):
        columns = ["pattern", "end", "start", "edits"]
        header, rows = self.rows("match", "--format", "tsv", "-k", 4, "--columns", ",".join(columns), "-f", self.pattern_file, self.text)
        table = bs.match(self.patterns, self.text, k=4, columns=columns)
        self.check(table, header, rows)
        self.assertEqual(table["start"].tolist(), [int(row[2]) for row in rows])
        self.assertEqual(table["pattern"], [row[0] for row in rows])

    def test_count(self):
        counts = bs.count(self.patterns, self.records, k=4, by_strand=True)
        table = bs.match(self.patterns, self.records, k=4)
        for (name, strand), number in counts.items():
            self.assertEqual(number, sum(1 for pair in zip(table["pattern"], table["strand"]) if pair == (name, strand)))
        self.assertEqual(sum(bs.count(self.patterns, self.text, k=4).values()), len(table))

    def test_pcr(self):
        bases = self.records["r2"]
        turned = bases[900:920].translate(str.maketrans("ACGT", "TGCA"))[::-1]
        pairs = self.file("pairs.tsv", f"a\t{bases[300:320]}\t{turned}\n")
        header, rows = self.rows("pcr", "--format", "tsv", "-k", 2, "-f", pairs, self.text)
        self.assertEqual(len(rows), 1)
        for own in (pairs, {"a": (bases[300:320], turned)}, [("a", bases[300:320], turned)]):
            table = bs.pcr(own, self.records, k=2)
            self.assertEqual([table[name].tolist() if hasattr(table[name], "tolist") else table[name] for name in ("start", "end")],
                             [[int(row[header.index(name)]) for row in rows] for name in ("start", "end")])
        self.assertEqual(len(bs.pcr(pairs, self.text, k=2, size=(0, 600))), 0)

    def test_guides(self):
        bases = self.records["r0"]
        guides = {f"g{i}": bases[i * 50:i * 50 + 20] for i in range(1, 9)}
        path = self.file("guides.tsv", "".join(f"{name}\t{letters_}\n" for name, letters_ in guides.items()))
        header, rows = self.rows("guides", "-m", 6, "--pam", "NGG", "-f", path, self.text)
        table = bs.guides(guides, self.records, m=6)
        self.assertEqual(table.totals["places"], [int(row[header.index("places")]) for row in rows])
        self.assertEqual(sum(table.totals["places"]), len(table))

    def test_map(self):
        reads = {f"q{i}": self.records[f"r{i % 4}"][i * 37:i * 37 + 60] for i in range(40)}
        reads["none"] = letters(99, 60)
        path = self.fasta("reads.fa", reads)
        done = subprocess.run([PROGRAM, "map", "-q", "--eqx", "-k", "3", "-r", self.text, path], capture_output=True, text=True, check=True)
        expected = [line.split("\t")[:6] for line in done.stdout.splitlines() if not line.startswith("@")]
        for reference, source in ((self.text, path), (self.records, reads)):
            table = bs.map(reference, source, k=3, columns=["read", "record", "start", "cigar"])
            own = [[read, record or "*", str(0 if start is None else start + 1), cigar or "*"] for read, record, start, cigar in table.rows()]
            self.assertEqual(own, [[fields[0], fields[2], fields[3], fields[5]] for fields in expected])
            self.assertEqual((table.totals["reads"], table.totals["mapped"]), (41, 40))
            self.assertEqual(table.missing("start"), [40])
            self.assertEqual(len(bs.map(reference, source, k=3, hits_only=True)), 40)

    def test_pwm(self):
        path = self.file("m.jaspar", ">M1 one\nA [9 1 1 9 1]\nC [1 9 1 1 1]\nG [1 1 9 1 1]\nT [1 1 1 1 9]\n")
        header, rows = self.rows("pwm", "--format", "tsv", "-p", 0.001, "-m", path, self.text)
        table = bs.pwm(path, self.records, p=0.001)
        self.assertEqual(table["start"].tolist(), [int(row[header.index("start")]) for row in rows])
        own = bs.pwm({"M1": [[9, 1, 1, 1], [1, 9, 1, 1], [1, 1, 9, 1], [9, 1, 1, 1], [1, 1, 1, 9]]}, self.text, p=0.001)
        self.assertEqual(own["start"].tolist(), table["start"].tolist())

    def test_limits_of_a_file_stay(self):
        path = self.file("limits.tsv", f"name\tsequence\tedits\na\t{self.patterns['p1']}\t3\nb\t{self.patterns['p2']}\t0\n")
        header, rows = self.rows("match", "--format", "tsv", "-k", 1, "-f", path, self.text)
        for patterns in (path, bs.PatternSet(path)):
            self.check(bs.match(patterns, self.text, k=1), header, rows)

    def test_compiled(self):
        path = str(self.folder / "set.bsx")
        subprocess.run([PROGRAM, "compile", "-q", "-k", "2", "-f", self.pattern_file, "-o", path], check=True)
        self.assertEqual(list(bs.load(path).search(self.text).rows()), list(bs.match(self.patterns, self.text, k=2).rows()))


DATA = pathlib.Path(os.environ["BASESWEEP_TEST_DATA"]) if os.environ.get("BASESWEEP_TEST_DATA") else None


@unittest.skipUnless(DATA, "no BASESWEEP_TEST_DATA")
class RealData(Case):
    """Tables are the program's, on real genomes, reads, guides and matrices."""

    def same(self, table, *words):
        header, rows = self.rows(*words, "--columns", ",".join(table.columns))
        self.assertGreater(len(rows), 5)
        self.check(table, header, rows)

    def test_motif_and_match(self):
        genome, motifs = DATA / "genomes/ecoli_K12_MG1655_NC_000913.3.fa.gz", DATA / "motifs/ce2dict0.fa"
        self.same(bs.motif({"Chi": "GCTGGTGG", "box": "TATAAT"}, genome), "motif", "-p", "Chi=GCTGGTGG", "-p", "box=TATAAT", "--format", "tsv", genome)
        self.same(bs.match(motifs, genome, k=3), "match", "-f", motifs, "-k", 3, "--format", "tsv", genome)
        reads, adapters = DATA / "reads/artic_illumina_R1.fq.gz", DATA / "primers/TruSeq2-PE.fa"
        self.same(bs.match(adapters, reads, e=0.2, overhang=5), "match", "-f", adapters, "-e", 0.2, "--overhang", 5, "--format", "tsv", reads)

    def test_pwm(self):
        genome, matrices = DATA / "genomes/lambda_NC_001416.1.fa.gz", DATA / "motifs/jaspar2026_core_vertebrates.jaspar"
        self.same(bs.pwm(matrices, genome, p=1e-5), "pwm", "-m", matrices, "-p", "1e-5", "--format", "tsv", genome)

    def test_pcr(self):
        pairs = {"16S": ("AGAGTTTGATCMTGGCTCAG", "GGACTACNVGGGTWTCTAAT"), "V4": ("GTGYCAGCMGCCGCGGTAA", "GGACTACNVGGGTWTCTAAT")}
        path = self.file("pairs.tsv", "".join("\t".join((name, *both)) + "\n" for name, both in pairs.items()))
        genome = DATA / "genomes/vcholerae_N16961.fa.gz"
        table = bs.pcr(pairs, genome, k=3, columns=["record", "start", "end", "pair", "strand", "forward_edits", "reverse_edits"])
        self.same(table, "pcr", "-f", path, "-k", 3, "--format", "tsv", genome)

    def test_guides(self):
        with gzip.open(DATA / "motifs/guides_KY_v1.0.tsv.gz", "rt") as file:
            guides = {f"g{i}": found.group() for i, line in enumerate(file) if i < 400 and (found := re.search("[ACGT]{19,20}", line))}
        path = self.file("guides.tsv", "".join(f"{name}\t{bases}\n" for name, bases in guides.items()))
        genome, places = DATA / "genomes/yeast_R64_ensembl94.fa.gz", str(self.folder / "places.tsv")
        table = bs.guides(guides, genome, m=4)
        header, rows = self.rows("guides", "-f", path, "-m", 4, genome, "--hits", places)
        self.assertEqual(table.totals["places"], [int(row[header.index("places")]) for row in rows])
        self.assertEqual(len(table), len(pathlib.Path(places).read_text().splitlines()) - 1)

    def test_map(self):
        genome, reads = DATA / "genomes/sarscov2_MN908947.3.fa.gz", DATA / "reads/artic_illumina_R1.fq.gz"
        table = bs.map(genome, reads, e=0.05)
        path = self.folder / "reads.sam"
        subprocess.run([PROGRAM, "map", "-q", "--eqx", "-e", "0.05", "-r", genome, reads, "-o", path], check=True)
        expected = [line.split("\t") for line in path.read_text().splitlines() if not line.startswith("@")]
        self.assertGreater(len(expected), 5_000)
        own = list(zip(table["read"], table["record"], table["start"].tolist(), table["cigar"]))
        self.assertEqual([(read, record or "*", start + 1 if record else 0, cigar or "*") for read, record, start, cigar in own],
                         [(fields[0], fields[2], int(fields[3]), fields[5]) for fields in expected])


class Options(Case):
    # Those about files and formats, regions, chunks, pairs of reads, tables instead of rows, and what the program prints.
    PROGRAM_ONLY = """
        help h quiet verbose progress timeout json html output format compression cram_reference write_index chunk plan fai gzi columns no_PG read_group eqx
        pattern pattern_file name_column pattern_column region regions_file strict_regions count per_file with_file
        reads1 reads2 interleaved pairs matching_reads other_reads aligned edit_columns by_edits
        pair_file forward reverse forward_column reverse_column sequence probe table oligo monovalent divalent dntp
        matrices matrix_format names per_region thresholds
        annotate annotate_kind design guide_length gc max_poly_t top min_specificity unique max_scored hits hits_all
        reference keep_tags md5 insert"""

    def test_the_program_has_the_same(self):
        told = json.loads(subprocess.run([PROGRAM, "help", "--json"], capture_output=True, text=True, check=True).stdout)
        of_command = {command["name"].split()[-1]: {max(option["names"], key=len).lstrip("-").replace("-", "_") for option in command["options"]}
                      for command in told["commands"]}
        left = {("pwm", "algorithm"), ("pwm", "report"), ("guides", "max_mismatches")}  # one meaning only; the same as mismatches
        for command in ("match", "pcr", "pwm", "guides", "map"):
            with self.subTest(command):
                own = set(_core.options(command))
                program = of_command[command]
                self.assertEqual({word for word in program - own - set(self.PROGRAM_ONLY.split()) if (command, word) not in left}, set())
                self.assertEqual(own - program - {"mismatches"}, set())

    def test_two_at_once(self):
        text = letters(4, 2_000)
        sites = {"gap": text[500:510] + text[511:521], "over": "G" * 8 + text[:12], "under": text[-12:] + "G" * 8}
        without_gaps, both = list(bs.match(sites, text, mismatches=2)), list(bs.match(sites, text, k=2))
        self.assertEqual(without_gaps, list(bs.match(sites, text, k=2, max_indels=0)))
        self.assertEqual({row[3] for row in both} - {row[3] for row in without_gaps}, {"gap"})
        over = list(bs.match(sites, text, k=1, overhang=12, max_indels=0))
        self.assertEqual(over, list(bs.match(sites, text, k=1, overhang_5prime=12, overhang_3prime=12, max_indels=0)))
        self.assertEqual({row[3] for row in over}, {"over", "under"})
        self.assertEqual({row[3] for row in bs.match(sites, text, k=1, overhang_5prime=12, max_indels=0)}, {"over"})
        for words in ({"mismatches": 1, "max_indels": 2}, {"max_indels": 2, "mismatches": 1}, {"k": 3, "mismatches": 1}):
            with self.assertRaisesRegex(bs.UsageError, "mismatches and .* conflict"):
                bs.match(sites, text, **words)
        with self.assertRaisesRegex(bs.UsageError, "overhang and overhang_3prime conflict"):
            bs.match(sites, text, k=1, overhang=12, overhang_3prime=9)


class Written(Case):
    """Files that the package writes, and those of the program."""

    def setUp(self):
        super().setUp()
        self.records = {f"r{i}": letters(i, 3_000) for i in range(3)}
        self.text = self.fasta("text.fa", self.records)
        self.patterns = self.file("p.tsv", "".join(f"p{i}\t{self.records['r1'][100 * i:100 * i + 20]}\n" for i in range(1, 6)))

    def same(self, name, write, *words):
        """`write(path)` gives the bytes that the program gives; alignments but for their @PG line, as text."""
        own, expected = str(self.folder / f"own.{name}"), str(self.folder / f"expected.{name}")
        write(own)
        aligned = name.split(".")[0] in ("sam", "bam", "cram")
        subprocess.run([PROGRAM, *map(str, words), "-q", "--device", "cpu", *(["--no-PG"] if aligned else [])], check=True, capture_output=True)
        if not aligned:
            self.assertEqual(pathlib.Path(own).read_bytes(), pathlib.Path(expected).read_bytes())
            return
        shown = [subprocess.run(["samtools", "view", "-h", "--no-PG", *(["-T", self.text] if name == "cram" else []), path], check=True, capture_output=True, text=True).stdout
                 for path in (own, expected)]
        self.assertIn("@PG\tID:basesweep", shown[0])
        self.assertEqual([line for line in shown[0].splitlines() if not line.startswith("@PG")], shown[1].splitlines())

    def test_hits(self):
        for name in ("tsv", "bed", "gff3", "fa", "jsonl", "csv.gz"):
            for source in (self.text, self.records):
                path = str(self.folder / f"expected.{name}")
                with self.subTest(name):
                    self.same(name, lambda own, source=source: bs.motif(self.patterns, source).write(own), "motif", "-f", self.patterns, self.text, "-o", path)
        for name in ("tsv", "bed", "sam", "bam"):
            path = str(self.folder / f"expected.{name}")
            with self.subTest(name):
                search = bs.Searcher(self.patterns, k=3)
                self.same(name, lambda own, search=search: search.write(self.records, own), "match", "-k", 3, "-f", self.patterns, self.text, "-o", path)

    def test_products_sites_and_places(self):
        bases = self.records["r2"]
        turned = bases[900:920].translate(str.maketrans("ACGT", "TGCA"))[::-1]
        pairs = self.file("pairs.tsv", f"a\t{bases[300:320]}\t{turned}\n")
        guides = self.file("guides.tsv", "".join(f"g{i}\t{bases[i * 50:i * 50 + 20]}\n" for i in range(1, 9)))
        matrix = self.file("m.jaspar", ">M1 one\nA [9 1 1 9 1]\nC [1 9 1 1 1]\nG [1 1 9 1 1]\nT [1 1 1 1 9]\n")
        expected = str(self.folder / "expected.")
        # GFF3 before CRAM, for which samtools makes an index, and the program lists the records of an index
        for name in ("tsv", "bed", "gff3"):
            self.same(name, bs.pwm(matrix, self.records, p=0.001).write, "pwm", "-p", 0.001, "-m", matrix, self.text, "-o", expected + name)
        for name in ("tsv", "bed", "bam", "fa"):
            self.same(name, bs.pcr(pairs, self.text, k=2).write, "pcr", "-k", 2, "-f", pairs, self.text, "-o", expected + name)
        for name in ("tsv", "bed", "sam", "cram"):
            self.same(name, bs.guides(guides, self.text, m=6).write, "guides", "-m", 6, "-f", guides, self.text, "-o", expected + "table.tsv", "--hits", expected + name)

    def test_reads(self):
        reads = self.file("reads.fq", "".join(f"@q{i}\n{self.records['r0'][i * 31:i * 31 + 50]}\n+\n{'I' * 50}\n" for i in range(40)))
        for name in ("sam", "bam", "cram"):
            self.same(name, bs.map(self.text, reads, k=2).write, "map", "-k", 2, "-r", self.text, reads, "-o", str(self.folder / f"expected.{name}"))
        bs.map(self.records, {"q": self.records["r0"][:40]}, k=1).write(self.folder / "memory.sam")
        self.assertIn("q\t0\tr0\t1\t", (self.folder / "memory.sam").read_text())

    def test_columns(self):
        path = self.folder / "own.tsv"
        table = bs.match(self.patterns, self.text, k=3, columns=["end", "pattern"])
        table.write(path)
        self.assertEqual(path.read_text().splitlines()[0], "end\tpattern")
        self.assertEqual(len(path.read_text().splitlines()), len(table) + 1)
        totals = bs.Searcher(self.patterns, k=3).write(self.text, path, columns=["start"], format="csv")
        self.assertEqual((totals["rows"], path.read_text().splitlines()[0]), (len(table), "start"))

    def test_names_and_inputs(self):
        for patterns, search in (("ACGTACGT", lambda p, **o: bs.match(p, {"r": "ACGTACGT"}, k=1, **o)), ({"a": ("ACGTAC", "ACGTAC")}, lambda p, **o: bs.pcr(p, {"r": "ACGTACAAGTACGT"}, k=0, **o))):
            search(patterns, columns=["file", "start"]).write(self.folder / "x.tsv")
            self.assertEqual((self.folder / "x.tsv").read_text().splitlines()[1].split("\t")[0], "<memory>")
        bs.motif("ACG", {"r": "ACG"}, columns=["start", "edits"]).write(self.folder / "x.tsv")
        self.assertEqual((self.folder / "x.tsv").read_text(), "start\tedits\n0\t0\n")
        bs.match("ACGT", {"r": "ACGT"}, k=1, columns=["start"]).write(self.folder / "no_ending")
        self.assertEqual((self.folder / "no_ending").read_text().splitlines()[0], "start")
        bs.match("ACGT", {"r": "ACGT"}, k=1, columns=["start"]).write(self.folder / "x.bed")
        self.assertEqual((self.folder / "x.bed").read_text(), "r\t0\t4\tACGT\t1000\t+\n")
        bs.map({"r": "ACGTACGTAC"}, {"q": "ACGTAC"}, k=0).write(self.folder / "no_ending")
        self.assertTrue((self.folder / "no_ending").read_text().startswith("@HD\t"))
        long = "r" * 300
        bs.motif("ACG", {long: "ACG"}).write(self.folder / "x.bed")
        self.assertEqual((self.folder / "x.bed").read_text().split("\t")[0], long)
        for source, says in (({"chr 1": "ACG"}, "a name with a blank"), ({"#r": "ACG"}, "#r"), ({"": "ACG"}, "")):
            with self.assertRaisesRegex(bs.InputError, says):
                bs.motif("ACG", source).write(self.folder / "refused.bed")
        before = pathlib.Path(self.text).read_bytes()
        for write in (bs.motif("ACGT", self.text).write, bs.map(self.text, {"q": "ACGTACGT"}, k=0).write):
            with self.assertRaisesRegex(bs.UsageError, "the same file is input and output"):
                write(self.text, format="bed" if write.__self__.totals.get("reads") is None else "sam")
        self.assertEqual(pathlib.Path(self.text).read_bytes(), before)
        for name in ("x.tsv.zst", "{pattern}.tsv"):
            with self.assertRaises(bs.UsageError):
                bs.motif("ACGT", self.text).write(self.folder / name, format="tsv")
        self.assertFalse((self.folder / "refused.bed").exists())

    def test_what_cannot_be_written(self):
        table = bs.match("ACGTACGT", self.records, k=1)
        for name, kind, says in (("x.cram", bs.UsageError, "cannot write .cram"), ("x.bam.gz", bs.UsageError, "already compressed"),
                                 ("no/x.bed", bs.IoError, "no/x.bed: cannot write")):
            with self.assertRaises(kind) as raised:
                table.write(self.folder / name)
            self.assertIn(says, str(raised.exception))
        with self.assertRaisesRegex(bs.UsageError, "BED has no columns to choose; TSV, CSV and JSON lines have"):
            table.write(self.folder / "x.bed", columns=["start"])
        with self.assertRaisesRegex(bs.UsageError, "'wig' is none of: sam, bam"):
            table.write(self.folder / "x", format="wig")
        with self.assertRaisesRegex(bs.InputError, "bad.fa"):
            bs.Searcher("ACGT").write(self.file("bad.fa", ">a\nAC\x01GT\n"), self.folder / "bad.bed")
        part = next(iter(bs.motif("ACGT", self.records, batches=True)))
        with self.assertRaisesRegex(TypeError, "one batch of a loop"):
            part.write(self.folder / "x.tsv")
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name.startswith((".", "x", "bad.bed"))], [])

    def test_progress_that_raises(self):
        def stop(*_):
            raise KeyError("enough")
        with self.assertRaises(KeyError):
            bs.Searcher("ACGT").write({"a": letters(1, 500_000)}, self.folder / "x.tsv", progress=stop)
        self.assertEqual(list(self.folder.glob("*x.tsv*")), [])


class Results(Case):
    def test_batches(self):
        text = letters(5, 3_000_000)
        whole = bs.motif("ACG", text, columns=["start"])["start"]
        starts = numpy.concatenate([batch["start"] for batch in bs.motif("ACG", text, columns=["start"], batches=True)])
        self.assertGreater(len(whole), 65_536)
        self.assertTrue((whole == starts).all())

    def test_a_loop_that_ends_early(self):
        before = threading.active_count()
        for batch in bs.motif("AC", letters(6, 3_000_000), batches=True):
            self.assertEqual(len(batch), 65_536)
            break
        gc.collect()
        self.assertEqual(threading.active_count(), before)

    def test_a_loop_that_ends_early_and_would_find_nothing_for_long(self):
        """`break` after the first batch, where there are no more: the search must end at once all the same."""
        text = {"a": "ACGT" * 100_000, "b": letters(6, 20_000_000)}
        patterns = {"a": "ACGT" * 9, **{f"p{i}": letters(i, 200) for i in range(20)}}
        search = bs.Searcher(patterns, k=8, threads=1, device="cpu", algorithm="myers")

        def seconds(take):
            begin = time.monotonic()
            take(search.search(text, batches=True))
            return time.monotonic() - begin
        self.assertLess(seconds(next), seconds(list) / 2)

    def test_loops_in_loops(self):
        """Loops that wait hold no thread that another search needs."""
        text = letters(6, 2_000_000)
        search = bs.Searcher("AC", threads=1)
        number = sum(len(one) for one in search.search(text, batches=True))
        pairs = list(zip(search.search(text, batches=True), search.search(text, batches=True)))
        self.assertEqual([sum(len(pair[i]) for pair in pairs) for i in (0, 1)], [number, number])
        for one in search.search(text, batches=True):
            self.assertEqual(len(search.search(text)), number)
            del one
            break

    def test_memory_is_shared_and_kept(self):
        column = bs.motif("ACGT", letters(7, 100_000))["start"]
        gc.collect()
        self.assertFalse(column.flags.owndata)
        self.assertFalse(column.flags.writeable)
        self.assertTrue((numpy.diff(column) > 0).all())

    def test_no_hits(self):
        table = bs.motif("ACGTACGTACGT", "TTTT")
        self.assertEqual((len(table), list(table.rows()), table["start"].tolist(), table["pattern"]), (0, [], [], []))
        self.assertIn("start", table)

    def test_shown(self):
        table = bs.motif({"a<b": "ACGT"}, "ACGTTACGT")
        self.assertEqual(repr(table), "<basesweep.Table: 2 rows of record, start, end, pattern, strand, matched>")
        self.assertIn("<td>a&lt;b</td>", table._repr_html_())
        self.assertIn("1 of them", repr(bs.Searcher("ACGT")))

    @unittest.skipUnless(importlib.util.find_spec("pyarrow"), "no pyarrow")
    def test_arrow(self):
        import pyarrow

        text = letters(8, 2_000_000)
        table = bs.motif({"x": "ACG", "y": "TTT"}, {"r": text, "s": text[:1000]})
        own = pyarrow.table(table)
        self.assertEqual(own.num_rows, len(table))
        self.assertEqual(own.column("start").to_numpy().tolist(), table["start"].tolist())
        self.assertEqual(own.column("pattern").to_pylist(), table["pattern"])
        self.assertEqual(own.column("record").to_pylist(), table["record"])

    @unittest.skipUnless(importlib.util.find_spec("polars"), "no polars")
    def test_polars(self):
        table = bs.motif({"x": "ACG", "y": "TTT"}, letters(9, 300_000))
        own = table.to_polars()
        self.assertEqual(own["start"].to_list(), table["start"].tolist())
        self.assertEqual(own["pattern"].cast(str).to_list(), table["pattern"])

    @unittest.skipUnless(importlib.util.find_spec("pandas") and importlib.util.find_spec("pyarrow"), "no pandas")
    def test_pandas(self):
        table = bs.motif({"x": "ACG", "y": "TTT"}, letters(9, 300_000))
        own = table.to_pandas()
        self.assertEqual(own["start"].tolist(), table["start"].tolist())
        self.assertEqual(own["pattern"].astype(str).tolist(), table["pattern"])


class Others(Case):
    """Objects of other packages, for real."""

    @unittest.skipUnless(importlib.util.find_spec("duckdb") and importlib.util.find_spec("pyarrow"), "no duckdb")
    def test_duckdb(self):
        import duckdb

        hits = bs.motif({"x": "ACG", "y": "TTT"}, letters(9, 300_000))
        found = duckdb.sql("select pattern, count(*), min(start), max(start) from hits group by 1 order by 1").fetchall()
        for pattern, number, first, last in found:
            starts = [start for start, own in zip(hits["start"].tolist(), hits["pattern"]) if own == pattern]
            self.assertEqual((number, first, last), (len(starts), min(starts), max(starts)))
        self.assertEqual([row[0] for row in found], ["x", "y"])

    @unittest.skipUnless(importlib.util.find_spec("Bio"), "no Biopython")
    def test_biopython(self):
        from Bio import SeqIO
        from Bio.Seq import Seq
        from Bio.SeqRecord import SeqRecord

        records = {f"r{i}": letters(i, 2_000) for i in range(3)}
        path = self.fasta("text.fa", records)
        expected = list(bs.match("ACGTACGT", records, k=1))
        self.assertNotEqual(expected, [])
        self.assertEqual(list(bs.match([("ACGTACGT", Seq("ACGTACGT"))], SeqIO.parse(path, "fasta"), k=1)), expected)
        one = next(SeqIO.parse(path, "fasta"))
        self.assertEqual([row[:3] for row in bs.motif("ACG", one)], [row[:3] for row in bs.motif("ACG", {"r0": records["r0"]})])
        self.assertEqual([row[0] for row in bs.motif([SeqRecord(Seq("ACG"), id="site")], one, columns=["pattern"])][:1], ["site"])

    @unittest.skipUnless(importlib.util.find_spec("pysam"), "no pysam")
    def test_pysam(self):
        import pysam

        records = {f"r{i}": letters(i, 2_000) for i in range(3)}
        path = self.fasta("text.fa", records)
        expected = list(bs.match("ACGTACGT", records, k=1))
        with pysam.FastxFile(path) as text:
            self.assertEqual(list(bs.match("ACGTACGT", text, k=1)), expected)
        bs.map(records, {"q": records["r0"][100:150]}, k=1).write(self.folder / "reads.bam")
        with pysam.AlignmentFile(str(self.folder / "reads.bam")) as reads:
            read = next(iter(reads))
            self.assertEqual((read.query_name, read.reference_name, read.reference_start), ("q", "r0", 100))
            self.assertEqual(len(bs.motif(records["r0"][110:130], read)), 1)

    @unittest.skipUnless(importlib.util.find_spec("tqdm"), "no tqdm")
    def test_tqdm(self):
        code = "import basesweep as bs; bs.motif('ACGT', {'a': 'ACGT' * 100_000}, progress=True)\n"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("400k", done.stderr)


class Wrong(Case):
    def fails(self, kind, says, call):
        with self.assertRaises(kind) as raised:
            call()
        self.assertIn(says, str(raised.exception))
        return raised.exception

    def test_options(self):
        self.fails(TypeError, "did you mean 'max_indels'?", lambda: bs.match("ACGT", "ACGT", k=1, max_indel=0))
        self.fails(TypeError, "did you mean match()?", lambda: bs.motif("ACGT", "ACGT", k=1))
        self.fails(TypeError, "needs k", lambda: bs.match("ACGT", "ACGT"))
        self.fails(TypeError, "'edits' twice", lambda: bs.match("ACGT", "ACGT", k=1, edits=1))
        self.fails(TypeError, "edits cannot be -1", lambda: bs.match("ACGT", "ACGT", k=-1))
        self.fails(TypeError, "edits cannot be 'one': expected a whole number of at least 0", lambda: bs.match("ACGT", "ACGT", k="one"))
        self.fails(TypeError, "report cannot be 5: expected one of: sites, minima", lambda: bs.match("ACGT", "ACGT", k=1, report=5))
        self.fails(TypeError, "did you mean 'start'?", lambda: bs.motif("ACGT", "ACGT", columns=["strat"]))
        self.fails(bs.UsageError, "'bst' is none of: sites, minima", lambda: bs.match("ACGT", "ACGT", k=1, report="bst"))
        self.fails(bs.UsageError, "", lambda: bs.match("ACGT", "ACGT", k=4))
        self.assertEqual(self.fails(bs.UsageError, "", lambda: bs.motif("ACGT", "ACGT", device="abacus")).exit_code, 2)

    def test_sources(self):
        self.fails(TypeError, "int is no source", lambda: bs.motif("ACGT", 5))
        self.fails(TypeError, "one dimension", lambda: bs.motif("ACGT", numpy.zeros(4, numpy.int64)))
        self.fails(TypeError, "one dimension", lambda: bs.motif("ACGT", numpy.zeros((2, 2), numpy.uint8)))
        self.fails(TypeError, "one dimension", lambda: bs.motif("ACGT", numpy.array(65, numpy.uint8)))
        self.fails(ValueError, "ascontiguousarray", lambda: bs.motif("ACGT", numpy.zeros(9, numpy.uint8)[::2]))
        self.fails(bs.IoError, "an empty str is neither", lambda: bs.motif("ACGT", ""))
        for mode in ("r", "rb"):
            with open(self.file("a.fa", ">a\nA\n"), mode) as stream:
                self.fails(TypeError, "an open file is no source: give its path", lambda stream=stream: bs.motif("ACGT", stream))
                self.fails(TypeError, "patterns cannot be", lambda stream=stream: bs.motif(stream, "ACGT"))
        self.fails(bs.IoError, "no such file", lambda: bs.motif("ACGT", "nothing/here.fa"))
        self.fails(OSError, "no such file", lambda: bs.motif("nothing/here.tsv", "ACGT"))
        self.fails(TypeError, "files and letters", lambda: bs.motif("ACGT", ["ACGT", self.file("a.fa", ">a\nA\n")]))
        error = self.fails(bs.InputError, "bad.fa", lambda: bs.motif("ACGT", self.file("bad.fa", ">a\nAC\x01GT\n")))
        self.assertEqual(error.exit_code, 3)
        self.assertEqual(len(bs.motif("ACGT", {})), 0)

    def test_names_that_are_not_utf8(self):
        path = self.folder / "latin.fa"
        path.write_bytes(b">caf\xe9\nACGTACGT\n>caf\xe9\nACGT\n")
        self.assertEqual(bs.motif("ACGT", path)["record"], ["caf\ufffd"] * 3)
        path.write_bytes(b">caf\xe9\nAC\x01GT\n")
        self.fails(bs.InputError, "latin.fa", lambda: bs.motif("ACGT", path))

    def test_pairs(self):
        for pairs in (("ACGTACGT", "ACGTACGA"), ["ACG"], {"a": "ACGT"}, [("a", "ACGT")], [("a", "ACGT", "ACGT", "x")], {"a": ("ACGT",)}):
            self.fails(TypeError, "a pair must be", lambda pairs=pairs: bs.pcr(pairs, "ACGT", k=0))

    def test_more_sources(self):
        for source, says in (([("x", 5)], "cannot be int"), ({"x": None}, "cannot be NoneType"), ({"x": pathlib.Path("x.fa")}, "cannot be Posix")):
            self.fails(TypeError, says, lambda source=source: bs.motif("ACGT", source))
        self.fails(bs.IoError, "data.bam", lambda: bs.motif("ACGT", "data.bam"))
        self.fails(TypeError, "must be a list", lambda: bs.motif("ACGT", "ACGT", columns="start"))
        self.fails(TypeError, "must be a list of names, not 5", lambda: bs.motif("ACGT", "ACGT", columns=5))
        self.fails(TypeError, "no column 1", lambda: bs.motif("ACGT", "ACGT", columns=[1]))
        self.fails(TypeError, "progress must be", lambda: bs.motif("ACGT", "ACGT", progress="yes"))
        self.fails(TypeError, "matrices cannot be list", lambda: bs.pwm([[1, 2, 3, 4]], "ACGT"))
        self.fails(AttributeError, "its column is table['start']", lambda: bs.motif("ACGT", "ACGT").start)
        self.fails(bs.IoError, "set.bsx: cannot read: No such file", lambda: bs.load("set.bsx"))
        self.fails(TypeError, "'fmt'", lambda: bs.motif("ACGT", "ACGT").write("x.tsv", fmt="bed"))
        self.fails(TypeError, "needs k", lambda: bs.match("ACGT", "ACGT", k=None))
        self.fails(ValueError, "needs a batch", lambda: bs.Table([]).__arrow_c_stream__())

    def test_patterns(self):
        self.fails(bs.UsageError, "'X' is not a nucleotide", lambda: bs.motif(["ACGX"], "ACGT"))
        self.fails(bs.UsageError, "", lambda: bs.motif([("a", "ACGT"), ("a", "ACGA")], "ACGT"))
        self.fails(TypeError, "patterns cannot have int", lambda: bs.motif([5], "ACGT"))

    def test_an_error_of_the_loop_thread(self):
        self.fails(bs.InputError, "bad.fa", lambda: list(bs.motif("ACGT", self.file("bad.fa", ">a\nAC\x01GT\n"), batches=True)))

    def test_progress_that_raises(self):
        def stop(*_):
            raise KeyError("enough")
        self.fails(KeyError, "enough", lambda: bs.motif("ACGT", letters(1, 100_000), progress=stop))


class Running(Case):
    def test_progress(self):
        told = []
        bs.motif("ACGT", {"a": letters(1, 100_000)}, progress=lambda *how: told.append(how))
        self.assertEqual(told[-1][0], 100_000)


if __name__ == "__main__":
    unittest.main()
