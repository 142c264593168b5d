"""Parts that are not whole, or not as they were written, are refused by `merge`, whatever happened to them."""
import itertools
import os
import random
import struct
import unittest

import part_file
from chunk_support import SEED, ChunkCase, fasta, planted, random_genome
from naive_match import reverse_complement

JASPAR = """>first\tone
A [ 1 20 20 1 1 1 ]
C [ 1 1 1 1 20 20 ]
G [ 1 1 1 1 1 1 ]
T [ 20 1 1 20 1 1 ]
"""
# Runs with rows and without, whose choice of hits merge makes in different ways.
RUNS = {"motif.bed": "motif -f motifs.tsv g.fa", "match.tsv": "match -f primers.tsv -k 1 g.fa", "match.bam": "match -f primers.tsv -k 1 g.fa",
        "best.bed": "match -f primers.tsv -k 1 --report best g.fa", "apart.tsv": "match -f primers.tsv -k 1 --report best-per-record --non-overlapping g.fa",
        "max.bed": "motif -f motifs.tsv --max-hits 5 g.fa", "count.txt": "motif -f motifs.tsv --count g.fa",
        "count.csv": "match -f primers.tsv -k 1 --count --by-edits g.fa", "circle.bed": "motif -f motifs.tsv --circular g.fa",
        "pwm.tsv": "pwm -m m.jaspar -p 0.01 g.fa", "scores.tsv": "pwm -m m.jaspar -p 0.01 --table score g.fa",
        "regions.csv": "pwm -m m.jaspar -p 0.01 --table count --per-region --regions-file regions.bed g.fa",
        "pairs.tsv": "pcr -f pairs.tsv -k 2 g.fa", "pairs.csv": "pcr -f pairs.tsv -k 2 --count g.fa",
        "guides.tsv": "guides -f guides.tsv --pam NN --pam-in-guide no -m 3 g.fa", "places.tsv": "guides -f guides.tsv --pam NN --pam-in-guide no -m 3 --hits places.bed g.fa",
        "reads.sam": "map -r g.fa -k 3 r.fq"}


class PartCase(ChunkCase):
    def setUp(self):
        super().setUp()
        records = planted(random_genome("parts", [("one", 500), ("two", 450)]), [("one", 200)], 1)
        self.file("g.fa", fasta(records))
        text = records[0][1].upper()
        self.file("pairs.tsv", "name\tforward\treverse\n" + "".join(
            f"pair{at}\t{text[at:at + 15]}\t{reverse_complement(text[at + 100:at + 115])}\n" for at in (5, 120, 290)))
        self.file("guides.tsv", "name\tguide\n" + "".join(f"g{at}\t{text[at:at + 20]}\n" for at in range(0, 480, 60) if "N" not in text[at:at + 20]))
        self.file("r.fq", "".join(f"@r{at}\n{text[at:at + 60]}\n+\n{'I' * 60}\n" for at in range(0, 440, 44)))
        self.file("m.jaspar", JASPAR)
        self.file("regions.bed", "one\t20\t300\tpeak\ntwo\t5\t450\none\t100\t101\n")
        self.rng = random.Random(SEED)

    def parts(self, words, chunks=3, label="part"):
        command, *options = words.split()
        return self.jobs(command, options, chunks, None, label)

    def refused(self, parts, name, *says, to="-"):
        """Checks that merge ends with exit code 3 and a message that begins with the name of this part."""
        done = self.attempt("merge", "-q", *parts, *(["-o", to] if to != "-" else []))
        message = done.stderr.decode()
        about = f"exit {done.returncode}, {message!r}"
        self.assertEqual(done.returncode, 3, about)
        self.assertTrue(message.startswith(f"basesweep: {name}: "), about)
        self.assertEqual(message.count("\n"), 1, about)
        for part in says:
            self.assertIn(part, message, about)
        if to != "-":
            self.assertFalse((self.folder / to).exists(), about)


