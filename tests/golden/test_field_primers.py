"""Primers, restriction sites and their options as people write them: order forms, spreadsheets, output of programs that design
primers, names of outputs. Where a table of pairs has its columns, and what is said when a pair is written the wrong way round."""
import json
import unittest

from naive_match import reverse_complement
from pcr_support import PcrCase
from support import Case

FORWARD, REVERSE = "AGAGTTTGATCCTGGCTCAG", "TACGGTTACCTTGTTACGACTT"
INSERT = "CC" * 30
GENOME = ">g\nTTTTT" + FORWARD + INSERT + reverse_complement(REVERSE) + "TTTTT\n"
PRODUCT = ("g", "5", str(5 + 20 + 60 + 22))
SITE = "GAATTC"


class Written(Case):
    """One pattern, written in many ways: the same hits, and a count of what was left out."""

    def left_out(self, *words, command="motif"):
        done = self.run_here(*words, "g.fa", "--json", "r.json", command=command)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        report = json.loads((self.folder / "r.json").read_text())
        return done.stdout.decode(), done.stderr.decode(), report.get("left_out")

    def counts(self, blanks=0, ends=0, modifications=0, cut_marks=0):
        return {"blanks": blanks, "ends": ends, "modifications": modifications, "cut_marks": cut_marks}

    WAYS = (
        ("GAA TTC", {"blanks": 1}, "1 blank was left out"),
        ("G A A T T C", {"blanks": 5}, "5 blanks were left out"),
        ("GAA\u00a0TTC", {"blanks": 1}, "1 blank was left out"),
        ("GAATTC\u00a0", {"blanks": 1}, "1 blank was left out"),
        ("GAA\u2009TTC", {"blanks": 1}, "1 blank was left out"),
        ("5'-GAATTC-3'", {"ends": 2}, "2 marks of ends (5', 3') were left out"),
        ("5\u2032-GAATTC-3\u2032", {"ends": 2}, ""),
        ("5\u2019\u2013GAATTC\u20133\u2019", {"ends": 2}, ""),
        ("5\u00b4-GAATTC-3\u00b4", {"ends": 2}, ""),
        ("5'GAATTC3'", {"ends": 2}, ""),
        ("5-GAATTC-3", {"ends": 2}, ""),
        ("5'-GAATTC", {"ends": 1}, "1 mark of an end (5', 3') was left out"),
        ("5' - GAA TTC - 3'", {"ends": 2, "blanks": 3}, "3 blanks and 2 marks of ends"),
        ("/5Phos/GAATTC", {"modifications": 1}, "1 modification was left out"),
        ("/56-FAM/GAA/ZEN/TTC/3IABkFQ/", {"modifications": 3}, "3 modifications were left out"),
        ("/5Phos//5BiotinTEG/GAATTC/3BHQ_1/", {"modifications": 3}, ""),
        ("[FAM]GAATTC[BHQ1]", {"modifications": 2}, ""),
        ("G*A*A*T*T*C", {"modifications": 5}, "5 modifications were left out"),
        ("GAA+T+TC", {"modifications": 2}, ""),
        ("rGrArArUrUrC", {"modifications": 6}, ""),
        ("mGmAmAmUmUmC", {"modifications": 6}, ""),
        ("/5Phos/GArAUTC", {"modifications": 2}, ""),
        ("GsAsAsTsTsC", {"modifications": 5}, "5 modifications were left out"),
        ("GsAsATTC", {"modifications": 2}, ""),
        ("GAATsTsC", {"modifications": 2}, ""),
        ("dGdAdAdTdTdC", {"modifications": 6}, ""),
        ("[FAM]dGAATTC", {"modifications": 2}, ""),
        ("d(GAATTC)", {"modifications": 1}, ""),
        ("5'-d(GAA TTC)-3'", {"ends": 2, "modifications": 1, "blanks": 1}, ""),
        ("GAA/iBiodT/TC", {"modifications": 1}, ""),
        ("GAAT/ideoxyU/C", {"modifications": 1}, ""),
        ("GAATT/iMe-dC/", {"modifications": 1}, ""),
        ("G^AATTC", {"cut_marks": 1}, "1 cut mark was left out"),
        ("G/AATTC", {"cut_marks": 1}, ""),
        ("G^AATT_C", {"cut_marks": 2}, "2 cut marks were left out"),
        ("GAATTC(1/5)", {"cut_marks": 1}, ""),
    )

    def test_ways_to_write_a_sequence(self):
        self.file("g.fa", ">g\nTTGAATTCTT\n")
        for written, counts, says in self.WAYS:
            for form in (f"name\tsequence\nEcoRI\t{written}\n", f"EcoRI\t{written}\n", f">EcoRI\n{written}\n", f"EcoRI,{written}\n", None):
                with self.subTest(written=written, form=form):
                    words = ("-p", f"EcoRI={written}")
                    if form is not None:
                        self.file("p", form)
                        words = ("-f", "p")
                    hits, message, left_out = self.left_out(*words)
                    self.assertEqual(hits, "g\t2\t8\tEcoRI\t1000\t+\n")
                    self.assertEqual(left_out, self.counts(**counts))
                    self.assertIn(says, message)
                    self.assertNotIn("warning", message)

    def test_latin_1(self):
        self.file("g.fa", ">g\nTTGAATTCTT\n")
        self.file("p", b"EcoRI\t5\xb4-GAA\xa0TTC\x963\x92\n")
        hits, _, left_out = self.left_out("-f", "p")
        self.assertEqual((hits, left_out), ("g\t2\t8\tEcoRI\t1000\t+\n", self.counts(blanks=1, ends=2)))

    def test_nothing_is_said_of_plain_sequences(self):
        self.file("g.fa", ">g\nTTGAATTCTT\n")
        for words in (("-p", "gaattc"), ("-p", "GAMTTC"), ("-p", "gamttc|GRTTTTT")):
            hits, message, left_out = self.left_out(*words)
            self.assertEqual((hits.count("\n") > 0, message, left_out), (True, "", None))

    def test_all_commands(self):
        """match, guides, compile and pcr read sequences in the same way; -q says nothing."""
        self.file("g.fa", ">g\nTT" + "GACCGATTCGGACTTAGCCAAGG" + "TT\n")
        self.file("p", "g1\t5'-GACCGATTCG GACTTAGCCA-3'\n")
        for command, words in (("match", ("-k", 0, "--format", "bed")), ("guides", ("-m", 0, "--pam-in-guide", "no"))):
            _, message, left_out = self.left_out("-f", "p", *words, command=command)
            self.assertEqual(left_out, self.counts(blanks=1, ends=2))
            self.assertIn("1 blank and 2 marks of ends (5', 3') were left out", message)
        done = self.run_here("-f", "p", "-k", 0, "-o", "p.bsx", command="compile")
        self.assertIn("1 blank and 2 marks of ends (5', 3') were left out", done.stderr.decode())
        hits = self.output("-f", "p.bsx", "g.fa", "--format", "bed", command="match")
        self.assertEqual(hits, "g\t2\t22\tg1\t1000\t+\n")
        done = self.run_here("-q", "-f", "p", "-k", 0, "g.fa", command="match")
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_codes_in_lower_case(self):
        """r and m alone among capitals are codes, as they were; a line says so."""
        self.file("g.fa", ">g\nTTGCATCTT\n")
        hits, message, left_out = self.left_out("-p", "x=GCmTC")
        self.assertEqual((hits, left_out), ("g\t2\t7\tx\t1000\t+\n", None))
        self.assertIn("warning: a letter r, m or d before a capital was read as the code R (A or G), M (A or C) or D (A, G or T)", message)
        _, message, left_out = self.left_out("-p", "x=GAdTTC", "-p", "y=GAATdTC")
        self.assertEqual(left_out, None)
        self.assertIn("warning: 2 letters r, m or d before a capital were read as the codes", message)
        hits, message, _ = self.left_out("-p", "x=GymTC")  # y cannot be a mark, so m is none
        self.assertEqual((hits, message), ("g\t2\t7\tx\t1000\t+\n", ""))

    def test_lists_without_names(self):
        self.file("g.fa", ">g\nTTAGAGTTTGATCTT\n")
        for text in ("AGA GTT TGA TC\n", "AGA GTT TGA TC\r\nCCC CCC CCC\r\n", "5'-AGAGTTTGATC-3'\n", "5' AGAGTTTGATC 3'\n", "/5Phos/AGAGTTTGATC\n"):
            self.file("p", text)
            self.assertEqual(self.output("-f", "p", "g.fa"), "g\t2\t13\tAGAGTTTGATC\t1000\t+\n")
        self.assertEqual(self.output("-p", "5'-AGA GTT TGA TC-3'", "g.fa"), "g\t2\t13\tAGAGTTTGATC\t1000\t+\n")

    def test_a_plain_column_comes_before_a_written_one(self):
        self.file("g.fa", ">g\nTTGAATTCTT\n")
        self.file("p", "x\tGAATTC\t/5Phos/GGATCC\ny\tGAATTT\t/5Phos/GGATCC\n")
        self.assertEqual(self.output("-f", "p", "g.fa"), "g\t2\t8\tx\t1000\t+\n")

    def test_excel(self):
        self.file("g.fa", ">g\nTTGAATTCTT\n")
        for text in ("sep=,\nname,sequence\ng1,GAATTC\n", "sep=;\r\nname;sequence\r\ng1;GAATTC\r\n", '"sep=,"\nname,sequence\ng1,GAATTC\n',
                     "sep=\t\nname\tsequence\ng1\tGAATTC\n", "\ufeffsep=;\nname;sequence\ng1;GAATTC\n",
                     "sep=;\nname;sequence;note\ng1;GAATTC;a,b\n"):
            self.file("p", text)
            self.assertEqual(self.output("-f", "p", "g.fa"), "g\t2\t8\tg1\t1000\t+\n", text)
        self.file("p", "name\tSequence 5'-3'\ng1\tGAATTC\n")
        self.assertEqual(self.output("-f", "p", "g.fa"), "g\t2\t8\tg1\t1000\t+\n")

    def test_refused(self):
        self.file("g.fa", ">g\nTTGAATTCTT\n")
        for written, says in (
            ("3'-CTTAAG-5'", "the sequence is written from 3' to 5': write it from 5' to 3': GAATTC"),
            ("GAA/iSomething/TTC", "position 4: the modification /iSomething/ may stand for a base"),
            ("GAA/idSp/TTC", "the modification /idSp/ may stand for a base"),
            ("GAA/5Phos/TTC", "the modification /5Phos/ is for the 5' end, but bases stand before it"),
            ("/3BHQ_1/GAATTC", "the modification /3BHQ_1/ is for the 3' end, but bases stand behind it"),
            ("GAA[FAM]TTC", "the modification [FAM] may stand for a base"),
            ("G[AT]C", "position 2: '[AT]' is not a code: write W for it, GWC"),
            ("G(A/T)CG[A,C]", "position 2: '(A/T)' is not a code: write W for it, GWCGM"),
            ("G[ACGT]C", "write N for it, GNC"),
            ("G/AT/C", "position 2: '/AT/' is not a code: write W for it"),
            ("GAATTC(20)", "position 7: '(' is not a nucleotide"),
            ("GAATTC (x2)", "position 8: '('"),
            ("GAA(1/5)TTC", "position 4: '('"),
            ("GAA\u2026TTC", "position 4: '\u2026' is not a nucleotide"),
            ("GAA-TTC", "position 4: '-' is not a nucleotide"),
            ("GAA TTX", "position 7: 'X' is not a nucleotide"),
            ("*GAATTC", "position 1: '*'"),
            ("GsAATTC", "position 2: 's' behind a capital may mark a phosphorothioate, or be the code S (C or G): write GAATTC, or GSAATTC"),
            ("T|TAA", "position 2: '|' separates the sequences of one pattern, and T is one of them: where '|' marks a cut, write T^TAA"),
            ("GAATT|C", "write GAATT^C"),
            ("G{A}ATTC", "position 2: '{A}' is not a code: write A for it, GAATTC"),
            ("C(N)5G", "write CNNNNNG"),
            ("GAAGAC(N)2^", "write GAAGACNN^"),
            ("GAAN4TTC", "position 5: '4' is not a nucleotide or IUPAC code: write GAANNNNTTC"),
            ("FAM-GAATTC", "position 1: 'FAM' is not sequence: write GAATTC, or /56-FAM/GAATTC"),
            ("5'-FAM-GAATTC-BHQ1-3'", "position 4: 'FAM' and 'BHQ1' are not sequence: write GAATTC, or /56-FAM/GAATTC/3BHQ1/"),
            ("Phos-GAATTC", "write GAATTC, or /5Phos/GAATTC"),
            ("GAATTC-TAMRA", "position 8: 'TAMRA' is not sequence"),
            ("/5Phos/", "no sequence"),
        ):
            with self.subTest(written):
                self.file("p", f">x\n{written}\n")
                self.refused(3, "-f", "p", "g.fa", says=[f"p: line {1 if 'no seq' in says else 2}: pattern 'x'", says])
                self.refused(2, "-p", f"x={written}", "g.fa", says=["pattern 'x'", says.replace("no sequence", "empty")])

    def test_short_alternatives(self):
        self.file("g.fa", ">g\nTTGGCCTT\n")
        hits, message, _ = self.left_out("-p", "x=GG|CC", "--strand", "plus")
        self.assertEqual(hits, "g\t2\t4\tx\t1000\t+\ng\t4\t6\tx\t1000\t+\n")
        self.assertIn("warning: a pattern has '|' between sequences of one or two bases", message)
        _, message, _ = self.left_out("-p", "x=GG|CC", "-p", "y=A|T", "-p", "z=GGC|CCT")
        self.assertIn("warning: 2 patterns have '|'", message)
        self.assertEqual(self.left_out("-p", "z=GGC|CCT", "--strand", "plus")[1], "")

    def test_rows_of_empty_cells(self):
        self.file("g.fa", ">g\nTT" + "GACCGATTCGGACTTAGCCAAGG" + "TTCC\n")
        guide = "GACCGATTCGGACTTAGCCA"
        for text in (f"gene,guide\na,{guide}\n,\n", f"gene,guide\n,\na,{guide}\n,,\n", f"a;{guide};x\n;;\n;;\n", f"a\t{guide}\n\t\n \t \n",
                     f'a,{guide}\n"",""\n', f"a,{guide}\n\u00a0,\n", f"sep=;\r\na;{guide}\r\n;\r\n"):
            for command, words in (("motif", ()), ("match", ("-k", 0)), ("guides", ("-m", 0, "--pam-in-guide", "no"))):
                with self.subTest(text=text, command=command):
                    self.file("p", text)
                    rows = self.output("-f", "p", *words, "g.fa", command=command).splitlines()
                    self.assertTrue(any("a" in row.split("\t") for row in rows), rows)
            self.output("-f", "p", "-k", 0, "-o", "p.bsx", command="compile")
        self.file("p", ",\n,,\n")
        self.refused(3, "-f", "p", "g.fa", says=["p: no patterns in this file"])

    def test_fastq(self):
        self.file("g.fa", ">g\nTTGAATTCTT\n")
        self.file("p", "@a\nGAATTC\n+\nIIIIII\n@b\nGA.TTC\n+\nIIIIII\n")
        self.refused(3, "-f", "p", "g.fa", says=["p: record 2: pattern 'b', position 3: '.' is not a nucleotide", "write N"])
        self.file("p", "@a\nGAATTC\n+\nIIII\n")
        self.refused(3, "-f", "p", "g.fa", says=["p: record 1: expected as many qualities as letters, 6, found 4"])

    def test_bed_without_sequences(self):
        self.file("g.fa", ">g\nTTGAATTCTT\n")
        for text in ("MN1\t50\t72\tx_LEFT\t1\t+\nMN1\t90\t99\tx_RIGHT\t1\t-\n", "c\t50\t72\tx\t1\t+\nc\t90\t99\ty\t1\t-\n", "MN1\t50\t72\n"):
            self.file("p", text)
            for command, words in (("motif", ()), ("match", ("-k", 0)), ("pcr", ("-k", 0))):
                self.refused(3, "-f", "p", *words, "g.fa", command=command, says=["p: line 1: this BED has no sequences: expected them in column 7"])

    def test_no_number_of_edits(self):
        self.file("g.fa", ">g\nTTGAATTCTT\n")
        for command, words in (("match", ("-p", SITE, "g.fa")), ("compile", ("--pairs", "-f", "p", "-o", "x.bsx"))):
            self.file("p", f"x {FORWARD} {REVERSE}\n")
            done = self.run_here(*words, command=command)
            self.assertEqual(done.returncode, 2)
            self.assertIn("use -k N or -e RATE, or --mismatches N", done.stderr.decode())
        self.refused(2, "--forward", FORWARD, "--reverse", REVERSE, "g.fa", command="pcr", says=["use -k N or -e RATE, or --mismatches N"])
        message = self.refused(2, "-r", "g.fa", "g.fa", command="map", says=["use -k N or -e RATE"])
        self.assertNotIn("--mismatches", message)

    def test_the_line_of_a_fault(self):
        self.file("g.fa", ">g\nTTGAATTCTT\n")
        self.file("p", ">x\n5'-GAA\nTTC\nT?A-3'\n")
        self.refused(3, "-f", "p", "g.fa", says=["p: line 4: pattern 'x', position 11: '?'"])

    def test_several_sequences_in_one(self):
        self.file("g.fa", ">g\nTTGAATTCTT\n")
        self.refused(2, "-p", "GAATTC,GGATCC", "g.fa", says=["-p GAATTC,GGATCC: several sequences", "-p GAATTC -p GGATCC"])
        self.refused(2, "-p", "cut=GAATTC; GGATCC", "g.fa", says=["-p cut_1=GAATTC -p cut_2=GGATCC"])
        self.file("p", "x\tGAATTC,GGATCC\n")
        self.refused(3, "-f", "p", "g.fa", says=["p: line 1: pattern 'x', position 7: ','", "join with '|'"])

    def test_a_blank_is_called_a_blank(self):
        self.file("g.fa", ">g\nTTGAA TTCTT\n")
        self.refused(3, "-p", SITE, "g.fa", says=["g.fa: record 'g', position 6", "a blank is not sequence"])
        self.file("g.fa", ">g\nTTGAA\tTTCTT\n")
        self.refused(3, "-p", SITE, "g.fa", says=["a tab is not sequence"])


