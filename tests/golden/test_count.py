"""`basesweep count`: tables of guides and samples compared with a plain count, windows of starts, strands, pairs, forms of input, and what is refused."""
import gzip
import json
import random
import re
import subprocess
import unittest

import sam_tools
from support import Case, bgzf

COMPLEMENT = str.maketrans("ACGT", "TGCA")
SCAFFOLD = "GTTTTAGAGCTAGAAATAGCAAG"


def turned(text):
    return text[::-1].translate(COMPLEMENT)


def bases(rng, count):
    return "".join(rng.choices("ACGT", k=count))


def within_one_edit(guide, word):
    """Whether at most one edit turns the guide into the word; N is in no guide."""
    i = 0
    while i < min(len(guide), len(word)) and guide[i] == word[i]:
        i += 1
    if len(guide) == len(word):
        return guide[i + 1:] == word[i + 1:]
    return guide[i + 1:] == word[i:] if len(guide) == len(word) + 1 else len(word) == len(guide) + 1 and guide[i:] == word[i + 1:]


def edits_of(guide, read, start, indels):
    """Returns the edits of the guide where it begins at `start`: 0, 1, or 2 for more."""
    sizes = (0, -1, 1) if indels else (0,)
    words = [read[start:start + len(guide) + change] for change in sizes if start + len(guide) + change <= len(read)]
    if guide in words:
        return 0
    return 1 if any(within_one_edit(guide, word) for word in words) else 2


def plain_count(guides, reads, first, last, edits=1, indels=False, minus=False):
    """Returns the reads of each guide, and (exact, with an edit, ambiguous, none)."""
    counts, totals = dict.fromkeys((name for name, _ in guides), 0), [0, 0, 0, 0]
    for read in reads:
        best, names = edits + 1, set()
        for name, guide in guides:
            sought = turned(guide) if minus else guide
            for start in range(first, min(last, len(read)) + 1):
                found = edits_of(sought, read, start, indels)
                if found < best:
                    best, names = found, set()
                if found == best and best <= edits:
                    names.add(name)
        if len(names) == 1:
            counts[names.pop()] += 1
            totals[best] += 1
        else:
            totals[2 if names else 3] += 1
    return counts, tuple(totals)


class CountCase(Case):
    def setUp(self):
        super().setUp()
        self.rng = random.Random(40)
        self.guides = [(f"g{i}", bases(self.rng, 12)) for i in range(40)]
        near = self.guides[0][1]
        self.guides.append(("near", ("C" if near[0] == "A" else "A") + near[1:]))  # one mismatch away from g0
        self.library = self.file("lib.tsv", "guide\tsequence\tgene\n" +
                                 "".join(f"{name}\t{guide}\tgene{i // 4}\n" for i, (name, guide) in enumerate(self.guides)))

    def reads(self, count=400, least=2, most=5, minus=False):
        """Reads that begin with a few bases, then a guide; some have edits, some are foreign."""
        reads = []
        for _ in range(count):
            guide = self.rng.choice(self.guides)[1] if self.rng.random() < 0.9 else bases(self.rng, 12)
            if minus:
                guide = turned(guide)
            for _ in range(self.rng.choice((0, 0, 0, 1, 2))):
                at = self.rng.randrange(len(guide))
                guide = guide[:at] + self.rng.choice(("", "N", "AC", "G", "T")) + guide[at + 1:]
            reads.append(bases(self.rng, self.rng.randint(least, most)) + guide + SCAFFOLD)
        return reads

    @staticmethod
    def fastq(reads, tail=""):
        return "".join(f"@r{i}{tail} text\n{read}\n+\n{'I' * len(read)}\n" for i, read in enumerate(reads))

    def count(self, *words, code=0, **options):
        done = self.run_here("-l", "lib.tsv", *words, command="count", **options)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return done

    def table(self, *words, **options):
        """Returns {title: {guide: text}} of the table on stdout."""
        rows = [line.split("\t") for line in self.count(*words, **options).stdout.decode().splitlines()]
        return {title: {row[0]: row[i] for row in rows[1:]} for i, title in enumerate(rows[0])}

    def check_counts(self, column, expected):
        self.assertEqual({name: int(text) for name, text in column.items()}, expected)