class Damage(PartCase):
    def test_cut(self):
        """At the end of each section, and anywhere else."""
        for output, words in RUNS.items():
            parts = self.parts(words)
            for part in self.rng.sample(parts, 1):
                data = self.read(part)
                found = part_file.sections(data)
                ends = {0, 1, 8, part_file.HEAD.size - 1, part_file.HEAD.size, len(data) - 1}
                for section in found:
                    ends |= {section.begin, section.begin + 9, section.begin + part_file.SECTION.size, section.end}
                ends |= {self.rng.randrange(len(data)) for _ in range(6)}
                for end in sorted(ends - {len(data)}):
                    self.file(part, data[:end])
                    with self.subTest(output=output, part=part, end=end):
                        self.refused(parts, part, to=f"out.{output}")
                self.file(part, data)
            self.call("merge", "-q", *parts, "-o", f"out.{output}")
            os.unlink(self.folder / f"out.{output}")

    def test_cut_closely(self):
        part, = self.parts("motif -p GAATTC g.fa", 1)
        data = self.read(part)
        for end in range(self.rng.randrange(7), len(data), 7):  # in each word of 8 bytes
            self.file(part, data[:end])
            with self.subTest(end=end):
                self.refused([part], part)

    def test_a_changed_byte(self):
        for output, words in RUNS.items():
            parts = self.parts(words)
            for part in self.rng.sample(parts, 1):
                data = self.read(part)
                heads = [at for section in part_file.sections(data) for at in range(section.begin, section.begin + part_file.SECTION.size, 24)]
                for at in sorted({*range(0, part_file.HEAD.size, 5), *heads, *(self.rng.randrange(len(data)) for _ in range(15))}):
                    changed = bytearray(data)
                    changed[at] ^= 1 << self.rng.randrange(8)
                    self.file(part, bytes(changed))
                    with self.subTest(output=output, part=part, at=at):
                        self.refused(parts, part)
                self.file(part, data)

    def test_bytes_closely(self):
        part, = self.parts("motif -p GAATTC g.fa", 1)
        data = self.read(part)
        for at in range(self.rng.randrange(7), len(data), 7):  # in each word of 8 bytes
            changed = bytearray(data)
            changed[at] ^= 1 << self.rng.randrange(8)
            self.file(part, bytes(changed))
            with self.subTest(at=at):
                self.refused([part], part)

    def test_more_bytes(self):
        for words in list(RUNS.values())[::3]:
            parts = self.parts(words)
            data = self.read(parts[1])
            for more in (b"\0", b"\n", b"x", data, data[64:]):
                self.file(parts[1], data + more)
                with self.subTest(words=words, more=more[:3]):
                    self.refused(parts, parts[1])

    def test_overwritten_blocks(self):
        """Stretches of zeros, or of another place in the file, as a bad disk leaves them."""
        for words in list(RUNS.values())[::3]:
            parts = self.parts(words)
            data = self.read(parts[1])
            for _ in range(30):
                size = self.rng.choice((1, 8, 64, 512))
                at = self.rng.randrange(max(1, len(data) - size))
                other = self.rng.randrange(max(1, len(data) - size))
                for block in (bytes(size), data[other:other + size]):
                    changed = (data[:at] + block + data[at + size:])[:len(data)]
                    if changed == data:
                        continue
                    self.file(parts[1], changed)
                    with self.subTest(words=words, at=at, size=size):
                        self.refused(parts, parts[1])


