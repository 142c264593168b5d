"""workflows/snakemake gives the same bytes as one run; reruns, retries, Slurm, style.

Snakemake, its Slurm plugin and snakefmt come from PyPI into BASESWEEP_WORKFLOWS_CACHE (default: build/workflows), once.
"""
import functools
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

import slurm
from support import BINARY, ROOT, from_pypi, letters, reverse_complement

HERE = pathlib.Path(__file__).resolve().parent
WORKFLOW = ROOT / "workflows/snakemake"
SNAKEMAKE, SLURM_PLUGIN, SNAKEFMT = "9.27.1", "2.8.0", "2.1.0"
SECONDS = 300  # limit of one call


def new_python():
    """Returns a Python that Snakemake 9 runs on, or None."""
    for name in (sys.executable, "python3", "python3.14", "python3.13", "python3.12", "python3.11"):
        path = shutil.which(name)
        if path and subprocess.run([path, "-c", "import sys, venv; sys.exit(sys.version_info < (3, 11))"],
                                   check=False, stderr=subprocess.DEVNULL).returncode == 0:
            return path
    return None


@functools.lru_cache(None)
def programs():
    """Returns the folder of snakemake and snakefmt, and None or the reason why there is none."""
    python = new_python()
    if not python:
        return None, "no Python 3.11 or later with venv"

    folder, reason = from_pypi(f"snakemake-{SNAKEMAKE}-{SLURM_PLUGIN}-{SNAKEFMT}", f"snakemake=={SNAKEMAKE}",
                               f"snakemake-executor-plugin-slurm=={SLURM_PLUGIN}", f"snakefmt=={SNAKEFMT}", python=python)
    return folder / "bin", reason


def write_data(folder):
    """Writes a genome with an empty and a short record, motifs, primers, reads and pairs; always the same."""
    rng = random.Random(17)
    genome = {name: letters(rng, length) for name, length in
              (("long", 30000), ("short", 9), ("empty", 0), ("middle", 7000), ("last", 2500))}
    primers = [("left", genome["long"][200:220]), ("right", genome["middle"][3000:3022])]
    whole = genome["long"]
    reads = []
    for number in range(60):
        start = rng.randrange(len(whole) - 60)
        read = list(whole[start:start + 60])
        for _ in range(number % 4):
            read[rng.randrange(60)] = rng.choice("ACGT")
        reads.append("".join(read))
    mates = []
    for _ in range(30):
        start = rng.randrange(len(whole) - 300)
        mates.append((whole[start:start + 60], reverse_complement(whole[start + 200:start + 260])))

    def write(name, lines):
        (folder / name).write_text("".join(line + "\n" for line in lines))

    def fastq(bases):
        return [line for i, read in enumerate(bases) for line in (f"@read_{i}", read, "+", "I" * len(read))]

    write("genome.fa", [line for name, text in genome.items()
                        for line in [">" + name, *re.findall(".{1,60}", text)]])
    write("more.fa", [">more", letters(rng, 5000)])
    write("motifs.fa", [">EcoRI", "GAATTC", ">HinfI", "GANTC", ">word", "TTGACA"])
    write("primers.fa", [line for name, text in primers for line in (">" + name, text)])
    write("reads.fq", fastq(reads))
    write("reads_1.fq", fastq([one for one, _ in mates]))
    write("reads_2.fq", fastq([two for _, two in mates]))


MOTIF = {"input": "genome.fa", "patterns": "motifs.fa"}
SEARCHES = {
    "motif": {"hits": {**MOTIF, "format": "bed"},
              "packed": {**MOTIF, "input": ["genome.fa", "more.fa"], "format": "bed.gz"},
              "region": {**MOTIF, "format": "bed", "plan_extra": "--region long:1000-20000"},
              "counts": {**MOTIF, "format": "tsv", "extra": "--count"}},
    "match": {"hits": {"input": "genome.fa", "patterns": "primers.fa", "extra": "-k 3", "format": "bam"},
              "table": {"input": "genome.fa", "patterns": "primers.fa", "extra": "-k 3 --columns record,pattern,start,edits,cigar", "format": "csv"}},
    "map": {"reads": {"input": "reads.fq", "reference": "genome.fa", "extra": "-k 4", "format": "bam"},
            "pairs": {"input": "reads_1.fq", "mates": "reads_2.fq", "reference": "genome.fa", "extra": "-k 4",
                      "format": "bam"}}}
