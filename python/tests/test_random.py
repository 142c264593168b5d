"""Random searches of the Python package against the plain oracles of tests/golden, which share no code with the library.

Needs hypothesis; is skipped without it. Environment:
    BASESWEEP_EXAMPLES   examples of each test (default: 150)
    BASESWEEP_SECONDS    runs all tests again and again for so long, with other examples each time; stops at the first failure
    BASESWEEP_SEED       of these examples (default: 0), so that several processes try different ones
"""
import collections
import contextlib
import os
import pathlib
import sys
import time
import unittest

import basesweep as bs
import numpy

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests/golden"))
import naive
import naive_map
import naive_match
import naive_pcr
import naive_pwm

try:
    import hypothesis
    from hypothesis import strategies as st
except ImportError:
    print("skipped: no hypothesis")
    sys.exit(77)

hypothesis.settings.register_profile(
    "own", deadline=None, max_examples=int(os.environ.get("BASESWEEP_EXAMPLES", "150")), derandomize=not {"BASESWEEP_EXAMPLES", "BASESWEEP_SECONDS"} & set(os.environ),
    database=None, suppress_health_check=list(hypothesis.HealthCheck))
hypothesis.settings.load_profile("own")

TEXT = st.one_of(st.text("ACGT", max_size=60), st.text("ACGTNacgtnURYK", max_size=60), st.text("AC", max_size=40),
                 st.builds(lambda unit, times: unit * times, st.text("ACGT", min_size=1, max_size=5), st.integers(1, 20)))
RECORDS = st.lists(TEXT, max_size=4).map(lambda texts: [(f"r{number}", letters) for number, letters in enumerate(texts)])
PATTERN = st.one_of(st.text("ACGT", min_size=2, max_size=12), st.text("ACGTRYSWKMBDHVN", min_size=2, max_size=8), st.text("AC", min_size=2, max_size=6))
PATTERNS = st.lists(PATTERN, min_size=1, max_size=4).map(lambda all_letters: [(f"p{number}", letters) for number, letters in enumerate(all_letters)])
STRAND = st.sampled_from(["both", "both", "plus", "minus"])


def some_source(records, form):
    """Returns the records in one of the forms that a source may have."""
    if form == "dict":
        return dict(records)
    if form == "iterator":
        return iter(records)
    if form == "bytes":
        return [(name, letters.encode()) for name, letters in records]
    return [(name, numpy.frombuffer(letters.encode(), numpy.uint8)) for name, letters in records]


FORM = st.sampled_from(["dict", "iterator", "bytes", "array"])


MATRIX = st.lists(st.lists(st.integers(0, 20), min_size=4, max_size=4).filter(any), min_size=1, max_size=6)


@st.composite
def guides_and_texts(draw):
    """Guides, and records with sites that differ from them in some bases."""
    size = draw(st.integers(15, 18))
    letters = draw(st.lists(st.text("ACGT", min_size=size, max_size=size), min_size=1, max_size=3, unique=True))
    records = []
    for number in range(draw(st.integers(0, 3))):
        text = ""
        for _ in range(draw(st.integers(0, 3))):
            site = list(draw(st.sampled_from(letters)) + draw(st.sampled_from(["AGG", "TGG", "GGG", "GAG"])))
            for at in draw(st.lists(st.integers(0, size - 1), max_size=5)):
                site[at] = draw(st.sampled_from("ACGT"))
            site = "".join(site)
            text += draw(st.text("ACGT", max_size=8)) + (site if draw(st.booleans()) else naive_match.reverse_complement(site))
        records.append((f"r{number}", text))
    return [(f"g{number}", guide) for number, guide in enumerate(letters)], records


def places_of(records, guides, most, strands="+-"):
    """The places of guides before NGG: every window, letter by letter."""
    for record, letters in records:
        for sign in strands:
            own = letters if sign == "+" else naive_match.reverse_complement(letters)
            for name, guide in guides:
                whole = len(guide) + 3
                for at in range(len(own) - whole + 1):
                    different = sum(a != b for a, b in zip(guide, own[at:]))
                    if different <= most and own[at + whole - 2:at + whole] == "GG":
                        yield record, at if sign == "+" else len(own) - at - whole, name, sign, different