PRIMER3 = f"""SEQUENCE_ID=gene1
SEQUENCE_TEMPLATE=ACGT
PRIMER_LEFT_NUM_RETURNED=2
PRIMER_LEFT_0_SEQUENCE={FORWARD}
PRIMER_RIGHT_0_SEQUENCE={REVERSE}
PRIMER_INTERNAL_0_SEQUENCE=CCCCCCCCCCCC
PRIMER_LEFT_0=5,20
PRIMER_LEFT_1_SEQUENCE={FORWARD[1:]}
PRIMER_RIGHT_1_SEQUENCE={REVERSE[1:]}
=
"""
FORMATTED = f"""PRIMER PICKING RESULTS FOR gene1

No mispriming library specified
Using 1-based sequence positions
OLIGO            start  len      tm     gc%  any_th  3'_th hairpin seq
LEFT PRIMER          6   20   59.96   50.00   0.00   0.00    0.00 {FORWARD}
RIGHT PRIMER       107   22   59.99   45.00   0.00   0.00    0.00 {REVERSE}
SEQUENCE SIZE: 200

ADDITIONAL OLIGOS
 1 LEFT PRIMER          7   19   59.96   50.00   0.00   0.00    0.00 {FORWARD[1:]}
   RIGHT PRIMER       106   21   59.99   45.00   0.00   0.00    0.00 {REVERSE[1:]}
"""
PRIMER_BLAST = f"""Primer pair 1
\tSequence (5'->3')\tTemplate strand\tLength\tStart\tStop\tTm\tGC%
Forward primer\t{FORWARD}\tPlus\t20\t6\t25\t59.9\t50.00
Reverse primer\t{REVERSE}\tMinus\t22\t107\t86\t59.9\t45.00
Product length\t102
Products on target templates
>NR_1.1 some gene

product length = 102
Forward primer  1        {FORWARD}  20
Template        6        ....................  25

Reverse primer  1        {REVERSE}  22
Template        107      ......................  86

Primer pair 2
\tSequence (5'->3')\tTemplate strand\tLength
Forward primer\t{FORWARD[1:]}\tPlus\t19
Reverse primer\t{REVERSE[1:]}\tMinus\t21
"""


