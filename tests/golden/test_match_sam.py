"""SAM and BAM of `basesweep match`, checked with samtools and Picard."""
import gzip
import random
import unittest

import naive
import naive_match
import sam_tools
from match_support import MatchCase, fasta, patterns_file
from naive_match import Rules
from support import LAMBDA

MOTIFS = [("515F", "GTGYCAGCMGCCGCGGTAA"), ("806R", "GGACTACNVGGGTWTCTAAT"), ("plain", "ACGTTGCATTGACCAGT"), ("EcoRI", "GAATTC"),
          ("n", "ACNNGT"), ("uracil", "GAUUACAGAUU")]


def reference():
    """Returns records with N, IUPAC letters, lower case, and changed copies of the patterns on both strands, also at the ends."""
    rng = random.Random(11)

    def some(count):
        return "".join(rng.choice("ACGT") for _ in range(count))

    def copy(motif, edits):
        letters = [rng.choice(naive.MEMBERS[code]) for code in motif]
        for _ in range(edits):
            i = rng.randrange(1, len(letters) - 1)
            letters[i] = rng.choice(["", letters[i] + rng.choice("ACGT"), rng.choice("ACGTNRYKMSWBDHV")])
        text = "".join(letters)
        return text if rng.random() < 0.5 else naive_match.reverse_complement(text)

    records = []
    for number in range(4):
        text = copy(MOTIFS[0][1], 1)[1:]
        for _ in range(12):
            text += some(20) + copy(rng.choice(MOTIFS)[1], rng.randrange(4))
        text += rng.choice(["N" * 30, "ACRYSWKMBDHVNACGT"]) + copy(MOTIFS[number][1], 0)
        records.append((f"ref|{number}|", text if number != 2 else text.lower()))
    return records + [("bases", "ACGT")]


