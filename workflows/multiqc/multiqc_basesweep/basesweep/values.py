"""Values of a report, checked, and names as they may stand in a page"""

import math
from typing import Any, Dict, List, Tuple, Union

Number = Union[int, float]
Histogram = List[Tuple[Number, Number, Number]]  # from, to (exclusive), count

UNSAFE = {"<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"}


class BadReport(ValueError):
    """A report is not what it should be."""


def shown(name: Any) -> str:
    """A name of a user's file: it is text, but both pages and plots take it for markup."""
    return "".join(UNSAFE.get(letter, letter if letter.isprintable() else " ") for letter in str(name))


def number(value: Any, what: str) -> Number:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value < 0:
        raise BadReport(f"{what} should be a number, is {value!r}")
    return value


def numbers(values: Any, what: str) -> List[Number]:
    if not isinstance(values, list):
        raise BadReport(f"{what} should be a list")
    return [number(value, what) for value in values]


def numbers_of(values: Dict[str, Any], what: str, *keys: str) -> Dict[str, Number]:
    """{key: number} of these keys, or of all."""
    return {key: number(values[key], f"{what}: {key}") for key in keys or values}


def histogram(values: Any, what: str) -> Histogram:
    bins: Histogram = []
    for value in values or []:
        begin, end, count = numbers(value, what)
        if end <= begin:
            raise BadReport(f"{what} has a bin from {begin} to {end}")
        bins.append((begin, end, count))
    return bins


def percent(part: Number, whole: Number) -> float:
    return 100 * part / whole if whole else 0.0


def shares(counts: List[Number]) -> List[float]:
    """Percent of their sum."""
    return [percent(count, sum(counts)) for count in counts]
