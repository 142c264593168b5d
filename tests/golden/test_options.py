"""The meaning of each option of `motif`."""
import gzip
import hashlib
import json
import re
import subprocess
import unittest

import naive
from support import BINARY, CORNER, FILES, LAMBDA, MOTIFS_FA, MOTIFS_TSV, Case, lambda_hits, lambda_records, motifs


class Options(Case):
    def expect(self, arguments, records, patterns, **options):
        expected = naive.bed(records, patterns, naive.search(records, patterns, **options))
        self.assert_same_text(self.output(*arguments), expected, arguments)

    def test_patterns(self):
        """Repeated -p, lower case, U, IUPAC codes; the name is the motif as given; ties are in the order of the patterns."""
        patterns = [(m, m) for m in ("GAATTC", "ttgaca", "GAAUUC", "GANTC", "RYSWKM", "BDHVN")]
        self.expect([word for m, _ in patterns for word in ("-p", m)] + [LAMBDA], lambda_records(), patterns)
        self.expect(["--pattern=GAATTC", LAMBDA], lambda_records(), patterns[:1])
        self.expect(["-p", "GAATTC", "--", LAMBDA], lambda_records(), patterns[:1])

    def test_pattern_files(self):
        """Files first, in order, then -p; FASTA (any line width, CRLF, text after the name) and TSV (comments, columns)."""
        self.file("a.fa", ">one some text\r\nGAA\r\nTTC\r\n\r\n>two\r\nrccgy\r\n")
        self.file("b.txt", "# name\tmotif\n\nthree\tGANTC\tmore\tcolumns\nfour five\taagcuu\n")
        patterns = [("one", "GAATTC"), ("two", "RCCGY"), ("three", "GANTC"), ("four five", "AAGCTT"), ("CCWGG", "CCWGG")]
        self.expect(["-p", "CCWGG", "-f", "a.fa", "-f", "b.txt", LAMBDA], lambda_records(), patterns)

    def test_pattern_file_from_stdin_and_compressed(self):
        expected = naive.bed(lambda_records(), motifs(), lambda_hits())
        self.assert_same_text(self.output("-f", "-", LAMBDA, stdin=MOTIFS_FA.read_bytes()), expected)
        self.file("motifs", gzip.compress(MOTIFS_TSV.read_bytes()))
        self.assert_same_text(self.output("-f", "motifs", LAMBDA), expected)

    def test_strands(self):
        for strand in ("both", "plus", "minus"):
            self.expect(["-f", MOTIFS_FA, "--strand", strand, LAMBDA], lambda_records(), motifs(), strand=strand)
            table = naive.count_table(motifs(), lambda_hits(strand=strand), strand=strand)
            self.assert_same_text(self.output("-f", MOTIFS_FA, "--strand", strand, "--count", LAMBDA), table, strand)

    def test_palindromes(self):
        """Palindromic by IUPAC sets: RAATTY and GANTC are. Strand minus alone still finds them."""
        patterns = [(m, m) for m in ("GAATTC", "RAATTY", "GANTC", "N", "GGTCTC", "RAATTR")]
        words = [word for m, _ in patterns for word in ("-p", m)]
        records = [("part", lambda_records()[0][1][:9000])]
        self.file("part.fa", f">part\n{records[0][1]}\n")
        for palindromes in ("once", "both"):
            for strand in ("both", "minus"):
                self.expect([*words, "--palindromes", palindromes, "--strand", strand, "part.fa"], records, patterns,
                            palindromes=palindromes, strand=strand)

    def test_soft_masked(self):
        letters = lambda_records()[0][1][:6000]
        masked = letters[:1000] + letters[1000:2500].lower() + letters[2500:4000] + letters[4000:].swapcase()
        records = [("masked", masked)]
        self.file("masked.fa", f">masked\n{masked}\n")
        for soft_masked in ("use", "skip"):
            for more in ([], ["--batch-bases", "64"]):
                self.expect(["-f", MOTIFS_FA, "--soft-masked", soft_masked, *more, "masked.fa"], records, motifs(),
                            soft_masked=soft_masked)

    def test_non_overlapping(self):
        records = [("repeats", "A" * 20 + "C" + "ACAC" * 9 + "GTGTGTG" + "A" * 5), ("next", "AAAAACACA")]
        patterns = [(m, m) for m in ("AAA", "ACA", "NN", "CACACA", "TT")]
        words = [word for m, _ in patterns for word in ("-p", m)]
        self.file("r.fa", "".join(f">{name}\n{letters}\n" for name, letters in records))
        hits = naive.search(records, patterns, non_overlapping=True)
        for batch in ("1", "5", "1000"):
            how = ["--non-overlapping", "--batch-bases", batch, "r.fa"]
            self.assert_same_text(self.output(*words, *how), naive.bed(records, patterns, hits), batch)
            self.assert_same_text(self.output(*words, "--count", *how), naive.count_table(patterns, hits), batch)

    def test_max_hits(self):
        everything = naive.bed(lambda_records(), motifs(), lambda_hits()).splitlines(keepends=True)
        for most in (1, 7, len(everything) - 1, len(everything), len(everything) + 1, 10**15):
            for how in (["-t", "1"], ["-t", "3", "--batch-bases", "64"]):
                done = self.run_here("-f", MOTIFS_FA, "--max-hits", most, "--json", "r.json", *how, LAMBDA)
                self.assertEqual(done.returncode, 0)
                self.assert_same_text(done.stdout.decode(), "".join(everything[:most]), f"{most} {how}")
                report = json.loads((self.folder / "r.json").read_text())
                cut = most < len(everything)
                self.assertEqual((report["truncated_by_max_hits"], report["parameters"]["max_hits"]), (cut, most))
                self.assertEqual(report["hits"], min(most, len(everything)))
                self.assertEqual(f"stopped after {most} hits (--max-hits)" in done.stderr.decode(), cut, done.stderr)

    def test_max_hits_counts_kept_hits(self):
        """--non-overlapping is applied before --max-hits, which counts over all files."""
        self.file("a.fa", ">a\nAAAAAAAA\n")
        self.file("b.fa", ">b\nAAAAAAAA\n")
        found = self.output("-q", "-p", "AAA", "--non-overlapping", "--max-hits", "3", "a.fa", "b.fa")
        self.assertEqual(found, "a\t0\t3\tAAA\t1000\t+\na\t3\t6\tAAA\t1000\t+\nb\t0\t3\tAAA\t1000\t+\n")

    def test_format_of_nothing(self):
        for arguments, expected in ((["--format", "bed"], ""),
                                    (["--format", "tsv"], "record\tstart\tend\tpattern\tstrand\tmatched\n"),
                                    (["--count"], "pattern\tstrand\tcount\nACCT\t+\t0\nACCT\t-\t0\n")):
            for source in ("one_base.fa", "empty.fa"):
                self.assertEqual(self.output("-p", "ACCT", *arguments, CORNER / source), expected)

    def test_output_replaces_the_file_only_when_done(self):
        self.file("hits.bed", "old\n").chmod(0o640)
        (self.folder / "link.bed").symlink_to("hits.bed")
        self.refused(3, "-p", "A", CORNER / "bad/bad_byte.fa", files=("-o", "hits.bed"))
        self.assertEqual((self.folder / "hits.bed").read_text(), "old\n")
        self.output("-p", "A", CORNER / "one_base.fa", "-o", "link.bed")
        self.assertEqual((self.folder / "hits.bed").read_text(), "one\t0\t1\tA\t1000\t+\n")
        self.assertTrue((self.folder / "link.bed").is_symlink())
        self.assertEqual((self.folder / "hits.bed").stat().st_mode & 0o777, 0o640)
        self.assertEqual(self.listing(), ["hits.bed", "link.bed"])

    def test_output_by_descriptor(self):
        """/dev/stdout shares the file offset with the next command of the shell."""
        script = f'{{ echo before; "{BINARY}" motif -p A "{CORNER}/one_base.fa" -o /dev/stdout; echo after; }} >all.txt'
        subprocess.run(["sh", "-c", script], cwd=self.folder, check=True)
        self.assertEqual((self.folder / "all.txt").read_text(), "before\none\t0\t1\tA\t1000\t+\nafter\n")

    def test_quiet_and_verbose(self):
        warned = self.run_here("-p", "A", CORNER / "empty.fa")
        self.assertIn("warning: ", warned.stderr.decode())
        self.assertEqual(self.run_here("-q", "-p", "A", CORNER / "empty.fa").stderr, b"")
        self.assertEqual(self.run_here("-p", "A", LAMBDA).stderr, b"")
        said = self.run_here("-v", "-t", "2", "-f", MOTIFS_FA, LAMBDA).stderr.decode()
        self.assertIn(f"{LAMBDA}: gzip, decompressed by ISA-L in one thread\n", said)
        self.assertIn(f"{LAMBDA}: gzip, decompressed by ISA-L in one thread\n",  # it is small
                      self.run_here("-v", "-t", "5", "-f", MOTIFS_FA, LAMBDA).stderr.decode())
        for part in ("device: cpu, since", "algorithm: planes for", "planes on cpu", "2 threads", f"{len(lambda_hits())} hits"):
            self.assertIn(part, said)
        self.assertNotIn("as auto would match", said)
        named = self.run_here("-v", "--algorithm", "planes", "-p", "GAATTC", CORNER / "one_base.fa").stderr.decode()
        self.assertRegex(named, r"device: cpu, since matching takes it about [0-9.]+ s as auto would match, less than")

    def test_device(self):
        self.assertEqual(self.output("-p", "GAATTC", "--device", "cpu", LAMBDA), self.output("-p", "GAATTC", LAMBDA))
        done = self.run_here("--device", "gpu", "-p", "A", "-o", "hits.bed", CORNER / "one_base.fa")
        if done.returncode == 0:
            self.refused(75, "--device", "gpu:4000", "-p", "A", CORNER / "one_base.fa", says=["GPU 4000 is not usable: "])
        else:
            self.assertEqual((done.returncode, self.listing()), (75, []))
            self.assertRegex(done.stderr.decode(), r"^basesweep: GPU 0 is not usable: .*(driver|GPU|CUDA|architecture).*\n$")

    def test_instruction_set(self):
        for isa in ("avx1024", "AVX2"):
            done = self.run_here("-p", "A", CORNER / "one_base.fa", env={"BASESWEEP_ISA": isa})
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"BASESWEEP_ISA={isa}: expected sse42, avx2, avx512 or neon", done.stderr.decode())


