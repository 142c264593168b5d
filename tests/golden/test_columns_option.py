"""--columns, and the tables that it chooses from: TSV, CSV, JSON lines; columns that BED, GFF3 and FASTA get besides their own."""
import csv
import gzip
import io
import json
import random

from chunk_support import fasta
from map_support import SEED, changed, random_bases
from support import Case, run

JASPAR = ">M1\tone, \"two\"\nA [ 1 20 20 1 1 1 ]\nC [ 1 1 1 1 20 20 ]\nG [ 1 1 1 1 1 1 ]\nT [ 20 1 1 20 1 1 ]\n>M2\nA [ 9 1 ]\nC [ 1 1 ]\nG [ 1 9 ]\nT [ 1 1 ]\n"
# Names that CSV must quote, or JSON escape.
PATTERNS = {"comma, x": "GATTACAG", 'quote " x': "ACGTTGCA", "plain": "GGATCC", "\u00e9\u4e2d back\\slash": "TTGACA"}
CALLS = {"motif": ("-f", "p.tsv"), "match": ("-f", "p.tsv", "-k", "2"), "pwm": ("-m", "m.jaspar", "-p", "0.05")}
INTEGERS = {"start", "end", "edits", "indels", "mismatches", "insertions", "deletions", "pattern_start", "pattern_end", "best", "next_edits",
            "mate", "bed_score", "count", "edits_0", "edits_1", "edits_2"}
REALS = {"score", "p_value"}


class ColumnCase(Case):
    def setUp(self):
        super().setUp()
        rng = random.Random(SEED)
        letters = "".join(random_bases(rng, 60) + changed(pattern, rng.randrange(3), rng) for pattern in list(PATTERNS.values()) * 3)
        self.file("g.fa", fasta([("chr1", letters), ('r"2,x', letters[::-1]), ("three", "ACGTTGCA")]))
        self.file("p.tsv", "name\tsequence\n" + "".join(f"{name}\t{pattern}\n" for name, pattern in PATTERNS.items()))
        self.file("m.jaspar", JASPAR)

    def call(self, command, *words):
        return self.output("-q", *CALLS[command], *words, "g.fa", command=command)

    def tsv(self, command, *words):
        header, *rows = [line.split("\t") for line in self.call(command, *words, "--format", "tsv").splitlines()]
        return header, rows

    def csv(self, command, *words):
        text = self.call(command, *words, "--format", "csv")
        header, *rows = list(csv.reader(io.StringIO(text, newline="")))
        self.assertEqual(text.count("\r"), 0)
        return header, rows

    def jsonl(self, command, *words):
        rows = [json.loads(line) for line in self.call(command, *words, "--format", "jsonl").splitlines()]
        self.assertEqual(len({tuple(row) for row in rows}), 1)
        return list(rows[0]), [list(row.values()) for row in rows]

    def listed(self, command, *words):
        """Returns the columns that --columns help lists as {name: (type, usual)}, and the ones it lacks as {name: reason}."""
        header, *lines = self.output(*words, "--columns", "help", command=command).splitlines()
        self.assertEqual(header, "column\ttype\tusual\tmeaning")
        rows = [line.split("\t") for line in lines if not line.startswith("# ")]
        self.assertEqual({len(row) for row in rows}, {4})
        lacking = {}
        for line in lines[len(rows):]:
            names, reason = line[len("# not here: "):].split(": ", 1)
            lacking.update(dict.fromkeys(names.split(", "), reason))
        return {row[0]: (row[1], row[2] == "yes") for row in rows}, lacking