class Counts(CountCase):
    def test_plain(self):
        """Exact, with a mismatch, with an edit; with a given window and with one that is found."""
        reads = self.reads()
        self.file("a.fq", self.fastq(reads))
        for words, edits, indels in ((("--mismatches", "0"), 0, False), ((), 1, False), (("-k", "1"), 1, True), (("-k", "0"), 0, True)):
            for at in ((), ("--at", "2-5"), ("--at", "3"), ("--at", "0-50")):
                first, last = {(): (2, 5), ("--at", "3"): (3, 3), ("--at", "0-50"): (0, 50)}.get(at, (2, 5))
                counts, totals = plain_count(self.guides, reads, first, last, edits, indels)
                table = self.table("-q", *words, *at, "--json", "r.json", "--summary", "s.tsv", "a.fq")
                self.assertEqual(list(table), ["guide", "gene", "a"])
                self.check_counts(table["a"], counts)
                sample = json.loads((self.folder / "r.json").read_text())["samples"][0]
                shown = [sample[key] for key in ("edits_0", "edits_1", "ambiguous", "unmatched")]
                self.assertEqual(shown, list(totals), (words, at))
                self.assertEqual(sample["counted"], totals[0] + totals[1])
                titles, row = [line.split("\t") for line in (self.folder / "s.tsv").read_text().splitlines()]
                self.assertEqual(row, ["a"] + [str(sample[key]) for key in titles[1:-1]] + [f"{sample['gini']:.4f}"])

    def test_window(self):
        """The window that is found is said on stderr and in the report, for each file."""
        self.file("a.fq", self.fastq(self.reads()))
        self.file("b.fq", self.fastq(self.reads(least=7, most=7)))
        done = self.count("a.fq", "b.fq", "--json", "r.json")
        self.assertIn(b"guides begin at base 2-5 (0-based) of the reads of a.fq\n", done.stderr)
        self.assertIn(b"guides begin at base 7 (0-based) of the reads of b.fq\n", done.stderr)
        inputs = json.loads((self.folder / "r.json").read_text())["inputs"]
        self.assertEqual([one["starts"]["plus"]["first"] for one in inputs], [2, 7])
        self.assertEqual([one["starts"]["plus"]["last"] for one in inputs], [5, 7])
        self.assertEqual([one["sample"] for one in inputs], ["a", "b"])
        self.assertEqual(self.count("-q", "a.fq", "b.fq").stderr, b"")

    def test_strands(self):
        plus, minus = self.reads(200), self.reads(200, least=7, most=9, minus=True)
        self.file("plus.fq", self.fastq(plus))
        self.file("minus.fq", self.fastq(minus))
        counts, _ = plain_count(self.guides, minus, 7, 9, minus=True)
        self.check_counts(self.table("-q", "--strand", "minus", "minus.fq")["minus"], counts)
        both = self.table("-q", "--strand", "both", "minus.fq", "plus.fq")
        self.check_counts(both["plus"], plain_count(self.guides, plus, 2, 5)[0])
        self.check_counts(both["minus"], counts)
        self.assertIn(b"--strand minus?", self.count("minus.fq").stderr)
        self.assertIn(b"--strand plus?", self.count("--strand", "minus", "plus.fq").stderr)

    def test_lengths(self):
        """Guides of several lengths; of one inside of another the longer one counts."""
        self.file("lib.tsv", "a\tACGTACGTAA\nb\tACGTACGTAAC\nc\tGGGGCCCCTTTTAAAA\n")
        self.file("x.fa", ">1\nTTACGTACGTAACG\n>2\nTTACGTACGTAATG\n>3\nTTGGGGCCCCTTTTAAAA\n>4\nTTGGGGCCCCTTTTAAA\n")
        done = self.count("x.fa", "--at", "2")
        self.assertIn(b"guide 'a' is a part of guide 'b'", done.stderr)
        self.assertEqual(done.stdout, b"guide\tx\na\t1\nb\t1\nc\t1\n")
        self.assertEqual(self.count("-q", "x.fa", "--at", "2", "-k", "1").stdout, b"guide\tx\na\t1\nb\t1\nc\t2\n")


