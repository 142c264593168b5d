"""`basesweep match`: bad input and bad options, signals and pipes: the exit code, a message, and nothing left behind."""
import gzip
import os
import signal
import subprocess
import time
import unittest

from match_support import MatchCase, algorithms
from support import ANSI, BAD, CORNER, LAMBDA, SECONDS, ProcessCase, environment

PRIMER = ["-p", "GAATTCACG"]


class Edits(MatchCase):
    def test_either_number_or_rate(self):
        for words in ([], ["-k", "1", "-e", "0.1"], ["--max-indels", "1"]):
            self.refused(2, *PRIMER, *words, LAMBDA, says=["-k", "-e"])

    def test_not_fewer_than_the_pattern_has_bases(self):
        """The message names the pattern; exit 2 for -p, 3 for a file."""
        self.file("p.tsv", "short\tACG\nlong\tGAATTCACG\n")
        for edits in (3, 4, 8, 1000):
            self.refused(3, "-f", "p.tsv", "-k", edits, LAMBDA, says=["p.tsv", "pattern 'short'", edits, "3"])
            self.refused(2, "-p", "GAATTC" * 200, "-p", "ACG", "-k", edits, LAMBDA, says=["pattern 'ACG'", edits])
            self.refused(2, "-f", "p.tsv", "-k", "2", "-p", "A", LAMBDA, says=["pattern 'A'", "2"])
        self.assertEqual(self.run_here("-f", "p.tsv", "-k", "2", CORNER / "one_base.fa").returncode, 0)

    def test_clamps_longer_than_the_pattern(self):
        self.file("p.tsv", "short\tACG\nlong\tGAATTCACG\n")
        for clamps in (["--clamp-3prime", "4"], ["--clamp-5prime", "4"], ["--clamp-5prime", "2", "--clamp-3prime", "2"],
                       ["--clamp-3prime", "1000000"]):
            self.refused(3, "-f", "p.tsv", "-k", "1", *clamps, LAMBDA, says=["p.tsv", "pattern 'short'", "clamp", "3"])
            self.refused(2, "-p", "ACG", "-k", "1", *clamps, LAMBDA, says=["pattern 'ACG'", "clamp"])
        for clamps in (["--clamp-3prime", "3"], ["--clamp-5prime", "1", "--clamp-3prime", "2"]):
            self.assertEqual(self.run_here("-f", "p.tsv", "-k", "1", *clamps, CORNER / "one_base.fa").returncode, 0)

    def test_values(self):
        for words, says in ((["-k", "-1"], ["--edits", "-1"]), (["-k", "x"], ["--edits", "'x'"]),
                            (["-k", "1.5"], ["--edits", "1.5"]),
                            (["-k", ""], ["--edits"]), (["-k", "99999999999999999999"], ["--edits", "too large"]),
                            (["-e", "-0.1"], ["--error-rate"]), (["-e", "1"], ["--error-rate", "less than 1"]),
                            (["-e", "1.5"], ["--error-rate"]), (["-e", "10"], ["--error-rate"]),
                            (["-e", "x"], ["--error-rate", "'x'"]),
                            (["-e", "0.1x"], ["--error-rate"]), (["-e", ""], ["--error-rate"]), (["-e", "nan"], ["--error-rate"]),
                            (["-e", "inf"], ["--error-rate"]), (["-e", "10 %"], ["--error-rate"]),
                            (["-k", "1", "--max-indels", "-1"], ["--max-indels"]),
                            (["-k", "1", "--max-dna-bulges", "-1"], ["--max-dna-bulges"]),
                            (["-k", "1", "--max-rna-bulges", "x"], ["--max-rna-bulges"]),
                            (["-k", "1", "--max-mismatches", "x"], ["--max-mismatches"]),
                            (["-k", "1", "--clamp-3prime", "-1"], ["--clamp-3prime"]),
                            (["-k", "1", "--clamp-5prime", "x"], ["--clamp-5prime"]),
                            (["-k", "1", "--report", "some"], ["--report", "'some'", "sites, minima, best, best-per-record, all"]),
                            (["-k", "1", "--format", "gff"], ["--format", "'gff'", "sam, bam, bed, tsv"]),
                            (["-k", "1", "--max-hits", "0"], ["--max-hits", "at least 1"]),
                            (["-k", "1", "--algorithm", "magic"], ["--algorithm", "'magic'"]),
                            (["-k", "1", "--algorithm", "planes"], ["--algorithm", "'planes'", ", ".join(algorithms())]),
                            (["-k", "1", "--device", "tpu"], ["--device tpu"]), (["-k", "1", "--unknown"], ["--unknown"])):
            self.refused(2, *PRIMER, *words, LAMBDA, says=says)

    def test_conflicts(self):
        self.refused(2, *PRIMER, "-k", "1", "--count", "--max-hits", "3", LAMBDA, says=["--count", "--max-hits", "conflict"])
        self.refused(2, *PRIMER, "-k", "1", "-q", "-v", LAMBDA, says=["--quiet", "--verbose", "conflict"])
        self.refused(2, *PRIMER, "-k", "1", "-", "-", says=["standard input", "more than once"])
        self.refused(2, *PRIMER, "-k", "1", LAMBDA, files=("-o", "h.sam", "--json", "./h.sam"), says=["same file"])
        self.refused(2, "-k", "1", LAMBDA, says=["no pattern given"])

    def test_algorithm_that_declines(self):
        """The message names the pattern and the reason."""
        self.refused(2, "--algorithm", "hamming", "-p", "GAATTCACG", "-k", "1", LAMBDA,
                     says=["hamming", "'GAATTCACG'", "indels", "--max-indels 0"])
        self.assertTrue(self.takes("hamming", "-p", "GAATTCACG", "-k", "1", "--max-indels", "0"))
        for algorithm in algorithms():
            self.takes(algorithm, "-p", "GANTTCACG", "-k", "3")

    def test_patterns_too_long(self):
        """At most 2,048 bases, with a named algorithm and with auto."""
        longest, count = "ACGTT" * 409 + "ACG", ["--count", "-k", "2"]
        for algorithm in algorithms():
            for length in (2049, 5000, 100_000):
                self.refused(2, "-p", (longest * 49)[:length], *count, "--algorithm", algorithm, LAMBDA, says=["pattern 'ACGTT"])
        self.assertEqual(self.run_here("-p", longest, *count, CORNER / "one_base.fa").returncode, 0)

    def test_pattern_files(self):
        for name, says in (("patterns_illegal.fa", "pattern 'illegal'"), ("patterns_empty.fa", "pattern 'hollow' has no sequence"),
                           ("patterns_duplicate.fa", "used twice"), ("patterns_none.fa", "no patterns")):
            self.refused(3, "-f", BAD / name, "-k", "1", LAMBDA, says=[name, says])


