"""SAM, BAM and CRAM of `basesweep map`, checked with samtools and Picard."""
import gzip
import os
import socket
import unittest

import naive
import sam_tools
from map_support import (
    MapCase,
    alignments_of,
    changed,
    fastq,
    made_pairs,
    made_reads,
    made_records,
    random_bases,
    seeded,
)
from match_support import fasta
from naive_match import reverse_complement
from support import BAD, LAMBDA, bgzf, environment


def read_group_words():
    return ["--rg", r"@RG\tID:one\tSM:made\tPL:ILLUMINA"]


def sorted_tags(lines):
    """CRAM computes NM and MD again, and puts them last."""
    return ["\t".join(line.split("\t")[:11] + sorted(line.split("\t")[11:])) for line in lines if not line.startswith("@")]


class SamCase(MapCase):
    SINGLE, PAIRED = ("reads.fq",), ("-1", "1.fq", "-2", "2.fq")

    def setUp(self):
        super().setUp()
        rng, self.about = seeded("sam")
        self.records = made_records(rng)
        reads = [read for read in made_reads(self.records, rng) if read.letters]  # Picard has no reads without bases
        pairs = [pair for pair in made_pairs(self.records, rng) if all(read.letters for read in pair)]
        # calmd and Picard disagree on U; the index of samtools leaves out records without bases.
        self.records = [(name, text.replace("U", "T")) for name, text in self.records if text]
        self.file("r.fa", fasta(self.records, 40))
        self.file("reads.fq", fastq(reads))
        self.file("1.fq", fastq([first for first, _ in pairs], "/1"))
        self.file("2.fq", fastq([second for _, second in pairs], "/2"))


