"""Messages that help: wrong types of files, words that were probably meant, regions past the end; short forms of options."""
import bz2
import gzip
import io
import lzma
import struct
import tarfile
import unittest
import zipfile

from support import LAMBDA, Case, bgzf

FASTA = b">r\nACGTACGTTACG\n"


def zipped(name, data=FASTA):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, data)
    return file.getvalue()


def tarred():
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        info = tarfile.TarInfo("r.fa")
        info.size = len(FASTA)
        archive.addfile(info, io.BytesIO(FASTA))
    return file.getvalue()


BAM = b"BAM\1" + struct.pack("<i", 0) + struct.pack("<i", 0)
# Type, content, and the advice of an input; FILE stands for its name.
BINARY_TYPES = (
    ("bzip2 inside xz", lzma.compress(bz2.compress(FASTA)), "compressed twice; try 'xz -dc FILE | basesweep ...'"),
    ("xz inside bzip2", bz2.compress(lzma.compress(FASTA)), "compressed twice; try 'bzip2 -dc FILE | basesweep ...'"),
    ("zstd inside gzip", gzip.compress(b"\x28\xb5\x2f\xfd\x24\x10"),
     "compressed twice; try 'gzip -dc FILE | basesweep ...'"),
    ("bzip2", b"BZh9" + bytes(30), "try 'bzip2 -dc FILE | basesweep ...'"),
    ("LZ4", bz2.compress(b"\x04\x22\x4d\x18dp"), "try 'bzip2 -dc FILE | lz4 -dc | basesweep ...'"),
    ("GFA", lzma.compress(b"H\tVN:Z:1.0\nS\t1\tACGT\n"), "try 'xz -d FILE; gfatools gfa2fa FILE | basesweep ...'"),
    ("a tar archive", bz2.compress(tarred()), "try 'tar -xjOf FILE | basesweep ...'"),
    ("LZ4", b"\x04\x22\x4d\x18dp", "try 'lz4 -dc FILE | basesweep ...'"),
    ("compress (.Z)", b"\x1f\x9d\x90>", "try 'gzip -dc FILE | basesweep ...'"),
    ("a 7-Zip archive", b"7z\xbc\xaf\x27\x1c\0\4", "try '7z x -so FILE | basesweep ...'"),
    ("a ZIP archive", zipped("r.fa"), "try 'unzip -p FILE | basesweep ...'"),
    ("an Office document (.xlsx, .docx)", zipped("[Content_Types].xml"), "save it as text"),
    ("a tar archive", tarred(), "try 'tar -xOf FILE | basesweep ...'"),
    ("a tar archive", gzip.compress(tarred()), "try 'tar -xzOf FILE | basesweep ...'"),
    ("gzip inside gzip", gzip.compress(gzip.compress(FASTA)), "compressed twice; try 'gzip -dc FILE | basesweep ...'"),
    ("gzip inside gzip", bgzf(gzip.compress(FASTA)), "compressed twice; try 'gzip -dc FILE | basesweep ...'"),
    ("an SRA archive", b"NCBI.sra\x88", "try 'fasterq-dump --stdout FILE | basesweep ...'"),
    ("BCF", bgzf(b"BCF\2\2\0\0\0\0"), "bcftools consensus"),
    ("HDF5", b"\x89HDF\r\n\x1a\n\0", "basecaller"),
    ("POD5", b"\x8bPOD\r\n\x1a\n\0", "basecaller"),
    ("a SnapGene file", b"\x09\0\0\0\x0eSnapGene", "export it as FASTA"),
    ("PDF", b"%PDF-1.7\n", "plain text"),
    ("UTF-16 text", FASTA.decode().encode("utf-16"), "try 'iconv -f UTF-16 -t UTF-8 FILE | basesweep ...'"),
)
# Genomes and reads may be of this type, but not motifs.
READ_TYPES = (
    ("BAM", bgzf(BAM), "try 'samtools fastq FILE | basesweep ...'"),
    ("BAM", BAM, "try 'samtools fastq FILE | basesweep ...'"),
    ("CRAM", b"CRAM\3\0", "try 'samtools fastq FILE | basesweep ...'"),
    ("SAM", b"@HD\tVN:1.6\n@SQ\tSN:r\tLN:9\n", "try 'samtools fastq FILE | basesweep ...'"),
    ("SAM", b"@SQ\tSN:r\tLN:9\n", "try 'samtools fastq FILE | basesweep ...'"),
)
# Genomes may be of this type, but not motifs or reads.
GENOME_TYPES = (
    ("2bit", struct.pack("<I", 0x1A412743) + bytes(12), "try 'twoBitToFa FILE stdout | basesweep ...'"),
    ("2bit", struct.pack(">I", 0x1A412743) + bytes(12), "try 'twoBitToFa FILE stdout | basesweep ...'"),
)
TEXT_TYPES = (
    ("VCF", "##fileformat=VCFv4.2\n", "'bcftools consensus -f REFERENCE FILE'"),
    ("GFF", "##gff-version 3\n", "'bedtools getfasta -fi REFERENCE -bed FILE'"),
    ("HTML", "\n<!DOCTYPE HTML>\n<html>", "download the file itself"),
    ("HTML", "<HTML><head>", "download the file itself"),
    ("XML", "<?xml version='1.0'?>", "export"),
    ("RTF", "{\\rtf1\\ansi", "plain text"),
    ("GFA", "H\tVN:Z:1.0\nS\t1\tACGT\n", "try 'gfatools gfa2fa FILE | basesweep ...'"),
)
SEQUENCE_TYPES = (
    ("GenBank", "LOCUS       X 12 bp\nORIGIN\n        1 acgtacgtac gt\n//\n", "try 'any2fasta FILE | basesweep ...'"),
    ("EMBL", "ID   X; SV 1; linear; DNA; STD; SYN; 4 BP.\nSQ   Sequence 4 BP;\n     acgt  4\n//\n",
     "try 'any2fasta FILE | basesweep ...'"),
)


