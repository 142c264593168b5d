"""Files as people have them: byte order marks, files of 0 bytes, annotations and matrices in their odd forms; binary output on terminals;
messages about indices."""
import bz2
import gzip
import lzma
import os
import pty
import subprocess
import unittest

import sam_tools
from support import BINARY, Case, bgzf, environment, zstd

MARK = b"\xef\xbb\xbf"
GUIDE = "GACCGATTCGGACTTAGCCA"
JASPAR = ">MA1 Fac\nA [0 9 9 0 0 0]\nC [0 0 0 0 0 9]\nG [9 0 0 0 0 0]\nT [0 0 0 9 9 0]\n"


def packed(data):
    """The data in every form, by ending."""
    return {"": data, ".gz": gzip.compress(data), ".bgz": bgzf(data), ".bz2": bz2.compress(data), ".xz": lzma.compress(data), ".zst": zstd(data)}


class ByteOrderMarks(Case):
    """The mark that Windows programs put before text is skipped in every text file."""

    def same(self, plain, marked, *words, command="motif"):
        """Checks that a run gives the same with both files."""
        expected = self.output(*words, plain, "-q", command=command)
        self.assertNotEqual(expected, "")
        self.assertEqual(self.output(*words, marked, "-q", command=command), expected, (command, words, marked))

    def test_sequences(self):
        for text in (b">a x\nTTGAATTCTT\nGAATTC\n>b\nGAATTC\n", b">a\r\nTTGAATTCTTGAATTC\r\n>b\r\nGAATTC\r\n", b"\n>a\nTTGAATTC\n"):
            self.file("plain.fa", text)
            self.file("m.jaspar", JASPAR)
            for ending, data in packed(MARK + text).items():
                name = "marked.fa" + ending
                self.file(name, data)
                for threads in (1, 3):
                    self.same("plain.fa", name, "-t", threads, "-p", "GAATTC")
                self.same("plain.fa", name, "-p", "GAATTC", "-k", "1", command="match")
                self.same("plain.fa", name, "-m", "m.jaspar", "-p", "0.001", command="pwm")
                self.same("plain.fa", name, "-n", "2", command="plan")
                self.same("plain.fa", name, "-p", "GAATTC", "--region", "a:3-8")
            self.assertEqual(self.run_here("-p", "GAATTC", "-q", stdin=MARK + text).stdout, self.run_here("-p", "GAATTC", "-q", stdin=text).stdout)

    def test_genomes_and_reads(self):
        sequence = "ACGTTGCAAC" + GUIDE + "TGGACCATGACCATTACGGATTCACTGGAACCTTAGGCATC"
        genome, reads = f">c\n{sequence}\n".encode(), f"@r1\n{sequence[5:40]}\n+\n{'I' * 35}\n@r2\n{sequence[10:50]}\n+\n{'I' * 40}\n".encode()
        for name, data in (("g.fa", genome), ("m.fa", MARK + genome), ("r.fq", reads), ("m.fq", MARK + reads), ("m.fq.gz", gzip.compress(MARK + reads))):
            self.file(name, data)
        self.same("g.fa", "m.fa", "-p", GUIDE, "-m", "1", command="guides")
        self.same("g.fa", "m.fa", "--forward", sequence[:12], "--reverse", "GATGCCTAAGGTT", "-k", "0", command="pcr")
        for mapped in ("m.fq", "m.fq.gz"):
            self.same("r.fq", mapped, "-r", "g.fa", "-k", "2", "--no-PG", command="map")
            self.same("r.fq", mapped, "-p", "GACCGATT")
        self.assertEqual(self.output("-r", "m.fa", "-k", "2", "--no-PG", "-q", "r.fq", command="map"), self.output("-r", "g.fa", "-k", "2", "--no-PG", "-q", "r.fq", command="map"))
        for name in ("g.fa", "m.fa"):
            self.output(name, "-o", name + ".2bit", command="pack")
        self.assertEqual((self.folder / "g.fa.2bit").read_bytes(), (self.folder / "m.fa.2bit").read_bytes())
        self.output("-p", "GACCGATT", "m.fq", "--matching-reads", "found.fq", "-q")
        self.assertEqual((self.folder / "found.fq").read_bytes(), reads)

    def test_other_files(self):
        self.file("g.fa", f">c\n{GUIDE}TGGAATTCAA\n")
        files = {"p.fa": b">p1\nGAATTC\n", "p.tsv": b"p1\tGAATTC\n", "r.bed": b"c\t0\t30\tx\n", "m.jaspar": JASPAR.encode(),
                 "bg.txt": b"A 0.3\nC 0.2\nG 0.2\nT 0.3\n", "pairs.tsv": f"one\t{GUIDE[:12]}\tTTGAATTCCA\n".encode(),
                 "a.gtf": b"c\tx\tgene\t1\t25\t.\t+\t.\tgene_id \"A\"\n", "a.bed": b"c\t0\t25\tx\n", "lib.tsv": f"name\tsequence\ng1\t{GUIDE}\n".encode()}
        self.output("g.fa", "-n", "1", "-o", "plan.tsv", "--write-index", command="plan")
        files["plan.tsv"] = (self.folder / "plan.tsv").read_bytes()
        files["g.fa.fai"] = (self.folder / "g.fa.fai").read_bytes()
        runs = {"p.fa": ("motif", "-f", "p.fa"), "p.tsv": ("motif", "-f", "p.tsv"), "r.bed": ("motif", "-p", "GAATTC", "--regions-file", "r.bed"),
                "m.jaspar": ("pwm", "-m", "m.jaspar", "-p", "0.01"), "bg.txt": ("pwm", "-m", "m.jaspar", "-p", "0.01", "--background", "bg.txt"),
                "pairs.tsv": ("pcr", "-f", "pairs.tsv", "-k", "0"), "plan.tsv": ("motif", "-p", "GAATTC", "--chunk", "1/1", "--plan", "plan.tsv", "-o", "part"),
                "g.fa.fai": ("motif", "-p", "GAATTC", "--region", "c:20-30"), "a.gtf": ("guides", "-p", GUIDE, "-m", "0", "--annotate", "a.gtf"),
                "a.bed": ("guides", "-p", GUIDE, "-m", "0", "--annotate", "a.bed"), "lib.tsv": ("guides", "-f", "lib.tsv", "-m", "0")}
        for name, data in files.items():
            self.file(name, data)
        for name, (command, *words) in runs.items():
            expected = self.output(*words, "g.fa", "-q", command=command)
            self.file(name, MARK + files[name])
            self.assertEqual(self.output(*words, "g.fa", "-q", command=command), expected, name)
            self.file(name, files[name])

    def test_what_stays_an_error(self):
        self.file("g.fa", ">c\nGAATTC\n")
        self.file("u.fa", ">c\nGAATTC\n".encode("utf-16"))
        self.refused(3, "-p", "GAATTC", "u.fa", says=["u.fa: neither FASTA nor FASTQ but UTF-16 text; try 'iconv -f UTF-16 -t UTF-8 u.fa | basesweep ...'"])
        self.refused(3, "-f", "u.fa", "g.fa", says=["u.fa: neither FASTA nor FASTQ but UTF-16 text; try 'iconv -f UTF-16 -t UTF-8 u.fa | basesweep ... -f -'"])
        self.file("u.bed", "c\t0\t5\n".encode("utf-16"))
        self.refused(3, "-p", "GAATTC", "--regions-file", "u.bed", "g.fa", says=["u.bed: UTF-16 text: save it as UTF-8, or convert it with 'iconv -f UTF-16 -t UTF-8'"])
        self.file("m.sam", MARK + b"@HD\tVN:1.6\n@SQ\tSN:c\tLN:6\n")
        self.refused(3, "-p", "GAATTC", "m.sam", says=["m.sam: SAM after a byte order mark; try 'tail -c +4 m.sam | basesweep ...'"])
        self.file("m.sam.gz", gzip.compress(MARK + b"@SQ\tSN:c\tLN:6\n"))
        self.refused(3, "-p", "GAATTC", "m.sam.gz", says=["try 'gzip -dc m.sam.gz | tail -c +4 | basesweep ...'"])
        self.file("two.fa", MARK + b">a\nGAATTC\n" + MARK + b">b\nGAATTC\n")
        self.refused(3, "-p", "GAATTC", "two.fa", says=["two.fa", "0xef"])
        self.file("m.fa", MARK + b">c\nGAATTC\n")
        self.refused(3, "-n", "1", "--write-index", "m.fa", command="plan", files=("-o", "plan.tsv"),
                     says=["m.fa: cannot be indexed: it begins with a byte order mark, which programs for indices do not know: remove it with 'tail -c +4'"])


