"""`basesweep plan`; messages about wrong plans, chunks, regions and indices; jobs that are killed and run again."""
import gzip
import hashlib
import os
import shutil
import signal
import subprocess
import time
import unittest

import sam_tools
from chunk_support import ChunkCase, fai, fasta, gzi, planted, random_genome, write_sources
from support import ProcessCase, bgzf, without_summary

COLUMNS = "#chunk\trecord\tstart\tend\tlength\tnumber"
MOTIF = ("motif", "-p", "GAATTC", "-o", "out")


def rows_of(plan):
    """Returns the rows of a plan, after a look at its last line."""
    *lines, end = plan.splitlines()
    rows = [tuple(int(field) if field.isdigit() else field for field in line.split("\t")) for line in lines[2:]]
    digest = hashlib.md5("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    assert end == f"#basesweep-end\trows={len(rows)}\tmd5={digest}", end
    return rows


class PlanCase(ChunkCase):
    def setUp(self):
        super().setUp()
        self.records = random_genome("plans")
        self.file("g.fa", fasta(self.records))

    def made(self, *arguments, **options):
        return self.call("plan", "-q", *arguments, **options).decode()


class Plans(PlanCase):
    def test_bases(self):
        """Every base is in one chunk, in order; chunks are about equal; small records stay whole."""
        known = [(name, len(letters)) for name, letters in self.records if letters]
        total = sum(length for _, length in known)
        for chunks in (1, 2, 3, 17, 100, total, total + 5):
            text = self.made("g.fa", "--chunks", chunks)
            self.assertEqual(text.splitlines()[:2], [f"#basesweep-plan\t1\tchunks={chunks}\tunit=bases", COLUMNS])
            rows, sizes, at = rows_of(text), [0] * (chunks + 1), {name: 0 for name, _ in known}
            self.assertEqual(rows, sorted(rows, key=lambda row: (row[0], row[5], row[2])))
            for chunk, name, start, end, length, number in rows:
                self.assertEqual((name, length), known[number - 1])
                self.assertEqual(start, at[name], f"{chunks} chunks: {name}")
                self.assertLess(start, end)
                at[name], sizes[chunk] = end, sizes[chunk] + end - start
            self.assertEqual(at, dict(known))
            self.assertEqual(sizes[0], 0)
            self.assertLessEqual(max(sizes[1:]), total / chunks * 1.25 + 1, sizes)
            cut = {row[1] for row in rows if row[2] > 0}
            self.assertTrue(all(dict(known)[name] > total // chunks // 8 for name in cut), cut)

    def test_reads(self):
        """Chunks of reads begin at even numbers, so that mates stay together."""
        for count in (0, 1, 2, 9, 100):
            reads = "".join(f"@r{i}\nACGT\n+\nIIII\n" for i in range(count))
            self.file("r.fq", reads)
            self.file("r.fq.gz", gzip.compress(reads.encode()))
            self.file("r.fa", "".join(f">r{i}\nACGT\n" for i in range(count)))
            for chunks in (1, 3, 7, 300):
                text = self.made("r.fq", "--chunks", chunks)
                if count:
                    names = hashlib.md5("".join(f"r{i}\n" for i in range(count)).encode()).hexdigest()
                    self.assertEqual(text.splitlines()[:2], [f"#basesweep-plan\t1\tchunks={chunks}\tunit=records\tnames={names}\tfirst=r0", COLUMNS])
                    self.assertEqual(self.made("r.fa", "--reads", "--chunks", chunks), text)
                self.assertEqual(self.made("r.fq.gz", "--chunks", chunks), text)
                rows, at = rows_of(text), 0
                for _, name, start, end, length, number in rows:
                    self.assertEqual((name, start, length, number), ("*", at, count, 1))
                    self.assertTrue(end % 2 == 0 or end == count)
                    self.assertLessEqual(end - start, count / chunks + 2)
                    at = end
                self.assertEqual(at, count)

    def test_regions(self):
        text = self.made("g.fa", "--region", "chr.1:101-700", "--region", "few_2", "--chunks", 3)
        rows = rows_of(text)
        self.assertEqual({row[1] for row in rows}, {name for name, letters in self.records if letters})
        self.assertEqual(sum(row[3] - row[2] for row in rows), 600 + len(dict(self.records)["few_2"]))
        self.assertEqual({row[1] for row in rows if row[0]}, {"chr.1", "few_2"})
        self.file("some.bed", "few_2\t0\t99999\nchr.1\t100\t700\n")
        self.assertEqual(self.made("g.fa", "--regions-file", "some.bed", "--chunks", 3), text)

    def test_write_index(self):
        """Indices are written only on request, and equal those of samtools."""
        self.file("b.fa.gz", bgzf(fasta(self.records).encode(), 700))
        before = self.listing()
        plan = self.made("g.fa", "--chunks", 3)
        self.made("b.fa.gz", "--chunks", 3)
        self.whole("motif", ["-p", "GAATTC", "g.fa", "--chunk", "1/3"], "x.bsp")
        (self.folder / "x.bsp").unlink()
        self.assertEqual(self.listing(), before)
        for name in ("g.fa", "b.fa.gz"):
            self.assertEqual(self.made("--write-index", name, "--chunks", 3), plan)
            self.assertEqual(self.read(name + ".fai").decode(), fai(self.records))
        self.assertEqual(self.listing(), sorted([*before, "g.fa.fai", "b.fa.gz.fai", "b.fa.gz.gzi"]))
        packed = self.read("b.fa.gz")
        self.assertEqual(self.read("b.fa.gz.gzi"), gzi(packed))
        if sam_tools.have_samtools():
            done = sam_tools.call("samtools", "faidx", self.folder / "b.fa.gz", "chr:2:2000-2020")
            self.assertEqual(done.stdout.decode().split("\n")[1], dict(self.records)["chr:2"][1999:2020], done.stderr)

    def test_index_of_records_without_bases(self):
        """Index, regions, chunks and CRAM of such records, with blank lines and CR LF; the index is that of samtools."""
        letters = "ACGGTCATTGCAGTACCTGA"
        self.file("q.fa", f">q\n{letters}\n")
        for end in ("\n", "\r\n"):
            for before, behind in (("", ""), (">a\n", ""), (">a\n\n", ""), (">a\n\n\n", ">c\n\n>d\nAC\n"), ("", "\n\n>c\n\n\n"), ("", ">c\n")):
                text = (before + f">b\n{letters}\n" + behind).replace("\n", end)
                for name in ("s.fa", "w.fa", "n.fa"):
                    self.file(name, text)
                    (self.folder / (name + ".fai")).unlink(missing_ok=True)
                about = repr(text)
                made = self.attempt("plan", "--write-index", "w.fa", "--chunks", 2)
                if sam_tools.have_samtools():
                    done = subprocess.run(["samtools", "faidx", self.folder / "s.fa"], capture_output=True, check=False)
                    self.assertEqual(made.returncode, 3 if done.returncode else 0, about)
                    self.assertEqual((self.folder / "w.fa.fai").exists(), done.returncode == 0, about)
                    if done.returncode == 0:
                        self.assertEqual(self.read("w.fa.fai"), self.read("s.fa.fai"), about)
                map_words = ("map", "-q", "--no-PG", "-r", "w.fa", "-k", "1", "q.fa")
                if made.returncode != 0:
                    self.assertIn(b"the last record must have bases", made.stderr, about)
                    self.fails(3, *map_words, "-o", "o.cram", says=["w.fa: CRAM needs an index", "the last record must have bases"])
                    continue
                for words in (["--region", "b:3-9"], ["--region", "b"]):
                    self.assertEqual(self.call("motif", "-q", "-p", "A", *words, "w.fa"), self.call("motif", "-q", "-p", "A", *words, "n.fa"), about)
                self.assert_joined(self.whole("motif", ["-p", "A", "n.fa"], "n.bed"), "motif", ["-p", "A", "w.fa"], 2, "bed", about=about)
                self.assertEqual(self.call(*map_words), self.call(*[word.replace("w.fa", "n.fa") for word in map_words]), about)
                self.call(*map_words, "-o", "o.cram")
                if sam_tools.have_samtools():
                    done = sam_tools.call("samtools", "view", "-T", self.folder / "n.fa", self.folder / "o.cram")
                    self.assertEqual(done.stdout.decode().split("\t")[:10],
                                     ["q", "0", "b", "1", "60", "20M", "*", "0", "0", letters], about)

    def test_write_index_refused(self):
        self.file("g.fa.gz", gzip.compress(fasta(self.records).encode()))
        self.file("ragged.fa", ">r\nACGT\nAC\nACGT\n")
        self.file("r.fq", "@r\nACGT\n+\nIIII\n")
        for name, says in (("g.fa.gz", "bgzip"), ("ragged.fa", "same length"), ("nowhere.fa", "nowhere.fa")):
            self.fails(4 if "nowhere" in name else 3, "plan", "--write-index", name, "--chunks", 3, "-o", "plan", says=[name, says])
        self.fails(2, "plan", "--write-index", "--reads", "g.fa", "--chunks", 3, says=["--write-index", "--reads"])
        self.fails(2, "plan", "--write-index", "-", "--chunks", 2, says=["standard input", "give a file"])
        self.fails(2, "plan", "-", "--chunks", 2, says=["<stdin>: a plan is made of files"])
        os.mkdir(self.folder / "folder")
        self.fails(4, "plan", "folder", "--chunks", 2, says=["folder: cannot read: Is a directory"])
        if self.attempt("plan", "--write-index", "r.fq", "--chunks", 1).returncode == 0:
            self.fail("--write-index of FASTQ: cut at records, no index is of use")

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_write_index_in_a_read_only_folder(self):
        os.mkdir(self.folder / "ro")
        shutil.copy(self.folder / "g.fa", self.folder / "ro/g.fa")
        os.chmod(self.folder / "ro", 0o555)
        self.addCleanup(os.chmod, self.folder / "ro", 0o755)
        self.fails(4, "plan", "--write-index", "ro/g.fa", "--chunks", 3, says=["ro/g.fa.fai"])

    def test_refused(self):
        self.file("r.fq", "@r\nACGT\n+\nIIII\n")
        self.file("bad.fa", ">r\nAC7GT\n")
        self.fails(2, "plan", "-", "--chunks", 3, says=["<stdin>"], stdin=b">r\nA\n")
        os.mkfifo(self.folder / "fifo")
        self.assertEqual(self.attempt("plan", "fifo", "--chunks", 3).returncode, 2)
        for chunks in (0, -1, "x", 1_000_001, "2.5"):
            self.fails(2, "plan", "g.fa", f"--chunks={chunks}")
        self.fails(2, "plan", "g.fa")
        self.fails(2, "plan", "--chunks", 3)
        self.fails(2, "plan", "g.fa", "--chunks", 3, "-o", "g.fa", says=["g.fa", "input and output"])
        self.fails(2, "plan", "g.fa", "r.fq", "--chunks", 3, says=["r.fq", "FASTQ"])
        self.fails(2, "plan", "r.fq", "--region", "r", "--chunks", 3, says=["FASTA"])
        self.fails(3, "plan", "bad.fa", "--chunks", 3, "-o", "plan", says=["bad.fa", "'7'"])
        self.fails(4, "plan", "nowhere.fa", "--chunks", 3, says=["nowhere.fa"])
        self.fails(4, "plan", "g.fa", "--chunks", 3, "-o", "nowhere/plan", says=["nowhere/plan"])


class Chunks(PlanCase):
    def test_numbers(self):
        for chunk in ("0/3", "4/3", "x", "1", "1/", "/3", "1/x", "-1/3", "1/3/3", "1/0", "+1/3", " 1/3", "1/1000001", "4294967297/3", ""):
            for command in (MOTIF, ("match", "-p", "GAATTC", "-k", "1", "-o", "out"), ("map", "-r", "g.fa", "-k", "1", "-o", "out")):
                self.fails(2, *command, f"--chunk={chunk}", "g.fa", says=["--chunk"])

    def test_conflicts(self):
        plan = self.plan(3, "g.fa")
        self.fails(2, *MOTIF, "--chunk", "1/3", "-", says=["<stdin>", "--plan"], stdin=b">r\nGAATTC\n")
        self.fails(2, *MOTIF, "--chunk", "1/3", says=["<stdin>", "--plan"], stdin=b">r\nGAATTC\n")
        self.fails(2, *MOTIF, "--chunk", "1/3", "--plan", plan, "--region", "chr.1", "g.fa", says=["--plan", "--region"])
        self.file("x.bed", "chr.1\t0\t9\n")
        self.fails(2, *MOTIF, "--chunk", "1/3", "--plan", plan, "--regions-file", "x.bed", "g.fa", says=["--plan", "--region"])
        self.fails(2, *MOTIF, "--plan", plan, "g.fa", says=["--plan", "--chunk"])
        self.fails(2, *MOTIF, "--chunk", "1/4", "--plan", plan, "g.fa", says=["1/4", "3 chunks"])
        self.fails(4, *MOTIF, "--chunk", "1/3", "--plan", "nowhere", "g.fa", says=["nowhere"])
        self.fails(2, "motif", "-p", "GAATTC", "--chunk", "1/3", "--plan", plan, "g.fa", "-o", plan, says=[plan, "input and output"])
        self.fails(2, *MOTIF, "--fai", "x", "g.fa", "g.fa", "--chunk", "1/3", says=["--fai"])

    def test_plans_that_are_wrong(self):
        text = self.made("g.fa", "--chunks", 3)
        lines = text.splitlines()
        changes = {1: ["", "#basesweep-plan\t2\tchunks=3\tunit=bases", "#basesweep-plan\t1\tchunks=x\tunit=bases", "plan",
                       "#basesweep-plan\t1\tchunks=0\tunit=bases", "#basesweep-plan\t1\tchunks=3\tunit=kilograms"],
                   2: ["", "#chunk\trecord"],
                   3: ["x", "1\tchr.1\t0", "1\tchr.1\t9\t8\t5003\t1", "4\tchr.1\t0\t9\t5003\t1", "1\tchr.1\t-1\t9\t5003\t1",
                       "1\tchr.1\t0\t5004\t5003\t1", "1\tchr.1\t0\t9\t5003\t0", lines[2] + "\tmore", "1 chr.1 0 9 5003 1"]}
        for number, wrong in changes.items():
            for line in wrong:
                self.file("p.tsv", "\n".join(lines[:number - 1] + [line] + lines[number:]) + "\n")
                self.fails(3, *MOTIF, "--chunk", "1/3", "--plan", "p.tsv", "g.fa", says=[f"p.tsv: line {number}: expected"])
        self.file("p.tsv", "\n".join(lines[:2] + lines[-2:1:-1] + lines[-1:]) + "\n")
        self.fails(3, *MOTIF, "--chunk", "1/3", "--plan", "p.tsv", "g.fa", says=["p.tsv: line", "order"])
        for nothing in ("", lines[0] + "\n", fasta(self.records)):
            self.file("p.tsv", nothing)
            self.fails(3, *MOTIF, "--chunk", "1/3", "--plan", "p.tsv", "g.fa", says=["p.tsv"])

    def test_plans_that_lost_lines(self):
        """A plan cut anywhere, or with a line lost, doubled or changed, is refused: a job with it would lose hits."""
        text = self.made("g.fa", "--chunks", 3)
        lines = text.splitlines(keepends=True)
        changed = {f"{size} bytes": text[:size] for size in range(len(text) - 1)}  # the last line end may be missing
        for i in range(len(lines)):
            changed[f"without line {i + 1}"] = "".join(lines[:i] + lines[i + 1:])
            changed[f"line {i + 1} twice"] = "".join(lines[:i + 1] + lines[i:])
        row = lines[-2].split("\t")
        changed["a record that ends earlier"] = "".join(lines[:-2] + ["\t".join([*row[:3], str(int(row[3]) - 1), *row[4:]]), lines[-1]])
        changed["two plans"] = text + text
        for what, wrong in changed.items():
            self.file("p.tsv", wrong)
            with self.subTest(what):
                self.fails(3, *MOTIF, "--chunk", "3/3", "--plan", "p.tsv", "g.fa", says=["p.tsv: "])
        for what, right in {"no last line end": text[:-1], "CR LF": text.replace("\n", "\r\n")}.items():
            self.file("p.tsv", right)
            with self.subTest(what):
                self.call(*MOTIF, "--chunk", "3/3", "--plan", "p.tsv", "g.fa")

    def test_plans_that_contradict_themselves(self):
        """Bases in two chunks, a record with two names or lengths. (Bases in no chunk are allowed: --region.)"""
        lines = self.made("g.fa", "--chunks", 3).splitlines()
        first = lines[2].split("\t")
        wrong = {"twice": ["\t".join([*first[:3], str(int(first[3]) + 5), *first[4:]]), *lines[3:]],
                 "the row twice": [lines[2], *lines[2:]],
                 "other length": ["\t".join([*first[:4], "6000", first[5]]), *lines[3:]],
                 "other name": ["\t".join([first[0], "chrX", *first[2:]]), *lines[3:]]}
        for what, rows in wrong.items():
            self.file("p.tsv", "\n".join([*lines[:2], *rows]) + "\n")
            for i in (1, 2, 3):
                with self.subTest(what=what, chunk=i):
                    self.fails(3, *MOTIF, "--chunk", f"{i}/3", "--plan", "p.tsv", "g.fa", says=["p.tsv: line 4: expected"])

    def test_plan_of_another_input(self):
        plan = self.plan(3, "g.fa")
        other = {"renamed": [("chrX", self.records[0][1]), *self.records[1:]], "longer": [*self.records[:-1], ("chr|3", self.records[-1][1] + "A")],
                 "shorter": [(self.records[0][0], self.records[0][1][:-1]), *self.records[1:]], "more": [*self.records, ("more", "ACGT")],
                 "fewer": self.records[:-1], "none": []}
        for what, records in other.items():
            for stem, source in write_sources(self, records, "o").items():
                before = self.listing()
                done = [self.attempt(*MOTIF[:3], "-q", "--chunk", f"{i}/3", "--plan", plan, *source, "-o", "out") for i in (1, 2, 3)]
                for job in done:
                    self.assertIn(job.returncode, (0, 3), job.stderr)
                with self.subTest(what=what, source=stem):
                    self.assertIn(3, [job.returncode for job in done])
                if (self.folder / "out").exists():
                    (self.folder / "out").unlink()
                self.assertEqual(self.listing(), before)

    def test_plan_of_fewer_inputs(self):
        self.file("h.fa", ">more\nGAATTC\n")
        plan = self.plan(3, "g.fa")
        done = [self.attempt(*MOTIF[:3], "--chunk", f"{i}/3", "--plan", plan, "g.fa", "h.fa", "-o", f"{i}.bsp") for i in (1, 2, 3)]
        self.assertIn(3, [job.returncode for job in done])

    def test_plan_of_the_other_unit(self):
        self.file("r.fq", "@r\nGAATTC\n+\nIIIIII\n" * 8)
        reads, bases, text = self.plan(3, "r.fq"), self.plan(2, "g.fa"), self.plan(4, "--reads", "g.fa")
        for chunk, plan, name in (("1/2", bases, "r.fq"), ("1/4", text, "g.fa"), ("2/3", reads, "g.fa")):
            with self.subTest(plan=plan, name=name):
                done = self.attempt(*MOTIF, "--chunk", chunk, "--plan", plan, name)
                self.assertIn(done.returncode, (2, 3), done.stderr)


class Regions(PlanCase):
    def test_unknown_and_beyond(self):
        for what, source in write_sources(self, self.records).items():
            for region, code, says in (("chrX", 3, "chrX"), ("chrX:1-9", 3, "chrX"), ("chr.1:5004", 3, "5003"), ("three:4-9", 3, "three"),
                                       ("chr.1:0-9", 2, "1"), ("chr.1:0", 2, "1"), ("chr.1:9-8", 2, "end"), ("{chr.1:1-9", 2, "}"),
                                       ("{chr.1}:x", 2, "expected"), ("{}:1-2", 2, "expected"), (":1-2", 2, "expected"), ("", 2, "--region")):
                for command in (MOTIF, ("match", "-p", "GAATTCA", "-k", "1", "-o", "out")):
                    with self.subTest(source=what, region=region, command=command[0]):
                        self.fails(code, *command, "-q", *source, f"--region={region}", says=[says])
            with self.subTest(source=what):
                self.fails(3, "plan", *source, "--chunks", 3, "--region", "chrX", says=["chrX"])
                self.fails(3, "map", "-k", "1", "-q", "-r", *source, "--region", "chrX", "g.fa", "-o", "out", says=["chrX"])
                self.fails(3, "map", "-k", "1", "-q", "-r", *source, "--region", "chr.1:5004-5004", "g.fa", "-o", "out", says=["5003"])

    def test_bed_files(self):
        for text, line, says in (("chr.1\t0\n", 1, "expected"), ("#\nchr.1 0 9\n", 2, "expected"), ("chr.1\t0\t9\nchr.1\tx\t9\n", 2, "numbers"),
                                 ("chr.1\t9\t8\n", 1, "before"), ("chr.1\t-1\t8\n", 1, "numbers"), ("chr.1\t1\t8.5\n", 1, "numbers"),
                                 ("track\n\n\t0\t9\n", 3, "expected"), ("chr.1\t0\t99999999999999999999\n", 1, "numbers")):
            self.file("x.bed", text)
            for command in (MOTIF, ("plan", "--chunks", "2")):
                self.fails(3, *command, "--regions-file", "x.bed", "g.fa", says=[f"x.bed: line {line}: ", says])
        self.fails(4, *MOTIF, "--regions-file", "nowhere", "g.fa", says=["nowhere"])
        self.file("x.bed", "chrX\t0\t9\n")
        self.fails(3, *MOTIF, "--regions-file", "x.bed", "g.fa", says=["chrX"])


class WrongIndices(PlanCase):
    def attempt_all(self, *says, index="g.fa.fai"):
        words = ["--region", "chr:2:1000-2000"] if index == "g.fa.fai" else ["--fai", index, "--region", "chr:2:1000-2000"]
        self.fails(3, *MOTIF, *words, "g.fa", says=says)
        self.fails(3, "match", "-p", "GAATTCA", "-k", "1", "-o", "out", *words, "g.fa", says=says)
        self.fails(3, "map", "-r", "g.fa", "-k", "1", "-o", "out", *words, "g.fa", says=says)

    def test_not_of_the_file(self):
        records = self.records
        renamed = [(name.replace("chr:2", "chr:3"), letters) for name, letters in records]
        for text in (fai(renamed), fai(records, 60), fai([("new", "ACGT"), *records]), fai(records, end="\r\n"), fai(records[1:])):
            for index in ("g.fa.fai", "other"):
                self.file(index, text.replace("chr:3", "chr:2") if text == fai([("x", "")]) else text)
                self.attempt_all(index=index)
                (self.folder / index).unlink()

    def test_lacks_records(self):
        """The index lacks the last record, or one whose name came before (samtools faidx lists the first only). No hit may be
        lost in silence."""
        last = [*self.records, ("last", "GAATTC" * 20)]
        again = [*self.records, ("chr.1", "GAATTC" * 20)]
        inside = [self.records[0], ("chr.1", "GAATTC" * 20), *self.records[1:]]
        packed = bgzf(fasta(last).encode(), 700)
        offset = len(fasta([("chr.1", "GAATTC" * 20)]))
        listed = [line.split("\t") for line in fai(self.records).splitlines()]
        shifted = "".join("\t".join([line[0], line[1], str(int(line[2]) + offset * (i > 0)), *line[3:]]) + "\n" for i, line in enumerate(listed))
        for what, text, index in (("last", fasta(last), fai(self.records)), ("again", fasta(again), fai(self.records)), ("inside", fasta(inside), shifted),
                                  ("bgzf", packed, fai(self.records))):
            name = f"{what}.fa"
            self.file(name, text)
            expected = self.call(*MOTIF[:3], "-q", name)
            self.file(name + ".fai", index)
            self.file(name + ".gzi", gzi(packed) if what == "bgzf" else b"")
            for chunks in (1, 3):
                jobs = [self.attempt(*MOTIF[:3], "-q", "--chunk", f"{i}/{chunks}", name, "-o", f"{i}.bsp") for i in range(1, chunks + 1)]
                codes = {job.returncode for job in jobs}
                with self.subTest(what=what, chunks=chunks):
                    self.assertLessEqual(codes, {0, 3}, [job.stderr for job in jobs])
                    if codes == {0}:
                        self.assertEqual(self.merge([f"{i}.bsp" for i in range(1, chunks + 1)], "merged.bed"), expected)

    def test_malformed(self):
        for text in ("chr:2\t1\n", "x\n", "chr:2\t1\t2\t3\tx\n", "\t1\t2\t3\t4\n"):
            self.file("g.fa.fai", fai(self.records[:2]) + text)
            self.attempt_all("g.fa.fai: line 3: expected")
        for numbers in ("2477\t9\t0\t0", "2477\t9\t60\t59", "2477\t0\t60\t61", "2477\t99999999\t60\t61", "9000000000000000000\t9\t60\t61"):
            self.file("g.fa.fai", f"chr:2\t{numbers}\n")
            self.attempt_all()

    def test_older_is_ignored(self):
        self.file("g.fa.fai", fai(self.records, 50))
        os.utime(self.folder / "g.fa.fai", (1, 1))
        expected = self.call(*MOTIF[:3], "--region", "chr:2:1000-2000", "-", stdin=self.read("g.fa"))
        result = self.attempt(*MOTIF[:3], "--region", "chr:2:1000-2000", "g.fa")
        self.assertEqual((result.returncode, result.stdout), (0, expected))
        self.assertEqual(without_summary(result.stderr), b"basesweep: warning: g.fa.fai is older than g.fa: it is not used\n")
        self.assertNotIn("50", self.made("g.fa", "--chunks", 1).split("chr.1")[0].replace("5003", ""))

    def test_gzi(self):
        packed = bgzf(fasta(self.records).encode(), 700)
        self.file("g.fa.gz", packed)
        self.file("g.fa.gz.fai", fai(self.records))
        for index in (b"", b"x", gzi(packed)[:-7], b"\xff" * 40, gzi(bgzf(fasta(self.records).encode(), 300)), gzi(packed)[:8] + bytes(len(gzi(packed)) - 8)):
            self.file("g.fa.gz.gzi", index)
            with self.subTest(index=index[:30]):
                self.fails(3, *MOTIF, "--region", "chr:2:1000-2000", "g.fa.gz")
        self.fails(4, *MOTIF, "--region", "chr:2:1000-2000", "g.fa.gz", "--gzi", "nowhere", says=["nowhere"])
        self.fails(4, *MOTIF, "--region", "chr:2:1000-2000", "g.fa.gz", "--fai", "nowhere", says=["nowhere"])

    def test_gzip_is_read_with_advice(self):
        self.file("g.fa.gz", gzip.compress(fasta(self.records).encode()))
        done = self.attempt(*MOTIF[:3], "--region", "chr:2:1000-2000", "g.fa.gz")
        self.assertEqual(done.stdout, self.call(*MOTIF[:3], "--region", "chr:2:1000-2000", "g.fa"))
        self.assertRegex(without_summary(done.stderr).decode(), r"\Abasesweep: warning: g\.fa\.gz: .*bgzip.*\n\Z")


class Killed(ProcessCase, ChunkCase):
    def test_rerun(self):
        """A killed job leaves no file with the name of an output; the next run writes the right output."""
        records = planted(random_genome("killed", [("x", 300_000)]), [], 0)
        self.file("g.fa", fasta(records))
        self.file("plan", self.call("plan", "g.fa", "--chunks", 2))
        for command, output, words in (("motif", "bed.gz", ["-f", "motifs.tsv"]), ("match", "bam", ["-f", "primers.tsv", "-k", 2])):
            self.command = command
            expected = self.whole(command, [*words, "g.fa"], f"whole.{output}")
            self.call(command, *words, "g.fa", "--plan", "plan", "--chunk", "2/2", "-o", "second")
            words = ["-q", *words, "--plan", "plan", "--chunk", "1/2"]
            fifo = self.folder / "fifo"
            os.mkfifo(fifo)
            outputs = [self.folder / f"{output}.bsp", self.folder / f"{output}.json"]
            process = self.start(*words, "fifo", "-t", 1, "--batch-bases", 5000, "-o", outputs[0], "--json", outputs[1])
            end = self.open_for_writing(fifo)
            os.set_blocking(end, True)
            os.write(end, self.read("g.fa")[:60_000])
            time.sleep(0.2)
            process.send_signal(signal.SIGKILL)
            self.assertEqual(process.wait(), -signal.SIGKILL)
            os.close(end)
            fifo.unlink()
            self.assertFalse(any(path.exists() for path in outputs), self.listing())
            self.call(command, *words, "g.fa", "-o", outputs[0], "--json", outputs[1])
            self.assertEqual(self.merge([outputs[0], "second"], f"merged.{output}"), expected)
            outputs[0].write_bytes(b"of an earlier run")
            self.call(command, *words, "g.fa", "-o", outputs[0])  # replaces the old file
            self.assertEqual(self.merge([outputs[0], "second"], f"merged.{output}"), expected)
