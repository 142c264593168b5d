"""`guides`: the table against the places, columns of the input, PAMs, scores, reports, errors. (tests/conformance/test_guides.cpp compares places
with the oracle.)"""
import json
import random

from chunk_support import fai, fasta
from map_support import SEED, random_bases
from naive_match import reverse_complement
from support import Case, without_origin

COLUMNS = ["mit_specificity", "cfd_specificity", "unique", "worst_place", "worst_mismatches", "worst_bulge"]


def mutated(rng, letters, times):
    letters = list(letters)
    for _ in range(times):
        letters[rng.randrange(len(letters))] = rng.choice("ACGT")
    return "".join(letters)


class GuidesCase(Case):
    def guides(self, *words, **options):
        done = self.run_here(*words, command="guides", **options)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout.decode()

    def merge(self, *words):
        done = self.run_here(*words, command="merge")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done.stdout.decode()

    def read(self, name):
        return (self.folder / name).read_bytes()

    def bad(self, *words, code=3, **options):
        done = self.run_here(*words, command="guides", **options)
        self.assertEqual(done.returncode, code, done.stderr.decode())
        return done.stderr.decode()

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def rows(self, text):
        lines = [line.split("\t") for line in text.splitlines()]
        return [dict(zip(lines[0], line)) for line in lines[1:]]

    def hits(self, name):
        return self.rows((self.folder / name).read_text())

    def library(self, rng, count=12):
        """Writes a genome with places of random guides, and the guides; returns the latter."""
        guides = [random_bases(rng, 20) for _ in range(count)]
        records = []
        for number in range(2):
            text = ""
            for _ in range(60):
                guide = mutated(rng, rng.choice(guides), rng.randrange(4))
                at = rng.randrange(2, 18)
                guide = rng.choice([guide, guide[:at] + rng.choice("ACGT") + guide[at:], guide[:at] + guide[at + 1:]])
                place = guide + rng.choice("ACGT") + rng.choice(["GG", "GG", "AG"])
                text += rng.choice([place, reverse_complement(place)]) + random_bases(rng, rng.randrange(30))
            records.append((f"r{number}", text))
        self.write("g.fa", fasta(records))
        self.write("g.fa.fai", fai(records))
        self.write("library.tsv", "name\tgene\tsequence\n" + "".join(f"g{i}\tgene {i}\t{guide}\n" for i, guide in enumerate(guides)))
        return guides


