"""Weight matrices as docs/pwm.md defines them: plain sums over every window, p-values from all sums of the columns."""
import math
from typing import NamedTuple, Optional

ORDER = "ACGT"
OTHER = dict(zip("ACGT", "TGCA"))
UNIFORM = dict.fromkeys(ORDER, 0.25)


class Matrix(NamedTuple):
    id: str
    name: str
    columns: list  # of dicts: letter -> count or probability
    probabilities: bool = False
    sites: float = 20
    threshold: Optional[float] = None  # of HOMER
    background: Optional[dict] = None  # of MEME


class Scored(NamedTuple):
    matrix: Matrix
    scores: list  # of dicts: letter -> integer
    background: dict
    tails: dict  # score -> p-value
    threshold: int  # more than all scores: no word reaches it


def both_strands(rates):
    total = sum(rates.values())
    return {letter: (rates[letter] + rates[OTHER[letter]]) / 2 / total for letter in ORDER}


def steps(p, rate):
    bits = math.log2(p / rate) * 1024
    return int(math.copysign(math.floor(abs(bits) + 0.5), bits))


def tails(scores, background):
    """Returns the p-value of each score that a word has."""
    shares = {0: 1.0}
    for column in scores:
        following = {}
        for score, share in shares.items():
            for letter in ORDER:
                total = score + column[letter]
                following[total] = following.get(total, 0.0) + share * background[letter]
        shares = following
    result, total = {}, 0.0
    for score in sorted(shares, reverse=True):
        total += shares[score]
        result[score] = min(total, 1.0)
    return result


def scored(matrix, p=None, bits=None, relative=None, pseudocount=0.1, background=None):
    own = matrix.threshold is not None and p is None and bits is None and relative is None
    if own:
        rates = UNIFORM
        scores = [{letter: steps(max(column[letter], 0.001), 0.25) for letter in ORDER} for column in matrix.columns]
    else:
        rates = both_strands(background or matrix.background or UNIFORM)
        scores = []
        for column in matrix.columns:
            counts = {letter: column[letter] * (matrix.sites if matrix.probabilities else 1) for letter in ORDER}
            total = sum(counts.values()) + pseudocount
            scores.append(
                {letter: steps((counts[letter] + pseudocount * rates[letter]) / total, rates[letter]) for letter in ORDER}
            )
    by_score = tails(scores, rates)
    low, high = min(by_score), max(by_score)
    if own:
        threshold = math.ceil(matrix.threshold / math.log(2) * 1024)
    elif bits is not None:
        threshold = math.ceil(1024 * bits)
    elif relative is not None:
        threshold = math.ceil(low + relative * (high - low))
    else:
        wanted = 1e-4 if p is None else p
        # A sum in another order may differ in its last digits.
        reached = [score for score, tail in by_score.items() if tail <= wanted * (1 + 1e-12)]
        threshold = min(reached) if reached else high + 1
    return Scored(matrix, scores, rates, by_score, threshold)


def word_score(one, word):
    """Returns the score of a word that reads as the matrix does; None if a letter is no base."""
    total = 0
    for column, letter in zip(one.scores, word):
        if letter not in column:
            return None
        total += column[letter]
    return total


def reverse_complement(word):
    return "".join(OTHER.get(letter, "N") for letter in reversed(word))


class Hit(NamedTuple):
    record: int
    start: int
    end: int
    strand: str
    matrix: int
    score: int
    matched: str


def search(records, matrices, strands="+-", soft="use"):
    hits = []
    for number, (_, letters) in enumerate(records):
        for index, one in enumerate(matrices):
            width = len(one.scores)
            for start in range(len(letters) - width + 1):
                window = letters[start:start + width]
                if soft == "skip" and window != window.upper():
                    continue
                upper = window.upper().replace("U", "T")
                for strand in strands:
                    word = upper if strand == "+" else reverse_complement(upper)
                    score = word_score(one, word)
                    if score is not None and score >= one.threshold:
                        hits.append(Hit(number, start, start + width, strand, index, score, word))
    return sorted(hits)


def without_overlaps(hits):
    last, kept = {}, []
    for hit in hits:
        key = (hit.record, hit.strand, hit.matrix)
        if hit.start >= last.get(key, 0):
            last[key] = hit.end
            kept.append(hit)
    return kept


def best_per_record(hits):
    best = {}
    for hit in hits:
        key = (hit.record, hit.matrix)
        if key not in best or hit.score > best[key].score:
            best[key] = hit
    return sorted(best.values())


def bits(score):
    thousandths = (abs(score) * 1000 + 512) // 1024
    sign = "-" if score < 0 and thousandths else ""
    return f"{sign}{thousandths // 1000}.{thousandths % 1000:03}"


def bed_score(p):
    return min(1000, math.floor(-100 * math.log10(p) + 0.5))
