"""--circular of `motif` and `match`: hits over the origin, in every format, with regions and chunks; turning a record turns its
hits. Real circular genomes are tested where BASESWEEP_TEST_DATA has them."""
import collections
import gzip
import itertools
import json
import os
import pathlib
import random
import unittest

import naive
import naive_match
import part_file
from chunk_support import ChunkCase, fai, fasta, table
from map_support import SEED, random_bases
from naive_match import Rules
from support import bgzf, devices
from test_match import options_of

MOTIFS = [("EcoRI", "GAATTC"), ("codes", "GANTCW"), ("poly", "AAAA"), ("pair", "ACAC"), ("one", "C"), ("long", "GATTACAGATTACAGG")]
PRIMERS = [("primer", "ACGTTGCAAGCC"), ("EcoRI", "GAATTC"), ("poly", "AAAAAA")]
RULES = [Rules(k=2), Rules(k=2, clamp3=2, mismatches=1), Rules(k=2, indels=0)]
REPORTS = ("sites", "minima", "best", "all")


def turned(letters, by):
    """Returns the same circular record with another origin."""
    return letters[by:] + letters[:by]


def genome():
    """Records with hits over the origin, and records shorter than patterns and halos."""
    rng = random.Random(f"{SEED} circular")
    primer, long = PRIMERS[0][1], MOTIFS[-1][1]
    body = random_bases(rng, 60) + long + random_bases(rng, 20) + "GAATTC" + "A" * 9 + primer + random_bases(rng, 15)
    changed = random_bases(rng, 50) + primer[:5] + primer[6:] + random_bases(rng, 20)
    return [("over_long", turned(body, 67)), ("over_primer", turned(body, body.index(primer) + 7)), ("none", ""),
            ("gap", turned(changed, 55)), ("minus", naive_match.reverse_complement(turned(body, 99))), ("A", "A"), ("AC", "AC"),
            ("GATTC", "GATTC"), ("poly", "A" * 23), ("masked", turned("acgtGAATTCacgGAATtcNNNGAAT" + "TC", 26)),
            ("N", "N" * 270 + "GAATTCACGTTGCAAGC"), ("turn", "TCGTGACGAAT"), ("linear", turned(body, 99))]


def hits_of(tsv):
    """Returns (record, start, length, pattern, strand and what follows) of each line of TSV."""
    rows = [line.split("\t") for line in tsv.splitlines()[1:]]
    return [(row[0], int(row[1]), int(row[2]) - int(row[1]), *row[3:]) for row in rows]


class CircularCase(ChunkCase):
    def setUp(self):
        super().setUp()
        self.records = genome()
        self.names = [name for name, letters in self.records if letters and name != "linear"]
        self.named = [word for name in self.names for word in ("--circular", name)]
        self.file("g.fa", fasta(self.records))
        self.file("motifs.tsv", table(MOTIFS))
        self.file("primers.tsv", table(PRIMERS))

    def text(self, command, *arguments):
        return self.call(command, *arguments).decode()


