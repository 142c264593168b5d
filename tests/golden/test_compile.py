"""`basesweep compile`: sets that it writes, searches with them, damaged sets, options that differ."""
import os
import pathlib
import random
import re
import subprocess
import time
import unittest

from support import BINARY, SANITIZED, SECONDS, Case, run

RANDOM = random.Random(19)


def letters(count, alphabet="ACGT"):
    return "".join(RANDOM.choice(alphabet) for _ in range(count))


def mutated(sequence, edits):
    """Returns the sequence with that many random edits."""
    for _ in range(edits):
        at = RANDOM.randrange(len(sequence))
        sequence = RANDOM.choice([sequence[:at] + RANDOM.choice("ACGT") + sequence[at + 1:], sequence[:at] + sequence[at + 1:],
                                  sequence[:at] + RANDOM.choice("ACGT") + sequence[at:]])
    return sequence


class CompileCase(Case):
    def setUp(self):
        super().setUp()
        self.guides = [(f"g{i}", letters(20)) for i in range(1500)]
        text = "".join(letters(40) + mutated(guide, RANDOM.randrange(4)) for _, guide in self.guides[:300])
        self.file("g.fa", f">one\n{text[:12000]}\n>two\nNN{text[12000:]}NNacgtRYacgt\n>three\n{letters(90)}\n")
        self.file("guides.tsv", "name\tsequence\n" + "".join(f"{name}\t{guide}\n" for name, guide in self.guides))
        few = self.guides[:12]
        self.file("few.fa", "".join(f">{name}\n{guide}\n" for name, guide in few))
        self.file("odd.tsv", "name\tsequence\tedits\tclamp_3prime\n"
                  f"own\t{few[0][1]}\t3\t2\niupac\t{few[1][1][:12]}NRY\t\t\ntwo\t{few[2][1]}|{few[3][1][:17]}\t\t1\n"
                  f"palindrome\tACGTTGCAACGT\t2\t\nlong\t{text[200:290]}\t9\t\n")
        pairs = [(text[at:at + 20], text[at + 300:at + 320][::-1].translate(str.maketrans("ACGT", "TGCA"))) for at in range(0, 6000, 500)]
        self.file("pairs.tsv", "name\tforward\treverse\tprobe\n" + "".join(f"p{i}\t{a}\t{b}\t\n" for i, (a, b) in enumerate(pairs)))

    def compiled(self, *arguments, name="set.bsx"):
        self.output(*arguments, "-q", "-o", name, command="compile")
        return self.folder / name

    def refused(self, code, *arguments, says, command="match"):
        done = self.run_here(*arguments, command=command)
        message = done.stderr.decode()
        self.assertEqual(done.returncode, code, message)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, message)
        self.assertEqual(done.stdout, b"")


