"""`basesweep map`: bad input and bad options, signals and pipes: the exit code, a message, and nothing left behind."""
import gzip
import os
import random
import signal
import subprocess
import unittest

import naive
import naive_map
from map_support import MapCase, fasta_reads, fastq, random_bases, run_map
from match_support import fasta
from naive_map import Options, Read
from support import ANSI, BAD, CORNER, LAMBDA, SECONDS, ProcessCase, bgzf, default_signals, devices, environment

READ = b">q\nACGTTGCAAGG\n"
MANY = 400


def many_reads():
    rng = random.Random(1)
    return [Read(f"read_{i}", random_bases(rng, 60), "I" * 60) for i in range(MANY)]


class ReferenceCase(MapCase):
    def setUp(self):
        super().setUp()
        self.file("r.fa", ">r\nTTACGTTGCAAGGCTTACGATT\n>s\nTTGACCATGGCA\n")
        self.file("reads.fa", READ)


class Usage(ReferenceCase):
    def test_either_number_or_rate(self):
        for words in ([], ["-k", "1", "-e", "0.1"]):
            self.refused(2, *words, "-r", "r.fa", "reads.fa", says=["-k", "-e"])

    def test_values(self):
        for words, says in ((["-k", "-1"], ["--edits", "-1"]), (["-k", "x"], ["--edits", "'x'"]), (["-k", "1.5"], ["--edits", "1.5"]),
                            (["-k", ""], ["--edits"]), (["-k", "99999999999999999999"], ["--edits", "too large"]),
                            (["-k", "1 2"], ["--edits"]), (["-e", "-0.1"], ["--error-rate"]), (["-e", "1"], ["--error-rate"]),
                            (["-e", "x"], ["--error-rate", "'x'"]), (["-e", "0.1x"], ["--error-rate"]), (["-e", ""], ["--error-rate"]),
                            (["-e", "nan"], ["--error-rate"]), (["-e", "10 %"], ["--error-rate"]),
                            (["-k", "1", "-N", "-1"], ["-1"]), (["-k", "1", "-N", "x"], ["'x'"]),
                            (["-k", "1", "-N", "1.5"], ["1.5"]), (["-k", "1", "--report", "minima"], ["--report", "best, sites, all"]),
                            (["-k", "1", "--format", "bed"], ["--format", "'bed'", "sam, bam, cram"]),
                            (["-k", "1", "--strand", "forward"], ["--strand", "both, plus, minus"]),
                            (["-k", "1", "--algorithm", "pigeonhole"], ["--algorithm", "'pigeonhole'", "hmm"]),
                            (["-k", "1", "--algorithm", "magic"], ["--algorithm", "'magic'"]),
                            (["-k", "1", "--candidates", "some"], ["'some'"]),
                            (["-k", "1", "--batch-bytes", "0"], ["0"]), (["-k", "1", "-t", "many"], ["--threads", "many"]),
                            (["-k", "1", "-t", "-1"], ["--threads", "-1"]), (["-k", "1", "--device", "tpu"], ["--device tpu"]),
                            (["-k", "1", "--unknown"], ["--unknown"])):
            self.refused(2, *words, "-r", "r.fa", "reads.fa", says=says)

    def test_cram_keeps_no_equals(self):
        self.refused(2, "-k", "1", "--eqx", "-r", "r.fa", "reads.fa", files=("-o", "out.cram"), says=["--eqx", "CRAM"])

    def test_mates_from_one_file(self):
        for two in ("reads.fa", "./reads.fa"):
            self.refused(2, "-k", "1", "-r", "r.fa", "-1", "reads.fa", "-2", two, says=["reads.fa", "-1", "-2"])

    def test_stdin_by_two_names(self):
        self.refused(2, "-k", "1", "-r", "/dev/stdin", "-", stdin=b">a\nACGT\n", says=["standard input"])

    def test_names_of_outputs(self):
        for name in ("out.bam.gz", "out.cram.gz", "OUT.BAM.GZ"):
            self.refused(2, "-k", "1", "-r", "r.fa", "reads.fa", files=("-o", name), says=[name, "compressed"])

    def test_insert(self):
        for value in ("", "x", "5", "1,2,3", "5,", ",5", "10,5", "-1,5", "0,x", "0.5,3", "0, 5", "0,99999999999999999999"):
            self.refused(2, "-k", "1", "-r", "r.fa", "--interleaved", "reads.fa", "--insert", value, says=["--insert"])

    def test_conflicts(self):
        self.file("1.fa", READ)
        self.refused(2, "-k", "1", "reads.fa", says=["-r"])
        for words in (["-1", "1.fa"], ["-2", "1.fa"], ["-1", "1.fa", "-1", "reads.fa", "-2", "1.fa"]):
            self.refused(2, "-k", "1", "-r", "r.fa", *words, says=["-1", "-2"])
        self.refused(2, "-k", "1", "-r", "r.fa", "-1", "1.fa", "-2", "reads.fa", "reads.fa", says=["-1"])
        self.refused(2, "-k", "1", "-r", "r.fa", "-1", "1.fa", "-2", "reads.fa", "--interleaved", says=["--interleaved"])
        self.refused(2, "-k", "1", "-r", "r.fa", "-q", "-v", "reads.fa", says=["conflict"])
        self.refused(2, "-k", "1", "-r", "r.fa", "reads.fa", files=("-o", "h.sam", "--json", "./h.sam"), says=["same file"])
        for option in ("-o", "--json"):
            self.refused(2, "-k", "1", "-r", "r.fa", "reads.fa", files=(option, ""), says=["empty"])

    def test_standard_input_twice(self):
        for words in (["-r", "-", "-"], ["-r", "-"], ["-r", "r.fa", "-", "-"], ["-r", "r.fa", "-1", "-", "-2", "-"],
                      ["-r", "-", "-1", "reads.fa", "-2", "-"], ["-r", "-", "--interleaved"]):
            self.refused(2, "-k", "1", *words, stdin=READ, says=["standard input", "more than once"])

    def test_output_is_input(self):
        os.link(self.folder / "r.fa", self.folder / "again.bam")
        before = {name: (self.folder / name).read_bytes() for name in ("r.fa", "reads.fa")}
        self.file("1.fa", READ)
        for files in (("-o", "r.fa"), ("-o", "./r.fa", "--format", "bam"), ("-o", "again.bam"), ("--json", "r.fa"), ("-o", "reads.fa"),
                      ("--json", "reads.fa")):
            self.refused(2, "-k", "1", "-r", "r.fa", "reads.fa", files=files, says=["input and output"])
        for files in (("-o", "1.fa"), ("-o", "reads.fa")):
            self.refused(2, "-k", "1", "-r", "r.fa", "-1", "1.fa", "-2", "reads.fa", files=files, says=["input and output"])
        self.assertEqual({name: (self.folder / name).read_bytes() for name in before}, before)

    def test_reads_may_be_the_reference(self):
        found = self.output("-q", "--no-PG", "-k", "0", "-r", "reads.fa", "reads.fa")
        self.assertEqual(found.splitlines()[-1].split("\t")[:6], ["q", "0", "q", "1", "60", "11M"])

    def test_gpu_without_gpu(self):
        if "gpu" in devices():
            self.skipTest("there is a GPU")
        if run_map("-k", "1", "-r", CORNER / "one_base.fa", "--device", "gpu").returncode == 0:
            self.skipTest("there is a GPU, and the tests were told not to use it")
        for device in ("gpu", "gpu:1"):
            self.refused(75, "-k", "1", "--device", device, "-r", "r.fa", "reads.fa", says=["GPU", "is not usable: "])

    def test_help(self):
        done = self.run_here("--help")
        self.assertEqual((done.returncode, done.stderr, ANSI.search(done.stdout)), (0, b"", None))
        for option in ("-r,", "-k,", "-e,", "-1", "-2", "--interleaved", "--insert", "--report", "-N", "--hits-only", "--strand", "--eqx",
                       "--md5", "-R,", "--rg", "--no-PG", "--format", "-o,", "--json", "-t,", "--device", "--algorithm", "--progress",
                       "-q,", "-v,", "Examples:", "Exit codes:"):
            self.assertIn(option, done.stdout.decode())
        for hidden in ("--candidates", "--batch-bytes"):
            self.assertNotIn(hidden, done.stdout.decode())


