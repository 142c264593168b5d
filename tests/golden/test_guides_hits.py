"""`guides`: a row for each kind and size of bulge (`--hits-all`), CRAM, indices. (tests/conformance/test_guides.cpp compares rows with the oracle.)"""
import collections
import csv
import json
import random
import shutil
import unittest

import sam_tools
from map_support import SEED
from test_guides import GuidesCase

WORDS = ["-f", "library.tsv", "-m", 3, "--max-dna-bulges", 2, "--max-rna-bulges", 2]


def place_of(hit):
    """Guide, record, strand and the border beside the PAM."""
    location, text = int(hit["Location"]), hit["DNA"].replace("-", "")
    return hit["#Id"], hit["Chromosome"], hit["Direction"], location + (len(text) if hit["Direction"] == "+" else 0)


def bulge_of(hit):
    return int(hit["Bulge Size"]), int(hit["Mismatches"]), hit["Bulge type"] == "RNA"


def rows_of_csv(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def rows_of_json(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


class Columns(GuidesCase):
    def test_formats(self):
        """CSV and JSON lines say of places and guides what TSV says."""
        self.library(random.Random(SEED))
        table = self.rows(self.guides(*WORDS, "g.fa", "--hits", "h.tsv"))
        for ending, read, absent in (("csv", rows_of_csv, ""), ("jsonl", rows_of_json, None)):
            self.guides(*WORDS, "g.fa", "-o", f"t.{ending}", "--hits", f"h.{ending}")
            for row, wanted in zip(read(self.folder / f"t.{ending}"), table, strict=True):
                self.assertEqual(list(row), list(wanted))
                for name, value in wanted.items():
                    self.compare(row[name], value, absent)
            for row, hit in zip(read(self.folder / f"h.{ending}"), self.hits("h.tsv"), strict=True):
                word = {"X": "none", "DNA": "dna", "RNA": "rna"}[hit["Bulge type"]]
                self.assertEqual(row["bulge"], word)
                for name, other in (("guide", "#Id"), ("record", "Chromosome"), ("start", "Location"),
                                    ("strand", "Direction"), ("mismatches", "Mismatches"), ("cfd", "CFD"),
                                    ("bulge_size", "Bulge Size"), ("aligned_guide", "crRNA"), ("mit", "MIT"),
                                    ("aligned_text", "DNA")):
                    self.compare(row[name], hit[other], absent)

    def compare(self, value, printed, absent):
        if printed == "." or value is None:
            self.assertEqual((value, printed), (absent, "."))
        elif isinstance(value, str):
            self.assertEqual(value, printed)
        else:
            self.assertEqual(value, float(printed))

    def test_chosen(self):
        """--columns replaces the columns of Cas-OFFinder, or adds to them and to those of BED."""
        self.library(random.Random(SEED))
        self.guides(*WORDS, "g.fa", "--hits", "h.tsv")
        plain = self.hits("h.tsv")
        self.guides(*WORDS, "g.fa", "--hits", "c.tsv", "--columns", "start,guide")
        self.assertEqual([(row["guide"], row["start"]) for row in self.hits("c.tsv")],
                         [(row["#Id"], row["Location"]) for row in plain])
        self.guides(*WORDS, "g.fa", "--hits", "a.tsv", "--columns", "+file,+pam")
        self.assertEqual(self.hits("a.tsv"), [row | {"file": "g.fa", "pam": "NGG"} for row in plain])
        self.guides(*WORDS, "g.fa", "--hits", "h.bed")
        self.guides(*WORDS, "g.fa", "--hits", "a.bed", "--columns", "+pam")
        added = (self.folder / "a.bed").read_text()
        self.assertEqual(added, (self.folder / "h.bed").read_text().replace("\n", "\tNGG\n"))

    def test_refused(self):
        self.library(random.Random(SEED))
        for words, message in (
            (["--columns", "pam"], "--columns pam: there is no such column"),
            (["--hits", "h.sam", "--columns", "pam"], "--columns needs --hits"),
            (["--hits", "h.tsv", "--columns", "features"], "--annotate"),
            (["--hits", "h.tsv", "--columns", "+gude"], "guide"),
            (["--hits", "h.bed", "--columns", "pam"], "+pam"),
            (["--hits", "h.csv.gz", "--write-index"], "--write-index"),
            (["--hits", "h.tsv.gz", "--write-index", "--columns", "pam"], "--write-index"),
            (["-o", "t.csv", "--chunk", "1/2"], "t.csv: a chunk is written as a part"),
            (["--hits", "h.bsp", "-o", "p.bsp", "--chunk", "1/2"], "--hits h.bsp: the part that -o names has the places too"),
            (["--hits", "h.xyz", "-o", "p.bsp", "--chunk", "1/2"], "h.xyz"),
        ):
            done = self.run_here(*WORDS, "g.fa", *words, command="guides")
            self.assertEqual(done.returncode, 2, (words, done.stderr))
            self.assertIn(message, done.stderr.decode(), words)


class HitsAll(GuidesCase):
    def rows_of(self, *words):
        """The rows of --hits-all, and the table."""
        table = self.guides(*WORDS, *words, "--hits", "all.tsv", "--hits-all")
        return self.hits("all.tsv"), table

    def test_rows(self):
        """One row for each place, kind and size; the least of a place is that of --hits, and neither table nor places change."""
        for case in range(3):
            self.library(random.Random(SEED + case))
            table = self.guides(*WORDS, "g.fa", "--hits", "one.tsv")
            rows, same = self.rows_of("g.fa", "-t", 3, "--batch-bases", random.Random(case).randint(20, 500))
            self.assertEqual(same, table)
            places = collections.defaultdict(list)
            for row in rows:
                places[place_of(row)].append(row)
            self.assertTrue(any(len(of_place) > 1 for of_place in places.values()))
            for of_place in places.values():
                kinds = [(row["Bulge type"], row["Bulge Size"]) for row in of_place]
                self.assertEqual(len(kinds), len(set(kinds)))
                straight = [row for row in of_place if row["Bulge type"] == "X"]
                self.assertTrue(all((row["MIT"] == ".") == (row not in straight) for row in of_place))
            one = self.hits("one.tsv")
            self.assertEqual(sorted(map(place_of, one)), sorted(places))
            for hit in one:
                of_place = places[place_of(hit)]
                least = min(of_place, key=bulge_of)
                without = {name: value for name, value in hit.items() if name != "CFD"}
                self.assertEqual({name: value for name, value in least.items() if name != "CFD"}, without)
                self.assertEqual(max(float(row["CFD"]) for row in of_place), float(hit["CFD"]))
            self.guides(*WORDS, "g.fa", "--hits", "again.tsv", "--hits-all", "-t", 1)
            self.assertEqual(self.hits("again.tsv"), rows)
            order = [(row["Chromosome"], int(row["Location"])) for row in rows]
            self.assertEqual(order, sorted(order))

    def test_kinds(self):
        """Fewer kinds allowed: the rows of these kinds, each the same."""
        self.library(random.Random(SEED))
        rows, _ = self.rows_of("g.fa")
        for dna, rna in ((0, 0), (2, 0), (0, 1), (1, 2)):
            self.guides("-f", "library.tsv", "-m", 3, "--max-dna-bulges", dna, "--max-rna-bulges", rna, "g.fa", "--hits", "some.tsv", "--hits-all")
            most = {"X": 0, "DNA": dna, "RNA": rna}
            self.assertEqual(self.hits("some.tsv"), [row for row in rows if int(row["Bulge Size"]) <= most[row["Bulge type"]]])

    def test_regions(self):
        """A row counts where its own leftmost base is."""
        self.library(random.Random(SEED + 1))
        rows, _ = self.rows_of("g.fa")
        for begin, end in ((1, 400), (401, 900), (777, 777)):
            inside, _ = self.rows_of("g.fa", "-q", "--region", f"r1:{begin}-{end}")
            self.assertEqual(inside, [row for row in rows if row["Chromosome"] == "r1" and begin <= int(row["Location"]) + 1 <= end])

    def test_chunks(self):
        self.library(random.Random(SEED + 2))
        table = self.guides(*WORDS, "g.fa")
        for i in (1, 2, 3):
            self.guides(*WORDS, "g.fa", "--hits", "h", "--hits-all", "-o", f"{i}.bsp", "--chunk", f"{i}/3")
        for form, more in (("tsv", []), ("bed.gz", []), ("sam", []), ("bam", []), ("csv", ["--columns", "guide,start,cfd,file"]),
                           ("bed", ["--columns", "+pam"])):
            self.guides(*WORDS, "g.fa", "--hits", f"whole.{form}", "--hits-all", *more)
            self.assertEqual(self.merge("3.bsp", "1.bsp", "2.bsp", "--hits", f"merged.{form}", *more), table)
            self.assertEqual(self.read(f"merged.{form}"), self.read(f"whole.{form}"))
        self.assertEqual(self.merge("2.bsp", "3.bsp", "1.bsp"), table)
        self.guides(*WORDS, "g.fa", "--hits", "h", "-o", "2.bsp", "--chunk", "2/3")
        merged = self.run_here("1.bsp", "2.bsp", "3.bsp", "--hits", "x.bed", command="merge")
        self.assertEqual(merged.returncode, 3, "parts of --hits and --hits-all do not belong together")

    def test_refused(self):
        self.library(random.Random(SEED))
        self.assertIn("--hits-all needs --hits FILE", self.bad(*WORDS, "g.fa", "--hits-all", code=2))


@unittest.skipUnless(sam_tools.have_samtools(), "samtools is not installed (Debian package samtools)")
class Cram(GuidesCase):
    def decoded(self, name):
        """Header without checksums, and alignments with their tags sorted."""
        lines = []
        for line in sam_tools.sam_lines(self.folder / name, self.folder / "g.fa"):
            fields = line.split("\t")
            if line.startswith("@"):
                lines.append([field for field in fields if not field.startswith(("M5:", "UR:"))])
            else:
                lines.append(fields[:11] + sorted(fields[11:]))
        return lines

    def test_places(self):
        """CRAM holds the alignments of BAM, with and without an index beside the input, and from stdin."""
        self.library(random.Random(SEED))
        for more in ([], ["--hits-all"]):
            self.guides(*WORDS, "g.fa", "--hits", "h.bam", *more)
            self.guides(*WORDS, "g.fa", "--hits", "h.cram", "-t", 3, *more)
            self.assertIsNone(sam_tools.check_quick(self.folder / "h.cram"))
            self.assertEqual(self.decoded("h.cram"), self.decoded("h.bam"))
        (self.folder / "g.fa.fai").unlink()
        before = set(self.folder.iterdir())
        self.guides(*WORDS, "g.fa", "--hits", "late.cram", "--hits-all")
        self.assertEqual(self.decoded("late.cram"), self.decoded("h.bam"))
        self.guides(*WORDS, "-", "--hits", "piped.cram", "--hits-all", "--cram-reference", "g.fa", stdin=(self.folder / "g.fa").read_bytes())
        self.assertEqual(self.decoded("piped.cram"), self.decoded("h.bam"))
        self.assertEqual({path.name for path in set(self.folder.iterdir()) - before} - {"late.cram", "piped.cram", "g.fa.fai"}, set())

    def test_chunks(self):
        """`merge` writes CRAM, with the input or another file as reference."""
        self.library(random.Random(SEED + 1))
        self.guides(*WORDS, "g.fa", "--hits", "h.bam")
        for i in (1, 2):
            self.guides(*WORDS, "g.fa", "--hits", "h.cram", "-o", f"{i}.bsp", "--chunk", f"{i}/2")
        self.merge("1.bsp", "2.bsp", "--hits", "merged.cram", "--write-index")
        self.assertIsNone(sam_tools.check_quick(self.folder / "merged.cram"))
        self.assertTrue((self.folder / "merged.cram.crai").exists())
        self.assertEqual(self.decoded("merged.cram"), self.decoded("h.bam"))
        self.write("copy.fa", (self.folder / "g.fa").read_text())
        self.merge("1.bsp", "2.bsp", "--hits", "again.cram", "--cram-reference", "copy.fa")
        self.assertEqual(self.decoded("again.cram"), self.decoded("h.bam"))

    def test_refused(self):
        self.library(random.Random(SEED))
        text = (self.folder / "g.fa").read_bytes()
        self.assertIn("CRAM needs a plain or BGZF file", self.bad(*WORDS, "-", "--hits", "h.cram", code=2, stdin=text))
        self.assertIn("--eqx: CRAM cannot tell = from X", self.bad(*WORDS, "g.fa", "--hits", "h.cram", "--eqx", code=2))
        self.assertIn("--cram-reference names a file of all their records", self.bad(*WORDS, "g.fa", "g.fa", "--hits", "h.cram", code=2))
        self.write("other.fa", ">r0\nACGT\n")
        self.assertIn("other.fa", self.bad(*WORDS, "g.fa", "--hits", "h.cram", "--cram-reference", "other.fa"))
        self.assertFalse((self.folder / "h.cram").exists())


class Indices(GuidesCase):
    def near(self, name, region):
        """What an index finds in a region."""
        path = self.folder / name
        if name.endswith("am"):
            return sam_tools.call("samtools", "view", "-T", self.folder / "g.fa", path, region).stdout.decode().splitlines()
        return sam_tools.call("tabix", path, region).stdout.decode().splitlines()

    def check(self, name):
        """Whether a region's hits are those of the file that overlap it; of TSV, whose first base is in it."""
        begin, end = 500, 700
        hits = [hit for hit in self.hits("h.tsv") if hit["Chromosome"] == "r1"]
        first = name.endswith("tsv.gz")
        expected = [hit for hit in hits if int(hit["Location"]) < end
                    and int(hit["Location"]) + (1 if first else len(hit["DNA"].replace("-", ""))) >= begin]
        self.assertEqual(len(self.near(name, f"r1:{begin}-{end}")), len(expected))
        self.assertGreater(len(expected), 3)

    @unittest.skipUnless(sam_tools.have_samtools() and shutil.which("tabix"), "samtools or tabix is not installed")
    def test_beside(self):
        self.library(random.Random(SEED))
        self.guides(*WORDS, "g.fa", "--hits", "h.tsv")
        for name, ending in (("h.tsv.gz", "tbi"), ("h.bed.gz", "tbi"), ("h.bam", "bai"), ("h.cram", "crai")):
            (self.folder / f"{name}.csi").write_text("of an older file") if ending != "crai" else None
            self.guides(*WORDS, "g.fa", "--hits", name, "--write-index")
            self.assertTrue((self.folder / f"{name}.{ending}").exists())
            self.assertFalse((self.folder / f"{name}.csi").exists())
            self.check(name)
            if ending == "crai":
                continue
            made = (self.folder / f"{name}.{ending}").read_bytes()
            for i in (1, 2):
                self.guides(*WORDS, "g.fa", "--hits", name, "--chunk", f"{i}/2", "-o", f"{i}.bsp")
            self.merge("1.bsp", "2.bsp", "--hits", f"merged.{name}", "--write-index")
            self.check(f"merged.{name}")
            if ending == "tbi":
                self.assertEqual((self.folder / f"merged.{name}.{ending}").read_bytes(), made)
        merged = self.run_here("1.bsp", "2.bsp", "-o", "t.tsv.gz", "--write-index", command="merge")
        self.assertEqual(merged.returncode, 2)
        self.assertIn("--write-index needs --hits FILE", merged.stderr.decode())

    def test_refused(self):
        self.library(random.Random(SEED))
        for words, message in ((["--hits", "h.tsv"], "--write-index needs --hits with a file that is BAM or CRAM or whose name ends in .gz"),
                               (["--hits", "-", "-o", "t.tsv"], "--write-index needs --hits with a file"), ([], "--write-index needs --hits FILE"),
                               (["--hits", "h.bam", "--chunk", "1/2"], "merge --write-index")):
            self.assertIn(message, self.bad(*WORDS, "g.fa", *words, "--write-index", code=2))