class FileTypes(Case):
    def test_words_in_titles(self):
        for word, place in (("ustar", 257), ("[Content_Types].xml", 30)):
            title = "@r " + "x" * (place - 3) + word
            self.assertEqual(title.index(word), place)
            self.file("r.fq", f"{title}\nGATTACA\n+\nIIIIIII\n")
            self.assertEqual(self.output("-p", "GATTACA", "r.fq"), "r\t0\t7\tGATTACA\t1000\t+\n")

    def test_inputs(self):
        for name, data, advice in BINARY_TYPES + TEXT_TYPES + SEQUENCE_TYPES:
            self.file("in put.x", data)
            says = f": neither FASTA nor FASTQ but {name}; "
            for command, more in (("motif", ()), ("match", ("-k", "1"))):
                self.refused(3, "-p", "ACGT", *more, "in put.x", command=command,
                             says=["in put.x" + says, advice.replace("FILE", '"in put.x"')])
            stdin = data if isinstance(data, bytes) else data.encode()
            self.refused(3, "-p", "ACGT", stdin=stdin, says=["<stdin>" + says, advice])
            self.file("good.fa", FASTA)
            self.refused(3, "-k", "1", "-r", "good.fa", "in put.x", files=("-o", "out.sam"), command="map",
                         says=["in put.x" + says])
            self.refused(3, "-k", "1", "-r", "in put.x", "good.fa", files=("-o", "out.sam"), command="map",
                         says=["in put.x" + says])

    def test_reads(self):
        self.file("good.fa", FASTA)
        for name, data, advice in GENOME_TYPES:
            self.file("in put.x", data)
            self.refused(3, "-k", "1", "-r", "good.fa", "in put.x", files=("-o", "out.sam"), command="map",
                         says=[f"in put.x: neither FASTA nor FASTQ but {name}; ", advice.replace("FILE", '"in put.x"')])

    def test_sam_without_header(self):
        record = "read1\t99\tchr1\t101\t60\t8M\t=\t301\t208\tACGTACGT\tIIIIIIII\n"
        for name in ("read1", "Aread", "#1"):
            self.file("in.sam", record.replace("read1", name))
            self.refused(3, "-p", "ACGT", "in.sam", says=["in.sam: SAM without its header; 'samtools view -h' prints it too"])
        self.refused(3, "-p", "ACGT", stdin=record.encode(), says=["<stdin>: SAM without its header"])
        for others in ("a\tb\tc\td\te\tf\tg\th\ti\tj\tk\n", "a1\t8\t0\t8\t+\tchr1\t900\t10\t18\t8\t8\t60\n",  # PAF
                       "chr1\t10\t18\t7\t60\t+\t10\t18\t0\t1\t8\t0\n"):  # BED12
            self.file("t.tsv", others)
            self.refused(3, "-p", "ACGT", "t.tsv", says=["line 1: sequence before the first header"])

    def test_alignments(self):
        """SAM and BAM are read plain or in BGZF, and are no reference."""
        self.file("good.fa", FASTA)
        for name, data, _ in READ_TYPES:
            self.file("in put.x", data)
            self.refused(3, "-k", "1", "-r", "in put.x", "good.fa", files=("-o", "out.sam"), command="map",
                         says=[f"in put.x: {name}: it holds reads; the reference must be the FASTA or .2bit"])
            if data.startswith(b"\x1f"):
                continue  # compressed already
            for compress, program in ((gzip.compress, "gzip"), (bz2.compress, "bzip2"), (lzma.compress, "xz")):
                self.file("in put.x", compress(data))
                self.refused(3, "-p", "ACGT", "in put.x", says=[
                    f"in put.x: {name} inside {program}, which is not read; try '{program} -dc \"in put.x\" | basesweep ...'"])

    def test_patterns(self):
        for name, data, advice in BINARY_TYPES + TEXT_TYPES + GENOME_TYPES + READ_TYPES:
            self.file("p.x", data)
            says = [f"p.x: neither FASTA nor FASTQ but {name}; "]
            says.append(advice.replace("FILE", "p.x").replace("basesweep ...'", "basesweep ... -f -'"))
            self.refused(3, "-f", "p.x", LAMBDA, says=says)
        for data in SEQUENCE_TYPES[:2]:
            self.file("p.x", data[1])
            self.assertEqual(self.run_here("-f", "p.x", LAMBDA, "--count").returncode, 0)

    def test_a_read_named_like_a_header_of_sam(self):
        self.file("r.fq", "@HD VN:1.6\nACGT\n+\nIIII\n")
        self.assertEqual(self.output("-p", "ACGT", "r.fq"), "HD\t0\t4\tACGT\t1000\t+\n")


