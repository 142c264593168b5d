"""Makes the files that examples use. They are small and always the same."""

import gzip
import random
import re

ADAPTER = "AGATCGGAAGAGC"
COMPLEMENT = str.maketrans("ACGT", "TGCA")
CODES = {"R": "AG", "Y": "CT", "M": "AC", "N": "A", "V": "C", "W": "T"}  # IUPAC codes of the primers here


def fasta(records, width=70):
    lines = []
    for name, letters in records:
        lines += [f">{name}"] + [letters[i : i + width] for i in range(0, len(letters), width)]
    return "\n".join(lines) + "\n"


def fastq(reads):
    return "".join(f"@{name}\n{letters}\n+\n{'I' * len(letters)}\n" for name, letters in reads)


def jaspar(matrices):
    lines = []
    for name, factor, word in matrices:
        lines.append(f">{name}\t{factor}")
        lines += [f"{base}  [ " + " ".join("17" if base == c else "1" for c in word) + " ]" for base in "ACGT"]
    return "\n".join(lines) + "\n"


def meme(matrices):
    text = "MEME version 4\n\nALPHABET= ACGT\n\nstrands: + -\n"
    for name, word in matrices:
        text += f"\nMOTIF {name}\nletter-probability matrix: alength= 4 w= {len(word)} nsites= 20 E= 0\n"
        text += "".join(" ".join("0.85" if base == c else "0.05" for base in "ACGT") + "\n" for c in word)
    return text


def mutated(rng, letters, edits):
    letters = list(letters)
    for place in rng.sample(range(len(letters)), edits):
        letters[place] = rng.choice("ACGT".replace(letters[place], ""))
    return "".join(letters)


def reverse(letters):
    return letters.translate(COMPLEMENT)[::-1]