class Sections(PartCase):
    """Sections that are whole but lost, doubled or in another place; with heads that are made to fit again, too."""

    def setUp(self):
        super().setUp()
        self.file("g.fa", fasta(random_genome("long parts", [("one", 30_000), ("two", 20_000)])))
        self.command = "match -p ACGTNACGA -k 3 --batch-bases 3000 g.fa"

    def blocks(self, data):
        return [data[section.begin:section.end] for section in part_file.sections(data)]

    def test_moved(self):
        part, other = self.parts(self.command, 2)
        data = self.read(part)
        head, blocks, strange = data[:part_file.HEAD.size], self.blocks(data), self.blocks(self.read(other))
        names = [section.name for section in part_file.sections(data)]
        self.assertGreater(names.count("rows"), 2, names)
        changes = {}
        for i in range(len(blocks)):
            changes[f"without {i}"] = blocks[:i] + blocks[i + 1:]
            changes[f"{i} twice"] = blocks[:i + 1] + blocks[i:]
            if i + 1 < len(blocks):
                changes[f"{i} swapped"] = blocks[:i] + [blocks[i + 1], blocks[i]] + blocks[i + 2:]
            if i < len(strange) and strange[i] != blocks[i]:
                changes[f"{i} of another part"] = blocks[:i] + [strange[i]] + blocks[i + 1:]
        for what, changed in changes.items():
            self.file(part, head + b"".join(changed))
            with self.subTest(what):
                self.refused([part, other], part)

    def test_rows_that_are_mended(self):
        """Even where heads fit again, the end knows how many rows there are."""
        part, other = self.parts(self.command, 2)
        data = self.read(part)
        blocks = self.blocks(data)
        rows = [i for i, section in enumerate(part_file.sections(data)) if section.name == "rows"]
        self.file(part, part_file.mended(data))
        self.call("merge", "-q", part, other, "-o", "out.bed")
        os.unlink(self.folder / "out.bed")
        for what, changed in (("lost", blocks[:rows[0]] + blocks[rows[1]:]), ("twice", blocks[:rows[1]] + blocks[rows[0]:])):
            self.file(part, part_file.mended(data[:part_file.HEAD.size] + b"".join(changed)))
            with self.subTest(what):
                self.refused([part, other], part, "rows instead of")

    def test_sections_that_are_missing(self):
        part, other = self.parts(self.command, 2)
        data = self.read(part)
        for i, section in enumerate(part_file.sections(data)):
            if section.name in ("label", "summary", "end"):
                blocks = self.blocks(data)
                self.file(part, part_file.mended(data[:part_file.HEAD.size] + b"".join(blocks[:i] + blocks[i + 1:])))
                with self.subTest(section.name):
                    self.refused([part, other], part, to="out.bed")

    def test_other_contents(self):
        """Contents that no chunk writes, with checksums that fit: options that would write files, and a report that is none."""
        part, = self.parts(self.command, 1)
        data = self.read(part)

        def change(section, contents):
            self.file(part, part_file.with_sections(data, lambda name: contents if name == section else None))

        change("words", [b"--edits=3\0--format=tsv\0"])
        self.call("merge", "-q", part, "-o", "out.bed")
        os.unlink(self.folder / "out.bed")
        for word in ("--output=stolen", "--json=stolen", "--matching-reads=stolen", "stolen", "-o", "--hits=stolen", "--pattern-file=stolen"):
            with self.subTest(word):
                change("words", [b"--edits=3\0" + word.encode() + b"\0"])
                self.refused([part], part, f"'{word}'", to="out.bed")
        for what, contents in {"none": [], "two": [b"{}", b"{}"], "empty": [b""], "an array": [b"[]"], "a number": [b'{"report":1,"truncated":false}']}.items():
            change("summary", contents)
            with self.subTest(what):
                self.refused([part], part, to="out.bed")
        change("summary", [b'{"report":{},"truncated":false,"counts":[1],"by_source":false,"by_edits":false,"width":1,"fine":[]}'])
        self.fails(3, "merge", part, "--count", says=[f"{part}: the part is damaged: its counts are not those of its patterns"])
        for label in (b"", b"basesweep-part\t0\tcommand=merge\tx\t1/1", b"basesweep-part\t0\tcommand=doctor\tx\t1/1", b"basesweep-part\t0\t\tx\t1/1"):
            change("label", [label])
            with self.subTest(label):
                self.refused([part], part, to="out.bed")

    def test_a_reference_that_cannot_be(self):
        self.file("r.fq", "@r\nGCGCGCGCGCGCGCGCGCGC\n+\n" + "I" * 20 + "\n")
        part, = self.parts("map -k 0 -r g.fa r.fq", 1)
        data = self.read(part)

        def text(letters):
            return struct.pack("<I", len(letters)) + letters

        for compression, form, fits in ((0, b"\0", True), (5, b"\1\2", True), (6, b"\0", False), (0, b"\1\3", False), (0, b"\2", False)):
            query = bytes([compression]) + form + struct.pack("<I", 1) + text(b"one") + struct.pack("<q", 500) + b"\0\0" + text(b"")
            self.file(part, part_file.with_sections(data, lambda name, query=query: [query] if name == "query" else None))
            with self.subTest(query):
                if fits:
                    self.assertIn(b"LN:500", self.merge([part], "out.sam"))
                    os.unlink(self.folder / "out.sam")
                else:
                    self.refused([part], part, "reference", to="out.sam")

    def test_another_layout(self):
        part, other = self.parts(self.command, 2)
        data = self.read(part)
        self.file(part, part_file.with_head(data, layout=77))
        for given in ([part, other], [other, part]):
            self.refused(given, part, "(layout 77)", "merge parts with the version that wrote them")


