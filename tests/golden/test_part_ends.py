"""Parts know their own length: one that was cut anywhere, or lost, gained or repeated a line, is refused by `merge`."""
import gzip
import re
import struct
import unittest

from chunk_support import ChunkCase, fasta, planted, random_genome
from support import bgzf

# The runs whose parts are cut, by the ending of their names.
KINDS = {
    "bed": "motif -f motifs.tsv g.fa",
    "bed.gz": "motif -f motifs.tsv g.fa",
    "tsv": "match -f primers.tsv -k 1 g.fa",
    "gff3": "match -f primers.tsv -k 1 g.fa",
    "fa": "match -f primers.tsv -k 1 g.fa",
    "txt": "match -f primers.tsv -k 1 --count --by-edits g.fa",
    "sam": "match -f primers.tsv -k 1 g.fa",
    "sam.gz": "match -f primers.tsv -k 1 g.fa",
    "bam": "match -f primers.tsv -k 1 g.fa",
    "map.sam": "map -k 1 -r g.fa r.fq",
    "map.bam": "map -k 1 -r g.fa r.fq",
    "hits-only.bam": "map -k 1 -r g.fa r.fq --hits-only",
    # What merge chooses among all hits, it reads in other ways.
    "max.bed": "motif -f motifs.tsv --max-hits 5 g.fa",
    "apart.txt": "motif -f motifs.tsv --non-overlapping --count g.fa",
    "best.tsv": "match -f primers.tsv -k 1 --report best-per-record g.fa",
    "best.bam": "match -f primers.tsv -k 1 --report best --max-hits 3 g.fa",
    "circle.bed": "motif -f motifs.tsv --circular g.fa",
    "pwm.bed": "pwm -m m.jaspar -p 0.05 g.fa",
    "pwm.txt": "pwm -m m.jaspar -p 0.05 --count g.fa",
    "pcr.tsv": "pcr -f pairs.tsv -k 0 g.fa",
    "pcr.bam": "pcr -f pairs.tsv -k 0 g.fa",
    "guides.tsv": "guides -f guides.tsv -m 8 g.fa",
    "fimo.tsv": "pwm -m m.jaspar -p 0.01 --format fimo g.fa",
    "pwm-best.bed": "pwm -m m.jaspar -p 0.05 --report best-per-record g.fa",
    "pwm-best.tsv": "pwm -m m.jaspar -p 0.05 --report best-per-record g.fa",
    "scores.tsv": "pwm -m m.jaspar -p 0.01 --table score g.fa",
    "counts.tsv": "pwm -m m.jaspar -p 0.01 --table count g.fa",
    "regions.tsv": "pwm -m m.jaspar -p 0.01 --table count --per-region --regions-file regions.bed g.fa",
}
# Formats of the places of `guides`, which are parts beside its table.
PLACES = ("tsv", "bed.gz", "sam", "bam")

# Matrices TAATCC and CCG.
JASPAR = """>first\tone
A [ 1 20 20 1 1 1 ]
C [ 1 1 1 1 20 20 ]
G [ 1 1 1 1 1 1 ]
T [ 20 1 1 20 1 1 ]
>second
A [ 1 1 2 ]
C [ 20 19 1 ]
G [ 1 1 20 ]
T [ 1 1 1 ]
"""


def bam_ends(data):
    """Returns the places in BAM (not compressed) where its header, each name of it and each record end."""
    at = 8 + struct.unpack_from("<i", data, 4)[0]
    count, = struct.unpack_from("<i", data, at)
    at += 4
    ends = [at]
    for _ in range(count):
        at += 8 + struct.unpack_from("<i", data, at)[0]
        ends.append(at)
    while at < len(data):
        at += 4 + struct.unpack_from("<i", data, at)[0]
        ends.append(at)
    return ends


class EndCase(ChunkCase):
    def setUp(self):
        super().setUp()
        records = planted(random_genome("ends", [("one", 500), ("two", 450)]), [("one", 200)], 1)
        self.file("g.fa", fasta(records))
        text = dict(records)["one"]
        reads = [text[at:at + 30] for at in range(0, 300, 60)] + ["GCGCGCGCATATATGCGCGCATAT"]
        self.file("m.jaspar", JASPAR)
        self.file("regions.bed", "one\t20\t300\tpeak\ntwo\t5\t450\none\t100\t101\n")
        self.file("r.fq", "".join(f"@r{i}\n{read}\n+\n{'I' * len(read)}\n" for i, read in enumerate(reads)))
        self.file("pairs.tsv", "name\tforward\treverse\tmin_size\tmax_size\np\tACGNNNNN\tCGTNNNNN\t10\t90\n")
        self.file("guides.tsv", "name\tguide\n" + "".join(f"g{i}\t{guide}\n" for i, guide in enumerate(re.findall("[ACGT]{15}(?=[ACGT]GG)", text)[:5])))

    def parts(self, output, words=None, chunks=3):
        command, *options = (words or KINDS[output]).split()
        return self.jobs(command, options, chunks, output)

    def text_of(self, name):
        data = self.read(name)
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data

    def replace(self, name, text):
        """Gives a part other text, compressed as it was."""
        self.file(name, bgzf(text) if name.endswith((".gz", ".bam")) else text)

    def refused_part(self, parts, name, *says):
        return self.fails(3, "merge", *parts, "-o", "out", says=[name, *says])


