"""workflows/multiqc/basesweep_mqc.py turns reports of the real program into sections of a real MultiQC report."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import support

SCRIPT = support.ROOT / "workflows/multiqc/basesweep_mqc.py"
LAMBDA, MOTIFS = support.DATA / "lambda.fa.gz", support.DATA / "motifs.fa"
PIPELINE_DATA = support.ROOT / "workflows/nextflow/test-data"


class Case(unittest.TestCase):

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="basesweep-multiqc."))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def script(self, *arguments):
        return subprocess.run([sys.executable, str(SCRIPT), *map(str, arguments)], cwd=self.folder, check=False,
                              capture_output=True, text=True, timeout=60)

    def sections(self, *arguments):
        done = self.script("-o", "mqc", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {path.name[len("basesweep_"):-len("_mqc.json")]: json.loads(path.read_text())
                for path in (self.folder / "mqc").glob("*_mqc.json")}

    def basesweep(self, *arguments):
        done = support.basesweep(*arguments, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)

    def report(self, name, **changes):
        content = {"schema": "basesweep-report/1", "version": "0.1.0", "command": "motif",
                   "patterns": [{"name": "a", "counts": {"+": 1, "-": 2}}], "hits": 3, **changes}
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content))
        return path


class Sections(Case):

    def test_hits_by_pattern(self):
        self.basesweep("motif", "-f", MOTIFS, LAMBDA, "-o", "hits.bed", "--json", "lambda.motif.json")
        self.basesweep("match", "-f", PIPELINE_DATA / "primers.fa", "-k", 2, LAMBDA, "-o", "hits.sam", "--json",
                       "lambda.match.json")
        found = self.sections("lambda.motif.json", "lambda.match.json")
        self.assertEqual(sorted(found), ["generalstats", "match", "motif"])
        self.assertEqual(found["generalstats"]["data"], {"lambda": {"motif_hits": 194, "match_hits": 6}})
        hits = found["motif"]["data"]["lambda"]
        self.assertEqual(len(hits), 10)
        self.assertEqual((hits["EcoRI"], hits["HindIII"], hits["minus10_box"], hits["NotI"]), (5, 6, 13, 0))
        self.assertEqual(sum(found["match"]["data"]["lambda"].values()), 6)

    def test_products_by_pair(self):
        self.basesweep("pcr", "-f", PIPELINE_DATA / "pairs.tsv", "-k", 2, LAMBDA, "-o", "p.tsv", "--json", "lambda.pcr.json")
        found = self.sections("lambda.pcr.json")
        self.assertEqual(sorted(found), ["generalstats", "pcr"])
        self.assertEqual(found["generalstats"]["data"], {"lambda": {"pcr_products": 3}})
        self.assertEqual(found["pcr"]["data"]["lambda"], {"pair_1": 1, "pair_2": 1, "pair_3": 1})

    def test_mapped_reads(self):
        self.basesweep("map", "-r", LAMBDA, "-k", 5, PIPELINE_DATA / "reads.fastq", "-o", "reads.sam", "--json",
                       "reads.json")
        found = self.sections("reads.json")
        lines = [line.split("\t") for line in (self.folder / "reads.sam").read_text().splitlines() if line[0] != "@"]
        unmapped = sum(int(line[1]) & 4 != 0 for line in lines)
        row = found["map"]["data"]["reads"]
        self.assertEqual((row["mapped"], sum(row.values())), (40 - unmapped, 40))
        self.assertEqual(found["generalstats"]["data"]["reads"]["mapped_percent"], 100 * (40 - unmapped) / 40)

    def test_many(self):
        for sample in range(50):
            patterns = [{"name": f"p{i}", "counts": {"+": i % 97, "-": sample}} for i in range(3000)]
            self.report(f"s{sample}.json", patterns=patterns)
        found = self.sections("--top", 5, *sorted(path.name for path in self.folder.glob("*.json")))["motif"]
        self.assertEqual(len(found["data"]), 50)
        row = found["data"]["s3"]
        self.assertEqual(list(row), ["p96", "p193", "p290", "p387", "p484", "(all other patterns)"])
        self.assertEqual(sum(row.values()), sum(i % 97 + 3 for i in range(3000)))
        self.assertIn("the 5 motifs with most hits of 3,000", found["description"])
        self.assertIn("p581, p678,", found["description"])
        self.assertIn("and 2,975 more", found["description"])
        left = (self.folder / "mqc/basesweep_motif_left_out.tsv").read_text().splitlines()
        self.assertEqual(len(left), 1 + 2995)

    def test_nothing_found(self):
        self.report("none.json", patterns=[{"name": "a", "counts": {"+": 0}}], hits=0)
        self.assertEqual(self.sections("none.json")["motif"]["data"], {"none": {"a": 0}})

    def test_names_are_text_not_markup(self):
        self.report("x.json", patterns=[{"name": "<b>&", "counts": {"+": 1}}, {"name": "<i>", "counts": {"+": 0}}])
        found = self.sections("--top", 1, "x.json")["motif"]
        self.assertEqual(found["data"], {"x": {"&lt;b&gt;&amp;": 1, "(all other patterns)": 0}})
        self.assertNotIn("<i>", found["description"])

    def test_refused(self):
        self.report("good.json")
        self.report("b/good.json")
        (self.folder / "text.json").write_text("hits\n")
        for code, says, arguments in (
                (2, "REPORT.json", []),
                (2, "--top", ["--top", "0", "good.json"]),
                (3, "text.json: not JSON", ["good.json", "text.json"]),
                (3, "b/good.json: sample good of motif a second time, after good.json", ["good.json", "b/good.json"]),
                (3, "part.json: the report of one chunk", [self.report("part.json", part={"chunk": 1}).name]),
                (3, "schema 'basesweep-report/9'", [self.report("new.json", schema="basesweep-report/9").name]),
                (3, "not a report of basesweep: KeyError: 'reads'", [self.report("map.json", command="map").name]),
                (3, "not a report of basesweep: TypeError", [self.report("less.json", patterns=None).name]),
                (3, "command 'bench'", [self.report("other.json", command="bench").name]),
                (3, "counts of a should be a number", [self.report("n.json", patterns=[
                    {"name": "a", "counts": {"+": "1"}}]).name]),
                (4, "no.json", ["no.json"])):
            done = self.script("-o", "mqc", *arguments)
            self.assertEqual(done.returncode, code, f"{arguments}: {done.stderr}")
            self.assertIn(says, done.stderr)
            self.assertFalse((self.folder / "mqc").exists(), arguments)


class Report(Case):

    def test_multiqc_shows_it(self):
        program, reason = support.multiqc()
        if reason:
            self.skipTest(f"MultiQC: {reason}")
        self.basesweep("motif", "-f", MOTIFS, LAMBDA, "-o", "hits.bed", "--json", "lambda.motif.json")
        self.basesweep("match", "-f", PIPELINE_DATA / "primers.fa", "-k", 2, LAMBDA, "-o", "hits.sam", "--json",
                       "lambda.match.json")
        self.basesweep("map", "-r", LAMBDA, "-k", 5, PIPELINE_DATA / "reads.fastq", "-o", "reads.sam", "--json",
                       "reads.map.json")
        self.report("none.motif.json", patterns=[{"name": "EcoRI", "counts": {"+": 0}}])
        self.sections("--top", 6, "lambda.motif.json", "lambda.match.json", "reads.map.json", "none.motif.json")
        (self.folder / "mqc/basesweep_mqc_versions.yml").write_text("BASESWEEP_MOTIF:\n  basesweep: 0.1.0\n")
        done = subprocess.run([str(program), "mqc", "--strict", "--no-version-check", "-o", "report"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True,
                              timeout=support.SECONDS)
        self.assertEqual(done.returncode, 0, done.stdout)
        data = json.loads((self.folder / "report/multiqc_data/multiqc_data.json").read_text())
        self.assertLessEqual({"basesweep_motif_plot", "basesweep_match_plot", "basesweep_map_plot"},
                             set(data["report_plot_data"]))
        table = [line.split("\t") for line in
                 (self.folder / "report/multiqc_data/multiqc_general_stats.txt").read_text().splitlines()]
        rows = {row[0]: row[1:] for row in table[1:]}
        self.assertEqual(rows["lambda"][:2], ["194", "6"])
        self.assertEqual(rows["none"][0], "0")
        page = (self.folder / "report/multiqc_report.html").read_text()
        for text in ("Motif hits", "basesweep motif", "the 6 motifs with most hits of 10", "BASESWEEP_MOTIF"):
            self.assertIn(text, page)