class BadReference(ReferenceCase):
    def bad(self, name, *says, code=3, **options):
        for files in (("-o", "out.sam", "--json", "out.json"), ("-o", "out.bam"), ()):
            self.refused(code, "-q", "-k", "1", "-r", name, "reads.fa", files=files, says=[name, *says], **options)

    def test_cannot_open(self):
        self.bad("missing.fa", "No such file or directory", code=4)
        (self.folder / "folder").mkdir()
        self.bad("folder", "Is a directory", code=4)

    def test_not_fasta(self):
        self.file("r.fq", "@r\nACGT\n+\nIIII\n")
        self.bad("r.fq", "FASTA")
        self.bad(BAD / "binary.bin", "FASTA")
        self.bad(BAD / "before_header.fa")

    def test_no_bases(self):
        for name, text in (("e.fa", ""), ("e.fa", ">a\n>b\n\n"), ("e.fa.gz", gzip.compress(b"")), ("e.bgz", bgzf(b">a\n"))):
            self.file(name, text)
            self.bad(name, "no")

    def test_bad_text(self):
        self.bad(BAD / "bad_byte.fa", "record 'bad_digit'")
        self.bad(BAD / "truncated.fa.gz", "truncated")
        self.bad(BAD / "truncated_bgzf.fa.gz")

    def test_names(self):
        self.file("r.fa", ">same words\nACGT\n>other\nACGT\n>same\nGATTACA\n")
        self.bad("r.fa", "record 'same'", "twice")
        for name in ("a,b", "*a", "=", "a(b)", "a<b>", 'a"b', "a\\b", "", "a\x7f", "\xe4"):
            self.file("r.fa", f">{name}\nGAATTCACG\n".encode("latin-1"))
            self.bad("r.fa", "SAM", "name")


