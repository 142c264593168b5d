"""Chunks of demux and count with read structures: merged files, tables and reports equal those of one run, byte for byte, for samples at
fixed places, cell barcodes corrected by lists and UMIs counted once; and what chunks and merge refuse."""
import gzip
import os
import random

import part_file
import test_demux_structure
from chunk_support import bgzf
from support import run
from test_demux_structure import Read, fastq, letters, spoiled
from test_reads_chunks import ReadsCase

SHEET = {"a": "ACGTACGT", "b": "TTGGCCAA", "c": "GATTACAG"}


def sheet_of(barcodes):
    return "sample\tbarcode\n" + "".join(f"{name}\t{barcode}\n" for name, barcode in barcodes.items())


def inline(seed, count):
    """Returns reads with a barcode of SHEET, a UMI of 4 and an insert; some are too short, some of no sample."""
    rng = random.Random(seed)
    bases = [spoiled(rng, rng.choice(list(SHEET.values())), rng.choice((0, 0, 1, 2))) + letters(rng, rng.randrange(50)) for _ in range(count)]
    return [Read(rng, f"r{i}", one, " 1:N:0:x") for i, one in enumerate(bases)]


def interleaved(first, second):
    return "".join(one.record() + two.record() for one, two in zip(first, second))


class Samples(ReadsCase):
    """Samples by barcodes at fixed places."""

    def setUp(self):
        super().setUp()
        self.file("sheet.tsv", sheet_of(SHEET))

    def test_single_reads(self):
        reads = inline(1, 400)
        self.file("a.fq", fastq(reads[:150]))
        self.file("b.fq.gz", bgzf(fastq(reads[150:]).encode(), 700))
        inputs = ["-s", "sheet.tsv", "a.fq", "b.fq.gz"]
        files = {"--table": "reads.tsv"}
        found = self.check("demux", ["--structure", "8B4M+T", *inputs], "out", files, plan=["a.fq", "b.fq.gz"])
        self.assertEqual(sorted(found), sorted(["reads.tsv", *(f"out/{name}" for name in (
            "a.fastq.gz", "b.fastq.gz", "c.fastq.gz", "unassigned.fastq.gz", "summary.tsv", "reasons.tsv"))]))
        self.assertIn("too-short", found["reads.tsv"].decode())
        for words in (["1{b[8]u[4]r:}", "--no-trim"], ["1{b[8]x[0-2]f[AC]{1}r:}", "-k", 2, "--margin", 1], ["8B+T", "--unassigned", "no", "--name", "x.{sample}"],
                      ["4B2M4B+T", "-e", 0.3, "--format", "fasta"], ["8B4M+T", "--format", "sam"], ["8B4M+T", "--format", "bam"]):
            self.check("demux", ["--structure", *words, *inputs], "out")
        self.check("demux", ["--structure", "4M2S+T", "a.fq", "--format", "fastq"], "out", files)  # no samples, no cells

    def test_pairs(self):
        """Two mates with inserts, or one; a structure of each sample."""
        rng = random.Random(2)
        first = inline(3, 200)
        second = [Read(rng, read.name, letters(rng, 30), " 2:N:0:x") for read in first]
        self.file("1.fq", fastq(first))
        self.file("2.fq.gz", gzip.compress(fastq(second).encode()))
        self.file("both.fq", interleaved(first, second))
        mates = ["-1", "1.fq", "-2", "2.fq.gz"]
        found = self.check("demux", ["-s", "sheet.tsv", "--structure", "8B4M+T", "--structure", "3M+T", *mates], "out", {"--table": "t.tsv"}, plan=["1.fq"])
        self.assertGreater(len(found["out/a_R2.fastq.gz"]), 200)
        found = self.check("demux", ["-s", "sheet.tsv", "--structure", "8B4M", "--structure", "+T", *mates, "--format", "fastq"], "out")
        self.assertIn("out/a.fastq", found)
        self.assertIn("out/unassigned_R2.fastq", found)
        for words in (["--format", "bam"], ["--no-trim"], ["--unassigned", "no"]):
            self.check("demux", ["-s", "sheet.tsv", "--structure", "1{b[8]u[4]}2{r:}", "--interleaved", "both.fq", *words], "out", numbers=(1, 3))
        own = "sample\tbarcode\tstructure\tedits\na\tACGTACGT\t8B4M+T +T\t2\nb\tTTGGCCAA\t8B4M +T\t\nc\tGATTAC\t6B+T 2S+T\t0\n"
        self.file("own.tsv", own)
        found = self.check("demux", ["-s", "own.tsv", *mates, "--format", "fastq"], "out", {"--table": "t.tsv"}, plan=["1.fq"])
        self.assertEqual({name[4:] for name in found if name[4:6] in ("a_", "b.", "b_", "c_")},
                         {"a_R1.fastq", "a_R2.fastq", "b.fastq", "c_R1.fastq", "c_R2.fastq"})
        found = self.check("demux", ["-s", "own.tsv", *mates, "--format", "sam"], "out", numbers=(3,))
        self.assertIn(b"@RG\tID:c\tSM:c\tBC:GATTAC\n", found["out/c.sam"])

    def test_few_reads(self):
        """More chunks than reads, and no reads."""
        for name, count in (("three.fq", 3), ("none.fq", 0)):
            self.file(name, fastq(inline(4, count)))
            self.file("list.txt", "ACGT\nTTGG\nGATT\n")
            for words in (["-s", "sheet.tsv", "--structure", "8B4M+T"], ["--structure", "4C+T", "--list", "list.txt"]):
                whole = run("-q", *words, name, "-o", "whole/out", command="demux", cwd=self.folder)
                self.assertEqual(whole.returncode, 0, whole.stderr)
                for i in range(1, 8):
                    run("-q", *words, name, "--chunk", f"{i}/7", "-o", f"{i}.bsp", command="demux", cwd=self.folder)
                run("-q", *[f"{i}.bsp" for i in range(7, 0, -1)], "-o", "merged/out", command="merge", cwd=self.folder)
                self.assertEqual(self.state("merged"), self.state("whole"))
                for folder in ("whole", "merged"):
                    self.fresh(folder)

    def test_other_runs(self):
        self.file("reads.fq", fastq(inline(5, 60)))
        words = ["-s", "sheet.tsv", "reads.fq"]
        own = "sample\tbarcode\tstructure\na\tACGTACGT\t{}\nb\tTTGGCCAA\t8B+T\n"

        def differ(says, first, second):
            self.done("demux", *first, "--chunk", "1/2", "-o", "1.bsp")
            self.done("demux", *second, "--chunk", "2/2", "-o", "2.bsp")
            self.fails(3, "merge", "1.bsp", "2.bsp", "-o", "new", says=["not of one run", says])
        differ("structure=8B+T and structure=8B4M+T", [*words, "--structure", "8B+T"], [*words, "--structure", "8B4M+T"])
        differ("structure=8B+T and structure=1{b[8]r:}", [*words, "--structure", "8B+T"], [*words, "--structure", "1{b[8]r:}"])
        differ("edits=1 and edits=2", [*words, "--structure", "8B+T"], [*words, "--structure", "8B+T", "-k", 2])
        for name, structure in (("x/own.tsv", "8B1S+T"), ("y/own.tsv", "8B2S+T")):
            (self.folder / name).parent.mkdir()
            self.file(name, own.format(structure))
        differ("what they searched for differs", ["-s", "x/own.tsv", "reads.fq"], ["-s", "y/own.tsv", "reads.fq"])


