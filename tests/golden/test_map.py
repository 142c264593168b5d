"""`basesweep map`: where reads are placed, the output, and the same bytes for any threads, batches, algorithm and device."""
import gzip
import re
import resource
import time
import unittest

import naive
import naive_map
import naive_match
import sam_tools
from map_support import (
    ALGORITHMS,
    CANDIDATES,
    MapCase,
    alignments_of,
    changed,
    fasta_reads,
    fastq,
    made_reads,
    made_records,
    options_of,
    random_bases,
    reported,
    seeded,
)
from match_support import fasta, version
from naive_map import Options, Read
from support import CORNER, LAMBDA, SANITIZED, bgzf, devices, environment, isas, without_origin

REPORTS = ("best", "sites", "all")


class Known(MapCase):
    """Hand-made cases."""
    RECORDS = ">r some words\nTTTTACGTTGCATGCCTTTT\n>s\nGGCATGCAACGT\n"
    HEADER = "@HD\tVN:1.6\tSO:unsorted\tGO:query\n@SQ\tSN:r\tLN:20\n@SQ\tSN:s\tLN:12\n"

    def setUp(self):
        super().setUp()
        self.file("r.fa", self.RECORDS)

    def expect(self, reads, expected, *words):
        self.assert_same_text(self.output("-q", "--no-PG", "-r", "r.fa", *words, stdin=reads.encode()), self.HEADER + expected)

    def test_both_strands_in_the_order_of_the_reference(self):
        self.expect("@p/1 words\nACGTTGCATGCC\n+\nABCDEFGHIJKL\n",
                    "p/1\t0\tr\t5\t0\t12M\t*\t0\t0\tACGTTGCATGCC\tABCDEFGHIJKL\tNM:i:0\tMD:Z:12\tAS:i:0\tNH:i:2\tXE:i:0\n"
                    "p/1\t272\ts\t1\t0\t12M\t*\t0\t0\tGGCATGCAACGT\tLKJIHGFEDCBA\tNM:i:0\tMD:Z:12\tAS:i:0\tNH:i:2\tXE:i:0\n",
                    "-k", "1")

    def test_edits(self):
        """A substituted, a deleted and an inserted base, aligned leftmost; N in a read; no hit beyond -k."""
        self.expect(">x\nTTTTACGATGCATGCCTT\n>d\nTTTTACGTGCATGCCTT\n>i\nTTTTACGTTTGCATGCCTT\n>n\nTTTTACNTTGCATGCCTT\n"
                    ">2\nTTTAACGATGCATGCCTT\n",
                    "x\t0\tr\t1\t60\t7=1X10=\t*\t0\t0\tTTTTACGATGCATGCCTT\t*\tNM:i:1\tMD:Z:7T10\tAS:i:-1\tNH:i:1\tXE:i:1\n"
                    "d\t0\tr\t1\t60\t7=1D10=\t*\t0\t0\tTTTTACGTGCATGCCTT\t*\tNM:i:1\tMD:Z:7^T10\tAS:i:-1\tNH:i:1\tXE:i:1\n"
                    "i\t0\tr\t1\t60\t7=1I11=\t*\t0\t0\tTTTTACGTTTGCATGCCTT\t*\tNM:i:1\tMD:Z:18\tAS:i:-1\tNH:i:1\tXE:i:1\n"
                    "n\t0\tr\t1\t60\t6=1X11=\t*\t0\t0\tTTTTACNTTGCATGCCTT\t*\tNM:i:1\tMD:Z:6G11\tAS:i:-1\tNH:i:1\tXE:i:1\n"
                    "2\t4\t*\t0\t0\t*\t*\t0\t0\tTTTAACGATGCATGCCTT\t*\n",
                    "-k", "1", "--eqx")

    def test_not_across_the_end_of_a_record(self):
        self.expect(">a\nCCTTTTGGCATG\n", "a\t4\t*\t0\t0\t*\t*\t0\t0\tCCTTTTGGCATG\t*\n", "-k", "3")
        self.expect(">a\nCCTTTTGGCATG\n", "", "-k", "3", "--hits-only")

    def test_mapq(self):
        """MAPQ is 20 per edit by which the second best site is worse, at most 60; 0 if several sites are best."""
        core = "ACGGTCATTGCAGTACCTGA"
        for gap, edits, mapq in ((0, 4, 0), (1, 4, 20), (2, 4, 40), (3, 4, 60), (4, 4, 60), (2, 1, 60), (2, 2, 40), (1, 1, 20)):
            self.file("two.fa", f">one\n{core}\n>two\n{'G' * 30}{'T' * gap}{core[gap:]}{'G' * 30}\n")
            for report in REPORTS:
                rows = alignments_of(self.output("-r", "two.fa", "-k", edits, "--report", report, "--strand", "plus",
                                                 stdin=f">q\n{core}\n".encode()))
                about = f"gap {gap}, -k {edits}, {report}"
                self.assertEqual((rows[0][1:5]), ["0", "one", "1", str(mapq)], about)
                self.assertLessEqual({(row[1], row[4]) for row in rows[1:]}, {("256", "0")}, about)

    def test_mapq_of_all(self):
        """With --report all other intervals at the best site have as few edits, and one is the primary; MAPQ is that of the site."""
        self.file("r.fa", ">r\nTTTTTTACGGTCATTGCAGTACCTGATTTTTTTT\n")
        read = b">q\nACGGTCATTGCAGTACCTGC\n"
        best, sites, every = (alignments_of(self.output("-r", "r.fa", "-k", "1", "--report", report, stdin=read)) for report in REPORTS)
        self.assertEqual(best, sites)
        self.assertEqual(sites[0][3:6] + sites[0][-2:], ["7", "60", "20M", "NH:i:1", "XE:i:1"])
        self.assertEqual([row[3:6] + row[-2:] for row in every],
                         [["7", "60", "19M1I", "NH:i:2", "XE:i:1"], ["7", "0", "20M", "NH:i:2", "XE:i:1"]])
        for number in range(3):
            rng, _ = seeded(number)
            records = made_records(rng)
            reads = made_reads(records, rng)
            self.file("r.fa", fasta(records, 23))
            self.file("reads.fq", fastq(reads))
            primaries = [[(row[0], row[4]) for row in alignments_of(self.output("-q", "-r", "r.fa", "-k", "3", "--report", report, "reads.fq"))
                          if not int(row[1]) & 256] for report in REPORTS]
            self.assertEqual(primaries[0], primaries[1])
            self.assertEqual(primaries[1], primaries[2])
            self.assertGreater(len({mapq for _, mapq in primaries[0]}), 1)


