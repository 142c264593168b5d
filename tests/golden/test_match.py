"""`basesweep match`: the hits, the output, and the same bytes for any threads, batches, algorithm and device."""
import gzip
import json
import os
import random
import unittest

import naive
import naive_match
from match_support import MatchCase, algorithms, fasta, patterns_file, version
from naive_match import Rules
from support import CORNER, LAMBDA, bgzf, devices, environment, isas, without_origin

REPORTS = ("sites", "minima", "best", "all")
CORNER_FASTA = ["crlf.fa", "empty.fa", "empty_records.fa", "iupac_text.fa", "lower.fa", "n_runs.fa", "no_final_newline.fa",
                "one_base.fa"]
FASTQ = {"four_line.fastq": [("read_1", "ACGTGAATTCACGT"), ("read_2", "AAGCTTGG"), ("read_3", "")],
         "multi_line.fastq": [("read_1", "ACGTGAATTCACGTAC"), ("read_2", "AAGCTTGG")]}
# Two palindromes, IUPAC codes, U, a pattern inside another.
MOTIFS = [("EcoRI", "GAATTC"), ("any", "NNNN"), ("codes", "GANTCW"), ("rna", "AAGCUU"), ("sets", "RAATTY"), ("plain", "TTGACA"),
          ("long", "ACGTGAWTTCACG")]
RULES = [Rules(k=2), Rules(k=0), Rules(rate="0.2", clamp5=1, clamp3=2), Rules(k=3, mismatches=1, indels=2),
         Rules(k=2, indels=0), Rules(k=2, mismatches=0), Rules(k=2, clamp5=2, clamp3=2),
         Rules(k=3, mismatches=2, indels=1, clamp3=3), Rules(k=1, clamp3=4), Rules(k=2, dna=1, rna=0),
         Rules(k=3, dna=0), Rules(k=3, indels=2, rna=1)]


def options_of(rules):
    named = (("-k", rules.k), ("-e", rules.rate), ("--max-mismatches", rules.mismatches), ("--max-indels", rules.indels),
             ("--clamp-5prime", rules.clamp5 or None), ("--clamp-3prime", rules.clamp3 or None),
             ("--max-dna-bulges", rules.dna), ("--max-rna-bulges", rules.rna))
    return [word for option, value in named if value is not None for word in (option, str(value))]


def corner_records(name):
    return FASTQ[name] if name in FASTQ else naive.read_fasta((CORNER / name).read_text(encoding="ascii"))


def changed(letters, edits, rng):
    """Returns a copy with this many edits."""
    for _ in range(edits):
        i = rng.randrange(1, len(letters))
        letters = letters[:i] + rng.choice(["", rng.choice("ACGT"), letters[i] + rng.choice("ACGT")]) + letters[i + 1:]
    return letters


def made_records():
    """Random, repetitive, with N, IUPAC letters and lower case; empty, and shorter than any pattern; with changed copies
    of the patterns on both strands, at the ends of records too."""
    rng = random.Random(4)
    letters = "".join(rng.choice("ACGT") for _ in range(30))
    planted = [(name, "".join(rng.choice(naive.MEMBERS[code]) for code in motif)) for name, motif in MOTIFS if name != "any"]
    for i in range(3):
        for _, exact in planted:
            letters += changed(exact if i % 2 else naive_match.reverse_complement(exact), i, rng)
            letters += "".join(rng.choice("ACGT") for _ in range(5))
    return [("random", "ATTCACGTGAA" + letters + "ACGTGAA"), ("empty", ""), ("AA", "AA"),
            ("repeats", "GAATGAATGAAT" + "AATT" * 10),
            ("masked", "acgtGAATTCacgTTGACANNNNNGAARTTCGAA-TTCNgaattcgaattNC"), ("poly", "A" * 25 + "T" * 20)]


def hits_of(sam):
    return "".join(line for line in sam.splitlines(True) if not line.startswith("@"))


