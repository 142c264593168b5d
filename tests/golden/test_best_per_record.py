"""`match --report best-per-record`: the columns and tags, what competes, what comes before and after it, many hits that wait,
and the options it conflicts with. Random cases are in tests/conformance/test_match.cpp, chunks in test_chunks.py."""
import gzip
import random
import unittest

from match_support import MatchCase, fasta, patterns_file
from support import environment

HEAD = "record\tstart\tend\tpattern\tstrand\tedits\tindels\tcigar\tbest\tnext_edits\tmatched\n"
ONE, TWO = "AAACCCGGGTACGATT", "CTTGACATTGCAAGCA"
READS = [("next", "GG" + ONE + "GCGTGC" + ONE[:7] + "T" + ONE[8:]), ("tie", ONE + "GCGCATATAT" + ONE), ("none", "GCGTATATATGCGCGTGC"),
         ("both", "TA" + ONE + "GCG" + TWO[:5] + "G" + TWO[6:]), ("worse", "GCGC" + TWO[:3] + "C" + TWO[4:] + "GCGC")]


class BestPerRecord(MatchCase):
    def setUp(self):
        super().setUp()
        self.file("p.tsv", patterns_file([("one", ONE), ("two", TWO)]))
        self.file("r.fa", fasta(READS))
        self.file("r.fq", "".join(f"@{name}\n{letters}\n+\n{'I' * len(letters)}\n" for name, letters in READS))
        self.words = ("-f", "p.tsv", "-k", "2", "--report", "best-per-record", "--strand", "plus")

    ROWS = [f"next\t2\t18\tone\t+\t0\t0\t16=\t1\t1\t{ONE}\n", f"tie\t0\t16\tone\t+\t0\t0\t16=\t2\t.\t{ONE}\n",
            f"tie\t26\t42\tone\t+\t0\t0\t16=\t2\t.\t{ONE}\n", f"both\t2\t18\tone\t+\t0\t0\t16=\t1\t.\t{ONE}\n",
            f"both\t21\t37\ttwo\t+\t1\t0\t5=1X10=\t1\t.\t{TWO[:5]}G{TWO[6:]}\n",
            f"worse\t4\t20\ttwo\t+\t1\t0\t3=1X12=\t1\t.\t{TWO[:3]}C{TWO[4:]}\n"]

    def test_columns(self):
        for name in ("r.fa", "r.fq"):
            for how in ([], ["--batch-bases", "7"], ["-t", "1"], ["-t", "5", "--batch-bases", "1"]):
                self.assert_same_text(self.output(*self.words, name, "--format", "tsv", *how), HEAD + "".join(self.ROWS), name)

    def test_patterns_compete(self):
        rows = [row for row in self.ROWS if not row.startswith("both\t21")]
        rows[3] = rows[3].replace("\t1\t.\t", "\t1\t1\t")
        found = self.output(*self.words, "--best-of", "record", "r.fq")
        self.assert_same_text(found, HEAD + "".join(rows), "record")
        found = self.output(*self.words, "--best-of", "pattern", "r.fq")
        self.assert_same_text(found, HEAD + "".join(self.ROWS), "pattern")

    def test_sam_tags(self):
        tags = [line.split("\t")[11:] for line in self.output(*self.words, "r.fa", "--rg", r"@RG\tID:x").splitlines()
                if not line.startswith("@")]
        self.assertEqual([tag[3:] for tag in tags], [["RG:Z:x", "XB:i:1", "XN:i:1"], ["RG:Z:x", "XB:i:2"], ["RG:Z:x", "XB:i:2"],
                                                     ["RG:Z:x", "XB:i:1"], ["RG:Z:x", "XB:i:1"], ["RG:Z:x", "XB:i:1"]])

    def test_after_and_before(self):
        """Masked hits do not compete; the limit on hits comes last."""
        masked = [(name, letters.lower() if name == "tie" else letters) for name, letters in READS]
        self.file("m.fa", fasta(masked))
        found = self.output(*self.words, "m.fa", "--format", "tsv", "--soft-masked", "skip")
        self.assert_same_text(found, HEAD + "".join(row for row in self.ROWS if not row.startswith("tie")), "masked")
        self.file("half.fa", fasta([("tie", READS[1][1][:20] + READS[1][1][20:].lower())]))
        found = self.output(*self.words, "half.fa", "--format", "tsv", "--soft-masked", "skip")
        self.assert_same_text(found, HEAD + self.ROWS[1].replace("\t2\t.", "\t1\t."), "half masked")
        found = self.output(*self.words, "-q", "r.fq", "--max-hits", "2")
        self.assert_same_text(found, HEAD + "".join(self.ROWS[:2]), "limit")
        found = self.output(*self.words, "r.fa", "--format", "tsv", "--region", "next:20-")
        self.assert_same_text(found, HEAD + self.ROWS[0].replace("\t2\t18", "\t24\t40").replace("\t0\t0\t16=\t1\t1", "\t1\t0\t7=1X8=\t1\t.")
                              .replace(ONE, ONE[:7] + "T" + ONE[8:]), "region")

    def test_count(self):
        self.assertEqual(self.output(*self.words, "r.fq", "--count"), "pattern\tstrand\tcount\none\t+\t4\ntwo\t+\t2\n")

    def test_several_sequences(self):
        """A site of one sequence that overlaps the best site of another sequence of the same pattern is no other site."""
        self.file("s.fa", fasta([("r", f"GG{ONE}GGGCCC")]))
        found = self.output("-p", f"both={ONE}|{ONE[1:9]}C{ONE[10:]}", *self.words[2:], "s.fa", "--format", "tsv")
        self.assert_same_text(found, HEAD + f"r\t2\t18\tboth\t+\t0\t0\t16=\t1\t.\t{ONE}\n", "sequences")

    def test_many_hits_wait(self):
        """More hits of one record than are kept in memory, with better ones at the end, and other records around it."""
        rng = random.Random(8)
        poly = "A" * 90000
        record = "".join(rng.choice("ACGT") for _ in range(50)) + poly + "C" + poly + "GGGGGGGGGGGGGAAAAAAATAAAAAAA"
        self.file("long.fa", f">a\nGATTACA\n>b\n{record}\n>c\nAAAAAAATAAAAAAA\n")
        words = ("-p", "AAAAAAATAAAAAAA", "-k", "1", "--max-indels", "0", "--strand", "plus", "--report", "best-per-record")
        whole = self.output(*words, "long.fa", "--format", "tsv", "--batch-bases", "5000")
        rows = [line.split("\t") for line in whole.splitlines()[1:]]
        self.assertEqual([(row[0], row[5], row[8], row[9]) for row in rows], [("b", "0", "1", "1"), ("c", "0", "1", ".")])
        ties = ("-p", "A" * 15, *words[2:])
        whole = self.output(*ties, "long.fa", "--format", "tsv", "--batch-bases", "5000")
        rows = [line.split("\t") for line in whole.splitlines()[1:]]
        count = 2 * (90000 - 14)
        self.assertEqual(len(rows), count + 1)
        self.assertEqual({tuple(row[8:10]) for row in rows[:count]}, {(str(count), "1")})
        for how in (["-t", "1"], ["-o", "x.tsv.gz"], ["--batch-bases", "100000"]):
            text = self.output(*ties, "long.fa", *how, *([] if "-o" in how else ["--format", "tsv"]))
            text = gzip.decompress((self.folder / "x.tsv.gz").read_bytes()).decode() if "-o" in how else text
            self.assert_same_text(text, whole, str(how))
        full = self.run_here(*ties, "long.fa", "--format", "tsv", "--batch-bases", "5000",
                             env=environment(TMPDIR=str(self.folder / "missing")))
        self.assertEqual(full.returncode, 4)

    def test_conflict(self):
        for words in (["--best-of", "record"], ["--best-of", "pattern", "--report", "best"]):
            done = self.run_here("-f", "p.tsv", "-k", "1", *words, "r.fa")
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(b"--best-of needs --report best-per-record", done.stderr)


if __name__ == "__main__":
    unittest.main()
