"""Chunks of demux, trim and count: merged files and reports equal those of one run, byte for byte, for reads single and in pairs, FASTQ,
FASTA, SAM and BAM, files and folders, any number of chunks and threads; and what chunks and merge refuse."""
import gzip
import json
import random
import shutil

import part_file
import sam_tools
from chunk_support import ChunkCase, bgzf
from support import run, without_origin
from test_count import bases as random_bases
from test_demux import PAIR_SHEET, SHEET, fastq, pairs, single_reads
from test_trim import ADAPTER, TRUSEQ, letters, record, turn

NUMBERS = (1, 2, 5)  # of chunks


class ReadsCase(ChunkCase):
    def setUp(self):
        super().setUp()
        for folder in ("whole", "merged"):
            (self.folder / folder).mkdir()

    def done(self, command, *words):
        done = run("--quiet", *words, command=command, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, b""), f"{command} {words}: {done.stderr.decode()}")
        return done

    def parts_of(self, command, words, chunks, files=None, plan=None, threads=1):
        """Runs all chunks and returns the names of the parts. `files`: options of files of the run besides -o."""
        more = [word for option, name in (files or {}).items() for word in (option, f"unused/{name}")]
        more += ["--plan", plan] if plan else []
        names = [f"{command}.{i}.bsp" for i in range(1, chunks + 1)]
        calls = [self.pool.submit(self.done, command, *words, *more, "-t", threads, "--chunk", f"{i}/{chunks}", "-o", name)
                 for i, name in enumerate(names, 1)]
        for call in calls:
            call.result()
        return names

    def state(self, folder):
        root = self.folder / folder
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}

    def fresh(self, folder):
        shutil.rmtree(self.folder / folder)
        (self.folder / folder).mkdir()

    def check(self, command, words, output, files=None, numbers=NUMBERS, plan=()):
        """Compares the files of one run with those of merge; returns them. `output`, `files`: names, of -o and of other options."""
        files = files or {}

        def outputs(folder):
            return [word for option, name in {"-o": output, **files, "--json": "run.json"}.items() for word in (option, f"{folder}/{name}")]
        states = []
        for threads in (1, 4):
            self.fresh("whole")
            self.done(command, *words, "-t", threads, *outputs("whole"))
            states.append(self.state("whole"))
            report = without_origin(json.loads(states[-1].pop("run.json")))
        self.assertEqual(states[0], states[1])
        for chunks, threads in zip(numbers, (1, 4, 1, 4)):
            about = f"{command} {' '.join(map(str, words))}, {chunks} chunks"
            planned = self.plan(chunks, *plan) if plan and chunks > 1 else None
            parts = self.parts_of(command, words, chunks, files, planned, threads)
            random.Random(chunks).shuffle(parts)
            self.fresh("merged")
            self.done("merge", *parts, "-t", 5 - threads, *outputs("merged"))
            merged = self.state("merged")
            told = without_origin(json.loads(merged.pop("run.json")))
            self.assertEqual(sorted(merged), sorted(states[0]), about)
            for name, data in states[0].items():
                self.assertEqual(merged[name], data, f"{about}: {name}")
            self.assertEqual(told, report, about)
        return states[0]


