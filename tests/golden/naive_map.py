"""The independent answer of `map`: the full table of every read against every start of the reference, and the SAM lines
that follow from it. Plain on purpose; shares nothing with the program. For small inputs."""
import collections
import functools
import re

import naive_match
from naive_match import Rules

Read = collections.namedtuple("Read", "name letters quality")  # quality "": unknown
Alignment = collections.namedtuple("Alignment", "record start end strand edits indels columns")  # record: its number
Placed = collections.namedtuple("Placed", "alignments mapq")  # the first is primary
Options = collections.namedtuple(
    "Options", "k rate report strand most_secondary hits_only insert eqx read_group",
    defaults=[None, None, "best", "both", None, False, (0, 1000), False, ""])

MOST_LETTERS = 2048
PAIRED, PROPER, UNMAPPED, MATE_UNMAPPED, REVERSE, MATE_REVERSE, FIRST, SECOND, SECONDARY = (1 << i for i in range(9))
# A cost is edits and indels in one number, edits first.
MISMATCH = 1 << 16
INDEL = MISMATCH + 1
TOO_MUCH = 1 << 40


def edits_of(cost):
    return cost // MISMATCH


def written(letters):
    """Returns the letters as SAM has them."""
    return "".join(letter if letter in naive_match.PARTNER else "N" for letter in naive_match.letters_of(letters))


def table(text, read, k):
    """rows[i][j]: the least cost of the first i letters of the read with the first j of the text; TOO_MUCH further than k
    from the diagonal. Ends early where all that follows has more than k edits."""
    rows = [[j * INDEL if j <= k else TOO_MUCH for j in range(len(text) + 1)]]
    for i, letter in enumerate(read, 1):
        above, row = rows[-1], [TOO_MUCH] * (len(text) + 1)
        for j in range(max(0, i - k), min(len(text), i + k) + 1):
            least = above[j] + INDEL
            if j:
                same = letter == text[j - 1] and letter in "ACGT"
                least = min(least, row[j - 1] + INDEL, above[j - 1] + (0 if same else MISMATCH))
            row[j] = least
        rows.append(row)
        if edits_of(min(row)) > k:
            break
    return rows


def candidates(text, read, k):
    """Returns every interval within k edits of the read."""
    found = []
    for start in range(len(text)):
        rows = table(text[start:start + len(read) + k], read, k)
        if len(rows) <= len(read):
            continue
        for length, cost in enumerate(rows[-1]):
            if edits_of(cost) <= k:
                edits = edits_of(cost)
                found.append(naive_match.Found(start, start + length, edits, cost - edits * MISMATCH, None))
    return found


def trace(text, read, k):
    """Returns the alignment columns of least cost, traced back from the right end: diagonal, else D, else I."""
    rows, i, j, columns = table(text, read, k), len(read), len(text), ""
    while i or j:
        same = i and j and read[i - 1] == text[j - 1] and read[i - 1] in "ACGT"
        if i and j and rows[i][j] == rows[i - 1][j - 1] + (0 if same else MISMATCH):
            columns, i, j = ("=" if same else "X") + columns, i - 1, j - 1
        elif j and rows[i][j] == rows[i][j - 1] + INDEL:
            columns, j = "D" + columns, j - 1
        elif i and rows[i][j] == rows[i - 1][j] + INDEL:
            columns, i = "I" + columns, i - 1
        else:
            raise AssertionError("no way back")
    return columns


def edits_allowed(read, options):
    return naive_match.edits_allowed(Rules(k=options.k, rate=options.rate), read.letters)


def sought(read, options):
    letters = naive_match.letters_of(read.letters)
    return edits_allowed(read, options) < len(letters) <= MOST_LETTERS and any(base in letters for base in "ACGT")


@functools.lru_cache(None)
def found_on(text, letters, k):
    every = candidates(text, letters, k)
    return every, naive_match.sites(every)


def overlap(a, b):
    return (a.record, a.strand) == (b.record, b.strand) and a.start < b.end and b.start < a.end


