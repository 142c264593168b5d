"""Chunks of `map`, which are chunks of the reads: merged outputs equal, byte for byte, the output that one run
writes, for reads single or in pairs, FASTQ or FASTA, of any compression."""
import gzip
import itertools
import json
import unittest

import naive_map
import sam_tools
from chunk_support import ChunkCase, bgzf, fai, fasta, gzi
from map_support import fasta_reads, fastq, interleaved, made_pairs, made_reads, made_records, seeded
from naive_map import Options
from support import without_origin

MANY = 17
CHOICES = ([], ["--report", "sites"], ["--report", "all", "-N", 3], ["--hits-only"], ["--strand", "plus", "--eqx"],
           ["--report", "all", "--rg", r"@RG\tID:x\tPL:ILLUMINA"], ["--md5", "--no-PG"])
OUTPUTS = ("sam", "bam", "sam.gz")


class Map(ChunkCase):
    def setUp(self):
        super().setUp()
        rng, self.about = seeded("chunks of reads")
        self.records = made_records(rng)
        self.reads, self.pairs = made_reads(self.records, rng), made_pairs(self.records, rng, count=31)
        self.file("r.fa", fasta(self.records))

    def write_reads(self):
        """Writes inputs; returns {kind: command-line words}."""
        half = len(self.reads) // 2
        parts = [fastq(self.reads[:half]).encode(), fastq(self.reads[half:]).encode()]
        self.file("a.fq", parts[0])
        self.file("b.fq.gz", gzip.compress(parts[1]))
        self.file("all.fq.gz", bgzf(b"".join(parts), 400))
        self.file("all.fa", fasta_reads(self.reads))
        self.file("pairs.fq", interleaved(self.pairs))
        for number in (0, 1):
            self.file(f"{number + 1}.fq", fastq([pair[number] for pair in self.pairs[:10]]))
            self.file(f"{number + 1}.fq.gz", bgzf(fastq([pair[number] for pair in self.pairs[10:]]).encode(), 300))
        return {"single": ["all.fq.gz"], "two files": ["a.fq", "b.fq.gz"], "FASTA": ["all.fa"], "interleaved": ["--interleaved", "pairs.fq"],
                "mates": ["-1", "1.fq", "-2", "2.fq", "-1", "1.fq.gz", "-2", "2.fq.gz"]}

    @staticmethod
    def planned(words):
        """Returns the files that a plan is made for."""
        files = [word for i, word in enumerate(words) if word[0] != "-" and words[i - 1] != "-2"]
        return ["--reads", *files] if "all.fa" in files else files

    def test_every_output_and_choice(self):
        for i, ((what, words), choice) in enumerate(itertools.product(self.write_reads().items(), CHOICES)):
            arguments = ["-r", "r.fa", "-k", 2, *choice, *words]
            for j, output in enumerate(OUTPUTS):
                expected = self.whole("map", arguments, f"whole.{output}")
                chunks = (1, 3, MANY)[(i + j) % 3]
                plan = self.plan(chunks, *self.planned(words)) if i % 2 else None
                self.assert_joined(expected, "map", arguments, chunks, output, plan, f"{what}, {self.about}")

    def test_every_number_of_chunks(self):
        """Even more chunks than reads; pairs stay together."""
        for what, words in self.write_reads().items():
            arguments = ["-r", "r.fa", "-k", 1, *words]
            expected = self.whole("map", arguments, "whole.bam")
            for chunks in (1, 2, 3, 7, MANY, 90):
                self.assert_joined(expected, "map", arguments, chunks, "bam", self.plan(chunks, *self.planned(words)), what)

    def test_no_reads(self):
        for name, text in (("empty.fq", ""), ("one.fq", "@r\nACGT\n+\nIIII\n")):
            self.file(name, text)
            arguments = ["-r", "r.fa", "-k", 1, name]
            for output in OUTPUTS:
                for plan in (None, self.plan(3, name)):
                    self.assert_joined(self.whole("map", arguments, f"whole.{output}"), "map", arguments, 3, output, plan, about=name)

    def test_parts_of_the_reference(self):
        """--region with chunks of reads, with and without an index of the reference, with and without a plan."""
        packed = bgzf(fasta(self.records).encode(), 100)
        self.file("i.fa.gz", packed)
        self.file("i.fa.gz.fai", fai(self.records))
        self.file("i.fa.gz.gzi", gzi(packed))
        asked = ["--region", "first:20-90", "--region", "{chr|2}", "--region", "poly:5-9"]
        for what, words in self.write_reads().items():
            arguments = ["-k", 2, *asked, *words]
            expected = self.whole("map", ["-r", "r.fa", *arguments], "whole.bam")
            for plan in (None, self.plan(3, *self.planned(words))):
                for reference in ("r.fa", "i.fa.gz"):
                    self.assert_joined(expected, "map", ["-r", reference, *arguments], 3, "bam", plan, what)

    def test_against_the_naive_answer(self):
        self.file("reads.fq", fastq(self.reads))
        options = Options(k=2, report="sites")
        expected = naive_map.sam(self.records, [(read,) for read in self.reads], options)
        arguments = ["-r", "r.fa", "-k", 2, "--report", "sites", "--no-PG", "reads.fq"]
        self.assert_joined(expected.encode(), "map", arguments, MANY, "sam", about=self.about)

    def test_streams_with_a_plan(self):
        self.file("reads.fq", fastq(self.reads))
        arguments = ["-r", "r.fa", "-k", 2]
        expected = self.whole("map", [*arguments, "reads.fq"], "whole.bam")
        plan = self.plan(3, "reads.fq")
        for i in (1, 2, 3):
            self.call("map", "-q", *arguments, "--plan", plan, "--chunk", f"{i}/3", "-o", f"{i}.bsp", stdin=fastq(self.reads).encode())
        self.assertEqual(self.merge(["1.bsp", "2.bsp", "3.bsp"], "merged.bam"), expected)

    def test_reports(self):
        for what, words in self.write_reads().items():
            arguments = ["-q", "-r", "r.fa", "-k", 2, "--report", "all", "-N", 1, *words]
            self.call("map", *arguments, "--json", "whole.json", "-o", "whole.sam")
            for i in (1, 2, 3):
                self.call("map", *arguments, "--chunk", f"{i}/3", "-o", f"{i}.bsp")
            merged = self.merge(["1.bsp", "2.bsp", "3.bsp"], "merged.sam", "--json", "merged.json")
            self.assertEqual(merged, self.read("whole.sam"), what)
            merged, whole = json.loads(self.read("merged.json")), json.loads(self.read("whole.json"))
            self.assertEqual(without_origin(merged), without_origin(whole), what)

    def test_choices_at_merge(self):
        """--eqx, --no-PG, --rg and the format can be chosen when the chunks are done; --report cannot."""
        words = self.write_reads()["mates"]
        arguments = ["-r", "r.fa", "-k", 2, "--report", "sites", *words]
        parts = self.jobs("map", arguments, 3)
        for more in (["--eqx"], ["--no-PG", "--rg", r"@RG\tID:x\tPL:ILLUMINA"], []):
            for output in OUTPUTS:
                expected = self.whole("map", [*arguments, *more], f"whole.{output}")
                passed = ["--read-group" if word == "--rg" else word for word in more]
                self.assertEqual(self.merge(parts, f"merged.{output}", *passed), expected)
        self.fails(2, "merge", *parts, "-o", "out.sam", "--report", "all", says=["--report all: the chunks looked for sites"])
        self.fails(2, "merge", *parts, "-o", "out.bam", "--write-index", says=["in read order"])
        self.fails(2, "merge", *parts, "-o", "out.bed", says=["out.bed", ".cram"])

    @unittest.skipUnless(sam_tools.have_samtools(), "samtools is not installed (Debian package samtools)")
    def test_cram(self):
        self.file("reads.fq", fastq(self.reads))
        self.file("copy.fa", fasta(self.records))
        arguments = ["-r", "r.fa", "-k", 2, "reads.fq"]
        parts = self.jobs("map", arguments, 3)
        self.whole("map", arguments, "whole.cram")

        def lines(name):
            return sam_tools.sam_lines(self.folder / name, self.folder / "r.fa")
        for more in ([], ["--cram-reference", "copy.fa"]):
            self.merge(parts, "merged.cram", *more)
            self.assertIsNone(sam_tools.check_quick(self.folder / "merged.cram"))
            self.assertEqual(lines("merged.cram"), lines("whole.cram"))
        self.fails(2, "merge", *parts, "-o", "out.cram", "--eqx", says=["CRAM cannot tell = from X"])

    def test_many_alignments(self):
        """Reads with more alignments than a block of a part holds, and blocks of unmapped reads."""
        self.file("a.fa", ">a\n" + "A" * 20000 + "\n")
        reads = [("r1", "A" * 30), ("r2", "C" * 30), ("r3", "A" * 9)] + [(f"u{i}", "CG" * 8) for i in range(9000)] + [("r4", "A" * 12)]
        self.file("reads.fq", "".join(f"@{name}\n{letters}\n+\n{'I' * len(letters)}\n" for name, letters in reads))
        arguments = ["-r", "a.fa", "-k", 0, "--report", "all", "reads.fq"]
        for output in ("sam", "bam"):
            self.assert_joined(self.whole("map", arguments, f"whole.{output}"), "map", arguments, 2, output)

    def test_input_that_the_plan_is_not_of(self):
        """More or fewer reads than planned; fewer mates in one of the files."""
        self.file("reads.fq", fastq(self.reads))
        plan = self.plan(3, "reads.fq")
        for name, reads in (("more.fq", self.reads + self.reads[:1]), ("fewer.fq", self.reads[:-1]), ("none.fq", [])):
            self.file(name, fastq(reads))
            codes = []
            for i in (1, 2, 3):
                before = self.listing()
                done = self.attempt("map", "-q", "-r", "r.fa", "-k", 2, "--plan", plan, "--chunk", f"{i}/3", name, "-o", "out.bsp")
                codes.append(done.returncode)
                (self.folder / "out.bsp").unlink() if done.returncode == 0 else self.assertEqual(self.listing(), before)
            self.assertIn(3, codes, f"{name}: a job must say that the plan is of other reads")
            self.assertLessEqual(set(codes), {0, 3}, name)

    def test_refused(self):
        self.file("reads.fq", fastq(self.reads))
        self.file("reads.fa", fasta_reads(self.reads))
        self.call("plan", "-q", "reads.fa", "--chunks", 3, "-o", "bases.tsv")
        self.call("plan", "-q", "reads.fq", "--chunks", 3, "-o", "reads.tsv")
        words = ["-r", "r.fa", "-k", "2", "-o", "out"]
        self.fails(2, "map", *words, "--chunk", "1/3", "--plan", "bases.tsv", "reads.fa", says=["bases.tsv", "--reads"])
        self.fails(2, "map", *words, "--chunk", "1/4", "--plan", "reads.tsv", "reads.fq", says=["1/4", "reads.tsv has 3 chunks"])
        self.fails(2, "map", *words, "--plan", "reads.tsv", "reads.fq", says=["--plan needs --chunk"])
        self.fails(2, "map", *words, "--chunk", "1/3", "-", stdin=b"@r\nA\n+\nI\n", says=["<stdin>", "--plan"])
        for name in ("out.cram", "out.bam"):
            self.fails(2, "map", "-r", "r.fa", "-k", "2", "--chunk", "1/3", "reads.fq", "-o", name, says=[name, "name the file .bsp"])
