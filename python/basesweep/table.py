"""Results: columns that share the memory of the search."""
from __future__ import annotations

import functools
import html
import itertools
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from . import _core

_SHOWN = 10  # rows


class Table:
    """Rows of a search, column by column.

    Takes part in Arrow's PyCapsule protocol, so `pyarrow.table(t)`, `polars.DataFrame(t)`, DuckDB and others take it without a copy.

    Attributes:
        totals: what the search tells besides rows, such as the totals of guides or the number of reads.
        warnings: what is worth knowing, as the program says it. They are logged by `logging`, too.
    """

    def __init__(self, batches: list[_core.Batch], totals: dict[str, Any] | None = None,
                 write: Callable[..., None] | None = None) -> None:
        self._write = write
        self._batches = [batch for batch in batches if len(batch)] or batches[:1]
        self.totals = dict(totals or {})
        self.warnings: list[str] = self.totals.pop("warnings", [])

    @functools.cached_property
    def _kinds(self) -> dict[str, str]:
        return {name: kind for name, kind, _, _ in self._batches[0].columns()} if self._batches else {}

    def __len__(self) -> int:
        return sum(len(batch) for batch in self._batches)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._kinds)

    def __contains__(self, column: object) -> bool:
        return column in self._kinds

    def __getitem__(self, column: str) -> Any:
        """The values of a column: numbers as a NumPy array, texts as a list.

        Where a row has no value, a text is None; a number is 0, or not a number, see `missing`. Numbers of a table with one batch (up to
        65,536 rows) are not copied.
        """
        kind = self._kinds.get(column)
        if kind is None:
            raise KeyError(f"there is no column {column!r}, but: {', '.join(self._kinds)}")
        if kind in ("integer", "real"):
            try:
                import numpy
            except ImportError as error:
                raise ImportError(f"column {column!r} has numbers, which are given as a NumPy array: install numpy, or take rows() or to_polars()") from error
            arrays = [batch.integers(column) if kind == "integer" else batch.reals(column) for batch in self._batches]
            if len(arrays) == 1:
                return arrays[0]
            return numpy.concatenate(arrays)
        return [value for batch in self._batches for value in _texts(batch, column, kind)]

    def __getattr__(self, name: str) -> Any:
        known = name != "_kinds" and not name.startswith("__") and "_batches" in self.__dict__ and name in self._kinds
        raise AttributeError(f"a table has no {name!r}" + (f": its column is table[{name!r}]" if known else ""))

    def missing(self, column: str) -> list[int]:
        """The rows that have no value in this column, such as the second-best edits of a pattern with one site."""
        rows, before = [], 0
        for batch in self._batches:
            rows += [before + row for row in batch.missing(column)]
            before += len(batch)
        return rows

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self.rows()

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows as tuples, with None for values that are not there. For few of them: columns are far quicker."""
        for batch in self._batches:
            columns = []
            for name, kind in self._kinds.items():
                if kind in ("integer", "real"):
                    values = batch.numbers(name, kind == "real")
                    for row in batch.missing(name):
                        values[row] = None
                    columns.append(values)
                else:
                    columns.append(_texts(batch, name, kind))
            yield from zip(*columns)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _core.arrow_stream(self._batches)

    def write(self, path: Any, *, format: str = "", columns: Iterable[str] | None = None, cram_reference: Any = "", progress: Any = False) -> None:
        """Writes the results to a file as the program does: TSV, BED, GFF3, BAM and so on, by the name.

        The source is searched once more, since BAM and others hold more than a table; it must be as it was. The options are those of
        `Searcher.write`, which writes without a table before. For this, a table keeps its source and its search as long as it lives.
        """
        if self._write is None:
            raise TypeError("one batch of a loop cannot be written: use write() of the search")
        self._write(os.fsdecode(path), format=format, columns=columns, cram_reference=cram_reference, progress=progress)

    def to_arrow(self) -> Any:
        """A pyarrow.Table. pyarrow must be installed."""
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame. pandas and pyarrow must be installed."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """A polars.DataFrame. polars must be installed."""
        import polars

        return polars.DataFrame(self)

    def _first_rows(self) -> list[tuple[Any, ...]]:
        return list(itertools.islice(self.rows(), _SHOWN))

    def __repr__(self) -> str:
        number = len(self)
        return f"<basesweep.Table: {number:,} row{'' if number == 1 else 's'} of {', '.join(self._kinds)}>"

    def _repr_html_(self) -> str:
        def line(tag: str, cells: Any) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

        body = "".join(line("td", row) for row in self._first_rows())
        more = f"<p>{len(self):,} rows</p>"
        return f"<table><thead>{line('th', self._kinds)}</thead><tbody>{body}</tbody></table>{more}"


def _texts(batch: _core.Batch, column: str, kind: str) -> list[str | None]:
    if kind == "text":
        values: list[str | None] = list(batch.texts(column))
        for row in batch.missing(column):
            values[row] = None
        return values
    names = batch.table(column)
    return [names[code] if code >= 0 else None for code in batch.codes(column)]
