"""The independent answer of `match`: every interval of the text against every pattern, all alignments of the two counted.
Plain on purpose; shares nothing with the program."""
import collections
import functools

import naive

PARTNER = dict(zip("ACGTRYSWKMBDHVN", "TGCAYRSWMKVHDBN"))
NAMED_IN_BAM = set("ACGTRYSWKMBDHV")  # BAM stores every other letter as N

Rules = collections.namedtuple("Rules", "k rate mismatches indels clamp5 clamp3 dna rna",
                               defaults=[None, None, None, None, 0, 0, None, None])
# Record and pattern are numbers; sorts in output order.
Hit = collections.namedtuple("Hit", "record start end strand pattern edits indels columns")
Found = collections.namedtuple("Found", "start end edits indels columns")


def letters_of(text):
    return text.upper().replace("U", "T")


def edits_allowed(rules, motif):
    """Returns how many edits the motif may have: k, or rate * length rounded down, in exact decimal arithmetic."""
    if rules.k is not None:
        return rules.k
    whole, _, part = rules.rate.partition(".")
    return int(whole + part) * len(motif) // 10 ** len(part)


def reverse_complement(motif):
    return "".join(PARTNER[letter] for letter in reversed(letters_of(motif)))


def strands_of(motif, rules, strand="both", palindromes="once"):
    """With different clamps at its ends, the two strands of a palindrome differ."""
    return naive.strands_of(motif, strand, palindromes if rules.clamp5 == rules.clamp3 else "both")


class Aligner:
    """One strand of a pattern, with its columns in the direction of the text."""

    def __init__(self, motif, sign, rules):
        sets = naive.columns(motif)
        self.sets = sets if sign == "+" else naive.reverse_complement(sets)
        self.length = len(sets)
        left, right = (rules.clamp5, rules.clamp3) if sign == "+" else (rules.clamp3, rules.clamp5)
        self.core = range(left, self.length - right)
        self.k = edits_allowed(rules, motif)
        self.mismatches = self.k if rules.mismatches is None else rules.mismatches
        self.indels = self.k if rules.indels is None else rules.indels
        self.dna = self.k if rules.dna is None else rules.dna
        self.rna = self.k if rules.rna is None else rules.rna

    def allows(self, mismatches, dna, rna):
        return (mismatches <= self.mismatches and dna + rna <= self.indels and mismatches + dna + rna <= self.k and
                dna <= self.dna and rna <= self.rna)

    def may_insert_text(self, i):
        """True when a text letter may stand alone before column i: not between clamped columns, nor outside a clamped end."""
        if i in (0, self.length):
            return self.core.start == 0 if i == 0 else self.core.stop == self.length
        return i - 1 in self.core or i in self.core

    def steps_back(self, text, i, j):
        """Yields the possible last steps of an alignment of i columns with j letters: (sign, i, j, counts), where counts are
        of mismatches, text letters alone and columns alone."""
        if i and j:
            if text[j - 1] in self.sets[i - 1]:
                yield "=", i - 1, j - 1, (0, 0, 0)
            elif i - 1 in self.core:
                yield "X", i - 1, j - 1, (1, 0, 0)
        if j and self.may_insert_text(i):
            yield "D", i, j - 1, (0, 1, 0)
        if i and i - 1 in self.core:
            yield "I", i - 1, j, (0, 0, 1)

    def costs(self, text):
        """Returns cells[i, j]: the counts, within the limits, of all alignments of i columns with j letters."""
        cells = collections.defaultdict(set)
        cells[0, 0].add((0, 0, 0))
        for i in range(self.length + 1):
            for j in range(max(0, i - self.k), min(len(text), i + self.k) + 1):
                for _, a, b, (mismatch, letter, column) in self.steps_back(text, i, j):
                    for mismatches, dna, rna in cells.get((a, b), ()):
                        counts = mismatches + mismatch, dna + letter, rna + column
                        if self.allows(*counts):
                            cells[i, j].add(counts)
        return cells

    def trace(self, text, cells, counts):
        """Returns the columns of an alignment with these counts, traced back from the right end: diagonal, else D, else I."""
        i, j, columns = self.length, len(text), ""
        while i or j:
            for sign, a, b, more in self.steps_back(text, i, j):
                left = tuple(x - y for x, y in zip(counts, more))
                if left in cells.get((a, b), ()):
                    break
            else:
                raise AssertionError("no way back")
            columns, i, j, counts = sign + columns, a, b, left
        return columns

    def candidates(self, text):
        found, known = [], {}  # the text of a circular record has most windows several times
        for start in range(len(text)):
            window = text[start:start + self.length + self.k]
            cells = known[window] = known.get(window) or self.costs(window)
            for length in range(1, len(window) + 1):
                ways = cells.get((self.length, length))
                if ways:
                    # Of alignments of one length, those with as many edits and indels have the same counts.
                    edits, indels, counts = min((sum(way), way[1] + way[2], way) for way in ways)
                    columns = self.trace(window[:length], cells, counts)
                    found.append(Found(start, start + length, edits, indels, columns))
        return found


@functools.lru_cache(None)
def candidates(text, motif, sign, rules):
    return Aligner(motif, sign, rules).candidates(text)


def rank(found):
    return found.edits, found.indels, found.end - found.start


def sites(every):
    first_of_start, first_of_end = {}, {}
    for c in every:
        for table, key in ((first_of_start, c.start), (first_of_end, c.end)):
            if key not in table or rank(c) < rank(table[key]):
                table[key] = c
    return [c for c in every if first_of_start[c.start] == c and first_of_end[c.end] == c]


def minima(all_sites):
    def beaten(c):
        return any((d.edits, d.indels) < (c.edits, c.indels) and d.start < c.end and c.start < d.end for d in all_sites)
    return [c for c in all_sites if not beaten(c)]