class Hits(CircularCase):
    def test_motif(self):
        choices = [{}, {"non_overlapping": True}, {"soft_masked": "skip"}, {"strand": "minus", "palindromes": "both"}, {"max_hits": 37},
                   {"non_overlapping": True, "max_hits": 20}]
        for choice, (words, circular) in itertools.product(choices, ((["--circular"], True), (self.named, set(self.names)))):
            hits = naive.search(self.records, MOTIFS, circular=circular, **choice)
            self.assertTrue(any(hit.end > len(self.records[hit.record][1]) for hit in hits) or "max_hits" in choice)
            options = [word for key, value in choice.items() if key != "non_overlapping" for word in ("--" + key.replace("_", "-"), value)]
            options += ["--non-overlapping"] * choice.get("non_overlapping", False)
            for batch, threads in ((1, 2), (7, 1), (50, 3), (1 << 20, 2)):
                run = ["-q", "-f", "motifs.tsv", *words, *options, "g.fa", "--batch-bases", batch, "-t", threads]
                self.assert_same_text(self.text("motif", *run), naive.bed(self.records, MOTIFS, hits), run)
                self.assert_same_text(self.text("motif", *run, "--format", "tsv"), naive.tsv(self.records, MOTIFS, hits), run)
            if "max_hits" not in choice:
                strands = {key: value for key, value in choice.items() if key in ("strand", "palindromes")}
                self.assert_same_text(self.text("motif", *run, "--count"), naive.count_table(MOTIFS, hits, **strands), run)

    def test_match(self):
        for (rules, report), (words, circular) in zip(itertools.product(RULES, REPORTS),
                                                      itertools.cycle([(["--circular"], True), (self.named, set(self.names))])):
            for choice in ({}, {"non_overlapping": True}):
                hits = naive_match.search(self.records, PRIMERS, rules, report, circular=circular, **choice)
                run = ["-q", "-f", "primers.tsv", *options_of(rules), "--report", report, *words, "g.fa", "-t", 2,
                       *["--non-overlapping"] * len(choice)]
                for batch in (3, 64, 1 << 20):
                    own = [*run, "--batch-bases", batch]
                    self.assert_same_text(self.text("match", *own, "--format", "tsv"), naive_match.tsv(self.records, PRIMERS, hits), own)
                    self.assert_same_text(self.text("match", *own, "--format", "bed"), naive_match.bed(self.records, PRIMERS, hits), own)
                sam = self.text("match", *run, "--format", "sam", "--no-PG")
                header = naive_match.sam_header(self.records, "", "", circular).rsplit("@PG", 1)[0]
                self.assert_same_text(sam, header + naive_match.sam(self.records, PRIMERS, hits), run)
                self.assert_same_text(self.text("match", *run, "--count"), naive_match.count_table(PRIMERS, hits, rules), run)

    def test_turned(self):
        """Hits do not depend on the origin."""
        name, letters = self.records[0]
        seen = set()
        for by in (0, 1, 5, 70, len(letters) - 1):
            self.file("turned.fa", fasta([(name, turned(letters, by))]))
            found = [("motif", "-f", "motifs.tsv")]
            found += [("match", "-f", "primers.tsv", "-k", 2, "--report", report) for report in REPORTS]
            places = []
            for command, *words in found:
                hits = hits_of(self.text(command, *words, "--circular", "turned.fa", "--format", "tsv"))
                places.append(tuple(sorted((name, (start + by) % len(letters), *rest) for name, start, *rest in hits)))
                self.assertTrue(places[-1])
            seen.add(tuple(places))
        self.assertEqual(len(seen), 1)

    def test_devices(self):
        for command, words in (("motif", ["-f", "motifs.tsv"]), ("match", ["-f", "primers.tsv", "-k", 2])):
            runs = {self.text(command, *words, "--circular", "g.fa", "--format", "tsv", "--device", device) for device in devices()}
            self.assertEqual(len(runs), 1)