class Demux(ReadsCase):
    def setUp(self):
        super().setUp()
        self.file("sheet.tsv", SHEET)
        self.file("pairs.csv", PAIR_SHEET)
        self.words = ["-s", "sheet.tsv"]

    def test_single_reads(self):
        reads = single_reads(1, 400)
        self.file("a.fq", fastq(reads[:150]))
        self.file("b.fq.gz", gzip.compress(fastq(reads[150:])))
        self.file("all.fq.gz", bgzf(fastq(reads), 700))
        found = self.check("demux", [*self.words, "a.fq", "b.fq.gz"], "out", plan=["a.fq", "b.fq.gz"])
        self.assertEqual(sorted(found), ["out/" + name for name in ("one.fastq.gz", "reasons.tsv", "summary.tsv", "three.fastq.gz", "two.fastq.gz",
                                                                    "unassigned.fastq.gz")])
        for more in (["--orient", "--format", "fastq"], ["--no-trim", "--unassigned", "no", "--name", "x-{sample}.y"],
                     ["--format", "fasta", "--strand", "plus"]):
            self.check("demux", [*self.words, *more, "all.fq.gz"], "deep/out", {"--table": "reads.tsv"})

    def test_pairs(self):
        first, second = pairs(2, 150, exchanged=True)
        words = ["-s", "pairs.csv", "-k", 2, "--window", 14, "--strand", "both"]
        for number, reads in (("1", first), ("2", second)):
            self.file(f"a{number}.fq", fastq(reads[:70]))
            self.file(f"b{number}.fq.gz", gzip.compress(fastq(reads[70:])))
        mates = ["-1", "a1.fq", "-2", "a2.fq", "-1", "b1.fq.gz", "-2", "b2.fq.gz"]
        found = self.check("demux", [*words, *mates], "out", {"--table": "reads.tsv"}, plan=["a1.fq", "b1.fq.gz"])
        self.assertIn("unexpected-pair", found["out/reasons.tsv"].decode())
        self.assertGreater(len(found["out/s1_R2.fastq.gz"]), 200)
        self.file("both.fq", b"".join(one + two for one, two in zip(*([read.record().encode() for read in reads] for reads in (first, second)))))
        self.check("demux", [*words, "--orient", "--interleaved", "both.fq"], "out")

    def test_alignments(self):
        reads = single_reads(3, 200)
        head = "@HD\tVN:1.6\tSO:unsorted\n@RG\tID:run\tSM:pool\tPL:ONT\n@PG\tID:caller\tPN:caller\n"
        lines = [f"{r.name}\t4\t*\t0\t0\t*\t*\t0\t0\t{r.bases}\t{r.quality}\tRG:Z:run\tXA:i:7\n" for r in reads]
        self.file("reads.sam", head + "".join(lines))
        for form in ("bam", "sam", "fastq"):
            self.check("demux", [*self.words, "--format", form, "reads.sam"], "out")
        if sam_tools.have_samtools():
            merged = self.folder / "merged"
            self.check("demux", [*self.words, "reads.sam"], "out", {"--table": "reads.tsv"}, numbers=(3,))
            for name in ("one", "unassigned"):
                self.assertIn("@PG\tID:caller\tPN:caller", sam_tools.sam_lines(merged / f"out/{name}.bam"))

    def test_alignments_without_bases(self):
        """Chunks and plans count reads without bases, which are written too; chunks of other commands have the same plan."""
        reads = single_reads(8, 60)
        for i in (0, 7, 20, 21, 40, 59):
            reads[i].bases = reads[i].quality = ""
        rows = [f"{r.name}\t4\t*\t0\t0\t*\t*\t0\t0\t{r.bases or '*'}\t{r.quality or '*'}\n" for r in reads]
        self.file("reads.sam", "@HD\tVN:1.6\n" + "".join(rows))
        for plan in ((), ("reads.sam",), ("--reads", "reads.sam")):
            self.check("demux", [*self.words, "--format", "fastq", "reads.sam"], "out", plan=plan)
            self.check("motif", ["-p", "ACGT", "reads.sam"], "hits.bed", plan=plan)
        self.done("demux", *self.words, "--format", "fastq", "reads.sam", "-o", "whole/out")
        self.assertEqual(sum(text.count(b"\n+\n") for text in self.state("whole").values()), 60)

    def test_a_read_without_bases_among_pairs(self):
        """Commands that pass over such a read do so in chunks and plans too."""
        rows = []
        for i, read in enumerate(single_reads(9, 12)):
            for flag in (77, 141):
                rows.append(f"{read.name}\t{flag}\t*\t0\t0\t*\t*\t0\t0\t{read.bases}\t{read.quality}\n")
            if i == 4:
                rows.append("alone\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\n")
        self.file("pairs.sam", "@HD\tVN:1.6\n" + "".join(rows))
        self.file("genome.fa", ">g\n" + "ACGTTGCA" * 20 + "\n")
        for plan in ((), ("--reads", "pairs.sam")):
            self.check("map", ["-k", "3", "-r", "genome.fa", "pairs.sam"], "reads.sam", plan=plan)

    def test_more_chunks_than_reads_and_no_reads(self):
        self.file("three.fq", fastq(single_reads(4, 3)))
        self.file("none.fq", b"")
        for name in ("three.fq", "none.fq"):
            whole = run("-q", *self.words, name, "-o", "whole/out", command="demux", cwd=self.folder)
            self.assertEqual(whole.returncode, 0)
            for i in range(1, 8):
                run("-q", *self.words, name, "--chunk", f"{i}/7", "-o", f"{i}.bsp", command="demux", cwd=self.folder)
            self.done("merge", *[f"{i}.bsp" for i in range(7, 0, -1)], "-o", "merged/out", "--force")
            self.assertEqual(self.state("merged"), self.state("whole"))
            self.fresh("whole")

    def test_choices_of_merge(self):
        """The compression, the names of files, and whether reads of no sample are written."""
        self.file("reads.fq", fastq(single_reads(5, 100)))
        parts = self.parts_of("demux", [*self.words, "reads.fq"], 2, {"--table": "reads.tsv"})
        for more in (["--format", "fastq"], ["--compression", 9], ["--name", "{sample}_x"], ["--unassigned", "no"]):
            self.done("demux", *self.words, "reads.fq", *more, "-o", "whole/out", "--table", "whole/reads.tsv")
            self.done("merge", *parts, *more, "-o", "merged/out", "--table", "merged/reads.tsv")
            self.assertEqual(self.state("merged"), self.state("whole"), more)
            for folder in ("whole", "merged"):
                self.fresh(folder)
        self.done("merge", *parts, "-o", "merged/out")
        self.assertNotIn("reads.tsv", self.state("merged"))
        self.done("merge", *parts, "-o", "merged/out", "--table=merged/reads.tsv", "--force")  # replaces what is there
        self.done("merge", "-o", "merged/out", "--force", "--table", "merged/reads.tsv", *parts)
        self.assertIn("reads.tsv", self.state("merged"))

    def test_refused(self):
        self.file("reads.fq", fastq(single_reads(6, 40)))
        parts = self.parts_of("demux", [*self.words, "reads.fq"], 2)
        out = ["-o", "new"]
        self.fails(2, "merge", *parts, says=["no folder for the output"])
        self.fails(2, "merge", *parts, "-o", "-", says=["folder"])
        self.fails(2, "merge", *parts, *out, "--format", "bam", says=["--format bam", "the chunks wrote FASTQ"])
        self.fails(2, "merge", *parts, *out, "--table", "t.tsv", says=["--table", "made no table"])
        self.fails(2, "merge", *parts, *out, "--table", says=["--table FILE"])
        self.fails(2, "merge", *parts, *out, "--columns", "record", says=["--columns"])
        self.fails(2, "merge", *parts, *out, "--untrimmed-output", "x.fq", says=["--untrimmed-output"])
        self.fails(2, "merge", *parts, *out, "--json", parts[0], says=[parts[0], "input and output"])
        self.fails(3, "merge", parts[0], *out, says=["missing: chunk 2/2"])
        self.fails(3, "merge", *parts, parts[1], *out, says=["chunk 2/2 is given twice"])
        self.file("other.tsv", SHEET.replace("one\t", "uno\t"))
        for more in (["--margin", 3], ["--orient"], ["--format", "bam"], ["--unassigned", "no"]):
            self.done("demux", *self.words, *more, "reads.fq", "--chunk", "2/2", "-o", "other.bsp")
            self.fails(3, "merge", parts[0], "other.bsp", *out, says=["not of one run"])
        shutil.copy(self.folder / "other.tsv", self.folder / "sheet.tsv")
        self.done("demux", *self.words, "reads.fq", "--chunk", "2/2", "-o", "other.bsp")
        self.fails(3, "merge", parts[0], "other.bsp", *out, says=["what they searched for differs"])
        self.done("demux", "-s", "other.tsv", "reads.fq", "--chunk", "2/2", "-o", "other.bsp")
        self.fails(3, "merge", parts[0], "other.bsp", *out, says=["the names of their sample sheets differ: sheet.tsv and other.tsv"])
        self.file("sheet.tsv", SHEET)
        self.done("demux", *self.words, "--unassigned", "no", "reads.fq", "--chunk", "1/1", "-o", "no.bsp")
        self.fails(2, "merge", "no.bsp", *out, "--unassigned", "yes", says=["--unassigned yes"])
        (self.folder / "new").mkdir()
        self.file("new/one.fastq.gz", "of the user")
        self.fails(2, "merge", *parts, *out, says=["new/one.fastq.gz is there already: --force"])
        chunk = [*self.words, "reads.fq", "--chunk", "1/2"]
        self.fails(2, "demux", *chunk, says=["no file for the part of the chunk is given: use -o FILE.bsp"])
        self.fails(2, "demux", *chunk, "-o", "folder", says=["-o folder", "name a file .bsp"])
        self.fails(2, "demux", *chunk, "-o", "out.bam", says=["out.bam", "name the file .bsp"])
        self.file("list.txt", "ACGTACGT\n")
        self.fails(2, "demux", *chunk, "--list", "list.txt", "-o", "x.bsp", says=["--list needs the structure"])
        self.fails(2, "demux", *self.words, "--chunk", "1/2", "-o", "x.bsp", stdin=b"@r\nA\n+\nI\n", says=["<stdin>", "--plan"])
        self.fails(2, "demux", *self.words, "reads.fq", "--plan", "sheet.tsv", "-o", "x", says=["--plan needs --chunk"])

    def test_damaged(self):
        """A byte that is changed, a part that is cut off, and sections that this run cannot have."""
        self.file("reads.fq", fastq(single_reads(7, 60)))
        parts = self.parts_of("demux", [*self.words, "reads.fq"], 2, {"--table": "x.tsv"})
        whole = (self.folder / parts[0]).read_bytes()
        rng = random.Random(7)
        for _ in range(40):
            at = rng.randrange(len(whole))
            self.file("bad.bsp", whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1:])
            self.fails(3, "merge", "bad.bsp", parts[1], "-o", "new", says=["bad.bsp"])
        for cut in (0, 63, 200, len(whole) - 1):
            self.file("bad.bsp", whole[:cut])
            self.fails(3, "merge", "bad.bsp", parts[1], "-o", "new", says=["bad.bsp"])
        for name in ("totals", "summary"):
            for contents in ([], [b"\1\2\3"], [b"\0" * 400]):
                self.file("bad.bsp", part_file.with_sections(whole, lambda one, n=name, c=contents: c if one == n else None))
                self.fails(3, "merge", "bad.bsp", parts[1], "-o", "new", says=["bad.bsp"])
        for contents in ([b"\0" * 4], [b"\xff" * 90], [b""]):
            for name in parts:  # the same in both, so that they seem to be of one run
                data = (self.folder / name).read_bytes()
                self.file("bad." + name, part_file.with_sections(data, lambda one, c=contents: c if one == "query" else None))
            self.fails(3, "merge", *["bad." + name for name in parts], "-o", "new", says=["damaged"])


