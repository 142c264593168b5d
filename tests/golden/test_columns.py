"""Columns of TSV that are written on request."""
import re

from support import LAMBDA, Case, run

COMPLEMENT = str.maketrans("ACGTRYKMBVDHacgtrykmbvdh", "TGCAYRMKVBHDtgcayrmkvbhd")
CODES = {"A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "Y": "CT", "S": "CG", "W": "AT", "K": "GT", "M": "AC", "B": "CGT", "D": "AGT",
         "H": "ACT", "V": "ACG", "N": "ACGT"}
PRIMER = "GTGYCAGCMGCCGCGGTAA"


def reverse_complement(letters):
    return letters.translate(COMPLEMENT)[::-1]


def rows(text):
    header, *lines = [line.split("\t") for line in text.splitlines()]
    return [dict(zip(header, line)) for line in lines]


class Columns(Case):
    def table(self, *arguments, command="match", inputs=(LAMBDA,)):
        done = run(*arguments, *inputs, "--format", "tsv", command=command, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def without(self, text, *names):
        """The table without these columns."""
        lines = [line.split("\t") for line in text.splitlines()]
        kept = [i for i, name in enumerate(lines[0]) if name not in names]
        self.assertEqual(len(kept), len(lines[0]) - len(names))
        return "".join("\t".join(line[i] for i in kept) + "\n" for line in lines)

    def test_kinds_of_edits(self):
        call = ("-p", PRIMER, "-k", "6")
        text = self.table(*call, "--edit-columns")
        self.assert_same_text(self.without(text, "mismatches", "insertions", "deletions"), self.table(*call))
        self.assertEqual(text.splitlines()[0].split("\t")[5:11], ["edits", "indels", "mismatches", "insertions", "deletions", "cigar"])
        seen = set()
        for row in rows(text):
            count = {op: sum(int(n) for n, found in re.findall(r"(\d+)(.)", row["cigar"]) if found == op) for op in "XID"}
            self.assertEqual((row["mismatches"], row["insertions"], row["deletions"]), tuple(str(count[op]) for op in "XID"), row)
            seen |= {op for op in "XID" if count[op]}
        self.assertEqual(seen, set("XID"))

    def test_aligned(self):
        call = ("-p", PRIMER, "-k", "6")
        text = self.table(*call, "--aligned")
        self.assert_same_text(self.without(text, "aligned_pattern", "aligned_text"), self.table(*call))
        strands = set()
        for row in rows(text):
            pattern, letters = row["aligned_pattern"], row["aligned_text"]
            self.assertEqual((len(pattern), pattern.replace("-", ""), letters.replace("-", "")), (len(letters), PRIMER, row["matched"]))
            ops = "".join("I" if b == "-" else "D" if a == "-" else "=" if b in CODES[a] else "X" for a, b in zip(pattern, letters))
            if row["strand"] == "-":
                ops = ops[::-1]
            self.assertEqual("".join(f"{len(m.group())}{m.group(1)}" for m in re.finditer(r"(.)\1*", ops)), row["cigar"], row)
            strands.add(row["strand"])
        self.assertEqual(strands, set("+-"))

    def test_refused(self):
        for option in ("--edit-columns", "--aligned"):
            for words in (["--format", "bed"], ["--format", "sam"], ["--count"], []):
                done = run("-p", "GAATTC", "-k", "1", option, *words, LAMBDA, command="match", cwd=self.folder)
                self.assertEqual((done.returncode, done.stdout), (2, b""), (option, words))
                self.assertIn(option, done.stderr.decode())

    def test_chunks(self):
        for more in ([], ["--non-overlapping"], ["--report", "best"], ["--max-hits", "5"]):
            call = ["-p", PRIMER, "-p", "GAATTCAA", "-k", "3", "--edit-columns", "--aligned", *more]
            whole = self.table(*call)
            self.assert_same_text(self.joined(*call, "--format", "tsv", LAMBDA, command="match", chunks=3), whole)