class Table(GuidesCase):
    def check(self, guides, table, hits, mismatches, bulge):
        places = ["mismatches_" + str(i) for i in range(mismatches + 1)]
        places += [f"bulge_{size}_mismatches_{i}" for size in range(1, bulge + 1) for i in range(mismatches + 1)]
        rows = self.rows(table)
        self.assertEqual(list(rows[0]), ["name", "gene", "sequence", "places", *places, *COLUMNS])
        self.assertEqual([row["sequence"] for row in rows], guides)
        for row in rows:
            own = [hit for hit in hits if hit["#Id"] == row["name"]]
            self.assertEqual(int(row["places"]), len(own))
            counts = dict.fromkeys(places, 0)
            for hit in own:
                counts[("" if hit["Bulge Size"] == "0" else f"bulge_{hit['Bulge Size']}_") + "mismatches_" + hit["Mismatches"]] += 1
            self.assertEqual({name: int(row[name]) for name in places}, counts)
            exact = [hit for hit in own if (hit["Bulge Size"], hit["Mismatches"]) == ("0", "0")]
            mit = sum(round(float(hit["MIT"]) * 1e6) for hit in own if hit["MIT"] != ".") - 1_000_000 * bool(exact)
            cfd = sum(round(float(hit["CFD"]) * 1e6) for hit in own) - max([round(float(hit["CFD"]) * 1e6) for hit in exact], default=0)
            scored = {"mit_specificity": [hit for hit in own if hit["MIT"] != "."], "cfd_specificity": own}
            for name, total in (("mit_specificity", mit), ("cfd_specificity", cfd)):
                if not scored[name]:
                    self.assertEqual(row[name], ".")
                    continue
                self.assertAlmostEqual(float(row[name]), 100 / (1 + total / 1e6), delta=1e-4)
            self.assertEqual(row["unique"], "yes" if len(own) == 1 == len(exact) else "no")
            nearest = sorted((hit["Bulge Size"], hit["Mismatches"], hit["Chromosome"], int(hit["Location"])) for hit in own)[bool(exact):]
            if not nearest:
                self.assertEqual((row["worst_place"], row["worst_mismatches"], row["worst_bulge"]), (".", ".", "."))
                continue
            self.assertEqual((row["worst_bulge"], row["worst_mismatches"]), nearest[0][:2])
            self.assertTrue(row["worst_place"].startswith(f"{nearest[0][2]}:{nearest[0][3]}-"), row)

    def test_sums(self):
        for case in range(6):
            rng = random.Random(SEED + case)
            guides = self.library(rng)
            mismatches, bulge = rng.randint(0, 5), rng.randint(0, 2)
            words = ["-f", "library.tsv", "-m", mismatches, "--max-dna-bulges", bulge, "--max-rna-bulges", rng.randint(0, bulge), "g.fa"]
            table = self.guides(*words, "--hits", "h.tsv", "-t", 3)
            self.check(guides, table, self.hits("h.tsv"), mismatches, bulge)
            self.assertEqual(self.guides(*words, "--batch-bases", rng.randint(20, 500), "-t", 1), table)
            self.guides(*words, "--hits", "h.bed", "-o", "t.tsv")
            bed = [line.split("\t") for line in (self.folder / "h.bed").read_text().splitlines()]
            self.assertEqual([(line[0], line[1], line[3], line[5]) for line in bed],
                             [(hit["Chromosome"], hit["Location"], hit["#Id"], hit["Direction"]) for hit in self.hits("h.tsv")])

    def test_regions(self):
        rng = random.Random(SEED)
        self.library(rng)
        words = ["-f", "library.tsv", "-m", 3, "--max-dna-bulges", 1, "g.fa"]
        self.guides(*words, "--hits", "all.tsv")
        for index in (True, False):
            if not index:
                (self.folder / "g.fa.fai").unlink()
            self.guides(*words, "--region", "r1:201-600", "--hits", "some.tsv", "-q")
            self.assertEqual(self.hits("some.tsv"), [hit for hit in self.hits("all.tsv")
                                                     if hit["Chromosome"] == "r1" and 200 <= int(hit["Location"]) < 600])

    def test_chunks(self):
        """`merge` makes the table, the places and the report of one run from those of chunks."""
        rng = random.Random(SEED + 1)
        self.library(rng)
        for chunks in (2, 5):
            words = ["-f", "library.tsv", "-m", rng.randint(2, 5), "--max-rna-bulges", rng.randint(0, 1), "g.fa"]
            whole = self.guides(*words, "--json", "whole.json")
            for i in range(1, chunks + 1):
                self.guides(*words, "--hits", "places.bed", "-o", f"{i}.bsp", "--json", f"r{i}.json", "--chunk", f"{i}/{chunks}")
            self.assertFalse((self.folder / "places.bed").exists(), "the part has the places")
            parts = [f"{i}.bsp" for i in rng.sample(range(1, chunks + 1), chunks)]
            for form in ("tsv", "bed.gz", "csv", "jsonl"):
                self.guides(*words, "--hits", f"whole.{form}", "-o", f"whole.table.{form[:3]}" if form == "csv" else "whole.table.tsv")
                merged = self.merge(*parts, "--hits", f"merged.{form}", "--json", "merged.json")
                self.assertEqual(merged, whole)
                self.assertEqual(self.read(f"merged.{form}"), self.read(f"whole.{form}"))
                report, expected = json.loads(self.read("merged.json")), json.loads(self.read("whole.json"))
                self.assertEqual(without_origin(report), without_origin(expected))
            self.merge(*parts, "-o", "merged.csv", "-q")
            self.assertEqual(self.read("merged.csv"), self.read("whole.table.csv"))

    def test_parts_without_places(self):
        """A table needs no places, and a part with places tells what could be written."""
        self.library(random.Random(SEED + 3))
        words = ["-f", "library.tsv", "-m", 3, "g.fa"]
        whole = self.guides(*words)
        for i in (1, 2):
            self.guides(*words, "-o", f"{i}.bsp", "--chunk", f"{i}/2")
            self.guides(*words, "--hits", "-", "-o", f"p{i}.bsp", "--chunk", f"{i}/2")
        self.assertEqual(self.merge("1.bsp", "2.bsp"), whole)
        done = self.run_here("1.bsp", "2.bsp", "--hits", "h.bed", command="merge")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the chunks kept no places: run them with --hits too", done.stderr.decode())
        self.assertFalse((self.folder / "h.bed").exists())
        done = self.run_here("p1.bsp", "p2.bsp", command="merge")
        self.assertEqual(done.stdout.decode(), whole)
        self.assertIn("the parts have places too: --hits FILE writes them", done.stderr.decode())
        done = self.run_here("p1.bsp", "2.bsp", command="merge")
        self.assertEqual(done.returncode, 3)
        self.assertIn("not of one run", done.stderr.decode())

    def test_chunks_of_reads(self):
        """Chunks of FASTQ, with empty reads, and of an input of Cas-OFFinder, which has PAM and limits of its own."""
        rng = random.Random(SEED + 4)
        self.library(rng)
        guide = random_bases(rng, 20)
        reads = [random_bases(rng, rng.choice((0, 9, 60))) + mutated(rng, guide, rng.randint(0, 3)) + "AGG" for _ in range(60)] + [""] * 3
        rng.shuffle(reads)
        self.write("r.fq", "".join(f"@q{i}\n{letters}\n+\n{'I' * len(letters)}\n" for i, letters in enumerate(reads)))
        self.write("cas.txt", "genome\nNNNNNNNNNNNNNNNNNNNNNRG 1 1\n" + guide + "NNN 3\n")
        for words in (["-p", guide, "-m", 3, "r.fq"], ["-f", "cas.txt", "r.fq"], ["-f", "cas.txt", "g.fa"]):
            whole = self.guides(*words, "--hits", "whole.tsv", "-q")
            for i in (1, 2, 3):
                self.guides(*words, "-o", f"{i}.bsp", "--hits", "h", "-q", "--chunk", f"{i}/3")
            self.assertEqual(self.merge("3.bsp", "2.bsp", "1.bsp", "--hits", "merged.tsv", "-q"), whole)
            self.assertEqual(self.read("merged.tsv"), self.read("whole.tsv"))

    def test_damaged(self):
        """A part whose bytes were changed is refused, and its name told."""
        self.library(random.Random(SEED + 2))
        self.guides("-f", "library.tsv", "-m", 3, "g.fa", "--hits", "h", "--chunk", "1/1", "-o", "part.bsp")
        whole = self.read("part.bsp")
        rng = random.Random(SEED)
        for at in [len(whole) - 70, *(rng.randrange(len(whole)) for _ in range(30))]:
            self.file("part.bsp", whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1:])
            done = self.run_here("part.bsp", "-o", "t.tsv", "--hits", "h.tsv", command="merge")
            self.assertEqual(done.returncode, 3, (at, done.stderr))
            self.assertIn("part.bsp", done.stderr.decode())
            self.assertFalse((self.folder / "t.tsv").exists() or (self.folder / "h.tsv").exists())

    def test_report(self):
        self.library(random.Random(SEED))
        table = self.rows(self.guides("-f", "library.tsv", "-m", 2, "g.fa", "--json", "r.json"))
        report = json.loads((self.folder / "r.json").read_text())
        self.assertEqual((report["command"], report["guides"], report["parameters"]["pam_in_guide"]), ("guides", 12, "no"))
        self.assertEqual(report["places"], {f"mismatches_{i}": sum(int(row[f"mismatches_{i}"]) for row in table) for i in range(3)})
        self.assertEqual(report["hits"], sum(report["places"].values()))