def make(folder):
    rng = random.Random(20)

    def bases(length):
        return "".join(rng.choices("ACGT", k=length))

    primers = {"515F": "GTGYCAGCMGCCGCGGTAA", "806R": "GGACTACNVGGGTWTCTAAT", "M13": "TGTAAAACGACGGCCAGT"}
    site = "".join(rng.choice(CODES.get(code, code)) for code in primers["515F"])
    genome = bases(1_200_000) + site + bases(300_000) + mutated(rng, primers["M13"], 2) + bases(700_000)
    other = "".join(CODES.get(code, code)[0] for code in primers["806R"])
    at = 1_200_000 + len(site) + 250
    genome = genome[:at] + reverse(other) + genome[at + len(other) :]
    amplicons = [(f"amplicon{i}", genome[i * 1000 : i * 1000 + 400]) for i in range(1, 6)]
    barcodes = [(f"barcode{i}", bases(24)) for i in range(8)]
    reads = []
    for i in range(100):
        at = rng.randrange(50_000 - 100)
        letters = mutated(rng, genome[at : at + 100], i % 4)
        reads.append((f"read{i}", reverse(letters) if i % 2 else letters))
        tagged = bases(i % 7) + mutated(rng, barcodes[i % 8][1], i % 3) + bases(70)
        reads.append((f"tagged{i}", reverse(tagged) if i % 4 == 1 else tagged))
        reads.append((f"adapted{i}", bases(40) + mutated(rng, ADAPTER, i % 2) + bases(20)))
    pairs = [(name, letters[:150], reverse(letters[-150:])) for name, letters in amplicons * 4]
    mates = random.Random(21)
    inserts = [(f"pair{i}", "".join(mates.choices("ACGT", k=60 if i % 2 else 200))) for i in range(40)]
    tagged = random.Random(22)
    guides = ["".join(tagged.choices("ACGT", k=20)) for _ in range(8)]
    nanopore = []
    for i in range(60):
        barcode = ("AAGAAAGTTGTCGGTGTCTTTGTG", "TCGATTCCGTTTGTAGTCGTCTGT", "".join(tagged.choices("ACGT", k=24)))[i % 3]
        letters = mutated(tagged, "GCTTGGGTGTTTAACC" + barcode + "GTTTTCGCATTTATCGTGAAACGCTTTCGCGTTTTTCGTGCGCCGCTTCA", i % 7)
        letters += "".join(tagged.choices("ACGT", k=400))
        nanopore.append((f"read{i}", reverse(letters) if i % 2 else letters))
    cells = ["AAACCCAAGAAACACT", "TTTGGTTTCTTGTACT", "GGGTATGTCAAGAGTA"]
    umis = ["ACGTACGT", "TTGACCAA", "GGATCCTA"]
    texts = {
        "genome.fa": fasta([("chr1", genome), ("chr2", bases(50_000))]),
        "reference.fa": fasta([("chr1", genome[:50_000])]),
        "amplicons.fa": fasta(amplicons),
        "barcodes.fa": fasta(barcodes),
        "motifs.fa": fasta([("EcoRI", "GAATTC"), ("HinfI", "GANTC"), ("minus10_box", "TATAAT")]),
        "pairs.tsv": "name\tforward\treverse\n"
        + "".join(f"pair{i}\t{a[:20]}\t{reverse(a)[:20]}\n" for i, (_, a) in enumerate(amplicons)),
        "JASPAR.jaspar": jaspar([("MA0004.1", "Arnt", "GTCACGTGAT"), ("MA0139.2", "CTCF", "CCACCAGGGGGC")]),
        "motifs.meme": meme([("box", "CACGTGACC"), ("tata", "TATAAAAG")]),
        "peaks.bed": "chr1\t1000\t90000\tpeak1\nchr1\t500000\t600000\tpeak2\nchr2\t100\t9000\n",
        "scheme.bed": "".join(
            f"chr1\t0\t20\ttile_{i}_{side}\t{i % 2 + 1}\t{strand}\t{letters[:20]}\n"
            for i, (_, a) in enumerate(amplicons)
            for side, strand, letters in (("LEFT", "+", a), ("RIGHT", "-", reverse(a)))
        ),
        "primers.fa": fasta(primers.items()),
        "adapters.fa": fasta([("truseq", ADAPTER), ("nextera", "CTGTCTCTTATACACATCT")]),
        "library.tsv": "name\tgene\tsequence\n" + "".join(
            f"g{i}\tgene{i}\t{genome[at - 21 : at - 1]}\n"
            for i, at in enumerate([found.start() for found in re.finditer("GG", genome[1000:50_000])][:4], 1) for at in [at + 1000]),
        "guides.tsv": "".join(f"guide{i}\t{genome[i * 5000 : i * 5000 + 20]}\n" for i in range(1, 4)),
        "samples.tsv": "sample\tbarcode\nliver\tBC01\nkidney\tBC02\n",
        "barcodes.csv": "sample,barcode\n" + "".join(f"sample{i},{a[:12]}\n" for i, (_, a) in enumerate(amplicons, 1)),
        "reads_ont.fastq": fastq(nanopore),
        "library.csv": "id,sequence,gene\n" + "".join(f"guide{i},{letters},gene{i // 2}\n" for i, letters in enumerate(guides)),
        "plasmid.fq": fastq([(f"read{i}", "ACGT" + guides[i % 8] + "GTTTTAGAGC") for i in range(80)]),
        "day14.fq": fastq([(f"read{i}", "ACGT" + guides[i % 5] + "GTTTTAGAGC") for i in range(80)]),
        "screen_1.fq": fastq([(f"read{i}", "ACGTTGCA" * 5) for i in range(40)]),
        "screen_2.fq": fastq([(f"read{i}", "ACGTTGCA" * 3 + reverse(guides[i % 8]) + "GATTACA") for i in range(40)]),
        "ccs.fq": fastq([(f"read{i}", "AGAGTTTGATCCTGGCTCAG" + letters + "AAGTCGTAACAAGGTAACC") for i, (_, letters) in enumerate(amplicons)]),
        "inline.tsv": "sample_id\tbarcode\ns1\tGATTACAG\ns2\tCCGTATTC\n",
        "reads_inline.fq": fastq([(f"read{i}", ("GATTACAG", "CCGTATTC")[i % 2] + "ACGT" + "TTGACGTACATTGCACGGAT") for i in range(20)]),
        "whitelist.txt": "".join(f"{cell}\n" for cell in cells),
        "cells_1.fq": fastq([(f"read{i}", cells[i % 3] + "ACGTACGTACGT") for i in range(20)]),
        "cells_2.fq": fastq([(f"read{i}", "TTGACGTACATTGCACGGAT") for i in range(20)]),
        "umis.fq": fastq([(f"read{i}", ("ACGTNCGT" if i % 20 == 7 else umis[i % 3]) + "ACGT" + guides[i % 8] + "GTTTTAGAGC") for i in range(80)]),
        "reads.fq": fastq(reads),
        "reads.fastq": fastq(reads),
        "reads_1.fq": fastq([(f"pair{i}", first) for i, (_, first, _) in enumerate(pairs)]),
        "reads_2.fq": fastq([(f"pair{i}", second) for i, (_, _, second) in enumerate(pairs)]),
        "reads_R1.fq": fastq([(name, (insert + ADAPTER)[:100]) for name, insert in inserts]),
        "reads_R2.fq": fastq([(name, (reverse(insert) + "CTGTCTCTTATACACATCT")[:100]) for name, insert in inserts]),
    }
    for name, text in texts.items():
        is_reads = name.endswith((".fq", ".fastq"))
        if not is_reads:
            (folder / name).write_text(text)
        if is_reads or name == "genome.fa":
            (folder / (name + ".gz")).write_bytes(gzip.compress(text.encode(), 1))
