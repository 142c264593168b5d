"""Makes the files that the commands in README.md and docs/ read: small, and always the same.

The published genome and the motifs of test-data/ are among them; all other sequences are random, with primers, guides, adapters
and barcodes planted where a real file has them.
"""
import gzip
import random
import shutil

from example_files import fasta, fastq, mutated, reverse
from support import ROOT

ADAPTER = "AGATCGGAAGAGCACACGTCTGAACTCCAGTCA"  # what follows the insert in a TruSeq library
PRIMERS_16S = {"27F": "AGAGTTTGATCMTGGCTCAG", "515F": "GTGYCAGCMGCCGCGGTAA", "806R": "GGACTACNVGGGTWTCTAAT",
               "1492R": "TACGGYTACCTTGTTACGACTT"}
BASES_OF = {"M": "AC", "Y": "CT", "N": "ACGT", "V": "ACG", "W": "AT"}


class Made:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def bases(self, length):
        return "".join(self.rng.choices("ACGT", k=length))

    def one_of(self, primer):
        """Returns a sequence that the IUPAC codes of a primer stand for."""
        return "".join(self.rng.choice(BASES_OF.get(code, code)) for code in primer)


def rrna_genes(made):
    """Four genes with the sites of the four primers; the last has two mismatches in that of 515F."""
    genes = []
    for number in range(1, 5):
        sites = {name: made.one_of(primer) for name, primer in PRIMERS_16S.items()}
        if number == 4:
            sites["515F"] = sites["515F"][:4] + "TT" + sites["515F"][6:]
        genes.append((f"gene{number}", made.bases(7) + sites["27F"] + made.bases(480) + sites["515F"] + made.bases(250 + number)
                      + reverse(sites["806R"]) + made.bases(670) + reverse(sites["1492R"]) + made.bases(15)))
    return genes


def genome_with_guides(made):
    """Two chromosomes and three guides of 20. Each guide has its target, and the first has off-targets too."""
    guides = {f"guide{number}": made.bases(20) for number in range(1, 4)}
    cas12a = {"crRNA1": made.bases(23)}
    first = guides["guide1"]
    planted = [first + "TGG", reverse(mutated(made.rng, first, 2) + "AGG"), mutated(made.rng, first, 3) + "CGG",
               first[:9] + "T" + first[9:] + "GGG", mutated(made.rng, first, 1) + "CAT",
               reverse(guides["guide2"] + "CGG"), guides["guide3"] + "AGG", "TTTC" + cas12a["crRNA1"],
               reverse("TTTA" + mutated(made.rng, cas12a["crRNA1"], 2)), "TTTT" + cas12a["crRNA1"]]
    text = made.bases(4000)
    for site in planted:
        text += site + made.bases(4000)
    return {"genome.fa": fasta([("chr1", text[:30_000]), ("chr2", text[30_000:])]),
            "guides.tsv": "".join(f"{name}\t{guide}NGG\n" for name, guide in guides.items()),
            "cas12a.tsv": "".join(f"{name}\tTTTV{guide}\n" for name, guide in cas12a.items())}


def reads_with_adapters(made):
    """Reads of 100, of inserts of 60 to 120 bases: where an insert is shorter than the read, the adapter follows."""
    reads = []
    for number in range(1, 201):
        insert = made.bases(made.rng.randrange(60, 121))
        adapter = mutated(made.rng, ADAPTER, 1) if number % 10 == 0 else ADAPTER
        reads.append((f"read{number}", (insert + adapter + made.bases(40))[:100]))
    return fastq(reads)


def pairs_with_adapters(made):
    """Pairs of 100: where an insert is shorter than the reads, the adapter follows in both, but a third of the second mates lacks it."""
    mates = [], []
    for number in range(1, 101):
        insert = made.bases(made.rng.randrange(70, 131))
        for reads, letters in zip(mates, (insert, reverse(insert))):
            adapter = made.bases(len(ADAPTER)) if reads is mates[1] and number % 3 == 0 else ADAPTER
            reads.append((f"pair{number}", (letters + adapter + made.bases(40))[:100]))
    return {f"pairs_{number}.fq": fastq(reads) for number, reads in enumerate(mates, 1)}


def reads_with_barcodes(made):
    """Long reads with one of four barcodes near their start, with up to 3 edits; two reads have none."""
    barcodes = [(f"BC0{number}", made.bases(24)) for number in range(1, 5)]
    reads = []
    for number in range(1, 21):
        name, barcode = barcodes[number % 4]
        front = made.bases(made.rng.randrange(20, 40)) + (mutated(made.rng, barcode, number % 4) if number % 9 else made.bases(24))
        reads.append((f"read{number:02}", front + made.bases(300)))
    return {"barcodes.fa": fasta(barcodes), "long_reads.fq": fastq(reads)}


