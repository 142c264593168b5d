"""`motif` and `match` with pairs: -1 and -2, --interleaved; --matching-reads and --other-reads keep pairs together."""
import gzip
import json
import os
import random
import unittest

import naive
from chunk_support import ChunkCase
from support import bgzf, zstd

MOTIF = "GAATTC"


class Read:
    """A record of FASTQ or FASTA, in one line or several."""

    def __init__(self, rng, title, mate, fastq=True):
        self.name = title + rng.choice(("", f"/{mate}"))
        size = rng.choice((0, 1, 5, 40, 40, 40, 150, 150, 400, 1500 if mate == 2 else 60))
        letters = "".join(rng.choice("ACGT") for _ in range(size))
        for _ in range(rng.choice((0, 0, 1, 2))):
            at = rng.randrange(size + 1)
            letters = letters[:at] + rng.choice((MOTIF, "GANTC", "N" * 20)) + letters[at:]
        self.letters = letters
        end = rng.choice(("\n", "\n", "\n", "\r\n"))
        width = rng.choice((10, 10000, 10000))
        lines = "".join(letters[i:i + width] + end for i in range(0, len(letters), width))
        words = rng.choice(("", f" {mate}:N:0:ACGT", "\tx"))
        self.text = (f"@{self.name}{words}{end}{lines or end}+{end}{'I' * len(letters)}{end}" if fastq else
                     f">{self.name}{words}{end}{lines}")


def made_pairs(seed, count=120, fastq=(True, True)):
    rng = random.Random(f"pairs {seed}")
    return [tuple(Read(rng, f"r{i}", mate, fastq[mate - 1]) for mate in (1, 2)) for i in range(count)]


def text_of(reads):
    return "".join(read.text for read in reads).encode()


def by_turns(pairs):
    return [read for pair in pairs for read in pair]


def hits_of(reads, motifs=(("m", MOTIF),)):
    return naive.search([(read.name, read.letters) for read in reads], list(motifs))


def bed_of(reads, motifs=(("m", MOTIF),)):
    return naive.bed([(read.name, read.letters) for read in reads], list(motifs), hits_of(reads, motifs))


class Pairs(ChunkCase):
    TWO, ONE = ("-1", "1.x", "-2", "2.x"), ("--interleaved", "both.x")
    CALL = ("-q", "-p", f"m={MOTIF}")

    def write(self, pairs, squeeze=(lambda data: data, lambda data: data)):
        for mate in (0, 1):
            self.file(f"{mate + 1}.x", squeeze[mate](text_of([pair[mate] for pair in pairs])))
        self.file("both.x", squeeze[0](text_of(by_turns(pairs))))

    def split(self, pairs, choice):
        """Returns the pairs that match, and the others."""
        having = {hit.record for hit in hits_of(by_turns(pairs))}
        rule = {"any": any, "both": all}[choice]
        matches = [rule((2 * i in having, 2 * i + 1 in having)) for i in range(len(pairs))]
        return [[pair for pair, has in zip(pairs, matches) if has == side] for side in (True, False)]


