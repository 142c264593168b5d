"""`basesweep merge`: which parts fit together, messages about those that do not, where it writes, and its indices."""
import gzip
import json
import re
import shutil
import struct
import subprocess
import unittest

from chunk_support import MOTIFS, ChunkCase, fasta, planted, random_genome, table, write_sources
from map_support import fastq, made_pairs, made_reads, made_records, seeded
from match_support import version
from support import bgzf

KINDS = {"bed": ["motif"], "bed.gz": ["motif"], "tsv": ["match", "-k", 2], "txt": ["match", "-k", 2, "--count"],
         "sam": ["match", "-k", 2], "sam.gz": ["match", "-k", 2], "bam": ["match", "-k", 2]}
CALL = {"motif": "motifs.tsv", "match": "primers.tsv"}


class MergeCase(ChunkCase):
    def setUp(self):
        super().setUp()
        self.records = planted(random_genome("merge", [("one", 1500), ("three", 3), ("two", 900)]), [("one", 800)], 1)
        self.file("g.fa", fasta(self.records))

    def parts(self, output, *more, label="part", chunks=3, words=None):
        command, *options = words or KINDS[output]
        return self.jobs(command, ["-f", CALL[command], *options, *more, "g.fa"], chunks, output, None, label)

    def merge_fails(self, code, parts, *says, output="out", more=()):
        return self.fails(code, "merge", *parts, *more, *(["-o", output] if output else []), says=says)