class Guides(GuidesCase):
    GUIDE = "GACGTTACCATGGCATTGCA"

    def setUp(self):
        super().setUp()
        self.write("g.fa", f">r\nTT{self.GUIDE}TGGTTTTT{self.GUIDE}CAGAA\n>s\nAATTTC{self.GUIDE}\n")

    def place(self, *words):
        self.guides(*words, "g.fa", "-m", 0, "--hits", "h.tsv", "-q", "-o", "t.tsv")
        return [(hit["crRNA"], hit["DNA"], hit["Chromosome"], hit["Location"], hit["Direction"]) for hit in self.hits("h.tsv")]

    def test_pams(self):
        guide = self.GUIDE
        ngg = (f"{guide}NGG", f"{guide}TGG", "r", "2", "+")
        nag = (f"{guide}NAG", f"{guide}CAG", "r", "30", "+")
        self.assertEqual(self.place("-p", guide), [ngg])
        self.assertEqual(self.place("-p", guide, "--pam", "NGG,NAG"), [ngg, nag])
        self.assertEqual(self.place("-p", guide, "--pam", "NAG", "--pam", "NGG"), [ngg, nag])
        self.assertEqual(self.place("-p", guide, "--pam", "TTTV", "--pam-side", "5prime"), [(f"TTTV{guide}", f"TTTC{guide}", "s", "2", "+")])

    def test_pam_in_guide(self):
        guide = self.GUIDE
        self.assertEqual([hit[3] for hit in self.place("-p", guide + "NGG")], ["2"])
        self.assertEqual([hit[3] for hit in self.place("-p", guide + "TGG")], ["2"])
        self.assertEqual(self.place("-p", guide + "TGG", "--pam-in-guide", "no"), [])
        self.assertEqual([hit[3] for hit in self.place("-p", guide + "TGG", "--pam-in-guide", "no", "--pam", "T")], ["2"])
        # Only if all have it. Either way stderr says what was decided, unless an option did.
        for words, says in ((["-p", guide + "NGG"], "guides are 20 bases; the PAM NGG at the end of each sequence was taken off"),
                            (["-p", "a=" + guide + "TGG", "-p", "b=" + guide], "guides are 20 to 23 bases, without PAM"),
                            (["-p", guide], "guides are 20 bases, without PAM"), (["-p", guide, "-q"], ""), (["-p", guide, "--pam-in-guide", "no"], "")):
            done = self.run_here(*words, "g.fa", command="guides")
            self.assertEqual([line for line in done.stderr.decode().splitlines() if "scores" not in line and "exact copy" not in line],
                             [f"basesweep: {says}"][:bool(says)])
        self.assertEqual([hit[0] for hit in self.place("-p", "a=" + guide + "TGG", "-p", "b=" + guide)], [guide + "NGG"])
        self.assertIn("'b': 'GACGTTACCATGGCATTGCA' is not 15 to 30 bases before the PAM NGG, as --pam-in-guide yes says",
                      self.bad("-p", "a=" + guide + "TGG", "-p", "b=" + guide, "--pam-in-guide", "yes", "g.fa", code=2))

    def test_columns(self):
        guide = self.GUIDE
        for text, header, row in ((f">a b c\n{guide}\n", ["name", "sequence"], ["a", guide]),
                                  (f"{guide}\n", ["sequence"], [guide]),
                                  (f"a\t{guide}\t\"x y\"\n", ["name", "sequence", "column_3"], ["a", guide, "x y"]),
                                  (f"#id,guide,note\na,{guide.lower()},\n", ["id", "guide", "note"], ["a", guide.lower(), ""])):
            self.write("l", text)
            lines = [line.split("\t") for line in self.guides("-f", "l", "g.fa").splitlines()]
            self.assertEqual([line[:len(header)] for line in lines], [header, row])
            self.assertEqual(lines[0][len(header)], "places")

    def test_columns_of_the_same_name(self):
        """A column of the input gets a name of its own, in all tables; what it holds stays."""
        self.write("l.csv", f"name,guide,name,places,input_name,unique,features\na,{self.GUIDE},b,7,c,d,e\n")
        own = ["name", "guide", "input_name", "input_places", "input_input_name", "input_unique", "features"]
        values = ["a", self.GUIDE, "b", "7", "c", "d", "e"]
        for ending, mark in (("tsv", "\t"), ("csv", ",")):
            self.guides("-q", "-f", "l.csv", "g.fa", "-o", f"t.{ending}")
            header, row = [line.split(mark) for line in self.read(f"t.{ending}").decode().splitlines()]
            self.assertEqual((header[:8], row[:7]), ([*own, "places"], values))
            self.assertEqual(len(set(header)), len(header))
        self.guides("-q", "-f", "l.csv", "g.fa", "-o", "t.jsonl")
        pairs = json.loads(self.read("t.jsonl"), object_pairs_hook=list)
        self.assertEqual(([name for name, _ in pairs], [value for _, value in pairs[:7]]), (header, values))
        self.write("features.gff3", "##gff-version 3\n")  # with --annotate the table has a column of this name too
        self.guides("-q", "-f", "l.csv", "g.fa", "--annotate", "features.gff3", "-o", "t.csv")
        self.assertEqual(self.read("t.csv").decode().split(",")[:7], own[:6] + ["input_features"])

    def test_scores(self):
        """Only 20 bases before NGG have scores; the others are named in one warning."""
        self.write("l.tsv", f"a\t{self.GUIDE}\nb\t{self.GUIDE[1:]}\n")
        done = self.run_here("-f", "l.tsv", "g.fa", command="guides")
        self.assertEqual(done.stderr.decode().splitlines(True)[1], "basesweep: warning: 1 of 2 guides has no scores: MIT and CFD need 20 bases before NGG\n")
        rows = self.rows(done.stdout.decode())
        self.assertEqual([(row["mit_specificity"], row["cfd_specificity"]) for row in rows], [("100.0000", "100.0000"), (".", ".")])

    def test_bad_guides(self):
        guide = self.GUIDE
        for words, code, message in (
            (["-p", guide[:14]], 2, "14 bases: a guide has 15 to 30"),
            (["-p", guide + guide], 2, "40 bases: a guide has 15 to 30"),
            (["-p", guide, "-m", "20"], 2, "20 bases are too few for 20 mismatches and bulges of 0"),
            (["-p", guide, "--seed", "21"], 2, "20 bases are too few for a seed of 21"),
            (["-p", guide + "|" + guide], 2, "a guide has one sequence"),
            (["-p", guide, "--pam", "NGX"], 2, "--pam NGX: position 3: 'X' is not a nucleotide or IUPAC code"),
            (["-p", guide, "--pam", "NGG,"], 0, ""),
            (["-p", guide, "--pam", "N" * 17], 2, "expected 1 to 16 nucleotides or IUPAC codes"),
            (["-p", guide, "--seed-mismatches", "1"], 2, "--seed-mismatches needs --seed"),
            (["-p", guide, "-o", "t.bed"], 2, "bed"),
            (["-p", guide, "--hits", "g.fa"], 2, "g.fa"),
            ([], 2, "no guide given: use -f or -p, or --design"),
            (["-p", guide, "--hits", "h.xlsx"], 2, "name the file .tsv, .csv, .jsonl, .bed, .sam, .bam or .cram\n"),
        ):
            done = self.run_here(*words, "g.fa", command="guides")
            self.assertEqual(done.returncode, code, (words, done.stderr))
            self.assertIn(message, done.stderr.decode(), words)
        for text, message in ((f"a\t{guide}\nb\t{guide[:8]}X{guide[9:]}\n", "line 2: pattern 'b', position 9: 'X' is not a nucleotide"),
                              (f"a\t{guide}\nb\tACGT\n", "pattern 'b'")):
            self.write("bad.tsv", text)
            self.assertIn(message, self.bad("-f", "bad.tsv", "g.fa"))

    def test_empty(self):
        """No place: a table all the same, and empty hits."""
        self.write("none.fa", ">n\nACGT\n")
        self.assertEqual([row["places"] for row in self.rows(self.guides("-p", self.GUIDE, "none.fa", "--hits", "h.tsv"))], ["0"])
        self.assertEqual(self.hits("h.tsv"), [])
