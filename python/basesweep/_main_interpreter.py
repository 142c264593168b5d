"""Refuses to be imported by a sub-interpreter, since types of an extension module belong to one interpreter.

The module must not be loaded there at all: when that interpreter ends, it would take the types from the main one.
"""
try:
    import _interpreters as _own
except ImportError:
    try:
        import _xxsubinterpreters as _own  # before Python 3.13
    except ImportError:
        _own = None

if _own is not None and _own.get_current() != _own.get_main():
    raise ImportError("basesweep works in the main interpreter of a process, not in sub-interpreters: use threads or processes")
