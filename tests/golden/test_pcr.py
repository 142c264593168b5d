"""`pcr`: products against all pairs of naive hits, forms of pairs and their errors, formats, chunks, devices."""

import os
import pathlib
import random
import subprocess
import unittest

import naive_pcr
from chunk_support import fai, fasta
from map_support import SEED, random_bases
from naive_match import Rules, reverse_complement
from naive_pcr import Pair
from pcr_support import PcrCase, genome, plant, table
from support import BINARY, SANITIZED, devices


class AgainstNaive(PcrCase):
    def one(self, rng, case):
        primers = [random_bases(rng, rng.randint(6, 11)) for _ in range(3)] + ["ACGTWCGT", "GAATTC", "AAAAAA"]
        if rng.random() < 0.3:
            primers = ["AAAAAA", "TTTTTT", "AATTAATT"]
        pairs = [
            Pair(
                f"p{i}", rng.choice(primers), rng.choice(primers), rng.choice([None, None, 20]), rng.choice([None, 90])
            )
            for i in range(rng.randint(1, 3))
        ]
        pool, single = case % 3 == 1, case % 3 == 2
        if pool:
            pairs = [pair._replace(low=None, high=None) for pair in pairs]
        records = genome(rng, pairs)
        rules = Rules(k=rng.choice([0, 1, 1, 2]), clamp3=rng.choice([0, 0, 2]))
        size = rng.choice([(0, 5000), (10, 60), (0, 200)])
        report = rng.choice(["all", "all", "best", "best-per-record"])
        circular = rng.random() < 0.35
        soft = rng.choice(["use", "use", "skip"])
        self.file("g.fa", fasta(records))
        self.file("pairs.tsv", table(pairs))
        words = [
            "-f",
            "pairs.tsv",
            "-k",
            rules.k,
            "--clamp-3prime",
            rules.clamp3,
            "--size",
            f"{size[0]},{size[1]}",
            "--report",
            report,
            "--soft-masked",
            soft,
            *["--pool"] * pool,
            *["--single"] * single,
            *["--circular"] * circular,
        ]
        wanted = naive_pcr.products(records, pairs, rules, size, single, pool, report, circular, soft)
        rows = naive_pcr.rows(records, pairs, wanted, pool)
        for device in devices():
            more = ["--batch-bases", rng.choice([1, 7, 50, 100000]), "-t", rng.choice([1, 3]), "--device", device]
            with self.subTest(seed=SEED, case=case, words=[*words, *more], records=records, pairs=pairs):
                text = self.pcr(*words, *more, "g.fa")
                self.assertEqual(self.rows(text), rows)
                first = self.pcr(*words, *more, "--max-products", 2, "-q", "g.fa")
                self.assertEqual(first.splitlines(), text.splitlines()[:3])
                counts = [
                    line.split("\t") for line in self.pcr(*words, *more, "--count", "-q", "g.fa").splitlines()[1:]
                ]
                self.assertEqual(sum(int(row[2]) for row in counts), len(rows))
                for name, strand, count in counts:
                    self.assertEqual(int(count), sum(row[3:5] == [name, strand] for row in rows))
        with self.subTest("chunks", seed=SEED, case=case, words=words, records=records, pairs=pairs):
            self.chunks(rng, records, words)
        if report == "all":
            self.region(rng, records, words)

    def chunks(self, rng, records, words):
        """Chunks choose and format nothing, so merge may choose and format as the chunks' options say, or others."""
        self.file("g.fa.fai", fai(records))
        parts = self.parts(rng.randint(2, 5), *words, "g.fa")
        for more in (
            ["--format", "fasta"],
            ["--format", "csv"],
            ["--count"],
            ["--table"],
            ["--max-products", 2],
            *(["--report", report] for report in ("all", "best", "best-per-record")),
        ):
            whole = [*words, *more]
            if more[0] == "--report":
                at = words.index("--report")
                whole = [*words[:at], *words[at + 2 :], *more]
            self.assertEqual(self.merge(parts, *more), self.pcr(*whole, "-q", "g.fa"), more)
        for more in (["--count"], ["--table"], ["--max-products", 3], ["--format", "gff3"]):
            parts = self.parts(rng.randint(1, 7), *words, *more, "g.fa")
            self.assertEqual(self.merge(parts), self.pcr(*words, *more, "-q", "g.fa"), more)

    def region(self, rng, records, words):
        whole = self.pcr(*words, "g.fa")
        self.file("g.fa.fai", fai(records))
        name, text = rng.choice(records)
        if len(text) > 10:
            begin = rng.randrange(1, len(text))
            end = rng.randint(begin, len(text))
            part = self.pcr(*words, "-q", "--region", f"{name}:{begin}-{end}", "g.fa")
            inside = [row for row in self.rows(whole) if row[0] == name and begin <= int(row[1]) + 1 <= end]
            self.assertEqual(self.rows(part), inside)
        pathlib.Path(self.folder, "g.fa.fai").unlink()

    def test_random(self):
        rng = random.Random(SEED)
        for case in range(24):
            self.one(rng, case)