def search(records, motifs, rules, report="sites", strand="both", palindromes="once", soft_masked="use",
           non_overlapping=False, max_hits=None, circular=False):
    """Returns the hits of motifs [(name, letters)] in records [(name, letters)], in output order."""
    hits = []
    for number, (name, letters) in enumerate(records):
        for pattern, (_, motif) in enumerate(motifs):
            for sign in strands_of(motif, rules, strand, palindromes):
                if not letters:
                    continue
                turns = 0  # of a circular record, before and after; others have no bearing on the hits of this turn
                if naive.is_circular(name, circular):
                    turns = 4 * (len(motif) + edits_allowed(rules, motif)) // len(letters) + 1
                found = candidates(letters_of(letters) * (2 * turns + 1), motif, sign, rules)
                if report != "all":
                    found = sites(found)
                if report == "minima":
                    found = minima(found)
                origin = turns * len(letters)
                found = [c._replace(start=c.start - origin, end=c.end - origin) for c in found
                         if origin <= c.start < origin + len(letters) and c.end - c.start <= len(letters)]
                if soft_masked == "skip":
                    texts = [naive.stretch(letters, c.start, c.end) for c in found]
                    found = [c for c, text in zip(found, texts) if text == text.upper()]
                hits += [Hit(number, c.start, c.end, sign, pattern, c.edits, c.indels, c.columns) for c in found]
    hits.sort()
    if report == "best":
        lowest = {}
        for h in hits:
            lowest[h.pattern] = min(h.edits, lowest.get(h.pattern, h.edits))
        hits = [h for h in hits if h.edits == lowest[h.pattern]]
    if non_overlapping:
        hits = naive.without_overlaps(records, hits)
    return hits[:max_hits]


# Output.

def cigar(columns):
    runs = []
    for sign in columns:
        if runs and runs[-1][1] == sign:
            runs[-1][0] += 1
        else:
            runs.append([1, sign])
    return "".join(f"{length}{sign}" for length, sign in runs)


def matched_forward(records, hit):
    return letters_of(naive.stretch(records[hit.record][1], hit.start, hit.end))


def matched(records, hit):
    text = matched_forward(records, hit)
    return text if hit.strand == "+" else "".join(PARTNER.get(letter, letter) for letter in reversed(text))


def bed(records, motifs, hits):
    lines = []
    for h, start, end in naive.bed_intervals(records, hits):
        length = len(motifs[h.pattern][1])
        score = (2000 * (length - h.edits) + length) // (2 * length)  # rounds half up
        lines.append(f"{records[h.record][0]}\t{start}\t{end}\t{motifs[h.pattern][0]}\t{score}\t{h.strand}\n")
    return "".join(lines)


def tsv(records, motifs, hits):
    lines = ["record\tstart\tend\tpattern\tstrand\tedits\tindels\tcigar\tmatched\n"]
    for h in hits:
        lines.append(f"{records[h.record][0]}\t{h.start}\t{h.end}\t{motifs[h.pattern][0]}\t{h.strand}\t{h.edits}\t{h.indels}\t"
                     f"{cigar(h.columns)}\t{matched(records, h)}\n")
    return "".join(lines)


def count_table(motifs, hits, rules, **strands):
    table = {(name, sign): 0 for name, motif in motifs for sign in strands_of(motif, rules, **strands)}
    for hit in hits:
        table[motifs[hit.pattern][0], hit.strand] += 1
    return "pattern\tstrand\tcount\n" + "".join(f"{name}\t{sign}\t{count}\n" for (name, sign), count in table.items())


def nm_and_md(sequence, text, columns):
    """Returns NM and MD like samtools calmd: letters as in BAM, N equals nothing, other IUPAC codes equal themselves."""
    different, parts, equal, i, j, deleting = 0, "", 0, 0, 0, False
    for sign in columns:
        if sign == "I":
            different, i = different + 1, i + 1
            continue
        if sign == "D":
            parts += text[j] if deleting else f"{equal}^{text[j]}"
            different, j, equal, deleting = different + 1, j + 1, 0, True
            continue
        deleting = False
        if sequence[i] == text[j] and sequence[i] in NAMED_IN_BAM:
            equal += 1
        else:
            parts += f"{equal}{text[j]}"
            different, equal = different + 1, 0
        i, j = i + 1, j + 1
    return different, f"{parts}{equal}"


def sam_header(records, command, version, circular=False):
    lines = ["@HD\tVN:1.6\tSO:coordinate"]
    for name, letters in records:
        if letters:
            lines.append(f"@SQ\tSN:{name}\tLN:{len(letters)}" + naive.is_circular(name, circular) * "\tTP:circular")
    return "\n".join(lines) + f"\n@PG\tID:basesweep\tPN:basesweep\tVN:{version}\tCL:{command}\n"


def sam(records, motifs, hits, eqx=False):
    """Returns the lines after the header."""
    lines, seen = [], set()
    for h in hits:
        name, motif = motifs[h.pattern]
        flag = 16 * (h.strand == "-") + 256 * (name in seen)
        seen.add(name)
        sequence = letters_of(motif) if h.strand == "+" else reverse_complement(motif)
        nm, md = nm_and_md(sequence, matched_forward(records, h), h.columns)
        shown = h.columns if eqx else h.columns.replace("=", "M").replace("X", "M")
        lines.append(f"{name}\t{flag}\t{records[h.record][0]}\t{h.start + 1}\t255\t{cigar(shown)}\t*\t0\t0\t{sequence}\t*\t"
                     f"NM:i:{nm}\tMD:Z:{md}\tXE:i:{h.edits}\n")
    return "".join(lines)