def place(records, read, options):
    if not sought(read, options):
        return Placed([], 0)
    letters, k = written(read.letters), edits_allowed(read, options)
    back = naive_match.reverse_complement(letters)
    strands = {"both": "+" if letters == back else "+-", "plus": "+", "minus": "-"}[options.strand]
    every, sites = [], []
    for sign in strands:
        for number, (_, text) in enumerate(records):
            for table_of, found in zip((every, sites), found_on(naive_match.letters_of(text), letters if sign == "+" else back, k)):
                table_of += [Alignment(number, c.start, c.end, sign, c.edits, c.indels, None) for c in found]
    if not every:
        return Placed([], 0)
    best = min(sites, key=lambda c: c.edits)
    least = best.edits
    others = [c.edits for c in sites if c is not best and (c.edits == least or not overlap(c, best))]
    mapq = min([60] + [20 * (edits - least) for edits in others])
    kept = {"all": every, "sites": sites, "best": [c for c in sites if c.edits == least]}[options.report]
    kept.sort(key=lambda c: (c.edits, c.record, c.start, c.end, c.strand))
    return Placed([c._replace(columns=columns_of(records, c, letters if c.strand == "+" else back)) for c in kept], mapq)


def columns_of(records, alignment, letters):
    text = naive_match.letters_of(records[alignment.record][1])[alignment.start:alignment.end]
    return trace(text, letters, alignment.edits)


# Output.

def header(records, options=None):
    """The SAM header without its @PG line."""
    options = options or Options()
    lines = ["@HD\tVN:1.6\tSO:unsorted\tGO:query"]
    lines += [f"@SQ\tSN:{name}\tLN:{len(letters)}" for name, letters in records if letters]
    return "".join(line + "\n" for line in lines + ([f"@RG\tID:{options.read_group}"] if options.read_group else []))


def template_length(one, two):
    """Returns TLEN of the first of two alignments."""
    if one.record != two.record:
        return 0
    return max(one.end, two.end) - min(one.start, two.start)


def is_proper(one, two, insert):
    if one.record != two.record or one.strand == two.strand:
        return False
    plus, minus = (one, two) if one.strand == "+" else (two, one)
    inward = plus.start <= minus.start and plus.end <= minus.end
    return inward and insert[0] <= template_length(one, two) <= insert[1]


def name_of_mate(name):
    return name[:-2] if name[-2:] in ("/1", "/2") else name


class Line:
    """A SAM line: a read's alignment, or none, with the fields that depend on its mate."""

    def __init__(self, read, placed, alignment, index):
        self.read, self.placed, self.alignment = read, placed, alignment
        self.flag = UNMAPPED if alignment is None else REVERSE * (alignment.strand == "-") + SECONDARY * (index > 0)
        self.mapq = placed.mapq if index == 0 else 0
        self.place = None if alignment is None else (alignment.record, alignment.start)
        self.mate_place, self.length = None, 0

    def add_mate(self, mine, its, is_second, insert):
        """`mine`, `its`: the primary alignments of the read and its mate; None: unmapped."""
        self.flag |= PAIRED | (SECOND if is_second else FIRST)
        self.flag |= MATE_UNMAPPED if its is None else MATE_REVERSE * (its.strand == "-")
        stands = its or mine  # an unmapped read has the position of its mate
        self.mate_place = stands and (stands.record, stands.start)
        if self.alignment is None:
            self.place = self.mate_place
        elif its is not None and not self.flag & SECONDARY:
            sign = -1 if (its.start, not is_second) < (mine.start, is_second) else 1
            self.length = sign * template_length(mine, its)
            self.flag |= PROPER * is_proper(mine, its, insert)

    def text(self, records, paired, options):
        letters, quality = written(self.read.letters) or "*", self.read.quality or "*"
        shown, tags = "*", []
        if self.alignment is not None:
            a = self.alignment
            if a.strand == "-":
                letters, quality = naive_match.reverse_complement(letters), quality[::-1]
            text = naive_match.letters_of(records[a.record][1])[a.start:a.end]
            different, md = naive_match.nm_and_md(letters, text, a.columns)
            shown = naive_match.cigar(a.columns if options.eqx else a.columns.replace("=", "M").replace("X", "M"))
            tags = [f"NM:i:{different}", f"MD:Z:{md}", f"AS:i:{-a.edits}", f"NH:i:{len(self.placed.alignments)}",
                    f"XE:i:{a.edits}"]
        if options.read_group:
            tags.append(f"RG:Z:{options.read_group}")
        name = name_of_mate(self.read.name) if paired else self.read.name
        record, at = ("*", 0) if self.place is None else (records[self.place[0]][0], self.place[1] + 1)
        mate_record, mate_at = ("*", 0) if self.mate_place is None else (records[self.mate_place[0]][0], self.mate_place[1] + 1)
        if mate_record != "*" and mate_record == record:
            mate_record = "="
        fields = [name, self.flag, record, at, self.mapq, shown, mate_record, mate_at, self.length, letters, quality]
        return "\t".join(map(str, fields + tags)) + "\n"