class Program(Case):
    def call(self, *arguments):
        return subprocess.run([BINARY, *arguments], capture_output=True, check=False,
                              stdin=subprocess.DEVNULL)

    def test_version(self):
        done = self.call("--version")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertRegex(done.stdout.decode(), r"\Abasesweep \d+\.\d+\.\d+(-rc\d+)?\n\Z")

    def test_help(self):
        for arguments in (["--help"], ["-h"], ["motif", "--help"], ["bench", "--help"]):
            done = self.call(*arguments)
            self.assertEqual((done.returncode, done.stderr), (0, b""), arguments)
            self.assertIn("Usage: basesweep", done.stdout.decode())
            self.assertNotIn(b"\x1b", done.stdout)
        shown = self.call("motif", "--help").stdout.decode()
        for option in ("-p,", "-f,", "--strand", "--palindromes", "--soft-masked", "--non-overlapping", "--max-hits", "--count",
                       "--format", "-o,", "--json", "-t,", "--device", "--algorithm", "-q,", "-v,", "Examples:", "Exit codes:"):
            self.assertIn(option, shown)

    def test_wrong_options(self):
        for arguments, part in ((["motif", "--bogus"], "--bogus"), (["--bogus"], "--bogus"), (["motif", "-p"], "-p needs a value: -p MOTIF"),
                                (["frobnicate"], "there is no command 'frobnicate'")):
            done = self.call(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, b""), arguments)
            self.assertRegex(done.stderr.decode(), r"\Abasesweep: .*\nTry 'basesweep( motif)? --help'\.\n\Z")
            self.assertIn(part, done.stderr.decode())

    def test_nothing(self):
        """Without a command: the list of commands, on stderr."""
        done = self.call()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (2, b"", self.call("--help").stdout))


class TestData(Case):
    """test-data/README.md describes the files."""

    def test_checksums(self):
        rows = re.findall(r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", (FILES / "README.md").read_text(), re.MULTILINE)
        there = {str(path.relative_to(FILES)) for path in FILES.rglob("*") if path.is_file() and path.name != "README.md"}
        self.assertEqual({name for name, _ in rows}, there)
        for name, checksum in rows:
            self.assertEqual(hashlib.sha256((FILES / name).read_bytes()).hexdigest(), checksum, name)

    def test_motifs_and_counts(self):
        rows = re.findall(r"^\| (\w+) \| ([A-Z]+) \|.*\| (\d+)(?: / (\d+))? \|$", (FILES / "README.md").read_text(), re.MULTILINE)
        self.assertEqual([(name, motif) for name, motif, _, _ in rows], motifs())
        table = naive.counts(motifs(), lambda_hits())
        for name, _, plus, minus in rows:
            found = [table[key] for key in ((name, "+"), (name, "-")) if key in table]
            self.assertEqual([int(n) for n in (plus, minus) if n], found, name)
        fasta = naive.read_fasta(MOTIFS_FA.read_text())
        self.assertEqual(fasta, motifs())


if __name__ == "__main__":
    unittest.main()
