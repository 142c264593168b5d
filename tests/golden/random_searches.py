"""Random searches for tests of chunks: what each command searches for, and the options that a chunk must know.

The function of a command returns the words of a search, the files that they need, the text, and the words of `compile`.
"""
from map_support import changed, fastq, quality_of, random_bases
from matrix_files import jaspar
from naive_map import Read
from naive_match import reverse_complement
from naive_pwm import Matrix
from random_texts import fasta_files, random_letters, random_records


def some(rng, *choices):
    """Returns the words of some of the choices; each is a share and words."""
    words = []
    for share, *more in choices:
        if rng.random() < share:
            words += more
    return words


def table(rows):
    return "".join("\t".join(row) + "\n" for row in rows).encode()


def patterns(rng, shortest, longest):
    found = [("first", random_bases(rng, rng.randint(shortest, longest))), ("EcoRI", "GAATTC"), ("codes", "GANTCWR"), ("poly", "A" * 7),
             ("repeat", "ACACA"), ("half", "ACGTTGCAAGCC"), ("palindrome", "GGAATTCC"), ("none", "GCGCGCGCGCGCGCGC")]
    return rng.sample(found, rng.randint(1, 4))


def circular(rng, text):
    if rng.random() < 0.5 or not text.named or text.fastq:
        return ["--circular"]
    return [f"--circular={name}" for name in {rng.choice(text.named)[0] for _ in range(2)}]


def strands(rng):
    return some(rng, (0.15, "--strand", rng.choice(["plus", "minus"])), (0.15, "--palindromes", "both"))


def perhaps_compiled(rng, words, *more):
    """Returns words of a search, and those of `compile` that give it a compiled set for the first of them; mostly none."""
    return (["-f", "set.bsx"], [*more, *words]) if rng.random() < 0.12 else (words, [])


def motif(rng, make_text):
    chosen = patterns(rng, 3, 9)
    text = make_text([letters for _, letters in chosen if letters.isalpha()])
    given = ["-f", "p.tsv"] if rng.random() < 0.7 else [word for name, letters in chosen for word in ("-p", f"{name}={letters}")]
    words, compiled = perhaps_compiled(rng, given + strands(rng))
    words += some(rng, (0.15, "--soft-masked", "skip"))
    words += circular(rng, text) if rng.random() < 0.2 else some(rng, (0.15, "--flank", rng.choice([1, 5, 40])))
    return words, {"p.tsv": table(chosen)}, text, compiled


def limits(rng, most=2):
    kind = rng.random()
    if kind < 0.2:
        words = ["--mismatches", rng.randint(0, most)]
    elif kind < 0.35:
        words = ["-e", rng.choice(["0.1", "0.2", "15%"])]
    else:
        words = ["-k", rng.randint(0, most)]
    if kind >= 0.2:
        words += some(rng, (0.1, "--max-indels", rng.choice([0, 1])), (0.08, "--max-mismatches", 1), (0.08, "--max-dna-bulges", 0),
                      (0.08, "--max-rna-bulges", 0))
    return words + some(rng, (0.15, "--clamp-3prime", rng.randint(1, 4)), (0.1, "--clamp-5prime", 2))


def match(rng, make_text):
    chosen = patterns(rng, 6, 15)
    text = make_text([letters for _, letters in chosen])
    words, compiled = perhaps_compiled(rng, ["-f", "p.tsv", *limits(rng), *strands(rng)])
    words += some(rng, (0.15, "--soft-masked", "skip"))
    more = rng.random()
    if more < 0.15:
        words += circular(rng, text)
    elif more < 0.4:
        words += [rng.choice(["--overhang", "--overhang", "--overhang-3prime", "--overhang-5prime"]), rng.randint(2, 5)]
    words += some(rng, (0.12, "--flank", rng.choice([1, 5, 40]))) if more >= 0.15 else []
    return words, {"p.tsv": table(chosen)}, text, compiled