@unittest.skipUnless(sam_tools.have_samtools(), "samtools is not installed (Debian package samtools)")
class Samtools(SamCase):
    CALLS = [["-k", "2"], ["-k", "2", "--report", "all"], ["-k", "3", "--report", "sites", "--eqx", "-N", "4"],
             ["-e", "0.1", "--hits-only"], ["-k", "2", "--strand", "minus"]]

    def check(self, path, source="r.fa", picard=False):
        path, source = self.folder / path, self.folder / source
        self.assertIsNone(sam_tools.check_quick(path), path)
        self.assertIsNone(sam_tools.check_calmd(path, source), path)
        if picard and sam_tools.have_picard():
            self.assertIsNone(sam_tools.check_picard(path, source), path)

    def test_quickcheck_and_calmd(self):
        for call in self.CALLS:
            for source in (self.SINGLE, self.PAIRED):
                for output in ("h.sam", "h.bam", "h.sam.gz"):
                    self.output("-q", *call, "-r", "r.fa", *source, "-o", output)
                    self.check(output)

    def test_bam_holds_what_sam_holds(self):
        for call in self.CALLS:
            for source in (self.SINGLE, self.PAIRED):
                self.output("-q", *call, "-r", "r.fa", *source, "-o", "h.bam")
                self.output("-q", *call, "-r", "r.fa", *source, "-o", "h.sam")
                self.assert_same_text("\n".join(sam_tools.sam_lines(self.folder / "h.bam")),
                                      (self.folder / "h.sam").read_text().rstrip("\n"), f"{call}, {self.about}")

    def test_bam_of_long_reads(self):
        """Reads of 2,048 letters, names of 254 bytes, many edits, and a read that is too long to be placed."""
        rng, about = seeded("long")
        letters = random_bases(rng, 5000)
        self.file("r.fa", fasta([("r", letters)]))
        reads = [changed(letters[start:start + 1990], 50, rng)[:2048] for start in (0, 1500, 3000)] + [letters[:2048], letters]
        self.file("long.fa", "".join(f">{'n' * 253}{i}\n{read}\n" for i, read in enumerate(reads)))
        for output in ("h.bam", "h.sam"):
            self.output("-q", "-k", "60", "-r", "r.fa", "long.fa", "-o", output)
        found = sam_tools.sam_lines(self.folder / "h.bam")
        self.assert_same_text("\n".join(found), (self.folder / "h.sam").read_text().rstrip("\n"), about)
        primaries = [row for row in alignments_of("\n".join(found)) if int(row[1]) & 256 == 0]
        self.assertEqual([row[1] == "4" for row in primaries], [False] * 4 + [True], about)
        self.check("h.bam", picard=True)

    def test_by_name_and_by_option(self):
        text = self.output("-q", "-k", "1", "-r", "r.fa", "reads.fq")
        for name, what in (("h.sam", "sam"), ("h.bam", "bam"), ("h.cram", "cram"), ("h", "sam"), ("h.2", "sam"), ("bam", "sam"),
                           ("h.sam.gz", "sam.gz")):
            for words, expected in (([], what), (["--format", "sam"], "sam"), (["--format", "bam"], "bam"),
                                    (["--format", "cram"], "cram")):
                if what == "sam.gz" and words:
                    continue
                self.assertEqual(self.output("-q", "-k", "1", "-r", "r.fa", "reads.fq", *words, "-o", name), "")
                data = (self.folder / name).read_bytes()
                os.unlink(self.folder / name)
                about = f"{name} {words}"
                if expected == "sam":
                    self.assert_same_text(data.decode(), text, about)
                elif expected == "cram":
                    self.assertEqual(data[:6], b"CRAM\3\0", about)
                else:
                    self.assertTrue(data.endswith(bgzf(b"")), about)
                    start = b"BAM\1" if expected == "bam" else b"@HD\t"
                    self.assertEqual(gzip.decompress(data)[:4], start, about)
        self.assertEqual(gzip.decompress(self.run_here("-q", "-k", "1", "-r", "r.fa", "reads.fq", "--format", "bam").stdout)[:4],
                         b"BAM\1")
        self.assertEqual(self.run_here("-q", "-k", "1", "-r", "r.fa", "reads.fq", "--format", "cram").stdout[:4], b"CRAM")

    def test_read_group(self):
        for source in (self.SINGLE, self.PAIRED):
            for output in ("h.sam", "h.bam", "h.cram"):
                for option in ("-R", "--rg", "--read-group"):
                    self.output("-q", "-k", "1", "-r", "r.fa", *source, "-o", output, option, "@RG\tID:one\\tPL:ONT")
                lines = sam_tools.sam_lines(self.folder / output, self.folder / "r.fa")
                self.assertEqual([line for line in lines if line.startswith("@RG")], ["@RG\tID:one\tPL:ONT"])
                rows = alignments_of("\n".join(lines))
                self.assertTrue(rows)
                self.assertTrue(all("RG:Z:one" in row[11:] for row in rows), "each read, mapped or not")
                for name in ("r.fa.fai",):  # samtools view made it
                    (self.folder / name).exists() and os.unlink(self.folder / name)
        for bad in ("ID:one", "@RG", r"@RG\tSM:x", r"@RG\tID:", r"@RG\tID:one\tx", "@RG\tID:a\nb"):
            self.refused(2, "-k", "1", "-r", "r.fa", "reads.fq", "--rg", bad, says=["read group", "@RG"])

    @unittest.skipUnless(sam_tools.have_picard(), "Picard is not installed (Debian package picard-tools)")
    def test_picard(self):
        for call in self.CALLS[:3]:
            for source in (self.SINGLE, self.PAIRED):
                self.output("-q", *call, "-r", "r.fa", *source, "-o", "h.bam", *read_group_words())
                self.check("h.bam", picard=True)

    @unittest.skipUnless(sam_tools.have_picard(), "Picard is not installed (Debian package picard-tools)")
    def test_nothing_found(self):
        """Only unmapped reads; no reads at all."""
        for reads in (b"", b">a\n" + b"GC" * 9 + b"\n"):
            self.file("few.fa", ">r\n" + "A" * 40 + "\n")
            for output in ("h.sam", "h.bam"):
                self.output("-q", "-k", "1", "-r", "few.fa", "-o", output, stdin=reads)
                self.assertEqual(len(sam_tools.sam_lines(self.folder / output)), 4 if reads else 3)
                self.check(output, "few.fa", picard=True)

    def test_lambda(self):
        """Pairs and single reads from a phage's genome, with up to 9 edits."""
        letters = naive.read_fasta(gzip.decompress(LAMBDA.read_bytes()).decode())[0][1]
        self.file("lambda.fa", gzip.decompress(LAMBDA.read_bytes()))
        rng, about = seeded("lambda")
        mates = ([], [])
        for i in range(400):
            start, size = rng.randrange(len(letters) - 500), rng.randint(160, 500)
            both = [letters[start:start + 150], reverse_complement(letters[start + size - 150:start + size])]
            for file, read in zip(mates, both if i % 2 else both[::-1]):
                read = changed(read, rng.randint(0, 9), rng, "ACGTN" if i % 9 == 0 else "ACGT")
                file.append(f"@pair_{i}\n{read}\n+\n{'I' * len(read)}\n")
        for name, file in zip(("1.fq", "2.fq"), mates):
            self.file(name, "".join(file))
        for source in (["1.fq", "2.fq"], ["-1", "1.fq", "-2", "2.fq"]):
            self.output("-q", "-k", "8", "-r", "lambda.fa", *source, "-o", "h.bam", *read_group_words())
            self.check("h.bam", "lambda.fa", picard=True)
            rows = alignments_of("\n".join(sam_tools.sam_lines(self.folder / "h.bam")))
            mapped = [row for row in rows if int(row[1]) & 0x104 == 0]
            self.assertGreater(len(mapped), 700, about)
            if "-1" in source:
                self.assertGreater(sum(int(row[1]) & 2 for row in mapped), 2 * 600, about)

    def test_md5(self):
        """M5 equals that of samtools dict, also with lower case, N and other letters. Only on request."""
        self.file("odd.fa", ">a x\nACgtNNryacgt\nAC\n>b\nACGUU\n>c\n" + "acgtn" * 100 + "\n")
        for name in ("r.fa", "odd.fa"):
            dictionary = sam_tools.call("samtools", "dict", self.folder / name).stdout.decode()
            expected = [tuple(field for field in line.split("\t")[1:] if field[:2] in ("SN", "LN", "M5"))
                        for line in dictionary.splitlines() if line.startswith("@SQ")]
            for data in ((self.folder / name).read_bytes(), bgzf((self.folder / name).read_bytes(), 50)):
                self.file("same.fa", data)
                found = self.output("-q", "-k", "1", "-r", "same.fa", "--md5", stdin=b"")
                lines = [tuple(line.split("\t")[1:]) for line in found.splitlines() if line.startswith("@SQ")]
                self.assertEqual(lines, expected, name)
        self.assertNotIn("M5:", self.output("-q", "-k", "1", "-r", "r.fa", stdin=b""))


