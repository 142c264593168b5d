#!/usr/bin/env python3
"""Runs `basesweep guides`, Cas-OFFinder 3 and `sassy crispr` on the same text and guides: CPU seconds, and where their places differ.

    guides_peers.py BASESWEEP --text TEXT.fa --guides GUIDES.tsv [--count N] [--bulge-count N] [-m N] [-k N] [--no-bulges]

TEXT is plain FASTA; GUIDES.tsv has a name and 17 to 25 bases without the PAM on each line, of which the first N are taken. Programs that
are missing are left out. Places with bulges of one base are compared with --hits-all; rows that only one of both has are sought in the text
letter by letter. CPU seconds are user and system time of all threads.
"""
import argparse
import collections
import pathlib
import shlex
import shutil
import statistics
import tempfile

import compare

RUNS = 3
SLOW_SECONDS = 20  # of CPU
COMPLEMENT = str.maketrans("ACGTN", "TGCAN")


def read_fasta(path):
    records = {}
    for block in pathlib.Path(path).read_text().split(">")[1:]:
        title, _, text = block.partition("\n")
        records[title.split()[0]] = text.replace("\n", "").upper()
    return records


def rows(path):
    """Rows of Cas-OFFinder's columns as {(guide, kind, size, record, location, strand): fewest mismatches}, and how many lines there were."""
    found, lines = {}, 0
    for line in pathlib.Path(path).read_text().splitlines():
        if line.startswith("#"):
            continue
        fields = line.split("\t")
        key = (fields[0], fields[1], int(fields[8]), fields[4].split()[0], int(fields[5]), fields[6])
        found[key] = min(int(fields[7]), found.get(key, 99))
        lines += 1
    return found, lines


def mismatches_of(text, guide, key):
    """The fewest mismatches of the alignments with the bulge between two aligned bases of the guide, and those with it at an end too."""
    _, kind, size, record, location, strand = key
    length = len(guide) + {"X": 0, "DNA": size, "RNA": -size}[kind]
    window = text[record][location:location + length + 3]
    if strand == "-":
        window = window.translate(COMPLEMENT)[::-1]
    if len(window) < length + 3 or window[-2:] != "GG" or window[-3] == "N":
        return None
    window = window[:-3]

    def differing(a, b):
        return sum(x != y for x, y in zip(a, b))

    if kind == "X":
        return (differing(guide, window),) * 2
    short, long = (guide, window) if kind == "DNA" else (window, guide)
    each = [differing(short[:at], long[:at]) + differing(short[at:], long[at + size:]) for at in range(len(short) + 1)]
    return min(each[1:-1]), min(each)


def fewest_edits(text, guide, place, most):
    """The fewest mismatches and bases of one bulge, inside the guide, at a place: guide, record, strand, and the side of the PAM away from the guide."""
    name, record, strand, end = place
    found = [most + 1]
    for kind, size in [("X", 0)] + [(kind, size) for kind in ("DNA", "RNA") for size in range(1, most + 1)]:
        length = len(guide) + {"X": 0, "DNA": size, "RNA": -size}[kind]
        location = end - 3 - length if strand == "+" else end
        differing = mismatches_of(text, guide, (name, kind, size, record, location, strand))
        if differing is not None:
            found.append(size + differing[0])
    return min(found)


def timed(folder, commands):
    """CPU seconds of each command, the median of runs in turn; what is slow runs once."""
    found = collections.defaultdict(list)
    for _ in range(RUNS):
        for name, command in commands:
            if not found[name] or found[name][0] <= SLOW_SECONDS:
                found[name].append(compare.cpu_seconds(command, folder))
    for name, command in commands:
        print(f"{name}: {statistics.median(found[name]):.2f} CPU s of {len(found[name])} runs: {command}", flush=True)


def offinder_input(folder, name, text, guides, mismatches, bulges):
    (folder / "text").mkdir(exist_ok=True)
    if not (folder / "text/text.fa").exists():
        (folder / "text/text.fa").symlink_to(pathlib.Path(text).resolve())
    length = len(guides[0][1])
    lines = [str(folder / "text"), "N" * length + "NGG" + bulges] + [f"{letters}NNN {mismatches} {title}" for title, letters in guides]
    (folder / name).write_text("\n".join(lines) + "\n")


