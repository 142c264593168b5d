"""The plugin of workflows/multiqc shows reports of the real program in a real MultiQC report.

With BASESWEEP_RELEASED the plugin is installed from the wheel in that folder, otherwise from workflows/multiqc.
"""
import ast
import csv
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import support

PLUGIN = support.ROOT / "workflows/multiqc"
LAMBDA, MOTIFS = support.DATA / "lambda.fa.gz", support.DATA / "motifs.fa"
PIPELINE_DATA = support.ROOT / "workflows/nextflow/test-data"
COMMANDS = {"motif", "match", "pwm", "pcr", "guides", "map", "demux", "trim", "count"}


def call(*command, **options):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                          text=True, timeout=support.SECONDS, **options)


class Plugin(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        environment, reason = support.multiqc()
        if reason:
            raise unittest.SkipTest(f"MultiQC: {reason}")
        cls.python, cls.multiqc = environment / "bin/python", environment / "bin/multiqc"
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-multiqc."))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        shutil.copytree(PLUGIN, cls.folder / "source")  # setuptools writes beside the sources
        plugin = cls.folder / "source"
        if os.environ.get("BASESWEEP_RELEASED"):
            plugin, = pathlib.Path(os.environ["BASESWEEP_RELEASED"]).glob("multiqc_basesweep-*.whl")
        done = call(cls.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                    "--no-build-isolation", "--target", cls.folder / "plugin", plugin)
        if done.returncode != 0:
            raise AssertionError(done.stdout)
        cls.environment = {**os.environ, "PYTHONPATH": str(cls.folder / "plugin")}

    def report_of(self, name, *arguments):
        """Runs basesweep and returns what it writes to in/NAME.json."""
        path = self.folder / "in" / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        done = support.basesweep(*arguments, "--json", path, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(path.read_text())

    def table(self, name):
        """{sample: {column: text}} of a file of multiqc_data."""
        with open(self.folder / f"report/multiqc_data/{name}.txt", newline="") as file:
            return {row.pop("Sample"): row for row in csv.DictReader(file, delimiter="\t")}

    def bars(self, name):
        """{sample: {category: number}}"""
        return {sample: {column: float(value) for column, value in row.items() if value != "nan"}
                for sample, row in self.table(name).items()}

    def lines(self, name):
        """{sample: {x: y}}"""
        return {sample: dict(ast.literal_eval(value) for value in row.values() if value)
                for sample, row in self.table(name).items()}

    def all_of(self, anchor):
        """All hits of a sample in its bars, of which MultiQC leaves out those that are 0 in all samples."""
        return {sample: sum(row.values()) for sample, row in self.bars(anchor).items()}

    def check_lines(self, name, sample, histogram, whole=100.0):
        """The line of a sample has what the report has, as percent or as counts."""
        found = self.lines(name)[sample]
        total = sum(count for _, _, count in histogram)
        self.assertAlmostEqual(sum(found.values()), whole)
        for begin, end, count in histogram:
            if end - begin == 1 and begin < 128 and begin + 1 in found:
                self.assertAlmostEqual(found[begin], whole * count / total)

    def test_numbers_are_those_of_the_reports(self):
        barcoded = PIPELINE_DATA / "barcoded.fastq"
        matrices = self.folder / "matrices.jaspar"
        matrices.write_text(">MA1 one\nA [8 0 0 0 9 1]\nC [0 9 0 0 0 1]\nG [1 0 9 0 0 7]\nT [0 0 0 9 0 0]\n")
        guides = self.folder / "guides.tsv"
        guides.write_text("g1\tATAAATAGCGAAAACCCGCG\ng2\tACATCACCCTCACCGGCGAA\n")
        motif = self.report_of("lambda.motif", "motif", "-f", MOTIFS, LAMBDA, "-o", "hits.bed")
        match = self.report_of("lambda.match", "match", "-f", PIPELINE_DATA / "primers.fa", "-k", 3, LAMBDA, "-o", "hits.tsv")
        in_reads = self.report_of("reads.match", "match", "-p", "AGATCGGAAGAGC", "-k", 3, barcoded, "-o", "starts.tsv")
        pwm = self.report_of("lambda.pwm", "pwm", "-m", matrices, "--p-value", 0.002, LAMBDA, "-o", "sites.bed")
        pcr = self.report_of("lambda.pcr", "pcr", "-f", PIPELINE_DATA / "pairs.tsv", "-k", 2, LAMBDA, "-o", "p.tsv")
        found = self.report_of("lambda.guides", "guides", "-f", guides, "-m", 4, LAMBDA, "-o", "g.tsv")
        mapped = self.report_of("reads.map", "map", "-r", LAMBDA, "-k", 5, PIPELINE_DATA / "reads.fastq", "-o", "reads.sam")
        demux = self.report_of("lane.demux", "demux", "-s", PIPELINE_DATA / "samples.tsv", barcoded, "-o", "sorted")
        trim = self.report_of("lane.trim", "trim", "-a", "AGATCGGAAGAGC", "-m", 50, barcoded, "-o", "trimmed.fq")
        count = self.report_of("screen", "count", "-l", PIPELINE_DATA / "library.tsv", barcoded, "-o", "counts.tsv",
                               "--summary", "samples.tsv")
        # As a version without plots writes it, one of a chunk, one that is cut off, and one of a later schema
        plots = motif.pop("plots", None)
        few = motif["patterns"][:3]
        old = {**motif, "patterns": few, "hits": sum(sum(pattern["counts"].values()) for pattern in few)}
        (self.folder / "in/old.motif.json").write_text(json.dumps(old, indent=2))
        (self.folder / "in/part.motif.json").write_text(json.dumps({**old, "part": "1"}, indent=2))
        (self.folder / "in/cut.motif.json").write_text(json.dumps(old, indent=2)[:-9])
        later = json.dumps({**old, "schema": "basesweep-report/2"}, indent=2)
        (self.folder / "in/later.motif.json").write_text(later)
        (self.folder / "in/basesweep_mqc_versions.yml").write_text("BASESWEEP_MOTIF:\n  basesweep: X.Y.Z\n")
        done = call(self.multiqc, "in", "--strict", "--no-version-check", "--no-ansi", "-o", "report", cwd=self.folder,
                    env=self.environment)
        self.assertEqual(done.returncode, 0, done.stdout)
        for words in ("cut.motif.json", "later.motif.json", "Skipped 1 reports of single chunks"):
            self.assertIn(words, " ".join(done.stdout.split()))

        general = {sample: {column.split("-")[-1]: float(value) for column, value in row.items() if value}
                   for sample, row in self.table("multiqc_general_stats").items()}
        self.assertLessEqual({"lambda", "reads", "lane", "old", "barcoded", "liver", "kidney", "brain"}, set(general))
        self.assertFalse({"part", "cut", "later"} & set(general))
        self.assertEqual(general["lambda"]["motif_hits"], motif["hits"])
        self.assertEqual(general["lambda"]["match_hits"], match["hits"])
        self.assertEqual(general["lambda"]["pwm_hits"], pwm["hits"])
        self.assertEqual(general["lambda"]["pcr_products"], pcr["products"])
        self.assertEqual(general["lambda"]["guides"], 2)
        self.assertAlmostEqual(general["lambda"]["guides_off_targets"],
                               (found["hits"] - found["places"]["mismatches_0"]) / 2)
        self.assertEqual(general["reads"]["map_mapped_percent"], 100 * mapped["reads"]["mapped"] / 40)
        self.assertEqual(general["lane"]["trim_written_percent"], 100 * trim["written"] / 40)
        self.assertEqual(general["lane"]["demux_assigned_percent"], 100 * demux["reads"]["assigned"] / 40)
        rows = [line.split("\t") for line in (self.folder / "sorted/summary.tsv").read_text().splitlines()[1:]]
        self.assertEqual({name: general[name]["demux_reads"] for name in ("liver", "kidney", "brain")},
                         {row[0]: int(row[1]) for row in rows[:-1]})
        titles, row = [line.split("\t") for line in (self.folder / "samples.tsv").read_text().splitlines()]
        row = dict(zip(titles, row))
        self.assertEqual((general["barcoded"]["count_counted"], general["barcoded"]["count_guides_without_reads"],
                          f"{general['barcoded']['count_gini']:.4f}"),
                         (int(row["counted"]), int(row["guides_without_reads"]), row["gini"]))

        lines = (self.folder / "hits.bed").read_text().splitlines()
        self.assertEqual(self.all_of("basesweep_motif_hits_plot_By_motif"), {"lambda": len(lines), "old": old["hits"]})
        self.assertEqual(self.bars("basesweep_motif_hits_plot_By_motif")["lambda"]["EcoRI"], 5)
        strands = [line.split("\t")[5] for line in lines]
        self.assertEqual(self.bars("basesweep_motif_hits_plot_By_strand")["lambda"],
                         {"+ strand": strands.count("+"), "- strand": strands.count("-")})
        self.assertEqual(self.all_of("basesweep_match_hits_plot_By_pattern")["lambda"], match["hits"])
        self.assertEqual(self.all_of("basesweep_pwm_hits_plot_By_matrix"), {"lambda": pwm["hits"]})
        self.assertEqual(self.bars("basesweep_pcr_products_plot_By_pair")["lambda"], {"pair_1": 1, "pair_2": 1, "pair_3": 1})
        self.assertEqual(self.all_of("basesweep_guides_places_plot"), {"lambda": found["hits"]})
        self.assertEqual(self.all_of("basesweep_map_reads_plot"), {"reads": 40})
        self.assertEqual(self.all_of("basesweep_demux_reasons_plot"), {"lane": 40})
        self.assertEqual(self.bars("basesweep_demux_samples_plot"), {row[0]: {"lane": int(row[1])} for row in rows[:-1]})
        self.assertEqual(self.all_of("basesweep_trim_reads_plot"), {"lane": 40})
        letters = (self.folder / "trimmed.fq").read_text().splitlines()[1::4]
        self.assertEqual(self.bars("basesweep_trim_bases_plot")["lane"]["Written"], sum(map(len, letters)))
        raw = barcoded.read_text().splitlines()[1::4]
        self.assertEqual(self.all_of("basesweep_trim_bases_plot"), {"lane": sum(map(len, raw))})
        self.assertEqual(self.all_of("basesweep_trim_adapters_plot"), {"lane": trim["mates"][0]["adapters"][0]["found"]})
        self.assertEqual(self.all_of("basesweep_count_reads_plot"), {"barcoded": 40})
        self.assertEqual(self.bars("basesweep_count_guides_plot")["barcoded"].get("Without reads", 0),
                         count["samples"][0]["guides_without_reads"])

        if plots is None:
            self.skipTest("reports have no plots")
        edits = match["plots"]["edits"]
        self.assertEqual(list(self.bars("basesweep_match_hits_plot_By_edits")["lambda"].values()), edits)
        for kind in ("mismatches", "insertions", "deletions"):
            counts = match["plots"]["edit_positions"]["all"][kind]
            line = self.lines(f"basesweep_match_edit_positions_plot_{kind.capitalize()}")["lambda"]
            for place, number in enumerate(counts, 1):
                self.assertAlmostEqual(line[place], 100 * number / match["hits"])
            self.assertAlmostEqual(sum(line.values()), 100 * sum(counts) / match["hits"])
        self.check_lines("basesweep_match_starts_plot", "reads", in_reads["plots"]["starts"])
        self.check_lines("basesweep_pcr_sizes_plot", "lambda", pcr["plots"]["sizes"], 3)
        self.check_lines("basesweep_guides_specificity_plot_MIT", "lambda", found["plots"]["specificity"]["mit"])
        for place, number in enumerate(mapped["plots"]["edits"]):
            self.assertAlmostEqual(self.lines("basesweep_map_edits_plot_Edits")["reads"][place],
                                   100 * number / mapped["reads"]["mapped"])
        coverage, line = mapped["plots"]["coverage"][0], self.lines("basesweep_map_coverage_plot")["reads"]
        for place, number in enumerate(coverage["counts"]):
            begin = place * coverage["bin"]
            self.assertAlmostEqual(line[begin], number / min(coverage["bin"], coverage["length"] - begin))
        self.check_lines("basesweep_demux_lengths_plot_Before", "lane", demux["plots"]["lengths_before"])
        self.check_lines("basesweep_trim_lengths_plot_After", "lane", trim["plots"]["lengths_after"][0])
        sample = count["samples"][0]
        self.check_lines("basesweep_count_counts_plot", "barcoded", sample["counts"])
        self.assertEqual(self.lines("basesweep_count_lorenz_plot")["barcoded"],
                         {place: 100 * share for place, share in enumerate(sample["lorenz"])})

        data = json.loads((self.folder / "report/multiqc_data/multiqc_data.json").read_text())
        self.assertEqual({name.split("_")[1] for name in data["report_plot_data"] if name.startswith("basesweep_")}, COMMANDS)
        page = (self.folder / "report/multiqc_report.html").read_text()
        for words in ("Motif hits", "BASESWEEP_MOTIF", "Zero guides", "demux: assigned reads", motif["version"]):
            self.assertIn(words, page)

    def test_the_module_has_tests_of_its_own(self):
        done = call(self.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "multiqc_basesweep", cwd=self.folder / "source",
                    env={**self.environment, "PYTHONPATH": str(self.folder / "source"), "PYTHONDONTWRITEBYTECODE": "1"})
        self.assertEqual(done.returncode, 0, done.stdout[-4000:])
