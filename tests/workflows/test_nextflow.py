"""workflows/nextflow gives the same bytes as one run; -resume, -stub-run, retries, errors, Slurm."""
import csv
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

import slurm
import support

PIPELINE = support.ROOT / "workflows/nextflow"
MODULES = ("count", "demux", "guides", "map", "match", "merge", "motif", "pcr", "plan", "pwm", "trim")
LAMBDA, MOTIFS = support.DATA / "lambda.fa.gz", support.DATA / "motifs.fa"
PRIMERS, READS = PIPELINE / "test-data/primers.fa", PIPELINE / "test-data/reads.fastq"
TRACE = "trace { enabled = true; file = 'trace.txt'; overwrite = true; fields = 'name,status,exit,attempt,memory,workdir' }\n"
CHUNKS = "this basesweep has no --chunk"


def needs_chunks(command):
    return unittest.skipUnless(support.takes(command, "--chunk"), f"{CHUNKS} of {command}")


class Case(unittest.TestCase):
    """Each test runs in a folder of its own."""

    @classmethod
    def setUpClass(cls):
        cls.nextflow, reason = support.nextflow()
        if reason:
            raise unittest.SkipTest(f"Nextflow: {reason}")

    def setUp(self):
        self.folder = self.new_folder()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    @staticmethod
    def new_folder(program=support.BINARY):
        """Makes a folder with `basesweep` in bin/."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-nextflow."))
        (folder / "bin").mkdir()
        (folder / "bin/basesweep").symlink_to(program)
        (folder / "trace.config").write_text(TRACE)
        return folder

    @classmethod
    def call(cls, folder, *arguments, env=None):
        environment = {**(env or os.environ), "NXF_HOME": str(support.CACHE / "nextflow-home"), "NXF_OFFLINE": "true",
                       "NXF_DISABLE_CHECK_LATEST": "true", "NXF_PLUGINS_DEFAULT": "false", "NXF_ANSI_LOG": "false"}
        environment["PATH"] = f"{folder}/bin:{environment['PATH']}"
        return subprocess.run([*cls.nextflow, *map(str, arguments)], cwd=folder, env=environment, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=support.SECONDS)

    @classmethod
    def run_in(cls, folder, *arguments, profile="test", env=None):
        return cls.call(folder, "run", PIPELINE, "-profile", profile, "-c", "trace.config", *arguments, env=env)

    def pipeline(self, *arguments, **options):
        """Returns the output of a run that must succeed."""
        done = self.run_in(self.folder, *arguments, **options)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    @staticmethod
    def trace(folder):
        with open(folder / "trace.txt", newline="") as file:
            return list(csv.DictReader(file, delimiter="\t"))

    def one_run(self, output, *arguments):
        """Returns the bytes that one run of basesweep writes to a file of that name."""
        folder = self.folder / "one"
        folder.mkdir(exist_ok=True)
        done = support.basesweep(*arguments, "-o", folder / output)
        self.assertEqual(done.returncode, 0, done.stderr)
        return b"" if (folder / output).is_dir() else (folder / output).read_bytes()

    def assert_result(self, path, expected):
        self.assertTrue((self.folder / "results" / path).read_bytes() == expected,
                        f"results/{path} differs from one run's")


@needs_chunks("motif")
class Run(Case):
    """Tests that share one run with all commands. They copy nothing and depend on their order by name."""
    commands = "motif,match,map" if support.takes("map", "--chunk") else "motif,match"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = cls.new_folder()
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.arguments = ("--command", cls.commands)
        done = cls.run_in(cls.shared, *cls.arguments)
        if done.returncode != 0:
            raise AssertionError(done.stdout)
        cls.first = cls.trace(cls.shared)

    def setUp(self):
        self.folder = self.shared

    def assert_all_results(self):
        self.assert_result("motif/lambda.bed.gz", self.one_run("hits.bed.gz", "motif", "-f", MOTIFS, LAMBDA))
        self.assert_result("match/lambda.bam", self.one_run("hits.bam", "match", "-k", 2, "-f", PRIMERS, LAMBDA))
        if "map" in self.commands:
            self.assert_result("map/reads.bam", self.one_run("reads.bam", "map", "-k", 5, "-r", LAMBDA, READS))

    def test_1_gathers_what_one_run_writes(self):
        self.assert_all_results()
        self.assertEqual({row["status"] for row in self.first}, {"COMPLETED"})
        commands = self.commands.count(",") + 1
        genomes_and_reads = 2 if "map" in self.commands else 1
        self.assertEqual(len(self.first), genomes_and_reads + (3 + 1) * commands)
        for index in ("motif/lambda.bed.gz.tbi", "match/lambda.bam.bai"):
            self.assertTrue((self.folder / "results" / index).stat().st_size > 0, index)

    def test_2_reports_and_versions(self):
        report = json.loads((self.folder / "results/report/lambda.motif.json").read_text())
        self.assertEqual((report["command"], report["hits"]), ("motif", 194))
        self.assertNotIn("part", report)
        said = (self.folder / "results/pipeline_info/basesweep_mqc_versions.yml").read_text()
        version = support.basesweep("--version").stdout.split()[-1]
        names = ["MATCH", "MERGE", "MOTIF", "PLAN"] + (["MAP"] if "map" in self.commands else [])
        self.assertEqual(said, "".join(f"BASESWEEP_{name}:\n  basesweep: {version}\n" for name in sorted(names)))

    def test_3_resume_runs_nothing_again(self):
        self.pipeline(*self.arguments, "-resume")
        again = self.trace(self.folder)
        self.assertEqual({row["status"] for row in again}, {"CACHED"})
        self.assertEqual(len(again), len(self.first))

    def test_4_resume_after_a_chunk_was_lost(self):
        lost = [row["workdir"] for row in self.first if row["name"].startswith("BASESWEEP_MOTIF")][1]
        shutil.rmtree(lost)
        shutil.rmtree(self.folder / "results")
        self.pipeline(*self.arguments, "-resume")
        again = sorted(row["name"] for row in self.trace(self.folder) if row["status"] != "CACHED")
        self.assertEqual(again, ["BASESWEEP_MERGE (lambda.bed.gz)", "BASESWEEP_MOTIF (lambda)"])
        self.assert_all_results()


@needs_chunks("motif")
class Others(Case):

    def test_genomes_regions_and_other_formats(self):
        support.write_genomes(self.folder)
        (self.folder / "regions.bed").write_text("one_0\t100\t15000\none_3\t0\t5000\ntwo_1\t5\t3000\n")
        for name in ("one", "two"):
            regions = [line for line in (self.folder / "regions.bed").read_text().splitlines() if line.startswith(name)]
            (self.folder / f"{name}.bed").write_text("".join(line + "\n" for line in regions))
        shutil.copy(MOTIFS, self.folder / "a motif's file.fa")
        self.pipeline("--command", "motif", "--genome", "one.fa", "--motifs", "a motif's file.fa", "--regions", "one.bed",
                      "--motif_format", "counts.tsv", "--chunks", 1)
        self.assert_result("motif/one.counts.tsv", self.one_run(
            "one.tsv", "motif", "--count", "-f", MOTIFS, "--regions-file", self.folder / "one.bed",
            self.folder / "one.fa"))
        self.pipeline("--command", "match", "--genome", "{one,two}.fa", "--match_format", "csv.gz", "--match_args", "-e 0.5",
                      "--chunks", 11)
        for name in ("one", "two"):
            self.assert_result(f"match/{name}.csv.gz", self.one_run(
                "hits.csv.gz", "match", "-e", 0.5, "-f", PRIMERS, self.folder / f"{name}.fa"))

    @needs_chunks("map")
    def test_pairs(self):
        genome = "".join(gzip.decompress(LAMBDA.read_bytes()).decode().splitlines()[1:])
        support.write_pairs(self.folder, genome, 50)
        self.pipeline("--command", "map", "--reads", "mates_{1,2}.fq", "--paired", "--chunks", 3, "--map_format", "sam")
        self.assert_result("map/mates.sam", self.one_run(
            "mates.sam", "map", "-k", 5, "-r", LAMBDA, "-1", self.folder / "mates_1.fq", "-2", self.folder / "mates_2.fq"))

    @needs_chunks("guides")
    def test_every_guide(self):
        """Jobs share the guides of a genome, and each compares its own with all of it."""
        self.pipeline("--command", "guides", "--guides_args", "-m 3 --gc 20,80", "--chunks", 2)
        self.assert_result("guides/lambda.tsv.gz", self.one_run("guides.tsv.gz", "guides", "--design", "-m", 3, "--gc", "20,80", LAMBDA))

    def test_stub(self):
        self.pipeline("--command", "motif,match,guides,map", "--chunks", 1, "-stub-run")
        results = self.folder / "results"
        self.assertEqual(gzip.decompress((results / "motif/lambda.bed.gz").read_bytes()), b"\n")
        for path in ("match/lambda.bam", "map/reads.bam", "report/lambda.motif.json", "report/reads.map.json"):
            self.assertEqual((results / path).read_bytes(), b"", path)

    def test_bad_input_ends_the_run_with_the_message(self):
        bad = support.DATA / "corner/bad/bad_byte.fa"
        done = self.run_in(self.folder, "--genome", bad, "--chunks", 2)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        message = support.basesweep("motif", "-p", "ACGT", bad.name, cwd=bad.parent)
        self.assertEqual(message.returncode, 3)
        self.assertIn(message.stderr.strip(), done.stdout)
        self.assertNotIn("Execution is retried", done.stdout)

    def test_parameters_that_lack_or_are_wrong(self):
        for arguments, says in ((["--command", "mop"], "--command takes motif, match, guides, map"),
                                (["--command", "match", "--genome", LAMBDA], "--command match needs --primers")):
            done = self.run_in(self.folder, *arguments, profile="standard")
            self.assertNotEqual(done.returncode, 0, done.stdout)
            self.assertIn(says, done.stdout)

    def test_without_a_gpu_the_next_attempt_is_on_the_cpu(self):
        if support.basesweep("motif", "-p", "A", "--device", "gpu", support.DATA / "corner/one_base.fa").returncode != 75:
            self.skipTest("there is a GPU")
        said = self.pipeline("--chunks", 2, profile="test,gpu")
        self.assertEqual(said.count("error exit status (75) -- Execution is retried (1)"), 2, said)
        self.assertEqual([(row["exit"], row["attempt"]) for row in self.trace(self.folder) if "MOTIF" in row["name"]],
                         [("75", "1"), ("75", "1"), ("0", "2"), ("0", "2")])
        self.assert_result("motif/lambda.bed.gz", self.one_run("hits.bed.gz", "motif", "-f", MOTIFS, LAMBDA))

    def test_killed_for_memory_is_retried_with_more(self):
        program = self.folder / "bin/basesweep"
        program.unlink()
        program.write_text(f'#!/bin/sh\nif [ "$1" = motif ] && mkdir "{self.folder}/killed" 2>/dev/null; then kill -9 $$; fi\n'
                           f'exec "{support.BINARY}" "$@"\n')
        program.chmod(0o755)
        (self.folder / "trace.config").write_text(
            TRACE + "process { withLabel: process_medium { memory = { 300.MB * task.attempt } } }\n")
        self.pipeline("--chunks", 1)
        self.assertEqual([(row["exit"], row["memory"]) for row in self.trace(self.folder) if "MOTIF" in row["name"]],
                         [("137", "300 MB"), ("0", "600 MB")])

    def test_slurm(self):
        reason = slurm.missing()
        if reason:
            self.skipTest(f"Slurm: {reason}")
        (self.folder / "trace.config").write_text(TRACE + "executor { pollInterval = '500ms'; queueStatInterval = '5s' }\n")
        with slurm.Slurm() as node:
            self.pipeline("--chunks", 3, profile="test,slurm", env=node.environment())
            deadline = time.monotonic() + 10  # the daemon records jobs a little later
            while len(node.jobs()) < 5 and time.monotonic() < deadline:
                time.sleep(0.2)
            jobs = node.jobs()
        self.assertEqual(len(jobs), 5, jobs)  # 1 plan, 3 chunks, 1 merge
        self.assertTrue(all("JobState=COMPLETED" in job for job in jobs), jobs)
        self.assert_result("motif/lambda.bed.gz", self.one_run("hits.bed.gz", "motif", "-f", MOTIFS, LAMBDA))

    def test_profiles(self):
        done = self.call(self.folder, "config", "-show-profiles", PIPELINE)
        self.assertEqual(done.returncode, 0, done.stdout)
        for part in ("executor = 'slurm'", "executor = 'k8s'", "storageClaimName = 'nextflow'"):
            self.assertIn(part, done.stdout)
        for profile in ("test", "gpu", "slurm", "k8s", "docker", "apptainer", "conda"):
            self.assertRegex(done.stdout, rf"(?m)^   {profile} \{{$")


class Modules(Case):
    """The modules that the pipeline does not run. They share one run, in which some are called for several suffixes, and one with -stub-run."""
    pairs, matrices, library = (PIPELINE / "test-data" / name for name in ("pairs.tsv", "matrices.jaspar", "guides.tsv"))
    suffixes = {"pcr": "bed.gz,table.tsv,bam", "pwm": "bed.gz,score.tsv", "guides": "tsv.gz,bam,none"}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = cls.new_folder()
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        genome = "".join(gzip.decompress(LAMBDA.read_bytes()).decode().splitlines()[1:])
        support.write_pairs(cls.shared, genome, 20)
        cls.write_script()
        cls.write_config()
        cls.start(*(word for name, suffixes in cls.suffixes.items() for word in (f"--{name}", suffixes)))
        cls.start(*(word for name in cls.suffixes for word in (f"--{name}", "tsv.gz")), "--out", "stubs", "-stub-run")

    @classmethod
    def write_script(cls):
        names = ("count", "demux", "guides", "pcr", "pwm", "trim")
        includes = "".join(f"include {{ BASESWEEP_{name.upper()} }} from '{PIPELINE}/modules/local/basesweep/{name}/main'\n" for name in names)
        data = PIPELINE / "test-data"
        (cls.shared / "modules.nf").write_text(includes + f"""
            def suffixes(words) {{
                return channel.fromList(words.tokenize(',').collect {{ word -> word == 'none' ? '' : word }})
            }}
            workflow {{
                def genome = [[id: 'lambda'], file('{LAMBDA}'), [], [], '']
                def reads = file('{data}/barcoded.fastq')
                def pairs = [file('{cls.shared}/mates_1.fq'), file('{cls.shared}/mates_2.fq')]
                BASESWEEP_PCR(genome, [[id: 'pairs'], file('{cls.pairs}')], suffixes(params.pcr))
                BASESWEEP_PWM(genome, [[id: 'tata'], [file('{cls.matrices}')]], suffixes(params.pwm))
                BASESWEEP_GUIDES(genome, [[id: 'library'], file('{cls.library}')], suffixes(params.guides))
                BASESWEEP_DEMUX([[id: 'lane', single_end: true], reads], [[id: 'sheet'], file('{data}/samples.tsv')], 'fastq.gz')
                BASESWEEP_TRIM(channel.of([[id: 'lane', single_end: true], reads], [[id: 'pairs', single_end: false], pairs]), 'fq.gz')
                BASESWEEP_COUNT([[id: 'screen'], [reads], ['plasmid']], [[id: 'library'], file('{data}/library.tsv')], 'count.txt')
            }}
        """)

    @classmethod
    def write_config(cls):
        of_suffix = "publishDir = [path: { \"${params.out}/%s/${suffix ?: 'none'}\" }]"
        (cls.shared / "nextflow.config").write_text(f"""
            params.out = 'out'
            process.publishDir = [path: {{ "${{params.out}}/reads" }}]
            process {{
                withName: BASESWEEP_PCR {{ ext.args = '-k 2'; {of_suffix % "pcr"} }}
                withName: BASESWEEP_PWM {{ ext.args = '-p 0.0005'; {of_suffix % "pwm"} }}
                withName: BASESWEEP_GUIDES {{ ext.args = {{ suffix == 'bam' ? '-m 3 --write-index' : '-m 3' }}; {of_suffix % "guides"} }}
                withName: BASESWEEP_TRIM {{ ext.args = '-m 50' }}
            }}
        """)

    @classmethod
    def start(cls, *arguments):
        done = cls.call(cls.shared, "run", "modules.nf", *arguments)
        if done.returncode != 0:
            raise AssertionError(done.stdout)

    def published(self, *names):
        return self.shared.joinpath("out", *names).read_bytes()

    def assert_stubs(self, *names):
        for name in names:
            self.assertTrue((self.shared / "stubs" / name).is_file(), name)

    def test_pcr(self):
        for suffix, words in (("bed.gz", ("--format", "bed")), ("table.tsv", ("--table",)), ("bam", ())):
            expected = self.one_run(f"one.{suffix}", "pcr", "-f", self.pairs, "-k", 2, LAMBDA, *words)
            self.assertEqual(self.published("pcr", suffix, f"lambda.{suffix}"), expected)
            self.assertEqual(json.loads(self.published("pcr", suffix, "lambda.json"))["products"], 3)
        self.assert_stubs("pcr/tsv.gz/lambda.tsv.gz")

    def test_pwm(self):
        for suffix, words in (("bed.gz", ("--format", "bed")), ("score.tsv", ("--table", "score"))):
            expected = self.one_run(f"one.{suffix}", "pwm", "-m", self.matrices, "-p", 0.0005, LAMBDA, *words)
            self.assertEqual(self.published("pwm", suffix, f"lambda.{suffix}"), expected)
        self.assert_stubs("pwm/tsv.gz/lambda.tsv.gz")

    def test_guides(self):
        """Table, places and their index."""
        for suffix, index in (("tsv.gz", ""), ("bam", "bai"), ("", "")):
            hits = self.folder / f"one.{suffix}"
            expected = self.one_run("one.tsv", "guides", "-f", self.library, "-m", 3, LAMBDA, *(["--hits", hits] if suffix else []))
            folder = suffix or "none"
            self.assertEqual(self.published("guides", folder, "lambda.guides.tsv"), expected)
            names = ["lambda.guides.tsv", "lambda.json"] + ([f"lambda.{suffix}"] if suffix else []) + ([f"lambda.{suffix}.{index}"] if index else [])
            self.assertEqual(sorted(os.listdir(self.shared / "out/guides" / folder)), sorted(names))
            if suffix:
                self.assertEqual(self.published("guides", folder, f"lambda.{suffix}"), hits.read_bytes())
        self.assert_stubs("guides/tsv.gz/lambda.tsv.gz", "guides/tsv.gz/lambda.guides.tsv")

    def test_reads(self):
        """The modules of `demux`, `trim` and `count`."""
        data = PIPELINE / "test-data"
        self.one_run("lane", "demux", "-s", data / "samples.tsv", data / "barcoded.fastq")
        self.one_run("lane.trim.fq.gz", "trim", "-m", 50, data / "barcoded.fastq")
        self.one_run("pairs_1.trim.fq.gz", "trim", "-m", 50, "-1", self.shared / "mates_1.fq", "-2", self.shared / "mates_2.fq",
                     "-p", self.folder / "one/pairs_2.trim.fq.gz")
        self.one_run("screen.count.txt", "count", "-l", data / "library.tsv", "--sample", "plasmid", data / "barcoded.fastq",
                     "--summary", self.folder / "one/screen.samples.tsv")
        files = {path.relative_to(self.folder / "one") for path in (self.folder / "one").rglob("*.*")}
        self.assertEqual(len(files), 4 + 2 + 3 + 2, files)
        for name in files:
            self.assertEqual(self.published("reads", name), (self.folder / "one" / name).read_bytes(), name)
        self.assert_stubs(*(f"reads/{name}" for name in ("lane/unassigned.fastq.gz", "lane.trim.fq.gz", "pairs_2.trim.fq.gz", "screen.count.txt")))


class Files(unittest.TestCase):
    """Tests that need no Nextflow."""

    def test_schema_knows_the_parameters(self):
        schema = json.loads((PIPELINE / "nextflow_schema.json").read_text())
        described = {}
        for group in schema["allOf"]:
            described.update(schema["$defs"][group["$ref"].split("/")[-1]]["properties"])
        config = (PIPELINE / "nextflow.config").read_text()
        block = re.search(r"^params \{\n(.*?)^\}", config, re.MULTILINE | re.DOTALL).group(1)
        values = dict(re.findall(r"^    (\w+) += (.*)$", block, re.MULTILINE))
        self.assertEqual(sorted(described), sorted(values))
        literals = {"null": None, "true": True, "false": False}
        for name, value in values.items():
            meant = literals[value] if value in literals else json.loads(value.replace("'", '"'))
            self.assertEqual(described[name].get("default"), meant, name)

    def test_modules_are_of_one_form(self):
        version = """eval("basesweep --version | sed 's/.* //'"), topic: versions, emit: versions_basesweep"""
        for name in MODULES:
            folder = PIPELINE / "modules/local/basesweep" / name
            for file in ("meta.yml", "environment.yml", "tests/main.nf.test"):
                self.assertTrue((folder / file).is_file(), f"{name}/{file}")
            text = (folder / "main.nf").read_text()
            self.assertIn(f"process BASESWEEP_{name.upper()} {{", text)
            self.assertIn(version, text)
            self.assertIsNone(re.search(r"^ *accelerator\b", text, re.MULTILINE), f"{name} sets accelerator")
            self.assertEqual("task.accelerator" in text, name in ("motif", "match", "map", "pcr", "pwm", "guides", "demux"), name)
            stub = text[text.index("    stub:"):]
            if "prefix = name\n" in stub:  # Nextflow does not let a statement of the script read prefix
                stub = stub.replace("${name}", "${prefix}")
            for output in re.findall(r'path\("(\$\{prefix\}[^"]*)"\), emit: (?!index)', text):
                self.assertRegex(stub, re.escape(output).replace(r"\*", r"[\w${}]*"), name)