class EmptyFiles(Case):
    """A file of 0 bytes is damaged where a whole one has at least a header or a mark of its end."""
    ENDINGS = ("fa.gz", "fq.gz", "fa.bgz", "fa.zst", "fa.bz2", "fa.xz", "bam", "cram", "2bit", "FA.GZ")

    def setUp(self):
        super().setUp()
        self.file("g.fa", ">c\nGAATTC\n")

    def test_inputs(self):
        for ending in self.ENDINGS:
            name = self.file(f"x.{ending}", b"").name
            says = [f"{name}: the file is empty: a", "has some bytes even where it holds nothing, so this one was cut off; make it again"]
            self.refused(3, "-p", "GAATTC", name, says=says)
            self.refused(3, "-p", "GAATTC", "g.fa", name, says=says)
            self.refused(3, "-p", "GAATTC", "-k", "0", name, command="match", says=says)
            self.refused(3, "-p", "GAATTC", "--region", "c", name, says=says)
            self.refused(3, "-k", "0", "-r", "g.fa", name, command="map", files=("-o", "out.sam"), says=says)
            self.refused(3, "-k", "0", "-r", name, "g.fa", command="map", files=("-o", "out.sam"), says=says)
            self.refused(3, "-n", "2", name, command="plan", files=("-o", "out.plan"), says=says)
            self.refused(3, name, command="pack", files=("-o", "out.2bit"), says=says)
            self.refused(3, "-q", "-p", GUIDE, "-m", "0", "--pam-in-guide", "no", name, command="guides", files=("-o", "out.tsv"), says=says)

    def test_other_files(self):
        self.file("m.jaspar", JASPAR)
        for name in ("x.gz", "x.bed.gz", "x.bsx"):
            self.file(name, b"")
            says = [f"{name}: the file is empty"]
            self.refused(3, "-f", name, "g.fa", says=says)
            self.refused(3, "-p", "GAATTC", "--regions-file", name, "g.fa", says=says)
            self.refused(3, "-m", name, "g.fa", command="pwm", says=says)
            self.refused(3, "-f", name, "-k", "0", "g.fa", command="pcr", files=("-o", "out.tsv"), says=says)
            self.refused(3, "-p", GUIDE, "--annotate", name, "-m", "0", "g.fa", command="guides", files=("-o", "out.tsv"), says=says)
            self.refused(3, name, command="merge", files=("-o", "out.bed"), says=says)

    def test_what_may_be_empty(self):
        for name, data in (("x.fa", b""), ("x.fq", b""), ("x.sam", b""), ("x", b""), ("y.fa.gz", gzip.compress(b"")), ("y.bgz", bgzf(b"")), ("y.bz2", bz2.compress(b"")),
                           ("y.xz", lzma.compress(b"")), ("y.zst", zstd(b"")), ("gz", b""), ("x.gz.txt", b"")):
            self.file(name, data)
            done = self.run_here("-p", "GAATTC", name)
            self.assertEqual((done.returncode, done.stdout), (0, b""), name)
            self.assertIn(b"no sequence: the file is empty", done.stderr, name)
        self.assertEqual(self.run_here("-p", "GAATTC", stdin=b"").returncode, 0)


