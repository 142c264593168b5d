"""Many inputs, of which the next are decompressed ahead: the same bytes for any number of threads, and faults where they are."""
import bz2
import gzip
import lzma
import random
import resource
import unittest

from support import Case, bgzf, zstd

COMPRESSIONS = (gzip.compress, bgzf, zstd, bz2.compress, lambda data: lzma.compress(data, preset=0), lambda data: data)
WORDS = ("-p", "GGATCC", "-p", "ACGTTGNA", "--format", "tsv", "--with-file")


def few_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (48, 48))


class ManyInputs(Case):
    def setUp(self):
        super().setUp()
        rand = random.Random(4)
        self.names = []
        for number in range(90):
            letters = rand.randbytes(rand.choice((0, 500, 9_000, 300_000))).translate(bytes(b"ACGT"[i % 4] for i in range(256))).decode()
            text = f">r{number}\n{letters}\n>s{number}\n{letters[:50]}\n" if number % 9 != 8 else ""
            self.names.append(self.add(f"{number}.in", COMPRESSIONS[number % len(COMPRESSIONS)](text.encode())))

    def add(self, name, data):
        self.file(name, data)
        return name

    def test_same_bytes(self):
        expected = self.output("-q", *WORDS, "-t", 1, *self.names)
        self.assertGreater(expected.count("\n"), 1000)
        for threads in (2, 3, 8):
            self.assert_same_text(self.output("-q", *WORDS, "-t", threads, *self.names), expected)
        self.assertEqual(self.output("-q", *WORDS, "-t", 4, *self.names, preexec_fn=few_descriptors), expected)
        some = [name for name in self.names if name != "40.in"]
        stdin = (self.folder / "40.in").read_bytes()
        mixed = [*some[:40], "-", *some[40:]]
        self.assertEqual(self.output("-q", *WORDS, "-t", 4, *mixed, stdin=stdin).replace("<stdin>", "40.in"), expected)

    def test_faults(self):
        """Damage, an end that comes early, text that is none: what comes before is found, and the message names the file."""
        rand = random.Random(5)
        letters = "".join(rand.choice("ACGT") for _ in range(200_000))
        good = f">bad\n{letters}\n".encode()
        for fault in range(12):
            name = rand.choice(self.names)
            compress = COMPRESSIONS[fault % 5]
            data = bytearray(compress(good))
            if fault % 3 == 0:
                data = data[:rand.randrange(len(data) // 2, len(data))]
            elif fault % 3 == 1:
                data[rand.randrange(len(data) // 3, len(data) - 30)] ^= 0x55
            else:
                data = compress(good + b">next\nAC\x07GT\n")
            kept = (self.folder / name).read_bytes()
            self.file(name, bytes(data))
            outcomes = []
            for threads in (1, 2, 6):
                done = self.run_here("-q", *WORDS, "-t", threads, *self.names)
                self.assertEqual(done.returncode, 3, (fault, name, done.stderr))
                self.assertIn(f"basesweep: {name}: ", done.stderr.decode())
                outcomes.append((done.stdout, done.stderr))
            self.assertEqual(outcomes[0], outcomes[1])
            self.assertEqual(outcomes[0], outcomes[2])
            self.file(name, kept)

    def test_early_end(self):
        """Helpers that are at work, or wait for room, end with the run."""
        large = gzip.compress((">r\n" + "ACGTTGGATCC" * 4_000_000 + "\n").encode(), 1)
        names = [self.add(f"large{i}.gz", large) for i in range(6)]
        expected = self.output("-q", "-p", "GGATCC", "--max-hits", 5, "-t", 1, *names)
        self.assertEqual(self.output("-q", "-p", "GGATCC", "--max-hits", 5, "-t", 4, *names), expected)
        self.refused(3, "-q", "-p", "GGATCC", "-t", 4, self.add("bad.fa", b"text"), *names, says="bad.fa")

    def test_mates(self):
        rand = random.Random(6)
        genome = "".join(rand.choice("ACGT") for _ in range(5000))
        self.file("ref.fa", f">c\n{genome}\n")
        words = []
        for number in range(24):
            for mate in (1, 2):
                text = "".join(f"@p{number}.{i}/{mate}\n{genome[at:at + 50]}\n+\n{'I' * 50}\n" for i, at in enumerate(rand.sample(range(4900), 40)))
                words += [f"-{mate}", self.add(f"{number}_{mate}.fq", COMPRESSIONS[number % 5](text.encode()))]
        call = ("-q", "-k", "1", "-r", "ref.fa", *words)
        expected = self.output(*call, "-t", 1, command="map")
        for threads in (2, 5):
            self.assert_same_text(self.output(*call, "-t", threads, command="map"), expected)


if __name__ == "__main__":
    unittest.main()
