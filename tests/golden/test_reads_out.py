"""--matching-reads and --other-reads: the records of the input that have a hit, or none, byte for byte."""
import gzip
import random
import re
import unittest

from support import BAD, CORNER, LAMBDA, Case, bgzf, lambda_records

NAMES = ("--matching-reads", "--other-reads")


def records_of(text):
    """Splits FASTA, or FASTQ of four lines a record, into [(name, bytes)]; every record ends with a line end."""
    if text.startswith(b">"):
        parts = re.findall(rb">[^>]*", text)
    else:
        lines = text.splitlines(keepends=True)
        parts = [b"".join(lines[i:i + 4]) for i in range(0, len(lines), 4)]
    return [(re.split(rb"\s", part[1:], maxsplit=1)[0].decode(), part if part.endswith(b"\n") else part + b"\n")
            for part in parts]


def inflated(path):
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def random_reads(seed, fastq, ends="\n", count=100):
    rng = random.Random(seed)
    text = lambda_records()[0][1]
    reads = []
    for i in range(count):
        at, size = rng.randrange(40000), rng.choice((0, 1, 30, 150, 150, 150, 400, 2000)) if i < count - 1 else 150
        letters = text[at:at + size].replace("A", "N" if rng.random() < 0.02 else "A")
        if i % 7 == 0:
            letters = letters[:60] + "N" * 300 + letters[60:]
        title = f"read_{i}" + rng.choice(("", " of lambda", "\tx"))
        if fastq:
            reads.append(f"@{title}{ends}{letters}{ends}+{ends}{'@I+'[i % 3] * len(letters)}{ends}")
        else:
            width = rng.choice((17, 60, 5000))
            lines = [letters[j:j + width] for j in range(0, len(letters), width)]
            reads.append(f">{title}{ends}" + "".join(line + ends for line in lines))
    return "".join(reads).encode()


