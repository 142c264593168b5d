"""The independent answer of `pcr`: all pairs of naive hits. Plain on purpose; shares nothing with the program."""

import collections

import naive
import naive_match

Pair = collections.namedtuple("Pair", "name forward reverse low high", defaults=[None, None])
# `first` and `second` sort as pairs do; `ends` is 0 for forward with reverse, 1 and 2 for one primer alone.
Product = collections.namedtuple("Product", "record start end first second strand ends left right")


def primer_sites(records, letters, sign, rules, circular, soft_masked="use"):
    """Returns the sites by record; of a palindrome too, on either strand."""
    found = collections.defaultdict(list)
    hits = naive_match.search(
        records,
        [("p", letters)],
        rules,
        strand={"+": "plus", "-": "minus"}[sign],
        palindromes="both",
        circular=circular,
        soft_masked=soft_masked,
    )
    for hit in hits:
        found[hit.record].append(hit)
    return found


def normal(letters):
    return letters.upper().replace("U", "T").replace("I", "N")


def joins(pairs, size, single, pool):
    """Yields (first, second, strand, ends, left letters, right letters, low, high)."""
    low, high = size
    if pool:
        primers = [letters for pair in pairs for letters in (pair.forward, pair.reverse)]
        for a, left in enumerate(primers):
            for b, right in enumerate(primers):
                if a <= b or normal(left) != normal(right):
                    yield min(a, b), max(a, b), "+" if a <= b else "-", 0, left, right, low, high
        return
    for i, pair in enumerate(pairs):
        least, most = (low if pair.low is None else pair.low), (high if pair.high is None else pair.high)
        yield i, i, "+", 0, pair.forward, pair.reverse, least, most
        if normal(pair.forward) == normal(pair.reverse):
            continue
        yield i, i, "-", 0, pair.reverse, pair.forward, least, most
        if single:
            yield i, i, "+", 1, pair.forward, pair.forward, least, most
            yield i, i, "+", 2, pair.reverse, pair.reverse, least, most


def products(
    records, pairs, rules, size=(0, 5000), single=False, pool=False, report="all", circular=False, soft_masked="use"
):
    sites = {}
    for *_, left, right, _, _ in joins(pairs, size, single, pool):
        for letters, sign in ((left, "+"), (right, "-")):
            if (letters, sign) not in sites:
                sites[letters, sign] = primer_sites(records, letters, sign, rules, circular, soft_masked)
    found = []
    for first, second, strand, ends, left, right, low, high in joins(pairs, size, single, pool):
        for number, (name, text) in enumerate(records):
            turn = len(text) if naive.is_circular(name, circular) else 0
            for a in sites[left, "+"][number]:
                for b in sites[right, "-"][number]:
                    start, end = b.start, b.end
                    while turn and not (start >= a.start and end >= a.end):
                        start, end = start + turn, end + turn
                    if start >= a.start and end >= a.end and low <= end - a.start <= high:
                        found.append(
                            Product(
                                number, a.start, end, first, second, strand, ends, a, b._replace(start=start, end=end)
                            )
                        )
    found.sort(key=lambda p: p[:7])
    if report != "all":
        lowest = {}
        key = (lambda p: (p.first, p.second)) if report == "best" else (lambda p: (p.first, p.second, p.record))
        for p in found:
            lowest[key(p)] = min(edits(p), lowest.get(key(p), 10**9))
        found = [p for p in found if edits(p) == lowest[key(p)]]
    return found


def edits(product):
    return product.left.edits + product.right.edits


def distances(hit, letters):
    """Returns the mismatched bases of a primer, counted from its 3' end from 1, as the TSV has them."""
    at, places = 0, []
    for sign in hit.columns:
        if sign == "X":
            places.append(len(letters) - at if hit.strand == "+" else at + 1)
        at += sign != "D"
    return ",".join(map(str, sorted(places))) or "."


def rows(records, pairs, found, pool=False):
    """Returns the columns of TSV but names of primers and temperatures."""
    names = [f"{pair.name}_{end}" for pair in pairs for end in "FR"]
    letters = [text for pair in pairs for text in (pair.forward, pair.reverse)]
    lines = []
    for p in found:
        name, text = records[p.record]
        forward, reverse = (p.left, p.right) if p.strand == "+" else (p.right, p.left)
        if pool:
            pair, of = f"{names[p.first]}/{names[p.second]}", (letters[p.first], letters[p.second])
        else:
            both = letters[2 * p.first], letters[2 * p.first + 1]
            pair, of = pairs[p.first].name, (both, both[:1] * 2, both[1:] * 2)[p.ends]
        line = [name, p.start, p.end, pair, p.strand, p.end - p.start]
        for hit, primer in ((forward, of[0]), (reverse, of[1])):
            line += [hit.start, hit.end, hit.edits, naive_match.cigar(hit.columns), distances(hit, primer)]
        stretch = (text * (p.end // max(1, len(text)) + 1))[p.start : p.end]
        stretch = naive_match.letters_of(stretch)
        if p.strand == "-":
            stretch = "".join(naive_match.PARTNER.get(c, c) for c in reversed(stretch))
        lines.append([str(field) for field in (*line, stretch)])
    return lines
