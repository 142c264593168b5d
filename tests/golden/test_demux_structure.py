"""demux by read structures: samples at fixed places, cell barcodes corrected by lists, UMIs in names and tags; compared with plain Python."""
import gzip
import json
import os
import random
import threading
import unittest

import sam_tools
from support import Case

HEADER = ["read", "sample", "edits", "second", "strand", "cut_start", "cut_end", "reason"]


def letters(rng, count):
    return "".join(rng.choice("ACGT") for _ in range(count))


def spoiled(rng, bases, edits, alphabet="ACGTN"):
    for at in rng.sample(range(len(bases)), min(edits, len(bases))):
        bases = bases[:at] + rng.choice(alphabet) + bases[at + 1:]
    return bases


def mismatches(one, other):
    return sum(a != b or a == "N" for a, b in zip(one, other))


def plain_sample(word, barcodes, most=1, margin=2):
    """Returns the sample of a barcode, its edits, and the reason, by looking at all samples."""
    ranked = sorted((mismatches(word, barcode), name) for name, barcode in barcodes.items() if len(barcode) == len(word))
    if not ranked or ranked[0][0] > most:
        return None, None, "none"
    if len(ranked) > 1 and ranked[1][0] - ranked[0][0] < margin:
        return None, ranked[0][0], "ambiguous"
    return ranked[0][1], ranked[0][0], "assigned"


def plain_cell(word, quality, listed, counts=None):
    """Returns the barcode of a list that a read stands for, and how it fits; by looking at all barcodes."""
    if word in listed:
        return word, "exact"
    near = [(other, [i for i in range(len(word)) if word[i] != other[i]][0]) for other in listed
            if len(other) == len(word) and mismatches(word, other) == 1]
    if len(near) == 1:
        return near[0][0], "corrected"
    if not near or counts is None:
        return None, "ambiguous" if near else "none"
    shares = [((counts.get(other, 0) + 1) * 10 ** (-0.1 * (ord(quality[at]) - 33)), other) for other, at in near]
    best = max(shares)
    return (best[1], "corrected") if best[0] >= 0.975 * sum(share for share, _ in shares) else (None, "ambiguous")


class Read:
    def __init__(self, rng, name, bases, comment=""):
        self.name, self.bases, self.comment = name, bases, comment
        self.quality = "".join(chr(33 + rng.randrange(2, 41)) for _ in bases)

    def record(self, begin=0, end=None, title=None):
        return f"@{title or self.name + self.comment}\n{self.bases[begin:end]}\n+\n{self.quality[begin:end]}\n"


def fastq(reads):
    return "".join(read.record() for read in reads)