class Cuts(EndCase):
    def check(self, parts, output):
        for part in (parts[0], parts[2]):
            data = self.text_of(part)
            ends = bam_ends(data) if output.endswith("bam") else [found.end() for found in re.finditer(b"\n", data)]
            self.assertEqual(ends.pop(), len(data), output)
            self.assertGreater(len(ends), 2, output)
            for end in (0, *ends):
                with self.subTest(output=output, part=part, end=end):
                    self.replace(part, data[:end])
                    self.refused_part(parts, part)
            self.replace(part, data)

    def test_at_every_line_end(self):
        for output, words in KINDS.items():
            command, *options = words.split()
            whole = self.whole(command, options, f"whole.{output}")
            parts = self.parts(output)
            self.assertEqual(self.merge(parts, f"merged.{output}"), whole, output)
            self.check(parts, output)

    def test_places(self):
        command, *options = KINDS["guides.tsv"].split()
        for output in PLACES:
            self.call(command, "-q", *options, "-o", "table", "--hits", f"whole.{output}")
            parts = [f"places{i}.{output}" for i in (1, 2, 3)]
            for i, part in enumerate(parts, 1):
                self.call(command, "-q", *options, "-o", "table", "--hits", part, "--chunk", f"{i}/3")
            self.assertEqual(self.merge(parts, f"merged.{output}"), self.read(f"whole.{output}"), output)
            self.check(parts, output)

    def test_reports(self):
        """JSON is complete by its own nature: it ends where its first brace is closed."""
        for i in (1, 2):
            self.call("motif", "-q", "-f", "motifs.tsv", "g.fa", "--chunk", f"{i}/2", "--json", f"{i}.json", "-o", "part")
        data = self.read("2.json")
        for found in list(re.finditer(b"\n", data))[:-1]:
            self.file("2.json", data[:found.end()])
            self.refused_part(["1.json", "2.json"], "2.json")

    def test_only_parts(self):
        """A run without --chunk has no such end, nor has what merge writes."""
        for output, words in KINDS.items():
            command, *options = words.split()
            self.assertNotIn(b"basesweep-end", self.whole(command, options, f"whole.{output}"), output)
            parts = self.parts(output)
            self.assertEqual([self.text_of(part).count(b"basesweep-end") for part in parts], [1] * 3, output)
            self.merge(parts, f"merged.{output}")
            self.assertNotIn(b"basesweep-end", self.text_of(f"merged.{output}"), output)


class Lines(EndCase):
    def changes(self, lines, first, step=1):
        """Returns the lines with one missing, one twice, and the end twice. `first`: the first hit."""
        return {"missing": lines[:first] + lines[first + step:], "twice": lines[:first + step] + lines[first:],
                "two ends": [*lines, lines[-1]], "after the end": lines + lines[first:first + step]}

    def test_hits(self):
        for output in ("bed", "tsv", "gff3", "fa", "sam", "map.sam", "max.bed", "best.tsv"):
            parts = self.parts(output)
            lines = self.text_of(parts[1]).splitlines(True)
            step = 2 if output == "fa" else 1
            for what, changed in self.changes(lines, len(lines) - 1 - step, step).items():
                with self.subTest(output=output, what=what):
                    self.replace(parts[1], b"".join(changed))
                    self.refused_part(parts, parts[1])

    def test_counts(self):
        """Rows with 0 hits count too."""
        for output, hits in (("txt", 0), ("apart.txt", 1)):
            parts = self.parts(output)
            lines = self.text_of(parts[1]).splitlines(True)
            none = next(i for i, line in enumerate(lines) if line.startswith(b"none\t"))
            for row in (2, none, len(lines) - 2):
                for what, changed in self.changes(lines, row).items():
                    with self.subTest(output=output, row=row, what=what):
                        self.replace(parts[1], b"".join(changed))
                        self.refused_part(parts, parts[1])
            swapped = [*lines[:none - 1], lines[none], lines[none - 1], *lines[none + 1:]]
            self.replace(parts[1], b"".join(swapped))
            self.refused_part(parts, parts[1], "rows")
            self.assertEqual(any(line.count(b"\t") > 4 for line in lines[1:]), bool(hits))

    def test_a_first_part_that_lost_a_row(self):
        parts = self.parts("txt")
        lines = self.text_of(parts[0]).splitlines(True)
        none = next(i for i, line in enumerate(lines) if line.startswith(b"none\t"))
        self.replace(parts[0], b"".join(lines[:none] + lines[none + 1:]))
        self.refused_part(parts, parts[0], "rows")

    def test_another_number(self):
        for output in KINDS:
            parts = self.parts(output)
            data = self.text_of(parts[1])
            number, = re.findall(rb"(?<!_)hits=(\d+)", data)
            other = str((int(number) + 1) % 10 ** len(number)).zfill(len(number)).encode()
            self.replace(parts[1], data[:data.rindex(b"hits=")] + data[data.rindex(b"hits="):].replace(number, other))
            with self.subTest(output=output):
                self.refused_part(parts, parts[1], "damaged")

    def test_names_like_the_end(self):
        """A record, a pattern and a read with the name of the end are none."""
        names = ["#basesweep-end", "basesweep-end", "hits=0", "#basesweep-end"]
        self.file("g.fa", "".join(f">{name} {i}\nGAATTC\n" for i, name in enumerate(names)))
        self.file("end.tsv", "#basesweep-end hits=8\tGAATTC\n")
        self.file("end.fq", "@basesweep-end\nGAATTC\n+\nIIIIII\n" * 4)
        self.file("one.fa", ">one\nGAATTCA\n")
        for output, words in (("tsv", "motif -p GAATTC g.fa"), ("gff3", "motif -p GAATTC g.fa"), ("fa", "motif -p GAATTC g.fa"),
                              ("txt", "motif -p GAATTC --count --per-file g.fa"), ("sam", "map -r one.fa -k 0 end.fq"),
                              ("bam", "map -r one.fa -k 0 end.fq"), ("all.tsv", "motif -p GAATTC --non-overlapping g.fa")):
            command, *options = words.split()
            whole = self.whole(command, options, f"whole.{output}")
            with self.subTest(output=output):
                self.assertEqual(self.merge(self.parts(output, words), f"merged.{output}"), whole)