class Details(CircularCase):
    """GFF3 and FASTA have the hits of TSV."""

    def calls(self):
        for number, choice in enumerate(([], ["--non-overlapping"], ["--max-hits", 30], ["--region", "over_long"])):
            yield "motif", ["-q", "-f", "motifs.tsv", *choice, *[["--circular"], self.named][number % 2]]
            yield "match", ["-q", "-f", "primers.tsv", "-k", 2, *choice, *[self.named, ["--circular"]][number % 2]]
        for report in REPORTS[1:]:
            yield "match", ["-q", "-f", "primers.tsv", "-k", 2, "--report", report, "--circular"]

    def expected(self, command, rows, circular):
        """Returns GFF3 and FASTA for rows of TSV."""
        records = [(name, len(letters)) for name, letters in self.records if letters]
        gff3 = "##gff-version 3\n" + "".join(f"##sequence-region {name} 1 {length}\n" for name, length in records)
        gff3 += "".join(f"{name}\tbasesweep\tregion\t1\t{length}\t.\t.\t.\tID={name};Is_circular=true\n" for name, length in records
                        if circular or name in self.names)
        text = ""
        for name, start, end, pattern, strand, *more in rows:
            edits, indels = map(int, more[:2]) if command == "match" else (0, 0)
            kind = {"motif": "nucleotide_motif", "match": "nucleotide_match"}[command]
            length = len(dict(MOTIFS + PRIMERS)[pattern])
            score = (2000 * (length - edits) + length) // (2 * length)
            found = f";edits={edits};indels={indels}" if command == "match" else ""
            first = int(start) + 1
            gff3 += (f"{name}\tbasesweep\t{kind}\t{first}\t{end}\t{score}\t{strand}\t.\t"
                     f"ID={pattern}:{name}:{first}-{end}:{strand};Name={pattern}{found}\n")
            title = f" edits={edits}" if command == "match" else ""
            text += f">{name}:{start}-{end}({strand}){title} pattern={pattern}\n{more[-1]}\n"
        return gff3, text

    def test_hits(self):
        self.file("i.fa", fasta(self.records))
        self.file("i.fa.fai", fai(self.records))
        over = 0
        for command, words in self.calls():
            for source, batch in (("g.fa", 50), ("g.fa", 1 << 20), ("i.fa", 7)):
                run = [command, *words, source, "--batch-bases", batch]
                rows = [line.split("\t") for line in self.text(*run, "--format", "tsv").splitlines()[1:]]
                over += sum(int(row[2]) > len(dict(self.records)[row[0]]) for row in rows)
                gff3, text = self.expected(command, rows, "--circular=over_long" not in words and "over_long" not in
                                           words[words.index("--circular"):])
                self.assert_same_text(self.text(*run, "--format", "gff3"), gff3, run)
                self.assert_same_text(self.text(*run, "--format", "fasta"), text, run)
        self.assertGreater(over, 200)

    def test_columns_of_bed(self):
        """Both lines of a hit over the origin have the columns of the whole hit, also after merging."""
        lengths = {name: len(letters) for name, letters in self.records}
        for command, names, *words in (("motif", "matched", "-f", "motifs.tsv"),
                                       ("match", "insertions,deletions,cigar,matched", "-f", "primers.tsv", "-k", 2),
                                       ("match", "insertions,deletions,aligned_text,matched", "-f", "primers.tsv", "-k", 2, "--report", "best")):
            run = ["-q", *words, "--circular"]
            table = self.text(command, *run, "g.fa", "--columns", f"record,start,end,pattern,bed_score,strand,{names}", "--format", "tsv")
            rows = [line.split("\t") for line in table.splitlines()[1:]]
            expected = []
            for record, start, end, *rest in rows:
                length = lengths[record]
                over = int(end) - length
                expected.append((record, start, str(min(int(end), length)), *rest))
                if over > 0:
                    expected.append((record, "0", str(over), *rest))
            self.assertGreater(len(expected), len(rows))
            added = ["--columns", ",".join("+" + name for name in names.split(","))]
            outputs = [self.text(command, *run, "g.fa", *added, "--format", "bed", "--batch-bases", batch) for batch in (7, 1 << 20)]
            outputs.append(self.merge(self.jobs(command, [*run, "g.fa"], 2), "merged.bed", *added).decode())
            for text in outputs:
                lines = [tuple(line.split("\t")) for line in text.splitlines()]
                self.assertEqual(collections.Counter(lines), collections.Counter(expected), (command, words))
                places = [(list(lengths).index(line[0]), int(line[1])) for line in lines]
                self.assertEqual(places, sorted(places), (command, words))
            self.assertEqual(len(set(outputs)), 1, (command, words))

    def test_escaped(self):
        """The line of a circular record has the names of its hits."""
        self.file("odd.fa", ">a;b=1,2 x\nTTCACGTGAA\n")
        self.assertEqual(self.text("motif", "-p", "GAATTC", "--circular", "odd.fa", "--format", "gff3"),
                         "##gff-version 3\n##sequence-region a%3Bb%3D1%2C2 1 10\n"
                         "a%3Bb%3D1%2C2\tbasesweep\tregion\t1\t10\t.\t.\t.\tID=a%3Bb%3D1%2C2;Is_circular=true\n"
                         "a%3Bb%3D1%2C2\tbasesweep\tnucleotide_motif\t8\t13\t1000\t+\t.\tID=GAATTC:a%3Bb%3D1%2C2:8-13:+;Name=GAATTC\n")

    def test_refused(self):
        self.file("r.fq", "@a\nTTCGAA\n+\nIIIIII\n")
        for command, words in (("motif", []), ("match", ["-k", 1])):
            for output in ("tsv", "fasta"):
                self.fails(2, command, "-p", "GAATTC", *words, "--circular", "g.fa", "--flank", 5, "--format", output, "-o", "o",
                           says=["--flank", "--circular"])
            self.fails(2, command, "-p", "GAATTC", *words, "--circular", "r.fq", "--format", "gff3", "-o", "o", says=["GFF3", "FASTQ"])
        for words in (["--overhang", 5], ["--overhang-5prime", 5], ["--overhang-3prime", 5], ["--report", "best-per-record"]):
            self.fails(2, "match", "-p", "GAATTC", "-k", 1, *words, "--circular", "g.fa", "-o", "o", says=["conflict", "--circular"])


