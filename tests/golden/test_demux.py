"""demux: reads sorted by barcodes, for all inputs and outputs; bad sheets and bad reads; nothing is left after an error."""
import gzip
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

import sam_tools
from support import BINARY, SANITIZED, Case, bgzf, devices, environment

DATA = os.environ.get("BASESWEEP_TEST_DATA")
PAIRED = ("_R1", "_R2")
BARCODES = {"one": "ACGTACGTTGCA", "two": "GGATTCCAAGTC", "three": "TTGACTGACCGA"}
LEFT, RIGHT = "TTCAGTTACG", "GTTTTCGCAT"
SHEET = "sample\tbarcode\tleft\tright\tedits\n" + "".join(f"{name}\t{barcode}\t{LEFT}\t{RIGHT}\t3\n" for name, barcode in BARCODES.items())
SECONDS = {"a": "CCATGGTTAACC", "b": "TGTGAGAGACTC"}


def turn(bases):
    return bases[::-1].translate(str.maketrans("ACGTN", "TGCAN"))


def letters(rng, count):
    return "".join(rng.choice("ACGT") for _ in range(count))


class Read:
    """A read with the sample that it is of, its strand, and the bases that are left."""

    def __init__(self, name, bases, sample, strand=".", kept=None):
        self.name, self.bases, self.sample, self.strand = name, bases, sample, strand
        self.kept = kept or (0, len(bases))
        self.quality = "".join(chr(33 + (i * 7 + len(bases)) % 40) for i in range(len(bases)))

    def record(self, cut=False, orient=False, title=None):
        begin, end = self.kept if cut else (0, len(self.bases))
        bases, quality = self.bases[begin:end], self.quality[begin:end]
        if orient and self.strand == "-":
            bases, quality = turn(bases), quality[::-1]
        return f"@{title or self.name}\n{bases}\n+\n{quality}\n"


def single_reads(seed, count=300):
    """Reads of the samples on both strands, and of none."""
    rng = random.Random(seed)
    reads = []
    for i in range(count):
        sample = rng.choice([*BARCODES, "unassigned"])
        inner = letters(rng, rng.randrange(40, 400))
        before = letters(rng, rng.randrange(6))
        pattern = LEFT + BARCODES[sample] + RIGHT if sample in BARCODES else ""
        if pattern and rng.random() < 0.5:
            at = rng.randrange(len(pattern) - 4)  # the end of the pattern is the place where the read is cut
            pattern = pattern[:at] + pattern[at + 1:]
        bases = before + pattern + inner
        name = f"read_{i}"
        if sample == "unassigned":
            reads.append(Read(name, bases, sample))
        elif rng.random() < 0.5:
            reads.append(Read(name, bases, sample, "+", (len(before + pattern), len(bases))))
        else:
            reads.append(Read(name, turn(bases), sample, "-", (0, len(inner))))
    return reads


def fastq(reads, **options):
    return "".join(read.record(**options) for read in reads).encode()


def pairs(seed, count=200, exchanged=False):
    """Pairs that begin with two barcodes, as lists of both mates; those of no sample have a pair that the sheet lacks."""
    rng = random.Random(seed)
    first, second = [], []
    for i in range(count):
        one, two = rng.choice([("one", "a"), ("one", "b"), ("two", "a"), ("two", "b")])
        sample = {("one", "a"): "s1", ("one", "b"): "s2", ("two", "a"): "s3"}.get((one, two), "unassigned")
        heads = BARCODES[one], SECONDS[two]
        mates = [Read(f"pair_{i}", head + letters(rng, 60), sample) for head in heads]
        for mate, head in zip(mates, heads):
            mate.kept = (len(head), len(mate.bases)) if sample != "unassigned" else (0, len(mate.bases))
            mate.strand = "+" if sample != "unassigned" else "."
        if exchanged and i % 2:
            mates.reverse()
            for mate in mates:
                mate.strand = "-" if sample != "unassigned" else "."
        first.append(mates[0])
        second.append(mates[1])
    return first, second


PAIR_SHEET = "sample,barcode,barcode2\n" + "".join(
    f"{name},{BARCODES[one]},{SECONDS[two]}\n" for name, one, two in (("s1", "one", "a"), ("s2", "one", "b"), ("s3", "two", "a")))


def content(path):
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