class Texts(PcrCase):
    """Odd forms of one text, its ends, and text with products at every base."""

    WORDS = ("-f", "pairs.tsv", "-k", 1, "--size", "0,200", "-q")

    def test_forms(self):
        """Lower case, U, CRLF, one line: the same products. N and other letters are no bases."""
        rng = random.Random(SEED)
        pairs = [Pair(f"p{i}", random_bases(rng, 8), random_bases(rng, 9)) for i in range(2)]
        self.file("pairs.tsv", table(pairs))
        records = genome(rng, pairs) + [("last", plant(rng, random_bases(rng, 600), pairs, 12))]
        records = [(name, text.upper()) for name, text in records]
        expected = naive_pcr.rows(
            records, pairs, naive_pcr.products(records, pairs, Rules(k=1, clamp3=0), (0, 200)), False
        )
        self.assertTrue(expected)
        lower = [(name, text.lower()) for name, text in records]
        rna = [(name, text.replace("T", "U")) for name, text in records]
        dots = [(name, text.replace("N", "-")) for name, text in records]
        for form, text in {
            "plain": fasta(records),
            "lower": fasta(lower),
            "crlf": fasta(records, end="\r\n"),
            "one line": fasta(records, line=10**6),
            "short lines": fasta(records, line=3),
            "rna": fasta(rna),
            "gaps": fasta(dots),
        }.items():
            with self.subTest(form, seed=SEED):
                self.file("g.fa", text)
                rows = self.rows(self.pcr(*self.WORDS, "g.fa"))
                if form == "gaps":
                    rows = [
                        [field.replace("-", "N") if i > 5 else field for i, field in enumerate(row)] for row in rows
                    ]
                self.assertEqual(rows, expected)
        self.file("g.fa", fasta(lower))
        self.assertEqual(self.rows(self.pcr(*self.WORDS, "--soft-masked", "skip", "g.fa")), [])

    def test_ends(self):
        """Products that reach from the first base to the last, and pairs that are longer than a record."""
        left, right = "ACGGTTCAGT", "TTGACCGTAG"
        whole = left + reverse_complement(right)
        self.file("g.fa", fasta([("r", whole), ("s", whole[1:]), ("t", whole[:-1]), ("u", "ACG"), ("v", "")]))
        pair = ("--forward", left, "--reverse", right, "--format", "bed", "-q")
        self.assertEqual(self.pcr(*pair, "-k", 0, "g.fa"), "r\t0\t20\tpair\t1000\t+\t0\t20\t0\t1\t20\t0\n")
        lines = [line.split("\t")[:3] for line in self.pcr(*pair, "-k", 1, "g.fa").splitlines()]
        self.assertEqual(lines, [["r", "0", "20"], ["s", "0", "19"], ["t", "0", "19"]])
        self.file("short.fa", fasta([("r", whole[:9])]))
        self.assertEqual(self.pcr(*pair, "-k", 0, "short.fa"), "")

    def peak(self, *words):
        """Returns the output and the most memory that a run took, in MB."""
        out = self.folder / "out"
        with open(out, "wb") as to:
            process = subprocess.Popen([BINARY, "pcr", *map(str, words)], stdout=to, cwd=self.folder)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(status, 0)
        return out.read_text(), used.ru_maxrss / 1024

    def test_dense(self):
        """Millions of products, of poly-A and of tandem repeats, in bounded memory."""
        count, size = 60_000, 200
        unit = "ACACACAGT"
        self.file("g.fa", f">a\n{'A' * count}\n>r\n{unit * (count // 9)}\n")
        self.file("pairs.tsv", f"a AAAAAAAAAA TTTTTTTTTT\nr {unit} {reverse_complement(unit)}\n")
        words = ("-f", "pairs.tsv", "-k", 0, "--size", size, "-q", "-t", 2, "--device", "cpu")
        sites = count - 9
        poly = sum(sites - shift for shift in range(size - 9))
        tandem = sum(count // 9 - shift for shift in range(size // 9))
        text, peak = self.peak(*words, "--count", "g.fa")
        self.assertEqual(text.splitlines()[1:], [f"a\t+\t{poly}", "a\t-\t0", f"r\t+\t{tandem}", "r\t-\t0"])
        if not SANITIZED:
            self.assertLess(peak, 300)
        text, _ = self.peak(*words, "--table", "g.fa")
        self.assertEqual([line.split("\t")[2] for line in text.splitlines()[1:]], [str(poly), str(tandem)])
        # The header needs all records, so products wait, but no more than are written.
        for form in ("sam", "bed"):
            text, peak = self.peak(*words, "--pool", "--max-products", 1000, "--format", form, "g.fa")
            lines = [line for line in text.splitlines() if not line.startswith("@")]
            self.assertEqual(len(lines), 2000 if form == "sam" else 1000)
            if not SANITIZED:
                self.assertLess(peak, 300)


class Pairs(PcrCase):
    """Each form gives the same product; faults name file and line."""

    LEFT, RIGHT = "ACGGTTCAGTACCATG", "TTGACCGTAGGCATCA"

    def setUp(self):
        super().setUp()
        self.file("g.fa", fasta([("r", "TTTTT" + self.LEFT + "C" * 30 + reverse_complement(self.RIGHT) + "TTTTT")]))

    def test_forms(self):
        a, b = self.LEFT, self.RIGHT
        forms = {
            "header": f"id\trev\tfwd\nx\t{b}\t{a}\n",
            "csv": f"name,forward,reverse,max_size\nx,{a},{b},100\n",
            "set": f"set_id\tset_name\tfwd_name\tFwd seq\trev_name\tRev seq (5'-3')\n7\tx\t27F\t{a}\t9R\t{b}\n",
            "left": f"id\tleft_primer\tright_primer\tmaxsize\nx\t{a}\t{b}\t62\n",
            "bounds": f"name\tprimerF\tprimerR\tsize_min\tmax_length\tproduct_size\nx\t{a}\t{b}\t62\t62\t1\n",
            "primersearch": f"# comment\nx {a} {b}\n",
            "isPcr": f"x\t{a}\t{b}\t100\n",
            "ipcress": f"x {a} {b} 10 100\n",
            "bed": f"r\t5\t21\tx_LEFT\t1\t+\t{a}\nr\t51\t67\tx_RIGHT\t1\t-\t{b}\n",
            "artic": f"name\tpool\tseq\nx_LEFT\t1\t{a}\nx_RIGHT\t1\t{b}\n",
            "fasta": f">x_F\n{a.lower()}\n>x_R\n{b}\r\n",
            "slashes": f">x/1 words\n{a}\n>x/2\n{b}\n",
            "rna": f"x {a.replace('T', 'U')} {b}\n",
        }
        for form, text in forms.items():
            with self.subTest(form):
                self.file("p", text)
                self.assertEqual(
                    self.pcr("-f", "p", "-k", 0, "--format", "bed", "g.fa"),
                    "r\t5\t67\tx\t1000\t+\t5\t67\t0\t2\t16,16\t0,46\n",
                )

    def test_alternatives(self):
        text = f">x_LEFT\n{self.LEFT}\n>x_LEFT_alt1\n{self.LEFT[2:]}\n>x_RIGHT\n{self.RIGHT}\n"
        self.file("p.fa", text)
        rows = self.rows(self.pcr("-f", "p.fa", "-k", 0, "g.fa"))
        self.assertEqual([(row[1], row[3]) for row in rows], [("5", "x/LEFT/RIGHT"), ("7", "x/LEFT_alt1/RIGHT")])

    def test_sizes_in_headers(self):
        for least, most, products in (("min_size", "maxsize", 1), ("minsize", "size_max", 0)):
            with self.subTest(least):
                self.file("p", f"name,forward,reverse,{least},{most}\nx,{self.LEFT},{self.RIGHT},1,{61 + products}\n")
                self.assertEqual(len(self.rows(self.pcr("-f", "p", "-k", 0, "-q", "g.fa"))), products)

    def test_pool_with_alternatives(self):
        """Each primer of the pool is there once, in the order of the lines."""
        rows = [("x_LEFT", self.LEFT), ("x_LEFT_alt1", self.LEFT[2:]), ("x_RIGHT", self.RIGHT), ("x_RIGHT_alt1", self.RIGHT[1:])]
        self.file("p.bed", "".join(f"r\t1\t9\t{name}\t1\t+\t{letters}\n" for name, letters in rows))
        lines = [line.split("\t") for line in self.pcr("-f", "p.bed", "--pool", "-k", 0, "--format", "bed", "g.fa").splitlines()]
        self.assertEqual(
            sorted((line[3], line[5]) for line in lines),
            [(f"{left}/{right}", "+") for left in ("x_LEFT", "x_LEFT_alt1") for right in ("x_RIGHT", "x_RIGHT_alt1")],
        )
        sam = self.pcr("-f", "p.bed", "--pool", "-k", 0, "--format", "sam", "g.fa")
        self.assertEqual(sum(not line.startswith("@") for line in sam.splitlines()), 2 * len(lines))

    def test_faults(self):
        for text, says in (
            ("marker\tsense\tantisense\nx\tACGT\tACGA\n", "line 1: this seems to be a header: expected the columns name"),
            (">x_F\nACGT\n", "line 1: primer 'x_F' has no partner: the pair 'x' lacks a reverse primer"),
            (">x\nACGT\n", "line 1: primer 'x': expected a name that ends in"),
            ("x ACGT\n", "line 1: expected a pair"),
            ("x ACGT AC!T\n", "line 1: reverse primer of pair 'x', position 3: '!'"),
            ("x ACGT ACGA\nx ACGA ACGT\n", "line 2: pair 'x': the name is used in line 1 too"),
            ("name\tforward\treverse\n\tACGT\tACGA\n", "line 2: the pair has no name"),
            ("name\tforward\treverse\nx\tACGT\n", "line 2: pair 'x' has no reverse primer"),
            ("x ACGT ACGA 90 10\n", "line 1: pair 'x': the smallest size, 90, is larger"),
            ("r\t1\t2\tx_LEFT\t1\t+\n", "line 1: this BED has no sequences"),
            ("\n", "no pairs in this file"),
        ):
            with self.subTest(text):
                self.file("p", text)
                self.assertIn("p: " + says, self.bad("-f", "p", "-k", 0, "g.fa"))

    def test_options(self):
        both = ("--forward", self.LEFT, "--reverse", self.RIGHT, "-k", 0)
        for words, says in (
            (("--forward", "ACGT", "-k", 0), "--forward needs --reverse"),
            (("-k", 0), "no pair given"),
            ((*both, "--size", "9,3"), "--size 9,3: expected"),
            ((*both, "--pool", "--single"), "--pool and --single conflict"),
            ((*both, "--circular", "--format", "bed"), "--circular: BED"),
            ((*both, "--chunk", "1/2", "-o", "part.tsv"), "part.tsv: a chunk is written as a part"),
        ):
            with self.subTest(words):
                self.assertIn(says, self.bad(*words, "g.fa", code=2))

    def test_sequences(self):
        words = (
            "--forward",
            self.LEFT,
            "--reverse",
            self.RIGHT.replace("A", "R", 1),
            "-k",
            0,
            "--format",
            "fasta",
            "g.fa",
        )
        title = ">r:5-67(+) size=62 edits=0 pair=pair\n"
        product = self.LEFT + "C" * 30 + reverse_complement(self.RIGHT)
        self.assertEqual(self.pcr(*words), f"{title}{product}\n")
        insert = f">r:{5 + len(self.LEFT)}-{67 - len(self.RIGHT)}(+) size=30 edits=0 pair=pair\n"
        self.assertEqual(self.pcr(*words, "--sequence", "insert"), f"{insert}{'C' * 30}\n")
        right = reverse_complement(self.RIGHT.replace("A", "R", 1))
        self.assertEqual(self.pcr(*words, "--sequence", "amplified"), f"{title}{self.LEFT}{'C' * 30}{right}\n")

    def test_probe(self):
        row = self.pcr(
            "--forward", self.LEFT, "--reverse", self.RIGHT, "--probe", "GGGGG", "-k", 0, "g.fa"
        ).splitlines()
        found = dict(zip(row[0].split("\t"), row[1].split("\t")))
        self.assertEqual(
            [found[f"probe_{name}"] for name in ("start", "end", "strand", "edits")], ["21", "26", "-", "0"]
        )

    def test_temperatures(self):
        """Of oligotm -tp 1 -sc 1 -mv 50 -dv 1.5 -n 0.6 -d 50 (primer3 2.6.1)."""
        row = self.pcr("--forward", self.LEFT, "--reverse", self.RIGHT, "-k", 0, "g.fa").splitlines()
        found = dict(zip(row[0].split("\t"), row[1].split("\t")))
        self.assertEqual((found["forward_tm"], found["reverse_tm"]), ("49.7", "51.4"))


if __name__ == "__main__":
    unittest.main()
