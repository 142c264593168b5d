#!/usr/bin/env python3
"""Measures calls of the Python package beside other libraries for Python, and prints a table for docs/python.md.

    measure_python.py [--megabases N] [--rounds N]

Needs basesweep and NumPy; takes sassy (sassy-rs on PyPI), edlib and lightmotif where they are installed. Libraries take turns; each
figure is the least of all rounds. `taskset -c 0` leaves all of them one processor: basesweep reads in a second thread.
"""
import argparse
import importlib.util
import random
import re
import time

import basesweep as bs
import numpy

COLUMNS = ["record", "start", "end", "pattern", "strand", "matched"]  # those of bs.motif()
PRIMER, SITE = "GTGCCAGCAGCCGCGGTAA", "GAATTC"
MATRIX = [[0, 3, 79, 40, 66, 48, 65, 11, 65, 0], [94, 75, 4, 3, 1, 2, 5, 2, 3, 3], [1, 0, 3, 4, 1, 0, 5, 3, 28, 88], [2, 19, 11, 50, 29, 47, 22, 81, 1, 6]]


def random_letters(count):
    return bytes(random.Random(1).choices(b"ACGT", k=count))


def jobs(letters):
    """Yields (job, library, function)."""
    size = f"{len(letters) // 1_000_000} Mb"
    short, array = letters[:1000].decode(), numpy.frombuffer(letters, numpy.uint8)
    exact, edits = bs.Searcher([PRIMER, SITE], threads=1), bs.Searcher(PRIMER, k=2, threads=1)
    matrix = bs.Pwm({"m": list(zip(*MATRIX))}, p=1e-5, threads=1)
    dense = bs.Searcher("ACN", threads=1)
    yield "1 kb, a primer of 19, k = 2: a call", "basesweep, prepared", lambda: edits.search(short)
    yield "1 kb, a primer of 19, k = 2: a call", "basesweep, bs.match()", lambda: bs.match(PRIMER, short, k=2, threads=1)
    yield f"{size}, 2 exact patterns", "basesweep", lambda: exact.search(array)
    yield f"{size}, the primer, k = 2", "basesweep", lambda: edits.search(array)
    yield f"{size}, a matrix of 10, p = 1e-5", "basesweep", lambda: matrix.search(array)
    for columns in (COLUMNS, COLUMNS[:5], COLUMNS[1:2]):
        yield f"{size}, 1 in 8 positions is a hit", f"basesweep, {', '.join(columns)}", lambda columns=columns: dense.search(array, columns=columns)
    yield f"{size}, 1 in 8 positions is a hit", "basesweep, counted only", lambda: dense.count(array)
    turned = bytes(reversed(PRIMER.encode())).translate(bytes.maketrans(b"ACGT", b"TGCA"))
    exactly = re.compile(b"(?=(" + b"|".join([PRIMER.encode(), turned, SITE.encode()]) + b"))")
    yield f"{size}, 2 exact patterns", "re, with overlaps", lambda: [found.start() for found in exactly.finditer(letters)]
    if importlib.util.find_spec("sassy"):
        import sassy

        sassy_search = sassy.Searcher("dna")
        yield "1 kb, a primer of 19, k = 2: a call", "sassy", lambda: sassy_search.search(PRIMER.encode(), letters[:1000], 2)
        yield f"{size}, the primer, k = 2", "sassy", lambda: sassy_search.search(PRIMER.encode(), letters, 2)
    if importlib.util.find_spec("edlib"):
        import edlib

        yield f"{size}, the primer, k = 2", "edlib, best place of each strand", lambda: [
            edlib.align(one, letters, mode="HW", task="locations", k=2) for one in (PRIMER.encode(), turned)]
    if importlib.util.find_spec("lightmotif"):
        import lightmotif

        counts = lightmotif.CountMatrix(dict(zip("ACGT", MATRIX)))
        forward = counts.normalize(0.1).log_odds()
        backward = forward.reverse_complement()
        striped = lightmotif.stripe(letters.decode())

        def scan():
            return [sum(1 for _ in lightmotif.scan(one, striped, threshold=one.score(1e-5))) for one in (forward, backward)]
        yield f"{size}, a matrix of 10, p = 1e-5", "lightmotif, text prepared", scan


def seconds(function, least):
    """Returns the seconds of a call: the mean of as many as take `least` seconds together."""
    calls = 0
    begin = time.perf_counter()
    while True:
        function()
        calls += 1
        passed = time.perf_counter() - begin
        if passed >= least:
            return passed / calls


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabases", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    measured = [(job, library, function, []) for job, library, function in jobs(random_letters(options.megabases * 1_000_000))]
    for _ in range(options.rounds):
        for _, _, function, found in measured:
            found.append(seconds(function, 0.05))
    print("| job | library | ms |\n| --- | --- | --- |")
    for job, library, _, found in sorted(measured, key=lambda one: one[0]):
        print(f"| {job} | {library} | {min(found) * 1000:.3g} |")


if __name__ == "__main__":
    main()
