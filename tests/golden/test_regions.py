"""--region and --regions-file: a hit counts when it starts inside; the same with an index and without."""
import collections
import itertools
import json
import os
import random
import unittest.mock

import naive
import naive_map
import naive_match
import sam_tools
from chunk_support import (
    MOTIFS,
    ChunkCase,
    fai,
    fasta,
    gzi,
    letters_between,
    planted,
    random_genome,
    table,
    write_sources,
)
from map_support import CANDIDATES, SEED, copy_of, fastq, made_pairs, made_reads, made_records, seeded
from naive_map import Options
from naive_match import Rules
from support import bgzf

END = 1 << 40
# Requested regions, and what they mean: 0-based, half-open.
FORMS = [(["--region", "one"], {"one": [(0, END)]}), (["--region", "one:101"], {"one": [(100, END)]}),
         (["--region", "one:101-"], {"one": [(100, END)]}), (["--region", "one:1-900"], {"one": [(0, 900)]}),
         (["--region", "one:800-801"], {"one": [(799, 801)]}), (["--region", "one:1,00-1,2,00"], {"one": [(99, 1200)]}),
         (["--region", "{one}"], {"one": [(0, END)]}), (["--region", "{a:1-9}"], {"a:1-9": [(0, END)]}),
         (["--region", "a:1-9:5-200"], {"a:1-9": [(4, 200)]}), (["--region", "{a:1-9}:5-200"], {"a:1-9": [(4, 200)]}),
         (["--region", "{b:x}:50"], {"b:x": [(49, END)]}), (["--region", "b:x"], {"b:x": [(0, END)]}),
         (["--region=one:300-400", "--region", "a:1-9:3-600", "--region", "one:800-900"],
          {"one": [(299, 400), (799, 900)], "a:1-9": [(2, 600)]}),
         (["--region", "one:300-700", "--region", "one:500-800", "--region", "one:600-600", "--region", "one:801-810"],
          {"one": [(299, 810)]}),
         (["--region", "one:1490-99999"], {"one": [(1489, END)]}), (["--region", "three"], {"three": [(0, END)]})]


def inside(regions, record, start):
    return any(begin <= start < end for begin, end in regions.get(record, ()))


class RegionCase(ChunkCase):
    """A genome with hits at both ends of regions."""

    def setUp(self):
        super().setUp()
        sizes = [("one", 1500), ("three", 3), ("none", 0), ("a:1-9", 700), ("b:x", 333), ("a", 50)]
        marks = [("one", place) for place in (99, 299, 400, 500, 799, 900, 1200, 1489)] + [("a:1-9", 4), ("a:1-9", 200), ("b:x", 49)]
        self.records = planted(random_genome("regions", sizes), marks, 3)
        self.sources = write_sources(self, self.records)

    def motif_hits(self, regions, **options):
        """Returns the hits of the whole result that start inside, after --non-overlapping and --max-hits."""
        non_overlapping, most = options.pop("non_overlapping", False), options.pop("max_hits", None)
        hits = [hit for hit in naive.search(self.records, MOTIFS, **options) if inside(regions, self.records[hit.record][0], hit.start)]
        return chosen(hits, non_overlapping, most)


def chosen(hits, non_overlapping=False, most=None):
    if non_overlapping:
        ends, kept = collections.defaultdict(int), []
        for hit in hits:
            key = (hit.record, hit.pattern, hit.strand)
            if hit.start >= ends[key]:
                ends[key] = hit.end
                kept.append(hit)
        hits = kept
    return hits[:most]