class Words(CircularCase):
    def test_forms(self):
        """A word behind --circular is an input if it is a file's name, otherwise a record's name."""
        whole = self.text("motif", "-f", "motifs.tsv", "--circular", "g.fa")
        for words in (["g.fa", "--circular"], ["--circular=*", "g.fa"], ["--circular", "--", "g.fa"], ["--circular", "-q", "g.fa"]):
            self.assertEqual(self.text("motif", "-f", "motifs.tsv", *words), whole, words)
        one = self.text("motif", "-f", "motifs.tsv", "--circular=over_long", "g.fa")
        self.assertEqual(self.text("motif", "-f", "motifs.tsv", "--circular", "over_long", "g.fa"), one)
        self.assertEqual(len({one, whole, self.text("motif", "-f", "motifs.tsv", "g.fa")}), 3)
        done = self.attempt("motif", "-f", "motifs.tsv", "--circular", stdin=fasta(self.records).encode())
        self.assertEqual((done.returncode, done.stdout.decode()), (0, whole))

    def test_missing_names(self):
        self.file("index.fa", fasta(self.records))
        self.file("index.fa.fai", fai(self.records))
        for name in ("g", "none", "over_lon"):
            for words in (["g.fa"], ["index.fa"], ["index.fa", "--region", "gap"], ["g.fa", "--region", "gap"], ["g.fa", "--chunk", "1/2"]):
                self.fails(3, "motif", "-f", "motifs.tsv", "--circular", name, *words, "-o", "o", says=[name, "circular"])
            self.fails(3, "match", "-f", "primers.tsv", "-k", 1, "--circular", name, "index.fa", "-o", "o.bam", says=[name])
        self.file("r.fq", "@a\nACGT\n+\nIIII\n@b\nGAATTC\n+\nIIIIII\n")
        self.fails(2, "motif", "-f", "motifs.tsv", "--circular", "a", "r.fq", "--chunk", "1/2", "-o", "o.bsp", says=["--circular"])

    def test_report_and_program(self):
        for words, value, line in ((["--circular"], "all", " --circular"), (["--circular=b", "--circular=a"], "names:a,b",
                                                                           " --circular=a --circular=b")):
            self.file("two.fa", ">a\nGAATTC\n>b\nAATTCG\n")
            sam = self.text("match", "-p", "GAATTC", "-k", 0, *words, "two.fa", "--json", "o.json")
            report = json.loads((self.folder / "o.json").read_text())
            self.assertEqual((report["parameters"]["circular"], report["hits"]), (value, 2))
            self.assertIn(f"CL:basesweep match -k 0{line}\n", sam)
            self.assertEqual(self.text("match", "-p", "GAATTC", "-k", 0, *words, "two.fa", "--no-PG"),
                             "@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:a\tLN:6\tTP:circular\n@SQ\tSN:b\tLN:6\tTP:circular\n"
                             "GAATTC\t0\ta\t1\t255\t6M\t*\t0\t0\tGAATTC\t*\tNM:i:0\tMD:Z:6\tXE:i:0\n"
                             "GAATTC\t256\tb\t6\t255\t6M\t*\t0\t0\tGAATTC\t*\tNM:i:0\tMD:Z:6\tXE:i:0\n")
        self.call("motif", "-p", "GAATTC", "two.fa", "--json", "o.json")
        self.assertNotIn("circular", json.loads((self.folder / "o.json").read_text())["parameters"])

    def test_fastq(self):
        self.file("r.fq", "@a\nTTCGAA\n+\nIIIIII\n@b\nGAATTC\n+\nIIIIII\n")
        self.assertEqual(self.text("motif", "-p", "GAATTC", "--circular", "r.fq"),
                         "a\t0\t3\tGAATTC\t1000\t+\na\t3\t6\tGAATTC\t1000\t+\nb\t0\t6\tGAATTC\t1000\t+\n")

    def test_bad_text(self):
        """A record that breaks off is not closed: nothing over its origin is found."""
        self.file("bad.fa", ">a\nTTCACGTGAA\n>b\nTTCACGT\x01GAA\n")
        for command, words in (("motif", []), ("match", ["-k", 0])):
            done = self.attempt(command, "-p", "GAATTC", "--circular", "bad.fa", "--format", "tsv", *words)
            self.assertEqual(done.returncode, 3)
            self.assertEqual([line.split("\t")[:3] for line in done.stdout.decode().splitlines()[1:]], [["a", "7", "13"]])


