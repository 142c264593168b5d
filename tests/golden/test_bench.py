"""`bench paper`, `bench --set` and `bench --text`: every table runs, and its text and JSON hold the paper's figures and ours."""
import json
import unittest

from support import LAMBDA, Case

TABLES = {"charan": ["charan-nodes", "charan-rates", "charan-files"],
          "kouz": ["kouz-4.1", "kouz-4.2", "kouz-4.3", "kouz-4.4", "kouz-4.5", "kouz-others", "kouz-files"],
          "xu": ["xu-2", "xu-4", "xu-5", "xu-files"],
          "ashkiani": ["ashkiani-3a", "ashkiani-3b", "ashkiani-3c", "ashkiani-crossovers", "ashkiani-2", "ashkiani-3", "ashkiani-4",
                       "ashkiani-5", "ashkiani-6", "ashkiani-files"],
          "man": ["man-1-core"]}
PAPER_FIGURES = {"charan": "2K", "kouz": "22.1 - 33.7", "xu": "141.254", "ashkiani": "54.84", "man": "27720"}
# Cells with a figure of ours: a table, its column, the row's label.
WANTED = {"kouz": [(f"kouz-4.{figure}", "prep., ms: core", f"{row} 8000x32{how}")
                   for figure, row, how in ((1, "ac-nfa", ", supply"), (2, "set-horspool", ""), (3, "sbom", " binary"),
                                            (4, "wu-manber", ", our B"), (5, "sog", " binary, q = 8"))],
          "man": [("man-1-core", "2048", "hmm, 1 core"), ("man-1-core", "1024", "hmm, 1 core, 0/1")]}
WIDEST_LINE = 160
EXACT = ("planes", "drk2s", "ac-dfa", "ac-nfa", "set-horspool", "sbom", "wu-manber", "sog", "crk", "drk", "drk-wom32", "drk-wom64", "hrk",
         "qgrams")


class BenchPaper(Case):
    all_tables = []  # what bench("all") returned, once it has run

    def bench(self, table, *arguments):
        """Runs a table on the CPU, checks its text against its JSON report, and returns both."""
        text = self.output("paper", "--table", table, "--quick", "--device", "cpu", "--json", "report.json", *arguments,
                           command="bench")
        report = json.loads((self.folder / "report.json").read_text())
        self.assertEqual(self.listing(), ["report.json"])
        self.assertEqual((report["schema"], report["table"]), ("basesweep-bench-paper/1", table))
        self.assertEqual((report["right"], report["wrong"]), (True, []), text)
        self.assertNotIn("WRONG", text)
        self.assertLessEqual(max(map(len, text.splitlines())), WIDEST_LINE)
        for part in report["tables"]:
            for row in part["rows"]:
                self.assertEqual(len(row["values"]), len(part["columns"]), row)
                self.assertIn(f"  {row['by']:<5}  {row['label']}", text)
        return report, text

    def parts_of(self, table):
        """The parts of a table, and the text of the run of all tables that they come from. Tests share this run."""
        if not self.all_tables:
            self.all_tables.extend(self.bench("all"))
        report, text = self.all_tables
        return [part for part in report["tables"] if part["id"] in TABLES[table]], text

    def test_tables(self):
        for table in TABLES:
            parts, text = self.parts_of(table)
            self.assertIn(PAPER_FIGURES[table], text)
            measured = [value for part in parts for row in part["rows"]
                        if row["by"] == "ours" and row["label"] != "hits"  # there may be none
                        for value in row["values"] if isinstance(value, float)]
            theirs = [value for part in parts for row in part["rows"] if row["by"] == "paper"
                      for value in row["values"] if value is not None]
            self.assertTrue(measured and theirs, table)
            self.assertTrue(all(value > 0 for value in measured), table)
            for part_id, column, label in WANTED.get(table, []):
                part = next(part for part in parts if part["id"] == part_id)
                row = next(row for row in part["rows"] if row["label"] == label)
                self.assertIsInstance(row["values"][part["columns"].index(column)], float, (part_id, column, label))

    def test_all(self):
        self.parts_of("man")
        report, _ = self.all_tables
        self.assertEqual([part["id"] for part in report["tables"]], [part for parts in TABLES.values() for part in parts])
        self.assertRegex(report["date"], r"^20\d\d-\d\d-\d\d$")

    def test_one_table(self):
        for table in ("charan", "xu"):
            report, _ = self.bench(table)
            self.assertEqual([part["id"] for part in report["tables"]], TABLES[table])

    def test_text_of_files(self):
        for table in ("kouz", "ashkiani"):
            report, text = self.bench(table, "--text", LAMBDA, "--text", LAMBDA)
            self.assertEqual([part["id"] for part in report["tables"]], TABLES[table])
            self.assertEqual(report["text"], f"{LAMBDA}, {LAMBDA}")
            self.assertIn(str(2 * 48502 + 1), text)  # one filler position between the records

    def test_refused(self):
        def refused(code, *arguments, says):
            self.refused(code, "paper", "--device", "cpu", "--quick", "--json", "out.json", *arguments, says=says, files=(),
                         command="bench")
        refused(2, "--table", "knuth", says=["--table", "knuth"])
        refused(2, says=["--table"])
        refused(2, "--table", "xu", "--text", LAMBDA, says=["--text", "xu"])
        refused(4, "--table", "kouz", "--text", "none.fa", says=["none.fa"])
        self.file("short.fa", ">short\nACGTNACGT\n")
        refused(3, "--table", "kouz", "--text", "short.fa", says=["1000 different patterns of 8"])
        self.file("empty.fa", ">empty\n")
        refused(3, "--table", "kouz", "--text", "empty.fa", says=["no bases"])

    def test_options_before_paper(self):
        for options in (["--set", "5x8"], ["--only", "planes"], ["--quick"], ["-t", "1"], ["--device", "cpu"],
                        ["--device", "cpu", "--set", "5x8"]):
            self.refused(2, *options, "paper", "--table", "charan", says=[options[0].lstrip("-"), "bench paper"], files=(),
                         command="bench")

    def test_hint(self):
        for arguments, hint in ((["paper", "--table", "knuth"], "basesweep bench paper --help"),
                                (["--wrong"], "basesweep bench --help")):
            said = self.refused(2, *arguments, files=(), command="bench")
            self.assertTrue(said.endswith(f"Try '{hint}'.\n"), said)

    def test_not_to_be_compared(self):
        """Every table of times says so when the text is not as long as the paper's; that of kouz is, even with --quick."""
        without = ("ashkiani-3b", "ashkiani-3c", "ashkiani-5",  # no text of one length, no text at all
                   "kouz-files", "xu-files", "ashkiani-files")  # nothing of the paper
        for table in ("kouz", "xu", "ashkiani", "man"):
            for part in self.parts_of(table)[0]:
                told = [note for note in part["notes"] if note.startswith("Not comparable: ")]
                self.assertEqual(len(told), table != "kouz" and part["id"] not in without, part["id"])