class Designed(PcrCase):
    """Output of primer3 and Primer-BLAST as it is."""

    def test_pairs(self):
        self.file("g.fa", GENOME)
        for text, names in ((PRIMER3, ["gene1_0", "gene1_1"]), (FORMATTED, ["gene1_0", "gene1_1"]), (PRIMER_BLAST, ["pair_1", "pair_2"]),
                            (PRIMER3.replace("\n", "\r\n"), ["gene1_0", "gene1_1"]), ("Input PCR template\tNR_1.1\nRange\t1 - 200\n\nDetailed primer reports\n" + PRIMER_BLAST, ["pair_1", "pair_2"])):
            with self.subTest(text):
                self.file("p", text)
                lines = [line.split("\t") for line in self.pcr("-f", "p", "-k", 0, "g.fa").splitlines()[1:]]
                self.assertEqual([line[3] for line in lines], names)
                self.assertEqual([line[1:3] for line in lines], [["5", "107"], ["6", "106"]])
                self.assertEqual(self.good(self.run_here("-f", "p", "--count", "g.fa", command="motif")).splitlines()[1:5],
                                 [f"{names[0]}_F\t+\t1", f"{names[0]}_F\t-\t0", f"{names[0]}_R\t+\t0", f"{names[0]}_R\t-\t1"])

    def test_probe(self):
        self.file("g.fa", GENOME)
        self.file("p", PRIMER3)
        head, first = (line.split("\t") for line in self.pcr("-f", "p", "-k", 0, "g.fa").splitlines()[:2])
        self.assertEqual(dict(zip(head, first))["probe_start"], "25")

    def test_records_and_faults(self):
        self.file("g.fa", GENOME)
        self.file("p", f"PRIMER_LEFT_SEQUENCE={FORWARD}\nPRIMER_RIGHT_SEQUENCE={REVERSE}\n=\n" + PRIMER3)  # old names, no identifier
        self.assertEqual([line.split("\t")[3] for line in self.pcr("-f", "p", "-k", 0, "g.fa").splitlines()[1:]], ["primer3_0", "gene1_0", "gene1_1"])
        self.file("p", "SEQUENCE_ID=x\nPRIMER_ERROR=Illegal value\n=\n")
        self.assertIn("p: primer3 found no primers: Illegal value", self.bad("-f", "p", "-k", 0, "g.fa"))
        self.file("p", f"SEQUENCE_ID=x\nPRIMER_LEFT_0_SEQUENCE={FORWARD}\n=\n")
        self.assertIn("p: line 2: pair 'x_0' has no reverse primer", self.bad("-f", "p", "-k", 0, "g.fa"))
        self.assertIn("p is the output of a program that designs primers", self.bad("-f", "p", "--name-column", "1", "-k", 0, "g.fa", code=2))


