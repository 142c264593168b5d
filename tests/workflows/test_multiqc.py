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
SAMPLE_NUMBERS = ("reads", "counted", "edits_0", "edits_1", "ambiguous", "unmatched", "guides_without_reads")


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

    def test_samples_of_demux(self):
        self.basesweep("demux", "-s", PIPELINE_DATA / "samples.tsv", PIPELINE_DATA / "barcoded.fastq", "-o", "sorted",
                       "--json", "lane.demux.json")
        found = self.sections("lane.demux.json")
        self.assertEqual(sorted(found), ["demux", "demux_reasons", "generalstats"])
        rows = [line.split("\t") for line in (self.folder / "sorted/summary.tsv").read_text().splitlines()[1:]]
        self.assertEqual(found["demux"]["data"], {row[0]: {"lane": int(row[1])} for row in rows})
        reasons = found["demux_reasons"]["data"]["lane"]
        self.assertEqual((reasons["assigned"], sum(reasons.values())), (sum(int(row[1]) for row in rows[:-1]), 40))
        table = found["generalstats"]["data"]
        self.assertEqual({name: table[name]["demux_reads"] for name in ("liver", "kidney", "brain")},
                         {row[0]: int(row[1]) for row in rows[:-1]})
        self.assertEqual(table["lane"], {"assigned_percent": 100 * reasons["assigned"] / 40})

    def test_a_sample_of_two_lanes(self):
        for lane, reads in (("a", 3), ("b", 4)):
            self.report(f"{lane}.demux.json", command="demux", reads={"total": 10},
                        samples=[{"name": f"s{i}", "reads": i and reads} for i in range(2)], unassigned={"none": 10 - reads})
        found = self.sections("a.demux.json", "b.demux.json")
        self.assertEqual(found["demux"]["data"], {"s0": {"a": 0, "b": 0}, "s1": {"a": 3, "b": 4}, "unassigned": {"a": 7, "b": 6}})
        self.assertEqual(found["generalstats"]["data"]["s1"], {"demux_reads": 7})
        self.report("many.json", command="demux", reads={"total": 2000}, unassigned={},
                    samples=[{"name": f"s{i:04}", "reads": 1 + (i < 700)} for i in range(1300)])
        found = self.sections("many.json")["demux"]
        self.assertEqual((len(found["data"]), found["data"]["(all other samples)"]), (1002, {"many": 300}))
        self.assertIn("1,000 samples with most reads of 1,300", found["description"])

    def test_trimmed_reads(self):
        self.basesweep("trim", "-a", "AGATCGGAAGAGC", "-m", 50, PIPELINE_DATA / "barcoded.fastq", "-o", "trimmed.fq", "--json",
                       "one.trim.json")
        found = self.sections("one.trim.json")
        self.assertEqual(sorted(found), ["generalstats", "trim", "trim_bases"])
        letters = (self.folder / "trimmed.fq").read_text().splitlines()[1::4]
        rows = found["trim"]["data"]["one"]
        self.assertEqual((rows["written"], rows["too-short"], sum(rows.values())), (len(letters), 40 - len(letters), 40))
        bases = found["trim_bases"]["data"]["one"]
        self.assertEqual(bases["written"], sum(map(len, letters)))
        raw = (PIPELINE_DATA / "barcoded.fastq").read_text().splitlines()[1::4]
        self.assertEqual(sum(bases.values()), sum(map(len, raw)))
        self.assertEqual(found["generalstats"]["data"]["one"]["written_percent"], 100 * len(letters) / 40)

    def test_trimmed_pairs(self):
        mate = {"bases": 1000, "written_bases": 800, "with_adapter": 4, "quality_bases": 20, "adapter_bases": 100,
                "poly_a_bases": 0, "adapters": []}
        self.report("p.json", command="trim", pairs=10, written=8, filtered={"too-short": 2}, mates=[mate, mate],
                    overlap={"overlap_and_adapter": 3, "overlap_alone": 1, "adapter_alone": 0, "differing": 1, "dimers": 2})
        found = self.sections("p.json")
        self.assertEqual(found["trim_overlap"]["data"]["p"], {
            "overlap and adapter": 3, "overlap alone": 1, "adapter alone": 0, "adapter, where the overlap differs": 1,
            "not cut": 5})
        self.assertEqual(found["trim_bases"]["data"]["p"], {"written": 1600, "adapters": 200, "quality": 40, "poly-A": 0,
                                                            "other": 160})
        self.assertEqual(found["generalstats"]["data"]["p"], {"with_adapter_percent": 40, "written_percent": 80,
                                                              "dimers_percent": 20})

    def test_counted_guides(self):
        self.basesweep("count", "-l", PIPELINE_DATA / "library.tsv", PIPELINE_DATA / "barcoded.fastq", "-o", "counts.tsv",
                       "--summary", "samples.tsv", "--json", "screen.json")
        found = self.sections("screen.json")
        self.assertEqual(sorted(found), ["count", "generalstats"])
        titles, row = [line.split("\t") for line in (self.folder / "samples.tsv").read_text().splitlines()]
        row = dict(zip(titles, row))
        self.assertEqual(found["count"]["data"]["barcoded"],
                         {"without an edit": int(row["edits_0"]), "with one edit": int(row["edits_1"]),
                          "ambiguous": int(row["ambiguous"]), "unmatched": int(row["unmatched"])})
        table = found["generalstats"]["data"]["barcoded"]
        self.assertEqual((table["counted_reads"], table["guides_without_reads"], f"{table['gini']:.4f}"),
                         (int(row["counted"]), int(row["guides_without_reads"]), row["gini"]))

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
                (3, "command 'bench'", [self.report("bench.json", command="bench").name]),
                (3, "other.json: not a report of basesweep: KeyError: 'samples'", [self.report("other.json", command="demux").name]),
                (3, "not a report of basesweep: KeyError: 'mates'", [self.report("cut.json", command="trim").name]),
                (3, "samples: reads should be a number", [self.report("c.json", command="count", samples=[
                    {"name": "a", "reads": None}]).name]),
                (3, "count.json: sample a of count a second time, after again.json", [
                    self.report(name, command="count", samples=[{**dict.fromkeys(SAMPLE_NUMBERS, 0), "name": "a", "gini": 0}]).name
                    for name in ("again.json", "count.json")]),
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
        barcoded = PIPELINE_DATA / "barcoded.fastq"
        self.basesweep("demux", "-s", PIPELINE_DATA / "samples.tsv", barcoded, "-o", "sorted", "--json", "lane.demux.json")
        self.basesweep("trim", "-a", "AGATCGGAAGAGC", barcoded, "-o", "trimmed.fq", "--json", "lane.trim.json")
        self.basesweep("count", "-l", PIPELINE_DATA / "library.tsv", barcoded, "-o", "counts.tsv", "--json", "screen.json")
        self.sections("--top", 6, "lambda.motif.json", "lambda.match.json", "reads.map.json", "none.motif.json",
                      "lane.demux.json", "lane.trim.json", "screen.json")
        (self.folder / "mqc/basesweep_mqc_versions.yml").write_text("BASESWEEP_MOTIF:\n  basesweep: 0.1.0\n")
        done = subprocess.run([str(program), "mqc", "--strict", "--no-version-check", "-o", "report"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True,
                              timeout=support.SECONDS)
        self.assertEqual(done.returncode, 0, done.stdout)
        data = json.loads((self.folder / "report/multiqc_data/multiqc_data.json").read_text())
        self.assertLessEqual({f"basesweep_{name}_plot" for name in ("motif", "match", "map", "demux", "demux_reasons", "trim",
                                                                    "trim_bases", "count")}, set(data["report_plot_data"]))
        table = [line.split("\t") for line in
                 (self.folder / "report/multiqc_data/multiqc_general_stats.txt").read_text().splitlines()]
        rows = {row[0]: row[1:] for row in table[1:]}
        self.assertEqual(rows["lambda"][:2], ["194", "6"])
        self.assertEqual(rows["none"][0], "0")
        page = (self.folder / "report/multiqc_report.html").read_text()
        for text in ("Motif hits", "basesweep motif", "the 6 motifs with most hits of 10", "BASESWEEP_MOTIF", "Zero guides",
                     "basesweep demux: reasons"):
            self.assertIn(text, page)
