"""Figures show what the program finds; figures, plots and tables are what the scripts make."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

from support import BINARY, ROOT, output

sys.path.insert(0, str(ROOT / "scripts"))
import figures


class Pictures(unittest.TestCase):
    def search(self, text, pattern, edits, *options):
        """Returns the hits as (start, end, strand, edits)."""
        table = subprocess.run([BINARY, "match", "-p", pattern, "-k", str(edits), "--format", "tsv", *options], input=f">t\n{text}\n",
                               capture_output=True, text=True, check=True).stdout.splitlines()
        rows = [dict(zip(table[0].split("\t"), row.split("\t"))) for row in table[1:]]
        return [(int(row["start"]), int(row["end"]), row["strand"], int(row["edits"])) for row in rows]

    def test_hits(self):
        text, pattern, edits, hits = figures.TWO_STRANDS
        self.assertEqual(self.search(text, pattern, edits), hits)

    def test_reports(self):
        text, pattern, edits, found = figures.REPORTS
        for report, hits in found.items():
            self.assertEqual(self.search(text, pattern, edits, "--strand", "plus", "--report", report), hits, report)

    def test_guide_places(self):
        text, guide, _, places = figures.GUIDE_PLACES
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([BINARY, "guides", "-p", f"g={guide}", "-m", "1", "--max-rna-bulges", "1", "-q", "-o", "t.tsv", "--hits", "h.tsv"],
                           input=f">t\n{text}\n", cwd=folder, capture_output=True, text=True, check=True)
            rows = [line.split("\t") for line in (pathlib.Path(folder) / "h.tsv").read_text().splitlines()[1:]]
        self.assertEqual([(row[1], row[2], row[3], int(row[5]), row[6], int(row[7]), int(row[8])) for row in rows], places)

    def test_figures_are_current(self):
        self.assertEqual(output(sys.executable, ROOT / "scripts/figures.py", "--check"), "")

    def test_plots_and_tables_are_current(self):
        self.assertEqual(output(sys.executable, ROOT / "scripts/plots.py", "--check"), "")


if __name__ == "__main__":
    unittest.main()
