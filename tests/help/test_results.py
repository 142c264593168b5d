"""The examples of `motif`, `match` and `map` find what their captions promise in the files of example_files.py."""
import gzip
import json
import pathlib
import re
import shutil
import tempfile
import unittest

import example_files
from support import Case, environment, help_of, run, section
from test_examples import help_examples

FORWARD = {"A": "A", "C": "C", "G": "G", "T": "T", "N": "[ACGT]", "Y": "[CT]", "M": "[AC]", "R": "[AG]", "V": "[ACG]", "W": "[AT]"}


def captions(command):
    return [line[2:] for line in section(help_of(command), "Examples") if line.startswith("# ")]


def fasta(path):
    return {part.split("\n", 1)[0].split()[0]: part.split("\n", 1)[1].replace("\n", "")
            for part in path.read_text().split(">")[1:]}


def places(motif, text):
    """Returns the starts of a motif with IUPAC codes."""
    return [hit.start() for hit in re.finditer("(?=" + "".join(FORWARD[c] for c in motif) + ")", text)]


class Results(Case):
    @classmethod
    def setUpClass(cls):
        cls.files = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-results."))
        cls.addClassCleanup(shutil.rmtree, cls.files, ignore_errors=True)
        example_files.make(cls.files)
        cls.genome = fasta(cls.files / "genome.fa")

    def run_example(self, command, caption):
        """Runs the example and returns the lines of its output, from stdout or the file it writes."""
        shutil.rmtree(self.folder)
        shutil.copytree(self.files, self.folder)
        lines = help_examples((command,))[captions((command,)).index(caption)]
        before = set(self.folder.iterdir())
        done = run("bash", "-euo", "pipefail", "-c", "\n".join(lines), cwd=self.folder, env=environment())
        self.assertEqual((done.returncode, done.stderr), (0, ""), lines)
        self.made = {path.name: path for path in set(self.folder.iterdir()) - before}
        written = [path for path in self.made.values() if path.suffix != ".json"]
        if not written:
            return done.stdout.splitlines()
        if written[0].suffix == ".bam":
            written = [self.folder / "as.sam"]
            sam = run("bash", "-euo", "pipefail", "-c", re.sub(r"-o \S+\.bam", "-o as.sam", "\n".join(lines)), cwd=self.folder,
                      env=environment())
            self.assertEqual(sam.returncode, 0)
        data = written[0].read_bytes()
        return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode().splitlines()

    def test_motif(self):
        for caption in captions(("motif",)):
            with self.subTest(caption):
                lines = self.run_example("motif", caption)
                if caption.startswith("Find all EcoRI sites"):
                    self.assertEqual([tuple(line.split("\t")[:2]) for line in lines],
                                     [(record, str(start)) for record, text in self.genome.items()
                                      for start in places("GAATTC", text)])
                elif caption.startswith("Cut out the sites"):
                    self.assertEqual([line.upper() for line in lines[1::2]],
                                     [text[max(0, at - 20):at + 26].upper() for text in self.genome.values()
                                      for at in places("GAATTC", text)])
                    self.assertTrue(all(line.startswith(">") for line in lines[::2]))
                elif caption.startswith("Motifs from a file"):
                    both = sum(len(places(motif, text)) for text in self.genome.values()
                               for motif in ("GAATTC", "GANTC", "TATAAT", "ATTATA"))
                    self.assertEqual(len(lines), both)
                    self.assertEqual(json.loads(self.made["run.json"].read_text())["command"], "motif")
                elif caption.startswith("Count the hits"):
                    count = sum(len(places("GANTC", text)) for text in self.genome.values())
                    self.assertEqual(lines, ["pattern\tstrand\tcount", f"GANTC\t+\t{count}"])
                elif caption.startswith("Read from a pipe"):
                    reads = {line.split("\t")[0] for line in lines[1:] if line.split("\t")[4] == "+"}
                    self.assertLessEqual({f"adapted{i}" for i in range(0, 100, 2)}, reads)
                elif caption.startswith("Search a part"):
                    self.assertEqual(lines, [line for line in lines if line.startswith("chr1\t")])
                    self.assertEqual(len(lines), len([at for motif in ("TATAAT", "ATTATA")
                                                      for at in places(motif, self.genome["chr1"]) if 1_000_000 <= at < 2_000_000]))
                else:
                    self.fail("this example is not checked")

    def test_match(self):
        for caption in captions(("match",)):
            with self.subTest(caption):
                lines = self.run_example("match", caption)
                rows = [line.split("\t") for line in lines if not line.startswith("@")]
                if caption.startswith("Find primers with up to two edits"):
                    found = {(row[0], row[2], int(row[3])) for row in rows}
                    self.assertLessEqual({("515F", "chr1", 1_200_001), ("M13", "chr1", 1_500_020)}, found)
                elif caption.startswith("Allow one edit per ten bases"):
                    self.assertIn(["chr1", "1200000", "1200019", "515F", "1000", "+"], rows)
                elif caption.startswith("Allow only mismatches"):
                    self.assertIn(("chr1", "1200001", "19M"), [(row[2], row[3], row[5]) for row in rows])
                elif caption.startswith("Find adapters in reads"):
                    self.assertLessEqual({f"adapted{i}" for i in range(100)},
                                         {row[0] for row in rows if row[3] == "truseq" and int(row[5]) <= 1})
                elif caption.startswith("Write the pairs"):
                    texts = [gzip.decompress(self.made[f"with_{mate}.fq.gz"].read_bytes()).decode() for mate in (1, 2)]
                    names = [text.splitlines()[::4] for text in texts]
                    self.assertEqual(names[0], names[1])
                    self.assertLessEqual({f"@pair{i}" for i in range(1, 40, 2)}, set(names[0]))
                elif caption.startswith("Find barcodes"):
                    for i in range(100):
                        self.assertIn((f"barcode{i % 8}", "-" if i % 4 == 1 else "+"),
                                      {(row[3], row[4]) for row in rows if row[0] == f"tagged{i}"})
                else:
                    self.fail("this example is not checked")

    def test_map(self):
        for caption in captions(("map",)):
            with self.subTest(caption):
                rows = [line.split("\t") for line in self.run_example("map", caption) if not line.startswith("@")]
                mapped = {row[0] for row in rows if not int(row[1]) & 4}
                if caption.startswith("Map reads with up to 8 edits"):
                    self.assertLessEqual({f"read{i}" for i in range(100)}, mapped)
                    self.assertEqual(len({row[0] for row in rows}), 300)
                elif caption.startswith("Map pairs"):
                    self.assertEqual((len(mapped), len(rows)), (20, 40))
                    self.assertEqual([row[1] for row in rows if not int(row[1]) & 2], [])
                elif caption.startswith("Print only the reads that map"):
                    self.assertEqual(mapped, {f"read{i}" for i in range(100)})
                    self.assertEqual([row for row in rows if int(row[1]) & 4], [])
                elif caption.startswith("Read from a pipe"):
                    self.assertLessEqual({f"read{i}" for i in range(100)}, mapped)
                else:
                    self.fail("this example is not checked")


if __name__ == "__main__":
    unittest.main()