class Trim(ReadsCase):
    def setUp(self):
        super().setUp()
        rng = random.Random(11)
        single, first, second = [], [], []
        for i in range(300):
            insert = letters(rng, rng.choice((0, 5, 30, 60, 140)))
            quality = "".join(chr(rng.choice((35, 40, 70))) for _ in range(100))
            one = (insert + TRUSEQ[0] + letters(rng, 100))[:100]
            two = (turn(insert) + TRUSEQ[1] + letters(rng, 100))[:100]
            single.append(record(f"r{i}", one, quality) if i % 7 else record(f"r{i}", letters(rng, 50)))
            first.append(record(f"p{i} 1:N", one, quality))
            second.append(record(f"p{i} 2:N", two, quality[::-1]))
        self.file("s.fq", "".join(single[:100]))
        self.file("t.fq.gz", bgzf("".join(single[100:]).encode(), 600))
        self.file("1.fq", "".join(first))
        self.file("2.fq.gz", gzip.compress("".join(second).encode()))
        self.file("both.fq", "".join(one + two for one, two in zip(first, second)))
        self.mates = ["-1", "1.fq", "-2", "2.fq.gz"]

    def test_single_reads(self):
        self.check("trim", ["-a", ADAPTER, "s.fq", "t.fq.gz"], "out.fq", plan=["s.fq", "t.fq.gz"])
        files = {"--untrimmed-output": "un.fq.gz", "--too-short-output": "short.fq", "--too-long-output": "long.fq", "--table": "t.tsv"}
        found = self.check("trim", ["-a", ADAPTER, "-g", "x=^ACG", "-q", 10, "-m", 20, "-M", 80, "s.fq", "t.fq.gz"], "out.fq.gz", files)
        self.assertTrue(all(len(data) > 30 for data in found.values()))
        self.check("trim", ["-a", ADAPTER, "--revcomp", "--poly-a", "--format", "fasta", "s.fq"], "out.fa")
        self.check("trim", ["-a", ADAPTER, "--discard-untrimmed", "--format", "bam", "s.fq"], "out.bam")

    def test_pairs(self):
        files = {"-p": "out2.fq", "--table": "t.tsv"}
        found = self.check("trim", self.mates, "out1.fq", files, plan=["1.fq"])
        self.assertGreater(found["out1.fq"].count(b"\n"), 300)
        self.check("trim", self.mates, "both.fq.gz")
        self.check("trim", ["--interleaved", "both.fq", "-m", "10:20"], "out1.fq.gz", {"-p": "out2.fq.gz"})
        files = {"-p": "out2.fq", "--too-short-output": "short1.fq", "--too-short-paired-output": "short2.fq", "--untrimmed-output": "un.fq"}
        self.check("trim", ["-a", TRUSEQ[0], "-A", TRUSEQ[1], "-U", 3, "-m", 15, *self.mates], "out1.fq", files)

    def test_the_first_pairs(self):
        """The adapters of a run are found in its first pairs, whatever a chunk has."""
        rng = random.Random(12)
        mates = ([], [])
        for i in range(21000):  # the first 20,000 are looked at
            insert = letters(rng, 20)
            ends = TRUSEQ if i < 20000 else (letters(rng, 33), letters(rng, 33))
            for number in (0, 1):
                bases = (insert if number == 0 else turn(insert)) + ends[number][:25]
                mates[number].append(record(f"p{i}", bases))
        for number in (0, 1):
            self.file(f"m{number + 1}.fq", "".join(mates[number]))
        self.check("trim", ["-1", "m1.fq", "-2", "m2.fq"], "o1.fq", {"-p": "o2.fq"}, numbers=(5,))
        self.assertIn(TRUSEQ[0][:20], json.dumps(json.loads(self.read("merged/run.json"))["mates"][0]["adapters"]))

    def test_alignments(self):
        lines = self.read("s.fq").decode().splitlines()
        head = "@HD\tVN:1.6\n@RG\tID:a\tSM:b\n@PG\tID:x\tPN:x\n"
        self.file("s.sam", head + "".join(f"{lines[i][1:]}\t4\t*\t0\t0\t*\t*\t0\t0\t{lines[i + 1]}\t{lines[i + 3]}\tRG:Z:a\n"
                                          for i in range(0, len(lines), 4)))
        for name in ("out.sam", "out.bam"):
            self.check("trim", ["-a", ADAPTER, "--format", name[4:], "s.sam"], name, {"--untrimmed-output": "un" + name[3:]})
        self.check("trim", ["-a", ADAPTER, "--format", "fastq", "s.sam"], "out.fq")

    def test_refused(self):
        words = ["-a", TRUSEQ[0], "-m", 10, *self.mates]
        files = {"-p": "x2.fq", "--too-short-output": "short.fq"}
        parts = self.parts_of("trim", words, 2, files)
        given = ["-o", "o1.fq", "-p", "o2.fq", "--too-short-output", "s.fq.gz"]
        self.fails(2, "merge", *parts, *given[:4], says=["the chunks have reads for --too-short-output"])
        self.fails(2, "merge", *parts, *given[:2], *given[4:], says=["the chunks have second mates for --paired-output"])
        self.fails(2, "merge", *parts, *given, "--too-short-paired-output", "s2.fq", says=["--too-short-paired-output", "by turns"])
        self.fails(2, "merge", *parts, *given, "--untrimmed-output", "u.fq", says=["--untrimmed-output", "did not keep"])
        self.fails(2, "merge", *parts, "-o", "o1.fa", *given[2:], says=["o1.fa", "one format", "fastq"])
        self.fails(2, "merge", *parts, *given, "--format", "sam", says=["--format sam", "FASTQ"])
        self.fails(2, "merge", *parts, *given, "--table", "t.tsv", says=["made no table"])
        self.fails(2, "merge", *parts, *given, "--name", "{sample}", says=["--name"])
        self.fails(2, "merge", *parts, "-o", "o1.fq", "-p", parts[0], *given[4:], says=[parts[0]])
        for change in (["-e", 0.2], ["-A", "ACGTACGT"], ["-M", 90], ["--action", "mask"]):
            more = [word for option, name in files.items() for word in (option, name)]
            self.done("trim", *words, *change, *more, "--chunk", "2/2", "-o", "other.bsp")
            self.fails(3, "merge", parts[0], "other.bsp", *given, says=["not of one run"])
        self.fails(2, "trim", *words, "--chunk", "1/2", "-o", "x.fq", says=["x.fq", ".bsp"])
        self.fails(2, "trim", *self.mates, "--format", "bam", "--chunk", "1/2", "-o", "x", says=["-o x", ".bsp"])
        self.call("plan", "-q", "both.fq", "--chunks", 2, "-o", "plan.tsv")
        self.fails(2, "trim", "--interleaved", "-", "--chunk", "1/2", "--plan", "plan.tsv", "-o", "x.bsp", stdin=self.read("both.fq"),
                   says=["<stdin>", "give adapters"])

    def test_primers_have_no_parts(self):
        scheme = "v\t10\t30\tv_1_LEFT\t1\t+\tACGTACGTACGTACGTACGT\nv\t80\t100\tv_1_RIGHT\t1\t-\tTTGACCATTGACCATTGACC\n"
        self.file("scheme.bed", scheme)
        self.file("placed.sam", f"@SQ\tSN:v\tLN:700\nr\t0\tv\t11\t60\t50M\t*\t0\t0\t{'A' * 50}\t{'I' * 50}\n")
        for reads in (["s.fq"], self.mates, ["placed.sam"], ["--drop-alignment", "placed.sam"]):
            self.fails(2, "trim", "--primers", "scheme.bed", *reads, "--chunk", "1/2", "-o", "x.bsp", says=["--primers and --chunk conflict"])
        self.call("plan", "-q", "s.fq", "--chunks", 2, "-o", "plan.tsv")
        self.fails(2, "trim", "--primers", "scheme.bed", "s.fq", "--chunk", "1/2", "--plan", "plan.tsv", "-o", "x.bsp",
                   says=["--primers and --chunk conflict"])

    def test_streams_with_a_plan(self):
        self.call("plan", "-q", "s.fq", "--chunks", 2, "-o", "plan.tsv")
        for i in (1, 2):
            self.call("trim", "--quiet", "-a", ADAPTER, "--chunk", f"{i}/2", "--plan", "plan.tsv", "-o", f"{i}.bsp", stdin=self.read("s.fq"))
        self.done("trim", "-a", ADAPTER, "s.fq", "-o", "whole.fq")
        self.assertEqual(self.call("merge", "2.bsp", "1.bsp"), self.read("whole.fq"))


