"""Input: stdin, several files, compression and format by content, read-only links."""
import bz2
import gzip
import json
import lzma
import os
import subprocess
import unittest
import zlib

import naive
from support import (
    BINARY,
    CORNER,
    LAMBDA,
    MOTIFS_FA,
    MOTIFS_TSV,
    SANITIZED,
    Case,
    bgzf,
    lambda_hits,
    lambda_records,
    motifs,
    zstd,
)


class Input(Case):
    @classmethod
    def setUpClass(cls):
        cls.text = gzip.decompress(LAMBDA.read_bytes())
        cls.expected = naive.bed(lambda_records(), motifs(), lambda_hits())

    def packings(self):
        """Yields the genome in every compression, with its name in the report."""
        half = len(self.text) // 2
        return {"plain": (self.text, "none"), "gzip": (gzip.compress(self.text), "gzip"),
                "members": (gzip.compress(self.text[:half]) + gzip.compress(b"") + gzip.compress(self.text[half:]), "gzip"),
                "bgzf": (bgzf(self.text), "bgzf"), "small_bgzf": (bgzf(self.text, 1000), "bgzf"),
                "bzip2": (bz2.compress(self.text), "bzip2"), "xz": (lzma.compress(self.text), "xz"),
                "zstd": (zstd(self.text), "zstd"),
                "bzip2 members": (bz2.compress(self.text[:half]) + bz2.compress(b"") + bz2.compress(self.text[half:]), "bzip2"),
                "xz members": (lzma.compress(self.text[:half]) + bytes(8) + lzma.compress(self.text[half:]), "xz"),
                "zstd members": (zstd(self.text[:half], 1000) + zstd(b"") + zstd(self.text[half:]), "zstd")}

    def test_by_content_not_by_name(self):
        for packing, (data, called) in self.packings().items():
            for name in ("genome.fa", "genome.fa.gz", "genome.fastq.bgz", "genome"):
                self.file(name, data)
                for threads in (1, 3):
                    how = ["-t", threads, "--json", "r.json"]
                    self.assert_same_text(self.output("-f", MOTIFS_FA, name, *how), self.expected, f"{packing} {name}")
                    report = json.loads((self.folder / "r.json").read_text())
                    self.assertEqual((report["inputs"][0]["compression"], report["inputs"][0]["format"]), (called, "fasta"))
                os.unlink(self.folder / name)

    def test_stdin(self):
        """A pipe, a regular file, with '-' and without."""
        for packing, (data, _) in self.packings().items():
            path = self.file("genome", data)
            for name in ([], ["-"]):
                self.assert_same_text(self.output("-f", MOTIFS_FA, *name, stdin=data), self.expected, f"{packing}, pipe")
                with open(path, "rb") as stdin:
                    self.assert_same_text(self.output("-f", MOTIFS_FA, *name, stdin=stdin), self.expected, f"{packing}, file")

    def test_stdin_read_in_part(self):
        """The part of a file that another program has read is not read again."""
        for data in (self.text, gzip.compress(self.text), lzma.compress(self.text)):
            path = self.file("genome", b"x" * 100 + data)
            with open(path, "rb", buffering=0) as stdin:
                stdin.read(100)
                self.assert_same_text(self.output("-f", MOTIFS_FA, stdin=stdin), self.expected)

    def test_fifo(self):
        os.mkfifo(self.folder / "fifo")
        if os.fork() == 0:
            with open(self.folder / "fifo", "wb") as fifo:
                fifo.write(gzip.compress(self.text))
            os._exit(0)
        self.assert_same_text(self.output("-f", MOTIFS_FA, "fifo"), self.expected)
        os.wait()

    def test_several_files(self):
        """Files are read in order, records end with their file, and a file given twice is read twice."""
        self.file("a.fa", ">a\nGAA")
        self.file("b.fa", ">b\nTTCGAATTC\n")
        self.file("c.fq", "@c\nGAATTC\n+\nIIIIII\n")
        found = self.output("-p", "GAATTC", "a.fa", "b.fa", "-", "c.fq", "b.fa", stdin=bgzf(b">stdin\nGAATTC\n"))
        self.assertEqual([line.split("\t")[:2] for line in found.splitlines()],
                         [["b", "3"], ["stdin", "0"], ["c", "0"], ["b", "3"]])

    def test_duplicate_record_names(self):
        self.file("r.fa", ">r 1\nGAATTC\n>r 2\nGAATTC\n")
        done = self.run_here("-p", "GAATTC", "r.fa")
        self.assertEqual((done.returncode, done.stdout.decode()), (0, "r\t0\t6\tGAATTC\t1000\t+\n" * 2))
        self.assertIn("warning: r.fa: record name 'r' was used before", done.stderr.decode())

    def test_empty(self):
        """Empty files, blank lines, compressed empty text: an empty result and a warning."""
        for name, data in {"none": b"", "blank": b"\n\r\n \n", "gzip": gzip.compress(b""), "bgzf": bgzf(b""),
                           "bzip2": bz2.compress(b""), "xz": lzma.compress(b""), "zstd": zstd(b"")}.items():
            self.file(name, data)
            for source, stdin, shown in (([name], b"", name), ([], data, "<stdin>")):
                done = self.run_here("-p", "ACGT", "-o", "out.bed", *source, stdin=stdin)
                self.assertEqual((done.returncode, (self.folder / "out.bed").read_bytes()), (0, b""), done.stderr)
                said = done.stderr.decode().splitlines()
                self.assertEqual(said[0], f"basesweep: warning: {shown}: no sequence: the file is empty")
                self.assertRegex(said[1], r"\Abasesweep: 1 input, no bases: no hits, [0-9.]+ s\Z")
                self.assertEqual(len(said), 2, said)
            os.unlink(self.folder / name)

    def test_fastq_wrapped_and_crlf(self):
        reads = [(f"read_{i}", lambda_records()[0][1][150 * i:150 * i + 150]) for i in range(60)]
        expected = naive.bed(reads, motifs(), naive.search(reads, motifs()))
        for width in (150, 40):
            for end in ("\n", "\r\n"):
                text = ""
                for name, letters in reads:
                    quality = "@+I" * 50
                    for head, body in ((f"@{name} text", letters), ("+", quality)):
                        text += end.join([head] + [body[i:i + width] for i in range(0, 150, width)]) + end
                for data in (text.encode(), gzip.compress(text.encode())):
                    self.assert_same_text(self.output("-f", MOTIFS_FA, "-", stdin=data), expected, f"{width} {end!r}")

    def test_compressed_side_files(self):
        """Files of motifs and regions are decompressed too, and reads and the reference of map."""
        self.file("g.fa", self.text)
        self.file("r.fq", "".join(f"@r{i}\n{lambda_records()[0][1][70 * i:70 * i + 60]}\n+\n{'I' * 60}\n" for i in range(40)))
        self.file("r.bed", "chr\t5\t9\n".replace("chr", lambda_records()[0][0]) * 2)
        regions = self.output("-f", MOTIFS_FA, "--regions-file", "r.bed", "g.fa")
        mapped = self.output("-k", "2", "-r", "g.fa", "r.fq", "--no-PG", command="map")
        for name, pack in (("bzip2", bz2.compress), ("xz", lzma.compress), ("zstd", zstd)):
            for path in ("g.fa", "r.fq", "r.bed"):
                self.file(path + ".z", pack((self.folder / path).read_bytes()))
            for motif_file in (MOTIFS_FA, MOTIFS_TSV):
                self.file("m", pack(motif_file.read_bytes()))
                self.assert_same_text(self.output("-f", "m", "g.fa.z"), self.expected, name)
            self.assert_same_text(self.output("-f", "-", "g.fa.z", stdin=pack(MOTIFS_TSV.read_bytes())), self.expected, name)
            self.assertEqual(self.output("-f", MOTIFS_FA, "--regions-file", "r.bed.z", "g.fa.z", "-q"), regions)
            self.assertEqual(self.output("-k", "2", "-r", "g.fa.z", "r.fq.z", "--no-PG", command="map"), mapped)
            said = self.run_here("-f", MOTIFS_FA, "--regions-file", "r.bed.z", "g.fa.z").stderr.decode()
            self.assertIn(f"warning: g.fa.z: {name} can only be read from the start; with BGZF", said)
            self.refused(3, "--write-index", "-n", "2", "g.fa.z", files=("-o", "plan.tsv"), command="plan",
                         says=[f"g.fa.z: {name} cannot be indexed; compress it with bgzip"])
            self.refused(2, "-k", "1", "-r", "g.fa.z", "r.fq", files=("-o", "out.cram"), command="map",
                         says=[f"CRAM needs a plain or BGZF file of FASTA; this is {name}"])
            self.output("-n", "3", "g.fa.z", "-o", "plan.tsv", command="plan")
            self.assert_same_text(self.joined("-f", MOTIFS_FA, "g.fa.z", chunks=3, plan="plan.tsv"), self.expected, name)

    def test_bombs(self):
        """Little data that makes much text takes little memory."""
        lines = (b"A" * 99 + b"\n") * 10000
        for name, pack in (("bzip2", bz2.BZ2Compressor()), ("xz", lzma.LZMACompressor(preset=0)),
                           ("gzip", zlib.compressobj(1, zlib.DEFLATED, 31))):
            # Piece by piece: the memory of this process counts as the child's until that runs the program.
            self.file("bomb", b"".join([pack.compress(b">a\n"), *(pack.compress(lines) for _ in range(200)), pack.flush()]))
            memory = self.memory_of("motif", "-q", "-p", "GAATTC", "--count", "-t", "1", "bomb")
            self.assertEqual((self.folder / "out").read_bytes(), b"pattern\tstrand\tcount\nGAATTC\t+\t0\n", name)
            if not SANITIZED:  # which keeps freed memory for a while
                self.assertLess(memory, 150000, name)

    def memory_of(self, *words):
        """Runs the program with its stdout in the file `out`. Returns the most memory that it took, in KiB."""
        with open(self.folder / "out", "wb") as out, subprocess.Popen([BINARY, *words], cwd=self.folder, stdout=out) as child:
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, 0, words)
        return used.ru_maxrss

    def test_a_long_read(self):
        """`map` takes twice the memory of a record: for its text, and for what is written of it."""
        letters, lines = b"ACGTTGCATTAC" * 100_000, 50  # a record of 120 MB
        with open(self.folder / "long.fq", "wb") as file:
            for text in (b"@long\n", *([letters] * lines), b"\n+\n", *([b"I" * len(letters)] * lines), b"\n"):
                file.write(text)
        self.file("r.fa", ">r\nGATTACAGATTACAACGTTG\n")
        memory = self.memory_of("map", "-q", "-k", "1", "-t", "1", "-r", "r.fa", "long.fq")
        fields = b"long\t4\t*\t0\t0\t*\t*\t0\t0\t"
        record = [fields, *([letters] * lines), b"\t", *([b"I" * len(letters)] * lines), b"\n"]
        with open(self.folder / "out", "rb") as file:  # in pieces, since this process is not to grow either
            file.seek(-sum(map(len, record)), os.SEEK_END)
            self.assertTrue(all(file.read(len(text)) == text for text in record))
        if not SANITIZED:
            self.assertLess(memory, 2 * 2 * len(letters) * lines // 1024 + 40_000)

    def test_read_only_links(self):
        """Inputs as workflow managers stage them; nothing is written beside them."""
        store = self.folder / "store"
        store.mkdir()
        (store / "genome.fa.gz").write_bytes(LAMBDA.read_bytes())
        (store / "motifs.fa").write_bytes(MOTIFS_FA.read_bytes())
        for path in store.iterdir():
            path.chmod(0o444)
        store.chmod(0o555)
        work = self.folder / "work"
        work.mkdir()
        for name in ("genome.fa.gz", "motifs.fa"):
            (work / name).symlink_to(store / name)
        self.output("-f", "work/motifs.fa", "work/genome.fa.gz", "-o", "work/hits.bed")
        self.assert_same_text((work / "hits.bed").read_text(), self.expected)
        self.assertEqual(sorted(os.listdir(store)), ["genome.fa.gz", "motifs.fa"])
        self.assertEqual(sorted(os.listdir(work)), ["genome.fa.gz", "hits.bed", "motifs.fa"])
        store.chmod(0o755)

    def test_output_is_input(self):
        for name in ("in.fa", "motifs.tsv"):
            self.file("in.fa", ">r\nGAATTC\n")
            self.file("motifs.tsv", "EcoRI\tGAATTC\n")
            (self.folder / "link").symlink_to(name)
            before = (self.folder / name).read_bytes()
            for written in (name, "./" + name, "link"):
                for option in ("-o", "--json"):
                    self.refused(2, "-f", "motifs.tsv", "in.fa", option, written, files=(), says=[written, "input and output"])
            self.assertEqual((self.folder / name).read_bytes(), before)
            os.unlink(self.folder / "link")
        with open(self.folder / "in.fa", "rb") as stdin:
            self.refused(2, "-p", "A", "-o", "in.fa", stdin=stdin, files=(), says=["in.fa", "input and output"])

    def test_corner_files_by_stdin(self):
        for path in sorted(CORNER.glob("*.f*")):
            self.assertEqual(self.output("-p", "GAATTC", stdin=path.read_bytes()), self.output("-p", "GAATTC", path), path)


if __name__ == "__main__":
    unittest.main()