class Annotations(Case):
    """Column 9 as GTF and GFF3 have it, and as people write it."""
    LINE = "c\tx\tgene\t1\t5\t.\t+\t.\t"

    def feature(self, text, name="a.gtf"):
        self.file("c.fa", f">c\n{GUIDE}TGGAA\n")
        self.file(name, text)
        done = self.run_here("-q", "-p", GUIDE, "-m", "0", "c.fa", "--annotate", name, "--hits", "h.tsv", "-o", "t.tsv", command="guides")
        if done.returncode != 0:
            return done.returncode, done.stderr.decode()
        return (self.folder / "h.tsv").read_text().splitlines()[1].split("\t")[11]

    def test_names(self):
        for column, name in (('gene_id ATMG1; seqedit "false"; gene_name ORF1;', "ORF1"), ('gene_id "A"; note "say \\"hi; there\\""; gene_name "B"', "B"),
                             (' gene_id "A"', "A"), (' gene_id "A"; gene_name "B";', "B"), ("gene_id=A;Name=zz;", "zz"),
                             ('gene_id "ENSG1.1"; gene_type "x"; gene_name "DDX"; level 2; tag "a"; tag "b";', "DDX"),
                             ('level 2; gene_id "ENSG1.1"; gene_name "DDX"', "DDX"), ('gene_id "A" ; gene_name "B" ;', "B"), ("ID=a;Name=;Note=x y", "a"),
                             ("ID=a; Name=b", "b"), (" ID=a;Name=b", "b"), (".", "."), ('gene "A"; locus_tag "L1"', "A"), ('gene_id "A"\tcomment', "A")):
            self.assertEqual(self.feature(f"{self.LINE}{column}\n"), f"gene:{name}", column)
        self.assertEqual(self.feature(f'  \n{self.LINE}gene_id "A"\n\t\t\n'), "gene:A")
        self.assertEqual(self.feature("c\t0\t5\n", "a.bed"), "region:.")
        self.assertEqual(self.feature("track name=a\n  \nc\t0\t5\tx y;z,w\t0\t+\n", "a.bed"), "region:x y%3Bz%2Cw")

    def test_refusals(self):
        for text, says in ((self.LINE.rstrip("\t") + "\n", "line 1: expected the nine columns"), (f"{self.LINE}gene1\n", "line 1: expected tag=value"),
                           ('c\tx\tgene\t5\t1\t.\t+\t.\tgene_id "r"\n', "line 1: the feature ends before it begins"),
                           ('c x gene 1 5 . + . gene_id "A"\n', "line 1: expected")):
            code, message = self.feature(text)
            self.assertEqual(code, 3, text)
            self.assertIn(says, message)


