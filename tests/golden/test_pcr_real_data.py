"""`pcr` on real genomes: EMBOSS primersearch's 16S products of E. coli, the amplicons of ARTIC's schemes, and products of
16S genes against the hits of `match` (shared/data/INDEX.md)."""

import os
import pathlib
import re
import unittest

from pcr_support import PcrCase

DATA = pathlib.Path(os.environ.get("BASESWEEP_TEST_DATA") or "/nowhere")
ECOLI = DATA / "genomes/ecoli_K12_MG1655_NC_000913.3.fa.gz"
SARSCOV2 = DATA / "genomes/sarscov2_MN908947.3.fa.gz"
GENES = DATA / "genomes/rRNA16S_gold.fa.gz"
TRUTH = DATA / "truth/primersearch_16S_on_MG1655_10pct.txt"
ECOLI_BASES = 4_641_652


@unittest.skipUnless(os.environ.get("BASESWEEP_TEST_DATA"), "BASESWEEP_TEST_DATA is not set")
class RealData(PcrCase):
    def need(self, *paths):
        for path in paths:
            if not path.exists():
                self.skipTest(f"{path} is missing")

    def found(self, *words):
        head, *lines = [line.split("\t") for line in self.pcr("-q", *words).splitlines()]
        return [dict(zip(head, line)) for line in lines]

    def test_primersearch_16s(self):
        """All amplimers, of any length, and among them seven of 1,503 bases of 27F and 1492R."""
        pairs = TRUTH.with_name("primersearch_16S.in")
        self.need(ECOLI, TRUTH, pairs)
        expected, pair, start, left = [], "", 0, 0
        for line in TRUTH.read_text().splitlines():
            words = line.split()
            if line.startswith("Primer name"):
                pair = words[2]
            elif "hits forward strand" in line:
                start, left = int(words[5]) - 1, int(words[7])
            elif "hits reverse strand" in line:
                expected.append((pair, start, ECOLI_BASES - int(words[5].strip("[]")) + 1, left, int(words[7])))
        rows = self.found("-f", pairs, "-e", 0.1, "--max-indels", 0, "--size", 10_000_000, ECOLI)
        ours = []
        for row in rows:
            edits = [int(row["forward_edits"]), int(row["reverse_edits"])]
            ours.append((row["pair"], int(row["start"]), int(row["end"]), *edits[:: 1 if row["strand"] == "+" else -1]))
        self.assertEqual(len(expected), 54)
        self.assertEqual(sorted(ours), sorted(expected))
        full = self.found("-f", pairs, "-k", 2, ECOLI)
        self.assertEqual([row["size"] for row in full if row["pair"] == "full"], ["1503"] * 7)
        places = {(start, end) for name, start, end, *_ in expected if name == "full" and end - start == 1503}
        self.assertEqual({(int(r["start"]), int(r["end"])) for r in full if r["pair"] == "full"}, places)

    def scheme(self, bed):
        """The amplicons of a scheme, from the places in its BED; an alternative gives one more for each partner."""
        sides = {}
        for line in bed.read_text().splitlines():
            _, start, end, name, *_ = line.split("\t")
            number, side = re.match(r".*?_(\d+)_(LEFT|RIGHT)", name).groups()
            sides.setdefault((int(number), side), []).append(int(start if side == "LEFT" else end))
        numbers = sorted({number for number, _ in sides})
        self.assertGreater(len(numbers), 90)
        return [(n, a, b) for n in numbers for a in sides[n, "LEFT"] for b in sides[n, "RIGHT"]]

    def amplicons(self, primers):
        rows = self.found("-f", primers, "-k", 0, "--size", 1000, SARSCOV2)
        self.assertTrue(all(row["strand"] == "+" for row in rows))
        return [(int(re.search(r"_(\d+)", row["pair"]).group(1)), int(row["start"]), int(row["end"])) for row in rows]

    def test_artic(self):
        """Every amplicon of the schemes' BED, and no other. V4.1's 64_LEFT has a wrong place in its BED."""
        folder = DATA / "primers"
        for version, primers in (
            ("V1", "artic_V1.tsv"),
            ("V2", "artic_V2.tsv"),
            ("V3", "artic_V3.tsv"),
            ("V4", "artic_V4.primer.bed"),
            ("V4.1", "artic_V4.1.primer.bed"),
        ):
            bed = folder / f"artic_{version}.primer.bed"
            self.need(SARSCOV2, folder / primers, bed)
            with self.subTest(version):
                wrong = {64} if version == "V4.1" else set()
                expected = [one for one in self.scheme(bed) if one[0] not in wrong]
                found = [one for one in self.amplicons(folder / primers) if one[0] not in wrong]
                self.assertEqual(sorted(found), sorted(expected))

    def test_genes(self):
        """Products on 5,181 16S genes, of mixed case and with IUPAC letters, are the pairs of the hits of `match`."""
        self.need(GENES)
        primers = {"V4_F": "GTGYCAGCMGCCGCGGTAA", "V4_R": "GGACTACNVGGGTWTCTAAT"}
        self.file("p.tsv", "V4\t" + "\t".join(primers.values()) + "\n")
        self.file("m.tsv", "".join(f"{name}\t{letters}\n" for name, letters in primers.items()))
        limits = ("-k", 2, "--clamp-3prime", 3)
        done = self.run_here("-f", "m.tsv", *limits, "--palindromes", "both", "--format", "tsv", GENES, command="match")
        sites = {}
        for line in self.good(done).splitlines()[1:]:
            record, start, end, name, strand, edits, *_ = line.split("\t")
            sites.setdefault((record, name, strand), []).append((int(start), int(end), int(edits)))
        expected = []
        for (record, name, strand), lefts in sites.items():
            other, sign = ("V4_R", "+") if name == "V4_F" else ("V4_F", "-")
            for a in lefts if strand == "+" else []:
                for b in sites.get((record, other, "-"), []):
                    if a[0] <= b[0] and a[1] <= b[1] and b[1] - a[0] <= 5000:
                        edits = (a[2], b[2])[:: 1 if sign == "+" else -1]
                        expected.append((record, a[0], b[1], sign, *edits))
        ours = [
            (r["record"], int(r["start"]), int(r["end"]), r["strand"], int(r["forward_edits"]), int(r["reverse_edits"]))
            for r in self.found("-f", "p.tsv", *limits, GENES)
        ]
        self.assertGreater(len(ours), 4500)
        self.assertEqual(sorted(ours), sorted(expected))


if __name__ == "__main__":
    unittest.main()
