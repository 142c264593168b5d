"""Text as files have it: line ends of any kind, blanks in titles, records named like regions, regions of records that do not
come, names that are used twice."""
import gzip
import random

from chunk_support import fai, fasta, gzi
from support import Case, bgzf

PRIMER = "ACGTTGCAAGCCTTGACGGA"
COMPLEMENT = str.maketrans("ACGT", "TGCA")


def turned(letters):
    return letters.translate(COMPLEMENT)[::-1]


def with_ends(text, end):
    """Returns the text with other line ends. "mixed": each kind in turn."""
    if end != "mixed":
        return text.replace("\n", end)
    ends = ("\r", "\n", "\r\n", "\r")
    return "".join(line + ends[i % len(ends)] for i, line in enumerate(text.splitlines()))


class LineEnds(Case):
    """A line ends with LF, CR LF or CR, and each command gives the same answer for all of them."""
    ENDS = ("\r\n", "\r", "mixed")

    def setUp(self):
        super().setUp()
        rng = random.Random(37)
        letters = "".join(rng.choices("ACGT", k=900))
        inside = letters[:100] + PRIMER + letters[100:400] + turned("GGCATTACGGATCGATTACC") + letters[400:600] + "TATAAAAGGG" + letters[600:]
        self.records = [("a", inside), ("b", "GAATTC" + letters[300:500] + "GACCGATTCGGACTTAGCCATGG"), ("c", "GAATTC")]
        self.text = fasta(self.records, 60)
        self.tables = {
            "motifs.tsv": "EcoRI\tGAATTC\nprimer\t" + PRIMER + "\n", "motifs.csv": "name,sequence\nEcoRI,GAATTC\nprimer," + PRIMER + "\n",
            "motifs.fa": ">EcoRI x\nGAA\nTTC\n>primer\n" + PRIMER + "\n", "motifs.fq": "@EcoRI x\nGAATTC\n+\nIIIIII\n",
            "pairs.tsv": "p\t" + PRIMER + "\tGGCATTACGGATCGATTACC\n", "guides.txt": "GACCGATTCGGACTTAGCCA\nACGTTGCAAGCCTTGACGGA\n",
            "m.jaspar": ">M1 TBP\nA [0 9 0 9 9 9]\nC [0 0 0 0 0 0]\nG [0 0 0 0 0 0]\nT [9 0 9 0 0 0]\n",
            "r.bed": "# regions\na\t50\t700\tx\nb\t0\t400\ty\n", "genes.gtf": 'b\tx\tgene\t1\t400\t.\t+\t.\tgene_id "G";\nb\tx\texon\t200\t400\t.\t+\t.\tgene_id "G";\n'}
        for name, text in {"g.fa": self.text, **self.tables}.items():
            self.file(name, text)

    CALLS = (("motif", "-f", "motifs.tsv", "--format", "tsv"), ("motif", "-f", "motifs.csv"), ("motif", "-f", "motifs.fa", "--format", "gff3"),
             ("motif", "-f", "motifs.fq"), ("motif", "-f", "motifs.fa", "--regions-file", "r.bed", "--format", "fasta"),
             ("match", "-f", "motifs.tsv", "-k", "1", "--format", "sam"), ("match", "-f", "motifs.csv", "-k", "1", "--circular"),
             ("pcr", "-f", "pairs.tsv", "-k", "1", "--format", "tsv"), ("pwm", "-m", "m.jaspar", "-p", "0.001"),
             ("guides", "-f", "guides.txt", "-m", "2", "--annotate", "genes.gtf", "--hits", "/dev/stdout", "-o", "/dev/null"))

    def answers(self, genome="g.fa"):
        return [self.output(*call[1:], "-q", genome, command=call[0]) for call in self.CALLS]

    def test_tables(self):
        expected = self.answers()
        for answer in expected:
            self.assertGreater(answer.count("\n"), 1)
        for end in self.ENDS:
            for name, text in self.tables.items():
                self.file(name, with_ends(text, end))
            for call, answer, right in zip(self.CALLS, self.answers(), expected):
                self.assert_same_text(answer, right, f"{end!r} {call}")

    def test_genome(self):
        expected = self.answers()
        for end in self.ENDS:
            text = with_ends(self.text, end).encode()
            for name, content in (("x.fa", text), ("x.fa.gz", gzip.compress(text)), ("x.fa.bgz", bgzf(text, 200))):
                self.file(name, content)
                for call, answer, right in zip(self.CALLS, self.answers(name), expected):
                    self.assert_same_text(answer, right, f"{end!r} {name} {call}")
            done = self.run_here("-q", "-p", "GAATTC", "-", stdin=text)
            self.assertEqual(done.stdout.decode(), self.output("-q", "-p", "GAATTC", "g.fa"))

    def test_genome_of_many_blocks(self):
        """Titles and line ends lie on the cuts between blocks of text; also as a stream and compressed."""
        rng = random.Random(5)
        records = [(f"record{i}" + "x" * rng.randint(0, 200), "".join(rng.choices("ACGT", k=rng.randint(0, 3000)))) for i in range(3000)]
        text = fasta(records, 70)
        self.file("g.fa", text)
        call = ("-q", "-p", "GAATTC", "-p", "ACNNGTAC", "-t", 3)
        expected = self.output(*call, "g.fa")
        for end in self.ENDS:
            self.file("x.fa", with_ends(text, end))
            self.assert_same_text(self.output(*call, "x.fa"), expected, repr(end))
            self.file("x.fa.gz", gzip.compress(with_ends(text, end).encode(), 1))
            self.assert_same_text(self.output(*call, "x.fa.gz"), expected, f"gzip {end!r}")

    def test_reads(self):
        """FASTA reads of `map`, and records that --matching-reads copies byte for byte."""
        reads = f">r1\n{PRIMER[:10]}\n{PRIMER[10:]}\n>r2 x\nTTTTTTTTTTTTTTTTTTTTTT\n"
        self.file("reads.fa", reads)
        mapped = self.output("-q", "-k", 1, "--reference", "g.fa", "reads.fa", command="map")
        self.assertIn(f"\t{PRIMER}\t", mapped)
        for end in self.ENDS:
            self.file("x.fa", with_ends(reads, end))
            self.assertEqual(self.output("-q", "-k", 1, "--reference", "g.fa", "x.fa", command="map"), mapped)
            self.output("-q", "-p", PRIMER, "x.fa", "--matching-reads", "m.fa", "--other-reads", "o.fa")
            self.assertEqual((self.folder / "m.fa").read_bytes() + (self.folder / "o.fa").read_bytes(), with_ends(reads, end).encode())

    def test_fastq_with_cr_alone(self):
        """Such FASTQ is refused, and the message has the cure."""
        good = "@r1\nACGT\n+\nIIII\n@r2\nACGA\n+\nIIII\n"
        for text, line in ((with_ends(good, "\r"), 1), (good + with_ends(good, "\r"), 9), (with_ends(good, "mixed"), 1)):
            self.file("r.fq", text)
            for call in (("motif", "-p", "ACG"), ("match", "-p", "ACG", "-k", 0), ("map", "-k", 1, "--reference", "g.fa")):
                done = self.run_here("-q", *call[1:], "r.fq", command=call[0])
                self.assertEqual(done.returncode, 3)
                self.assertIn(f"r.fq: line {line}: it ends with CR alone (an old Mac file?)", done.stderr.decode())
                self.assertIn(r"tr '\r' '\n' < FILE", done.stderr.decode())
        self.file("r.fq", with_ends(good, "\r\n"))
        self.assertEqual(self.output("-q", "-p", "ACG", "r.fq").count("\n"), 3)


