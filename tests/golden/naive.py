"""The independent answer for `motif`: compares every window letter by letter. Plain on purpose; shares no code with the program."""
import collections

MEMBERS = {"A": "A", "C": "C", "G": "G", "T": "T", "U": "T", "R": "AG", "Y": "CT", "S": "CG", "W": "AT", "K": "GT",
           "M": "AC", "B": "CGT", "D": "AGT", "H": "ACT", "V": "ACG", "N": "ACGT"}
PARTNER = {"A": "T", "C": "G", "G": "C", "T": "A"}

Hit = collections.namedtuple("Hit", "record start end strand pattern")  # record and pattern are numbers; sorts in output order


def read_fasta(text):
    """Returns [(name, sequence)] of FASTA text, without line ends and blanks at line ends; letters stay as they are."""
    records = []
    for line in text.splitlines():
        if line.startswith(">"):
            records.append(((line[1:].split() or [""])[0], []))
        elif line:
            records[-1][1].append(line.strip())
    return [(name, "".join(lines)) for name, lines in records]


def columns(motif):
    """Returns, for each position of the motif, the letters it matches, in upper and lower case."""
    return [MEMBERS[letter] for letter in motif.upper()]


def reverse_complement(sets):
    return ["".join(sorted(PARTNER[base] for base in members)) for members in reversed(sets)]


def find(sequence, sets):
    """Returns the starts of all windows that match."""
    starts = []
    for start in range(len(sequence) - len(sets) + 1):
        for i, members in enumerate(sets):
            if sequence[start + i] not in members:
                break
        else:
            starts.append(start)
    return starts


def strands_of(motif, strand="both", palindromes="once"):
    forward = ["".join(sorted(members)) for members in columns(motif)]
    if strand != "both":
        return ["+" if strand == "plus" else "-"]
    return ["+"] if forward == reverse_complement(forward) and palindromes == "once" else ["+", "-"]


def is_circular(name, circular):
    """`circular`: True for all records, or the names of those that are."""
    return circular is True or (circular is not False and name in circular)


def stretch(letters, start, end):
    """Returns letters[start:end] of a record; past its end it goes on with its begin."""
    return "".join(letters[i % len(letters)] for i in range(start, end))


def without_overlaps(records, hits):
    """A hit over the origin of a circular record is dropped at the end if it overlaps the first one kept."""
    last_end, first_start, kept = collections.defaultdict(int), {}, []
    for hit in hits:
        key = (hit.record, hit.pattern, hit.strand)
        if hit.start >= last_end[key]:
            last_end[key] = hit.end
            first_start.setdefault(key, hit.start)
            kept.append(hit)
    return [h for h in kept if h.end - len(records[h.record][1]) <= first_start[h.record, h.pattern, h.strand]]


def bed_intervals(records, hits):
    """Yields (hit, start, end) for each line of BED: two for a hit over the origin of a circular record."""
    rows = []
    for hit in hits:
        length = len(records[hit.record][1])
        rows.append((hit.record, hit.start, min(hit.end, length), hit.strand, hit.pattern, hit))
        if hit.end > length:
            rows.append((hit.record, 0, hit.end - length, hit.strand, hit.pattern, hit))
    return [(row[-1], row[1], row[2]) for row in sorted(rows)]


def search(records, motifs, strand="both", palindromes="once", soft_masked="use", non_overlapping=False, max_hits=None,
           circular=False):
    """Returns the hits of motifs [(name, letters)] in records [(name, letters)], in output order."""
    hits = []
    for number, (name, letters) in enumerate(records):
        # Letters that may not match become one that no motif holds.
        if soft_masked == "skip":
            letters = "".join("!" if letter.islower() else letter for letter in letters)
        letters = letters.upper().replace("U", "T")
        for pattern, (_, motif) in enumerate(motifs):
            for sign in strands_of(motif, strand, palindromes):
                sets = columns(motif) if sign == "+" else reverse_complement(columns(motif))
                if len(sets) > len(letters):
                    continue
                text = letters + letters[:len(sets) - 1] if is_circular(name, circular) else letters
                hits += [Hit(number, start, start + len(sets), sign, pattern) for start in find(text, sets)]
    hits.sort()
    if non_overlapping:
        hits = without_overlaps(records, hits)
    return hits[:max_hits]


def bed(records, motifs, hits):
    return "".join(f"{records[h.record][0]}\t{start}\t{end}\t{motifs[h.pattern][0]}\t1000\t{h.strand}\n"
                   for h, start, end in bed_intervals(records, hits))


def tsv(records, motifs, hits):
    lines = ["record\tstart\tend\tpattern\tstrand\tmatched\n"]
    for h in hits:
        text = stretch(records[h.record][1], h.start, h.end).upper().replace("U", "T")
        if h.strand == "-":
            text = "".join(PARTNER[base] for base in reversed(text))
        lines.append(f"{records[h.record][0]}\t{h.start}\t{h.end}\t{motifs[h.pattern][0]}\t{h.strand}\t{text}\n")
    return "".join(lines)


def counts(motifs, hits, strand="both", palindromes="once"):
    """Returns {(pattern name, strand): number of hits}, with zeros for searched strands without hits."""
    table = {(name, sign): 0 for name, motif in motifs for sign in strands_of(motif, strand, palindromes)}
    for hit in hits:
        table[motifs[hit.pattern][0], hit.strand] += 1
    return table


def count_table(motifs, hits, **options):
    rows = counts(motifs, hits, **options).items()
    return "pattern\tstrand\tcount\n" + "".join(f"{name}\t{sign}\t{count}\n" for (name, sign), count in rows)
