"""The line at the end of a run, and warnings about text that is not nucleotide sequence."""
import gzip
import os
import pty
import subprocess
import unittest

from support import BINARY, LAMBDA, SECONDS, Case, environment

SECOND = r"[0-9]+\.[0-9]{3} s"
PROTEIN = "MKVLAAGIVGLCAKEFILPQSTRWYHDE"  # 7 of 28 letters are A, C, G, T or N


def on_terminal(folder, *arguments):
    """Returns what a run prints to stderr when that is a terminal."""
    master, slave = pty.openpty()
    done = subprocess.run([BINARY, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=slave, timeout=SECONDS,
                          check=True, env=environment(), cwd=folder)
    os.close(slave)
    shown = b""
    with os.fdopen(master, "rb", closefd=True) as terminal:
        while True:
            try:
                shown += os.read(terminal.fileno(), 1 << 16)
            except OSError:  # all was read
                break
    assert done.returncode == 0
    return shown.decode().replace("\r\n", "\n")


class Summary(Case):
    def says(self, pattern, *arguments, **options):
        done = self.run_here(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr.decode(), rf"\A{pattern}\Z", arguments)

    def reads(self):
        text = gzip.decompress(LAMBDA.read_bytes()).decode().split("\n", 1)[1].replace("\n", "")
        return self.file("reads.fa", "".join(f">r{i}\n{text[1000 * i:1000 * i + 100]}\n" for i in range(3)) +
                         f">other\n{'ACGGT' * 20}\n")

    def test_on_a_terminal(self):
        self.file("two.fa", ">a\nACGTACGT\n")
        for arguments, line in (
                (("motif", "-p", "GAATTC", LAMBDA), "1 input, 48,502 bases: 5 hits"),
                (("motif", "-p", "GAATTC", "--count", LAMBDA), "1 input, 48,502 bases: 5 hits"),
                (("motif", "-p", "GAATTC", LAMBDA, "two.fa"), "2 inputs, 48,510 bases: 5 hits"),
                (("motif", "-p", "ACGT", "--max-hits", "1", "--non-overlapping", "two.fa"), "1 input, 8 bases: 1 hit"),
                (("match", "-p", "GAATTCACGT", "-k", "0", "two.fa"), "1 input, 8 bases: no hits"),
                (("map", "-k", "2", "-r", LAMBDA, self.reads()), "1 input, 400 bases: 3 of 4 reads mapped")):
            shown = on_terminal(self.folder, *arguments)
            self.assertRegex(shown, rf"(\A|\n)basesweep: {line}, {SECOND}\n\Z")
            self.assertNotIn(" Mb/s", shown)  # of little text a rate says nothing
            self.assertEqual(on_terminal(self.folder, *arguments, "-q"), "")

    def test_more_on_a_terminal(self):
        """Patterns without hits, the rate and the files."""
        self.file("many.fa", f">a\n{'ACGTTGCA' * 250000}\n")
        shown = on_terminal(self.folder, "motif", "-p", "TTGCAA", "-p", "GGGGGG", "many.fa", "-o", "hits.bed", "--json", "run.json", "--html", "run.html")
        self.assertRegex(shown, rf"\Abasesweep: 1 input, 2,000,000 bases: 249,999 hits, 1 of 2 patterns has no hit, {SECOND}, [0-9.]+ [MG]b/s, in hits.bed, run.json and run.html\n\Z")
        shown = on_terminal(self.folder, "pcr", "--forward", "TTGCAACG", "--reverse", "CGTTGCAA", "-k", "0", "--size", "30,40", "many.fa", "--max-products", "5", "-o", "products.tsv")
        self.assertRegex(shown, rf"5 products, {SECOND}.*, in products.tsv\n\Z")

    def test_elsewhere_only_on_request(self):
        self.says("", "-p", "GAATTC", LAMBDA)
        self.says(rf"(basesweep: .*\n)*basesweep: 1 input, 48,502 bases: 5 hits, {SECOND}\n", "-v", "-p", "GAATTC", LAMBDA)
        self.says("", "-k", "2", "-r", LAMBDA, self.reads(), command="map")

    def test_nothing_found(self):
        line = rf"basesweep: 1 input, 48,502 bases: no hits, {SECOND}\n"
        for more in ((), ("--count",), ("--json", "run.json")):
            self.says(line, "-p", "GAATTCGAATTC", LAMBDA, *more)
            self.says("", "-q", "-p", "GAATTCGAATTC", LAMBDA, *more)
            self.says(line, "-p", "GAATTCGAATTCGAATTC", "-k", "2", LAMBDA, *more, command="match")
        self.file("r.fa", ">r\nACGGTACGGTACGGTACGGT\n")
        self.says(rf"basesweep: 1 input, 20 bases: none of 1 read mapped \(reads are aligned from end to end; -k or -e "
                  rf"allows more edits\), {SECOND}\n", "-k", "1", "-r", LAMBDA, "r.fa", command="map")
        self.says("", "-q", "-k", "1", "-r", LAMBDA, "r.fa", command="map")
        self.says(rf"basesweep: warning: .*: the file is empty\nbasesweep: 1 input, no bases: no reads, {SECOND}\n", "-k", "1", "-r", LAMBDA, "-", command="map", stdin=b"")

    def test_a_chunk_without_hits_is_no_surprise(self):
        self.file("plain.fa", gzip.decompress(LAMBDA.read_bytes()))
        for chunk in ("1/2", "2/2"):
            self.says("", "-p", "GAATTCGAATTC", "--chunk", chunk, "plain.fa", "-o", "part")

    def test_protein(self):
        warning = r"basesweep: warning: {}: only {} % of the letters are nucleotides \(A, C, G, T, U or N\); is this protein\?\n"
        self.file("p.fa", f">p\n{PROTEIN}\n{PROTEIN.lower()}\n")
        self.file("q.fq", f"@p\n{PROTEIN}\n+\n{'I' * 28}\n")
        self.file("d.fa", f">d\n{'ACGTA' * 40}\n")
        for name in ("p.fa", "q.fq"):
            line = warning.format(name, 25)
            self.says(rf"{line}basesweep: .*: no hits, .*\n", "-p", "GAATTC", name)
            self.says(line, "-p", "AAG", name)
            self.says("", "-q", "-p", "AAG", name)
            self.says(line, "-p", "AAG", "d.fa", name)  # the other file is sound
            self.says(line, "-p", "AAGC", "-k", "1", "-o", "x.bed", name, command="match")
            self.says(rf"{line}basesweep: .*: none of 1 read mapped.*\n", "-k", "1", "-r", "d.fa", name, command="map")
        self.says(rf"{warning.format('p.fa', 25)}basesweep: .*: none of .*\n", "-k", "1", "-r", "p.fa", "d.fa", command="map")

    def test_half(self):
        """U and N count as nucleotides in either case, other IUPAC codes do not."""
        for letters, warned in (("N" * 100, False), ("n" * 1000 + "RYKM" * 250, False), ("ACGUNacgun" + "R" * 10, False),
                                ("ACGUNacgun" + "R" * 11, True), ("ACGT" * 5000 + "L" * 19999, False),
                                ("ACGT" * 5000 + "L-*." * 5001, True), ("ACTG\n" * 20 + "lllll\n" * 20, True)):
            self.file("t.fa", f">t\n{letters}\n")
            self.file("r.fa", f">r\n{'ACGTA' * 40}\n")
            for done in (self.run_here("-p", "ACT", "t.fa"), self.run_here("-k", "0", "-r", "r.fa", "t.fa", command="map")):
                self.assertEqual(done.returncode, 0)
                self.assertEqual(b"of the letters are" in done.stderr, warned, (letters[:30], done.stderr))


if __name__ == "__main__":
    unittest.main()
