#!/usr/bin/env python3
"""Tests of what the program says of itself: --help and its examples, man pages, completions, citation.

    run.py [TEST...]     for example: run.py test_man test_examples.Help

Environment: BASESWEEP_BINARY           the program (default: build/dev/basesweep of this checkout)
             BASESWEEP_PROJECT_VERSION  the project's version (default: read from CMakeLists.txt)
Needs Python 3.8 or later and bash. Tests of man, mandoc, groff, zsh, fish, bash-completion, PyYAML and cffconvert are skipped
where these are missing, with the reason. Exits 1 when a test fails.
"""
import os
import pathlib
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import support  # noqa: E402


def main(names):
    if not os.access(support.BINARY, os.X_OK):
        print(f"run.py: no program at {support.BINARY}; set BASESWEEP_BINARY", file=sys.stderr)
        return 1
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(names) if names else loader.discover(str(HERE), "test_*.py")
    begin = time.monotonic()
    result = unittest.TextTestRunner(verbosity=2, buffer=False).run(suite)
    skipped = sum(isinstance(test, unittest.TestCase) for test, _ in result.skipped)  # of a class left out: none
    print(f"help: {result.testsRun - skipped} tests run, {len(result.skipped)} tests or classes skipped, "
          f"{time.monotonic() - begin:.1f} s; {support.BINARY}")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
