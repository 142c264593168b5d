"""Chunks of `motif` and `match`: merged outputs equal those of one run byte for byte, with hits on every cut, for every output,
choice of hits and kind of index."""
import itertools
import json

from chunk_support import PLANTED, ChunkCase, fasta, hits_across, naive_bed, random_genome, write_sources
from support import bgzf, devices, without_origin

MANY = 17
MOTIF = [("bed", []), ("bed.gz", []), ("tsv", ["--format", "tsv"]), ("tsv.gz", ["--format", "tsv"]), ("txt", ["--count"]),
         ("bed", ["--non-overlapping"]), ("tsv", ["--non-overlapping", "--format", "tsv"]), ("txt", ["--count", "--non-overlapping"]),
         ("txt.gz", ["--count"]), ("bed", ["--soft-masked", "skip"]), ("bed", ["--soft-masked", "skip", "--non-overlapping"]),
         ("txt", ["--soft-masked", "skip", "--count"]), ("bed", ["--strand", "minus", "--palindromes", "both"]),
         ("txt", ["--strand", "plus", "--count", "--non-overlapping"]),
         *[("bed", ["--max-hits", n]) for n in (1, 2, 30, 100000)], ("tsv.gz", ["--max-hits", 7, "--format", "tsv"]),
         *[("bed", ["--max-hits", n, "--non-overlapping"]) for n in (1, 40, 100000)]]
REPORTS = ("sites", "minima", "best", "all")
FORMATS = ("bed", "tsv", "sam", "bam")
CHOICES = ([], ["--non-overlapping"], ["--max-hits", 9], ["--max-hits", 60], ["--non-overlapping", "--max-hits", 25])
MATCH = [(output, ["-k", 2, "--report", report, *choice]) for report, output, choice in itertools.product(REPORTS, FORMATS, CHOICES)]
MATCH += [("txt", ["-k", 2, "--report", report, "--count", *choice]) for report in REPORTS for choice in CHOICES[:2]]
MATCH += [("bam", ["-e", "0.15", "--eqx"]), ("sam", ["-k", 1, "--no-PG", "--soft-masked", "skip"]), ("sam.gz", ["-k", 1]),
          ("bam", ["-k", 1, "--rg", r"@RG\tID:x\tPL:ILLUMINA", "--report", "best"]), ("bed.gz", ["-k", 2, "--report", "best"]),
          ("tsv", ["-k", 3, "--max-indels", 0, "--clamp-3prime", 3]), ("bed", ["-k", 2, "--strand", "minus", "--report", "minima"]),
          ("tsv.gz", ["-k", 2, "--palindromes", "both", "--report", "best", "--non-overlapping"]),
          ("bed", ["-k", 0]), ("bed", ["-e", "0.4", "--max-hits", 200])]
BEST = ["--report", "best-per-record"]
MATCH += [(output, ["-k", 2, *BEST, *choice]) for output in FORMATS for choice in ([], ["--non-overlapping", "--max-hits", 25])]
MATCH += [("txt", ["-k", 2, *BEST, "--count", *choice]) for choice in CHOICES[:2]]
MATCH += [("tsv", ["-k", 3, *BEST, "--best-of", "record"]), ("bam", ["-k", 2, *BEST, "--rg", r"@RG\tID:x", "--overhang", 4])]
MATCH += [(output, ["-e", "0.2", "--overhang", 5, *choice]) for output in FORMATS for choice in ([], ["--report", "best"])]
MATCH += [("tsv", ["-k", 2, "--overhang-3prime", 3, "--report", report]) for report in ("minima", "all", "best-per-record")]
RUNS = [("motif", output, ["-f", "motifs.tsv", *words]) for output, words in MOTIF]
RUNS += [("match", output, ["-f", "primers.tsv", *words]) for output, words in MATCH]