class Naive(MatchCase):
    """Against naive_match.py."""

    def setUp(self):
        super().setUp()
        self.file("motifs.tsv", patterns_file(MOTIFS))

    def expect(self, records, source, rules, report="sites", more=(), **options):
        """TSV, BED, and SAM with both kinds of CIGAR."""
        hits = naive_match.search(records, MOTIFS, rules, report, **options)
        call = ["-q", "-f", "motifs.tsv", *options_of(rules), "--report", report, *more, source]
        about = f"{call}"
        self.assert_same_text(self.output(*call, "--format", "tsv"), naive_match.tsv(records, MOTIFS, hits), about)
        if report == "all" or more:
            return hits
        self.assert_same_text(self.output(*call, "--format", "bed"), naive_match.bed(records, MOTIFS, hits), about)
        if str(source) in FASTQ:
            return hits
        for eqx in (False, True):
            found = self.output(*call, "--format", "sam", "--no-PG", *(["--eqx"] if eqx else []))
            header = "".join(naive_match.sam_header(records, "", "").splitlines(True)[:-1])
            self.assert_same_text(found, header + naive_match.sam(records, MOTIFS, hits, eqx), about)
        return hits

    def test_corner_files(self):
        for name in CORNER_FASTA + list(FASTQ):
            for rules in (RULES[2], RULES[3]):
                self.expect(corner_records(name), CORNER / name, rules, more=["--batch-bases", "7", "-t", "3"])
            if name not in FASTQ:
                self.expect(corner_records(name), CORNER / name, RULES[2])

    def test_rules_and_reports(self):
        records = made_records()
        self.file("made.fa", fasta(records, 17))
        for rules in RULES:
            for report in REPORTS:
                self.assertGreater(len(self.expect(records, "made.fa", rules, report)), 0, f"{rules} {report}")

    def test_small_batches(self):
        records = made_records()
        self.file("made.fa", fasta(records, 17))
        for device in devices():
            for rules in (RULES[0], RULES[3], RULES[7]):
                for report in REPORTS:
                    for batch in ("1", "13"):
                        more = ["--batch-bases", batch, "-t", "2", "--device", device]
                        self.expect(records, "made.fa", rules, report, more)

    def test_strands_and_palindromes(self):
        """With different clamps at its ends, a palindrome is searched on both strands."""
        records = made_records()
        self.file("made.fa", fasta(records))
        for rules in (RULES[0], RULES[2]):
            for strand in ("both", "plus", "minus"):
                for palindromes in ("once", "both"):
                    choice = {"strand": strand, "palindromes": palindromes}
                    words = ["--strand", strand, "--palindromes", palindromes]
                    hits = self.expect(records, "made.fa", rules, more=words, **choice)
                    found = self.output("-f", "motifs.tsv", *options_of(rules), *words, "--count", "made.fa")
                    self.assert_same_text(found, naive_match.count_table(MOTIFS, hits, rules, **choice), words)

    def test_soft_masked(self):
        """A hit that touches lower case is dropped; the hits that it beat do not come back."""
        records = made_records() + [("lower", "GAATTCgGAATTCACGTGAATTCAcg")]
        self.file("made.fa", fasta(records))
        for report in REPORTS:
            for more in ([], ["--batch-bases", "5"]):
                more = ["--soft-masked", "skip", *more]
                self.expect(records, "made.fa", RULES[0], report, more, soft_masked="skip")

    def test_non_overlapping_and_max_hits(self):
        records = made_records()
        self.file("made.fa", fasta(records))
        for report in REPORTS:
            for most in (None, 1, 7, 10000):
                for non_overlapping in (False, True):
                    more = ["--non-overlapping"] if non_overlapping else []
                    more += ["--max-hits", most] if most else []
                    more += ["--batch-bases", "20", "-t", "2"]
                    self.expect(records, "made.fa", RULES[0], report, more, non_overlapping=non_overlapping, max_hits=most)

    def test_count(self):
        records = made_records()
        self.file("made.fa", fasta(records))
        for rules in RULES:
            for report in REPORTS:
                for non_overlapping in ([], ["--non-overlapping"]):
                    hits = naive_match.search(records, MOTIFS, rules, report, non_overlapping=bool(non_overlapping))
                    call = ["-f", "motifs.tsv", *options_of(rules), "--report", report, "--count", *non_overlapping, "made.fa"]
                    self.assert_same_text(self.output(*call), naive_match.count_table(MOTIFS, hits, rules), call)

    def test_several_files(self):
        """Hits in the order of the files; --report best over all of them; the first hit of all is primary."""
        records = made_records()
        sources = [self.file("a.fa", fasta(records[:2])), "-", self.file("c.fa", gzip.compress(fasta(records[4:]).encode())),
                   self.file("d.fa", bgzf(b">last\nACGTGAATTCACGT\n"))]
        records += [("last", "ACGTGAATTCACGT")]
        for report in ("sites", "best"):
            hits = naive_match.search(records, MOTIFS, RULES[0], report)
            call = ["-f", "motifs.tsv", *options_of(RULES[0]), "--report", report, *sources]
            stdin = fasta(records[2:4]).encode()
            found = self.output(*call, "--format", "tsv", stdin=stdin)
            self.assert_same_text(found, naive_match.tsv(records, MOTIFS, hits), report)
            more = "" if report == "sites" else f" --report {report}"
            header = naive_match.sam_header(records, "basesweep match -k 2" + more, version())
            found = self.output(*call, stdin=stdin)
            self.assert_same_text(found, header + naive_match.sam(records, MOTIFS, hits), report)