class Forms(RegionCase):
    def test_motif(self):
        for words, regions in FORMS:
            hits = self.motif_hits(regions)
            expected = naive.bed(self.records, MOTIFS, hits)
            for what, source in self.sources.items():
                found = self.call("motif", "-q", "-f", "motifs.tsv", *words, *source).decode()
                self.assert_same_text(found, expected, f"seed {SEED}: {words}, {what}")
        self.assertGreater(len(self.motif_hits(FORMS[3][1])), 20)

    def test_motif_outputs(self):
        for words, regions in FORMS[3::3]:
            source = self.sources["bgzf"]
            call = ["motif", "-q", "-f", "motifs.tsv", *words, *source]
            for more, options in (([], {}), (["--soft-masked", "skip"], {"soft_masked": "skip"}), (["--strand", "minus"], {"strand": "minus"}),
                                  (["--non-overlapping"], {"non_overlapping": True}), (["--max-hits", 4], {"max_hits": 4})):
                hits = self.motif_hits(regions, **options)
                about = f"seed {SEED}: {words} {more}"
                self.assert_same_text(self.call(*call, *more).decode(), naive.bed(self.records, MOTIFS, hits), about)
                self.assert_same_text(self.call(*call, *more, "--format", "tsv").decode(), naive.tsv(self.records, MOTIFS, hits), about)
                if "max_hits" not in options:
                    strands = {"strand": options["strand"]} if "strand" in options else {}
                    self.assert_same_text(self.call(*call, *more, "--count").decode(), naive.count_table(MOTIFS, hits, **strands), about)

    def test_bed_file(self):
        """Comments, track lines, more columns, CRLF, no last line end; also together with --region."""
        lines = ["# comment", "track name=x", "browser position one", "", "one\t799\t801\tname\t0\t+", "a:1-9\t5\t5", "one\t100\t300\tx",
                 "one\t200\t310", "b:x\t0\t99999"]
        regions = {"one": [(799, 801), (100, 310)], "b:x": [(0, END)]}
        expected = naive.bed(self.records, MOTIFS, self.motif_hits(regions))
        more = naive.bed(self.records, MOTIFS, self.motif_hits({**regions, "a": [(9, 30)]}))
        self.assertNotEqual(expected, "")
        for text in ("\n".join(lines), "\n".join(lines) + "\n", "\r\n".join(lines) + "\r\n"):
            self.file("some.bed", text)
            for what, source in self.sources.items():
                found = self.call("motif", "-q", "-f", "motifs.tsv", "--regions-file", "some.bed", *source).decode()
                self.assert_same_text(found, expected, what)
                found = self.call("motif", "-q", "-f", "motifs.tsv", "--regions-file", "some.bed", "--region", "a:10-30", *source).decode()
                self.assert_same_text(found, more, what)
            found = self.call("motif", "-q", "-f", "motifs.tsv", "--regions-file", "-", "g.fa", stdin=text.encode()).decode()
            self.assert_same_text(found, expected, "stdin")
        self.file("none.bed", "# nothing\n")
        self.assertEqual(self.call("motif", "-q", "-f", "motifs.tsv", "--regions-file", "none.bed", "g.fa"), b"")

    def test_stream_and_other_line_ends(self):
        words, regions = FORMS[12]
        expected = naive.bed(self.records, MOTIFS, self.motif_hits(regions)).encode()
        text = fasta(self.records, 50, "\r\n")
        self.file("crlf.fa", text)
        self.file("crlf.fa.fai", fai(self.records, 50, "\r\n"))
        self.assertEqual(self.call("motif", "-q", "-f", "motifs.tsv", *words, "crlf.fa"), expected)
        self.assertEqual(self.call("motif", "-q", "-f", "motifs.tsv", *words, "-", stdin=text.encode()), expected)

    def test_several_inputs_and_records_of_the_same_name(self):
        again = [("one", self.records[3][1]), ("other", self.records[0][1])]
        self.file("again.fa", fasta(again))
        records, regions = self.records + again, {"one": [(99, 500)]}
        hits = [hit for hit in naive.search(records, MOTIFS) if inside(regions, records[hit.record][0], hit.start)]
        for first in ("g.fa", "g.fai.fa"):
            found = self.call("motif", "-q", "-f", "motifs.tsv", "--region", "one:100-500", first, "again.fa").decode()
            self.assert_same_text(found, naive.bed(records, MOTIFS, hits))

    def test_far_apart(self):
        """Regions far apart, so that an index saves reading the text between them; also as chunks, and with small batches."""
        rng = random.Random(f"{SEED} far apart")
        records = random_genome("far apart", [("x", 300_000), ("y", 70), ("z", 250_000), ("end", 90_000)])
        sources = write_sources(self, records, "h")
        places = [(name, rng.randrange(len(letters))) for name, letters in records for _ in range(len(letters) // 40_000 + 1)]
        self.file("far.bed", "".join(f"{name}\t{at}\t{at + rng.choice((1, 50, 3000, 30_000))}\n" for name, at in places))
        for command, *words in (("motif", "-p", "GAATTC", "-p", "ACNNGT"), ("motif", "-p", "ACNGT", "--non-overlapping"),
                                ("match", "-p", "GAATTCAATTGA", "-k", 2, "--format", "sam"),
                                ("match", "-p", "GAATTCAATTGA", "-k", 3, "--report", "minima", "--format", "tsv")):
            words += ["-q", "--regions-file", "far.bed"]
            expected = self.call(command, *words, *sources["none"])
            self.assertGreater(len(expected.splitlines()), 20)
            for what, source in sources.items():
                about = f"seed {SEED}: {command} {words}, {what}"
                self.assert_same_text(self.call(command, *words, *source, "-t", 3).decode(), expected.decode(), about)
            self.assertEqual(self.call(command, *words, *sources["bgzf"], "--batch-bases", 3000), expected)
            output = words[words.index("--format") + 1] if "--format" in words else "bed"
            self.assert_joined(expected, command, [*words, *sources["bgzf"]], 5, output)
            self.assert_joined(expected, command, [*words, *sources["given"]], 5, output)

    def test_report(self):
        """The report counts the requested bases, not those read beside them."""
        for what, source in self.sources.items():
            self.call("motif", "-q", "-f", "motifs.tsv", "--region", "one:100-500", "--region", "{a:1-9}", *source, "--json", "r.json", "-o", "x")
            report = json.loads(self.read("r.json"))
            self.assertEqual(report["inputs"][0]["bases"], 401 + 700, what)
            self.assertEqual(report["hits"], len(self.motif_hits({"one": [(99, 500)], "a:1-9": [(0, END)]})), what)


class Match(RegionCase):
    PRIMERS = [("primer", "ACGTTGCAAGCCTTGACGGA"), ("codes", "RAATTYN"), ("poly", "AAAAAAA")]

    def setUp(self):
        super().setUp()
        self.records = [(name, letters[:420]) for name, letters in self.records]  # the naive search is slow
        self.sources = write_sources(self, self.records)
        self.file("primers.tsv", table(self.PRIMERS))

    def expect(self, words, regions, report, more=(), sources=("none", "bgzf"), **choice):
        rules = Rules(k=2)
        whole = naive_match.search(self.records, self.PRIMERS, rules, "sites" if report == "best" else report)
        hits = [hit for hit in whole if inside(regions, self.records[hit.record][0], hit.start)]
        if report == "best":  # among the hits inside
            lowest = {p: min((hit.edits for hit in hits if hit.pattern == p), default=0) for p in range(len(self.PRIMERS))}
            hits = [hit for hit in hits if hit.edits == lowest[hit.pattern]]
        hits = chosen(hits, **choice)
        expected = {"tsv": naive_match.tsv(self.records, self.PRIMERS, hits), "bed": naive_match.bed(self.records, self.PRIMERS, hits),
                    "sam": "".join(f"@SQ\tSN:{name}\tLN:{len(letters)}\n" for name, letters in self.records if letters)
                    + naive_match.sam(self.records, self.PRIMERS, hits)}
        for what, output in itertools.product(sources, expected):
            found = self.call("match", "-q", "-k", 2, "-f", "primers.tsv", "--report", report, "--format", output, *words, *more,
                              *self.sources[what]).decode()
            if output == "sam":
                found = "".join(line for line in found.splitlines(True) if not line.startswith(("@HD", "@PG")))
            self.assert_same_text(found, expected[output], f"seed {SEED}: {report} {words} {more} {output}, {what}")
        if not more:
            found = self.call("match", "-q", "-k", 2, "-f", "primers.tsv", "--report", report, "--count", *words, *self.sources["none"])
            self.assert_same_text(found.decode(), naive_match.count_table(self.PRIMERS, hits, rules))

    def test_reports(self):
        for i, (words, regions) in enumerate(FORMS):
            if all(begin < len(dict(self.records)[name]) for name, own in regions.items() for begin, _ in own):
                self.expect(words, regions, ("sites", "minima", "all", "best")[i % 4], sources=list(self.sources)[i % 3::3])

    def test_regions_of_one_base(self):
        """Hits outside the regions still decide which hits inside are sites and minima."""
        rng = random.Random(f"{SEED} one base")
        starts = sorted({hit.start for hit in naive_match.search(self.records[:1], self.PRIMERS, Rules(k=2), "all") if hit.pattern != 1})
        for start in rng.sample(starts, min(25, len(starts))):
            for report in ("sites", "minima", "all"):
                self.expect(["--region", f"one:{start + 1}-{start + 1}"], {"one": [(start, start + 1)]}, report, sources=("bgzf given",))

    def test_choices(self):
        for words, regions in (FORMS[3], FORMS[5], FORMS[9]):
            self.expect(words, regions, "sites", ["--non-overlapping"], non_overlapping=True)
            self.expect(words, regions, "minima", ["--max-hits", "3"], most=3)

    def test_samtools_takes_the_header(self):
        if not sam_tools.have_samtools():
            self.skipTest("samtools is not installed")
        self.call("match", "-q", "-k", 1, "-f", "primers.tsv", "--region", "{b:x}:3-90", "g.fa", "-o", "x.bam")
        names = [line.split("\t")[1] for line in sam_tools.sam_lines(self.folder / "x.bam") if line.startswith("@SQ")]
        self.assertEqual(names, [f"SN:{name}" for name, letters in self.records if letters])


class Map(ChunkCase):
    REGIONS = [(["--region", "first:20-80"], {"first": [(19, 80)]}), (["--region", "{chr|2}", "--region", "mixed:5"], {"chr|2": [(0, END)], "mixed": [(4, END)]}),
               (["--region", "tiny"], {"tiny": [(0, END)]}), (["--region", "poly:1-10", "--region", "first:51-51"], {"poly": [(0, 10)], "first": [(50, 51)]})]

    def test_against_the_naive_answer(self):
        """Sites are those of the whole reference; only starts inside count, for MAPQ and NH as well. A read of which places
        but no sites start inside is placed with --report all only, with MAPQ 0."""
        rng, about = seeded("regions of map")
        records = made_records(rng)
        reads = made_reads(records, rng, count=12)
        pairs = made_pairs(records, rng, count=12)
        packed = bgzf(fasta(records).encode(), 90)
        self.file("r.fa", fasta(records))
        self.file("r.fa.gz", packed)
        self.file("r.fa.gz.fai", fai(records))
        self.file("r.fa.gz.gzi", gzi(packed))
        self.file("reads.fq", fastq(reads))
        for number in (0, 1):
            self.file(f"{number + 1}.fq", fastq([pair[number] for pair in pairs]))
        names = {naive_match.letters_of(letters): name for name, letters in records}
        self.assertEqual(len(names), len(records))
        whole, place = naive_map.found_on, naive_map.place

        def place_inside(records, read, options):
            try:
                return place(records, read, options)
            except ValueError:  # no sites start inside
                if options.report != "all":
                    return naive_map.Placed([], 0)
            inside_only = naive_map.found_on
            with unittest.mock.patch.object(naive_map, "found_on", lambda *of: (inside_only(*of)[0],) * 2):
                return place(records, read, options)._replace(mapq=0)

        for (words, regions), report in itertools.product(self.REGIONS, ("best", "sites", "all")):
            def found_on(text, letters, k, regions=regions):
                return tuple([c for c in found if inside(regions, names[text], c.start)] for found in whole(text, letters, k))
            with unittest.mock.patch.multiple(naive_map, found_on=found_on, place=place_inside):
                options = Options(k=2, report=report)
                expected = [naive_map.sam(records, [(read,) for read in reads], options), naive_map.sam(records, pairs, options)]
            for text, source in zip(expected, (["reads.fq"], ["-1", "1.fq", "-2", "2.fq"])):
                for reference in ("r.fa", "r.fa.gz"):
                    for candidates in CANDIDATES:
                        found = self.call("map", "-q", "--no-PG", "-r", reference, "-k", 2, "--report", report, *words, *source,
                                          "--candidates", candidates).decode()
                        self.assert_same_text(found, text, f"{about}: {words} {report} {source} {reference} {candidates}")

    def test_regions_of_a_longer_reference(self):
        """Regions far apart, so that an index skips the bases between them."""
        rng = random.Random(f"{SEED} far")
        records = [("x", random_genome("far", [("x", 400_000)])[0][1]), ("y", "ACGT" * 9), ("z", random_genome("far z", [("z", 90_000)])[0][1])]
        records[2] = ("z", letters_between(records[2][1], 0, 90_000, lambda text: records[0][1][1000:1100] + text[100:]))
        packed = bgzf(fasta(records).encode())
        for name, data in (("r.fa", fasta(records)), ("i.fa", fasta(records)), ("i.fa.fai", fai(records)), ("b.fa.gz", packed),
                           ("b.fa.gz.fai", fai(records)), ("b.fa.gz.gzi", gzi(packed))):
            self.file(name, data)
        reads = [naive_map.Read(f"r{i}", copy_of(records[::2], 60, 2, rng), "") for i in range(150)]
        reads += [naive_map.Read("twice", records[0][1][1010:1080], "")]
        self.file("reads.fa", "".join(f">{read.name}\n{read.letters}\n" for read in reads))
        for asked in (["x:1,001-20,000", "x:350,000-360,000", "z:5-60000"], ["x:1011-1011", "z:11-11", "y:3-9"], ["z:89990"]):
            words = ["map", "-q", "-k", 4, "reads.fa", *(word for region in asked for word in ("--region", region))]
            expected = self.call(*words, "-r", "r.fa")
            self.assertEqual(sum(line.startswith(b"@SQ") for line in expected.splitlines()), 3)
            for reference in ("i.fa", "b.fa.gz"):
                self.assertEqual(self.call(*words, "-r", reference), expected, f"seed {SEED}: {asked}, {reference}")
            self.assertEqual(self.call(*words, "-r", "r.fa", "--fai", "i.fa.fai"), expected)
            self.assertEqual(os.path.exists(self.folder / "r.fa.fai"), False)