class Tables(EndCase):
    """Of matrices: a cell, a number or a row that cannot be, and parts of other regions."""

    def test_damaged_rows(self):
        for output, old, new in (("scores.tsv", rb"(\d\t\S+)\t\S+\n", rb"\1\tx\n"), ("counts.tsv", rb"\t(\d+)\n", b"\t-1\n"),
                                 ("counts.tsv", rb"\t(\d+)\n", b"\t3000000000\n"), ("counts.tsv", rb"\t(\d+)\n", b"\t1\t1\n"),
                                 ("counts.tsv", rb"\t(\d+)\n", b"\n"), ("regions.tsv", rb"\t(\d+)\n", b"\t.\n"),
                                 ("counts.tsv", rb"two\t1\t", b"two\t0\t"), ("counts.tsv", rb"two\t1\t", b"two\tx\t")):
            parts = self.parts(output)
            for part in parts[::-1]:
                text = self.text_of(part)
                changed = re.sub(old, new, text, count=1)
                if changed != text:
                    break
            self.replace(part, changed)
            with self.subTest(output=output, new=new):
                self.refused_part(parts, part, "malformed")

    def test_other_regions(self):
        parts = self.parts("regions.tsv")
        text = self.text_of(parts[1])
        self.replace(parts[1], text.replace(b"peak", b"park"))
        self.refused_part(parts, parts[1], "its regions are not those of")
        self.replace(parts[1], text.replace(b"record\tstart", b"record\tbegin"))
        self.refused_part(parts, parts[1], "their header lines differ")

    def test_a_record_that_goes_on_under_another_name(self):
        parts = self.parts("counts.tsv", chunks=4)
        self.replace(parts[1], self.text_of(parts[1]).replace(b"one\t0\t", b"two\t0\t"))
        self.refused_part(parts, parts[1], "malformed")


class Nothing(EndCase):
    def test_said_as_in_one_run(self):
        """A merge that found nothing says so, unless -q is given; other merges say nothing."""
        for output, words in (("bed", "motif -p GCGCGCGCGCGCGC g.fa"), ("txt", "motif -p GCGCGCGCGCGCGC --count g.fa"),
                              ("bam", "match -p GCGCGCGCGCGCGC -k 0 g.fa"), ("tsv", "match -p GCGCGCGCGCGCGC -k 0 --report best g.fa"),
                              ("pwm.tsv", "pwm -m m.jaspar -p 1e-9 --table count g.fa"),
                              ("map.sam", "map -r g.fa -k 0 none.fq"), ("map.bam", "map -r g.fa -k 0 none.fq")):
            self.file("none.fq", "@r\nGCGCGCGCGCGCGCGCGC\n+\nIIIIIIIIIIIIIIIIII\n")
            parts = self.parts(output, words)
            noun = "alignments" if words.startswith("map") else "hits"
            done = self.attempt("merge", *parts, "-o", f"merged.{output}")
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stderr.decode(), rf"\Abasesweep: 3 parts: no {noun}, [0-9.]+ s\n\Z", output)
            self.assertEqual(self.attempt("merge", "-q", *parts, "-o", f"merged.{output}").stderr, b"", output)
        for output in KINDS:
            self.assertEqual(self.attempt("merge", *self.parts(output), "-o", f"merged.{output}").stderr, b"", output)


if __name__ == "__main__":
    unittest.main()
