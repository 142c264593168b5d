"""count by read structures: guides in the insert, UMIs and cell barcodes counted once, compared with sets in Python."""
import gzip
import json
import random
import unittest

from support import Case

SCAFFOLD = "GTTTTAGAGC"


def letters(rng, count):
    return "".join(rng.choice("ACGT") for _ in range(count))


class CountStructures(Case):
    def setUp(self):
        super().setUp()
        self.rng = random.Random(41)
        self.guides = {f"g{i}": letters(self.rng, 12) for i in range(20)}
        self.file("lib.tsv", "guide\tsequence\n" + "".join(f"{name}\t{guide}\n" for name, guide in self.guides.items()))

    def fastq(self, name, reads):
        self.file(name, "".join(f"@r{i}\n{read}\n+\n{'I' * len(read)}\n" for i, read in enumerate(reads)))

    def count(self, *words, code=0, **options):
        done = self.run_here("-l", "lib.tsv", "-q", *words, command="count", **options)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return done

    def column(self, *words, **options):
        rows = [line.split("\t") for line in self.count(*words, **options).stdout.decode().splitlines()]
        self.assertEqual(len(rows), len(self.guides) + 1)
        return {row[0]: [int(cell) for cell in row[1:]] for row in rows[1:]}

    def molecules(self, count=2000):
        """Yields (guide, UMI, cell): few UMIs, so that many come again; some with N; the guide is '' in a foreign read."""
        umis = [letters(self.rng, 5) for _ in range(8)] + ["ACGNT", "NNNNN"]
        cells = [letters(self.rng, 4) for _ in range(3)] + ["ACNT"]
        for _ in range(count):
            yield self.rng.choice([*self.guides, ""]), self.rng.choice(umis), self.rng.choice(cells)

    def expected(self, molecules):
        sets, unread, counted = {name: set() for name in self.guides}, 0, 0
        for guide, key in molecules:
            if not guide:
                continue
            if "N" in "".join(key):
                unread += 1
                continue
            counted += 1
            sets[guide].add(key)
        return {name: [len(own)] for name, own in sets.items()}, counted, unread

    def test_umis(self):
        made = list(self.molecules())
        reads = [umi + letters(self.rng, self.rng.randrange(3)) + self.guides.get(guide, letters(self.rng, 12)) + SCAFFOLD for guide, umi, _ in made]
        reads += ["ACG", ""]
        self.fastq("a.fq", reads)
        expected, counted, unread = self.expected([(guide, (umi,)) for guide, umi, _ in made])
        for words in (("--structure", "5M+T", "-t", "1"), ("--structure", "5M+T", "-t", "4"), ("--structure", "1{u[5]r:}"), ("--structure", "5M+T", "--at", "0-2")):
            table = self.column("--mismatches", "0", *words, "--summary", "s.tsv", "--json", "r.json", "a.fq")
            self.assertEqual(table, expected, words)
            titles, cells = (line.split("\t") for line in (self.folder / "s.tsv").read_text().splitlines())
            self.assertEqual(titles, ["sample", "reads", "counted", "edits_0", "edits_1", "ambiguous", "unmatched", "unread_umis", "umis",
                                      "guides_without_reads", "gini"])
            self.assertEqual(cells[:9], ["a", str(len(reads)), str(counted), str(counted), "0", "0", str(len(reads) - counted - unread), str(unread),
                                         str(sum(row[0] for row in expected.values()))])
            sample = json.loads((self.folder / "r.json").read_text())["samples"][0]
            self.assertEqual((sample["umis"], sample["unread_umis"], sample["counted"]), (int(cells[8]), unread, counted))
        # Two lanes of a sample share their molecules.
        self.fastq("b.fq", reads[:500])
        table = self.column("--mismatches", "0", "--structure", "5M+T", "--sample", "x", "--sample", "x", "a.fq", "b.fq")
        self.assertEqual(table, expected)
        # Without UMIs, reads are counted, and the summary has no columns of UMIs.
        table = self.column("--mismatches", "0", "--structure", "5S+T", "--summary", "s.tsv", "a.fq")
        self.assertEqual(table, {name: [sum(guide == name for guide, _, _ in made)] for name in self.guides})
        self.assertNotIn("umis", (self.folder / "s.tsv").read_text())

    def test_cells_in_first_mates(self):
        """A cell barcode and a UMI in the first mate, the guide in the second; the mate is found by its insert."""
        made = list(self.molecules())
        self.fastq("r1.fq", [cell + umi for _, umi, cell in made])
        second = ["TT" + self.guides.get(guide, letters(self.rng, 12)) + SCAFFOLD for guide, _, _ in made]
        self.fastq("r2.fq", second)
        self.file("r2.fq.gz", gzip.compress((self.folder / "r2.fq").read_bytes()))
        expected, _, _ = self.expected([(guide, (umi, cell)) for guide, umi, cell in made])
        both = "".join(f"@r{i}\n{read}\n+\n{'I' * len(read)}\n" for i, (_, umi, cell) in enumerate(made) for read in (cell + umi, second[i]))
        self.file("both.fq", both)
        for inputs in (("-1", "r1.fq", "-2", "r2.fq"), ("-1", "r1.fq", "-2", "r2.fq.gz"), ("--interleaved", "both.fq")):
            for structure in (("4C5M", "--structure", "+T"), ("1{b[4]u[5]}2{r:}",), ("4C5M", "--structure", "2S+T", "--at", "0")):
                for threads in ("1", "4"):
                    self.assertEqual(self.column("--mismatches", "0", "--structure", *structure, *inputs, "-t", threads), expected)
        done = self.run_here("-l", "lib.tsv", "--structure", "4C5M", "--structure", "+T", "-1", "r1.fq", "-2", "r2.fq", command="count")
        self.assertIn(b"guides begin at base 2 (0-based) of the inserts of reads of r2.fq", done.stderr)

    def test_refused(self):
        self.fastq("a.fq", ["ACGT" * 10])
        self.fastq("b.fq", ["ACGT" * 10])
        for message, *words in (
                ("read structure, position 2: expected T, B, M, C or S\n  5Q+T\n   ^", "--structure", "5Q+T", "a.fq"),
                ("mate 1 has no insert (T or r), in which the guide is", "--structure", "5M", "a.fq"),
                ("mate 1 has no insert", "--structure", "5M", "--structure", "+T", "--mate", "1", "-1", "a.fq", "-2", "b.fq"),
                ("the reads are single", "--structure", "5M+T", "--structure", "+T", "a.fq"),
                ("the reads are pairs", "--structure", "5M+T", "-1", "a.fq", "-2", "b.fq"),
                ("more than 48 bases together", "--structure", "30M20C+T", "a.fq"),
                ("count has no lists of cell barcodes, leave out <x>", "--structure", "1{b<x>[4]u[5]r:}", "a.fq")):
            done = self.count(*words, "-o", "out.tsv", code=2)
            self.assertIn(message, done.stderr.decode())
            self.assertEqual(self.listing(), ["a.fq", "b.fq", "lib.tsv"])


if __name__ == "__main__":
    unittest.main()