class Matrices(Case):
    """Files of matrices as databases give them out; counts and tables with the names of factors."""
    TRANSFAC = "AC M1\nID a\nP0 A C G T\n01 1 2 96 1 G\n02 98 1 1 0 A\nXX\n"
    ROWS = "1\t0\t0\t1\t0\n2\t1\t0\t0\t0\n3\t1\t0\t0\t0\n4\t0\t0\t0\t1\n5\t0\t0.02\t0\t0.98\n6\t0\t1\t0\t0\n"

    def setUp(self):
        super().setUp()
        self.file("s.fa", ">s\nTTGAATTCTTGGATCCTT\n")
        self.file("t.fa", ">s\nTTGATT\n")

    def sites(self, name, text, *words):
        self.file(name, text)
        return [line.split("\t") for line in self.output("-q", "-m", name, *words, command="pwm").splitlines()]

    def test_transfac(self):
        words = ("--relative", "0.9", "--strand", "plus", "t.fa")
        plain = self.sites("m.dat", self.TRANSFAC + "//\n", *words)
        self.assertEqual(plain, [["s", "2", "4", "M1", "120", "+"]])
        for more in ("XL\n00 36\nXX\n", "IC 1 2\nXX\nXL\n00\t36\n01\t2\n10\t0\nXX\n", "BA 10 sites\nXX\nCC 12 bla\n15 elements\nXX\n"):
            self.assertEqual(self.sites("m.dat", self.TRANSFAC + more + "//\n", *words), plain, more)
        for text, says in ((self.TRANSFAC + "1 2 3 4\nXX\n//\n", "line 7: a row of numbers that is apart from those behind the line P0"),
                           (self.TRANSFAC + "CC x\n03 1 1 1 2 T\n//\n", "line 8: a row of numbers that is apart"),
                           ("DE M1\n0 0 0 9 0 G\n1 9 0 0 0 A\nXX\n", "line 2: a row of numbers before the line P0"),
                           (self.TRANSFAC + "//\nAC M2\nXX\n01 1 2 96 1 G\n//\n", "line 10: a row of numbers before the line P0")):
            self.file("m.dat", text)
            self.refused(3, "-m", "m.dat", *words, command="pwm", says=[f"m.dat: {says}"])

    def test_cis_bp(self):
        head = "TF\tX\nTF Name\tx1\nGene\tg\nMotif\tM1_2.00\nFamily\tZf\nSpecies\tS_p\n"
        words = ("-p", "0.001", "s.fa", "--format", "tsv")
        for letters in ("A\tC\tG\tT", "A\tC\tG\tU"):
            for text, name in ((f"Pos\t{letters}\n" + self.ROWS, ["M9", "."]), (head + f"Pos\t{letters}\n" + self.ROWS, ["M1_2.00", "x1"])):
                rows = self.sites("M9.txt", text, *words)
                self.assertEqual([row[:6] for row in rows[1:]], [["s", "2", "8", *name, strand] for strand in "+-"])
                self.assertEqual([row[:6] for row in self.sites("M9.txt", text.replace("\n", "\r\n"), "--matrix-format", "cis-bp", *words)[1:]],
                                 [["s", "2", "8", *name, strand] for strand in "+-"])
        self.file("M9.txt", f"Pos\tA\tC\tG\tT\n{self.ROWS.replace('3	1', '4	1')}")
        self.refused(3, "-m", "M9.txt", "-p", "0.001", "s.fa", command="pwm", says=["M9.txt: line 4: matrix 'M9': expected the row of position 3, found '4'"])
        self.file("M9.txt", "Pos\tA\tC\tG\tT\n")  # as CIS-BP gives out motifs of TRANSFAC
        self.refused(3, "-m", "M9.txt", "-p", "0.001", "s.fa", command="pwm", says=["M9.txt: line 1: matrix 'M9': the matrix has no positions"])

    def test_alphabets(self):
        """U counts as T in every format."""
        jaspar = self.sites("m.jaspar", JASPAR, "-p", "0.001", "s.fa")
        self.assertEqual(len(jaspar), 2)
        self.assertEqual(self.sites("m.jaspar", JASPAR.replace("\nT", "\nU"), "-p", "0.001", "s.fa"), jaspar)
        rows = "".join(" ".join("1" if x == base else "0" for x in "ACGT") + "\n" for base in "GAATTC")
        body = f"MOTIF MA1 Fac\nletter-probability matrix: alength= 4 w= 6 nsites= 9\n{rows}"
        dna = self.sites("m.meme", f"MEME version 4\n\nALPHABET= ACGT\n\n{body}", "-p", "0.001", "s.fa")
        self.assertEqual(len(dna), 2)
        for alphabet in ("ALPHABET= ACGU", 'ALPHABET "RNA" RNA-LIKE\nA "Adenine"\nC\nG\nU\nEND ALPHABET'):
            self.assertEqual(self.sites("m.meme", f"MEME version 4\n\n{alphabet}\n\n{body}", "-p", "0.001", "s.fa"), dna)
        self.file("m.meme", f"MEME version 4\n\nALPHABET= ACDEFGHIKLMNPQRSTVWY\n\n{body}")
        self.refused(3, "-m", "m.meme", "s.fa", command="pwm", says=["only matrices of DNA (ACGT) or RNA (ACGU) can be searched"])

    def test_names(self):
        """Counts have the factor's name as a column, tables in their column's name."""
        self.file("same.jaspar", JASPAR.replace("MA1 Fac", "m m"))
        self.assertEqual(self.output("-q", "-m", "same.jaspar", "-p", "0.001", "s.fa", "--table", "count", command="pwm"), "record\tm\ns\t2\n")
        self.file("m.jaspar", JASPAR + JASPAR.replace("MA1 Fac", "MA2"))
        words = ("-q", "-m", "m.jaspar", "-p", "0.001", "s.fa")
        counts = "pattern\tname\tstrand\tcount\n" + "".join(f"{name}\t{strand}\t1\n" for name in ("MA1\tFac", "MA2\t.") for strand in "+-")
        self.assertEqual(self.output(*words, "--count", command="pwm"), counts)
        self.assertEqual(self.output(*words, "--table", "count", command="pwm"), "record\tMA1/Fac\tMA2\ns\t2\t2\n")
        self.file("r.bed", "s\t0\t9\tx\n")
        self.assertEqual(self.output(*words, "--table", "count", "--regions-file", "r.bed", "--per-region", command="pwm"),
                         "record\tstart\tend\tname\tMA1/Fac\tMA2\ns\t0\t9\tx\t2\t2\n")
        for more, whole in ((("--count",), counts), (("--count", "--non-overlapping"), counts),
                            (("--table", "score"), self.output(*words, "--table", "score", command="pwm"))):
            self.assertEqual(self.joined(*words[1:], *more, command="pwm"), whole, more)


