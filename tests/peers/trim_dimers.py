#!/usr/bin/env python3
"""Scores how `trim` treats dimers of adapters in pairs.

    trim_dimers.py FIRST.fq SECOND.fq TABLE ADAPTER SECOND_ADAPTER

TABLE: of `trim --table` for these pairs. A dimer is a pair whose mates both begin with their adapter with at most 6 edits.
Prints how many dimers the pairs have, how many of them were cut to nothing, and how many pairs besides, of which it prints
those with an adapter at the start of neither mate.
"""
import sys

MOST_EDITS = 6
SEED = 8  # bases of an adapter without which a read is not looked at


def edits(adapter, read):
    """The least edits that turn the adapter into the start of the read."""
    row = list(range(len(adapter) + 1))
    best = row[-1]
    for base in read[: len(adapter) + MOST_EDITS]:
        new = [row[0] + 1]
        for i, letter in enumerate(adapter, 1):
            new.append(min(row[i - 1] + (letter != base), row[i] + 1, new[i - 1] + 1))
        row = new
        best = min(best, row[-1])
    return best


def begins(adapter, read):
    seeds = (adapter[i: i + SEED] for i in range(len(adapter) - SEED + 1))
    return any(seed in read[: len(adapter) + SEED] for seed in seeds) and edits(adapter, read) <= MOST_EDITS


def main(first, second, table, *adapters):
    with open(first) as one, open(second) as two, open(table) as rows:
        mates = list(zip(one.read().split("\n")[1::4], two.read().split("\n")[1::4]))
        fields = [row.rstrip("\n").split("\t") for row in rows][1:]
    dimers = found = others = 0
    for i, mate in enumerate(mates):
        starts = [begins(adapter, read) for adapter, read in zip(adapters, mate)]
        empty = all(row[5] == row[6] for row in fields[2 * i: 2 * i + 2])
        dimers += all(starts)
        found += all(starts) and empty
        if empty and not all(starts):
            others += 1
            if not any(starts):
                print(fields[2 * i][0], *mate, sep="\t")
    print(f"{dimers} dimers, {found} of them found; {others} other pairs without bases, {len(mates)} pairs")


if __name__ == "__main__":
    main(*sys.argv[1:])
