"""Patterns as people have them: every kind of pattern file, limits of single patterns, several sequences of one pattern."""
import csv
import gzip
import io
import json
import os
import pathlib
import unittest

import naive
import naive_match
from match_support import MatchCase, fasta
from naive_match import Rules
from support import LAMBDA, Case, lambda_records, run
from test_match import made_records

DATA = os.environ.get("BASESWEEP_TEST_DATA")

PATTERNS = [("Primer one", "GATTACA"), ("BamHI", "GGATCC"), ("5'-x", "GGNTAYCC"), ("TATA", "TATAAT")]
BOM = b"\xef\xbb\xbf"


def rows(separator, with_header=None, more=()):
    cells = ([with_header] if with_header else []) + [[name, *more, letters] for name, letters in PATTERNS]
    return "".join(separator.join(row) + "\n" for row in cells)


FORMATS = {
    "two_columns.tsv": rows("\t"),
    "header.tsv": rows("\t", ["name", "seq"]),
    "primer.tsv": rows("\t", ["Primer", "pool", "Sequence (5'-3')"], ["1"]),
    "several_tabs.txt": "# adapters\n\n" + "".join(f"{name}{tabs}{letters}\n" for (name, letters), tabs in
                                                   zip(PATTERNS, ["\t", "\t\t\t", "\t\t", "\t"])),
    "table.csv": rows(",", ["id", "sequence"]),
    "quotes.csv": rows(",", ["id", "guide"]).replace("Primer one", '"Primer one"').replace("GGATCC", '"GGATCC"'),
    "semicolon.csv": rows(";", ["id", "spacer"]),
    "wide.txt": rows("   "),
    "primers.bed": rows("\t").replace("\t", "\t1\t+\t").replace("Primer one", "chr1\t1\t8\tPrimer one")
                   .replace("BamHI", "chr1\t1\t7\tBamHI").replace("5'-x", "chr1\t9\t17\t5'-x").replace("TATA\t", "chr2\t1\t7\tTATA\t"),
    "comment.tsv": "#" + rows("\t", ["name", "primer", "seq"], ["GATTACC"]),
    "windows.csv": BOM + rows(",", ["name", "seq"]).replace("\n", "\r\n").encode(),
    "bom.tsv": BOM + rows("\t").encode(),
}


