"""SAM, BAM and CRAM as reads: the bytes that the same command gives for what `samtools fastq` prints; damage; mates."""
import hashlib
import os
import random
import subprocess
import unittest

import sam_tools
from support import Case, bgzf, environment

COMPLEMENT = str.maketrans("ACGTRYKMBDHVSWN", "TGCAYRMKVHDBSWN")
HEADER = "@HD\tVN:1.6\n@SQ\tSN:c\tLN:1000\n@RG\tID:x\tSM:s\n@RG\tID:z\tSM:s\n"
CRAMS = ("version=3.0", "version=3.1", "version=3.0,embed_ref=1", "version=3.0,no_ref=1")
SECONDARY, SUPPLEMENTARY, QC_FAIL, REVERSE = 256, 2048, 512, 16


def samtools(*arguments, stdin=b"", folder=None):
    done = subprocess.run(["samtools", *map(str, arguments)], input=stdin, capture_output=True, cwd=folder, check=False)
    if done.returncode != 0:
        raise AssertionError(f"samtools {arguments}: {done.stderr.decode()}")
    return done.stdout


def qualities(rand, length):
    return "".join(chr(rand.randrange(33, 127)) for _ in range(length))


def single_reads(rand, reference, count=300):
    """Returns lines of SAM: reads on both strands, unmapped, without quality or sequence, failed, secondary ..."""
    lines = []
    for i in range(count):
        start, length = rand.randrange(900), rand.randrange(1, 100)
        letters = reference[start:start + length]
        if rand.random() < 0.2:
            letters = "".join(rand.choice("ACGTNRYKMBDHVSW") for _ in letters)
        quality = "*" if rand.random() < 0.1 or len(letters) == 1 else qualities(rand, len(letters))
        flag = rand.choice((0, REVERSE)) | rand.choice((0, 0, QC_FAIL, SECONDARY, SUPPLEMENTARY)) | rand.choice((0, 0, 64, 128, 192))
        tags = f"\tRG:Z:{rand.choice('xz')}\tBC:Z:ACGT-{i}" if rand.random() < 0.8 else ""
        if rand.random() < 0.1:
            letters, quality = "*", "*"
        if rand.random() < 0.2:
            lines.append(f"r{i}\t4\t*\t0\t0\t*\t*\t0\t0\t{letters}\t{quality}{tags}")
        else:
            cigar = "*" if letters == "*" else f"{len(letters)}M"
            lines.append(f"r{i}\t{flag}\tc\t{start + 1}\t30\t{cigar}\t*\t0\t0\t{letters}\t{quality}{tags}")
    return lines


def pairs(rand, reference, count=100):
    """Returns pairs of lines of SAM, the second mate first in half of them."""
    all_pairs = []
    for i in range(count):
        start = rand.randrange(700)
        end = start + rand.randrange(60, 250)
        first, second = rand.choice(((64, 128), (128, 64)))
        left, right = reference[start:start + 50], reference[end - 50:end]
        left = left[:20] + rand.choice("ACGT") + left[21:]
        tag = rand.choice(("", "\tRG:Z:x"))
        all_pairs.append((
            f"p{i}\t{35 + first}\tc\t{start + 1}\t30\t50M\t=\t{end - 49}\t{end - start}\t{left}\t{qualities(rand, 50)}{tag}",
            f"p{i}\t{19 + second}\tc\t{end - 49}\t30\t50M\t=\t{start + 1}\t{start - end}\t{right}\t{qualities(rand, 50)}{tag}"))
    return all_pairs