class Titles(Case):
    def test_blanks_before_the_name(self):
        """As samtools: the name is the first word, with or without an index."""
        self.file("g.fa", "> lead x\nAAGAATTCAA\n>\t tab\nGAATTCAAAA\n")
        self.file("reads.fq", "@ r1 x\nAAGAATTCAA\n+\nIIIIIIIIII\n")
        self.file("p.fa", "> EcoRI x\nGAATTC\n")
        self.file("pair.fa", "> x_F\nAAGAA\n> x_R\nTTGAA\n")
        self.file("pairs.tsv", "x\tAAGAA\tTTGAA\n")
        for _ in range(2):
            self.assertEqual(self.output("-q", "-f", "p.fa", "g.fa"), "lead\t2\t8\tEcoRI\t1000\t+\ntab\t0\t6\tEcoRI\t1000\t+\n")
            self.assertEqual(self.output("-q", "-f", "p.fa", "g.fa", "--region", "tab:1-3"), "tab\t0\t6\tEcoRI\t1000\t+\n")
            self.output("-q", "g.fa", "-n", 1, "--write-index", command="plan")
        self.assertEqual((self.folder / "g.fa.fai").read_text().split("\t")[0], "lead")
        self.output("-q", "g.fa", "-o", "g.2bit", command="pack")
        self.assertEqual(self.output("-q", "-f", "p.fa", "g.2bit", "--region", "tab"), "tab\t0\t6\tEcoRI\t1000\t+\n")
        self.assertEqual(self.output("-q", "-f", "p.fa", "reads.fq"), "r1\t2\t8\tEcoRI\t1000\t+\n")
        self.assertIn("\nr1\t0\tlead\t1\t", self.output("-q", "-k", 1, "--reference", "g.fa", "reads.fq", "--no-PG", command="map"))
        self.output("-q", "-f", "p.fa", "reads.fq", "--matching-reads", "m.fq")
        self.assertEqual((self.folder / "m.fq").read_text(), "@ r1 x\nAAGAATTCAA\n+\nIIIIIIIIII\n")
        for pairs in ("pair.fa", "pairs.tsv"):
            self.assertEqual(self.output("-q", "-f", pairs, "-k", 0, "g.fa", "--format", "bed", command="pcr").split("\t")[:4], ["lead", "0", "10", "x"])

    def test_no_name_at_all(self):
        """A record without a name is refused where its name would be written, and only there."""
        self.file("g.fa", ">a\nGAATTC\n> \t\nGAATTC\n")
        self.file("g.fq", "@\nGAATTC\n+\nIIIIII\n")
        for name in ("g.fa", "g.fq"):
            for kind in ("bed", "tsv", "gff3", "fasta"):
                self.refused(3, "-p", "GAATTC", "--format", kind, name, says=[f"{name}: a record with hits has no name", "'>' or '@'"])
                self.refused(3, "-p", "GAATTC", "-k", 0, "--format", kind, name, command="match", says=["has no name"])
            self.assertEqual(self.output("-q", "-p", "GGGGGG", name), "")
            self.assertIn("GAATTC\t+\t", self.output("-q", "-p", "GAATTC", "--count", name))
        self.refused(3, "-p", "GAATTC", "-k", 0, "g.fa", command="match", files=("-o", "out.sam"), says=["has no name"])
        self.file("p.fa", ">  \nGAATTC\n")
        self.refused(3, "-f", "p.fa", "g.fa", says=["p.fa: line 1: the pattern has no name"])


