"""basesweep sweeps nucleotide sequence for patterns: exact or with edits, PCR products, weight matrices, CRISPR guides and reads.

    import basesweep as bs
    table = bs.match({"V4": "GTGYCAGCMGCCGCGGTAA"}, "genome.fa.gz", k=2)
    table["start"]          # a NumPy array
    table.to_polars()       # or to_pandas(), to_arrow()

Options have the names that `basesweep COMMAND --help` gives them, with _ for -; the letters k, e, m, p and t stand for edits, error_rate,
mismatches, p_value and threads. Coordinates are 0-based and half-open, on the forward strand.
"""
from __future__ import annotations

from typing import Any

from . import _main_interpreter  # noqa: F401  before the others
from ._core import __version__
from .errors import DeviceError, Error, InputError, IoError, UsageError
from .searches import CompiledSearcher, Guides, Mapper, PatternSet, Pcr, Pwm, Searcher
from .table import Table

__all__ = ["CompiledSearcher", "DeviceError", "Error", "Guides", "InputError", "IoError", "Mapper", "PatternSet", "Pcr", "Pwm",
           "Searcher", "Table", "UsageError", "__version__", "count", "guides", "load", "match", "motif", "pcr", "pwm"]  # not map: it is a builtin

_RUN = ("columns", "batches", "progress")


def _searched(prepare: Any, what: Any, source: Any, words: dict[str, Any]) -> Any:
    run = {name: words.pop(name) for name in _RUN if name in words}
    return prepare(what, **words).search(source, **run)


def motif(patterns: Any, source: Any, **options: Any) -> Any:
    """Finds every place where a pattern stands, without edits.

    Args:
        patterns: letters (IUPAC codes allowed), a list of them, a dict of names and letters, or a file.
        source: a file or a URL, a list of them; letters, bytes, a NumPy array of uint8 (not copied); a dict or an iterator of names and
            letters; records of Biopython or pysam.
        options: see `basesweep motif --help`; and columns, batches and progress as in `Searcher.search`.

    Returns a Table. Raises UsageError, InputError, IoError, DeviceError, and TypeError for an option that there is not.
    """
    for name in ("k", "edits", "e", "error_rate", "m", "mismatches"):
        if name in options:
            raise TypeError(f"motif() has no option {name!r}; did you mean match()?")
    options.setdefault("columns", ["record", "start", "end", "pattern", "strand", "matched"])
    return _searched(Searcher, patterns, source, options)


def match(patterns: Any, source: Any, **options: Any) -> Any:
    """Finds places that match a pattern with at most `k` edits, or with edits in a part `e` of its length. See `motif`."""
    if all(options.get(name) is None for name in ("k", "edits", "e", "error_rate", "m", "mismatches")):
        raise TypeError("match() needs k, the number of edits, or e, their part of the pattern")
    return _searched(Searcher, patterns, source, options)


def pcr(pairs: Any, source: Any, **options: Any) -> Any:
    """Finds the products of primer pairs: a list of (name, forward, reverse), a dict of name and (forward, reverse), or a file."""
    return _searched(Pcr, pairs, source, options)


def pwm(matrices: Any, source: Any, **options: Any) -> Any:
    """Finds the sites of weight matrices: a file, or a dict of name and rows of counts of A, C, G and T."""
    return _searched(Pwm, matrices, source, options)


def guides(guides: Any, source: Any, **options: Any) -> Any:
    """Finds all places that CRISPR guides may cut. `totals` of the Table has a list of each column of the program's table."""
    return _searched(Guides, guides, source, options)


def map(reference: Any, reads: Any, **options: Any) -> Any:
    """Places reads on a reference, with at most `k` edits."""
    return _searched(Mapper, reference, reads, options)


def count(patterns: Any, source: Any, *, by_strand: bool = False, **options: Any) -> dict[Any, int]:
    """Counts how often each pattern is found: {name: number}; with `by_strand` {(name, strand): number}."""
    return Searcher(patterns, **options).count(source, by_strand=by_strand)


def load(path: Any, **options: Any) -> CompiledSearcher:
    """Loads a set that `basesweep compile` wrote."""
    return CompiledSearcher(path, **options)