class WithFiles(Case):
    def setUp(self):
        super().setUp()
        self.rand = random.Random(7)
        self.reference = "".join(self.rand.choice("ACGT") for _ in range(1000))
        self.file("ref.fa", f">c\n{self.reference}\n")

    def write(self, name, lines):
        """Writes name.sam, .sam.gz, .bam, and CRAM of each kind, which name their reference; returns their names."""
        text = HEADER + "".join(line + "\n" for line in lines)
        self.file(f"{name}.sam", text)
        self.file(f"{name}.sam.gz", bgzf(text.encode()))
        samtools("view", "-b", "-o", f"{name}.bam", f"{name}.sam", folder=self.folder)
        names = [f"{name}.sam", f"{name}.sam.gz", f"{name}.bam"]
        for i, kind in enumerate(CRAMS):
            names.append(f"{name}{i}.cram")
            samtools("view", "-T", "ref.fa", "-O", f"cram,{kind}", "-o", names[-1], f"{name}.sam", folder=self.folder)
        return names

    def output(self, *arguments, **options):
        done = self.run_here(*arguments, **options)
        self.assertEqual(done.returncode, 0, (arguments, done.stderr))
        return done.stdout

    def refused(self, code, *arguments, says, **options):
        done = self.run_here(*arguments, **options)
        self.assertEqual(done.returncode, code, (arguments, done.stderr))
        self.assertIn(says, done.stderr.decode())


