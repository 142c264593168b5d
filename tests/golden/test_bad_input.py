"""Bad input and bad options: the exit code, a message with file, record and position, and no file left behind."""
import bz2
import gzip
import lzma
import os
import subprocess
import unittest

from support import BAD, BINARY, CORNER, LAMBDA, MOTIFS_FA, MOTIFS_TSV, Case, bgzf, zstd


class Sequences(Case):
    def bad(self, name, *says, code=3):
        for how in ((), ("-t", "1", "--batch-bases", "1"), ("--count",)):
            self.refused(code, "-p", "ACGT", *how, name, says=(name, *says))
            self.refused(code, "-p", "ACGT", *how, CORNER / "lower.fa", name, says=(name, *says))

    def test_byte_that_is_no_sequence(self):
        self.bad(BAD / "bad_byte.fa", "record 'bad_digit'", "position 14", "byte 36", "'7'")
        for byte, shown in ((b"\0", "0x00"), (b" ", "a blank"), (b"\t", "a tab"), (b">", "'>'"), (b"\xc3", "0xc3"), (b"!", "'!'")):
            text = b">first\nACGT\n>second words\nACGTAC\nGT" + byte + b"ACGT\n"
            for name, data in (("bad.fa", text), ("bad.gz", gzip.compress(text)), ("bad.bgz", bgzf(text, 20))):
                self.file(name, data)
                self.bad(name, "record 'second'", "position 9", f"byte {text.index(byte, 20)}", shown)
        self.file("bad.fq", "@r1\nACGT\n+\nIIII\n@r2\nAC7T\n+\nIIII\n")
        self.bad("bad.fq", "record 'r2'", "position 3", "'7'")

    def test_bad_byte_far_into_a_record(self):
        letters = "ACGTTGCAAC" * 200_000
        text = ">r\n" + "\n".join(letters[i:i + 60] for i in range(0, len(letters), 60))
        self.file("long.fa", f">ok\nACGT\n{text}\nAC-GT?A\n")
        self.refused(3, "-p", "GAATTC", "long.fa", says=["long.fa: record 'r', position 2000006 ", "'?'"])

    def test_names_that_a_format_cannot_hold(self):
        """A line of BED that begins with '#', 'track' or 'browser' is no hit to its readers; control characters suit no table."""
        text = ">ok\nGAATTC\n>{}\nGAATTC\n>none\nAAAA\n"
        for name in ("#x", "track_1", "track", "browser2"):
            begin = name.rstrip("_12x")
            self.file("in.fa", text.format(name))
            for command, words in (("motif", ()), ("match", ("-k", "0")), ("match", ("-k", "0", "--report", "best"))):
                words = ("-p", "GAATTC", "--strand", "plus", *words, "in.fa")
                for more in (("-t", "1"), ("-t", "3", "--batch-bases", "7")) if command == "motif" else ((),):
                    self.refused(3, *words, *more, command=command, files=("-o", "out.bed"),
                                 says=[f"in.fa: record '{name}': ", f"begins with '{begin}'", "choose the format tsv, csv or jsonl"])
                lines = self.output(*words, "--format", "tsv", command=command).splitlines()
                self.assertEqual([line.split("\t")[0] for line in lines], ["record", "ok", name])
                self.assertIn(f"\n>{name}:0-6(+) ", self.output(*words, "--format", "fasta", command=command))
                self.output(*words, "--format", "gff3", command=command)
            self.assertEqual(self.output("-p", "GAATTC", "--count", "--strand", "plus", "in.fa").splitlines()[1], "GAATTC\t+\t2")
            # A record without hits may have any name.
            self.assertEqual(self.output("-p", "CCCC", "in.fa"), "")
        for byte, shown in (("\0", "byte 0x00"), ("\x1b", "byte 0x1b"), ("\x7f", "byte 0x7f")):
            self.file("in.fa", text.format(f"a{byte}b"))
            for form in ("bed", "tsv", "fasta"):
                self.refused(3, "-p", "GAATTC", "--format", form, "in.fa", files=("-o", "out"), says=["in.fa: record 'a\\x", shown])
                self.refused(3, "-p", "GAATTC", "-k", "1", "--format", form, "in.fa", command="match", files=("-o", "out"), says=[shown])
            self.assertIn("\na%", self.output("-p", "GAATTC", "--format", "gff3", "in.fa"))
            self.refused(3, "-p", "GAATTC", "-k", "1", "in.fa", command="match", files=("-o", "out.sam"), says=[shown])
            self.output("-p", "GAATTC", "--count", "in.fa")
        # Windows line ends are no part of a name.
        self.file("in.fa", ">a\r\nGAATTC\r\n")
        self.assertEqual(self.output("-p", "GAATTC", "in.fa"), "a\t0\t6\tGAATTC\t1000\t+\n")

    def test_not_a_sequence_file(self):
        self.bad(BAD / "binary.bin", "neither FASTA nor FASTQ", "0x7f at byte 0")
        self.bad(BAD / "before_header.fa", "line 1", "sequence before the first header")
        self.file("late.fa", "\n\nACGT\n>r\nACGT\n")
        self.bad("late.fa", "line 3", "sequence before the first header")
        self.refused(3, "-p", "A", stdin=b"\x7fELF", says=["<stdin>", "neither FASTA nor FASTQ"])

    def test_fastq(self):
        self.bad(BAD / "unequal_quality.fastq", "record 'read_2'", "line 5", "quality has 5 characters, sequence has 8")
        for text, says in (("@r1\nACGT\n+\nIIII\n@r2\nACGT\n+\nIIIII\n", "record 'r2' (line 5): quality has 5 characters"),
                           ("@r1\nACGT\n+\nIII", "record 'r1' (line 1): quality has 3 characters"),
                           ("@r1\nACGT\n+\nIIII\n@r2\nACGT\n", "record 'r2' (line 5)"),
                           ("@r1\nACGT\n+\nIIII\n>r2\nACGT\n", "line 5: expected '@'"),
                           ("@r1\nACGT\n@r2\nACGT\n+\nIIII\n", "record 'r1' (line 1)")):
            self.file("bad.fq", text)
            self.bad("bad.fq", says)

    def test_wrong_length_of_text(self):
        """The last field of a gzip member, and of each block of BGZF, is the length of its text. HTSlib 1.16 does not look."""
        def damaged(data, end):
            return data[:end - 4] + bytes([data[end - 4] ^ 1]) + data[end - 3:]
        fasta, patterns, regions = b">r\nGAATTCGAATTC\n", b">p\nGAATTC\n", b"r\t0\t6\n"
        self.file("in.fa", fasta)
        self.file("plan", self.output("--chunks", "2", "in.fa", command="plan"))
        self.output("-p", "GAATTC", "in.fa", "--plan", "plan", "--chunk", "1/2", "-o", "1.bsp")
        self.output("-p", "GAATTC", "in.fa", "--plan", "plan", "--chunk", "2/2", "-o", "2.bsp")
        part = (self.folder / "1.bsp").read_bytes()
        for pack, says in ((bgzf, "damaged BGZF data in the block at compressed byte 0: wrong length"), (gzip.compress, "gzip")):
            for kind, text in (("fasta", fasta), ("patterns", patterns), ("regions", regions), ("part", part)):
                data = pack(text)
                end = len(data) - (28 if pack is bgzf else 0)
                self.file("bad", damaged(data, end))
                words = {"fasta": ["-p", "GAATTC", "bad"], "patterns": ["-f", "bad", "in.fa"],
                         "regions": ["-p", "GAATTC", "--regions-file", "bad", "in.fa"], "part": ["bad", "2.bsp"]}[kind]
                for threads in ([], ["-t", "1"], ["-t", "3"]) if kind == "fasta" else ([],):
                    self.refused(3, *words, *threads, files=("-o", "out.bed"), says=["bad: ", says],
                                 command="merge" if kind == "part" else "motif")
                if kind == "fasta":
                    self.refused(3, "-p", "GAATTC", stdin=damaged(data, end), says=["<stdin>: ", says])
                    self.file("bad", damaged(data, len(data)))
                    self.refused(3, "-p", "GAATTC", "bad", says=["bad: ", "BGZF" if pack is bgzf else "gzip"])
                    self.refused(3, "-k", "0", "-r", "in.fa", "bad", command="map", files=("-o", "out.sam"), says=["bad: "])

    def test_damaged_compression(self):
        self.bad(BAD / "truncated.fa.gz", "truncated gzip")
        self.bad(BAD / "truncated_bgzf.fa.gz", "truncated")
        text = gzip.decompress(LAMBDA.read_bytes())
        for name, whole in (("x.gz", gzip.compress(text)), ("x.bgzf", bgzf(text, 10000)), ("x.bz2", bz2.compress(text)),
                            ("x.xz", lzma.compress(text)), ("x.zst", zstd(text))):
            for size in (20, len(whole) // 2, len(whole) - 30, len(whole) - 4, len(whole) - 1):
                self.file(name, whole[:size])
                self.refused(3, "-p", "GAATTC", name, says=[name])
                self.refused(3, "-p", "GAATTC", stdin=whole[:size], says=["<stdin>"])
            self.file(name, whole[:5000] + bytes(byte ^ 0x5a for byte in whole[5000:5100]) + whole[5100:])
            self.refused(3, "-p", "GAATTC", name, says=[name])
        for name, whole in (("gzip", gzip.compress(text)), ("bzip2", bz2.compress(text)), ("xz", lzma.compress(text)),
                            ("zstd", zstd(text))):
            self.file("x", whole + b"trailing rubbish")
            self.refused(3, "-p", "GAATTC", "x", says=[f"x: damaged {name} data: something that is not {name} follows"])
            self.file("motifs", whole[:-5])
            self.refused(3, "-f", "motifs", LAMBDA, says=[f"motifs: truncated {name} data: it ends at compressed byte"])

    def test_cannot_open(self):
        self.bad("missing.fa", "No such file or directory", code=4)
        (self.folder / "folder").mkdir()
        self.bad("folder", "Is a directory", code=4)
        (self.folder / "dangling.fa").symlink_to("nowhere.fa")
        self.bad("dangling.fa", "No such file or directory", code=4)
        if os.geteuid() != 0:
            self.file("secret.fa", ">r\nA\n").chmod(0)
            self.bad("secret.fa", "Permission denied", code=4)

    def test_a_missing_file_is_found_before_work_starts(self):
        done = self.run_here("-p", "A", CORNER / "one_base.fa", "missing.fa")
        self.assertEqual((done.returncode, done.stdout), (4, b""))


class Patterns(Case):
    def bad_file(self, name, *says, code=3):
        self.refused(code, "-f", name, LAMBDA, says=(name, *says))
        self.refused(code, "-p", "ACGT", "-f", MOTIFS_FA, "-f", name, LAMBDA, says=(name, *says))

    def test_files(self):
        self.bad_file(BAD / "patterns_illegal.fa", "line 4", "pattern 'illegal'", "position 3", "'X'")
        self.bad_file(BAD / "patterns_empty.fa", "line 3", "pattern 'hollow' has no sequence")
        self.bad_file(BAD / "patterns_duplicate.fa", "line 5", "pattern 'twice'", "used twice")
        self.bad_file(BAD / "patterns_none.fa", "no patterns")
        self.bad_file(BAD / "binary.bin", "line 1", "expected FASTA, or a name, a tab and a sequence")
        self.bad_file(BAD / "truncated.fa.gz", "truncated gzip")
        self.bad_file("missing.fa", "No such file or directory", code=4)
        self.bad_file(CORNER, "Is a directory", code=4)

    def test_lines(self):
        for text, says in (("a\tACGT\nb\tAC-T\n", "line 2: pattern 'b', position 3: '-'"),
                           ("a\tACGT\nb\t\n", "line 2: pattern 'b' has no sequence"),
                           ("a\tACGT\n\na\tACGT\n", "line 3: pattern 'a': the name is used twice"),
                           ("# only a comment\n\n", "no patterns"), ("a\tACGT\nGAATTC\n", "line 2: expected"),
                           ("\tACGT\n", "line 1: the pattern has no name"),
                           ("a\x1b[31m\tACGT\n", "line 1: pattern 'a [31m': a name may not hold control characters")):
            self.file("bad.tsv", text)
            self.bad_file("bad.tsv", says)
        self.file("last.fa", ">a\nACGT\n>b\n")
        self.bad_file("last.fa", "line 3", "pattern 'b' has no sequence")

    def test_files_without_end(self):
        """No file beside the input is read without a limit: a line has at most 64 MiB."""
        self.file("r.fa", ">r\nGAATTC\n")
        self.file("long.gz", gzip.compress(b">a\nACGT\n>b\n" + b"A" * (65 << 20), 1))
        for option in ("-f", "--regions-file", "--plan", "--fai"):
            words = ["-p", "GAATTC", *{"--plan": ["--chunk", "1/2"], "--fai": ["--region", "r"]}.get(option, [])]
            for name, line in (("long.gz", None), ("/dev/zero", 1)):
                if option in ("-f", "--regions-file") and name == "long.gz":
                    line = 4 if option == "-f" else None
                message = self.refused(3, *words, option, name, "r.fa", files=("-o", "out"), says=[name])
                if line:
                    self.assertIn(f"line {line}: longer than 64 MiB", message)

    def test_the_same_name_in_two_files(self):
        self.refused(3, "-f", MOTIFS_FA, "-f", MOTIFS_TSV, LAMBDA, says=["EcoRI", MOTIFS_FA, MOTIFS_TSV])
        self.file("named_as_motif.tsv", "GAATTC\tAAAA\n")
        self.refused(2, "-f", "named_as_motif.tsv", "-p", "GAATTC", LAMBDA, says=["pattern 'GAATTC'", "used twice"])

    def test_command_line(self):
        self.refused(2, LAMBDA, says=["no pattern given", "-p", "-f"])
        self.refused(2, "-p", "ACXGT", LAMBDA, says=["pattern 'ACXGT'", "position 3", "'X'"])
        self.refused(2, "-p", "AC GX", LAMBDA, says=["position 5", "'X'"])
        self.refused(2, "-p", "", LAMBDA, says=["empty"])
        self.refused(2, "-p", "ACGT", "-p", "ACGT", LAMBDA, says=["pattern 'ACGT'", "used twice"])


class Options(Case):
    def test_values(self):
        for arguments, says in ((["--strand", "forward"], ["--strand", "'forward'", "both, plus, minus"]),
                                (["--palindromes", "never"], ["--palindromes", "'never'", "once, both"]),
                                (["--soft-masked", "no"], ["--soft-masked", "'no'", "use, skip"]),
                                (["--format", "gff"], ["--format", "'gff'", "bed, tsv"]),
                                (["--algorithm", "magic"], ["--algorithm", "'magic'", "auto, planes, drk2s, ac-dfa"]),
                                (["--device", "tpu"], ["--device tpu", "auto, cpu, gpu, gpu:N, gpu:N,N or gpu:all"]),
                                (["--device", "gpu:x"], ["--device gpu:x: 'x' is not the number of a GPU"]),
                                (["--device", "gpu:0,0"], ["--device gpu:0,0: GPU 0 is named twice"]),
                                (["--device", "gpu:0,"], ["--device gpu:0,: '' is not the number of a GPU"]),
                                (["-t", "many"], ["--threads", "many"]),
                                (["-t", "-1"], ["--threads", "-1"]), (["--max-hits", "0"], ["--max-hits", "at least 1"]),
                                (["--max-hits", "-1"], ["--max-hits", "at least 1"]), (["--max-hits", "x"], ["--max-hits", "x"]),
                                (["--unknown"], ["--unknown"]), (["-x"], ["-x"])):
            self.refused(2, "-p", "ACGT", *arguments, LAMBDA, says=says)

    def test_conflicts(self):
        self.refused(2, "-p", "A", "--count", "--max-hits", "3", LAMBDA, says=["--count", "--max-hits", "conflict"])
        self.refused(2, "-p", "A", "-q", "-v", LAMBDA, says=["--quiet", "--verbose", "conflict"])
        self.refused(2, "-p", "A", "-", "-", says=["standard input", "more than once"])
        self.refused(2, "-f", "-", stdin=MOTIFS_FA.read_bytes(), says=["standard input", "more than once"])
        for report in ("out.bed", "./out.bed"):
            self.refused(2, "-p", "A", LAMBDA, files=("-o", "out.bed", "--json", report), says=["same file"])
        self.refused(2, "-p", "A", LAMBDA, files=("--json", "-"), says=["same file"])
        for option in ("-o", "--json"):
            self.refused(2, "-p", "A", LAMBDA, files=(option, ""), says=["empty"])

    def test_algorithm_that_declines(self):
        for algorithm in ("drk2s", "ac-dfa"):
            self.refused(2, "--algorithm", algorithm, "-p", "ACGT", "-p", "GANTC", LAMBDA, says=[algorithm, "'GANTC'", "IUPAC"])

    def test_gpu_without_gpu(self):
        done = self.run_here("--device", "gpu", "-p", "A", CORNER / "one_base.fa")
        if done.returncode == 0:
            self.refused(75, "--device", "gpu:9999", "-p", "A", LAMBDA, says=["GPU 9999 is not usable: CUDA shows ", "numbered from 0"])
            self.refused(75, "--device", "gpu:0,9999", "-p", "A", LAMBDA, says=["GPU 9999 is not usable: CUDA shows "])
            self.skipTest("there is a GPU")
        for device in ("gpu", "gpu:1", "gpu:9", "gpu:0,2", "gpu:all"):
            self.refused(75, "--device", device, "-p", "A", LAMBDA, says=["GPU", "is not usable: "])


class Output(Case):
    def test_full(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        (self.folder / "full.bed.gz").symlink_to("/dev/full")
        says = ["cannot write", "No space left on device"]
        self.refused(4, "-p", "GAATTC", LAMBDA, files=("-o", "/dev/full", "--json", "r.json"), says=["/dev/full", *says])
        for motif in ("GAATTC", "A"):
            for threads in (1, 3):
                self.refused(4, "-p", motif, "-t", threads, LAMBDA, files=("-o", "full.bed.gz", "--json", "r.json"), says=says)
        self.refused(4, "-p", "A", "--count", LAMBDA, files=("-o", "/dev/full"), says=says)
        self.refused(4, "-p", "A", LAMBDA, files=("-o", "out.bed", "--json", "/dev/full"), says=["/dev/full", *says])

    def test_stdout_is_full(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([BINARY, "motif", "-p", "A", LAMBDA], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, done.stderr), (4, b"basesweep: <stdout>: cannot write: No space left on device\n"))

    def test_no_such_folder(self):
        for option in ("-o", "--json"):
            self.refused(4, "-p", "A", LAMBDA, files=(option, "nowhere/out"), says=["nowhere/out", "No such file or directory"])

    def test_folder(self):
        (self.folder / "folder").mkdir()
        self.refused(4, "-p", "A", LAMBDA, files=("-o", "folder"), says=["folder", "Is a directory"])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_unwritable_folder(self):
        (self.folder / "locked").mkdir(mode=0o555)
        self.refused(4, "-p", "A", LAMBDA, files=("-o", "locked/out.bed"), says=["locked/out.bed", "Permission denied"])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_unwritable_file(self):
        self.file("locked.bed", "old\n").chmod(0o444)
        self.refused(4, "-p", "A", LAMBDA, files=("-o", "locked.bed"), says=["locked.bed", "Permission denied"])


if __name__ == "__main__":
    unittest.main()
