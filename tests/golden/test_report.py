"""`basesweep report`: pages as they were looked at, numbers of a run, names with markup, reports that lack keys, and what is refused"""
import html.parser
import json
import os
import pathlib
import re

from support import HERE, LAMBDA, MOTIFS_FA, MOTIFS_TSV, Case

PAGES = HERE.parent / "page"
UPDATE = os.environ.get("BASESWEEP_PAGES_UPDATE") == "1"
VOID = {"meta", "br", "img"}
OPTIONAL_END = {"p", "tr", "td", "th", "thead", "tbody", "tfoot", "dt", "dd"}


class Page(html.parser.HTMLParser):
    """The tables and addresses of a page; raises AssertionError for an end tag that nothing began."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tables, self.addresses, self.titles, self.tags = [], {}, [], [], set()
        self.caption, self.cell, self.title = "", None, None
        self.feed(text)
        assert not [tag for tag in self.open if tag not in OPTIONAL_END], self.open

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.addresses += [value for name, value in attributes if name in ("href", "src", "action", "data") and not value.startswith("#")]
        assert not [name for name, _ in attributes if name.startswith("on")], attributes
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.caption, self.rows = "", []
        if tag == "tr":
            self.end_cell()
            self.rows.append([])
        if tag in ("td", "th", "caption"):
            self.end_cell()
            self.cell = ""
        if tag == "title":
            self.title = ""

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] in OPTIONAL_END:
            self.open.pop()
        assert self.open and self.open.pop() == tag, f"</{tag}> ends nothing"
        if tag == "caption":
            self.caption, self.cell = self.cell, None
        if tag == "table":
            self.end_cell()
            self.tables[self.caption] = self.rows
        if tag == "title":
            self.titles.append(self.title)
            self.title = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data
        if self.title is not None:
            self.title += data

    def end_cell(self):
        if self.cell is not None and self.rows:
            self.rows[-1].append(self.cell.strip())
        self.cell = None


def without_assets(page):
    """The page without style, script and the program's version, which change more often than what is drawn."""
    page = re.sub(r"<style>.*?</style>", "<style></style>", page, flags=re.DOTALL)
    page = re.sub(r"<script>.*?</script>", "<script></script>", page, flags=re.DOTALL)
    return re.sub(r'content="basesweep [^"]*"', 'content="basesweep"', page)