@unittest.skipUnless(sam_tools.have_samtools(), "samtools is not installed (Debian package samtools)")
class Cram(SamCase):
    def decoded(self, name, reference="r.fa"):
        """With the reference given, samtools does not look for it elsewhere."""
        copy = self.folder / "copy"
        copy.mkdir(exist_ok=True)
        (copy / "r.fa").write_bytes((self.folder / reference).read_bytes())
        return sam_tools.sam_lines(self.folder / name, copy / "r.fa")

    def test_same_records_as_bam(self):
        for call in Samtools.CALLS:
            call = [word for word in call if word != "--eqx"]  # CRAM has no = and X
            for source in (self.SINGLE, self.PAIRED):
                for output in ("h.cram", "h.bam"):
                    self.output("-q", "--no-PG", *call, "-r", "r.fa", *source, "-o", output, *read_group_words())
                self.assertIsNone(sam_tools.check_quick(self.folder / "h.cram"))
                found, expected = self.decoded("h.cram"), sam_tools.sam_lines(self.folder / "h.bam")
                self.assert_same_text("\n".join(sorted_tags(found)), "\n".join(sorted_tags(expected)), f"{call}, {self.about}")
                names = [[line.split("\t")[:3] for line in lines if line.startswith("@SQ")] for lines in (found, expected)]
                self.assertEqual(*names)

    def test_reference_that_is_compressed(self):
        """A BGZF reference works; for plain gzip the message says what to do."""
        self.output("-q", "--no-PG", "-k", "2", "-r", "r.fa", "reads.fq", "-o", "plain.cram")
        self.file("r.fa.gz", bgzf((self.folder / "r.fa").read_bytes(), 60))
        self.output("-q", "--no-PG", "-k", "2", "-r", "r.fa.gz", "reads.fq", "-o", "bgzf.cram")
        self.assertEqual(sorted_tags(self.decoded("bgzf.cram")), sorted_tags(self.decoded("plain.cram")))
        self.file("g.fa.gz", gzip.compress((self.folder / "r.fa").read_bytes()))
        self.refused(2, "-k", "2", "-r", "g.fa.gz", "reads.fq", files=("-o", "h.cram"), says=["g.fa.gz", "CRAM", "BGZF"])
        self.output("-q", "-k", "2", "-r", "g.fa.gz", "reads.fq", "-o", "h.bam")

    def test_reference_that_cannot_be_read_twice(self):
        text = (self.folder / "r.fa").read_bytes()
        self.refused(2, "-k", "2", "-r", "-", "reads.fq", files=("-o", "h.cram"), stdin=text, says=["CRAM"])
        self.refused(2, "-k", "2", "-r", "/dev/stdin", "reads.fq", files=("-o", "h.cram"), stdin=text, says=["CRAM"])

    def test_never_the_network_nor_beside_the_reference(self):
        """This holds with any REF_PATH and REF_CACHE and in a read-only folder, and nothing is left in TMPDIR."""
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            listening.listen()
            listening.setblocking(False)
            for name in ("cache", "tmp", "home", "there"):
                (self.folder / name).mkdir()
            (self.folder / "r.fa").rename(self.folder / "there/r.fa")
            (self.folder / "there").chmod(0o555)
            self.addCleanup((self.folder / "there").chmod, 0o755)
            env = environment(REF_PATH=f"http://127.0.0.1:{listening.getsockname()[1]}/%s", TMPDIR=str(self.folder / "tmp"),
                              REF_CACHE=str(self.folder / "cache/%s"), HOME=str(self.folder / "home"))
            for more in ([], ["--md5"]):
                self.output("-q", "-k", "2", "-r", "there/r.fa", "reads.fq", "-o", "h.cram", *more, env=env)
                for name, expected in (("cache", []), ("tmp", []), ("home", []), ("there", ["r.fa"])):
                    self.assertEqual(os.listdir(self.folder / name), expected, name)
                with self.assertRaises(BlockingIOError):
                    listening.accept()
        (self.folder / "there").chmod(0o755)
        (self.folder / "there/r.fa").rename(self.folder / "r.fa")
        self.assertGreater(len(alignments_of("\n".join(self.decoded("h.cram")))), 20)

    def test_index_that_is_there_is_not_touched(self):
        """An index is not used either: it may belong to another file."""
        files = []
        for _ in range(2):
            # One thread: with several, HTSlib chooses codecs by the time that they take.
            self.output("-q", "--no-PG", "-k", "2", "-r", "r.fa", "reads.fq", "-t", "1", "-o", "h.cram")
            files.append((self.folder / "h.cram").read_bytes())
            self.file("r.fa.fai", "first\t7\t7\t7\t8\n")
        self.assertEqual((self.folder / "r.fa.fai").read_text(), "first\t7\t7\t7\t8\n")
        self.assertEqual(*files)

    def test_nothing_is_left_when_reads_are_bad(self):
        (self.folder / "tmp").mkdir()
        self.refused(3, "-q", "-k", "2", "-r", "r.fa", BAD / "bad_byte.fa", files=("-o", "h.cram", "--json", "r.json"),
                     env=environment(TMPDIR=str(self.folder / "tmp")))
        self.assertEqual(os.listdir(self.folder / "tmp"), [])

    def test_no_reads(self):
        self.output("-q", "--no-PG", "-k", "2", "-r", "r.fa", "-o", "h.cram", stdin=b"")
        self.assertIsNone(sam_tools.check_quick(self.folder / "h.cram"))
        self.assertEqual(alignments_of("\n".join(self.decoded("h.cram"))), [])


if __name__ == "__main__":
    unittest.main()