@unittest.skipUnless(sam_tools.have_samtools(), "samtools is not installed")
class Alignments(WithFiles):
    def test_same_as_samtools_fastq(self):
        lines = single_reads(self.rand, self.reference)
        names = self.write("r", lines)
        fastq = samtools("fastq", "r.sam", folder=self.folder)
        self.file("r.fq", fastq)
        for command, words in (("motif", ("-p", "ACG", "-p", "GANTC", "--format", "tsv")), ("motif", ("-p", "ACG", "--count")),
                               ("match", ("-k", "2", "-p", "ACGTTGCA", "-p", "GGATTTCA"))):
            expected = self.output(*words, "r.fq", command=command)
            self.assertGreater(expected.count(b"\n"), 2)
            for name in names:
                for threads in (1, 3):
                    self.assertEqual(self.output(*words, name, "-t", threads, command=command), expected, (command, name))
                if name.endswith("cram"):
                    continue
                stdin = (self.folder / name).read_bytes()
                self.assertEqual(self.output(*words, command=command, stdin=stdin), expected, (command, name))

    def test_records_out(self):
        """A pattern longer than all reads has no hit, so --other-reads is all that samtools prints."""
        names = self.write("r", single_reads(self.rand, self.reference))
        fastq = samtools("fastq", "r.sam", folder=self.folder)
        for name in names:
            self.output("-p", "A" * 101, name, "--count", "--other-reads", "all.fq")
            self.assertEqual((self.folder / "all.fq").read_bytes(), fastq, name)

    def test_no_reads(self):
        for name in self.write("none", []) + self.write("left_out", ["s\t256\tc\t1\t0\t4M\t*\t0\t0\tACGT\tIIII"]):
            done = self.run_here("-p", "A", name, "--format", "bed")
            self.assertEqual((done.returncode, done.stdout), (0, b""), done.stderr)
            self.assertIn(f"{name}: no sequence: it holds no reads", done.stderr.decode())
            self.assertEqual(self.run_here("-k", "1", "-r", "ref.fa", name, command="map").returncode, 0)

    def test_chunks(self):
        for name in self.write("r", single_reads(self.rand, self.reference))[2:4]:
            whole = self.output("-k", "2", "-p", "ACGTTGCA", name, command="match")
            self.assertEqual(self.joined("-k", "2", "-p", "ACGTTGCA", name, command="match", chunks=3), whole)

    def test_regions_are_refused(self):
        self.write("r", single_reads(self.rand, self.reference, 20))
        for command, words in (("motif", ()), ("match", ("-k", "1"))):
            self.refused(2, "-p", "ACGT", *words, "--region", "c:1-100", "r.bam", command=command,
                         says="--region: r.bam is BAM, whose reads are searched whole; 'samtools view -u r.bam REGION | basesweep")
        self.refused(2, "-p", "ACGT", "--region", "c:1-100", stdin=(self.folder / "r.bam").read_bytes(),
                     says="--region: <stdin> is BAM")
        self.refused(2, "-n", "2", "--region", "c:1-100", "r.sam", command="plan", says="--region: r.sam is SAM")

    def test_what_is_said(self):
        self.write("r", single_reads(self.rand, self.reference, 20))
        done = self.run_here("-p", "A", "r.bam", "-v", "-t", "2", "--json", "r.json")
        self.assertRegex(done.stderr.decode(), r"basesweep: r\.bam: BAM, read by HTSlib \S+ in 2 threads\n")
        self.assertIn('"format": "bam"', (self.folder / "r.json").read_text())
        self.refused(3, "r.bam", "-o", "r.2bit", command="pack", says="r.bam: BAM, expected FASTA")

    def test_reference_of_cram(self):
        """CRAM whose reference is gone is an error, not a search on the network, unless --cram-reference gives it."""
        names = self.write("r", single_reads(self.rand, self.reference))
        expected = self.output("-k", "2", "-p", "ACGTTGCA", "r.sam", command="match")
        os.rename(self.folder / "ref.fa", self.folder / "moved.fa")
        os.unlink(self.folder / "ref.fa.fai")
        wrong = self.reference[:500] + "A" + self.reference[501:] + "C"
        self.file("wrong.fa", f">c\n{wrong}\n")
        own = names[5:]  # they hold their reference, or need none
        for name in names[3:]:
            words = ("-k", "2", "-p", "ACGTTGCA", name)
            if name not in own:
                self.refused(3, *words, command="match", says="(--cram-reference FILE)")
                self.refused(3, *words, "--cram-reference", "wrong.fa", command="match", says="is not the reference")
            else:
                self.assertEqual(self.output(*words, command="match"), expected, name)
            before = self.listing()
            self.assertEqual(self.output(*words, "--cram-reference", "moved.fa", command="match"), expected, name)
            self.assertEqual(self.listing(), before)
        self.refused(4, "-p", "A", names[3], "--cram-reference", "absent.fa", says="absent.fa")

    def test_another_reference_than_the_header_names(self):
        """The file that the header names is not read in place of --cram-reference, and nothing but our messages is printed."""
        name = self.write("r", single_reads(self.rand, self.reference))[3]
        expected = self.output("-p", "ACGT", name)
        self.file("other.fa", f">d\n{self.reference}\n")
        digest = hashlib.md5(self.reference.encode()).hexdigest()
        self.file(digest, self.reference)
        self.file("reads.fq", "@q\nACGT\n+\nIIII\n")
        for other in ("other.fa", "reads.fq"):
            for more in ({}, {"REF_PATH": f"{self.folder}/%s"}, {"REF_CACHE": f"{self.folder}/%s"}):
                self.refused(3, "-p", "ACGT", name, "--cram-reference", other, env=environment(**more),
                             says="--cram-reference is not the reference that they were written with (it lacks record 'c' of the header)")
        self.assertEqual(self.output("-p", "ACGT", name), expected)
        os.unlink(self.folder / digest)
        os.rename(self.folder / "ref.fa", self.folder / "moved.fa")
        done = self.run_here("-p", "ACGT", name)
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr.decode(), rf"\Abasesweep: {name}: CRAM: .*\(--cram-reference FILE\), since \S*/ref\.fa cannot be read; .*\n\Z")
        self.assertEqual(self.output("-p", "ACGT", name, "--cram-reference", "moved.fa"), expected)

    def test_no_index_of_text(self):
        for name in self.write("r", single_reads(self.rand, self.reference, 3))[:4]:
            kind = "CRAM" if name.endswith("cram") else "BAM" if name.endswith("bam") else "SAM"
            self.refused(2, name, "-n", "2", "--write-index", command="plan", says=f"{name} is {kind}, which needs no index")

    def test_damage(self):
        """Cut anywhere or with one bit turned, a file is an error or gives the same hits."""
        names = self.write("r", single_reads(self.rand, self.reference, 60))
        words = ("-q", "-k", "2", "-p", "ACGTTGCA", "--format", "tsv")
        for name in names[1:6]:
            data = (self.folder / name).read_bytes()
            whole = self.output(*words, name, command="match")
            for i in range(40):
                cut = data[:self.rand.randrange(30, len(data))]
                turned = bytearray(data)
                turned[self.rand.randrange(len(data))] ^= 1 << self.rand.randrange(8)
                for damaged in (cut, bytes(turned)):
                    self.file("d", damaged)
                    done = self.run_here(*words, "-t", 1 + i % 3, *(("d",) if i % 2 or name.endswith("cram") else ()),
                                         command="match", stdin=b"" if i % 2 else damaged)
                    if done.returncode == 0:
                        self.assertEqual(done.stdout, whole, (name, i, damaged == cut))
                        self.assertNotEqual(damaged, cut, (name, len(cut)))
                    else:
                        self.assertEqual(done.returncode, 3, (name, i, done.stderr))

    def test_cram_that_cannot_be_checked(self):
        names = self.write("r", single_reads(self.rand, self.reference, 20))
        self.refused(3, "-p", "A", stdin=(self.folder / names[3]).read_bytes(), says="<stdin>: CRAM must be in a file")
        samtools("view", "-T", "ref.fa", "-O", "cram,version=2.1", "-o", "old.cram", "r.sam", folder=self.folder)
        self.refused(3, "-p", "A", "old.cram", says="old.cram: CRAM 2.1 has no checksums that are read here")

    def test_no_end_of_file_block(self):
        self.write("r", single_reads(self.rand, self.reference, 20))
        bam = (self.folder / "r.bam").read_bytes()
        for threads in (1, 3):
            self.refused(3, "-p", "A", "-t", threads, stdin=bam[:-28], says="<stdin>: truncated BAM: no end-of-file block after 20 records")

    def test_length_of_header(self):
        """HTSlib would take as much memory as the header says that it is long."""
        for stated in (2**30 + 1, 2**32 - 1):
            self.file("long.bam", bgzf(b"BAM\1" + stated.to_bytes(4, "little") + b"@HD\tVN:1.6\n"))
            self.refused(3, "-p", "ACGT", "long.bam",
                         says=f"long.bam: BAM: its header says that it has {stated} bytes of text; at most 1073741824 are read")

    def test_faults_in_records(self):
        """A name or a quality that FASTQ cannot hold must not become other text."""
        self.write("r", ["ab\t0\tc\t1\t0\t4M\t*\t0\t0\tACGT\tIIII"])
        raw = samtools("view", "-u", "r.bam", folder=self.folder)
        body = subprocess.run(["bgzip", "-dc"], input=raw, capture_output=True, check=True).stdout
        for old, new, says in ((b"ab\0", b"a\n\0", "record 1 is damaged: its name has letters that SAM does not allow"),
                               (b"\x28" * 4, b"\x28\xe9\x28\x28", "record 1 is damaged: a quality of 233, over 93")):
            self.assertEqual(body.count(old), 1)
            self.file("bad.bam", bgzf(body.replace(old, new)))
            self.refused(3, "-p", "ACGT", "bad.bam", says="bad.bam: " + says)

    def test_faults_in_lines(self):
        """Of SAM, the line and the record are named."""
        good = "ab\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\tIIII\n"
        for bad, name in (("x\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\tIII\n", " ('x')"), ("y\t4\t*\t0\t0\t*\n", " ('y')"),
                          ("z\tfour\t*\t0\t0\t*\t*\t0\t0\tACGT\tIIII\n", " ('z')"), ("w\n", " ('w')"), ("\n", "")):
            text = "@HD\tVN:1.6\n@CO\tx\n" + 2 * good + bad + good
            self.file("bad.sam", text)
            self.file("bad.sam.gz", bgzf(text.encode()))
            for path in ("bad.sam", "bad.sam.gz"):
                for threads in (1, 3):
                    self.refused(3, "-p", "ACGT", path, "-t", threads, says=f"{path}: line 5: record 3{name} is not a line of SAM: expected 11 columns")
        self.file("bad.sam", "@HD\tVN:1.6\nx\t4\n")
        self.refused(3, "-p", "ACGT", "bad.sam", says="bad.sam: line 2: record 1 ('x') is not a line of SAM")


