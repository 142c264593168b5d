"""`basesweep merge`: which parts fit together, messages about those that do not, where it writes, its report and its indices."""
import gzip
import json
import os
import random
import re
import resource
import shutil
import subprocess
import unittest

from chunk_support import MOTIFS, ChunkCase, fasta, planted, random_genome, table, write_sources
from map_support import random_bases
from part_file import sections, version_of, with_version
from support import BINARY

# What the parts of a test are made by, and the ending of what merge writes.
KINDS = {"bed": ["motif"], "bed.gz": ["motif"], "tsv": ["match", "-k", 2], "txt": ["match", "-k", 2, "--count"],
         "sam": ["match", "-k", 2], "sam.gz": ["match", "-k", 2], "bam": ["match", "-k", 2]}
CALL = {"motif": "motifs.tsv", "match": "primers.tsv"}


class MergeCase(ChunkCase):
    def setUp(self):
        super().setUp()
        self.records = planted(random_genome("merge", [("one", 1500), ("three", 3), ("two", 900)]), [("one", 800)], 1)
        self.file("g.fa", fasta(self.records))

    def parts(self, kind, *more, label="part", chunks=3, words=None):
        command, *options = words or KINDS[kind]
        return self.jobs(command, ["-f", CALL[command], *options, *more, "g.fa"], chunks, None, label)

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
        self.file("other.tsv", table([("primer", "ACGTTGCAAGCCTTGACGGA"), ("EcoRI", "GAATTA")]))
        for words in (["motif"], ["match", "-k", 2], ["match", "-k", 2, "--count"]):
            parts = self.parts("", words=words)
            others = {"parameters": (["--strand", "plus"], None), "chunks": ([], 4), "patterns": (["-f", "other.tsv"], None)}
            for says, (more, chunks) in others.items():
                strange = self.parts("", *more, label="strange", chunks=chunks or 3, words=words) if says != "patterns" else self.jobs(
                    words[0], [*words[1:], *more, "g.fa"], 3, None, "strange")
                self.merge_fails(3, [parts[0], strange[1], parts[2]], says, strange[1])
            self.file("g.fa", fasta(self.records[:2] + [("two", self.records[2][1][1:])]))
            strange = self.parts("", label="strange", words=words)
            self.merge_fails(3, [parts[0], strange[1], parts[2]], "plan", strange[1])
            self.file("g.fa", fasta(self.records))

    def test_of_other_inputs(self):
        """The same records, cut alike, from files of other names."""
        shutil.copy(self.folder / "g.fa", self.folder / "h.fa")
        for words in ([], ["--with-file"]):
            parts = self.jobs("motif", ["-f", "motifs.tsv", *words, "g.fa"], 2)
            strange = self.jobs("motif", ["-f", "motifs.tsv", *words, "h.fa"], 2, None, "strange")
            self.merge_fails(3, [parts[0], strange[1]], "inputs", strange[1])

    def test_of_other_parameters(self):
        """Each option that bears on what the parts hold."""
        motif = (["--non-overlapping"], ["--soft-masked", "skip"], ["--palindromes", "both"], ["--max-hits", 3], ["--count"], ["--flank", 3, "--format", "tsv"])
        match = (*motif, ["--report", "best"], ["--max-indels", 0], ["--max-dna-bulges", 0], ["--max-rna-bulges", 0],
                 ["--clamp-3prime", 2], ["--clamp-5prime", 2], ["--max-mismatches", 0])
        for words, choices in ((["motif"], motif), (["match", "-k", 2], match)):
            parts = self.parts("", words=words)
            for more in choices:
                strange = self.parts("", *more, label="strange", words=words)
                with self.subTest(words=words, more=more):
                    self.merge_fails(3, [parts[0], strange[1], parts[2]], strange[1])
        for words in (["-k", 3], ["-e", "0.1"]):
            parts = self.parts("", words=["match", "-k", 2])
            self.merge_fails(3, [parts[0], self.parts("", label="strange", words=["match", *words])[1], parts[2]], "parameters")

    def test_of_another_form(self):
        """Options that bear on how rows are written may differ: those of the first chunk hold, whatever the order of the parts."""
        motif = (["--format", "csv"], ["--columns", "+file"], ["--with-file"])
        match = (*motif, ["--eqx"], ["--rg", r"@RG\tID:x"], ["--no-PG"], ["--aligned", "--format", "tsv"])
        for words, choices in ((["motif"], motif), (["match", "-k", 2], match)):
            parts = self.parts("", words=words)
            self.call("merge", *parts, "-o", "usual")
            for more in choices:
                strange = self.parts("", *more, label="strange", words=words)
                with self.subTest(words=words, more=more):
                    self.call("merge", parts[2], strange[1], parts[0], "-o", "merged")
                    self.assertEqual(self.read("merged"), self.read("usual"))

    def test_options_without_room(self):
        """What chunks were asked for and the output of merge has no room for is left out; given to merge, it is an error."""
        match = ["match", "-k", 2, "-f", "primers.tsv"]
        cases = ((["--columns", "record,edits"], "sam"), (["--aligned", "--edit-columns", "--format", "tsv"], "bed"), (["--flank", 4, "--format", "tsv"], "gff3"),
                 (["--eqx", "--no-PG"], "tsv"), (["--with-file", "--format", "gff3"], "bed"), (["--columns", "+file"], "bam"))
        for more, form in cases:
            with self.subTest(more=more, form=form):
                parts = self.parts("", *more, words=["match", "-k", 2], label="form")
                self.call("merge", *parts, "-o", f"merged.{form}")
                self.call(*match, "g.fa", "-o", f"whole.{form}")
                merged, whole = self.read(f"merged.{form}"), self.read(f"whole.{form}")
                self.assertEqual(re.sub(rb"@PG.*\n", b"", merged), re.sub(rb"@PG.*\n", b"", whole)) if form == "sam" else self.assertEqual(merged, whole)
                self.assertEqual(self.call("merge", *parts, "--count"), self.call(*match, "g.fa", "--count"))
        parts = self.parts("", words=["match", "-k", 2])
        for more, output, says in ((["--eqx"], "x.tsv", "--eqx needs SAM or BAM"), (["--columns", "edits"], "x.sam", "--columns: SAM has fields of its own")):
            self.merge_fails(2, parts, says, output=output, more=more)

    def test_of_another_version(self):
        for words in (["motif"], ["match", "-k", 2]):
            parts = self.parts("", words=words)
            data = self.read(parts[1])
            number = version_of(data)
            other = re.sub(r"\d$", lambda last: str(9 - int(last.group())), number)
            self.file(parts[1], with_version(data, other))
            for given in (parts, parts[::-1], parts[1:2]):
                self.merge_fails(3, given, parts[1], f"written by basesweep {other} ", f"this is basesweep {number} ")

    def test_no_parts(self):
        self.whole("motif", ["-f", "motifs.tsv", "g.fa"], "whole.bed")
        self.whole("match", ["-f", "primers.tsv", "-k", 1, "g.fa"], "whole.sam")
        self.whole("match", ["-f", "primers.tsv", "-k", 1, "g.fa", "--json", "whole.json"], "whole.bam")
        self.call("compile", "-p", "GAATTC", "-o", "set.bsx")
        self.file("empty", b"")
        # The parts that versions before 0.2 wrote.
        self.file("old.bed", "#basesweep-part\t0.1.0\tcommand=motif output=bed\tx\t1/3\none\t1\t7\tEcoRI\t1000\t+\n#basesweep-end\thits=1\n")
        self.file("noise", bytes(range(256)))
        parts = self.parts("bed")
        for name in ("whole.bed", "whole.sam", "whole.bam", "whole.json", "set.bsx", "empty", "old.bed", "noise", "g.fa", "motifs.tsv"):
            for given in ([name], [*parts[:2], name], [name, *parts[1:]]):
                self.merge_fails(3, given, f"{name}: not a part of a run, which 'basesweep ... --chunk' writes")
        self.merge_fails(4, [*parts, "nowhere"], "nowhere")
        self.merge_fails(4, [*parts, "."], ".")
        self.merge_fails(2, [], output="out")
        self.merge_fails(2, ["-"], "file")

    def test_given_as_another_file(self):
        """A part is no pattern file, no text and no plan."""
        part, *_ = self.parts("bed")
        for words in (["-f", part, "g.fa"], ["-p", "GAATTC", part], ["-p", "GAATTC", "--chunk", "1/3", "--plan", part, "g.fa"],
                      ["-p", "GAATTC", "--regions-file", part, "g.fa"]):
            self.fails(3, "motif", *words, "-o", "out", says=[part])