class Structures(Case):
    def demux(self, *arguments, code=0, output="out", **options):
        done = self.run_here(*arguments, "-o", output, "--force", command="demux", **options)
        self.assertEqual(done.returncode, code, (arguments, done.stderr.decode()))
        return done

    def files(self, folder="out"):
        found = {}
        for path in (self.folder / folder).iterdir():
            data = path.read_bytes()
            found[path.name] = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
        return found

    def same_by_threads(self, *arguments):
        """Returns the files, which are the same for any number of threads, with the table of reads."""
        expected = None
        for threads in ("1", "4"):
            self.demux(*arguments, "-q", "-t", threads, "--table", "table.tsv", "--json", "report.json")
            found = self.files()
            found["table"] = (self.folder / "table.tsv").read_text()
            expected = expected or found
            self.assertEqual(found, expected)
        return expected

    def report(self):
        return json.loads((self.folder / "report.json").read_text())

    def refused(self, message, *arguments, code=2, output="new", **options):
        before = self.listing()
        done = self.run_here(*arguments, "-o", output, command="demux", **options)
        self.assertEqual((done.returncode, done.stdout), (code, b""), done.stderr)
        self.assertIn(message, done.stderr.decode())
        self.assertEqual(self.listing(), before)

    def inline_reads(self, seed, barcodes, count=600):
        rng = random.Random(seed)
        reads = []
        for i in range(count):
            barcode = spoiled(rng, rng.choice(list(barcodes.values())), rng.choice((0, 0, 0, 1, 1, 2, 3)))
            if rng.random() < 0.05:
                barcode = letters(rng, 8)
            bases = barcode + letters(rng, 4) + letters(rng, rng.randrange(0, 60))
            reads.append(Read(rng, f"r{i}", bases[:rng.randrange(13)] if rng.random() < 0.03 else bases, " 1:N:0:x"))
        return reads

    def sample_barcodes(self, seed=1, count=30, length=8):
        rng = random.Random(seed)
        barcodes = {}
        while len(barcodes) < count:
            barcode = letters(rng, length)
            if barcode not in barcodes.values():
                barcodes[f"s{len(barcodes)}"] = barcode
        return barcodes

    def test_inline(self):
        """A barcode, a UMI and the insert in one read, as fqtk has them."""
        barcodes = self.sample_barcodes()
        reads = self.inline_reads(2, barcodes)
        self.file("sheet.tsv", "sample_id\tbarcode\n" + "".join(f"{name}\t{barcode}\n" for name, barcode in barcodes.items()))
        self.file("reads.fq", fastq(reads))
        for words, most, margin in (((), 1, 2), (("-k", "2", "--margin", "1"), 2, 1), (("-e", "0.4"), 3, 2), (("-k", "0", "--margin", "3"), 0, 3)):
            expected = {f"{name}.fastq": "" for name in [*barcodes, "unassigned"]}
            table = ["\t".join(HEADER)]
            reasons = dict.fromkeys(("assigned", "none", "ambiguous", "two-barcodes", "unexpected-pair", "too-short"), 0)
            for read in reads:
                sample, _, reason = plain_sample(read.bases[:8], barcodes, most, margin)
                if len(read.bases) < 12:
                    sample, reason = None, "too-short"
                reasons[reason] += 1
                umi = read.bases[8:12]
                expected[f"{sample or 'unassigned'}.fastq"] += read.record(12, None, f"{read.name}:{umi} 1:N:0:x") if sample else read.record()
                table.append((read.name, sample or ".", "+" if sample else ".", "12" if sample else "0", str(len(read.bases)), reason))
            found = self.same_by_threads("-s", "sheet.tsv", "--structure", "8B4M+T", "reads.fq", "--format", "fastq", *words)
            rows = [tuple(line.split("\t")) for line in found.pop("table").splitlines()]
            self.assertEqual([row[:2] + row[4:] for row in rows[1:]], table[1:], words)
            summary = [row.split("\t") for row in found.pop("summary.tsv").splitlines()[1:]]
            self.assertEqual([int(row[1]) for row in summary], [expected[f"{row[0]}.fastq"].count("\n") // 4 for row in summary])
            self.assertEqual(found.pop("reasons.tsv"), "reason\tbarcode\tbarcode2\treads\n" + "".join(f"{reason}\t.\t.\t{count}\n" for reason, count in reasons.items()))
            self.assertEqual(found, expected, words)
        self.assertEqual(self.report()["structures"], ["8B4M+T"])
        # Whole reads.
        self.demux("-s", "sheet.tsv", "--structure", "8B4M+T", "reads.fq", "-q", "--format", "fastq", "--no-trim")
        self.assertIn(reads[0].bases + "\n", "".join(self.files().values()))
        self.assertNotIn("s0_R1.fastq", self.files())

    def test_many_samples(self):
        """6,000 samples: the same as a look at all of them for some reads."""
        rng = random.Random(3)
        barcodes = self.sample_barcodes(3, 6000, 12)
        self.file("sheet.tsv", "sample\tbarcode\n" + "".join(f"{name}\t{barcode}\n" for name, barcode in barcodes.items()))
        names = list(barcodes)
        reads = [Read(rng, f"r{i}", spoiled(rng, barcodes[rng.choice(names)], rng.choice((0, 1, 2))) + letters(rng, 10)) for i in range(300)]
        self.file("reads.fq", fastq(reads))
        self.demux("-s", "sheet.tsv", "--structure", "12B+T", "reads.fq", "-q", "--format", "fasta", "--table", "table.tsv", "--margin", "1")
        rows = [line.split("\t") for line in (self.folder / "table.tsv").read_text().splitlines()[1:]]
        for row, read in zip(rows, reads):
            sample, _, reason = plain_sample(read.bases[:12], barcodes, 1, 1)
            self.assertEqual((row[1], row[7]), (sample or ".", reason), read.bases)

    def test_pairs_of_mates(self):
        """Two barcodes and two UMIs, one of each at the start of each mate."""
        rng = random.Random(4)
        sheet = {"a": ("ACGTAC", "TTGCAA"), "b": ("ACGTAC", "GGCCAT"), "c": ("TGCATG", "TTGCAA")}
        self.file("sheet.csv", "sample,barcode,barcode2\n" + "".join(f"{name},{one},{two}\n" for name, (one, two) in sheet.items()))
        first, second, expected = [], [], {f"{name}_R{mate}.fastq": "" for name in [*sheet, "unassigned"] for mate in (1, 2)}
        for i in range(300):
            one, two = rng.choice([*sheet.values(), ("TGCATG", "GGCCAT")])
            one, two = spoiled(rng, one, rng.choice((0, 0, 1))), spoiled(rng, two, rng.choice((0, 0, 1)))
            mates = [Read(rng, f"p{i}/{mate}", head + letters(rng, 3) + letters(rng, 20), f" {mate}") for mate, head in ((1, one), (2, two))]
            first.append(mates[0])
            second.append(mates[1])
            sample, _, _ = plain_sample(one + two, {name: a + b for name, (a, b) in sheet.items()})
            umi = f"{mates[0].bases[6:9]}+{mates[1].bases[6:9]}"
            for mate, read in enumerate(mates, 1):
                expected[f"{sample or 'unassigned'}_R{mate}.fastq"] += read.record(9, None, f"p{i}:{umi}/{mate} {mate}") if sample else read.record()
        self.file("r1.fq", fastq(first))
        self.file("r2.fq", fastq(second))
        for structure in (("6B3M+T", "--structure", "6B3M+T"), ("1{b[6]u[3]r:}2{b[6]u[3]r:}",)):
            found = self.same_by_threads("-s", "sheet.csv", "--structure", *structure, "-1", "r1.fq", "-2", "r2.fq", "--format", "fastq")
            self.assertEqual({name: found[name] for name in expected}, expected)

    def cell_reads(self, seed, listed, count=800):
        rng = random.Random(seed)
        favourites = rng.sample(sorted(listed), 4)
        first, second = [], []
        for i in range(count):
            cell = spoiled(rng, rng.choice(favourites if rng.random() < 0.7 else sorted(listed)), rng.choice((0, 0, 0, 1, 1, 2)))
            first.append(Read(rng, f"p{i}", (cell + letters(rng, 12))[:27 if rng.random() < 0.02 else 28], " 1:N:0:x"))
            second.append(Read(rng, f"p{i}", letters(rng, 50), " 2:N:0:x"))
        return first, second

    def cell_list(self, seed, count=60, length=16):
        """Barcodes, half of which are near another one."""
        rng = random.Random(seed)
        listed = set()
        while len(listed) < count:
            barcode = letters(rng, length)
            listed.add(barcode)
            for _ in range(rng.choice((0, 1, 2))):
                listed.add(spoiled(rng, barcode, 2, "ACGT"))
        return listed

    def test_cells(self):
        """10x: a cell barcode and a UMI in the first mate, the insert in the second; with and without counts."""
        listed = self.cell_list(5)
        first, second = self.cell_reads(6, listed)
        self.file("list.txt", "".join(f"{barcode}-1\n" for barcode in listed))
        self.file("r1.fq", fastq(first))
        self.file("r2.fq.gz", gzip.compress(fastq(second).encode()))
        exact = {}
        for read in first:
            if len(read.bases) == 28 and read.bases[:16] in listed:
                exact[read.bases[:16]] = exact.get(read.bases[:16], 0) + 1
        inputs = ("-1", "r1.fq", "-2", "r2.fq.gz", "--format", "fastq")
        seen = []
        for words, counts in (((), exact), (("--no-posterior",), None)):
            fits = dict.fromkeys(("exact", "corrected", "ambiguous", "none"), 0)
            expected = {"assigned.fastq": "", "unassigned_R1.fastq": "", "unassigned_R2.fastq": ""}
            for one, two in zip(first, second):
                cell, fit = plain_cell(one.bases[:16], one.quality, listed, counts) if len(one.bases) == 28 else (None, None)
                if fit:
                    fits[fit] += 1
                if cell:
                    tags = "".join(f"\t{tag}:Z:{text}" for tag, text in (("CB", cell), ("CR", one.bases[:16]), ("CY", one.quality[:16]),
                                                                         ("RX", one.bases[16:]), ("QX", one.quality[16:])))
                    expected["assigned.fastq"] += two.record(title=f"{two.name}:{one.bases[16:]}{tags}")
                else:
                    expected["unassigned_R1.fastq"] += one.record()
                    expected["unassigned_R2.fastq"] += two.record()
            for structure in (("--structure", "16C12M", "--structure", "+T"), ("--structure", "1{b[16]u[12]}2{r:}")):
                found = self.same_by_threads(*structure, "--list", "list.txt", *inputs, *words)
                self.assertEqual({name: found[name] for name in expected}, expected)
                self.assertEqual(sorted(found), sorted([*expected, "summary.tsv", "reasons.tsv", "table"]))
                shown = self.report()["lists"][0]
                self.assertEqual(shown, {"path": "list.txt", "barcodes": len(listed), **fits})
                self.assertEqual(self.report()["reads"]["assigned"], 2 * (fits["exact"] + fits["corrected"]))
            named = self.same_by_threads("--structure", "1{b<ten>[16]u[12]}2{r:}", "--list", "ten=list.txt", *inputs, *words)
            self.assertEqual(named["assigned.fastq"], expected["assigned.fastq"])
            seen.append(fits)
        self.assertGreater(seen[1]["ambiguous"], seen[0]["ambiguous"])
        self.assertGreater(seen[0]["ambiguous"], 0)

    def test_without_a_list(self):
        """Reads that fit the structure are assigned; cell barcodes are raw."""
        rng = random.Random(7)
        reads = [Read(rng, f"r{i}", letters(rng, rng.randrange(3)) + spoiled(rng, "CAGAGC", rng.choice((0, 0, 1, 3))) + letters(rng, 12)) for i in range(200)]
        self.file("reads.fq", fastq(reads))
        found = self.same_by_threads("--structure", "1{x[0-2]f[CAGAGC]b[4]u[3]r:}", "reads.fq", "--format", "fastq")
        expected = ""
        for read in reads:
            at = next((i for i in (0, 1, 2) if read.bases[i:i + 6] == "CAGAGC"), None)
            if at is not None:
                cell, umi = slice(at + 6, at + 10), slice(at + 10, at + 13)
                tags = "".join(f"\t{tag}:Z:{text}" for tag, text in (("CR", read.bases[cell]), ("CY", read.quality[cell]), ("RX", read.bases[umi]), ("QX", read.quality[umi])))
                expected += read.record(at + 13, None, f"{read.name}:{read.bases[umi]}{tags}")
        self.assertEqual(found["assigned.fastq"], expected)
        self.assertNotIn("lists", self.report())

    def test_barcodes_without_place(self):
        """Barcodes of a list that are longer or shorter than all their places are warned of."""
        self.file("list.txt", "AAAACCCC\nACGTAC\nGGGGTTTTA\n")
        self.file("reads.fq", "@r\nAAAACCCCACGTACGT\n+\nIIIIIIIIIIIIIIII\n")
        done = self.demux("--structure", "8C+T", "--list", "list.txt", "reads.fq")
        self.assertIn(b"list.txt: its barcodes of 6, 9 bases are never found: the read structure has no place for them\n", done.stderr)
        done = self.demux("--structure", "1{b[6-9]r:}", "--list", "list.txt", "reads.fq")
        self.assertNotIn(b"never found", done.stderr)

    def test_split_pool(self):
        """Two rounds of barcodes with lists of their own, a linker that may have an edit; each part must be found."""
        rng = random.Random(8)
        one, two = self.cell_list(9, 20, 8), self.cell_list(10, 20, 8)
        self.file("one.txt", "\n".join(one))
        self.file("two.txt", "\n".join(two))
        reads, parts = [], []
        for i in range(400):
            own = [spoiled(rng, rng.choice(sorted(listed)), rng.choice((0, 0, 1, 2))) for listed in (one, two)]
            linker = rng.choice(("GTGGCC", "GTGGCC", "GTAGCC"))
            parts.append((own, linker))
            reads.append(Read(rng, f"r{i}", own[0] + linker + own[1] + letters(rng, 6) + letters(rng, 20)))
        self.file("reads.fq", fastq(reads))
        expected, counts = "", [{}, {}]
        for own, _ in parts:
            for place, listed in enumerate((one, two)):
                if own[place] in listed:
                    counts[place][own[place]] = counts[place].get(own[place], 0) + 1
        for read, (own, linker) in zip(reads, parts):
            begin = 8 + len(linker)
            found = [plain_cell(own[0], read.quality, one, counts[0])[0], plain_cell(own[1], read.quality[begin:], two, counts[1])[0]]
            if all(found):
                tags = "".join(f"\t{tag}:Z:{text}" for tag, text in (
                    ("CB", "-".join(found)), ("CR", "-".join(own)), ("CY", f"{read.quality[:8]} {read.quality[begin:begin + 8]}"),
                    ("RX", read.bases[begin + 8:begin + 14]), ("QX", read.quality[begin + 8:begin + 14])))
                expected += read.record(begin + 14, None, f"{read.name}:{read.bases[begin + 8:begin + 14]}{tags}")
        for words in (("1{b<a>[8]f[GTGGCC]{1}b<b>[8]u[6]r:}", "--list", "b=two.txt", "--list", "a=one.txt"),
                      ("1{b[8]f[GTGGCC]{1}b[8]u[6]r:}", "--list", "one.txt", "--list", "two.txt")):
            found = self.same_by_threads("--structure", *words, "reads.fq", "--format", "fastq")
            self.assertEqual(found["assigned.fastq"], expected)
        self.assertEqual([row["path"] for row in self.report()["lists"]], ["one.txt", "two.txt"])

    def test_structures_of_samples(self):
        """Each sample has its own structure; those without one have that of --structure; a sheet may have lists too."""
        rng = random.Random(11)
        self.file("sheet.csv", 'sample,barcode,structure\na,ACGTACGT,\nb,GGATTC,6B2S+T\nc,TTGACTGA,"2S8B+T"\n')
        reads = []
        for i in range(200):
            head = rng.choice(("ACGTACGT", "GGATTC", letters(rng, 2) + "TTGACTGA", letters(rng, 8)))
            reads.append(Read(rng, f"r{i}", head + letters(rng, 20)))
        self.file("reads.fq", fastq(reads))
        found = self.same_by_threads("-s", "sheet.csv", "--structure", "8B3M+T", "reads.fq", "--format", "fastq")
        expected = dict.fromkeys(("a.fastq", "b.fastq", "c.fastq", "unassigned.fastq"), "")
        for read in reads:
            costs = sorted(((mismatches(read.bases[:8], "ACGTACGT"), "a", 11), (mismatches(read.bases[:6], "GGATTC"), "b", 8),
                            (mismatches(read.bases[2:10], "TTGACTGA"), "c", 10)))
            if costs[0][0] > 1 or costs[1][0] - costs[0][0] < 2:
                expected["unassigned.fastq"] += read.record()
            else:
                title = f"{read.name}:{read.bases[8:11]}" if costs[0][1] == "a" else None
                expected[f"{costs[0][1]}.fastq"] += read.record(costs[0][2], None, title)
        self.assertEqual({name: found[name] for name in expected}, expected)
        self.assertEqual(self.report()["samples"][1]["structure"], "6B2S+T")
        self.file("sheet.csv", 'sample,barcode,structure\na,ACGTACGT,\nb,GGATTC,6B2S+T\n')
        self.refused("sheet.csv: line 2: it has no read structure", "-s", "sheet.csv", "reads.fq", code=3)
        # A sample of pairs with an insert in one mate only is written as single reads.
        self.file("pairs.csv", 'sample,barcode,structure\na,ACGTAC,"6B+T,+T"\nb,TTGCAA,6B4M +T\n')
        first = [Read(rng, f"p{i}/1", ("ACGTAC", "TTGCAA")[i % 2] + letters(rng, 10)) for i in range(20)]
        second = [Read(rng, f"p{i}/2", letters(rng, 15)) for i in range(20)]
        self.file("r1.fq", fastq(first))
        self.file("r2.fq", fastq(second))
        self.demux("-s", "pairs.csv", "-1", "r1.fq", "-2", "r2.fq", "--format", "fastq", "-q", "--json", "pairs.json", output="pairs")
        found = self.files("pairs")
        self.assertEqual(sorted(found), ["a_R1.fastq", "a_R2.fastq", "b.fastq", "reasons.tsv", "summary.tsv", "unassigned_R1.fastq", "unassigned_R2.fastq"])
        self.assertEqual(found["a_R1.fastq"], "".join(read.record(6) for read in first[::2]))
        self.assertEqual(found["summary.tsv"], "sample\treads\tbases\tmean_edits\tshare\na\t20\t250\t0.000\t0.500000\n"
                         "b\t10\t150\t0.000\t0.500000\nunassigned\t0\t0\t.\t0.000000\n")  # reads as they are written
        self.assertEqual([(row["reads"], row["written"]) for row in json.loads((self.folder / "pairs.json").read_text())["samples"]], [(20, 20), (20, 10)])
        self.demux("-s", "pairs.csv", "-1", "r1.fq", "-2", "r2.fq", "--no-trim", "-q", output="whole")
        self.assertIn("b\t20\t", self.files("whole")["summary.tsv"])
        self.assertEqual(found["b.fastq"], "".join(two.record(title=f"{two.name[:-2]}:{one.bases[6:10]}") for one, two in zip(first[1::2], second[1::2])))
        self.refused("pairs.csv: line 2: column structure: 6B+T +T: it has structures of two mates, and the reads are single", "-s", "pairs.csv", "r1.fq")

    def test_files_of_one_name(self):
        """A sample of single reads may not write to the file of another's first mates, in a run and in merging."""
        rng = random.Random(24)
        for number in "12":
            self.file(f"r{number}.fq", fastq([Read(rng, f"p{i}/{number}", "ACGTAC" + letters(rng, 20)) for i in range(4)]))
        reads = ("-1", "r1.fq", "-2", "r2.fq", "--format", "fastq")
        for name, message in (("a_R1", "sheet.csv: line 3: reads of the sample 'a_R1' would be written to a_R1.fastq, and so would those of 'a', line 2: rename"),
                              ("a_R2", "written to a_R2.fastq"),
                              ("unassigned_R1", "line 3: reads of the sample 'unassigned_R1' would be written to unassigned_R1.fastq, and so would those of no sample")):
            self.file("sheet.csv", f"sample,barcode,structure\na,ACGTAC,6B+T +T\n{name},TTGCAA,6B4M +T\n")
            self.refused(message, "-s", "sheet.csv", *reads, code=3)
            self.refused(message, "-s", "sheet.csv", *reads, "--chunk", "1/2", code=3, output="new.bsp")
            self.demux("-s", "sheet.csv", *reads, "--name", "{sample}.x", "-q", output=name)
            self.assertIn(f"{name}.x.fastq", self.files(name))
        for number in "12":
            chunk = ("--name", "{sample}.x", "--chunk", f"{number}/2", "-q", "-o", f"{number}.bsp")
            done = self.run_here("-s", "sheet.csv", *reads, *chunk, command="demux")
            self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_here("1.bsp", "2.bsp", "-o", "merged", "--name", "{sample}", command="merge")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(b"sheet.csv: reads of the sample 'unassigned_R1' would be written to unassigned_R1.fastq", done.stderr)
        # Alignments have no files for each mate.
        self.demux("-s", "sheet.csv", *reads[:4], "--format", "sam", output="sam")

    @unittest.skipUnless(sam_tools.have_samtools(), "samtools is not here")
    def test_bam(self):
        """Tags of barcodes in BAM, and in titles of reads of BAM."""
        rng = random.Random(12)
        self.file("sheet.tsv", "sample\tbarcode\na\tACGTACGT\nb\tTTGGCCAA\n")
        self.file("list.txt", "AAAACCCC\nGGGGTTTT\n")
        first = [Read(rng, f"p{i}", ("ACGTACGT", "TTGGCCAA")[i % 2][:4] + ("AAAACCCC", "GGGGTTTA")[i % 3 % 2] + letters(rng, 3) + letters(rng, 9)) for i in range(30)]
        second = [Read(rng, f"p{i}", ("ACGTACGT", "TTGGCCAA")[i % 2][4:] + letters(rng, 2) + letters(rng, 12)) for i in range(30)]
        self.file("r1.fq", fastq(first))
        self.file("r2.fq", fastq(second))
        lines = "@HD\tVN:1.6\n@RG\tID:run\tSM:pool\n"
        for one, two in zip(first, second):
            for flag, read in ((77, one), (141, two)):
                lines += f"{read.name}\t{flag}\t*\t0\t0\t*\t*\t0\t0\t{read.bases}\t{read.quality}\tRG:Z:run\tXA:i:3\n"
        self.file("pairs.sam", lines)
        for inputs, old in ((("-1", "r1.fq", "-2", "r2.fq", "--format", "bam"), []), (("pairs.sam",), ["XA:i:3"])):
            for structures, alone in ((("4B8C3M+T", "4B2M+T"), False), (("4B8C3M9S", "4B2M+T"), True)):
                words = [word for one in structures for word in ("--structure", one)]
                self.demux("-s", "sheet.tsv", *words, "--list", "list.txt", "-q", "-t", "3", *inputs)
                for sample, barcode in (("a", "ACGT-ACGT"), ("b", "TTGG-CCAA")):
                    expected = []
                    for i, (one, two) in enumerate(zip(first, second)):
                        if "ab"[i % 2] != sample:
                            continue
                        tags = [*old, f"RG:Z:{sample}", f"BC:Z:{barcode}", f"QT:Z:{one.quality[:4]} {two.quality[:4]}", f"CB:Z:{('AAAACCCC', 'GGGGTTTT')[i % 3 % 2]}",
                                f"CR:Z:{one.bases[4:12]}", f"CY:Z:{one.quality[4:12]}", f"RX:Z:{one.bases[12:15]}-{two.bases[4:6]}",
                                f"QX:Z:{one.quality[12:15]} {two.quality[4:6]}"]
                        mates = ((one, 15, "77"), (two, 6, "141"))[1 if alone else 0:]
                        expected += [[read.name, "4" if alone else flag, "*", "0", "0", "*", "*", "0", "0", read.bases[at:], read.quality[at:], *tags]
                                     for read, at, flag in mates]
                    rows = sam_tools.sam_lines(self.folder / f"out/{sample}.bam")
                    self.assertEqual([row.split("\t") for row in rows if not row.startswith("@")], expected)
                    self.assertIn(f"@RG\tID:{sample}\tSM:{sample}\tBC:{barcode}", rows)
        self.demux("--structure", "4S8C3M+T", "--structure", "+T", "--list", "list.txt", "pairs.sam", "-q", "--format", "fastq", output="titles")
        self.assertTrue(self.files("titles")["assigned_R1.fastq"].startswith(
            f"@p0:{first[0].bases[12:15]}/1\tRG:Z:run\tXA:i:3\tCB:Z:AAAACCCC\tCR:Z:{first[0].bases[4:12]}\tCY:Z:"))

    def test_one_mate_without_qualities(self):
        """Tags of qualities are left out where a mate that has a part of them has none."""
        rng = random.Random(13)
        self.file("sheet.tsv", "sample\tbarcode\na\tACGTACGT\n")
        lines = "@HD\tVN:1.6\n"
        for i, (one, two) in enumerate((("I" * 20, "*"), ("*", "I" * 20), ("I" * 20, "I" * 20), ("*", "*"))):
            for flag, barcode, quality in ((77, "ACGT", one), (141, "ACGT", two)):
                lines += f"p{i}\t{flag}\t*\t0\t0\t*\t*\t0\t0\tCC{barcode}{letters(rng, 14)}\t{quality}\n"
        self.file("pairs.sam", lines)
        self.demux("-s", "sheet.tsv", "--structure", "2M4B+T", "--structure", "2S4B+T", "-q", "pairs.sam", "--format", "sam")
        rows = [row.split("\t") for row in self.files()["a.sam"].splitlines() if not row.startswith("@")]
        self.assertEqual(len(rows), 8)
        for row in rows:
            tags = dict(tag.split(":Z:") for tag in row[11:])
            self.assertEqual((tags["BC"], tags["RX"]), ("ACGT-ACGT", "CC"))
            self.assertEqual("QT" in tags, row[0] == "p2", row)
            self.assertEqual("QX" in tags, row[0] in ("p0", "p2"), row)

    def test_no_reads(self):
        self.file("list.txt", "ACGT\n")
        self.file("reads.fq", "")
        done = self.demux("--structure", "4C+T", "--list", "list.txt", "reads.fq", "--json", "report.json")
        self.assertIn(b"no reads", done.stderr)
        self.assertEqual(self.files()["assigned.fastq.gz"], "")
        self.file("reads.fq", "@a\nAC\n+\nII\n@b\nACGT\n+\nIIII\n@c\nACG.A\n+\nIIIII\n")
        done = self.demux("--structure", "4C+T", "--list", "list.txt", "reads.fq", "--format", "fastq")
        found = self.files()
        self.assertEqual((found["assigned.fastq"], found["unassigned.fastq"]),
                         ("@b\tCB:Z:ACGT\tCR:Z:ACGT\tCY:Z:IIII\n\n+\n\n@c\tCB:Z:ACGT\tCR:Z:ACGN\tCY:Z:IIII\nA\n+\nI\n", "@a\nAC\n+\nII\n"))
        self.assertIn("too-short\t.\t.\t1\n", found["reasons.tsv"])
        # A file of alignments without reads may be one of pairs. Reads without bases are reads.
        self.file("none.sam", "@HD\tVN:1.6\n")
        self.demux("--structure", "4C+T", "--structure", "+T", "--list", "list.txt", "none.sam", "--format", "fastq", output="none")
        self.assertEqual((self.files("none")["assigned_R1.fastq"], self.files("none")["assigned_R2.fastq"]), ("", ""))
        self.file("reads.sam", "@HD\tVN:1.6\na\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\nb\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\tIIII\n")
        self.demux("--structure", "4C+T", "--list", "list.txt", "reads.sam", "--format", "fastq", output="sam")
        self.assertEqual(self.files("sam")["unassigned.fastq"], "@a\n\n+\n\n")

    def test_streams(self):
        """An input that can be read once is taken with --no-posterior only."""
        self.file("list.txt", "ACGT\nACGA\n")
        text = b"@a\nACGTTT\n+\nIIIIII\n"
        words = ("--structure", "4C+T", "--list", "list.txt")
        self.refused("<stdin>: cell barcodes are counted before they are corrected, so the reads are read twice", *words, "-", stdin=text)
        self.refused("give a file, or --no-posterior", *words, stdin=text)
        self.demux(*words, "--no-posterior", "-", stdin=text, output="piped")
        self.assertIn("CB:Z:ACGT", self.files("piped")["assigned.fastq.gz"])
        os.mkfifo(self.folder / "pipe")
        self.refused("pipe: cell barcodes are counted", *words, "pipe")
        writer = threading.Thread(target=lambda: (self.folder / "pipe").write_bytes(text))
        writer.start()
        self.demux("--structure", "4C+T", "pipe", output="raw")
        writer.join()
        self.assertIn("CR:Z:ACGT", self.files("raw")["assigned.fastq.gz"])

    def test_refused(self):
        rng = random.Random(13)
        self.file("reads.fq", fastq([Read(rng, "a", letters(rng, 30))]))
        self.file("sheet.tsv", "sample\tbarcode\na\tACGTACGT\nb\tTTGGCCAA\n")
        self.file("list.txt", "ACGTACGT\n")
        sheet = ("-s", "sheet.tsv", "reads.fq")
        for message, *words in (
                ("read structure, position 3: expected a number of bases or +\n  8BQ+T\n    ^", *sheet, "--structure", "8BQ+T"),
                ("read structure, position 2: expected T, B, M, C or S\n  8Q+T\n   ^", *sheet, "--structure", "8Q+T"),
                ("read structure 8B4T+T: a read with two inserts (T or r); one is possible", *sheet, "--structure", "8B4T+T"),
                ("it is of 3 reads, expected 1, or 2 of pairs", *sheet, "--structure", "8B+T", "--structure", "+T", "--structure", "+T"),
                ("it has structures of two mates, and the reads are single", *sheet, "--structure", "8B+T", "--structure", "+T"),
                ("a geometry is given once", *sheet, "--structure", "1{b[8]r:}", "--structure", "+T"),
                ("it has no insert (T or r)", *sheet, "--structure", "8B4M"),
                ("--window and --structure conflict: a read structure says where barcodes are", *sheet, "--structure", "8B+T", "--window", "20"),
                ("--kit and --structure conflict", *sheet, "--structure", "8B+T", "--kit", "illumina-inline"),
                ("--orient and --structure conflict", *sheet, "--structure", "8B+T", "--orient"),
                ("--list needs the structure of the reads", *sheet, "--list", "list.txt"),
                ("--no-posterior needs --list", *sheet, "--structure", "8B+T", "--no-posterior"),
                ("--list list.txt: no read structure has a cell barcode", *sheet, "--structure", "8B+T", "--list", "list.txt"),
                ("it has 1 cell barcode without the name of a list, and 2 lists", "--structure", "8C+T", "--list", "list.txt", "--list", "list.txt", "reads.fq"),
                ("the list 'x' is not given: --list x=FILE", "--structure", "1{b<x>[8]r:}", "reads.fq"),
                ("--list x=list.txt: no read structure has a cell barcode", "--structure", "1{b[8]r:}", "--list", "x=list.txt", "reads.fq"),
                ("it has 3 cell barcodes without the name of a list, and 2 lists", "--structure", "8C8C8C+T", "--list", "list.txt", "--list", "list.txt", "reads.fq"),
                ("--list list.txt: it has no barcode of 9 bases, which the read structure 9C+T has", "--structure", "9C+T", "--list", "list.txt", "reads.fq"),
                ("no sample sheet is given", "reads.fq")):
            self.refused(message, *words)
        for message, text in (
                ("sheet.tsv: line 2: the barcode of sample 'a' has 6 bases, but the read structure 8B+T has 8 for it", "sample\tbarcode\na\tACGTAC\n"),
                ("sheet.tsv: line 2: column structure: read structure, position 3: expected a number of bases or +\n  8BX\n    ^", "sample\tbarcode\tstructure\na\tACGTAC\t8BX\n"),
                ("sheet.tsv: line 2: the read structure 8M+T has no sample barcode", "sample\tbarcode\tstructure\na\tACGTACGT\t8M+T\n"),
                ("lines 2 and 3: the samples 'a' and 'b' cannot be told apart: they have the same barcode", "sample\tbarcode\na\tACGTACGT\nb\tACGTACGT\n"),
                ("lines 2 and 3: the samples 'a' and 'b' cannot be told apart: they have the same barcode", "sample\tbarcode\tstructure\na\tACGTACGT\t\nb\tACGTACGT\t8B5M+T\n"),
                ("cannot be told apart: codes of several bases let both be the same", "sample\tbarcode\na\tACGTACGT\nb\tACGTACGN\n"),
                ("lines 2 and 3: the samples 'a' and 'b' cannot be told apart: the barcode of one is part of the other's",
                 "sample\tbarcode\tstructure\na\tACGTACAA\t8B+T\nb\tACGTAC\t6B+T\n"),
                ("the samples 'a' and 'b' cannot be told apart: the barcode of one is part of the other's",
                 "sample\tbarcode\tstructure\na\tACGTAC\t2S6B+T\nb\tGGACGTAC\t8B+T\n")):
            self.file("sheet.tsv", text)
            self.refused(message, *sheet, "--structure", "8B+T", code=3)
        self.file("sheet.tsv", "sample\tbarcode\tstructure\na\tACGTACGT\t8B+T\n")
        self.refused("--strand and the column structure of sheet.tsv conflict", *sheet, "--strand", "plus")
        self.refused("none.txt", "--structure", "8C+T", "--list", "none.txt", "reads.fq", code=4)
        self.file("bad.txt", "ACGTACGT\nACGNACGT\n")
        self.refused("bad.txt: line 2: expected a barcode", "--structure", "8C+T", "--list", "bad.txt", "reads.fq", code=3)
        self.file("sheet.tsv", "sample\tbarcode\tleft\na\tACGTACGT\tGGG\nb\tACGTACGA\tGGG\n")
        done = self.demux("--structure", "8B+T", *sheet)
        self.assertIn(b"sheet.tsv: line 2: the columns left and right are not used", done.stderr)
        self.assertIn(b"nearer to each other than --margin 2", done.stderr)


if __name__ == "__main__":
    unittest.main()