class Hits(Pairs):
    def test_rows(self):
        """Rows come as from the interleaved text, however the files are compressed and the work is done."""
        packings = [lambda data: data, gzip.compress, lambda data: bgzf(data, 3000), zstd]
        for seed in range(4):
            pairs = made_pairs(seed)
            expected = bed_of(by_turns(pairs))
            self.assertGreater(expected.count("\n"), 40)
            self.write(pairs, (packings[seed], packings[seed * 3 % 4]))
            for source in (self.TWO, self.ONE):
                for more in ((), ("--batch-bases", "1", "-t", "3"), ("--batch-bases", "777", "-t", "1")):
                    self.assert_same_text(self.output(*self.CALL, *source, *more), expected, f"{seed} {source} {more}")
                    first = "".join(expected.splitlines(keepends=True)[:7])
                    self.assert_same_text(self.output(*self.CALL, *source, *more, "--max-hits", "7"), first, f"{seed} {source} {more}")

    def test_large(self):
        """Many blocks; one file is read much faster than the other."""
        rng = random.Random("large")
        pairs = made_pairs("large", 20000)
        for i in range(0, len(pairs), 1000):
            pairs[i][1].letters = "".join(rng.choice("ACGT") for _ in range(60000))
            pairs[i][1].text = f"@r{i}\n{pairs[i][1].letters}\n+\n{'I' * 60000}\n"
            pairs[i][1].name = f"r{i}"
        expected = bed_of(by_turns(pairs))
        self.write(pairs, (lambda data: data, lambda data: gzip.compress(data, 1)))
        for threads in ("1", "4"):
            for source in (self.TWO, self.ONE):
                self.assert_same_text(self.output(*self.CALL, *source, "-t", threads), expected, f"{source}, {threads}")

    def test_match(self):
        """Each report is that of the same records without pairs."""
        pairs = made_pairs("match")
        self.write(pairs)
        for report in ("sites", "minima", "best", "best-per-record", "all"):
            call = ("-q", "-p", "GAATTCG", "-k", "1", "--report", report, "--edit-columns")
            expected = self.output(*call, "both.x", command="match")
            self.assertGreater(expected.count("\n"), 10)
            for source in (self.TWO, self.ONE):
                for more in ((), ("--batch-bases", "300", "-t", "3")):
                    self.assert_same_text(self.output(*call, *source, *more, command="match"), expected, f"{report} {source}")

    def test_fasta(self):
        """FASTA, or one file of each; `match` writes TSV, since SAM would list names twice."""
        for fastq in ((False, False), (True, False), (False, True)):
            pairs = made_pairs(f"fasta {fastq}", fastq=fastq)
            self.write(pairs)
            expected = bed_of(by_turns(pairs))
            self.assert_same_text(self.output(*self.CALL, *self.TWO), expected, fastq)
            done = self.run_here("-p", f"m={MOTIF}", *self.TWO)
            self.assertEqual(done.stderr, b"", "no warning of names that are used twice")
            if fastq == (False, False):
                self.assert_same_text(self.output(*self.CALL, *self.ONE), expected)
                self.assertTrue(self.output(*self.CALL, "-k", "0", *self.TWO, command="match").startswith("record\tstart"))
                self.assertTrue(self.output(*self.CALL, *self.TWO, "--format", "gff3").startswith("##gff-version 3\nr"))

    def test_several_files(self):
        """Files of each option go together in their order; a hit names its own file, and counts are those of each file."""
        parts = [made_pairs(f"file {i}", 20) for i in range(3)]
        parts.insert(1, [])
        words = []
        for i, pairs in enumerate(parts):
            for mate in (0, 1):
                self.file(f"{i}_{mate + 1}.fq", text_of([pair[mate] for pair in pairs]))
                words += [f"-{mate + 1}", f"{i}_{mate + 1}.fq"]
        self.assert_same_text(self.output(*self.CALL, *words), bed_of([read for pairs in parts for read in by_turns(pairs)]))
        rows = [line.split("\t") for line in self.output(*self.CALL, *words, "--format", "tsv", "--with-file").splitlines()[1:]]
        expected = []
        counts = {}
        for i, pairs in enumerate(parts):
            reads = by_turns(pairs)
            for hit in hits_of(reads):
                file = f"{i}_{hit.record % 2 + 1}.fq"
                expected.append((reads[hit.record].name, str(hit.start), file))
                counts[file] = counts.get(file, 0) + 1
        self.assertEqual([(row[0], row[1], row[5]) for row in rows], expected)
        names = [f"{i}_{mate}.fq" for mate in (1, 2) for i in range(4)]
        table = self.output(*self.CALL, *words, "--count", "--per-file")
        self.assert_same_text(table, "file\tpattern\tstrand\tcount\n" + "".join(f"{n}\tm\t+\t{counts.get(n, 0)}\n" for n in names))

    def test_mate_column(self):
        """The column `mate` says which mate a hit is on, in every format with columns, with every report, and through parts."""
        pairs = made_pairs("mate")
        self.write(pairs)
        reads = by_turns(pairs)
        expected = [(reads[hit.record].name, str(hit.start), str(hit.record % 2 + 1)) for hit in hits_of(reads)]
        self.assertEqual({mate for _, _, mate in expected}, {"1", "2"})
        self.assertTrue(any(not read.letters for read in reads), "records without bases count")
        columns = ("--columns", "record,start,mate")
        for source in (self.TWO, self.ONE):
            for batch in ((), ("--batch-bases", "1"), ("--batch-bases", "700", "-t", "3")):
                table = self.output(*self.CALL, *source, *columns, *batch)
                self.assert_same_text(table, "record\tstart\tmate\n" + "".join("\t".join(row) + "\n" for row in expected), f"{source} {batch}")
            for chunks in (1, 3):
                self.assert_joined(table.encode(), "motif", ["-p", f"m={MOTIF}", *source, *columns], chunks, "x.tsv")
            mates = [mate for _, _, mate in expected]
            added = self.output(*self.CALL, *source, "--columns", "+mate")
            self.assertEqual([line.split("\t")[6] for line in added.splitlines()], mates)
            rows = self.output(*self.CALL, *source, "--columns", "+mate", "--format", "jsonl").splitlines()
            self.assertEqual([str(json.loads(row)["mate"]) for row in rows], mates)
            titles = [line for line in self.output(*self.CALL, *source, "--columns", "+mate", "--format", "fasta").splitlines() if line[0] == ">"]
            self.assertEqual([title.split("mate=")[1].split()[0] for title in titles], mates)
        for report in ("sites", "minima", "best", "best-per-record", "all"):
            call = ("-q", "-p", "GAATTCG", "-k", "1", "--report", report, "--columns", "record,start,end,mate")
            rows = [line.split("\t") for line in self.output(*call, "--interleaved", "both.x", command="match").splitlines()[1:]]
            single = self.output(*call, "both.x", command="match").splitlines()[1:]
            self.assertEqual([row[:3] + ["."] for row in rows], [line.split("\t") for line in single])
            number = {read.name: i for i, read in enumerate(reads) if "/" in read.name}
            for name, _, _, mate in rows:
                if name in number:
                    self.assertEqual(mate, str(number[name] % 2 + 1), report)

    def test_report(self):
        """The report counts records and bases of each file."""
        pairs = made_pairs("report")
        self.write(pairs)
        self.output(*self.CALL, *self.TWO, "-o", "h.bed", "--json", "run.json", "--matching-reads", "a", "--matching-reads", "b",
                    "--pairs", "both")
        report = json.loads((self.folder / "run.json").read_text())
        self.assertEqual(report["parameters"]["pairs"], "both")
        for mate, found in enumerate(report["inputs"]):
            reads = [pair[mate] for pair in pairs]
            self.assertEqual((found["path"], found["records"], found["bases"], found["not_acgt"]),
                             (f"{mate + 1}.x", len(reads), sum(len(r.letters) for r in reads), sum(r.letters.count("N") for r in reads)))
        self.assertEqual([(one["option"], one["path"]) for one in report["outputs"]],
                         [("--output", "h.bed"), ("--matching-reads", "a"), ("--matching-reads", "b"), ("--json", "run.json")])

    def test_counts_of_pairs(self):
        """Reports and -v count the pairs, or the single reads, that match; reports name the choice at its default too."""
        pairs = made_pairs("counts")
        self.write(pairs)
        having = {hit.record for hit in hits_of(by_turns(pairs))}
        for source in (self.TWO, self.ONE):
            for choice in ((), ("--pairs", "any"), ("--pairs", "both")):
                matching, others = (len(part) for part in self.split(pairs, choice[1] if choice else "any"))
                for words in (("--matching-reads", "y"), ("--other-reads", "n"), ("--count", "--matching-reads", "y", "--matching-reads", "z")):
                    done = self.run_here("-v", "-p", f"m={MOTIF}", *source, *choice, *words, "-o", "h.tsv", "--json", "run.json")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertIn(f"--matching-reads: {matching} pairs, --other-reads: {others} pairs", done.stderr.decode())
                    report = json.loads((self.folder / "run.json").read_text())
                    self.assertEqual((report["matching_pairs"], report["other_pairs"]), (matching, others))
                    self.assertEqual(report["parameters"]["pairs"], choice[1] if choice else "any")
                    self.assertNotIn("matching_reads", report)
            self.output(*self.CALL, *source, "-o", "h.tsv", "--json", "run.json")
            report = json.loads((self.folder / "run.json").read_text())
            self.assertEqual((report["parameters"]["pairs"], "matching_pairs" in report), ("any", False))
            for i in (1, 2):
                self.output(*self.CALL, *source, "--chunk", f"{i}/2", "-o", f"{i}.bsp")
            self.output("-q", "1.bsp", "2.bsp", "-o", "h2.tsv", "--json", "merged.json", command="merge")
            merged = json.loads((self.folder / "merged.json").read_text())
            self.assertEqual(merged["parameters"], report["parameters"])
        done = self.run_here("-v", "-p", f"m={MOTIF}", "both.x", "-o", "h.tsv", "--matching-reads", "y", "--json", "run.json")
        self.assertIn(f"--matching-reads: {len(having)} records, --other-reads: {2 * len(pairs) - len(having)} records", done.stderr.decode())
        report = json.loads((self.folder / "run.json").read_text())
        self.assertEqual((report["matching_reads"], report["other_reads"]), (len(having), 2 * len(pairs) - len(having)))
        self.assertNotIn("pairs", report["parameters"])
        self.file("none.x", "")
        self.output(*self.CALL, "--interleaved", "none.x", "-o", "h.tsv", "--matching-reads", "y", "--json", "run.json")
        report = json.loads((self.folder / "run.json").read_text())
        self.assertEqual((report["matching_pairs"], report["other_pairs"]), (0, 0))

    def test_stdin_and_no_pairs(self):
        pairs = made_pairs("stdin")
        self.write(pairs)
        one, two, both = ((self.folder / name).read_bytes() for name in ("1.x", "2.x", "both.x"))
        expected = bed_of(by_turns(pairs))
        self.assert_same_text(self.output(*self.CALL, "-1", "-", "-2", "2.x", stdin=gzip.compress(one)), expected)
        self.assert_same_text(self.output(*self.CALL, "-1", "1.x", "-2", "-", stdin=two), expected)
        self.assert_same_text(self.output(*self.CALL, "--interleaved", stdin=both), expected)
        self.write([])
        for source in (self.TWO, self.ONE):
            done = self.run_here("-p", "A", *source, "-o", "none.bed", "--matching-reads", "y.fq", "--other-reads", "n.fq")
            self.assertEqual((done.returncode, (self.folder / "none.bed").read_bytes()), (0, b""))
            self.assertIn(b"no sequence: the file is empty", done.stderr)

    def test_chunks(self):
        """Chunks never part mates; merge gives the bytes of one run."""
        for fastq in ((True, True), (False, False)):
            pairs = made_pairs(f"chunks {fastq}", 41, fastq)
            self.write(pairs, (lambda data: data, lambda data: bgzf(data, 400)))
            for source in (self.TWO, self.ONE):
                if source == self.ONE:
                    self.file("both.x", text_of(by_turns(pairs)))
                for words in (("--format", "tsv", "--with-file"), ("--count", "--per-file")):
                    whole = self.output("-q", "-f", "motifs.tsv", *source, *words)
                    self.assertGreater(whole.count("\n"), 6)
                    for chunks in (1, 3, 50):
                        self.assert_joined(whole.encode(), "motif", ["-f", "motifs.tsv", *source, *words], chunks, "x.tsv")
                    plan = self.plan(3, *(["--reads"] if not fastq[0] else []), source[1])
                    self.assert_joined(whole.encode(), "motif", ["-f", "motifs.tsv", *source, *words], 3, "x.tsv", plan)
            call = ["-p", "GAATTCGA", "-k", "2"]
            whole = self.output("-q", *call, *self.TWO, "--report", "best", command="match")
            self.assert_joined(whole.encode(), "match", [*call, *self.TWO, "--report", "best"], 3, "x.tsv")
        self.plan(3, "1.x")
        self.fails(2, "motif", "-p", "A", *self.TWO, "--chunk", "1/3", "--plan", "plan.3.tsv", "-o", "x.bsp", says=["plan --reads"])


    def test_plan_of_other_files(self):
        """Each chunk sees whether the first record is that of the plan, before it searches."""
        pairs = made_pairs("plan", 20)
        self.write(pairs)
        self.file("other.x", text_of(by_turns(made_pairs("plan", 20)[3:])))
        self.file("other.x.gz", gzip.compress((self.folder / "other.x").read_bytes()))
        for other in ("other.x", "other.x.gz"):
            plan = self.plan(3, other)
            for source in (self.TWO, self.ONE):
                for chunk in ("1/3", "2/3", "3/3"):
                    self.fails(3, "motif", "-p", "A", *source, "--chunk", chunk, "--plan", plan, "-o", "x.bsp",
                               says=[f"{source[1]}: its first record is '{pairs[0][0].name}'", plan, "the plan is of other files"])
            self.file("r.fa", ">g\nTTACGTCC\n")
            self.fails(3, "map", "-r", "r.fa", "-k", "0", *self.TWO, "--chunk", "2/3", "--plan", plan, "-o", "x.bsp", says=["of other files"])
            self.fails(3, "motif", "-p", "A", "both.x", "--chunk", "2/3", "--plan", plan, "-o", "x.bsp", says=["of other files"])


