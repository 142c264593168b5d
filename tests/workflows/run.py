#!/usr/bin/env python3
"""Tests of workflows/: the engines run the examples with the real program, and what they gather is what one run writes.

    run.py [TEST...]     for example: run.py test_nextflow test_multiqc.Sections.test_many

Environment: BASESWEEP_BINARY           the program (default: build/dev/basesweep of this checkout)
             BASESWEEP_WORKFLOWS_CACHE  where engines are kept between runs (default: build/workflows)
             BASESWEEP_NEXTFLOW         a nextflow to take instead of the one that is fetched
Needs Python 3.8 or later. Engines come from Maven Central and PyPI; what cannot be had is skipped, with the reason.
Exits 1 when a test fails, 77 when nothing was tested.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
sys.dont_write_bytecode = True

import suite  # noqa: E402
import support  # noqa: E402

if __name__ == "__main__":
    sys.exit(suite.main(HERE, support.BINARY, sys.argv[1:]))
