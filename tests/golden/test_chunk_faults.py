"""Regions, indices, plans and parts that once silently lost hits or mixed up inputs."""
import shutil
import unittest

from chunk_support import ChunkCase, fasta

FIND = ("motif", "-p", "ACGT")


class Faults(ChunkCase):
    def test_ends_far_away(self):
        self.file("a.fa", ">chr1\nACGTACGT\n")
        self.file("a.bed", f"chr1\t0\t{2**63 - 1}\n")
        self.file("far.bed", f"chr1\t{2**62}\t{2**63 - 1}\n")
        expected = self.call(*FIND, "a.fa")
        self.assertEqual(expected.count(b"\n"), 2)
        for index in (False, True):
            if index:
                self.file("a.fa.fai", "chr1\t8\t6\t60\t61\n")
            self.assertEqual(self.call(*FIND, "a.fa", "--region", f"chr1:1-{2**63 - 1}"), expected)
            self.assertEqual(self.call(*FIND, "a.fa", "--regions-file", "a.bed"), expected)
        self.fails(3, *FIND, "a.fa", "--regions-file", "far.bed", says=["far.bed", "line 1"])
        self.file("a.fa.fai", f"chr1\t{2**62}\t6\t1\t{2**62}\n")
        self.fails(3, *FIND, "a.fa", "--chunk", "1/2", says=["a.fa.fai", "line 1"])

    def test_records_named_like_lines_of_a_browser(self):
        self.file("a.fa", fasta([("track9", "ACGT"), ("track", "ACGT"), ("browser", "ACGT")]))
        self.file("a.bed", "track name=x\nbrowser position y\ntrack\ntrack9\t0\t4\ntrack\t0\t4\nbrowser\t0\t4\n")
        tsv = [*FIND, "--format", "tsv", "a.fa"]  # BED cannot hold such records
        self.assertEqual(self.call(*tsv, "--regions-file", "a.bed"), self.call(*tsv))

    def test_an_index_that_lacks_a_record_of_the_same_name(self):
        self.file("a.fa", ">chr2\nACGTAAAAAA\n>chrA\nGGGG\n>chr2 again\nCCACGTCC\n>chrB\nCCCC\n")
        whole = self.attempt(*FIND, "-q", "a.fa", "--region", "chr2").stdout
        self.assertEqual(whole.count(b"\n"), 2)
        self.file("a.fa.fai", "chr2\t10\t6\t10\t11\nchrA\t4\t23\t4\t5\nchrB\t4\t55\t4\t5\n")
        self.fails(3, *FIND, "a.fa", "--region", "chr2", says=["a.fa", "index"])

    def test_parts_of_other_inputs(self):
        for name in ("s", "t"):
            self.file(f"{name}.fq", "".join(f"@{name}{i}\nACGT\n+\nIIII\n" for i in range(4)))
        self.file("a.fa", fasta([("c", "ACGTACGTAACCGGTTACGTAACCGG")]))
        self.file("b.fa", fasta([("c", "ACGTACGTAACCGGTTACGTAACCGT")]))
        for chunk, reads in ((1, "s.fq"), (2, "t.fq")):
            self.call(*FIND, reads, "--chunk", f"{chunk}/2", "-o", f"reads.{chunk}")
        self.fails(3, "merge", "reads.1", "reads.2", says=["reads.1", "reads.2", "plans"])
        for chunk, reference in ((1, "a.fa"), (2, "b.fa")):
            self.call("map", "-k", 1, "-r", reference, "s.fq", "--chunk", f"{chunk}/2", "-o", f"map.{chunk}.bsp")
        self.fails(3, "merge", "map.1.bsp", "map.2.bsp", says=["map.1.bsp", "map.2.bsp", "parameters"])

    def test_an_index_is_not_overwritten(self):
        self.file("a.fa", ">chr1\nACGTACGT\n")
        self.file("x.fai", "chr1\t8\t6\t60\t61\n")
        self.file("a.fa.fai", "chr1\t8\t6\t60\t61\n")
        for fai in ("x.fai", "a.fa.fai"):
            self.fails(2, *FIND, "a.fa", "--region", "chr1", "--fai", "x.fai", "-o", fai, says=[fai])
        self.fails(2, "plan", "a.fa", "--chunks", 2, "-o", "a.fa.fai", says=["a.fa.fai"])

    def test_the_index_of_fastq(self):
        self.file("r.fq", "".join(f"@r{i}\nACGT\n+\nIIII\n" for i in range(4)))
        expected = self.call("plan", "r.fq", "--chunks", 2)
        self.file("r.fq.fai", "".join(f"r{i}\t4\t{16 * i + 4}\t4\t5\t{16 * i + 11}\n" for i in range(4)))
        self.assertEqual(self.call("plan", "r.fq", "--chunks", 2), expected)

    def test_a_plan_of_the_other_format(self):
        self.file("a.fa", ">chr1\nACGTACGT\n")
        self.file("r.fq", "@r\nACGT\n+\nIIII\n")
        self.call("plan", "a.fa", "--reads", "--chunks", 2, "-o", "records.tsv")
        self.call("plan", "a.fa", "--chunks", 2, "-o", "bases.tsv")
        self.fails(2, *FIND, "a.fa", "--chunk", "1/2", "--plan", "records.tsv", says=["records", "FASTA"])
        self.fails(2, *FIND, "r.fq", "--chunk", "1/2", "--plan", "bases.tsv", says=["bases", "FASTQ"])

    @unittest.skipUnless(shutil.which("tabix"), "tabix is not installed")
    def test_an_older_index_of_the_other_kind_goes(self):
        self.file("a.fa", ">chr1\nACGTACGT\n")
        self.call(*FIND, "a.fa", "--chunk", "1/1", "-o", "part.bsp")
        self.file("hits.bed.gz.csi", "of an earlier file")
        self.call("merge", "part.bsp", "-o", "hits.bed.gz", "--write-index")
        self.assertFalse((self.folder / "hits.bed.gz.csi").exists())
        self.assertTrue((self.folder / "hits.bed.gz.tbi").exists())

    def test_few_of_many_missing_chunks_are_named(self):
        self.file("a.fa", ">chr1\nACGTACGT\n")
        self.call(*FIND, "a.fa", "--chunk", "1/1000000", "-o", "part.bsp")
        self.assertLess(len(self.fails(3, "merge", "part.bsp", says=["2/1000000", "more"])), 400)
