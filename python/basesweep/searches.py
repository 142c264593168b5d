"""Searches that are prepared once and run for any number of texts."""
from __future__ import annotations

import atexit
import difflib
import logging
import os
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from . import _core
from .errors import Error, UsageError
from .sources import FilePatterns, Source, file_or_pairs, source_of
from .table import Table

_log = logging.getLogger("basesweep")
_log.addHandler(logging.NullHandler())  # nothing is printed unless the caller asks for it
_SHORT = {"k": "edits", "e": "error_rate", "m": "mismatches", "p": "p_value", "t": "threads"}
_WAITING = 4  # batches that a loop has not taken yet
Progress = Callable[[int, int, "int | None", int], None]


def _suggestion(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(str(word), known, 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def checked(command: str, words: dict[str, Any]) -> dict[str, Any]:
    """Gives the options their long names. Raises TypeError, with a suggestion, for one that the command does not have."""
    known = _core.options(command)
    options: dict[str, Any] = {}
    for word, value in words.items():
        name = _SHORT.get(word, word)
        if name not in known:
            raise TypeError(f"{command}() has no option {word!r}{_suggestion(name, known)}")
        if name in options:
            raise TypeError(f"{command}() got {name!r} twice")
        options[name] = value
    return options


class _Bar:
    """Shows progress by tqdm, where it is installed."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._bar = None
        else:
            self._bar = tqdm(unit="B", unit_scale=True)

    def __call__(self, bases: int, rows: int, size: int | None, read: int) -> None:
        if self._bar is None:
            return
        self._bar.total = size
        self._bar.n = bases if size is None else read
        self._bar.set_postfix(rows=rows)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class _Stopped(Exception):
    """The loop over batches ended early."""


class _Runs:
    """The searches that are at work. The threads that search are shared by all of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._working = 0  # without those that wait for their loop
        self._loops: set[_Loop] = set()
        self._used = False
        self.forked = False
        atexit.register(self.stop)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._after_fork)

    def _after_fork(self) -> None:
        self._lock = threading.Lock()
        self.forked = self._used

    def __enter__(self) -> None:
        """Begins one search."""
        if self.forked:
            raise Error("this process was forked from one that had searched, and threads do not outlive that: use multiprocessing with 'spawn'")
        self._used = True
        self.add(1)

    def __exit__(self, *_: object) -> None:
        self.add(-1)

    def add(self, number: int) -> None:
        with self._lock:
            self._working += number

    def others_work(self) -> bool:
        return self._working > 0

    def begin(self, loop: _Loop) -> None:
        with self._lock:
            self._loops.add(loop)

    def end(self, loop: _Loop) -> None:
        with self._lock:
            self._loops.discard(loop)

    def stop(self) -> None:
        """Ends what loops have left running, before the interpreter does."""
        for loop in list(self._loops):
            loop.stop()


class _Loop:
    """A search in a thread, whose batches a loop takes. It waits when the loop falls behind."""

    def __init__(self, run: Callable[[Callable[[Any], None], Callable[[], None]], object]) -> None:
        self._waiting: queue.Queue[Any] = queue.Queue()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(run,), name="basesweep", daemon=True)
        _runs.begin(self)
        self._thread.start()

    def _check(self) -> None:
        if self._stopped.is_set():
            raise _Stopped

    def _put(self, item: Any) -> None:
        # Whoever waits here holds one of the threads that search. So it does not while another search, perhaps one in the body of
        # the loop, may want that thread.
        _runs.add(-1)
        try:
            while self._waiting.qsize() >= _WAITING and not _runs.others_work():
                self._check()
                self._stopped.wait(0.01)
        finally:
            _runs.add(1)
        self._check()
        self._waiting.put(item)

    def _run(self, run: Callable[[Callable[[Any], None], Callable[[], None]], object]) -> None:
        try:
            run(self._put, self._check)
            self._waiting.put(None)
        except _Stopped:
            pass
        except BaseException as error:  # given to the loop, whatever it is
            self._waiting.put(error)

    def stop(self) -> None:
        self._stopped.set()
        if self._thread is not threading.current_thread():
            self._thread.join()
        _runs.end(self)

    def __iter__(self) -> Iterator[Any]:
        try:
            while True:
                try:
                    item = self._waiting.get(timeout=1)
                except queue.Empty:
                    if self._thread.is_alive():
                        continue
                    if self._waiting.empty():
                        raise Error("the search of this loop is not in this process") from None
                    continue
                if item is None:
                    return
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            self.stop()


_runs = _Runs()


