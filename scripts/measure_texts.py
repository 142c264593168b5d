#!/usr/bin/env python3
"""Measures whether `auto` of `motif` takes the best exact algorithm for a text, and keeps the rows for docs/benchmarks.md.

    measure_texts.py BINARY DATA FOLDER OUT.json [--threads N]... [--text TEXT] [--set NxM]... [--quick]

DATA has the genomes that docs/benchmarks.md names, as FASTA. FOLDER keeps the texts that are made. Each text is searched for sets of
patterns that are taken from it, by every algorithm in turn (`basesweep bench --text`). Exits with 1 if `auto` takes more than 1.15 times
the best of the others. OUT.json becomes docs/measurements/texts.json; put the commit into it.
"""
import argparse
import datetime
import gzip
import json
import os
import pathlib
import random
import subprocess
import sys

FLOOR = 1.15
BASES = 1 << 24
SETS = [f"{count}x{length}" for length in (8, 12, 20, 50) for count in (1, 10, 100, 1000, 10_000)]
GENOMES = {"S. aureus": "saureus_USA300_NC_007793.1", "E. coli": "ecoli_K12_MG1655_NC_000913.3", "yeast": "yeast_R64_ensembl94",
           "C. elegans chrX": "celegans_ce2_chrX", "human chrX": "human_hs37_chrX_70Mb", "16S genes": "rRNA16S_gold"}


def markov(rng, at):
    """Letters of an order-3 Markov chain whose rows are random and hold this share of A and T on the average."""
    rows = []
    for _ in range(64):
        share = min(max(rng.gauss(at, 0.06), 0.05), 0.98)
        a, c = rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7)
        weights = (share * a, (1 - share) * c, (1 - share) * (1 - c), share * (1 - a))
        rows.append(rng.choices(range(4), weights, k=4096))
    state, codes, draws = 0, bytearray(BASES), rng.randbytes(2 * BASES)
    for i in range(BASES):
        code = rows[state][(draws[2 * i] << 8 | draws[2 * i + 1]) & 4095]
        codes[i] = code
        state = (state << 2 | code) & 63
    return codes.translate(bytes.maketrans(bytes(range(4)), b"ACGT")).decode()


def genome(data, name):
    with gzip.open(data / f"{GENOMES[name]}.fa.gz", "rt") as file:
        return file.read()


def write(path, text):
    path.write_text(text if text.startswith(">") else f">made\n{text}\n")


def make_texts(data, folder):
    rng = random.Random(11)
    makers = {"uniform": lambda: "".join(rng.choices("ACGT", k=BASES)), "two letters": lambda: "".join(rng.choices("AT", k=BASES)),
              "80 % AT": lambda: markov(rng, 0.8), "90 % AT": lambda: markov(rng, 0.9),
              "yeast, C to T": lambda: "".join(line if line.startswith(">") else line.upper().replace("C", "T")
                                               for line in genome(data, "yeast").splitlines(keepends=True))}
    for name in GENOMES:
        makers[name] = lambda name=name: genome(data, name)
    texts = {}
    for name, make in makers.items():
        texts[name] = folder / f"{name.replace(' ', '_').replace('%', 'percent')}.fa"
        if not texts[name].exists():
            write(texts[name], make())
    return texts


def measure(options, name, path, threads):
    """Returns a row for each set: text, threads, set, what `auto` takes, its Gbase/s, the best of the others, its Gbase/s, their ratio."""
    out = options.folder / "bench.json"
    words = [options.binary, "bench", "--device", "cpu", "-t", str(threads), "--text", path, "--json", out]
    for size in options.set or SETS:
        words += ["--set", size]
    subprocess.run(words + (["--quick"] if options.quick else []), check=True, stdout=subprocess.DEVNULL)
    report = json.loads(out.read_text())
    sets = {}
    for row in report["parts"][0]["rows"]:
        algorithm, size = row["what"].split(" ", 1)
        sets.setdefault(size, {})[algorithm] = row
    rows = []
    for size, by in sets.items():
        auto = by.pop("auto")
        best = min(by.values(), key=lambda row: row["seconds"])
        rows.append([name, threads, size, auto["how"].split(" ")[0], round(auto["gbases_per_second"], 2), best["how"].split(" ")[0],
                     round(best["gbases_per_second"], 2), round(auto["seconds"] / best["seconds"], 2)])
        print("{:<16} {} {:<12} auto: {:<10} {:6.2f}  best: {:<12} {:6.2f}  {:5.2f}".format(*rows[-1]), flush=True)
    return rows, report["machine"]


def table_row(rows):
    """A row of the table for the rows of one text and number of threads."""
    worst = max(rows, key=lambda row: row[-1])
    return [rows[0][0], str(rows[0][1]), f"{sum(row[-1] <= FLOOR for row in rows)} of {len(rows)}",
            f"{worst[-1]:.2f} ({worst[2]}: {worst[3]}, best {worst[5]})", ", ".join(sorted({row[3] for row in rows}))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=os.path.abspath)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--threads", type=int, action="append")
    parser.add_argument("--text", default="", help="only texts whose name contains this")
    parser.add_argument("--set", action="append")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    measured, table, machine = [], [], {}
    for name, path in make_texts(options.data, options.folder).items():
        for threads in options.threads or [1, 2]:
            if options.text in name:
                rows, machine = measure(options, name, path, threads)
                measured += rows
                table.append(table_row(rows))
    options.out.write_text(json.dumps({
        "table": "texts", "date": datetime.date.today().isoformat(), "chip": f"{machine['cpu']}, {machine['instruction_set']}", "commit": "",
        "columns": ["text", "threads", f"sets where auto is within {FLOOR:.2f}", "auto / best at worst", "auto takes"], "rows": table,
        "measured": [" ".join(map(str, row)) for row in measured]}, indent=1) + "\n")
    missed = [row for row in measured if row[-1] > FLOOR]
    print(f"worst: {max(row[-1] for row in measured):.2f}; missed: {len(missed)} of {len(measured)}", *missed, sep="\n")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
