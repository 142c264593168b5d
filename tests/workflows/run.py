#!/usr/bin/env python3
"""Tests of workflows/: the engines run the examples with the real program and give the same bytes as one run.

    run.py [TEST...]     for example: run.py test_nextflow test_multiqc.Sections.test_many

Environment: BASESWEEP_BINARY           the program (default: build/dev/basesweep of this checkout)
             BASESWEEP_WORKFLOWS_CACHE  where engines are kept between runs (default: build/workflows)
             BASESWEEP_NEXTFLOW         a nextflow to use instead of the one that is fetched
Needs Python 3.8 or later. Engines come from Maven Central and PyPI; tests of an engine that cannot be fetched are
skipped, with the reason.
Exits 1 when a test fails, 77 when nothing was tested.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
sys.dont_write_bytecode = True

import suite
import support

if __name__ == "__main__":
    sys.exit(suite.main(HERE, support.BINARY, sys.argv[1:]))
