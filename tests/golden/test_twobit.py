""".2bit as input: the bytes of the same text as FASTA, from any byte order and version; damage; `pack`."""
import gzip
import json
import lzma
import os
import random
import struct
import unittest

import twobit
from support import LAMBDA, MOTIFS_FA, Case, bgzf, lambda_records, zstd


def fasta(records, width=60):
    return "".join(f">{name}\n" + "".join(letters[i:i + width] + "\n" for i in range(0, len(letters), width))
                   for name, letters in records)


def fai(text, width=60):
    """Returns the index of what fasta() made."""
    index, at = "", 0
    for record in text.split(">")[1:]:
        name, letters = record.split("\n", 1)
        bases, at = len(letters.replace("\n", "")), at + len(name) + 2
        index += f"{name}\t{bases}\t{at}\t{width}\t{width + 1}\n" if bases else ""
        at += len(letters)
    return index


def random_records(rand, count, longest):
    records = []
    for i in range(count):
        letters = ""
        length = rand.choice((0, 1, 2, 3, 4, 5, 63, 64, 65, rand.randrange(longest), rand.randrange(longest)))
        while len(letters) < length:
            kind = rand.choice(("ACGT", "ACGT", "acgt", "acgt", "N", "n", "GAATTC", "gaattc", "TATATATATA", "ACNT", "ACnt"))
            size = rand.choice((1, 2, 3, 7, 40, 200, 1000))
            letters += kind if len(kind) > 4 else "".join(rand.choice(kind) for _ in range(size))
        records.append((f"r{i}", letters[:length]))
    return records


