"""`basesweep map` with mates: -1 and -2, --interleaved; flags, mate fields, template lengths, proper pairs, names."""
import gzip
import unittest

import naive_map
from map_support import MapCase, alignments_of, fastq, interleaved, made_pairs, made_records, options_of, seeded
from match_support import fasta
from naive_map import Options, Read
from support import bgzf, devices


class Known(MapCase):
    """Hand-made cases. The reference, in parts of 20: A, then other bases, B, and elsewhere C."""
    A, B, C = "ACGGTCATTGCAGTACCTGA", "GATTGCCATAGGCTTAACCG", "CTGAGTTCAAGCGGTATCCA"
    LEFT, RIGHT = "ACGGTCATTGCAGTACCTGA", "CGGTTAAGCCTATGGCAATC"  # A, and B on the other strand
    BETWEEN = "TTGTCACAGCGGATTTACGC"

    def setUp(self):
        super().setUp()
        self.file("r.fa", f">r\n{self.A}{self.BETWEEN}{self.B}\n>s\nGG{self.C}GG\n")

    def fields(self, first, second, *words):
        """Returns FLAG, RNAME, POS, MAPQ, CIGAR, RNEXT, PNEXT and TLEN of each line."""
        self.file("1.fa", f">p/1\n{first}\n")
        self.file("2.fa", f">p/2\n{second}\n")
        rows = alignments_of(self.output("-q", "-k", "1", "-r", "r.fa", "-1", "1.fa", "-2", "2.fa", *words))
        self.assertEqual({row[0] for row in rows}, {"p"})
        return [" ".join(row[1:9]) for row in rows]

    def test_facing(self):
        self.assertEqual(self.fields(self.LEFT, self.RIGHT), ["99 r 1 60 20M = 41 60", "147 r 41 60 20M = 1 -60"])
        self.assertEqual(self.fields(self.RIGHT, self.LEFT), ["83 r 41 60 20M = 1 -60", "163 r 1 60 20M = 41 60"])

    def test_insert(self):
        """Pairs at the bounds are proper."""
        for insert, proper in (("0,1000", True), ("60,60", True), ("61,100", False), ("0,59", False), ("60,1000", True)):
            flags = [int(line.split()[0]) for line in self.fields(self.LEFT, self.RIGHT, "--insert", insert)]
            self.assertEqual(flags, [99, 147] if proper else [97, 145], insert)

    def test_not_facing(self):
        back = naive_map.naive_match.reverse_complement
        self.assertEqual(self.fields(self.LEFT, self.B), ["65 r 1 60 20M = 41 60", "129 r 41 60 20M = 1 -60"], "one strand")
        self.assertEqual(self.fields(back(self.A), self.B), ["81 r 1 60 20M = 41 60", "161 r 41 60 20M = 1 -60"], "outward")
        self.assertEqual(self.fields(back(self.A), back(self.B)), ["113 r 1 60 20M = 41 60", "177 r 41 60 20M = 1 -60"])

    def test_one_place(self):
        """Mates on the same bases: the first has the positive length. Mates inside one another."""
        back = naive_map.naive_match.reverse_complement
        self.assertEqual(self.fields(self.LEFT, back(self.LEFT)), ["99 r 1 60 20M = 1 20", "147 r 1 60 20M = 1 -20"])
        self.assertEqual(self.fields(back(self.LEFT), self.LEFT), ["83 r 1 60 20M = 1 20", "163 r 1 60 20M = 1 -20"])
        self.assertEqual(self.fields(self.A + self.BETWEEN, back(self.BETWEEN)), ["99 r 1 60 40M = 21 40", "147 r 21 60 20M = 1 -40"])
        # The mate on - ends before the mate on +: they do not face each other.
        self.assertEqual(self.fields(self.A + self.BETWEEN, back(self.A)), ["97 r 1 60 40M = 1 40", "145 r 1 60 20M = 1 -40"])
        self.assertEqual(self.fields(self.BETWEEN, back(self.A + self.BETWEEN)), ["97 r 21 60 20M = 1 -40", "145 r 1 60 40M = 21 40"])

    def test_two_records(self):
        self.assertEqual(self.fields(self.LEFT, self.C), ["65 r 1 60 20M s 3 0", "129 s 3 60 20M r 1 0"])

    def test_unmapped(self):
        """An unmapped mate has the position of its mate."""
        self.assertEqual(self.fields(self.LEFT, "T" * 20), ["73 r 1 60 20M = 1 0", "133 r 1 0 * = 1 0"])
        self.assertEqual(self.fields("T" * 20, self.RIGHT), ["101 r 41 0 * = 41 0", "153 r 41 60 20M = 41 0"])
        self.assertEqual(self.fields("T" * 20, "N"), ["77 * 0 0 * * 0 0", "141 * 0 0 * * 0 0"])
        self.assertEqual(self.fields(self.LEFT, "T" * 20, "--hits-only"), ["73 r 1 60 20M = 1 0"])

    def test_secondary(self):
        """Secondary lines have the position of the mate's primary and no template length, and are not proper."""
        self.file("r.fa", f">r\n{self.A}{self.BETWEEN}{self.B}\n>s\n{self.A}GG\n")
        self.assertEqual(self.fields(self.LEFT, self.RIGHT),
                         ["99 r 1 0 20M = 41 60", "353 s 1 0 20M r 41 0", "147 r 41 60 20M = 1 -60"])
        self.assertEqual(self.fields(self.LEFT, "T" * 20), ["73 r 1 0 20M = 1 0", "329 s 1 0 20M r 1 0", "133 r 1 0 * = 1 0"])