class Columns(PcrCase):
    """Tables of pairs as they come."""

    def names(self, text, *words):
        self.file("g.fa", GENOME)
        self.file("p", text)
        lines = [line.split("\t") for line in self.pcr("-f", "p", "-k", 0, *words, "g.fa").splitlines()[1:]]
        for line in lines:
            self.assertEqual(tuple(line[:3]), PRODUCT)
        return [line[3] for line in lines]

    def test_usual_headers(self):
        for forward, reverse in (("fwd_5to3", "rev_5to3"), ("Forward primer (5-3)", "Reverse primer (5-3)"), ("Forward primer 5'-3'", "Reverse primer 5'-3'"),
                                 ("forward", "reverse"), ("F", "R"), ("Fwd", "Rev"), ("fw", "rv"), ("Left primer", "Right primer"),
                                 ("F_primer", "R_primer"), ("Forward Primer Sequence", "Reverse Primer Sequence"), ("primer_f", "primer_r"),
                                 ("left_seq", "right_seq"), ("FP", "RP"), ("Forward primer (5' to 3')", "Reverse primer (5' to 3')")):
            for name in ("name", "Assay", "Primer pair", "combination"):
                with self.subTest((name, forward, reverse)):
                    self.assertEqual(self.names(f"{name}\t{forward}\t{reverse}\nx\t{FORWARD}\t{REVERSE}\n"), ["x"])
                    self.assertEqual(self.names(f"{forward},{reverse},{name}\n{FORWARD},{REVERSE},x\n"), ["x"])
        self.assertEqual(self.names(f"forward;reverse\n{FORWARD};{REVERSE}\n"), ["pair_1"])
        self.assertEqual(self.names(f"name,forward,reverse\n,,\nx,{FORWARD},{REVERSE}\n,,\n"), ["x"])
        self.assertEqual(self.names(f"x;{FORWARD};{REVERSE}\n;;\n"), ["x"])
        self.assertEqual(self.names(f"forward,reverse,Tm\n{FORWARD},{REVERSE},60.1\n"), ["pair_1"])

    def test_names_of_primers_beside_their_sequences(self):
        text = f"set\tforward primer\tforward primer (5'-3')\treverse primer\treverse primer (5'-3')\nx\t27F\t{FORWARD}\t1492R\t{REVERSE}\n"
        self.assertEqual(self.names(text), ["x"])

    def test_chosen_columns(self):
        text = f"locus\tmy_left\tmy_right\tlab\nx\t{FORWARD}\t{REVERSE}\tA\n"
        words = ("--forward-column", "my_left", "--reverse-column", "my_right")
        self.assertEqual(self.names(text, *words), ["x"])
        self.assertEqual(self.names(text, *words, "--name-column", "lab"), ["A"])
        self.assertEqual(self.names(text, "--forward-column", "2", "--reverse-column", "3", "--name-column", "4"), ["A"])
        bare = f"{REVERSE} {FORWARD} x\n"
        self.assertEqual(self.names(bare, "--forward-column", "2", "--reverse-column", "1"), ["x"])
        self.assertEqual(self.names(f"# locus,my_left,my_right\nx,{FORWARD},{REVERSE}\n", *words), ["x"])
        self.good(self.run_here("-f", "p", *words, "-k", 0, "g.fa", "--json", "r.json", command="pcr"))
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["parameters"]["forward_column"], "my_left")
        self.good(self.run_here("--pairs", "-f", "p", *words, "-k", 0, "-o", "p.bsx", command="compile"))
        self.assertEqual(len(self.pcr("-f", "p.bsx", "g.fa").splitlines()), 2)

    def test_faults(self):
        self.file("g.fa", GENOME)
        for text, words, code, says in (
            (f"name\tforward\tantisense\nx\t{FORWARD}\t{REVERSE}\n", (), 3, "it lacks a column of reverse primers (--reverse-column chooses one): name, forward, antisense"),
            (f"name\tsense\treverse\nx\t{FORWARD}\t{REVERSE}\n", (), 3, "it lacks a column of forward primers (--forward-column chooses one)"),
            (f"name\tsense\tantisense\nx\t{FORWARD}\t{REVERSE}\n", (), 3, "it lacks both columns of primers"),
            (f"Assay,Up,Down\nx,{FORWARD},{REVERSE}\n", (), 3, "it lacks both columns of primers (--forward-column and --reverse-column choose them): Assay, Up, Down"),
            (f"Assay,xx,yy\nx,{FORWARD},{REVERSE}\n", (), 3, "position 1: 'x' is not a nucleotide or IUPAC code (if this line is a header: --forward-column"),
            (f"Sense,Antisense\n{FORWARD},{REVERSE}\n", (), 3, "(if this line is a header: --forward-column, --reverse-column and --name-column choose the columns)"),
            (f"Primer 1,Primer 2\n{FORWARD},{REVERSE}\n", (), 3, "(if this line is a header: --forward-column"),
            (f"Forward,Reverse Complement\n{FORWARD},{REVERSE}\n", (), 3, "it lacks a column of reverse primers (--reverse-column chooses one)"),
            (f"name\tsense\treverse\nx\t{FORWARD}\t{REVERSE}\n", ("--forward-column", "left"), 2, "p: --forward-column left: the columns are name, sense, reverse"),
            ("#name\tforward\treverse\nx\tACXGT\tACZGT\n", (), 3, "line 2: forward primer of pair 'x', position 3: 'X'"),
            (f"x\t{FORWARD}\t{REVERSE}\n", ("--forward-column", "7"), 2, "p: --forward-column 7: the table has columns 1 to 3"),
            (f"x\t{FORWARD}\t{REVERSE}\n", ("--forward-column", "fwd"), 2, "p: --forward-column fwd: the table has no header with this name"),
            (f">a_F\n{FORWARD}\n>a_R\n{REVERSE}\n", ("--forward-column", "1"), 2, "p is FASTA: --name-column, --forward-column"),
            (f"gene\tforward\treverse\nx\t{FORWARD}\t{REVERSE}\nx\t{FORWARD}\t{REVERSE}\n", (), 3, "p: line 3: pair 'x': the name is used in line 2 too; --name-column chooses another column"),
            ("MN1\t50\t72\tnCoV_1_LEFT\tnCoV_1\nMN1\t420\t442\tnCoV_1_RIGHT\tnCoV_1\n", (), 3, "p: line 1: this BED has no sequences"),
            ("MN1\t50\t72\tnCoV_1_LEFT\tnCoV_1\t+\n", (), 3, "p: line 1: this BED has no sequences"),
            ("MN1\t50\t72\n", (), 3, "p: line 1: this BED has no sequences"),
        ):
            with self.subTest(text=text, words=words):
                self.file("p", text)
                self.assertIn(says, self.bad("-f", "p", *words, "-k", 0, "g.fa", code=code))
        self.assertIn("are for tables of pairs (-f)", self.bad("--forward", FORWARD, "--reverse", REVERSE, "--name-column", "1", "-k", 0, "g.fa", code=2))

    def test_names_of_sides(self):
        for left, right in (("_L", "_R"), ("_F", "_R"), ("_fwd", "_rev"), ("_LEFT", "_RIGHT"), ("-F", "-R"), (".fw", ".rv"), ("_for", "_rev"), ("-left", "-right")):
            self.assertEqual(self.names(f">x{left}\n{FORWARD}\n>x{right}\n{REVERSE}\n"), ["x"], left)
        self.assertEqual(self.names(f">27F\n{FORWARD}\n>1492R\n{REVERSE}\n"), ["27F/1492R"])
        self.assertEqual(self.names(f">1492R\n{REVERSE}\n>27F\n{FORWARD}\n"), ["27F/1492R"])
        self.assertEqual(self.names(f">one some words\n{FORWARD[:9]}\n{FORWARD[9:]}\n>two\n{REVERSE}\n"), ["one/two"])
        self.file("p", f">a\n{FORWARD}\n>b\n{REVERSE}\n>c\n{REVERSE}\n")
        self.assertIn("p: line 1: primer 'a': expected a name that ends in _F or _R, _L or _R", self.bad("-f", "p", "-k", 0, "g.fa"))

    def test_lines_for_browsers_above_a_scheme(self):
        rows = f"g\t5\t25\tx_LEFT\t1\t+\t{FORWARD}\ng\t85\t107\tx_RIGHT\t1\t-\t{REVERSE}\n"
        for head in ("track name=primers\nbrowser position x\n# artic-bed-version v3.0\n", 'track type=bed name="my primers"\n', "browser hide all\ntrack name=x\n"):
            self.assertEqual(self.names(head + rows), ["x"])
            self.assertEqual(len(self.output("-f", "p", "-k", 0, "--format", "bed", "g.fa", command="match").splitlines()), 2)
        self.file("p", f"track\t{FORWARD}\n")  # a pattern of this name
        self.assertEqual(self.output("-f", "p", "g.fa"), "g\t5\t25\ttrack\t1000\t+\n")

    def test_order_forms(self):
        done = f"sep=;\nPair;Forward primer (5'-3');Reverse primer (5'-3')\nx;5'-/5Phos/{FORWARD[:9]} {FORWARD[9:]}-3';{REVERSE[:-1]}*{REVERSE[-1]}\n"
        self.assertEqual(self.names(done), ["x"])
        done = self.run_here("-f", "p", "-k", 0, "g.fa", "--json", "r.json", command="pcr")
        self.assertIn("1 blank, 2 marks of ends (5', 3') and 2 modifications were left out of the sequences", done.stderr.decode())
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["left_out"], {"blanks": 1, "ends": 2, "modifications": 2, "cut_marks": 0})
        self.assertEqual(len(self.pcr("--forward", f"5'-{FORWARD}-3'", "--reverse", f"/56-FAM/{REVERSE}", "-k", 0, "g.fa").splitlines()), 2)
        self.assertIn("--forward G[AT]C: position 2: '[AT]'", self.bad("--forward", "G[AT]C", "--reverse", REVERSE, "-k", 0, "g.fa", code=2))