class Searches(CompileCase):
    """A compiled set gives the bytes that its files give."""

    def same(self, files, *options, command="match", more=(), ways=((),)):
        self.compiled(*files, *options)
        search = tuple(option for option in options if option != "--pairs")
        expected = self.output(*files, *search, *more, "g.fa", command=command)
        for way in ways:
            found = self.output("-f", "set.bsx", *more, *way, "g.fa", command=command)
            self.assert_same_text(found, expected, f"{options} {way}")
            again = self.output("-f", "set.bsx", *search, *more, *way, "g.fa", command=command)
            self.assert_same_text(again, expected, f"{options} {way}, given again")
        return expected

    def test_large(self):
        """Sets with a stored table, in any order of work."""
        ways = ((), ("-t", 1, "--device", "cpu"), ("-t", 3, "--batch-bases", 777), ("--algorithm", "neighbors", "--device", "cpu"),
                ("--algorithm", "bitsliced"), ("--table-memory", "1M"))
        for options in (("-k", 3, "--max-indels", 0), ("-k", 2), ("-e", 0.15, "--clamp-3prime", 3, "--max-mismatches", 2)):
            for form in ("bed", "sam"):
                hits = self.same(("-f", "guides.tsv"), *options, more=("--format", form), ways=ways)
                self.assertGreater(hits.count("\n"), 100)
            done = self.run_here("-f", "set.bsx", "--device", "cpu", "-v", "--count", "g.fa", command="match")
            self.assertIn(b"neighbors: a stored table of ", done.stderr, options)

    def test_options(self):
        """All that a set keeps has its effect."""
        for options in (("-k", 2), ("-k", 3, "--max-dna-bulges", 1), ("-k", 3, "--max-rna-bulges", 0), ("-e", 0.2, "--strand", "minus"),
                        ("-k", 2, "--palindromes", "both"), ("-k", 4, "--clamp-5prime", 2, "--strand", "plus", "--max-indels", 1)):
            for files in (("-f", "odd.tsv"), ("-f", "few.fa", "-p", "x=GATTACAGATT", "-p", "ACGTACGTACGT")):
                self.same(files, *options, more=("--format", "tsv", "--report", "best"))
                self.same(files, *options)
        self.same(("-f", "odd.tsv"), "-k", 2, more=("--overhang", 5, "--format", "tsv"))
        self.same(("-f", "few.fa"), "-k", 1, more=("--format", "sam", "--report", "best-per-record", "--best-of", "record"))

    def test_own_edits(self):
        """Where all patterns have edits of their own, -k is not needed."""
        self.file("own.tsv", f"name\tsequence\tedits\na\t{self.guides[0][1]}\t2\nb\t{self.guides[1][1]}\t1\n")
        self.same(("-f", "own.tsv"))
        self.refused(3, "-f", "odd.tsv", "-o", "x.bsx", command="compile", says="has no number of edits of its own")

    def test_motif(self):
        for options in ((), ("--strand", "plus"), ("--palindromes", "both")):
            self.same(("-f", "few.fa", "-p", "GATNAC", "-p", "ACGT"), *options, command="motif", more=("--format", "tsv"), ways=((), ("-t", 3), ("--count",))[:2])
        self.same(("-f", "guides.tsv"), command="motif", ways=((), ("--algorithm", "qgrams")))

    def test_pairs(self):
        for options in (("-k", 2), ("-k", 3, "--clamp-3prime", 3, "--max-indels", 0)):
            for more in ((), ("--size", "100,400"), ("--pool",), ("--single", "--count")):
                products = self.same(("-f", "pairs.tsv"), "--pairs", *options, command="pcr", more=more, ways=((), ("-t", 3)))
            self.assertGreater(products.count("\n"), 10)

    def test_order_of_pools(self):
        """The primers of a pool stand in the order of the files and their lines, whatever the order of the pairs."""
        lines = (self.folder / "pairs.tsv").read_text().splitlines()[1:]
        pairs = [line.split("\t") for line in lines]
        for name, some in (("a.tsv", pairs[:5]), ("b.tsv", pairs[5:])):
            left = "".join(f"{pair}_LEFT\t{forward}\n" for pair, forward, _, _ in reversed(some))
            right = "".join(f"{pair}_RIGHT\t{reverse}\n" for pair, _, reverse, _ in some)
            self.file(name, "name\tsequence\n" + right + left)
        for files in (("-f", "a.tsv"), ("-f", "b.tsv", "-f", "a.tsv")):
            products = self.same(files, "--pairs", "-k", 2, command="pcr", more=("--pool", "--size", "0,3000"))
            self.assertGreater(products.count("\n"), 10)

    def test_chunks(self):
        """Parts hold the patterns, whether from the set or from its files, so merge needs neither."""
        self.compiled("-f", "few.fa", "-k", 2)
        whole = self.output("-f", "few.fa", "-k", 2, "--format", "bed", "g.fa", command="match")
        for words in (("-f", "few.fa", "-k", 2), ("-f", "set.bsx")):
            for i in (1, 2):
                self.output(*words, "--chunk", f"{i}/2", "g.fa", "-o", f"{i}.bsp", command="match")
            if "set.bsx" in words:
                (self.folder / "set.bsx").unlink()
            self.assertEqual(self.output("1.bsp", "2.bsp", "--format", "bed", command="merge"), whole)

    def test_same_file(self):
        """The bytes of a set do not depend on threads; stdout takes it too."""
        one = self.compiled("-f", "guides.tsv", "-k", 3, "-t", 1, name="a.bsx").read_bytes()
        self.assertEqual(self.compiled("-f", "guides.tsv", "-k", 3, "-t", 4, name="b.bsx").read_bytes(), one)
        self.assertEqual(self.run_here("-f", "guides.tsv", "-k", 3, command="compile").stdout, one)

    def test_table_memory(self):
        small = self.compiled("-f", "guides.tsv", "-k", 3, "--max-indels", 0, "--table-memory", 1, name="small.bsx")
        large = self.compiled("-f", "guides.tsv", "-k", 3, "--max-indels", 0)
        self.assertLess(small.stat().st_size, 200_000)
        self.assertGreater(large.stat().st_size, 1_000_000)
        self.assertEqual(self.output("-f", "small.bsx", "g.fa", command="match"), self.output("-f", "set.bsx", "g.fa", command="match"))