class Naive(MapCase):
    """Against naive_map.py."""

    def made(self, number):
        rng, about = seeded(f"pairs {number}")
        records = made_records(rng)
        pairs = made_pairs(records, rng)
        self.file("r.fa", fasta(records, 31))
        self.file("1.fq", fastq([first for first, _ in pairs], "/1"))
        self.file("2.fq", fastq([second for _, second in pairs], "/2"))
        self.file("both.fq", interleaved(pairs))
        return records, pairs, about

    def expect(self, records, pairs, options, source, more=(), about="", **given):
        call = ["-q", "--no-PG", "-r", "r.fa", *options_of(options), *more, *source]
        self.assert_same_text(self.output(*call, **given), naive_map.sam(records, pairs, options), f"{about}: {call}")

    TWO, ONE = ("-1", "1.fq", "-2", "2.fq"), ("--interleaved", "both.fq")

    def test_options(self):
        for number in range(3):
            records, pairs, about = self.made(number)
            for options in (Options(k=1), Options(k=2, report="sites", insert=(20, 60)), Options(k=1, hits_only=True),
                            Options(rate="0.1", most_secondary=0, eqx=True), Options(k=1, report="all", most_secondary=2),
                            Options(k=1, strand="plus"), Options(k=0, read_group="x")):
                self.expect(records, pairs, options, self.TWO, about=about)
            self.expect(records, pairs, Options(k=1), self.ONE, about=about)

    def test_some_of_each_kind(self):
        """The random cases have all kinds of pairs."""
        flags = set()
        for number in range(3):
            records, pairs, _ = self.made(number)
            flags |= {int(row[1]) for row in alignments_of(naive_map.sam(records, pairs, Options(k=1)))}
        for flag in (99, 147, 83, 163, 73, 133, 77, 141):
            self.assertIn(flag, flags)
        self.assertTrue(any(flag & 256 for flag in flags) and flags & {65, 129, 97, 145, 81, 161, 113, 177}, flags)

    def test_however_the_work_is_done(self):
        records, pairs, about = self.made(4)
        for device in devices():
            for batch in ("1", "100", "1000000"):
                for threads in (1, 3):
                    for source in (self.TWO, self.ONE):
                        more = ["--batch-bytes", batch, "-t", threads, "--device", device]
                        self.expect(records, pairs, Options(k=2, report="sites"), source, more, about)

    def test_inputs(self):
        """Compressed, on stdin, with different line widths, FASTA with FASTQ, several files of each."""
        records, pairs, about = self.made(5)
        options = Options(k=1)
        one, two = ((self.folder / name).read_bytes() for name in ("1.fq", "2.fq"))
        both = (self.folder / "both.fq").read_bytes()
        self.file("1.fq.gz", gzip.compress(one))
        self.file("2.fq.gz", bgzf(two, 99))
        self.expect(records, pairs, options, ("-1", "1.fq.gz", "-2", "2.fq.gz"), about=about)
        for more in ([], ["--batch-bytes", "1", "-t", "2"]):
            self.expect(records, pairs, options, ("-1", "-", "-2", "2.fq"), more, about, stdin=one)
            self.expect(records, pairs, options, ("-1", "1.fq", "-2", "-"), more, about, stdin=gzip.compress(two))
            self.expect(records, pairs, options, ("--interleaved", "-"), more, about, stdin=both)
            self.expect(records, pairs, options, ("--interleaved",), more, about, stdin=gzip.compress(both))
        bare = [(first, second._replace(quality="")) for first, second in pairs]
        self.file("2.fa", fasta([(second.name + "/2", second.letters) for _, second in pairs], 5))
        self.expect(records, bare, options, ("-1", "1.fq", "-2", "2.fa"), ["--batch-bytes", "200"], about)
        self.file("a1.fq", fastq([first for first, _ in pairs[:5]]))
        self.file("a2.fq", fastq([second for _, second in pairs[:5]]))
        self.file("b1.fq", fastq([first for first, _ in pairs[5:]], "/1"))
        self.file("b2.fq", fastq([second for _, second in pairs[5:]], "/2"))
        self.expect(records, pairs, options, ("-1", "a1.fq", "-1", "b1.fq", "-2", "a2.fq", "-2", "b2.fq"), about=about)

    def test_names(self):
        """/1, /2 and everything after the first word are cut off."""
        records, _, about = self.made(6)
        mates = [records[0][1][:20], naive_map.naive_match.reverse_complement(records[0][1][40:60])]
        for first, second, name in (("x/1", "x/2", "x"), ("x", "x", "x"), ("x 1:N:0:A", "x 2:N:0:A", "x"), ("x/1 a", "x/2", "x"),
                                    ("a/1/1", "a/1/2", "a/1"), ("x/1", "x", "x")):
            self.file("1.fa", f">{first}\n{mates[0]}\n")
            self.file("2.fa", f">{second}\n{mates[1]}\n")
            pairs = [tuple(Read(name, letters, "") for letters in mates)]
            found = self.output("-q", "--no-PG", "-k", "1", "-r", "r.fa", "-1", "1.fa", "-2", "2.fa")
            # The oracle would cut /1 once more.
            expected = naive_map.sam(records, [tuple(read._replace(name="name") for read in pairs[0])], Options(k=1))
            self.assert_same_text(found, expected.replace("name\t", f"{name}\t"), f"{first}, {second}: {about}")

    def test_name_of_a_single_read_is_whole(self):
        records, _, about = self.made(7)
        reads = [Read("x/1", records[0][1][:20], ""), Read("x/2", records[0][1][30:50], "")]
        found = self.output("-q", "--no-PG", "-k", "1", "-r", "r.fa", stdin="".join(f">{r.name}\n{r.letters}\n" for r in reads).encode())
        self.assert_same_text(found, naive_map.sam(records, [(read,) for read in reads], Options(k=1)), about)

    def test_no_pairs(self):
        records, _, _ = self.made(8)
        self.file("empty.fq", "")
        self.file("empty_2.fq", "")
        for source in (("-1", "empty.fq", "-2", "empty_2.fq"), ("--interleaved", "empty.fq")):
            self.expect(records, [], Options(k=1), source)


if __name__ == "__main__":
    unittest.main()