class BenchSets(Case):
    def test_rows(self):
        text = self.output("--device", "cpu", "--quick", "--set", "3x12", "--set", "2x40", command="bench")
        rows = [line.split(" one strand")[0] for line in text.splitlines() if " one strand" in line]
        for row in ("planes 3 x 12", "qgrams 2 x 40", "drk-wom32 3 x 12"):
            self.assertIn(row, rows)
        self.assertNotIn("drk-wom32 2 x 40", rows)  # takes at most 16 bases
        self.assertIn("drk-wom32 declines 2 x 40: is longer than 16 bases", text)
        only = self.output("--device", "cpu", "--quick", "--set", "3x12", "--set", "3x40", "--only", "planes", command="bench")
        self.assertEqual(only.count(" one strand"), 2)
        self.assertNotIn("declines", only)

    def test_refused(self):
        for wrong in ("12", "x12", "3x", "0x12", "3x0", "3x12x", "3x65537", "-3x12", ""):
            self.refused(2, "--device", "cpu", f"--set={wrong}", says=["--set", "NxM"], files=(), command="bench")
        for large in ("10000x65536", "2147483647x1", "16777217x1"):
            self.refused(2, "--device", "cpu", "--set", large, says=["--set", large, "too large"], files=(), command="bench")

    def test_nothing_left(self):
        def refused(*arguments, says):
            self.refused(2, "--device", "cpu", "--quick", *arguments, says=says, files=(), command="bench")
        refused("--only", "no such row", says=["nothing to measure", "no such row"])
        refused("--set", "3x12", "--only", "no such row", says=["nothing to measure", "no such row"])
        refused("--set", "2x40", "--only", "drk-wom32", says=["drk-wom32 declines 2 x 40: is longer than 16 bases"])
        refused("--set", "2x40", "--set", "3x50", "--only", "drk-wom", says=["declines 2 x 40", "declines 3 x 50"])


class BenchReads(Case):
    def test_rows(self):
        """The rows of demux, trim, count and whitelists; each finds what was planted."""
        rows = {}
        for only in ("demux 96", "trim adapter", "count 10000", "whitelist"):
            self.output("--device", "cpu", "--quick", "--only", only, "--json", "bench.json", command="bench")
            part, = [part for part in json.loads((self.folder / "bench.json").read_text())["parts"] if part["name"] == "reads"]
            rows.update({row["what"]: row for row in part["rows"]})
        self.assertEqual(len(rows), 5)
        for what, least, most in (("demux 96 barcodes context 20", 0.49, 0.51), ("trim adapter FASTQ", 0.09, 0.2), ("count 10000 guides exact", 0.9, 0.93),
                                  ("count 10000 guides 1 mismatch", 0.999, 1), ("whitelist 737280 barcodes", 0.99, 1)):
            words = rows[what]["note"].split()
            self.assertTrue(least <= int(words[0]) / int(words[2]) <= most, rows[what])
            self.assertGreater(rows[what]["gbases_per_second"], 0)


