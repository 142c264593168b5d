"""`plots` in reports: what is counted for plots equals the output of the same run, summed by plain code; with any threads, batches and chunks.
The page of --html appears with the output, and only when both are complete."""
import collections
import csv
import io
import json
import random
import re
import unittest

from chunk_support import fasta
from map_support import fastq, interleaved, made_pairs, made_reads, made_records, seeded
from support import MOTIFS_TSV, Case, without_origin

LONGEST, MOST_BINS = 50, 256
PRIMERS = "first\tACGTTGCAAGCCTTGACGGA\nsecond\tTTGACCANNAGGT\npalindrome\tGGAATTCC\n"
MATRICES = ">M1 first\nA [ 8 0 1 9 ]\nC [ 1 9 0 0 ]\nG [ 0 1 8 1 ]\nT [ 1 0 1 0 ]\n>M2 second\nA [ 1 1 9 0 3 ]\nC [ 9 1 0 3 3 ]\nG [ 0 8 0 3 3 ]\nT [ 0 0 1 4 1 ]\n"
# How a run is divided must not matter.
WAYS = ((), ("-t", 3), ("-t", 2, "--batch-bases", 700))


def bin_of(value):
    """Returns the bin of a size or length: each below 128 has its own, above there are 64 for each power of two."""
    if value < 128:
        return [value, value + 1]
    step = 1 << (value.bit_length() - 7)
    return [value // step * step, value // step * step + step]


def histogram(values):
    return [[*bin, count] for bin, count in sorted(collections.Counter(tuple(bin_of(value)) for value in values).items())]


def counts(values):
    """Returns how many values are 0, 1, 2 ... the greatest."""
    found = collections.Counter(values)
    return [found[i] for i in range(max(found) + 1)] if found else []


def without_zeros(numbers):
    while numbers and numbers[-1] == 0:
        numbers = numbers[:-1]
    return numbers


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


def density(records, starts):
    """Returns `records` of the plots. starts: (record, start) of each row."""
    records = [(name, len(letters)) for name, letters in records if letters]
    order = sorted(range(len(records)), key=lambda i: (-records[i][1], i))[:LONGEST]
    listed, hits = [], 0
    for i in sorted(order):
        name, length = records[i]
        width = 1
        while length > width * MOST_BINS:
            width *= 2
        own = [start for record, start in starts if record == name]
        listed.append({"name": name, "length": length, "hits": len(own), "bin": width, "counts": counts(start // width for start in own)})
        hits += len(own)
    bases = sum(length for _, length in records)
    return {"listed": listed, "others": {"records": len(records) - len(listed), "bases": bases - sum(row["length"] for row in listed),
                                         "hits": len(starts) - hits}}


def edits_by_position(rows, lengths):
    """Returns mismatches, insertions, deletions and hits with any of them (H) by position in the pattern's own direction. rows: (pattern, strand, cigar)."""
    found = {name: {kind: collections.Counter() for kind in "XIDH"} for name in lengths}
    for pattern, strand, cigar in rows:
        at, length, own, positions = 0, lengths[pattern], found[pattern], set()
        for size, kind in re.findall(r"(\d+)([=XIDS])", cigar):
            if kind == "D":
                positions.add(length - at if strand == "-" else at)
                own["D"][length - at if strand == "-" else at] += int(size)
                continue
            for _ in range(int(size)):
                if kind in "XI":
                    positions.add(length - 1 - at if strand == "-" else at)
                    own[kind][length - 1 - at if strand == "-" else at] += 1
                at += 1
        own["H"].update(positions)
    return found


def listed(counter):
    return [counter[i] for i in range(max(counter) + 1)] if counter else []


class Plots(Case):
    def setUp(self):
        super().setUp()
        self.rng = random.Random(f"{seeded('plots')[1]} {self.id()}")
        sizes = [self.rng.randint(1, 900) for _ in range(70)] + [70_000, 3000, 257, 256, 255, 0]
        self.rng.shuffle(sizes)
        self.records = [(f"r{i}", self.planted("".join(self.rng.choices("ACGT", k=size)))) for i, size in enumerate(sizes)]
        self.file("g.fa", "".join(f">{name}\n{letters}\n" for name, letters in self.records))
        self.file("primers.tsv", PRIMERS)

    def planted(self, letters):
        """Returns the letters with changed copies of the first primer and its reverse complement in them."""
        for primer in ("ACGTTGCAAGCCTTGACGGA", "TCCGTCAAGGCTTGCAACGT"):
            if len(letters) > 100 and self.rng.random() < 0.5:
                at, copy = self.rng.randrange(len(letters) - 30), list(primer)
                for _ in range(self.rng.randint(0, 3)):
                    copy[self.rng.randrange(20)] = self.rng.choice(["", "A", "C", "GT"])
                copy = "".join(copy)
                letters = letters[:at] + copy + letters[at + len(copy):]
        return letters

    def plots(self, command, *words, ways=WAYS, output="out.tsv"):
        """Returns the plots of a run and its output; the same for any of the ways."""
        found = None
        for way in ways:
            self.output("--quiet", *words, *way, "-o", output, "--json", "report.json", command=command)
            report = without_origin(json.loads((self.folder / "report.json").read_text()))
            text = (self.folder / output).read_text() if (self.folder / output).is_file() else ""
            if found is not None:
                self.assertEqual((report, text), found, f"{command} {words} {way}")
            found = (report, text)
        return found

    def joined_report(self, command, *words, chunks=3, output=("-o", "merged.tsv")):
        parts = [f"part.{i}.bsp" for i in range(1, chunks + 1)]
        for i, part in enumerate(parts, 1):
            self.output("--quiet", *words, "--chunk", f"{i}/{chunks}", "-o", part, command=command)
        self.output("-q", *parts, *output, "--json", "merged.json", command="merge")
        return without_origin(json.loads((self.folder / "merged.json").read_text()))

    def test_motif(self):
        report, text = self.plots("motif", "-f", MOTIFS_TSV, "-p", "ANT", "g.fa")
        rows = rows_of(text)
        self.assertEqual(report["plots"]["records"], density(self.records, [(row["record"], int(row["start"])) for row in rows]))
        self.assertEqual(report["plots"]["strands"], {strand: sum(row["strand"] == strand for row in rows) for strand in "+-"})
        self.assertEqual(self.joined_report("motif", "-f", MOTIFS_TSV, "-p", "ANT", "g.fa")["plots"], report["plots"])

    def test_match(self):
        call = ("-f", "primers.tsv", "-k", 3, "g.fa")
        report, text = self.plots("match", *call)
        rows, plots = rows_of(text), report["plots"]
        self.assertGreater(len(rows), 50)
        self.assertEqual(plots["records"], density(self.records, [(row["record"], int(row["start"])) for row in rows]))
        self.assertEqual(plots["edits"], counts(int(row["edits"]) for row in rows))
        lengths = {name: len(letters) for name, letters in (line.split("\t") for line in PRIMERS.splitlines())}
        expected = edits_by_position([(row["pattern"], row["strand"], row["cigar"]) for row in rows], lengths)
        by_pattern = {row["name"]: row for row in plots["edit_positions"]["patterns"]}
        for name, kinds in expected.items():
            self.assertIn(name, by_pattern)
            self.assertEqual(by_pattern[name]["hits"], sum(row["pattern"] == name for row in rows))
            for key, kind in (("mismatches", "X"), ("insertions", "I"), ("deletions", "D"), ("hits_with_edits", "H")):
                self.assertEqual(without_zeros(by_pattern[name][key]), listed(kinds[kind]), f"{name} {key}")
        together = {kind: sum((kinds[kind] for kinds in expected.values()), collections.Counter()) for kind in "XIDH"}
        self.assertEqual(without_zeros(plots["edit_positions"]["all"]["mismatches"]), listed(together["X"]))
        self.assertEqual(without_zeros(plots["edit_positions"]["all"]["hits_with_edits"]), listed(together["H"]))
        # Other formats show other columns; the counts are the same.
        for output in ("out.bed", "out.sam"):
            self.assertEqual(self.plots("match", *call, ways=((),), output=output)[0]["plots"], plots)
        self.assertEqual(self.joined_report("match", *call)["plots"], plots)

    def test_long_deletions(self):
        """A hit counts once at a position, however many bases of the text the pattern lacks there, and whatever else differs."""
        left, right = "ACGTTGCAAG", "CCTTGACGGA"
        texts = [left + right] * 10 + [left + "TTT" + right] * 6 + [left + "TTT" + "A" + right[1:]] * 4
        self.file("d.fa", "".join(f">d{i}\n{letters}\n" for i, letters in enumerate(texts)))
        report, text = self.plots("match", "-p", left + right, "-k", 4, "--strand", "plus", "d.fa")
        rows, row = rows_of(text), report["plots"]["edit_positions"]["patterns"][0]
        found = edits_by_position([(one["pattern"], "+", one["cigar"]) for one in rows], {rows[0]["pattern"]: 20})[rows[0]["pattern"]]
        self.assertEqual(row["hits"], len(rows))
        self.assertGreater(max(row["deletions"]), row["hits"] - 10)
        self.assertEqual(without_zeros(row["hits_with_edits"]), listed(found["H"]))
        self.assertLessEqual(max(row["hits_with_edits"]), row["hits"] - 10)

    def test_match_choices(self):
        for words in (("--report", "best"), ("--report", "best-per-record"), ("--non-overlapping",), ("--circular",), ("--circular", "--format", "bed"),
                      ("--overhang", 8), ("--max-indels", 0)):
            with self.subTest(words=words):
                report, text = self.plots("match", "-f", "primers.tsv", "-k", 2, *words, "g.fa")
                rows = [line.split("\t") for line in text.splitlines() if not line.startswith("record\t")]
                hits = sum(sum(pattern["counts"].values()) for pattern in report["patterns"])
                self.assertEqual(sum(report["plots"]["edits"]), hits)
                self.assertEqual(report["plots"]["records"]["others"]["hits"] + sum(row["hits"] for row in report["plots"]["records"]["listed"]), hits)
                self.assertGreaterEqual(len(rows), hits)  # in BED a hit over the origin has two lines

    def test_soft_masked(self):
        """Bases in lower case are counted, whether they are searched or not."""
        records = [(name, "".join(letter.lower() if self.rng.random() < 0.3 else letter for letter in letters)) for name, letters in self.records]
        lower = sum(letter.islower() for _, letters in records for letter in letters)
        self.file("low.fa", "".join(f">{name}\n{letters}\n" for name, letters in records))
        for words in ((), ("--soft-masked", "skip")):
            report = self.plots("motif", "-p", "ANT", *words, "low.fa")[0]
            self.assertEqual(report["inputs"][0]["soft_masked"], lower)
            self.assertEqual(self.joined_report("motif", "-p", "ANT", *words, "low.fa")["inputs"][0]["soft_masked"], lower)
        region = ("--region", f"{records[0][0]}:2-{min(50, len(records[0][1]))}")
        if len(records[0][1]) > 2:
            report = self.plots("motif", "-p", "ANT", *region, "low.fa")[0]
            self.assertEqual(report["inputs"][0]["soft_masked"], sum(letter.islower() for letter in records[0][1][1:50]))

    def test_many_records_with_regions(self):
        """Without an index, records are not counted, however many have rows."""
        records = [(f"c{i}", "".join(self.rng.choices("ACGT", k=120))) for i in range(9000)]
        self.file("many.fa", "".join(f">{name}\n{letters}\n" for name, letters in records))
        self.file("regions.bed", "".join(f"{name}\t0\t110\n" for name, _ in records))
        report, text = self.plots("motif", "-p", "A", "--regions-file", "regions.bed", "many.fa", ways=((),))
        self.assertNotIn("records", report["plots"])
        self.assertEqual(sum(report["plots"]["strands"].values()), len(rows_of(text)))
        report, text = self.plots("motif", "-p", "A", "many.fa", ways=((), ("-t", 2)))
        self.assertEqual(report["plots"]["records"]["others"]["records"], 9000 - LONGEST)

    def test_reads(self):
        reads = [(f"q{i}", "".join(self.rng.choices("ACGT", k=self.rng.randint(30, 400)))) for i in range(300)]
        self.file("q.fq", "".join(f"@{name}\n{letters}\n+\n{'I' * len(letters)}\n" for name, letters in reads))
        report, text = self.plots("match", "-p", "GATTACA", "-k", 1, "q.fq")
        self.assertEqual(report["plots"]["starts"], histogram(int(row["start"]) for row in rows_of(text)))
        self.assertNotIn("records", report["plots"])

    def test_pwm(self):
        self.file("m.jaspar", MATRICES)
        report, text = self.plots("pwm", "-m", "m.jaspar", "--p-value", 0.01, "g.fa", "--format", "tsv")
        rows = rows_of(text)
        for matrix in report["matrices"]:
            own = [row for row in rows if row["matrix"] == matrix["id"]]
            sites = [[sum(row["matched"][i] == letter for row in own) for letter in "ACGT"] for i in range(matrix["width"])]
            self.assertEqual(matrix["sites"], sites)
            self.assertEqual(sum(count for _, _, count in matrix["scores"]), len(own))
            for low, high, count in matrix["scores"]:
                inside = sum(low - 0.002 <= float(row["score"]) <= high + 0.002 for row in own)
                self.assertGreaterEqual(inside, count)
            for column in matrix["letters"]:
                self.assertAlmostEqual(sum(column), 1, delta=0.001)
        self.assertEqual(report["plots"]["records"], density(self.records, [(row["record"], int(row["start"])) for row in rows]))
        merged = self.joined_report("pwm", "-m", "m.jaspar", "--p-value", 0.01, "g.fa")
        self.assertEqual([merged[key] for key in ("plots", "matrices")], [report[key] for key in ("plots", "matrices")])

        call = ("-m", "m.jaspar", "--p-value", 0.01, "g.fa", "--format", "tsv", "--report", "best-per-record")
        report, text = self.plots("pwm", *call)
        self.assertEqual(report["plots"]["records"], density(self.records, [(row["record"], int(row["start"])) for row in rows_of(text)]))
        self.assertEqual(report["matrices"][0]["sites"], [[sum(row["matched"][i] == letter for row in rows_of(text) if row["matrix"] == "M1") for letter in "ACGT"] for i in range(4)])
        self.assertEqual(self.joined_report("pwm", *call)["plots"], report["plots"])

    def test_pool(self):
        """Every two primers of a pool count as a pair."""
        primers = [("a_F", "ACGTTGCA"), ("a_R", "TTGACCAG"), ("b_F", "GGCATCAT"), ("b_R", "CCATGATT")]
        self.file("pool.tsv", "name\tsequence\n" + "".join("\t".join(primer) + "\n" for primer in primers))
        call = ("-f", "pool.tsv", "--pool", "-k", 2, "--size", "20,900", "g.fa")
        report, text = self.plots("pcr", *call)
        rows, plots = rows_of(text), report["plots"]
        self.assertGreater(len({row["pair"] for row in rows}), 3)
        size = next(name for name in ("size", "length") if name in rows[0])
        self.assertEqual({lane["name"]: lane["sizes"] for lane in plots["pair_sizes"]},
                         {name: histogram(int(row[size]) for row in rows if row["pair"] == name) for name in {row["pair"] for row in rows}})
        for lane in plots["pair_sizes"]:
            own = [int(row[size]) for row in rows if row["pair"] == lane["name"]]
            self.assertEqual((lane["smallest"], lane["largest"]), (min(own), max(own)))
        table = plots["pair_records"]
        for pair, numbers in zip(table["pairs"], table["counts"]):
            self.assertEqual(numbers, [sum(row["pair"] == pair and row["record"] == record for row in rows) for record in table["records"]])
        self.assertEqual(self.joined_report("pcr", *call)["plots"], plots)

    def test_long_products(self):
        """Where rows show the letters of products, the edits of primers are counted however long products may be."""
        self.file("pairs.tsv", "a\tACGTTGCA\tTTGACCAG\n")
        call = ("pcr", "-f", "pairs.tsv", "-k", 1, "g.fa", "--size")
        short, long = (self.plots(*call, sizes)[0]["plots"]["primers"] for sizes in ("20,20000", "20,20001"))
        self.assertEqual([row["length"] for row in short], [row["length"] for row in long])
        self.assertNotIn("primers", self.plots(*call, "20,20001", output="out.bed", ways=((),))[0]["plots"])

    def test_pcr(self):
        pairs = [("a", "ACGTTGCA", "TTGACCAG"), ("b", "GGCATCAT", "CCATGATT"), ("none", "GGGGGGGGGGGGCCCC", "CCCCCCCCCCCCCGGG")]
        self.file("pairs.tsv", "".join("\t".join(pair) + "\n" for pair in pairs))
        call = ("-f", "pairs.tsv", "-k", 2, "--size", "20,900", "g.fa")
        report, text = self.plots("pcr", *call)
        rows, plots = rows_of(text), report["plots"]
        self.assertGreater(len(rows), 20)
        size = next(name for name in ("size", "length") if name in rows[0])
        self.assertEqual(plots["sizes"], histogram(int(row[size]) for row in rows))
        by_pair = {lane["name"]: lane["sizes"] for lane in plots["pair_sizes"]}
        for lane in plots["pair_sizes"]:
            own = [int(row[size]) for row in rows if row["pair"] == lane["name"]]
            self.assertEqual((lane["smallest"], lane["largest"]), (min(own), max(own)))
        for name, _, _ in pairs:
            self.assertEqual(by_pair.get(name, []), histogram(int(row[size]) for row in rows if row["pair"] == name))
        table = plots["pair_records"]
        for pair, numbers in zip(table["pairs"], table["counts"]):
            for record, number in zip(table["records"], numbers):
                self.assertEqual(number, sum(row["pair"] == pair and row["record"] == record for row in rows))
        self.assertEqual(table["others"] + sum(map(sum, table["counts"])), len(rows))
        forward = next(row for row in plots["primers"] if row["pair"] == "a" and row["side"] == "forward")
        edits = [int(row["forward_edits"]) for row in rows if row["pair"] == "a"]
        self.assertEqual(forward["edits"], counts(edits))
        self.assertLessEqual(sum(forward["mismatches"]), sum(edits))
        self.assertEqual(self.joined_report("pcr", *call)["plots"], plots)

    def test_map(self):
        rng, about = seeded("plots of map")
        records = made_records(rng)
        reads, pairs = made_reads(records, rng), made_pairs(records, rng, count=40)
        self.file("r.fa", fasta(records))
        self.file("q.fq", fastq(reads))
        self.file("p.fq", interleaved(pairs))
        for words in (("q.fq",), ("--interleaved", "p.fq"), ("--report", "all", "q.fq")):
            with self.subTest(about=about, words=words):
                call = ("-r", "r.fa", "-e", 0.1, *words)
                report, text = self.plots("map", *call, ways=((), ("-t", 3)), output="out.sam")
                lines = [line.split("\t") for line in text.splitlines() if not line.startswith("@")]
                primary = [line for line in lines if not int(line[1]) & 0x904]
                edits = [int(next(tag[5:] for tag in line[11:] if tag.startswith("XE:i:"))) for line in primary]
                plots = report["plots"]
                self.assertEqual(plots["edits"], counts(edits))
                self.assertEqual([(int(low), count) for low, _, count in plots["mapq"]], sorted(collections.Counter(int(line[4]) for line in primary).items()))
                self.assertEqual(plots["ambiguous"], sum(line[4] == "0" for line in primary))
                self.assertEqual(plots["lengths"], histogram(len(line[9]) if line[9] != "*" else 0 for line in lines if not int(line[1]) & 0x900))
                aligned = sum(sum(int(size) for size, kind in re.findall(r"(\d+)([MDN=X])", line[5])) for line in primary)
                self.assertLessEqual(len(records), LONGEST)
                self.assertEqual(sum(row["hits"] for row in plots["coverage"]), aligned)
                for row in plots["coverage"]:
                    depth = collections.Counter()
                    for line in primary:
                        if line[2] == row["name"]:
                            span = sum(int(size) for size, kind in re.findall(r"(\d+)([MDN=X])", line[5]))
                            depth.update((int(line[3]) - 1 + i) // row["bin"] for i in range(span))
                    self.assertEqual(row["counts"], listed(depth), row["name"])
                merged = self.joined_report("map", *call, output=("-o", "merged.sam"))
                self.assertEqual(merged["plots"], plots)

    def test_guides(self):
        guides = [self.records[i][1][j:j + 20] for i, j in ((0, 3), (1, 7)) if len(self.records[i][1]) > 40] or ["ACGTTGCAAGCCTTGACGGA"]
        guides += ["".join(self.rng.choices("ACGT", k=20)) for _ in range(30)]
        self.file("guides.tsv", "".join(f"g{i}\t{letters}\n" for i, letters in enumerate(guides)))
        call = ("-f", "guides.tsv", "-m", 6, "g.fa")
        report, text = self.plots("guides", *call)
        rows, plots = {row["name"]: row for row in rows_of(text)} if "name" in text.split("\n", 1)[0].split("\t") else {}, report["plots"]
        self.assertEqual(len(plots["guides_listed"]), len(guides))
        values = [row["cfd"] if row["cfd"] is not None else 1e9 for row in plots["guides_listed"]]
        self.assertEqual(values, sorted(values))
        self.assertEqual(sum(count for _, _, count in plots["specificity"]["cfd"]) + plots["specificity"]["unscored"], len(guides))
        for row in plots["guides_listed"]:
            self.assertEqual(row["sequence"], guides[int(row["name"][1:])])
            for near in row["nearest"]:
                site = near["text"][:20]
                self.assertEqual(sum(letter.islower() for letter in site), near["mismatches"])
                self.assertEqual("".join(guide if not letter.islower() else letter.upper() for guide, letter in zip(row["sequence"], site)), site.upper())
                self.assertRegex(near["text"][20:], "^.GG$")
                letters = dict(self.records)[near["record"]][near["start"]:near["end"]]
                if near["strand"] == "-":
                    letters = letters[::-1].translate(str.maketrans("ACGT", "TGCA"))
                self.assertEqual(letters, near["text"].upper())
            if rows:
                self.assertEqual(row["counts"], [int(rows[row["name"]][f"mismatches_{i}"]) for i in range(7)])
        self.assertEqual(self.joined_report("guides", *call)["plots"], plots)

    def test_worst_places(self):
        """The first ten guides are listed with their ten nearest places, as --hits writes them."""
        guides = ["ACGTTGCAAGCCTTGACGGA"] + ["".join(self.rng.choices("ACGT", k=20)) for _ in range(14)]
        self.file("guides.tsv", "".join(f"g{i}\t{letters}\n" for i, letters in enumerate(guides)))
        call = ("-f", "guides.tsv", "-m", 6, "--max-dna-bulges", 1, "--max-rna-bulges", 1, "--hits", "hits.tsv", "g.fa")
        report = self.plots("guides", *call)[0]
        order, places = [name for name, _ in self.records], collections.defaultdict(list)
        for row in rows_of((self.folder / "hits.tsv").read_text()):
            start = int(row["Location"])
            places[row["#Id"]].append((int(row["Bulge Size"]), int(row["Mismatches"]), order.index(row["Chromosome"]), start, start + len(row["DNA"].replace("-", "")), row["Direction"],
                                       row["crRNA"], row["DNA"]))
        for i, guide in enumerate(report["plots"]["guides_listed"]):
            own = sorted(places[guide["name"]])[:10 if i < 10 else 2]
            self.assertEqual([(place["bulge"], place["mismatches"], order.index(place["record"]), place["start"], place["end"], place["strand"],
                               place.get("aligned_guide", guide["sequence"] + "NGG"), place.get("aligned_text", place.get("text"))) for place in guide["nearest"]], own)
        self.assertTrue(any(len(guide["nearest"]) == 10 for guide in report["plots"]["guides_listed"]))
        self.assertEqual(self.joined_report("guides", *call)["plots"], report["plots"])

    def test_designed_guides(self):
        """Both ways of designing count the same; with --hits, more than 1,000 guides have two places each."""
        whole = self.plots("guides", "--design", "g.fa", "-m", 3, ways=((), ("-t", 3)))[0]["plots"]
        other = self.plots("guides", "--design", "g.fa", "-m", 3, "--hits", "hits.bed", ways=((),))[0]["plots"]
        for guide in whole["guides_listed"]:
            guide["nearest"] = guide["nearest"][:2]
        self.assertEqual(whole, other)
        self.assertGreater(whole["guides_left_out"], 0)
        self.assertEqual(len(whole["guides_listed"]), 1000)

    def test_samples(self):
        barcodes = ["ACGTACGTAC", "TTGCATGCAA", "GGATCCTTAG"]
        self.file("sheet.tsv", "sample\tbarcode\n" + "".join(f"s{i}\t{letters}\n" for i, letters in enumerate(barcodes)))
        reads = []
        for i in range(200):
            barcode = list(self.rng.choice(barcodes + ["CCCCCCCCCC"]))
            if self.rng.random() < 0.3:
                barcode[self.rng.randrange(10)] = self.rng.choice("ACGT")
            reads.append((f"q{i}", "".join(barcode) + "".join(self.rng.choices("ACGT", k=self.rng.randint(20, 300)))))
        self.file("q.fq", "".join(f"@{name}\n{letters}\n+\n{'I' * len(letters)}\n" for name, letters in reads))
        report = self.plots("demux", "-s", "sheet.tsv", "--structure", "10B+T", "q.fq", "--table", "rows.tsv", "--force", ways=((), ("-t", 3)), output="samples")[0]
        rows, plots = rows_of((self.folder / "rows.tsv").read_text()), report["plots"]
        self.assertEqual(plots["edits"], counts(int(row["edits"]) for row in rows if row["sample"] != "."))
        self.assertEqual(plots["lengths_before"], histogram(len(letters) for _, letters in reads))
        self.assertEqual(sum(count for _, _, count in plots["lengths_after"]), len(reads))
        merged = self.joined_report("demux", "-s", "sheet.tsv", "--structure", "10B+T", "q.fq", output=("-o", "merged"))
        self.assertEqual(merged["plots"], plots)

    def test_trim(self):
        reads = [(f"q{i}", "".join(self.rng.choices("ACGT", k=self.rng.randint(0, 200))) + self.rng.choice(["", "AGATCGGAAGAGC"])) for i in range(200)]
        self.file("q.fq", "".join(f"@{name}\n{letters}\n+\n{'I' * len(letters)}\n" for name, letters in reads))
        call = ("-a", "AGATCGGAAGAGC", "-m", 20, "q.fq")
        report, text = self.plots("trim", *call, ways=((), ("-t", 3)), output="out.fq")
        self.assertEqual(report["plots"]["lengths_before"], [histogram(len(letters) for _, letters in reads)])
        self.assertEqual(report["plots"]["lengths_after"], [histogram(len(line) for line in text.splitlines()[1::4])])
        merged = self.joined_report("trim", *call, output=("-o", "merged.fq"))
        self.assertEqual(merged["plots"], report["plots"])

    def test_count(self):
        guides = ["".join(self.rng.choices("ACGT", k=20)) for _ in range(40)]
        self.file("library.tsv", "".join(f"g{i}\t{letters}\n" for i, letters in enumerate(guides)))
        reads = [self.rng.choice(guides[:30]) + "GTTTTAGAGC" for _ in range(600)]
        self.file("q.fq", "".join(f"@q{i}\n{letters}\n+\n{'I' * len(letters)}\n" for i, letters in enumerate(reads)))
        report, text = self.plots("count", "-l", "library.tsv", "--at", 0, "q.fq", ways=((), ("-t", 3)))
        numbers = sorted(int(line.split("\t")[-1]) for line in text.splitlines()[1:])
        sample = report["samples"][0]
        self.assertEqual(sample["counts"], histogram(numbers))
        self.assertEqual(sample["counts"][0][0], 0)
        for percent, share in enumerate(sample["lorenz"]):
            self.assertAlmostEqual(share, sum(numbers[:len(numbers) * percent // 100]) / sum(numbers), places=5)

    def test_page(self):
        self.output("-q", "-f", "primers.tsv", "-k", 2, "g.fa", "-o", "out.tsv", "--html", "page.html", command="match")
        page = (self.folder / "page.html").read_text()
        self.assertIn("<svg", page)
        self.assertNotRegex(page, r"(src|href)=[\"']?https?:")
        before = self.listing()
        done = self.run_here("-q", "-f", "primers.tsv", "-k", 2, "absent.fa", "-o", "other.tsv", "--html", "other.html", command="match")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(self.listing(), before)
        self.refused(2, "-f", "primers.tsv", "-k", 2, "g.fa", files=("-o", "same", "--html", "same"), command="match", says=["name the same file"])


if __name__ == "__main__":
    unittest.main()
