#!/usr/bin/env python3
"""Golden tests: the real program, its files, messages and exit codes, against an independent naive search.

    run.py [TEST...]     for example: run.py test_bad_input test_options.Options.test_strands

Environment: BASESWEEP_BINARY      the program (default: build/dev/basesweep of this checkout)
             BASESWEEP_TEST_FILES  test-data/ (default: that of this checkout)
             BASESWEEP_TEST_DATA   larger real data; without it those tests are skipped
             BASESWEEP_SEQKIT      seqkit (default: the one in PATH)
Needs Python 3.8 or later, nothing else. Exits 1 when a test fails.
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
    result = unittest.TextTestRunner(verbosity=1, buffer=False).run(suite)
    for test, reason in result.skipped:
        print(f"skipped {test.id()}: {reason}")
    print(f"golden: {result.testsRun - len(result.skipped)} tests run, {len(result.skipped)} skipped, "
          f"{time.monotonic() - begin:.1f} s; devices {', '.join(support.devices())}; "
          f"instruction sets {', '.join(support.isas())}; {support.BINARY}")
    return 0 if result.wasSuccessful() and result.testsRun > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