KIT_FLANKS = "GCTTGGGTGTTTAACC", "GTTTTCGCATTTATCGTGAAACGCTTTCGCGTTTTTCGTGCGCCGCTTCA"  # of RBK114-24
KIT_BARCODES = {"liver": "AAGAAAGTTGTCGGTGTCTTTGTG", "kidney": "TCGATTCCGTTTGTAGTCGTCTGT"}


def reads_of_samples(made):
    """Reads of a kit: two samples, in both orientations, and some without a barcode; and pairs that begin with short barcodes."""
    kit, inline = [], ([], [])
    for number in range(1, 61):
        barcode = (*KIT_BARCODES.values(), made.bases(24))[number % 3]
        flanks = KIT_FLANKS if number % 3 != 2 else [made.bases(len(flank)) for flank in KIT_FLANKS]
        read = mutated(made.rng, flanks[0] + barcode + flanks[1], number % 7) + made.bases(400)
        kit.append((f"read{number}", reverse(read) if number % 2 else read))
    barcodes = [made.bases(10) for _ in range(4)]
    for number in range(1, 41):
        insert = made.bases(120)
        first = mutated(made.rng, barcodes[number % 4], 1 if number % 10 == 0 else 0) + insert
        for reads, letters in zip(inline, (first, reverse(insert))):
            reads.append((f"pair{number}", letters[:80]))
    return {"samples.tsv": "sample\tbarcode\nliver\tBC01\nkidney\tBC02\n", "kit.fq": fastq(kit),
            "inline.csv": "sample,barcode\n" + "".join(f"plot{n},{barcode}\n" for n, barcode in enumerate(barcodes, 1)),
            **{f"inline_{number}.fq": fastq(reads) for number, reads in enumerate(inline, 1)}}


def cells(made):
    """Pairs of single cells: barcode and UMI, and the insert. Of each 20 reads one has a changed barcode, and one of no list."""
    barcodes = [made.bases(16) for _ in range(3)]
    first, second = [], []
    for number in range(1, 61):
        barcode = barcodes[number % 7 % 3]
        barcode = mutated(made.rng, barcode, 1) if number % 20 == 3 else made.bases(16) if number % 20 == 8 else barcode
        first.append((f"read{number}", barcode + made.bases(12)))
        second.append((f"read{number}", made.bases(60)))
    return {"whitelist.txt": "".join(barcode + "\n" for barcode in barcodes), "cells_1.fq": fastq(first), "cells_2.fq": fastq(second)}


def amplicon_reads(made):
    """Whole 16S genes as reads, in both orientations; every tenth lacks a primer."""
    reads = []
    for number in range(1, 41):
        gene = made.one_of(PRIMERS_16S["27F"]) + made.bases(300 + number) + reverse(made.one_of(PRIMERS_16S["1492R"]))
        read = made.bases(12) + (gene[25:] if number % 10 == 0 else gene) + made.bases(12)
        reads.append((f"gene{number}", reverse(read) if number % 2 else read))
    return {"genes_ccs.fq": fastq(reads)}


def screen(made):
    """A library of six guides of three genes, and reads of two samples: stagger, guide, scaffold."""
    guides = [(f"{gene}_{number}", made.bases(20), gene) for gene in ("TP53", "MYC", "KRAS") for number in (1, 2)]
    texts = {"screen_library.csv": "id,sequence,gene\n" + "".join(",".join(guide) + "\n" for guide in guides)}
    for sample, weights in (("plasmid", (1, 1, 1, 1, 1, 1)), ("treated", (6, 5, 1, 1, 0, 1))):
        reads = []
        for number in range(1, 121):
            guide = made.rng.choices(guides, weights)[0][1]
            guide = mutated(made.rng, guide, 1) if number % 15 == 0 else made.bases(20) if number % 20 == 7 else guide
            reads.append((f"{sample}{number}", made.bases(number % 4) + "CACCG" + guide + "GTTTTAGAGCTAGAAATAGC"))
        texts[f"{sample}.fq"] = fastq(reads)
    return texts


def amplicon_scheme(made):
    """A genome of 5 kb, a scheme of six amplicons of 400 in two pools, and reads of it. One primer site has a mismatch."""
    genome = made.bases(5000)
    rows, amplicons = [], []
    for number in range(1, 7):
        start = 30 + (number - 1) * 330
        end = start + 400
        sides = (("LEFT", start, start + 24, "+", genome[start:start + 24]),
                 ("RIGHT", end - 22, end, "-", reverse(genome[end - 22:end])))
        rows += ["\t".join(("virus", str(first), str(last), f"virus_{number}_{side}", str(1 + (number + 1) % 2), strand, sequence))
                 for side, first, last, strand, sequence in sides]
        amplicons.append(genome[start:end])
    changed = genome[:705] + {"A": "G", "C": "T", "G": "A", "T": "C"}[genome[705]] + genome[706:]
    pairs = [(f"pair{number}", made.rng.choice(amplicons)) for number in range(1, 41)]
    return {"virus.fa": fasta([("virus", genome)]), "sample.fa": fasta([("sample", changed)]),
            "scheme.primer.bed": "".join(row + "\n" for row in rows),
            "amplicons_1.fq": fastq([(name, mutated(made.rng, text[:150], 2)) for name, text in pairs]),
            "amplicons_2.fq": fastq([(name, mutated(made.rng, reverse(text)[:150], 3)) for name, text in pairs])}