class Refusals(CompileCase):
    def test_options_that_differ(self):
        self.compiled("-f", "few.fa", "-k", 2, "--clamp-3prime", 3, "--strand", "plus")
        for given, kept in (("-k 3", "with -k 2"), ("-e 0.1", "with -k 2"), ("--clamp-3prime 2", "with --clamp-3prime 3"),
                            ("--clamp-3prime 0", "with --clamp-3prime 3"), ("--max-indels 0", "without --max-indels"),
                            ("--max-mismatches 1", "without --max-mismatches"), ("--max-dna-bulges 1", "without --max-dna-bulges"),
                            ("--max-rna-bulges 1", "without --max-rna-bulges"), ("--clamp-5prime 1", "with --clamp-5prime 0"),
                            ("--strand both", "with --strand plus"), ("--palindromes both", "with --palindromes once")):
            self.refused(2, "-f", "set.bsx", *given.split(), "g.fa", says=f"{given}: set.bsx was compiled {kept}: leave ")
        self.compiled("-f", "few.fa", "-e", 0.1, "--max-indels", 0)
        self.refused(2, "-f", "set.bsx", "-k", 2, "g.fa", says="-k 2: set.bsx was compiled with -e 0.1")
        self.refused(2, "-f", "set.bsx", "--max-indels", 1, "g.fa", says="--max-indels 1: set.bsx was compiled with --max-indels 0")

    def test_kinds(self):
        """Each command takes sets of its own kind."""
        kinds = {"match": ("-f", "few.fa", "-k", 2), "motif": ("-f", "few.fa"), "pcr": ("--pairs", "-f", "pairs.tsv", "-k", 2)}
        for kind, arguments in kinds.items():
            self.compiled(*arguments)
            for command in kinds:
                if command != kind:
                    self.refused(2, "-f", "set.bsx", "g.fa", command=command, says=["set.bsx was compiled with", f"for {kind}", f"{command} takes sets compiled"])

    def test_alone(self):
        self.compiled("-f", "few.fa", "-k", 2)
        alone = "-f set.bsx: a compiled set cannot be searched together with other patterns"
        self.refused(2, "-f", "set.bsx", "-p", "ACGT", "g.fa", says=alone)
        self.refused(2, "-f", "few.fa", "-f", "set.bsx", "g.fa", says=alone)
        self.refused(2, "-f", "set.bsx", "--name-column", 1, "g.fa", says="set.bsx is a compiled set")
        self.compiled("--pairs", "-f", "pairs.tsv", "-k", 2)
        self.refused(2, "-f", "set.bsx", "--forward", "ACGT", "--reverse", "ACGT", "g.fa", command="pcr", says=alone)

    def test_compile(self):
        """Wrong calls of `compile` leave no file."""
        for code, arguments, says in (
                (2, ("-k", 2), "no pattern given"), (2, ("-f", "few.fa", "-k", 2, "-e", 0.1), "-k"), (2, ("-f", "few.fa", "--max-indels", 0), "--max-indels needs -k or -e"),
                (2, ("-f", "few.fa", "-k", 25), ""), (2, ("--pairs", "-k", 2), "--pairs needs a file"), (2, ("--pairs", "-f", "pairs.tsv"), "-k"),
                (2, ("--pairs", "-f", "pairs.tsv", "-k", 2, "--strand", "plus"), "--strand and --pairs conflict"), (4, ("-f", "missing.fa"), "missing.fa")):
            done = self.run_here(*arguments, "-o", "new.bsx", command="compile")
            self.assertIn(done.returncode, (code, 3) if "25" in map(str, arguments) else (code,), done.stderr)
            self.assertIn(says, done.stderr.decode())
            self.assertFalse((self.folder / "new.bsx").exists())
        self.refused(2, "-f", "few.fa", "-o", "set.bed", command="compile", says="set.bed: the output is a compiled set")
        self.refused(2, "-f", "few.fa", "-o", "set.bsx.gz", command="compile", says="already compressed")
        self.refused(4, "-f", "few.fa", "-o", "no/set.bsx", command="compile", says="no/set.bsx")

    def test_damage(self):
        """A set that was cut off or changed is refused, whatever was changed."""
        whole = self.compiled("-f", "guides.tsv", "-k", 3, "--max-indels", 0).read_bytes()
        sizes = [*range(65), len(whole) // 2, len(whole) - 65, len(whole) - 1]
        for size in sizes + RANDOM.sample(range(len(whole)), 10):
            self.file("cut.bsx", whole[:size])
            self.assertEqual(run("-f", "cut.bsx", "g.fa", command="match", cwd=self.folder).returncode, 3, size)
        self.file("cut.bsx", whole[:-1])
        self.refused(3, "-f", "cut.bsx", "g.fa", says=["cut.bsx: the compiled set is not complete", "basesweep compile"])
        self.file("cut.bsx", whole + b"\0")
        self.refused(3, "-f", "cut.bsx", "g.fa", says="cut.bsx: the compiled set is not complete, or was changed")
        for place in [*range(8, 200, 3)] + RANDOM.sample(range(200, len(whole)), 60):
            changed = bytearray(whole)
            changed[place] ^= 1 << RANDOM.randrange(8)
            self.file("bad.bsx", bytes(changed))
            done = self.run_here("-f", "bad.bsx", "g.fa", command="match")
            self.assertEqual(done.returncode, 3, place)
            self.assertRegex(done.stderr.decode(), r"^basesweep: bad\.bsx: .*: write it again with 'basesweep compile'\n$")
        for place in range(8):  # no longer a compiled set
            changed = bytearray(whole)
            changed[place] ^= 1
            self.file("bad.bsx", bytes(changed))
            self.assertEqual(self.run_here("-f", "bad.bsx", "-k", 3, "g.fa", command="match").returncode, 3, place)

    def test_other_version(self):
        whole = bytearray(self.compiled("-f", "few.fa", "-k", 2).read_bytes())
        whole[8] = 77
        self.file("old.bsx", bytes(whole))
        self.refused(3, "-f", "old.bsx", "g.fa", says=["old.bsx: the set was compiled by another version of basesweep", "write it again with 'basesweep compile'"])

    @unittest.skipIf(SANITIZED, "sanitizers handle SIGBUS")
    def test_cut_while_it_is_used(self):
        """The kernel then ends the process by SIGBUS, unless it is handled."""
        path = self.compiled("-f", "guides.tsv", "-k", 3, "--max-indels", 0)
        words = [BINARY, "match", "-f", "set.bsx", "--algorithm", "neighbors", "-", "-o", "hits.bed", "--json", "report.json"]
        with subprocess.Popen(words, cwd=self.folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            maps = pathlib.Path(f"/proc/{process.pid}/maps")
            while "set.bsx" not in maps.read_text():
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            os.truncate(path, 4096)
            _, said = process.communicate((self.folder / "g.fa").read_bytes(), SECONDS)
        self.assertEqual(process.returncode, 4, said)
        self.assertTrue(said.endswith(b"basesweep: a compiled set cannot be read any more: it became shorter, or its disk failed\n"), said)
        self.assertEqual([name for name in self.listing() if name.startswith(("hits", "report"))], [])

    def test_not_mapped(self):
        """A set must be a file that can be mapped."""
        whole = self.compiled("-f", "few.fa", "-k", 2).read_bytes()
        done = self.run_here("-f", "-", "-k", 2, "g.fa", command="match", stdin=whole)
        self.assertEqual(done.returncode, 3)
        self.assertTrue(re.search(rb"a compiled set", done.stderr), done.stderr)