class Random(unittest.TestCase):
    examples = collections.Counter()

    @hypothesis.given(RECORDS, PATTERNS, STRAND, st.sampled_from(["use", "skip"]), st.booleans(), st.booleans(), FORM, st.sampled_from([1, 3]))
    def test_motif(self, records, patterns, strand, soft_masked, non_overlapping, circular, form, threads):
        self.examples["test_motif"] += 1
        options = {"strand": strand, "soft_masked": soft_masked, "non_overlapping": non_overlapping, "circular": circular}
        expected = [(records[h.record][0], h.start, h.end, patterns[h.pattern][0], h.strand) for h in naive.search(records, patterns, **options)]
        columns = ["record", "start", "end", "pattern", "strand"]
        table = bs.motif(patterns, some_source(records, form), columns=columns, threads=threads, **options)
        self.assertEqual(list(table), expected)
        parts = list(bs.motif(patterns, some_source(records, form), columns=columns, batches=True, **options))
        self.assertEqual([row for part in parts for row in part], expected)
        if not non_overlapping:
            counts = collections.Counter((name, sign) for *_, name, sign in expected)
            for key, number in bs.count(patterns, some_source(records, form), by_strand=True, **options).items():
                self.assertEqual(number, counts[key])

    @hypothesis.given(RECORDS, PATTERNS, st.integers(0, 3), st.sampled_from(["sites", "minima", "best", "all"]), STRAND,
                      st.sampled_from([None, 0, 1]), st.sampled_from([None, 0, 1]), st.integers(0, 2), FORM)
    def test_match(self, records, patterns, k, report, strand, mismatches, indels, clamp, form):
        self.examples["test_match"] += 1
        k = min(k, *(len(letters) - 1 for _, letters in patterns))
        clamp = min(clamp, *(len(letters) - 1 - k for _, letters in patterns))
        rules = naive_match.Rules(k=k, mismatches=mismatches, indels=indels, clamp3=clamp)
        hits = naive_match.search(records, patterns, rules, report=report, strand=strand)
        expected = [(records[h.record][0], h.start, h.end, patterns[h.pattern][0], h.strand, h.edits, h.indels, naive_match.cigar(h.columns),
                     naive_match.matched(records, h)) for h in hits]
        options = {"k": k, "report": report, "strand": strand, "max_mismatches": mismatches, "max_indels": indels, "clamp_3prime": clamp}
        self.assertEqual(list(bs.match(patterns, some_source(records, form), **options)), expected)

    @hypothesis.given(RECORDS, st.lists(st.tuples(st.text("ACGT", min_size=3, max_size=6), st.text("ACGT", min_size=3, max_size=6)), min_size=1, max_size=3),
                      st.integers(0, 1), st.integers(0, 30), FORM)
    def test_pcr(self, records, letters, k, least, form):
        self.examples["test_pcr"] += 1
        pairs = [naive_pcr.Pair(f"pair{number}", *both) for number, both in enumerate(letters)]
        found = naive_pcr.products(records, pairs, naive_match.Rules(k=k), size=(least, 5000))
        expected = sorted((records[p.record][0], p.start, p.end) for p in found)
        table = bs.pcr([pair[:3] for pair in pairs], some_source(records, form), k=k, size=(least, 5000), columns=["record", "start", "end"])
        self.assertEqual(sorted(table), expected)

    @hypothesis.given(RECORDS, st.lists(MATRIX, min_size=1, max_size=3), st.sampled_from([{"p": 0.2}, {"p": 0.01}, {"score": 1.5}, {"relative": 0.8}]),
                      STRAND, st.sampled_from(["use", "skip"]), st.booleans(), FORM)
    def test_pwm(self, records, matrices, limit, strand, soft_masked, non_overlapping, form):
        self.examples["test_pwm"] += 1
        own = [naive_pwm.scored(naive_pwm.Matrix(f"m{i}", "", [dict(zip("ACGT", row)) for row in rows]), p=limit.get("p"), bits=limit.get("score"),
                                relative=limit.get("relative")) for i, rows in enumerate(matrices)]
        found = naive_pwm.search(records, own, {"both": "+-", "plus": "+", "minus": "-"}[strand], soft_masked)
        if non_overlapping:
            found = naive_pwm.without_overlaps(found)
        expected = [(records[h.record][0], h.start, h.end, f"m{h.matrix}", h.strand, h.matched) for h in found]
        options = {"strand": strand, "soft_masked": soft_masked, "non_overlapping": non_overlapping, **limit}
        table = bs.pwm({f"m{i}": rows for i, rows in enumerate(matrices)}, some_source(records, form),
                       columns=["record", "start", "end", "matrix", "strand", "matched", "score"], **options)
        self.assertEqual([row[:-1] for row in table], expected)
        for row, hit in zip(table, found):
            self.assertAlmostEqual(row[-1], hit.score / 1024, places=9)

    @hypothesis.given(RECORDS, st.lists(st.tuples(st.text("ACGT", min_size=1, max_size=20), st.integers(0, 3), st.integers(0, 60)), max_size=4),
                      st.integers(0, 2), st.sampled_from(["best", "sites", "all"]), STRAND, st.sampled_from([1, 3]), FORM)
    def test_map(self, records, wanted, k, report, strand, threads, form):
        self.examples["test_map"] += 1
        records = [record for record in records if record[1]] or [("r", "ACGTTGCA")]
        reads = []
        for number, (letters, of, at) in enumerate(wanted):  # half of them a part of a record
            text = records[of % len(records)][1]
            reads.append((f"q{number}", text[at % len(text):][:len(letters)] if number % 2 else letters))
        options = naive_map.Options(k=k, report=report, strand=strand)
        expected = []
        for name, letters in reads:
            placed = naive_map.place(records, naive_map.Read(name, letters, ""), options)
            expected += [(name, records[a.record][0], a.start, a.end, a.strand, a.edits, a.indels, naive_match.cigar(a.columns)) for a in placed.alignments]
            expected += [(name, *[None] * 7)] if not placed.alignments else []
        table = bs.map(some_source(records, form) if form != "iterator" else dict(records), dict(reads), k=k, report=report, strand=strand, threads=threads,
                       columns=["read", "record", "start", "end", "strand", "edits", "indels", "cigar"])
        self.assertEqual(list(table), expected)

    @hypothesis.given(guides_and_texts(), st.integers(0, 4), FORM)
    def test_guides(self, both, most, form):
        self.examples["test_guides"] += 1
        guides, records = both
        table = bs.guides(guides, some_source(records, form), m=most, pam="NGG", pam_in_guide=False, columns=["record", "start", "guide", "strand", "mismatches"])
        expected = sorted(places_of(records, guides, most))
        self.assertEqual(sorted(table), expected)
        self.assertEqual(table.totals["places"], [sum(place[2] == name for place in expected) for name, _ in guides])

    @hypothesis.given(st.dictionaries(st.text(max_size=5), st.one_of(st.text(max_size=12), st.binary(max_size=12)), max_size=3),
                      st.one_of(st.text(max_size=6), st.lists(st.text(max_size=6), max_size=3), st.integers(), st.binary(max_size=4)),
                      st.dictionaries(st.sampled_from(["k", "e", "max_indels", "strand", "threads", "report", "columns", "flank", "device"]),
                                      st.one_of(st.integers(-3, 5), st.text(max_size=4), st.floats(), st.none(), st.booleans()), max_size=2))
    def test_anything(self, source, patterns, options):
        """Whatever is given: a table, or an exception of Python or of basesweep."""
        self.examples["test_anything"] += 1
        with contextlib.suppress(bs.Error, TypeError, ValueError, OverflowError):
            if patterns != "-" and "-" not in (patterns if isinstance(patterns, list) else []):  # standard input
                list(bs.match(patterns, source, **options))


def run_for(seconds, seed):
    """Runs all tests again and again; returns the exit code."""
    begin = time.monotonic()
    rounds = 0
    names = [name for name in dir(Random) if name.startswith("test_")]
    while time.monotonic() - begin < seconds:
        for name in names:
            setattr(Random, name, hypothesis.seed(seed * 1_000_000 + rounds)(getattr(Random, name)))
        suite = unittest.TestSuite(Random(name) for name in names)
        passed = unittest.TextTestRunner(stream=open(os.devnull, "w") if rounds else sys.stderr).run(suite).wasSuccessful()
        rounds += 1
        if not passed:
            print(f"failed: BASESWEEP_SEED={seed}, round {rounds}", flush=True)
            break
    print(f"seed {seed}: {sum(Random.examples.values()):,} examples in {rounds} rounds: {dict(Random.examples)}", flush=True)
    return 0 if passed else 1


if __name__ == "__main__":
    if "BASESWEEP_SECONDS" in os.environ:
        sys.exit(run_for(float(os.environ["BASESWEEP_SECONDS"]), int(os.environ.get("BASESWEEP_SEED", "0"))))
    unittest.main()
