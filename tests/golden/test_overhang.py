"""`match --overhang`: what is written about hits that hang over the ends of records, and the options that conflict. Random cases
are in tests/conformance/test_match.cpp, chunks in test_chunks.py."""
import json
import os
import pathlib
import unittest

from match_support import MatchCase, fasta

PATTERN = "ACGTACGGTT"
HEAD = "record\tstart\tend\tpattern\tstrand\tedits\tindels\tcigar\tpattern_start\tpattern_end\tmatched\n"
DATA = os.environ.get("BASESWEEP_TEST_DATA")


class Overhang(MatchCase):
    def rows(self, letters, *words):
        self.file("r.fa", fasta([("r", letters)]))
        text = self.output("-p", PATTERN, *words, "r.fa", "--format", "tsv")
        self.assertTrue(text.startswith(HEAD), text)
        return [line.split("\t") for line in text[len(HEAD):].splitlines()]

    def test_either_end(self):
        right, left = "TTTTTTTTTTACGTAC", "GTACGTTTTTTTTTTT"
        plus = ["r", "10", "16", PATTERN, "+", "0", "0", "6=4S", "0", "6", "ACGTAC"]
        minus = ["r", "0", "6", PATTERN, "-", "0", "0", "4S6=", "0", "6", "ACGTAC"]
        self.assertEqual(self.rows(right, "-e", "0.1", "--overhang-3prime", "6", "--strand", "plus"), [plus])
        self.assertEqual(self.rows(left, "-e", "0.1", "--overhang-3prime", "6", "--strand", "minus"), [minus])
        self.assertEqual(self.rows(right, "-e", "0.1", "--overhang-3prime", "7"), [])
        self.assertEqual(self.rows(right, "-e", "0.1", "--overhang-5prime", "6", "--strand", "plus"), [])
        self.assertEqual(self.rows("GGTTCCCCCCCC", "-k", "0", "--overhang-5prime", "4", "--strand", "plus"),
                         [["r", "0", "4", PATTERN, "+", "0", "0", "6S4=", "6", "10", "GGTT"]])
        self.assertEqual(self.rows("TACG", "-k", "0", "--overhang", "4", "--strand", "plus"),
                         [["r", "0", "4", PATTERN, "+", "0", "0", "3S4=3S", "3", "7", "TACG"]])

    def test_edits_shrink(self):
        """Six bases inside may have floor(6 x 0.2) = 1 edit, or floor(2 x 6 / 10) = 1; four of them none."""
        for edits in (["-e", "0.2"], ["-k", "2"]):
            words = [*edits, "--overhang-3prime", "4", "--strand", "plus", "--max-indels", "0"]
            self.assertEqual([row[5:8] for row in self.rows("TTTTTTTTTTACGAAC", *words)], [["1", "0", "3=1X2=4S"]])
            self.assertEqual(self.rows("TTTTTTTTTTACGA", *words), [])

    def test_clamps_do_not_hang(self):
        words = ["-k", "0", "--overhang", "4", "--strand", "plus"]
        self.assertEqual(len(self.rows("TTTTTTTTTTACGTAC", *words, "--clamp-5prime", "2")), 1)
        self.file("r.fa", fasta([("r", "TTTTTTTTTTACGTAC")]))
        text = self.output("-p", PATTERN, *words, "--clamp-3prime", "1", "r.fa", "--format", "tsv")
        self.assertEqual(text.count("\n"), 1)

    def test_formats(self):
        self.file("r.fa", fasta([("r", "TTTTTTTTTTACGTAC")]))
        words = ("-p", PATTERN, "-k", "1", "--overhang-3prime", "5", "--strand", "plus", "r.fa", "--report", "best")
        self.assertEqual(self.output(*words, "--format", "bed"), f"r\t10\t16\t{PATTERN}\t600\t+\n")
        sam = self.output(*words, "--format", "sam").splitlines()
        self.assertEqual(sam[-1], f"{PATTERN}\t0\tr\t11\t255\t6M4S\t*\t0\t0\t{PATTERN}\t*\tNM:i:0\tMD:Z:6\tXE:i:0")
        self.assertIn("CL:basesweep match -k 1 --overhang-3prime 5 --report best --strand plus", sam[2])
        self.assertEqual(self.output(*words, "--count"), f"pattern\tstrand\tcount\n{PATTERN}\t+\t1\n")
        drawn = self.output(*words, "--format", "tsv", "--aligned", "--edit-columns").splitlines()
        row = dict(zip(drawn[0].split("\t"), drawn[1].split("\t")))
        self.assertEqual([row[name] for name in ("aligned_pattern", "aligned_text", "mismatches", "insertions", "deletions")],
                         [PATTERN, "ACGTAC....", "0", "0", "0"])
        self.output(*words, "--format", "tsv", "--json", "r.json")
        parameters = json.loads((self.folder / "r.json").read_text())["parameters"]
        self.assertEqual((parameters.get("overhang_5prime"), parameters["overhang_3prime"]), (None, 5))

    def test_conflicts(self):
        self.file("r.fa", ">r\nACGT\n")
        for words, says in ((["--overhang", "0"], b"--overhang"), (["--overhang", "5", "--overhang-3prime", "5"], b"--overhang")):
            done = self.run_here("-p", PATTERN, "-k", "1", *words, "r.fa")
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(says, done.stderr)

    @unittest.skipUnless(DATA, "BASESWEEP_TEST_DATA is not set")
    def test_adapters_in_reads(self):
        """Cut-off adapters on real reads: all of their hits lie at the reads' ends, and whole ones are those without overhang."""
        adapters, reads = pathlib.Path(DATA) / "primers/TruSeq3-SE.fa", pathlib.Path(DATA) / "reads/hiseq_multiplex_R1.fq.gz"
        if not (adapters.exists() and reads.exists()):
            self.skipTest(f"{DATA} lacks adapters or reads")
        words = ("-f", adapters, "-e", "0.1", "--strand", "plus", "--report", "all", reads)
        plain = [line.split("\t")[:8] for line in self.output(*words).splitlines()[1:]]
        hanging = [line.split("\t") for line in self.output(*words, "--overhang-3prime", "5").splitlines()[1:]]
        self.assertEqual([row[:8] for row in hanging if not row[7].endswith("S")], plain)
        self.assertTrue(all(row[2] == "100" and row[8] == "0" for row in hanging if row[7].endswith("S")))
        self.assertGreater(len(hanging), len(plain) + 5000)


if __name__ == "__main__":
    unittest.main()