class Inputs(CountCase):
    def test_forms(self):
        """Any compression, FASTA, BAM, stdin, threads and blocks give the same table."""
        reads = self.reads(3000)
        text = self.fastq(reads)
        self.file("s.fq", text)
        expected = self.count("-q", "s.fq").stdout
        self.check_counts(self.table("-q", "s.fq")["s"], plain_count(self.guides, reads, 2, 5)[0])
        for folder in ("gz", "bgz", "fa", "mixed"):
            (self.folder / folder).mkdir()
        self.file("gz/s.fastq.gz", gzip.compress(text.encode()))
        self.file("bgz/s.fq.gz", bgzf(text.encode(), 3000))
        self.file("fa/s.fa", "".join(f">{i}\n{read[:20]}\n{read[20:]}\n" for i, read in enumerate(reads)))
        self.file("mixed/s.fq", text.lower().replace("t", "u").replace("\n", "\r\n"))
        for path in ("gz/s.fastq.gz", "bgz/s.fq.gz", "fa/s.fa", "mixed/s.fq"):
            for threads in ("1", "4"):
                self.assertEqual(self.count("-q", "-t", threads, path).stdout, expected, path)
        self.assertEqual(self.count("-q", "--sample", "s", stdin=text.encode()).stdout, expected)
        if sam_tools.have_samtools():
            done = subprocess.run(["samtools", "import", "-0", "s.fq", "-o", "s.bam"], cwd=self.folder, capture_output=True, check=False)
            if done.returncode == 0:
                self.assertEqual(self.count("-q", "s.bam").stdout, expected)

    def test_reads_without_bases(self):
        """They are reads, in FASTQ as in SAM, single and in pairs."""
        lines = {"r0": "", "r1": "GGGG" + self.guides[1][1] + SCAFFOLD, "r2": ""}
        self.file("s.fq", "".join(f"@{name}\n{read}\n+\n{'I' * len(read)}\n" for name, read in lines.items()))
        self.file("s.sam", "@HD\tVN:1.6\n" + "".join(
            f"{name}\t4\t*\t0\t0\t*\t*\t0\t0\t{read or '*'}\t{'I' * len(read) or '*'}\n" for name, read in lines.items()))
        for name in ("s.fq", "s.sam"):
            for more in ((), ("--structure", "2M+T")):
                table = self.table("-q", "--at", "2-4", *more, name, "--summary", "summary.tsv")
                self.assertEqual(table["s"]["g1"], "1")
                self.assertEqual((self.folder / "summary.tsv").read_text().splitlines()[1].split("\t")[:3], ["s", "3", "1"], (name, more))

    def test_names_of_features(self):
        """A feature reference of 10x: ids are unique, names need not be."""
        self.file("s.fq", self.fastq(["ACGTACGTAACC", "ACGTACGTAACC", "TTTTCCCCAAGG"]))
        for text, first, second in (("id\tname\tsequence\ng1\tA\tACGTACGTAA\ng2\tA\tTTTTCCCCAA\n", "g1", "g2"),
                                    ("name\tid\tsequence\nA\t1\tACGTACGTAA\nB\t2\tTTTTCCCCAA\n", "A", "B"),
                                    ("id,name,sequence,feature_type\ng1,A,ACGTACGTAA,CRISPR\ng2,B,TTTTCCCCAA,CRISPR\n", "g1", "g2"),
                                    ("id,name,read,pattern,sequence,feature_type\ng1,n,R2,(BC),ACGTACGTAA,CRISPR\ng2,n,R2,(BC),TTTTCCCCAA,CRISPR\n", "g1", "g2")):
            self.file("lib.tsv", text)
            self.assertEqual(self.count("-q", "--at", "0", "s.fq").stdout.decode(), f"guide\ts\n{first}\t2\n{second}\t1\n")

    def test_samples(self):
        """Files are samples; files of one name are added up."""
        texts = [self.reads(100) for _ in range(3)]
        for i, reads in enumerate(texts):
            self.file(f"s{i}.fq", self.fastq(reads))
        files = ["s0.fq", "s1.fq", "s2.fq"]
        table = self.table("-q", *files)
        self.assertEqual(list(table), ["guide", "gene", "s0", "s1", "s2"])
        for i, reads in enumerate(texts):
            self.check_counts(table[f"s{i}"], plain_count(self.guides, reads, 2, 5)[0])
        named = self.table("-q", *files, "--sample", "x", "--sample", "y", "--sample", "x")
        self.assertEqual(list(named), ["guide", "gene", "x", "y"])
        self.assertEqual(named["y"], table["s1"])
        self.assertEqual({name: int(text) for name, text in named["x"].items()},
                         {name: int(table["s0"][name]) + int(table["s2"][name]) for name in table["s0"]})
        self.file("names.txt", "x\ny\n\nx\n")
        self.assertEqual(self.table("-q", *files, "--samples", "names.txt"), named)

    def test_pairs(self):
        reads = self.reads(300)
        others = [bases(self.rng, 30) for _ in reads]
        self.file("p_R1_001.fastq", self.fastq(reads, "/1"))
        self.file("p_R2_001.fastq", self.fastq(others, "/2"))
        pairs = [read for pair in zip(reads, others) for read in pair]
        self.file("p.fq", "".join(f"@r{i // 2}\n{read}\n+\n{'I' * len(read)}\n" for i, read in enumerate(pairs)))
        expected = plain_count(self.guides, reads, 2, 5)[0]
        table = self.table("-q", "-1", "p_R1_001.fastq", "-2", "p_R2_001.fastq", "--json", "r.json")
        self.check_counts(table["p"], expected)
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["samples"][0]["reads"], 300)
        self.check_counts(self.table("-q", "--interleaved", "p.fq")["p"], expected)
        done = self.count("-q", "--mate", "2", "-1", "p_R2_001.fastq", "-2", "p_R1_001.fastq", code=3)  # first mates end in /2
        self.assertEqual(done.stdout, b"")
        self.file("1.fq", self.fastq(others))
        self.file("2.fq", self.fastq(reads))
        self.check_counts(self.table("-q", "--mate", "2", "-1", "1.fq", "-2", "2.fq")["1"], expected)

    def test_empty(self):
        """A file without reads is a column of zeros."""
        self.file("a.fq", self.fastq(self.reads(50)))
        self.file("b.fq", "")
        table = self.table("-q", "a.fq", "b.fq")
        self.assertEqual(set(table["b"].values()), {"0"})
        self.assertEqual(self.table("-q", "a.fq")["a"], table["a"])
        self.assertIn(b"no reads", self.count("b.fq").stderr)

    def test_foreign(self):
        """Reads of another library are said to be so; the table is written."""
        self.file("x.fq", self.fastq([bases(self.rng, 40) for _ in range(100)]))
        done = self.count("--mismatches", "0", "x.fq")
        self.assertIn(b"warning: x.fq: none of the first 100 reads has a guide of lib.tsv", done.stderr)
        self.assertIn(b"sample x: none of 100 reads has a guide", done.stderr)


