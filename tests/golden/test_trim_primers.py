"""trim --primers: by sequence in reads and pairs, by place in alignments; against plain rules and samtools ampliconclip."""
import json
import random
import re
import subprocess
import unittest

import sam_tools
from support import Case

RUN = re.compile(r"(\d+)([MIDNSHP=X])")


def letters(rng, count):
    return "".join(rng.choice("ACGT") for _ in range(count))


def turn(bases):
    return bases[::-1].translate(str.maketrans("ACGTN", "TGCAN"))


def record(name, bases):
    return f"@{name}\n{bases}\n+\n{'I' * len(bases)}\n"


def records(text):
    lines = text.split("\n")
    return [(lines[i][1:], lines[i + 1]) for i in range(0, len(lines) - 1, 4)]


class Scheme:
    """Amplicons of 120 bases that overlap by 40, on a random genome; the second has an alternative primer."""

    def __init__(self, seed=1):
        self.rng = random.Random(seed)
        self.genome = letters(self.rng, 700)
        self.primers = []
        for i in range(8):
            begin = 10 + 80 * i
            self.primers += [(begin, begin + 20 + i % 3, f"v_{i + 1}_LEFT", "+"), (begin + 98, begin + 120, f"v_{i + 1}_RIGHT", "-")]
        self.primers.append((110, 132, "v_2_LEFT_alt1", "+"))

    def sequence(self, primer):
        begin, end, _, strand = primer
        bases = self.genome[begin:end]
        return bases if strand == "+" else turn(bases)

    def bed(self, sequences):
        rows = [f"v\t{p[0]}\t{p[1]}\t{p[2]}\t{1 + i // 2 % 2}\t{p[3]}" + (f"\t{self.sequence(p)}" if sequences else "")
                for i, p in enumerate(self.primers)]
        return "\n".join(rows) + "\n"

    def left(self, i):
        return self.primers[2 * i]

    def right(self, i):
        return self.primers[2 * i + 1]

    def amplicon(self, i):
        return self.genome[self.left(i)[0]:self.right(i)[1]]