class Formats(Case):
    def test_same_hits_from_every_kind(self):
        expected = naive.bed(lambda_records(), PATTERNS, naive.search(lambda_records(), PATTERNS))
        self.assertGreater(expected.count("\n"), 20)
        for name, text in FORMATS.items():
            self.file(name, text)
            self.assert_same_text(self.output("-f", name, LAMBDA), expected, name)
            self.file(name + ".gz", gzip.compress(text if isinstance(text, bytes) else text.encode()))
            self.assert_same_text(self.output("-f", name + ".gz", LAMBDA), expected, name)

    def test_bom_of_fasta(self):
        self.file("bom.fa", BOM + b">one\nGATTACA\n")
        self.assertIn("\tone\t", self.output("-f", "bom.fa", LAMBDA))

    def test_blanks_before_the_lines_of_fasta(self):
        self.file("blanks.fa", " \r >one\n\tGATT \n  ACA\n >two\nGGATCC\n")
        found = self.output("-f", "blanks.fa", LAMBDA)
        self.assertIn("\tone\t", found)
        self.assertIn("\ttwo\t", found)

    def test_carriage_return_inside_a_line_of_sequence(self):
        for name, text in (("x.gb", "LOCUS       X 7 bp DNA\nORIGIN\n        1 gat\rtaca\n//\n"),
                           ("x.embl", "ID   X; 7 BP.\nSQ   Sequence 7 BP;\n     gat\rtaca  7\n//\n")):
            self.file(name, text)
            found = self.output("-f", name, LAMBDA)
            self.assertIn("\tX\t", found)
            self.assertEqual(len(found.splitlines()), len(self.output("-p", "GATTACA", LAMBDA).splitlines()))

    def test_one_sequence_a_line(self):
        patterns = [(letters, letters) for letters in ("GATTACA", "ggatcc")]
        self.file("list.txt", "GATTACA\n\n# comment\nggatcc\n")
        self.assert_same_text(self.output("-f", "list.txt", LAMBDA),
                              naive.bed(lambda_records(), patterns, naive.search(lambda_records(), patterns)))

    def test_name_and_sequence_on_the_command_line(self):
        self.assert_same_text(self.output("-p", "my site=GATTACA", "-p", "a=b=GGATCC", LAMBDA),
                              naive.bed(lambda_records(), [("my site", "GATTACA"), ("a=b", "GGATCC")],
                                        naive.search(lambda_records(), [("", "GATTACA"), ("", "GGATCC")])))
        self.refused(2, "-p", "=ACGT", LAMBDA, says=["-p =ACGT", "name"])
        self.refused(2, "-p", "x=", LAMBDA, says=["pattern 'x'", "empty"])
        self.refused(2, "-p", "x=ACXT", LAMBDA, says=["pattern 'x'", "position 3"])
        self.refused(2, "-p", "x=ACT", "-p", "x=GGG", LAMBDA, says=["pattern 'x'", "used twice"])

    def test_inosine(self):
        for option in (["-p", "x=GGITCI"], ["-f", "i.csv"]):
            self.file("i.csv", "name,seq\nx,GGITCI\n")
            self.assert_same_text(self.output(*option, LAMBDA), self.output("-p", "x=GGNTCN", LAMBDA))

    def test_columns_by_choice(self):
        self.file("pairs.tsv", "label\tfwd\trev\na\tGATTACAG\tGGATCCA\nb\tTTGACAG\tTATAATA\n")
        for choice, patterns in ((["rev"], [("a", "GGATCCA"), ("b", "TATAATA")]), (["2"], None), (["FWD"], [("a", "GATTACAG"), ("b", "TTGACAG")]),
                                 (["rev", "--name-column", "fwd"], [("GATTACAG", "GGATCCA"), ("TTGACAG", "TATAATA")])):
            words = ["-f", "pairs.tsv", "--pattern-column", *choice, LAMBDA]
            if patterns is None:
                self.refused(3, *words, says=["line 1", "'label'", "if this line is a header", "--pattern-column 'fwd'"])
                continue
            self.assert_same_text(self.output(*words),
                                  naive.bed(lambda_records(), patterns, naive.search(lambda_records(), patterns)))
        self.output(*words, "--json", "r.json")
        parameters = json.loads((self.folder / "r.json").read_text())["parameters"]
        self.assertEqual((parameters["name_column"], parameters["pattern_column"]), ("fwd", "rev"))
        self.refused(2, "-f", "pairs.tsv", "--pattern-column", "probe", LAMBDA, says=["--pattern-column probe", "label, fwd, rev"])
        self.refused(2, "-f", "pairs.tsv", "--pattern-column", "7", LAMBDA, says=["--pattern-column 7", "1 to 3"])
        self.refused(2, "-p", "ACGT", "--pattern-column", "7", LAMBDA, says=["--pattern-column", "-f"])
        self.file("p.fa", ">x\nACGT\n")
        self.refused(2, "-f", "p.fa", "--name-column", "1", LAMBDA, says=["p.fa is FASTA", "tables"])

    def test_two_readings(self):
        self.file("pairs.tsv", "set\tfwd_seq\trev_seq\na\tGATTACAG\tGGATCCA\n")
        self.refused(3, "-f", "pairs.tsv", LAMBDA,
                     says=["pairs.tsv: line 2: 'a GATTACAG GGATCCA'", "pattern 'a' = GATTACAG (column 2, 'fwd_seq')",
                           "pattern 'a' = GGATCCA (column 3, 'rev_seq')", "--pattern-column"])

    def test_duplicate_names_show_both_lines(self):
        self.file("p.fa", ">primer 1\nACGT\n>primer 2\nGGTT\n")
        self.refused(3, "-f", "p.fa", LAMBDA, says=["p.fa: line 3: pattern 'primer'", "line 1 is 'primer 1'",
                                                    "line 3 is 'primer 2'", "only the first word"])