class OneRun(ChunkCase):
    def test_hits_on_every_cut(self):
        """Each place, change and strand of PLANTED at each cut, in turn."""
        seen = {}
        for variant in range(len(PLANTED)):
            records, cuts = self.genome(variant, 3, MANY)
            self.file("g.fa", fasta(records))
            bed = self.whole("motif", ["-f", "motifs.tsv", "g.fa"], "whole.bed")
            self.assert_same_text(bed.decode(), naive_bed(records), f"variant {variant}")
            self.assert_joined(bed, "motif", ["-f", "motifs.tsv", "g.fa"], MANY, "bed", about=f"variant {variant}")
            report = REPORTS[variant % 4]
            arguments = ["-f", "primers.tsv", "-k", 2, "--report", report, "g.fa", *CHOICES[variant % 3 % 2]]
            bed = self.whole("match", arguments, "whole.bed")
            self.assert_joined(bed, "match", arguments, (MANY, 3)[variant % 2], "bed", about=f"variant {variant}")
            for cut, hits in hits_across(bed.decode(), cuts).items():
                seen[cut] = seen.get(cut, 0) + hits
        self.assertGreater(min(seen.values()), 3, seen)

    def test_every_output_and_choice(self):
        records, _ = self.genome(1, 3, MANY)
        self.file("g.fa", fasta(records))
        plans = {chunks: self.plan(chunks, "g.fa") for chunks in (1, 3, MANY)}
        for i, (command, output, words) in enumerate(RUNS):
            expected = self.whole(command, [*words, "g.fa"], f"whole.{output}")
            self.assertNotEqual(expected, b"")
            for chunks, plan in plans.items():
                if chunks == 3 or i % 2 != chunks // 3 % 2:
                    self.assert_joined(expected, command, [*words, "g.fa"], chunks, output, plan)

    def test_every_index(self):
        """Chunks of an input with any index give the same output as the input without an index."""
        records, _ = self.genome(2, 3, MANY)
        sources = write_sources(self, records)
        plans = {chunks: self.plan(chunks, "g.fa") for chunks in (3, MANY)}
        for what, source in sources.items():
            for chunks, plan in plans.items():
                self.assertEqual(self.call("plan", "-q", *source, "--chunks", chunks), self.read(plan), f"{what}, {chunks} chunks")
        for i, (command, output, words) in enumerate(RUNS):
            expected = self.whole(command, [*words, "g.fa"], f"whole.{output}")
            for j, (what, source) in enumerate(sources.items()):
                if (i + j) % 8 == 0:
                    self.assertEqual(self.whole(command, [*words, *source], f"own.{output}"), expected, what)
                    chunks = (MANY, 3)[(i + j) // 8 % 2]
                    self.assert_joined(expected, command, [*words, *source], chunks, output, plans[chunks], what)
                if (i + j) % 16 == 1:
                    self.assert_joined(expected, command, [*words, *source], 3, output, None, what)

    def test_more_chunks_than_bases(self):
        records = [("a", "GAATTCA"), ("none", ""), ("three", "AAA"), ("b", "AGATTC")]
        self.file("g.fa", fasta(records))
        self.file("primers.tsv", "p\tGAATTC\nq\tAA\n")
        for chunks in (20, 40):
            plan = self.plan(chunks, "g.fa")
            for command, output, words in (("motif", "bed", []), ("motif", "txt", ["--count"]), ("motif", "tsv", ["--format", "tsv"]),
                                           ("match", "bam", ["-k", 1]), ("match", "txt", ["-k", 1, "--count", "--report", "best"]),
                                           ("match", "sam", ["-k", 1, "--report", "best", "--max-hits", 2])):
                words = ["-f", "primers.tsv", *words, "g.fa"]
                expected = self.whole(command, words, f"whole.{output}")
                self.assert_joined(expected, command, words, chunks, output, plan)
                self.assert_joined(expected, command, words, chunks, output)

    def test_input_without_records(self):
        for name, text in (("empty.fa", ""), ("titles.fa", ">a\n>b\n")):
            self.file(name, text)
            for command, output, words in (("motif", "bed", []), ("motif", "tsv", ["--format", "tsv"]), ("match", "bam", ["-k", 1])):
                words = ["-p", "GAATTC", *words, name]
                self.assert_joined(self.whole(command, words, f"whole.{output}"), command, words, 3, output, about=name)

    def test_several_inputs(self):
        """Inputs of any compression, with indices or not, and one without records between them."""
        one, _ = self.genome(3, 3, MANY)
        two = [(f"two_{name}", letters) for name, letters in self.genome(4, 3, MANY)[0]]
        sources, more = write_sources(self, one), write_sources(self, two, "h")
        self.file("empty.fa", "")
        words = {"none": [*sources["none"], "empty.fa", *more["none"]], "fai": [*sources["fai"], *more["bgzf"]],
                 "some": [*sources["bgzf"], *more["gzip"]], "bgzf": [*sources["bgzf"], *more["bgzf fai"]]}
        plan = self.plan(MANY, "g.fa", "h.fa")
        for i, (command, output, options) in enumerate(RUNS):
            expected = self.whole(command, [*options, "g.fa", "h.fa"], f"whole.{output}")
            for j, (what, inputs) in enumerate(words.items()):
                if (i + j) % 12 == 0:
                    self.assert_joined(expected, command, [*options, *inputs], MANY, output, plan, what)
                    self.assert_joined(expected, command, [*options, *inputs], 3, output, None, what)

    def test_records_without_bases_before_an_indexed_input(self):
        """Indices leave such records out; hits still name the right record."""
        one = [("a", "GAATTC" * 9), ("none", ""), ("c", "GAATTC" * 3), ("nil", "")]
        for stem, records in (("g", one), ("h", [("d", "GAATTC" * 3), ("void", ""), ("e", "AGAATTC")])):
            write_sources(self, records, stem)
        expected = self.whole("motif", ["-p", "GAATTC", "g.fa", "h.fa"], "whole.bed")
        for inputs in itertools.product(("g.fai.fa", "g.both.fa.gz"), ("h.fai.fa", "h.both.fa.gz")):
            for chunks in (1, 2, 5):
                self.assert_joined(expected, "motif", ["-p", "GAATTC", *inputs], chunks, "bed")

    def test_fastq(self):
        reads = [(f"r{i}", letters) for i, (_, letters) in enumerate(random_genome("reads", [(str(i), 3 * i) for i in range(40)]))]
        reads += [(f"hit_{i}", "AGAATTC" * 3 + "ACGTTGCAAGCCTTGACGGA" * (i % 3)) for i in range(15)]
        text = "".join(f"@{name}\n{letters}\n+\n{'I' * len(letters)}\n" for name, letters in reads).encode()
        self.file("r.fq", text)
        self.file("r.fq.gz", bgzf(text.replace(b"@", b"@second_"), 300))
        self.file("same.fq.gz", bgzf(text, 300))
        for command, output, words in RUNS[::2]:
            if "sam" in output or "bam" in output or "--eqx" in words or "--rg" in words or "--soft-masked" in words:
                continue
            expected = self.whole(command, [*words, "r.fq", "r.fq.gz"], f"whole.{output}")
            self.assert_joined(expected, command, [*words, "r.fq", "r.fq.gz"], 3, output)
            plan = self.plan(MANY, "same.fq.gz")
            self.assert_joined(self.whole(command, [*words, "r.fq"], f"whole.{output}"), command, [*words, "r.fq"], MANY, output, plan)

    def test_records_of_the_same_name(self):
        """The kept hits of one record do not affect another record."""
        self.file("r.fq", "".join(f"@same\n{letters}\n+\n{'I' * len(letters)}\n" for letters in ("GAATTCAATTC", "GGGAATTC", "GAATTC")))
        self.file("g.fa", fasta([("same", "GAATTCAATTC"), ("same", "GGGAATTC"), ("same", "GAATTC")]))
        for name, command, output, words in itertools.product(("r.fq", "g.fa"), ("motif", "match"), ("bed", "tsv", "txt"), ([], ["-k", 1])):
            if bool(words) != (command == "match"):
                continue
            words = ["-p", "GAATTC", *words, "--non-overlapping", *{"tsv": ["--format", "tsv"], "txt": ["--count"]}.get(output, []), name]
            expected = self.whole(command, words, f"whole.{output}")
            for chunks in (1, 2, 3):
                self.assert_joined(expected, command, words, chunks, output)

    def test_chunks_of_regions(self):
        """Chunks of the regions that --region names."""
        records, _ = self.genome(5, 3, MANY)
        sources = write_sources(self, records)
        self.file("some.bed", "chr.1\t100\t3000\nchr|3\t5\t6\nchr:2\t0\t2477\nfew_3\t0\t9\n")
        for i, (command, output, words) in enumerate(RUNS):
            if i % 3 == 0:
                continue
            source = list(sources.values())[i % len(sources)]
            asked = ["--regions-file", "some.bed"] if i % 2 else ["--region", "chr.1:700-2,900", "--region", "{chr:2}"]
            expected = self.whole(command, [*words, *source, *asked], f"whole.{output}")
            self.assert_joined(expected, command, [*words, *source, *asked], 3, output)
            if i % 4 == 1:
                plan = self.plan(MANY, *source, *asked)
                self.assert_joined(expected, command, [*words, *source], MANY, output, plan)

    def test_stdin_with_a_plan(self):
        records, _ = self.genome(6, 3)
        text = fasta(records).encode()
        self.file("g.fa", text)
        plan = self.plan(3, "g.fa")
        for command, output, words in RUNS[::9]:
            expected = self.whole(command, [*words, "g.fa"], f"whole.{output}")
            parts = [f"part.{i}.bsp" for i in (1, 2, 3)]
            for i, part in enumerate(parts, 1):
                self.call(command, "-q", *words, "--plan", plan, "--chunk", f"{i}/3", "-o", part, stdin=text)
            self.assertEqual(self.merge(parts, f"merged.{output}"), expected, f"{command} {words}")

    def test_devices(self):
        records, _ = self.genome(7, 3)
        self.file("g.fa", fasta(records))
        for command, output, words in RUNS[::13]:
            expected = self.whole(command, [*words, "g.fa"], f"whole.{output}")
            for device in devices():
                self.assert_joined(expected, command, [*words, "g.fa", "--device", device], 3, output)


# What merge may be given, in place of what the chunks were given; a run with the same words writes the same.
LATER = {
    "motif": [("bed", []), ("tsv", []), ("csv", ["--columns", "pattern,start,end,record"]), ("jsonl", ["--columns", "+file"]), ("gff3", []),
              ("fa", []), ("tsv.gz", ["--with-file"]), ("bed", ["--non-overlapping"]), ("bed.gz", ["--max-hits", 9]),
              ("csv", ["--non-overlapping", "--max-hits", 9]), ("txt", ["--count"]), ("jsonl", ["--count", "--per-file"]),
              ("csv.gz", ["--count", "--non-overlapping"])],
    "match": [("bed", []), ("sam", []), ("bam", []), ("tsv", ["--edit-columns", "--aligned"]), ("gff3", ["--report", "best"]), ("fa", []),
              ("bam", ["--report", "best", "--eqx", "--rg", r"@RG\tID:x"]), ("csv", ["--report", "best-per-record"]),
              ("sam", ["--report", "best-per-record", "--best-of", "record", "--no-PG"]), ("tsv", ["--report", "best-per-record", "--max-hits", 4]),
              ("jsonl", ["--columns", "record,cigar,best,next_edits", "--report", "best-per-record"]), ("bed", ["--non-overlapping"]),
              ("sam.gz", ["--max-hits", 12, "--non-overlapping", "--report", "best"]), ("tsv", ["--count", "--by-edits"]),
              ("csv", ["--count", "--report", "best-per-record"]), ("jsonl", ["--count", "--per-file", "--by-edits", "--non-overlapping"])],
    "pwm": [("bed", []), ("tsv", []), ("csv", ["--columns", "name,score,p_value,record"]), ("jsonl", []), ("gff3", []),
            ("tsv", ["--format", "fimo"]), ("bed", ["--non-overlapping"]), ("jsonl", ["--report", "best-per-record"]), ("tsv", ["--count"]),
            ("bed", ["--max-hits", 3]), ("csv", ["--count"])]}

class Later(ChunkCase):
    """Parts become any format, with any choice of hits: what merge is given counts instead of what the chunks were given."""

    def setUp(self):
        super().setUp()
        records, _ = self.genome(9, 3)
        self.file("g.fa", fasta(records))
        self.file("m.jaspar", ">first\tone\nA [ 1 20 20 1 1 1 ]\nC [ 1 1 1 1 20 20 ]\nG [ 1 1 1 1 1 1 ]\nT [ 20 1 1 20 1 1 ]\n")

    CALL = {"motif": ["-f", "motifs.tsv"], "match": ["-f", "primers.tsv", "-k", 2], "pwm": ["-m", "m.jaspar", "-p", "0.002"]}

    def test_formats_columns_and_choices(self):
        for command, call in self.CALL.items():
            parts = self.jobs(command, [*call, "g.fa"], 3)
            for output, words in LATER[command]:
                with self.subTest(command=command, output=output, words=words):
                    expected = self.whole(command, [*call, *words, "g.fa"], f"whole.{output}")
                    self.assertEqual(self.merge(parts, f"merged.{output}", *words), expected)

    # What the chunks were given, what merge is given, and what both mean together; the ending of the output.
    LAST = {"motif": [("--format tsv", "", "", "bed"), ("--format tsv", "--format gff3", "--format gff3", "x"), ("--format bed", "", "--format bed", "x"),
                      ("--format tsv --columns record,start", "--columns end", "--columns end", "csv"), ("--max-hits 20", "--max-hits 7", "--max-hits 7", "bed"),
                      ("--non-overlapping --max-hits 3", "--max-hits 20", "--non-overlapping --max-hits 20", "bed")],
            "match": [("--format sam --report best", "--report sites", "", "bam"), ("--report best --with-file --format csv", "", "--report best --with-file", "tsv"),
                      ("--report best-per-record --best-of record", "--best-of pattern", "--report best-per-record", "jsonl"),
                      ("--count --by-edits --format csv", "", "--count --by-edits", "jsonl"), ("--eqx --no-PG --format sam", "", "--eqx --no-PG", "bam")],
            "pwm": [("--format fimo", "", "--format fimo", "tsv"), ("--format fimo", "", "", "bed"), ("--format gff3", "--format fimo", "--format fimo", "tsv"),
                    ("--report best-per-record --format gff3", "", "--report best-per-record --format gff3", "x")]}

    def test_the_last_word_counts(self):
        for command, rows in self.LAST.items():
            for asked, given, both, ending in rows:
                with self.subTest(command=command, asked=asked, given=given, ending=ending):
                    parts = self.jobs(command, [*self.CALL[command], *asked.split(), "g.fa"], 3)
                    expected = self.whole(command, [*self.CALL[command], *both.split(), "g.fa"], f"whole.{ending}")
                    self.assertEqual(self.merge(parts, f"merged.{ending}", *given.split()), expected)

    def test_columns_of_chunks(self):
        """A chunk takes columns without a format, and refuses those that there are not."""
        for command, call in self.CALL.items():
            for columns in ("end,record", "+file"):
                parts = self.jobs(command, [*call, "--columns", columns, "g.fa"], 2)
                for ending in ("csv", "jsonl"):
                    expected = self.whole(command, [*call, "--columns", columns, "g.fa"], f"whole.{ending}")
                    self.assertEqual(self.merge(parts, f"merged.{ending}"), expected)
            for columns in ("recrod", "+recrod"):
                self.fails(2, command, *call, "--columns", columns, "g.fa", "--chunk", "1/2", "-o", "p.bsp", says=["did you mean 'record'?"])

    def test_what_only_chunks_can_find(self):
        parts = self.jobs("match", ["-f", "primers.tsv", "-k", 2, "g.fa"], 2)
        for report in ("minima", "all"):
            self.fails(2, "merge", *parts, "--report", report, "-o", "out.tsv", says=[f"--report {report}: the chunks looked for sites"])
            given = self.jobs("match", ["-f", "primers.tsv", "-k", 2, "--report", report, "g.fa"], 2, label=report)
            self.fails(2, "merge", *given, "--report", "best", "-o", "out.tsv", says=[f"the chunks looked for {report}"])
            whole = self.whole("match", ["-f", "primers.tsv", "-k", 2, "--report", report, "--non-overlapping", "g.fa"], "whole.bed")
            self.assertEqual(self.merge(given, "merged.bed", "--non-overlapping"), whole)
        self.fails(2, "merge", *parts, "--flank", 3, "-o", "out.tsv", says=["--flank"])
        self.fails(2, "merge", *parts, "--columns", "upstream", "-o", "out.tsv", says=["--columns upstream: --flank N says how many bases"])

    def test_the_first_hits(self):
        """A chunk that stopped at its --max-hits cannot give more; one that found fewer can."""
        for words in (["motif", "-f", "motifs.tsv"], ["match", "-f", "primers.tsv", "-k", 2]):
            command, *call = words
            parts = self.jobs(command, [*call, "--max-hits", 9, "g.fa"], 3)
            for most in (1, 8, 9):
                whole = self.whole(command, [*call, "--max-hits", most, "g.fa"], "whole.tsv")
                self.assertEqual(self.merge(parts, "merged.tsv", "--max-hits", most), whole)
            for more in (["--max-hits", 10], ["--non-overlapping"]):
                self.fails(2, "merge", *parts, *more, "-o", "out.tsv", says=["a chunk stopped at its --max-hits"])
            parts = self.jobs(command, [*call, "--max-hits", 99999, "g.fa"], 3)
            whole = self.whole(command, [*call, "--max-hits", "1M", "g.fa"], "whole.tsv")
            self.assertEqual(self.merge(parts, "merged.tsv", "--max-hits", "1M"), whole)
            # Where hits are chosen, chunks keep all.
            parts = self.jobs(command, [*call, "--max-hits", 2, "--non-overlapping", "g.fa"], 3)
            whole = self.whole(command, [*call, "--max-hits", 30, "--non-overlapping", "g.fa"], "whole.tsv")
            self.assertEqual(self.merge(parts, "merged.tsv", "--max-hits", 30), whole)

    def test_counts_alone(self):
        """Chunks that only count keep no hits."""
        parts = self.jobs("motif", ["-f", "motifs.tsv", "--count", "g.fa"], 3)
        for output in ("txt", "csv", "jsonl"):
            self.assertEqual(self.merge(parts, f"merged.{output}"),
                             self.whole("motif", ["-f", "motifs.tsv", "--count", "g.fa"], f"whole.{output}"))
        for more in (["--non-overlapping"], ["--non-overlapping", "--count"]):
            self.fails(2, "merge", *parts, *more, "-o", "out.tsv", says=["the chunks only counted hits (--count)"])
        self.fails(2, "merge", *parts, "--per-file", "-o", "out.tsv", says=["--per-file: the chunks only counted hits (--count), and without it"])
        call = ["-f", "primers.tsv", "-k", 2, "--count", "g.fa"]
        parts = self.jobs("match", [*call, "--per-file"], 3)
        self.assertEqual(self.merge(parts, "merged.tsv"), self.whole("match", [*call, "--per-file"], "whole.tsv"))
        self.fails(2, "merge", *parts, "--by-edits", "-o", "out.tsv", says=["--by-edits: the chunks only counted hits (--count), and without it"])


class Reports(ChunkCase):
    """The report that merge writes has the numbers of one run."""

    def expect_sums(self, inputs, chunk_counts, runs):
        for command, *words in runs:
            self.call(command, "-q", *words, *inputs, "--json", "whole.json", "-o", "whole")
            whole = json.loads(self.read("whole.json"))
            for chunks in chunk_counts:
                self.merge(self.jobs(command, [*words, *inputs], chunks), "merged", "--json", "merged.json")
                merged = json.loads(self.read("merged.json"))
                self.assertEqual(without_origin(merged), without_origin(whole), f"{command} {words} {inputs}, {chunks} chunks")
                self.assertEqual([part["chunk"] for part in merged["parts"]], [f"{i}/{chunks}" for i in range(1, chunks + 1)])

    RUNS = (("motif", "-f", "motifs.tsv"), ("motif", "-f", "motifs.tsv", "--count"), ("motif", "-f", "motifs.tsv", "--soft-masked", "skip"),
            ("match", "-f", "primers.tsv", "-k", 2, "--format", "tsv"), ("match", "-f", "primers.tsv", "-k", 2, "--report", "minima", "--count"),
            *(("motif", "-f", "motifs.tsv", *more) for more in (["--non-overlapping"], ["--max-hits", 5], ["--non-overlapping", "--max-hits", 5])),
            *(("match", "-f", "primers.tsv", "-k", 2, "--format", "tsv", "--report", *more)
              for more in (["best"], ["best-per-record"], ["best", "--max-hits", 3], ["best-per-record", "--non-overlapping"])),
            ("match", "-f", "primers.tsv", "-k", 2, "--count", "--by-edits", "--per-file", "--report", "best"))

    def test_one_input(self):
        records, _ = self.genome(8, 3, MANY)
        self.file("g.fa", fasta([record for record in records if record[1]]))
        self.expect_sums(["g.fa"], (1, 3, MANY), self.RUNS)

    def test_records_without_bases(self):
        """Only a run over the whole input counts them (docs/report.md)."""
        records = self.genome(8, 3, MANY)[0]
        self.file("g.fa", fasta(records))
        for chunks in (1, 3):
            self.merge(self.jobs("motif", ["-f", "motifs.tsv", "g.fa"], chunks), "merged.bed", "--json", "merged.json")
            merged = json.loads(self.read("merged.json"))
            self.assertEqual(merged["inputs"][0]["records"], sum(bool(letters) for _, letters in records))

    def test_regions(self):
        """A record counts once, in the chunk that has its first region."""
        records = [record for record in self.genome(8, 3, MANY)[0] if len(record[1]) > 7]
        self.file("g.fa", fasta(records))
        names = [f"{{{name}}}:{begin + 1}-{end}" for name, letters in records for begin, end in ((len(letters) // 3, len(letters) // 2), (0, 2))]
        for chosen in (names, names[::2], names[::4], names[:1]):
            self.expect_sums(["g.fa", *(word for name in chosen for word in ("--region", name))], (1, 3, MANY), self.RUNS[:2])

    def test_several_inputs(self):
        records, _ = self.genome(8, 3, MANY)
        self.file("g.fa", fasta([record for record in records if record[1]]))
        self.file("h.fa", fasta([("other", "GAATTCNNACG" * 30)]))
        self.expect_sums(["g.fa", "h.fa"], (1, 3, MANY), self.RUNS)

    def test_several_inputs_of_reads(self):
        for name in ("a", "b", "c"):
            self.file(f"{name}.fq", f"@{name}\nGAATTCA\n+\nIIIIIII\n" * 6)
        self.expect_sums(["a.fq", "b.fq", "c.fq"], (1, 3, 30), self.RUNS)