class TrimPrimers(Case):
    def setUp(self):
        super().setUp()
        self.scheme = Scheme()
        self.file("s.bed", self.scheme.bed(True))
        self.file("six.bed", self.scheme.bed(False))
        self.file("v.fa", f">v some virus\n{self.scheme.genome[:300]}\n{self.scheme.genome[300:].lower()}\n")

    def trim(self, *arguments, **options):
        return self.output("--quiet", *arguments, command="trim", **options)

    def refuses(self, code, *arguments, says=(), **options):
        before = self.listing()
        done = self.run_here(*arguments, command="trim", **options)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        for word in says:
            self.assertIn(word, done.stderr.decode())
        self.assertEqual(self.listing(), before)

    def test_reads(self):
        scheme = self.scheme
        reads, expected = [], []
        for i in range(8):
            whole = scheme.amplicon(i)
            inner = scheme.genome[scheme.left(i)[1]:scheme.right(i)[0]]
            for read, left in ((whole, inner), (turn(whole), turn(inner)), (whole[:70], inner[:70 - len(whole) + len(inner) + 22]),
                               ("ACGT" + whole, inner), (whole[5:], inner), (whole + "ACGTACGTAC", inner), (whole[:-9], inner),
                               (whole[45:], whole[45:]), (whole[:9] + "T" + whole[10:], inner)):
                reads.append(read)
                expected.append(left)
        text = "".join(record(f"r{i}", read) for i, read in enumerate(reads)).encode()
        outputs = [self.trim("--primers", "s.bed", stdin=text), self.trim("--primers", "six.bed", "--reference", "v.fa", stdin=text)]
        self.assertEqual(outputs[0], outputs[1])
        self.assertEqual([bases for _, bases in records(outputs[0])], expected)
        self.trim("--primers", "s.bed", "--table", "t.tsv", "--json", "r.json", "-o", "o.fq", "--discard-untrimmed", stdin=text)
        rows = (self.folder / "t.tsv").read_text().splitlines()
        self.assertEqual(rows[1].split("\t")[2:4], ["v_1_LEFT,v_1_RIGHT", "0"])
        self.assertEqual(rows[8].split("\t")[-1], "untrimmed")
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(report["mates"][0]["with_primer"], 64)
        self.assertEqual(report["primers"][0], {"name": "v_1_LEFT", "at_start": 7, "at_end": 1})
        self.assertEqual(report["parameters"]["primers"], "s.bed")
        masked = self.trim("--primers", "s.bed", "--action", "mask", stdin=record("a", reads[0]).encode())
        self.assertEqual(records(masked)[0][1], "N" * 20 + expected[0] + "N" * 22)

    def test_alternative_primers(self):
        scheme = self.scheme
        read = scheme.genome[110:210]
        self.assertEqual(records(self.trim("--primers", "s.bed", stdin=record("a", read).encode()))[0][1], scheme.genome[132:188])
        back = turn(read)
        self.assertEqual(records(self.trim("--primers", "s.bed", stdin=record("a", back).encode()))[0][1], turn(scheme.genome[132:188]))

    def test_pairs_and_unaligned_bam(self):
        scheme = self.scheme
        for mate, name in ((1, "1.fq"), (2, "2.fq")):
            whole = [scheme.amplicon(i) if mate == 1 else turn(scheme.amplicon(i)) for i in range(8)]
            self.file(name, "".join(record(f"p{i}/{mate}", bases[:60]) for i, bases in enumerate(whole)))
        self.trim("--primers", "s.bed", "-1", "1.fq", "-2", "2.fq", "-o", "o1.fq", "-p", "o2.fq", "--by-overlap", "no")
        for i, (_, bases) in enumerate(records((self.folder / "o1.fq").read_text())):
            self.assertEqual(bases, scheme.genome[scheme.left(i)[1]:scheme.left(i)[0] + 60])
        for i, (_, bases) in enumerate(records((self.folder / "o2.fq").read_text())):
            self.assertEqual(bases, turn(scheme.genome[scheme.right(i)[1] - 60:scheme.right(i)[0]]))
        whole = scheme.amplicon(0)
        line = f"r\t4\t*\t0\t0\t*\t*\t0\t0\t{whole}\t{'I' * len(whole)}\tXX:i:5\n"
        self.file("in.sam", "@HD\tVN:1.6\n" + line)
        text = self.trim("--primers", "s.bed", "in.sam", "-o", "out.sam") or (self.folder / "out.sam").read_text()
        row = [row for row in text.splitlines() if row[0] != "@"][0].split("\t")
        self.assertEqual((row[9], row[11]), (scheme.genome[30:108], "XX:i:5"))
        self.assertIn("CL:basesweep trim --primers s.bed", text)
        self.refuses(3, "--primers", "s.bed", stdin=("@HD\tVN:1.6\n" + line).encode(), says=["<stdin>", "@SQ", "--drop-alignment"])
        self.trim("--primers", "s.bed", "--drop-alignment", "-o", "d.fq", stdin=("@HD\tVN:1.6\n" + line).encode())
        self.assertEqual(records((self.folder / "d.fq").read_text())[0][1], row[9])

    def alignments(self, count=400, seed=2, pairs=True):
        """Random alignments, some of mates, near the begins and ends of amplicons, with MC."""
        rng = random.Random(seed)
        lines = []
        for i in range(count):
            mates = []
            for _ in range(2 if pairs else 1):
                primer = rng.choice(self.scheme.primers)
                runs = [[rng.randrange(1, 60), "M"]]
                for _ in range(rng.choice([0, 0, 0, 1, 2])):
                    runs += [[rng.randrange(1, 3), rng.choice("ID")], [rng.randrange(1, 30), "M"]]
                length = sum(n for n, op in runs if op in "MD")
                begin = primer[0] + rng.randrange(-8, 25) if rng.random() < 0.5 else primer[1] + rng.randrange(-8, 8) - length
                for end in (0, len(runs) + 1):
                    if rng.random() < 0.3:
                        runs.insert(min(end, len(runs)), [rng.randrange(1, 6), "S"])
                mates.append((min(max(begin, 0), 700 - length), "".join(f"{n}{op}" for n, op in runs), rng.random() < 0.5))
            for mate, (begin, cigar, reverse) in enumerate(mates):
                flag, fields, more = (16 if reverse else 0) | rng.choice([0, 0, 0, 256, 2048]), "*\t0\t0", ""
                if pairs:
                    other = mates[1 - mate]
                    flag |= 1 | (32 if other[2] else 0) | (64, 128)[mate]
                    fields, more = f"=\t{other[0] + 1}\t{self.tlen((begin, cigar), other[:2])}", f"\tMC:Z:{other[1]}"
                bases = sum(int(n) for n, op in RUN.findall(cigar) if op in "MIS")
                lines.append(f"r{i}\t{flag}\tv\t{begin + 1}\t60\t{cigar}\t{fields}\t{letters(rng, bases)}\t{'I' * bases}\tNM:i:3\tXX:Z:a{more}")
        return "@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:v\tLN:700\n" + "\n".join(lines) + "\n"

    @staticmethod
    def end(part):
        return part[0] + sum(int(n) for n, op in RUN.findall(part[1]) if op in "MD")

    def tlen(self, own, other):
        length = max(self.end(own), self.end(other)) - min(own[0], other[0])
        return length if own[0] <= other[0] else -length

    def clip(self, part):
        """The place and CIGAR after clipping, base by base; nothing if no base is left."""
        begin, end = part[0], self.end(part)
        first = max([p[1] for p in self.scheme.primers if p[3] == "+" and p[0] - 5 <= begin < p[1]], default=begin)
        last = min([p[0] for p in self.scheme.primers if p[3] == "-" and p[0] < end <= p[1] + 5], default=end)
        if (first, last) == (begin, end):
            return part
        columns, at = [], begin
        for n, op in RUN.findall(part[1]):
            for _ in range(int(n)):
                columns.append((op, at))
                at += op in "MD"
        kept = [i for i, (op, at) in enumerate(columns) if op == "M" and first <= at < last]
        if not kept:
            return None
        left = kept[0] if first != begin else 0
        right = kept[-1] + 1 if last != end else len(columns)
        ops = "".join(op if left <= i < right else "S" if op in "MIS" else "" for i, (op, _) in enumerate(columns))
        return (columns[kept[0]][1] if first != begin else begin,
                "".join(f"{len(run.group())}{run.group()[0]}" for run in re.finditer(r"(.)\1*", ops)))

    def test_alignments(self):
        text = self.alignments()
        self.file("in.sam", text)
        found = self.trim("--primers", "six.bed", "in.sam", "-o", "-")
        self.assertEqual(found.splitlines()[0], "@HD\tVN:1.6\tSO:unknown")
        rows = [line.split("\t") for line in found.splitlines() if line[0] != "@"]
        before = [line.split("\t") for line in text.splitlines() if line[0] != "@"]
        self.assertEqual(len(rows), len(before))
        for row, old in zip(rows, before):
            own, mate = self.clip((int(old[3]) - 1, old[5])), self.clip((int(old[7]) - 1, old[11 + 2][5:]))
            expected = list(old)
            flag = int(old[1])
            if own is None:
                expected[4:6], flag = ["0", "*"], flag | 4
            else:
                expected[3], expected[5] = str(own[0] + 1), own[1]
            if mate is None:
                flag |= 8
                expected.pop()
            else:
                expected[7], expected[13] = str(mate[0] + 1), "MC:Z:" + mate[1]
            if expected[5] != old[5]:
                expected.remove("NM:i:3")
            expected[1] = str(flag)
            self.assertEqual(row[:8] + row[9:], expected[:8] + expected[9:], old)
            if own is None or mate is None:
                self.assertEqual(row[8], "0", old)
            elif abs(int(row[8])) != abs(self.tlen(own, mate)):
                # A length from one 5' end to the other stays one.
                five = [self.end(part) if int(old[1]) & bit else part[0] for part, bit in ((own, 16), (mate, 32))]
                self.assertEqual(int(row[8]), five[1] - five[0], old)

    def test_forms_and_threads(self):
        text = self.alignments(3000)
        self.file("in.sam", text)
        sam = self.trim("--primers", "s.bed", "in.sam")
        self.assertEqual(self.trim("--primers", "s.bed", "-t", "4", stdin=text.encode()), sam)
        self.trim("--primers", "s.bed", "in.sam", "-o", "out.bam", "--json", "r.json")
        self.trim("--primers", "s.bed", "--format", "bam", "in.sam", "-o", "out")
        self.assertEqual((self.folder / "out").read_bytes()[:4], b"\x1f\x8b\x08\x04")
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual((report["alignments"], report["clipped_to_nothing"] > 0), (6000, True))
        self.assertEqual(sum(row["clipped"] for row in report["primers"]), report["clipped"] + report["clipped_at_both_ends"])
        if sam_tools.have_samtools():
            seen = subprocess.run(["samtools", "view", "-h", "--no-PG", self.folder / "out.bam"], capture_output=True, text=True, check=True).stdout
            self.assertEqual([line for line in seen.splitlines() if line[0] != "@"], [line for line in sam.splitlines() if line[0] != "@"])
            self.assertEqual(sam_tools.check_quick(self.folder / "out.bam"), None)
            self.file("line.fa", f">v\n{self.scheme.genome}\n")
            subprocess.run(["samtools", "view", "-C", "-T", "line.fa", "-o", "in.cram", "in.sam"], cwd=self.folder, capture_output=True, check=True)
            found = self.trim("--primers", "s.bed", "--cram-reference", "line.fa", "in.cram", "-o", "c.sam") or (self.folder / "c.sam").read_text()
            places = [[line.split("\t")[:6] for line in text.splitlines() if line[0] != "@"] for text in (found, sam)]
            self.assertEqual(*places)

    @unittest.skipUnless(sam_tools.have_samtools(), "samtools is not installed")
    def test_ampliconclip(self):
        """The same alignments as `samtools ampliconclip --both-ends --strand`, but for what the page of reads names."""
        text = self.alignments(1500, 3, pairs=False)
        self.file("in.sam", text)
        found = self.trim("--primers", "s.bed", "in.sam")
        done = subprocess.run(["samtools", "ampliconclip", "--both-ends", "--strand", "-b", "s.bed", "-o", "theirs.sam", "in.sam"],
                              cwd=self.folder, capture_output=True, check=True)
        self.assertEqual(done.returncode, 0)
        theirs = (self.folder / "theirs.sam").read_text()
        same = 0
        for ours, other in zip(*([line.split("\t") for line in sam.splitlines() if line[0] != "@"] for sam in (found, theirs))):
            self.assertEqual(ours[0], other[0])
            if int(ours[1]) & 4:
                self.assertNotIn("M", other[5])
            elif re.search(r"S\d+D|D\d+S", other[5]):
                self.assertNotRegex(ours[5], r"S\d+D|D\d+S")
            else:
                same += 1
                self.assertEqual(ours, other)
        self.assertGreater(same, 800)

    def test_mates_that_are_not_known(self):
        begin = self.scheme.left(0)[0]
        line = f"a\t99\tv\t{begin + 1}\t60\t50M\t=\t{begin + 41}\t90\t{'A' * 50}\t{'I' * 50}\n"
        self.file("in.sam", "@SQ\tSN:v\tLN:700\n" + line)
        done = self.run_here("--primers", "s.bed", "in.sam", command="trim")
        self.assertIn("1 alignment without the CIGAR of their mates (MC)", done.stderr.decode())
        self.assertIn(f"a\t99\tv\t{begin + 21}\t60\t20S30M\t=\t{begin + 41}\t90\t", done.stdout.decode())

    def test_bad_input(self):
        self.file("r.fq", record("a", "ACGT" * 20))
        self.file("in.sam", self.alignments(5))
        self.file("bad.bed", "v\t10\t30\tone\n")
        self.file("other.bed", "w\t10\t30\tone_LEFT\nw\t80\t90\tone_RIGHT\n")
        self.file("long.bed", "v\t690\t710\tone_LEFT\n")
        self.refuses(2, "--primers", "six.bed", "r.fq", says=["six.bed", "'v_1_LEFT'", "--reference"])
        self.refuses(3, "--primers", "bad.bed", "r.fq", says=["bad.bed: line 1", "'one'", "_LEFT or _RIGHT"])
        self.refuses(3, "--primers", "other.bed", "--reference", "v.fa", "r.fq", says=["v.fa", "no record 'w'", "one_LEFT"])
        self.refuses(3, "--primers", "long.bed", "--reference", "v.fa", "r.fq", says=["v.fa", "700 bases, fewer than 710"])
        self.refuses(3, "--primers", "other.bed", "in.sam", "-o", "o.bam", says=["other.bed", "'w'", "'v'"])
        self.refuses(3, "--primers", "long.bed", "in.sam", "-o", "o.bam", says=["long.bed: line 1", "700 bases"])
        self.refuses(4, "--primers", "none.bed", "in.sam", says=["none.bed"])
        self.refuses(2, "--primers", "s.bed", "--revcomp", "r.fq", says=["--revcomp"])
        self.refuses(2, "--primers", "s.bed", "--action", "crop", "r.fq", says=["--action"])
        self.refuses(2, "--reference", "v.fa", "-a", "ACGT", "r.fq", says=["--reference needs --primers"])
        for words in (["-q", "20"], ["-a", "ACGTACGT"], ["-m", "3"], ["--table", "t.tsv"], ["--discard-untrimmed"]):
            self.refuses(2, "--primers", "s.bed", *words, "in.sam", "-o", "o.bam", says=[words[0], "--drop-alignment"])
        self.refuses(2, "--primers", "s.bed", "in.sam", "in.sam", says=["one file"])
        self.refuses(2, "--primers", "s.bed", "--format", "fastq", "in.sam", "-o", "o.fq", says=["--format fastq", "--drop-alignment"])
        self.file("cut.sam", self.alignments(3) + "x\t0\tv\t1\n")
        self.refuses(3, "--primers", "s.bed", "cut.sam", "-o", "o.bam", says=["cut.sam"])


if __name__ == "__main__":
    unittest.main()