class SeveralSequences(Case):
    """`A|B`: two sequences of one pattern, counted together."""

    def setUp(self):
        super().setUp()
        self.file("sites.tsv", "enzyme\tsite\nHpy\tTNGGNAG|GTGGNAG|GAATTC\nBamHI\tGGATCC\n")
        self.file("apart.tsv", "enzyme\tsite\nHpy\tTNGGNAG\nHpy2\tGTGGNAG\nHpy3\tGAATTC\nBamHI\tGGATCC\n")

    def test_hits_and_counts(self):
        apart = [line.replace("Hpy2", "Hpy").replace("Hpy3", "Hpy") for line in self.output("-f", "apart.tsv", LAMBDA).splitlines()]
        together = self.output("-f", "sites.tsv", LAMBDA, "--json", "r.json").splitlines()
        self.assertEqual(together, apart)
        counts = {(name, strand): sum(line.split("\t")[3] == name and line.endswith(strand) for line in together)
                  for name in ("Hpy", "BamHI") for strand in "+-"}
        table = self.output("-f", "sites.tsv", "--count", LAMBDA)
        self.assertEqual(table, "pattern\tstrand\tcount\n" + "".join(
            f"{name}\t{strand}\t{counts[name, strand]}\n" for name, strand in (("Hpy", "+"), ("Hpy", "-"), ("BamHI", "+"))))
        patterns = json.loads((self.folder / "r.json").read_text())["patterns"]
        self.assertEqual(patterns[0]["sequence"], "TNGGNAG|GTGGNAG|GAATTC")
        self.assertEqual(patterns[0]["counts"], {"+": counts["Hpy", "+"], "-": counts["Hpy", "-"]})

    def test_chunks(self):
        self.file("l.fa", fasta(lambda_records()))
        for more in ([], ["--count"], ["--non-overlapping"], ["--count", "--non-overlapping"]):
            call = ["-f", "sites.tsv", *more, "l.fa"]
            for i in (1, 2, 3):
                self.output(*call, "--chunk", f"{i}/3", "-o", f"part_{i}", "-q")
            merged = self.output("part_1", "part_2", "part_3", command="merge")
            self.assert_same_text(merged, self.output(*call), more)

    def test_best_is_over_all_sequences(self):
        self.file("t.fa", ">t\nCCCCGATTACACCCCCGGTTGTTCCCC\n")
        done = self.output("-p", "x=GATTACA|GGTTCTT", "-k", "1", "--max-indels", "0", "--report", "best", "--format", "bed", "t.fa", command="match")
        self.assertEqual(done, "t\t4\t11\tx\t1000\t+\n")


