#!/usr/bin/env python3
"""Compares the modified bases of reads that `trim` and `demux` cut with what pysam reads before and after.

    modified_bases.py BASESWEEP [READS [SEED]]

Needs pysam and samtools. Makes a BAM file of random reads with random MM, ML and MN tags (several modifications of a base,
both strands of the tag, reads without tags), cuts it in several ways, and checks for each read that the modifications which
pysam sees in the output are those that it sees in the input, within the bases that are left, with the same probabilities.
"""
import os
import random
import subprocess
import sys
import tempfile

import pysam

COMPLEMENT = str.maketrans("ACGT", "TGCA")
CODES = {"C": "mh", "A": "a", "T": "g"}
BARCODES = {"first": "ACGTACGTTGCA", "second": "TTGACCATGGCA"}


def turned(bases):
    return bases.translate(COMPLEMENT)[::-1]


def random_tags(bases, rng):
    """MM and ML of a read: modifications of some of its bases, on its own strand and on the other one."""
    fields, chances = [], []
    for base, codes in CODES.items():
        for strand in "+-":
            if rng.random() < 0.4:
                continue
            letter = base if strand == "+" else base.translate(COMPLEMENT)
            code = codes if rng.random() < 0.5 else codes[0]
            skipped, counts = 0, []
            for one in bases:
                if one != letter:
                    continue
                if rng.random() < 0.3:
                    counts.append(skipped)
                    chances += [rng.randrange(256) for _ in code]
                    skipped = 0
                else:
                    skipped += 1
            # The tag names the base as it is in the read; '-' says that its complement is modified.
            fields.append(letter + strand + code + rng.choice(["", ".", "?"]) + "".join(f",{n}" for n in counts) + ";")
    return "".join(fields), chances


def write_reads(path, number, rng):
    with open(path, "w") as out:
        out.write("@HD\tVN:1.6\tSO:unknown\n")
        for i in range(number):
            barcode = rng.choice(list(BARCODES.values()))
            bases = barcode + "".join(rng.choice("ACGT") for _ in range(rng.randrange(20, 300)))
            if rng.random() < 0.5:
                bases = turned(bases)
            tags = ""
            if rng.random() < 0.9:
                mm, ml = random_tags(bases, rng)
                tags = f"\tMM:Z:{mm}" + (f"\tML:B:C,{','.join(map(str, ml))}" if ml else "\tML:B:C")
                tags += f"\tMN:i:{len(bases)}" if rng.random() < 0.7 else ""
            quality = "".join(chr(33 + rng.randrange(2, 41)) for _ in bases)
            out.write(f"r{i}\t4\t*\t0\t0\t*\t*\t0\t0\t{bases}\t{quality}{tags}\n")


def reads_of(path):
    with pysam.AlignmentFile(path, check_sq=False) as file:
        for read in file:
            yield read.query_name, read.query_sequence or "", read.modified_bases or {}


def expected(bases, mods, written):
    """The modifications of the bases that were written, which are a stretch of the read or of its reverse complement."""
    answers = []
    for turn in (False, True):
        whole = turned(bases) if turn else bases
        begin = whole.find(written)
        while begin != -1:
            answer = {}
            for (base, strand, code), places in mods.items():
                # Of a turned read the same base is named by its complement, and is on the other strand.
                key = (base.translate(COMPLEMENT), 1 - strand, code) if turn else (base, strand, code)
                moved = [((len(bases) - 1 - at if turn else at) - begin, chance) for at, chance in places]
                kept = sorted(one for one in moved if 0 <= one[0] < len(written))
                if kept:
                    answer[key] = kept
            answers.append(answer)
            begin = whole.find(written, begin + 1)
    return answers


def check(before, after):
    """How many reads were compared, with how many modifications."""
    known = {name: (bases, mods) for name, bases, mods in reads_of(before)}
    reads = places = 0
    for path in after:
        for name, written, mods in reads_of(path):
            bases, all_mods = known[name]
            found = {key: sorted(value) for key, value in mods.items() if value}
            answers = expected(bases, all_mods, written) if written else [{}]
            assert found in answers, (path, name, bases, written, all_mods, found)
            reads += 1
            places += sum(map(len, found.values()))
    return reads, places


def main(program, number="2000", seed="1"):
    rng = random.Random(int(seed))
    with tempfile.TemporaryDirectory() as folder:
        at = lambda name: os.path.join(folder, name)  # noqa: E731
        write_reads(at("in.sam"), int(number), rng)
        subprocess.run(["samtools", "view", "-b", "-o", at("in.bam"), at("in.sam")], check=True)
        with open(at("sheet.tsv"), "w") as sheet:
            sheet.write("sample\tbarcode\n" + "".join(f"{name}\t{one}\n" for name, one in BARCODES.items()))
        runs = {
            "trim -u 5 -u -7": ["trim", "-u", "5", "-u", "-7", at("in.bam"), "-o", at("cut.bam")],
            "trim -l 40": ["trim", "-l", "40", at("in.bam"), "-o", at("short.bam")],
            "trim -q 25,25": ["trim", "-q", "25,25", at("in.bam"), "-o", at("quality.bam")],
            "trim --revcomp": ["trim", "-g", BARCODES["first"], "--revcomp", at("in.bam"), "-o", at("turned.bam")],
            "demux --orient": ["demux", "-s", at("sheet.tsv"), "--orient", at("in.bam"), "-o", at("oriented")],
            "demux": ["demux", "-s", at("sheet.tsv"), at("in.bam"), "-o", at("samples")],
        }
        for name, words in runs.items():
            subprocess.run([program, *words, "-q" if words[0] == "demux" else "--quiet"], check=True)
            output = words[-1]
            files = [output] if output.endswith(".bam") else sorted(
                os.path.join(output, one) for one in os.listdir(output) if one.endswith(".bam"))
            reads, places = check(at("in.bam"), files)
            print(f"{name}: {reads} reads with {places} modifications are as pysam reads them")
            assert reads == int(number) and places > 0


if __name__ == "__main__":
    main(*sys.argv[1:])