class Turned(PcrCase):
    """Where no product is found, and would be with a primer turned round, a line says so."""

    def said(self, text, *words, out="products.tsv"):
        self.file("p", text)
        done = self.run_here("-f", "p", "-k", 1, *words, "g.fa", "-o", out, command="pcr")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return [line for line in done.stderr.decode().splitlines() if "reverse-complemented" in line]

    def test_each_primer(self):
        turned_f, turned_r = reverse_complement(FORWARD), reverse_complement(REVERSE)
        for genome in (GENOME, ">g\n" + reverse_complement(GENOME.split("\n")[1]) + "\n"):
            self.file("g.fa", genome)
            self.assertEqual(self.said(f"x {FORWARD} {REVERSE}\n"), [])
            for forward, reverse, which, cure in ((FORWARD, turned_r, "reverse primer", REVERSE), (turned_f, REVERSE, "forward primer", FORWARD),
                                                  (turned_f, turned_r, "primers", f"{FORWARD} and {REVERSE}")):
                warning = f"basesweep: warning: pair 'x' has no product, but would have one with its {which} reverse-complemented: {cure}"
                self.assertEqual(self.said(f"x {forward} {reverse}\n"), [warning])
                self.assertEqual(self.said(f"x {forward} {reverse}\n", "--size", "101"), [])
                self.assertEqual(self.said(f"x {forward} {reverse}\n", "--size", "103,9k"), [])
                self.assertEqual(self.said(f"x {forward} {reverse}\n", "-q"), [])
                self.assertEqual(self.said(f"x {forward} {reverse}\n", "--pool"), [])

    def test_several_pairs(self):
        self.file("g.fa", GENOME)
        turned = reverse_complement(REVERSE)
        self.assertEqual(self.said(f"good {FORWARD} {REVERSE}\nb {FORWARD} {turned}\nc {FORWARD} {turned[1:]}\nd ACACACACGGGT GTGGTTTTACACA\n"),
                         ["basesweep: warning: 2 pairs have no product, but would have one with their reverse primer reverse-complemented; "
                          f"the first is 'b': {REVERSE}"])
        # A pair with products has no line, whatever else its primers do.
        self.file("g.fa", GENOME + ">h\n" + FORWARD + "C" * 50 + REVERSE + "\n")
        self.assertEqual(self.said(f"x {FORWARD} {REVERSE}\n"), [])

    def test_chance(self):
        """Beside pairs with products, sites with edits, and of short primers, are no reason for a line."""
        self.file("g.fa", GENOME)
        short = f"short {FORWARD[:9]} {reverse_complement(REVERSE)[-9:]}\n"
        self.assertEqual(len(self.said(short)), 1)
        self.assertEqual(self.said(f"good {FORWARD} {REVERSE}\n" + short), [])
        edited = f"edited {FORWARD[:12]}{'T' if FORWARD[12] != 'T' else 'A'}{FORWARD[13:]} {reverse_complement(REVERSE)}\n"
        self.assertEqual(len(self.said(edited)), 1)
        self.assertEqual(self.said(f"good {FORWARD} {REVERSE}\n" + edited), [])

    def test_codes_and_inosine(self):
        self.file("g.fa", GENOME)
        self.assertEqual(len(self.said(f"x {FORWARD} {'R' + reverse_complement(REVERSE)[1:-1] + 'I'}\n")), 1)