class Report(Case):
    def page(self, *reports, options=()):
        done = self.run_here(*reports, *options, command="report")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def test_pages(self):
        """The page of each report in tests/page/reports is the one in tests/page/expected. BASESWEEP_PAGES_UPDATE=1 writes these anew:
        look at the pages before."""
        for report in sorted(PAGES.glob("reports/*.json")):
            with self.subTest(report.stem):
                text = self.page(report, options=("--genome", "hg38"))
                Page(text)
                self.assertLess(len(text), 150_000)
                expected = PAGES / "expected" / (report.stem + ".html")
                if UPDATE:
                    expected.write_text(without_assets(text))
                self.assertEqual(without_assets(text), expected.read_text())

    def test_several(self):
        reports = [PAGES / "reports" / name for name in ("match.json", "hostile.json", "match_reads.json", "trim.json")]
        page = Page(self.page(*reports, options=("--title", "Runs <1> & 2")))
        self.assertIn("Runs <1> & 2", page.titles)
        self.assertEqual([row[0] for row in page.tables["3 runs of match"][1:]], ["match", "hostile", "match_reads"])
        self.assertEqual([row[0] for row in page.tables["1 run of trim"][1:]], ["trim"])

    def test_numbers(self):
        """The table of a page holds the hits of a run as test-data/README.md and the rows of the output give them."""
        self.output("-f", MOTIFS_FA, LAMBDA, "-o", "hits.tsv", "--json", "run.json", command="motif")
        lines = [line.split("\t") for line in pathlib.Path(self.folder, "hits.tsv").read_text().splitlines()]
        pattern, strand = lines[0].index("pattern"), lines[0].index("strand")
        rows = Page(self.page("run.json")).tables["Hits per pattern"]
        found = {row[1]: tuple(int(number.replace(",", "")) for number in row[2:4]) for row in rows[1:]}
        self.assertEqual(set(found), {line.split("\t")[0] for line in MOTIFS_TSV.read_text().splitlines()})
        for name, (hits, plus) in found.items():
            own = [line[strand] for line in lines[1:] if line[pattern] == name]
            self.assertEqual((hits, plus), (len(own), own.count("+")), name)

    def test_names(self):
        """Names with markup stay text; nothing is fetched and nothing but the page's own script can run."""
        text = self.page(PAGES / "reports/hostile.json")
        page = Page(text)
        self.assertEqual(text.count("<script"), 1)
        self.assertNotIn("img", page.tags)
        self.assertEqual(page.addresses, [])
        self.assertFalse(re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text))
        self.assertIn("\\x07", text)

    def test_many(self):
        """Of 100,000 patterns the page shows the 1,000 with the most hits and adds up the others."""
        count = 100_000
        report = {"schema": "basesweep-report/1", "command": "motif", "hits": count * 2,
                  "patterns": [{"name": f"p{i}", "sequence": "ACGT", "counts": {"+": i % 4, "-": 0}} for i in range(count)]}
        self.file("many.json", json.dumps(report))
        text = self.page("many.json")
        rows = Page(text).tables["Hits per pattern: those with the most hits"]
        self.assertEqual(len(rows), 1 + 1000 + 1)
        self.assertEqual(rows[-1][1:3], ["99,000 more patterns", "147,000"])
        self.assertLess(len(text), 150_000)

    def test_links(self):
        with_links = Page(self.page(PAGES / "reports/guides.json", options=("--genome", "hg38"))).addresses
        for site in ("http://localhost:60151/goto?locus=", "https://genome.ucsc.edu/cgi-bin/hgTracks?db=hg38&position=",
                     "https://www.ensembl.org/Homo_sapiens/Location/View?r="):
            self.assertTrue(any(address.startswith(site) for address in with_links), site)
        self.assertEqual(Page(self.page(PAGES / "reports/guides.json")).addresses, [])

    def test_stdin_and_file(self):
        report = (PAGES / "reports/motif.json").read_bytes()
        done = self.run_here("-", "-o", "page.html", command="report", stdin=report)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        self.assertIn("basesweep motif: &lt;stdin&gt;", pathlib.Path(self.folder, "page.html").read_text())

    def test_refused(self):
        self.file("broken.json", '{"schema": "basesweep-report/1", ')
        self.file("bytes.json", b'{"schema": "\xff"}')
        self.file("list.json", "[1, 2]")
        self.file("new.json", '{"schema": "basesweep-report/2"}')
        self.file("doctor.json", '{"schema": "basesweep-doctor/1"}')
        self.file("good.json", '{"schema": "basesweep-report/1"}')
        for code, says, arguments in ((3, "broken.json: ends too early, after 33 bytes", ["broken.json"]),
                                      (2, "good.json is given twice", ["good.json", "list.json", "good.json"]),
                                      (3, "bytes.json: byte 13: not JSON", ["good.json", "bytes.json"]),
                                      (3, "list.json: not a report of basesweep: expected the schema basesweep-report/1", ["list.json"]),
                                      (3, "new.json: its schema is basesweep-report/2, and this version reads", ["new.json"]),
                                      (3, "doctor.json: its schema is basesweep-doctor/1, expected basesweep-report/1", ["doctor.json"]),
                                      (4, "missing.json: cannot open", ["missing.json"]),
                                      (2, "--genome a/b: expected the name of an assembly", ["good.json", "--genome", "a/b"]),
                                      (2, "basesweep report needs a file: REPORT", [])):
            with self.subTest(says):
                done = self.run_here(*arguments, "-o", "page.html", command="report")
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(says, done.stderr.decode())
                self.assertFalse(pathlib.Path(self.folder, "page.html").exists())
