"""`guides` on files as people have them: sequences with and without PAM, codes in its place, inputs of Cas-OFFinder, libraries against the
wrong genome, genes with several guides, regions that overlap."""
import collections
import json
import random
import subprocess

from chunk_support import fai, fasta
from map_support import SEED, random_bases
from naive_match import reverse_complement
from support import BINARY, environment, without_origin
from test_guides import GuidesCase

CODES = {"A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "Y": "CT", "V": "ACG", "N": "ACGT"}
GUIDE, OTHER = "CTAACAGTTGCTTTTATCAC", "GACGTTACCATGGCATTGCA"


def held(sequences, pams, side):
    """What the sequences hold as docs/guides.md defines it: the bases of each that are no guide, or "ask"."""
    def codes_in(sequence, pam):
        return sequence[-len(pam):] if side == "3prime" else sequence[:len(pam)]

    def placeholder(sequence):
        fit = [len(pam) for pam in pams if 15 <= len(sequence) - len(pam) <= 30
               and all(set(CODES[p]) <= set(CODES[s]) for p, s in zip(pam, codes_in(sequence, pam)))
               and set(codes_in(sequence, pam)) - set("ACGT")]
        return max(fit, default=0)

    def pam_of(sequence, least):
        fit = [len(pam) for pam in pams if least <= len(sequence) - len(pam) <= 30 and set(pam) != {"N"}
               and all(set(CODES[s]) <= set(CODES[p]) for p, s in zip(pam, codes_in(sequence, pam)))]
        return fit[0] if fit else 0

    parts = [placeholder(sequence) or pam_of(sequence, 19) for sequence in sequences]
    if all(parts):
        return parts
    if any(map(placeholder, sequences)):
        return "ask"
    short = [pam_of(sequence, 15) for sequence in sequences]
    return "ask" if all(short) and len(set(sequences)) >= 4 else [0] * len(sequences)


class FieldCase(GuidesCase):
    def run_guides(self, *words, code=0):
        """Returns the lines on stderr, the rows of the table and the report."""
        done = self.run_here(*words, "-o", "t.tsv", "--json", "r.json", command="guides")
        self.assertEqual(done.returncode, code, done.stderr.decode())
        lines = [line.replace("basesweep: ", "", 1) for line in done.stderr.decode().splitlines()]
        if code:
            return lines
        return lines, self.rows((self.folder / "t.tsv").read_text()), json.loads((self.folder / "r.json").read_text())

    def places(self, *words):
        self.guides(*words, "-q", "-o", "t.tsv", "--hits", "h.bed")
        return [tuple(line.split("\t")) for line in (self.folder / "h.bed").read_text().splitlines()]

    def lengths(self, report):
        return report["parameters"]["pam_in_guide"], report["min_guide_length"], report["max_guide_length"]


class PamInGuide(FieldCase):
    def test_a_guide_that_ends_like_its_pam(self):
        guide = "TTTGTGGTTAAGGAAAGCGG"
        self.write("x.fa", f">y\nACGTTA{guide}TGGACGT\n")
        self.assertEqual(self.places("-p", guide, "-m", 1, "x.fa"), [("y", "6", "29", guide, "1000", "+")])
        lines, _, report = self.run_guides("-p", guide, "x.fa")
        self.assertEqual((lines, self.lengths(report)), (["guides are 20 bases, without PAM"], ("no", 20, 20)))

    def test_pams_of_n_alone(self):
        """Every sequence ends in NNN, so it says nothing."""
        rng = random.Random(SEED)
        library = [random_bases(rng, 20) for _ in range(30)]
        self.write("lib.txt", "".join(guide + "\n" for guide in library))
        self.write("g.fa", f">c\nACGT{library[0]}{library[1]}\n")
        for pam in ("NNN", "N"):
            for way in ("auto", "no"):
                self.assertEqual(self.places("-f", "lib.txt", "--pam", pam, "--pam-in-guide", way, "-m", 0, "g.fa")[0][:3],
                                 ("c", "4", str(24 + len(pam))))

    def test_lines(self):
        self.write("g.fa", f">c\nACGT{GUIDE}AGG{OTHER}\n")
        five = ["--pam", "TTTV", "--pam-side", "5prime"]
        for sequences, options, line in (
                ([GUIDE], [], "guides are 20 bases, without PAM"),
                ([GUIDE, OTHER[1:]], [], "guides are 19 to 20 bases, without PAM"),
                ([GUIDE + "AGG"], [], "guides are 20 bases; the PAM NGG at the end of each sequence was taken off"),
                ([GUIDE + "NGG", OTHER + "TGG"], [], "guides are 20 bases; the PAM NGG at the end of each sequence was taken off"),
                ([GUIDE + "NNN"], [], "guides are 20 bases; the placeholder of the PAM NGG at the end of each sequence was taken off"),
                ([GUIDE + "TAG"], ["--pam", "NGG,NAG"], "guides are 20 bases; the PAM NGG or NAG at the end of each sequence was taken off"),
                (["TTTA" + GUIDE + "ACG"], five, "guides are 23 bases; the PAM TTTV at the start of each sequence was taken off")):
            words = [*[word for sequence in sequences for word in ("-p", sequence)], *options, "g.fa"]
            self.assertIn(line, self.run_guides(*words)[0])
            self.assertNotIn(line, self.run_guides(*words, "-q")[0])

    def test_short_sequences_that_all_end_in_it(self):
        rng = random.Random(SEED)
        guides = [random_bases(rng, 18) + "GG" for _ in range(4)]
        self.write("g.fa", ">c\n" + "A".join(guide + "TGG" for guide in guides) + "\n")
        for count in (1, 2, 3):
            lines, rows, report = self.run_guides(*[word for guide in guides[:count] for word in ("-p", guide)], "-m", 0, "g.fa")
            self.assertEqual((lines, self.lengths(report)), (["guides are 20 bases, without PAM"], ("no", 20, 20)))
            self.assertEqual([row["mismatches_0"] for row in rows], ["1"] * count)
        self.write("same.txt", (guides[0] + "\n") * 9)  # one sequence, however often, may end so by chance
        self.assertEqual(self.lengths(self.run_guides("-f", "same.txt", "g.fa")[2]), ("no", 20, 20))
        self.write("all.txt", "".join(guide + "\n" for guide in guides))
        self.assertEqual(self.run_guides("-f", "all.txt", "g.fa", code=2),
                         ["all 4 guides end in the PAM NGG: is it a part of them? --pam-in-guide yes takes it off and searches for 17 bases; "
                          "--pam-in-guide no searches for all 20 bases"])
        for way, length, where in (("no", 20, "c:0-23"), ("yes", 17, "c:0-20")):
            lines, rows, report = self.run_guides("-f", "all.txt", "--pam-in-guide", way, "-m", 0, "g.fa", "--hits", "h.bed")
            self.assertEqual(self.lengths(report), (way, length, length))
            self.assertEqual([row["mismatches_0"] for row in rows], ["1"] * 4)
            self.assertEqual("{}:{}-{}".format(*(self.folder / "h.bed").read_text().split("\t")[:3]), where)
            self.assertFalse([line for line in lines if line.startswith("guides are")])
        self.write("more.txt", "".join(guide + "\n" for guide in [*guides, GUIDE]))  # not all end so
        self.assertEqual(self.lengths(self.run_guides("-f", "more.txt", "g.fa")[2]), ("no", 20, 20))

    def test_random_libraries(self):
        """The decision is the one that is documented."""
        self.write("g.fa", ">c\nACGT\n")
        seen = collections.Counter()
        for case in range(60):
            rng = random.Random(SEED + case)
            pams, side = rng.choice([(["NGG"], "3prime"), (["NGG"], "3prime"), (["NRN"], "3prime"), (["NNN"], "3prime"), (["NG", "NGG"], "3prime"),
                                     (["NGG", "NNGRRT"], "3prime"), (["TTTV"], "5prime"), (["TTN", "YTN"], "5prime")])
            endings = rng.sample(["", "", "pam", "pam", "n", "codes", "mix"], rng.choice([1, 1, 1, 2]))
            length = rng.choice([17, 18, 19, 20, 20, 22])
            sequences = []
            for _ in range(rng.choice([1, 2, 3, 4, 5, 12])):
                pam, kind = rng.choice(pams), rng.choice(endings)
                more = {"": "", "pam": "".join(rng.choice(CODES[code]) for code in pam), "n": "N" * len(pam), "codes": pam,
                        "mix": "".join(rng.choice([code, "N"]) for code in pam)}[kind]
                bases = random_bases(rng, length + rng.choice([0, 0, 0, 1]))
                sequences.append(more + bases if side == "5prime" else bases + more)
            self.write("l.txt", "".join(sequence + "\n" for sequence in sequences))
            words = ["-f", "l.txt", "--pam", ",".join(pams), "--pam-side", side, "-m", 0, "g.fa"]
            parts = held(sequences, pams, side)
            if parts == "ask":
                self.run_guides(*words, code=2)
            else:
                left = [len(sequence) - part for sequence, part in zip(sequences, parts)]
                self.assertEqual(self.lengths(self.run_guides(*words)[2]), ("yes" if any(parts) else "no", min(left), max(left)), (case, sequences, pams))
            seen["ask" if parts == "ask" else any(parts)] += 1
        self.assertEqual(len(seen), 3, seen)


class Placeholders(FieldCase):
    def setUp(self):
        super().setUp()
        self.write("g.fa", f">c\nACGT{GUIDE}AGGTTTACA{OTHER}\n")

    def test_spellings(self):
        for spelling in ("NNN", "NGG", "NRG", "AGG", "nnn", ""):
            found = self.places("-p", "g=" + GUIDE + spelling, "-m", 0, "g.fa")
            self.assertEqual(found, [("c", "4", "27", "g", "1000", "+")], spelling)
        for spelling in ("TTTV", "NNNN", "TTTN", "TTNN", ""):
            found = self.places("-p", "g=" + spelling + "CA" + OTHER, "--pam", "TTTV", "--pam-side", "5prime", "-m", 0, "g.fa")
            self.assertEqual(found, [("c", "27", "53", "g", "1000", "+")], spelling)

    def test_longest_of_several(self):
        self.write("s.fa", f">c\nACGT{GUIDE}TGGAGTACG\n")
        for ending, end in (("NNNNNN", "30"), ("NNGRRT", "30"), ("NNN", "27")):
            found = self.places("-p", "g=" + GUIDE + ending, "--pam", "NNGRRT,NGG" if end == "30" else "NGG,NNGRRT", "-m", 0, "s.fa")
            self.assertEqual(found, [("c", "4", end, "g", "1000", "+")], ending)

    def test_only_some(self):
        words = ["-p", "a=" + GUIDE + "NNN", "-p", "b=" + OTHER, "g.fa"]
        self.assertEqual(self.run_guides(*words, code=2),
                         [f"guide 'a' ends in NNN, which stands for the PAM NGG, but guide 'b' ({OTHER}) does not: write all guides with the PAM or "
                          "all without it; with --pam-in-guide no, all letters are searched for"])
        self.assertEqual(self.lengths(self.run_guides(*words, "--pam-in-guide", "no")[2]), ("no", 20, 23))
        self.assertEqual(self.lengths(self.run_guides("-p", GUIDE + "NNN", "-p", OTHER + "AGG", "g.fa")[2]), ("yes", 20, 20))


class CasOffinder(FieldCase):
    def setUp(self):
        super().setUp()
        self.rng = random.Random(SEED)
        self.library(self.rng)
        self.bare = [row["sequence"] for row in self.rows((self.folder / "library.tsv").read_text())]

    def input(self, pattern="N" * 20 + "NRG", ending="NNN", mismatches=3, ids=False, end="\n"):
        lines = ["/var/chromosomes/human hg38", pattern]
        lines += [f"{guide}{ending} {mismatches}" + (f" g{i}" if ids else "") for i, guide in enumerate(self.bare)]
        self.file("in.txt", end.join(lines) + end)

    def test_same_as_options(self):
        expected = self.guides("-f", "library.tsv", "-q", "--pam", "NRG", "-m", 3, "g.fa", "--hits", "e.tsv")
        for ending in ("NNN", "NRG"):
            for end in ("\n", "\r\n", "\n\n"):
                self.input(ending=ending, ids=True, end=end)
                lines, rows, report = self.run_guides("-f", "in.txt", "g.fa", "--hits", "h.tsv")
                self.assertEqual(lines[0], "in.txt is an input of Cas-OFFinder: --pam NRG -m 3 --max-dna-bulges 0 --max-rna-bulges 0; its genome, "
                                 "/var/chromosomes/human hg38, is ignored")
                self.assertIn("guides are 20 bases", lines[1])
                self.assertEqual([{**row, "gene": 0, "sequence": 0} for row in rows], [{**row, "gene": 0, "sequence": 0} for row in self.rows(expected)])
                self.assertEqual((self.folder / "h.tsv").read_text(), (self.folder / "e.tsv").read_text())
                self.assertEqual((report["parameters"]["pam"], report["parameters"]["mismatches"]), ("NRG", 3))

    def test_bulges_and_sides(self):
        self.input("N" * 20 + "NGG 2 1", mismatches=2)
        words = ["-q", "-m", 2, "--max-dna-bulges", 2, "--max-rna-bulges", 1, "g.fa"]
        rows = [list(row.values())[2:] for row in self.rows(self.guides("-f", "in.txt", "-q", "g.fa"))]
        self.assertEqual(rows, [list(row.values())[3:] for row in self.rows(self.guides("-f", "library.tsv", *words))])
        self.assertNotEqual(rows, [list(row.values())[2:] for row in self.rows(self.guides("-f", "in.txt", "-q", "--max-dna-bulges", 0, "g.fa"))])
        self.write("five.txt", "genome.2bit\nTTTV" + "N" * 20 + "\n" + "".join(f"NNNN{guide} 1\n" for guide in self.bare))
        found = [list(row.values())[2:] for row in self.rows(self.guides("-f", "five.txt", "-q", "g.fa"))]
        expected = self.guides("-f", "library.tsv", "-q", "--pam", "TTTV", "--pam-side", "5prime", "-m", 1, "g.fa")
        self.assertEqual(found, [list(row.values())[3:] for row in self.rows(expected)])

    def test_conflicts_and_faults(self):
        self.input()
        for words, message in ((["--pam", "NGG"], "--pam NGG and in.txt, an input of Cas-OFFinder with --pam NRG, conflict: leave the option out"),
                               (["--pam-side", "5prime"], "--pam-side 5prime and in.txt"), (["--pam-in-guide", "no"], "--pam-in-guide no: the guides of in.txt"),
                               (["--name-column", "1"], "in.txt is an input of Cas-OFFinder: --name-column")):
            self.assertIn(message, self.bad("-f", "in.txt", *words, "g.fa", code=2))
        self.assertEqual(self.run_guides("-f", "in.txt", "--pam", "nrg", "-m", 1, "g.fa")[2]["parameters"]["mismatches"], 1)
        self.assertIn("this is an input of Cas-OFFinder: 'basesweep guides -f in.txt' reads it", self.bad("-f", "in.txt", "-p", GUIDE, "g.fa"))
        done = self.run_here("-f", "in.txt", "g.fa", command="motif")
        self.assertIn("this is an input of Cas-OFFinder", done.stderr.decode())
        text = (self.folder / "in.txt").read_text()
        self.write("two.txt", text + self.bare[0] + "NNN 5\n")
        self.assertIn("two.txt: guides have different numbers of mismatches (3 in line 3, 5 in line 15): -m N sets one for all", self.bad("-f", "two.txt", "g.fa", code=2))
        self.assertEqual(len(self.run_guides("-f", "two.txt", "-m", 4, "g.fa")[1]), 13)
        for line, message in ((self.bare[0] + "NN 3", "expected a guide of 23 letters"), (self.bare[0] + "NNN", "expected a guide of 23 letters"),
                              (self.bare[0] + "NNN x", "expected a guide of 23 letters"), (self.bare[0][:-1] + "XNNN 3", "'X' is not a nucleotide")):
            self.write("bad.txt", text + line + "\n")
            self.assertIn("bad.txt: line 15: ", self.bad("-f", "bad.txt", "g.fa"))
            self.assertIn(message, self.bad("-f", "bad.txt", "g.fa"))
        self.input("N" * 20 + "NRG 1")
        self.assertIn("in.txt: line 2: expected two numbers behind the pattern", self.bad("-f", "in.txt", "g.fa"))
        self.input("N" * 20 + "NRG 1 10")
        self.assertIn("in.txt: --max-rna-bulges 10: at most 9 are allowed", self.bad("-f", "in.txt", "g.fa"))
        self.input(ending="AGG")
        self.assertIn("in.txt: line 2: expected guides with N in place of the PAM", self.bad("-f", "in.txt", "g.fa"))


class NoPlace(FieldCase):
    def test_wrong_genome(self):
        rng = random.Random(SEED)
        guides = [random_bases(rng, 20) for _ in range(9)]
        self.write("l.txt", "".join(guide + "\n" for guide in guides))
        copy = guides[0] + "AGG"
        bulge = guides[1][:10] + random_bases(rng, 1).translate(str.maketrans("ACGT", "CATA")) + guides[1][10:] + "TGG"
        near = guides[2][:5] + reverse_complement(guides[2][5]) + guides[2][6:] + "CGG"
        self.write("g.fa", ">a\n" + "ATATA".join(["", copy, bulge, near, ""]) + "\n")
        lines, rows, report = self.run_guides("-f", "l.txt", "-m", 1, "--max-dna-bulges", 1, "g.fa")
        self.assertIn("warning: 8 of 9 guides have no exact copy in this input", lines)
        self.assertEqual((report["guides_without_exact_copy"], report["guides"]), (8, 9))
        scores = [(row["mit_specificity"], row["cfd_specificity"], row["places"]) for row in rows]
        self.assertEqual(scores[0][0], "100.0000")
        self.assertEqual((scores[1][0], scores[1][2]), (".", "1"))  # the MIT score leaves out places with a bulge
        self.assertNotIn(".", {scores[1][1], *scores[2]})
        self.assertEqual(scores[3:], [(".", ".", "0")] * 6)
        self.assertEqual([row["unique"] for row in rows], ["yes"] + ["no"] * 8)
        lines, rows, report = self.run_guides("-f", "l.txt", "-m", 1, "--region", "a:1-3", "g.fa")
        self.assertIn("warning: 9 of 9 guides have no exact copy in these regions", lines)
        self.assertEqual({row["cfd_specificity"] for row in rows}, {"."})
        self.assertNotIn("exact copy", " ".join(self.run_guides("-p", guides[0], "g.fa")[0]))
        self.assertIn("warning: 1 of 2 guides has no exact copy in this input", self.run_guides("-p", guides[0], "-p", guides[3], "g.fa")[0])

    def test_chunks(self):
        rng = random.Random(SEED)
        self.library(rng)
        self.write("more.tsv", (self.folder / "library.tsv").read_text() + "".join(f"x{i}\tx\t{random_bases(rng, 20)}\n" for i in range(5)))
        words = ["-f", "more.tsv", "-m", 2, "--max-rna-bulges", 1, "g.fa"]
        lines, _, whole = self.run_guides(*words)
        count = whole["guides_without_exact_copy"]
        self.assertTrue(5 <= count < 17)
        warning = f"warning: {count} of 17 guides have no exact copy in this input"
        self.assertIn(warning, lines)
        table = (self.folder / "t.tsv").read_text()
        for i in (1, 2, 3):
            done = self.run_here(*words, "--chunk", f"{i}/3", "-o", f"{i}.bsp", "--json", f"r{i}.json", command="guides")
            self.assertEqual((done.returncode, b"exact copy" in done.stderr), (0, False))
        merged = self.run_here("1.bsp", "2.bsp", "3.bsp", "--json", "r.json", command="merge")
        self.assertEqual(merged.stdout.decode(), table)
        self.assertIn(warning, merged.stderr.decode())
        self.assertNotIn(warning, self.run_here("1.bsp", "2.bsp", "3.bsp", "-q", command="merge").stderr.decode())
        chunks = [json.loads((self.folder / f"r{i}.json").read_text()) for i in (1, 2, 3)]
        self.assertEqual(sum(chunk["hits"] for chunk in chunks), whole["hits"])
        self.assertTrue(all(count <= chunk["guides_without_exact_copy"] <= 17 for chunk in chunks))
        report, whole = without_origin(json.loads((self.folder / "r.json").read_text())), without_origin(whole)
        report.pop("inputs"), whole.pop("inputs")
        self.assertEqual(report, whole)
        self.assertEqual(list(report), list(whole))


class Names(FieldCase):
    def setUp(self):
        super().setUp()
        self.write("g.fa", f">r\nACGT{GUIDE}AGGA{OTHER}TGGA{GUIDE[1:]}AAGG\n")

    def ids(self):
        return collections.Counter(row["#Id"] for row in self.hits("h.tsv"))

    def test_genes(self):
        self.write("l.csv", f"gene,guide\nVEGFA,{GUIDE}\nVEGFA,{OTHER}\nEMX1,{GUIDE[1:]}A\n")
        table = self.guides("-f", "l.csv", "-m", 0, "g.fa", "--hits", "h.tsv")
        self.assertEqual(table.split("\t")[:3], ["name", "gene", "guide"])
        self.assertEqual([(row["name"], row["gene"], row["guide"], row["places"]) for row in self.rows(table)],
                         [("VEGFA_1", "VEGFA", GUIDE, "1"), ("VEGFA_2", "VEGFA", OTHER, "1"), ("EMX1", "EMX1", GUIDE[1:] + "A", "1")])
        self.assertEqual(self.ids(), {"VEGFA_1": 1, "VEGFA_2": 1, "EMX1": 1})
        self.write("once.csv", f"gene,guide\nVEGFA,{GUIDE}\nEMX1,{OTHER}\n")  # nothing to number
        self.assertEqual(self.guides("-f", "once.csv", "-m", 0, "g.fa").split("\t")[:2], ["gene", "guide"])
        # Numbers whose names are in use are passed over; a column that is called name keeps its place.
        self.write("l.tsv", f"id\tname\tguide\n1\tA\t{GUIDE}\n2\tA_1\t{OTHER}\n3\tA\t{OTHER}\n4\tA\t{GUIDE}\n")
        table = self.rows(self.guides("-f", "l.tsv", "-m", 0, "g.fa", "--hits", "h.tsv"))
        self.assertEqual([row["name"] for row in table], ["A_2", "A_1", "A_3", "A_2"])
        self.assertEqual(self.ids(), {"A_2": 1, "A_1": 1, "A_3": 1})
        # --name-column chooses names that need no numbers.
        table = self.guides("-f", "l.tsv", "--name-column", "id", "-m", 0, "g.fa", "--hits", "h.tsv")
        self.assertEqual(table.split("\t")[:3], ["id", "name", "guide"])
        self.assertEqual(self.ids(), {"1": 1, "2": 1, "3": 1, "4": 1})
        self.write("k.tsv", f"gene\tname\tguide\nB\tx\t{GUIDE}\nB\ty\t{OTHER}\n")
        table = self.guides("-f", "k.tsv", "--name-column", "gene", "-m", 0, "g.fa", "--hits", "h.tsv")
        self.assertEqual(table.split("\t")[:4], ["guide_name", "gene", "name", "guide"])
        self.assertEqual(self.ids(), {"B_1": 1, "B_2": 1})

    def test_a_sequence_twice(self):
        """It has two rows, and its places once under each of its names."""
        self.write("l.txt", f"{GUIDE}\n{OTHER}\n{GUIDE}\n")
        once = self.rows(self.guides("-p", GUIDE, "-p", OTHER, "-m", 3, "g.fa", "--hits", "e.tsv"))
        for form in ("tsv", "bed", "sam"):
            rows = self.rows(self.guides("-f", "l.txt", "-m", 3, "g.fa", "--hits", f"h.{form}"))
            self.assertEqual([list(row.values()) for row in rows], [list(once[i].values())[1:] for i in (0, 1, 0)])
        self.assertEqual((self.folder / "h.tsv").read_text(), (self.folder / "e.tsv").read_text())
        self.write("two.fa", f">a\n{GUIDE}\n>b\n{OTHER}\n>c\n{GUIDE}\n")
        rows = self.rows(self.guides("-f", "two.fa", "-m", 3, "g.fa", "--hits", "h.tsv"))
        self.assertEqual([list(row.values())[2:] for row in rows], [list(once[i].values())[2:] for i in (0, 1, 0)])
        places = collections.Counter(row["#Id"] for row in self.hits("e.tsv"))
        self.assertEqual(self.ids(), {"a": places[GUIDE], "b": places[OTHER], "c": places[GUIDE]})
        self.write("one.fa", f">a\n{GUIDE}\n>a\n{OTHER}\n>a\n{GUIDE}\n")
        rows = self.rows(self.guides("-f", "one.fa", "-m", 3, "g.fa"))
        self.assertEqual([(row["name"], row["sequence"]) for row in rows], [("a_1", GUIDE), ("a_2", OTHER), ("a_1", GUIDE)])
        self.assertEqual([row["name"] for row in self.rows(self.guides("-f", "two.fa", "-f", "one.fa", "-p", "c=" + OTHER, "g.fa"))],
                         ["a_1", "b", "c_1", "a_1", "a_2", "a_1", "c_2"])

    def test_large_library_with_twins(self):
        """The same table and places as of a library without twins, in chunks too."""
        rng = random.Random(SEED)
        guides = self.library(rng)
        self.write("twins.tsv", "name\tsequence\n" + "".join(f"t{i}\t{rng.choice([guide, guide.lower(), guide.replace('T', 'U')])}\n"
                                                              for i, guide in enumerate(guides + guides)))
        words = ["-m", 3, "--max-dna-bulges", 1]
        plain = self.rows(self.guides("-f", "library.tsv", *words, "g.fa", "--hits", "e.tsv"))
        table = self.guides("-f", "twins.tsv", *words, "g.fa", "--hits", "h.tsv")
        self.assertEqual([list(row.values())[2:] for row in self.rows(table)], [list(row.values())[3:] for row in plain + plain])
        self.assertEqual(self.guides("-f", "twins.tsv", *words, "g.fa"), table)
        self.assertEqual(len(self.hits("h.tsv")), 2 * len(self.hits("e.tsv")))
        for i in (1, 2):
            self.guides("-f", "twins.tsv", *words, "g.fa", "--chunk", f"{i}/2", "-o", f"{i}.bsp", "--hits", "h.tsv")
        self.assertEqual(self.run_here("1.bsp", "2.bsp", "--hits", "m.tsv", command="merge").stdout.decode(), table)
        self.assertEqual((self.folder / "m.tsv").read_text(), (self.folder / "h.tsv").read_text())
        # A bare list: the same name, so its places are written once.
        self.write("bare.txt", "".join(guide + "\n" for guide in guides + guides))
        table = self.guides("-f", "bare.txt", *words, "g.fa", "--hits", "h.tsv")
        self.assertEqual(len(self.hits("h.tsv")), len(self.hits("e.tsv")))
        for i in (1, 2):
            self.guides("-f", "bare.txt", *words, "g.fa", "--chunk", f"{i}/2", "-o", f"{i}.bsp", "--hits", "h.tsv")
        self.assertEqual(self.run_here("1.bsp", "2.bsp", "--hits", "m.tsv", command="merge").stdout.decode(), table)
        self.assertEqual((self.folder / "m.tsv").read_text(), (self.folder / "h.tsv").read_text())

    def test_other_commands_refuse(self):
        """A name of two patterns is an error elsewhere; another column is advised only where there is one."""
        for text, advice in (("gene,guide\nA,{}\nA,{}\n", False), ("gene,guide,id\nA,{},1\nA,{},2\n", True)):
            self.write("l.csv", text.format(GUIDE, OTHER))
            done = self.run_here("-f", "l.csv", *(["--name-column", "gene"] if advice else []), "g.fa", command="motif")
            self.assertEqual((done.returncode, b"--name-column chooses another column" in done.stderr), (3, advice), done.stderr)


class TopOfRegions(FieldCase):
    def setUp(self):
        super().setUp()
        rng = random.Random(SEED)
        records = [(f"r{i}", random_bases(rng, 700)) for i in range(2)]
        self.write("g.fa", fasta(records))
        self.write("g.fa.fai", fai(records))
        self.words = ["--design", "-m", 3, "-q", "g.fa"]
        self.all = self.rows(self.guides(*self.words))

    def best(self, record, begin, end, count, region):
        inside = [row for row in self.all if row["record"] == record and begin <= int(row["start"]) < end]
        ranked = sorted(inside, key=lambda row: (-float(row["cfd_specificity"]), -float(row["mit_specificity"]), self.all.index(row)))[:count]
        return [{**row, "region": region} for row in self.all if row in ranked]

    def test_regions_as_given(self):
        regions = [("r1", 100, 300, ""), ("r0", 0, 200, "first"), ("r0", 100, 400, ""), ("r0", 200, 260, "touches"), ("r0", 150, 160, ""),
                   ("r0", 100, 400, "again")]
        lines = ["\t".join(map(str, region)).rstrip("\t") + "\n" for region in regions]
        self.write("regions.bed", "".join(lines))
        for count in (1, 2, 50):
            expected = [row for record, begin, end, name in regions
                        for row in self.best(record, begin, end, count, name or f"{record}:{begin + 1}-{end}")]
            for index in (True, False):
                if not index and (self.folder / "g.fa.fai").exists():
                    (self.folder / "g.fa.fai").unlink()
                table = self.rows(self.guides(*self.words, "--top", count, "--regions-file", "regions.bed"))
                self.assertEqual(table, expected)
            # From a pipe, which can be read once.
            done = subprocess.run(["bash", "-c", f"{BINARY} guides --design -m 3 -q g.fa --top {count} --regions-file <(cat regions.bed)"],
                                  cwd=self.folder, capture_output=True, env=environment(), check=True)
            self.assertEqual(self.rows(done.stdout.decode()), expected)
        words = [word for region in ("r0:1-200", "r0:101-400", "r1") for word in ("--region", region)]
        expected = self.best("r0", 0, 200, 2, "r0:1-200") + self.best("r0", 100, 400, 2, "r0:101-400") + self.best("r1", 0, 999, 2, "r1")
        self.assertEqual(self.rows(self.guides(*self.words, "--top", 2, *words)), expected)
        # Without --top each guide has one row.
        plain = self.rows(self.guides(*self.words, *words))
        self.assertEqual(plain, [row for row in self.all if row["record"] == "r1" or int(row["start"]) < 400])

    def test_without_guides(self):
        self.write("regions.bed", "r0\t0\t400\nr0\t5\t6\tempty\nr0\t7\t7\n")
        done = self.run_here("--design", "-m", 1, "--top", 1, "--regions-file", "regions.bed", "g.fa", command="guides")
        self.assertIn("warning: no guide in region r0:6-6\n", done.stderr.decode())
        self.assertEqual(done.stderr.decode().count("no guide in region"), 1)
        self.assertEqual(len(self.rows(done.stdout.decode())), 1)

    def test_records_of_one_name(self):
        """A region of that name is one region, though it is of two records."""
        rng = random.Random(SEED + 1)
        self.write("two.fa", fasta([("r", random_bases(rng, 300)), ("s", random_bases(rng, 200)), ("r", random_bases(rng, 400))]))
        words = ["--design", "-m", 3, "-q", "two.fa"]
        everything = self.rows(self.guides(*words))
        for region, end in (("r", 999), ("r:1-150", 150)):
            inside = [i for i, row in enumerate(everything) if row["record"] == "r" and int(row["start"]) < end]
            ranked = sorted(inside, key=lambda i: (-float(everything[i]["cfd_specificity"]), -float(everything[i]["mit_specificity"]), i))[:4]
            found = self.rows(self.guides(*words, "--top", 4, "--region", region))
            self.assertEqual(found, [{**everything[i], "region": region} for i in sorted(ranked)])