class Terminals(Case):
    """Binary output goes to files and programs, never to a terminal."""

    def on_terminal(self, command, *words):
        """Runs with a terminal as stdout; returns the exit code, what it shows, and the messages."""
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        done = subprocess.run([BINARY, command, *words], cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE,
                              timeout=120, check=False)
        os.close(theirs)
        shown = b""
        try:
            while True:
                more = os.read(ours, 65536)
                if not more:
                    break
                shown += more
        except OSError:  # nobody has the terminal open
            pass
        return done.returncode, shown, done.stderr.decode()

    def test_binary_output(self):
        self.file("g.fa", ">c\nTTGAATTCTT\n")
        match = ("match", "-p", "GAATTC", "-k", "0", "g.fa")
        mapping = ("map", "-k", "0", "-r", "g.fa", "g.fa")
        for words in ((*match, "--format", "bam"), (*match, "--format", "bam", "-o", "/dev/stdout"),
                      (*mapping, "--format", "bam"), (*mapping, "--format", "cram"), ("pack", "g.fa"), ("compile", "-p", "GAATTC"),
                      ("pcr", "--forward", "TTGAA", "--reverse", "AAGAA", "-k", "0", "--format", "bam", "g.fa")):
            code, shown, message = self.on_terminal(*words)
            self.assertEqual((code, shown), (2, b""), (words, message))
            self.assertIn("<stdout>: this output is binary, and a terminal cannot show it: name a file (-o FILE)".replace(
                "<stdout>", "/dev/stdout" if "/dev/stdout" in words else "<stdout>"), message, words)
        for words in (match, (*match, "--format", "sam"), mapping, ("motif", "-p", "GAATTC", "g.fa")):
            code, shown, message = self.on_terminal(*words)
            self.assertEqual(code, 0, (words, message))
            self.assertIn(b"c", shown)
        self.assertTrue(self.run_here(*match[1:], "--format", "bam", command="match").stdout.startswith(b"\x1f\x8b"))


