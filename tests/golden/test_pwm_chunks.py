"""`pwm --chunk` and `merge`: FASTQ, plans with regions, reports, messages. Random texts are cut in test_pwm."""
import random

from chunk_support import fai, fasta
from map_support import SEED, random_bases
from matrix_files import jaspar
from naive_pwm import bits
from test_pwm import PwmCase, counts


class Chunks(PwmCase):
    """Chunks of FASTQ, of a plan with regions, and reads that have no hit."""

    def setUp(self):
        super().setUp()
        self.rng = random.Random(SEED)
        self.matrices = [counts(self.rng, number, 4 + number) for number in range(3)]
        self.file("some.jaspar", jaspar(self.matrices))
        self.words = ["-m", "some.jaspar", "-p", "0.01"]

    def test_fastq(self):
        reads = [(f"r{i}", random_bases(self.rng, self.rng.choice([0, 30, 30, 80]))) for i in range(41)]
        self.file("r.fq", "".join(f"@{name}\n{bases}\n+\n{'I' * len(bases)}\n" for name, bases in reads))
        for more in (["--table", "score"], ["--table", "count"], ["--report", "best-per-record"],
                     ["--report", "best-per-record", "--max-hits", "7", "--format", "tsv"], ["--format", "fimo"]):
            self.check_merged(3, "out", [*self.words, *more, "r.fq"])

    def test_plan_with_regions(self):
        records = [("a", random_bases(self.rng, 900)), ("b", random_bases(self.rng, 50)), ("c", random_bases(self.rng, 700))]
        self.file("g.fa", fasta(records))
        self.file("in.bed", "a\t40\t60\na\t300\t800\nc\t10\t690\n")
        for index in (False, True):
            if index:
                self.file("g.fa.fai", fai(records))
            self.run_here("--regions-file", "in.bed", "--chunks", "3", "g.fa", "-o", "plan.tsv", "-q", command="plan")
            for more in (["--table", "count"], ["--table", "score"], ["--report", "best-per-record"]):
                parts = []
                for i in (1, 2, 3):
                    chunk = ["--plan", "plan.tsv", "--chunk", f"{i}/3", "-q"]
                    parts.append(self.file(f"p{i}", self.pwm(*self.words, *more, *chunk, "g.fa")))
                merged = self.run_here(*parts, "-q", command="merge").stdout.decode()
                whole = self.pwm(*self.words, *more, "-q", "--regions-file", "in.bed", "g.fa")
                self.assertEqual(merged, whole, (index, more))
                if "--table" in more:
                    self.assertEqual([line.split("\t")[0] for line in whole.splitlines()], ["record", "a", "c"])

    def test_equal_bits(self):
        """Scores of two chunks that print alike are compared exactly."""
        self.assertEqual(bits(21), bits(22))
        for steps in ((21, 22), (22, 21)):
            lines = []
            for i, score in enumerate(steps, 1):
                label = f"#basesweep-part\t0.1.0\tcommand=pwm report=best-per-record output=bed records=cut\t0\t{i}/2"
                lines.append(f"one\t{i}\t{i + 9}\tm\t100\t+")
                self.file(f"p{i}", f"{label}\n{lines[-1]}\t0\t0\t{score}\n#basesweep-end\thits=1\n")
            merged = self.run_here("p1", "p2", "-q", command="merge")
            self.assertEqual(merged.stdout.decode(), lines[steps.index(22)] + "\n")
        records = [("one", random_bases(self.rng, 4000))]
        self.file("g.fa", fasta(records))
        self.file("g.fa.fai", fai(records))
        for form in ("bed", "tsv", "gff3", "fimo"):
            self.check_merged(9, form, ["-m", "some.jaspar", "-p", "1", "--report", "best-per-record", "--format", form, "g.fa"])

    def test_reports(self):
        """Those of tables add up; those of best hits do not where chunks cut records."""
        self.file("g.fa", fasta([("one", random_bases(self.rng, 2000))]))
        for more, code in ((["--table", "count"], 0), (["--report", "best-per-record"], 3)):
            for i in (1, 2):
                self.pwm(*self.words, *more, "g.fa", "-q", "--chunk", f"{i}/2", "--json", f"{i}.json", "-o", "x.tsv" if code == 0 else "x.bed")
            merged = self.run_here("1.json", "2.json", "-q", command="merge")
            self.assertEqual(merged.returncode, code, merged.stderr.decode())
            if code:
                self.assertIn(b"merge the hits instead", merged.stderr)

    def test_messages(self):
        self.file("g.fa", fasta([("one", random_bases(self.rng, 2000))]))
        for more in (["--table", "count"], ["--format", "fimo"]):
            parts = [self.file(f"p{i}", self.pwm(*self.words, *more, "g.fa", "-q", "--chunk", f"{i}/2")) for i in (1, 2)]
            self.assertEqual(self.run_here(*parts, "-o", "all.tsv", command="merge").stderr, b"")
            self.assertIn(b"--write-index: ", self.run_here(*parts, "-o", "all.tsv.gz", "--write-index", command="merge").stderr)