class Output(CountCase):
    def test_formats(self):
        self.file("lib.tsv", 'g,1\tACGTACGTAA\tgene\ng2\tTTTTCCCCAA\t"a ""b"""\n')
        self.file("x.fa", ">1\nACGTACGTAA\n")
        tables = {"tsv": 'guide\tgene\tx\ng,1\tgene\t1\ng2\ta "b"\t0\n', "mageck": 'sgRNA\tGene\tx\ng,1\tgene\t1\ng2\ta "b"\t0\n',
                  "csv": 'guide,gene,x\n"g,1",gene,1\ng2,"a ""b""",0\n'}
        for word, text in tables.items():
            self.assertEqual(self.count("-q", "--format", word, "--at", "0", "x.fa").stdout.decode(), text)
            name = f"out.{'txt' if word == 'mageck' else word}"
            self.count("-q", "--at", "0", "x.fa", "-o", name)
            self.assertEqual((self.folder / name).read_text(), text)
        self.count("-q", "--at", "0", "x.fa", "-o", "out.tsv.gz")
        self.assertEqual(gzip.decompress((self.folder / "out.tsv.gz").read_bytes()).decode(), tables["tsv"])

    def test_guides_without_genes(self):
        """MAGeCK splits lines at blanks and tabs, so that each guide needs a gene."""
        self.file("lib.tsv", "guide\tsequence\tgene\na\tACGTACGTAA\tx\ncontrol\tTTTTCCCCAA\t\n")
        self.file("x.fa", ">1\nACGTACGTAA\n")
        for word, titles, gene in (("mageck", "sgRNA\tGene", "control"), ("tsv", "guide\tgene", "")):
            self.assertEqual(self.count("-q", "--format", word, "--at", "0", "x.fa").stdout.decode(), f"{titles}\tx\na\tx\t1\ncontrol\t{gene}\t0\n")

    def test_duplicates(self):
        self.file("lib.tsv", "a\tACGTACGTAA\tx\nb\tTTTTCCCCAA\ty\nc\tACGTACGTAA\tz\n")
        self.file("x.fa", ">1\nACGTACGTAA\n")
        done = self.count("--duplicates", "merge", "x.fa")
        self.assertEqual(done.stdout, b"guide\tgene\tx\na|c\tx|z\t1\nb\ty\t0\n")
        self.assertIn(b"1 guide is merged with another one of the same sequence", done.stderr)

    def test_refused(self):
        """Each fault has a message, and leaves no file behind."""
        self.file("x.fq", self.fastq(["ACGTACGTAACC"]))
        self.file("y.fq", "@r\nACGT\n+\nII\n")
        (self.folder / "d").mkdir()
        self.file("d/x.fq", self.fastq(["ACGTACGTAACC"]))
        libraries = {"twice.tsv": ("a\tACGTACGT\na\tCCGTACGT\n", "twice.tsv: line 2: guide 'a': the name is used twice, also in line 1"),
                     "equal.tsv": ("a\tACGTACGT\nb\tACGTACGT\n", "equal.tsv: line 2: guide 'b' has the sequence of guide 'a' in line 1"),
                     "letter.tsv": ("a\tACGTACGT\nb\tACGTARGT\n", "letter.tsv: line 2: guide 'b', position 6: 'R' is not A, C, G or T"),
                     "none.tsv": ("", "none.tsv: no guides in this file"),
                     "words.tsv": ("one\ttwo\n", "no column holds sequences"),
                     "long.tsv": (f"a\t{'A' * 65}\n", "guide 'a' has 65 bases: expected 4 to 64")}
        before = self.listing() + list(libraries)
        for name, (text, message) in libraries.items():
            self.file(name, text)
            done = self.run_here("-l", name, "x.fq", "-o", "out.tsv", command="count")
            self.assertEqual((done.returncode, message in done.stderr.decode()), (3, True), done.stderr)
        for words, code, message in (
                (("--at", "5-3", "x.fq"), 2, "--at 5-3: expected a start such as 23"),
                (("--at", "x", "x.fq"), 2, "--at x: expected"),
                (("-k", "2", "x.fq"), 2, "--edits: '2' is too large: must be at most 1"),
                (("-k", "1", "--mismatches", "1", "x.fq"), 2, "--edits and --mismatches conflict"),
                (("--sample", "a", "x.fq", "d/x.fq"), 2, "--sample: 1 name for 2 files: expected one for each"),
                (("--sample", "a", "--sample", "b", "-1", "x.fq", "-2", "d/x.fq"), 2, "--sample: 2 names for 1 pair of files: expected one for each"),
                (("x.fq", "d/x.fq"), 2, "d/x.fq: another file would be sample 'x' too"),
                (("--sample", "a\tb", "x.fq"), 2, "control characters"),
                (("--mate", "2", "x.fq"), 2, "--mate 2: the reads are not pairs"),
                (("y.fq",), 3, "y.fq: record 'r'"),
                (("missing.fq",), 4, "missing.fq"),
                (("-o", "out.bed", "x.fq"), 2, "out.bed")):
            done = self.run_here("-l", "lib.tsv", *words, *(() if "-o" in words else ("-o", "out.tsv")), command="count")
            self.assertEqual(done.returncode, code, (words, done.stderr))
            self.assertIn(message, done.stderr.decode())
        self.file("nogenes.tsv", "a\tACGTACGT\n")
        done = self.run_here("-l", "nogenes.tsv", "--format", "mageck", "x.fq", command="count")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr.decode(), re.escape("nogenes.tsv: no column of genes"))
        self.assertEqual(self.listing(), sorted(before + ["nogenes.tsv"]))


if __name__ == "__main__":
    unittest.main()