class Edits(MatchCase):
    """-k and -e."""

    def test_rate_is_rounded_down_per_pattern(self):
        """The rate is a decimal number: 0.29 of 100 is 29, although the nearest double is less."""
        rng = random.Random(9)
        for rate, length, edits in (("0.1", 9, 0), ("0.1", 10, 1), ("0.1", 19, 1), ("0.1", 20, 2), ("0.1", 30, 3),
                                    ("0.3", 10, 3), ("0.25", 15, 3), ("0.29", 100, 29), ("0.58", 50, 29),
                                    ("0.07", 100, 7), ("0", 30, 0), ("0.0", 12, 0), ("0.15", 20, 3)):
            pattern = "".join(rng.choice("AC") for _ in range(length))
            self.file("r.fa", "".join(f">{n}\n{'T' * n}{pattern[n:]}\n" for n in (edits, edits + 1)))
            call = ["-p", pattern, "-e", rate, "--max-indels", "0", "--strand", "plus", "--format", "bed", "r.fa"]
            score = (2000 * (length - edits) + length) // (2 * length)
            self.assertEqual(self.output(*call), f"{edits}\t0\t{length}\t{pattern}\t{score}\t+\n", f"{rate} of {length}")

    def test_rate_and_number_find_the_same(self):
        motifs = [(name, motif) for name, motif in MOTIFS if len(motif) == 6]
        self.file("six.tsv", patterns_file(motifs))
        self.file("made.fa", fasta(made_records()))
        for rate, edits in (("0.1", 0), ("0.167", 1), ("0.4", 2), ("0.5", 3)):
            found, same = (self.output("-f", "six.tsv", *words, "--format", "tsv", "made.fa")
                           for words in (["-e", rate], ["-k", edits]))
            self.assert_same_text(found, same, rate)

    def test_limits_beyond_the_edits_change_nothing(self):
        self.file("motifs.tsv", patterns_file(MOTIFS))
        self.file("made.fa", fasta(made_records()))
        call = ["-f", "motifs.tsv", "--format", "tsv", "made.fa", "-k"]
        plain = self.output(*call, "2")
        for limits in (["--max-mismatches", "2"], ["--max-indels", "9"], ["--max-mismatches", "2", "--max-indels", "2"]):
            self.assert_same_text(self.output(*call, "2", *limits), plain, limits)
        fewest = self.output(*call, "3", "--max-mismatches", "2", "--max-indels", "0")
        self.assert_same_text(fewest, self.output(*call, "2", "--max-indels", "0"))

    def test_no_edits_are_the_hits_of_motif(self):
        exact = naive.search(naive.read_fasta((CORNER / "n_runs.fa").read_text()), MOTIFS)
        self.file("motifs.tsv", patterns_file(MOTIFS))
        for report in REPORTS:
            found = self.output("-f", "motifs.tsv", "-k", "0", "--report", report, "--format", "bed", CORNER / "n_runs.fa")
            self.assert_same_text(found, naive.bed(corner_records("n_runs.fa"), MOTIFS, exact), report)


    def test_score(self):
        """The score is 1000 (1 - edits / length), rounded half up."""
        pattern = "ACCATTGCAGGTACCT"
        for edits, score in ((0, 1000), (1, 938), (2, 875), (3, 813), (5, 688)):
            self.file("r.fa", f">r\n{'N' * edits}{pattern[edits:]}\n")
            found = self.output("-p", pattern, "-k", "5", "--max-indels", "0", "--strand", "plus", "--format", "bed", "r.fa")
            self.assertEqual(found, f"r\t0\t16\t{pattern}\t{score}\t+\n")