class Reads(Pairs):
    def check(self, pairs, *more, choice="any", given=True):
        """Compares outputs in one file and in two with those of the oracle."""
        words = ("--pairs", choice) if given else ()
        parts = self.split(pairs, choice)
        self.assertTrue(all(parts), "both kinds of pairs")
        for source in (self.TWO, self.ONE):
            for batch in ((), ("--batch-bases", "1"), ("--batch-bases", "700", "-t", "3")):
                call = (*self.CALL, *source, *words, *batch, *more, "-o", "h.tsv")
                about = f"{source} {words} {batch} {more}"
                self.output(*call, "--matching-reads", "yes", "--other-reads", "no")
                self.output(*call, "--matching-reads", "yes1", "--matching-reads", "yes2", "--other-reads", "no1", "--other-reads", "no2")
                self.output(*call, "--matching-reads", "yes3", "--matching-reads", "yes4.gz", "--other-reads", "no3")
                for name, part in zip(("yes", "no"), parts):
                    self.assertEqual(self.read(name), text_of(by_turns(part)), about)
                    for mate in (0, 1):
                        self.assertEqual(self.read(f"{name}{mate + 1}"), text_of([pair[mate] for pair in part]), about)
                self.assertEqual(self.read("yes3"), self.read("yes1"))
                self.assertEqual(gzip.decompress(self.read("yes4.gz")), self.read("yes2"))
                self.assertEqual(self.read("no3"), self.read("no"))

    def test_any_and_both(self):
        for seed, fastq in enumerate(((True, True), (False, False))):
            pairs = made_pairs(f"reads {seed}", fastq=fastq)
            for squeeze in ((lambda data: data, gzip.compress), (lambda data: bgzf(data, 2000), lambda data: data)):
                self.write(pairs, squeeze)
                self.check(pairs, given=False)
                self.check(pairs, choice="any")
                self.check(pairs, choice="both")
            self.check(pairs, "--count", choice="both")

    def test_match(self):
        """The pairs are those that the hits of the records name."""
        pairs = made_pairs("match reads")
        self.write(pairs)
        number = {read.name: i for i, read in enumerate(by_turns(pairs)) if "/" in read.name}
        pairs = [pair for pair in pairs if all(read.name in number for read in pair)]
        self.write(pairs)
        number = {read.name: i for i, read in enumerate(by_turns(pairs))}
        for report in ("sites", "best", "best-per-record"):
            call = ("-q", "-p", "GAATTCGA", "-k", "1", "--report", report)
            rows = self.output(*call, "both.x", command="match").splitlines()[1:]
            having = {number[row.split("\t")[0]] for row in rows}
            for choice, rule in (("any", any), ("both", all)):
                expected = [pair for i, pair in enumerate(pairs) if rule((2 * i in having, 2 * i + 1 in having))]
                self.assertTrue(choice == "both" or 0 < len(expected) < len(pairs))
                self.output(*call, *self.TWO, "-o", "h.tsv", "--pairs", choice, "--matching-reads", "yes", command="match")
                self.assertEqual(self.read("yes"), text_of(by_turns(expected)), (report, choice))

    def test_line_ends(self):
        """Blank lines between records are left out, and each record ends with a line end."""
        self.file("1.x", "\n@a\nGAATTC\n+\nIIIIII\n\n\n@b\nC\n+\nI")
        self.file("2.x", "@a\nC\n+\nI\n@b\nGAATTC\n+\nIIIIII\n\n\n")
        for batch in ("1", "100"):
            self.output(*self.CALL, *self.TWO, "-o", "h", "--matching-reads", "-", "--batch-bases", batch)
            found = self.output(*self.CALL, *self.TWO, "-o", "h", "--matching-reads", "-", "--batch-bases", batch)
            self.assertEqual(found, "@a\nGAATTC\n+\nIIIIII\n@a\nC\n+\nI\n@b\nC\n+\nI\n@b\nGAATTC\n+\nIIIIII\n")

    def test_missing_quality_line(self):
        """A file may end with a record without bases that lacks the line of its quality; the next record does not become that line."""
        for end in ("@b\n\n+\n", "@b\n\n+", "@b\n+\n"):
            self.file("1.x", "@a\nGAATTC\n+\nIIIIII\n" + end)
            self.file("2.x", "@a\nC\n+\nI\n@b\nGAATTC\n+\nIIIIII\n")
            for batch in ("1", "100"):
                found = self.output(*self.CALL, *self.TWO, "-o", "h", "--matching-reads", "-", "--batch-bases", batch)
                title = end[:end.index("+")]
                self.assertEqual(found, f"@a\nGAATTC\n+\nIIIIII\n@a\nC\n+\nI\n{title}+\n\n@b\nGAATTC\n+\nIIIIII\n", end)

    def test_alignments(self):
        """SAM whose reads are pairs, in either order of mates; --interleaved, or --pairs, which takes its word for it."""
        def line(name, flag, letters):
            return f"{name}\t{flag}\t*\t0\t0\t*\t*\t0\t0\t{letters}\t{'I' * len(letters)}\n"
        head = "@HD\tVN:1.6\n"
        pairs = line("a", 77, "GAATTC") + line("a", 141, "C") + line("b", 141, "GG") + line("b", 77, "T")
        self.file("p.sam", head + pairs)
        self.file("s.sam", head + line("a", 4, "GAATTC"))
        yes = "@a/1\nGAATTC\n+\nIIIIII\n@a/2\nC\n+\nI\n"
        for words in (("--interleaved",), ("--pairs", "any"), ("--interleaved", "--pairs", "any")):
            found = self.output(*self.CALL, *words, "p.sam", "-o", "h", "--matching-reads", "-", "--other-reads", "no")
            plain = [word.replace("/1", "").replace("/2", "") for word in (found, yes)]
            self.assertEqual(plain[0], plain[1])
            self.assertEqual(len(self.read("no").splitlines()), 8)
            self.assertEqual(self.read("no").splitlines()[1], b"T")
        self.fails(2, "motif", *self.CALL, "--pairs", "any", "s.sam", "--matching-reads", "y", "-o", "h", says=["s.sam", "FLAG 1"])
        self.fails(3, "motif", *self.CALL, "-1", "p.sam", "-2", "s.sam", says=["p.sam", "-1 and -2"])
        self.file("mixed.sam", head + line("x", 4, "GAATTC") + pairs)
        self.fails(2, "motif", *self.CALL, "--pairs", "any", "mixed.sam", "--matching-reads", "y", "-o", "h",
                   says=["mixed.sam: its first read is not one of a pair (FLAG 1)", "without --pairs", "samtools view -u -f 1 mixed.sam"])
        self.fails(3, "motif", *self.CALL, "--interleaved", "mixed.sam", "-o", "h", says=["mixed.sam: read 'a' is one of a pair", "samtools view -u -f 1 mixed.sam"])
        self.file("mixed.sam", head + pairs + line("x", 4, "GAATTC"))
        self.fails(3, "motif", *self.CALL, "--interleaved", "mixed.sam", "-o", "h", says=["mixed.sam: read 'x' is not one of a pair", "samtools view -u -f 1 mixed.sam"])
        for words, warns in (((), False), (("--matching-reads", "y"), True), (("--other-reads", "n"), True), (("--matching-reads", "y", "--interleaved"), False)):
            for name, paired in (("p.sam", True), ("s.sam", False)):
                if paired or "--interleaved" not in words:
                    done = self.run_here("-p", f"m={MOTIF}", name, *words, "-o", "h.tsv")
                    warnings = done.stderr.decode().splitlines()
                    self.assertEqual([f"{name}: its reads are pairs (FLAG 1)" in one for one in warnings], [True] * (warns and paired), warnings)
        self.file("far.sam", head + line("a", 77, "C") + line("b", 77, "C") + line("a", 141, "C") + line("b", 141, "C"))
        self.fails(3, "motif", *self.CALL, "--interleaved", "far.sam", says=["far.sam"])
        self.assertEqual(self.output(*self.CALL, "far.sam"), "", "without --interleaved its reads are single")


