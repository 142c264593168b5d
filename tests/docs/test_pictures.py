"""Figures show what the program finds; figures, plots and tables are what the scripts make."""
import subprocess
import sys
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

    def test_figures_are_current(self):
        self.assertEqual(output(sys.executable, ROOT / "scripts/figures.py", "--check"), "")

    def test_plots_and_tables_are_current(self):
        self.assertEqual(output(sys.executable, ROOT / "scripts/plots.py", "--check"), "")


if __name__ == "__main__":
    unittest.main()