class Inserts(PcrCase):
    """The title of FASTA is that of what is printed."""

    def fasta(self, part, *words, genome=GENOME, pairs=f"x {FORWARD} {REVERSE}\n"):
        self.file("g.fa", genome)
        self.file("p", pairs)
        return self.pcr("-f", "p", "-k", 0, "--format", "fasta", "--sequence", part, *words, "g.fa")

    def test_place_and_size(self):
        self.assertEqual(self.fasta("insert"), f">g:25-85(+) size=60 edits=0 pair=x\n{INSERT}\n")
        self.assertEqual(self.fasta("product").split("\n")[0], ">g:5-107(+) size=102 edits=0 pair=x")
        turned = ">g\n" + reverse_complement(GENOME.split("\n")[1]) + "\n"
        self.assertEqual(self.fasta("insert", genome=turned), f">g:27-87(-) size=60 edits=0 pair=x\n{INSERT}\n")

    def test_amplified_with_indels(self):
        """The primer replaces its site, so the size is that of the letters, not of the text."""
        genome = GENOME.replace(FORWARD, FORWARD[:9] + FORWARD[10:])
        self.file("g.fa", genome)
        self.file("p", f"x {FORWARD} {REVERSE}\n")
        title, letters = self.pcr("-f", "p", "-k", 1, "--format", "fasta", "--sequence", "amplified", "g.fa").split("\n")[:2]
        self.assertEqual(title, ">g:5-106(+) size=102 edits=1 pair=x")
        self.assertEqual(letters, FORWARD + INSERT + reverse_complement(REVERSE))

    def test_no_insert(self):
        """Primers that touch or overlap have an empty insert at the end of the left one."""
        right = reverse_complement(REVERSE)
        self.assertEqual(self.fasta("insert", genome=f">g\nTT{FORWARD}{right}TT\n"), ">g:22-22(+) size=0 edits=0 pair=x\n\n")
        pairs = f"x {FORWARD}{right[:3]} {reverse_complement(FORWARD[-3:] + right)}\n"
        self.assertEqual(self.fasta("insert", genome=f">g\nTT{FORWARD}{right}TT\n", pairs=pairs), ">g:25-25(+) size=0 edits=0 pair=x\n\n")

    def test_over_the_origin(self):
        """An insert starts inside its circular record, as products do."""
        letters = GENOME.split("\n")[1]
        for turn in (5, 12, 25, 30, 60, 90):
            circle = letters[turn:] + letters[:turn]
            title, insert = self.fasta("insert", "--circular", genome=f">g\n{circle}\n").split("\n")[:2]
            start = (25 - turn) % len(letters)
            self.assertEqual((title, insert), (f">g:{start}-{start + 60}(+) size=60 edits=0 pair=x", INSERT), turn)

    def test_chunks(self):
        genome = "".join(GENOME.replace(">g", f">g{i}") for i in range(9))
        whole = self.fasta("insert", genome=genome)
        parts = []
        for i in (1, 2, 3):
            self.pcr("-f", "p", "-k", 0, "--format", "fasta", "--sequence", "insert", "--chunk", f"{i}/3", "g.fa", "-o", f"{i}.bsp")
            parts.append(f"{i}.bsp")
        self.assertEqual(self.output(*parts, command="merge"), whole)


