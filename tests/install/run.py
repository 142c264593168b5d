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

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
sys.dont_write_bytecode = True

import suite  # noqa: E402
import support  # noqa: E402

if __name__ == "__main__":
    sys.exit(suite.main(HERE, support.BUILD / "basesweep", sys.argv[1:]))
