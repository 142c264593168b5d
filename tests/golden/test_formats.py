"""The format of an output: the name's ending, --format, or the command's default."""
import gzip
import os

from support import LAMBDA, Case, run

MOTIF = ("motif", "-p", "GAATTC", LAMBDA)
MATCH = ("match", "-p", "GAATTC", "-k", "0", LAMBDA)
MAP = ("map", "-k", "0", "-r", "reads.fa", "reads.fa")


class Names(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "reads.fa").write_text(">r\nGGGCGGCGACCTCGCGGG\n")

    def call(self, command, *arguments):
        return run(*arguments, command=command, cwd=self.folder)

    def kind(self, name):
        """The kind of the output, by its first bytes."""
        data = (self.folder / name).read_bytes()
        os.unlink(self.folder / name)
        packed = data[:2] == b"\x1f\x8b"
        text = gzip.decompress(data) if packed else data
        for start, kind in ((b"BAM\1", "bam"), (b"CRAM", "cram"), (b"@HD", "sam"), (b"record\tstart", "tsv"), (b"pattern\tstrand\tcount", "count"),
                            (b"#basesweep-plan", "plan"), (b"NC_001416.1", "bed"), (b"{", "json")):
            if text.startswith(start):
                return kind if kind == "bam" or not packed else kind + ".gz"
        return text[:20]

    def expect(self, kind, name, call, *more):
        done = self.call(*call, *more, "-o", name)
        self.assertEqual((done.returncode, done.stdout), (0, b""), (name, done.stderr))
        self.assertEqual(self.kind(name), kind, (name, call, more))

    def expect_refused(self, name, call, *more, says):
        done = self.call(*call, *more, "-o", name)
        message = done.stderr.decode()
        self.assertEqual((done.returncode, done.stdout), (2, b""), (name, call, more, message))
        self.assertTrue(message.startswith(f"basesweep: {name}: "), message)
        for part in says:
            self.assertIn(part, message)
        self.assertFalse((self.folder / name).exists())

    def test_motif(self):
        for kind, names in (("bed", ("x", "x.bed", "x.BED", "x.1", "x.v2", "x.longer", "a.tsv_")), ("tsv", ("x.tsv", "x.b.tsv")),
                            ("bed.gz", ("x.gz", "x.bed.gz", "x.bed.GZ")), ("tsv.gz", ("x.tsv.gz",))):
            for name in names:
                self.expect(kind, name, MOTIF)
        for name in ("x.bam", "x.sam", "x.cram", "x.txt", "x.out", "x.ods.gz", "x.z", "x.bed.bz2"):
            self.expect_refused(name, MOTIF, says=[".bed", ".tsv", "--format"])

    def test_match(self):
        for kind, names in (("sam", ("x", "x.sam", "x.3")), ("bam", ("x.bam", "X.BAM")), ("bed", ("x.bed",)), ("tsv.gz", ("x.tsv.gz",)),
                            ("sam.gz", ("x.gz", "x.sam.gz"))):
            for name in names:
                self.expect(kind, name, MATCH)
        for name in ("x.cram", "x.txt", "x.json", "x.xlsx"):
            self.expect_refused(name, MATCH, says=[".sam", ".bam", ".bed", ".tsv", "--format"])
        self.expect_refused("x.bam.gz", MATCH, says=["already compressed", ".bam"])

    def test_map(self):
        for kind, names in (("sam", ("x", "x.sam")), ("bam", ("x.bam",)), ("cram", ("x.cram",)), ("sam.gz", ("x.sam.gz",))):
            for name in names:
                self.expect(kind, name, MAP)
        for name in ("x.bed", "x.tsv", "x.txt", "x.paf"):
            self.expect_refused(name, MAP, says=[".sam", ".bam", ".cram", "--format"])

    def test_option(self):
        """--format overrides the name."""
        for kind, call, words, names in (("tsv", MOTIF, ["--format", "tsv"], ("x.bed", "x.csv", "x")), ("bed", MATCH, ["--format", "bed"], ("x.bam", "x.txt")),
                                         ("sam", MAP, ["--format", "sam"], ("x.bam", "x.paf")), ("bam", MATCH, ["--format", "bam"], ("x.bam.gz",))):
            for name in names:
                self.expect(kind, name, call, *words)

    def test_count(self):
        for call in (MOTIF, MATCH):
            for kind, names in (("count", ("x", "x.tsv", "x.txt", "x.7")), ("count.gz", ("x.tsv.gz", "x.txt.gz"))):
                for name in names:
                    self.expect(kind, name, call, "--count")
            for name in ("x.bed", "x.sam", "x.json"):
                self.expect_refused(name, call, "--count", says=["cannot write", ".tsv, .txt, .csv or .jsonl"])
            self.expect("count", "x.bed", call, "--count", "--format", "tsv")
            done = self.call(*call, "--count", "--format", "bed")
            self.assertEqual((done.returncode, done.stdout), (2, b""), done.stderr)
            self.assertIn(b"--count", done.stderr)

    def test_streams(self):
        """They have no ending."""
        os.mkfifo(self.folder / "x.bam")
        reader = os.open(self.folder / "x.bam", os.O_RDONLY | os.O_NONBLOCK)
        try:
            done = self.call(*MOTIF, "--max-hits", "1", "-o", "x.bam")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(os.read(reader, 1000).startswith(b"NC_001416.1"))
        finally:
            os.close(reader)
        for name in ("-", "/dev/stdout", "/dev/null"):
            self.assertEqual(self.call(*MATCH, "-o", name).returncode, 0, name)

    def test_merge(self):
        """The name chooses the format of what merge writes, as that of a run, and counts more than the format of the chunks."""
        for call, words in ((MOTIF, []), (MOTIF, ["--format", "tsv"]), (MOTIF, ["--count"]), (MATCH, []), (MATCH, ["--format", "bam"])):
            parts = [f"part{i}.bsp" for i in (1, 2)]
            for i, part in enumerate(parts, 1):
                done = self.call(*call, *words, "--chunk", f"{i}/2", "-o", part)
                self.assertEqual(done.returncode, 0, done.stderr)
            merge = ("merge", *parts)
            if "--count" in words:
                for kind, name in (("count", "x"), ("count", "x.tsv"), ("count", "x.txt"), ("count.gz", "x.txt.gz")):
                    self.expect(kind, name, merge)
                self.expect_refused("x.bed", merge, says=["cannot write .bed"])
                continue
            default = words[1] if words else "bed" if call is MOTIF else "sam"
            for kind, name in ((default, "x"), (default, "x.7"), ("tsv", "x.tsv"), ("bed", "x.bed"), ("bed.gz", "x.BED.gz")):
                self.expect(kind, name, merge)
            if call is MATCH:
                self.expect("sam", "x.sam", merge)
                self.expect("bam", "x.bam", merge)
            else:
                self.expect_refused("x.bam", merge, says=["cannot write .bam"])
            self.expect_refused("x.json", merge, says=["cannot write .json"])
            self.expect_refused("x.bsp", merge, says=["cannot write .bsp"])

    def test_plan(self):
        for name in ("x", "x.tsv", "x.txt", "x.plan"):
            self.expect("plan", name, ("plan", "-n", "2", LAMBDA))
        self.expect_refused("x.bed", ("plan", "-n", "2", LAMBDA), says=["a plan", ".tsv"])