@unittest.skipUnless(sam_tools.have_samtools(), "samtools is not installed")
class Mates(WithFiles):
    """`map` of pairs."""

    def map(self, *words, **options):
        return self.output("-k", "3", "-r", "ref.fa", *words, command="map", **options)

    def test_pairs(self):
        found = pairs(self.rand, self.reference)
        names = self.write("p", [line for pair in found for line in pair])
        samtools("fastq", "-n", "-1", "1.fq", "-2", "2.fq", "p.sam", folder=self.folder)
        expected = self.map("-1", "1.fq", "-2", "2.fq")
        for name in names:
            self.assertEqual(self.map(name), expected, name)
            if not name.endswith("cram"):
                self.assertEqual(self.map(stdin=(self.folder / name).read_bytes()), expected, name)
            self.assertEqual(self.map("--interleaved", name), expected, name)
        self.map("p.bam", "--chunk", "1/2", "-o", "1.bsp")
        self.map("p.bam", "--chunk", "2/2", "-o", "2.bsp")
        self.assertEqual(self.output("1.bsp", "2.bsp", command="merge"), expected)

    def test_mates_apart(self):
        lines = [line for pair in pairs(self.rand, self.reference) for line in pair]
        self.write("p", sorted(lines, key=lambda line: int(line.split("\t")[3])))
        self.refused(3, "-k", "3", "-r", "ref.fa", "p.bam", command="map", says="'samtools collate -u -O p.bam | basesweep ...'")
        collated = samtools("collate", "-u", "-O", "p.bam", folder=self.folder)
        self.assertEqual(sorted(self.map(stdin=collated).splitlines()), sorted(self.map(
            stdin=samtools("sort", "-n", "-u", "p.bam", folder=self.folder)).splitlines()))
        for wrong in (lines[:3], lines[:1] + lines[:1], [lines[0], lines[1].replace("\t", "/\t", 1)]):
            self.write("w", wrong)
            self.refused(3, "-k", "3", "-r", "ref.fa", "w.sam", command="map", says="is one of a pair (FLAG 1)")

    def test_single_reads(self):
        names = self.write("r", single_reads(self.rand, self.reference))
        expected = self.map(stdin=samtools("fastq", "r.sam", folder=self.folder))
        for name in names:
            self.assertEqual(self.map(name), expected, name)

    def test_mixtures(self):
        two = pairs(self.rand, self.reference, 2)
        one = single_reads(self.rand, self.reference, 1)[0].split("\t")
        single = "\t".join([one[0], "0", "c", "1", "9", "4M", "*", "0", "0", "ACGT", "IIII"])
        self.write("pairs", [*two[0], *two[1]])
        self.write("mixed", [*two[0], single])
        self.write("single", [single])
        words = ("-k", "3", "-r", "ref.fa")
        self.refused(3, *words, "mixed.bam", command="map", says="read 'r0' is not one of a pair (FLAG 1), but the reads before it are")
        self.refused(3, *words, "pairs.bam", "single.bam", command="map", says="single.bam: its reads are not pairs, those of the inputs before it are")
        self.refused(3, *words, "-1", "pairs.bam", "-2", "single.bam", command="map", says="pairs.bam: BAM: SAM, BAM and CRAM say themselves which reads are mates")
