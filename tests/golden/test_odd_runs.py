"""Runs that are odd in several ways at once. Each of them once failed."""
import gzip
import json
import os
import subprocess
import unittest

from support import BINARY, Case, bgzf, environment


class OddRuns(Case):
    def start(self, *arguments, **options):
        return subprocess.run([BINARY, "motif", *map(str, arguments)], cwd=self.folder, env=environment(), check=False,
                              **options)

    def test_stderr_cannot_be_written(self):
        self.file("twice.fa", ">a\nACGT\n>a\nACGT\n")
        with open("/dev/full", "wb") as full:
            self.assertEqual(self.start("-p", "A", "nofile.fa", stderr=full).returncode, 4)
            done = self.start("-p", "ACGT", "twice.fa", stderr=full, stdout=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stdout.count(b"\n")), (0, 2))

    def test_names_that_are_not_utf8(self):
        with open(os.path.join(self.folder, "motifs.fa"), "wb") as file:
            file.write(b">caf\xe9\nACGT\n")
        self.file("in.fa", ">a\nACGT\n")
        self.assertEqual(self.start("-f", "motifs.fa", "in.fa", "-o", "out.bed", "--json", "out.json").returncode, 0)
        with open(os.path.join(self.folder, "out.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["hits"], 1)

    def test_tsv_with_one_long_motif(self):
        self.file("motifs.tsv", "long\t" + "ACGTTGCA" * 100_000 + "\nA\tA\n")
        self.file("in.fa", ">a\n" + "A" * 1_000_000 + "\n")
        done = self.start("-f", "motifs.tsv", "in.fa", "--strand", "plus", "--format", "tsv", "-o", "out.tsv")
        self.assertEqual(done.returncode, 0)
        with open(os.path.join(self.folder, "out.tsv"), encoding="ascii") as file:
            self.assertEqual(sum(1 for _ in file), 1_000_001)

    def test_enough_hits_before_bad_input(self):
        for position in (2_500_000, 6_000_000):
            text = "GATTACA" * 5 + "C" * position + "1\n"
            self.file("in.fa", ">a\n" + text)
            for threads in (1, 2, 4):
                enough = self.start("-p", "GATTACA", "--max-hits", 3, "-t", threads, "in.fa", "-q", stdout=subprocess.PIPE)
                self.assertEqual((enough.returncode, enough.stdout.count(b"\n")), (0, 3), (position, threads))
                all_of_it = self.start("-p", "GATTACA", "--max-hits", 9, "-t", threads, "in.fa", "-q",
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.assertEqual((all_of_it.returncode, all_of_it.stdout.count(b"\n")), (3, 5), (position, threads))

    def max_hits(self, most, name, threads):
        """Returns exit code, hits and message of a search for GATTACA with --max-hits."""
        done = self.start("-p", "GATTACA", "--max-hits", most, "-t", threads, "-q", name, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
        return done.returncode, done.stdout.count(b"\n"), done.stderr.decode()

    def assert_hits_before_the_fault(self, name, hits, says):
        """A fault after the last wanted hit does not matter; before it, it is an error, after all hits before it."""
        for threads in (1, 2, 4):
            self.assertEqual(self.max_hits(hits - 1, name, threads), (0, hits - 1, ""), (name, threads))
            code, found, message = self.max_hits(hits, name, threads)
            self.assertEqual((code, found), (3, hits), (name, threads, message))
            self.assertIn(says, message, (name, threads))
        self.refused(3, "-p", "GATTACA", name, says=[name, says])

    def test_hits_before_a_broken_fastq_record(self):
        good, bad = "@r1\n" + "GATTACA" * 2 + "\n+\n" + "I" * 14 + "\n", "@r2\nGATTACA\n+\nIII\n@third\nA\n+\nI\n"
        for copies in (1, 3, 60_000):
            text = good + "@n\nCCCCCCC\n+\nIIIIIII\n" * (copies - 1) + bad
            for name, data in (("in.fq", text), ("in.fq.gz", gzip.compress(text.encode(), 1)), ("in.fq.bgz", bgzf(text.encode()))):
                self.file(name, data)
                self.assert_hits_before_the_fault(name, 2, f"record 'r2' (line {4 * copies + 1})")

    def test_hits_before_damaged_compression(self):
        for letters in (32_000, 800_000, 3_000_000):
            text = b">a\n" + b"GATTACA" * 3 + b"C" * letters + b"\n"
            rest = b">b\n" + b"GATTACA" * 2 + b"\n"
            for pack in (gzip.compress, bgzf):
                name = f"in.{pack.__name__}"
                good, more = pack(text), pack(rest)
                self.file(name, good + more[:len(more) // 3])
                self.assert_hits_before_the_fault(name, 3, "truncated")
                self.file(name, good[:-1] if pack is gzip.compress else good[:-28])  # the text is complete
                self.assert_hits_before_the_fault(name, 3, "truncated")
                self.file(name, good + b"rubbish that is not a header")
                self.assert_hits_before_the_fault(name, 3, "damaged")

    def test_output_appended_to_the_input(self):
        self.file("in.fa", ">a\nACGT\n")
        with open(os.path.join(self.folder, "in.fa"), "ab") as file:
            done = self.start("-p", "ACGT", "in.fa", stdout=file, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"input and output", done.stderr)

    def test_closed_pipe_leaves_no_report(self):
        self.file("in.fa", ">a\n" + "A" * 3_000_000 + "\n")
        command = f"{BINARY} motif -p A in.fa --json out.json | head -n 1"
        subprocess.run(["bash", "-c", command], cwd=self.folder, env=environment(), stdout=subprocess.DEVNULL, check=True)
        self.assertEqual(self.listing(), ["in.fa"])


if __name__ == "__main__":
    unittest.main()
