"""Real genomes: against seqkit locate, and against truth files made by comparing every window (shared/data/INDEX.md).

Where seqkit 2.3 and basesweep differ in meaning, so that only the rest can be compared (README.md has the list in full):
a palindrome is two hits in seqkit (as --palindromes both); its score is 0; its order is pattern by pattern, - from right to
left; upper and lower case differ without -i; codes in the motif count only with -d; -G leaves out overlapping hits; without
-d a motif's N stands for the letter N; - is not searched when the first record is empty.
"""
import gzip
import os
import pathlib
import shutil
import subprocess
import unittest

import naive
from support import Case, devices

DATA = os.environ.get("BASESWEEP_TEST_DATA")
SEQKIT = os.environ.get("BASESWEEP_SEQKIT") or shutil.which("seqkit")

SITES = ["GAATTC", "GATATC", "TTGACA", "GCTGGTGG", "GGTCTCAA", "CAGCTGGCG", "TGGTGGCGCTGA", "AAAAAA"]
CODES = ["GANTC", "CCWGG", "RAATTY", "GTYRAC", "TANNNTGCNGA", "BVHDNWSKMRYA"]


def data_file(name):
    return pathlib.Path(DATA) / name


@unittest.skipUnless(DATA, "BASESWEEP_TEST_DATA is not set")
class RealData(Case):
    def need(self, *names):
        for name in names:
            if not data_file(name).exists():
                self.skipTest(f"{data_file(name)} is missing")

    def found(self, patterns, genome, *arguments):
        """Returns {(pattern, record, start, end, strand)} of the output; checks that it is sorted and has no duplicates."""
        self.file("patterns.tsv", "".join(f"{name}\t{motif}\n" for name, motif in patterns))
        order = {name: i for i, (name, _) in enumerate(patterns)}
        sets = []
        for device in devices():
            text = self.output("-f", "patterns.tsv", "--palindromes", "both", "--device", device, data_file(genome), *arguments)
            rows = [line.split("\t") for line in text.splitlines()]
            records = {name: i for i, name in enumerate(dict.fromkeys(row[0] for row in rows))}
            keys = [(records[r], int(start), int(end), strand, order[name]) for r, start, end, name, _, strand in rows]
            self.assertTrue(all(a < b for a, b in zip(keys, keys[1:])), f"{device}: not in order")
            sets.append({(row[3], row[0], int(row[1]), int(row[2]), row[5]) for row in rows})
            self.assertEqual(sets[-1], sets[0], device)
        return sets[0]

    def assert_same_hits(self, found, expected, about):
        missing, wrong = sorted(expected - found), sorted(found - expected)
        self.assertFalse(missing or wrong, f"{about}: missing {missing[:5]} ({len(missing)}), wrong {wrong[:5]} ({len(wrong)})")
        self.assertGreater(len(found), 0, about)

    # seqkit

    def seqkit(self, patterns, genome, *arguments):
        if not SEQKIT:
            self.skipTest("seqkit is not installed (Debian package seqkit)")
        self.file("seqkit.fa", "".join(f">{name}\n{motif}\n" for name, motif in patterns))
        text = subprocess.run([SEQKIT, "locate", "--bed", "-i", *arguments, "-f", "seqkit.fa", data_file(genome)], check=True,
                              cwd=self.folder, stdout=subprocess.PIPE).stdout.decode()
        rows = [line.split("\t") for line in text.splitlines()]
        hits = {(row[3], row[0], int(row[1]), int(row[2]), row[5]) for row in rows}
        self.assertEqual(len(hits), len(rows), "seqkit repeats hits")
        return hits

    def compare_with_seqkit(self, motifs, genome, *arguments):
        self.need(genome)
        patterns = [(motif, motif) for motif in motifs]
        found = self.found(patterns, genome)
        self.assert_same_hits(found, self.seqkit(patterns, genome, *arguments), genome)
        once = self.output("-f", "patterns.tsv", data_file(genome)).count("\n")
        palindromes = sum(hit[4] == "-" and naive.strands_of(hit[0]) == ["+"] for hit in found)
        self.assertEqual(once, len(found) - palindromes)

    def test_seqkit_acgt_ecoli(self):
        self.compare_with_seqkit(SITES, "genomes/ecoli_K12_MG1655_NC_000913.3.fa.gz")

    def test_seqkit_iupac_ecoli(self):
        self.compare_with_seqkit(CODES, "genomes/ecoli_K12_MG1655_NC_000913.3.fa.gz", "-d")

    def test_seqkit_iupac_letters_in_the_text(self):
        """35 IUPAC letters and 2 N in two chromosomes."""
        self.compare_with_seqkit(["GANTC", "NNNNGATC"], "genomes/vcholerae_N16961.fa.gz", "-d")

    # truth files

    def truth(self, name):
        """Returns the rows of a truth file as dictionaries."""
        path = data_file("truth/" + name)
        text = (gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()).decode()
        head, *rows = [line.split("\t") for line in text.splitlines()]
        return [dict(zip(head, row)) for row in rows]

    def compare_with_truth(self, patterns, genome, truth):
        """The rows with 0 mismatches are exactly the hits on both strands."""
        self.need(genome, "truth/" + truth)
        expected = {(row["pattern"], row["record"], int(row["start0"]), int(row["end0"]), row["strand"])
                    for row in self.truth(truth) if row["mismatches"] == "0"}
        self.assert_same_hits(self.found(patterns, genome), expected, truth)

    def restriction_sites(self):
        self.need("truth/restriction_sites_14.tsv")
        return [tuple(line.split("\t")) for line in data_file("truth/restriction_sites_14.tsv").read_text().splitlines()]

    def test_restriction_sites_on_lambda(self):
        self.compare_with_truth(self.restriction_sites(), "genomes/lambda_NC_001416.1.fa.gz", "restriction_sites_on_lambda.tsv")

    def test_restriction_sites_on_phix(self):
        self.compare_with_truth(self.restriction_sites(), "genomes/phix174_NC_001422.1.fa.gz", "restriction_sites_on_phix.tsv")

    def test_ce2dict0_on_celegans(self):
        self.need("motifs/ce2dict0.fa")
        patterns = naive.read_fasta(data_file("motifs/ce2dict0.fa").read_text())
        self.compare_with_truth(patterns, "genomes/celegans_ce2_chrX.fa.gz", "ce2dict0_on_celegans_chrX_k2.tsv")

    def test_20_guides_on_chrx(self):
        """The file lists its guides by their sequence; each has an exact hit."""
        self.need("truth/KY_20guides_on_chrX_k3.tsv")
        guides = dict.fromkeys(row["pattern"] for row in self.truth("KY_20guides_on_chrX_k3.tsv"))
        self.assertEqual(len(guides), 20)
        self.compare_with_truth([(g, g) for g in guides], "genomes/human_hs37_chrX_70Mb.fa.gz", "KY_20guides_on_chrX_k3.tsv")

    def test_all_guides(self):
        """Published places of single guides: all must be among the hits (a guide may have more than its own place)."""
        def place_on_chrx(pattern, record, start, end, strand):
            return pattern, start, end, strand

        def place_on_chr22(pattern, record, start, end, strand):
            """Records are parts of the chromosome, named Hsap.22:START-END, START 0-based."""
            begin = int(record.split(":")[1].split("-")[0])
            return pattern, begin + start, begin + end, strand

        for truth, genome, place in (
                ("KY_guides_chrX_GRCh37_sites.tsv.gz", "genomes/human_hs37_chrX_70Mb.fa.gz", place_on_chrx),
                ("KY_guides_chr22_GRCh37_sites.tsv.gz", "genomes/human_GRCh37_chr22_blocks_softmasked.fa.gz", place_on_chr22)):
            self.need("truth/" + truth, genome)
            rows = self.truth(truth)
            guides = dict.fromkeys(row["seq"] for row in rows)
            found = {place(*hit) for hit in self.found([(guide, guide) for guide in guides], genome)}
            expected = {(row["seq"], int(row["start0"]), int(row["end0"]), row["strand"]) for row in rows}
            self.assertFalse(expected - found, f"{truth}: missing {sorted(expected - found)[:5]}")
            self.assertGreater(len(expected), 1400)


if __name__ == "__main__":
    unittest.main()