class Formats(MatchCase):
    RECORDS = [("one", "ACGTGAATTCACGT"), ("two", "GAATCGATTC")]
    COMMAND = "basesweep match -k 1"

    def setUp(self):
        super().setUp()
        self.file("r.fa", fasta(self.RECORDS))
        patterns = [("GAATTC", "GAATTC")]
        hits = naive_match.search(self.RECORDS, patterns, Rules(k=1))
        self.text = {"bed": naive_match.bed(self.RECORDS, patterns, hits), "tsv": naive_match.tsv(self.RECORDS, patterns, hits),
                     "sam": naive_match.sam_header(self.RECORDS, self.COMMAND, version())
                            + naive_match.sam(self.RECORDS, patterns, hits)}
        self.assertEqual(len(hits), 3)

    def written(self, name, *arguments):
        self.assertEqual(self.output("-p", "GAATTC", "-k", "1", "r.fa", "-o", name, *arguments), "")
        self.assertEqual(self.listing(), sorted(["r.fa", name]))
        data = (self.folder / name).read_bytes()
        os.unlink(self.folder / name)
        return data

    def assert_bam(self, data, about):
        """BGZF with its end-of-file block; the header text and the references come first."""
        self.assertEqual(data[:4] + data[12:14], b"\x1f\x8b\x08\x04BC", about)
        self.assertTrue(data.endswith(bgzf(b"")), about)
        inside = gzip.decompress(data)
        self.assertEqual(inside[:4], b"BAM\1", about)
        length = int.from_bytes(inside[4:8], "little")
        header = self.text["sam"][:self.text["sam"].index("GAATTC\t")]
        self.assertEqual(inside[8:8 + length].rstrip(b"\0").decode(), header, about)
        self.assertEqual(inside[8 + length:16 + length], bytes([2, 0, 0, 0, 4, 0, 0, 0]), about)

    def test_by_name(self):
        for name, what in (("h.sam", "sam"), ("h.tsv", "tsv"), ("h.bed", "bed"), ("h", "sam"), ("h.v2", "sam"), ("bam", "sam"), ("H.TSV", "tsv")):
            self.assert_same_text(self.written(name).decode(), self.text[what], name)
        for name, what in (("h.sam.gz", "sam"), ("h.tsv.gz", "tsv"), ("h.bed.gz", "bed"), ("h.gz", "sam")):
            data = self.written(name)
            self.assertEqual(data[:4] + data[12:14], b"\x1f\x8b\x08\x04BC", name)
            self.assert_same_text(gzip.decompress(data).decode(), self.text[what], name)
        self.assert_bam(self.written("h.bam"), "h.bam")

    def test_by_option(self):
        """--format decides, not the name."""
        for what in ("sam", "tsv", "bed"):
            for name in ("h.sam", "h.bam", "h.bed", "h.x"):
                self.assert_same_text(self.written(name, "--format", what).decode(), self.text[what], f"{name} {what}")
            self.assert_same_text(self.output("-p", "GAATTC", "-k", "1", "r.fa", "--format", what), self.text[what], what)
        self.assert_bam(self.written("h.sam", "--format", "bam"), "h.sam")
        self.assert_bam(self.written("h.bam", "--format", "bam"), "h.bam")
        done = self.run_here("-p", "GAATTC", "-k", "1", "r.fa", "--format", "bam")
        self.assert_bam(done.stdout, "stdout")

    def test_default(self):
        self.assert_same_text(self.output("-p", "GAATTC", "-k", "1", "r.fa"), self.text["sam"])
        self.assert_same_text(self.output("-p", "GAATTC", "-k", "1", stdin=fasta(self.RECORDS).encode()), self.text["sam"])
        fastq = "".join(f"@{name}\n{letters}\n+\n{'I' * len(letters)}\n" for name, letters in self.RECORDS)
        self.assert_same_text(self.output("-p", "GAATTC", "-k", "1", stdin=fastq.encode()), self.text["tsv"])
        self.file("r.fq.gz", gzip.compress(fastq.encode()))
        self.assert_same_text(self.output("-p", "GAATTC", "-k", "1", "r.fq.gz"), self.text["tsv"])

    def test_count_is_a_table(self):
        table = "pattern\tstrand\tcount\nGAATTC\t+\t3\n"
        for name in ("c.tsv", "c.txt", "c", "c.2"):
            self.assertEqual(self.written(name, "--count").decode(), table)

    def test_nothing_found(self):
        """The output is valid and empty; exit 0."""
        self.file("empty.fa", "")
        self.file("records.fa", ">r\n" + "A" * 30 + "\n")
        for source, references in (("empty.fa", ""), ("records.fa", "@SQ\tSN:r\tLN:30\n")):
            program = f"@PG\tID:basesweep\tPN:basesweep\tVN:{version()}\tCL:{self.COMMAND}\n"
            header = f"@HD\tVN:1.6\tSO:coordinate\n{references}{program}"
            for what, expected in (("sam", header), ("bed", ""), ("tsv", self.text["tsv"].splitlines(True)[0])):
                for stdin in (False, True):
                    words = ["-q", "-p", "GAATTC", "-k", "1", "--format", what]
                    given = {"stdin": (self.folder / source).read_bytes()} if stdin else {}
                    found = self.output(*words, *([] if stdin else [source]), **given)
                    self.assertEqual(found, expected, f"{source} {what}")
            self.output("-q", "-p", "GAATTC", "-k", "1", source, "-o", "h.bam")
            inside = gzip.decompress((self.folder / "h.bam").read_bytes())
            tail = b"\1\0\0\0" + b"\2\0\0\0r\0" + b"\x1e\0\0\0" if references else b"\0\0\0\0"
            self.assertEqual(inside, b"BAM\1" + len(header).to_bytes(4, "little") + header.encode() + tail)

    def test_program_line(self):
        """@PG holds the options that affect the result, in one order, and nothing else."""
        self.assertNotIn("@PG", self.output("-p", "GAATTC", "-k", "1", "r.fa", "--no-PG"))
        spoken = ["--eqx", "--max-hits", "9", "--soft-masked", "skip", "--palindromes", "both", "--strand", "minus",
                  "--report", "all", "--clamp-3prime", "1", "--clamp-5prime", "2", "--max-indels", "1", "--max-mismatches", "3",
                  "-e", "0.4", "--non-overlapping"]
        told = ("basesweep match -e 0.4 --max-mismatches 3 --max-indels 1 --clamp-5prime 2 --clamp-3prime 1 --report all "
                "--strand minus --palindromes both --soft-masked skip --non-overlapping --max-hits 9 --eqx")
        lines = set()
        for more in ([], ["-t", "3"], ["--device", devices()[-1]], ["--batch-bases", "3"], ["--algorithm", "bitsliced"],
                     ["-o", "h.sam"], ["--json", "r.json"], ["-q"]):
            text = self.output("-p", "GAATTC", *spoken, *more, "r.fa")
            text = (self.folder / "h.sam").read_text() if "-o" in more else text
            lines.add(next(line for line in text.splitlines() if line.startswith("@PG")))
        self.assertEqual(lines, {f"@PG\tID:basesweep\tPN:basesweep\tVN:{version()}\tCL:{told}"})
        found = self.output("-p", "GAATTC", "-k", "1", "--report", "sites", "--strand", "both", "--palindromes", "once",
                            "--soft-masked", "use", "--clamp-3prime", "0", "r.fa")
        self.assert_same_text(found, self.text["sam"], "defaults that are spelled out")

    def test_report(self):
        self.output("-p", "GAATTC", "-p", "ACGTGA", "-k", "1", "--max-indels", "1", "--clamp-3prime", "2", "--report", "best",
                    "r.fa", "-o", "h.bam", "--json", "r.json", "-t", "1", "--device", "cpu")
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual((report["schema"], report["version"], report["command"]), ("basesweep-report/1", version(), "match"))
        self.assertEqual(report["parameters"], {
            "strand": "both", "palindromes": "once", "soft_masked": "use", "overlapping": "yes", "output": "bam", "max_hits": None,
            "edits": 1, "error_rate": None, "max_mismatches": None, "max_indels": 1, "clamp_5prime": 0, "clamp_3prime": 2,
            "report": "best", "max_dna_bulges": None, "max_rna_bulges": None, "overhang_5prime": None, "overhang_3prime": None})
        self.assertEqual(report["inputs"], [{"path": "r.fa", "format": "fasta", "compression": "none", "records": 2, "bases": 24,
                                             "not_acgt": 0, "soft_masked": 0}])
        patterns = [("GAATTC", "GAATTC"), ("ACGTGA", "ACGTGA")]
        rules = Rules(k=1, indels=1, clamp3=2)
        hits = naive_match.search(self.RECORDS, patterns, rules, "best")
        rows = [line.split("\t") for line in naive_match.count_table(patterns, hits, rules).splitlines()[1:]]
        for pattern, (name, motif) in zip(report["patterns"], patterns):
            self.assertEqual((pattern["name"], pattern["sequence"]), (name, motif))
            self.assertEqual(pattern["counts"], {strand: int(count) for row, strand, count in rows if row == name})
        self.assertEqual([p["palindromic"] for p in report["patterns"]], [True, False])
        self.assertEqual((report["hits"], report["truncated_by_max_hits"]), (len(hits), False))
        self.assertEqual(report["machine"]["threads"], 1)
        self.assertIn("on cpu", report["machine"]["matcher"])
        self.output("-p", "GAATTC", "-e", "0.25", "--max-mismatches", "1", "--max-dna-bulges", "0", "--max-rna-bulges", "2", "r.fa",
                    "--count", "--json", "r.json")
        parameters = json.loads((self.folder / "r.json").read_text())["parameters"]
        self.assertEqual([parameters[key] for key in ("edits", "error_rate", "max_mismatches", "max_indels", "max_dna_bulges",
                                                      "max_rna_bulges", "output")], [None, 0.25, 1, None, 0, 2, "count"])

    def test_report_is_stable(self):
        reports = []
        for how in (["-t", "1"], ["-t", "5", "--batch-bases", "3", "--algorithm", "bitsliced"]):
            self.output("-p", "GAATTC", "-k", "2", "r.fa", *how, "--json", "r.json")
            report = json.loads((self.folder / "r.json").read_text())
            self.assertTrue(report["machine"] and report["timings"])
            reports.append(json.dumps(without_origin(report)))
        self.assertEqual(*reports)

    def test_max_hits_is_told(self):
        for report in ("sites", "best"):
            there = 3 if report == "sites" else 1
            for most in (1, 2, 3, 4):
                cut = most < there
                done = self.run_here("-p", "GAATTC", "-k", "1", "--report", report, "--max-hits", most, "--json", "r.json", "r.fa",
                                     "--format", "bed")
                told = json.loads((self.folder / "r.json").read_text())
                self.assertEqual((done.returncode, done.stdout.count(b"\n")), (0, min(most, there)))
                self.assertEqual((told["hits"], told["truncated_by_max_hits"]), (min(most, there), cut), f"{report} {most}")
                self.assertEqual("(--max-hits)" in done.stderr.decode(), cut, done.stderr)