class RecordsNamedLikeRegions(Case):
    """--region decides when the names of the records are known, as HTSlib does."""

    def setUp(self):
        super().setUp()
        hit = "GAATTC"
        self.records = [("A:1", hit + "TTTT"), ("A:1:2", "TTTT" + hit), ("seq:1001-1010", hit + "AAAA"), ("H#1#h1:86-99", hit + "CCCC"),
                        ("HLA-A*01:01:01:01", "CC" + hit + "CC"), ("chr1", "C" + hit + "CCC")]
        self.text = fasta(self.records, 60)
        self.file("g.fa", self.text)
        self.file("i.fa", self.text)
        self.file("i.fa.fai", fai(self.records, 60))
        packed = bgzf(self.text.encode(), 50)
        self.file("b.fa.gz", packed)
        self.file("b.fa.gz.fai", fai(self.records, 60))
        self.file("b.fa.gz.gzi", gzi(packed))
        self.output("-q", "g.fa", "-o", "g.2bit", command="pack")
        self.file("pairs.tsv", "p\tGAAT\tGAAT\n")
        self.file("m.jaspar", ">M\n" + "\n".join(" ".join("9" if base == letter else "0" for letter in hit) for base in "ACGT") + "\n")

    SOURCES = ("g.fa", "i.fa", "b.fa.gz", "g.2bit")
    RIGHT = {"A:1": "A:1\t0\t6", "{A:1:2}": "A:1:2\t4\t10", "A:1:1": "A:1\t0\t6", "{A:1}:1-": "A:1\t0\t6", "{A:1}": "A:1\t0\t6",
             "seq:1001-1010": "seq:1001-1010\t0\t6", "seq:1001-1010:1-3": "seq:1001-1010\t0\t6", "H#1#h1:86-99": "H#1#h1:86-99\t0\t6",
             "HLA-A*01:01:01:01": "HLA-A*01:01:01:01\t2\t8", "HLA-A*01:01:01:01:3": "HLA-A*01:01:01:01\t2\t8", "chr1:2-2": "chr1\t1\t7"}

    def test_right(self):
        for source in self.SOURCES:
            for region, place in self.RIGHT.items():
                for command, *options in (("motif", "-p", "GAATTC"), ("match", "-p", "GAATTC", "-k", "0", "--format", "tsv"), ("pwm", "-m", "m.jaspar", "-p", "0.001"),
                                          ("merged", "-p", "GAATTC")):
                    words = (*options, source, "--region", region)
                    found = self.joined(*words, chunks=1) if command == "merged" else self.output("-q", *words, command=command)
                    rows = [line for line in found.splitlines() if not line.startswith(("#", "record"))]
                    self.assertEqual({"\t".join(row.split("\t")[:3]) for row in rows}, {place}, (source, region, command))
        self.assertEqual(self.output("-q", "-f", "pairs.tsv", "-k", 0, "g.fa", "--region", "seq:1001-1010", "--format", "bed", command="pcr")[:17], "seq:1001-1010\t0\t6")
        self.file("reads.fa", ">r\nGAATTCAAAA\n")
        for source in self.SOURCES:
            mapped = self.output("-q", "-k", 1, "--reference", source, "reads.fa", "--region", "seq:1001-1010", command="map")
            self.assertIn("r\t0\tseq:1001-1010\t1\t", mapped)

    def test_both_fit(self):
        for source in self.SOURCES:
            for command, *options in (("motif", "-p", "GAATTC"), ("match", "-p", "GAATTC", "-k", "0"), ("pwm", "-m", "m.jaspar"),
                                      ("pcr", "-f", "pairs.tsv", "-k", 0), ("motif", "-p", "GAATTC", "--chunk", "1/1"),
                                      ("guides", "-p", "GAATTCGAATTCGAATTCGA", "-m", 0)):
                self.refused(3, "-q", *options, source, "--region", "A:1:2", command=command, files=("-o", "out"),
                             says=["region A:1:2 may mean the record 'A:1:2' or a part of the record 'A:1'", "write {A:1:2} or {A:1}:2-"])
            self.refused(3, "-q", "-n", 1, source, "--region", "A:1:2", command="plan", files=("-o", "plan.tsv"), says=["{A:1:2}"])
            self.refused(3, "-q", "-k", 1, "--reference", source, "i.fa", "--region", "A:1:2", command="map", files=("-o", "x.sam"), says=["{A:1}:2-"])

    def test_none_fits(self):
        for source in self.SOURCES:
            self.refused(3, "-p", "GAATTC", source, "--region", "chr2:5-9",
                         says=[f"{source}: no record 'chr2' (nor 'chr2:5-9') with bases, but a region of it is requested"])
            self.refused(3, "-p", "GAATTC", source, "--region", "CHR1:5-9", says=["did you mean 'chr1'?"])
            self.refused(3, "-p", "GAATTC", source, "--region", "{A:1:2}:900", says=["A:1:2"])
        self.refused(2, "-p", "GAATTC", "g.fa", "--region", "chr1:9-5", says=["the region ends before it begins; a record of this name is written {chr1:9-5}"])