class Naive(MapCase):
    """Against naive_map.py."""

    def made(self, number, **options):
        rng, about = seeded(number)
        records = made_records(rng)
        reads = made_reads(records, rng, **options)
        self.file("r.fa", fasta(records, 23))
        self.file("reads.fq", fastq(reads))
        return records, reads, about

    def expect(self, records, reads, options, source=("reads.fq",), more=(), about="", **given):
        call = ["-q", "--no-PG", "-r", "r.fa", *options_of(options), *more, *source]
        expected = naive_map.sam(records, [(read,) for read in reads], options)
        self.assert_same_text(self.output(*call, **given), expected, f"{about}: {call}")
        return expected

    def test_reports_and_edits(self):
        for number in range(3):
            records, reads, about = self.made(number)
            for options in (Options(k=2), Options(k=0), Options(rate="0.15")):
                for report in REPORTS:
                    sam = self.expect(records, reads, options._replace(report=report), about=about)
                    self.assertGreater(sum(row[1] != "4" for row in alignments_of(sam)), 10, about)

    def test_more_edits_than_pieces_filter(self):
        records, reads, about = self.made(3, count=6)
        for report in ("best", "sites"):
            self.expect(records, reads, Options(k=5, report=report), about=about)

    def test_strands(self):
        """A palindrome is placed on + only, unless --strand minus is given."""
        records, reads, about = self.made(4)
        for strand in ("plus", "minus", "both"):
            self.expect(records, reads, Options(k=2, strand=strand, report="sites"), about=about)

    def test_secondary_alignments_hits_only_eqx_read_group(self):
        records, reads, about = self.made(5)
        for options in (Options(k=2, report="all", most_secondary=0), Options(k=2, report="sites", most_secondary=3, eqx=True),
                        Options(k=1, hits_only=True, report="sites"), Options(k=1, most_secondary=1, read_group="g:1"),
                        Options(k=2, hits_only=True, eqx=True, most_secondary=1000)):
            self.expect(records, reads, options, about=about)

    def test_however_the_work_is_done(self):
        records, reads, about = self.made(6)
        for options in (Options(k=2, report="sites"), Options(k=3)):
            for device in devices():
                for algorithm in ALGORITHMS:
                    for candidates in CANDIDATES:
                        for batch in ("1", "300"):
                            more = ["--algorithm", algorithm, "--candidates", candidates, "--device", device,
                                    "--batch-bytes", batch, "-t", "2"]
                            self.expect(records, reads, options, more=more, about=about)

    def test_inputs(self):
        """FASTQ and FASTA, gzip, BGZF, stdin, several lines per record, CRLF, no newline at the end, several files."""
        records, reads, about = self.made(7)
        bare = [read._replace(quality="") for read in reads]
        options = Options(k=1)
        texts = {"q": fastq(reads).encode(), "a": fasta_reads(bare).encode(),
                 "crlf": fasta_reads(bare).replace("\n", "\r\n").encode(), "open": fasta_reads(bare + reads[:1]).encode()[:-1],
                 "wide": fasta([(read.name, read.letters) for read in bare], 7).encode()}
        for name, text in texts.items():
            expected = {"q": reads, "open": bare + [bare[0]]}.get(name, bare)
            for how, data in (("", text), (".gz", gzip.compress(text)), (".bgz", bgzf(text, 200))):
                source = self.file(f"{name}{how}", data).name
                self.expect(records, expected, options, (source,), about=about)
            self.expect(records, expected, options, (), stdin=text, about=about)
            self.expect(records, expected, options, ("-",), stdin=gzip.compress(text), about=about)
        self.file("first.fa.gz", gzip.compress(fasta_reads(bare[:9]).encode()))
        self.file("last.fq", bgzf(fastq(reads[20:]).encode(), 100))
        for batch in ("1", "1000000"):
            self.expect(records, bare[:9] + reads[9:20] + reads[20:], options, ("first.fa.gz", "-", "last.fq"),
                        ["--batch-bytes", batch, "-t", "3"], stdin=fastq(reads[9:20]).encode(), about=about)

    def test_references(self):
        """Plain, gzip, BGZF, stdin, CRLF, one line a record."""
        records, reads, about = self.made(8)
        text = fasta(records, 23).encode()
        for name, data in (("r.fa", text.replace(b"\n", b"\r\n")), ("r.fa", gzip.compress(text)), ("r.fa", bgzf(text, 77)),
                           ("r.fa", fasta(records, 10_000).encode())):
            self.file(name, data)
            self.expect(records, reads, Options(k=1), about=about)
        expected = naive_map.sam(records, [(read,) for read in reads], Options(k=1))
        found = self.output("-q", "--no-PG", "-k", "1", "-r", "-", "reads.fq", stdin=text)
        self.assert_same_text(found, expected, "reference on stdin")

    def test_reference_of_n(self):
        """A record without A, C, G and T is in the header, but no read is placed on it."""
        reads = [Read("a", "ACGTACGTAC", ""), Read("n", "NNNNNNNN", "")]
        self.file("reads.fq", fasta_reads(reads))
        for records in ([("n", "N" * 50)], [("n", "N" * 50), ("b", "TTACGTACGTACTT"), ("m", "NNRYN")]):
            self.file("r.fa", fasta(records))
            self.expect(records, reads, Options(k=2, report="sites"))

    def test_corner_references(self):
        reads = [Read("EcoRI", "GAATTC", "IIIIII"), Read("x", "ACGTGAATTCACG", ""), Read("T", "TT", "")]
        self.file("reads.fa", fasta_reads(reads))
        bare = [read._replace(quality="") for read in reads]
        for name in ("crlf.fa", "empty_records.fa", "iupac_text.fa", "lower.fa", "n_runs.fa", "no_final_newline.fa", "one_base.fa"):
            records = naive.read_fasta((CORNER / name).read_text(encoding="ascii"))
            self.file("r.fa", (CORNER / name).read_bytes())
            for report in REPORTS:
                self.expect(records, bare, Options(k=1, report=report), ("reads.fa",), about=name)

    def test_long_runs_of_n_in_the_reference(self):
        """They are not kept in memory; positions beside them stay right."""
        rng, about = seeded("n")
        parts = [random_bases(rng, 40) for _ in range(3)]
        records = [("r", parts[0] + "N" * 5000 + parts[1] + "n" * 70 + parts[2]), ("s", "N" * 3000 + parts[1])]
        reads = [Read(f"read_{i}", changed(part[a:a + 20], e, rng), "")
                 for i, (part, a, e) in enumerate((part, a, e) for part in parts for a in (0, 10, 20) for e in (0, 2))]
        self.file("r.fa", fasta(records))
        self.file("reads.fq", fasta_reads(reads))
        for report in ("best", "sites"):
            self.expect(records, reads, Options(k=2, report=report), about=about)