class Indices(Case):
    """What an index cannot have is named, with the record and the line."""

    def test_fasta(self):
        for text, says in ((">contig\nTTGAAT\nTCC\nGAATTCAA\nTT\n>next\nGAATTC\n", "line 3: record 'contig': 3 bases, but 6 in line 2: all lines of a record, except its last, must have the same length"),
                           (">a\nACGT\n>b x\nACG\nACGTA\n", "line 5: record 'b': 5 bases, but 3 in line 4"), (">a\nACGT\n\nACGT\n", "line 3: record 'a': 0 bases, but 4 in line 2"),
                           (">a\nACGT\r\nACGT\nAC\n", "line 3: record 'a': it ends in LF, but line 2 in CR LF"), (">a\nACGT\n>b\n", "the last record must have bases, but 'b' has none")):
            for name, data in (("g.fa", text.encode()), ("g.fa.gz", bgzf(text.encode()))):
                self.file(name, data)
                self.refused(3, "-n", "2", "--write-index", name, command="plan", files=("-o", "plan.tsv"), says=[f"{name}: cannot be indexed: {says}"])
        self.file("g.fa", ">contig\nTTGAAT\nTCC\nGAATTCAA\nTT\n>next\nGAATTC\n")
        self.assertEqual(self.output("-q", "-p", "GAATTC", "g.fa", "--region", "contig:9-14"), "contig\t9\t15\tGAATTC\t1000\t+\n")
        self.refused(3, "-r", "g.fa", "-k", "0", "g.fa", command="map", files=("-o", "out.cram"), says=["CRAM needs an index", "line 3: record 'contig'"])

    def test_hits(self):
        """Records of one name in two inputs, or in one."""
        self.file("a.fa", ">one\nTTGAATTC\n>two\nGAATTC\n")
        self.file("b.fa", ">one\nGAATTCAA\n")
        self.file("c.fa", ">one\nTTGAATTC\n>one\nGAATTC\n")
        for form, line in (("bed", 3), ("tsv", 4), ("gff3", None)):
            for inputs, says in ((("a.fa", "b.fa"), "record 'one' comes again, behind 'two': an index needs all hits of a record together"),
                                 (("c.fa",), "record 'one': the hit starts before the one above it: two records have this name")):
                parts = []
                for i in (1, 2):
                    parts.append(f"{i}.bsp")
                    done = self.run_here("-p", "GAATTC", "--chunk", f"{i}/2", *inputs, "-o", parts[-1], "-q")
                    self.assertEqual(done.returncode, 0, done.stderr)
                where = "" if line is None else f"line {line if len(inputs) == 2 else line - 1}: "
                self.refused(3, *parts, "--write-index", command="merge", files=("-o", f"all.{form}.gz"), says=[f"all.{form}.gz: cannot be indexed: {where}", says])

    @unittest.skipUnless(sam_tools.have_samtools(), "samtools is missing")
    def test_index_of_samtools(self):
        """It lists one of two records of a name. GFF3 has rules of its own, not those of SAM."""
        self.file("g.fa", ">genome_id #1\nGAATTC\n>genome_id #2\nTTGAATTC\n")
        without = self.output("-p", "GAATTC", "g.fa", "-q", "--format", "gff3")
        self.assertEqual(without.count("genome_id\tbasesweep"), 2)
        subprocess.run(["samtools", "faidx", "g.fa"], cwd=self.folder, capture_output=True, check=True)
        message = self.refused(3, "-p", "GAATTC", "g.fa", "-q", files=("-o", "out.gff3"),
                               says=["g.fa: record 'genome_id': the name is used twice, but the index g.fa.fai has it once: give each record a name of its own"])
        self.assertNotIn("SAM", message)


if __name__ == "__main__":
    unittest.main()