class Text(MatchCase):
    def test_bad_sequence(self):
        for name, code, says in ((BAD / "bad_byte.fa", 3, "record 'bad_digit'"),
                                 (BAD / "binary.bin", 3, "neither FASTA nor FASTQ"),
                                 (BAD / "truncated.fa.gz", 3, "truncated"), ("missing.fa", 4, "No such file or directory")):
            for form in ("sam", "bam", "tsv"):
                files = ("-o", f"out.{form}", "--json", "out.json")
                self.refused(code, *PRIMER, "-k", "1", name, files=files, says=[name, says])
                self.refused(code, *PRIMER, "-k", "1", CORNER / "lower.fa", name, files=files, says=[name, says])
                self.refused(code, *PRIMER, "-k", "1", "--report", "best", LAMBDA, name, files=files, says=[name, says])

    def test_sam_of_fastq(self):
        fastq = CORNER / "four_line.fastq"
        self.file("r.fq.gz", gzip.compress(fastq.read_bytes()))
        for name in (fastq, "r.fq.gz"):
            for files in (("-o", "h.sam"), ("-o", "h.bam"), ("-o", "h.tsv", "--format", "sam"), ("--format", "bam")):
                self.refused(2, *PRIMER, "-k", "1", name, files=files, says=["FASTQ", "header", "--format tsv"])
        self.refused(2, *PRIMER, "-k", "1", "--format", "sam", files=(), stdin=fastq.read_bytes(), says=["FASTQ", "--format tsv"])
        # FASTA comes first and decides the output format, in which the second file cannot be written.
        self.refused(2, *PRIMER, "-k", "1", CORNER / "lower.fa", fastq, files=("-o", "h.sam"), says=["four_line.fastq", "FASTQ"])
        self.refused(2, *PRIMER, "-k", "1", CORNER / "lower.fa", fastq, files=(), says=["four_line.fastq", "FASTQ"])

    def test_record_names_twice(self):
        """An error in SAM, because hits name the record; a warning in BED and TSV."""
        self.file("a.fa", ">same words\nGAATTCACG\n>other\nACGT\n")
        self.file("b.fa", ">one\nACGT\n>same\nGAATTCACG\n")
        self.file("c.fa", ">same\nGAATTCACG\n>same\nACGT\n")
        for sources in (["a.fa", "b.fa"], ["c.fa"], ["a.fa", "a.fa"]):
            for files in (("-o", "h.sam", "--json", "r.json"), ("-o", "h.bam")):
                self.refused(3, *PRIMER, "-q", "-k", "1", *sources, files=files, says=["record 'same'", "twice", "SAM"])
            for form in ("bed", "tsv"):
                done = self.run_here(*PRIMER, "-k", "1", *sources, "--format", form)
                self.assertEqual(done.returncode, 0)
                self.assertIn(b"same\t0\t9\tGAATTCACG", done.stdout)
                self.assertRegex(done.stderr.decode(), r"\Abasesweep: warning: .*record name 'same' was used before")
        self.refused(3, *PRIMER, "-q", "-k", "1", files=("-o", "h.sam"), stdin=(self.folder / "c.fa").read_bytes(),
                     says=["record 'same'"])

    def test_record_names_that_sam_cannot_hold(self):
        for name in ("a,b", "*a", "=", "a(b)", "a<b>", 'a"b', "a\\b", "", "a\x7f", "\xe4"):
            self.file("r.fa", f">{name}\nGAATTCACG\n".encode("latin-1"))
            for output in ("h.sam", "h.bam"):
                self.refused(3, "-q", *PRIMER, "-k", "1", "r.fa", files=("-o", output), says=["SAM", "name"])
            if name == "a\x7f":  # a control character: BED and TSV cannot hold it, CSV and JSON lines can
                for output in ("h.bed", "h.tsv", "h.fa"):
                    self.refused(3, "-q", *PRIMER, "-k", "1", "r.fa", files=("-o", output),
                                 says=["r.fa", "0x7f is in its name, which this format cannot hold: rename the record, or choose the format csv or jsonl"])
                for form in ("csv", "jsonl"):
                    self.assertIn("a\x7f", self.output("-q", *PRIMER, "-k", "1", "r.fa", "--format", form))
                continue
            if not name:  # no format can do without
                self.refused(3, "-q", *PRIMER, "-k", "1", "r.fa", says=["r.fa: a record with hits has no name"])
                continue
            self.assertEqual(self.run_here("-q", *PRIMER, "-k", "1", "--format", "bed", "r.fa").stdout,
                             name.encode("latin-1") + b"\t0\t9\tGAATTCACG\t1000\t+\n")
        for name in ("a*b", "a=b", "gi|9626243|ref|NC_001416.1|", "chr1:1-10", "A~!#$%&+./;?@^_-", "x" * 500):
            self.file("r.fa", f">{name}\nGAATTCACG\n")
            self.assertIn(f"\nGAATTCACG\t0\t{name}\t1\t255\t9M\t", self.output(*PRIMER, "-k", "1", "r.fa"))

    def test_pattern_names_that_sam_cannot_hold(self):
        for name, says in (("@at", "'@'"), ("\xe4", "0xc3"), ("*", "'*'"), ("x" * 255, "254")):
            self.file("p.tsv", f"first\tACGTACGT\n{name}\tGAATTCACG\n")
            for output in ("h.sam", "h.bam"):
                message = self.refused(2, "-f", "p.tsv", "-k", "1", LAMBDA, files=("-o", output), says=["SAM", "name", says])
                self.assertIn(name, message)
            done = self.run_here("-f", "p.tsv", "-k", "1", "--format", "tsv", CORNER / "one_base.fa")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.refused(2, "-p", "ACGT" * 64, "-k", "1", LAMBDA, files=("-o", "h.sam"), says=["256 letters", "254"])
        for name in ("?", "!-?A~", "123|Pla491F", "515F-Y", "574*F", "x" * 254):
            self.file("p.tsv", f"{name}\tGAATTCACG\n")
            self.file("r.fa", ">r\nGAATTCACG\n")
            self.assertIn(f"\n{name}\t0\tr\t1\t255\t9M\t", self.output("-f", "p.tsv", "-k", "1", "r.fa"))


