#!/usr/bin/env python3
"""Makes reads of guides with known truth, and scores tables of counts.

    guide_reads.py make LIBRARY READS FOLDER [SEED]   LIBRARY: TSV with the columns CODE, seq and GENES; makes FOLDER/reads.fq,
                                                      library.tsv (guide, bases, gene) and truth.tsv (guide, reads)
    guide_reads.py score TRUTH TABLE                  TABLE: of `count`, or of another program with guides in its first
                                                      column and counts in its last

A read begins with 0 to 7 bases of a stagger, then has the guide and 40 bases of its vector. Of its bases 1 % are replaced,
0.1 % deleted, and before 0.1 % another one is inserted. 5 % of the reads have no guide. The score: reads that are counted for
the right guide, at most as many as it has, and those too many.
"""
import csv
import random
import sys

VECTOR = "GTTTAAGAGCTATGCTGGAAACAGCATAGCAAGTTTAAAT"
STAGGER = "TCGATCGA"


def with_errors(bases, rng):
    read = []
    for base in bases:
        chance = rng.random()
        if chance < 0.001:
            continue
        if chance < 0.002:
            read.append(rng.choice("ACGT"))
        read.append(rng.choice([one for one in "ACGT" if one != base]) if rng.random() < 0.01 else base)
    return "".join(read)


def make(library, number, folder, seed="1"):
    rng = random.Random(int(seed))
    with open(library) as rows:
        by_sequence = {row["seq"].upper(): row for row in csv.DictReader(rows, delimiter="\t")}
    guides = [(row["CODE"], bases, row["GENES"]) for bases, row in by_sequence.items()]
    truth = {}
    with open(f"{folder}/reads.fq", "w") as reads:
        for i in range(int(number)):
            guide, bases, _ = rng.choice(guides)
            if rng.random() < 0.05:
                bases = "".join(rng.choice("ACGT") for _ in bases)
            else:
                truth[guide] = truth.get(guide, 0) + 1
            read = with_errors(STAGGER[:rng.randrange(8)] + bases + VECTOR, rng)
            reads.write(f"@r{i}\n{read}\n+\n{'F' * len(read)}\n")
    with open(f"{folder}/library.tsv", "w") as out:
        out.write("guide\tbases\tgene\n")
        out.writelines("\t".join(guide) + "\n" for guide in guides)
    with open(f"{folder}/truth.tsv", "w") as out:
        out.write("guide\treads\n")
        out.writelines(f"{guide}\t{count}\n" for guide, count in sorted(truth.items()))


def counts_of(path):
    with open(path) as rows:
        table = list(csv.reader(rows, delimiter="\t"))[1:]
    return {row[0]: int(float(row[-1])) for row in table}


def score(truth, table):
    expected, found = counts_of(truth), counts_of(table)
    total = sum(expected.values())
    right = sum(min(count, found.get(guide, 0)) for guide, count in expected.items())
    many = sum(max(0, count - expected.get(guide, 0)) for guide, count in found.items())
    print(f"{right} of {total} reads in the right guide ({100 * right / total:.2f} %), {many} too many")


if __name__ == "__main__":
    {"make": make, "score": score}[sys.argv[1]](*sys.argv[2:])
