#!/usr/bin/env python3
"""Golden tests: the real program, its files, messages and exit codes, against an independent naive search.

    run.py [TEST...]     for example: run.py test_bad_input test_options.Options.test_strands

Environment: BASESWEEP_BINARY      the program (default: build/dev/basesweep of this checkout)
             BASESWEEP_TEST_FILES  test-data/ (default: that of this checkout)
             BASESWEEP_TEST_DATA   larger real data; without it the tests that need it are skipped
             BASESWEEP_SEQKIT      seqkit (default: the one in PATH)
Needs Python 3.8 or later, nothing else. Exits 1 when a test fails, 77 when nothing was tested.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
sys.dont_write_bytecode = True

import suite
import support

if __name__ == "__main__":
    sys.exit(suite.main(HERE, support.BINARY, sys.argv[1:],
                        lambda: f"; devices {', '.join(support.devices())}; "
                                f"instruction sets {', '.join(support.isas())}"))