class Cells(ReadsCase):
    """Cell barcodes, corrected by the counts of the whole input."""

    def setUp(self):
        super().setUp()
        self.listed = test_demux_structure.Structures.cell_list(self, 5)
        self.first, self.second = test_demux_structure.Structures.cell_reads(self, 6, self.listed, 500)
        self.file("list.txt", "".join(f"{barcode}-1\n" for barcode in sorted(self.listed)))
        self.file("1.fq", fastq(self.first))
        self.file("2.fq.gz", gzip.compress(fastq(self.second).encode()))
        self.mates = ["-1", "1.fq", "-2", "2.fq.gz"]

    def test_one_list(self):
        for words in (["--structure", "16C12M", "--structure", "+T", "--list", "list.txt"],
                      ["--structure", "1{b<ten>[16]u[12]}2{r:}", "--list", "ten=list.txt"]):
            for more in ([], ["--no-posterior"]):
                found = self.check("demux", [*words, *more, *self.mates, "--format", "fastq"], "out", {"--table": "t.tsv"}, plan=["1.fq"])
                self.assertIn("\tambiguous\n", found["t.tsv"].decode())
                self.assertIn(b"\tCB:Z:", found["out/assigned.fastq"])
        for more in (["--format", "bam"], ["--no-trim", "--compression", 5], ["--unassigned", "no"]):
            self.check("demux", [*words, *more, *self.mates], "out", numbers=(3,))

    def test_several_lists(self):
        """Split-pool: a list for each part of the barcode, samples beside it, one of whose structures has no list."""
        rng = random.Random(8)
        one, two = (sorted(test_demux_structure.Structures.cell_list(self, seed, 20, 8)) for seed in (9, 10))
        self.file("one.txt", "\n".join(one))
        self.file("two.txt.gz", gzip.compress("\n".join(two).encode()))
        self.file("sheet.tsv", "sample\tbarcode\tstructure\na\tACGT\t\nb\tTTGG\t4B10C+T\n")
        reads = []
        for i in range(400):
            parts = [spoiled(rng, rng.choice(listed[:6] if i % 3 else listed), rng.choice((0, 0, 1))) for listed in (one, two)]
            reads.append(Read(rng, f"r{i}", rng.choice(("ACGT", "ACGT", "TTGG", "ACGA", "GGCC")) + parts[0] + "GTGG" + parts[1] + letters(rng, 20)))
        self.file("reads.fq", fastq(reads))
        named = ["--structure", "1{x[4]b<r1>[8]f[GTGG]{1}b<r2>[8]r:}", "--list", "r2=two.txt.gz", "--list", "r1=one.txt"]
        in_order = ["--structure", "4S8C4S8C+T", "--list", "one.txt", "--list", "two.txt.gz"]
        for words in (named, in_order, ["--structure", "4S8C4S+T", "--list", "one.txt"]):
            for more in ([], ["--no-posterior"]):
                self.check("demux", [*words, *more, "reads.fq"], "out", {"--table": "t.tsv"}, numbers=(2, 5))
        with_sheet = ["-s", "sheet.tsv", "--structure", "1{b[4]b<r1>[8]f[GTGG]{1}b<r2>[8]r:}", *named[2:], "reads.fq"]
        found = self.check("demux", [*with_sheet, "--format", "sam"], "out", {"--table": "t.tsv"}, numbers=(1, 5))
        self.assertGreater(found["out/a.sam"].count(b"\tCB:Z:"), 20)

    def test_counts_are_those_of_the_whole_input(self):
        """A read in the first chunk is corrected by reads that only the last one has."""
        doubtful = "@x\nAAAACTTT\n+\nIIIIIIII\n"  # one base from both barcodes
        exact = "".join(f"@e{i}\nAAAAATTT\n+\nIIIIIIII\n" for i in range(60))
        self.file("reads.fq", doubtful + "@y\nAAAAGTTT\n+\nIIIIIIII\n" + exact)
        self.file("near.txt", "AAAAATTT\nAAAATTTT\n")
        words = ["--structure", "8C+T", "--list", "near.txt", "reads.fq", "--format", "fastq"]
        found = self.check("demux", words, "out", {"--table": "t.tsv"}, numbers=(2, 31, 62))
        self.assertIn(b"@x\tCB:Z:AAAAATTT\tCR:Z:AAAACTTT", found["out/assigned.fastq"])
        found = self.check("demux", [*words, "--no-posterior"], "out", {"--table": "t.tsv"}, numbers=(5,))
        self.assertIn("ambiguous\t.\t.\t2\n", found["out/reasons.tsv"].decode())
        done = run(*words, "-v", "--chunk", "1/2", "-o", "x.bsp", command="demux", cwd=self.folder)
        self.assertIn(b"counting the cell barcodes of the whole input", done.stderr)
        done = run(*words, "-v", "-o", "x", command="demux", cwd=self.folder)
        self.assertNotIn(b"of the whole input", done.stderr)

    def test_alignments(self):
        """Unaligned SAM in, with tags and read groups."""
        lines = "@HD\tVN:1.6\n@RG\tID:run\tPL:ILLUMINA\n"
        for one, two in zip(self.first[:150], self.second):
            for flag, read in (("77", one), ("141", two)):
                lines += "\t".join((read.name, flag, "*", "0", "0", "*", "*", "0", "0", read.bases, read.quality, "RG:Z:run", "XA:i:3")) + "\n"
        self.file("in.sam", lines)
        words = ["--structure", "16C12M", "--structure", "+T", "--list", "list.txt", "in.sam"]
        found = self.check("demux", words, "out", plan=["in.sam"])
        self.assertGreater(len(found["out/assigned.bam"]), 1000)
        self.check("demux", [*words, "--format", "fastq"], "out", numbers=(3,))
        found = self.check("demux", [*words, "--format", "sam"], "out", numbers=(3,))
        self.assertIn(b"@RG\tID:run\tPL:ILLUMINA\n", found["out/unassigned.sam"])

    def test_lists_are_not_read_again(self):
        words = ["--structure", "16C12M", "--structure", "+T", "--list", "list.txt", *self.mates]
        parts = self.parts_of("demux", words, 2)
        self.done("demux", *words, "-o", "whole/out")
        (self.folder / "list.txt").unlink()
        self.done("merge", *parts, "-o", "merged/out")
        self.assertEqual(self.state("merged"), self.state("whole"))

    def test_other_runs(self):
        words = ["--structure", "16C12M", "--structure", "+T", *self.mates]
        named = ["--structure", "1{b<x>[16]u[12]}2{r:}", *self.mates]
        os.mkdir(self.folder / "elsewhere")
        self.file("elsewhere/list.txt", "".join(f"{barcode}\n" for barcode in self.listed))
        self.done("demux", *words, "--list", "list.txt", "--chunk", "1/2", "-o", "1.bsp")
        self.done("demux", *words, "--list", "elsewhere/list.txt", "--chunk", "2/2", "-o", "2.bsp")
        self.done("merge", "1.bsp", "2.bsp", "-o", "merged/out")
        self.done("demux", *words, "--list", "list.txt", "-o", "whole/out")
        self.assertEqual(self.state("merged"), self.state("whole"))
        fewer = sorted(self.listed)
        fewer[0] = spoiled(random.Random(1), fewer[0], 3, "ACGT")
        self.file("elsewhere/list.txt", "".join(f"{barcode}\n" for barcode in fewer))
        for other in (["--list", "elsewhere/list.txt"], [], ["--list", "list.txt", "--no-posterior"]):
            self.done("demux", *words, *other, "--chunk", "2/2", "-o", "2.bsp")
            self.fails(3, "merge", "1.bsp", "2.bsp", "-o", "new", says=["1.bsp and 2.bsp are not of one run"])
        self.done("demux", *named, "--list", "x=list.txt", "--chunk", "2/2", "-o", "2.bsp")
        self.fails(3, "merge", "1.bsp", "2.bsp", "-o", "new", says=["1.bsp and 2.bsp are not of one run"])

    def test_refused(self):
        words = ["--structure", "16C+T", "--list", "list.txt"]
        self.call("plan", "-q", "1.fq", "--chunks", 2, "-o", "plan.tsv")
        chunk = ["--chunk", "1/2", "--plan", "plan.tsv", "-o", "x.bsp"]
        self.fails(2, "demux", *words, "-", *chunk, stdin=self.read("1.fq"), says=["<stdin>: cell barcodes are counted before they are corrected"])
        for i in (1, 2):
            self.call("demux", "-q", *words, "-", "--no-posterior", "--chunk", f"{i}/2", "--plan", "plan.tsv", "-o", f"{i}.bsp", stdin=self.read("1.fq"))
        self.done("merge", "1.bsp", "2.bsp", "-o", "merged/out")
        self.done("demux", *words, "1.fq", "--no-posterior", "-o", "whole/out")
        self.assertEqual(self.state("merged"), self.state("whole"))
        self.fails(2, "demux", "--list", "list.txt", "1.fq", *chunk, says=["no sample sheet is given"])
        self.fails(2, "demux", *words, "1.fq", "--window", 20, *chunk, says=["--window and --structure conflict"])
        self.fails(2, "demux", "--structure", "9C+T", "--list", "list.txt", "1.fq", *chunk, says=["it has no barcode of 9 bases"])
        self.fails(2, "merge", "1.bsp", "2.bsp", "-o", "new", "--table", "t.tsv", says=["made no table"])

    def test_damaged(self):
        words = ["--structure", "16C12M", "--structure", "+T", "--list", "list.txt", *self.mates]
        parts = self.parts_of("demux", words, 2)
        whole = self.read(parts[0])
        rng = random.Random(7)
        for _ in range(20):
            at = rng.randrange(len(whole))
            self.file("bad.bsp", whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1:])
            self.fails(3, "merge", "bad.bsp", parts[1], "-o", "new", says=["bad.bsp"])
        for contents in ([], [b"\1\2\3"], [b"\0" * 200], [b"\0" * 400]):
            self.file("bad.bsp", part_file.with_sections(whole, lambda one, c=contents: c if one == "totals" else None))
            self.fails(3, "merge", "bad.bsp", parts[1], "-o", "new", says=["bad.bsp"])
        # The parts of a run with a list, and the words of one without, or with two.
        for change in (lambda text: text.replace(b"--list\0list.txt\0", b""), lambda text: text.replace(b"--list\0", b"--list\0other.txt\0--list\0")):
            made = change(b"demux\0--structure\x0016C12M\0--structure\0+T\0--list\0list.txt\0")
            for name in parts:
                self.file("bad." + name, part_file.with_sections(self.read(name), lambda one, c=made: [c] if one == "words" else None))
            self.fails(3, "merge", *["bad." + name for name in parts], "-o", "new", says=["damaged"])


