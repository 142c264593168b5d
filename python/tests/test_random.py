"""Random searches of the Python package against the plain oracles of tests/golden, which share no code with the library.

Needs hypothesis; is skipped without it. Environment: BASESWEEP_EXAMPLES  examples of each test (default: 150)
"""
import collections
import contextlib
import os
import pathlib
import sys
import unittest

import basesweep as bs
import numpy

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests/golden"))
import naive
import naive_match
import naive_pcr

try:
    import hypothesis
    from hypothesis import strategies as st
except ImportError:
    print("skipped: no hypothesis")
    sys.exit(77)

hypothesis.settings.register_profile(
    "own", deadline=None, max_examples=int(os.environ.get("BASESWEEP_EXAMPLES", "150")), derandomize="BASESWEEP_EXAMPLES" not in os.environ,
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


class Random(unittest.TestCase):
    @hypothesis.given(RECORDS, PATTERNS, STRAND, st.sampled_from(["use", "skip"]), st.booleans(), st.booleans(), FORM, st.sampled_from([1, 3]))
    def test_motif(self, records, patterns, strand, soft_masked, non_overlapping, circular, form, threads):
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
        pairs = [naive_pcr.Pair(f"pair{number}", *both) for number, both in enumerate(letters)]
        found = naive_pcr.products(records, pairs, naive_match.Rules(k=k), size=(least, 5000))
        expected = sorted((records[p.record][0], p.start, p.end) for p in found)
        table = bs.pcr([pair[:3] for pair in pairs], some_source(records, form), k=k, size=(least, 5000), columns=["record", "start", "end"])
        self.assertEqual(sorted(table), expected)

    @hypothesis.given(st.dictionaries(st.text(max_size=5), st.one_of(st.text(max_size=12), st.binary(max_size=12)), max_size=3),
                      st.one_of(st.text(max_size=6), st.lists(st.text(max_size=6), max_size=3), st.integers(), st.binary(max_size=4)),
                      st.dictionaries(st.sampled_from(["k", "e", "max_indels", "strand", "threads", "report", "columns", "flank", "device"]),
                                      st.one_of(st.integers(-3, 5), st.text(max_size=4), st.floats(), st.none(), st.booleans()), max_size=2))
    def test_anything(self, source, patterns, options):
        """Whatever is given: a table, or an exception of Python or of basesweep."""
        with contextlib.suppress(bs.Error, TypeError, ValueError, OverflowError):
            if patterns != "-" and "-" not in (patterns if isinstance(patterns, list) else []):  # standard input
                list(bs.match(patterns, source, **options))


if __name__ == "__main__":
    unittest.main()