class Output(MatchCase):
    def test_output_is_input(self):
        text = ">r\nGAATTCACG\n"
        self.file("r.fa", text)
        self.file("p.tsv", "p\tGAATTCACG\n")
        os.link(self.folder / "r.fa", self.folder / "again.bam")
        for files in (("-o", "r.fa"), ("-o", "./r.fa", "--format", "bam"), ("-o", "again.bam"), ("--json", "r.fa")):
            self.refused(2, *PRIMER, "-k", "1", "r.fa", files=files, says=["input and output"])
        self.refused(2, "-f", "p.tsv", "-k", "1", "r.fa", files=("-o", "p.tsv"), says=["input and output"])
        self.assertEqual((self.folder / "r.fa").read_text(), text)

    def test_full(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        says = ["cannot write", "No space left on device"]
        for form in ("sam", "bam", "tsv"):
            for source, stdin in ((LAMBDA, b""), ("-", LAMBDA.read_bytes())):
                for pattern in ("NNNN", "GAATTCACG"):
                    self.refused(4, "-p", pattern, "-k", "0", "--format", form, source, stdin=stdin, says=["/dev/full", *says],
                                 files=("-o", "/dev/full", "--json", "r.json"))

    def test_no_such_folder(self):
        for output in ("nowhere/h.sam", "nowhere/h.bam"):
            for stdin in (b"", b">r\nACGT\n"):
                source = [] if stdin else [LAMBDA]
                self.refused(4, *PRIMER, "-k", "1", *source, stdin=stdin, files=("-o", output),
                             says=["nowhere", "No such file or directory"])

    def test_no_temporary_folder(self):
        """Waiting hits go to TMPDIR, and to no other folder if that fails."""
        late = ("--report", "best", *PRIMER, "-k", "1", LAMBDA)
        self.refused(4, *late, files=(), says=["/nowhere", "temporary file"], env=environment(TMPDIR="/nowhere"))
        for env in (environment(TMPDIR="", TMP="/nowhere"), environment(TMPDIR=str(self.folder), TMP="/nowhere")):
            self.assertEqual(self.run_here(*late, env=env).returncode, 0)
        self.assertEqual(self.run_here("-o", "h.tsv", *late, env=environment(TMPDIR="/nowhere")).returncode, 0)

    def test_old_output_stays_when_input_is_bad(self):
        self.file("h.bam", "old\n")
        self.refused(3, *PRIMER, "-k", "1", BAD / "bad_byte.fa", files=("-o", "h.bam"))
        self.assertEqual((self.folder / "h.bam").read_text(), "old\n")


class Process(MatchCase, ProcessCase):
    """Closed pipes and signals: hits that wait for the header leave no file behind."""

    command = "match"

    def start(self, *arguments, **options):
        (self.folder / "tmp").mkdir(exist_ok=True)
        return super().start(*arguments, env=environment(TMPDIR=str(self.folder / "tmp")), **options)

    def test_closed_pipe(self):
        """Output that is written at once, spooled, or compressed."""
        for form in ("tsv", "sam", "bam"):
            for report in ("sites", "best"):
                process = self.start("-p", "NNNN", "-k", "1", "--format", form, "--report", report, LAMBDA, stdout=subprocess.PIPE)
                self.assertEqual(len(process.stdout.read(100)), 100)
                process.stdout.close()
                self.assertEqual(process.wait(SECONDS), -signal.SIGPIPE, f"{form} {report}")
                self.assertEqual(process.stderr.read(), b"")
                self.assertEqual(os.listdir(self.folder / "tmp"), [])

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for name in ("h.sam", "h.bam", "h.tsv", "-"):
                os.mkfifo(self.folder / "fifo")
                old = {"fifo", "tmp"} | ({name} if name != "-" else set())
                if name != "-":
                    self.file(name, "old")
                process = self.start("-p", "ACGTAC", "-k", "2", "--report", "all", "fifo", "-o", name, "--json", "r.json",
                                     stdout=subprocess.DEVNULL)
                fifo = self.open_for_writing(self.folder / "fifo")
                os.write(fifo, b">r\n" + b"ACGT" * 5000)
                self.wait_for(lambda before=old: set(self.listing()) - before or None, "temporary files")
                self.assertIsNone(process.poll())
                process.send_signal(number)
                self.assertEqual(process.wait(SECONDS), -number, name)
                os.close(fifo)
                self.assertEqual(process.stderr.read(), b"")
                self.assertEqual(set(self.listing()), old, name)
                self.assertEqual(os.listdir(self.folder / "tmp"), [])
                if name != "-":
                    self.assertEqual((self.folder / name).read_text(), "old")
                    os.unlink(self.folder / name)
                os.unlink(self.folder / "fifo")

    def test_kill_leaves_no_spool(self):
        """Even after SIGKILL, because the spool has no name. (The temporary file of the output stays.)"""
        os.mkfifo(self.folder / "fifo")
        process = self.start("-p", "ACGTAC", "-k", "2", "--report", "all", "fifo", stdout=subprocess.DEVNULL)
        fifo = self.open_for_writing(self.folder / "fifo")
        os.write(fifo, b">r\n" + b"ACGT" * 5000)
        time.sleep(0.2)
        process.kill()
        process.wait(SECONDS)
        os.close(fifo)
        self.assertEqual((os.listdir(self.folder / "tmp"), self.listing()), ([], ["fifo", "tmp"]))

    def test_output_to_a_fifo(self):
        os.mkfifo(self.folder / "hits")
        process = self.start("-p", "A", "-k", "0", CORNER / "one_base.fa", "-o", "hits", "--no-PG", stdout=subprocess.DEVNULL)
        with open(self.folder / "hits", "rb") as hits:
            self.assertEqual(hits.read(), b"@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:one\tLN:1\n"
                                          b"A\t0\tone\t1\t255\t1M\t*\t0\t0\tA\t*\tNM:i:0\tMD:Z:1\tXE:i:0\n")
        self.assertEqual(process.wait(SECONDS), 0)
        self.assertEqual(self.listing(), ["hits", "tmp"])

    def test_help(self):
        done = self.run_here("--help")
        self.assertEqual((done.returncode, done.stderr, ANSI.search(done.stdout)), (0, b"", None))
        for option in ("-k,", "-e,", "--max-mismatches", "--max-indels", "--clamp-3prime", "--clamp-5prime", "--report", "--eqx",
                       "--no-PG", "-p,", "-f,", "--strand", "--palindromes", "--soft-masked", "--non-overlapping", "--max-hits",
                       "--count", "--format", "-o,", "--json", "-t,", "--device", "--algorithm", "--progress", "-q,", "-v,",
                       "Examples:", "Exit codes:"):
            self.assertIn(option, done.stdout.decode())

    def test_progress(self):
        """Only on request, and on stderr."""
        quiet = self.run_here(*PRIMER, "-k", "1", LAMBDA)
        shown = self.run_here(*PRIMER, "-k", "1", "--progress", LAMBDA)
        self.assertEqual((quiet.returncode, quiet.stderr, shown.returncode), (0, b"", 0))
        self.assertEqual(quiet.stdout, shown.stdout)
        self.assertRegex(shown.stderr.decode(), r"\Abasesweep: .*48\.5 kb.* hits.*\n\Z")
        self.assertIsNone(ANSI.search(shown.stderr))


if __name__ == "__main__":
    unittest.main()