class RegionsFiles(Case):
    def setUp(self):
        super().setUp()
        self.records = [("chr1", "GAATTCAAAA"), ("chr2", "AAGAATTCAA")]
        self.file("g.fa", fasta(self.records, 60))
        self.file("i.fa", fasta(self.records, 60))
        self.file("i.fa.fai", fai(self.records, 60))
        self.output("-q", "g.fa", "-o", "g.2bit", command="pack")

    SOURCES = ("g.fa", "i.fa", "g.2bit")

    def test_names_of_columns(self):
        for head in ("chrom\tchromStart\tchromEnd\n", "#x\nCHROM\tSTART\tEND\tNAME\n", "Chr\tstart\tend\r\n"):
            self.file("r.bed", head + "chr1\t0\t3\n")
            self.assertEqual(self.output("-q", "-p", "GAATTC", "g.fa", "--regions-file", "r.bed"), "chr1\t0\t6\tGAATTC\t1000\t+\n")
        for text, line in (("chr1\t0\t3\nchrom\tstart\tend\n", 2), ("chr1\tO\tend2\n", 1), ("chr1\t0\tend\n", 1)):
            self.file("r.bed", text)
            self.refused(3, "-p", "GAATTC", "g.fa", "--regions-file", "r.bed", says=[f"r.bed: line {line}: start and end must be whole numbers"])

    def test_peaks_of_macs(self):
        """Its table counts from 1, so it is not read as BED."""
        self.file("p.xls", "# This file is generated by MACS\n\nchr\tstart\tend\tlength\tabs_summit\tpileup\nchr1\t1\t3\t3\t2\t9\n")
        self.refused(3, "-p", "GAATTC", "g.fa", "--regions-file", "p.xls", says=["p.xls: line 3: this is MACS's table of peaks", ".narrowPeak"])

    def test_annotation(self):
        """Names in GFF3 are escaped, also by basesweep itself; BED may name its columns; a line may end with CR."""
        guide = "GACGTTACCATGGCATTGCA"
        names = ["chr(1)", "HLA-A*01:01", "a b%", "plain"]
        self.file("p.fa", "".join(f">{name}\nTT{guide}TGGTTTT\n" for name in names))
        self.file("own.gff3", self.output("-q", "-p", "GACGTTACC", "p.fa", "--format", "gff3"))
        self.file("x.bed", "chrom\tstart\tend\rchr(1)\t0\t9\rplain\t0\t9\r")
        words = ("-q", "-p", f"g={guide}", "-m", 0, "p.fa", "-o", "t.tsv", "--hits", "/dev/stdout", "--annotate")
        rows = [row.split("\t") for row in self.output(*words, "own.gff3", command="guides").splitlines()[1:]]
        self.assertEqual([row[11] for row in rows], ["nucleotide_motif:GACGTTACC"] * 4)
        rows = [row.split("\t") for row in self.output(*words, "x.bed", command="guides").splitlines()[1:]]
        self.assertEqual([row[11] for row in rows], ["region:.", ".", ".", "region:."])

    def test_records_that_do_not_come(self):
        self.file("r.bed", "chr1\t0\t3\nchrM\t0\t9\nchrM\t20\t90\nchrUn\t1\t2\n")
        expected = "chr1\t0\t6\tGAATTC\t1000\t+\n"
        for source in self.SOURCES:
            for more in ((), ("--chunk", "1/1")):
                done = self.run_here("-p", "GAATTC", source, "--regions-file", "r.bed", *more, "-o", "found")
                self.assertEqual(done.returncode, 0, done.stderr)
                found = self.output("found", command="merge") if more else (self.folder / "found").read_text()
                self.assertEqual(found, expected, more)
                (self.folder / "found").unlink()
                self.assertIn(f"{source}: 3 of 4 regions are on records that it does not have: chrM, chrUn\n", done.stderr.decode())
                self.assertEqual(done.stderr.decode().count("does not have"), 1, done.stderr)
            self.refused(3, "-p", "GAATTC", source, "--regions-file", "r.bed", "--strict-regions",
                         says=[f"{source}: no record 'chrM' with bases, but a region of it is requested"])
            self.refused(3, "-p", "GAATTC", source, "--regions-file", "r.bed", "--region", "chrX", says=["no record 'chrX'"])
        self.file("none.bed", "1\t0\t3\n2\t0\t9\n")
        for source in self.SOURCES:
            self.refused(3, "-p", "GAATTC", source, "--regions-file", "none.bed", says=["no record '1' with bases", "did you mean 'chr1'?"])
        self.refused(2, "-p", "GAATTC", "g.fa", "--region", "chr1", "--strict-regions", says=["--strict-regions needs --regions-file"])
        self.file("many.bed", "chr2\t0\t9\n" + "".join(f"x{i}\t0\t9\n" for i in range(9)))
        done = self.run_here("-p", "GAATTC", "g.fa", "--regions-file", "many.bed")
        self.assertIn("9 of 10 regions are on records that it does not have: x0, x1, x2, x3, x4 and 4 more\n", done.stderr.decode())
        done = self.run_here("-n", 1, "i.fa", "--regions-file", "r.bed", command="plan")
        self.assertEqual(done.returncode, 0)
        self.assertIn("3 of 4 regions", done.stderr.decode())

    def test_map(self):
        self.file("r.bed", "chr1\t0\t3\nchrM\t0\t9\n")
        self.file("reads.fa", ">r\nGAATTCAAAA\n")
        for source in self.SOURCES:
            done = self.run_here("-k", 1, "--reference", source, "reads.fa", "--regions-file", "r.bed", command="map")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("r\t0\tchr1\t1\t", done.stdout.decode())
            self.assertIn("1 of 2 regions are on records that it does not have: chrM\n", done.stderr.decode())


