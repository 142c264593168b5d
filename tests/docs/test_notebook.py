"""Runs docs/lambda.ipynb, and compares what its cells print with what it shows."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import ROOT

SCRIPT = """
import sys, nbclient, nbformat
shown = nbformat.read(sys.argv[1], 4)
run = nbformat.read(sys.argv[1], 4)
nbclient.NotebookClient(run, timeout=120, kernel_name="python3").execute()

def outputs(cell):
    return [said.get("text") or said["data"]["text/plain"] for said in cell.get("outputs", [])]

for number, (cell, own) in enumerate(zip(shown.cells, run.cells)):
    if outputs(cell) != outputs(own):
        print(f"cell {number} shows {outputs(cell)} and prints {outputs(own)}")
"""
NEEDED = ["basesweep", "ipykernel", "nbclient", "polars"]


class Notebook(unittest.TestCase):
    def test_it_prints_what_it_shows(self):
        python = os.environ.get("BASESWEEP_DOCS_PYTHON") or sys.executable
        asked = f"import importlib.util; print(*[name for name in {NEEDED} if importlib.util.find_spec(name) is None])"
        missing = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=True).stdout.strip()
        if missing:
            self.skipTest(f"no {missing}")
        folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-docs."))
        self.addCleanup(shutil.rmtree, folder)
        shutil.copy(ROOT / "test-data/lambda.fa.gz", folder)
        done = subprocess.run([python, "-c", SCRIPT, ROOT / "docs/lambda.ipynb"], cwd=folder, capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)


if __name__ == "__main__":
    unittest.main()