class Names(MergeCase):
    def test_of_parts(self):
        """A chunk writes .bsp, a name without ending, or stdout; whatever it is, the part is the same but for its report."""
        def before_report(data):
            *_, report, end = sections(data)
            self.assertEqual((report.name, end.name), ("summary", "end"))
            return data[:report.begin]
        call = ["motif", "-q", "-f", "motifs.tsv", "--chunk", "2/3", "g.fa"]
        part = before_report(self.call(*call))
        for name in ("p.bsp", "p.BSP", "p", "p.v2", "/dev/stdout"):
            printed = self.call(*call, "-o", name)
            self.assertEqual(before_report(printed if name == "/dev/stdout" else self.read(name)), part, name)
        for name in ("p.bed", "p.tsv", "p.json", "p.txt", "p.bam", "p.gz", "p.bsp.gz", "p.bsx"):
            self.fails(2, *call, "-o", name, says=[f"{name}: a chunk is written as a part, which 'basesweep merge' reads: name the file .bsp"])
        self.fails(2, "motif", "-f", "motifs.tsv", "g.fa", "-o", "hits.bsp", says=["cannot write .bsp"])
        self.merge_fails(2, self.parts("bed"), "cannot write .bsp", output="hits.bsp")

    def test_parts_through_a_pipe(self):
        """Chunks write to pipes, and merge to one."""
        expected = self.call("match", "-q", "-f", "primers.tsv", "-k", 2, "g.fa")
        for i in (1, 2):
            self.file(f"{i}", self.call("match", "-q", "-f", "primers.tsv", "-k", 2, "g.fa", "--chunk", f"{i}/2"))
        self.assertEqual(self.call("merge", "2", "1"), expected)
        os.mkfifo(self.folder / "fifo")
        self.merge_fails(2, ["1", "fifo"], "fifo: a part must be a file")

    def test_compressed_parts(self):
        """As any input, a part may be compressed anew."""
        parts = self.parts("bed")
        expected = self.merge(parts, "merged.bed")
        self.file(parts[1], gzip.compress(self.read(parts[1])))
        self.assertEqual(self.merge(parts, "merged.bed"), expected)
        self.file(parts[1], self.read(parts[1])[:-9])
        self.merge_fails(3, parts, parts[1])

    def test_many_parts(self):
        """More parts than files that may be open."""
        expected = self.whole("match", ["-f", "primers.tsv", "-k", 2, "--report", "best", "g.fa"], "whole.bed")
        plan = self.plan(300, "g.fa")
        parts = self.jobs("match", ["-f", "primers.tsv", "-k", 2, "--report", "best", "g.fa"], 300, plan)
        done = self.attempt("merge", "-q", *parts, "-o", "merged.bed",
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(self.read("merged.bed"), expected)
        done = self.attempt("merge", "-q", *parts[:-1], "-o", "merged.bed")
        self.assertEqual((done.returncode, done.stderr), (3, b"basesweep: missing: chunk 300/300\n"))


class Places(MergeCase):
    def test_stdout(self):
        for output in ("bed", "tsv", "txt", "sam", "bam"):
            command, *words = KINDS[output]
            words = ["-q", "-f", CALL[command], *words, "g.fa", *(["--format", output] if output in ("sam", "bam", "tsv") else [])]
            expected = self.call(command, *words)
            parts = self.jobs(command, words[1:], 3)
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
            self.merge_fails(3, parts[:2], "missing", output=f"there.{output}")
            self.assertEqual(self.read(f"there.{output}"), expected)
            self.merge_fails(4, parts, "nowhere", output="nowhere/out")

    def test_no_part_is_overwritten(self):
        parts = []
        for i, part in enumerate(self.parts("bed"), 1):
            parts.append(f"{i}.bed")  # a name that merge could write to
            os.rename(self.folder / part, self.folder / parts[-1])
        for part in parts:
            self.merge_fails(2, parts, part, "input and output", output=part)
            self.merge_fails(2, parts, "input and output", output="./" + part)
            self.merge_fails(2, parts, part, "input and output", output="out.bed", more=["--json", part])

    def test_compression(self):
        """Named by the output."""
        parts = self.parts("bed")
        for name in ("a.bed", "a.bed.gz", "a.BED.GZ"):
            self.assertEqual(self.merge(parts, name), self.whole("motif", ["-f", "motifs.tsv", "g.fa"], f"whole.{name}"))
        self.assertEqual(self.merge(self.parts("bam", "--format", "bam"), "x"),
                         self.whole("match", ["-f", "primers.tsv", "-k", 2, "g.fa"], "whole.bam"))


class Labels(MergeCase):
    LABEL = r"basesweep-part\t{}\tcommand={} [ -~]*\t[0-9a-f]{{32}}\t{}"

    def test_first_section(self):
        """Every part has a label, even one without hits; the report of the chunk has it too."""
        for chunks in (3, 4000):
            for words in KINDS.values():
                self.call(words[0], "-q", "-f", CALL[words[0]], *words[1:], "g.fa", "--chunk", f"2/{chunks}", "-o", "p.bsp", "--json", "j")
                data = self.read("p.bsp")
                label = sections(data)[0]
                self.assertEqual(label.name, "label")
                pattern = self.LABEL.format(re.escape(version_of(data)), words[0], f"2/{chunks}")
                self.assertRegex(json.loads(self.read("j"))["part"], rf"\A{pattern}\Z")

    def test_rows_do_not_depend_on_how_the_work_is_done(self):
        """Nor does the result depend on the threads, algorithm, folder or compression of the input of each chunk."""
        sources = write_sources(self, self.records)
        self.file("motifs.tsv", table([motif for motif in MOTIFS if motif[0] != "codes"]))  # patterns that any algorithm takes
        for output, words in KINDS.items():
            call = ["-f", CALL[words[0]], *words[1:]]
            expected = self.whole(words[0], [*call, "g.fa"], f"whole.{output}")
            algorithms = ("planes", "ac-dfa", "qgrams") if words[0] == "motif" else ("hmm", "myers", "bitsliced")
            ways = [[], ["--batch-bases", 40], ["--batch-bases", 700], *(["--algorithm", name] for name in algorithms)]
            for first, second in zip(ways, ways[1:]):
                parts = [self.jobs(words[0], [*call, *way, "g.fa"], 2, None, f"way{i}")[i] for i, way in enumerate((first, second))]
                self.assertEqual(self.merge(parts, f"merged.{output}"), expected, (output, first, second))
            for source in sources.values():
                self.assertEqual(self.merge(self.jobs(words[0], [*call, *source], 2), f"merged.{output}"), expected, (output, source))


class Reports(MergeCase):
    def test_keys(self):
        """The merged report is that of one run apart from where it comes from; tests of chunks compare all the rest."""
        self.call("motif", "-q", "-f", "motifs.tsv", "g.fa", "-o", "out.tsv", "--json", "whole.json")
        parts = self.parts("bed")
        self.call("merge", "-q", *parts, "-o", "out.tsv", "--json", "merged.json")
        whole, merged = (json.loads(self.read(name)) for name in ("whole.json", "merged.json"))
        self.assertEqual([key for key in merged if key != "parts"], list(whole))
        differing = {key for key in whole if whole[key] != merged[key]}
        self.assertLessEqual(differing, {"command_line", "outputs", "machine", "timings"})
        self.assertEqual(merged["command_line"], [BINARY, "merge", "-q", *parts, "-o", "out.tsv", "--json", "merged.json"])

    def test_what_merge_chose(self):
        """Parameters are those of the output that was written."""
        parts = self.parts("sam")
        self.call("merge", "-q", *parts, "--report", "best", "--non-overlapping", "-o", "out.csv", "--json", "merged.json")
        self.call("match", "-q", "-f", "primers.tsv", "-k", 2, "g.fa", "--report", "best", "--non-overlapping", "-o", "out.csv", "--json", "whole.json")
        whole, merged = (json.loads(self.read(name)) for name in ("whole.json", "merged.json"))
        self.assertEqual((merged["parameters"], merged["patterns"], merged["hits"]), (whole["parameters"], whole["patterns"], whole["hits"]))

    def test_no_report_is_a_part(self):
        for i in (1, 2):
            self.call("motif", "-q", "-p", "GAATTC", "g.fa", "--chunk", f"{i}/2", "--json", f"{i}.json", "-o", f"{i}.bsp")
        self.merge_fails(3, ["1.json", "2.json"], "1.json: not a part of a run")
        self.merge_fails(3, ["1.bsp", "2.json"], "2.json: not a part of a run")


class Indices(MergeCase):
    def indexed(self, output, parts, extension):
        self.merge(parts, output, "--write-index")
        self.assertTrue((self.folder / (output + extension)).exists(), self.listing())
        return self.folder / output

    def ask(self, *words):
        return subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, check=True).stdout.decode()

    @unittest.skipUnless(shutil.which("tabix"), "tabix is not installed")
    def test_tbi(self):
        for output, parts in (("a.bed.gz", self.parts("bed")), ("c.tsv.gz", self.parts("tsv")), ("d.gff3.gz", self.parts("tsv"))):
            path = self.indexed(output, parts, ".tbi")
            if "gff3" in output:
                self.assertGreater(self.ask("tabix", path, "one:401-900").count("\n"), 3)
                continue
            lines = gzip.decompress(path.read_bytes()).decode().splitlines(True)
            self.assertGreater(len(lines), 20)
            for record, begin, end in (("one", 400, 900), ("two", 0, 900), ("one", 0, 1)):
                inside = [line for line in lines for f in [line.split("\t")] if f[0] == record and int(f[1]) < end and int(f[2]) > begin]
                self.assertEqual(self.ask("tabix", path, f"{record}:{begin + 1}-{end}"), "".join(inside), (output, record))

    @unittest.skipUnless(shutil.which("samtools"), "samtools is not installed")
    def test_bai(self):
        for output, parts in (("a.bam", self.parts("bam")), ("a.sam.gz", self.parts("sam"))):
            path = self.indexed(output, parts, ".bai")
            names = self.ask("samtools", "view", path, "one:401-900").splitlines()
            rows = [line.split("\t") for line in self.ask("samtools", "view", path).splitlines()]
            self.assertGreater(len(rows), len(names))
            self.assertGreater(len(names), 3)
            self.assertLessEqual({row[2] for row in (name.split("\t") for name in names)}, {"one"})
            self.assertLessEqual(sum(row[2] == "one" and 400 < int(row[3]) <= 880 for row in rows), len(names))

    @unittest.skipUnless(shutil.which("tabix"), "tabix is not installed")
    def test_csi_of_long_records(self):
        with open(self.folder / "g.fa", "w", encoding="ascii") as text:
            text.write(">r\nAAAAAGAATTC\n" + ("N" * 999_999 + "\n") * 601 + "GAATTC\n")
        for words in (["motif", "-q", "-p", "GAATTC", "g.fa"], ["merge", "-q", *self.jobs("motif", ["-p", "GAATTC", "g.fa"], 2)]):
            self.call(*words, "-o", "long.bed.gz", "--write-index")
            self.assertFalse((self.folder / "long.bed.gz.tbi").exists())
            self.assertTrue((self.folder / "long.bed.gz.csi").exists())
            self.assertEqual(self.ask("tabix", self.folder / "long.bed.gz", "r:600,000,000-800,000,000"), "r\t600999410\t600999416\tGAATTC\t1000\t+\n")

    def test_of_runs(self):
        """A run without chunks writes the same index."""
        for output, extension in (("bed.gz", ".tbi"), ("tsv.gz", ".tbi"), ("gff3.gz", ".tbi"), ("sam.gz", ".bai"), ("bam", ".bai")):
            for command, call in (("motif", ["-f", "motifs.tsv"]), ("match", ["-f", "primers.tsv", "-k", 2])):
                if command == "motif" and output in ("sam.gz", "bam"):
                    continue
                self.indexed(f"merged.{output}", self.jobs(command, [*call, "g.fa"], 3), extension)
                self.call(command, "-q", *call, "g.fa", "-o", f"whole.{output}", "--write-index")
                for name in (output, output + extension):
                    self.assertEqual(self.read(f"whole.{name}"), self.read(f"merged.{name}"), name)
            self.file(f"whole.{output}{extension}", "of an earlier file")
            for words in (["--columns", "+file"], ["--count"]):
                if output == "tsv.gz":
                    self.fails(2, "motif", "-f", "motifs.tsv", "g.fa", *words, "-o", f"whole.{output}", "--write-index", says=["--write-index"])
        self.fails(2, "match", "-f", "primers.tsv", "-k", 2, "g.fa", "--chunk", "1/2", "--format", "bam", "-o", "p.bsp", "--write-index",
                   says=["--write-index and --chunk conflict: give it to 'basesweep merge'"])
        for name in ("x.bed", "x.csv.gz", "x.jsonl.gz", "x.fa.gz", "-"):
            self.fails(2, "motif", "-f", "motifs.tsv", "g.fa", "-o", name, "--write-index", says=["--write-index needs a file of hits"])

    def test_no_hits(self):
        self.file("motifs.tsv", "none\tGCGCGCGCGCGC\n")
        self.file("primers.tsv", "none\tGCGCGCGCGCGCGCGCGCGCGC\n")
        for output, extension in (("bed.gz", ".tbi"), ("tsv", ".tbi"), ("bam", ".bai"), ("sam", ".bai")):
            self.indexed("out." + output.replace(".gz", "") + ("" if output == "bam" else ".gz"), self.parts(output), extension)

    def test_refused(self):
        for output in ("bed", "sam", "bam"):
            parts = self.parts(output)
            self.merge_fails(2, parts, "--write-index", output=None, more=["--write-index"])
            self.merge_fails(2, parts, "--write-index", output="-", more=["--write-index"])
            if output != "bam":
                self.merge_fails(2, parts, "--write-index", ".gz", output="out.sam" if output == "sam" else "out.bed", more=["--write-index"])
        self.merge_fails(2, self.parts("txt"), "--write-index", output="out.gz", more=["--write-index"])
        for name in ("out.csv.gz", "out.jsonl.gz", "out.fa.gz"):
            self.merge_fails(2, self.parts("tsv"), "--write-index", output=name, more=["--write-index"])


class Large(MergeCase):
    def test_flanks(self):
        """The rows of a batch may have more bytes than a block holds, after few or short ones."""
        rng = random.Random("flanks")
        texts = [("few", "AC" * 40), ("many", "N" * 10_000 + random_bases(rng, 18_000) + "N" * 10_000)]
        self.file("flanks.fa", fasta(texts))
        words = ["-p", "A", "--strand", "plus", "--flank", 10_000, "flanks.fa"]
        parts = self.jobs("motif", words, 1)
        columns = ["--columns", "record,start,end"]
        self.assertEqual(self.merge(parts, "merged.tsv", *columns), self.whole("motif", [*words, *columns], "whole.tsv"))
        self.assertGreater(sum(section.name == "rows" for section in sections(self.read(parts[0]))), 100)