class Demux(Case):
    def demux(self, *arguments, output="out", code=0, **options):
        done = self.run_here(*arguments, "-o", output, "--force", command="demux", **options)
        self.assertEqual(done.returncode, code, (arguments, done.stderr.decode()))
        return done

    def files(self, folder="out"):
        return {path.name: content(path) for path in (self.folder / folder).iterdir()}

    def refused(self, message, *arguments, code=3, output="new", sheet="sheet.tsv", **options):
        """The run fails with the message and leaves nothing."""
        before = self.listing()
        done = self.run_here("-s", sheet, *arguments, "-o", output, command="demux", **options)
        self.assertEqual((done.returncode, done.stdout), (code, b""), done.stderr)
        self.assertIn(message, done.stderr.decode())
        self.assertEqual(self.listing(), before)

    def test_single_reads(self):
        reads = single_reads(1)
        self.file("sheet.tsv", SHEET)
        self.file("reads.fq", fastq(reads))
        for orient in (False, True):
            for cut in (False, True):
                more = [*(["--orient"] if orient else []), *([] if cut else ["--no-trim"])]
                self.demux("-s", "sheet.tsv", "reads.fq", "-q", "--table", "table.tsv", "--json", "report.json", *more)
                expected = {f"{sample}.fastq.gz": fastq([r for r in reads if r.sample == sample], cut=cut, orient=orient)
                            for sample in [*BARCODES, "unassigned"]}
                found = self.files()
                summary, reasons = found.pop("summary.tsv").decode(), found.pop("reasons.tsv").decode()
                self.assertEqual(found, expected)
        rows = [line.split("\t") for line in (self.folder / "table.tsv").read_text().splitlines()]
        self.assertEqual(rows[0], ["read", "sample", "edits", "second", "strand", "cut_start", "cut_end", "reason"])
        self.assertEqual([(row[0], row[1], row[4], (int(row[5]), int(row[6])), row[7]) for row in rows[1:]],
                         [(r.name, r.sample if r.sample in BARCODES else ".", r.strand, r.kept,
                           "assigned" if r.sample in BARCODES else "none") for r in reads])
        self.assertTrue(all(row[2] in "01" for row in rows[1:] if row[1] != "."))
        self.check_counts(reads, summary, reasons)

    def check_counts(self, reads, summary, reasons):
        rows = [line.split("\t") for line in summary.splitlines()]
        self.assertEqual(rows[0], ["sample", "reads", "bases", "mean_edits", "share"])
        report = json.loads((self.folder / "report.json").read_text())
        for row, sample in zip(rows[1:], [*BARCODES, "unassigned"]):
            own = [r for r in reads if r.sample == sample]
            self.assertEqual(row[:3], [sample, str(len(own)), str(sum(r.kept[1] - r.kept[0] for r in own))])
            self.assertAlmostEqual(float(row[4]), len(own) / len(reads), places=5)
            self.assertEqual(row[3] == ".", sample == "unassigned")
        self.assertEqual(len(rows), 5)
        none = sum(r.sample == "unassigned" for r in reads)
        self.assertEqual(reasons, "reason\tbarcode\tbarcode2\treads\n" + "".join(
            f"{reason}\t.\t.\t{count}\n" for reason, count in (
                ("assigned", len(reads) - none), ("none", none), ("ambiguous", 0), ("two-barcodes", 0), ("unexpected-pair", 0),
                ("too-short", 0))))
        self.assertEqual([row["name"] for row in report["samples"]], list(BARCODES))
        self.assertEqual([str(row["reads"]) for row in report["samples"]], [row[1] for row in rows[1:4]])
        self.assertEqual(report["unassigned"]["none"], none)
        self.assertEqual(report["reads"]["total"], len(reads))
        self.assertEqual(report["parameters"]["orient"], "yes")

    def test_inputs(self):
        """Any form of the input gives the same files, with any threads."""
        reads = single_reads(2, 4000)
        data = fastq(reads)
        self.file("sheet.tsv", SHEET)
        expected = None
        for packed in (data, gzip.compress(data), bgzf(data, 5000), data.replace(b"\n", b"\r\n")):
            self.file("reads", packed)
            for threads in ("1", "4"):
                for file, stdin in (("reads", b""), ("-", packed)):
                    self.demux("-s", "sheet.tsv", file, "-q", "-t", threads, "--format", "fastq", "--table", "table.tsv", stdin=stdin)
                    found = self.files()
                    found["table"] = (self.folder / "table.tsv").read_bytes()
                    expected = expected or found
                    self.assertEqual(found, expected)
        self.assertEqual(expected["one.fastq"], fastq([r for r in reads if r.sample == "one"], cut=True))

    def test_order_of_the_sheet(self):
        self.file("reads.fq", fastq(single_reads(3)))
        found = []
        lines = SHEET.splitlines(keepends=True)
        for order in (lines[1:], lines[:0:-1]):
            self.file("sheet.tsv", lines[0] + "".join(order))
            self.demux("-s", "sheet.tsv", "reads.fq", "-q", "--table", "table.tsv")
            files = self.files()
            files["summary.tsv"] = b"".join(sorted(files["summary.tsv"].splitlines(keepends=True)))
            found.append((files, (self.folder / "table.tsv").read_bytes()))
        self.assertEqual(found[0], found[1])

    def test_pairs(self):
        first, second = pairs(4)
        self.file("sheet.csv", PAIR_SHEET)
        self.file("r1.fq", fastq(first))
        self.file("r2.fq", fastq(second))
        self.file("both.fq", b"".join(fastq(pair) for pair in zip(first, second)))
        expected = {f"{sample}{name}.fastq.gz": fastq([r for r in reads if r.sample == sample], cut=True)
                    for sample in ("s1", "s2", "s3", "unassigned") for name, reads in zip(PAIRED, (first, second))}
        for inputs in (("-1", "r1.fq", "-2", "r2.fq"), ("--interleaved", "both.fq")):
            for threads, device in (("1", "cpu"), *(("4", device) for device in devices())):
                self.demux("-s", "sheet.csv", "-k", "2", "--window", "14", "-q", "-t", threads, "--device", device, *inputs)
                found = self.files()
                found.pop("summary.tsv")
                reasons = found.pop("reasons.tsv").decode()
                self.assertEqual(found, expected)
        count = sum(2 for r in first if r.sample == "unassigned")
        self.assertIn(f"unexpected-pair\t{BARCODES['two']}\t{SECONDS['b']}\t{count}\n", reasons)

    def test_exchanged_pairs(self):
        """Pairs whose first mate has the second barcode; --orient exchanges the mates, and what titles say of them."""
        first, second = pairs(5, exchanged=True)
        self.file("sheet.csv", PAIR_SHEET)
        for i, (one, two) in enumerate(zip(first, second)):
            form = ("{}/{}", "{} {}:N:0:ACGT", "{} x{}")[i % 3]
            one.title, two.title = form.format(one.name, 1), form.format(two.name, 2)
            swapped = form.format(one.name, 2), form.format(two.name, 1)
            one.swapped, two.swapped = swapped if i % 3 < 2 else (one.title, two.title)

        def write(reads, cut=False):
            return "".join(r.record(cut, title=r.title) for r in reads).encode()
        self.file("r1.fq", write(first))
        self.file("r2.fq", write(second))
        options = ("-s", "sheet.csv", "-k", "2", "--window", "14", "--strand", "both", "-q", "-1", "r1.fq", "-2", "r2.fq", "--format", "fastq")
        self.demux(*options)
        found = self.files()
        for sample in ("s1", "s2", "s3"):
            for name, reads in zip(PAIRED, (first, second)):
                self.assertEqual(found[f"{sample}{name}.fastq"], write([r for r in reads if r.sample == sample], cut=True))
        self.demux(*options, "--orient")
        found = self.files()
        for sample in ("s1", "s2", "s3"):
            texts = ["", ""]
            for mates in zip(first, second):
                if mates[0].sample != sample:
                    continue
                turned = mates[0].strand == "-"
                for to, mate in enumerate(reversed(mates) if turned else mates):
                    texts[to] += mate.record(cut=True, title=mate.swapped if turned else mate.title)
            self.assertEqual([found[f"{sample}{name}.fastq"].decode() for name in PAIRED], texts)

    def sam(self, reads, tags="RG:Z:run\tXA:i:7\tBC:Z:NN"):
        head = "@HD\tVN:1.6\tSO:unsorted\n@RG\tID:run\tSM:pool\tPL:ONT\tDS:model=x\n@PG\tID:caller\tPN:caller\n"
        return head + "".join(f"{r.name}\t4\t*\t0\t0\t*\t*\t0\t0\t{r.bases}\t{r.quality}\t{tags}\n" for r in reads)

    @unittest.skipUnless(sam_tools.have_samtools(), "samtools is not here")
    def test_bam(self):
        reads = single_reads(6)
        self.file("sheet.tsv", SHEET)
        self.file("reads.sam", self.sam(reads))
        subprocess.run(["samtools", "view", "--no-PG", "-b", "-o", self.folder / "reads.bam", self.folder / "reads.sam"], check=True, capture_output=True)
        expected = None
        for name in ("reads.sam", "reads.bam"):
            for threads in ("1", "4"):
                self.demux("-s", "sheet.tsv", name, "-q", "-t", threads)
                lines = {}
                for sample in [*BARCODES, "unassigned"]:
                    path = self.folder / f"out/{sample}.bam"
                    subprocess.run(["samtools", "quickcheck", "-u", path], check=True, capture_output=True)
                    lines[sample] = [line for line in sam_tools.sam_lines(path) if not line.startswith("@PG\tID:basesweep")]
                expected = expected or lines
                self.assertEqual(lines, expected)
        for sample, barcode in BARCODES.items():
            head = [line for line in expected[sample] if line.startswith("@")]
            self.assertIn(f"@RG\tID:{sample}\tSM:{sample}\tBC:{barcode}\tPL:ONT\tDS:model=x", head)
            self.assertEqual(sum(line.startswith("@RG") for line in head), 1)
            self.assertIn("@PG\tID:caller\tPN:caller", head)
            own = [r for r in reads if r.sample == sample]
            self.assertEqual([line.split("\t") for line in expected[sample] if not line.startswith("@")],
                             [[r.name, "4", "*", "0", "0", "*", "*", "0", "0", r.bases[slice(*r.kept)], r.quality[slice(*r.kept)],
                               "XA:i:7", f"RG:Z:{sample}", f"BC:Z:{barcode}"] for r in own])
        self.assertIn("@RG\tID:run\tSM:pool\tPL:ONT\tDS:model=x", expected["unassigned"])
        self.assertTrue(all(line.endswith("\tRG:Z:run\tXA:i:7\tBC:Z:NN") for line in expected["unassigned"] if not line.startswith("@")))
        # FASTQ gives BAM too, and BAM gives FASTQ whose titles have the tags.
        self.file("reads.fq", fastq(reads))
        self.demux("-s", "sheet.tsv", "reads.fq", "-q", "--format", "bam", output="bam")
        own = [line.split("\t") for line in sam_tools.sam_lines(self.folder / "bam/one.bam") if not line.startswith("@")]
        self.assertEqual([row[:1] + row[9:] for row in own],
                         [[r.name, r.bases[slice(*r.kept)], r.quality[slice(*r.kept)], "RG:Z:one", f"BC:Z:{BARCODES['one']}"]
                          for r in reads if r.sample == "one"])
        self.demux("-s", "sheet.tsv", "reads.bam", "-q", "--format", "fastq", output="back")
        self.assertEqual((self.folder / "back/one.fastq").read_text().splitlines()[0],
                         f"@{[r.name for r in reads if r.sample == 'one'][0]}\tXA:i:7\tRG:Z:one\tBC:Z:{BARCODES['one']}")

    @unittest.skipUnless(sam_tools.have_samtools(), "samtools is not here")
    def test_pairs_of_bam(self):
        first, second = pairs(7, 60, exchanged=True)
        self.file("sheet.csv", PAIR_SHEET)
        lines = "@HD\tVN:1.6\n"
        for one, two in zip(first, second):
            for flag, r in ((77, one), (141, two)):
                lines += f"{r.name}\t{flag}\t*\t0\t0\t*\t*\t0\t0\t{r.bases}\t{r.quality}\n"
        self.file("pairs.sam", lines)
        self.demux("-s", "sheet.csv", "-k", "2", "--window", "14", "--strand", "both", "--orient", "-q", "pairs.sam", "--format", "sam")
        rows = [line.split("\t") for line in (self.folder / "out/s1.sam").read_text().splitlines() if not line.startswith("@")]
        expected = []
        for mates in zip(first, second):
            if mates[0].sample == "s1":
                ordered = mates[::-1] if mates[0].strand == "-" else mates
                expected += [[r.name, flag, r.bases[slice(*r.kept)]] for flag, r in zip(("77", "141"), ordered)]
        self.assertEqual([[row[0], row[1], row[9]] for row in rows], expected)
        self.assertTrue(all(row[11:] == ["RG:Z:s1", f"BC:Z:{BARCODES['one']}-{SECONDS['a']}"] for row in rows))

    def test_forms_of_output(self):
        reads = single_reads(8)
        self.file("sheet.tsv", SHEET)
        self.file("reads.fq", fastq(reads))
        self.demux("-s", "sheet.tsv", "reads.fq", "-q", "--format", "fasta", "--name", "run1_{sample}", "--unassigned", "no")
        self.assertEqual(sorted(self.files()), ["reasons.tsv", "run1_one.fasta", "run1_three.fasta", "run1_two.fasta", "summary.tsv"])
        self.assertEqual(self.files()["run1_one.fasta"].decode(),
                         "".join(f">{r.name}\n{r.bases[slice(*r.kept)]}\n" for r in reads if r.sample == "one"))
        self.file("reads.fa", "".join(f">{r.name}\n{r.bases}\n" for r in reads))
        self.demux("-s", "sheet.tsv", "reads.fa", "-q", output="deep/er")
        self.assertEqual(self.files("deep/er")["two.fasta"].decode(),
                         "".join(f">{r.name}\n{r.bases[slice(*r.kept)]}\n" for r in reads if r.sample == "two"))
        self.refused("--format fastq: the input is FASTA, which has no qualities", "reads.fa", "--format", "fastq", code=2)

    def test_kits(self):
        done = self.run_here("--kit", "help", command="demux")
        self.assertEqual(done.returncode, 0)
        flanks = {line.split("\t")[0]: line.split("\t") for line in done.stdout.decode().splitlines()}
        rapid = flanks["RBK114-24"]
        rng = random.Random(9)
        barcode = "AAGAAAGTTGTCGGTGTCTTTGTG"
        reads = [Read(f"r{i}", "ACG" + rapid[2] + barcode + rapid[3] + letters(rng, 300), "x") for i in range(20)]
        self.file("sheet.tsv", "sample\tbarcode\nx\tbarcode01\ny\tBC02\n")
        self.file("reads.fq", fastq(reads))
        self.demux("-s", "sheet.tsv", "--kit", "SQK-RBK114-24", "reads.fq", "-q")
        self.assertEqual(self.files()["x.fastq.gz"].decode().splitlines()[1], reads[0].bases[3 + len(rapid[2] + barcode + rapid[3]):])
        self.assertEqual(self.files()["y.fastq.gz"], b"")
        # Both ends have the barcode, and one of them is enough.
        ends = flanks["PBC096"]
        inner = letters(rng, 200)
        head, tail = ends[2] + barcode + ends[3], ends[4] + turn(barcode) + ends[5]
        texts = [head + inner + tail, head + inner, inner + tail, turn(head + inner + tail), turn(inner + tail)]
        self.file("reads.fq", fastq([Read(f"r{i}", text, "x") for i, text in enumerate(texts)]))
        self.demux("-s", "sheet.tsv", "--kit", "PBC096", "--orient", "reads.fq", "-q", "--format", "fasta")
        self.assertEqual(self.files()["x.fasta"].decode(), "".join(f">r{i}\n{inner}\n" for i in range(5)))
        # Reads that begin with barcodes.
        self.file("sheet.tsv", "sample\tbarcode\nx\tACGTACGTAC\ny\tTTGGCCAATT\n")
        self.file("reads.fq", fastq([Read("r0", "ACGTACCTAC" + inner, "x"), Read("r1", "GGG" + "TTGGCCAATT" + inner, "y")]))
        self.demux("-s", "sheet.tsv", "--kit", "illumina-inline", "reads.fq", "-q", "--format", "fasta")
        self.assertEqual(self.files()["x.fasta"].decode(), f">r0\n{inner}\n")
        self.assertEqual(self.files()["y.fasta"], b"")
        self.refused("--kit RBK4: there is no such kit", "--kit", "RBK4", "reads.fq", code=2)
        self.refused("did you mean 'RBK114-24' or 'RBK114-96'?", "--kit", "RBK114", "reads.fq", code=2)
        self.refused("did you mean 'RBK001'?", "--kit", "SQK-RBK002", "reads.fq", code=2)
        # Barcodes that are not those of the kit.
        self.file("sheet.tsv", "sample\tbarcode\nx\tBC13\n")
        self.refused("sheet.tsv: line 2: column barcode: the kit RBK004 has no barcode 'BC13': it has BC01 to BC12", "--kit", "RBK004", "reads.fq")
        self.refused("the kit illumina-inline has no barcodes with names", "--kit", "illumina-inline", "reads.fq")

    def test_kits_of_cells(self):
        """Kits of 10x are their read structures."""
        rng = random.Random(10)
        cells = [letters(rng, 16) for _ in range(2)]
        self.file("list.txt", "".join(f"{cell}\n" for cell in cells))
        self.file("1.fq", fastq([Read(f"r{i}", cells[i % 2] + letters(rng, 12), "x") for i in range(10)]))
        self.file("2.fq", fastq([Read(f"r{i}", letters(rng, 50), "x") for i in range(10)]))
        reads = ("--list", "list.txt", "-1", "1.fq", "-2", "2.fq", "-q")
        self.demux("--kit", "10X-3p-v3", *reads)
        self.demux("--structure", "16C12M", "--structure", "+T", *reads, output="same")
        self.assertEqual(self.files(), self.files("same"))
        self.assertIn(b"CB:Z:" + cells[0].encode(), self.files()["assigned.fastq.gz"])
        self.file("sheet.tsv", SHEET)
        self.refused("barcodes of cells, not of samples: use --list FILE", "--kit", "10x-3p-v3", "-1", "1.fq", "-2", "2.fq", code=2)
        for words in (("--structure", "16C12M"), ("--window", "30")):
            done = self.run_here("--kit", "10x-5p-v2", *words, *reads, "-o", "new", command="demux")
            self.assertEqual(done.returncode, 2)
            self.assertIn("conflict", done.stderr.decode())

    def test_many_ambiguous_reads(self):
        """Where most reads are ambiguous, a warning names what helps; and it does."""
        rng = random.Random(20)
        barcodes = [letters(rng, 8) for _ in range(12)]
        reads = [Read(f"r{i}", barcodes[i % 12] + letters(rng, 140), f"s{i % 12}") for i in range(240)]
        self.file("reads.fq", fastq(reads))
        self.file("sheet.tsv", "sample\tbarcode\n" + "".join(f"s{i}\t{barcode}\n" for i, barcode in enumerate(barcodes)))
        found = {}
        for words in ((), ("--window", "9"), ("--kit", "illumina-inline")):
            done = self.demux("-s", "sheet.tsv", "reads.fq", *words)
            found[words] = sum(len(text) > 0 and text.count(b"\n") // 4 for name, text in self.files().items() if name.startswith("s") and "fastq" in name)
            self.assertEqual("--window 9, or --kit illumina-inline" in done.stderr.decode(), words == (), done.stderr)
        self.assertLess(found[()], 120)
        self.assertGreater(min(found["--window", "9"], found["--kit", "illumina-inline"]), 200)

    def test_cut_at_the_other_end(self):
        """A read that begins with its barcode also loses one at its other end, but not bases that look like it by chance."""
        rng = random.Random(21)
        barcodes = [letters(rng, 12) for _ in range(4)]
        reads = []
        for i in range(400):
            barcode = barcodes[i % 4]
            bases = barcode + letters(rng, 150)
            tail = turn(barcode) + letters(rng, rng.randrange(10)) if i % 2 else ""
            reads.append(Read(f"r{i}", bases + tail, f"s{i % 4}", "+", (12, len(bases))))
        self.file("reads.fq", fastq(reads))
        self.file("sheet.tsv", "sample\tbarcode\n" + "".join(f"s{i}\t{barcode}\n" for i, barcode in enumerate(barcodes)))
        for words in ((), ("-e", "0.3"), ("--anywhere", "-e", "0.1")):
            self.demux("-s", "sheet.tsv", "reads.fq", "--table", "table.tsv", *words)
            rows = [line.split("\t") for line in (self.folder / "table.tsv").read_text().splitlines()[1:]]
            right = sum((int(row[5]), int(row[6])) == read.kept for row, read in zip(rows, reads) if row[7] == "assigned")
            assigned = sum(row[7] == "assigned" for row in rows)
            self.assertGreater(assigned, 250, words)
            self.assertGreaterEqual(right, 0.97 * assigned, words)

    def test_limits_make_barcodes_equal(self):
        """Where a lower error rate makes the limits of a barcode that two samples share differ, it is searched as two."""
        rng = random.Random(22)
        shared, seconds = letters(rng, 10), [letters(rng, 10) for _ in range(2)]
        self.file("sheet.tsv", f"sample\tbarcode\tbarcode2\tedits\na\t{shared}\t{seconds[0]}\t3\nb\t{shared}\t{seconds[1]}\t\n")
        reads = [Read(f"r{i}", shared + letters(rng, 40) + seconds[i % 2], "ab"[i % 2]) for i in range(100)]
        self.file("reads.fq", fastq(reads))
        done = self.demux("-s", "sheet.tsv", "reads.fq", "--either-end", "--table", "table.tsv", code=3)
        self.assertIn(b"with --either-end no barcode may be of two samples", done.stderr)
        self.demux("-s", "sheet.tsv", "reads.fq", "--margin", "1", "--table", "table.tsv")
        rows = [line.split("\t") for line in (self.folder / "table.tsv").read_text().splitlines()[1:]]
        self.assertEqual({row[1] for row, read in zip(rows, reads) if row[1] not in (".", read.sample)}, set())
        self.assertGreater(sum(row[1] != "." for row in rows), 80)

    def test_two_barcodes(self):
        """Reads with the clear barcodes of two samples: at both ends, at the ends of kits that have two, and anywhere."""
        rng = random.Random(12)

        def reasons(texts, *arguments):
            self.file("reads.fq", fastq([Read(f"r{i}", text, "x") for i, text in enumerate(texts)]))
            self.demux("-s", "sheet.tsv", *arguments, "reads.fq", "-q")
            rows = [line.split("\t") for line in self.files()["reasons.tsv"].decode().splitlines()[1:]]
            return {row[0]: int(row[3]) for row in rows if row[3] != "0"}

        self.file("sheet.tsv", SHEET)
        one, two = (LEFT + BARCODES[name] + RIGHT for name in ("one", "two"))
        inner = letters(rng, 300)
        self.assertEqual(reasons([one + inner + turn(two), one + inner + turn(one), one + inner]), {"two-barcodes": 1, "assigned": 2})
        within = [one + inner + two + inner, inner + two + inner + one + inner, turn(inner + one + inner + two), one + inner + turn(two),
                  one + inner + one + inner, inner]
        self.assertEqual(reasons(within, "--anywhere"), {"two-barcodes": 4, "assigned": 1, "none": 1})
        kits = {line.split("\t")[0]: line.split("\t")
                for line in self.run_here("--kit", "help", command="demux").stdout.decode().splitlines()}
        barcodes = ("AAGAAAGTTGTCGGTGTCTTTGTG", "TCGATTCCGTTTGTAGTCGTCTGT")
        self.file("sheet.tsv", "sample\tbarcode\nx\tBC01\ny\tBC02\n")
        for name in ("PBC001", "RAB204", "16S024"):
            kit = kits[name]
            heads = [kit[2] + barcode + kit[3] for barcode in barcodes]
            tails = [kit[4] + turn(barcode) + kit[5] for barcode in barcodes]
            texts = [heads[0] + inner + tails[1], turn(heads[1] + inner + tails[0]), heads[0] + inner + tails[0], inner + tails[1]]
            self.assertEqual(reasons(texts, "--kit", name), {"two-barcodes": 2, "assigned": 2}, name)
            self.assertEqual(reasons([*texts, heads[0] + heads[1] + inner, inner + heads[0] + inner + heads[1] + inner], "--kit", name, "--anywhere"),
                             {"two-barcodes": 4, "assigned": 2}, name)

    def test_no_reads(self):
        self.file("sheet.tsv", SHEET)
        self.file("reads.fq", "")
        done = self.demux("-s", "sheet.tsv", "reads.fq", "--table", "table.tsv", "--json", "report.json")
        self.assertIn(b"no reads", done.stderr)
        found = self.files()
        self.assertEqual(found.pop("summary.tsv").decode(), "sample\treads\tbases\tmean_edits\tshare\n" + "".join(
            f"{sample}\t0\t0\t.\t0.000000\n" for sample in [*BARCODES, "unassigned"]))
        self.assertTrue(found.pop("reasons.tsv").startswith(b"reason\t"))
        self.assertEqual(found, {f"{sample}.fastq.gz": b"" for sample in [*BARCODES, "unassigned"]})
        report = json.loads((self.folder / "report.json").read_text())
        self.assertEqual(report["reads"]["total"], 0)
        choices = report["machine"].pop("choices")  # each once, though several scorers choose
        self.assertEqual((sorted(set(choices)), list(report["machine"])), (sorted(choices), ["threads"]))
        # Reads without bases are reads.
        self.file("reads.fq", "@a\n\n+\n\n@b\nA\n+\n!\n")
        self.demux("-s", "sheet.tsv", "reads.fq", "-q")
        self.assertEqual(self.files()["unassigned.fastq.gz"], b"@a\n\n+\n\n@b\nA\n+\n!\n")
        self.assertIn(b"too-short\t.\t.\t2\n", self.files()["reasons.tsv"])
        self.file("reads.sam", "@HD\tVN:1.6\na\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\nb\t4\t*\t0\t0\t*\t*\t0\t0\tA\t!\n")
        self.demux("-s", "sheet.tsv", "reads.sam", "-q", "--format", "fastq.gz", output="sam")
        self.assertEqual(self.files("sam"), self.files())

    def test_names_of_samples(self):
        self.file("reads.fq", "")
        for name in ("..", "-x", ".a"):
            self.file("sheet.tsv", f"sample\tbarcode\n{name}\tACGTACGTTGCA\n")
            self.refused(f"sheet.tsv: line 2: the sample name '{name}' begins with '{name[0]}'", "reads.fq")
        self.file("sheet.tsv", "sample\tbarcode\na\tACGTACGTTGCA\nA\tGGATTCCAAGTC\n")
        done = self.demux("-s", "sheet.tsv", "reads.fq")
        self.assertIn("the names 'a' and 'A' differ in case only", done.stderr.decode())
        # The longest name that a file may have.
        name = "a" * (255 - len(".fastq.gz"))
        self.file("sheet.tsv", f"sample\tbarcode\n{name}\tACGTACGTTGCA\n")
        self.demux("-s", "sheet.tsv", "reads.fq", "-q", output="long")
        self.assertEqual(sorted(self.files("long")), [f"{name}.fastq.gz", "reasons.tsv", "summary.tsv", "unassigned.fastq.gz"])
        self.file("sheet.tsv", f"sample\tbarcode\n{name}a\tACGTACGTTGCA\n")
        self.refused(f"{name}a.fastq.gz: cannot write: File name too long", "reads.fq", code=4)

    def test_bad_sheets(self):
        self.file("reads.fq", fastq(single_reads(10, 5)))
        for text, message in (
                ("", "sheet.tsv: it is empty"),
                ("sample\tbarcode\n", "sheet.tsv: it has no samples"),
                ("sample\tcode\na\tACGT\n", "sheet.tsv: line 1: expected a column 'barcode' among the column names, found sample, code"),
                ("sample\tbarcode\na\tACGT\na\tAGGT\n", "sheet.tsv: line 3: the sample 'a' is on line 2 already"),
                ("sample\tbarcode\na/b\tACGT\n", "sheet.tsv: line 2: the sample name 'a/b' has letters"),
                ("sample\tbarcode\na\tAC.T\n", "sheet.tsv: line 2: column barcode: 'AC.T'"),
                ("sample\tbarcode\na\tACGT\nb\tACGT\n", "sheet.tsv: lines 2 and 3: the samples 'a' and 'b' cannot be told apart"),
                ("sample\tbarcode\na\tACGT\nb\tAACGTT\n", "cannot be told apart: one barcode, with its flanks, is part of the other"),
                ("sample\tbarcode\tstructure\na\tACGT\t8BT+\n", "line 2: column structure: read structure, position 3")):
            self.file("sheet.tsv", text)
            self.refused(message, "reads.fq")
        self.refused("none.tsv", "reads.fq", sheet="none.tsv", code=4)
        self.file("sheet.tsv", "sample\tbarcode\na\tAACCGGTT\nb\tAACCGGTA\n")
        done = self.demux("-s", "sheet.tsv", "reads.fq")
        self.assertIn(b"warning: sheet.tsv: these samples are nearer to each other than --margin 2", done.stderr)

    def test_bad_reads(self):
        self.file("sheet.tsv", SHEET)
        good = fastq(single_reads(11, 50)).decode()
        for text, message in ((good + "@x\nACGT\n+\n!!\n", "x"), (good + "@x\nAC1T\n+\n!!!!\n", "record 'x'"),
                              (good + "@x\nACGT\n+\n!!\n" + good, "'x'")):
            self.file("reads.fq", text)
            self.refused(message, "reads.fq", "--table", "table.tsv", "--json", "report.json")
        first, second = pairs(12, 20)
        self.file("r1.fq", fastq(first))
        self.file("r2.fq", fastq(second[:-1]))
        self.refused("r2.fq", "-1", "r1.fq", "-2", "r2.fq")
        second[7].name = "other"
        self.file("r2.fq", fastq(second))
        self.refused("record 'pair_7': its mate in r2.fq has another name, 'other'", "-1", "r1.fq", "-2", "r2.fq")

    def test_usage(self):
        self.file("sheet.tsv", SHEET)
        self.file("reads.fq", fastq(single_reads(13, 20)))
        for message, more in (("use -k or -e, not both", ("-k", "1", "-e", "0.1")), ("--name x: expected {sample} once", ("--name", "x")),
                              ("--name a/{sample}: expected {sample}", ("--name", "a/{sample}")),
                              ("--either-end: sheet.tsv has no second barcodes", ("--either-end",)),
                              ("--window 20: a barcode with its flanks has 32 letters", ("--window", "20"))):
            self.refused(message, "reads.fq", *more, code=2)
        done = self.run_here("reads.fq", "-o", "new", command="demux")
        self.assertEqual((done.returncode, self.listing()), (2, ["reads.fq", "sheet.tsv"]))
        self.assertIn(b"no sample sheet is given", done.stderr)
        self.file("file", "")
        self.refused("file: is a file, not a folder", "reads.fq", output="file", code=4)

    def test_files_that_are_there(self):
        self.file("sheet.tsv", SHEET)
        self.file("reads.fq", fastq(single_reads(14, 20)))
        (self.folder / "out").mkdir()
        self.file("out/other.txt", "x")
        done = self.run_here("-s", "sheet.tsv", "reads.fq", "-o", "out", "-q", command="demux")
        self.assertEqual(done.returncode, 0, done.stderr)
        before = self.files()
        self.refused("out/summary.tsv is there already: --force replaces such files", "reads.fq", output="out", code=2)
        self.assertEqual(self.files(), before)
        self.demux("-s", "sheet.tsv", "reads.fq", "-q", "--no-trim")
        self.assertNotEqual(self.files(), before)
        self.assertEqual(self.files()["other.txt"], b"x")
        # An output that is the input.
        shutil.copy(self.folder / "reads.fq", self.folder / "one.fastq")
        self.refused("one.fastq: the same file is input and output", "one.fastq", "--force", "--format", "fastq", output=".", code=2)

    def test_outputs_of_one_name(self):
        """--table, --json and --html may not be files of the folder, whatever name they are given."""
        self.file("sheet.tsv", SHEET)
        self.file("reads.fq", fastq(single_reads(14, 20)))
        (self.folder / "link").symlink_to("new")
        for option, path in (("--table", "new/one.fastq.gz"), ("--json", "new/summary.tsv"), ("--html", "./new//unassigned.fastq.gz"),
                             ("--table", "link/reasons.tsv")):
            self.refused(f"{path}: {option} and --output name the same file", "reads.fq", option, path, code=2)
        self.demux("-s", "sheet.tsv", "reads.fq", "-q", "--table", "out/table.tsv", "--json", "out/one.json")
        before = self.files()
        os.link(self.folder / "out/one.fastq.gz", self.folder / "hard.gz")
        self.refused("hard.gz: --table and --output name the same file", "reads.fq", "--force", "--table", "hard.gz", output="out", code=2)
        for number in "12":
            done = self.run_here("-s", "sheet.tsv", "reads.fq", "-o", f"{number}.bsp", "--chunk", f"{number}/2", "-q", "--table", "t", command="demux")
            self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_here("1.bsp", "2.bsp", "-o", "new", "--table", "new/summary.tsv", command="merge")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"new/summary.tsv: --table and --output name the same file", done.stderr)
        self.assertEqual((self.files(), (self.folder / "new").exists()), (before, False))

    def test_many_samples(self):
        """2,000 samples with 64 open files."""
        rng = random.Random(15)
        barcodes = set()
        while len(barcodes) < 2000:
            barcodes.add(letters(rng, 24))
        barcodes = sorted(barcodes)
        self.file("sheet.tsv", "sample\tbarcode\n" + "".join(f"s{i}\t{barcode}\n" for i, barcode in enumerate(barcodes)))
        reads = [Read(f"r{i}", barcodes[i * 7 % 2000] + letters(rng, 30), f"s{i * 7 % 2000}", "+", (24, 54)) for i in range(6000)]
        self.file("reads.fq", fastq(reads))

        def few_files():
            resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        self.demux("-s", "sheet.tsv", "reads.fq", "-q", "-k", "2", "--window", "30", "-t", "2", preexec_fn=None if SANITIZED else few_files)
        found = self.files()
        self.assertEqual(len(found), 2003)
        for i in range(0, 2000, 97):
            self.assertEqual(found[f"s{i}.fastq.gz"], fastq([r for r in reads if r.sample == f"s{i}"], cut=True))
        self.assertEqual(found["unassigned.fastq.gz"], b"")

    def test_reads_without_a_barcode(self):
        """Short barcodes get fewer edits unless limits are given; a warning says where that is not enough."""
        rng = random.Random(33)
        reads = [Read(f"r{i}", letters(rng, 400), "unassigned", ".", (0, 400)) for i in range(2000)]
        self.file("reads.fq", fastq(reads))

        def run(length, *more):
            """The error rate of the report, the share of reads that are assigned, and whether a warning says so."""
            barcodes = {letters(random.Random(length + i), length) for i in range(12)}
            self.file("sheet.tsv", "sample\tbarcode\n" + "".join(f"s{i}\t{one}\n" for i, one in enumerate(sorted(barcodes))))
            done = self.demux("-s", "sheet.tsv", "reads.fq", "--margin", "1", "--json", "report.json", *more)
            report = json.loads((self.folder / "report.json").read_text())
            parameters = report["parameters"]
            rate = parameters.get("error_rate")
            self.assertEqual(rate is not None and float(rate) < 0.3 and "-e" not in more, "random reads would have a barcode" in json.dumps(report["machine"]))
            return rate, 1 - sum(report["unassigned"].values()) / len(reads), "by chance" in done.stderr.decode()

        rate, share, warned = run(44)
        self.assertEqual((float(rate), warned), (0.3, False))
        self.assertLess(share, 0.015)
        rate, share, warned = run(16)
        self.assertTrue(0 < float(rate) < 0.3, rate)
        self.assertFalse(warned)
        self.assertLess(share, 0.02)
        rate, share, warned = run(16, "-e", "0.3")
        self.assertEqual((float(rate), warned), (0.3, True))
        self.assertGreater(share, 0.05)
        rate, share, warned = run(7)
        self.assertEqual((float(rate), warned), (0, True))
        rate, share, warned = run(7, "--window", "8")
        self.assertFalse(warned)
        self.assertLess(float(rate), 1 / 7)
        rate, share, warned = run(12, "-k", "3")
        self.assertEqual((rate, warned), (None, True))

    def test_a_signal_leaves_nothing(self):
        self.file("sheet.tsv", SHEET)
        data = fastq(single_reads(16, 2000))
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([BINARY, "demux", "-s", "sheet.tsv", "-", "-o", "new", "--table", "table.tsv"], cwd=self.folder,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
            process.stdin.write(data)
            process.stdin.flush()
            for _ in range(1000):
                if (self.folder / "new").is_dir() and len(list((self.folder / "new").iterdir())) >= 6:
                    break
                time.sleep(0.02)
            self.assertEqual(len(list((self.folder / "new").iterdir())), 6)
            process.send_signal(number)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, -number)
            self.assertEqual(self.listing(), ["sheet.tsv"])

    @unittest.skipUnless(DATA, "BASESWEEP_TEST_DATA is not set")
    def test_reads_with_known_barcodes(self):
        """Reads of 2017 by a kit of rapid barcodes, and reads without barcodes: right - 5 (wrong + false)."""
        folder = pathlib.Path(DATA) / "reads"
        files = [folder / f"qcat_ont_{kind}_1k.fq.gz" for kind in ("barcode", "nobarcode")]
        if not all(file.exists() for file in files):
            self.skipTest("BASESWEEP_TEST_DATA lacks reads/qcat_ont_*")
        truth = {}
        for file in files:
            for title in gzip.decompress(file.read_bytes()).decode().splitlines()[::4]:
                truth[title[1:].split()[0]] = re.search(r"truebc=(\w+)", title).group(1)
        kits = self.run_here("--kit", "help", command="demux").stdout.decode()
        rapid = next(line.split("\t") for line in kits.splitlines() if line.startswith("RBK001\t"))
        for count, least, kit in ((12, 858, ("--kit", "RBK001")), (96, 823, ("--kit", "PBC096"))):
            self.file("sheet.tsv", "sample\tbarcode\tleft\tright\tbarcode2\n" + "".join(f"{i}\tBC{i:02}\t{rapid[2]}\t{rapid[3]}\t\n" for i in range(1, count + 1)))
            self.demux("-s", "sheet.tsv", *kit, *files, "-q", "--table", "table.tsv")
            rows = [line.split("\t") for line in (self.folder / "table.tsv").read_text().splitlines()[1:]]
            calls = {row[0]: row[1] for row in rows}
            right = sum(calls[name] == barcode for name, barcode in truth.items())
            wrong = sum(calls[name] not in (".", barcode) for name, barcode in truth.items())
            self.assertGreaterEqual(right - 5 * wrong, least, (count, right, wrong))


if __name__ == "__main__":
    unittest.main()