class Belonging(PartCase):
    def test_parts_of_all_pairs_of_runs(self):
        made = {output: self.parts(words, 2, output) for output, words in RUNS.items()}
        for one, other in itertools.permutations(RUNS, 2):
            if RUNS[one] == RUNS[other]:
                continue
            with self.subTest(one=one, other=other):
                self.fails(3, "merge", made[one][0], made[other][1], says=[made[one][0], made[other][1], "are not of one run"])
                self.fails(3, "merge", made[one][0], made[one][1], made[other][1], says=[made[other][1], "are not of one run"])

    def test_missing_twice_and_in_any_order(self):
        for output, words in RUNS.items():
            command, *options = words.split()
            whole = self.whole(command, options, f"whole.{output}")
            parts = self.parts(words, 3)
            for order in itertools.permutations(parts):
                self.call("merge", "-q", *order, "-o", f"merged.{output}")
                self.assertEqual(self.read(f"merged.{output}"), whole, order)
            for i in range(3):
                self.fails(3, "merge", *parts[:i], *parts[i + 1:], says=[f"missing: chunk {i + 1}/3"])
                self.fails(3, "merge", *parts, parts[i], says=[f"chunk {i + 1}/3 is given twice: {parts[i]} and {parts[i]}"])


    def test_patterns_of_another_name(self):
        """Each job may have its own copy of what is searched for."""
        for words, name in (("motif -f", "motifs.tsv"), ("match -k 1 -f", "primers.tsv"), ("pcr -k 2 -f", "pairs.tsv"),
                            ("guides --pam NN --pam-in-guide no -m 3 -f", "guides.tsv")):
            self.file(f"copy.{name}", self.read(name))
            command, *options = words.split()
            whole = self.call(command, "-q", *options, name, "g.fa")
            for i, copy in ((1, name), (2, f"copy.{name}")):
                self.call(command, "-q", *options, copy, "g.fa", "--chunk", f"{i}/2", "-o", f"{i}.bsp")
            self.assertEqual(self.call("merge", "-q", "1.bsp", "2.bsp"), whole, words)


class Nothing(PartCase):
    def test_said_as_in_one_run(self):
        """A merge that found nothing says so, unless -q is given; other merges say nothing. Chunks say nothing."""
        for output, words in (("bed", "motif -p GCGCGCGCGCGCGC g.fa"), ("txt", "motif -p GCGCGCGCGCGCGC --count g.fa"),
                              ("bam", "match -p GCGCGCGCGCGCGC -k 0 g.fa"), ("tsv", "match -p GCGCGCGCGCGCGC -k 0 --report best g.fa"),
                              ("tsv", "pwm -m m.jaspar -p 1e-9 --table count g.fa")):
            parts = self.parts(words)
            done = self.attempt("merge", *parts, "-o", f"merged.{output}")
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stderr.decode(), r"\Abasesweep: 3 parts: no hits, [0-9.]+ s\n\Z", output)
            self.assertEqual(self.attempt("merge", "-q", *parts, "-o", f"merged.{output}").stderr, b"", output)
            command, *options = words.split()
            if command != "pwm":  # which says that no word can be a hit
                self.assertEqual(self.attempt(command, *options, "--chunk", "1/3", "-o", "part").stderr, b"")
        for output, words in RUNS.items():
            if "--max-hits" not in words and "--hits" not in words:
                self.assertEqual(self.attempt("merge", *self.parts(words), "-o", f"merged.{output}").stderr, b"", output)


if __name__ == "__main__":
    unittest.main()
