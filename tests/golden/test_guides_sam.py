"""SAM and BAM of `guides --hits`: the places of TSV, checked with samtools."""
import random
import unittest

import sam_tools
from map_support import SEED
from test_guides import GuidesCase

PAM = "NGG"


@unittest.skipUnless(sam_tools.have_samtools(), "samtools is not installed (Debian package samtools)")
class Sam(GuidesCase):
    WORDS = ["-f", "library.tsv", "-m", 3, "--max-dna-bulges", 1, "--max-rna-bulges", 2, "-o", "t.tsv"]

    def alignments(self, name):
        return [line.split("\t") for line in sam_tools.sam_lines(self.folder / name) if not line.startswith("@")]

    def check(self, name):
        path = self.folder / name
        self.assertIsNone(sam_tools.check_quick(path))
        self.assertIsNone(sam_tools.check_calmd(path, self.folder / "g.fa"))
        if path.suffix == ".bam":  # an index needs sorted BAM
            self.assertEqual(sam_tools.call("samtools", "index", path).returncode, 0)

    def as_places(self, name):
        """The alignments as rows of TSV."""
        rows, seen = [], set()
        for fields in self.alignments(name):
            tags = dict(field.split(":", 2)[::2] for field in fields[11:])
            flag = int(fields[1])
            self.assertEqual(flag & 256 == 0, fields[0] not in seen)
            seen.add(fields[0])
            runs = sam_tools.CIGAR_RUN.findall(fields[5])
            dna, rna = (sum(int(length) for length, op in runs if op == kind) for kind in "DI")
            self.assertEqual((tags.get("XD", "0"), tags.get("XR", "0")), (str(dna), str(rna)))
            self.assertEqual(int(tags["XE"]), int(tags["XM"]) + dna + rna)
            self.assertEqual(int(tags["NM"]), int(tags["XE"]) + 1, "the N of the PAM is a difference")
            rows.append((fields[0], fields[2], str(int(fields[3]) - 1), "-" if flag & 16 else "+", tags["XM"], str(dna + rna),
                         "DNA" if dna else "RNA" if rna else "X", tags.get("YM"), tags["YC"]))
        return rows

    def expected(self, name):
        def score(text):
            return None if text == "." else f"{float(text):g}"
        return [(hit["#Id"], hit["Chromosome"], hit["Location"], hit["Direction"], hit["Mismatches"], hit["Bulge Size"], hit["Bulge type"],
                 score(hit["MIT"]), score(hit["CFD"])) for hit in self.hits(name)]

    def test_places(self):
        for case in range(3):
            self.library(random.Random(SEED + case))
            self.guides(*self.WORDS, "g.fa", "--hits", "h.tsv")
            self.assertTrue({"X", "DNA", "RNA"} <= {hit["Bulge type"] for hit in self.hits("h.tsv")})
            for name in ("h.sam", "h.bam", "h.sam.gz"):
                self.guides(*self.WORDS, "g.fa", "--hits", name, "--batch-bases", random.Random(case).randint(20, 500), "-t", 3)
                self.check(name)
                self.assertEqual(self.as_places(name), self.expected("h.tsv"))
            self.assertEqual(sam_tools.sam_lines(self.folder / "h.bam"), (self.folder / "h.sam").read_text().splitlines())

    def test_other_side(self):
        """With its PAM at the 5' end a guide follows it in SEQ."""
        guide = "GACGTTACCATGGCATTGCA"
        self.write("g.fa", f">r\nAATTTC{guide}CCTGCAATGCCATGGTAACGTCCAAA\n")
        self.guides("-p", guide, "--pam", "TTTV", "--pam-side", "5prime", "-m", 0, "g.fa", "--hits", "h.sam", "--eqx", "-q")
        self.assertEqual([[fields[1], fields[3], fields[5], fields[9]] for fields in self.alignments("h.sam")],
                         [["0", "3", "24=", "TTTV" + guide], ["272", "29", "24=", "TGCAATGCCATGGTAACGTCBAAA"]])
        self.check("h.sam")

    def test_header(self):
        """The header does not depend on an index, and lists what is asked for."""
        self.library(random.Random(SEED))
        self.guides(*self.WORDS, "g.fa", "--hits", "with.bam", "-R", "@RG\\tID:x\\tSM:y")
        lines = sam_tools.sam_lines(self.folder / "with.bam")
        self.assertIn("@RG\tID:x\tSM:y", lines)
        self.assertIn("CL:basesweep guides --pam NGG -m 3 --max-dna-bulges 1 --max-rna-bulges 2", lines[4])
        self.assertTrue(lines[-1].split("\tRG:Z:x")[1].startswith("\tXM:i:"))
        (self.folder / "g.fa.fai").unlink()
        for source in ("g.fa", "-"):
            given = (self.folder / "g.fa").read_bytes() if source == "-" else None
            self.guides(*self.WORDS, source, "--hits", "without.bam", "-R", "@RG\\tID:x\\tSM:y", stdin=given)
            self.assertEqual(sam_tools.sam_lines(self.folder / "without.bam"), lines)

    def test_chunks(self):
        """`merge` makes the alignments of one run from those of chunks, with one primary alignment of each guide."""
        self.library(random.Random(SEED + 1))
        for i in (1, 2, 3):
            self.guides(*self.WORDS[:-2], "g.fa", "--hits", "h.tsv", "-o", f"{i}.bsp", "--chunk", f"{i}/3")
        for more in ([], ["--eqx"], ["--no-PG", "-R", "@RG\\tID:x\\tSM:y"]):
            for form in ("sam", "bam", "sam.gz"):
                self.guides(*self.WORDS, "g.fa", "--hits", f"whole.{form}", *more)
                self.assertEqual(self.merge("2.bsp", "1.bsp", "3.bsp", "--hits", f"merged.{form}", *more).encode(), self.read("t.tsv"))
                self.assertEqual(self.read(f"merged.{form}"), self.read(f"whole.{form}"))

    def test_refused(self):
        self.library(random.Random(SEED))
        for word in ("--eqx", "--no-PG"):
            self.assertIn("--eqx, --no-PG and -R need --hits FILE.sam, FILE.bam or FILE.cram", self.bad(*self.WORDS, "g.fa", "--hits", "h.tsv", word, code=2))
        self.write("r.fq", "@r\nACGT\n+\nIIII\n")
        self.assertIn("this is FASTQ", self.bad(*self.WORDS, "r.fq", "--hits", "h.sam", code=2))
        self.assertFalse((self.folder / "h.sam").exists())
        self.guides(*self.WORDS[:-2], "r.fq", "--hits", "h.tsv", "--chunk", "1/1", "-o", "p.bsp", "-q")
        for form in ("sam", "bam"):
            done = self.run_here("p.bsp", "-o", "t.tsv", "--hits", f"m.{form}", command="merge")
            self.assertEqual((done.returncode, (self.folder / f"m.{form}").exists()), (2, False))
            self.assertIn("this is FASTQ", done.stderr.decode())
        self.assertIn("are both 'a_b' in SAM",
                      self.bad("-p", "a b=" + "ACGT" * 5, "-p", "a_b=" + "TTGT" * 5, "g.fa", "--hits", "h.sam", code=2))