class Prepared:
    """A search that is prepared. It may be run by several threads at once; the searches let other Python threads run."""

    def __init__(self, search: _core.Search) -> None:
        self._search = search
        self._columns = {name: meaning for name, _, meaning, _ in search.columns()}

    @property
    def columns(self) -> dict[str, str]:
        """The columns that a result may have, with their meanings."""
        return dict(self._columns)

    @property
    def names(self) -> list[str]:
        """The names of what is searched for, in order."""
        return self._search.names()

    @property
    def method(self) -> str:
        """The algorithm and the device, such as "planes on cpu (avx2)"."""
        return self._search.method()

    def __repr__(self) -> str:
        return f"<basesweep.{type(self).__name__}: {len(self.names):,} of them, {self.method}>"

    def search(self, source: Any, *, columns: Iterable[str] | None = None, batches: bool = False,
               progress: bool | Progress = False) -> Any:
        """Searches a source (see `basesweep.motif`) and returns a Table; with `batches`, an iterator of Tables of up to 65,536 rows.

        Args:
            columns: names of columns, in this order; default: the usual ones.
            progress: True shows a bar by tqdm, where it is installed; or a function of the bases read, the rows found, the bytes of all
                files, if known, and the bytes read of them.
        """
        text = source_of(source)
        chosen = self._chosen(columns)
        if batches:
            return self._batches(text, chosen, progress)
        found, totals = self._run(text, chosen, None, progress)

        def write(path: str, **options: Any) -> None:
            if "-" in text.paths:
                raise Error("standard input was read, and cannot be read again to write the results")
            own = {**options, "columns": self._chosen(options["columns"])}
            if chosen and not own["columns"]:
                try:
                    self._write(text, path, **{**own, "columns": chosen})
                    return
                except UsageError:  # this format is no table
                    pass
            self._write(text, path, **own)
        return Table(found, totals, write)

    def write(self, source: Any, path: Any, *, format: str = "", columns: Iterable[str] | None = None, cram_reference: Any = "",
              progress: bool | Progress = False) -> dict[str, Any]:
        """Searches a source and writes the results to a file as the program does, however many they are. Returns the totals.

        The file appears when it is complete. Its name says the format: .tsv, .csv, .jsonl, .bed, .gff3, .fa, .sam, .bam and so on, as far as
        the search has it; .gz compresses. SAM and BAM lack the options in their @PG line.

        Args:
            format: a word of `--format` instead.
            columns: those of a table.
            cram_reference: for CRAM, the FASTA file that the hits lie on; default: the only file of the source, or of the mapper.
        """
        return self._write(source_of(source), os.fsdecode(path), format, self._chosen(columns), cram_reference, progress)

    def _write(self, text: Source, path: str, format: str = "", columns: Iterable[str] | None = None, cram_reference: Any = "",
               progress: bool | Progress = False) -> dict[str, Any]:
        def run(told: Progress | None) -> dict[str, Any]:
            return self._search.write(text.records, text.paths, path, format, list(columns or ()), os.fsdecode(cram_reference), told)
        return self._told(run, progress)

    def _chosen(self, columns: Iterable[str] | None) -> list[str]:
        if isinstance(columns, str):
            raise TypeError(f"columns must be a list of names: [{columns!r}]")
        if columns is not None and not isinstance(columns, Iterable):
            raise TypeError(f"columns must be a list of names, not {columns!r:.60}")
        chosen = list(columns or ())
        unknown = [name for name in chosen if name not in self._columns]
        if unknown:
            raise TypeError(f"there is no column {unknown[0]!r}{_suggestion(unknown[0], self._columns)}")
        return chosen

    def _run(self, text: Source, columns: list[str], take: Callable[[_core.Batch], None] | None, progress: bool | Progress,
             check: Callable[[], None] | None = None) -> tuple[list[_core.Batch], dict[str, Any]]:
        found: list[_core.Batch] = []

        def run(told: Progress | None) -> dict[str, Any]:
            nonlocal found
            both = told
            if check is not None:
                def both(*how: Any) -> None:
                    check()
                    if told is not None:
                        told(*how)
            if text.records is not None:
                found, totals = self._search.records(text.records, columns, 65_536, take, both)
            else:
                found, totals = self._search.files(text.paths, columns, 65_536, take, both)
            return totals
        totals = self._told(run, progress)
        return found, totals

    def _told(self, run: Callable[[Progress | None], dict[str, Any]], progress: bool | Progress) -> dict[str, Any]:
        """Runs a search that tells its progress. Returns its totals."""
        if progress and progress is not True and not callable(progress):
            raise TypeError(f"progress must be True or a function, not {progress!r:.60}")
        bar = _Bar() if progress is True else None
        try:
            with _runs:
                totals = run(bar if bar is not None else (progress or None))
        finally:
            if bar is not None:
                bar.close()
        for warning in totals["warnings"]:
            _log.warning("%s", warning)
        return totals

    def _batches(self, text: Source, columns: list[str], progress: bool | Progress) -> Iterator[Table]:
        for batch in _Loop(lambda put, check: self._run(text, columns, put, progress, check)):
            yield Table([batch])