def matrix(rng, number):
    consensus = random_bases(rng, rng.randint(2, 8))
    columns = [{letter: rng.choice([17, 20]) if letter == best else rng.choice([0, 1, 1, 4]) for letter in "ACGT"} for best in consensus]
    return Matrix(f"M{number}", f"name {number}", columns), consensus


def pwm(rng, make_text):
    made = [matrix(rng, number) for number in range(rng.randint(1, 3))]
    text = make_text([consensus for _, consensus in made])
    words = ["-m", "m.jaspar", *rng.choice([["-p", "0.01"], ["-p", "0.002"], ["-p", "0.3"], ["--score", "3"], ["--relative", "0.8"]])]
    words += some(rng, (0.15, "--strand", rng.choice(["plus", "minus"])), (0.15, "--soft-masked", "skip"), (0.1, "--pseudocount", 1),
                  (0.2, "--background", rng.choice(["uniform", "input", "0.3,0.2,0.2,0.3"])))
    words += some(rng, (0.2, "--table", rng.choice(["score", "count"])))
    return words, {"m.jaspar": jaspar([one for one, _ in made]).encode()}, text, []


def pcr(rng, make_text):
    primers = [random_bases(rng, rng.randint(6, 11)) for _ in range(3)] + ["ACGTWCGT", "GAATTC", "AAAAAA"]
    pairs = [(f"p{i}", rng.choice(primers), rng.choice(primers)) for i in range(rng.randint(1, 3))]
    pool = rng.random() < 0.2
    products = [forward + random_bases(rng, rng.choice([0, 5, 40])) + reverse_complement(reverse) for _, forward, reverse in pairs]
    text = make_text([product.replace("W", "A") for product in products])
    sizes = [] if pool else ["min_size", "max_size"]
    rows = [("name", "forward", "reverse", *sizes)]
    rows += [(*pair, *(rng.choice(choice) for choice in (["", "", "20"], ["", "90"])[:len(sizes)])) for pair in pairs]
    compiled = []
    if rng.random() < 0.8:
        words, compiled = perhaps_compiled(rng, ["-f", "pairs.tsv", *limits(rng)], "--pairs")
    else:
        words = ["--forward", pairs[0][1], "--reverse", pairs[0][2], *limits(rng), *some(rng, (0.6, "--probe", random_bases(rng, 4)))]
    words += some(rng, (0.7, "--size", rng.choice(["200", "10,60", "90"])), (0.15, "--soft-masked", "skip"), (0.1, "--monovalent", 70))
    words += ["--pool"] * pool + (["--single"] if not pool and rng.random() < 0.25 else [])
    words += circular(rng, text) if rng.random() < 0.2 else []
    return words, {"pairs.tsv": table(rows)}, text, compiled


def guides(rng, make_text):
    length = rng.choice([20, 20, 20, 17])
    made = [random_bases(rng, length) for _ in range(rng.randint(1, 5))]
    five = rng.random() < 0.15
    pam = "TTTV" if five else rng.choice(["NGG", "NGG", "NGG,NAG", "NRG"])

    def place(guide):
        at = rng.randrange(2, length - 2)
        guide = rng.choice([guide, guide, guide[:at] + rng.choice("ACGT") + guide[at:], guide[:at] + guide[at + 1:]])
        return "TTTA" + guide if five else guide + rng.choice("ACGT") + rng.choice(["GG", "GG", "AG"])
    text = make_text([place(guide) for guide in made for _ in range(4)])
    rows = [("name", "gene", "sequence")]
    rows += [(rng.choice([f"g{i}", f"g{i}", "same"]), f"gene {i}", guide) for i, guide in enumerate(made + made[:rng.choice([0, 0, 1])])]
    words = ["-f", "library.tsv"] if rng.random() < 0.8 else [word for guide in made for word in ("-p", guide)]
    words += ["--pam", pam, "-m", rng.randint(0, 4)] + ["--pam-side", "5prime"] * five
    words += some(rng, (0.4, "--max-dna-bulges", rng.randint(1, 2)), (0.4, "--max-rna-bulges", rng.randint(1, 2)), (0.1, "--seed", 6),
                  (0.15, "--soft-masked", "skip"), (0.1, "--pam-in-guide", "no"))
    return words, {"library.tsv": table(rows)}, text, []