class Edits(MapCase):
    """-k and -e."""

    def test_rate_is_rounded_down_per_read(self):
        """The rate is a decimal number: 0.29 of 100 is 29, although the nearest double is less."""
        rng, about = seeded("rate")
        for rate, length, edits in (("0.1", 9, 0), ("0.1", 10, 1), ("0.1", 19, 1), ("0.1", 30, 3), ("0.29", 100, 29),
                                    ("0.58", 50, 29), ("0.07", 100, 7), ("0", 30, 0), ("0.0", 12, 0), ("0.15", 20, 3)):
            read = random_bases(rng, length, "AC")
            self.file("r.fa", f">enough\n{'T' * edits}{read[edits:]}\n>more\n{'T' * (edits + 1)}{read[edits + 1:]}\n")
            source = f">q\n{read}\n".encode()
            rows = alignments_of(self.output("-e", rate, "--strand", "plus", "-r", "r.fa", stdin=source))
            self.assertEqual({(row[2], row[-1]) for row in rows}, {("enough", f"XE:i:{edits}")}, f"{rate} of {length}, {about}")
            by_rate, by_number = (self.output("-q", "--no-PG", *words, "--report", "sites", "-r", "r.fa", stdin=source)
                                  for words in (["-e", rate], ["-k", edits]))
            self.assert_same_text(by_rate, by_number, f"{rate} of {length}, {about}")