class BenchText(Case):
    def test_rows(self):
        """Every algorithm and auto search the text for patterns that are taken from it, and find the same."""
        text = self.output("--device", "cpu", "-t", "2", "--quick", "--text", LAMBDA, "--set", "20x12", "--set", "3x20", "--json", "bench.json",
                           command="bench")
        self.assertIn("CPU, 2 threads", text)
        part, = json.loads((self.folder / "bench.json").read_text())["parts"]
        self.assertEqual(part["name"], "text")
        for size, left_out in (("20 x 12", ()), ("3 x 20", ("drk-wom32",))):
            rows = {row["what"].removesuffix(f" {size}"): row for row in part["rows"] if row["what"].endswith(size)}
            self.assertEqual(set(rows), set(EXACT) - set(left_out) | {"auto"}, size)
            self.assertEqual(len({row["note"] for row in rows.values()}), 1, size)
            self.assertGreaterEqual(int(rows["auto"]["note"].split()[0]), int(size.split()[0]))
            self.assertEqual({row["bases"] for row in rows.values()}, {48502})

    def test_refused(self):
        self.file("empty.fa", ">a\n")
        for arguments, says in ((["--text", LAMBDA], "--set"), (["--text", LAMBDA, "--set", "x"], "NxM"),
                                (["--text", LAMBDA, "--set", "3x12", "--only", "no such row"], "nothing to measure"),
                                (["--text", LAMBDA, "--set", "3x12", "--device", "gpu"], "--device gpu")):
            self.refused(2, *arguments, says=[says], files=(), command="bench")
        self.refused(3, "--text", "empty.fa", "--set", "3x12", says=["empty.fa", "no bases"], files=(), command="bench")
        self.refused(4, "--text", "missing.fa", "--set", "3x12", says=["missing.fa"], files=(), command="bench")


class BenchJson(Case):
    def test_rows(self):
        """The report holds what is printed."""
        text = self.output("--device", "cpu", "--quick", "--set", "3x12", "--set", "2x40", "--json", "bench.json", command="bench")
        report = json.loads((self.folder / "bench.json").read_text())
        self.assertEqual((report["schema"], report["quick"], report["machine"]["gpu"]), ("basesweep-bench/1", True, None))
        self.assertRegex(report["date"], r"^\d{4}-\d\d-\d\d$")
        self.assertEqual([part["name"] for part in report["parts"]], ["cpu"])
        for declined in report["declined"]:
            self.assertIn(declined, text)
        rows = report["parts"][0]["rows"]
        self.assertEqual(text.count(" one strand"), len(rows))
        for row in rows:
            rate = row["bases"] / row["seconds"] / 1e9
            self.assertAlmostEqual(row["gbases_per_second"], rate, delta=rate / 1e6)
            self.assertRegex(text, rf"(?m)^{row['what']} +in memory +{rate:.2f} Gbase/s +{row['seconds'] * 1e3:.3f} ms +{row['note']}$")

    def test_parts(self):
        """An example of --help, which tests/help leaves out."""
        done = self.run_here("--quick", "--device", "cpu", "--json", "bench.json", command="bench")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        parts = {part["name"]: part["rows"] for part in json.loads((self.folder / "bench.json").read_text())["parts"]}
        self.assertEqual([row["what"] for row in parts["files"]],
                         ["read", "read + pack", "10 x 12 both, end to end", "1 x 2 both, end to end"])
        self.assertGreater(len(parts["cpu"]), 40)
        self.assertEqual([row["what"] for row in parts["matrices"]],
                         [f"{algorithm} {case}" for case in ("1 matrices p=0.0001", "100 matrices p=0.0001",
                                                             "1000 matrices p=0.0001", "1000 matrices p=1e-06")
                          for algorithm in ("lookup", "auto")])
        self.assertEqual([row["what"] for row in parts["guides"]],
                         ["guides 100 x 20 NGG m=4", "guides 10000 x 20 NGG m=4", "guides 1000 x 20 NGG m=4 with a bulge"])

    def test_only_rows_of_matrices_or_guides(self):
        for only, part in (("auto 1 matrices", "matrices"), ("guides 100 ", "guides")):
            self.output("--device", "cpu", "--quick", "--only", only, "--json", "bench.json", command="bench")
            parts = json.loads((self.folder / "bench.json").read_text())["parts"]
            self.assertEqual([(one["name"], len(one["rows"])) for one in parts], [(part, 1)])

    def test_refused(self):
        self.refused(2, "--device", "cpu", "--json", "-", says=["--json", "stdout"], files=(), command="bench")
        self.refused(4, "--device", "cpu", "--json", "none/bench.json", says=["none/bench.json"], files=(), command="bench")


if __name__ == "__main__":
    unittest.main()