class Errors(Pairs):
    def setUp(self):
        super().setUp()
        self.pairs = made_pairs("errors", 12)
        self.write(self.pairs)

    def ends(self, source, says, code=3):
        """Checks the error at any number of threads and size of batches. Files are complete or absent."""
        for batch in ((), ("--batch-bases", "1"), ("--batch-bases", "300", "-t", "3")):
            self.fails(code, "motif", "-p", f"m={MOTIF}", *source, *batch, "-o", "h.bed", "--matching-reads", "y.fq", says=says)

    def test_unequal(self):
        first, second = ([pair[mate] for pair in self.pairs] for mate in (0, 1))
        self.file("few.x", text_of(second[:7]))
        self.ends(("-1", "1.x", "-2", "few.x"), ["1.x: record", f"'{first[7].name}'", "few.x has only 7 records", "in the same order"])
        self.file("few.x", text_of(first[:7]))
        self.ends(("-1", "few.x", "-2", "2.x"), ["2.x: record", f"'{second[7].name}'", "few.x has only 7 records"])
        self.file("none.x", "")
        self.ends(("-1", "1.x", "-2", "none.x"), ["1.x: record 'r0", "none.x has only 0 records"])
        self.file("odd.x", text_of(by_turns(self.pairs)[:9]))
        self.ends(("--interleaved", "odd.x"), ["odd.x", f"'{self.pairs[4][0].name}'", "9 records, an odd number"])

    def test_names(self):
        first, second = ([pair[mate] for pair in self.pairs] for mate in (0, 1))
        self.file("moved.x", text_of(second[:4] + second[5:] + second[4:5]))
        self.ends(("-1", "1.x", "-2", "moved.x"), ["1.x: record", first[4].name, "its mate in moved.x has another name", second[5].name])
        self.ends(("--interleaved", "1.x"), ["1.x: record", first[0].name, "its mate in 1.x has another name", first[1].name])

    def test_hits_before_an_error_are_written(self):
        second = [pair[1] for pair in self.pairs]
        self.file("moved.x", text_of(second[:6] + second[7:]))
        done = self.run_here("-p", f"m={MOTIF}", "-1", "1.x", "-2", "moved.x")
        self.assertEqual(done.returncode, 3)
        self.assert_same_text(done.stdout.decode(), bed_of(by_turns(self.pairs[:6])))

    def test_bad_text(self):
        good = "@a\nACGT\n+\nIIII\n"
        bad = good + "@b\nAC!T\n+\nIIII\n"
        self.file("good.x", good + "@b\nACGT\n+\nIIII\n")
        self.file("bad.x", bad)
        for source in (("-1", "good.x", "-2", "bad.x"), ("-1", "bad.x", "-2", "good.x")):
            self.ends(source, ["bad.x: record 'b', position 3 (byte 20)"])
        self.file("cut.x", gzip.compress(text_of([pair[1] for pair in self.pairs]))[:-30])
        self.ends(("-1", "1.x", "-2", "cut.x"), ["cut.x: truncated gzip data"])

    def test_options(self):
        os.symlink("1.x", self.folder / "link.x")
        refused = [(("-1", "1.x"), ["-1 and -2"]), (("-2", "2.x"), ["-1 and -2"]), (("-1", "1.x", "-2", "2.x", "-1", "both.x"), ["-1 and -2"]),
                   (("-1", "1.x", "-2", "1.x"), ["1.x", "both -1 and -2", "--interleaved"]),
                   (("-1", "1.x", "-2", "link.x"), ["1.x", "both -1 and -2"]),
                   (("-1", "1.x", "-1", "2.x", "-2", "both.x", "-2", "link.x"), ["1.x", "both -1 and -2"]),
                   (("-1", "-", "-2", "-"), ["standard input"]),
                   (("-1", "1.x", "-2", "absent.x"), ["absent.x"]),
                   ((*self.TWO, "both.x"), ["not both"]), ((*self.TWO, "--interleaved"), ["--interleaved"]),
                   ((*self.TWO, "--region", "r1"), ["--region", "-1 and -2"]), ((*self.ONE, "--region", "r1"), ["--region", "--interleaved"]),
                   ((*self.ONE, "--circular"), ["--circular", "--interleaved"]),
                   ((*self.TWO, "--pairs", "both"), ["--pairs", "--matching-reads"]),
                   ((*self.TWO, "--pairs", "each", "--matching-reads", "y"), ["any, both"]),
                   (("both.x", "--matching-reads", "y", "--matching-reads", "z"), ["--matching-reads", "twice", "pairs"]),
                   ((*self.TWO, *["--other-reads", "y"] * 3), ["--other-reads", "more than twice"]),
                   ((*self.TWO, "--other-reads", "y", "--other-reads", "./y"), ["same file"]),
                   ((*self.TWO, "--matching-reads", "y", "--other-reads", "z", "--other-reads", "y"), ["same file"]),
                   ((*self.TWO, "--matching-reads", "2.x"), ["2.x", "the same file is input"]),
                   ((*self.TWO, "--matching-reads", "y.fq", "--matching-reads", "z.fa"), ["z.fa", "FASTQ"]),
                   ((*self.TWO, "--matching-reads", "y", "--max-hits", "3"), ["--max-hits"]),
                   ((*self.TWO, "--matching-reads", "y", "--chunk", "1/2"), ["--chunk"])]
        for words, says in refused:
            code = 4 if "absent.x" in words else 2
            self.fails(code, "motif", "-p", "A", *words, *([] if "-o" in words else ["-o", "h.bed"]), says=says)
        self.fails(2, "match", "-p", "ACGT", "-k", "1", *self.TWO, "-o", "h.sam", says=["SAM", "pairs of reads", "--format tsv"])
        self.fails(2, "match", "-p", "ACGT", "-k", "1", *self.ONE, "-o", "h.bam", says=["BAM", "pairs of reads", "--format tsv"])

    def test_two_formats(self):
        """Fine, unless records are written."""
        pairs = made_pairs("formats", 10, (True, False))
        self.write(pairs)
        self.assert_same_text(self.output(*self.CALL, *self.TWO), bed_of(by_turns(pairs)))
        self.ends(self.TWO, ["one format"], 2)

    def test_exchanged_files(self):
        self.file("1.fq", "@a/2\nACGT\n+\nIIII\n")
        self.file("2.fq", "@a/1\nACGT\n+\nIIII\n")
        self.fails(3, "motif", "-p", "A", "-1", "1.fq", "-2", "2.fq", says=["'a/2'", "'a/1', the first of the pair", "exchange"])
        self.file("3.fq", "@a/1\nACGT\n+\nIIII\n")
        self.fails(3, "motif", "-p", "A", "-1", "2.fq", "-2", "3.fq", says=["'a/1'", "first mates end in /1"])

    def test_numbered_mates(self):
        """Names may end in .1 and .2, or _1 and _2, as `fastq-dump --readids` writes them, but only as a pair."""
        text = "@{}\nACGT\n+\nIIII\n"
        for first, second in (("SRR1.1.1", "SRR1.1.2"), ("r_1", "r_2"), ("r.1 x", "r.2 y"), ("a.1/1", "a.1/2"), ("r.1", "r.1")):
            self.file("1.fq", text.format(first) + text.format("b/1"))
            self.file("2.fq", text.format(second) + text.format("b/2"))
            self.file("both.fq", text.format(first) + text.format(second))
            for source in (("-1", "1.fq", "-2", "2.fq"), ("--interleaved", "both.fq")):
                names = [line.split("\t")[0] for line in self.output("-q", "-p", "ACGT", "--strand", "plus", *source).splitlines()]
                self.assertEqual(names[:2], [first.split()[0], second.split()[0]])
            self.file("r.fa", ">g\nTTACGTCC\n")
            sam = self.output("-q", "-r", "r.fa", "-k", "0", "-1", "1.fq", "-2", "2.fq", command="map")
            same = first.split()[0] == second.split()[0]
            pair = first.split()[0] if same else first.split()[0][:-2]
            self.assertEqual([line.split("\t")[0] for line in sam.splitlines() if line[0] != "@"], [pair, pair, "b", "b"])
        for first, second, says in (("r.2", "r.1", "exchange the files"), ("r_2", "r_1", "exchange the files"), ("r.1", "r_2", "another name"),
                                    ("r.1", "s.2", "another name"), ("r1", "r2", "another name"), ("r.1", "r.3", "another name"),
                                    ("r.11", "r.12", "another name"), ("r.1", "r", "another name"), (".1", ".2", "another name")):
            self.file("1.fq", text.format(first))
            self.file("2.fq", text.format(second))
            for command, words in (("motif", ("-p", "A")), ("map", ("-r", "r.fa", "-k", "0"))):
                self.fails(3, command, *words, "-1", "1.fq", "-2", "2.fq", "-o", "x.sam" if command == "map" else "x.bed", says=[f"'{first}'", f"'{second}'", says])

    def test_patterns_of_the_shell(self):
        """`-1 *_1.fq` gives -1 one file, and arguments."""
        for name in ("a_1.fq", "b_1.fq", "a_2.fq", "b_2.fq"):
            self.file(name, "@r\nACGT\n+\nIIII\n")
        words = ("-1", "a_1.fq", "b_1.fq", "-2", "a_2.fq", "b_2.fq")
        self.fails(2, "motif", "-p", "A", *words, says=["'b_1.fq' is an argument", "take one file each time", "$(printf -- '-1 %s ' *_1.fq)"])

    def test_many_files(self):
        """Each file is looked at once, however many there are."""
        words = []
        for i in range(1500):
            for mate in (1, 2):
                self.file(f"{i}_{mate}.fq", f"@r{i}\nACGT\n+\nIIII\n")
                words += [f"-{mate}", f"{i}_{mate}.fq"]
        self.assertEqual(self.output("-q", "-p", "ACGT", "--strand", "plus", *words).count("\n"), 3000)
        self.fails(2, "motif", "-p", "A", *words, "-1", "new.fq", "-2", "7_1.fq", says=["7_1.fq: given with both -1 and -2"])

    def test_words_of_other_programs(self):
        for words, option in ((["--untrimmed-paired-output", "u.fq"], "--other-reads"), (["--un-conc", "u.fq"], "--other-reads"),
                              (["--un-conc-gz", "u.fq"], "--other-reads"), (["--outu", "u.fq"], "--other-reads"),
                              (["--al-conc", "m.fq"], "--matching-reads"), (["--outm=m.fq"], "--matching-reads"),
                              (["--pair-filter", "any"], "--pairs"), (["in1=a.fq"], "--reads1"), (["in=a.fq", "in2=b.fq"], "--reads1"),
                              (["in2=b.fq"], "--reads2"), (["out=u.fq"], "--other-reads"), (["outu2=u.fq"], "--other-reads"),
                              (["outm=m.fq"], "--matching-reads"), (["outm2=m.fq"], "--matching-reads"), (["ref=adapters.fa"], "--pattern-file"),
                              (["literal=ACGT"], "--pattern"), (["threads=2"], "--threads")):
            for command in ("motif", "match"):
                self.fails(2, command, "-p", "A", *words, says=[words[0].split("=")[0], f"did you mean '{option}' ("])
        self.fails(2, "match", "-p", "ACGT", "hdist=1", says=["there is no file 'hdist=1'; did you mean '--mismatches' ("])
        self.fails(2, "motif", "-p", "ACGT", "in=1.x", says=["there is no file 'in=1.x': input files are given without an option"])
        self.fails(4, "motif", "-p", "ACGT", "xyzzy=1.x", says=["xyzzy=1.x: cannot open"])
        self.file("in=1.x", ">a\nACGT\n")
        self.assertEqual(self.output("-q", "-p", "ACGT", "--strand", "plus", "in=1.x"), "a\t0\t4\tACGT\t1000\t+\n")
        self.fails(2, "match", "-p", "ACGT", "-e", "1", "1.x", says=["'1': must be at least 0 and less than 1 (a number of edits: -k 1)"])

    def test_anchors(self):
        self.file("a.fa", ">a\nACGTACGTACGTAC\n")
        for pattern, warned in (("^ACGTACGTACGT", True), ("^GATC", False), ("ACGTA^CGTACGT", False)):
            done = self.run_here("-p", pattern, "--strand", "plus", "a.fa")
            self.assertEqual(done.returncode, 0)
            self.assertEqual(b"does not tie it to the start of records" in done.stderr, warned, done.stderr)
        self.fails(2, "motif", "-p", "ACGT$", "a.fa", says=["position 5", "found anywhere in a record"])

    def test_reads_named_as_output(self):
        for command, words in (("motif", ()), ("match", ("-k", "0"))):
            for name in ("x.fq", "x.fastq.gz"):
                self.fails(2, command, "-p", "ACGT", *words, *self.TWO, "-o", name, says=[f"--matching-reads {name} writes the reads"])
        for name, noun in (("x.bed", "BED"), ("x.bed.gz", "BED"), ("x.bam", "BAM")):
            self.fails(2, "guides", "-p", "ACGTACGTACGTACGTACGT", "1.x", "-o", name, says=[f"places are written as {noun} by --hits {name}"])

    def test_several_outputs_to_one_device(self):
        self.write(made_pairs("device", 3, (True, True)))
        self.output("-p", "A", *self.TWO, "-o", "/dev/null", "--matching-reads", "/dev/null", "--json", "/dev/null")


if __name__ == "__main__":
    unittest.main()
