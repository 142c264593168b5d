"""What a command reads twice must not be a pipe; names with control characters do not reach rows of text."""
import os
import threading
import unittest

from chunk_support import fasta
from support import Case

MATRIX = ">m one\nA [ 9 0 1 8 ]\nC [ 0 9 1 1 ]\nG [ 1 0 8 0 ]\nT [ 0 1 0 1 ]\n"
GUIDE = "ACGTTACGTAGCATCATGAC"
ESCAPES = ("\x1b", "\x00", "\x07", "\x7f")


class PipesAndNames(Case):
    def setUp(self):
        super().setUp()
        self.file("m.jaspar", MATRIX)
        self.file("g.fa", fasta([("r", GUIDE + "TGG" + "ACGTACGA" * 4), ("none", "TTTT")]))
        self.file("r.bed", "r\t0\t20\tfirst\nr\t20\t50\tsecond\n")

    def refused(self, code, command, *words):
        done = self.run_here(*words, "-o", "out", command=command)
        self.assertEqual(done.returncode, code, f"{command} {words}: {done.stderr.decode()}")
        self.assertNotIn("out", self.listing())
        return done.stderr.decode()

    def pipe(self, name, content):
        """Makes a FIFO that gives the content once to whoever opens it first, and nothing to others."""
        os.mkfifo(self.folder / name)

        def feed():
            with open(self.folder / name, "wb") as file:
                file.write(content)

        threading.Thread(target=feed, daemon=True).start()
        return name

    def test_pipes(self):
        """The second reading would find nothing, or wait for ever."""
        bed = (self.folder / "r.bed").read_bytes()
        genome = (self.folder / "g.fa").read_bytes()
        words = ["-m", "m.jaspar", "-p", "0.1", "g.fa"]
        self.assertIn("--regions-file must be a file, not stdin or a pipe",
                      self.refused(2, "pwm", *words, "--table", "count", "--per-region", "--regions-file", self.pipe("p1", bed)))
        self.assertIn("--background input reads the input twice: it must be a file, not stdin or a pipe",
                      self.refused(2, "pwm", *words, "--background", "input", self.pipe("p2", genome)))
        self.assertIn("--design reads the input twice with these options: it must be a file, not stdin or a pipe",
                      self.refused(2, "guides", "--design", "--hits", "h.tsv", self.pipe("p3", genome)))
        self.run_here("-p", "ACGA", "g.fa", "--chunk", "1/1", "-o", "part.bsp")
        part = (self.folder / "part.bsp").read_bytes()
        self.assertIn("p4: a part must be a file: it may be read twice", self.refused(2, "merge", self.pipe("p4", part)))

    def test_records(self):
        """Records without hits have a row in the table of `pwm` too."""
        for letter in ESCAPES[:1] + ESCAPES[2:]:
            self.file("odd.fa", f">a\nACGT\n>b{letter}c\nTTTT\n")
            said = self.refused(3, "pwm", "-m", "m.jaspar", "--table", "count", "odd.fa")
            self.assertIn("odd.fa: record 'b", said)
            self.assertNotIn(letter, said)

    def test_regions(self):
        for letter in ESCAPES:
            self.file("odd.bed", f"r\t0\t20\tfirst\nr\t20\t50\tsec{letter}ond\n")
            said = self.refused(3, "pwm", "-m", "m.jaspar", "--table", "count", "--per-region", "--regions-file", "odd.bed", "g.fa")
            self.assertIn("odd.bed: region r:20-50: the name 'sec", said)
            self.assertNotIn(letter, said)
            self.assertEqual(self.run_here("-p", "ACGA", "--regions-file", "odd.bed", "g.fa", "-o", "out").returncode, 0)
            (self.folder / "out").unlink()

    def test_features(self):
        for letter in ESCAPES:
            for kind, name in ((f"ge{letter}ne", "x"), ("gene", f"x{letter}")):
                self.file("odd.gff3", f"##gff-version 3\nr\tx\texon\t1\t5\t.\t+\t.\tID=a\nr\tx\t{kind}\t1\t20\t.\t+\t.\tID={name}\n")
                said = self.refused(3, "guides", "-p", GUIDE, "--annotate", "odd.gff3", "g.fa")
                self.assertIn("odd.gff3: line 3: type or name", said)
                self.assertNotIn(letter, said)

    def test_pools(self):
        """`compile` would write a set that no command reads."""
        for letter in ESCAPES:
            for text in (f"name\tforward\treverse\tpool\np\tACGTTACGTAGC\tTCGTACGTTCGT\ta{letter}b\n",
                         f"name\tsequence\tpool\np_F\tACGTTACGTAGC\ta{letter}b\np_R\tTCGTACGTTCGT\ta{letter}b\n"):
                self.file("pairs.tsv", text)
                said = self.refused(3, "compile", "--pairs", "-f", "pairs.tsv", "-k", "0")
                self.assertIn("pairs.tsv: line 2: pool 'a", said)
                self.assertNotIn(letter, said)


if __name__ == "__main__":
    unittest.main()