class PatternSet:
    """Patterns with names: a list of letters or of (name, letters), a dict, or a file of any kind that `basesweep match -f` takes.

    `name_column` and `pattern_column` choose columns of a table. Limits of patterns that a file has are kept.
    """

    def __init__(self, patterns: Any, *, name_column: str = "", pattern_column: str = "") -> None:
        if isinstance(patterns, PatternSet):
            self._patterns = patterns._patterns
        else:
            self._patterns = file_or_pairs(patterns, "patterns", name_column, pattern_column)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The names and the letters."""
        own = self._patterns
        return _core.patterns_of_file(*own) if isinstance(own, FilePatterns) else list(own)

    def searcher(self, words: dict[str, Any]) -> _core.Search:
        own = self._patterns
        if isinstance(own, FilePatterns):
            return _core.searcher_of_file(own.path, words, own.name_column, own.pattern_column)
        return _core.searcher(own, words)

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.pairs)

    def __repr__(self) -> str:
        return f"<basesweep.PatternSet: {len(self):,} patterns>"


class Searcher(Prepared):
    """Patterns that are searched for: exactly, or with `edits` or `error_rate`. Options are those of `match`."""

    def __init__(self, patterns: Any, **options: Any) -> None:
        super().__init__(PatternSet(patterns).searcher(checked("match", options)))

    def count(self, source: Any, *, by_strand: bool = False) -> dict[Any, int]:
        """Returns how often each pattern is found: {name: number}; with `by_strand` {(name, strand): number}. Quicker than a search."""
        text = source_of(source)
        counts: dict[Any, int] = {}
        with _runs:
            found = _core.count(self._search, text.records, text.paths)
        for name, strand, hits in found:
            key = (name, strand) if by_strand else name
            counts[key] = counts.get(key, 0) + hits
        return counts


class CompiledSearcher(Searcher):
    """The patterns, options and table of a file that `basesweep compile` wrote."""

    def __init__(self, path: Any, **options: Any) -> None:
        Prepared.__init__(self, _core.load_set(os.fsdecode(path), checked("match", options)))


class Pcr(Prepared):
    """Pairs of primers: a list of (name, forward, reverse), a dict of name and (forward, reverse), or a file."""

    def __init__(self, pairs: Any, **options: Any) -> None:
        words = checked("pcr", options)
        if isinstance(pairs, (str, os.PathLike)):
            super().__init__(_core.pcr_of_file(os.fsdecode(pairs), words))
            return
        items = [(name, *self._primers(two)) for name, two in pairs.items()] if hasattr(pairs, "items") else list(pairs)
        super().__init__(_core.pcr([self._pair(item) for item in items], words))

    @staticmethod
    def _primers(two: Any) -> Any:
        if isinstance(two, str) or len(two) != 2:
            raise TypeError(f"a pair must be (forward, reverse), not {two!r:.60}")
        return two

    @staticmethod
    def _pair(item: Any) -> list[str]:
        if isinstance(item, str) or len(item) != 3 or not all(isinstance(cell, str) for cell in item):
            raise TypeError(f"a pair must be (name, forward, reverse), not {item!r:.60}")
        return list(item)


class Pwm(Prepared):
    """Weight matrices: a file of any kind that the program takes, or a dict of name and rows of counts of A, C, G and T."""

    def __init__(self, matrices: Any, **options: Any) -> None:
        words = checked("pwm", options)
        if hasattr(matrices, "items"):
            own = [(str(name), [[float(x) for x in row] for row in rows]) for name, rows in matrices.items()]
            super().__init__(_core.pwm(own, words))
        elif isinstance(matrices, (str, bytes, os.PathLike)):
            super().__init__(_core.pwm_of_file(os.fsdecode(matrices), words))
        else:
            raise TypeError(f"matrices cannot be {type(matrices).__name__}: give a file, or a dict of names and rows of A, C, G and T")


class Guides(Prepared):
    """CRISPR guides: letters, a list, a dict of names and letters, or a file. Results have the totals of guides in `totals`."""

    def __init__(self, guides: Any, **options: Any) -> None:
        words = checked("guides", options)
        super().__init__(_core.guides(PatternSet(guides).pairs, words))


class Mapper(Prepared):
    """A reference that reads are placed on: a source."""

    def __init__(self, reference: Any, **options: Any) -> None:
        words = checked("map", options)
        text = source_of(reference)
        if text.records is not None:
            search = _core.mapper_of_records(text.records, words)
        elif len(text.paths) == 1:
            search = _core.mapper(text.paths[0], words)
        else:
            raise TypeError("a reference is one file")
        super().__init__(search)
