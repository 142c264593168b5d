"""map --keep-tags: tags of alignment files and of titles come back in SAM, BAM and CRAM; read groups keep their header lines."""
import re
import subprocess
import unittest

import sam_tools
from test_alignments import WithFiles, pairs, samtools, single_reads

TAGS = ("RG:Z:x", "BC:Z:ACGT-TTGA", "A1:A:%", "c1:i:-128", "C1:i:255", "s1:i:-129", "S1:i:65535", "i1:i:-2147483648", "I1:i:4294967295", "f1:f:-1.5",
        "h1:H:1aE3", "Z0:Z:", "Z1:Z:two words ~!", "B0:B:c", "B1:B:c,-128,127", "B2:B:C,255", "B3:B:s,-32768", "B4:B:S,65535,1", "B5:B:i,-7",
        "B6:B:I,4294967295", "B7:B:f,0.5,-2,1e+20")
NAMES = [tag[:2] for tag in TAGS]


def tags_of(row):
    """Returns the tags of a line of SAM that map does not write itself; HTSlib prints numbers of any type as i."""
    return [tag for tag in row.split("\t")[11:] if tag[:2] not in ("NM", "MD", "AS", "NH", "XE")]


class KeepCase(WithFiles):
    def map(self, *words, **options):
        return self.output("-q", "-k", "3", "-r", "ref.fa", *words, command="map", **options)

    def mapped(self, *words, output="out.sam"):
        """Maps to a file of this name. Returns its lines, header and records."""
        self.map(*words, "-o", output)
        lines = sam_tools.sam_lines(self.folder / output, self.folder / "ref.fa")
        return [line for line in lines if line.startswith("@")], [line for line in lines if not line.startswith("@")]

    def refuse(self, code, says, *words, **options):
        self.refused(code, "-k", "3", "-r", "ref.fa", *words, command="map", says=says, **options)


class Titles(KeepCase):
    def test_values_that_are_refused(self):
        """What SAM does not allow is an error with file and record, whatever the output is."""
        for tag, says in (("BC:", "a type and a value such as 'Z:x', found ''"), ("BC:Z", "such as 'Z:x', found 'Z'"),
                          ("BC:q:x", "expected a type of A, i, f, Z, H or B"), ("BC:i:", "a whole number of 32 bits, found 'i:'"),
                          ("BC:i:1.5", "a whole number of 32 bits"), ("BC:i:4294967296", "a whole number of 32 bits"),
                          ("BC:i:-2147483649", "a whole number of 32 bits"), ("BC:f:x", "expected a number"), ("BC:A:xy", "expected one character"),
                          ("BC:A:", "expected one character"), ("BC:H:abc", "an even number of hexadecimal digits"), ("BC:H:xy", "hexadecimal"),
                          ("BC:B:", "an array such as 'B:C,1,2'"), ("BC:B:c1", "an array such as"), ("BC:B:q,1", "an array of c, C, s, S, i, I or f"),
                          ("BC:B:c,128", "numbers that its type can hold"), ("BC:B:C,-1", "numbers that its type can hold"),
                          ("BC:B:c,", "numbers that its type can hold"), ("BC:B:c,1,", "numbers that its type can hold"),
                          ("BC:Z:\x7f", "letters that SAM does not allow"), ("BC:Z:a\tBC:Z:b", "has the tag BC twice")):
            self.file("bad.fq", f"@good\tBC:Z:x\nACGT\n+\nIIII\n@bad\t{tag}\nACGT\n+\nIIII\n")
            for output in ("sam", "bam"):
                done = self.run_here("-k", "3", "-r", "ref.fa", "--keep-tags", "BC", "bad.fq", "--format", output, command="map")
                self.assertEqual(done.returncode, 3, (tag, done.stderr))
                self.assertRegex(done.stderr.decode(), r"bad\.fq: record 'bad': (tag BC: |its title).*" + re.escape(says))
            self.map("--keep-tags", "RG", "bad.fq")  # nobody asked for BC

    def test_values_of_the_option(self):
        self.file("r.fq", "@r\nACGT\n+\nIIII\n")
        for value, says in (("rg:", "found 'rg:'"), ("R", "found 'R'"), ("RG,", "found ','"), (",RG", "found ''"), ("1A", "found '1A'"),
                            ("RG,BC,RG", "RG is given twice"), ("NM", "map writes NM itself"), ("BC,XE", "map writes XE itself")):
            self.refuse(2, says, "--keep-tags", value, "r.fq")
        self.refuse(2, "conflicts with -R", "--keep-tags", "BC,RG", "-R", "@RG\tID:x", "r.fq")
        self.map("--keep-tags", "BC", "-R", "@RG\tID:x", "r.fq")

    def test_titles(self):
        """Titles of FASTQ and FASTA, with other words, mates, carriage returns; what is not asked for is left out."""
        letters = self.reference[100:150]
        self.file("1.fq", f"@a/1 1:N:0 more\tBC\tBC:Z:AC GT\tQT:Z:II\n{letters}\n+\n{'I' * 50}\n@b\tXX:i:5\tBC:Z:b\r\n{letters}\r\n+\r\n{'I' * 50}\r\n")
        self.file("2.fq", f"@a/2\tQT:Z:JJ\n{letters}\n+\n{'I' * 50}\n@b BC:Z:word\n{letters}\n+\n{'I' * 50}\n")
        self.file("1.fa", f">a BC\tBC:Z:fasta\n{letters}\n>b\tBC:Z\n")
        for output in ("o.sam", "o.bam", "o.cram"):
            header, rows = self.mapped("--keep-tags", "BC,QT", "-1", "1.fq", "-2", "2.fq", output=output)
            self.assertEqual([tags_of(row) for row in rows], [["BC:Z:AC GT", "QT:Z:II"], ["QT:Z:JJ"], ["BC:Z:b"], []])
            self.assertEqual([line for line in header if line.startswith("@RG")], [])
        self.refuse(3, "1.fa: record 'b': tag BC: expected a type and a value", "--keep-tags", "BC", "1.fa")


