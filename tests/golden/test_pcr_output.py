"""`pcr`: SAM and BAM as pairs of alignments, the table of records and pairs, their chunks; against the naive products."""

import collections
import json
import random
import unittest

import naive_match
import naive_pcr
import sam_tools
from chunk_support import fai, fasta
from map_support import SEED, random_bases
from naive_match import Rules
from naive_pcr import Pair
from pcr_support import PcrCase, genome, table

PAIRED, PROPER, REVERSE, MATE_REVERSE, FIRST, SECOND = 1, 2, 16, 32, 64, 128


def names_of(pairs, pool):
    """Returns functions from a product to its pair's name and to its READ1's and READ2's."""
    primers = [f"{pair.name}_{end}" for pair in pairs for end in "FR"]

    def pair(p):
        return f"{primers[p.first]}/{primers[p.second]}" if pool else pairs[p.first].name

    def both(p):
        if pool:
            return primers[p.first], primers[p.second]
        two = primers[2 * p.first], primers[2 * p.first + 1]
        return (two, two[:1] * 2, two[1:] * 2)[p.ends]

    return pair, both


def alignments(records, pairs, products, pool):
    """Returns the lines of SAM but NM, MD: the fields before QUAL, then XE, XP and XQ."""
    pair, both = names_of(pairs, pool)
    letters = {
        f"{one.name}_{end}": naive_pcr.normal(text)
        for one in pairs
        for end, text in (("F", one.forward), ("R", one.reverse))
    }
    lines = []
    numbers = {number: index for index, number in enumerate(n for n, (_, text) in enumerate(records) if text)}
    for ordinal, p in enumerate(products):
        name = f"{pair(p)}:{numbers[p.record] + 1}:{p.start + 1}-{p.end}:{p.strand}" + ("", ":F", ":R")[p.ends]
        for hit, mate, right in ((p.left, p.right, 0), (p.right, p.left, 1)):
            first = right == (p.strand == "-")
            primer = both(p)[0 if first else 1]
            flag = PAIRED | PROPER | (FIRST if first else SECOND) | (REVERSE if right else MATE_REVERSE)
            sequence = naive_match.reverse_complement(letters[primer]) if right else letters[primer]
            cigar = naive_match.cigar(hit.columns.replace("X", "M").replace("=", "M"))
            line = [name, flag, records[p.record][0], hit.start + 1, 255, cigar, "=", mate.start + 1]
            line += [(p.start - p.end) if right else (p.end - p.start), sequence]
            line += [f"XE:i:{hit.edits}", f"XP:Z:{pair(p)}", f"XQ:Z:{primer}"]
            lines.append(((p.record, hit.start, ordinal, right), [str(field) for field in line]))
    return [line for _, line in sorted(lines)]


def table_rows(records, pairs, products, pool):
    pair, _ = names_of(pairs, pool)
    cells = collections.defaultdict(list)
    for p in products:
        cells[p.record, p.first, p.second].append(p)
    rows = []
    for key, found in sorted(cells.items()):
        sizes = sorted({p.end - p.start for p in found})
        plus = sum(p.strand == "+" for p in found)
        row = [records[key[0]][0], pair(found[0]), len(found), plus, len(found) - plus]
        row += [min(map(naive_pcr.edits, found)), sizes[0], sizes[-1], ",".join(map(str, sizes))]
        rows.append([str(field) for field in row])
    return rows


