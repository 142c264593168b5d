"""trim: adapters, steps and filters of single reads and pairs, formats and files, bad input; nothing is left after an error."""
import gzip
import json
import random
import signal
import subprocess
import time

from support import BINARY, SANITIZED, Case, environment

ADAPTER = "AGATCGGAAGAGCACACGTC"
SECOND = "AGATCGGAAGAGCGTCGTGT"
TRUSEQ = ("AGATCGGAAGAGCACACGTCTGAACTCCAGTCA", "AGATCGGAAGAGCGTCGTGTAGGGAAAGAGTGT")


def letters(rng, count):
    return "".join(rng.choice("ACGT") for _ in range(count))


def turn(bases):
    return bases[::-1].translate(str.maketrans("ACGTN", "TGCAN"))


def record(name, bases, quality=None):
    return f"@{name}\n{bases}\n+\n{quality or 'I' * len(bases)}\n"


def records(text):
    lines = text.split("\n")
    return [(lines[i][1:], lines[i + 1], lines[i + 3]) for i in range(0, len(lines) - 1, 4)]


class Trim(Case):
    def trim(self, *arguments, **options):
        return self.output("--quiet", *arguments, command="trim", **options)

    def bases_of(self, *arguments, reads, **options):
        text = "".join(record(f"r{i}", bases) for i, bases in enumerate(reads))
        return [bases for _, bases, _ in records(self.trim(*arguments, stdin=text.encode(), **options))]

    def refuses(self, code, *arguments, says=(), **options):
        before = self.listing()
        done = self.run_here(*arguments, command="trim", **options)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        for word in says:
            self.assertIn(word, done.stderr.decode())
        self.assertEqual(self.listing(), before)

    def test_adapters(self):
        insert = "TTACCAGTTTGCCATAACGT"
        cases = [(("-a", ADAPTER), insert + ADAPTER + "TTT", insert), (("-a", ADAPTER), insert + ADAPTER[:5], insert),
                 (("-a", ADAPTER), insert + ADAPTER[:2], insert + ADAPTER[:2]),
                 (("-a", ADAPTER), insert + ADAPTER[:9] + "T" + ADAPTER[10:], insert), (("-a", ADAPTER), ADAPTER, ""),
                 (("-g", ADAPTER), "GG" + ADAPTER + insert, insert), (("-g", ADAPTER), ADAPTER[-6:] + insert, insert),
                 (("-g", "^" + ADAPTER), "GGG" + ADAPTER + insert, "GGG" + ADAPTER + insert),
                 (("-g", "^" + ADAPTER), ADAPTER + insert, insert), (("-a", ADAPTER + "$"), insert + ADAPTER, insert),
                 (("-a", ADAPTER + "$"), insert + ADAPTER + "C", insert),
                 (("-a", ADAPTER + "$", "--no-indels"), insert + ADAPTER + "C", insert + ADAPTER + "C"),
                 (("-a", ADAPTER + "X"), insert + ADAPTER + insert, insert + ADAPTER + insert),
                 (("-b", ADAPTER), ADAPTER[4:] + insert, insert), (("-b", ADAPTER), insert + ADAPTER + insert, insert),
                 (("-g", "CCGGTT...AATTGG"), "CCGGTT" + insert + "AATTGGC", insert),
                 (("-g", "CCGGTT...AATTGG"), "CCGGTT" + insert, "CCGGTT" + insert),
                 (("-a", "CCGGTT...AATTGG"), "CCGGTT" + insert, insert),
                 (("-a", "A{8}", "-n", "2"), insert + "A" * 8, insert), (("-a", "ACGTN{4}GG", "-O", "10"), "TTTT" + "ACGTCCCCGG", "TTTT"),
                 (("-a", ADAPTER, "--action", "mask"), insert + ADAPTER, insert + "N" * len(ADAPTER)),
                 (("-a", ADAPTER, "--action", "lowercase"), insert + ADAPTER, insert + ADAPTER.lower()),
                 (("-a", ADAPTER, "--action", "retain"), insert + ADAPTER + "TT", insert + ADAPTER),
                 (("-a", ADAPTER, "--action", "crop"), insert + ADAPTER + "TT", ADAPTER),
                 (("-a", ADAPTER, "--action", "none"), insert + ADAPTER, insert + ADAPTER)]
        for arguments, read, expected in cases:
            with self.subTest(arguments=arguments, read=read):
                self.assertEqual(self.bases_of(*arguments, reads=[read]), [expected])

    def test_the_reverse_complement(self):
        read = "TTACCAGTTTGCCATAACGT" + ADAPTER
        text = self.trim("-a", ADAPTER, "--revcomp", stdin=(record("a x", read) + record("b y", turn(read))).encode())
        self.assertEqual(text, record("a x", read[:20]) + record("b y rc", read[:20]))

    def test_steps_and_filters(self):
        quality = "#" * 3 + "I" * 10 + "#" * 4
        text = record("a", "ACGTACGTACGTACGTA", quality)
        self.assertEqual(self.trim("-q", "20,20", stdin=text.encode()), record("a", "TACGTACGTA", "I" * 10))
        self.assertEqual(self.trim("-u", "2", "-u", "-3", stdin=text.encode()), record("a", "GTACGTACGTAC", quality[2:-3]))
        self.assertEqual(self.bases_of("--poly-a", reads=["CCGT" + "A" * 9]), ["CCGT"])
        self.assertEqual(self.bases_of("--trim-n", reads=["N.ACGTN", "NN.", ""]), ["ACGT", "", ""])
        self.assertEqual(self.bases_of("-l", "3", reads=["ACGTA"]), ["ACG"])
        self.assertEqual(self.bases_of("-l", "-3", reads=["ACGTA"]), ["GTA"])
        reads = ["ACGTACGT", "ACG", "ACNNN.GT"]
        self.assertEqual(self.bases_of("-m", "4", "-M", "8", "--max-n", "3", reads=reads), ["ACGTACGT"])
        self.assertEqual(self.bases_of("-a", "TACG", "--discard-untrimmed", reads=reads), ["ACG"])
        self.assertEqual(self.bases_of("-a", "TACG", "--discard-trimmed", reads=reads), reads[1:])

    def test_files_for_filtered_reads_and_the_table(self):
        reads = ["ACCA" + ADAPTER, "TTGCCATAACGTTTGC", "TTGACCATAACGG" + ADAPTER]
        self.file("in.fq", "".join(record(f"r{i}", read) for i, read in enumerate(reads)))
        done = self.run_here("-a", "one=" + ADAPTER, "-m", "6", "-M", "14", "--too-short-output", "short.fq", "--too-long-output",
                             "long.fq", "--table", "table.tsv", "--json", "run.json", "-v", "in.fq", "-o", "out.fq", command="trim")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertIn("1 of 3 reads written, 2 with adapter", done.stderr.decode())
        files = {name: (self.folder / name).read_text() for name in ("out.fq", "short.fq", "long.fq", "table.tsv")}
        self.assertEqual(files["out.fq"], record("r2", reads[2][:13]))
        self.assertEqual(files["short.fq"], record("r0", "ACCA"))
        self.assertEqual(files["long.fq"], record("r1", reads[1]))
        self.assertEqual(files["table.tsv"].splitlines(),
                         ["read\tmate\tadapter\tedits\tstrand\tcut_start\tcut_end\treason", "r0\t.\tone\t0\t+\t0\t4\ttoo-short",
                          "r1\t.\t.\t.\t+\t0\t16\ttoo-long", "r2\t.\tone\t0\t+\t0\t13\twritten"])
        report = json.loads((self.folder / "run.json").read_text())
        self.assertEqual((report["reads"], report["written"], report["filtered"]["too-short"]), (3, 1, 1))
        self.assertEqual(report["mates"][0]["adapters"], [{"name": "one", "sequence": ADAPTER, "found": 2}])
        self.trim("-a", ADAPTER, "--untrimmed-output", "no.fq", "in.fq", "-o", "yes.fq")
        self.assertEqual((self.folder / "no.fq").read_text(), record("r1", reads[1]))

    def test_adapters_of_a_file(self):
        self.file("adapters.fa", f">one first\n{ADAPTER[:10]}\n{ADAPTER[10:]}\n>two\nTTGGCCAATTGGCC\n")
        text = record("r", "CAGCAGCATCAG" + "TTGGCCAATTGGCC")
        self.trim("-a", "file:adapters.fa;o=5", "--table", "t.tsv", "-o", "o.fq", stdin=text.encode())
        self.assertIn("r\t.\ttwo\t0\t+\t0\t12\twritten", (self.folder / "t.tsv").read_text())
        self.file("bad.fa", ">one\nACGT5\n")
        self.refuses(3, "-a", "file:bad.fa", says=["bad.fa", "record 'one'", "'5' is not an IUPAC letter"], stdin=b"")

    def pairs(self, seed=1, count=400):
        """Mates of fragments of 0 to 200 bases, read for 80, with the adapters after them."""
        rng = random.Random(seed)
        mates, lengths = ([], []), []
        for i in range(count):
            length = rng.choice([0, 0, rng.randrange(1, 200), rng.randrange(20, 80)])
            fragment = letters(rng, length)
            lengths.append(length)
            for mate, (bases, adapter) in enumerate(((fragment, TRUSEQ[0]), (turn(fragment), TRUSEQ[1]))):
                read = (bases + adapter + letters(rng, 80))[:80]
                mates[mate].append(record(f"p{i}/{mate + 1}", read))
        return mates, lengths

    def test_pairs_without_an_adapter(self):
        mates, lengths = self.pairs()
        for mate in (0, 1):
            self.file(f"{mate + 1}.fq", "".join(mates[mate]))
        done = self.run_here("-v", "-1", "1.fq", "-2", "2.fq", "-o", "o1.fq", "-p", "o2.fq", "--json", "run.json", command="trim")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertIn("Illumina TruSeq", done.stderr.decode())
        overlap = json.loads((self.folder / "run.json").read_text())["overlap"]
        self.assertEqual(overlap["dimers"], lengths.count(0))
        expected = [min(length, 80) for length in lengths if length > 0]
        for mate in (1, 2):
            found = [len(bases) for _, bases, _ in records((self.folder / f"o{mate}.fq").read_text())]
            self.assertEqual(len(found), len(expected))
            wrong = sum(a != b for a, b in zip(found, expected))
            self.assertLessEqual(wrong, len(expected) // 50, list(zip(found, expected)))
        self.refuses(2, "--by-overlap", "yes", "-g", "ACGT", "-1", "1.fq", "-2", "2.fq", says=["3' adapters"])
        text = self.trim("--by-overlap", "no", "1.fq", "2.fq", "-o", "-", "-p", "o.fq")
        self.assertEqual(text, "".join(mates[0]))

    def test_pairs_in_all_forms(self):
        mates, _ = self.pairs(2, 60)
        self.file("1.fq", "".join(mates[0]))
        self.file("2.fq.gz", gzip.compress("".join(mates[1]).encode()))
        self.file("12.fq", "".join(a + b for a, b in zip(*mates)))
        options = ["-a", ADAPTER, "-A", SECOND, "-m", "1"]
        self.trim(*options, "-1", "1.fq", "-2", "2.fq.gz", "-o", "a1.fq", "-p", "a2.fq")
        self.trim(*options, "1.fq", "2.fq.gz", "-o", "b1.fq.gz", "-p", "b2.fq.gz")
        both = [(self.folder / f"a{mate}.fq").read_text() for mate in (1, 2)]
        for mate in (1, 2):
            self.assertEqual(gzip.decompress((self.folder / f"b{mate}.fq.gz").read_bytes()).decode(), both[mate - 1])
        by_turns = "".join(record(*a) + record(*b) for a, b in zip(records(both[0]), records(both[1])))
        self.assertEqual(self.trim(*options, "--interleaved", "12.fq"), by_turns)

    def test_threads_give_the_same_bytes(self):
        mates, _ = self.pairs(3, 3000)
        for mate in (0, 1):
            self.file(f"{mate + 1}.fq", "".join(mates[mate]))
        outputs = set()
        for threads in (1, 4):
            self.trim("-t", threads, "-q", "10", "-1", "1.fq", "-2", "2.fq", "-o", "o1.fq.gz", "-p", "o2.fq.gz", "--table", "t.tsv")
            outputs.add(tuple((self.folder / name).read_bytes() for name in ("o1.fq.gz", "o2.fq.gz", "t.tsv")))
        self.assertEqual(len(outputs), 1)

    def test_bam(self):
        read = "TTACCAGTTTGCCATAACGT" + ADAPTER
        header = "@HD\tVN:1.6\tSO:unsorted\n@RG\tID:x\tSM:y\n"
        line = f"r1\t4\t*\t0\t0\t*\t*\t0\t0\t{read}\t{'I' * len(read)}\tRG:Z:x\tXX:i:5\n"
        self.file("in.sam", header + line)
        text = self.trim("-a", ADAPTER, "in.sam", "-o", "out.sam") or (self.folder / "out.sam").read_text()
        rows = [row.split("\t") for row in text.splitlines() if not row.startswith("@")]
        self.assertEqual(rows[0][9:11], [read[:20], "I" * 20])
        self.assertIn("XX:i:5", rows[0])
        self.assertEqual([row for row in self.trim("-a", ADAPTER, "in.sam").splitlines() if not row.startswith("@")],
                         [row for row in text.splitlines() if not row.startswith("@")])
        self.assertIn("@RG\tID:x\tSM:y", text)
        self.trim("-q", "10", "-u", "1", "-a", "one=" + ADAPTER, "-e", "0.2", "-m", "3", "--poly-a", "in.sam", "-o", "pg.sam")
        self.assertIn(f"CL:basesweep trim -a one={ADAPTER} -e 0.2 -u 1 -q 10 --poly-a -m 3\n", (self.folder / "pg.sam").read_text())
        self.trim("-a", ADAPTER, "in.sam", "-o", "out.bam")
        self.assertEqual((self.folder / "out.bam").read_bytes()[:4], b"\x1f\x8b\x08\x04")
        self.assertEqual(self.trim("-a", ADAPTER, "out.bam", "-o", "again.fq"), "")
        self.assertEqual(records((self.folder / "again.fq").read_text())[0][1:], (read[:20], "I" * 20))

    def test_reads_without_bases(self):
        """They are reads in SAM as in FASTQ, and come back from BAM; a tag that a read has twice is kept once."""
        self.file("in.fq", record("a", "") + record("b", "ACGT") + record("c", "A") + record("d", ""))
        row = "{}\t4\t*\t0\t0\t*\t*\t0\t0\t{}\t{}\tRG:Z:x\tXX:i:5\tRG:Z:y\n"
        self.file("in.sam", "@HD\tVN:1.6\n@RG\tID:x\n@RG\tID:y\n" + "".join(
            row.format(name, bases or "*", "I" * len(bases) or "*") for name, bases in zip("abcd", ("", "ACGT", "A", ""))))
        for source in ("in.fq", "in.sam"):
            for step in ("bam", "sam", "fq"):
                self.trim("-u", "1", source, "-o", f"cut.{step}")
                self.trim("-u", "0", f"cut.{step}", "-o", "again.fq")
                found = [(title.split("\t")[0], *rest) for title, *rest in records((self.folder / "again.fq").read_text())]
                self.assertEqual(found, [("a", "", ""), ("b", "CGT", "III"), ("c", "", ""), ("d", "", "")], (source, step))
        self.trim("-u", "1", "in.sam", "-o", "cut.sam")
        rows = [line for line in (self.folder / "cut.sam").read_text().splitlines() if not line.startswith("@")]
        self.assertEqual(rows[1].split("\t")[9:], ["CGT", "III", "RG:Z:x", "XX:i:5"])
        # A single read among pairs is not passed over.
        pair = [f"p\t{flag}\t*\t0\t0\t*\t*\t0\t0\t{bases}\t*\n" for flag, bases in ((77, "*"), (141, "ACG"))]
        self.file("in.sam", "".join(["@HD\tVN:1.6\n", *pair, row.format("single", "*", "*")]))
        self.refuses(3, "-u", "1", "in.sam", "-o", "new.fq", says=["in.sam: read 'single' is not one of a pair"])

    def test_alignments_without_reads(self):
        """They may be of pairs, if options say so."""
        self.file("none.sam", "@HD\tVN:1.6\n")
        self.trim("none.sam", "-o", "1.fq", "-p", "2.fq")
        self.trim("-a", ADAPTER, "-A", SECOND, "none.sam", "-o", "none.bam")
        self.trim("--interleaved", "none.bam", "-o", "3.fq", "-p", "4.fq")
        self.assertEqual([(self.folder / f"{i}.fq").read_bytes() for i in range(1, 5)], [b""] * 4)
        self.file("none.fq", "")
        self.refuses(2, "none.fq", "-o", "1.fq", "-p", "2.fq", says=["need pairs"])

    def test_long_tags(self):
        """Tags of long reads may have more text than a title may."""
        bases = "ACGTTGCA" * 2000
        moves = "mv:B:c,5" + ",1,0" * 40000
        line = f"r1\t4\t*\t0\t0\t*\t*\t0\t0\t{bases}\t{'I' * len(bases)}\t{moves}\n"
        self.file("in.sam", "@HD\tVN:1.6\n" + line)
        self.trim("-a", ADAPTER, "in.sam", "-o", "out.bam")
        self.trim("-a", ADAPTER, "out.bam", "-o", "again.sam")
        self.trim("-a", ADAPTER, "out.bam", "-o", "out.fq")
        self.trim("-a", ADAPTER, "out.fq", "--format", "sam", "-o", "last.sam")
        self.trim("-u", "1", "out.bam", "-o", "cut.sam")
        rows = [row for row in (self.folder / "again.sam").read_text().splitlines() if not row.startswith("@")]
        self.assertEqual(rows, line.splitlines())
        self.assertEqual((self.folder / "out.fq").read_text(), f"@r1\t{moves}\n{bases}\n+\n{'I' * len(bases)}\n")
        self.assertIn(f"r1\t4\t*\t0\t0\t*\t*\t0\t0\t{bases}\t", (self.folder / "last.sam").read_text())
        self.assertNotIn("mv:B", (self.folder / "cut.sam").read_text())
        self.refuses(3, stdin=b"@" + b"x" * 70000 + b"\nA\n+\nI\n", says=["header line longer than 65536 bytes"])

    def test_masked_modifications(self):
        """Modified bases that are masked leave MM and ML, and no others."""
        read = "CCACGC" + ADAPTER + "CGCC"
        tags = "MM:Z:C+m,1,1,0,0,0,0,0,0,0,0;\tML:B:C,1,2,3,4,5,6,7,8,9,10\tMN:i:30"
        self.file("in.sam", f"@HD\tVN:1.6\nr1\t4\t*\t0\t0\t*\t*\t0\t0\t{read}\t{'I' * 30}\t{tags}\n")
        self.trim("-a", ADAPTER, "--action", "mask", "in.sam", "-o", "a.sam")
        self.trim("-g", ADAPTER, "--action", "mask", "in.sam", "-o", "g.sam")
        self.trim("-a", ADAPTER, "--action", "lowercase", "in.sam", "-o", "l.sam")
        last = {name: (self.folder / f"{name}.sam").read_text().splitlines()[-1].split("\t") for name in "agl"}
        self.assertEqual(last["a"][9:], ["CCACGC" + "N" * 24, "I" * 30, "MM:Z:C+m,1,1;", "ML:B:C,1,2", "MN:i:30"])
        self.assertEqual(last["g"][9:], ["N" * 26 + "CGCC", "I" * 30, "MM:Z:C+m,0,0,0;", "ML:B:C,8,9,10", "MN:i:30"])
        self.assertEqual(last["l"][9:], [read, "I" * 30, *tags.split("\t")])

    def test_no_qualities(self):
        """Reads without qualities stay so in SAM and BAM, are B in FASTQ, and are not cut by quality."""
        read = "TTACCAGTTTGCCATAACGT" + ADAPTER
        self.file("in.sam", f"@HD\tVN:1.6\na\t4\t*\t0\t0\t*\t*\t0\t0\t{read}\t*\nb\t4\t*\t0\t0\t*\t*\t0\t0\t{read}\t{'I' * 40}\n")
        self.trim("-a", ADAPTER, "in.sam", "-o", "out.bam")
        self.trim("-u", "0", "out.bam", "-o", "out.sam")
        rows = [row.split("\t")[9:11] for row in (self.folder / "out.sam").read_text().splitlines() if not row.startswith("@")]
        self.assertEqual(rows, [[read[:20], "*"], [read[:20], "I" * 20]])
        self.trim("-u", "0", "out.bam", "-o", "out.fq")
        self.assertEqual([quality for _, _, quality in records((self.folder / "out.fq").read_text())], ["B" * 20, "I" * 20])
        for words in (("-q", "20"), ("--nextseq-trim", "20"), ("--max-ee", "3")):
            self.refuses(3, *words, "out.bam", "-o", "new.bam", says=["out.bam: record 'a'", "no qualities"])
        self.file("del.fq", f"@x\nACGT\n+\n{chr(127) * 4}\n")
        self.refuses(3, "-u", "1", "del.fq", "-o", "new.fq", says=["is not a quality"])

    def test_fasta_and_empty_input(self):
        self.assertEqual(self.trim("-a", ADAPTER, stdin=f">a b\nACCAT\nCATC{ADAPTER}\n>c\n\n".encode()), ">a b\nACCATCATC\n>c\n\n")
        self.refuses(3, "-q", "20", says=["record 'a'", "no qualities"], stdin=b">a\nACGT\n")
        self.assertEqual(self.trim("-a", ADAPTER, stdin=b""), "")

    def test_bad_input(self):
        good = record("a", "ACGT")
        self.file("1.fq", good + record("b", "ACGT"))
        self.file("2.fq", good)
        self.file("3.fq", good + record("c", "ACGT"))
        for second, words in (("2.fq", ["1.fq", "2.fq"]), ("3.fq", ["'b'", "'c'"])):
            self.refuses(3, "-a", "ACGTT", "-1", "1.fq", "-2", second, "-o", "o1.fq", "-p", "o2.fq", says=words)
        self.file("bad.fq", good + "@b\nACGT\n+\nIII\n")
        self.refuses(3, "-a", "ACGTT", "bad.fq", "-o", "o.fq", "--table", "t.tsv", says=["bad.fq", "'b'"])
        self.file("letters.fq", good + "@b\nAC=T\n+\nIIII\n")
        self.refuses(3, "-a", "ACGTT", "letters.fq", "-o", "o.fq", says=["letters.fq", "'b'"])

    def test_pairs_by_both_mates(self):
        insert, other = "TTACCAGTTTGCCATAACGT", "CCATTGGACTTAGACCTTGA"
        self.file("1.fq", record("a/1", insert + ADAPTER) + record("b/1", other + SECOND) + record("c/1", insert + ADAPTER))
        self.file("2.fq", record("a/2", other + SECOND) + record("b/2", insert + ADAPTER) + record("c/2", other))
        self.trim("--revcomp", "-a", ADAPTER + ";o=15", "-A", SECOND + ";o=15", "-e", "0", "1.fq", "2.fq", "-o", "o1.fq", "-p", "o2.fq")
        self.assertEqual((self.folder / "o1.fq").read_text(), record("a/1", insert) + record("b/1 rc", insert) + record("c/1", insert))
        self.assertEqual((self.folder / "o2.fq").read_text(), record("a/2", other) + record("b/2 rc", other) + record("c/2", other))
        self.trim("--pair-adapters", "-a", ADAPTER + ";o=15", "-A", SECOND + ";o=15", "-e", "0", "1.fq", "2.fq", "-o", "o1.fq", "-p", "o2.fq")
        self.assertEqual([bases for _, bases, _ in records((self.folder / "o1.fq").read_text())], [insert, other + SECOND, insert + ADAPTER])
        self.refuses(2, "--pair-adapters", "-a", "ACGT", "1.fq", "2.fq", "-o", "-", "-p", "o2.fq", says=["1 and 0"])
        self.refuses(2, "--pair-adapters", "--revcomp", "-a", "ACGT", "-A", "ACGT", "1.fq", "2.fq", says=["--revcomp"])

    def test_options_that_conflict(self):
        self.file("1.fq", record("a", "ACGT"))
        for arguments, words in [(("-a", "AC$GT"), ["'AC$GT'", "'$'"]), (("-a", "ACGT;x=1"), ["unknown parameter 'x'"]),
                                 (("-a", ""), ["-a"]), (("-A", "ACGT"), ["need pairs"]), (("-u", "x"), ["-u x"]),
                                 (("-u", "2", "-u", "3"), ["same end"]), (("-m", "3:4"), ["two lengths"]), (("-q", "a"), ["-q a"]),
                                 (("--too-short-output", "s.fq"), ["-m"]), (("--action", "crop", "-n", "2"), ["--times"]),
                                 (("-a", "AC...GT", "--action", "crop"), ["linked"]), (("-b", "AC...GT"), ["cannot be linked"]),
                                 (("--discard-trimmed", "--discard-untrimmed"), ["use one of"]), (("-o", "1.fq"), ["1.fq"])]:
            with self.subTest(arguments=arguments):
                self.refuses(2, *arguments, "1.fq", says=words)

    def test_interrupt(self):
        text = record("a", "ACGT" * 20 + ADAPTER) * 2000
        process = subprocess.Popen([BINARY, "trim", "-a", ADAPTER, "-o", "o.fq"], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                   cwd=self.folder, env=environment())
        process.stdin.write(text.encode())
        process.stdin.flush()
        time.sleep(2 if SANITIZED else 0.5)
        process.send_signal(signal.SIGINT)
        process.stdin.close()
        process.stderr.read()
        process.stderr.close()
        self.assertNotEqual(process.wait(), 0)
        self.assertEqual(self.listing(), [])
