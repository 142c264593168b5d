"""The recipe for bigBed in docs/formats.md, and the AutoSQL file."""
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import unittest

from support import BINARY, Case

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


def fenced(language):
    """The first block of this language in the section on bigBed."""
    section = (DOCS / "formats.md").read_text().split("### bigBed")[1]
    return re.search(rf"```{language}\n(.*?)```", section, re.S).group(1)


class BigBed(Case):
    def test_autosql(self):
        """It has the names and types of BED6."""
        text = (DOCS / "basesweep.as").read_text()
        self.assertRegex(text, r'\Atable basesweep\n"[^"\n]+"\n\(\n(    \S+ +\w+; +"[^"\n]+"\n){6}\)\n\Z')
        self.assertEqual(re.findall(r"^ +(\S+) +(\w+);", text, re.M),
                         [("string", "chrom"), ("uint", "chromStart"), ("uint", "chromEnd"), ("string", "name"), ("uint", "score"), ("char[1]", "strand")])

    @unittest.skipIf(importlib.util.find_spec("pybigtools") is None, "no pybigtools")
    def test_recipe(self):
        genome = b"".join(b">%s\n%s\n" % (name, letters) for name, letters in ((b"b", b"TTGAATTCAA" * 9), (b"a10", b"GAATTC"), (b"a2", b"CCGAATTC")))
        self.file("genome.fa", genome)
        self.file("motifs.fa", ">EcoRI\nGAATTC\n>other\nAATTC\n")
        self.assertEqual(self.run_here("genome.fa", "--write-index", "-n", "1", "-o", "plan", command="plan").returncode, 0)
        lines = [line for line in fenced("sh").splitlines() if not line.startswith("bedToBigBed")]
        env = {**os.environ, "PATH": f"{pathlib.Path(BINARY).parent}:{os.environ['PATH']}"}
        subprocess.run(["bash", "-ec", "\n".join(lines)], cwd=self.folder, env=env, check=True)
        subprocess.run([sys.executable, "-c", fenced("python")], cwd=self.folder, env=env, check=True)
        import pybigtools
        made = pybigtools.open(str(self.folder / "hits.bb"))
        self.assertEqual(made.chroms(), {"a10": 6, "a2": 8, "b": 90})
        found = sorted((name, *map(str, row)) for name in made.chroms() for row in made.records(name))
        bed = self.output("-f", "motifs.fa", "genome.fa").splitlines()
        self.assertEqual(len(bed), 33)
        self.assertEqual(found, sorted(tuple(line.split("\t")) for line in bed))