class NamesUsedTwice(Case):
    """A plan has every record, or is refused: samtools' index lists only the first record of a name."""

    TWICE = (("r", "GAATTC" * 40), ("s", "ACGT"), ("r", "TTGAATTC" * 40))

    def test_write_index(self):
        for records in (self.TWICE, (*self.TWICE, ("t", "ACGT")), (("r", "ACGT"), ("r", "ACGA"))):
            for name, content in (("g.fa", fasta(records, 60).encode()), ("g.fa.gz", bgzf(fasta(records, 60).encode(), 100))):
                self.file(name, content)
                self.refused(3, "-n", 1, "--write-index", name, command="plan", files=("-o", "plan.tsv"),
                             says=[f"{name}: the name 'r' is used twice, so the file cannot be indexed"])

    def test_index_gives_the_plan_of_none_or_is_refused(self):
        for records in (self.TWICE, (("r", "GAATTC"), ("s", "AC"), ("r", "GAATTC"), ("t", "GG"))):
            text = fasta(records, 60)
            packed = bgzf(text.encode(), 100)
            lines = fai(records, 60).splitlines(True)
            lacking = "".join(line for i, line in enumerate(lines) if line.split("\t")[0] not in {other.split("\t")[0] for other in lines[:i]})
            for name, content in (("g.fa", text.encode()), ("g.fa.gz", packed)):
                self.file(name, content)
                without = self.output("-q", "-n", 1, name, command="plan")
                self.assertEqual([row.split("\t")[1] for row in without.splitlines() if not row.startswith("#")], [name for name, _ in records])
                hits = self.output("-q", "-p", "GAATTC", name)
                self.output("-q", "-p", "GAATTC", name, "--chunk", "1/1", "-o", "part.bsp")
                self.assertEqual(self.output("-q", "part.bsp", command="merge"), hits)
                self.file(name + ".fai", lacking)
                if name != "g.fa":
                    self.file(name + ".gzi", gzi(packed))
                self.refused(3, "-n", 1, name, command="plan", files=("-o", "plan.tsv"), says=["the name 'r' is used twice"])
                self.refused(3, "-p", "GAATTC", "--chunk", "1/1", name, files=("-o", "out"), says=["the name 'r' is used twice"])
                self.refused(3, "-p", "GAATTC", "--region", "r", name, says=["the name 'r' is used twice"])
                for path in self.folder.iterdir():
                    path.unlink()
