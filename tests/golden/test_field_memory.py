"""Patterns that hit at most positions, in bounded memory; many tiny records, circular and in .2bit, as fast as in FASTA."""

import itertools
import os
import random
import subprocess
import time
import unittest

from support import BINARY, SANITIZED, Case, environment

MEGABYTE = 1 << 10  # in units of ru_maxrss


def fasta(records):
    return "".join(f">{name}\n{text}\n" for name, text in records)


def bases(rng, count):
    return "".join(rng.choices("ACGT", k=count))


@unittest.skipIf(SANITIZED, "sanitizers take memory and time of their own")
class Peak(Case):
    def peak(self, command, *arguments):
        """Runs the program with its output thrown away; returns its peak memory and how many bytes it wrote."""
        process = subprocess.Popen([BINARY, command, *map(str, arguments), "-q", "-t", "2", "--device", "cpu"], cwd=self.folder,
                                   env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        written = 0
        while chunk := process.stdout.read(1 << 20):
            written += len(chunk)
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
        process.stdout.close()
        process.stderr.close()
        self.assertEqual(process.returncode, 0, errors)
        return usage.ru_maxrss, written

    def bounded(self, megabytes, least_written, command, *arguments):
        memory, written = self.peak(command, *arguments)
        self.assertGreaterEqual(written, least_written)
        self.assertLess(memory, megabytes * MEGABYTE, (command, *arguments))

    def setUp(self):
        super().setUp()
        rng = random.Random(1)
        self.text = bases(rng, 1000)
        self.file("one.tsv", "".join(f"p{i}\t{'ACGT'[i % 4]}\n" for i in range(20000)))
        self.file("n.tsv", "".join(f"p{i}\t{'N' * (1 + i % 7)}\n" for i in range(1000)))
        self.file("eight.tsv", "".join(f"p{i}\t{bases(rng, 8)}\n" for i in range(500)))
        self.file("long.tsv", "".join(f"p{i}\t{bases(rng, 300)}\n" for i in range(3)))
        self.file("s.fa", fasta([("s", self.text)]))
        self.file("a.fa", fasta([("a", "A" * 1000)]))
        self.file("ring.fa", fasta([("s", self.text[:300]), ("t", "ACGTTGCATT" * 30)]))

    def test_one_base_motifs(self):
        self.bounded(250, 10**8, "motif", "-f", "one.tsv", "s.fa")
        self.bounded(250, 10**8, "motif", "-f", "one.tsv", "a.fa")

    def test_formats(self):
        for name, more in (("tsv", ()), ("gff3", ()), ("fasta", ()), ("bed", ("--circular",)), ("bed", ("--non-overlapping",))):
            self.bounded(250, 10**6, "motif", "-f", "n.tsv", "--format", name, *more, "s.fa")

    def test_counts(self):
        self.bounded(250, 1, "motif", "-f", "one.tsv", "--count", "s.fa")
        self.bounded(250, 1, "match", "-f", "eight.tsv", "-k", 4, "--count", "s.fa")

    def test_edits(self):
        for more in ((), ("--report", "best"), ("--report", "best-per-record"), ("--report", "minima"), ("--circular",)):
            self.bounded(250, 1, "match", "-f", "eight.tsv", "-k", 4, "--format", "bed", *more, "ring.fa")

    def test_nearly_all_edits(self):
        self.bounded(250, 10**7, "match", "-f", "long.tsv", "-k", 250, "--report", "all", "--format", "fasta", "--max-hits", 300000,
                     "ring.fa")

    def test_max_hits(self):
        """The rest of the hits is neither found nor kept."""
        for _ in range(2):
            start = time.monotonic()
            self.bounded(100, 1, "motif", "-f", "one.tsv", "--max-hits", 10, "s.fa")
            self.assertLess(time.monotonic() - start, 20)


class SameBytes(Case):
    """However many hits a batch may have before it is cut."""

    def jobs(self):
        both = (("motif", "-p", "A", "-p", "AA", "-p", "N", "-p", "RYN"), ("match", "-k", 2, "-p", "ACGTA", "-p", "TTGCN"))
        words = ((), ("--format", "tsv"), ("--count",), ("--non-overlapping",), ("--max-hits", 37), ("--circular",),
                 ("--circular", "--format", "tsv"), ("--soft-masked", "skip"), ("--region", "b:20-60", "--region", "e:3-4"))
        for job, more in itertools.product(both, words):
            yield (*job, *(("--format", "bed") if job[0] == "match" and not {"--format", "--count"} & set(more) else ()), *more)
        for report in ("minima", "all", "best", "best-per-record"):
            yield ("match", "-k", 3, "-p", "ACGTA", "-p", "GGATT", "--report", report, "--format", "sam")
        yield ("match", "-e", 0.4, "-p", "ACGTA", "-p", "GGATT", "--overhang", 2, "--format", "tsv")
        yield ("match", "-e", 0.4, "-p", "ACGTA", "-p", "GGATT", "--overhang", 2, "--format", "tsv", "--report", "all")
        yield ("pwm", "-m", "m.jaspar", "-p", 0.5)
        for more in ((), ("--pool",), ("--circular",), ("--report", "best"), ("--max-products", 29)):
            yield ("pcr", "-f", "pairs.tsv", "-k", 2, "--size", "0,80", *more)
        yield ("guides", "-f", "guides.tsv", "-m", 12, "--hits", "-", "-o", "table.tsv")
        yield ("guides", "-f", "guides.tsv", "-m", 12, "--hits-all", "--hits", "-", "-o", "table.tsv")

    def test_all(self):
        rng = random.Random(2)
        records = [("a", "ACGTTGCATT" * 20), ("b", bases(rng, 70) + "NNNNN" + bases(rng, 20).lower()), ("c", "A" * 90), ("d", "AC")]
        records += [("e", bases(rng, 300)), ("f", "GG")]
        self.file("g.fa", fasta(records))
        self.file("pairs.tsv", "x\tACGTA\tTTGCA\ny\tGGATT\tCATTA\n")
        self.file("guides.tsv", "".join(f"g{i}\t{bases(rng, 20)}\n" for i in range(5)))
        rows = "\n".join(f"{base} [ {' '.join(str(rng.randrange(9)) for _ in range(5))} ]" for base in "ACGT")
        self.file("m.jaspar", f">M1 one\n{rows}\n")
        for job in self.jobs():
            command, *words = job
            expected = self.output(*words, "-t", 1, "g.fa", command=command)
            self.assertTrue(expected, job)
            table = (self.folder / "table.tsv").read_bytes() if command == "guides" else b""
            for hits, threads in ((1, 1), (3, 3), (20, 2)):
                found = self.output(*words, "-t", threads, "g.fa", command=command, env=environment(BASESWEEP_BATCH_HITS=str(hits)))
                self.assert_same_text(found, expected, f"{job}, {hits} hits, {threads} threads")
                if command == "guides":
                    self.assertEqual((self.folder / "table.tsv").read_bytes(), table)

    def test_reports_of_records(self):
        """Records that are written out by whether they have hits."""
        rng = random.Random(3)
        self.file("g.fa", fasta([(f"r{i}", bases(rng, rng.randint(1, 30))) for i in range(60)]))
        words = ("-p", "AC", "-p", "N", "--matching-reads", "with.fa", "--other-reads", "without.fa", "g.fa")
        expected = self.output(*words), (self.folder / "with.fa").read_text(), (self.folder / "without.fa").read_text()
        found = self.output(*words, env=environment(BASESWEEP_BATCH_HITS="2"))
        self.assertEqual((found, (self.folder / "with.fa").read_text(), (self.folder / "without.fa").read_text()), expected)

    def test_wrong_number(self):
        self.file("g.fa", ">r\nACGT\n")
        for wrong in ("0", "x", "-1"):
            self.refused(2, "-p", "ACGT", "g.fa", says=[f"BASESWEEP_BATCH_HITS={wrong}: expected a number of hits"], files=(),
                         env=environment(BASESWEEP_BATCH_HITS=wrong))


class TinyRecords(Case):
    def seconds(self, *words, command="motif"):
        best = 1e9
        for _ in range(2):
            start = time.monotonic()
            self.output(*words, "-q", "-t", 2, command=command)
            best = min(best, time.monotonic() - start)
        return best

    @unittest.skipIf(SANITIZED, "times")
    def test_times(self):
        """Of 200,000 records: all took twenty times as long, or more."""
        rng = random.Random(4)
        self.file("t.fa", fasta([(f"r{i}", bases(rng, 3)) for i in range(200000)]))
        self.file("u.fa", fasta([(f"r{i}", bases(rng, 30)) for i in range(200000)]))
        self.file("pairs.tsv", f"x\t{bases(rng, 20)}\t{bases(rng, 20)}\n")
        self.output("-q", "t.fa", "-o", "t.2bit", command="pack")
        long = bases(rng, 2048)
        plain = self.seconds("-p", long, "t.fa")
        for words in (("-p", long, "--circular", "t.fa"), ("-p", long, "--circular=r5", "t.fa"), ("-p", long, "t.2bit")):
            self.assertLess(self.seconds(*words), 5 * plain + 1, words)
        edits = ("-p", long, "-k", "3", "--format", "bed")
        self.assertLess(self.seconds(*edits, "--circular", "t.fa", command="match"), 5 * self.seconds(*edits, "t.fa", command="match") + 1)
        pcr = ("-f", "pairs.tsv", "-k", "1", "u.fa")
        self.assertLess(self.seconds(*pcr, "--circular", command="pcr"), 5 * self.seconds(*pcr, command="pcr") + 1)
        self.assertLess(self.seconds("t.fa", "-o", "again.2bit", command="pack"), 5 * plain + 1)

    def test_circular_hits(self):
        """Of patterns shorter and longer than their records: the text is the record without end, hits are not longer than it."""
        rng = random.Random(5)
        records = [(f"r{i}", bases(rng, rng.randint(1, 12))) for i in range(300)]
        patterns = sorted({bases(rng, length) for length in (1, 2, 2, 3, 4, 6, 9, 40, 300)})
        self.file("t.fa", fasta(records))
        self.file("p.tsv", "".join(f"{pattern}\t{pattern}\n" for pattern in patterns))
        expected = [f"{name}\t{start}\t{start + len(pattern)}\t{pattern}" for name, text in records for start in range(len(text))
                    for pattern in sorted(patterns, key=lambda one: (len(one), patterns.index(one)))
                    if len(pattern) <= len(text) and (text * 3)[start:start + len(pattern)] == pattern]
        self.output("-q", "t.fa", "-o", "t.2bit", command="pack")
        for command, more in (("motif", ()), ("match", ("-k", "0"))):
            for name, threads in (("t.fa", 1), ("t.2bit", 3)):
                found = self.output("-f", "p.tsv", "--strand", "plus", "--circular", "--format", "tsv", "-t", threads, *more, name,
                                    command=command)
                self.assertEqual(["\t".join(line.split("\t")[:4]) for line in found.splitlines()[1:]], expected)
        longer = [pattern for pattern in patterns if len(pattern) > 12]
        self.assertEqual(self.output("-p", longer[0], "--circular", "t.fa"), "")

    def test_records_of_twobit(self):
        """Read many at a time, between records of many lengths, blocks of N and of lower case, in any order of the index."""
        rng = random.Random(6)
        records = [(f"r{i}", bases(rng, rng.choice([1, 2, 3, 5, 30, 300, 5000])) + "N" * rng.choice([0, 0, 3]) +
                    bases(rng, rng.choice([0, 9])).lower()) for i in range(2000)]
        records.insert(700, ("long", bases(rng, 2_000_000)))
        self.file("t.fa", fasta(records))
        self.output("-q", "t.fa", "-o", "t.2bit", command="pack")
        words = ("-p", "GATTN", "-p", "ACG", "--soft-masked", "skip")
        self.assert_same_text(self.output(*words, "t.2bit"), self.output(*words, "t.fa"))
        regions = ("--region", "r5", "--region", "r1500:1-2", "--region", "long:1000000-1000400")
        self.assert_same_text(self.output(*words, *regions, "t.2bit"), self.output(*words, *regions, "t.fa"))


if __name__ == "__main__":
    unittest.main()