@unittest.skipUnless(sam_tools.have_samtools(), "samtools is not installed")
class Alignments(KeepCase):
    def test_every_type(self):
        """Every type of tag, from every kind of file to every kind; each record of a read has them."""
        unit = self.reference[100:140]
        self.reference = self.reference[:300] + unit + self.reference[340:]
        self.file("ref.fa", f">c\n{self.reference}\n")
        lines = [f"r{i}\t{flag}\t{'*' if flag == 4 else 'c'}\t{0 if flag == 4 else 101}\t0\t{'*' if flag == 4 else '40M'}\t*\t0\t0\t{letters}\t{'I' * 40}"
                 + "".join("\t" + tag for tag in tags)
                 for i, (flag, letters, tags) in enumerate(((0, unit, TAGS), (16, unit, TAGS[::-1]), (4, "T" * 40, TAGS[:3]), (4, unit, ())))]
        wanted = {f"r{i}": sorted(tags) for i, tags in enumerate((TAGS, TAGS, TAGS[:3], ()))}
        for name in self.write("r", lines):
            for output in ("o.sam", "o.bam", "o.cram"):
                header, rows = self.mapped("--keep-tags", ",".join(NAMES), name, output=output)
                self.assertEqual(len(rows), 7)
                for row in rows:
                    self.assertEqual(sorted(tags_of(row)), wanted[row.split("\t")[0]], (name, output))
                self.assertEqual([line for line in header if line.startswith("@RG")], ["@RG\tID:x\tSM:s", "@RG\tID:z\tSM:s"])
                self.assertIsNone(sam_tools.check_quick(self.folder / output))

    def test_as_samtools_fastq(self):
        """The same records as from the FASTQ that samtools writes with these tags, but for the lines of read groups."""
        single = self.write("s", single_reads(self.rand, self.reference))
        paired = self.write("p", [line for pair in pairs(self.rand, self.reference) for line in pair])
        for names, options in ((single, ()), (paired, ("--interleaved",))):
            sam = names[0]
            fastq = samtools("fastq", "-T", "RG,BC", sam, folder=self.folder)
            if options:  # samtools keeps the order of the file
                collated = samtools("sort", "-n", "-u", sam, folder=self.folder)
                self.file("sorted.bam", collated)
                fastq = samtools("fastq", "-T", "RG,BC", "sorted.bam", folder=self.folder)
            expected = self.map("--no-PG", "--keep-tags", "RG,BC", *options, stdin=fastq)
            self.assertIn("\tRG:Z:x", expected.decode())
            for name in names:
                source = name
                if options:
                    source = "again." + name.split(".", 1)[1]
                    samtools("sort", "-n", *(("-O", "sam") if ".sam" in name else ("-O", name.rsplit(".", 1)[1], "--reference", "ref.fa")), "-o", source,
                             name, folder=self.folder)
                found = self.map("--no-PG", "--keep-tags", "RG,BC", source).decode()
                groups = [line for line in found.splitlines() if line.startswith("@RG")]
                self.assertEqual(groups, ["@RG\tID:x\tSM:s", "@RG\tID:z\tSM:s"], name)
                self.assert_same_text(found.replace("".join(line + "\n" for line in groups), ""), expected.decode(), name)
                if not name.endswith("cram"):
                    self.assertEqual(self.map("--no-PG", "--keep-tags", "RG,BC", stdin=(self.folder / source).read_bytes()).decode(), found)
            without = self.map("--no-PG", single[0]).decode()
            self.assertFalse([row for row in without.splitlines() if "RG:Z" in row or row.startswith("@RG")])

    def test_chunks(self):
        names = self.write("s", single_reads(self.rand, self.reference))
        for name in names[1:4]:
            for i in (1, 2):
                self.map("--keep-tags", "BC,RG", name, "--chunk", f"{i}/2", "-o", f"{i}.bsp")
            for output in ("sam", "bam"):
                whole = self.map("--keep-tags", "BC,RG", name, "--format", output)
                self.assertEqual(self.output("1.bsp", "2.bsp", "--format", output, command="merge"), whole)
        self.map("--keep-tags", "BC", names[0], "--chunk", "2/2", "-o", "2.bsp")
        self.refused(3, "1.bsp", "2.bsp", command="merge", says="keep_tags")

    def test_chunks_of_words(self):
        """Tags of FASTQ keep the words that they are written with in SAM, and become numbers in BAM."""
        words = ["XF:f:1.50", "XI:i:+007", "XB:B:f,0.50,3", "XH:H:0aFF", "XA:A:!", "BC:Z:A-C"]
        self.file("t.fq", "".join(f"@r{i}\t" + "\t".join(words[i % 3:]) + "\nACGTACGTACGT\n+\nIIIIIIIIIIII\n" for i in range(9)))
        options = ["--keep-tags", "XF,XI,XB,XH,XA,BC", "t.fq"]
        for i in (1, 2, 3):
            self.map(*options, "--chunk", f"{i}/3", "-o", f"{i}.bsp")
        for output in ("sam", "bam"):
            whole = self.map(*options, "--format", output)
            self.assertEqual(self.output("1.bsp", "2.bsp", "3.bsp", "--format", output, command="merge"), whole)
            if output == "sam":
                self.assertIn("\tXF:f:1.50\tXI:i:+007\tXB:B:f,0.50,3", whole.decode())

    def test_several_files(self):
        """Read groups of all files, each once; two of one ID are refused; a pipe that comes later may not bring new ones."""
        lines = single_reads(self.rand, self.reference, 5)
        for name, groups in (("a", ("@RG\tID:x\tSM:s", "@RG\tID:z\tSM:s")), ("b", ("@RG\tID:z\tSM:s", "@RG\tID:y")), ("c", ("@RG\tSM:t\tID:x",))):
            self.file(f"{name}.sam", "@HD\tVN:1.6\n@SQ\tSN:c\tLN:1000\n" + "".join(line + "\n" for line in (*groups, *lines)))
            samtools("view", "-b", "-o", f"{name}.bam", f"{name}.sam", folder=self.folder)
        header, rows = self.mapped("--keep-tags", "RG", "a.bam", "b.sam")
        self.assertEqual([line for line in header if line.startswith("@RG")], ["@RG\tID:x\tSM:s", "@RG\tID:z\tSM:s", "@RG\tID:y"])
        self.refuse(3, "c.sam: its read group 'x' is another one than that of a.bam", "--keep-tags", "RG", "a.bam", "c.sam")
        self.map("--keep-tags", "BC", "a.bam", "c.sam")
        for second, code in (("b.bam", 3), ("a.bam", 0)):
            done = subprocess.run(["bash", "-c", f'"$BASESWEEP_BINARY" map -q -k 3 -r ref.fa --keep-tags RG a.bam <(cat {second})'], cwd=self.folder,
                                  capture_output=True, check=False)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(b"must be the first one to keep RG" in done.stderr, code == 3, done.stderr)


if __name__ == "__main__":
    unittest.main()