class Choice(ColumnCase):
    def test_exact_lists(self):
        """Any columns in any order, each the same as in the table of all."""
        rng = random.Random(SEED)
        for command in CALLS:
            known, _ = self.listed(command)
            header, rows = self.tsv(command, "--columns", ",".join(known))
            self.assertEqual(header, list(known))
            self.assertGreater(len(rows), 5)
            for _ in range(8):
                names = rng.sample(list(known), rng.randint(1, len(known)))
                with self.subTest(command=command, names=names):
                    self.assertEqual(self.tsv(command, "--columns", ",".join(names)),
                                     (names, [[row[header.index(name)] for name in names] for row in rows]))

    def test_usual_and_added(self):
        for command in CALLS:
            known, _ = self.listed(command)
            usual = [name for name, (_, is_usual) in known.items() if is_usual]
            self.assertEqual(self.tsv(command)[0], usual)
            self.assertEqual(self.tsv(command), self.tsv(command, "--columns", ",".join(usual)))
            for added in (["file"], ["bed_score", "file"], [usual[0], "file"], list(known)):
                expected = [name for name in known if name in usual or name in added]
                self.assertEqual(self.tsv(command, "--columns", ",".join(f"+{name}" for name in added))[0], expected, (command, added))
        self.assertEqual(self.tsv("motif", "--with-file"), self.tsv("motif", "--columns", "+file"))
        self.assertEqual(self.tsv("match", "--edit-columns", "--aligned"),
                         self.tsv("match", "--columns", "+aligned_text,+deletions,+mismatches,+aligned_pattern,+insertions"))
        # An option adds to columns that were chosen.
        self.assertEqual(self.tsv("motif", "--columns", "start,record", "--with-file")[0], ["start", "record", "file"])

    def test_columns_that_options_bring(self):
        for words, names in ((["--flank", "3"], {"upstream", "downstream"}), (["--report", "best-per-record"], {"best", "next_edits"})):
            known, lacking = self.listed("match", *words)
            self.assertLessEqual(names, set(known))
            self.assertFalse(names & set(lacking))
            self.assertEqual(self.tsv("match", *words, "--columns", ",".join(sorted(names)))[0], sorted(names))
        header, rows = self.tsv("match", "--overhang", "4", "--columns", "pattern,pattern_start,pattern_end")
        self.assertTrue(all(0 <= int(row[1]) < int(row[2]) for row in rows))
        self.assertEqual(header[1:], ["pattern_start", "pattern_end"])

    def test_refused(self):
        for command in CALLS:
            def no(says, *words, command=command):
                self.refused(2, *CALLS[command], *words, "g.fa", command=command, files=("-o", "out.tsv"), says=[says])
            known, lacking = self.listed(command)
            no("--columns recrod: there is no such column; did you mean 'record'?", "--columns", "recrod")
            no(f"there are {', '.join(known)}", "--columns", "start,xyzzy")
            no("--columns start,end,start: start is named twice", "--columns", "start,end,start")
            no("--columns +start,+start: start is named twice", "--columns", "+start,+start")
            no("write + before all names, to add them to the usual columns, or before none", "--columns", "+file,start")
            no("write + before all names", "--columns", "start,+file")
            for text in (",", "a,", ",start", "start,,end", "+", "+,file"):
                no(f"--columns {text}: expected names with commas between" if text != "a," else "--columns a", "--columns", text)
            no("--columns", "--columns", "")
            no("--columns Record: there is no such column", "--columns", "Record")
            for name, reason in lacking.items():
                no(f"--columns {name}: {reason}", "--columns", name)
                no(f"--columns {name}: {reason}", "--columns", f"+{name}")
            no("--columns", "--columns", "record", "--columns", "start")
        self.assertEqual(self.listed("motif")[1]["edits"], "motif finds hits without edits; match finds those with edits")
        self.assertEqual(self.listed("match")[1]["upstream"], "--flank N says how many bases")
        self.assertEqual(self.listed("match")[1]["best"], "only --report best-per-record knows it")
        for form, noun in (("bed", "BED"), ("gff3", "GFF3"), ("fasta", "FASTA")):
            self.refused(2, "-p", "GATT", "g.fa", "--format", form, "--columns", "start,record", files=("-o", "out"),
                         says=[f"--columns start,record: {noun} has columns of its own: choose a table, such as csv\n"])
            self.refused(2, "-p", "GATT", "g.fa", "--format", form, "--columns", "start,bed_score,file", files=("-o", "out"),
                         says=[f"{noun} has columns of its own: choose a table, such as csv, or add what it lacks: +{'bed_score,+file' if form == 'fasta' else 'file'}\n"])
        for form in ("sam", "bam"):
            self.refused(2, "-p", "GATTACA", "-k", 1, "g.fa", "--format", form, "--columns", "start", command="match", files=("-o", "out"),
                         says=[f"--columns: {form.upper()} has fields of its own"])

    def test_help_needs_nothing_else(self):
        """It lists columns without patterns and text, as what it prints does not depend on them."""
        for command, call in CALLS.items():
            done = run("--columns", "help", command=command, cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertEqual(done.stdout, run(*call, "g.fa", "--columns", "help", command=command, cwd=self.folder).stdout)


class Values(ColumnCase):
    WORDS = {"motif": [[], ["--columns", "+file,+bed_score"], ["--flank", "5"], ["--columns", "pattern,record"]],
             "match": [[], ["--edit-columns", "--aligned"], ["--report", "best-per-record"], ["--overhang", "4"], ["--flank", "7", "--with-file"],
                       ["--columns", "cigar,next_edits,best,matched", "--report", "best-per-record", "--best-of", "record"]],
             "pwm": [[], ["--columns", "+file,+bed_score"], ["--columns", "p_value,score,name,matrix"], ["--report", "best-per-record"]]}

    def test_formats_agree(self):
        """CSV and JSON lines have the values of TSV, JSON lines with their types."""
        for command, choices in self.WORDS.items():
            for words in choices:
                with self.subTest(command=command, words=words):
                    header, rows = self.tsv(command, *words)
                    self.assertGreater(len(rows), 1)
                    names, values = self.csv(command, *words)
                    self.assertEqual((names, values), (header, [["" if value == "." and names[i] not in ("strand",) else value for i, value in enumerate(row)] for row in rows]))
                    names, values = self.jsonl(command, *words)
                    self.assertEqual(names, header)
                    for expected, found in zip(rows, values, strict=True):
                        for name, text, value in zip(names, expected, found):
                            if value is None:
                                self.assertEqual(text, ".", name)
                            elif name in INTEGERS:
                                self.assertIs(type(value), int, name)
                                self.assertEqual(str(value), text, name)
                            elif name in REALS:
                                self.assertIn(type(value), (int, float), name)
                                self.assertEqual(float(text), value, name)
                            else:
                                self.assertEqual(value, text, name)

    def test_types_that_help_lists(self):
        for command in CALLS:
            for words in ([], ["--report", "best-per-record"]) if command != "motif" else ([],):
                known, _ = self.listed(command, *words)
                for name, (kind, _) in known.items():
                    self.assertEqual(kind, {"strand": "strand", "cigar": "CIGAR"}.get(name, "integer" if name in INTEGERS else "real" if name in REALS else "text"))

    def test_numbers_of_counts(self):
        for words in ([], ["--by-edits"], ["--per-file"], ["--by-edits", "--per-file", "--report", "best"]):
            header, rows = self.tsv("match", "--count", *words)
            self.assertEqual(self.csv("match", "--count", *words), (header, rows))
            names, values = self.jsonl("match", "--count", *words)
            self.assertEqual((names, [[str(value) for value in row] for row in values]), (header, rows))
            self.assertEqual({type(value) for row in values for name, value in zip(names, row) if name in INTEGERS}, {int})

    def test_columns_of_counts(self):
        """--columns chooses among those of the table of counts, which --count --columns help lists."""
        for command, words in (("motif", []), ("motif", ["--per-file"]), ("match", ["--by-edits"]), ("match", ["--by-edits", "--per-file"]), ("pwm", [])):
            words = ["--count", *words]
            limits = ["-k", "2"] if command == "match" else []
            known, lacking = self.listed(command, *limits, *words)
            header, rows = self.tsv(command, *words)
            self.assertEqual((list(known), lacking), (header, {}))
            self.assertEqual({name: kind for name, (kind, _) in known.items()},
                             {name: "integer" if name in INTEGERS else "strand" if name == "strand" else "text" for name in header})
            for names in (["count", header[0]], header[::-1], ["strand"]):
                expected = [[row[header.index(name)] for name in names] for row in rows]
                self.assertEqual(self.tsv(command, *words, "--columns", ",".join(names)), (names, expected))
                found, values = self.jsonl(command, *words, "--columns", ",".join(names))
                self.assertEqual((found, [["." if value is None else str(value) for value in row] for row in values]), (names, expected))
                self.assertEqual(self.csv(command, *words, "--columns", ",".join(names))[0], names)
                self.assertEqual(self.joined(*CALLS[command], *words, "--columns", ",".join(names), "g.fa", command=command, chunks=2),
                                 self.call(command, *words, "--columns", ",".join(names)))
            self.assertEqual(self.tsv(command, *words, "--columns", "+count"), (header, rows))
            for name, says in (("counts", "did you mean 'count'?"), ("start", "there are " + ", ".join(header))):
                self.refused(2, *CALLS[command], *words, "--columns", name, "g.fa" if command == "match" else "nowhere.fa", command=command, files=("-o", "out.tsv"), says=[f"--columns {name}: there is no such column", says])

    def test_tables_of_matrices(self):
        for cell in ("score", "count"):
            header, rows = self.tsv("pwm", "--table", cell)
            self.assertEqual(self.csv("pwm", "--table", cell), (header, [["" if value == "." else value for value in row] for row in rows]))
            names, values = self.jsonl("pwm", "--table", cell)
            self.assertEqual(names, header)
            for row, expected in zip(values, rows, strict=True):
                self.assertEqual(row[0], expected[0])
                for value, text in zip(row[1:], expected[1:], strict=True):
                    self.assertEqual(value, None if text == "." else float(text))
                    if cell == "count":
                        self.assertIs(type(value), int)

    def test_names_of_files(self):
        for command, call in CALLS.items():
            for ending in ("csv", "jsonl", "tsv"):
                expected = self.call(command, "--format", ending)
                for name in (f"x.{ending}", f"x.{ending.upper()}", f"x.{ending}.gz"):
                    self.output("-q", *call, "g.fa", "-o", name, command=command)
                    data = (self.folder / name).read_bytes()
                    self.assertEqual((gzip.decompress(data) if name.endswith("gz") else data).decode(), expected, (command, name))
            for ending in ("csv", "jsonl"):
                self.output("-q", *call, "g.fa", "--count", "-o", f"c.{ending}", command=command)
                self.assertEqual((self.folder / f"c.{ending}").read_text(), self.call(command, "--count", "--format", ending))

    def test_odd_bytes(self):
        """JSON is UTF-8: bytes of names that are none become U+FFFD. The other tables have the bytes as they are; CSV quotes what needs it."""
        names = [b"caf\xc3\xa9", b"lat\xe9in", b"\xf0\x9f\xa7\xac", b"half\xf0\x9f\xa7", b"\xed\xa0\x80", b"\xc0\xaf", b'a"b', b"a,b", b"back\\slash", b"a'b"]
        self.file("odd.fa", b"".join(b">" + name + b" x\nGATTACA\n" for name in names))
        done = {form: run("-q", "-p", "GATTACA", "odd.fa", "--columns", "record", "--format", form, cwd=self.folder).stdout for form in ("tsv", "csv", "jsonl")}
        self.assertEqual(done["tsv"].split(b"\n")[1:-1], names)
        self.assertEqual(done["csv"].split(b"\n")[1:-1], [b'"a""b"' if b'"' in name else b'"a,b"' if b"," in name else name for name in names])
        found = [json.loads(line)["record"] for line in done["jsonl"].decode("utf-8").splitlines()]
        for name, text in zip(names, found, strict=True):
            try:
                self.assertEqual(text, name.decode("utf-8"))
            except UnicodeDecodeError:
                self.assertEqual(text.replace("\ufffd", "").encode(), name.decode("utf-8", "ignore").encode())
                self.assertIn("\ufffd", text)
        self.file("control.fa", b">a\x01b\nGATTACA\n>c\x7f\nGATTACA\n")
        for form in ("csv", "jsonl", "tsv"):
            done = run("-q", "-p", "GATTACA", "control.fa", "--format", form, cwd=self.folder)
            self.assertEqual(done.returncode, 3 if form == "tsv" else 0, (form, done.stderr))
            if form == "jsonl":
                self.assertEqual([json.loads(line)["record"] for line in done.stdout.split(b"\n")[:-1]], ["a\x01b", "c\x7f"])
            if form == "csv":
                self.assertEqual([row[0] for row in csv.reader(io.StringIO(done.stdout.decode(), newline=""))], ["record", "a\x01b", "c\x7f"])

    def test_no_hits(self):
        for form, text in (("csv", "record,start\n"), ("jsonl", ""), ("tsv", "record\tstart\n")):
            self.assertEqual(self.output("-q", "-p", "GATTACAGATTACAGG", "g.fa", "--columns", "record,start", "--format", form), text)


class OtherFormats(ColumnCase):
    """BED, GFF3 and FASTA keep what is theirs; added columns follow."""

    def added(self, command, *names):
        header, rows = self.tsv(command, "--columns", "record,start,end,strand," + ",".join(names))
        self.assertEqual(header[4:], list(names))
        return rows

    def test_bed(self):
        for command, names in (("motif", ["file"]), ("motif", ["matched", "file"]), ("match", ["edits", "cigar", "aligned_text"]), ("pwm", ["score", "p_value", "name"])):
            own = [line.split("\t") for line in self.call(command, "--format", "bed").splitlines()]
            found = [line.split("\t") for line in self.call(command, "--format", "bed", "--columns", ",".join(f"+{name}" for name in names)).splitlines()]
            expected = [row + more[4:] for row, more in zip(own, self.added(command, *names), strict=True)]
            self.assertEqual(found, expected, (command, names))
            self.assertGreater(len(found), 3)

    def test_gff3(self):
        for command, names in (("motif", ["matched"]), ("match", ["mismatches", "cigar"]), ("pwm", ["matched"])):
            own = self.call(command, "--format", "gff3").splitlines()
            found = self.call(command, "--format", "gff3", "--columns", ",".join(f"+{name}" for name in names)).splitlines()
            rows = iter(self.added(command, *names))
            for before, after in zip(own, found, strict=True):
                if before.startswith("#"):
                    self.assertEqual(after, before)
                    continue
                values = next(rows)[4:]
                self.assertTrue(after.startswith(before), (before, after))
                self.assertEqual(after[len(before):], "".join(f";{name}={value.replace('=', '%3D')}" for name, value in zip(names, values)))

    def test_fasta(self):
        own = self.call("match", "--format", "fasta").splitlines()
        found = self.call("match", "--format", "fasta", "--columns", "+indels,+bed_score").splitlines()
        rows = self.added("match", "indels", "bed_score")
        self.assertEqual(found[1::2], own[1::2])
        for before, after, row in zip(own[::2], found[::2], rows, strict=True):
            name, rest = before.split(" ", 1)
            self.assertEqual(after.split(" ")[0], name)
            self.assertIn(f" indels={row[4]}", after)
            self.assertIn(f" bed_score={row[5]}", after)
            self.assertTrue(after.endswith(rest[rest.index("pattern="):]), after)

    def test_what_a_format_has_already(self):
        for form in ("bed", "gff3", "fasta"):
            own = self.call("match", "--format", form)
            self.assertEqual(self.call("match", "--format", form, "--columns", "+record,+start,+end,+strand,+pattern"), own, form)


class Merged(ColumnCase):
    def test_columns_are_chosen_by_merge(self):
        for command, choices in Values.WORDS.items():
            for words in choices:
                given = [word for i, word in enumerate(words) if word != "--columns" and (i == 0 or words[i - 1] != "--columns")]
                parts = []
                for i in (1, 2, 3):
                    parts.append(f"{i}.bsp")
                    self.output("-q", *CALLS[command], *given, "g.fa", "--chunk", f"{i}/3", "-o", parts[-1], command=command)
                shown = [] if given == words else words[words.index("--columns"):][:2]
                for ending in ("tsv", "csv", "jsonl", "csv.gz"):
                    self.output("-q", *CALLS[command], *words, "g.fa", "-o", f"whole.{ending}", command=command)
                    self.output("-q", *parts, *shown, "-o", f"merged.{ending}", command="merge")
                    self.assertEqual((self.folder / f"merged.{ending}").read_bytes(), (self.folder / f"whole.{ending}").read_bytes(), (words, ending))
                self.assertEqual(self.output(*parts, "--columns", "help", command="merge"),
                                 self.output(*CALLS[command], *given, "--columns", "help", command=command))