class BadReads(MapCase):
    """A fault is reported after all reads before it are written, if the output is a stream; a file does not appear."""

    def setUp(self):
        super().setUp()
        self.reads = many_reads()
        self.records = [("r", "".join(read.letters for read in self.reads[:30]))]
        self.file("r.fa", fasta(self.records))

    def bad(self, text, *says, before=None, code=3, source="bad.fq"):
        if text is not None:
            self.file(source, text)
        for output in ("out.sam", "out.bam", "out.cram"):
            self.refused(code, "-q", "-k", "1", "-r", "r.fa", source, files=("-o", output, "--json", "out.json"), says=says)
        if before is None:
            return
        expected = naive_map.sam(self.records, [(read,) for read in before], Options(k=1))
        for how in (["-t", "1"], ["-t", "3", "--batch-bytes", "1"], ["-t", "2", "--batch-bytes", "1000"]):
            done = self.run_here("-q", "--no-PG", "-k", "1", "-r", "r.fa", source, *how)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assert_same_text(done.stdout.decode(), expected, f"{says} {how}")

    def test_missing(self):
        self.bad(None, "missing.fq", "No such file or directory", code=4, source="missing.fq")
        self.file("good.fq", fastq(self.reads[:3]))
        done = self.run_here("-k", "1", "-r", "r.fa", "good.fq", "missing.fq")
        self.assertEqual((done.returncode, done.stdout), (4, b""), "found before work starts")

    def test_bad_record(self):
        """A bad read after 20 good ones and before others."""
        good, rest = fastq(self.reads[:20]), fastq(self.reads[20:25])
        for record, says in (("@odd\nACG1ACGT\n+\nIIIIIIII\n", ["bad.fq", "'odd'", "'1'"]), ("@odd\nACG ACGT\n+\nIIIIIIII\n", ["bad.fq", "'odd'"]),
                             ("@odd\nACGT\n+\nII\x01I\n", ["bad.fq", "'odd'", "quality"]), ("@odd\nACGT\n+\nII\x7fI\n", ["bad.fq", "'odd'", "quality"]),
                             ("@odd\nACGT\n+\nIII\n", ["bad.fq", "quality"]), ("@\nACGT\n+\nIIII\n", ["bad.fq", "name"]),
                             ("@@odd\nACGT\n+\nIIII\n", ["bad.fq", "name"]), ("@od\xe4\nACGT\n+\nIIII\n", ["bad.fq", "name"]),
                             (f"@{'x' * 255}\nACGT\n+\nIIII\n", ["bad.fq", "name", "254"])):
            self.bad((good + record + rest).encode("latin-1"), *says, before=self.reads[:20])

    def test_names_that_are_allowed(self):
        for name in ("?", "!-?A~", "M00967:43:000000000-A3JHG:1:1101:18327:1699", "x" * 254, "*x"):
            found = self.output("-q", "--no-PG", "-k", "1", "-r", "r.fa", stdin=f">{name} words\nACGTT\n".encode())
            self.assertEqual(found.splitlines()[-1].split("\t")[0], name)

    def test_odd_letters_are_n(self):
        """As in match, letters other than bases, -, * and . match nothing."""
        found = self.output("-q", "--no-PG", "-k", "1", "-r", "r.fa", stdin=b">q\nAC-Z*.acgu\n")
        self.assertEqual(found.splitlines()[-1].split("\t")[9], "ACNNNNACGT")

    def test_truncated(self):
        """All reads before the damage are placed, with any number of threads; then exit 3."""
        text = fastq(self.reads).encode()
        whole = naive_map.sam(self.records, [(read,) for read in self.reads], Options(k=0))
        for name, data in (("t.fq.gz", gzip.compress(text)), ("t.bgz", bgzf(text, 3000))):
            self.file(name, data[:len(data) * 2 // 3])
            self.refused(3, "-q", "-k", "0", "-r", "r.fa", name, files=("-o", "out.bam"), says=[name, "truncated"])
            first = None
            for how in (["-t", "1"], ["-t", "3", "--batch-bytes", "500"]):
                done = self.run_here("-q", "--no-PG", "-k", "0", "-r", "r.fa", name, *how)
                found = done.stdout.decode()
                first = first or found
                self.assertEqual((done.returncode, found), (3, first), name)
                self.assertTrue(whole.startswith(found), name)
                self.assertGreater(found.count("\n"), MANY // 3, name)

    def test_truncated_text(self):
        """A last record without its qualities."""
        self.bad(fastq(self.reads[:5]) + "@last\nACGT\n+\n", "bad.fq", before=self.reads[:5])
        self.bad(fastq(self.reads[:5]) + "@last\nACGT\n", "bad.fq", before=self.reads[:5])

    def test_neither_fasta_nor_fastq(self):
        self.bad(b"\x00\x01\x02 rubbish\n", "bad.fq", "neither FASTA nor FASTQ")

    def test_empty(self):
        """A valid output with the header alone; exit 0."""
        self.file("empty.fq", "")
        for data in (b"", gzip.compress(b""), bgzf(b"")):
            self.file("empty.fq", data)
            for given in ({"stdin": data}, {}):
                done = self.run_here("-q", "--no-PG", "-k", "1", "-r", "r.fa", *([] if given else ["empty.fq"]), **given)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertEqual(done.stdout.decode(), naive_map.header(self.records))

    def pairs_refused(self, one, two, *says, before=()):
        """Two inputs, and interleaved if both have the same number of reads."""
        self.file("1.fq", one)
        self.file("2.fq", two)
        self.refused(3, "-q", "-k", "1", "-r", "r.fa", "-1", "1.fq", "-2", "2.fq", says=says)
        expected = naive_map.sam(self.records, before, Options(k=1))
        for how in (["-t", "1"], ["-t", "3", "--batch-bytes", "1"], ["--batch-bytes", "700"]):
            done = self.run_here("-q", "--no-PG", "-k", "1", "-r", "r.fa", "-1", "1.fq", "-2", "2.fq", *how)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assert_same_text(done.stdout.decode(), expected, f"{says} {how}")

    def test_unequal_numbers_of_mates(self):
        pairs = [(read, read) for read in self.reads[:12]]
        for more, fewer in (("1.fq", "2.fq"), ("2.fq", "1.fq")):
            texts = {more: fastq(self.reads[:15]), fewer: fastq(self.reads[:12])}
            self.pairs_refused(texts["1.fq"], texts["2.fq"], "1.fq", "2.fq", "12", before=pairs)
        self.pairs_refused(fastq(self.reads[:2]), "", "1.fq", "2.fq", "0")
        self.file("odd.fq", fastq([read for pair in pairs[:4] for read in pair][:7] + self.reads[3:5]))
        self.refused(3, "-q", "-k", "1", "-r", "r.fa", "--interleaved", "odd.fq", says=["odd.fq", "read_4"])

    def test_names_of_mates(self):
        pairs = [(read, read) for read in self.reads[:12]]
        good = fastq(self.reads[:12])
        for one, two in (("a", "b"), ("a/1", "b/2"), ("a", "A"), ("a/1", "a/3")):
            odd = [Read(name, "ACGTACGT", "IIIIIIII") for name in (one, two)]
            self.pairs_refused(good + fastq([odd[0]]) + good, good + fastq([odd[1]]) + good, one, two, before=pairs)
            self.file("both.fq", fastq(self.reads[:1] * 2 + odd))
            self.refused(3, "-q", "-k", "1", "-r", "r.fa", "--interleaved", "both.fq", says=["both.fq", one, two])

    def test_bad_mate(self):
        """A pair is not written when one of its reads is bad."""
        good, bad = fastq(self.reads[:12]), "@x\nAC1T\n+\nIIII\n"
        pairs = [(read, read) for read in self.reads[:12]]
        self.pairs_refused(good + bad, good + "@x\nACGT\n+\nIIII\n", "1.fq", "'x'", before=pairs)
        self.pairs_refused(good + "@x\nACGT\n+\nIIII\n", good + bad, "2.fq", "'x'", before=pairs)


class Output(ReferenceCase):
    def test_full(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        for form in ("sam", "bam", "cram"):
            self.refused(4, "-q", "-k", "1", "--format", form, "-r", "r.fa", "reads.fa", says=["/dev/full", "No space left on device"],
                         files=("-o", "/dev/full", "--json", "r.json"))

    def test_no_such_folder(self):
        for output in ("nowhere/h.sam", "nowhere/h.bam", "nowhere/h.cram"):
            self.refused(4, "-k", "1", "-r", "r.fa", "reads.fa", files=("-o", output), says=["nowhere", "No such file or directory"])
        self.refused(4, "-k", "1", "-r", "r.fa", "reads.fa", files=("--json", "nowhere/r.json"), says=["nowhere"])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_unwritable_folder(self):
        (self.folder / "locked").mkdir(mode=0o555)
        for name in ("h.sam", "h.bam", "h.cram"):
            self.refused(4, "-k", "1", "-r", "r.fa", "reads.fa", files=("-o", f"locked/{name}"), says=["locked", "Permission denied"])

    def test_old_output_stays_when_input_is_bad(self):
        for name in ("h.sam", "h.bam", "h.cram"):
            self.file(name, "old\n")
            self.refused(3, "-q", "-k", "1", "-r", "r.fa", BAD / "bad_byte.fa", files=("-o", name))
            self.assertEqual((self.folder / name).read_text(), "old\n")


class Process(MapCase, ProcessCase):
    """Closed pipes and signals."""

    command = "map"

    def setUp(self):
        super().setUp()
        self.file("lambda.fa", gzip.decompress(LAMBDA.read_bytes()))
        letters = naive.read_fasta((self.folder / "lambda.fa").read_text())[0][1]
        self.file("many.fa", fasta_reads([Read(f"read_{i}", letters[7 * i:7 * i + 150], "") for i in range(5000)]))

    def start(self, *arguments, **options):
        (self.folder / "tmp").mkdir(exist_ok=True)
        return super().start(*arguments, env=environment(TMPDIR=str(self.folder / "tmp")), **options)

    def test_closed_pipe(self):
        for form in ("sam", "bam"):
            for threads in ("1", "3"):
                process = self.start("-q", "-k", "2", "--format", form, "-t", threads, "-r", "lambda.fa", "many.fa", stdout=subprocess.PIPE)
                self.assertEqual(len(process.stdout.read(100)), 100)
                process.stdout.close()
                self.assertEqual(process.wait(SECONDS), -signal.SIGPIPE, form)
                self.assertEqual(process.stderr.read(), b"")
                self.assertEqual(os.listdir(self.folder / "tmp"), [])

    def test_signals(self):
        """Signals while reads come in: no file is left, nor the folder for the index of CRAM."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for name in ("h.sam", "h.bam", "h.cram", "-"):
                os.mkfifo(self.folder / "fifo")
                old = {"fifo", "tmp", "lambda.fa", "many.fa"} | ({name} if name != "-" else set())
                if name != "-":
                    self.file(name, "old")
                process = self.start("-q", "-k", "2", "-r", "lambda.fa", "fifo", "-o", name, "--json", "r.json", stdout=subprocess.DEVNULL)
                fifo = self.open_for_writing(self.folder / "fifo")
                os.write(fifo, b">r\n" + b"ACGT" * 20 + b"\n>s\nACGT\n")
                self.wait_for(lambda before=old: set(self.listing()) - before or None, "temporary files")
                self.assertIsNone(process.poll())
                process.send_signal(number)
                self.assertEqual(process.wait(SECONDS), -number, name)
                os.close(fifo)
                self.assertEqual(process.stderr.read(), b"")
                self.assertEqual(set(self.listing()), old, name)
                self.assertEqual(os.listdir(self.folder / "tmp"), [], name)
                if name != "-":
                    self.assertEqual((self.folder / name).read_text(), "old")
                    os.unlink(self.folder / name)
                os.unlink(self.folder / "fifo")

    def test_nothing_is_left_in_tmpdir(self):
        for name in ("h.sam", "h.bam", "h.cram"):
            process = self.start("-q", "-k", "0", "-r", "lambda.fa", "many.fa", "-o", name)
            self.assertEqual(process.wait(SECONDS), 0, process.stderr.read())
            self.assertEqual(os.listdir(self.folder / "tmp"), [], name)

    def test_output_to_a_fifo(self):
        os.mkfifo(self.folder / "hits")
        process = self.start("-q", "--no-PG", "-k", "0", "-r", CORNER / "one_base.fa", CORNER / "one_base.fa", "-o", "hits",
                             stdout=subprocess.DEVNULL)
        with open(self.folder / "hits", "rb") as hits:
            self.assertEqual(hits.read(), b"@HD\tVN:1.6\tSO:unsorted\tGO:query\n@SQ\tSN:one\tLN:1\n"
                                          b"one\t0\tone\t1\t60\t1M\t*\t0\t0\tA\t*\tNM:i:0\tMD:Z:1\tAS:i:0\tNH:i:1\tXE:i:0\n")
        self.assertEqual(process.wait(SECONDS), 0)

    def test_reads_and_reference_from_fifos(self):
        """Each input is opened once."""
        (self.folder / "tmp").mkdir()
        expected = self.output("-q", "-k", "2", "-r", "lambda.fa", "many.fa", "--no-PG")
        for fifos in ("reads", "reference"), ("reads",), ("reference",):
            for fifo in fifos:
                os.mkfifo(self.folder / fifo)
            process = self.start("-q", "-k", "2", "--no-PG", "-r", "reference" if "reference" in fifos else "lambda.fa",
                                 "reads" if "reads" in fifos else "many.fa", "-o", "h.sam")
            feeders = [subprocess.Popen(["cp", {"reads": "many.fa", "reference": "lambda.fa"}[fifo], fifo], cwd=self.folder,
                                        preexec_fn=default_signals) for fifo in fifos]
            self.assertEqual(process.wait(SECONDS), 0, process.stderr.read())
            self.assertEqual([feeder.wait(SECONDS) for feeder in feeders], [0] * len(feeders))
            self.assert_same_text((self.folder / "h.sam").read_text(), expected, fifos)
            for fifo in fifos:
                os.unlink(self.folder / fifo)

    def test_cram_of_a_reference_in_a_fifo(self):
        os.mkfifo(self.folder / "reference")
        feeder = subprocess.Popen(["cp", "lambda.fa", "reference"], cwd=self.folder, preexec_fn=default_signals)
        self.addCleanup(lambda: feeder.poll() is None and feeder.kill())
        process = self.start("-q", "-k", "2", "-r", "reference", "many.fa", "-o", "h.cram")
        self.assertEqual(process.wait(SECONDS), 2)
        self.assertIn(b"CRAM", process.stderr.read())
        self.assertNotIn("h.cram", self.listing())


if __name__ == "__main__":
    unittest.main()
