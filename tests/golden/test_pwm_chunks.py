"""`pwm --chunk` and `merge`: FASTQ, plans with regions, reports, messages. Random texts are cut in test_pwm."""
import json
import random

from chunk_support import fai, fasta
from map_support import SEED, random_bases
from matrix_files import jaspar
from naive_pwm import bits
from support import without_origin
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
            self.check_merged(3, [*self.words, *more, "r.fq"])

    def test_plan_with_regions(self):
        records = [("a", random_bases(self.rng, 900)), ("b", random_bases(self.rng, 50)), ("c", random_bases(self.rng, 700))]
        self.file("g.fa", fasta(records))
        self.file("in.bed", "a\t40\t60\na\t300\t800\nc\t10\t690\n")
        for index in (False, True):
            if index:
                self.file("g.fa.fai", fai(records))
            self.run_here("--regions-file", "in.bed", "--chunks", "3", "g.fa", "-o", "plan.tsv", "-q", command="plan")
            for more in (["--table", "count"], ["--table", "score"], ["--report", "best-per-record"]):
                merged = self.joined(*self.words, *more, "g.fa", command="pwm", chunks=3, plan="plan.tsv")
                whole = self.pwm(*self.words, *more, "-q", "--regions-file", "in.bed", "g.fa")
                self.assertEqual(merged, whole, (index, more))
                if "--table" in more:
                    self.assertEqual([line.split("\t")[0] for line in whole.splitlines()], ["record", "a", "c"])

    def test_equal_bits(self):
        """Scores of two chunks that print alike are compared exactly."""
        self.assertEqual(bits(21), bits(22))
        rates = [2 ** (steps / 1024) / 4 for steps in (22, 21)]
        self.file("near.meme", "MEME version 4\n\nMOTIF near\nletter-probability matrix: alength= 4 w= 1\n"
                  + " ".join(f"{rate:.9f}" for rate in (*rates, *[(1 - sum(rates)) / 2] * 2)) + "\n")
        words = ["-m", "near.meme", "--pseudocount", "0", "--background", "uniform", "--strand", "plus", "--score", "0.01", "g.fa"]
        for first, second in ("AC", "CA"):
            self.file("g.fa", fasta([("one", "G" * 100 + first + "G" * 100 + second + "G" * 100)]))
            rows = self.pwm(*words, "-q", "--columns", "matched,score", "--format", "csv").splitlines()[1:]
            self.assertEqual([row.split(",")[0] for row in rows], [first, second])
            self.assertEqual(len({row.split(",")[1] for row in rows}), 1)
            best = self.joined(*words, "--report", "best-per-record", "--columns", "matched", "--format", "csv", command="pwm")
            self.assertEqual(best, "matched\nA\n")
        records = [("one", random_bases(self.rng, 4000))]
        self.file("g.fa", fasta(records))
        self.file("g.fa.fai", fai(records))
        for form in ("bed", "tsv", "gff3", "fimo"):
            self.check_merged(9, ["-m", "some.jaspar", "-p", "1", "--report", "best-per-record", "--format", form, "g.fa"])

    def test_reports(self):
        """Those of tables and of best hits, where chunks cut records, are those of one run."""
        self.file("g.fa", fasta([("one", random_bases(self.rng, 2000))]))
        for more in (["--table", "count"], ["--table", "score"], ["--report", "best-per-record"], ["--count"], ["--format", "fimo"]):
            parts = self.check_merged(2, [*self.words, *more, "g.fa"])
            self.pwm(*self.words, *more, "g.fa", "-q", "--json", "whole.json", "-o", "whole")
            self.assertEqual(self.run_here(*parts, "-q", "--json", "merged.json", "-o", "merged", command="merge").returncode, 0)
            whole, merged = (json.loads((self.folder / name).read_text()) for name in ("whole.json", "merged.json"))
            self.assertEqual(without_origin(merged), without_origin(whole), more)

    def test_formats_of_tables(self):
        """merge writes a table as TSV, CSV or JSON lines, whatever the chunks were asked for."""
        self.file("g.fa", fasta([(name, random_bases(self.rng, 900)) for name in ("one", "two, too", 'th"ree')]))
        self.file("in.bed", "one\t40\t60\tx\none\t300\t800\ntwo,\t10\t690\n")
        for more in (["--table", "count"], ["--table", "score"], ["--table", "count", "--per-region", "--regions-file", "in.bed"]):
            for asked in ([], ["--format", "csv"]):
                parts = self.check_merged(3, [*self.words, *more, *asked, "g.fa"])
                for ending in ("tsv", "csv", "jsonl", "csv.gz"):
                    self.pwm(*self.words, *more, "g.fa", "-q", "-o", f"whole.{ending}")
                    self.assertEqual(self.run_here(*parts, "-q", "-o", f"merged.{ending}", command="merge").stderr, b"")
                    self.assertEqual((self.folder / f"merged.{ending}").read_bytes(), (self.folder / f"whole.{ending}").read_bytes(), (more, ending))

    def test_messages(self):
        self.file("g.fa", fasta([("one", random_bases(self.rng, 2000))]))
        for more, says in ((["--table", "count"], "--table and --write-index conflict"), (["--format", "fimo"], "--write-index needs a file of hits")):
            parts = self.check_merged(2, [*self.words, *more, "g.fa"])
            self.assertEqual(self.run_here(*parts, "-o", "all.tsv", command="merge").stderr, b"")
            self.refused(2, *parts, "--write-index", command="merge", files=("-o", "all.tsv.gz"), says=[says])
            self.refused(2, *self.words, *more, "g.fa", "--write-index", command="pwm", files=("-o", "all.tsv.gz"), says=[says])
        tables = self.check_merged(2, [*self.words, "--table", "count", "g.fa"])
        for more in (["--count"], ["--report", "best-per-record"], ["--non-overlapping"]):
            self.refused(2, *tables, *more, command="merge", files=("-o", "out.tsv"))
        hits = self.check_merged(2, [*self.words, "g.fa"])
        self.refused(2, *hits, "--table", command="merge", files=("-o", "out.tsv"))
