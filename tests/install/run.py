#!/usr/bin/env python3
"""Tests every way to install basesweep, then runs the installed program.

    run.py [TEST...]     for example: run.py test_deb test_bundle.Bundle.test_moved

Environment: BASESWEEP_BUILD          the build folder (default: build/dev of this checkout)
             BASESWEEP_RELEASED       a folder with packages or an archive of this build, which are tested instead of others that the tests make
             BASESWEEP_INSTALL_CACHE  where a Debian root is kept between runs (default: build/dev/tests/install)
Needs Python 3.8 or later. Skips what cannot be tested here, with the reason. Exits 1 when a test fails, 77 when
nothing was tested.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
sys.dont_write_bytecode = True

import suite
import support

if __name__ == "__main__":
    sys.exit(suite.main(HERE, support.BUILD / "basesweep", sys.argv[1:]))
