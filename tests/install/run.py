#!/usr/bin/env python3
"""Tests of the ways to install basesweep: each is gone through, then the program is used from where it came to lie.

    run.py [TEST...]     for example: run.py test_deb test_bundle.Bundle.test_moved

Environment: BASESWEEP_BUILD          the build folder (default: build/dev of this checkout)
             BASESWEEP_INSTALL_CACHE  where a Debian root is kept between runs (default: build/dev/tests/install)
Needs Python 3.8 or later. What cannot be tested here is skipped, with the reason. Exits 1 when a test fails, 77 when
nothing was tested.
"""
import pathlib
import sys
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import support  # noqa: E402


def main(names):
    if not (support.BUILD / "basesweep").exists():
        print(f"run.py: no program in {support.BUILD}; set BASESWEEP_BUILD", file=sys.stderr)
        return 1
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(names) if names else loader.discover(str(HERE), "test_*.py")
    begin = time.monotonic()
    result = unittest.TextTestRunner(verbosity=2, buffer=False).run(suite)
    ran = result.testsRun - sum(isinstance(test, unittest.TestCase) for test, _ in result.skipped)  # of a class: none
    print(f"install: {ran} tests run, {len(result.skipped)} tests or classes skipped, {time.monotonic() - begin:.1f} s; "
          f"{support.BUILD}")
    for test, reason in result.skipped:
        print(f"skipped {test.id()}: {reason}")
    if not result.wasSuccessful():
        return 1
    return 0 if ran else 77


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