def read_of(rng, records, name):
    texts = [letters for _, letters in records if len(letters) > 30]
    if not texts or rng.random() < 0.15:
        letters = rng.choice(["", "A", "N" * 14, "RYSWKM", "A" * 15, random_bases(rng, 18)])
    else:
        text = rng.choice(texts)
        at = rng.randrange(len(text) - 20)
        letters = changed(text[at:at + rng.randint(10, 30)], rng.choice([0, 0, 1, 2, 3]), rng)
        letters = letters if rng.random() < 0.5 else reverse_complement(letters.upper().translate(str.maketrans("URYKM", "TNNNN")))
    return Read(name, letters, quality_of(letters, rng))


def reads_of_sam(rng, reads):
    """An alignment file of reads without places, with tags."""
    text = "@HD\tVN:1.6\n@RG\tID:x\tSM:s\n@RG\tID:y\n"
    for read in reads:
        letters = read.letters.upper().replace("U", "T") or "*"
        tags = rng.choice(["", "\tRG:Z:x", "\tBC:Z:ACGT\tRG:Z:y", "\tBC:Z:T T\tXI:i:300", "\tXB:B:s,1,-2"])
        text += f"{read.name}\t4\t*\t0\t0\t*\t*\t0\t0\t{letters}\t{'*' if letters == '*' else read.quality}{tags}\n"
    return text.encode()


def map_reads(rng, records):
    """Returns words and files of reads, and the words that a plan is made of."""
    count, kind = rng.choice([0, 1, 3, 10, 25]), rng.random()
    if kind < 0.45:
        files, words = {}, []
        for stem in "st"[:rng.choice([1, 1, 2])]:
            files[f"{stem}.fq"] = fastq([read_of(rng, records, f"{stem}{i}") for i in range(count)]).encode()
            words.append(f"{stem}.fq")
        return words, files, words
    if kind < 0.6:
        text = "".join(f">f{i}\n{read_of(rng, records, '').letters}\n" for i in range(count))
        return ["f.fa"], {"f.fa": text.encode()}, ["--reads", "f.fa"]
    if kind < 0.7:
        words = ["--keep-tags", rng.choice(["RG,BC", "BC", "BC,XI,XB"]), "r.sam"]
        return words, {"r.sam": reads_of_sam(rng, [read_of(rng, records, f"r{i}") for i in range(count)])}, ["r.sam"]
    mates = [[read_of(rng, records, f"m{i}") for i in range(count)] for _ in range(2)]
    if kind < 0.85:
        text = "".join(fastq([pair[0]], "/1") + fastq([pair[1]], "/2") for pair in zip(*mates))
        return ["--interleaved", "i.fq"], {"i.fq": text.encode()}, ["i.fq"]
    return ["-1", "1.fq", "-2", "2.fq"], {f"{i + 1}.fq": fastq(mates[i]).encode() for i in range(2)}, ["1.fq"]


def map_search(rng):
    """Returns words of the search, its files, the reference, the words of the reads, and those that a plan is made of."""
    records = random_records(rng, [random_letters(rng, [], 40)], rng.sample(["first", "chr|2", "c", "d"], rng.randint(1, 3)))
    files, name = fasta_files(rng, "ref", records, ("plain", "plain", "indexed", "bgzf", "bgzf indexed", "gzip", "2bit"))
    reads, more, planned = map_reads(rng, records)
    words = ["-r", name, *rng.choice([["-k", 0], ["-k", 1], ["-k", 2], ["-k", 3], ["-e", "0.1"]])]
    words += some(rng, (0.2, "--strand", rng.choice(["plus", "minus"])), (0.3, "-N", rng.choice([0, 1, 3])), (0.2, "--hits-only"),
                  (0.15, "--insert", "20,90"), (0.15, "--md5"))
    return words, {**files, **more}, (name, records), reads, planned
