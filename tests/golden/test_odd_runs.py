"""Runs that are odd in several ways at once: each once went wrong."""
import json
import os
import subprocess
import unittest

from support import BINARY, Case, environment


class OddRuns(Case):
    def start(self, *arguments, **options):
        return subprocess.run([BINARY, "motif", *map(str, arguments)], cwd=self.folder, env=environment(), **options)

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
