"""`guides --design` against guides found letter by letter, and `guides --annotate` against a look at each feature."""
import collections
import gzip
import json
import random
import re
import resource

from chunk_support import fai, fasta
from map_support import SEED, random_bases
from naive_match import reverse_complement
from test_guides import GuidesCase

CODES = {"A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "V": "ACG", "N": "ACGT"}


def designed(records, pams=("NGG",), side="3prime", length=20, regions=None, gc=(0, 100), poly_t=None):
    """Returns the rows (name, guide, pam, record, start, end, strand, gc) of all guides, in order."""
    rows = []
    for number, (record, text) in enumerate(records):
        for strand in "+-":
            letters = text.upper() if strand == "+" else reverse_complement(text.upper())
            for begin in range(len(letters)):
                for pam in pams:
                    window = letters[begin:begin + length + len(pam)]
                    if len(window) < length + len(pam):
                        continue
                    beside, guide = (window[:len(pam)], window[len(pam):]) if side == "5prime" else (window[length:], window[:length])
                    if set(guide) - set("ACGT") or any(base not in CODES[code] for code, base in zip(pam, beside)):
                        continue
                    start = begin if strand == "+" else len(letters) - begin - len(window)
                    percent = 100 * (guide.count("C") + guide.count("G"))
                    inside = regions is None or any(r == record and first <= start < last for r, first, last in regions)
                    if inside and gc[0] * length <= percent <= gc[1] * length and (poly_t is None or "T" * (poly_t + 1) not in guide):
                        end = start + len(window)
                        row = [f"{record}:{start}-{end}({strand})", guide, beside, record, start, end, strand, percent // length]
                        rows.append(((number, start, end, strand), list(map(str, row))))
                    break
    return [row for _, row in sorted(rows)]


class DesignCase(GuidesCase):
    def genome(self, rng, size=700):
        records = []
        for number in range(3):
            text = random_bases(rng, rng.randrange(60, size))
            for _ in range(4):
                at = rng.randrange(len(text) - 30)
                text = text[:at] + rng.choice(["N", "NNNNN", "TTTTTTT", text[at:at + 30].lower(), text[:30]]) + text[at:]
            records.append((f"r{number}", text))
        self.write("g.fa", fasta(records))
        self.write("g.fa.fai", fai(records))
        return records

    def design(self, *words, **options):
        table = self.guides("--design", "-q", "g.fa", *words, **options)
        return [line.split("\t") for line in table.splitlines()]


class Design(DesignCase):
    def test_every_guide(self):
        for case in range(8):
            rng = random.Random(SEED + case)
            records = self.genome(rng)
            length = rng.choice([15, 20, 20, 23, 30])
            pams, side = rng.choice([(["NGG"], "3prime"), (["NGG", "NRG"], "3prime"), (["TTTV"], "5prime"), (["NNG", "NAG"], "3prime")])
            table = self.design("-m", 0, "--guide-length", length, "--pam", ",".join(pams), "--pam-side", side, "-t", rng.randint(1, 3),
                                "--batch-bases", rng.choice([50, 333, 100000]))
            self.assertEqual(table[0][:8], ["name", "sequence", "pam", "record", "start", "end", "strand", "gc"])
            self.assertEqual([row[:8] for row in table[1:]], designed(records, pams, side, length))

    def test_types(self):
        """Positions and percentages are numbers in JSON lines."""
        self.genome(random.Random(SEED))
        table = self.design("-m", 1)
        self.design("-m", 1, "-o", "d.jsonl")
        rows = [json.loads(line) for line in self.read("d.jsonl").splitlines()]
        self.assertEqual(len(rows), len(table) - 1)
        for row, cells in zip(rows, table[1:]):
            own = list(row.values())[:8]
            self.assertEqual([type(value) for value in own], [str, str, str, str, int, int, str, int])
            self.assertEqual([str(value) for value in own], cells[:8])
        self.write("gd.csv", "name,sequence,start\ng," + rows[0]["sequence"] + ",17\n")  # a user's own columns are text
        self.guides("-q", "-f", "gd.csv", "-m", 1, "g.fa", "-o", "own.jsonl")
        self.assertEqual(json.loads(self.read("own.jsonl"))["start"], "17")

    def test_regions_and_filters(self):
        rng = random.Random(SEED)
        records = self.genome(rng)
        everything = [row[1:] for row in self.design("-m", 1)]
        for index in (True, False):
            if not index:
                (self.folder / "g.fa.fai").unlink()
            table = self.design("-m", 1, "--region", "r0:31-200", "--region", "r0:101-220", "--region", "r2:1-50", "--gc", "30,65", "--max-poly-t", 3)
            rows = designed(records, regions=[("r0", 30, 220), ("r2", 0, 50)], gc=(30, 65), poly_t=3)
            self.assertTrue(rows)
            self.assertEqual([row[:8] for row in table[1:]], rows)
            for row in table[1:]:  # places are those of the whole input
                self.assertIn(row[1:], everything)

    def test_same_table_as_of_a_library(self):
        rng = random.Random(SEED)
        self.genome(rng)
        words = ["-m", 2, "--max-rna-bulges", 1]
        table = self.design(*words, "--hits", "h.tsv")
        self.write("library.tsv", "name\tsequence\n" + "".join("\t".join(row[:2]) + "\n" for row in table[1:]))
        library = self.guides("-f", "library.tsv", *words, "g.fa", "--pam-in-guide", "no", "--hits", "l.tsv")
        exact, worst = table[0].index("mismatches_0"), table[0].index("worst_place")
        several = 0
        for row, line in zip(table, library.splitlines(), strict=True):
            cells = line.split("\t")
            if row[exact].isdigit() and int(row[exact]) > 1:  # its own place is no off-target; of a library's guide the first copy is none
                several += 1
                self.assertNotEqual(row[worst], row[0])
                cells[worst - 6] = row[worst]
            self.assertEqual(row[:2] + row[8:], cells)
        self.assertGreater(several, 1)
        self.assertEqual((self.folder / "h.tsv").read_text(), (self.folder / "l.tsv").read_text())

    def test_columns(self):
        """--columns chooses columns of the table, of designed guides and of others, also where merge writes it."""
        rng = random.Random(SEED)
        self.genome(rng)
        table = self.design("-m", 2)
        self.write("own.tsv", "name\tsequence\tplate\n" + "".join(f"g{i}\t{row[1]}\t{i % 7}\n" for i, row in enumerate(table[1:])))
        for words, known in ((["--design"], table[0]), (["-f", "own.tsv"], ["name", "sequence", "plate", *table[0][8:]])):
            all_rows = [line.split("\t") for line in self.guides("-q", *words, "-m", 2, "g.fa").splitlines()]
            self.assertEqual(all_rows[0], known)
            names = rng.sample(known, 5)
            chosen = [[row[known.index(name)] for name in names] for row in all_rows]
            self.assertEqual([line.split("\t") for line in self.guides("-q", *words, "-m", 2, "g.fa", "--columns", ",".join(names)).splitlines()], chosen)
            for chunk in ("1/2", "2/2"):
                self.guides("-q", *words, "-m", 2, "g.fa", "--chunk", chunk, "--columns", ",".join(names), "-o", f"c{chunk[0]}.bsp")
            for more, expected in (([], chosen), (["--columns", names[0]], [row[:1] for row in chosen])):
                done = self.run_here("-q", "c1.bsp", "c2.bsp", *more, command="merge")
                self.assertEqual([line.split("\t") for line in done.stdout.decode().splitlines()], expected)
            listed = self.guides(*words, "-m", 2, "--columns", "help", "g.fa").splitlines()
            listed = [line.split("\t")[0] for line in listed[1:] if not line.startswith("#")]
            self.assertEqual(listed, [name for name in known if name != "plate"])
            self.assertIn("no such column", self.bad(*words, "-m", 2, "g.fa", "--columns", "nme", code=2))
        fields = re.findall(r"^ +\S+ (\w+);", self.guides("--design", "--columns", "autosql"), re.M)
        self.assertEqual(fields, ["chrom", "chromStart", "chromEnd", "name", "score", "strand", "thickStart", "thickEnd", "reserved"])
        self.assertEqual(len(self.guides("-q", "--design", "g.fa", "--format", "bed").splitlines()[0].split("\t")), len(fields))
        self.assertIn("chooses columns of TSV, CSV or JSON lines", self.bad("--design", "g.fa", "--format", "bed", "--columns", "gc", code=2))

    def test_top(self):
        rng = random.Random(SEED)
        self.genome(rng)
        for regions in ([], ["--region", "r0:1-150", "--region", "r0:200-", "--region", "r1"]):
            table = self.design("-m", 3, *regions)
            column = table[0].index("cfd_specificity")
            groups = collections.defaultdict(list)
            for row in table[1:]:
                groups[row[3], bool(regions) and row[3] == "r0" and int(row[4]) >= 199].append(row)
            best = [row[:len(table[0])] for row in self.design("-m", 3, "--top", 3, *regions)[1:]]
            self.assertEqual(best, [row for row in table[1:] if row in best])
            self.assertEqual(len(best), sum(min(3, len(group)) for group in groups.values()))
            for group in groups.values():
                chosen = [float(row[column]) for row in group if row in best]
                self.assertEqual(sorted(chosen), sorted(float(row[column]) for row in group)[-3:])

    def test_large_regions(self):
        """Guides of regions are searched as a library, and compared with all of the text at once where an index tells that the regions
        are a good part of it: the same table, messages and report."""
        joined = 0
        for case in range(40):
            rng = random.Random(SEED + case)
            records = self.genome(rng)
            index = self.read("g.fa.fai")
            lines = []
            for _ in range(rng.randint(1, 8)):
                name, bases = rng.choice([record for record in records if record[1]])
                first = rng.randrange(len(bases))
                last = rng.choice([rng.randint(first + 1, len(bases)), len(bases), len(bases) + 7])
                lines.append(f"{name}\t{first}\t{last}" + rng.choice(["", "\tgene", "\t."]))
            if rng.random() < 0.2:
                lines.append("absent\t0\t9")
            self.write("r.bed", "".join(line + "\n" for line in lines))
            words = ["--design", "-v", "-m", rng.randint(0, 4), "g.fa", "-t", rng.randint(1, 2), "--device", "cpu", "--json", "r.json"]
            words += rng.choice([["--regions-file", "r.bed"], ["--regions-file", "r.bed", "--region", records[0][0]]])
            words += rng.choice([[], ["--top", rng.randint(1, 4)]]) + rng.choice([[], ["--gc", "30,70"]]) + rng.choice([[], ["--unique", 0]])
            answers = []
            for indexed in (True, False):
                if not indexed:
                    (self.folder / "g.fa.fai").unlink()
                done = self.run_here(*words, command="guides")
                messages = done.stderr.decode().splitlines()
                joined += indexed and any(" comparing " in line for line in messages)
                self.assertFalse(not indexed and any(" comparing " in line for line in messages))
                told = sorted(line for line in messages if not any(word in line for word in (" comparing ", " finding ", " algorithm: ", " device: ", " 1 input, ")))
                report = {}
                if done.returncode == 0:
                    report = json.loads(self.read("r.json"))
                    for name in ("timings", "machine", "command_line"):
                        del report[name]
                answers.append((done.returncode, done.stdout, told, report))
            self.assertEqual(answers[0], answers[1], (SEED + case, words, index))
        self.assertGreater(joined, 10)

    def test_large_regions_of_other_inputs(self):
        """Several files, records of one name, BED from a pipe, and BED as output."""
        rng = random.Random(SEED)
        records = [(name, random_bases(rng, size)) for name, size in (("a", 900), ("b", 700), ("a", 500))]
        for number, own in enumerate((records[:2], records[2:])):
            self.write(f"g{number}.fa", fasta(own))
            self.write(f"g{number}.fa.fai", fai(own))
        bed = "a\t10\t480\tgene\nb\t0\t700\n"
        self.write("r.bed", bed)
        for more in (["--top", 2], ["--min-specificity", 50], ["--format", "jsonl"], ["--format", "bed"], ["--columns", "start,gc"]):
            words = ["--design", "-v", "-m", 3, "--device", "cpu", "g0.fa", "g1.fa", *more]
            tables = []
            for source in ("r.bed", "-"):
                done = self.run_here(*words, "--regions-file", source, command="guides", stdin=bed.encode())
                self.assertIn(b" comparing ", done.stderr)
                tables.append(done.stdout)
            for number in (0, 1):
                (self.folder / f"g{number}.fa.fai").rename(self.folder / f"kept{number}")
            done = self.run_here(*words, "--regions-file", "r.bed", command="guides")
            self.assertNotIn(b" comparing ", done.stderr)
            for number in (0, 1):
                (self.folder / f"kept{number}").rename(self.folder / f"g{number}.fa.fai")
            self.assertGreater(len(done.stdout.splitlines()), 3)
            self.assertEqual(tables, [done.stdout] * 2, more)

    def test_large_regions_refused(self):
        rng = random.Random(SEED)
        records = [(name, random_bases(rng, 800)) for name in "ab"]
        self.write("g.fa", fasta(records))
        self.write("g.fa.fai", fai(records))
        bed = "a\t0\t700\n"
        self.write("r.bed", bed)
        words = ["--design", "-m", 2, "--device", "cpu", "g.fa"]
        for more in (["-o", "r.bed"], ["--json", "r.bed"], ["-o", "g.fa.fai", "--fai", "g.fa.fai"]):
            self.assertIn("same file", self.bad(*words, "--regions-file", "r.bed", *more, code=2))
            self.assertEqual((self.read("r.bed"), self.read("g.fa.fai")), (bed.encode(), fai(records).encode()))
        self.assertIn("--gc 30", self.bad(*words, "--regions-file", "no.bed", "--gc", "30", code=2))
        for other in ([("A", records[0][1]), records[1]], records[::-1], records[:1], [*records, ("c", "ACGT")]):
            self.write("g.fa", fasta(other))
            self.write("i.fai", fai(records))
            self.bad(*words, "--regions-file", "r.bed", "--fai", "i.fai", code=3)

    def test_same_table_as_with_places(self):
        """With --hits the guides are searched as a library; without, each is compared with all of the text at once."""
        rare = 0
        for case in range(60):
            rng = random.Random(SEED + case)
            records = self.genome(rng, rng.choice([100, 700, 3000]))
            if rng.random() < 0.3:  # copies, so that guides have many places
                records.append(("copies", (records[0][1][:90] * 30)))
                self.write("g.fa", fasta(records))
            if rng.random() < 0.2:
                self.write("g.fa", fasta(records) + fasta(records[:2]))  # names that come twice
            pams, side = rng.choice([("NGG", "3prime")] * 4 + [("NGG,NAG", "3prime"), ("NNGRRT,NGG", "3prime"), ("TTTV", "5prime"), ("NG", "3prime")])
            length = 20 if rng.random() < 0.7 else rng.randint(15, 30)
            mismatches = rng.choice([0, 1, 2, 3, 4, 4, 5, 8])
            words = ["--pam", pams, "--pam-side", side, "--guide-length", length, "-m", mismatches]
            if rng.random() < 0.3:
                words += ["--soft-masked", "skip"]
            if rng.random() < 0.3:
                words += ["--gc", "30,70"]
            if rng.random() < 0.3:
                words += ["--max-poly-t", rng.randint(1, 4)]
            if rng.random() < 0.3:
                words += ["--unique", rng.randint(0, mismatches)]
            if rng.random() < 0.5:
                words += ["--max-scored", rng.choice([0, 1, 3, 20])]
            if rng.random() < 0.3 and length == 20 and pams.endswith("NGG"):
                words += ["--min-specificity", rng.choice([50, 99, 100])]
            if rng.random() < 0.2:
                words += ["--circular", records[1][0]]
            cut = ["-t", rng.randint(1, 3), "--batch-bases", rng.choice([50, 333, 100000])]
            older = self.run_here("--design", "-q", *words, "g.fa", "--hits", "h.tsv", "--json", "older.json", command="guides")
            found = self.run_here("--design", "-q", *words, *cut, "g.fa", "--json", "found.json", command="guides")
            with self.subTest(case=case, words=words):
                self.assertEqual((found.returncode, found.stdout, found.stderr), (older.returncode, older.stdout, older.stderr))
                if found.returncode != 0:
                    rare += 1
                    continue
                piped = self.run_here("--design", "-q", *words, *cut, stdin=(self.folder / "g.fa").read_bytes(), command="guides")
                self.assertEqual(piped.stdout, older.stdout)
                reports = [json.loads(self.read(name)) for name in ("older.json", "found.json")]
                for key in ("inputs", "guides", "min_guide_length", "places", "hits", "parameters"):
                    self.assertEqual(reports[0][key], reports[1][key], key)
                if "--circular" in words or rng.random() < 0.5:
                    continue
                more = ["--top", rng.randint(1, 4)] if length == 20 and pams.endswith("NGG") and rng.random() < 0.4 else []
                whole = self.run_here("--design", "-q", *words, *more, *cut, "g.fa", "--json", "found.json", command="guides")
                parts = self.chunks(rng.choice([1, 2, 3, 7]), *words, *more, *cut)
                merged = self.run_here("-q", *parts, "--json", "merged.json", command="merge")
                self.assertEqual((merged.returncode, merged.stdout), (0, whole.stdout))
                reports = [json.loads(self.read(name)) for name in ("found.json", "merged.json")]
                for key in ("inputs", "guides", "min_guide_length", "places", "hits", "parameters", "plots"):
                    self.assertEqual(reports[0].get(key), reports[1].get(key), key)
        self.assertLess(rare, 30)

    def chunks(self, count, *words, plan=()):
        """Runs the chunks of a design. Returns the names of the parts."""
        parts = [f"p{i}.bsp" for i in range(1, count + 1)]
        for i, part in enumerate(parts, 1):
            done = self.run_here("--design", "-q", *words, *plan, "--chunk", f"{i}/{count}", "g.fa", "-o", part, command="guides")
            self.assertEqual(done.returncode, 0, done.stderr)
        return parts

    def test_chunks(self):
        """A chunk designs the guides of its part of the text, and counts their places in all of it."""
        rng = random.Random(SEED)
        records = self.genome(rng, 900)
        table = self.design("-m", 2)
        parts = self.chunks(3, "-m", 2)
        for name in ("t.tsv", "t.csv", "t.jsonl", "t.bed"):
            self.design("-m", 2, "-o", "whole_" + name)
            self.assertEqual(self.run_here("-q", *parts, "-o", name, command="merge").returncode, 0)
            self.assertEqual(self.read(name), self.read("whole_" + name))
        done = self.run_here("-q", *parts, "--hits", "h.bed", "-o", "t.tsv", command="merge")
        self.assertEqual((done.returncode, done.stderr), (2, b"basesweep: --hits h.bed: chunks with --design keep no places\n"))
        # A plan of regions: their guides alone.
        self.assertEqual(self.run_here("--region", "r0:31-200", "--region", "r2:1-50", "--chunks", 2, "g.fa", "-o", "plan.tsv", command="plan").returncode, 0)
        parts = self.chunks(2, "-m", 2, plan=["--plan", "plan.tsv"])
        merged = [line.split("\t") for line in self.run_here("-q", *parts, command="merge").stdout.decode().splitlines()]
        self.assertEqual([row[:8] for row in merged[1:]], designed(records, regions=[("r0", 30, 200), ("r2", 0, 50)]))
        self.assertTrue(all(row in table for row in merged))
        done = self.run_here("--design", "-q", "--plan", "plan.tsv", "--chunk", "1/2", "--top", 1, "g.fa", "-o", "p.bsp", command="guides")
        self.assertEqual((done.returncode, b"it needs a plan without regions" in done.stderr), (2, True), done.stderr)
        # The plan of another text of the same length.
        self.assertEqual(self.run_here("--chunks", 2, "g.fa", "-o", "plan.tsv", command="plan").returncode, 0)
        for change in ([(f"s{i}", text) for i, (_, text) in enumerate(records)], [*records, ("more", "ACGT")]):
            self.write("h.fa", fasta(change))
            done = self.run_here("--design", "-q", "--plan", "plan.tsv", "--chunk", "1/2", "h.fa", "-o", "p.bsp", command="guides")
            self.assertEqual((done.returncode, (self.folder / "p.bsp").exists()), (3, False), done.stderr)
            self.assertIn(b"the plan", done.stderr)
        # No guide in a chunk, and none in any.
        self.write("g.fa", fasta([("r", "A" * 300 + "CAGTCAGTTCATTCAGTCAGTGG")]))
        parts = self.chunks(2, "-m", 1)
        self.assertEqual(self.run_here("-q", *parts, command="merge").stdout, self.run_here("--design", "-q", "-m", 1, "g.fa", command="guides").stdout)
        self.write("g.fa", fasta([("r", "A" * 300)]))
        done = self.run_here("-q", *self.chunks(2, "-m", 1), command="merge")
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"the input has no guide beside a PAM there", done.stderr)

    def test_scores_of_many_places(self):
        """A guide with more places than --max-scored has counts, and neither scores nor a rank before those with."""
        rng = random.Random(SEED)
        text = random_bases(rng, 60) + "GG"
        self.write("g.fa", fasta([("r", text * 5 + random_bases(rng, 400))]))
        table = self.design("-m", 1, "--max-scored", 4)
        places, cfd = table[0].index("places"), table[0].index("cfd_specificity")
        many = [row for row in table[1:] if int(row[places]) > 4]
        self.assertTrue(many)
        for row in table[1:]:
            self.assertEqual(row[cfd] == ".", int(row[places]) > 4)
        rest = len(table) - 1 - len(many)
        best = self.design("-m", 1, "--max-scored", 4, "--top", rest + 1)[1:]
        self.assertEqual([row for row in best if row not in many], [row for row in table[1:] if row not in many])
        self.assertEqual([row for row in best if row in many], many[:1])

    def test_bed(self):
        """BED has the rows of the table, with a score and a color by their CFD specificity; the same by both ways of comparing guides."""
        rng = random.Random(SEED)
        text = random_bases(rng, 60) + "GG"
        almost = "".join(text[i] if i % 9 else random_bases(rng, 1) for i in range(len(text) - 2)) + "GG"
        self.write("g.fa", fasta([("r", text * 3 + almost + random_bases(rng, 400)), ("s", random_bases(rng, 300))]))
        head, *rows = self.design("-m", 4, "--max-scored", 3)
        expected, colors = "", set()
        for row in rows:
            one = dict(zip(head, row))
            cfd = one["cfd_specificity"]
            color = "128,128,128" if cfd == "." else "0,128,0" if float(cfd) >= 80 else "200,160,0" if float(cfd) >= 50 else "200,0,0"
            score = 0 if cfd == "." else int(one["cfd_specificity"].replace(".", "")) // 1000
            expected += "\t".join([one["record"], one["start"], one["end"], one["sequence"], str(score), one["strand"], one["start"], one["end"], color]) + "\n"
            colors.add(color)
        self.assertGreaterEqual(len(colors), 3)
        for words in (["--format", "bed"], ["-o", "guides.bed"], ["-o", "guides.bed.gz"], ["-o", "guides.bed", "--hits", "h.tsv"]):
            text = self.guides("--design", "-q", "-m", 4, "--max-scored", 3, "g.fa", *words)
            if "-o" in words:
                written = self.read(words[1])
                text = (gzip.decompress(written) if words[1].endswith(".gz") else written).decode()
            self.assertEqual(text, expected, words)

    def test_worst_place_is_another(self):
        """Of guides that the text has several times, the worst place is the first other copy."""
        rng = random.Random(SEED)
        guide = random_bases(rng, 20) + "TGG"
        for copies in (1, 2, 3, 5):
            self.write("g.fa", fasta([("a", "CTA".join([guide] * copies)), ("a", guide)]))
            for ways in ([], ["--hits", "h.tsv"]):
                rows = [row for row in self.design("-m", 2, *ways) if row[1] == guide[:20]]
                worst = [row[-3:-1] for row in rows]
                first, second = "a:0-23(+)", "a:26-49(+)"
                expected = [second if copies > 1 else first] + [first] * copies
                self.assertEqual(worst, [[place, "0"] for place in expected])

    def test_full_disk(self):
        """A table that cannot be written while others of its rows are made."""
        rng = random.Random(SEED)
        self.write("big.fa", fasta([("r", random_bases(rng, 3_000_000))]))
        for threads in (1, 2):
            done = self.run_here("--design", "-m", 1, "-t", threads, "big.fa", "-o", "big.tsv", command="guides",
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
            self.assertEqual((done.returncode, done.stderr.decode()), (4, "basesweep: big.tsv: cannot write: File too large\n"))
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["big.fa"])

    def test_least_specificity(self):
        """Guides that show the least specificity stay; others go, and stderr says how many."""
        rng = random.Random(SEED)
        unit = random_bases(rng, 1000)
        self.write("g.fa", fasta([("r", unit + "".join(rng.choice("ACGT") if rng.random() < 0.1 else base for base in unit))]))
        table = self.design("-m", 4)
        column = table[0].index("cfd_specificity")
        values = sorted({row[column] for row in table[1:]}, key=float)
        self.assertGreater(len(values), 20)
        for value in values:
            rows = [row for row in table[1:] if float(row[column]) >= float(value)]
            for ways in ([], ["--hits", "h.tsv"]):
                done = self.run_here("--design", "-m", 4, "-v", "g.fa", "--min-specificity", value, *ways, command="guides")
                self.assertEqual([line.split("\t") for line in done.stdout.decode().splitlines()][1:], rows)
                self.assertIn(" left out by --unique or --min-specificity", done.stderr.decode())
        for ways in ([], ["--hits", "h.tsv"]):
            done = self.run_here("--design", "-m", 4, "g.fa", "--min-specificity", 1, "--max-scored", 0, *ways, command="guides")
            self.assertEqual(done.returncode, 0)
            self.assertIn("warning: --unique and --min-specificity leave out all guides", done.stderr.decode())

    def test_refused(self):
        self.write("g.fa", ">r\nACGTACGTACGTACGTACGTACGT\n")
        for words, message in (
                (["-p", "ACGTACGTACGTACGTACGT", "--design"], "--design takes the guides from the input"),
                (["--gc", "20,80"], "--gc needs --design"), (["--top", 1], "--top needs --design"),
                (["--design", "--gc", "80,20"], "--gc 80,20: expected two percentages"),
                (["--design", "--gc", "20"], "--gc 20: expected two percentages"),
                (["--design", "--top", 2, "--hits", "h.tsv"], "--top does not go with --hits"),
                (["--design", "--top", 2, "--guide-length", 21], "guides of 20 bases before the PAM NGG"),
                (["--design", "--pam-in-guide", "no"], "--design does not go with --pam-in-guide"),
                (["--design", "--chunk", "1/2", "--hits", "h.tsv"], "--design with --chunk goes without --hits"),
                (["--design", "--chunk", "1/2", "--max-dna-bulges", 1], "--design with --chunk goes without --hits, regions, bulges"),
                (["--unique", 1], "--unique needs --design"), (["--max-scored", 1], "--max-scored needs --design"),
                (["--min-specificity", 1], "--min-specificity needs --design"),
                (["--design", "-m", 2, "--unique", 3], "--unique 3 needs -m 3: places with more than 2 mismatches are not found"),
                (["--design", "--min-specificity", 101], "--min-specificity is a percentage: 0 to 100"),
                (["--design", "--min-specificity", 50, "--guide-length", 21], "--min-specificity is for guides of 20 bases before the PAM NGG"),
                (["-p", "ACGTACGTACGTACGTACGT", "--format", "bed"], "--format bed needs --design"),
                (["-p", "ACGTACGTACGTACGTACGT", "-o", "x.bed"], "the output is a table of guides; places are written as BED by --hits x.bed"),
                (["--annotate-kind", "gene", "-p", "ACGTACGTACGTACGTACGT"], "--annotate-kind needs --annotate")):
            self.assertIn(message, self.bad(*words, "g.fa", code=2))
        self.assertIn("--design reads the input twice", self.bad("--design", "--hits", "h.tsv", stdin=b">r\nACGT\n", code=2))
        self.assertIn("the input has no guide beside a PAM there", self.bad("--design", stdin=b">r\nACGT\n"))
        self.assertIn("the input has no guide beside a PAM there", self.bad("--design", "g.fa"))
        self.write("h.fa", ">r\n" + "A" * 20 + "TGG\n>s\nACGT\n")
        self.assertIn("--gc and --max-poly-t leave out all guides", self.bad("--design", "--gc", "10,90", "h.fa"))
        done = self.run_here("--design", "-m", 0, "--region", "r", "--region", "s:2-3", "h.fa", command="guides")
        self.assertIn("no guide in region s:2-3", done.stderr.decode())
        self.assertEqual(done.returncode, 0)


class Annotate(DesignCase):
    def test_features(self):
        rng = random.Random(SEED)
        records = self.genome(rng)
        features, lines = [], ["##gff-version 3"]
        for number in range(60):
            record, text = rng.choice(records[:2])
            begin = rng.randrange(len(text))
            kind = rng.choice(["gene", "exon", "CDS"])
            features.append((record, begin, begin + rng.randint(1, 60), kind, f"f{number % 40}"))
            lines.append(f"{record}\tx\t{kind}\t{begin + 1}\t{features[-1][2]}\t.\t+\t.\tID=i{number};Name=f{number % 40}")
        self.write("a.gff3", "\n".join(lines) + "\n")
        kinds = list(dict.fromkeys(feature[3] for feature in features))

        def overlapped(record, start, end):
            found = [f for f in sorted(features, key=lambda f: f[1:3]) if f[0] == record and f[1] < end and f[2] > start]
            return list(dict.fromkeys(f"{f[3]}:{f[4]}" for f in sorted(found, key=lambda f: kinds.index(f[3]))))

        plain = self.design("-m", 3, "--max-dna-bulges", 1)
        table = self.design("-m", 3, "--max-dna-bulges", 1, "--annotate", "a.gff3", "--hits", "h.tsv")
        self.assertEqual([row[:-2] for row in table], plain)
        self.assertEqual(table[0][-2:], ["worst_features", "features"])
        counts = collections.defaultdict(collections.Counter)
        for hit in self.hits("h.tsv"):
            start = int(hit["Location"])
            names = overlapped(hit["Chromosome"], start, start + len(hit["DNA"].replace("-", "")))
            self.assertEqual(hit["Features"], ",".join(names) or ".")
            counts[hit["#Id"]].update({name.split(":")[0] for name in names})
        for row in self.rows("\n".join("\t".join(row) for row in table)):
            own = counts[row["name"]]
            self.assertEqual(row["features"], ",".join(f"{kind}={own[kind]}" for kind in kinds if own[kind]) or ".")
            place = re.fullmatch(r"(\w+):(\d+)-(\d+)\(.\)", row["worst_place"])
            names = overlapped(place[1], int(place[2]), int(place[3])) if place else []
            self.assertEqual(row["worst_features"], ",".join(names) or ".")
        self.assertEqual(self.design("-m", 3, "--max-dna-bulges", 1, "--annotate", "a.gff3", "--hits", "h2.tsv", "--batch-bases", 77), table)
        self.assertEqual((self.folder / "h2.tsv").read_text(), (self.folder / "h.tsv").read_text())
        self.design("-m", 1, "--annotate", "a.gff3", "--annotate-kind", "exon", "--hits", "h.tsv")
        for hit in self.hits("h.tsv"):
            start = int(hit["Location"])
            names = [name for name in overlapped(hit["Chromosome"], start, start + len(hit["DNA"])) if name.startswith("exon:")]
            self.assertEqual(hit["Features"], ",".join(names) or ".")

    def test_gtf(self):
        """GTF has the features of GFF3 under its own names."""
        self.write("g.fa", ">r\n" + "ACGTTACGTAGCATCATGAC" + "TGG" + "ACCA" * 10 + "\n")
        columns = "r\tx\t{}\t{}\t{}\t.\t+\t.\t"
        self.write("a.gtf", "#!genome-build x\n" + columns.format("gene", 1, 15) + 'gene_id "G1"; gene_version "1"; gene_name "abc;d,e";\n'
                   + columns.format("exon", 10, 40) + 'gene_id "G2"; exon_number 1; tag "a=b";\n' + columns.format("CDS", 30, 40) + 'gene_id "G3";\n')
        self.guides("-p", "ACGTTACGTAGCATCATGAC", "--annotate", "a.gtf", "g.fa", "--hits", "h.tsv")
        self.assertEqual(self.hits("h.tsv")[0]["Features"], "gene:abc%3Bd%2Ce,exon:G2")
        self.guides("-p", "ACGTTACGTAGCATCATGAC", "--annotate", "a.gtf", "--annotate-kind", "exon", "g.fa", "--hits", "h.tsv")
        self.assertEqual(self.hits("h.tsv")[0]["Features"], "exon:G2")
        self.write("a.gtf", columns.format("gene", 1, 15) + "G1\n")
        self.assertIn('line 1: expected tag=value (GFF3) or tag "value" (GTF) in column 9', self.bad("-p", "ACGTTACGTAGCATCATGAC", "--annotate", "a.gtf", "g.fa"))

    def test_other_names(self):
        self.write("g.fa", ">r\n" + "ACGTTACGTAGCATCATGAC" + "TGG\n")
        self.write("a.bed", "chr_r\t0\t10\tx\n")
        done = self.run_here("-p", "ACGTTACGTAGCATCATGAC", "--annotate", "a.bed", "g.fa", command="guides")
        self.assertIn("no place overlaps a feature of a.bed (are its records named as those of the input?)", done.stderr.decode())
        self.assertIn("no feature is of kind 'gene'",
                      self.bad("-p", "ACGTTACGTAGCATCATGAC", "--annotate", "a.bed", "--annotate-kind", "gene", "g.fa"))