class Molecules(ReadsCase):
    """UMIs of guides, which count once in all chunks together."""

    def setUp(self):
        super().setUp()
        self.rng = random.Random(41)
        self.guides = {f"g{i}": letters(self.rng, 12) for i in range(20)}
        self.file("lib.tsv", "guide\tsequence\n" + "".join(f"{name}\t{guide}\n" for name, guide in self.guides.items()))
        umis = [letters(self.rng, 5) for _ in range(8)] + ["ACGNT", "NNNNN"]
        cells = [letters(self.rng, 4) for _ in range(3)] + ["ACNT"]
        self.made = [(self.rng.choice([*self.guides, ""]), self.rng.choice(umis), self.rng.choice(cells)) for _ in range(900)]
        self.file("a.fq", self.reads(umi + letters(self.rng, self.rng.randrange(3)) + self.guide(guide) for guide, umi, _ in self.made[:600]))
        self.file("b.fq.gz", bgzf(self.reads(umi + "AC" + self.guide(guide) for guide, umi, _ in self.made[300:]).encode(), 600))
        self.file("1.fq", self.reads(cell + umi for _, umi, cell in self.made))
        self.file("2.fq.gz", gzip.compress(self.reads("TT" + self.guide(guide) for guide, _, _ in self.made).encode()))
        self.words = ["-l", "lib.tsv", "--structure", "5M+T"]

    def guide(self, name):
        text = self.guides.get(name) or letters(self.rng, 12)
        at = self.rng.randrange(12)
        return text[:at] + self.rng.choice((text[at], text[at], "N")) + text[at + 1:] + "GTTTTAGAGC"

    @staticmethod
    def reads(texts):
        return "".join(f"@r{i}\n{text}\n+\n{'I' * len(text)}\n" for i, text in enumerate(texts))

    def test_umis(self):
        files = {"--summary": "s.tsv"}
        found = self.check("count", [*self.words, "a.fq", "b.fq.gz"], "out.tsv", files, plan=["a.fq", "b.fq.gz"])
        row = found["s.tsv"].decode().splitlines()[1].split("\t")
        self.assertGreater(int(row[2]), 2 * int(row[8]))  # most reads are of a molecule that has others
        self.assertGreater(int(row[7]), 0)
        for words in (["--structure", "1{u[5]r:}"], ["--structure", "1{u[4-5]f[AC]r:}", "-k", 1], ["--structure", "5S+T"], ["--structure", "5M+T", "--at", "0-2", "--mismatches", 0],
                      ["--structure", "5M+T", "--strand", "both"], ["--structure", "5M+T", "--sample", "x", "--sample", "x"]):
            self.check("count", ["-l", "lib.tsv", *words, "a.fq", "b.fq.gz"], "out.csv", files)

    def test_cells_in_first_mates(self):
        """The guide is in the second mate; molecules are pairs of cell barcode and UMI."""
        both = "".join(f"@r{i}\n{read}\n+\n{'I' * len(read)}\n" for i, (guide, umi, cell) in enumerate(self.made)
                       for read in (cell + umi, "TT" + self.guides.get(guide, "A" * 12) + "GTTTTAGAGC"))
        self.file("both.fq", both)
        for inputs, plan in ((["-1", "1.fq", "-2", "2.fq.gz"], ["1.fq"]), (["--interleaved", "both.fq"], [])):
            for structure in (["4C5M", "--structure", "+T"], ["1{b[4]u[5]}2{x[2]r:}"]):
                self.check("count", ["-l", "lib.tsv", "--structure", *structure, *inputs], "out.tsv", {"--summary": "s.tsv"}, plan=plan)

    def test_a_molecule_of_two_chunks(self):
        """The same read in each chunk is one molecule, in a merged table of any format."""
        read = "ACGTA" + self.guides["g3"] + "GTTT"
        self.file("same.fq", self.reads([read] * 6))
        for chunks in (1, 2, 6, 9):
            for i in range(1, chunks + 1):
                run(*self.words, "-q", "same.fq", "--chunk", f"{i}/{chunks}", "-o", f"{i}.bsp", command="count", cwd=self.folder)
            rows = self.call("merge", "-q", *[f"{i}.bsp" for i in range(chunks, 0, -1)], "--summary", "s.tsv").decode().splitlines()
            self.assertEqual([row for row in rows[1:] if not row.endswith("\t0")], ["g3\t1"])
            self.assertEqual(self.read("s.tsv").decode().splitlines()[1].split("\t")[:9], ["same", "6", "6", "6", "0", "0", "0", "0", "1"])
            self.call("merge", "-q", *[f"{i}.bsp" for i in range(1, chunks + 1)], "-o", "out.csv")
            self.assertIn(b"g3,1\n", self.read("out.csv"))
        self.file("none.fq", "")
        run(*self.words, "-q", "none.fq", "--chunk", "1/1", "-o", "none.bsp", command="count", cwd=self.folder)
        rows = run("-q", "none.bsp", command="merge", cwd=self.folder).stdout.decode().splitlines()
        self.assertEqual(rows[1:], [f"{name}\t0" for name in self.guides])

    def test_refused(self):
        parts = self.parts_of("count", [*self.words, "a.fq"], 2)
        self.fails(2, "count", "-l", "lib.tsv", "--structure", "1{b<x>[4]u[5]r:}", "a.fq", "--chunk", "1/2", "-o", "x.bsp", says=["count has no lists"])
        for change in (["--structure", "5S+T"], ["--structure", "4M+T"], ["--structure", "1{u[5]r:}"], []):
            self.done("count", "-l", "lib.tsv", *change, "a.fq", "--chunk", "2/2", "-o", "other.bsp")
            self.fails(3, "merge", parts[0], "other.bsp", "-o", "out.tsv", says=["not of one run"])
        for contents in ([], [b"\0" * 16], [b"\0" * 3000]):
            self.file("bad.bsp", part_file.with_sections(self.read(parts[0]), lambda one, c=contents: c if one == "totals" else None))
            self.fails(3, "merge", "bad.bsp", parts[1], "-o", "out.tsv", says=["bad.bsp"])

    def test_damaged_molecules(self):
        """Molecules of a sample or a guide that the run has not, and bytes that are none."""
        self.file("one.fq", self.reads(["ACGTA" + self.guides["g3"] + "GTTT"]))
        self.done("count", *self.words, "one.fq", "--at", 0, "--chunk", "1/1", "-o", "one.bsp")
        part = self.read("one.bsp")
        self.assertEqual([section.rows for section in part_file.sections(part) if section.name == "rows"], [1])

        def number(value):
            return bytes([value << 1 | 1])
        good = b"".join(map(number, (0, 19, 0, 6)))
        self.file("good.bsp", part_file.with_sections(part, lambda one: [good] if one == "rows" else None))
        self.assertIn(b"g19\t1\n", self.call("merge", "-q", "good.bsp"))
        for content in (number(1) + good[1:], number(0) + number(20) + good[2:], good[:3], good + number(0), b"\0" * 4):
            self.file("bad.bsp", part_file.with_sections(part, lambda one, c=content: [c] if one == "rows" else None))
            self.fails(3, "merge", "bad.bsp", "-o", "out.tsv", says=["bad.bsp: the part ", "damaged"])