KILL_ONCE = 'case "$*" in *"--chunk 2/3"*) mkdir {folder}/killed 2>/dev/null && kill -9 $$;; esac'
MACHINE = {"threads": 1, "mem_mb": 200, "runtime": 5, "gpu": 0}
ONE = {"motif": {"hits": SEARCHES["motif"]["hits"]}}
EACH = {**ONE, "match": {"hits": SEARCHES["match"]["hits"]}, "map": {"reads": SEARCHES["map"]["reads"]}}


class Calls:
    """Calls of Snakemake from a process that has imported it (snakemake_calls.py)."""

    def __init__(self, python):
        self.process = subprocess.Popen([python, "-P", HERE / "snakemake_calls.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def call(self, **call):
        """Returns the exit code."""
        print(json.dumps(call), file=self.process.stdin, flush=True)
        return int(self.process.stdout.readline())

    def end(self):
        self.process.communicate()


@functools.lru_cache(None)
def calls_of_snakemake():
    calls = Calls(programs()[0] / "python")
    unittest.addModuleCleanup(calls.end)
    return calls


class SnakemakeCase(unittest.TestCase):
    """Each test has its own folder with data. The `basesweep` that is first in PATH logs how it is called."""
    maxDiff = 2000

    def setUp(self):
        self.programs, reason = programs()
        if reason:
            self.skipTest(reason)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-snakemake."))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "bin").mkdir()
        self.noted = self.folder / "calls.txt"
        self.program()

    def program(self, before=""):
        """Sets what the logging `basesweep` does before it starts the real one."""
        program = self.folder / "bin/basesweep"
        program.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$*\" >> {self.noted}\n{before}\n"
                           f"exec {shlex.quote(BINARY)} \"$@\"\n")
        program.chmod(0o755)

    def calls(self, command=""):
        """Returns the calls of a command since the last call of this function, sorted."""
        lines = self.noted.read_text().splitlines() if self.noted.exists() else []
        if not command:
            self.noted.write_text("")
        return sorted(line for line in lines if line.startswith(command))

    def environment(self):
        env = {name: value for name, value in os.environ.items() if not name.startswith(("BASESWEEP_", "SNAKEMAKE_"))}
        env["PATH"] = os.pathsep.join([str(self.folder / "bin"), str(self.programs), env["PATH"]])
        env["XDG_CACHE_HOME"] = str(self.folder / "cache")
        return env

    def snakemake(self, *arguments, cwd=None, code=0, env=None, as_program=False):
        """Returns what Snakemake prints. `as_program`: starts the program itself."""
        words, env, output = [str(word) for word in arguments], env or self.environment(), self.folder / "output.txt"
        output.unlink(missing_ok=True)
        if as_program:
            with open(output, "wb") as file:
                found = subprocess.run([str(self.programs / "snakemake"), *words], cwd=cwd or self.folder, env=env, stdout=file,
                                       stderr=subprocess.STDOUT, timeout=SECONDS, check=False).returncode
        else:
            found = calls_of_snakemake().call(arguments=words, folder=str(cwd or self.folder), environment=env, seconds=SECONDS,
                                                 output=str(output))
        text = output.read_text(errors="replace")
        self.assertEqual(found, code, f"snakemake {arguments}\n{text}")
        return text

    def workflow(self, *arguments, **options):
        return self.snakemake("--snakefile", WORKFLOW / "Snakefile", "--cores", "2", *arguments, **options)

    def configure(self, searches, chunks=3, **changes):
        write_data(self.folder)
        (self.folder / "config.yaml").write_text(json.dumps({"chunks": chunks, **MACHINE, **changes, **searches}))

    def one_run(self, command, search, cwd=None):
        """Returns the bytes that one run of basesweep writes."""
        files = [search["input"]] if isinstance(search["input"], str) else search["input"]
        if command == "map":
            if "mates" in search:
                files = ["-1", *files, "-2", search["mates"]]
            files = ["-r", search["reference"], *files]
        else:
            files = ["-m" if command == "pwm" else "-f", search["patterns"], *files]
        extra = f"{search.get('extra', '')} {search.get('plan_extra', '')}".split()
        out = self.folder / f"expected.{search['format']}"
        done = subprocess.run([BINARY, command, *extra, *files, "-o", str(out)], cwd=cwd or self.folder,
                              stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return out.read_bytes()

    def assert_gathered(self, searches, cwd=None):
        for command, named in searches.items():
            for name, search in named.items():
                gathered = pathlib.Path(cwd or self.folder, "results", command, f"{name}.{search['format']}")
                expected = self.one_run(command, search, cwd)
                self.assertGreater(len(expected), 50, gathered)
                self.assertEqual(gathered.read_bytes(), expected, gathered)
                report = json.loads((gathered.parent / (gathered.name + ".json")).read_text())
                self.assertEqual((report["schema"], report["command"]), ("basesweep-report/1", command))


class Example(SnakemakeCase):
    def gather(self, searches, chunks):
        self.configure(searches, chunks)
        self.workflow()
        self.assert_gathered(searches)
        named = {command: len(searches[command]) for command in searches}
        for command, count in named.items():
            self.assertEqual(len(self.calls(command + " ")), count * chunks, command)
        self.assertEqual(len(self.calls("plan ")), sum(named.values()))
        self.assertEqual(len(self.calls("merge ")), sum(named.values()))
        for call in self.calls("merge "):
            order = [int(number) for number in re.findall(r"/(\d+)-of-", call)]
            self.assertEqual(order, list(range(1, chunks + 1)), call)

    def test_three_chunks(self):
        self.gather(SEARCHES, 3)

    def test_eleven_chunks(self):
        """Parts are merged by their numbers: 10 and 11 come after 9."""
        self.gather(EACH, 11)

    def test_what_is_run_again(self):
        self.configure(ONE)
        self.workflow()
        result, part = self.folder / "results/motif/hits.bed", self.folder / "parts/motif/hits/2-of-3.bsp"
        whole = result.read_bytes()
        self.calls()
        self.assertIn("Nothing to be done", self.workflow())
        self.assertEqual(self.calls(), [])
        part.unlink()
        result.unlink()
        self.workflow()
        again = self.calls()
        self.assertEqual([call.split()[0] for call in again], ["merge", "motif"], again)
        self.assertIn("--chunk 2/3", again[1])
        self.assertEqual(result.read_bytes(), whole)

    def test_as_shipped(self):
        """Runs the command of the documentation in a copy of the folder."""
        copy = self.folder / "workflows/snakemake"
        shutil.copytree(WORKFLOW, copy)
        (self.folder / "test-data").symlink_to(ROOT / "test-data")
        self.snakemake("--cores", "2", cwd=copy, as_program=True)
        lambda_ = {"input": "../../test-data/lambda.fa.gz", "patterns": "../../test-data/motifs.fa"}
        self.assert_gathered({"motif": {"sites": {**lambda_, "format": "bed.gz"},
                                        "counts": {**lambda_, "extra": "--count", "format": "tsv"}},
                              "match": {"near": {**lambda_, "extra": "-k 1", "format": "bam"}},
                              "map": {"reads": {"input": "wrappers/map/test/reads.fq", "extra": "-k 3", "format": "bam",
                                                "reference": "wrappers/map/test/genome.fa"}}}, copy)


class Retries(SnakemakeCase):
    def test_killed_gets_more_memory(self):
        self.configure(ONE)
        self.program(KILL_ONCE.format(folder=self.folder))
        text = self.workflow()
        self.assertIn("exit status 137", text)
        self.assertRegex(text, "mem_mb=400[^0-9]")
        self.assertEqual(len(self.calls("motif ")), 4)
        self.assert_gathered(ONE)

    def test_no_usable_gpu_goes_without(self):
        self.configure(ONE, gpu=1)
        self.program('case "$*" in *"--device gpu"*) exit 75;; esac')
        text = self.workflow()
        self.assertIn("exit status 75", text)
        calls = self.calls("motif ")
        self.assertEqual([sum(device in call for call in calls) for device in ("--device gpu", "--device cpu")], [3, 3])
        self.assert_gathered(ONE)

    def test_bad_input_fails_thrice(self):
        self.configure(ONE, chunks=1)
        (self.folder / "motifs.fa").write_text(">bad\nGA!TTC\n")
        self.assertIn("exit status 3", self.workflow(code=1))
        self.assertEqual(len(self.calls("motif ")), 3)
        self.assertFalse((self.folder / "results").exists())


class Wrappers(SnakemakeCase):
    """Tests each wrapper like snakemake-wrappers: its test/Snakefile, in a copy of all wrappers as master/bio/basesweep."""

    def run_wrapper(self, name, *targets):
        shutil.copytree(WORKFLOW / "wrappers", self.folder / "master/bio/basesweep")
        test = self.folder / "master/bio/basesweep" / name / "test"
        self.snakemake("--cores", "2", "--wrapper-prefix", f"file://{self.folder}/", *targets, cwd=test)
        for target in targets:
            self.assertGreater((test / target).stat().st_size, 20, target)
        return test

    def assert_one_run(self, test, target, command, **search):
        expected = self.one_run(command, {"input": "genome.fa", "format": target.split(".", 1)[1], **search}, test)
        self.assertEqual((test / target).read_bytes(), expected)

    def test_motif(self):
        test = self.run_wrapper("motif", "hits/genome.bed", "hits/genome.json")
        self.assert_one_run(test, "hits/genome.bed", "motif", patterns="motifs.fa")

    def test_match(self):
        test = self.run_wrapper("match", "hits/genome.bam")
        self.assert_one_run(test, "hits/genome.bam", "match", patterns="primers.fa", extra="-k 2")

    def test_pcr(self):
        test = self.run_wrapper("pcr", "products/genome.bam", "products/genome.json")
        self.assert_one_run(test, "products/genome.bam", "pcr", patterns="pairs.tsv", extra="-k 2 --size 50,1000")

    def test_pwm(self):
        test = self.run_wrapper("pwm", "sites/genome.bed", "sites/genome.json")
        self.assert_one_run(test, "sites/genome.bed", "pwm", patterns="matrices.jaspar", extra="-p 1e-3")

    def test_guides(self):
        test = self.run_wrapper("guides", "guides/genome.tsv", "guides/genome.places.bam", "guides/genome.places.bam.bai", "guides/genome.json")
        self.assert_one_run(test, "guides/genome.tsv", "guides", patterns="guides.tsv", extra="-m 4 --max-dna-bulges 1 --hits expected.bam")
        self.assertEqual((test / "guides/genome.places.bam").read_bytes(), (test / "expected.bam").read_bytes())

    def test_map(self):
        test = self.run_wrapper("map", "mapped/reads.bam")
        self.assert_one_run(test, "mapped/reads.bam", "map", reference="genome.fa", input="reads.fq",
                            extra=r"-k 3 -R @RG\tID:reads\tSM:reads")

    def reads_run(self, test, *arguments):
        """Runs basesweep with these arguments, in the folder of a test."""
        done = subprocess.run([BINARY, *arguments], cwd=test, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_demux(self):
        targets = ("sorted/reads/summary.tsv", "sorted/reads/liver.fastq.gz", "sorted/reads.table.tsv", "sorted/reads.json")
        test = self.run_wrapper("demux", *targets)
        self.reads_run(test, "demux", "-k", "2", "-s", "samples.tsv", "reads.fq", "-o", "one", "--table", "one.tsv")
        self.assertEqual((test / "sorted/reads.table.tsv").read_bytes(), (test / "one.tsv").read_bytes())
        expected = {path.name: path.read_bytes() for path in (test / "one").iterdir()}
        self.assertEqual({path.name: path.read_bytes() for path in (test / "sorted/reads").iterdir()}, expected)
        (test / targets[0]).unlink()  # files of the earlier run are replaced
        self.snakemake("--cores", "2", "--wrapper-prefix", f"file://{self.folder}/", targets[0], cwd=test)
        self.assertEqual((test / targets[0]).read_bytes(), expected["summary.tsv"])

    def test_trim(self):
        test = self.run_wrapper("trim", "trimmed/reads.fq.gz", "trimmed/reads.tsv", "trimmed/reads.json")
        self.reads_run(test, "trim", "-a", "AGATCGGAAGAGC", "-m", "50", "reads.fq", "-o", "one.fq.gz")
        self.assertEqual((test / "trimmed/reads.fq.gz").read_bytes(), (test / "one.fq.gz").read_bytes())

    def test_count(self):
        test = self.run_wrapper("count", "counts/screen.count.txt", "counts/screen.samples.tsv", "counts/screen.json")
        self.reads_run(test, "count", "-l", "library.tsv", "plasmid.fq", "treated.fq", "-o", "one.txt", "--summary", "one.tsv")
        self.assertEqual((test / "counts/screen.count.txt").read_bytes(), (test / "one.txt").read_bytes())
        self.assertEqual((test / "counts/screen.samples.tsv").read_bytes(), (test / "one.tsv").read_bytes())

    def test_plan(self):
        test = self.run_wrapper("plan", "plans/genome.tsv")
        plan = (test / "plans/genome.tsv").read_text()
        self.assertRegex(plan, r"\A#basesweep-plan\t1\tchunks=3\b")
        self.assertRegex(plan, r"\n1\tone\t100\t")

    def test_merge(self):
        test = self.run_wrapper("merge", "hits/genome.bed.gz", "hits/genome.bed.gz.tbi", "hits/genome.json")
        self.assert_one_run(test, "hits/genome.bed.gz", "motif", patterns="motifs.fa")

    def test_each_has_its_files(self):
        for folder in sorted((WORKFLOW / "wrappers").iterdir()):
            for name in ("wrapper.py", "environment.yaml", "meta.yaml", "test/Snakefile"):
                self.assertTrue((folder / name).is_file(), folder / name)
            self.assertTrue(hasattr(self, f"test_{folder.name}"), folder)


class Style(SnakemakeCase):
    def test_lint(self):
        self.configure(ONE)
        text = self.snakemake("--lint", "--snakefile", WORKFLOW / "Snakefile")
        self.assertIn("in a good condition", text)
        for snakefile in WORKFLOW.glob("wrappers/*/test/Snakefile"):
            self.assertIn("in a good condition", self.snakemake("--lint", "--snakefile", snakefile), snakefile)

    def test_format(self):
        for program, files in (("snakefmt", [WORKFLOW]), ("black", [WORKFLOW / "wrappers"])):
            done = subprocess.run([str(self.programs / program), "--check", *map(str, files)], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, check=False)
            self.assertEqual(done.returncode, 0, done.stdout.decode())


class OnSlurm(SnakemakeCase):
    def test_three_chunks(self):
        """A job that is killed once is submitted again with more memory."""
        reason = slurm.missing(link=True)
        if reason:
            self.skipTest(reason)
        self.configure(ONE)
        self.program(KILL_ONCE.format(folder=self.folder))
        with slurm.Slurm(link=True) as node:
            env = self.environment()
            env.update(SLURM_CONF=node.environment()["SLURM_CONF"], PATH=env["PATH"] + ":/usr/sbin")
            self.snakemake("--snakefile", WORKFLOW / "Snakefile", "--workflow-profile", WORKFLOW / "profiles/slurm",
                           "--jobs", "4", "--slurm-init-seconds-before-status-checks", "1", env=env, as_program=True)
            jobs = [re.search(r"JobState=(\w+) .*,mem=(\w+)", job).groups() for job in node.jobs()]
        self.assertEqual(sorted(jobs), 2 * [("COMPLETED", "1000M")] + 2 * [("COMPLETED", "200M")]
                         + [("COMPLETED", "400M"), ("FAILED", "200M")])
        self.assert_gathered(ONE)
