"""Columns that formats get besides their own: each once, and AutoSQL says the same of them as BED has."""
import json
import re

from test_columns_option import CALLS, ColumnCase

PAIRS = "name\tforward\treverse\tprobe\np1\tGATTACAG\tTGCAACGT\tCCGG\np2\tGATTACAG\tCCGGTTAA\t\n"
PRODUCTS = ">r1\nTTGATTACAGTTTCCGGTTACGTTGCATT\n>r2\nGATTACAGAAAACGTTGCAGATTACAGTTAACCGG\n"
GUIDE = "GATTACAGATTACAGATTAC"
BED_FIELDS = {6: ["chrom", "chromStart", "chromEnd", "name", "score", "strand"],
              12: ["chrom", "chromStart", "chromEnd", "name", "score", "strand", "thickStart", "thickEnd", "reserved", "blockCount", "blockSizes", "chromStarts"]}


class FormatsCase(ColumnCase):
    def setUp(self):
        super().setUp()
        self.file("pairs.tsv", PAIRS)
        self.file("products.fa", PRODUCTS)
        self.file("guides.fa", f">g\nTT{GUIDE}TGGAA{GUIDE[:9]}A{GUIDE[10:]}AGGTT{GUIDE[:8]}{GUIDE[9:]}CGGTT\n")

    def pcr(self, *words):
        return self.output("-q", "-f", "pairs.tsv", "-k", "1", "--size", "60", *words, "products.fa", command="pcr")

    def places(self, ending, *words):
        self.output("-q", "-p", GUIDE, "-m", "2", "--max-rna-bulges", "1", *words, "guides.fa", "--hits", f"h.{ending}", command="guides")
        return (self.folder / f"h.{ending}").read_text()

    def both(self, command, *words):
        """Returns the rows in BED and in JSON lines with these words."""
        if command == "guides":
            texts = [self.places(form, *words) for form in ("bed", "jsonl")]
        else:
            call = self.pcr if command == "pcr" else lambda *more: self.call(command, *more)
            texts = [call(*words, "--format", form) for form in ("bed", "jsonl")]
        return [line.split("\t") for line in texts[0].splitlines()], [json.loads(line) for line in texts[1].splitlines()]


class Autosql(FormatsCase):
    def fields(self, command, *words):
        text = self.output(*words, command=command)
        return re.findall(r'^ +(\S+) (\w+); +"[^"\n]+"$', text, re.M)

    def test_fields_are_the_columns_of_bed(self):
        for command, more in (("motif", []), ("match", []), ("match", ["--report", "best-per-record"]), ("pwm", []), ("pcr", []), ("guides", [])):
            asked = ["--hits", "h.bed"] if command == "guides" else more  # else they are those of the table
            lists, _ = self.listed(command, *asked)
            added = ",".join(f"+{name}" for name in lists)
            fields = self.fields(command, *asked, "--columns", f"{added},autosql")
            bed, objects = self.both(command, *more, "--columns", added)
            self.assertGreater(len(bed), 1)
            with self.subTest(command=command, more=more):
                own = BED_FIELDS[12 if command == "pcr" else 6]
                self.assertEqual([name for _, name in fields[:len(own)]], own)
                self.assertEqual({len(row) for row in bed}, {len(fields)})
                self.assertEqual(len({name for _, name in fields}), len(fields))
                columns = fields[len(own):]
                for row, values in zip(bed, objects, strict=True):
                    for (kind, name), value in zip(columns, row[len(own):], strict=True):
                        found = values[name.removesuffix("_2")]  # BED has a name and a score of its own
                        self.assertEqual(float(value) if isinstance(found, float) else value, "." if found is None else found if isinstance(found, float) else str(found), name)
                        if found is None:
                            self.assertIn(kind, ("string", "lstring", "char[1]"), name)
                        elif kind in ("int", "double"):
                            self.assertIsInstance(found, (int, float), name)

    def test_columns_that_bed_has(self):
        fields = self.fields("match", "--columns", "+strand,+start,+record,+pattern,+bed_score,+cigar,autosql")
        self.assertEqual(fields[6:], [("lstring", "cigar")])
        self.assertEqual([name for _, name in self.fields("match", "--columns", "+cigar,+edits,autosql")[6:]], ["cigar", "edits"])

    def test_counts_of_products(self):
        header, *rows = [line.split("\t") for line in self.pcr("--count", "--per-file").splitlines()]
        self.assertEqual(list(self.listed("pcr", "--count", "--per-file")[0]), header)
        self.assertEqual(self.pcr("--count", "--per-file", "--columns", "count,pair"), "count\tpair\n" + "".join(f"{row[3]}\t{row[1]}\n" for row in rows))
        self.assertEqual(self.pcr("--count", "--format", "jsonl", "--columns", "count"), "".join(f'{{"count":{row[3]}}}\n' for row in rows))
        (self.folder / "a\tb.fa").write_text(PRODUCTS)
        self.refused(2, "-f", "pairs.tsv", "--count", "--per-file", "a\tb.fa", command="pcr", says=["a\\tb.fa", "choose the format csv"])

    def test_not_for_counts(self):
        self.refused(2, "--count", "--columns", "autosql", says=["it describes BED, and there is no BED of these rows"])


