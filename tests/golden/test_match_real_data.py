"""`basesweep match` on real genomes: against tables made by comparing every window (mismatches only), published places of
primers, and EMBOSS primersearch (shared/data/INDEX.md)."""
import gzip
import os
import pathlib
import re
import unittest

import naive
from match_support import MatchCase, patterns_file
from support import devices, run

DATA = os.environ.get("BASESWEEP_TEST_DATA")
ECOLI = "genomes/ecoli_K12_MG1655_NC_000913.3.fa.gz"
SARSCOV2 = "genomes/sarscov2_MN908947.3.fa.gz"


def rows_of(name):
    """Returns the rows of a table as dictionaries."""
    path = pathlib.Path(DATA) / name
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    head, *rows = [line.split("\t") for line in text.splitlines()]
    return [dict(zip(head, row)) for row in rows]


@unittest.skipUnless(DATA, "BASESWEEP_TEST_DATA is not set")
class RealData(MatchCase):
    def need(self, *names):
        for name in names:
            if not (pathlib.Path(DATA) / name).exists():
                self.skipTest(f"{DATA}/{name} is missing")

    def found(self, patterns, genome, *arguments):
        """Returns the rows of the TSV as dictionaries; checks order, duplicates, and that all devices give the same."""
        self.file("patterns.tsv", patterns_file(patterns))
        order = {name: i for i, (name, _) in enumerate(patterns)}
        texts = [self.output("-f", "patterns.tsv", *arguments, "--format", "tsv", "--device", device, pathlib.Path(DATA) / genome)
                 for device in devices()]
        for device, text in zip(devices(), texts):
            self.assert_same_text(text, texts[0], device)
        head, *rows = [line.split("\t") for line in texts[0].splitlines()]
        rows = [dict(zip(head, row)) for row in rows]
        records = {name: i for i, name in enumerate(dict.fromkeys(row["record"] for row in rows))}
        keys = [(records[r["record"]], int(r["start"]), int(r["end"]), r["strand"], order[r["pattern"]]) for r in rows]
        self.assertTrue(all(a < b for a, b in zip(keys, keys[1:])), "not in order")
        return rows

    # tables of all places within k mismatches

    def compare_with_truth(self, patterns, genome, truth, mismatches):
        self.need(genome, truth)
        expected = {(r["pattern"], r["record"], r["start0"], r["end0"], r["strand"], r["mismatches"], "0") for r in rows_of(truth)}
        lengths = {name: len(motif) for name, motif in patterns}
        for report in ("all", "sites"):
            rows = self.found(patterns, genome, "-k", mismatches, "--max-indels", "0", "--palindromes", "both", "--report", report)
            found = {(r["pattern"], r["record"], r["start"], r["end"], r["strand"], r["edits"], r["indels"]) for r in rows}
            missing, wrong = sorted(expected - found), sorted(found - expected)
            self.assertFalse(missing or wrong, f"{truth} {report}: missing {missing[:5]} ({len(missing)}), "
                                               f"wrong {wrong[:5]} ({len(wrong)})")
            self.assertEqual(len(rows), len(expected))
            for r in rows:
                runs = re.findall(r"(\d+)([=X])", r["cigar"])
                self.assertEqual(sum(int(n) for n, _ in runs), lengths[r["pattern"]], r)
                self.assertEqual(sum(int(n) for n, op in runs if op == "X"), int(r["edits"]), r)

    def test_universal_primers_on_ecoli(self):
        self.need("primers/universal_16S_18S_COI.tsv")
        patterns = [(r["name"], r["seq"]) for r in rows_of("primers/universal_16S_18S_COI.tsv")]
        self.compare_with_truth(patterns, ECOLI, "truth/universal_primers_on_MG1655_k3.tsv", 3)

    def test_ce2dict0_on_celegans(self):
        self.need("motifs/ce2dict0.fa")
        patterns = naive.read_fasta((pathlib.Path(DATA) / "motifs/ce2dict0.fa").read_text())
        self.compare_with_truth(patterns, "genomes/celegans_ce2_chrX.fa.gz", "truth/ce2dict0_on_celegans_chrX_k2.tsv", 2)

    def test_pr2_on_yeast(self):
        self.need("primers/pr2_primers_odd.tsv")
        rows = rows_of("primers/pr2_primers_odd.tsv")
        patterns = [(f"{r['primer_id']}|{r['name'].replace(' ', '')}", r["sequence"]) for r in rows]
        self.compare_with_truth(patterns, "genomes/yeast_R64_ensembl94.fa.gz", "truth/pr2_odd_on_yeast_k2.tsv", 2)

    def test_20_guides_on_chrx(self):
        """The table lists its guides by their sequence."""
        self.need("truth/KY_20guides_on_chrX_k3.tsv")
        guides = dict.fromkeys(row["pattern"] for row in rows_of("truth/KY_20guides_on_chrX_k3.tsv"))
        self.assertEqual(len(guides), 20)
        patterns = [(guide, guide) for guide in guides]
        self.compare_with_truth(patterns, "genomes/human_hs37_chrX_70Mb.fa.gz", "truth/KY_20guides_on_chrX_k3.tsv", 3)

    def test_whole_library_on_chrx(self):
        """All 90,710 guides of a published library at once: its published places on the X chromosome are among the hits, and the hits of
        20 of the guides are those of the table."""
        library, genome = "motifs/guides_KY_v1.0.tsv.gz", "genomes/human_hs37_chrX_70Mb.fa.gz"
        places, truth = "truth/KY_guides_chrX_GRCh37_sites.tsv.gz", "truth/KY_20guides_on_chrX_k3.tsv"
        self.need(library, genome, places, truth)
        guides = [(row["CODE"], row["seq"]) for row in rows_of(library)]
        self.assertEqual(len(guides), 90710)
        rows = self.found(guides, genome, "-k", 3, "--max-indels", "0")
        exact = {(r["pattern"], r["strand"], r["start"], r["end"]) for r in rows if r["edits"] == "0"}
        published = {(r["guide"], r["strand"], r["start0"], r["end0"]) for r in rows_of(places)}
        self.assertEqual(len(published), 1551)
        self.assertEqual(published - exact, set())
        expected = {(r["pattern"], r["start0"], r["end0"], r["strand"], r["mismatches"]) for r in rows_of(truth)}
        chosen = {pattern for pattern, *_ in expected}
        sequences = dict(guides)
        found = {(sequences[r["pattern"]], r["start"], r["end"], r["strand"], r["edits"])
                 for r in rows if sequences[r["pattern"]] in chosen}
        self.assertEqual(found, expected)

    # primers at their places

    def artic(self, version):
        """{name: (sequence, start, end, strand)}. One row of V4 and V4.1, 64_LEFT, is longer than its primer: left out."""
        self.need(f"primers/artic_{version}.primer.bed")
        sequences = {}
        if version < "V4":
            self.need(f"primers/artic_{version}.tsv")
            sequences = {r["name"]: r["seq"] for r in rows_of(f"primers/artic_{version}.tsv")}
        places = {}
        for line in (pathlib.Path(DATA) / f"primers/artic_{version}.primer.bed").read_text().splitlines():
            _, start, end, name, _, strand, *sequence = line.split("\t")
            letters = sequence[0] if sequence else sequences[name]
            if int(end) - int(start) == len(letters):
                places[name] = (letters, start, end, strand)
        self.assertGreater(len(places), 190)
        return places

    def test_artic_primers_on_sarscov2(self):
        self.need(SARSCOV2)
        for version in ("V1", "V2", "V3", "V4", "V4.1"):
            places = self.artic(version)
            patterns = [(name, place[0]) for name, place in places.items()]
            expected = {(name, *place[1:], "0", "0", f"{len(place[0])}=", place[0]) for name, place in places.items()}
            for edits in (0, 1, 2):
                rows = self.found(patterns, SARSCOV2, "-k", edits, "--report", "best")
                columns = ("pattern", "start", "end", "strand", "edits", "indels", "cigar", "matched")
                found = [tuple(r[column] for column in columns) for r in rows]
                self.assertEqual(len(found), len(patterns), f"{version} -k {edits}")
                self.assertEqual(set(found), expected, f"{version} -k {edits}")

    def test_artic_primers_changed(self):
        """With one base substituted, deleted or inserted, each primer is still found in its place, with one edit."""
        self.need(SARSCOV2)
        places = self.artic("V3")
        other = dict(zip("ACGT", "CGTA"))
        for what, change in (("changed", lambda s, i: s[:i] + other[s[i]] + s[i + 1:]), ("lost", lambda s, i: s[:i] + s[i + 1:]),
                             ("gained", lambda s, i: s[:i] + other[s[i]] + s[i:])):
            patterns = [(name, change(place[0], len(place[0]) // 2)) for name, place in places.items()]
            rows = self.found(patterns, SARSCOV2, "-k", "2", "--report", "best")
            found = {(r["pattern"], r["start"], r["end"], r["strand"], r["edits"], r["indels"]) for r in rows}
            expected = {(name, *place[1:], "1", "0" if what == "changed" else "1") for name, place in places.items()}
            self.assertFalse(expected - found, f"{what}: {sorted(expected - found)[:5]}")

    def test_16s_primers_on_ecoli(self):
        """Seven operons. primersearch lists all pairs of hits that face each other."""
        truth = "truth/primersearch_16S_on_MG1655_10pct.txt"
        self.need(ECOLI, truth, "truth/primersearch_16S.in")
        pairs = [line.split() for line in (pathlib.Path(DATA) / "truth/primersearch_16S.in").read_text().splitlines()]
        patterns = [(f"{name}.{i}", primer) for name, *primers in pairs for i, primer in enumerate(primers)]
        bases = 4_641_652
        expected, lengths = set(), {}
        for part in (pathlib.Path(DATA) / truth).read_text().split("Primer name ")[1:]:
            name = part.split()[0]
            primers = {primer[:3]: f"{name}.{i}" for pair, *two in pairs if pair == name for i, primer in enumerate(two)}
            for primer, place in re.findall(r"\t(\S+) hits forward strand at (\d+) with 0 mismatches", part):
                expected.add((primers[primer[:3]], "+", int(place) - 1))
            for primer, place in re.findall(r"\t(\S+) hits reverse strand at \[(\d+)\] with 0 mismatches", part):
                expected.add((primers[primer[:3]], "-", bases - int(place) + 1))
            lengths[name] = [int(n) for n in re.findall(r"Amplimer length: (\d+) bp", part)]
        self.assertEqual([lengths[name].count(n) for name, n in (("V4", 292), ("V3V4", 465), ("full", 1503))], [7, 7, 7])
        for words in (["-k", "0"], ["-e", "0.1", "--max-indels", "0"], ["-k", "2"], ["-k", "3", "--report", "best"]):
            rows = self.found(patterns, ECOLI, *words)
            found = {(r["pattern"], r["strand"], int(r["start"] if r["strand"] == "+" else r["end"]))
                     for r in rows if r["edits"] == "0"}
            self.assertFalse(expected - found, f"{words}: {sorted(expected - found)[:5]}")
        for name, length in (("V4", 292), ("V3V4", 465), ("full", 1503)):
            facing = 0
            for forward, back in ((f"{name}.0", f"{name}.1"), (f"{name}.1", f"{name}.0")):
                starts = {at for pattern, strand, at in found if (pattern, strand) == (forward, "+")}
                facing += sum((back, "-", start + length) in found for start in starts)
            self.assertEqual(facing, 7, f"{name}, {length}")

    def test_no_edits_are_the_hits_of_motif(self):
        self.need(ECOLI, "primers/universal_16S_18S_COI.tsv")
        self.file("p.tsv", patterns_file([(r["name"], r["seq"]) for r in rows_of("primers/universal_16S_18S_COI.tsv")]))
        exact = run("-f", "p.tsv", pathlib.Path(DATA) / ECOLI, cwd=self.folder).stdout.decode()
        self.assert_same_text(self.output("-f", "p.tsv", "-k", "0", "--format", "bed", pathlib.Path(DATA) / ECOLI), exact)
        self.assertGreater(exact.count("\n"), 50)


if __name__ == "__main__":
    unittest.main()