def chip_peaks(made):
    """Two chromosomes with peaks, sites of two factors in most of them, and the peaks as records."""
    words = {"boxA": "TGACTCAGCA", "boxB": "CCGGAAGTGAC"}
    columns = {name: [{base: 46 if base == letter else made.rng.randrange(1, 5) for base in "ACGT"} for letter in word]
               for name, word in words.items()}
    matrices = "".join(f">{name} factor{name[-1]}\n" + "".join(
        f"{base}  [ {' '.join(f'{column[base]:2}' for column in rows)} ]\n" for base in "ACGT") for name, rows in columns.items())
    chromosomes, peaks, records = [], "", []
    for number in (1, 2):
        text = ""
        for peak in range(1, 4):
            text += made.bases(3000)
            start = len(text)
            for name in list(words)[:1 + (peak + number) % 2]:
                site = mutated(made.rng, words[name], peak % 2)
                text += made.bases(90) + (reverse(site) if peak == 2 else site)
            text += made.bases(120)
            peaks += f"chr{number}\t{start}\t{len(text)}\tpeak{number}.{peak}\n"
            records.append((f"peak{number}.{peak}", text[start:]))
        chromosomes.append((f"chr{number}", text + made.bases(3000)))
    return {"chip.fa": fasta(chromosomes), "peaks.bed": peaks, "peaks.fa": fasta(records), "factors.jaspar": matrices}


def plasmid(made):
    """A circular record of 3 kb; one site of EcoRI lies inside, one over the origin."""
    return "ATTC" + made.bases(1400) + "GAATTC" + made.bases(1588) + "GA"


# Pairs for 16S genes as an order form has them.
ORDER = """Pair,Forward primer (5'-3'),Reverse primer (5'-3')
V4,GTG YCA GCM GCC GCG GTA A,GGA CTA CNV GGG TWT CTA AT
full,/56-FAM/AGAGTTTGATCMTGGCTCAG,TACGGYTACCTTGTTACGACT*T
"""
# primer3's output for a part of phage lambda.
PRIMER3 = """SEQUENCE_ID=lambda_cos
PRIMER_LEFT_NUM_RETURNED=1
PRIMER_LEFT_0_SEQUENCE=GGGCGGCGACCTCGCGGGTT
PRIMER_RIGHT_0_SEQUENCE={}
=
"""


def primer3(folder):
    with gzip.open(folder / "lambda.fa.gz", "rt") as text:
        letters = "".join(line.strip() for line in text if not line.startswith(">")).upper()
    return PRIMER3.format(reverse(letters[480:500]))


def many_patterns(made):
    """10,000 different patterns of 20, and a text that has some of them with up to 3 mismatches."""
    patterns = [(f"p{number:05}", made.bases(20)) for number in range(1, 10_001)]
    text = "".join(made.bases(180) + mutated(made.rng, patterns[number * 17][1], number % 4) for number in range(500))
    return {"library.tsv": "".join(f"{name}\t{pattern}\n" for name, pattern in patterns),
            "contigs.fa": fasta([(f"contig{number + 1}", text[number * 20_000:(number + 1) * 20_000]) for number in range(5)])}


def make(folder):
    for name in ("lambda.fa.gz", "motifs.fa", "motifs.tsv"):
        shutil.copy(ROOT / "test-data" / name, folder)
    texts = {"16s_genes.fa": fasta(rrna_genes(Made(16))), "16s_primers.fa": fasta(PRIMERS_16S.items()),
             "plasmid.fa": fasta([("plasmid", plasmid(Made(3)))]), "reads.fq": reads_with_adapters(Made(33)), "adapters.fa": fasta([("TruSeq", ADAPTER)]),
             "order.csv": ORDER, "primer3.out": primer3(folder),
             **genome_with_guides(Made(9)), **pairs_with_adapters(Made(34)), **reads_with_barcodes(Made(24)), **amplicon_scheme(Made(41)), **many_patterns(Made(10)), **chip_peaks(Made(7)),
             **reads_of_samples(Made(42)), **amplicon_reads(Made(43)), **screen(Made(44)), **cells(Made(45))}
    for name, text in texts.items():
        if name.endswith((".fq", "contigs.fa")):
            (folder / (name + ".gz")).write_bytes(gzip.compress(text.encode(), mtime=0))
        if name != "reads.fq":
            (folder / name).write_text(text)
