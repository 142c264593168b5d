"""What may be searched, and what may be searched for: files, texts in memory, and objects of other packages."""
from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from .errors import IoError

# Letters of nucleotides as IUPAC has them, and what joins several sequences of one pattern.
_LETTERS = re.compile("[ACGTURYSWKMBDHVNIacgturyswkmbdhvni*-]+")
_PATTERN = re.compile("[ACGTURYSWKMBDHVNIacgturyswkmbdhvni|]+")
_LONGEST_PATH = 4096
_LONGEST_NAME = 255  # of a file in its folder
ONLY_NAME = "sequence"  # of a text that comes without one


class Source(NamedTuple):
    """Either files or records are given."""

    paths: list[str]
    records: list[tuple[str, Any]] | None


def _is_file(text: str) -> bool:
    if len(text) > _LONGEST_NAME and "/" not in text:
        return False
    return "://" in text or text == "-" or (len(text) < _LONGEST_PATH and "\0" not in text and os.path.exists(text))


def _is_letters(text: str, letters: re.Pattern[str] = _LETTERS) -> bool:
    return letters.fullmatch(text) is not None and not _is_file(text)


def _path_of(text: str) -> str:
    if _is_file(text):
        return text
    if not text:
        raise IoError("an empty str is neither a file nor letters")
    raise IoError(f"{text:.200}: there is no such file, and these are not letters of nucleotides")


def _is_stream(thing: Any) -> bool:
    return hasattr(thing, "read") and hasattr(thing, "readline")


def _is_buffer(thing: Any) -> bool:
    try:
        memoryview(thing)
    except TypeError:
        return False
    return True


def _record_of(thing: Any) -> tuple[str, Any] | None:
    """The name and the letters of a record, if it is one: (name, letters), of Biopython, or of pysam."""
    if isinstance(thing, tuple) and len(thing) == 2 and isinstance(thing[0], str):
        if isinstance(thing[1], str) and not _is_letters(thing[1]) and _is_file(thing[0]):
            return None  # two files
        return thing[0], _letters_of(thing[1])
    for name, letters in (("id", "seq"), ("query_name", "query_sequence"), ("name", "sequence")):
        if hasattr(thing, name) and hasattr(thing, letters):
            return str(getattr(thing, name)), _letters_of(getattr(thing, letters))
    return None


def _letters_of(thing: Any) -> Any:
    if isinstance(thing, str) or _is_buffer(thing):
        return thing
    if type(thing).__name__ in ("Seq", "MutableSeq"):  # of Biopython
        return bytes(thing)
    raise TypeError(f"the letters of a sequence cannot be {type(thing).__name__} {thing!r:.60}")


def _records_of(things: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    for number, thing in enumerate(things, 1):
        record = _record_of(thing)
        if record is None:
            if not (isinstance(thing, str) or _is_buffer(thing)):
                raise TypeError(f"a source cannot have {type(thing).__name__} {thing!r:.60}")
            record = (f"{ONLY_NAME}{number}", thing)
        yield record


def source_of(thing: Any) -> Source:
    """Says what a source is.

    A `str` is a URL or a file if there is one of this name, else letters, if it has nothing but letters of nucleotides; else a file
    that is not there. Raises TypeError for what is no source.
    """
    if isinstance(thing, os.PathLike):
        return Source([os.fsdecode(thing)], None)
    if isinstance(thing, str):
        return Source([], [(ONLY_NAME, thing)]) if _is_letters(thing) else Source([_path_of(thing)], None)
    if isinstance(thing, Mapping):
        return Source([], [(str(name), _letters_of(letters)) for name, letters in thing.items()])
    record = _record_of(thing)
    if record is not None:
        return Source([], [record])
    if _is_buffer(thing):
        return Source([], [(ONLY_NAME, thing)])
    if _is_stream(thing):
        raise TypeError("an open file is no source: give its path, or records such as those of SeqIO.parse()")
    if not isinstance(thing, Iterable) or (hasattr(thing, "columns") and hasattr(thing, "shape")):  # a data frame has names of columns
        raise TypeError(f"{type(thing).__name__} is no source: give a file, letters, an array, or records of name and letters")
    things = list(thing)
    paths = [isinstance(one, os.PathLike) or (isinstance(one, str) and not _is_letters(one)) for one in things]
    if things and all(paths):
        return Source([_path_of(os.fsdecode(one)) for one in things], None)
    if any(paths):
        raise TypeError(f"a source has files and letters: {things[paths.index(True)]!r:.60} is a file")
    return Source([], list(_records_of(things)))


class FilePatterns(NamedTuple):
    """A file of patterns, and the columns of a table to take; "": those that its header names."""

    path: str
    name_column: str
    pattern_column: str


def file_or_pairs(things: Any, what: str, name_column: str = "", pattern_column: str = "") -> FilePatterns | list[tuple[str, str]]:
    """Says what is searched for: a file, or (name, letters). A name is the letters where none is given."""
    if isinstance(things, str) and _is_letters(things, _PATTERN):
        return [(things, things)]
    if isinstance(things, (str, os.PathLike)):
        return FilePatterns(_path_of(os.fsdecode(things)), name_column, pattern_column)
    if isinstance(things, Mapping):
        return [(str(name), _text_of(letters, what)) for name, letters in things.items()]
    if not isinstance(things, Iterable) or isinstance(things, (bytes, bytearray)) or _is_stream(things):
        raise TypeError(f"{what} cannot be {type(things).__name__}: give letters, a list, a dict of names and letters, or a file")
    pairs = []
    for thing in things:
        if isinstance(thing, str):
            pairs.append((thing, thing))
        elif isinstance(thing, tuple) and len(thing) == 2:
            pairs.append((str(thing[0]), _text_of(thing[1], what)))
        else:
            record = _record_of(thing)
            if record is None:
                raise TypeError(f"{what} cannot have {type(thing).__name__} {thing!r:.60}")
            pairs.append((record[0], _text_of(record[1], what)))
    return pairs


def _text_of(letters: Any, what: str) -> str:
    if isinstance(letters, str):
        return letters
    if isinstance(letters, (bytes, bytearray)):
        return letters.decode("ascii")
    if type(letters).__name__ in ("Seq", "MutableSeq"):  # of Biopython
        return str(letters)
    raise TypeError(f"{what} cannot have {type(letters).__name__} {letters!r:.60}")