class OutputNames(Case):
    """No file is written under a name that says something else."""

    def test_every_option_that_names_an_output(self):
        self.file("r.fq", "@r\nTTGAATTCTT\n+\nIIIIIIIIII\n")
        self.file("g.fa", ">g\nTTGAATTCTTGACCGATTCGGACTTAGCCAAGG\n")
        self.file("p.tsv", f"x\t{FORWARD}\t{REVERSE}\n")
        self.file("m.pfm", ">m x\nA [ 1 0 ]\nC [ 0 1 ]\nG [ 0 0 ]\nT [ 0 0 ]\n")
        motif, guide = ("motif", "-p", SITE, "r.fq"), ("guides", "-p", "GACCGATTCGGACTTAGCCA", "g.fa")
        calls = [(*motif, "--matching-reads"), (*motif, "--other-reads"), (*motif, "--json"), (*motif, "-o"), (*motif, "--format", "bed", "-o"),
                 ("match", "-k", "0", *motif[1:], "--matching-reads"), (*guide, "--hits"), (*guide, "-o"), (*guide, "--json"),
                 ("pcr", "-f", "p.tsv", "-k", "0", "g.fa", "-o"), ("pcr", "-f", "p.tsv", "-k", "0", "g.fa", "--json"),
                 ("pwm", "-m", "m.pfm", "g.fa", "-o"), ("pwm", "-m", "m.pfm", "g.fa", "--json"),
                 ("map", "-r", "g.fa", "-k", "0", "r.fq", "-o"), ("map", "-r", "g.fa", "-k", "0", "r.fq", "--json"),
                 ("plan", "g.fa", "-n", "1", "-o"), ("pack", "g.fa", "-o"), ("compile", "-p", SITE, "-o"),
                 ("doctor", "--no-self-test", "--json"), ("bench", "--quick", "--json")]
        for command, *words in calls:
            for name in ("m.fq.zst", "m.bz2", "m.fa.XZ", "{pattern}.fq", "m_{sample}.tsv", "{name}"):
                with self.subTest((command, words, name)):
                    says = name.split(".")[-1].lower() if "{" not in name else name[name.index("{"):name.index("}") + 1]
                    message = self.refused(2, *words, name, command=command, files=(), says=[name, says])
                    self.assertIn("braces" if "{" in name else "." + says, message)

    def test_names_that_are_fine(self):
        self.file("r.fq", "@r\nTTGAATTCTT\n+\nIIIIIIIIII\n")
        for name in ("m.fq", "m.fq.gz", "m{.fq", "m}.fq", "reads", "bz2", "xz.fq"):
            self.output("-p", SITE, "r.fq", "--matching-reads", name, "-o", "h.bed")
        self.output("-p", SITE, "r.fq", "--json", "report.txt")
        self.output("-p", SITE, "r.fq", "--json", "/dev/null")