class Words(Case):
    def says(self, text, *words, command="motif"):
        message = self.refused(2, *words, files=(), command=command)
        self.assertEqual(message.splitlines()[0], "basesweep: " + text)

    def test_options(self):
        self.says("basesweep motif has no option '--patern'; did you mean '--pattern'?", "--patern", "ACGT", LAMBDA)
        self.says("basesweep motif has no option '--cuont'; did you mean '--count'?", "-p", "ACGT", "--cuont", LAMBDA)
        self.says("basesweep match has no option '--max-indel'; did you mean '--max-indels'?", "-p", "ACGT", "-k", "1",
                  "--max-indel=0", LAMBDA, command="match")
        self.says("basesweep match has no option '--hits-only': it is an option of 'map'", "-p", "ACGT", "-k", "1",
                  "--hits-only", LAMBDA, command="match")
        self.says("basesweep motif has no option '--zzzzzzzz'", "-p", "ACGT", "--zzzzzzzz", LAMBDA)

    def test_edits_are_for_match(self):
        for words in (["-k", "2"], ["-k2"], ["--edits", "2"], ["--edits=2"], ["-e", "0.1"], ["--error-rate=0.1"],
                      ["--max-indels", "0"], ["--max-mismatches=1"]):
            option = words[0].split("=")[0][:2 if words[0][1] != "-" else 99]
            self.says(f"basesweep motif has no option '{option}': edits are for 'match'", "-p", "ACGTACGT", *words, LAMBDA)

    def test_records(self):
        for record, known, meant in (("chrIV", "IV", "IV"), ("IV", "chrIV", "chrIV"), ("NC_000913", "NC_000913.3", "NC_000913.3"),
                                     ("CHR1", "chr1", "chr1"), ("contg_17", "contig_17", "contig_17"), ("1", "2", None),
                                     ("mito", "plasmid", None)):
            self.file("g.fa", f">other\nACGTACGT\n>{known}\nACGTACGTAC\n")
            hint = f"; did you mean '{meant}'?" if meant else ""
            for command, more in (("motif", ("-p", "ACGT")), ("match", ("-p", "ACGT", "-k", "0"))):
                message = self.refused(3, *more, "--region", f"{record}:1-5", "g.fa", command=command)
                self.assertTrue(message.endswith(f"no record '{record}' (nor '{record}:1-5') with bases, but a region of it is requested{hint}\n"), message)
            self.file("g.fa.fai", f"other\t8\t7\t8\t9\n{known}\t10\t{18 + len(known)}\t10\t11\n")
            message = self.refused(3, "-p", "ACGT", "--region", f"{record}:1-5", "g.fa")
            self.assertTrue(message.endswith(f"no record '{record}' (nor '{record}:1-5') with bases, but a region of it is requested{hint}\n"), message)
            (self.folder / "g.fa.fai").unlink()


