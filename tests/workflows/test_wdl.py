"""workflows/wdl: miniwdl finds the tasks valid, and gives what the program writes.

miniwdl comes from PyPI into BASESWEEP_WORKFLOWS_CACHE (default: build/workflows), once. It runs tasks without containers by
no_container.py.
"""
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from jobs import JOBS
from support import BINARY, ROOT, SECONDS, from_pypi

HERE = pathlib.Path(__file__).resolve().parent
TASKS, EXAMPLE = ROOT / "workflows/wdl/basesweep.wdl", ROOT / "workflows/wdl/motif_in_chunks.wdl"
MINIWDL = "1.16.0"
CONFIGURATION = """[scheduler]
container_backend = singularity
call_concurrency = 2
[singularity]
exe = ["{python}", "{program}"]
run_options = []
"""


@functools.lru_cache(None)
def miniwdl():
    """Returns the path of miniwdl, and None or the reason why there is none."""
    folder, reason = from_pypi(f"miniwdl-{MINIWDL}", f"miniwdl=={MINIWDL}")
    return folder / "bin/miniwdl", reason


@functools.lru_cache(None)
def no_name_spaces():
    """Returns why tasks cannot have folders of their own, or None."""
    if not shutil.which("unshare"):
        return "no unshare"
    done = subprocess.run(["unshare", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False)
    return None if done.returncode == 0 else "this system allows no mounts in a name space"


def value_of(value):
    if isinstance(value, list):
        return [value_of(one) for one in value]
    return str(value) if isinstance(value, (pathlib.Path, float)) else value


class Case(unittest.TestCase):
    def setUp(self):
        self.program, reason = miniwdl()
        if reason:
            self.skipTest(reason)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-wdl."))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/basesweep").symlink_to(BINARY)
        (self.folder / "miniwdl.cfg").write_text(CONFIGURATION.format(python=sys.executable, program=HERE / "no_container.py"))

    def call(self, *arguments):
        env = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "MINIWDL_CFG": str(self.folder / "miniwdl.cfg")}
        return subprocess.run([str(self.program), *map(str, arguments)], cwd=self.folder, env=env, capture_output=True, text=True,
                              timeout=SECONDS, check=False)

    def run_task(self, command, inputs):
        """Runs the task of a command, and returns its outputs."""
        return self.run_file(TASKS, inputs, "--task", f"basesweep_{command}")

    def run_file(self, file, inputs, *options):
        """Runs a task or a workflow of a file, and returns its outputs."""
        reason = no_name_spaces()
        if reason:
            self.skipTest(reason)
        (self.folder / "inputs.json").write_text(json.dumps({name: value_of(value) for name, value in inputs.items()}))
        done = self.call("run", file, *options, "--input", "inputs.json", "--dir", self.folder / "runs", "--no-color")
        self.assertEqual(done.returncode, 0, f"{file} {options}\n{done.stdout}\n{done.stderr}")
        return {name.partition(".")[2]: value for name, value in json.loads(done.stdout)["outputs"].items()}

    def assert_job(self, job):
        made = self.run_task(job.command, job.input_files())
        own = self.folder / "own"
        own.mkdir()
        for name, expected in job.run(own).items():
            written = made["written" if name == "output" else name]
            self.assertTrue(pathlib.Path(written).read_bytes() == expected, f"{job.command}: {name}")
        return made


class Tasks(Case):
    def test_valid(self):
        done = self.call("check", "--strict", "--suppress", "CommandShellCheck", EXAMPLE, TASKS)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({line.split()[1] for line in done.stdout.splitlines() if line.strip().startswith("task ")},
                         {f"basesweep_{command}" for command in (*JOBS, "merge")})


class Example(Case):
    def test_chunks(self):
        """A plan, three chunks and merge give the hits of one run."""
        genome, motifs = (JOBS["motif"].folder / name for name in ("genome.fa", "motifs.fa"))
        made = self.run_file(EXAMPLE, {"sequences": [genome], "motifs": [motifs], "chunks": 3})
        subprocess.run([BINARY, "motif", "-f", motifs, genome, "-o", "own.bed.gz"], cwd=self.folder, check=True, stderr=subprocess.DEVNULL)
        self.assertEqual(pathlib.Path(made["hits"]).read_bytes(), (self.folder / "own.bed.gz").read_bytes())
        self.assertEqual([pathlib.Path(one).name for one in made["indexes"]], ["hits.bed.gz.tbi"])


class Jobs(Case):
    """A test of each job; test_motif and so on are added below."""

    def test_demux_files(self):
        made = self.run_task("demux", JOBS["demux"].input_files())
        self.assertEqual(sorted(pathlib.Path(one).name for one in made["written"]),
                         ["brain.fastq", "kidney.fastq", "liver.fastq", "reasons.tsv", "summary.tsv", "unassigned.fastq"])

    def test_index_and_report(self):
        made = self.run_task("motif", JOBS["motif"].input_files())
        self.assertEqual([pathlib.Path(one).name for one in made["indexes"]], ["hits.bed.gz.tbi"])
        self.assertEqual(json.loads(pathlib.Path(made["json"]).read_text())["command"], "motif")


for name, job in JOBS.items():
    setattr(Jobs, f"test_{name}", lambda self, job=job: self.assert_job(job))
