"""`pcr` against other programs where they mean the same: ipcress (exonerate), primersearch (EMBOSS), seqkit amplicon.
docs/comparison.md lists where they do not."""

import os
import random
import shutil
import subprocess
import unittest

from chunk_support import fasta
from map_support import SEED, random_bases
from naive_pcr import Pair
from pcr_support import PcrCase, plant

SEQKIT = os.environ.get("BASESWEEP_SEQKIT") or shutil.which("seqkit")
KINDS = {"forward": "+", "revcomp": "-", "single_A": "+", "single_B": "+"}


class Peers(PcrCase):
    """Primers without IUPAC codes, texts of A, C, G and T, mismatches only."""

    def question(self, rng, long=False):
        low, high = (16, 20) if long else (7, 10)
        pairs = [Pair(f"p{i}", *(random_bases(rng, rng.randint(low, high)) for _ in range(2))) for i in range(3)]
        records = [(f"r{i}", plant(rng, random_bases(rng, 900), pairs, 12)[:900]) for i in range(3)]
        self.file("g.fa", fasta(records))
        self.file("pairs.tsv", "".join(f"{p.name}\t{p.forward}\t{p.reverse}\n" for p in pairs))
        return pairs, records

    def found(self, *words):
        """Returns the products as (record, start, end, pair, strand, edits of the primers, their names)."""
        head, *lines = [
            line.split("\t")
            for line in self.pcr("-f", "pairs.tsv", "--max-indels", 0, "-q", *words, "g.fa").splitlines()
        ]
        rows = [dict(zip(head, line)) for line in lines]
        return {
            (r["record"], int(r["start"]), int(r["end"]), r["pair"], r["strand"])
            + (
                (int(r["forward_edits"]), int(r["reverse_edits"]))
                if r["strand"] == "+"
                else (int(r["reverse_edits"]), int(r["forward_edits"]))
            )
            + (r["forward"], r["reverse"])
            for r in rows
        }

    def peer(self, *words):
        done = subprocess.run(
            [str(word) for word in words], capture_output=True, cwd=self.folder, timeout=60, check=True
        )
        return done.stdout.decode()

    @unittest.skipUnless(shutil.which("ipcress"), "ipcress is not installed (Debian package exonerate)")
    def test_ipcress(self):
        rng = random.Random(SEED)
        products = 0
        for case in range(12):
            pairs, records = self.question(rng)
            mismatches, low = rng.choice([0, 1, 2]), rng.choice([0, 30])
            self.file("pairs.ipcress", "".join(f"{p.name} {p.forward} {p.reverse} {low} 120\n" for p in pairs))
            text = self.peer(
                "ipcress", "-i", "pairs.ipcress", "-s", "g.fa", "-m", mismatches, "--seed", 0, "--pretty", "FALSE"
            )
            theirs = set()
            for line in text.splitlines():
                if not line.startswith("ipcress: "):
                    continue
                _, record, pair, size, one, start, left, other, _, right, kind = line.split()
                names = {"single_A": ("F", "F"), "single_B": ("R", "R")}.get(kind, ("F", "R"))
                site = {"F": pairs[int(pair[1:])].forward, "R": pairs[int(pair[1:])].reverse}
                if int(size) < max(len(site[name]) for name in names):
                    continue  # the right site ends before the left one
                theirs.add(
                    (record.split(":")[0], int(start), int(start) + int(size), pair, KINDS[kind], int(left), int(right))
                    + tuple(f"{pair}_{name}" for name in names)
                )
            ours = self.found("-k", mismatches, "--size", f"{low},120", "--single")
            products += len(ours)
            with self.subTest(seed=SEED, case=case, pairs=pairs, records=records, mismatches=mismatches):
                self.assertEqual(sorted(ours), sorted(theirs))
        self.assertGreater(products, 100)

    @unittest.skipUnless(shutil.which("primersearch"), "primersearch is not installed (Debian package emboss)")
    def test_primersearch(self):
        rng = random.Random(SEED + 1)
        products = 0
        for case in range(6):
            pairs, records = self.question(rng, long=True)
            self.file("pairs.in", "".join(f"{p.name} {p.forward} {p.reverse}\n" for p in pairs))
            self.peer(
                "primersearch", "-seqall", "g.fa", "-infile", "pairs.in", "-mismatchpercent", 10, "-outfile", "out"
            )
            lengths = dict(records)
            theirs, pair, record, left = set(), "", "", ()
            for line in (self.folder / "out").read_text().splitlines():
                words = line.split()
                if line.startswith("Primer name"):
                    pair = words[2]
                elif line.startswith("\tSequence:"):
                    record = words[1]
                elif "hits forward strand" in line:
                    left = (int(words[5]) - 1, int(words[7]))
                elif "hits reverse strand" in line:
                    end = len(lengths[record]) - int(words[5].strip("[]")) + 1
                    theirs.add((record, left[0], end, pair, left[1], int(words[7])))
            # Ten per cent of 16 to 19 bases are one, of 20 two.
            ours = {row[:4] + row[5:7] for row in self.found("-e", 0.1, "--size", 2000)}
            products += len(ours)
            with self.subTest(seed=SEED, case=case, pairs=pairs, records=records):
                self.assertEqual(sorted(ours), sorted(theirs))
        self.assertGreater(products, 50)

    @unittest.skipUnless(SEQKIT, "seqkit is not installed")
    def test_seqkit_amplicon(self):
        """Of each record, pair and orientation it gives the product from the first left site to the last right one."""
        rng = random.Random(SEED + 2)
        products = 0
        for case in range(8):
            pairs, records = self.question(rng)
            text = self.peer(SEQKIT, "amplicon", "-m", 0, "--bed", "-p", "pairs.tsv", "g.fa")
            lengths = {name: len(letters) for name, letters in records}
            theirs = set()
            for line in (line.split("\t") for line in text.splitlines()):
                record, start, end = line[0], int(line[1]), int(line[2])
                if line[5] == "-":  # seqkit counts these from the end of the record
                    start, end = lengths[record] - end, lengths[record] - start
                theirs.add((record, start, end, line[3], line[5]))
            outermost = {}
            for record, start, end, pair, strand, *_ in self.found("-k", 0, "--size", 2000):
                known = outermost.setdefault((record, pair, strand), (start, end))
                outermost[record, pair, strand] = (min(start, known[0]), max(end, known[1]))
            ours = {(record, *place, pair, strand) for (record, pair, strand), place in outermost.items()}
            products += len(ours)
            with self.subTest(seed=SEED, case=case, pairs=pairs, records=records):
                self.assertEqual(sorted(ours), sorted(theirs))
        self.assertGreater(products, 5)


if __name__ == "__main__":
    unittest.main()
