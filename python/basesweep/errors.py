"""What searches raise. The text of an error is that of the program, and `exit_code` the code that the program ends with."""
from __future__ import annotations


class Error(Exception):
    """The class of all errors of basesweep."""

    exit_code = 1


class UsageError(Error, ValueError):
    """Options that are wrong or conflict, or a pattern that cannot be searched."""

    exit_code = 2


class InputError(Error, ValueError):
    """Input that is not valid. The text names file, record and place."""

    exit_code = 3


class IoError(Error, OSError):
    """The system refused to open or read a file."""

    exit_code = 4


class DeviceError(Error, RuntimeError):
    """A GPU was required and none is usable, or its memory does not suffice."""

    exit_code = 75