class Index(MatchCase):
    """FILE.fai gives the records beforehand; the output is the same with and without it."""
    RECORDS = [("chr1", "ACGTGAATTCACGTTTGACA" * 4), ("chr2", "GAATC"), ("chr3", "TTGAACAGAAATTC" * 5)]

    def write(self, name, records, width=30, data=None):
        """Writes a FASTA file and the index that samtools faidx makes, which leaves out records without bases."""
        text = fasta(records, width)
        self.file(name, text if data is None else data)
        lines, at = [], 0
        for record, letters in records:
            at += len(record) + 2
            if letters:
                lines.append(f"{record}\t{len(letters)}\t{at}\t{width}\t{width + 1}\n")
            at += len(letters) + (len(letters) + width - 1) // width
        return self.file(name + ".fai", "".join(lines))

    def call(self, *sources, **options):
        return self.output("-p", "GAATTC", "-p", "TTGACA", "-k", "1", *sources, **options)

    def without(self, name):
        return self.call(stdin=(self.folder / name).read_bytes())

    def test_same_bytes(self):
        index = self.write("r.fa", self.RECORDS)
        expected = self.without("r.fa")
        self.assertEqual(expected.count("@SQ"), 3)
        self.assertGreater(len(hits_of(expected).splitlines()), 10)
        for more in ([], ["-t", "3", "--batch-bases", "9"], ["-t", "1"]):
            self.assert_same_text(self.call("r.fa", *more), expected, more)
        index.unlink()
        for more in ([], ["-t", "3", "--batch-bases", "9"], ["-t", "1"]):
            self.assert_same_text(self.call("r.fa", *more), expected, more)
            self.assert_same_text(self.call(*more, stdin=(self.folder / "r.fa").read_bytes()), expected, more)

    def test_bam(self):
        index = self.write("r.fa", self.RECORDS)
        files = []
        for name in ("a.bam", "b.bam"):
            self.call("r.fa", "-o", name, "-t", "2")
            files.append((self.folder / name).read_bytes())
            if index.exists():
                index.unlink()
        self.assertEqual(gzip.decompress(files[0]), gzip.decompress(files[1]))
        self.assertEqual(*files)

    def test_best_and_limits_on_hits(self):
        for more in (["--report", "best"], ["--non-overlapping"], ["--report", "minima"], ["--report", "all"]):
            index = self.write("r.fa", self.RECORDS)
            indexed = self.call("r.fa", *more)
            index.unlink()
            self.assert_same_text(indexed, self.call("r.fa", *more), more)

    def test_compressed(self):
        text = fasta(self.RECORDS, 30).encode()
        self.write("r.fa.gz", self.RECORDS, data=bgzf(text, 100))
        self.assert_same_text(self.call("r.fa.gz"), self.call(stdin=text))

    def test_several_files(self):
        """All inputs have an index, or some of them."""
        first = self.write("a.fa", self.RECORDS[:2])
        second = self.write("b.fa", self.RECORDS[2:])
        expected = self.call(stdin=fasta(self.RECORDS).encode())
        self.assert_same_text(self.call("a.fa", "b.fa"), expected, "both")
        second.unlink()
        self.assert_same_text(self.call("a.fa", "b.fa"), expected, "the first")
        first.unlink()
        self.assert_same_text(self.call("a.fa", "b.fa"), expected, "none")

    def test_record_without_bases(self):
        """samtools faidx leaves the record out; the index is still right."""
        self.write("r.fa", self.RECORDS[:1] + [("none", "")] + self.RECORDS[1:])
        self.assert_same_text(self.call("r.fa"), self.without("r.fa"))

    def test_older_than_the_text(self):
        """Not used."""
        index = self.write("r.fa", self.RECORDS)
        index.write_text("other\t7\t7\t7\t8\n")
        os.utime(index, ns=(0, 0))
        self.assert_same_text(self.call("r.fa"), self.without("r.fa"))

    def test_only_sam_needs_it(self):
        index = self.write("r.fa", self.RECORDS)
        index.write_text("other\t7\t7\t7\t8\n")
        for what in (["--format", "bed"], ["--format", "tsv"], ["--count"]):
            self.output("-p", "GAATTC", "-k", "1", *what, "r.fa")

    STALE = [("name", lambda text: text.replace("chr2", "chrX")), ("length", lambda text: text.replace("\t5\t", "\t6\t")),
             ("missing", lambda text: "".join(text.splitlines(True)[:2])), ("more", lambda text: text + "chr4\t5\t400\t30\t31\n"),
             ("order", lambda text: "".join(reversed(text.splitlines(True)))), ("empty", lambda text: "")]

    def test_stale(self):
        for what, change in self.STALE:
            index = self.write("r.fa", self.RECORDS)
            index.write_text(change(index.read_text()))
            for output in ("h.sam", "h.bam"):
                self.refused(3, "-p", "GAATTC", "-k", "1", "r.fa", files=("-o", output, "--json", "r.json"),
                             says=["r.fa.fai", "index"])
            self.assertEqual(self.run_here("-p", "GAATTC", "-k", "1", "r.fa").returncode, 3, what)

    def test_stale_with_max_hits(self):
        """Hits never name the wrong record, however early the run stops."""
        for what, change in self.STALE:
            index = self.write("r.fa", self.RECORDS)
            index.write_text(change(index.read_text()))
            for most in (1, 5):
                done = self.run_here("-q", "-p", "GAATTC", "-k", "1", "--max-hits", most, "r.fa")
                names = [line.split("\t")[1:3] for line in done.stdout.decode().splitlines() if line.startswith("@SQ")]
                right = [[f"SN:{name}", f"LN:{len(letters)}"] for name, letters in self.RECORDS]
                self.assertTrue(done.returncode == 3 or names == right,
                                f"{what}, --max-hits {most}: exit {done.returncode}, @SQ {names}")

    def test_not_an_index(self):
        for text in ("chr1\t80\n", "chr1\tx\t6\t30\t31\n", "rubbish\n"):
            self.write("r.fa", self.RECORDS).write_text(text)
            self.refused(3, "-p", "GAATTC", "-k", "1", "r.fa", files=("-o", "h.sam"), says=["r.fa.fai", "line 1"])

    def test_max_hits_lists_every_record(self):
        """The header is the same for any stop, with and without an index, and for any batches."""
        records = [(f"r{i}", "GAATTC" + "AC" * 100_000) for i in range(40)]
        index = self.write("r.fa", records)
        words = ["-q", "-p", "GAATTC", "-k", "0", "--max-hits", "2"]
        expected = naive_match.sam_header(records, "basesweep match -k 0 --max-hits 2", version())
        for where in ("with an index", "without"):
            for how in (["-t", "1", "--batch-bases", "10000"], ["-t", "2"]):
                found = self.output(*words, *how, "r.fa")
                self.assert_same_text(found[:found.index("GAATTC\t")], expected, f"{where}, {how}")
            if index.exists():
                index.unlink()