class Parts(CircularCase):
    def regions(self):
        for name in ("over_long", "over_primer", "gap", "AC", "GATTC", "N", "linear"):
            length = len(dict(self.records)[name])
            for begin, end in ((0, 1), (0, length), (length - 1, length), (length // 2, length // 2 + 3), (max(0, length - 9), length)):
                yield name, begin, min(end, length)

    def test_regions(self):
        """Hits that start in a region are those of the whole run that do, with an index and without."""
        packed = bgzf(fasta(self.records).encode(), 200)
        self.file("i.fa", fasta(self.records))
        self.file("i.fa.fai", fai(self.records))
        self.file("c.fa.gz", packed)
        for number, (name, begin, end) in enumerate(self.regions()):
            circular = [["--circular"], self.named][number % 2]
            for command, words in (("motif", ["-f", "motifs.tsv"]), ("match", ["-f", "primers.tsv", "-k", 2, "--report", REPORTS[number % 2]])):
                run = [*words, *circular, "--format", "tsv", "-q"]
                whole = self.text(command, *run, "g.fa").splitlines()
                expected = [line for line in whole[1:] if line.split("\t")[0] == name and begin <= int(line.split("\t")[1]) < end]
                for source in ("g.fa", "i.fa", "c.fa.gz"):
                    found = self.text(command, *run, source, "--region", f"{name}:{begin + 1}-{end}", "--batch-bases", 40)
                    self.assert_same_text(found, "\n".join([whole[0], *expected]) + "\n", f"{name}:{begin}-{end} {run} {source}")

    def test_chunks(self):
        self.file("i.fa", fasta(self.records))
        self.file("i.fa.fai", fai(self.records))
        runs = [("motif", output, ["-f", "motifs.tsv", *words]) for output, words in (
            ("bed", []), ("tsv", []), ("tsv", ["--count"]), ("bed", ["--non-overlapping"]), ("tsv", ["--non-overlapping"]),
            ("tsv", ["--non-overlapping", "--count"]), ("bed", ["--max-hits", 30]), ("bed.gz", ["--max-hits", 30, "--non-overlapping"]),
            ("gff3", []), ("fa", []), ("gff3", ["--non-overlapping"]), ("fa", ["--non-overlapping"]), ("gff3", ["--max-hits", 30, "--with-file"]),
            ("fa", ["--with-file", "--non-overlapping", "--max-hits", 30]))]
        runs += [("match", output, ["-f", "primers.tsv", "-k", 2, *words]) for output, words in (
            ("bed", []), ("tsv", []), ("sam", []), ("bam", []), ("bed", ["--report", "minima", "--non-overlapping"]),
            ("sam", ["--non-overlapping"]), ("bam", ["--non-overlapping"]), ("bed", ["--report", "best"]),
            ("bed", ["--report", "best", "--non-overlapping"]), ("tsv", ["--count", "--report", "best", "--non-overlapping"]),
            ("bed", ["--max-hits", 25]), ("tsv", ["--count"]),
            ("gff3", []), ("fa", []), ("gff3", ["--report", "best", "--non-overlapping"]), ("fa", ["--report", "best", "--non-overlapping"]),
            ("tsv", ["--count", "--by-edits", "--report", "best"]), ("tsv", ["--count", "--per-file"]))]
        for number, (command, output, words) in enumerate(runs):
            circular = [["--circular"], self.named][number % 2]
            words = [*words, *circular, ("g.fa", "i.fa")[number // 2 % 2]]
            expected = self.whole(command, words, f"whole.{output}")
            for chunks in (1, 3, 17):
                self.assert_joined(expected, command, words, chunks, output)

    def test_letters_of_two_lines(self):
        """In BED, both lines of a hit over the origin show the letters of the whole hit; also where blocks of hits end between them."""
        rng = random.Random(f"{SEED} letters")
        self.file("many.fa", fasta([(f"r{i}", random_bases(rng, rng.randint(5, 60))) for i in range(2000)]))
        find = ["-q", "-p", "NNGNN", "-p", "ANTN", "--circular", "many.fa"]
        expected = self.call("motif", *find, "--columns", "record,pattern,strand,matched", "--format", "tsv").decode().splitlines()[1:]
        self.assertGreater(len(expected), 40_000)
        whole = self.call("motif", *find, "--columns", "+matched", "--format", "bed")
        lines = [line.split("\t") for line in whole.decode().splitlines()]
        self.assertGreater(len(lines), len(expected) + 1000)
        self.assertEqual({tuple(line.split("\t")) for line in expected}, {(line[0], line[3], line[5], line[6]) for line in lines})
        for i in (1, 2):
            self.call("motif", *find, "--chunk", f"{i}/2", "-o", f"{i}.bsp")
        self.assertEqual(self.call("merge", "-q", "1.bsp", "2.bsp", "--columns", "+matched", "--format", "bed"), whole)

    def test_parts_keep_lines(self):
        """A part has one row for a hit over the origin, whatever its batches; merge makes one line of it or two."""
        self.file("two.fa", ">a\nTTCACGTGAA\n")
        for batch in (1, 5, 1000):
            self.call("motif", "-p", "GAATTC", "--circular", "two.fa", "--chunk", "1/1", "--batch-bases", batch, "-o", "p.bsp")
            self.assertEqual(sum(section.rows for section in part_file.sections(self.read("p.bsp")) if section.name == "rows"), 1)
            self.assertEqual(self.text("merge", "p.bsp", "-q"), "a\t0\t3\tGAATTC\t1000\t+\na\t7\t10\tGAATTC\t1000\t+\n")
            self.assertEqual(self.text("merge", "p.bsp", "-q", "--columns", "record,start,end", "--format", "csv"), "record,start,end\na,7,13\n")


@unittest.skipUnless(os.environ.get("BASESWEEP_TEST_DATA"), "BASESWEEP_TEST_DATA is not set")
class RealGenomes(CircularCase):
    def genome(self, name):
        path = pathlib.Path(os.environ["BASESWEEP_TEST_DATA"]) / "genomes" / f"{name}.fa.gz"
        return naive.read_fasta(gzip.decompress(path.read_bytes()).decode())

    def test_phix(self):
        """Restriction sites of phiX174 with every motif of REBASE that is not longer than 12."""
        records = self.genome("phix174_NC_001422.1")
        rows = (pathlib.Path(os.environ["BASESWEEP_TEST_DATA"]) / "motifs/rebase_sites.tsv").read_text().splitlines()
        sites = [row.split("\t")[:2] for row in rows]
        motifs = [(name, site) for name, site in sites if 3 < len(site) < 13 and set(site) <= set(naive.MEMBERS)][::7]
        self.assertGreater(len(motifs), 40)
        self.file("sites.tsv", table(motifs))
        over = 0
        for by in (0, 1, 2000, 5385):
            own = [(name, turned(letters, by)) for name, letters in records]
            self.file("phix.fa", fasta(own))
            hits = naive.search(own, motifs, circular=True)
            over += sum(hit.end > len(own[hit.record][1]) for hit in hits)
            self.assert_same_text(self.text("motif", "-f", "sites.tsv", "--circular", "phix.fa"), naive.bed(own, motifs, hits))
        self.assertGreater(over, 5)

    def test_turned(self):
        """Turning a bacterial genome turns its hits, exact and with edits."""
        (name, letters), = self.genome("saureus_USA300_NC_007793.1")
        rng = random.Random(f"{SEED} saureus")
        cut = rng.randrange(len(letters))
        patterns = [("over", turned(letters, cut - 11)[:22]), ("changed", turned(letters, cut - 9)[:9] + turned(letters, cut + 1)[:12]),
                    ("EcoRI", "GAATTC"), ("GATC", "GATCGATC")]
        self.file("p.tsv", table(patterns))
        for command, words in (("motif", []), ("match", ["-k", 2]), ("match", ["-k", 2, "--report", "minima"])):
            seen = set()
            for by in (0, cut):
                self.file("s.fa", fasta([(name, turned(letters, by))]))
                hits = hits_of(self.text(command, "-f", "p.tsv", "--circular", "s.fa", "--format", "tsv", *words))
                seen.add(tuple(sorted((name, (start + by) % len(letters), *rest) for name, start, *rest in hits)))
            self.assertEqual(len(seen), 1, words)
            found = collections.Counter(hit[3] for hit in next(iter(seen)))
            self.assertTrue(found["over"] and found["EcoRI"], found)


if __name__ == "__main__":
    unittest.main()