class Told(MapCase):
    """Warnings, the report of --json, @PG."""

    def setUp(self):
        super().setUp()
        self.file("r.fa", fasta([("r", "ACGTTGCAAGGCTTACGA" * 3), ("s", "TTGACCATGGCA")]))

    def test_reads_that_are_not_searched_for(self):
        """Written unmapped; one warning for each kind, with the number of reads; their names with -v."""
        reads = [Read("long_1", "ACGT" * 512 + "A", ""), Read("long_2", "ACGT" * 1000, ""), Read("longest", "ACGT" * 512, ""),
                 Read("short_1", "ACG", ""), Read("short_2", "A", ""), Read("none", "", ""), Read("unknown", "NNNNRN", ""),
                 Read("ordinary", "TTGACCATGG", "")]
        self.file("reads.fa", fasta_reads(reads))
        records = [("r", "ACGTTGCAAGGCTTACGA" * 3), ("s", "TTGACCATGGCA")]
        done = self.run_here("--no-PG", "-k", "3", "-r", "r.fa", "reads.fa")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_same_text(done.stdout.decode(), naive_map.sam(records, [(r,) for r in reads], Options(k=3)))
        warnings = self.warned(done.stderr)
        self.assertEqual(len(warnings), 3, warnings)
        for count, words in (("2", "2,?048"), ("3", "edits"), ("1", "A, C, G")):
            about = [line for line in warnings if re.search(words, line)]
            self.assertEqual(len(about), 1, f"{words}: {warnings}")
            self.assertRegex(about[0], rf"(?<![\d,]){count}(?![\d,])")
        self.assertEqual(self.run_here("-q", "-k", "3", "-r", "r.fa", "reads.fa").stderr, b"")
        spoken = self.run_here("-v", "-k", "3", "-r", "r.fa", "reads.fa").stderr.decode()
        for name in ("long_1", "long_2", "short_1", "short_2", "none", "unknown"):
            self.assertIn(name, spoken)
        self.assertNotIn("ordinary", spoken)
        report = self.report("-q", "-k", "3", "-r", "r.fa", "reads.fa")
        for what, count in (("reads", 8), ("mapped", 1), ("unmapped", 7), ("too_long", 2), ("too_short", 3), ("no_bases", 1)):
            self.assertEqual(reported(report, what), count, what)

    def test_none_is_told_where_there_is_none(self):
        done = self.run_here("-k", "1", "-r", "r.fa", stdin=b">q\nTTGACCATGG\n")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        report = self.report("-k", "1", "-r", "r.fa", stdin=b">q\nTTGACCATGG\n>p\nGGGGGGGGGG\n")
        for what, count in (("reads", 2), ("mapped", 1), ("unmapped", 1), ("too_long", 0), ("too_short", 0), ("no_bases", 0),
                            ("left_out", 0)):
            self.assertEqual(reported(report, what), count, what)
        self.assertEqual((report["schema"], report["version"], report["command"]), ("basesweep-report/1", version(), "map"))

    def test_secondary_alignments_left_out(self):
        """NH counts the alignments that -N leaves out too."""
        read = b">q\nACGTTGCAAGG\n>p\nTTGACCATGG\n"
        for most, left_out in ((0, 2), (1, 1), (2, 0), (9, 0)):
            done = self.run_here("-k", "1", "-N", most, "-r", "r.fa", stdin=read)
            rows = [row for row in alignments_of(done.stdout.decode()) if row[0] == "q"]
            self.assertEqual([row[1] for row in rows], ["0", "256", "256"][:most + 1])
            self.assertTrue(all("NH:i:3" in row for row in rows), rows)
            warnings = self.warned(done.stderr)
            self.assertEqual(len(warnings), 1 if left_out else 0, warnings)
            if left_out:
                alignments = "1 secondary alignment" if left_out == 1 else f"{left_out} secondary alignments"
                self.assertIn(f"{alignments} of 1 read not printed (-N {most})", warnings[0])
            self.assertEqual(reported(self.report("-q", "-k", "1", "-N", most, "-r", "r.fa", stdin=read), "left_out"), left_out)

    def test_program_line(self):
        """@PG holds the options that affect the result, in one order, and nothing else."""
        read = b">q\nACGTTGCAAGG\n"
        self.assertNotIn("@PG", self.output("-k", "1", "-r", "r.fa", "--no-PG", stdin=read))
        plain = self.output("-k", "1", "-r", "r.fa", stdin=read)
        program = f"@PG\tID:basesweep\tPN:basesweep\tVN:{version()}\tCL:basesweep map -k 1"
        self.assertEqual([line for line in plain.splitlines() if line.startswith("@PG")], [program])
        for same in (["-t", "3"], ["--device", devices()[-1]], ["--batch-bytes", "3"], ["--algorithm", "hmm"],
                     ["--candidates", "sweep"], ["-q"], ["--json", "r.json"], ["--report", "best"], ["--strand", "both"], ["-"]):
            self.assert_same_text(self.output("-k", "1", *same, "-r", "r.fa", stdin=read), plain, same)
        words = ["-e", "0.1", "--report", "all", "--eqx", "--strand", "plus", "-N", "5", "--hits-only"]
        lines = set()
        for spoken in (words, words[4:] + words[:4]):
            found = self.output(*spoken, "-r", "r.fa", stdin=read)
            lines.add(next(line for line in found.splitlines() if line.startswith("@PG")))
        self.assertEqual(len(lines), 1)
        for part in ("-e 0.1", "--report all", "--eqx", "--strand plus", "-N 5", "--hits-only"):
            self.assertIn(part, next(iter(lines)))
        self.assertNotIn("r.fa", next(iter(lines)))

    def test_report_is_stable(self):
        self.file("reads.fa", ">q\nACGTTGCAAGG\n>p\nTTGACCATGG\n>n\nNNNN\n")
        reports = []
        for how in (["-t", "1", "--device", "cpu"], ["-t", "4", "--batch-bytes", "2", "--algorithm", "myers", "--device", "cpu"]):
            report = self.report("-q", "-k", "1", "-r", "r.fa", "reads.fa", *how)
            self.assertTrue(report["machine"] and report["timings"])
            reports.append(without_origin(report))
        self.assertEqual(*reports)

    def test_progress(self):
        """Only on request, and on stderr."""
        shown = self.run_here("-k", "1", "-r", "r.fa", "--progress", stdin=b">q\nACGTTGCAAGG\n")
        self.assertEqual(shown.returncode, 0)
        self.assertEqual(shown.stdout.decode(), self.output("-k", "1", "-r", "r.fa", stdin=b">q\nACGTTGCAAGG\n"))
        self.assertRegex(shown.stderr.decode(), r"\A(basesweep: .*\n)+\Z")