class AgainstNaive(PcrCase):
    def question(self, rng, case):
        primers = [random_bases(rng, rng.randint(6, 10)) for _ in range(3)] + ["ACGTWCGT", "GAATTC", "AAAAAA"]
        pairs = [Pair(f"p{i}", rng.choice(primers), rng.choice(primers)) for i in range(rng.randint(1, 3))]
        pool, single = case % 3 == 1, case % 3 == 2
        rules = Rules(k=rng.choice([0, 1, 2]), clamp3=rng.choice([0, 2]))
        report = rng.choice(["all", "all", "best", "best-per-record"])
        records = genome(rng, pairs)
        self.file("g.fa", fasta(records))
        self.file("pairs.tsv", table(pairs))
        words = ["-f", "pairs.tsv", "-k", rules.k, "--clamp-3prime", rules.clamp3, "--size", "0,90", "-q"]
        words += [*["--pool"] * pool, *["--single"] * single, "--report", report]
        products = naive_pcr.products(records, pairs, rules, (0, 90), single, pool, report)
        return words, records, pairs, products, pool, report

    def lines(self, text):
        fields = [line.split("\t") for line in text.splitlines() if not line.startswith("@")]
        self.assertTrue(all(line[10] == "*" for line in fields))
        return [line[:10] + [tag for tag in line[11:] if tag[:2] not in ("NM", "MD")] for line in fields]

    def test_alignments(self):
        rng = random.Random(SEED)
        for case in range(12):
            words, records, pairs, products, pool, report = self.question(rng, case)
            with self.subTest(seed=SEED, case=case, words=words, records=records, pairs=pairs):
                expected = alignments(records, pairs, products, pool)
                more = ["--batch-bases", rng.choice([1, 7, 50, 100000]), "-t", rng.choice([1, 3])]
                text = self.pcr(*words, *more, "--format", "sam", "g.fa")
                self.assertEqual(self.lines(text), expected)
                first = self.pcr(*words, *more, "--format", "sam", "--max-products", 2, "--no-PG", "g.fa")
                self.assertEqual(self.lines(first), alignments(records, pairs, products[:2], pool))
                if any(letters for _, letters in records):
                    self.pcr(*words, "-o", "g.bam", "g.fa")
                    self.samtools("g.bam", text, len(expected))
                self.chunks(rng, records, words, text)

    def samtools(self, path, text, count):
        if not sam_tools.have_samtools():
            return
        path = self.folder / path
        self.assertEqual(sam_tools.sam_lines(path), text.splitlines())
        self.assertIsNone(sam_tools.check_quick(path))
        self.assertIsNone(sam_tools.check_calmd(path, self.folder / "g.fa"))
        self.assertEqual(sam_tools.call("samtools", "index", path).returncode, 0)
        flags = sam_tools.call("samtools", "flagstat", "-O", "tsv", path).stdout.decode()
        found = {line.split("\t")[2]: line.split("\t")[0] for line in flags.splitlines()}
        self.assertEqual(found["properly paired"], str(count))
        self.assertEqual((found["read1"], found["read2"]), (str(count // 2),) * 2)
        self.assertEqual(found["secondary"], "0")

    def chunks(self, rng, records, words, text):
        self.file("g.fa.fai", fai(records))
        parts = self.parts(rng.randint(2, 5), *words, "g.fa")
        self.merge(parts, "-o", "whole.bam")
        self.assertEqual(self.merge(parts, "--format", "sam"), text)
        first = self.pcr(*words, "--format", "sam", "--max-products", 2, "g.fa")
        self.assertEqual(self.merge(parts, "--format", "sam", "--max-products", 2), first)
        if sam_tools.have_samtools() and any(letters for _, letters in records):
            self.assertEqual(sam_tools.sam_lines(self.folder / "whole.bam"), text.splitlines())
        (self.folder / "g.fa.fai").unlink()

    def test_table(self):
        rng = random.Random(SEED + 1)
        for case in range(12):
            words, records, pairs, products, pool, _ = self.question(rng, case)
            with self.subTest(seed=SEED, case=case, words=words, records=records, pairs=pairs):
                expected = table_rows(records, pairs, products, pool)
                more = ["--batch-bases", rng.choice([1, 7, 50, 100000]), "-t", rng.choice([1, 3])]
                lines = [line.split("\t") for line in self.pcr(*words, *more, "--table", "g.fa").splitlines()]
                head = "record pair count plus minus fewest_edits min_size max_size sizes"
                self.assertEqual(lines[0], head.split())
                self.assertEqual(lines[1:], expected)


class Options(PcrCase):
    PAIR = ("--forward", "ACGTTC", "--reverse", "ACCGTG", "-k", 0)

    def setUp(self):
        super().setUp()
        self.file("g.fa", ">r\nGGACGTTCAAAAACACGGTGG\n>s\nACGTTCCACGGTAAAACGTTCCCACGGT\n")

    def test_files(self):
        """Records of one name in two files are rows of their own."""
        self.file("h.fa", ">r\nACGTTCCACGGT\n")
        text = self.pcr(*self.PAIR, "--table", "--with-file", "g.fa", "h.fa", "-q")
        self.assertEqual(
            text,
            "file\trecord\tpair\tcount\tplus\tminus\tfewest_edits\tmin_size\tmax_size\tsizes\n"
            "g.fa\tr\tpair\t1\t1\t0\t0\t17\t17\t17\n"
            "g.fa\ts\tpair\t3\t3\t0\t0\t12\t28\t12,13,28\n"
            "h.fa\tr\tpair\t1\t1\t0\t0\t12\t12\t12\n",
        )

    def test_refused(self):
        for words, says in (
            (("--table", "--count"), "--table and --count conflict"),
            (("--table", "--write-index", "-o", "t.tsv.gz"), "--table has no index"),
            (("--table", "--format", "bed"), "--table writes TSV"),
            (("--format", "sam", "--circular"), "--circular: SAM has no place"),
            (("--format", "sam", "--with-file"), "--with-file needs"),
            (("--eqx",), "--eqx needs SAM"),
        ):
            with self.subTest(words):
                self.assertIn(says, self.bad(*self.PAIR, *words, "g.fa", code=2))
        for name, says in (("x@y", "pair 'x@y': SAM does not allow '@'"), ("n" * 215, "SAM allows 214")):
            self.file("p", f"{name} ACGTTC ACCGTG\n")
            self.assertIn(says, self.bad("-f", "p", "-k", 0, "--format", "sam", "g.fa", code=2))
        self.file("p", "name\tforward\treverse\na b\tACGTTC\tACCGTG\na_b\tACGTT\tACCGTG\n")
        self.assertIn("are both 'a_b' in SAM", self.bad("-f", "p", "-k", 0, "--format", "sam", "g.fa", code=2))
        self.file("r.fq", "@r\nACGT\n+\nIIII\n")
        self.assertIn("this is FASTQ", self.bad(*self.PAIR, "--format", "sam", "r.fq", code=2))

    def test_index(self):
        """--write-index, of a run and of merge, for each format that has an index."""
        parts = self.parts(3, *self.PAIR, "g.fa")
        for ending in ("bam", "sam.gz", "bed.gz", "tsv.gz", "gff3.gz"):
            kind = "bai" if ending in ("bam", "sam.gz") else "tbi"
            self.pcr(*self.PAIR, "-q", "g.fa", "-o", f"run.{ending}", "--write-index")
            self.merge(parts, "-o", f"whole.{ending}", "--write-index")
            for suffix in ("", f".{kind}"):
                one, other = [(self.folder / f"{name}.{ending}{suffix}").read_bytes() for name in ("run", "whole")]
                self.assertEqual(one, other)
            if ending == "bam" and sam_tools.have_samtools():
                found = sam_tools.call("samtools", "view", "-c", self.folder / "whole.bam", "s:20-24").stdout
                self.assertEqual(found, b"3\n")
        for more in (["-o", "w.fa.gz"], ["-o", "w.txt.gz", "--count"], ["-o", "w.tsv"], ["-o", "w.tsv.gz", "--table"]):
            for done in (
                self.run_here(*parts, *more, "--write-index", command="merge"),
                self.run_here(*self.PAIR, "g.fa", *more, "--write-index", command="pcr"),
            ):
                self.assertEqual(done.returncode, 2)
                self.assertIn(b"--write-index needs a file of", done.stderr)

    def test_parts_of_several_files(self):
        """Counts by file, and records that are cut between chunks, in FASTA and FASTQ."""
        self.file("h.fa", ">s\nACGTTCCACGGTACGTTCCACGGT\n>t\nACGATCCACGGT\n")
        self.file("r.fq", "@a\nACGTTCCACGGT\n+\nIIIIIIIIIIII\n@b\nACGATCCACGGTTACGTTCCACGGT\n+\n" + "I" * 25 + "\n")
        more = ("-k", 1, "--report", "best-per-record")
        for inputs in (["g.fa", "h.fa"], ["r.fq", "r.fq"]):
            for options in ([], ["--count", "--per-file"], ["--table", "--with-file"], ["--report", "all", "--count", "--per-file"]):
                words = [*self.PAIR[:4], *more] if "--report" not in options else [*self.PAIR[:4], "-k", 1]
                for count in (1, 2, 5):
                    parts = self.parts(count, *words, *options, *inputs)
                    self.assertEqual(self.merge(parts), self.pcr(*words, *options, *inputs, "-q"))
        named = [*self.PAIR, "--circular=s", "--format", "gff3", "g.fa"]
        self.assertEqual(self.merge(self.parts(2, *named)), self.pcr(*named, "-q"))
        done = self.run_here(*self.parts(2, *self.PAIR, "r.fq"), "--format", "sam", command="merge")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"this is FASTQ", done.stderr)

    def test_report_of_parts(self):
        """The numbers of the merged report are those of a whole run."""
        for more in ([], ["--report", "best"], ["--count"]):
            self.pcr(*self.PAIR, *more, "g.fa", "-q", "-o", "w", "--json", "w.json")
            parts = self.parts(3, *self.PAIR, *more, "g.fa")
            self.merge(parts, "-o", "m", "--json", "m.json")
            one, other = [json.loads((self.folder / name).read_text()) for name in ("w.json", "m.json")]
            for field in ("pairs", "products", "truncated_by_max_products", "inputs", "parameters"):
                self.assertEqual(one[field], other[field], field)
            self.assertEqual([part["chunk"] for part in other["parts"]], ["1/3", "2/3", "3/3"])

    def test_parts_lack(self):
        """What merge cannot give, because the chunks counted or stopped."""
        parts = self.parts(2, *self.PAIR, "--count", "g.fa")
        for more in (["--report", "best"], ["--max-products", 2]):
            done = self.run_here(*parts, *more, command="merge")
            self.assertEqual(done.returncode, 2)
        self.assertIn(b"--count and --max-products conflict", done.stderr)
        parts = self.parts(1, *self.PAIR, "--max-products", 2, "g.fa")
        self.assertEqual(self.merge(parts, "--max-products", 1), self.pcr(*self.PAIR, "--max-products", 1, "-q", "g.fa"))
        for more in (["--max-products", 3], ["--report", "best"]):
            done = self.run_here(*parts, *more, command="merge")
            self.assertEqual(done.returncode, 2)
            self.assertIn(b"a chunk stopped at its --max-products", done.stderr)

    def test_column_lists(self):
        """--columns help needs neither pairs nor text."""
        products = self.pcr("--columns", "help").splitlines()
        self.assertEqual([line.split("\t")[0] for line in products[:4]], ["column", "record", "start", "end"])
        self.assertTrue(any(line.startswith("probe_start\tinteger\t") for line in products))
        table = self.pcr("--table", "--columns", "help").splitlines()
        names = "column file record pair count plus minus fewest_edits min_size max_size sizes"
        self.assertEqual([line.split("\t")[0] for line in table], names.split())

    def test_read_group(self):
        text = self.pcr(*self.PAIR, "--format", "sam", "-R", "@RG\\tID:one", "--eqx", "--no-PG", "g.fa")
        lines = text.splitlines()
        self.assertEqual(lines[:4], ["@HD\tVN:1.6\tSO:coordinate", "@SQ\tSN:r\tLN:21", "@SQ\tSN:s\tLN:28", "@RG\tID:one"])
        self.assertEqual(
            lines[4],
            "pair:1:3-19:+\t99\tr\t3\t255\t6=\t=\t14\t17\tACGTTC\t*\tNM:i:0\tMD:Z:6\tXE:i:0\tRG:Z:one\tXP:Z:pair"
            "\tXQ:Z:forward",
        )


if __name__ == "__main__":
    unittest.main()
