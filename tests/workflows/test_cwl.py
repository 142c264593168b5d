"""workflows/cwl: cwltool finds the descriptions valid, and gives what the program writes.

cwltool comes from PyPI into BASESWEEP_WORKFLOWS_CACHE (default: build/workflows), once.
"""
import functools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from jobs import JOBS
from support import BINARY, ROOT, SECONDS, from_pypi

DESCRIPTIONS = ROOT / "workflows/cwl"
CWLTOOL = "3.3.20260925135507"


@functools.lru_cache(None)
def cwltool():
    """Returns the path of cwltool, and None or the reason why there is none."""
    folder, reason = from_pypi(f"cwltool-{CWLTOOL}", f"cwltool=={CWLTOOL}")
    return folder / "bin/cwltool", reason


def value_of(value):
    """Returns the value as CWL has it: files are objects."""
    if isinstance(value, list):
        return [value_of(one) for one in value]
    return {"class": "File", "path": str(value)} if isinstance(value, pathlib.Path) else value


class Case(unittest.TestCase):
    def setUp(self):
        self.program, reason = cwltool()
        if reason:
            self.skipTest(reason)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-cwl."))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/basesweep").symlink_to(BINARY)

    def call(self, *arguments):
        env = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        return subprocess.run([str(self.program), "--no-container", "--quiet", *map(str, arguments)], cwd=self.folder, env=env,
                              capture_output=True, text=True, timeout=SECONDS, check=False)

    def run_tool(self, command, inputs):
        """Runs the description of a command, and returns what cwltool says of its outputs."""
        (self.folder / "job.json").write_text(json.dumps({name: value_of(value) for name, value in inputs.items()}))
        done = self.call("--outdir", self.folder / "results", DESCRIPTIONS / f"{command}.cwl", "job.json")
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stderr}")
        return json.loads(done.stdout)

    def assert_job(self, job):
        made = self.run_tool(job.command, job.input_files())
        own = self.folder / "own"
        own.mkdir()
        for name, expected in job.run(own).items():
            self.assertTrue(pathlib.Path(made[name]["path"]).read_bytes() == expected, f"{job.command}: {name}")
        return made


class Descriptions(Case):
    def test_valid(self):
        files = sorted(DESCRIPTIONS.glob("*.cwl"))
        self.assertEqual({file.stem for file in files}, {*JOBS, "merge", "motif_in_chunks"})
        for file in files:
            done = self.call("--validate", file)
            self.assertEqual((done.returncode, done.stderr), (0, ""), file)


class Jobs(Case):
    """A test of each job; test_motif and so on are added below."""

    def test_demux_files(self):
        made = self.run_tool("demux", JOBS["demux"].input_files())
        self.assertEqual(sorted(one["basename"] for one in made["output"]["listing"]),
                         ["brain.fastq", "kidney.fastq", "liver.fastq", "reasons.tsv", "summary.tsv", "unassigned.fastq"])
        self.assertEqual(sorted(one["basename"] for one in made["reads_of_samples"]),
                         ["brain.fastq", "kidney.fastq", "liver.fastq", "unassigned.fastq"])

    def test_index_and_report(self):
        made = self.run_tool("motif", JOBS["motif"].input_files())
        self.assertEqual([one["basename"] for one in made["output"]["secondaryFiles"]], ["hits.bed.gz.tbi"])
        self.assertEqual(json.loads(pathlib.Path(made["json"]["path"]).read_text())["command"], "motif")

    def test_chunks(self):
        """A plan, three chunks and merge give the hits of one run."""
        genome, motifs = (JOBS["motif"].folder / name for name in ("genome.fa", "motifs.fa"))
        made = self.run_tool("motif_in_chunks", {"sequences": [genome], "motifs": [motifs], "count": 3, "chunks": ["1/3", "2/3", "3/3"]})
        subprocess.run([BINARY, "motif", "-f", motifs, genome, "-o", "own.bed.gz"], cwd=self.folder, check=True, stderr=subprocess.DEVNULL)
        self.assertEqual(pathlib.Path(made["hits"]["path"]).read_bytes(), (self.folder / "own.bed.gz").read_bytes())
        self.assertEqual([one["basename"] for one in made["hits"]["secondaryFiles"]], ["hits.bed.gz.tbi"])
        self.assertEqual(json.loads(pathlib.Path(made["report"]["path"]).read_text())["command"], "motif")

    def test_chunks_of_demux(self):
        """merge writes the folder of demux."""
        inputs = {**JOBS["demux"].input_files(), "chunk": "1/1", "output_name": "part.bsp"}
        del inputs["table_name"]
        subprocess.run([BINARY, "demux", "-s", inputs["sheet"], "-k", "2", "--chunk", "1/1", *inputs["reads"], "-o", "part.bsp"], cwd=self.folder,
                       check=True, stderr=subprocess.DEVNULL)
        made = self.run_tool("merge", {"parts": [self.folder / "part.bsp"], "output_name": "samples", "format": "fastq"})
        self.assertIn("liver.fastq", [one["basename"] for one in made["output"]["listing"]])

    def test_adapters_of_a_file(self):
        """A file of adapters is the same as its sequences."""
        (self.folder / "adapters.fa").write_text(">one\nAGATCGGAAGAGC\n")
        reads = [JOBS["trim"].folder / "reads.fq"]
        of_file = self.run_tool("trim", {"adapter_file": [self.folder / "adapters.fa"], "reads": reads, "output_name": "of_file.fq"})
        of_word = self.run_tool("trim", {"adapter": ["AGATCGGAAGAGC"], "reads": reads, "output_name": "of_word.fq"})
        self.assertEqual(*(pathlib.Path(made["output"]["path"]).read_bytes() for made in (of_file, of_word)))


for name, job in JOBS.items():
    setattr(Jobs, f"test_{name}", lambda self, job=job: self.assert_job(job))