def limit_addresses():
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


class Repeats(MapCase):
    """Reads that align everywhere: the result must fit into memory and not take forever."""

    def test_time_and_memory(self):
        self.file("r.fa", ">a\n" + "A" * 100000 + "\n>b\n" + "CAG" * 20000 + "\n")
        reads = [Read(f"a_{i}", "A" * 150, "") for i in range(25)] + [Read(f"b_{i}", "CAG" * 50, "") for i in range(10)]
        self.file("reads.fa", fasta_reads(reads))
        for call in (["-k", "4"], ["-k", "2", "--report", "sites"], ["-k", "1", "--report", "all"]):
            begin = time.monotonic()
            done = self.run_here("-r", "r.fa", "reads.fa", *call, "-N", "1", "-t", "2",
                                 preexec_fn=limit_addresses)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(time.monotonic() - begin, 60, call)
            rows = alignments_of(done.stdout.decode())
            self.assertEqual(len(rows), 2 * len(reads), call)
            self.assertIn(b"-N 1", done.stderr)
            found = {row[0]: int(re.search(r"NH:i:(\d+)", "\t".join(row)).group(1)) for row in rows}
            if call == ["-k", "4"]:
                self.assertEqual(found["a_0"], 100000 - 150 + 1)
                self.assertEqual(found["b_0"], 20000 - 50 + 1)

    def test_largest_number_of_secondary_alignments(self):
        self.file("r.fa", ">a\n" + "A" * 60 + "\n")
        self.file("reads.fa", fasta_reads([Read("a", "A" * 50, "")]))
        self.assertEqual(len(alignments_of(self.output("-k", "0", "-r", "r.fa", "reads.fa", "-N", 2**64 - 1))), 11)