def lines_of(records, mates, options):
    """Returns the SAM lines of one read or of two mates."""
    placed = [place(records, read, options) for read in mates]
    primaries = [p.alignments[0] if p.alignments else None for p in placed]
    lines = []
    for i, read in enumerate(mates):
        most = None if options.most_secondary is None else options.most_secondary + 1
        for index, alignment in enumerate(placed[i].alignments[:most] or [None]):
            line = Line(read, placed[i], alignment, index)
            if len(mates) == 2:
                line.add_mate(primaries[i], primaries[1 - i], i == 1, options.insert)
            if not (options.hits_only and line.flag & UNMAPPED):
                lines.append(line.text(records, len(mates) == 2, options))
    return lines


def sam(records, templates, options):
    """Returns the whole output with --no-PG. `templates`: tuples of one read or of two mates."""
    return header(records, options) + "".join(line for mates in templates for line in lines_of(records, mates, options))


def left_out(records, templates, options):
    """Returns how many secondary alignments -N leaves out."""
    counts = [len(place(records, read, options).alignments) - 1 for mates in templates for read in mates]
    return sum(max(0, count - options.most_secondary) for count in counts)


# For reads and references that are too large for the table.

PARTNER_OF_BASES = str.maketrans("ACGT", "TGCA")


def least_edits(text, read):
    """The fewest edits with which the read, of A, C, G, T and what matches nothing, is found anywhere in the text: Myers'
    method (1999), a column in Python's integers."""
    length = len(read)
    full, last = (1 << length) - 1, 1 << (length - 1)
    equal = {base: sum(1 << i for i, letter in enumerate(read) if letter == base) for base in "ACGT"}
    plus, minus, edits = full, 0, length
    least = edits
    for letter in text:
        same = equal.get(letter, 0)
        diagonal = (((same & plus) + plus) ^ plus) | same | minus
        right_plus, right_minus = minus | (full & ~(diagonal | plus)), plus & diagonal
        edits += bool(right_plus & last) - bool(right_minus & last)
        least = min(least, edits)
        right_plus = right_plus << 1 & full
        right_minus = right_minus << 1 & full
        upright = same | minus
        plus, minus = right_minus | (full & ~(upright | right_plus)), right_plus & upright
    return least


def edits_by_columns(sequence, text, start, cigar):
    """Returns the edits of a CIGAR with = and X; checks that it agrees with the letters and spans the whole read."""
    edits, i = 0, 0
    for count, op in re.findall(r"(\d+)([=XID])", cigar):
        for _ in range(int(count)):
            if op in "=X":
                same = sequence[i] == text[start] and sequence[i] in "ACGT"
                assert same == (op == "="), (sequence, start, cigar)
            edits += op != "="
            i += op != "D"
            start += op != "I"
    assert i == len(sequence) and re.fullmatch(r"(\d+[=XID])+", cigar), (sequence, cigar)
    return edits
