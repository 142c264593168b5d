"""Compares the numbers that pages show with the rows of the same runs, which plain code sums up here.

  python3 numbers.py PROGRAM DATA CHROMIUM [--folder FOLDER] [--only RUN...]      needs node, and playwright-core in NODE_PATH

Runs each command on real data, has a browser read the page (read.mjs), and compares every hover text, text alternative, cell and
sentence that has a number. A figure or table that nothing here compares is a fault. Then it changes one number at a time of each
figure and table, and the comparison must notice. Prints a line for each fault and exits 1, or exits 0.
"""
import argparse
import collections
import copy
import csv
import gzip
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MINUS = "\u2212"
# Not of rows: the files, options and outputs of the run.
OF_THE_RUN = {"Files", "Parameters", "Outputs"}


class Fault(Exception):
    pass


def number(text):
    return float(text.replace(",", "").replace(" %", ""))


def grouped(count):
    return f"{count:,}"


def same(what, shown, expected):
    if shown != expected:
        raise Fault(f"{what}: the page shows {str(shown)[:200]!r}, the rows give {str(expected)[:200]!r}")


def last_digit(value, digits=3):
    """What the last digit stands for where a value is shown with so many."""
    return 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1) if value else 0


def near(what, shown, expected, digits=3):
    """Whether a number that is shown with so many digits is the expected one. Small ones have one less."""
    if abs(shown - expected) > 0.501 * last_digit(expected, digits - (abs(expected) < 0.1)):
        raise Fault(f"{what}: the page shows {shown}, the rows give {expected}")