class Reads(Case):
    def check(self, data, *arguments, command="motif", named=None, stdin=b"", inputs=("in.x",), batches=(None, "1", "700")):
        """Compares both outputs with the records that the written hits name."""
        expected = None
        for batch in batches:
            for threads in ("1", "3"):
                more = () if batch is None else ("--batch-bases", batch)
                done = self.run_here(*arguments, *more, "-t", threads, "-q", "--format", "tsv", "-o", "hits.tsv", "--matching-reads",
                                     "yes.x", "--other-reads", "no.x", *inputs, command=command, stdin=stdin)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""), arguments)
                if expected is None:
                    hits = (self.folder / "hits.tsv").read_text().splitlines()[1:]
                    matching = named if named is not None else {line.split("\t")[0] for line in hits}
                    expected = [b"".join(part for name, part in records_of(data) if (name in matching) == has)
                                for has in (True, False)]
                    self.assertTrue(all(expected), "both kinds of records")
                for name, text in zip(("yes.x", "no.x"), expected):
                    self.assertEqual(inflated(self.folder / name), text, (arguments, batch, threads, name))

    def test_formats(self):
        for seed, (fastq, ends) in enumerate(((True, "\n"), (True, "\r\n"), (False, "\n"), (False, "\r\n"))):
            data = random_reads(seed, fastq, ends)
            for packed in (data, gzip.compress(data), bgzf(data, 5000), data.rstrip()):
                self.file("in.x", packed)
                self.check(data if packed != data.rstrip() else packed + b"\n", "-p", "GAATTC", "-p", "GANTC",
                           batches=(None, "700"))
            self.check(data, "-p", "GAATTC", inputs=(), stdin=data)
            self.file("in.x", data)
            self.check(data, "-p", "GAATTCGCTACC", "-k", "3", command="match")

    def test_choices(self):
        """A record has a hit if one is written for it."""
        data = random_reads(9, True)
        self.file("in.x", data)
        self.check(data, "-p", "GATC", "--non-overlapping", "--strand", "plus")
        for report in ("minima", "best", "best-per-record", "all"):
            self.check(data, "-p", "GAATTCGCTACCGG", "-p", "GCGGCCGCTTAT", "-k", "4", "--report", report, command="match")
            self.check(data, "-p", "GAATTCGCTACCGG", "-k", "4", "--report", report, "--non-overlapping", command="match",
                       batches=(None, "300"))

    def test_counts(self):
        """With --count the reads are the same."""
        data = random_reads(10, True)
        self.file("in.x", data)
        for command, more in (("motif", ()), ("match", ("-k", "1")), ("match", ("-k", "2", "--report", "best"))):
            words = ("-p", "GAATTC", *more, "in.x", "-q")
            self.assertEqual(self.run_here(*words, *NAMES[:1], "a.fq", "--format", "tsv", command=command).returncode, 0)
            plain = self.output(*words, "--count", command=command)
            self.assertEqual(self.output(*words, "--count", *NAMES[:1], "b.fq", command=command), plain)
            self.assertEqual((self.folder / "a.fq").read_bytes(), (self.folder / "b.fq").read_bytes())
            self.assertTrue((self.folder / "a.fq").read_bytes())

    def test_alignments(self):
        data = random_reads(11, False)
        self.file("in.x", data)
        for ending in ("sam", "bam"):
            done = self.run_here("-p", "GAATTCGCTACC", "-k", "2", "in.x", "-o", f"h.{ending}", "--matching-reads", "yes.fa",
                                 "--other-reads", "no.fa", command="match")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(records_of((self.folder / "yes.fa").read_bytes())) +
                             len(records_of((self.folder / "no.fa").read_bytes())), len(records_of(data)))

    def test_several_inputs(self):
        first, second = random_reads(12, True, count=40), random_reads(13, True, count=40).replace(b"read_", b"other_")
        self.file("a.fq", first.rstrip())
        self.file("b.fq.gz", gzip.compress(second))
        self.check(first + second, "-p", "GATC", inputs=("a.fq", "b.fq.gz"))

    def test_long_records(self):
        """Records of many blocks and batches, plain and from a stream; the second has no hit, the third only at its end."""
        text = lambda_records()[0][1] * 40
        second = text.replace("GAATTC", "GANTTC")
        parts = [f">{name}\n" + "\n".join(letters[i:i + 70] for i in range(0, len(letters), 70)) + "\n"
                 for name, letters in (("first", text), ("second", second), ("third", second + "GAATTC"), ("fourth", "ACGT"))]
        data = "".join(parts).encode()
        for packed in (data, gzip.compress(data, 1)):
            self.file("in.x", packed)
            self.check(data, "-p", "GAATTC", batches=(None, "100000"))

    def test_one_of_two(self):
        data = random_reads(14, True, count=50)
        self.file("in.x", data)
        for name in NAMES:
            self.assertEqual(self.run_here("-p", "GATC", "in.x", name, "some.fq", "-o", "h.bed").returncode, 0)
            found = (self.folder / "some.fq").read_bytes()
            both = {"--matching-reads": 0, "--other-reads": 1}
            self.check(data, "-p", "GATC", batches=(None,))
            self.assertEqual(found, [(self.folder / n).read_bytes() for n in ("yes.x", "no.x")][both[name]])

    def test_compressed_output_and_stdout(self):
        data = random_reads(15, True, count=50)
        self.file("in.fq", data)
        self.output("-p", "GATC", "in.fq", "-o", "h.bed", "--matching-reads", "yes.fq.gz", "--other-reads", "no.fq")
        packed = (self.folder / "yes.fq.gz").read_bytes()
        self.assertEqual(packed[:2] + packed[12:14], b"\x1f\x8bBC")
        plain = self.output("-p", "GATC", "in.fq", "-o", "h.bed", "--matching-reads", "-")
        self.assertEqual(gzip.decompress(packed).decode(), plain)

    def test_nothing_and_everything(self):
        data = random_reads(16, True, count=50)
        self.file("in.fq", data)
        for motif, sizes in (("GAATTCGAATTC", (0, len(data))),):
            self.output("-q", "-p", motif, "in.fq", "-o", "h.bed", "--matching-reads", "yes.fq", "--other-reads", "no.fq")
            self.assertEqual(tuple((self.folder / name).stat().st_size for name in ("yes.fq", "no.fq")), sizes)
        self.file("none.fq", b"")
        self.run_here("-p", "A", "none.fq", "-o", "h.bed", "--matching-reads", "y.fq", "--other-reads", "n.fq")
        self.assertEqual([(self.folder / name).read_bytes() for name in ("y.fq", "n.fq")], [b"", b""])

    def test_refused(self):
        files = ("-o", "out.bed", "--matching-reads", "yes.x", "--other-reads", "no.x")
        for words, says in ((["--max-hits", "5"], "--max-hits"), (["--region", "x:1-5"], "--region"),
                            (["--chunk", "1/2"], "--chunk")):
            for option in NAMES:
                self.refused(2, "-p", "A", option, "some.x", *words, LAMBDA, files=(), says=[option, says])
        self.file("r.bed", "x\t1\t2\n")
        self.refused(2, "-p", "A", "--regions-file", "r.bed", LAMBDA, files=files, says=["--matching-reads", "--region"])
        self.refused(2, "-p", "A", LAMBDA, files=("--matching-reads", "-"), says=["--matching-reads and --output", "same file"])
        self.refused(2, "-p", "A", LAMBDA, files=("-o", "x.bed", "--matching-reads", "a", "--other-reads", "./a"), says=["same file"])
        self.refused(2, "-p", "A", LAMBDA, files=("-o", "x.bed", "--other-reads", "x.bed"), says=["same file"])
        for name in ("yes.fq", "yes.fastq.gz", "yes.bam", "yes.tsv"):
            self.refused(2, "-p", "A", LAMBDA, files=("-o", "x.bed", "--matching-reads", name), says=[name, "FASTA"])
        self.file("in.fa", b">a\nACGT\n")
        self.refused(2, "-p", "A", "in.fa", files=("-o", "x.bed", "--matching-reads", "in.fa"), says=["the same file is input"])
        self.assertEqual((self.folder / "in.fa").read_bytes(), b">a\nACGT\n")
        self.file("in.fq", b"@b\nACGT\n+\nIIII\n")
        self.refused(2, "-p", "A", "in.fa", "in.fq", files=files, says=["one format"])

    def test_complete_or_absent(self):
        files = ("-o", "out.bed", "--matching-reads", "yes.x", "--other-reads", "no.x")
        self.refused(3, "-p", "A", BAD / "bad_byte.fa", files=files)
        self.file("good.fq", random_reads(17, True))
        self.refused(3, "-p", "A", "good.fq", BAD / "unequal_quality.fastq", files=files)
        self.refused(3, "-p", "A", BAD / "truncated.fa.gz", files=files)
        self.refused(4, "-p", "A", CORNER / "lower.fa", files=("-o", "out.bed", "--matching-reads", "nofolder/yes.x"))

    def test_reads_without_bases_at_the_ends_of_files(self):
        """The line of their quality may be missing there; what comes after is not taken for it."""
        self.file("2.fq", "@c\nGGGG\n+\nIIII\n")
        for end in ("@b\n\n+", "@b\n\n+\n", "@b\n\n+\n\n", "@b\r\n\r\n+\r\n"):
            self.file("1.fq", "@a\nACGT\n+\nIIII\n" + end)
            self.output("-p", "ACGT", "1.fq", "2.fq", "--other-reads", "o.fq", "-o", "h.bed")
            lines = (self.folder / "o.fq").read_text().splitlines()
            self.assertEqual(lines, ["@b", "", "+", "", "@c", "GGGG", "+", "IIII"], end)


if __name__ == "__main__":
    unittest.main()