class Search(Case):
    def same(self, arguments, names, command="motif", says=None):
        """Checks that all inputs give the same output, which is returned."""
        outputs = []
        for name in names:
            words = [name if word == "INPUT" else word for word in arguments]
            done = self.run_here(*words, "-q", command=command)
            self.assertEqual(done.returncode, 0, (name, done.stderr.decode()))
            outputs.append(done.stdout.decode())
        for name, output in zip(names, outputs):
            self.assert_same_text(output, outputs[0], f"{name} {arguments}")
        return outputs[0]

    def write_forms(self, records):
        self.file("r.fa", fasta(records))
        forms = {"little": ("<", 0, b""), "big": (">", 0, b""), "wide": ("<", 1, b""), "big_wide": (">", 1, b"abc")}
        for name, (order, version, gap) in forms.items():
            self.file(name, twobit.write(records, order, version, gap))
        self.file("gz", gzip.compress((self.folder / "little").read_bytes()))
        return ["r.fa", *forms, "gz"]

    def test_random(self):
        rand = random.Random(int(os.environ.get("BASESWEEP_TEST_SEED", "7")))
        for _ in range(max(2, 12 * int(os.environ.get("BASESWEEP_TEST_PERCENT", "100")) // 100)):
            records = random_records(rand, rand.randrange(1, 12), rand.choice((100, 5000))) + [("end", "GAATTCACGNT")]
            names = self.write_forms(records)
            how = [("-t", rand.choice((1, 3)), "--batch-bases", rand.choice((1, 40, 1000, 10**6)))]
            for options in ((), ("--soft-masked", "skip"), ("--count",), ("--flank", "5", "--format", "tsv")):
                found = self.same(["-p", "GAATTC", "-p", "TATA", "-p", "ACN", *options, *how[0], "INPUT"], names)
                self.assertNotEqual(found, "")
            self.file("r.fa.fai", fai(fasta(records)))
            self.same(["-p", "GAATTC", "--format", "gff3", *how[0], "INPUT"], names[:5])  # lists the records of indices
            os.unlink(self.folder / "r.fa.fai")
            for options in ((), ("--report", "all"), ("--format", "sam", "--no-PG"), ("--report", "best", "--format", "tsv")):
                self.same(["-p", "GAATTCAC", "-k", "2", *options, *how[0], "INPUT"], names, command="match")

    def test_regions_and_chunks(self):
        rand = random.Random(11)
        records = random_records(rand, 9, 5000) + [("end", "GAATTCACGNT" * 300)]
        names = self.write_forms(records)
        lengths = [(name, len(letters)) for name, letters in records if letters]
        for _ in range(15):
            regions = []
            for name, length in rand.sample(lengths, rand.randrange(1, 4)):
                begin = rand.randrange(1, length + 1)
                regions += ["--region", f"{name}:{begin}-{rand.randrange(begin, length + 1)}"]
            for command, options in (("motif", ()), ("match", ("-k", "1"))):
                self.same(["-p", "ACGT", "-p", "TATATA", *options, *regions, "INPUT"], names, command=command)
        for chunks in (1, 3, 7):
            plans = [self.same(["INPUT", "-n", str(chunks)], names[:5], command="plan")]
            self.file("plan", plans[0])
            for number in range(1, chunks + 1):
                for name in names[:5]:
                    self.output("-p", "TATATA", "-p", "GAATTC", "--chunk", f"{number}/{chunks}", "--plan", "plan", name, "-o",
                                f"{name}.{number}.bsp", "-q")
            whole = self.output("-p", "TATATA", "-p", "GAATTC", "r.fa")
            for name in names[:5]:
                parts = [f"{name}.{number}.bsp" for number in range(1, chunks + 1)]
                self.assert_same_text(self.output(*parts, command="merge"), whole, name)

    def test_only_the_region_is_read(self):
        """Damage outside of the record that is asked for does not matter."""
        data = bytearray(twobit.write([("a", "ACGT" * 500), ("b", "GAATTC" * 20), ("c", "ACGT" * 500)]))
        data[data.index(struct.pack("<2I", 2000, 0)) + 4] = 1  # one block of N, which is not there
        self.file("x.2bit", bytes(data))
        self.refused(3, "-p", "GAATTC", "x.2bit", says=["x.2bit: damaged .2bit: record 'a' (byte "])
        self.assertEqual(self.output("-p", "GAATTC", "--count", "--strand", "plus", "--region", "b:1-60", "x.2bit").split()[-1], "10")

    def test_map(self):
        records = lambda_records() + [("small", "acgtNNNNacgtRACGT".replace("R", "N") * 9)]
        names = self.write_forms(records)
        letters = records[0][1]
        self.file("r.fq", "".join(f"@r{i}\n{letters[97 * i:97 * i + 70]}\n+\n{'I' * 70}\n" for i in range(60)))
        for options in ((), ("--md5",), ("--region", "small:1-40"), ("--report", "all")):
            self.same(["-r", "INPUT", "-k", "2", "--no-PG", *options, "r.fq"], names, command="map")
        found = []
        for name in ("r.fa", "little"):
            self.output("-r", name, "-k", "2", "r.fq", "--chunk", "1/2", "-o", f"{name}.sam", "-q", command="map")
            found.append((self.folder / f"{name}.sam").read_bytes())
        self.assertEqual(found[0], found[1])
        self.refused(2, "-r", "little", "-k", "2", "r.fq", files=("-o", "out.cram"), command="map", says=["CRAM needs", ".2bit"])
        self.refused(3, "-r", "r.fa", "-k", "2", "little", files=("-o", "out.sam"), command="map", says=["little: neither FASTA nor FASTQ but 2bit"])

    def test_streams(self):
        data = twobit.write(lambda_records())
        expected = self.output("-f", MOTIFS_FA, LAMBDA)
        path = self.file("x.2bit", data)
        for pack in (bytes, gzip.compress, bgzf, zstd, lzma.compress):
            self.assert_same_text(self.output("-f", MOTIFS_FA, stdin=pack(data)), expected, "pipe")
        with open(path, "rb") as stdin:
            self.assert_same_text(self.output("-f", MOTIFS_FA, stdin=stdin), expected, "stdin")
        self.output("-f", MOTIFS_FA, "x.2bit", LAMBDA, "--json", "r.json", "--per-file", "--count")
        inputs = json.loads((self.folder / "r.json").read_text())["inputs"]
        self.assertEqual([one["format"] for one in inputs], ["2bit", "fasta"])
        self.assertEqual({one["hits"] for one in inputs}, {len(expected.splitlines())})
        self.assertEqual({(one["bases"], one["records"]) for one in inputs}, {(48502, 1)})

    def test_options(self):
        self.file("x.2bit", twobit.write([("a", "GAATTC"), ("b", "")]))
        self.refused(2, "-p", "GAATTC", "--matching-reads", "m.fa", "x.2bit", says=["--matching-reads", ".2bit"])
        self.refused(2, "-p", "GAATTC", "--fai", "x.fai", "--region", "a", "x.2bit", says=["x.2bit is .2bit, which has its own index"])
        self.refused(2, "-n", "1", "--write-index", "x.2bit", files=("-o", "plan.tsv"), command="plan", says=["x.2bit is .2bit"])
        self.refused(3, "-p", "GAATTC", "--region", "c", "x.2bit", says=["c"])
        self.file("r.fq", "@r\nACGT\n+\nIIII\n")
        self.run_here("-n", "1", "--reads", "r.fq", "-o", "reads.plan", command="plan")
        self.refused(2, "-p", "GAATTC", "--plan", "reads.plan", "--chunk", "1/1", "x.2bit", files=("-o", "out"), says=["FASTA or .2bit, which is cut at bases"])
        os.unlink(self.folder / "reads.plan")
        os.unlink(self.folder / "r.fq")
        self.file("twice.2bit", twobit.write([("a", "GAATTC"), ("a", "GAATTC")]))
        done = self.run_here("-p", "GAATTC", "twice.2bit")
        self.assertEqual((done.returncode, done.stdout.count(b"\n")), (0, 2))
        self.assertIn(b"record name 'a' was used before", done.stderr)
        done = self.run_here("-p", "GAATTC", "-k", "0", "twice.2bit", "-o", "x.sam", command="match")
        self.assertEqual((done.returncode, self.listing()), (3, ["twice.2bit", "x.2bit"]))
        self.assertIn("twice.2bit: record 'a': the name is used twice", done.stderr.decode())


class Damage(Case):
    def test_messages(self):
        good = twobit.write([("chr1", "ACGTNNacgtACGT"), ("chr2", "NNNNACGT" * 3)])
        one, two = (struct.unpack("<I", good[at:at + 4])[0] for at in (21, 30))

        def changed(at, number):
            return good[:at] + struct.pack("<I", number) + good[at + 4:]

        cases = ((changed(4, 2), ["its header (byte ", "version 2, expected 0 or 1"]),
                 (changed(8, 3), ["its index (byte "]), (changed(8, 10**9), ["its header", "1000000000 records, but the file ends at byte"]),
                 (changed(21, 10**6), ["its index", "record 'chr1' begins at byte 1000000, but the file ends at byte"]),
                 (changed(21, 20), ["record 'chr1' begins at byte 20, inside the index"]),
                 (changed(one, 10**9), ["record 'chr1' (byte ", "1000000000 bases do not fit"]),
                 (changed(one, 40), ["record 'chr1' (byte ", f"but another record begins at byte {two}"]),
                 (changed(one + 4, 10**8), ["record 'chr1' (byte ", "100000000 block of Ns"]),
                 (changed(one + 8, 13), ["record 'chr1' (byte ", "block of N number 1 has bases 14 to 15"]),
                 (changed(two + 12, 3), ["record 'chr2' (byte ", "block of N number 2 has bases 4 to 7"]),
                 (good[:-1], ["record 'chr2' (byte ", "the file ends at byte"]), (good[:10], ["its header", "it ends early"]),
                 (good[:25], ["its header", "2 records, but the file ends at byte 25"]))
        for data, says in cases:
            self.file("x.2bit", data)
            for options in ((), ("--region", "chr2:1-5")):
                if options and "'chr1' (byte" in " ".join(says):
                    continue
                self.refused(3, "-p", "ACGT", *options, "x.2bit", says=["x.2bit: damaged .2bit: ", *says])
            self.refused(3, "-p", "ACGT", stdin=data, says=["<stdin>: damaged .2bit: ", *says])
            self.refused(3, "-k", "0", "-r", "x.2bit", LAMBDA, files=("-o", "out.sam"), command="map", says=["x.2bit: damaged .2bit: "])
            self.refused(3, "x.2bit", files=("-o", "y.2bit"), command="pack", says=["x.2bit: damaged .2bit: "])

    def test_truncated_anywhere(self):
        good = twobit.write([("chr1", "ACGTNNacgtACGT"), ("chr2", "NNNNACGT" * 3), ("chr3", "acgt" * 9)])
        for size in range(len(good)):
            self.file("x.2bit", good[:size])
            done = self.run_here("-p", "ACGT", "x.2bit", "-o", "out.bed")
            self.assertEqual((done.returncode, self.listing()), (3, ["x.2bit"]), size)

    def test_flipped_bits(self):
        """A bit of the lists either makes an error or another file that is sound; nothing ends otherwise."""
        rand = random.Random(3)
        good = twobit.write(random_records(rand, 6, 300) + [("end", "GAATTCNacgt" * 9)])
        for _ in range(max(20, 300 * int(os.environ.get("BASESWEEP_TEST_PERCENT", "100")) // 100)):
            bad = bytearray(good)
            bad[rand.randrange(len(bad))] ^= 1 << rand.randrange(8)
            self.file("x.2bit", bytes(bad))
            done = self.run_here("-p", "GAATTC", "-t", "1", "x.2bit")
            self.assertIn(done.returncode, (0, 3), done.stderr)
            if done.returncode == 0:
                records = twobit.read(bytes(bad))[0]
                self.file("x.fa", fasta(records).encode(errors="surrogateescape"))
                self.assertEqual(done.stdout, self.run_here("-p", "GAATTC", "x.fa").stdout)


class Pack(Case):
    def packed(self, *arguments, **options):
        done = self.run_here(*arguments, "-o", "out.2bit", command="pack", **options)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return (self.folder / "out.2bit").read_bytes(), done.stderr.decode()

    def test_bytes(self):
        """The file is the one that the definition leads to, from any form of the text."""
        rand = random.Random(5)
        for round_ in range(max(3, 20 * int(os.environ.get("BASESWEEP_TEST_PERCENT", "100")) // 100)):
            records = random_records(rand, rand.randrange(1, 9), rand.choice((70, 5000, 100000))) + [("end", "GAATTCACGNT")]
            there = [record for record in records if record[1]]
            data = fasta(records).encode()
            for name, bytes_ in (("plain", data), ("gz", gzip.compress(data)), ("zst", zstd(data)), ("big", twobit.write(records, ">", 1))):
                self.file(name, bytes_)
                for wide in (False, True):
                    found, said = self.packed(name, "-t", rand.choice((1, 3)), *["--wide"] * wide)
                    self.assertEqual(found, twobit.write(there, "<", int(wide)), (name, round_))
                    empty = len(records) - len(there)
                    self.assertEqual(said, f"basesweep: warning: {empty} record{'s' * (empty > 1)} without bases left out\n" * (empty > 0))
            self.assertEqual(twobit.read(found), (there, 1))

    def test_stdout_and_pipe(self):
        expected = twobit.write(lambda_records())
        done = self.run_here("-", command="pack", stdin=LAMBDA.read_bytes())
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, expected, b""))
        self.file("b.fa", ">b\nACGU\n")
        self.assertEqual(self.packed(LAMBDA, "b.fa")[0], twobit.write(lambda_records() + [("b", "ACGT")]))
        self.assertEqual(self.listing(), ["b.fa", "out.2bit"])

    def test_letters(self):
        found, said = self.packed(self.file("x.fa", ">x one two\nACGTRYnN-acgk.*\nuU\n"))
        self.assertEqual(twobit.read(found)[0], [("x", "ACGTNNnNNacgnNNtT")])
        self.assertEqual(said, "basesweep: warning: 6 letters other than A, C, G, T and N became N\n")
        self.assertEqual(self.packed("x.fa", "-q")[1], "")

    def test_py2bit(self):
        try:
            import py2bit  # pylint: disable=import-outside-toplevel
        except ImportError:
            self.skipTest("no py2bit for Python")
        rand = random.Random(9)
        records = [record for record in random_records(rand, 30, 3000) if record[1]]
        self.file("x.fa", fasta(records))
        for wide in ((), ("--wide",)):
            self.packed("x.fa", *wide)
            try:
                file = py2bit.open(str(self.folder / "out.2bit"), True)
            except RuntimeError:
                self.assertTrue(wide)  # py2bit reads version 0 only
                continue
            self.assertEqual(file.chroms(), {name: len(letters) for name, letters in records})
            for name, letters in records:
                self.assertEqual(file.sequence(name), letters.replace("n", "N"), name)

    def test_refused(self):
        def refused(code, text, *says):
            self.file("x.fa", text)
            self.refused(code, "x.fa", files=("-o", "out.2bit"), command="pack", says=says)

        refused(3, ">a\nAC\n>a\nGT\n", "x.fa: record 'a': the name is used twice")
        refused(3, ">\nAC\n", "it has no name")
        refused(3, f">{'a' * 256}\nAC\n", "the name has 256 bytes, .2bit allows 255")
        refused(3, "@a\nAC\n+\nII\n", "x.fa: FASTQ, expected FASTA")
        refused(3, ">a\nAC#GT\n", "x.fa: record 'a', position 3")
        refused(3, ">a\n\n>b\n", "no record with bases")
        done = self.run_here(self.file("x.fa", ""), "-o", "out.2bit", command="pack")
        self.assertEqual((done.returncode, self.listing()), (3, ["x.fa"]))
        self.assertIn("x.fa: no record with bases", done.stderr.decode())
        self.refused(4, "missing.fa", files=("-o", "out.2bit"), command="pack", says=["missing.fa"])
        self.refused(2, files=("-o", "out.2bit"), command="pack")
        self.refused(2, LAMBDA, files=("-o", "out.fa"), command="pack", says=["out.fa", ".2bit"])
        self.refused(2, LAMBDA, files=("-o", "out.2bit.gz"), command="pack", says=["out.2bit.gz"])
        self.file("x.2bit", twobit.write([("a", "ACGT")]))
        self.refused(2, "x.2bit", files=("-o", "x.2bit"), command="pack", says=["x.2bit"])
        self.refused(2, "-p", "A", LAMBDA, files=("-o", "x.2bit"), says=["x.2bit"])


if __name__ == "__main__":
    unittest.main()