class Unfit(MergeCase):
    def test_missing_and_double(self):
        for output in KINDS:
            parts = self.parts(output, chunks=5)
            self.merge_fails(3, parts[:4], "5/5", "missing")
            self.merge_fails(3, parts[1:2] + parts[3:], "1/5", "3/5", "missing")
            self.merge_fails(3, parts + parts[1:2], "2/5", "twice", parts[1])
            shutil.copy(self.folder / parts[2], self.folder / "copy")
            self.merge_fails(3, ["copy", *parts], "3/5", "twice", "copy", parts[2])

    def test_of_another_run(self):
        for output, words in KINDS.items():
            parts = self.parts(output)
            self.file("other.tsv", table([("primer", "ACGTTGCAAGCCTTGACGGA"), ("EcoRI", "GAATTA")]))
            others = {"parameters": (["--strand", "plus"], None), "chunks": ([], 4), "patterns": (["-f", "other.tsv"], None)}
            for says, (more, chunks) in others.items():
                strange = self.parts(output, *more, label="strange", chunks=chunks or 3) if says != "patterns" else self.jobs(
                    words[0], [*words[1:], *more, "g.fa"], 3, output, None, "strange")
                self.merge_fails(3, [parts[0], strange[1], parts[2]], says, strange[1])
            self.file("g.fa", fasta(self.records[:2] + [("two", self.records[2][1][1:])]))
            strange = self.parts(output, label="strange")
            self.merge_fails(3, [parts[0], strange[1], parts[2]], "plan" if "am" not in output else "", strange[1])
            self.file("g.fa", fasta(self.records))

    def test_of_other_parameters(self):
        """Each option that affects the output, even if no header names it."""
        motif = (["--non-overlapping"], ["--soft-masked", "skip"], ["--palindromes", "both"], ["--max-hits", 3])
        match = (*motif, ["--report", "best"], ["--max-indels", 0], ["--max-dna-bulges", 0], ["--max-rna-bulges", 0],
                 ["--clamp-3prime", 2], ["--clamp-5prime", 2], ["--max-mismatches", 0])
        for output, words, choices in (("bed", ["motif"], motif), ("bed", ["match", "-k", 2], match), ("bam", ["match", "-k", 2], match),
                                       ("sam", ["match", "-k", 2, "--no-PG"], (*match, ["--eqx"], ["--rg", r"@RG\tID:x"]))):
            parts = self.parts(output, words=words)
            for more in choices:
                strange = self.parts(output, *more, label="strange", words=words)
                with self.subTest(output=output, words=words, more=more):
                    self.merge_fails(3, [parts[0], strange[1], parts[2]], strange[1])
        for words in (["-k", 3], ["-e", "0.1"]):
            parts = self.parts("bed", words=["match", "-k", 2])
            self.merge_fails(3, [parts[0], self.parts("bed", label="strange", words=["match", *words])[1], parts[2]], "parameters")

    def test_of_another_version(self):
        number, other = version().encode(), re.sub(r"\d$", lambda last: str(9 - int(last.group())), version()).encode()
        for output in KINDS:
            parts = self.parts(output)
            data = self.read(parts[1])
            packed = data[:2] == b"\x1f\x8b"
            text = gzip.decompress(data) if packed else data
            text = text.replace(b"basesweep-part\t" + number, b"basesweep-part\t" + other)
            self.file(parts[1], bgzf(text) if packed else text)
            self.merge_fails(3, parts, "version", version(), other.decode(), parts[1])
            self.merge_fails(3, parts[::-1], "version")

    def test_of_another_kind(self):
        made = {output: self.parts(output, *(["--format", "tsv"] if output == "tsv" else [])) for output in KINDS}
        for one, other in (("bed", "tsv"), ("sam", "bam"), ("txt", "tsv"), ("bam", "bed")):
            self.merge_fails(3, [made[one][0], made[other][1], made[one][2]], made[other][1])
        self.assertEqual(self.merge([made["bed"][0], made["bed.gz"][1], made["bed"][2]], "mixed.bed"),
                         self.whole("motif", ["-f", "motifs.tsv", "g.fa"], "whole.bed"))

    def test_no_parts(self):
        self.whole("motif", ["-f", "motifs.tsv", "g.fa"], "whole.bed")
        self.whole("match", ["-f", "primers.tsv", "-k", 1, "g.fa"], "whole.sam")
        self.whole("match", ["-f", "primers.tsv", "-k", 1, "g.fa", "--json", "whole.json"], "whole.bam")
        self.file("empty", b"")
        self.file("list", b"[1, 2]")
        self.file("line", b"#basesweep-part\t0.1.0\n")
        self.file("numbers", b"#basesweep-part\t0.1.0\tcommand=motif output=bed\tx\t4/3\n")
        self.file("noise", bytes(range(256)))
        parts = self.parts("bed")
        for name in ("whole.bed", "whole.sam", "whole.bam", "whole.json", "empty", "list", "line", "numbers", "noise", "g.fa", "motifs.tsv"):
            for given in ([name], [*parts[:2], name]):
                self.merge_fails(3, given, name, "--chunk i/N")
        self.merge_fails(4, [*parts, "nowhere"], "nowhere")
        self.merge_fails(4, [*parts, "."], ".")
        self.merge_fails(2, [], output="out")
        self.merge_fails(2, ["-"], "file")

    def test_damaged(self):
        """Truncated and damaged gzip."""
        for output in KINDS:
            parts = self.parts(output)
            data = self.read(parts[1])
            packed = data[:2] == b"\x1f\x8b"
            if not packed:
                continue
            for size in (len(data) - 1, len(data) - 28, len(data) - 30, len(data) // 2, 40):  # 28: length of the end-of-file block
                self.file(parts[1], data[:size])
                self.merge_fails(3, parts, parts[1])
            self.file(parts[1], data[:100] + bytes(64) + data[164:])
            self.merge_fails(3, parts, parts[1])

    def test_text_cut_within_a_line(self):
        for output, words in (("bed", ["motif"]), ("bed", ["motif", "--max-hits", 99]), *KINDS.items()):
            parts = self.parts(output, words=words)
            data = self.read(parts[1])
            if data[:2] != b"\x1f\x8b":
                for size in (len(data) - 1, len(data) - 2, 50):
                    self.file(parts[1], data[:size])
                    with self.subTest(output=output, words=words, cut=len(data) - size):
                        self.merge_fails(3, parts, parts[1])

    def test_unlike_hits(self):
        for output, line in (("bed", b"one\tx\ty\tprimer\t1000\t+\t0\n"), ("sam", b"primer\t0\tone\n"), ("txt", b"primer\t+\tmany\n"),
                             ("tsv", b"one\t1\n")):
            parts = self.parts(output, words=["match", "-k", 2, "--report", "best", *(["--count"] if output == "txt" else [])])
            self.file(parts[1], self.read(parts[1]) + line)
            self.merge_fails(3, parts, parts[1])


class Places(MergeCase):
    def test_stdout(self):
        for output in ("bed", "tsv", "txt", "sam", "bam"):
            command, *words = KINDS[output]
            words = ["-q", "-f", CALL[command], *words, "g.fa", *(["--format", output] if output in ("sam", "bam", "tsv") else [])]
            expected = self.call(command, *words)
            parts = self.parts(output)
            self.assertEqual(self.call("merge", *parts), expected, output)
            self.assertEqual(self.call("merge", *parts, "-o", "-"), expected, output)
            self.assertEqual(self.call("merge", *parts, "-t", 2), expected, output)

    def test_existing_file_and_parts(self):
        for output in KINDS:
            parts = self.parts(output)
            command, *words = KINDS[output]
            expected = self.whole(command, ["-f", CALL[command], *words, "g.fa"], f"whole.{output}")
            self.file(f"there.{output}", "old")
            self.assertEqual(self.merge(parts, f"there.{output}"), expected)
            for part in parts:
                self.merge_fails(2, parts, part, "input and output", output=part)
                self.merge_fails(2, parts, "input and output", output="./" + part)
            self.merge_fails(3, parts[:2], "missing", output=f"there.{output}")
            self.assertEqual(self.read(f"there.{output}"), expected)
            self.merge_fails(4, parts, "nowhere", output="nowhere/out")

    def test_compression(self):
        """Named by the output, whatever the parts are."""
        plain, packed = self.parts("bed"), self.parts("bed.gz")
        text, squeezed = (self.whole("motif", ["-f", "motifs.tsv", "g.fa"], name) for name in ("whole.bed", "whole.bed.gz"))
        self.assertEqual((self.merge(packed, "a.bed"), self.merge(plain, "a.bed.gz")), (text, squeezed))
        self.assertEqual(self.merge(self.parts("bam"), "x"), self.whole("match", ["-f", "primers.tsv", "-k", 2, "g.fa"], "whole.bam"))


class Labels(MergeCase):
    LABEL = r"basesweep-part\t{}\tcommand={} [ -~]*\t[0-9a-f]{{32}}\t{}"

    def label_of(self, output, data):
        if output.endswith("gz") or output == "bam":
            data = gzip.decompress(data)
        if output == "bam":
            data = data[8:8 + struct.unpack_from("<i", data, 4)[0]]
        lines = data.decode().splitlines()
        if output.startswith(("sam", "bam")):
            found = [line[4:] for line in lines if line.startswith("@CO\t")]
            self.assertEqual(len(found), 1)
            return found[0]
        self.assertEqual([line[0] for line in lines if "basesweep-part" in line], ["#"])
        return lines[0][1:]

    def test_first_line(self):
        """Every part has a first line, even one without text."""
        for chunks in (3, 4000):
            for output, words in KINDS.items():
                self.call(words[0], "-q", "-f", CALL[words[0]], *words[1:], "g.fa", "--chunk", f"2/{chunks}", "-o", f"p.{output}", "--json", "j")
                label = self.label_of(output, self.read(f"p.{output}"))
                self.assertRegex(label, rf"\A{self.LABEL.format(re.escape(version()), words[0], f'2/{chunks}')}\Z")
                self.assertEqual(json.loads(self.read("j"))["part"], label)
                self.assertNotIn(b"basesweep-part", self.read("g.fa"))

    def test_bytes_do_not_depend_on_how_the_work_is_done(self):
        """Nor does the output depend on the folder or compression of the input."""
        sources = write_sources(self, self.records)
        self.file("motifs.tsv", table([motif for motif in MOTIFS if motif[0] != "codes"]))  # patterns that any algorithm takes
        for output, words in KINDS.items():
            call = [words[0], "-q", "-f", CALL[words[0]], *words[1:], "--chunk", "2/3", "-o", f"p.{output}"]
            algorithms = ("planes", "ac-dfa", "qgrams") if words[0] == "motif" else ("hmm", "myers", "bitsliced")
            results = set()
            for more in (["-t", 1], ["-t", 4], ["--batch-bases", 40], *(["--algorithm", name] for name in algorithms)):
                self.call(*call, *more, "g.fa")
                results.add(self.read(f"p.{output}"))
            for source in sources.values():
                self.call(*call, *source)
                results.add(self.read(f"p.{output}"))
            self.call(*call, self.folder / "g.fa")
            self.assertEqual(results, {self.read(f"p.{output}")}, output)


class Reports(MergeCase):
    def test_refused_where_hits_are_chosen(self):
        for command, more in (("match", ["--report", "best"]), ("match", ["--non-overlapping"]), ("match", ["--max-hits", 5]),
                              ("motif", ["--non-overlapping"]), ("motif", ["--max-hits", 1])):
            words = [command, "-q", "-f", CALL[command], *(["-k", 1, "--format", "bed"] if command == "match" else []), *more, "g.fa"]
            for i in (1, 2):
                self.call(*words, "--chunk", f"{i}/2", "--json", f"{i}.json", "-o", "part")
            self.merge_fails(3, ["1.json", "2.json"], "best", "--non-overlapping", "--max-hits")

    def test_fit(self):
        for i in (1, 2, 3):
            self.call("motif", "-q", "-p", "GAATTC", "g.fa", "--chunk", f"{i}/3", "--json", f"{i}.json", "-o", f"{i}.bed")
        self.merge_fails(3, ["1.json", "3.json"], "2/3")
        self.merge_fails(3, ["1.json", "2.bed", "3.json"], "2.bed")
        self.merge_fails(2, ["1.json", "2.json", "3.json"], "--write-index", more=["--write-index"], output="out.gz")
        self.file("2.json", self.read("2.json")[:-20])
        self.merge_fails(3, ["1.json", "2.json", "3.json"], "2.json")


class Indices(MergeCase):
    def indexed(self, output, parts, extension):
        self.merge(parts, output, "--write-index")
        self.assertTrue((self.folder / (output + extension)).exists(), self.listing())
        return self.folder / output

    def ask(self, *words):
        return subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, check=True).stdout.decode()

    @unittest.skipUnless(shutil.which("tabix"), "tabix is not installed")
    def test_tbi(self):
        for output, parts in (("a.bed.gz", self.parts("bed")), ("b.bed.gz", self.parts("bed.gz")), ("c.tsv.gz", self.parts("tsv"))):
            path = self.indexed(output, parts, ".tbi")
            lines = gzip.decompress(path.read_bytes()).decode().splitlines(True)
            self.assertGreater(len(lines), 20)
            for record, begin, end in (("one", 400, 900), ("two", 0, 900), ("one", 0, 1)):
                inside = [line for line in lines for f in [line.split("\t")] if f[0] == record and int(f[1]) < end and int(f[2]) > begin]
                self.assertEqual(self.ask("tabix", path, f"{record}:{begin + 1}-{end}"), "".join(inside), (output, record))

    @unittest.skipUnless(shutil.which("samtools"), "samtools is not installed")
    def test_bai(self):
        for output, parts in (("a.bam", self.parts("bam")), ("a.sam.gz", self.parts("sam.gz")), ("b.sam.gz", self.parts("sam"))):
            path = self.indexed(output, parts, ".bai")
            names = self.ask("samtools", "view", path, "one:401-900").splitlines()
            rows = [line.split("\t") for line in self.ask("samtools", "view", path).splitlines()]
            self.assertGreater(len(rows), len(names))
            self.assertGreater(len(names), 3)
            self.assertLessEqual({row[2] for row in (name.split("\t") for name in names)}, {"one"})
            self.assertLessEqual(sum(row[2] == "one" and 400 < int(row[3]) <= 880 for row in rows), len(names))

    @unittest.skipUnless(shutil.which("tabix"), "tabix is not installed")
    def test_csi_of_long_records(self):
        self.file("g.fa", ">r\nGAATTC\n")
        part, = self.parts("bed", chunks=1)
        label = self.read(part).splitlines(True)[0]
        self.file(part, label + b"r\t5\t11\tEcoRI\t1000\t+\nr\t700000000\t700000006\tEcoRI\t1000\t+\n#basesweep-end\thits=2\n")
        path = self.indexed("long.bed.gz", [part], ".csi")
        self.assertFalse((self.folder / "long.bed.gz.tbi").exists())
        self.assertEqual(self.ask("tabix", path, "r:600,000,000-800,000,000"), "r\t700000000\t700000006\tEcoRI\t1000\t+\n")

    def test_no_hits(self):
        self.file("motifs.tsv", "none\tGCGCGCGCGCGC\n")
        self.file("primers.tsv", "none\tGCGCGCGCGCGCGCGCGCGCGC\n")
        for output, extension in (("bed.gz", ".tbi"), ("tsv", ".tbi"), ("bam", ".bai"), ("sam", ".bai")):
            self.indexed("out." + output.replace(".gz", "") + ("" if output == "bam" else ".gz"), self.parts(output), extension)

    def test_refused(self):
        for output in ("bed", "sam", "bam", "bed.gz"):
            parts = self.parts(output)
            self.merge_fails(2, parts, "--write-index", output=None, more=["--write-index"])
            self.merge_fails(2, parts, "--write-index", output="-", more=["--write-index"])
            if output != "bam":
                self.merge_fails(2, parts, "--write-index", ".gz", output="out.sam" if output == "sam" else "out.bed", more=["--write-index"])
        self.merge_fails(2, self.parts("txt"), "--write-index", output="out.gz", more=["--write-index"])
        rng, _ = seeded("merge")
        records = made_records(rng)
        self.file("r.fa", fasta(records))
        self.file("reads.fq", fastq(made_reads(records, rng) + [read for pair in made_pairs(records, rng) for read in pair]))
        parts = self.jobs("map", ["-r", "r.fa", "-k", 1, "reads.fq"], 2, "bam")
        self.merge_fails(2, parts, "--write-index", "in read order", output="out.bam", more=["--write-index"])