@unittest.skipUnless(sam_tools.have_samtools(), "samtools is not installed (Debian package samtools)")
class Samtools(MatchCase):
    CALLS = [["-k", "3"], ["-k", "3", "--report", "all"], ["-k", "2", "--report", "minima", "--eqx"],
             ["-e", "0.2", "--clamp-3prime", "3", "--report", "best"], ["-k", "4", "--max-indels", "0", "--strand", "minus"]]

    def setUp(self):
        super().setUp()
        self.file("r.fa", fasta(reference()))
        self.file("p.tsv", patterns_file(MOTIFS))
        self.assertGreater(len(naive_match.search(reference(), MOTIFS[:1], Rules(k=3))), 3)

    def check(self, path, source="r.fa", picard=False):
        path, source = self.folder / path, self.folder / source
        self.assertIsNone(sam_tools.check_quick(path), path)
        self.assertIsNone(sam_tools.check_calmd(path, source), path)
        if path.suffix == ".bam":  # an index needs sorted BAM
            self.assertEqual(sam_tools.call("samtools", "index", path).returncode, 0, path)
        if picard:
            self.assertIsNone(sam_tools.check_picard(path, source), path)

    def test_quickcheck_and_calmd(self):
        for call in self.CALLS:
            for output in ("h.sam", "h.bam", "h.sam.gz"):
                self.output("-f", "p.tsv", *call, "r.fa", "-o", output)
                self.check(output)

    def test_bam_holds_what_sam_holds(self):
        for call in self.CALLS:
            self.output("-f", "p.tsv", *call, "r.fa", "-o", "h.bam")
            self.output("-f", "p.tsv", *call, "r.fa", "-o", "h.sam")
            self.assert_same_text("\n".join(sam_tools.sam_lines(self.folder / "h.bam")),
                                  (self.folder / "h.sam").read_text().rstrip("\n"), call)

    def test_read_group(self):
        for output in ("h.sam", "h.bam"):
            self.output("-p", "GAATTC", "-k", "0", "r.fa", "-o", output, "-R", "@RG\tID:one\\tPL:ONT")
            lines = sam_tools.sam_lines(self.folder / output)
            self.assertEqual([line for line in lines if line.startswith("@RG")], ["@RG\tID:one\tPL:ONT"])
            hits = [line for line in lines if not line.startswith("@")]
            self.assertTrue(hits)
            self.assertTrue(all(line.endswith("\tRG:Z:one") for line in hits))
        for bad in ("ID:one", "@RG", r"@RG\tSM:x", r"@RG\tID:", r"@RG\tID:one\tx", "@RG\tID:a\nb"):
            self.refused(2, "-p", "GAATTC", "-k", "0", "r.fa", "--format", "sam", "-R", bad, says=["read group", "@RG"])

    @unittest.skipUnless(sam_tools.have_picard(), "Picard is not installed (Debian package picard-tools)")
    def test_picard(self):
        for call in (self.CALLS[1], self.CALLS[2]):
            self.output("-f", "p.tsv", *call, "r.fa", "-o", "h.bam", "-R", r"@RG\tID:one\tSM:made\tPL:ILLUMINA")
            self.check("h.bam", picard=True)
            # calmd and Picard differ for a pattern with N and for N in the text.
            differing = sam_tools.n_on_n(self.folder / "h.bam", self.folder / "r.fa")
            lines = [line for line in sam_tools.sam_lines(self.folder / "h.bam") if not line.startswith("@")]
            names = {lines[number - 1].split("\t")[0] for number in differing}
            self.assertTrue(names, call)
            self.assertLessEqual(names, {"n", "806R"}, call)

    @unittest.skipUnless(sam_tools.have_picard(), "Picard is not installed (Debian package picard-tools)")
    def test_nothing_found(self):
        """A header without alignments, or without records."""
        for text in (">r\nAAAAAAAA\n", ""):
            self.file("e.fa", text)
            for output in ("h.sam", "h.bam"):
                self.output("-q", "-p", "GTGCCAGC", "-k", "1", "e.fa", "-o", output)
                self.assertEqual(len(sam_tools.sam_lines(self.folder / output)), 3 if text else 2)
                if text:  # quickcheck rejects every file without references
                    self.assertIsNone(sam_tools.check_quick(self.folder / output))
                    self.assertIsNone(sam_tools.check_picard(self.folder / output, self.folder / "e.fa"))

    def test_gaps_in_the_text(self):
        self.file("gaps.fa", ">gaps\nACGAA-TTCGAATTC*GAATTC.GA\n>plain\nGAATTC\n")
        self.output("-p", "GAATTC", "-k", "2", "--report", "all", "gaps.fa", "-o", "h.bam")
        self.check("h.bam", "gaps.fa")

    def test_rna(self):
        """U in the text is T: NM and MD are what calmd computes for the same text with T."""
        rna = ">rna\nACGAAUUCACGUUGAUUACAGAUUAC\n"
        self.file("rna.fa", rna)
        self.file("dna.fa", rna.replace("U", "T"))
        for call in (["-k", "0"], ["-k", "2", "--report", "all"]):
            self.output("-f", "p.tsv", *call, "rna.fa", "-o", "h.bam")
            self.check("h.bam", "dna.fa")

    def real_genome(self, *call):
        self.file("lambda.fa", gzip.decompress(LAMBDA.read_bytes()))
        letters = naive.read_fasta((self.folder / "lambda.fa").read_text())[0][1]
        self.file("many.tsv", patterns_file([(f"p{i}", letters[997 * i:997 * i + 20 + 10 * (i % 8)]) for i in range(40)]))
        self.output("-f", "many.tsv", *call, "lambda.fa", "-o", "h.bam")
        self.check("h.bam", "lambda.fa", picard=sam_tools.have_picard())

    def test_real_genome(self):
        self.real_genome("-k", "4")

    def test_real_genome_with_many_edits(self):
        """Up to 22."""
        self.real_genome("-e", "0.25")


if __name__ == "__main__":
    unittest.main()
