"""One genome and one set of reads in every form of input: the same bytes out, whoever decompresses them."""
import bz2
import gzip
import lzma
import os
import random
import shutil
import subprocess
import unittest
import zlib

import sam_tools
from support import Case, bgzf, environment, zstd

# Programs that write gzip: their names, and how they write it to stdout.
COMPRESSORS = {"pigz": ["-c"], "pigz -i": ["-c", "-i"], "libdeflate-gzip": ["-12", "-c"], "igzip": ["-1", "-c"], "igzip -3": ["-3", "-c"],
               "gzip": ["-9", "-c"]}


def random_letters(rand, size):
    unit = "".join(rand.choice("ACGT") for _ in range(1 << 16))
    pieces, left = [], size
    while left > 0:
        at = rand.randrange(len(unit) - 200)
        pieces.append(unit[at:at + rand.randrange(20, 200)])
        left -= len(pieces[-1])
    return "".join(pieces)[:size]


def deflated(data, level, strategy=zlib.Z_DEFAULT_STRATEGY):
    deflate = zlib.compressobj(level, zlib.DEFLATED, 31, 8, strategy)
    return deflate.compress(data) + deflate.flush()


class Forms(Case):
    def packed(self, name, data):
        """Writes the text in every compression that is at hand. Returns the names."""
        third = len(data) // 3
        forms = {"plain": data, "bgzf": bgzf(data), "bz2": bz2.compress(data), "xz": lzma.compress(data, preset=0), "zst": zstd(data),
                 "members": gzip.compress(data[:third], 1) + gzip.compress(b"") + gzip.compress(data[third:], 6),
                 "gzip, bgzf": gzip.compress(data[:third]) + bgzf(data[third:]), "fixed": deflated(data, 6, zlib.Z_FIXED),
                 "huffman": deflated(data, 6, zlib.Z_HUFFMAN_ONLY)}
        forms |= {f"level {level}": deflated(data, level) for level in (0, 1, 6, 9)}
        path = self.file(f"{name}.plain", data)
        for program, options in COMPRESSORS.items():
            if shutil.which(program.split()[0]):
                forms[program] = subprocess.run([program.split()[0], *options], stdin=open(path, "rb"), capture_output=True, check=True).stdout
        if shutil.which("zopfli"):
            short = len(data) // 8
            self.file("part", data[:short])
            forms["zopfli"] = subprocess.run(["zopfli", "--i1", "-c", "part"], cwd=self.folder, capture_output=True,
                                             check=True).stdout + gzip.compress(data[short:], 1)
        names = []
        for form, content in forms.items():
            names.append(f"{name}.{form}")
            self.file(names[-1], content)
        return names

    def assert_same(self, names, *arguments):
        """Checks that all inputs give what the first one gives: as files, and from a pipe."""
        expected = self.output(*arguments, names[0])
        self.assertGreater(expected.count("\n"), 100)
        for name in names:
            for helpers in ("1", "3"):
                env = environment(BASESWEEP_GZIP_THREADS=helpers)
                self.assert_same_text(self.output(*arguments, "-t", 2, name, env=env), expected, f"{name}, {helpers}")
            if not name.endswith("cram"):
                piped = subprocess.run(["cat", name], cwd=self.folder, capture_output=True, check=True).stdout
                self.assert_same_text(self.output(*arguments, "-t", 2, stdin=piped, env=env), expected, f"{name}, pipe")

    def test_genome(self):
        rand = random.Random(1)
        text = ""
        for record in range(3):
            letters = random_letters(rand, 1_100_000) + "N" * rand.randrange(30_000) + random_letters(rand, 100_000).lower()
            text += f">chr{record} more\n" + "".join(letters[i:i + 60] + "\n" for i in range(0, len(letters), 60))
        names = self.packed("genome", text.encode())
        self.output("genome.plain", "-o", "genome.2bit", command="pack")
        self.assert_same([*names, "genome.2bit"], "-p", "GGATCCNNG", "-p", "ACGTTG")

    def test_reads(self):
        rand = random.Random(2)
        letters = random_letters(rand, 1 << 20)
        qualities = "".join(rand.choice("FFFFFF:,#") for _ in range(1 << 16))
        text = ""
        for read in range(9_000):
            at, low = rand.randrange(len(letters) - 150), rand.randrange(len(qualities) - 150)
            text += f"@r{read}\n{letters[at:at + 150]}\n+\n{qualities[low:low + 150]}\n"
        names = self.packed("reads", text.encode())
        if sam_tools.have_samtools():
            for ending, options in {"bam": ["-b"], "sam": ["-h"], "cram": ["-O", "cram,no_ref=1"]}.items():
                names.append(f"reads.{ending}")
                imported = subprocess.run(["samtools", "import", "-0", "reads.plain"], cwd=self.folder, capture_output=True, check=True).stdout
                subprocess.run(["samtools", "view", *options, "-o", names[-1]], input=imported, cwd=self.folder, check=True)
        self.assert_same(names, "-p", "GGATCCNNG", "-p", "ACGTTG")

    def test_damage(self):
        """Several threads stop where one stops, and what came before is written."""
        rand = random.Random(3)
        good = gzip.compress((">r\n" + random_letters(rand, 6_000_000) + "\n").encode(), 1)
        self.assertGreater(len(good), 1 << 20)
        for number in range(6):
            bad = bytearray(good)
            bad[rand.randrange(len(good) // 2, len(good))] ^= 1 << rand.randrange(8)
            self.file("bad.gz", bytes(bad) if number % 2 == 0 else good[:rand.randrange(len(good) // 2, len(good))])
            outcomes = []
            for helpers in ("1", "3"):
                done = self.run_here("-p", "GGATCCNNG", "-t", 2, "bad.gz", env=environment(BASESWEEP_GZIP_THREADS=helpers))
                outcomes.append((done.returncode, done.stdout, [line.split(" near ")[0] for line in done.stderr.decode().splitlines() if "gzip" in line]))
            self.assertEqual(outcomes[0], outcomes[1])
            self.assertEqual(outcomes[0][0], 3, outcomes[0])
        os.unlink(self.folder / "bad.gz")

    def test_threads_of_environment(self):
        self.file("g.gz", gzip.compress(b">r\nACGTACGT\n"))
        for wrong in ("0", "-1", "4097", "all", "2x"):
            self.refused(2, "-p", "ACGT", "g.gz", files=(), says=[f"BASESWEEP_GZIP_THREADS={wrong}: expected a number from 1 to 4096"],
                         env=environment(BASESWEEP_GZIP_THREADS=wrong))
        for sound in ("", "1", "3"):
            done = self.run_here("-p", "ACGT", "g.gz", env=environment(BASESWEEP_GZIP_THREADS=sound))
            self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, 2), done.stderr)


if __name__ == "__main__":
    unittest.main()