class Overhangs(Case):
    """With --overhang the columns are there, whether clamps let a pattern hang over or not; merge takes its parts."""

    def test_chunks(self):
        self.file("g.fa", "".join(f">r{i}\nTTTTACGTACGGTTCACGTACG\n" for i in range(8)))
        for clamps in (("--clamp-5prime", "2", "--clamp-3prime", "2"), ("--clamp-3prime", "1"), ()):
            for side in ("--overhang", "--overhang-5prime", "--overhang-3prime"):
                for words in (("--format", "bed"), ("--format", "tsv"), ("--format", "gff3"), ("--format", "fasta"), ("--count",), ("--format", "sam"),
                              ("--format", "tsv", "--report", "best"), ("--format", "bed", "--non-overlapping"), ("--count", "--report", "best")):
                    call = ("-p", "x=ACGTACGGTT", "-k", "1", side, "5", *clamps, *words, "g.fa")
                    with self.subTest(call):
                        whole = self.output(*call, command="match")
                        parts = []
                        for i in (1, 2, 3):
                            self.output(*call, "--chunk", f"{i}/3", "-o", f"part{i}", command="match")
                            parts.append(f"part{i}")
                        self.assertEqual(self.output(*parts, command="merge"), whole)
                        if "tsv" in words:
                            self.assertIn("\tpattern_start\tpattern_end\t", whole.split("\n")[0])
                            self.assertIn("\t0\t10\tACGTACGGTT", whole)
                        if words[-1] in ("gff3", "fasta"):
                            self.assertIn("pattern_start=0", whole)


class Numbers(PcrCase):
    """Sizes with suffixes, rates as percentages, and --mismatches."""

    def test_suffixes_and_percentages(self):
        self.file("g.fa", GENOME)
        pair = ("--forward", FORWARD, "--reverse", REVERSE, "g.fa")
        for short, long in ((("-k", "1", "--size", "2k"), ("-k", "1", "--size", "2000")), (("-k", "1", "--size", "0k,1M"), ("-k", "1", "--size", "0,1000000")),
                            (("-e", "10%"), ("-e", "0.1")), (("-e", "2.5%"), ("-e", "0.025")), (("-e", "0%"), ("-k", "0")), (("--mismatches", "2"), ("-k", "2", "--max-indels", "0"))):
            self.assertEqual(self.pcr(*pair, *short), self.pcr(*pair, *long))
        self.assertIn("--size 2x: expected", self.bad(*pair, "-k", "1", "--size", "2x", code=2))
        self.assertIn("--size 20M: expected", self.bad(*pair, "-k", "1", "--size", "20M", code=2))
        self.assertIn("'100%': must be at least 0 and less than 1", self.bad(*pair, "-e", "100%", code=2))
        self.assertIn("'10 %' is not a number", self.bad(*pair, "-e", "10 %", code=2))
        words = ("-p", SITE, "g.fa", "--format", "tsv", "--flank")
        self.assertEqual(self.output(*words, "1k"), self.output(*words, "1000"))

    def test_mismatches(self):
        self.file("g.fa", ">g\nTTGAATTCTTGATTCTTGACTTCTT\n")
        reports = []
        for words in (("--mismatches", "1"), ("-k", "1", "--max-indels", "0")):
            done = self.run_here("-p", SITE, *words, "g.fa", "--json", "r.json", command="match")
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            reports.append((done.stdout, json.loads((self.folder / "r.json").read_text())["parameters"]))
        self.assertEqual(*reports)
        self.assertIn(b"basesweep match -k 1 --max-indels 0", reports[0][0])
        for other in (("-k", "1"), ("-e", "0.1"), ("--max-indels", "0"), ("--max-mismatches", "1"), ("--max-dna-bulges", "1")):
            message = self.refused(2, "-p", SITE, "--mismatches", "1", *other, "g.fa", command="match")
            self.assertIn(f"--mismatches and {other[0]} conflict", message)
        self.output("-p", SITE, "--mismatches", "1", "-o", "set.bsx", command="compile")
        self.assertEqual(self.output("-f", "set.bsx", "g.fa", command="match"), reports[0][0].decode())
        self.assertEqual(self.output("-f", "set.bsx", "--mismatches", "1", "g.fa", command="match"), reports[0][0].decode())
        self.refused(2, "-f", "set.bsx", "--mismatches", "2", "g.fa", command="match", says=["was compiled with"])
        self.output("-p", SITE, "-k", "1", "-o", "set.bsx", command="compile")
        self.refused(2, "-f", "set.bsx", "--mismatches", "1", "g.fa", command="match", says=["--mismatches 1: set.bsx was compiled without --mismatches"])


if __name__ == "__main__":
    unittest.main()