class Regions(Case):
    def test_end_past_the_record(self):
        self.file("g.fa", ">a\nACGTACGTAC\n>b\nACGTACGT\n")
        index = "a\t10\t3\t10\t11\nb\t8\t17\t8\t9\n"
        whole = "a\t4\t8\tACGT\t1000\t+\n"
        says = "basesweep: warning: region a:3-100 ends past the end of the record, which has 10 bases: it is cut there\n"
        for indexed in (False, True):
            if indexed:
                self.file("g.fa.fai", index)
            for region, warning in (("a:3-100", says), ("a:3-11", says.replace("100", "11")), ("a:3-10", ""), ("a:3-", "")):
                for more in ((), ("--batch-bases", "1"), ("-t", "1")):
                    done = self.run_here("-p", "ACGT", "--region", region, "g.fa", *more)
                    self.assertEqual((done.returncode, done.stdout.decode(), done.stderr.decode()), (0, whole, warning), region)
                self.assertEqual(self.run_here("-q", "-p", "ACGT", "--region", region, "g.fa").stderr, b"")
            done = self.run_here("--chunks", "1", "--region", "a:3-100", "g.fa", command="plan")
            self.assertEqual((done.returncode, done.stderr.decode()), (0, says))
            self.assertIn("1\ta\t2\t10\t10\t1\n", done.stdout.decode())
            self.file("r.fa", ">r\nACGTAC\n")
            done = self.run_here("-k", "0", "-r", "g.fa", "--region", "a:3-100", "r.fa", command="map")
            self.assertEqual((done.returncode, done.stderr.decode()), (0, says))
            self.assertIn("\ta\t5\t", done.stdout.decode())
            self.refused(3, "-p", "ACGT", "--region", "a:11-100", "g.fa", says=["a:11-100"])

    def test_many(self):
        self.file("g.fa", "".join(f">r{i}\nACGT\n" for i in range(9)))
        self.file("r.bed", "".join(f"r{i}\t0\t5\n" for i in range(9)))
        done = self.run_here("-p", "ACGT", "--regions-file", "r.bed", "g.fa")
        lines = done.stderr.decode().splitlines()
        self.assertEqual((done.stdout.count(b"\n"), len(lines)), (9, 4), lines)
        self.assertEqual(lines[3], "basesweep: warning: 6 more regions end past the end of their record")


class ShortForms(Case):
    def test_version(self):
        self.assertEqual(self.output(command="-V"), self.output(command="--version"))

    def test_strand(self):
        for command, more in (("motif", ()), ("match", ("-k", "1", "-o", "-", "--format", "tsv"))):
            for word, short in (("plus", "+"), ("minus", "-")):
                expected = self.output("-p", "GAATTCAC", "--strand", word, LAMBDA, *more, command=command)
                for words in (["--strand", short], [f"--strand={short}"]):
                    self.assertEqual(self.output("-p", "GAATTCAC", *words, LAMBDA, *more, command=command), expected)
        self.refused(2, "-p", "A", "--strand", "*", LAMBDA, says=["'*' is not one of both, plus, minus"])

    def test_counts(self):
        for text, number in (("1k", 1000), ("2K", 2000), ("1000", 1000)):
            done = self.run_here("-p", "A", "--max-hits", text, LAMBDA)
            self.assertEqual((done.returncode, done.stdout.count(b"\n")), (0, number))
        everything = self.output("-p", "A", LAMBDA)
        for text in ("1M", "10M", "2G", "18446744073G"):
            self.assertEqual(self.output("-p", "A", "--max-hits", text, LAMBDA), everything, text)
        for text in ("k", "1x", "1kk", "1.5k", "-1k", "1 k", "0k", "18446744074G", "99999999999999999999k"):
            self.refused(2, "-p", "A", "--max-hits", text, LAMBDA, says=[f"'{text}'"])
        self.refused(2, "-p", "ACGT", "-k", "1k", LAMBDA, command="match", says=["'1k' is not a whole number"])
        self.refused(2, "-p", "A", "-t", "1k", LAMBDA, says=["'1k' is not a whole number"])


if __name__ == "__main__":
    unittest.main()