class OwnLimits(MatchCase):
    """Columns edits, clamp_5prime and clamp_3prime."""
    # (name, letters, cells of the columns, the rules that follow from them with -k 2 --clamp-3prime 1)
    TABLE = [("EcoRI", "GAATTC", ("1", "", ""), Rules(k=1, clamp3=1)),
             ("codes", "GANTCW", ("", "", ""), Rules(k=2, clamp3=1)),
             ("rna", "AAGCUU", ("0", "2", "0"), Rules(k=0, clamp5=2)),
             ("sets", "RAATTY", ("", "2", ""), Rules(k=2, clamp5=2, clamp3=1)),
             ("long", "ACGTGAWTTCACG", ("3", "0", "3"), Rules(k=3, clamp3=3))]
    OPTIONS = ["-f", "limits.csv", "-k", "2", "--clamp-3prime", "1"]

    def setUp(self):
        super().setUp()
        lines = ["primer,sequence,edits,clamp_5prime,clamp_3prime"]
        lines += [",".join((name, letters, *cells)) for name, letters, cells, _ in self.TABLE]
        self.file("limits.csv", "\n".join(lines) + "\n")
        self.motifs = [(name, letters) for name, letters, _, _ in self.TABLE]

    def expected(self, records, report):
        """Each pattern alone, by its own rules."""
        hits = []
        for number, (name, letters, _, rules) in enumerate(self.TABLE):
            hits += [hit._replace(pattern=number) for hit in naive_match.search(records, [(name, letters)], rules, report)]
        return naive_match.tsv(records, self.motifs, sorted(hits))

    def test_hits(self):
        records = made_records()
        self.file("made.fa", fasta(records))
        for report in ("sites", "minima", "best", "all"):
            expected = self.expected(records, report)
            for more in ([], ["-t", "1", "--batch-bases", "1"], ["-t", "3", "--batch-bases", "37"]):
                found = self.output(*self.OPTIONS, "--report", report, "--format", "tsv", *more, "made.fa")
                self.assert_same_text(found, expected, f"{report} {more}")

    def test_chunks_and_report(self):
        self.file("l.fa", fasta([("l", lambda_records()[0][1][:9000])]))
        for more in (["--format", "tsv"], ["--format", "sam", "--no-PG"], ["--count"], ["--report", "best", "--format", "bed"]):
            call = [*self.OPTIONS, *more, "l.fa"]
            for i in (1, 2):
                self.output(*call, "--chunk", f"{i}/2", "-o", f"part_{i}", "-q", "--json", f"{i}.json")
            merged = self.merge("part_1", "part_2")
            self.assert_same_text(merged, self.output(*call), more)
        self.output(*self.OPTIONS, "--format", "tsv", "l.fa", "--json", "r.json")
        row = json.loads((self.folder / "r.json").read_text())["patterns"][2]
        self.assertEqual((row["edits"], row["clamp_5prime"], row["clamp_3prime"]), (0, 2, 0))
        self.assertIsNone(json.loads((self.folder / "r.json").read_text())["patterns"][1]["edits"])

    def merge(self, *parts):
        done = run(*parts, command="merge", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def test_parts_with_other_limits_do_not_merge(self):
        self.file("l.fa", ">l\n" + "ACGTTGCA" * 100 + "\n")
        self.file("other.csv", (self.folder / "limits.csv").read_text().replace("long,ACGTGAWTTCACG,3", "long,ACGTGAWTTCACG,2"))
        self.output(*self.OPTIONS, "--chunk", "1/2", "l.fa", "-o", "1.bsp", "-q")
        self.output("-f", "other.csv", *self.OPTIONS[2:], "--chunk", "2/2", "l.fa", "-o", "2.bsp", "-q")
        self.assertEqual(run("1.bsp", "2.bsp", command="merge", cwd=self.folder).returncode, 3)

    def test_edits_for_all_are_not_needed(self):
        self.file("all.csv", "name,seq,edits\na,GAATTCA,1\nb,GGATCCA,0\n")
        self.file("t.fa", ">t\nCCGAATTCTCCGGATCCACCGGATCCTCC\n")
        apart = [self.output("-p", pattern, "-k", edits, "--format", "bed", "t.fa") for pattern, edits in
                 (("a=GAATTCA", "1"), ("b=GGATCCA", "0"))]
        self.assertTrue(all(apart))
        self.assertEqual(self.output("-f", "all.csv", "--format", "bed", "t.fa"), "".join(apart))
        self.refused(3, "-f", "limits.csv", LAMBDA, says=["limits.csv", "pattern 'codes'", "-k", "-e"])

    def test_wrong_cells(self):
        for cells, says in (("x,,", "'edits': 'x' is not a whole number"), (",-1,", "'clamp_5prime': '-1'"),
                            ("6,,", "6 edits allowed"), (",4,3", "clamps of 4 and 3")):
            self.file("bad.csv", f"name,seq,edits,clamp_5prime,clamp_3prime\na,GAATTC,{cells}\n")
            self.refused(3, "-f", "bad.csv", "-k", "1", LAMBDA, says=["bad.csv", says])

    def test_motif_says_that_it_ignores_them(self):
        done = run("-f", "limits.csv", LAMBDA, cwd=self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertIn("are for match", done.stderr.decode())


class Messages(MatchCase):
    def test_both_or_neither_of_k_and_e(self):
        self.refused(2, "-p", "GAATTC", "-k", "1", "-e", "0.1", LAMBDA, says=["use -k or -e, not both"])
        self.refused(2, "-p", "GAATTC", LAMBDA, says=["no number of edits is given: use -k N or -e RATE"])
        self.file("p.tsv", "x\tGAATTC\n")
        self.refused(2, "-f", "p.tsv", LAMBDA, says=["no number of edits is given: use -k N or -e RATE"])

    def test_rate_that_allows_no_edit(self):
        def warnings(*words):
            done = self.run_here(*words, "--format", "bed", LAMBDA)
            self.assertEqual(done.returncode, 0)
            return done.stderr.decode()
        self.assertIn("-e 0.1 allows pattern 'GAATTC' no edit", warnings("-p", "GAATTC", "-e", "0.1", "-p", "GAATTCGAATTC"))
        self.assertIn("-e 0.1 allows 2 patterns no edit", warnings("-p", "GAATTC", "-e", "0.1", "-p", "GAATTCA"))
        self.assertEqual(warnings("-p", "GAATTC", "-e", "0.2"), "")
        self.assertEqual(warnings("-p", "GAATTC", "-e", "0"), "")
        self.assertEqual(warnings("-p", "GAATTC", "-k", "0"), "")

    def test_blanks_in_names_of_sam(self):
        self.file("p.tsv", "a b  c\tGAATTCACG\n")
        self.file("r.fa", ">r\nGAATTCACG\n")
        self.assertIn("\na_b__c\t0\tr\t1\t255\t9M\t", self.output("-f", "p.tsv", "-k", "1", "r.fa"))
        self.assertIn("\ta b  c\t", self.output("-f", "p.tsv", "-k", "1", "--format", "bed", "r.fa"))
        self.file("p.tsv", "a b\tGAATTCACG\na_b\tGGGTTTGGG\n")
        self.refused(2, "-f", "p.tsv", "-k", "1", "r.fa", files=("-o", "h.sam"), says=["'a b'", "'a_b'", "SAM"])


@unittest.skipUnless(DATA, "BASESWEEP_TEST_DATA is not set")
class RealFiles(Case):
    """Real pattern files, unedited: names and sequences are those that a plain parser of the one file finds."""

    def read(self, name):
        path = pathlib.Path(DATA) / name
        if not path.exists():
            self.skipTest(f"{path} is missing")
        text = gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()
        return path, text.decode()

    def check(self, name, expected, *columns):
        path, text = self.read(name)
        expected = expected(text)
        self.output("-f", path, *columns, "--json", "r.json", "--count", LAMBDA)
        found = [(row["name"], row["sequence"]) for row in json.loads((self.folder / "r.json").read_text())["patterns"]]
        self.assertEqual(found, expected)
        self.assertGreater(len(found), 1)

    @staticmethod
    def column(name, letters):
        """Returns a parser of the table, which takes two of its columns by their names."""
        return lambda text: [(row[name], row[letters]) for row in
                             csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)]

    def test_artic(self):
        for version in ("V1", "V2", "V3"):
            self.check(f"primers/artic_{version}.tsv", self.column("name", "seq"))
        for version in ("V4", "V4.1"):
            self.check(f"primers/artic_{version}.primer.bed",
                       lambda text: [tuple(line.split("\t")[i] for i in (3, 6)) for line in text.splitlines()])
        path, _ = self.read("primers/artic_V3.primer.bed")
        self.refused(3, "-f", path, LAMBDA, says=["artic_V3.primer.bed: line 1", "this BED has no sequences", "column 7"])

    def test_primers(self):
        self.check("primers/universal_16S_18S_COI.tsv", self.column("name", "seq"))
        self.check("primers/pr2_primers_odd.tsv", self.column("primer_id", "sequence"), "--name-column", "primer_id")
        self.check("primers/pr2_primer_sets_odd.tsv", self.column("primer_set_name", "rev_seq"), "--name-column", "primer_set_name",
                   "--pattern-column", "rev_seq")
        self.check("primers/mbo_metabarcoding_odd.tsv", self.column("combination", "fwd_5to3"), "--pattern-column", "fwd_5to3")
        path, _ = self.read("primers/mbo_metabarcoding_odd.tsv")
        self.refused(3, "-f", path, "--pattern-column", "rev_5to3", LAMBDA, says=["line 4", "'Baci01'", "position 11", "'L'"])

    def test_contaminants(self):
        def parse(text):
            lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
            return [(line.split("\t")[0].strip(), line.split("\t")[-1].strip()) for line in lines]
        self.check("primers/fastqc_contaminant_list.txt", parse)

    def test_sites_and_motifs(self):
        self.check("motifs/rebase_sites.tsv", self.column("enzyme", "site"))
        self.check("motifs/JASPAR2022_vertebrates.consensus.tsv", self.column("id", "iupac_consensus"))

    def test_guides(self):
        self.check("motifs/guides_KY_v1.0.tsv.gz", self.column("CODE", "seq"))

    def test_fasta(self):
        for name in ("primers/NexteraPE-PE.fa", "primers/TruSeq2-PE.fa", "primers/TruSeq3-PE-2.fa", "primers/ont_native_barcodes.fasta",
                     "primers/porechop_adapters.fasta", "motifs/ce2dict0.fa"):
            self.check(name, naive.read_fasta)


if __name__ == "__main__":
    unittest.main()