def against_offinder(folder, basesweep, o, guides, bulges):
    command = f"{basesweep} guides -q -f guides.tsv -m {o.mismatches} -t 2 {o.text} -o table.tsv --hits ours.tsv --hits-all"
    if bulges:
        command += " --max-dna-bulges 1 --max-rna-bulges 1"
    offinder_input(folder, "input.txt", o.text, guides, o.mismatches, " 1 1" if bulges else "")
    what = f"{len(guides)} guides, {o.mismatches} mismatches{', bulges of 1' if bulges else ''}"
    timed(folder, [(f"{what}: basesweep", command), (f"{what}: Cas-OFFinder", "cas-offinder input.txt C theirs.tsv >/dev/null 2>&1")])
    (ours, _), (theirs, lines) = rows(folder / "ours.tsv"), rows(folder / "theirs.tsv")
    same = sum(theirs.get(key) == number for key, number in ours.items())
    print(f"rows: ours {len(ours)}, theirs {len(theirs)} of {lines} lines; equal, mismatches too: {same}")
    text, letters, kinds = read_fasta(o.text), dict(guides), collections.Counter()
    for key in sorted(set(ours) | theirs):
        if ours.get(key) == theirs.get(key):
            continue
        inside, at_ends = mismatches_of(text, letters[key[0]], key) or (None, None)
        sound = (inside is not None and inside <= o.mismatches) == (key in ours) and ours.get(key, inside) == inside
        reason = ("no PAM" if inside is None else "only a bulge at an end of the guide" if key not in ours and at_ends <= o.mismatches
                  else "fewer mismatches with the bulge at an end" if at_ends < inside and key in theirs else "no reason found")
        kinds[(key[1], "ours only" if key not in theirs else "theirs only" if key not in ours else "other mismatches",
               reason, "ours is right" if sound else "OURS IS WRONG")] += 1
        if kinds.total() <= o.shown:
            print("  ", key, "ours", ours.get(key), "theirs", theirs.get(key), "naive", inside, at_ends)
    for kind, count in sorted(kinds.items()):
        print("  ", count, *kind, sep="\t")


def against_sassy(folder, basesweep, o, guides):
    (folder / "guides.txt").write_text("".join(letters + "NGG\n" for _, letters in guides))
    ours = f"{basesweep} guides -q -f guides.tsv -m {o.edits} -t 2 {o.text} -o table.tsv --hits ours.tsv"
    what = f"{len(guides)} guides, {o.edits} edits"
    timed(folder, [(f"{what}: basesweep, mismatches only", ours),
                   (f"{what}: basesweep, bulges of at most {o.edits} too", f"{ours.replace('ours.tsv', 'bulges.tsv')} --hits-all --max-dna-bulges {o.edits} --max-rna-bulges {o.edits}"),
                   (f"{what}: sassy crispr", f"sassy crispr -g guides.txt -k {o.edits} --max-n-frac 0 -j 2 -o theirs.tsv {o.text} >/dev/null 2>&1")])
    names = {letters + "NGG": title for title, letters in guides}
    theirs = set()
    for line in (folder / "theirs.tsv").read_text().splitlines()[1:]:
        fields = line.split("\t")
        theirs.add((names[fields[0]], fields[1].split()[0], fields[3], int(fields[5] if fields[3] == "+" else fields[4])))
    places = set()
    for line in (folder / "bulges.tsv").read_text().splitlines()[1:]:
        name, _, _, dna, record, location, strand, mismatches, size = line.split("\t")[:9]
        edits = int(mismatches) + int(size)
        if edits <= o.edits:
            places.add((name, record, strand, int(location) + (len(dna.replace("-", "")) if strand == "+" else 0)))
    print(f"places with at most {o.edits} edits, bulges among them: ours {len(places)}, theirs {len(theirs)}, in both {len(places & theirs)}")
    text, letters = read_fasta(o.text), dict(guides)
    theirs_only = theirs - places
    missed = [key for key in theirs_only if fewest_edits(text, letters[key[0]], key, o.edits) <= o.edits]
    print(f"theirs only: {len(theirs_only)}, of which {len(missed)} have an alignment with one bulge inside and at most {o.edits} edits: {missed[:o.shown]}")
    print(f"ours only: {sorted(places - theirs)[:o.shown]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("basesweep")
    parser.add_argument("--text", required=True)
    parser.add_argument("--guides", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--bulge-count", type=int, default=20)
    parser.add_argument("-m", "--mismatches", type=int, default=4)
    parser.add_argument("-k", "--edits", type=int, default=3)
    parser.add_argument("--no-bulges", action="store_true")
    parser.add_argument("--shown", type=int, default=10)
    o = parser.parse_args()
    o.text = str(pathlib.Path(o.text).resolve())
    basesweep = shlex.quote(str(pathlib.Path(o.basesweep).resolve()))
    guides = [line.split("\t")[:2] for line in pathlib.Path(o.guides).read_text().splitlines()]
    with tempfile.TemporaryDirectory(prefix="basesweep-guides.") as name:
        folder = pathlib.Path(name)

        def take(count):
            (folder / "guides.tsv").write_text("".join(f"{title}\t{letters}\n" for title, letters in guides[:count]))
            return guides[:count]

        if shutil.which("sassy"):
            against_sassy(folder, basesweep, o, take(o.count))
        if shutil.which("cas-offinder"):
            against_offinder(folder, basesweep, o, take(o.count), False)
            if not o.no_bulges:
                against_offinder(folder, basesweep, o, take(o.bulge_count), True)


if __name__ == "__main__":
    main()