class Once(FormatsCase):
    """A key of a title or an attribute is there once."""

    def titles(self, *words):
        return [line for line in self.pcr("--format", "fasta", *words).splitlines() if line.startswith(">")]

    def test_size(self):
        for words in ([], ["--sequence", "insert"], ["--sequence", "amplified"]):
            own = self.titles(*words)
            self.assertGreater(len(own), 1)
            self.assertEqual(self.titles(*words, "--columns", "+size"), own)
            forward = self.titles(*words, "--columns", "+forward")
            self.assertIn(" forward=p", forward[0])
            self.assertEqual(self.titles(*words, "--columns", "+edits,+size,+forward"), forward)

    def test_file(self):
        for form, key in (("fasta", " file="), ("gff3", ";file=")):
            for words in (["--with-file"], ["--columns", "+file"], ["--with-file", "--columns", "+file"]):
                text = self.call("match", "--format", form, *words)
                lines = [line for line in text.splitlines() if line.startswith(">") or "\tbasesweep\t" in line]
                self.assertGreater(len(lines), 3)
                self.assertEqual({line.count(key) for line in lines}, {1}, (form, words))

    def test_names_of_files(self):
        """A tab or a line end in the name of a file would break lines, so they are refused where the name is not escaped."""
        for name in ("a\tb.fa", "a\nb.fa"):
            for inputs in (["g.fa"], ["products.fa"], ["guides.fa"]):
                (self.folder / name).write_bytes((self.folder / inputs[0]).read_bytes())
                calls = {"g.fa": [(command, [*call, name]) for command, call in CALLS.items()],
                         "products.fa": [("pcr", ["-f", "pairs.tsv", "-k", "1", name]), ("pcr", ["-f", "pairs.tsv", "-k", "1", name, "--table"])],
                         "guides.fa": [("guides", ["-p", GUIDE, "-m", "2", name])]}[inputs[0]]
                for command, call in calls:
                    table = "--table" in call
                    for form in ("tsv", "csv", "jsonl") if table else ("bed", "tsv", "csv", "jsonl", "gff3", "fasta"):
                        if (command, form) in (("pwm", "fasta"), ("guides", "gff3"), ("guides", "fasta")):
                            continue
                        words = ["-o", "t.tsv", "--hits", f"h.{form}"] if command == "guides" else ["-o", "out", "--format", form]
                        if form in ("bed", "tsv"):
                            self.refused(2, "-q", *call, "--columns", "+file", command=command, files=words,
                                         says=[name.replace("\t", "\\t").replace("\n", "\\n"), "rename the file, or choose the format csv"])
                            continue
                        self.output("-q", *call, "--columns", "+file", *words, command=command)
                        written = (self.folder / words[-1 if command == "guides" else 1]).read_text()
                        if form == "jsonl":
                            self.assertEqual({json.loads(line)["file"] for line in written.splitlines()}, {name})
                        else:
                            escaped = name.replace("\t", "%09").replace("\n", "%0A")
                            self.assertIn(escaped if form in ("gff3", "fasta") else name if "\t" in name else f'"{name}"', written)

    def test_order(self):
        """BED and FASTA have added columns in the order given, tables in the order of the list."""
        self.assertIn(" bed_score=", self.call("match", "--format", "fasta", "--columns", "+bed_score,+indels").splitlines()[0].split(" indels=")[0])
        self.assertIn(" indels=", self.call("match", "--format", "fasta", "--columns", "+indels,+bed_score").splitlines()[0].split(" bed_score=")[0])
        self.assertEqual(self.tsv("match", "--columns", "+bed_score,+mismatches"), self.tsv("match", "--columns", "+mismatches,+bed_score"))