class SameBytes(MatchCase):
    """No result depends on threads, batches, algorithm, instruction set or device."""

    @classmethod
    def setUpClass(cls):
        """A part of phage lambda with N, and patterns from it; at k = 4 there are many hits."""
        letters = naive.read_fasta(gzip.decompress(LAMBDA.read_bytes()).decode())[0][1][:20000]
        cls.records = [("a", letters[:9000] + "N" * 500 + letters[9000:12000]), ("b", ""), ("c", "ACGTRYN"),
                       ("d", letters[12000:])]
        cls.plain = [(f"p{i}", letters[1700 * i:1700 * i + 16 + 2 * i]) for i in range(11)]
        cls.codes = [("515F", "GTGYCAGCMGCCGCGGTAA"), ("806R", "GGACTACNVGGGTWTCTAAT"), ("n", "ACGTNNNNRYACGTAC")]

    def setUp(self):
        super().setUp()
        self.file("r.fa", fasta(self.records))
        self.file("plain.tsv", patterns_file(self.plain))
        self.file("codes.tsv", patterns_file(self.plain + self.codes))

    CALLS = [["-f", "codes.tsv", "-k", "4", "--report", "sites"], ["-f", "plain.tsv", "-k", "2", "--report", "all"],
             ["-f", "plain.tsv", "-e", "0.2", "--clamp-3prime", "3", "--report", "minima"],
             ["-f", "codes.tsv", "-k", "4", "--max-indels", "0", "--report", "best"],
             ["-f", "plain.tsv", "-k", "3", "--max-indels", "1", "--max-mismatches", "2", "--report", "sites"]]

    def test_algorithms_instruction_sets_devices(self):
        for call in self.CALLS:
            first = None
            for device in devices():
                for isa in isas():
                    for algorithm in self.taking(*call):
                        for batch in ([], ["--batch-bases", "1000"]):
                            how = ["--algorithm", algorithm, "--device", device, *batch]
                            found = self.output(*call, *how, "r.fa", env=environment(BASESWEEP_ISA=isa))
                            first = first or found
                            self.assert_same_text(found, first, f"{call} {how} {isa}")
            self.assertGreater(len(hits_of(first).splitlines()), 10)

    def test_threads_and_batches(self):
        for call in self.CALLS:
            first = self.output(*call, "r.fa", "-t", "1")
            counts = self.output(*call, "r.fa", "--count", "-t", "1")
            for device in devices():
                for threads, batch in ((2, []), (5, ["--batch-bases", "1000"]), (1, ["--batch-bases", "301"]), (3, [])):
                    how = ["-t", threads, "--device", device, *batch]
                    self.assert_same_text(self.output(*call, *how, "r.fa"), first, how)
                    self.assert_same_text(self.output(*call, *how, "--count", "r.fa"), counts, how)

    def test_compressed(self):
        for name in ("h.bam", "h.sam.gz", "h.tsv.gz"):
            files = []
            for threads in (1, 3):
                self.output(*self.CALLS[1], "r.fa", "-t", threads, "-o", name)
                files.append((self.folder / name).read_bytes())
            self.assertEqual(files[0], files[1], f"{name} differs between 1 and 3 threads")

    def test_table_memory(self):
        """A table that may not take enough memory gives way to a smaller one or another algorithm; the hits stay."""
        letters = random.Random(7)
        guides = "".join(f"g{n}\t{''.join(letters.choices('ACGT', k=20))}\n" for n in range(600))
        self.file("library.tsv", guides)
        self.file("r.fa", ">r\n" + "".join(letters.choices("ACGT", k=20000)) + guides.split()[1] + "\n")
        call = ("-f", "library.tsv", "-k", 5, "--max-indels", 0, "--format", "bed", "--device", "cpu", "r.fa")
        large = self.run_here(*call, "-v", "--algorithm", "neighbors")
        self.assertRegex(large.stderr.decode(), r"neighbors: a table of \d+ words of \d+ bases, \d+\.\d MB")
        self.assertIn(b"\tg0\t", large.stdout)
        for memory in ("1G", "100k", 1):
            self.assert_same_text(self.output(*call, "--table-memory", memory), large.stdout.decode(), memory)
        self.refused(1, *call, "--algorithm", "neighbors", "--table-memory", 1, says=["more than 1 bytes of memory"])

    def test_algorithms_that_decline(self):
        """hamming declines indels, pigeonhole seeds shorter than 6; all take every other pattern."""
        for edits, limits, declining in ((2, [], {"hamming"}), (2, ["--max-indels", "0"], set()),
                                         (5, [], {"hamming", "pigeonhole"})):
            call = ["-p", "ACGTTGCATTGACCAGTACCATGACAATGC", "-k", edits, *limits]
            for algorithm in algorithms():
                self.assertEqual(self.takes(algorithm, *call), algorithm not in declining, f"{algorithm} {call}")


if __name__ == "__main__":
    unittest.main()
