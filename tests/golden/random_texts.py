"""Random texts for tests of chunks: records with copies of patterns, repeats, N, lower case; as files of all kinds."""
import gzip
from typing import Dict, List, NamedTuple, Tuple

import twobit
from chunk_support import fai, fasta, gzi
from map_support import changed, random_bases
from naive_match import reverse_complement
from support import bgzf, zstd

NAMES = ("chr.1", "chr|3", "chr:2", "a:1-20", "x", "y_2", "HLA*1", "7", "z%", "long_name_of_a_record")
UNITS = ("A", "T", "AC", "GT", "ACG", "GAATTC", "AAT")
LENGTHS = (0, 0, 1, 3, 9, 30, 30, 90, 180, 180, 400)
FASTA_KINDS = ("plain", "plain", "plain", "indexed", "indexed", "bgzf", "bgzf indexed", "gzip", "zstd", "2bit", "2bit")


class Text(NamedTuple):
    """The input of a search."""
    files: Dict[str, bytes]  # in the order in which they are written: indices are younger than what they are of
    inputs: List[str]
    records: List[List[Tuple[str, str]]]  # of each input: name and letters
    fastq: bool = False

    @property
    def named(self):
        """Names and lengths of the records with bases; of several with one name, that of the shortest."""
        lengths = {}
        for name, letters in sum(self.records, []):
            if letters:
                lengths[name] = min(len(letters), lengths.get(name, len(letters)))
        return list(lengths.items())


def random_letters(rng, planted, length):
    """Returns pieces of random bases, changed copies of what is planted, repeats, N and other codes, cut to the length."""
    text = ""
    while len(text) < length:
        kind = rng.random()
        if kind < 0.35 and planted:
            piece = changed(rng.choice(planted), rng.choice((0, 0, 0, 1, 1, 2)), rng)
            piece = piece if rng.random() < 0.5 else reverse_complement(piece)
        elif kind < 0.45:
            piece = rng.choice(UNITS) * rng.randint(2, 14)
        elif kind < 0.5:
            piece = "N" * rng.choice((1, 1, 2, 40))
        elif kind < 0.53:
            piece = random_bases(rng, 4, "ACGTRYKMU")
        else:
            piece = random_bases(rng, rng.randint(1, 30))
        text += piece.lower() if rng.random() < 0.1 else piece
    return text[:length]


def random_records(rng, planted, names):
    records = [(name, random_letters(rng, planted, rng.choice(LENGTHS))) for name in names]
    if not any(len(letters) > 20 for _, letters in records):
        records.append(("last", random_letters(rng, planted, 260)))
    return records


def fasta_files(rng, stem, records, kinds=FASTA_KINDS):
    """Returns the files of an input, and its name."""
    kind, line = rng.choice(kinds), rng.choice((1, 7, 60, 61, 10000))
    text = fasta(records, line).encode()
    if kind == "2bit":
        letters = [(name, text.translate(str.maketrans("RYKMrykm", "NNNNnnnn"))) for name, text in records]
        return {f"{stem}.2bit": twobit.write(letters, rng.choice("<>"))}, f"{stem}.2bit"
    if kind == "zstd":
        return {f"{stem}.fa.zst": zstd(text)}, f"{stem}.fa.zst"
    if kind == "gzip":
        return {f"{stem}.fa.gz": gzip.compress(text, mtime=0)}, f"{stem}.fa.gz"
    files, name = {f"{stem}.fa": text}, f"{stem}.fa"
    if "bgzf" in kind:
        packed = bgzf(text, rng.choice((50, 300, 5000)))
        files, name = {f"{stem}.fa.gz": packed}, f"{stem}.fa.gz"
        if "indexed" in kind:
            files[f"{name}.gzi"] = gzi(packed)
    if "indexed" in kind:
        files[f"{name}.fai"] = fai(records, line).encode()
    return files, name


def fastq_bytes(rng, records):
    if rng.random() < 0.12:
        rows = (f"{name}\t4\t*\t0\t0\t*\t*\t0\t0\t{letters or '*'}\t*\n" for name, letters in records)
        return ("@HD\tVN:1.6\n" + "".join(rows)).encode(), ".sam"
    text = "".join(f"@{name}\n{letters}\n+\n{'I' * len(letters)}\n" for name, letters in records).encode()
    kind = rng.random()
    if kind < 0.2:
        return gzip.compress(text, mtime=0), ".fq.gz"
    return (bgzf(text, 200), ".fq.gz") if kind < 0.35 else (text, ".fq")


def random_text(rng, planted, fastq_share=0.2):
    fastq = rng.random() < fastq_share
    files, inputs, all_records = {}, [], []
    names = list(rng.sample(NAMES, len(NAMES)))
    for stem in ("g", "h", "i")[:rng.choice((1, 1, 1, 2, 3))]:
        if fastq:
            records = [(f"{stem}{i}", random_letters(rng, planted, rng.choice((0, 5, 20, 40, 80)))) for i in range(rng.choice((0, 1, 5, 17)))]
            data, ending = fastq_bytes(rng, records)
            more, name = {stem + ending: data}, stem + ending
        else:
            own = [names.pop() for _ in range(rng.randint(1, 3))]
            if stem == "h" and rng.random() < 0.06:
                own[0] = all_records[0][0][0]  # in two files
            records = random_records(rng, planted, own) if stem == "g" else [(name, random_letters(rng, planted, rng.choice(LENGTHS))) for name in own]
            more, name = fasta_files(rng, stem, records)
        files.update(more)
        inputs.append(name)
        all_records.append(records)
    return Text(files, inputs, all_records, fastq)


def random_regions(rng, text):
    """Returns options that name regions of the text, and the files that they need; nothing where it has no regions."""
    if text.fastq or not text.named or rng.random() < 0.75:
        return [], {}
    chosen = []
    for name, length in rng.sample(text.named, min(len(text.named), rng.randint(1, 3))):
        begin = rng.randrange(length)
        chosen.append((name, begin, rng.randint(begin + 1, length)))
    if rng.random() < 0.5:
        rows = "".join(f"{name}\t{begin}\t{end}\tpeak\n" for name, begin, end in chosen)
        return ["--regions-file", "in.bed"], {"in.bed": rows.encode()}
    words = []
    for name, begin, end in chosen:
        words += ["--region", f"{{{name}}}" + (f":{begin + 1}-{end}" if rng.random() < 0.8 else "")]
    return words, {}