class Count(ReadsCase):
    def setUp(self):
        super().setUp()
        rng = random.Random(13)
        guides = [(f"g{i}", random_bases(rng, 12)) for i in range(30)]
        self.file("lib.tsv", "guide\tsequence\tgene\n" + "".join(f"{name}\t{guide}\tgene{i // 4}\n" for i, (name, guide) in enumerate(guides)))

        def reads(count, stagger):
            texts = []
            for _ in range(count):
                guide = rng.choice(guides)[1] if rng.random() < 0.9 else random_bases(rng, 12)
                at = rng.randrange(12)
                guide = guide[:at] + rng.choice(("", guide[at], guide[at], "N")) + guide[at + 1:]
                texts.append(random_bases(rng, rng.randint(*stagger)) + guide + random_bases(rng, 20))
            return "".join(record(f"r{i}", text) for i, text in enumerate(texts))
        self.file("a.fq", reads(300, (0, 3)))
        self.file("b.fq.gz", gzip.compress(reads(500, (7, 9)).encode()))
        self.file("c.fq", reads(30, (2, 2)))
        self.file("empty.fq", "")
        self.file("m1.fq", reads(200, (1, 4)))
        self.file("m2.fq", reads(200, (5, 8)))
        self.file("n1.fq.gz", gzip.compress(reads(100, (6, 6)).encode()))
        self.file("n2.fq", reads(100, (0, 2)))

    def test_files(self):
        for words in ([], ["-k", 1, "--strand", "both"], ["--at", "0-9", "--mismatches", 0], ["--sample", "x", "--sample", "y", "--sample", "x"]):
            self.check("count", ["-l", "lib.tsv", *words, "a.fq", "b.fq.gz", "c.fq"], "out.tsv", {"--summary": "s.tsv"}, plan=["a.fq", "b.fq.gz", "c.fq"])

    def test_pairs(self):
        for words in ([], ["--mate", 2]):
            self.check("count", ["-l", "lib.tsv", *words, "-1", "m1.fq", "-2", "m2.fq", "-1", "n1.fq.gz", "-2", "n2.fq"], "out.csv",
                       plan=["m1.fq", "n1.fq.gz"])

    def test_formats(self):
        """The format is that of the output's name, or of --format, at the merge."""
        parts = self.parts_of("count", ["-l", "lib.tsv", "a.fq", "c.fq"], 3)
        for name, more in (("o.tsv", []), ("o.csv", []), ("o.txt", []), ("o", ["--format", "mageck"]), ("o.csv.gz", [])):
            self.done("count", "-l", "lib.tsv", "a.fq", "c.fq", *more, "-o", f"whole/{name}")
            self.done("merge", *parts, *more, "-o", f"merged/{name}")
            self.assertEqual(self.state("merged"), self.state("whole"))
        self.assertEqual(self.call("merge", *parts), self.read("whole/o.tsv"))
        parts = self.parts_of("count", ["-l", "lib.tsv", "--format", "mageck", "a.fq", "c.fq"], 2)
        self.assertEqual(self.call("merge", *parts), self.read("whole/o.txt"))
        self.done("merge", *parts, "-o", "merged/o.csv")
        self.assertEqual(self.read("merged/o.csv"), self.read("whole/o.csv"))

    def test_refused(self):
        words = ["-l", "lib.tsv", "a.fq", "b.fq.gz"]
        parts = self.parts_of("count", words, 2)
        self.fails(2, "merge", *parts, "-o", "out.bed", says=["out.bed", ".csv"])
        self.fails(2, "merge", *parts, "-o", "out.tsv", "--table", "t.tsv", says=["--table t.tsv", "count"])
        self.fails(3, "merge", parts[1], "-o", "out.tsv", says=["missing: chunk 1/2"])
        self.fails(3, "merge", *parts, parts[0], "-o", "out.tsv", says=["given twice"])
        for change in (["-k", 1], ["--at", "0-20"], ["--strand", "both"], ["--sample", "x", "--sample", "y"]):
            self.done("count", *words, *change, "--chunk", "2/2", "-o", "other.bsp")
            self.fails(3, "merge", parts[0], "other.bsp", "-o", "out.tsv", says=["not of one run"])
        self.file("genes.tsv", "guide\tsequence\ng0\tACGTACGTACGT\n")
        self.done("count", "-l", "genes.tsv", "a.fq", "--at", 0, "--chunk", "1/1", "-o", "none.bsp")
        self.fails(2, "merge", "none.bsp", "-o", "out.txt", says=["no column of genes"])
        self.call("plan", "-q", "a.fq", "--chunks", 2, "-o", "plan.tsv")
        stream = ["-l", "lib.tsv", "-", "--chunk", "1/2", "--plan", "plan.tsv", "-o", "x.bsp"]
        self.fails(2, "count", *stream, stdin=self.read("a.fq"), says=["<stdin>", "--at"])
        self.call("count", "-q", *stream, "--at", "0-3", stdin=self.read("a.fq"))
        data = self.read(parts[0])
        for contents in ([], [b"\0" * 16], [b"\0" * 3000]):
            self.file("bad.bsp", part_file.with_sections(data, lambda one, c=contents: c if one == "totals" else None))
            self.fails(3, "merge", "bad.bsp", parts[1], "-o", "out.tsv", says=["bad.bsp"])

    def test_an_empty_file_between(self):
        words = ["-l", "lib.tsv", "-q", "a.fq", "empty.fq", "c.fq"]
        whole = run(*words, "-o", "whole/o.tsv", command="count", cwd=self.folder)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        for i in (1, 2, 3):
            run(*words, "--chunk", f"{i}/3", "-o", f"{i}.bsp", command="count", cwd=self.folder)
        self.done("merge", "3.bsp", "1.bsp", "2.bsp", "-o", "merged/o.tsv")
        self.assertEqual(self.state("merged"), self.state("whole"))