class Page:
    """What a page shows; keeps in mind what was compared."""

    def __init__(self, contents):
        self.contents, self.compared = contents, set()

    def figure(self, caption):
        found = [figure for figure in self.contents["figures"] if figure["caption"] == caption]
        same(f"figures '{caption}'", len(found), 1)
        self.compared.add(caption)
        return found[0]

    def table(self, begin):
        found = [table for table in self.contents["tables"] if table["caption"].startswith(begin)]
        same(f"tables '{begin}'", len(found), 1)
        self.compared.add(found[0]["caption"])
        return found[0]

    def tile(self, name, count):
        same(f"tile '{name}'", self.contents["tiles"].get(name), grouped(count))

    def shares(self, caption, parts):
        """parts: [(name, count)]"""
        figure, total = self.figure(caption), sum(count for _, count in parts)
        texts = re.findall(r"(?:^|, )(.+?) (\d[\d,]*\b) \(([\d.,e-]+) %\)(?=, |$)", figure["summaries"][0].removeprefix(caption + ": "))
        same(caption, [(name, number(count)) for name, count, _ in texts], [(name, count) for name, count in parts])
        for (name, count, share) in texts:
            near(f"{caption}, {name}", number(share), 100 * number(count) / total)
        written = [f"{name} {count} ({share} %)" for name, count, share in texts]
        same(caption + ", legend", figure["legend"], written)
        same(caption + ", hover", figure["hover"], [text for text, (_, count) in zip(written, parts) if count])

    def counts(self, caption, counter):
        """Bars of 0, 1, 2 ... counter: {value: how many}"""
        figure = self.figure(caption)
        expected = {value: count for value, count in counter.items() if count}
        said = re.findall(r"(?:: |, )(\d+): (\d[\d,]*\b)", figure["summaries"][0])
        same(caption + ", text", {int(value): number(count) for value, count in said if number(count)}, expected)
        same(caption, {int(value): number(count) for value, count in (text.split(": ") for text in figure["hover"])}, expected)

    def histogram(self, caption, series, whole=True):
        """series: {name: values}, of one series {"": values}. Hover texts are "12-15: 3" or "12-15: before 3, after 2"."""
        figure, shown = self.figure(caption), collections.Counter()
        for text in figure["hover"]:
            if text in series:  # the hover text of a line
                continue
            span, counts = text.split(": ", 1)
            low, _, high = span.partition("\u2013")
            low, high = number(low), number(high or low)
            for name, values in series.items():
                said = number(counts if not name else re.search(f"(?:^|, ){re.escape(name)} (\\d[\\d,]*\\b)", counts)[1])
                shown[name] += said
                if whole:
                    same(f"{caption}, {text}", said, sum(low <= value <= high for value in values))
        for name, values in series.items():
            same(f"{caption} {name}, in all", shown[name], len(values))
        said = figure["summaries"][0]
        totals = ", ".join(f"{name} {grouped(len(values))}".strip() for name, values in series.items())
        begin, _, span = said.rpartition(f": {totals}, ")
        if not begin:
            raise Fault(f"{caption}: '{said}' has not {totals}")
        if whole:
            low, high = re.fullmatch(r"all (\S+)|between (\S+) and (\S+)", span).expand(r"\1\2 \1\3").split(" ")
            check_span(caption, (low, high), [value for values in series.values() for value in values])

    def density(self, caption, lengths, starts, noun):
        """lengths: {record: bases}, in order; starts: [(record, start)]"""
        figure = self.figure(caption)
        order = sorted(lengths, key=lambda name: -lengths[name])[:50]
        listed = [name for name in lengths if name in set(order)]
        same(caption + ", records", len(figure["hover"]), len(listed))
        by_record = collections.defaultdict(list)
        for record, start in starts:
            by_record[record].append(start)
        hits = 0
        for name, text in zip(listed, figure["hover"]):
            own = by_record[name]
            hits += len(own)
            begin, _, most = text.partition("; most in a bin of ")
            same(caption, begin, f"{name}: {bases(lengths[name])}, {counted(len(own), noun)}")
            if not own:
                continue
            width, count, start = re.fullmatch(r"([\d,.]+ \w+): (\d[\d,]*\b) from (\d[\d,]*\b) on", most).groups()
            width = next(1 << power for power in range(40) if bases(1 << power) == width and lengths[name] <= 256 << power)
            bins = collections.Counter(value // width for value in own)
            same(f"{caption}, {name}", (number(count), number(start)), (max(bins.values()), min(b for b in bins if bins[b] == max(bins.values())) * width))
        if len(lengths) > len(listed):
            rest = sum(lengths.values()) - sum(lengths[name] for name in listed)
            same(caption + ", others", figure["note"], f"The longest {len(listed)} records are shown; {grouped(len(lengths) - len(listed))} more with {bases(rest)} have {counted(len(starts) - hits, noun)}.")

    def letters(self, records):
        text = "".join(records.values())
        known = sum(text.count(letter) for letter in "ACGTacgt")
        lower = sum(letter.islower() for letter in text)
        self.shares("Letters of the text", [("A, C, G, T", known), ("N and other letters", len(text) - known)])
        self.shares("Case of the text", [("upper case", len(text) - lower), ("lower case (soft-masked)", lower)])

    def check_all_compared(self):
        for kind in ("figures", "tables"):
            for one in self.contents[kind]:
                if one["caption"] not in self.compared | OF_THE_RUN:
                    raise Fault(f"{kind[:-1]} '{one['caption']}' was not compared")


def counted(count, noun):
    return f"{grouped(count)} {noun}{'' if count == 1 else 's'}"


def bases(count):
    """As people read them: 1,573 bases, 48.5 kb."""
    for unit, size in (("Gb", 1e9), ("Mb", 1e6), ("kb", 1e3)):
        if count >= size * (10 if unit == "kb" else 1):
            return f"{count / size:.3g} {unit}"
    return counted(count, "base")


def table_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def fasta_of(path):
    records, name = {}, None
    with gzip.open(path, "rt") as file:
        for line in file:
            if line.startswith(">"):
                name = line[1:].split()[0]
                records[name] = []
            else:
                records[name].append(line.strip())
    return {name: "".join(parts) for name, parts in records.items()}


def reads_of(path):
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rt") as file:
        lines = file.read().splitlines()
    return [(lines[i][1:].split()[0], lines[i + 1]) for i in range(0, len(lines), 4)]


def lengths_of(records):
    return {name: len(letters) for name, letters in records.items() if letters}


def edits_by_position(row, length):
    """Yields (kind, position in the pattern) of the edits of a row of match."""
    at, minus = 0, row["strand"] == "-"
    for size, kind in re.findall(r"(\d+)([=XID])", row["cigar"]):
        if kind == "D":
            yield from [("deletions", length - at if minus else at)] * int(size)
            continue
        for _ in range(int(size)):
            if kind != "=":
                yield {"X": "mismatches", "I": "insertions"}[kind], length - 1 - at if minus else at
            at += 1


def check_patterns(page, rows, records, names):
    """Tile, table, strands and density of motif and match."""
    hits = collections.Counter(row["pattern"] for row in rows)
    strands = collections.Counter((row["pattern"], row["strand"]) for row in rows)
    page.tile("hits", len(rows))
    page.tile("patterns without hits", len(set(names) - set(hits)))
    table = page.table("Hits per pattern")
    same("patterns", sorted(row[1] for row in table["rows"]), sorted(names))
    for cells in table["rows"]:
        name = cells[1]
        same(f"pattern {name}", [number(cells[2])] + [0 if cell == "-" else number(cell) for cell in cells[3:5]], [hits[name], strands[name, "+"], strands[name, "-"]])
    page.shares("Strands", [("+", sum(row["strand"] == "+" for row in rows)), (MINUS, sum(row["strand"] == "-" for row in rows))])
    page.density("Density of hits along the records", lengths_of(records), [(row["record"], int(row["start"])) for row in rows], "hit")
    page.letters(records)


def check_match(page, run):
    rows, records = table_of(run.folder / "out.tsv"), fasta_of(run.data / run.genome)
    patterns = {row["name"]: row["seq"] for row in table_of(run.data / "primers/universal_16S_18S_COI.tsv")}
    check_patterns(page, rows, records, patterns)
    page.counts("Edits per hit", collections.Counter(int(row["edits"]) for row in rows))
    found, all_of = collections.defaultdict(collections.Counter), collections.Counter()
    for row in rows:
        edits = list(edits_by_position(row, len(patterns[row["pattern"]])))
        found[row["pattern"]].update({position for _, position in edits})
        all_of.update(edits)
    figure = page.figure("Edits by position")
    same("edits in all", number(re.search(r"bars of (\d[\d,]*\b) edit", figure["summaries"][0])[1]), sum(all_of.values()))
    for text in figure["hover"]:
        position, counts = text.split(": ")
        for kind, count in re.findall(r"(\w+) (\d[\d,]*\b)", counts):
            same(f"edits at {position}, {kind}", number(count), all_of.pop((kind, int(position) - 1), 0))
    same("edits at other positions", sum(all_of.values()), 0)
    hits = collections.Counter(row["pattern"] for row in rows)
    for text in page.figure("Where each pattern has its edits")["hover"]:
        if (one := re.fullmatch(r"(.+), (\d+): ([\d.e-]+) %", text)) is not None:
            name, position, share = one.groups()
            near(text, number(share), 100 * found[name][int(position) - 1] / hits[name])
            continue
        name, count, position, share = re.fullmatch(r"(.+): (\d[\d,]*\b) hits?(?:; most edits at position (\d+): ([\d.e-]+) % of hits)?", text).groups()
        same(text, number(count), hits[name])
        if position:
            near(text, number(share), 100 * max(found[name].values()) / hits[name])
            same(text, found[name][int(position) - 1], max(found[name].values()))


def check_motif(page, run):
    names = [line[1:].split()[0] for line in (run.folder / "motifs.fa").read_text().splitlines() if line.startswith(">")]
    check_patterns(page, table_of(run.folder / "out.tsv"), fasta_of(run.data / run.genome), names)


def check_pcr(page, run):
    rows, records = table_of(run.folder / "out.tsv"), fasta_of(run.data / run.genome)
    pairs = [line.split("\t")[0] for line in (run.folder / "pairs.tsv").read_text().splitlines()]
    page.tile("products", len(rows))
    by_pair = collections.defaultdict(list)
    for row in rows:
        by_pair[row["pair"]].append(row)
    table = page.table("Products per pair")
    same("pairs", [cells[1] for cells in table["rows"]], pairs)
    for cells in table["rows"]:
        own = by_pair[cells[1]]
        same(f"pair {cells[1]}", [number(cell) for cell in cells[2:5]], [len(own), sum(row["strand"] == "+" for row in own), sum(row["strand"] == "-" for row in own)])
        sizes = [int(row["size"]) for row in own]
        low, _, high = cells[5].partition("\u2013")
        same(f"sizes of {cells[1]}", cells[5] if not own else (number(low), number(high or low)), (min(sizes), max(sizes)) if own else "-")
    page.shares("Strands", [("+", sum(row["strand"] == "+" for row in rows)), (MINUS, sum(row["strand"] == "-" for row in rows))])
    page.histogram("Sizes of products", {"": [int(row["size"]) for row in rows]})
    page.counts("Edits of both primers", collections.Counter(int(row["forward_edits"]) + int(row["reverse_edits"]) for row in rows))
    for text in page.figure("Sizes of products as on a gel")["hover"]:
        name, count, bands = re.fullmatch(r"(.+): (\d[\d,]*\b) products?\. Bases: (.+?)(?: \.\.\.)?", text).groups()
        same(f"lane {name}", number(count), len(by_pair[name]))
        for band in bands.split(", "):
            span, _, many = band.partition(": ")
            low, _, high = span.partition("\u2013")
            same(f"lane {name}, {span}", number(many), sum(number(low) <= int(row["size"]) <= number(high or low) for row in by_pair[name]))
    order = sorted(lengths_of(records), key=lambda name: -len(records[name]))[:50]
    cells = collections.Counter((row["pair"], row["record"]) for row in rows)
    figure, shown = page.figure("Products of each pair in each record"), 0
    for text in figure["hover"]:
        if (one := re.fullmatch(r"(.+): (\d[\d,]*\b) products? in these records", text)) is not None:
            same(text, number(one[2]), sum(cells[one[1], record] for record in order))
            shown += int(number(one[2]))
        else:
            name, record, count = re.fullmatch(r"(.+), (\S+): (\d[\d,]*\b)", text).groups()
            same(text, number(count), cells[name, record])
    same("products of other records", int(number(re.match(r"[\d,]+", figure["note"])[0])), len(rows) - shown)
    page.density("Density of products along the records", lengths_of(records), [(row["record"], int(row["start"])) for row in rows], "product")
    primers = {}
    for side in ("forward", "reverse"):
        for row in rows:
            own = primers.setdefault(row[side], [])
            mismatches = [] if row[side + "_mismatches"] == "." else [int(at) for at in row[side + "_mismatches"].split(",")]
            own.append((int(row[side + "_edits"]), mismatches))
    for cells in page.table("Primers, the weakest first")["rows"]:
        own = primers[cells[0]]
        same(f"primer {cells[0]}", number(cells[3]), len(own))
        near(f"edits of {cells[0]}", number(cells[4]), sum(edits for edits, _ in own) / len(own))
        near(f"mismatches of {cells[0]}", number(cells[5]), sum(at <= 5 for _, mismatches in own for at in mismatches) / len(own))
    for text in page.figure("Where the weakest primers mismatch")["hover"]:
        if (one := re.fullmatch(r"(.+), (\d+): ([\d.e-]+) %", text)) is not None:
            own = primers[one[1]]
            near(text, number(one[3]), 100 * sum(int(one[2]) in mismatches for _, mismatches in own) / len(own))
        else:
            name, count = re.match(r"(.+): (\d[\d,]*\b) products?", text).groups()
            same(text, number(count), len(primers[name]))
    page.letters(records)


def check_span(what, span, values):
    if not values:
        return same(what, span[0], "-")
    # Sizes above 128 are counted in bins, 64 for each power of two.

    def width(value):
        return 1 if value < 128 else 1 << (value.bit_length() - 7)

    low, high = (int(number(text)) for text in span)
    same(what, (low, high), (min(values) // width(min(values)) * width(min(values)), max(values) // width(max(values)) * width(max(values)) + width(max(values)) - 1))


def check_pwm(page, run):
    rows, records = table_of(run.folder / "out.tsv"), fasta_of(run.data / run.genome)
    hits = collections.Counter(row["matrix"] for row in rows)
    page.tile("hits", len(rows))
    table = page.table("Matrices with hits")
    shown = {cells[1].split()[0]: number(cells[2]) for cells in table["rows"]}
    same("matrices with hits", sorted(shown.values(), reverse=True), sorted(hits.values(), reverse=True)[:600])
    same("hits of matrices", shown, {name: hits[name] for name in shown})
    for figure in list(page.contents["figures"]):
        one = re.fullmatch(r"(\S+) .*: (the matrix|its (\d[\d,]*\b) sites?|scores of its sites)", figure["caption"])
        if one is None:
            continue
        own = [row for row in rows if row["matrix"] == one[1]]
        page.figure(figure["caption"])
        if one[3]:
            same(figure["caption"], number(one[3]), len(own))
            for position, text in enumerate(figure["hover"]):
                column = [sum(row["matched"][position] == letter for row in own) / len(own) for letter in "ACGT"]
                check_column(f"{figure['caption']}, {text}", text, column, 0)
        elif one[2] == "the matrix":
            check_matrix(figure, matrix_of(run.data / run.words[2].split("DATA/")[1], one[1]))
        else:
            same(figure["caption"], number(re.match(r"(\d[\d,]*\b) found", figure["note"])[1]), len(own))
            total = 0
            for text in figure["hover"]:
                low, high, count = re.fullmatch(r"([\d.-]+)\u2013([\d.-]+): (\d[\d,]*\b)", text).groups()
                total += number(count)
                # Scores are rounded to thousandths of a bit, and so are the borders of bins, which are shown with four digits.
                slack = 0.001 + max(abs(float(low)), abs(float(high)), 1) * 6e-4
                many = [sum(float(low) + slack * sign <= float(row["score"]) <= float(high) - slack * sign for row in own) for sign in (1, -1)]
                if not many[0] <= number(count) <= many[1]:
                    raise Fault(f"{figure['caption']}: {text}, the rows give {many[0]} to {many[1]}")
            same(figure["caption"], total, len(own))
            if f": {grouped(len(own))}, between " not in figure["summaries"][0]:
                raise Fault(f"{figure['caption']}: {figure['summaries'][0]}")
    page.shares("Strands", [("+", sum(row["strand"] == "+" for row in rows)), (MINUS, sum(row["strand"] == "-" for row in rows))])
    page.density("Density of hits along the records", lengths_of(records), [(row["record"], int(row["start"])) for row in rows], "hit")
    page.letters(records)


def matrix_of(path, name):
    """Returns the counts of A, C, G and T."""
    lines = path.read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith(">" + name))
    return [[float(count) for count in re.findall(r"[\d.]+", line.split("[")[1])] for line in lines[at + 1:at + 5]]


def check_matrix(figure, matrix):
    for position, text in enumerate(figure["hover"]):
        column = [row[position] for row in matrix]
        # The pseudocount and the steps of scores move it a little.
        check_column(f"{figure['caption']}, {text}", text, [count / sum(column) for count in column], 0.004)


def check_column(what, text, column, slack):
    """A column of a logo: the shares of the letters, and its bits. `slack`: of a share."""
    for letter, share in re.findall(r"([ACGT]) (?:> )?([\d.e-]+) %", text):
        expected = column["ACGT".index(letter)]
        if abs(number(share) / 100 - expected) > slack + 0.501 * last_digit(expected, 3 - (expected < 0.001)):
            raise Fault(f"{what}: the rows give {expected} {letter}")
    if slack:  # the bits are those of the shares that are shown
        column = [number(share) / 100 for share in re.findall(r" ([\d.e-]+) %", text)]
    bits, expected = float(re.search(r"; ([\d.]+) bits?", text)[1]), 2 + sum(share * math.log2(share) for share in column if share)
    if abs(bits - expected) > 0.004 * (slack > 0) + 0.501 * last_digit(expected):
        raise Fault(f"{what}: the rows give {expected} bits")


def check_guides(page, run):
    rows, records = table_of(run.folder / "out.tsv"), fasta_of(run.data / run.genome)
    classes = [name for name in rows[0] if re.fullmatch(r"(bulge_\d+_)?mismatches_\d+", name)]
    table = page.table("Guides, the ")
    by_name = {row["name"]: row for row in rows}
    head = table["head"]
    for cells in table["rows"]:
        row = by_name[cells[0]]
        for column, name in (("CFD", "cfd_specificity"), ("MIT", "mit_specificity")):
            if row[name] == ".":
                same(f"{column} of {cells[0]}", cells[head.index(column)], "-")
            else:
                near(f"{column} of {cells[0]}", number(cells[head.index(column)]), float(row[name]), 4)
        same(f"places of {cells[0]}", [number(cell) for cell in cells[4:4 + len(classes)]], [int(row[name]) for name in classes[:len(cells) - 4]])
    if table["foot"]:
        same("other guides", number(table["foot"][0].split()[0]), len(rows) - len(table["rows"]))
    values = [float(row["cfd_specificity"]) for row in rows if row["cfd_specificity"] != "."]
    if run.design:
        same("the most specific guides", len([value for value in values if value > float(by_name[table["rows"][-1][0]]["cfd_specificity"])]) < len(table["rows"]), True)
    else:
        shown = [float(by_name[cells[0]]["cfd_specificity"]) for cells in table["rows"]]
        same("the least specific guides", shown, sorted(values)[:len(shown)])
    check_specificity(page, rows)
    hits = table_of(run.folder / "hits.tsv") if not run.design else None
    if hits is not None:
        page.tile("places", len(hits))
        for bulge in range(4):
            sums = {int(name.split("_")[-1]): sum(int(row[name]) for row in rows) for name in classes if (f"bulge_{bulge}_" in name) == (bulge > 0) and (bulge or "bulge" not in name)}
            if any(sums.values()):
                page.counts("Places without bulge" if bulge == 0 else f"Places with a bulge of {counted(bulge, 'base')}", sums)
        check_places(page, hits, records)
    else:
        figure = page.figure("Places without bulge")  # of all guides, not only those of the table
        same("places", sum(number(text.split(": ")[1]) for text in figure["hover"]), number(page.contents["tiles"]["places"]))
    page.letters(records)


def check_specificity(page, rows):
    figure, totals = page.figure("Specificity of the guides"), collections.Counter()
    for text in figure["hover"]:
        if ": " not in text:  # the hover text of a line
            continue
        span, counts = text.split(": ")
        low, _, high = span.partition("\u2013")
        for name, count in re.findall(r"(\w+) (\d[\d,]*\b)", counts):
            column = [float(row[name.lower() + "_specificity"]) for row in rows if row[name.lower() + "_specificity"] != "."]
            same(f"specificity {name} {span}", number(count), sum(number(low) <= value < number(high or low) + 1 for value in column))
            totals[name] += number(count)
    same("guides by specificity", totals["CFD"], sum(row["cfd_specificity"] != "." for row in rows))


def check_places(page, hits, records):
    """The worst places, letter by letter, and that there are no worse ones."""
    by_guide, order = collections.defaultdict(list), list(records)
    for row in hits:
        start = int(row["Location"])
        place = (int(row["Bulge Size"]), int(row["Mismatches"]), order.index(row["Chromosome"]), start, start + len(row["DNA"].replace("-", "")), row["Direction"])
        by_guide[row["#Id"]].append((place, row["crRNA"], row["DNA"]))
    for i, shown in enumerate(page.contents["places"]):
        own = sorted(by_guide[shown["guide"]])
        same(f"places of {shown['guide']}", len(shown["where"]), min(len(own), 10 if i < 10 else 2))
        for ((bulge, mismatches, record, start, end, strand), guide, text), alignment, where in zip(own, shown["alignments"], shown["where"]):
            differ = [counted(mismatches, "mismatch").replace("hs", "hes")] * (mismatches > 0 or bulge == 0) + [f"bulge of {counted(bulge, 'base')}"] * (bulge > 0)
            copies = sum(place[:2] == (0, 0) for place, _, _ in own)
            role = "" if bulge or mismatches else " (the target)" if copies == 1 else f" (one of {grouped(copies)} exact copies is the target)"
            same(shown["guide"], where, f"{order[record]}:{grouped(start + 1)}-{grouped(end)} {'+' if strand == '+' else MINUS}, {', '.join(differ)}{role}")
            same(where, alignment, [guide[:-3] + "...", text.upper()])
            letters = records[order[record]][start:end].upper()
            same(where, text.replace("-", "").upper(), letters if strand == "+" else letters[::-1].translate(str.maketrans("ACGT", "TGCA")))


def check_map(page, run):
    lines = [line.split("\t") for line in (run.folder / "out.sam").read_text().splitlines() if not line.startswith("@")]
    reads = [line for line in lines if not int(line[1]) & 0x900]
    primary = [line for line in reads if not int(line[1]) & 4]

    def tag(line, name):
        return int(next(one for one in line[11:] if one.startswith(name))[5:])

    page.tile("reads", len(reads))
    page.shares("Reads", [("mapped", len(primary)), ("without a place", len(reads) - len(primary))])
    several = sum(line[4] == "0" for line in primary)
    page.shares("Best places of mapped reads", [("one", len(primary) - several), ("several as good", several)])
    page.counts("Edits of mapped reads", collections.Counter(tag(line, "XE:i:") for line in primary))
    page.histogram("Mapping quality", {"": [int(line[4]) for line in primary]})
    page.histogram("Lengths of reads", {"": [len(line[9]) for line in reads]})
    page.histogram("Identity of mapped reads", {"": primary}, whole=False)
    for text in page.figure("Identity of mapped reads")["hover"]:
        low, high, count = re.fullmatch(r"([\d.]+)(?:\u2013([\d.]+))?: (\d[\d,]*\b)", text).groups()
        identity = [int(1000 * max(len(line[9]) - tag(line, "XE:i:"), 0) / len(line[9])) for line in primary]
        same(f"identity {text}", number(count), sum(round(float(low) * 10) <= one <= round(float(high or low) * 10) for one in identity))
    inserts = [abs(int(line[8])) for line in primary if int(line[1]) & 0x40 and int(line[8]) and (int(line[1]) >> 4 & 1) != (int(line[1]) >> 5 & 1)]
    page.histogram("Inserts of pairs", {"": inserts})
    genome, width = fasta_of(run.data / run.genome), 128
    (name, letters), = genome.items()
    depth = collections.Counter()
    for line in primary:
        span = sum(int(size) for size, kind in re.findall(r"(\d+)([MDN=X])", line[5]))
        depth.update((int(line[3]) - 1 + i) // width for i in range(span))
    figure = page.figure(f"Coverage of {name}")
    near("mean depth", float(re.search(r": ([\d.]+) on average", figure["summaries"][0])[1]), sum(depth.values()) / len(letters))
    for text in figure["hover"]:
        start, value = re.fullmatch(r"from (\d[\d,]*\b) on: ([\d.,]+)", text).groups()
        at = int(number(start)) // width
        near(f"depth {text}", number(value), depth.pop(at, 0) / (min(len(letters), (at + 1) * width) - at * width), 4)
    same("depth elsewhere", sum(depth.values()), 0)


def check_demux(page, run):
    rows = table_of(run.folder / "rows.tsv")
    reads = [read for name in run.reads for read in reads_of(run.data / name)]
    page.tile("reads", len(reads))
    reasons = collections.Counter(row["reason"] for row in rows)
    words = {"assigned": "assigned", "none": "no barcode", "ambiguous": "ambiguous"}
    same("reasons", set(reasons), set(words))
    page.shares("Reads by what became of them", [(text, reasons[reason]) for reason, text in words.items()])
    page.counts("Edits of barcodes", collections.Counter(int(row["edits"]) for row in rows if row["sample"] != "."))
    written = [len(letters) for file in (run.folder / "out").glob("*.fastq.gz") for _, letters in reads_of(file)]
    page.histogram("Lengths of reads", {"before": [len(letters) for _, letters in reads], "after": written})
    samples = collections.defaultdict(list)
    for row in rows:
        samples[row["sample"]].append(row)
    for cells in page.table("Reads per sample")["rows"]:
        own = samples.pop(cells[0], [])
        same(f"sample {cells[0]}", number(cells[1]), len(own))
        near(f"share of {cells[0]}", number(cells[2]), 100 * len(own) / len(rows))
        file = next(iter((run.folder / "out").glob(cells[0] + ".*")), None)
        same(f"bases of {cells[0]}", number(cells[3]), sum(len(letters) for _, letters in reads_of(file)) if file else 0)
        if own:
            near(f"edits of {cells[0]}", number(cells[4]), sum(int(row["edits"]) for row in own) / len(own))
    same("reads of other samples", set(samples), {"."})


def check_trim(page, run):
    before = [reads_of(run.data / name) for name in run.reads]
    after = [reads_of(run.folder / name) for name in ("out_1.fq", "out_2.fq")]
    page.tile("pairs", len(before[0]))
    parts = [("written", len(after[0]))]
    page.shares("Pairs by what became of them", parts)
    found = []
    for i, mates in enumerate(("first mates", "second mates")):
        all_bases, written = (sum(len(letters) for _, letters in side[i]) for side in (before, after))
        page.shares(f"Bases of {mates}", [("written", written), ("adapters", all_bases - written)])
        page.histogram(f"Lengths of {mates}", {"before": [len(letters) for _, letters in before[i]], "after": [len(letters) for _, letters in after[i]]})
        found.append(sum(len(a) > len(b) for (_, a), (_, b) in zip(before[i], after[i])))
    same("reads with adapters", [number(cells[1]) for cells in page.table("Adapters")["rows"]], found)


def check_count(page, run):
    rows = table_of(run.folder / "out.tsv")
    sample = list(rows[0])[-1]
    numbers = sorted(int(row[sample]) for row in rows)
    reads = reads_of(run.folder / "reads.fq")
    cells = dict(zip(page.table("Reads per sample")["head"], page.table("Reads per sample")["rows"][0]))
    same("reads", number(cells["reads"]), len(reads))
    same("counted", number(cells["counted"]), sum(numbers))
    same("guides without reads", number(cells["guides without reads"]), numbers.count(0))
    logs = [math.log(count + 1) for count in numbers]
    gini = sum((2 * (i + 1) - len(logs) - 1) * value for i, value in enumerate(logs)) / (len(logs) * sum(logs))
    near("Gini index", number(cells["Gini index of log counts"]), gini)
    page.figure("Evenness of guides (Lorenz curve)")
    page.histogram("Reads per guide", {"": numbers})
    library = {letters for _, letters in run.guides}
    exact = sum(letters[:20] in library for _, letters in reads)
    near_by = collections.Counter(sum(sum(a != b for a, b in zip(guide, letters)) == 1 for guide in library) for _, letters in reads if letters[:20] not in library)
    parts = [("exact", exact), ("one edit", near_by.pop(1, 0)), ("ambiguous", sum(count for guides, count in near_by.items() if guides > 1)), ("unmatched", near_by[0])]
    page.shares(cells["sample"], parts)
    same("reads", [number(cells[name]) for name, _ in parts], [count for _, count in parts])


class Run:
    """A run with its page. words: of the command line; DATA/ stands for the folder of data."""

    def __init__(self, name, check, words, genome="", outputs=("-o", "out.tsv"), reads=(), design=False):
        self.name, self.check, self.words, self.genome, self.outputs, self.reads, self.design = name, check, words, genome, outputs, reads, design

    def start(self, program, data, folder):
        self.data, self.folder = data, folder / self.name
        self.folder.mkdir(parents=True)
        prepare(self)
        words = [word.replace("DATA/", f"{data}/") for word in self.words]
        subprocess.run([program, *words, *self.outputs, "--quiet", "--html", f"../{self.name}.html"], cwd=self.folder, check=True)


YEAST, LAMBDA, SARS, GENES = (f"genomes/{name}.fa.gz" for name in ("yeast_R64_ensembl94", "lambda_NC_001416.1", "sarscov2_MN908947.3", "rRNA16S_gold"))
ARTIC = ("reads/artic_illumina_R1.fq.gz", "reads/artic_illumina_R2.fq.gz")
SHORT = ("reads/hiseq_multiplex_R1.fq.gz", "reads/hiseq_multiplex_R2.fq.gz")
ONT = ("reads/qcat_ont_barcode_1k.fq.gz", "reads/qcat_ont_nobarcode_1k.fq.gz")
PAIRS = ("V3V4\tCCTACGGGNGGCWGCAG\tGACTACHVGGGTATCTAATCC\nV4\tGTGYCAGCMGCCGCGGTAA\tGGACTACNVGGGTWTCTAAT\nwhole\tAGAGTTTGATCMTGGCTCAG\tTACGGYTACCTTGTTACGACTT\n"
         "animals\tGGTCAACAAATCATAAAGATATTGG\tTAAACTTCAGGGTGACCAAAAAATCA\n")
RUNS = [
    Run("motif", check_motif, ["motif", "-f", "motifs.fa", "DATA/" + LAMBDA], LAMBDA),
    Run("match", check_match, ["match", "-f", "DATA/primers/universal_16S_18S_COI.tsv", "-k", "2", "DATA/" + GENES], GENES),
    Run("pcr", check_pcr, ["pcr", "-f", "pairs.tsv", "-k", "3", "DATA/" + GENES], GENES),
    Run("pwm", check_pwm, ["pwm", "-m", "DATA/motifs/jaspar2026_core_vertebrates.jaspar", "DATA/" + LAMBDA, "--format", "tsv"], LAMBDA),
    Run("guides", check_guides, ["guides", "-f", "guides.tsv", "-m", "4", "--max-dna-bulges", "1", "--max-rna-bulges", "1", "DATA/" + YEAST], YEAST,
        ("-o", "out.tsv", "--hits", "hits.tsv")),
    Run("design", check_guides, ["guides", "--design", "-m", "4", "--top", "20", "DATA/" + YEAST], YEAST, design=True),
    Run("map", check_map, ["map", "-r", "DATA/" + SARS, "-1", "DATA/" + ARTIC[0], "-2", "DATA/" + ARTIC[1], "-e", "0.1"], SARS, ("-o", "out.sam"), ARTIC),
    Run("demux", check_demux, ["demux", "-s", "samples.tsv", "--kit", "RBK004", *("DATA/" + name for name in ONT), "--table", "rows.tsv"], "", ("-o", "out"), ONT),
    Run("trim", check_trim, ["trim", "-a", "AGATCGGAAGAGC", "-A", "AGATCGGAAGAGC", "-1", "DATA/" + SHORT[0], "-2", "DATA/" + SHORT[1]], "", ("-o", "out_1.fq", "-p", "out_2.fq"), SHORT),
    Run("count", check_count, ["count", "-l", "library.tsv", "--at", "0", "reads.fq"])]


def prepare(run):
    """Writes what the run needs besides the data. Random choices are the same every time."""
    choose = random.Random(45)
    if run.name == "motif":
        (run.folder / "motifs.fa").write_text((HERE.parents[1] / "test-data/motifs.fa").read_text())
    if run.name == "pcr":
        (run.folder / "pairs.tsv").write_text(PAIRS)
    if run.name == "guides":
        sites = [(name, at, letters[at:at + 20]) for name, letters in fasta_of(run.data / YEAST).items() for at in range(0, len(letters) - 23, 997) if letters[at + 21:at + 23] == "GG"]
        (run.folder / "guides.tsv").write_text("".join(f"{name}_{at}\t{letters}\n" for name, at, letters in choose.sample(sites, 60)))
    if run.name == "demux":
        (run.folder / "samples.tsv").write_text("sample\tbarcode\n" + "".join(f"patient{i:02}\tRB{i:02}\n" for i in range(1, 13)))
    if run.name == "count":
        letters = next(iter(fasta_of(run.data / YEAST).values()))
        run.guides = [(f"g{at}", letters[at:at + 20]) for at in range(0, 200_000, 397)]
        (run.folder / "library.tsv").write_text("".join(f"{name}\t{guide}\n" for name, guide in run.guides))
        reads = []
        for i in range(20_000):
            guide = choose.choice(run.guides[:int(choose.random() ** 2 * 480) + 1])[1]
            at = choose.randrange(20)
            if choose.random() < 0.2:
                guide = guide[:at] + choose.choice("ACGT") + guide[at + 1:]
            reads.append(f"@r{i}\n{guide}GTTTTAGAGC\n+\n{'I' * 30}\n")
        (run.folder / "reads.fq").write_text("".join(reads))


def fault_of(run, contents):
    """Returns what differs; None: nothing."""
    try:
        page = Page(contents)
        run.check(page, run)
        page.check_all_compared()
    except Fault as fault:
        return str(fault)
    except (AttributeError, KeyError, StopIteration, TypeError, ValueError) as error:  # a text that is not as expected
        return f"{type(error).__name__}: {error}"
    return None


def other_number(text):
    """Returns the text with another last digit in its last number."""
    at = max((i for i, letter in enumerate(text) if letter.isdigit()), default=None)
    return None if at is None else text[:at] + str((int(text[at]) + 5) % 10) + text[at + 1:]


def changed_pages(contents, choose):
    """Yields (what was changed, the page with it): one text of each figure and table."""
    for kind, figure in enumerate(contents["figures"]):
        texts = [(key, i) for key in ("summaries", "hover") for i, text in enumerate(figure[key]) if other_number(text) and ": " in text]
        if texts:
            key, i = choose.choice(texts)
            page = copy.deepcopy(contents)
            page["figures"][kind][key][i] = other_number(figure[key][i])
            yield f"{figure['caption']}: {figure[key][i]!r} as {page['figures'][kind][key][i]!r}", page
    for kind, table in enumerate(contents["tables"]):
        if table["caption"] in OF_THE_RUN:
            continue
        row, page = choose.randrange(len(table["rows"])), copy.deepcopy(contents)
        # The counts that rows give; barcodes, thresholds and the order of a file are not theirs.
        columns = [i for i, name in enumerate(table["head"]) if re.search(r"^(hits|products|reads|on \+|counted|\d\smm)$", name)]
        column = choose.choice(columns)
        page["tables"][kind]["rows"][row][column] = other_number(table["rows"][row][column]) or "1"
        yield f"{table['caption']}: {table['rows'][row][1]}, {table['head'][column]} {table['rows'][row][column]} as {page['tables'][kind]['rows'][row][column]}", page


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("chromium")
    parser.add_argument("--folder", type=pathlib.Path, help="where runs are kept")
    parser.add_argument("--only", nargs="+", default=[], help="names of runs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="basesweep-numbers.") as temporary:
        folder = options.folder or pathlib.Path(temporary)
        runs = [run for run in RUNS if not options.only or run.name in options.only]
        for run in runs:
            run.start(options.program.resolve(), options.data.resolve(), folder)
        read = subprocess.run(["node", HERE / "read.mjs", options.chromium, *(folder / f"{run.name}.html" for run in runs)], check=True, stdout=subprocess.PIPE,
                              env={**os.environ, "NODE_PATH": str(pathlib.Path(os.environ.get("NODE_PATH", ".")).resolve())})
        pages, faults = json.loads(read.stdout), 0
        for run in runs:
            contents = pages[f"{run.name}.html"]
            if (fault := fault_of(run, contents)) is not None:
                print(f"{run.name}: {fault}")
                faults += 1
                continue
            changes = list(changed_pages(contents, random.Random(45)))
            unnoticed = [what for what, page in changes if fault_of(run, page) is None]
            for what in unnoticed:
                print(f"{run.name}: not noticed: {what}")
            faults += len(unnoticed)
            print(f"{run.name}: {len(contents['figures'])} figures and {len(contents['tables'])} tables agree with the rows; {len(changes)} changes, {len(unnoticed)} of them not noticed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