class SameBytes(MapCase):
    """No result depends on threads, batches, algorithm, candidates, instruction set or device."""

    @classmethod
    def setUpClass(cls):
        """A part of phage lambda with a repeat and N; reads of 20 to 300 bases with up to 6 edits, and longer ones."""
        rng, cls.about = seeded("same bytes")
        letters = naive.read_fasta(gzip.decompress(LAMBDA.read_bytes()).decode())[0][1][:16000]
        cls.records = [("a", letters[:7000] + "N" * 300 + letters[7000:9000]), ("b", ""), ("c", "ACGTRYN"), ("d", letters[6000:])]
        cls.reads, cls.starts = [], []
        for i in range(150):
            length = rng.choice([20, 36, 75, 150, 151, 300, 64, 65]) if i % 25 else 1500
            start = rng.randrange(len(letters) - length)
            cls.starts.append(start)
            copy = changed(letters[start:start + length], rng.randint(0, 6), rng, "ACGTN" if i % 10 == 0 else "ACGT")
            copy = copy if rng.random() < 0.5 else naive_match.reverse_complement(copy)
            cls.reads.append(Read(f"read_{i}", copy, "".join(chr(rng.randint(33, 126)) for _ in copy)))

    def setUp(self):
        super().setUp()
        self.file("r.fa", fasta(self.records))
        self.file("reads.fq", fastq(self.reads))

    CALLS = [["-k", "6"], ["-e", "0.05", "--report", "sites"], ["-k", "2", "--report", "all", "-N", "20"]]

    def test_algorithms_candidates_instruction_sets_devices(self):
        for call in self.CALLS:
            first = None
            for device in devices():
                for isa in isas() if device == "cpu" else isas()[-1:]:
                    for algorithm in ALGORITHMS:
                        for candidates in CANDIDATES:
                            how = ["--algorithm", algorithm, "--candidates", candidates, "--device", device]
                            found = self.output("-q", *call, *how, "-r", "r.fa", "reads.fq", env=environment(BASESWEEP_ISA=isa))
                            first = first or found
                            self.assert_same_text(found, first, f"{call} {how} {isa}, {self.about}")
            self.assertGreater(sum(row[1] in ("0", "16") for row in alignments_of(first)), 50, self.about)

    def test_threads_and_batches(self):
        for call in self.CALLS:
            first = self.output("-q", *call, "-r", "r.fa", "reads.fq", "-t", "1")
            for device in devices():
                for threads, batch in ((2, []), (5, ["--batch-bytes", "1000"]), (3, ["--batch-bytes", "1"]),
                                       (1, ["--batch-bytes", "30000"]), (2, ["--batch-bytes", "100000000"])):
                    how = ["-t", threads, "--device", device, *batch]
                    self.assert_same_text(self.output("-q", *call, *how, "-r", "r.fa", "reads.fq"), first, f"{how}, {self.about}")

    def test_compressed(self):
        for name in ("h.bam", "h.sam.gz", "h.cram"):
            files = []
            for threads in (1, 3):
                self.output("-q", "--no-PG", *self.CALLS[1], "-r", "r.fa", "reads.fq", "-t", threads, "-o", name)
                path = self.folder / name
                # HTSlib chooses the codecs of CRAM by the time that its threads take.
                cram = name.endswith(".cram")
                files.append(sam_tools.sam_lines(path, self.folder / "r.fa") if cram else path.read_bytes())
            self.assertEqual(files[0], files[1], f"{name} differs between 1 and 3 threads")

    def test_against_the_oracle(self):
        """The oracle takes only short reads, from a part of the reference."""
        reads = [read for read, start in zip(self.reads, self.starts) if len(read.letters) < 80 and start < 2900][:10]
        self.file("short.fq", fastq(reads))
        records = [("a", self.records[0][1][:3000]), ("c", self.records[2][1])]
        self.file("r.fa", fasta(records))
        options = Options(k=4, report="sites")
        found = self.output("-q", "--no-PG", *options_of(options), "-r", "r.fa", "short.fq")
        self.assert_same_text(found, naive_map.sam(records, [(read,) for read in reads], options), self.about)

    def test_fewest_edits(self):
        """Compares with another method on the whole reference; reads with more than -k edits are not placed."""
        for edits in (6, 2):
            rows = alignments_of(self.output("-q", "-k", edits, "-r", "r.fa", "reads.fq"))
            rows = [row for row in rows if not int(row[1]) & 256]
            self.assertEqual([row[0] for row in rows], [read.name for read in self.reads])
            for row, read in list(zip(rows, self.reads))[::3]:
                least = min(naive_map.least_edits(text, letters) for _, text in self.records
                            for letters in (read.letters, naive_match.reverse_complement(read.letters)))
                found = next((int(field[5:]) for field in row[11:] if field.startswith("XE:i:")), None)
                self.assertEqual(found, least if least <= edits else None, f"{read.name}, {self.about}")


if __name__ == "__main__":
    unittest.main()
